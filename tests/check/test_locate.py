"""The kerb of a skip on real bundles of small cases: gap, angle, corner, stop, as worked out in each case."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
import shapely

from geocheck.check.footprint import Footprints, footprints
from geocheck.check.locate import NOWHERE, lines_of, locate
from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.network.network import osm_network
from geocheck.city.ruler.cells import cells_of
from geocheck.city.ruler.grid import KERB_REACH_M

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.check.locate import Located
    from geocheck.city.bundle.bundle import Bundle

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
CM = 0.011
"""OSM keeps coordinates to 7 mm."""


class Stood(NamedTuple):
    """The placements of a case, found on its bundle."""

    bundle: Bundle
    footprints: Footprints
    located: Located
    id: list[str]

    def row(self, name: str) -> int:
        """Return the row of a placement."""
        return self.id.index(name)

    def kerb(self, name: str) -> Any:  # noqa: ANN401 (a row of the kerb layer)
        """Return the kerb beside which a placement stands."""
        segment = self.bundle.table("segment")
        return self.bundle.layer("kerb").iloc[segment["kerb"][self.located.segment[self.row(name)]]]

    def apart_m(self, name: str, layer: str) -> list[float]:
        """Return metres along the side of the street to each feature of a layer on that side."""
        row, found = self.row(name), self.located
        stations, place = self.bundle.table(f"station.{layer}"), self.bundle.table("place")
        side = self.bundle.table("segment")["side"][found.segment[row]]
        on = place["side"][stations["kerb"]] == side
        low, high = stations["low_s"][on] - found.centre_s[row], found.centre_s[row] - stations["high_s"][on]
        return sorted((np.maximum(low, high) - found.half_m[row]).tolist())

    def corner_m(self, name: str) -> float:
        """Return metres along the kerb from the skip to the nearer end of the kerb that is a corner."""
        row, kerb = self.row(name), self.kerb(name)
        place = self.bundle.table("place")
        ends = [0.0] if kerb["start_kind"] == "corner" else []
        ends += [kerb.geometry.length] if kerb["end_kind"] == "corner" else []
        stations = place["s"][kerb.name] + place["sense"][kerb.name] * np.array(ends)
        return float(np.abs(stations - self.located.centre_s[row]).min() - self.located.half_m[row])


def stand(bundle: Bundle, lonlat: NDArray[np.float64], bearing_deg: NDArray[np.float64]) -> Any:  # noqa: ANN401
    size = np.ones(len(lonlat))
    skips = footprints(lonlat, bearing_deg, 2.65 * size, 1.76 * size, bundle.manifest.crs)
    segment = bundle.table("segment")
    edges = np.column_stack([segment[name] for name in ("x0", "y0", "x1", "y1")])
    return skips, locate(skips, lines_of(segment), cells_of(edges, np.full(len(edges), KERB_REACH_M)))


@pytest.fixture
def case(shared_cases: Path, tmp_path: Path) -> Callable[[int], Stood]:
    """Return a function that builds the bundle of a case and stands its skips on it."""

    def run(number: int) -> Stood:
        folder = next(shared_cases.glob(f"{number:02d}-*"))
        city = load_city("goiania")
        network = osm_network(next(folder.glob("*.osm")), city)
        bundle = build_city(city, network, (), tmp_path / "b", NOW)
        text = next(folder.glob("placement*.geojson")).read_text(encoding="utf-8")
        spots = [each["properties"] for each in json.loads(text)["features"]]
        lonlat = np.array([[spot["centre_lon"], spot["centre_lat"]] for spot in spots])
        bearing = np.array([spot["bearing_true_deg"] for spot in spots], float)
        skips, located = stand(bundle, lonlat, bearing)
        return Stood(bundle, skips, located, [spot["id"] for spot in spots])

    return run


@pytest.mark.parametrize(
    ("number", "name", "gap_m"),
    [(3, "P1", 0.30), (20, "A_outer", 0.30), (22, "H1", 0.30), (22, "Q1", 0.307), (26, "P1", 0.30)],
)
def test_gap(case: Callable[[int], Stood], number: int, name: str, gap_m: float) -> None:
    stood = case(number)
    assert stood.located.low_gap_m[stood.row(name)] == pytest.approx(gap_m, abs=CM)


@pytest.mark.parametrize(
    ("number", "corners"),
    [
        (12, {"P1": 13.00}),
        (13, {"P1": 35.675}),
        (15, {"P1": 4.50}),
        (18, {"P_east": 3.572, "P_west": 5.228}),
        (20, {"A_outer": 5.20}),
        (21, {"P1": 9.00, "P2": 6.00}),
    ],
)
def test_corner(case: Callable[[int], Stood], number: int, corners: dict[str, float]) -> None:
    stood = case(number)
    assert {name: stood.corner_m(name) for name in corners} == pytest.approx(corners, abs=CM)


def test_25_stop_on_the_side_of_the_skip(case: Callable[[int], Stood]) -> None:
    stood = case(25)
    assert stood.apart_m("S", "bus_stop") == []
    assert stood.apart_m("N_ok", "bus_stop") == pytest.approx([10.02], abs=CM)
    assert stood.apart_m("N_bad", "bus_stop") == pytest.approx([9.95], abs=CM)


def test_26_a_station_in_the_median_is_no_stop_of_the_outer_kerb(case: Callable[[int], Stood]) -> None:
    stood = case(26)
    assert stood.apart_m("P1", "bus_stop") == []
    assert len(stood.bundle.layer("bus_stop")) == 1
    assert len(stood.bundle.table("station.bus_stop")["kerb"]) > 0


def test_28_both_ends_of_a_skip_are_as_far_from_the_kerb(case: Callable[[int], Stood]) -> None:
    """A bearing taken from the grid's north would turn it by half a degree, 0.507 m at one end."""
    found = case(28).located
    assert found.low_gap_m[0] == pytest.approx(0.495, abs=CM)
    assert found.high_gap_m[0] - found.low_gap_m[0] < 0.002
    assert found.angle_deg[0] < 0.05


def test_a_skip_nowhere_near_a_kerb_has_none(case: Callable[[int], Stood]) -> None:
    bundle = case(25).bundle
    _, found = stand(bundle, np.array([[-49.30, -16.60], [np.nan, -16.6]]), np.array([0.0, 0.0]))
    assert found.segment.tolist() == [NOWHERE, NOWHERE]
    assert np.isnan(found.low_gap_m).all()
    assert np.isnan(found.centre_s).all()


def test_gaps_on_a_real_city_are_those_of_shapely(campus: Bundle) -> None:
    """Skips laid at random beside random kerbs: the gap is the distance to the kerb's whole side."""
    kerbs, place = campus.layer("kerb"), campus.table("place")
    rng = np.random.default_rng(7)
    lines = np.asarray(kerbs.geometry.array)[rng.integers(0, len(kerbs), 400)]
    spots = shapely.get_coordinates(shapely.line_interpolate_point(lines, rng.random(400), normalized=True))
    angle = rng.random(400) * 2 * np.pi
    size = np.ones(400)
    skips = Footprints(
        spots + rng.normal(0, 2, (400, 2)),
        np.column_stack([np.sin(angle), np.cos(angle)]),
        2.65 * size,
        1.76 * size,
    )
    segment = campus.table("segment")
    edges = np.column_stack([segment[name] for name in ("x0", "y0", "x1", "y1")])
    found = locate(skips, lines_of(segment), cells_of(edges, np.full(len(edges), KERB_REACH_M)))
    assert (found.segment != NOWHERE).all()

    pieces = np.asarray(shapely.linestrings(edges.reshape(-1, 2, 2)))
    outlines = np.asarray(shapely.polygons(skips.corners()))
    for row in range(400):
        side = segment["side"][found.segment[row]]
        own = shapely.distance(pieces[segment["side"] == side], outlines[row]).min()
        assert found.low_gap_m[row] == pytest.approx(own, abs=1e-9)
        nearest = shapely.distance(pieces, outlines[row]).min()
        assert own <= nearest + 1.0 + 1e-9, "another kerb is nearer by more than the angle makes up for"
    assert len(place["side"]) == len(kerbs)
