"""Fixtures that every test may use."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from geocheck.cities import load_city
from geocheck.cli.app import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report


_BROWSERS: Final = ("chromium-headless-shell", "chromium", "google-chrome")
_SWITCHES: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a real browser that reaches no host but this machine; on CI there must be one.

    One for all tests of a process: playwright does not start twice in one.
    """
    sync_api = pytest.importorskip("playwright.sync_api")
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        message = f"none of {', '.join(_BROWSERS)} is installed"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=list(_SWITCHES))
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Return the folder of small cases computed by others, or skip."""
    return _beside_the_checkout("cases")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real files, or skip."""
    return _beside_the_checkout("data")


@pytest.fixture(scope="session")
def goiania() -> City:
    return load_city("goiania")


@pytest.fixture(scope="session")
def campus(shared_data: Path, goiania: City, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Return the bundle of a real part of Goiânia from OSM alone; nobody may write to its folder."""
    from geocheck.city.build import build_city  # noqa: PLC0415 (most tests need no geometry)
    from geocheck.city.network.network import osm_network  # noqa: PLC0415

    network = osm_network(shared_data / "osm" / "goiania-campus.osm.pbf", goiania)
    now = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
    return build_city(goiania, network, (), tmp_path_factory.mktemp("campus") / "pacote", now)


@pytest.fixture(scope="session")
def keeps_schema() -> Callable[[Report], None]:
    """Return a check that a report, written as JSON and read again, keeps the published schema."""
    path = Path(__file__).parents[1] / "docs" / "report.schema.json"
    validator = Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))

    def refuse(constant: str) -> None:
        raise AssertionError(f"the report holds {constant}")

    def check(report: Report) -> None:
        validator.validate(json.loads(report.model_dump_json(), parse_constant=refuse))

    return check


def _beside_the_checkout(name: str) -> Path:
    folder = Path(__file__).resolve().parents[2] / "shared" / name
    if not folder.is_dir():
        pytest.skip(f"the folder shared/{name} is not beside this checkout")
    return folder


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def geocheck(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs `geocheck` with arguments, and text on its standard input."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*args: str, stdin: str | bytes = "") -> Ran:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["geocheck", *args])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        else:
            code = 0
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
