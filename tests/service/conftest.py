"""The service with the invented neighbourhood's maps of two cities."""

from __future__ import annotations

import datetime as dt
import threading
import time
from typing import TYPE_CHECKING, Final

import pytest
import uvicorn
from starlette.testclient import TestClient

from geocheck.cities import load_city
from geocheck.demo.files import MEASURED, write_neighbourhood
from geocheck.demo.grid import grid_of
from geocheck.demo.kept import city_path
from geocheck.demo.recipe import build_neighbourhood
from geocheck.service.app import create_app
from geocheck.settings import ServiceSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW: Final = dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC)


@pytest.fixture(scope="session")
def maps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return folders of bundles by city."""
    found = {}
    for name in ("goiania", "juiz-de-fora"):
        folder, city = tmp_path_factory.mktemp(name), load_city(city_path(name))
        write_neighbourhood(grid_of(city), folder, MEASURED)
        found[name] = build_neighbourhood(city, folder, folder / "pacote", NOW).folder
    return found


@pytest.fixture(scope="session")
def client(maps: dict[str, Path]) -> Iterator[TestClient]:
    """Return a client of the service with these maps."""
    app = create_app(ServiceSettings(bundles=tuple(maps.values())))
    with TestClient(app, client=("127.0.0.1", 50_000)) as client:
        yield client


@pytest.fixture(scope="session")
def live(maps: dict[str, Path]) -> Iterator[str]:
    """Return the address of the service, listening on this machine."""
    app = create_app(ServiceSettings(bundles=tuple(maps.values())))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)
