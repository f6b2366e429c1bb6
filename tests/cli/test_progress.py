"""The bar of a long build: steps on a terminal's standard error, nothing elsewhere."""

from __future__ import annotations

import datetime as dt
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from geocheck.cities import load_city
from geocheck.city.build import STEPS, build_city
from geocheck.city.network.network import osm_network

if TYPE_CHECKING:
    from pathlib import Path


def command(shared_cases: Path, out: Path) -> list[str]:
    street = shared_cases / "25-stop-on-other-side" / "street.osm"
    module = [sys.executable, "-c", "from geocheck.cli.app import main; main()"]
    return [*module, "build", "goiania", "--osm", str(street), "-o", str(out)]


def test_a_terminal_sees_the_steps(shared_cases: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    args = command(shared_cases, tmp_path / "b")
    with subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other end was closed
                break
            if not piece:
                break
            seen += piece
    os.close(ours)
    assert process.returncode == 0
    text = seen.decode()
    places = [text.index(step) for step in ("ruas", *STEPS)]
    assert places == sorted(places)
    assert f"{len(STEPS)}/{len(STEPS) + 1}" in text


def test_a_file_sees_nothing_of_it(shared_cases: Path, tmp_path: Path) -> None:
    args = command(shared_cases, tmp_path / "b")
    ran = subprocess.run(args, capture_output=True, check=True, text=True)
    assert ran.stderr == ""
    assert "ponto de ônibus" in ran.stdout


@pytest.mark.parametrize("case", ["25-stop-on-other-side"])
def test_a_build_tells_each_step_in_order(shared_cases: Path, tmp_path: Path, case: str) -> None:
    city, told = load_city("goiania"), list[str]()
    network = osm_network(shared_cases / case / "street.osm", city)
    now = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
    build_city(city, network, (), tmp_path / "b", now, told.append)
    assert tuple(told) == STEPS
