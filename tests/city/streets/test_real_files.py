"""Every real OSM file gives kerbs and corners that make sense, without an error."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from geocheck.city.build import build_city
from geocheck.city.network.source import StreetSource, open_network
from geocheck.city.osm.read import read_osm
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City

ELSEWHERE = {
    "helsinki.osm.pbf": "EPSG:3067",
    "neukolln-scene.osm": "EPSG:25833",
    "northgate-dual-carriageway.osm": "EPSG:32610",
    "roosevelt-cycletrack.osm": "EPSG:32610",
    "sao-paulo-centro.osm.pbf": "EPSG:31983",
    "olinda-centro.graphml": "EPSG:31985",
}
BIG = {"porto-alegre.osm.pbf", "sao-paulo-centro.osm.pbf"}
FILES = [
    "goiania-campus.osm.pbf",
    "anicuns-go.osm.pbf",
    "curitiba-sample.osm.pbf",
    "porto-alegre.osm.pbf",
    *(name for name in ELSEWHERE if not name.endswith(".graphml")),
]


def anywhere(goiania: City, name: str) -> City:
    """Return a sheet for the place of a file."""
    world = goiania.bounds.model_copy(update={"west": -180.0, "east": 180.0, "south": -90.0, "north": 90.0})
    return goiania.model_copy(update={"crs": ELSEWHERE.get(name, goiania.crs), "bounds": world})


def marked(names: list[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.prove] if name in BIG else []) for name in names]


@pytest.mark.parametrize("name", marked([*FILES, "olinda-centro.graphml"]))
def test_a_real_file_builds(shared_osm: Path, goiania: City, tmp_path: Path, name: str) -> None:
    city = anywhere(goiania, name)
    network = open_network(StreetSource(file=shared_osm / name), city)
    bundle = build_city(city, network, (), tmp_path / "p", dt.datetime(2026, 11, 30, tzinfo=dt.UTC))
    for layer in ("axis", "kerb", "corner", "mouth"):
        frame = bundle.layer(layer)
        assert len(frame) > 0
        assert frame.geometry.is_valid.all()
        assert np.isfinite(frame.total_bounds).all()


def test_every_real_file_is_tried(shared_osm: Path) -> None:
    assert {path.name for path in shared_osm.iterdir()} == {*FILES, "olinda-centro.graphml"}


@pytest.mark.parametrize("name", marked(FILES))
def test_a_real_file_gives_kerbs(shared_osm: Path, goiania: City, name: str) -> None:
    city = anywhere(goiania, name)
    extract = read_osm(shared_osm / name, city)
    half = np.full(len(extract.ways), 4.0)
    streets = derive_streets(extract.ways, HalfWidths(half, half), city)
    assert sum(streets.counts.ways_by_use.values()) == len(extract.ways)
    assert streets.counts.backwards == 0
    _check_kerbs(streets)


def _check_kerbs(streets: Any) -> None:  # noqa: ANN401
    kerbs, corners, mouths = streets.kerbs, streets.corners, streets.mouths
    assert len(kerbs) > 0
    assert np.isfinite(kerbs.xy).all()
    assert np.isfinite(corners.xy).all()
    assert np.all(np.diff(kerbs.start) >= 2)
    assert kerbs.segment_start[-1] == len(kerbs.segment_way) == len(kerbs.xy) - len(kerbs)
    assert np.isin([kerbs.start_kind, kerbs.end_kind], list(EndKind)).all()
    for corner, vertex in (
        (kerbs.start_corner, kerbs.xy[kerbs.start[:-1]]),
        (kerbs.end_corner, kerbs.xy[kerbs.start[1:] - 1]),
    ):
        has = (corner >= 0) & ~corners.unknown[corner]
        gap = np.hypot(*(corners.xy[corner[has]] - vertex[has]).T)
        on_a_corner = np.abs(corners.turn_deg[corner[has]]) < 110
        assert gap[on_a_corner].max() < 1e-6
    for face in (corners.face_before, corners.face_after, mouths.face_from, mouths.face_to):
        assert face.min(initial=0) >= -1
        assert face.max(initial=-1) < len(kerbs)
