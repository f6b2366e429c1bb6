"""`geocheck check --address`: a skip planned by street and number, or a refusal that lists what it may be."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import pytest

from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.layers.declaration import Declaration
from geocheck.city.layers.municipal import LayerFile
from geocheck.city.network.network import osm_network

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]

WHEN = (
    *("--start", "2026-08-07T10:00", "--where", "carriageway"),
    *("--length", "2.65", "--width", "1.72"),
)
LON, LAT = -49.2596668, -16.6004184
"""Beside Avenida Esperança."""


@pytest.fixture(scope="module")
def folder(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    base = tmp_path_factory.mktemp("addresses")
    rows = [
        f"Avenida Esperança;100;{LON};{LAT}",
        f"Avenida Esperança;300;{LON + 0.001};{LAT}",
        f"Avenida Esperança;300;{LON + 0.003};{LAT}",
    ]
    file = base / "enderecos.csv"
    file.write_text("\n".join(["street;number;lon;lat", *rows]) + "\n", encoding="utf-8")
    city = load_city("goiania")
    network = osm_network(shared_data / "osm" / "goiania-campus.osm.pbf", city)
    now = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
    build_city(city, network, [LayerFile("address", file, Declaration())], base / "pacote", now)
    return str(base / "pacote")


def test_a_skip_is_planned_at_an_address(geocheck: Run, folder: str) -> None:
    ran = geocheck("check", folder, "--address", "av. esperanca 100", *WHEN, "--json", "-")
    assert (ran.code, ran.err) == (0, "")
    report = json.loads(ran.out)
    asked = report["request"]
    assert (asked["lon"], asked["lat"]) == pytest.approx((LON, LAT), abs=2e-4)  # 20 m
    assert (asked["address"], asked["snap"]) == ("av. esperanca 100", True)
    assert report["kerb"]["street"] == "Avenida Esperança"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("av esperança 300", "Avenida Esperança, 300 (-16.6"),
        ("av esperança", "Avenida Esperança (trecho"),
        ("av esperança 102", "o número 102 não está no mapa"),
        ("rua que não existe 1", "não tem este endereço"),
        ("...", "não diz nenhuma rua"),
    ],
)
def test_an_address_that_is_not_one_certain_place_is_refused(
    geocheck: Run, folder: str, text: str, said: str
) -> None:
    ran = geocheck("check", folder, "--address", text, *WHEN)
    assert ran.code != 0
    assert "--address" in ran.err
    assert said in " ".join(ran.err.split())
    assert ran.out == ""


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (("--lon=-49.2", "--lat=-16.6"), "tire --lon e --lat"),
        (("--observed-position",), "não diz onde na rua"),
        (("--request", "-"), "não se combina com outras opções"),
    ],
)
def test_an_address_does_not_go_with_another_place(
    geocheck: Run, folder: str, others: tuple[str, ...], said: str
) -> None:
    ran = geocheck("check", folder, "--address", "av esperança 100", *others)
    assert ran.code != 0
    assert said in " ".join(ran.err.split())


def test_an_address_needs_a_map(geocheck: Run) -> None:
    ran = geocheck("check", "goiania", "--address", "rua 10, 25", *WHEN)
    assert ran.code != 0
    assert "só se procura num pacote" in ran.err
