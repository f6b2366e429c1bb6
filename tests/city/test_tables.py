"""Where features lie along kerbs, read back from a bundle: cases that people reported, real files."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.network.network import osm_network
from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
CM = 0.011
"""OSM keeps coordinates to 7 mm."""


def built(osm: Path, folder: Path) -> Bundle:
    city = load_city("goiania")
    return build_city(city, osm_network(osm, city), (), folder, NOW)


def footprints(folder: Path) -> dict[str, shapely.Polygon]:
    """Return the placements of a case in metres, by id."""
    file = next(folder.glob("placement*.geojson"))
    return {
        each["properties"]["id"]: shapely.Polygon(
            to_city(np.array(each["geometry"]["coordinates"][0], float), "EPSG:31982")
        )
        for each in json.loads(file.read_text(encoding="utf-8"))["features"]
    }


def gaps_m(bundle: Bundle, footprint: shapely.Polygon, layer: str) -> Mapping[int, float]:
    """Return the metres along the footprint's nearest kerb to each feature of a layer on it."""
    lines = np.asarray(bundle.layer("kerb").geometry.array)
    kerb = int(np.argmin(shapely.distance(lines, footprint)))
    along = [lines[kerb].project(shapely.Point(each)) for each in shapely.get_coordinates(footprint)]
    stations = bundle.table(f"station.{layer}")
    rows = np.flatnonzero(stations["kerb"] == kerb)
    gap = np.maximum(stations["from_m"][rows] - max(along), min(along) - stations["to_m"][rows])
    return dict(zip(stations["feature"][rows].tolist(), gap.tolist(), strict=True))


def test_25_a_stop_counts_on_its_own_side_and_along_the_kerb(shared_cases: Path, tmp_path: Path) -> None:
    folder = shared_cases / "25-stop-on-other-side"
    bundle = built(folder / "street.osm", tmp_path / "b")
    spots = footprints(folder)
    assert gaps_m(bundle, spots["S"], "bus_stop") == {}
    assert gaps_m(bundle, spots["N_ok"], "bus_stop") == {0: pytest.approx(10.02, abs=CM)}
    assert gaps_m(bundle, spots["N_bad"], "bus_stop") == {0: pytest.approx(9.95, abs=CM)}
    assert bundle.table("station.bus_stop")["side_known"].tolist() == [1]


def test_12_a_crossing_lies_on_the_kerb_at_its_axis(shared_cases: Path, tmp_path: Path) -> None:
    """The mapped crossing is a footway over the street at x = 12, 4.00 m from the skip's end at x = 16."""
    folder = shared_cases / "12-footway-not-a-corner"
    bundle = built(folder / "street.osm", tmp_path / "b")
    stations = bundle.table("station.crossing")
    half = (stations["to_m"] - stations["from_m"]) / 2
    gaps = gaps_m(bundle, footprints(folder)["P1"], "crossing")
    assert min(gaps.values()) + half[0] == pytest.approx(4.00, abs=CM)


def test_stations_on_the_ruler_are_those_along_the_kerb(campus: Bundle) -> None:
    """`low_s` and `high_s` are the ends along the kerb, put where the kerb lies on the ruler."""
    place, side = campus.table("place"), campus.table("side")
    kerbs = campus.layer("kerb").geometry.length.to_numpy()
    seen = 0
    for table in campus.manifest.tables:
        if not table.name.startswith("station."):
            continue
        rows: dict[str, Any] = campus.table(table.name)
        kerb = rows["kerb"]
        ends = [place["s"][kerb] + place["sense"][kerb] * rows[end] for end in ("from_m", "to_m")]
        assert rows["low_s"] == pytest.approx(np.minimum(*ends))
        assert rows["high_s"] == pytest.approx(np.maximum(*ends))
        middle = (rows["from_m"] + rows["to_m"]) / 2
        assert np.all((middle >= -1e-6) & (middle <= kerbs[kerb] + 1e-6))
        start = side["s"][place["side"][kerb]]
        station = (rows["low_s"] + rows["high_s"]) / 2
        assert np.all(
            (station >= start - 1e-6) & (station <= start + side["length_m"][place["side"][kerb]] + 1e-6)
        )
        seen += len(kerb)
    assert seen > 100


def test_the_accuracy_of_a_piece_joins_width_and_axis(shared_cases: Path, tmp_path: Path) -> None:
    """Every street of the case has a `width`, good for 0.5 m, on an axis good for 3.0 m; chords as well."""
    bundle = built(shared_cases / "20-dual-carriageway-median" / "street.osm", tmp_path / "b")
    segment = bundle.table("segment")
    assert (segment["kerb"] == -1).any()
    assert segment["accuracy_m"] == pytest.approx(np.sqrt(9.25))


def test_the_account_says_what_lies_by_no_kerb(campus: Bundle) -> None:
    for layer in ("bus_stop", "driveway", "crossing"):
        entry = campus.entry(layer)
        assert entry is not None
        said = {change.reason.split(":")[0]: change.count for change in entry.changes}
        stations = campus.table(f"station.{layer}")
        sure = np.unique(stations["feature"][stations["side_known"] == 1])
        away = entry.features - len(np.unique(stations["feature"]))
        assert said.get("longe de qualquer guia", 0) == away
        assert said.get("lado da rua não sabido", 0) == entry.features - away - len(sure)
