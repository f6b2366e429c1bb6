"""The service over the demo neighbourhood on a port of the loopback, and a real browser to open its page."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import socket
import threading
from dataclasses import dataclass, field
from importlib import resources
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import pytest
import uvicorn

from geocheck.cities import load_city
from geocheck.demo.files import write_neighbourhood
from geocheck.demo.grid import grid_of
from geocheck.demo.recipe import build_neighbourhood
from geocheck.service.app import create_app
from geocheck.settings import ServiceSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from geocheck.city.bundle.bundle import Bundle

NOW: Final = dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC)
CITY: Final = "goiania"
SIZES: Final = {"phone": (360, 740), "desktop": (1280, 800), "lying": (740, 360)}
HOSTILE: Final = "<img src=x onerror=alert(1)>"
LEFT_OUT: Final = ("hydrant", "bus_stop", "sign", "storm_drain", "lot")
"""Layers that the poor bundle is without, so that there is something to look for."""


def build_bundle(folder: Path) -> Bundle:
    """Build the neighbourhood without some layers, and with a street of a hostile name."""
    city = load_city(CITY)
    write_neighbourhood(grid_of(city), folder)
    streets = folder / "ruas.osm"
    hostile = HOSTILE.replace("<", "&lt;").replace(">", "&gt;")
    text = streets.read_text(encoding="utf-8")
    assert "Rua das Mangueiras" in text
    streets.write_text(text.replace("Rua das Mangueiras", hostile), encoding="utf-8")
    return build_neighbourhood(city, folder, folder / "pacote", NOW, without=LEFT_OUT)


SETTING: Final[dict[str, float]] = {}
"""What a test sets: `delay_s` of each check."""


class Slow:
    """Stands before the service: checks take a while."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the service."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer late, or at once."""
        if scope["type"] == "http" and scope["path"] == "/v1/checks":
            await asyncio.sleep(SETTING["delay_s"])
        await self._app(scope, receive, send)


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return build_bundle(tmp_path_factory.mktemp("pagina"))


@pytest.fixture(scope="session")
def running(bundle: Bundle) -> Iterator[str]:
    """Run the service on a free port of the loopback; its address."""
    app = Slow(create_app(ServiceSettings(bundles=(bundle.folder,))))
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # who comes before the service has started waits
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    server.should_exit = True
    thread.join()


@pytest.fixture
def served(running: str) -> str:
    """Return the address of the service, which is as it is at first."""
    SETTING.update(delay_s=0.0)
    return running


@dataclass
class Opened:
    """A page in the browser, what it complained of, the hosts it asked, and the checks it asked for."""

    page: Page
    context: BrowserContext
    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    checks: list[dict[str, Any]] = field(default_factory=list)

    def note(self, request: Request) -> None:
        """Remember what was asked for, and whom."""
        if request.url.startswith("http"):
            self.hosts.add(request.url.split("/")[2])
        if request.url.endswith("/v1/checks"):
            self.checks.append(json.loads(request.post_data or "{}"))

    def refuse(self, dialog: Dialog) -> None:
        """Close a dialog that a script opened; there is to be none."""
        self.complaints.append(dialog.message)
        dialog.dismiss()


@pytest.fixture
def show(browser: Browser, served: str) -> Iterator[Callable[..., Opened]]:
    """Return a function that opens the page, and closes it after the test."""
    contexts = []

    def open_page(size: str = "desktop", fragment: str = "", **options: Any) -> Opened:  # noqa: ANN401
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=size == "phone",
            accept_downloads=True,
            locale="pt-BR",
            timezone_id="America/Sao_Paulo",
            **options,
        )
        contexts.append(context)
        shown = Opened(context.new_page(), context)
        shown.page.set_default_timeout(15_000)
        shown.page.on("request", shown.note)
        shown.page.on("console", lambda message: shown.complaints.append(message.text))
        shown.page.on("pageerror", lambda error: shown.complaints.append(str(error)))
        shown.page.on("dialog", shown.refuse)
        shown.page.goto(served + fragment)
        return shown

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe_script() -> str:
    """Return the script of axe-core, as the installed package has it."""
    pytest.importorskip("axe_playwright_python")
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def scene() -> SimpleNamespace:
    """Return what tests need of this file (`importlib` mode lets none import it)."""
    return SimpleNamespace(hostile=HOSTILE, sizes=SIZES, setting=SETTING, grid=grid_of(load_city(CITY)))
