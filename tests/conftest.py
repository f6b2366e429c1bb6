"""Fixtures that every test may use."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from geocheck.cli.app import main

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Return the folder of small cases computed by others, or skip."""
    return _beside_the_checkout("cases")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real files, or skip."""
    return _beside_the_checkout("data")


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
