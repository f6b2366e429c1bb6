"""The cases of street geometry that people reported, with the numbers worked out for each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.bearing import convergence_deg, true_to_grid_bearing
from geocheck.city.osm.read import read_osm
from geocheck.city.streets.medians import Median
from geocheck.city.streets.noses import common, corner_kinds
from geocheck.city.streets.runs import EndKind
from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.cities import City

CM = 0.011
"""OSM keeps coordinates to 7 mm."""


@pytest.fixture
def case(shared_cases: Path, goiania: City, derive: Callable[..., Any]) -> Callable[[int], Any]:
    """Return a function that derives the streets of a case and gives its footprints in metres, by id."""

    def load(number: int) -> tuple[Any, dict[str, shapely.Polygon], dict[str, Any]]:
        folder = next(shared_cases.glob(f"{number}-*"))
        scene = derive(read_osm(next(folder.glob("*.osm")), goiania).ways)
        features = json.loads(next(folder.glob("placement*.geojson")).read_text())["features"]
        spots = {
            each["properties"]["id"]: shapely.Polygon(
                to_city(np.array(each["geometry"]["coordinates"][0], float), goiania.crs)
            )
            for each in features
        }
        return scene, spots, {each["properties"]["id"]: each["properties"] for each in features}

    return load


def _corner_xs(scene: Any, spot: dict[str, Any], east_m: float) -> list[float]:  # noqa: ANN401
    """Return the x of the corners, on a grid on which the placement's centre has x = `east_m`."""
    return sorted(scene.streets.corners.xy[:, 0] - spot["centre_e"] + east_m)


def _beside(scene: Any, face: int) -> list[Any]:  # noqa: ANN401
    """Return what lies beside a face that is no block: kind, from, to."""
    rows = scene.streets.beside.at(scene.streets.beside.face == face)
    kinds = [Median(kind).code for kind in rows.kind.tolist()]
    return list(zip(kinds, rows.from_m.tolist(), rows.to_m.tolist(), strict=True))


def test_12_footways_cycleways_and_steps_are_no_cross_streets(case: Callable[[int], Any]) -> None:
    scene, spots, given = case(12)
    spot = scene.place(spots["P1"])
    assert spot.corner_m == pytest.approx(13.00, abs=CM)
    assert _corner_xs(scene, given["P1"], 17.325) == pytest.approx([-3, -3, 3, 3], abs=CM)


def test_13_a_bridge_makes_no_corner(case: Callable[[int], Any]) -> None:
    scene, spots, given = case(13)
    spot = scene.place(spots["P1"])
    assert spot.street == "Rua dos Testes"
    assert scene.streets.kerbs.layer[spot.face] == 0
    assert spot.corner_m == pytest.approx(35.675, abs=CM)
    assert _corner_xs(scene, given["P1"], 20.0) == pytest.approx([57, 57, 63, 63], abs=CM)


def test_15_a_loop_that_meets_itself_is_a_junction(case: Callable[[int], Any]) -> None:
    scene, spots, _ = case(15)
    assert scene.place(spots["P1"]).corner_m == pytest.approx(4.50, abs=CM)


def test_18_corners_of_an_acute_junction(case: Callable[[int], Any]) -> None:
    scene, spots, given = case(18)
    assert _corner_xs(scene, given["P_east"], 19.825) == pytest.approx([-1.072, 14.928], abs=CM)
    assert scene.place(spots["P_east"]).corner_m == pytest.approx(3.572, abs=CM)
    assert scene.place(spots["P_west"]).corner_m == pytest.approx(5.228, abs=CM)


def test_20_kerbs_of_a_dual_carriageway(case: Callable[[int], Any]) -> None:
    scene, spots, _ = case(20)
    kerbs = scene.streets.kerbs
    outer, inner = scene.place(spots["A_outer"]), scene.place(spots["B_median"])
    assert outer.corner_m == pytest.approx(5.20, abs=CM)
    assert outer.gap_m == pytest.approx(0.30, abs=CM)
    assert outer.face != inner.face
    for face in (outer.face, inner.face):
        ends = kerbs.xy[[kerbs.start[face], kerbs.start[face + 1] - 1]]
        assert ends[1, 0] > ends[0, 0], "traffic east on both kerbs of the south carriageway"
    assert _beside(scene, outer.face) == []
    assert _beside(scene, inner.face) == [("yes", 0.0, pytest.approx(scene.line(inner.face).length))]


def test_20_two_nodes_are_one_junction_and_the_median_is_open_at_it(case: Callable[[int], Any]) -> None:
    """On the case's grid: outer kerbs at y = ± 9.5, inner ones at ± 2.5, the cross street's at x = ± 4."""
    scene, _, _ = case(20)
    streets = scene.streets
    assert len(streets.junctions.unknown) == 1
    assert np.count_nonzero(streets.junctions.of_node == 0) == 2
    (area,) = streets.crossing_areas.geometry
    assert area.area == pytest.approx(8 * 19, abs=0.3)
    assert streets.medians.width_m == pytest.approx([5.0, 5.0], abs=0.015)
    at_median = common(*corner_kinds(streets.beside, streets.kerbs, streets.corners))
    assert sorted(at_median.tolist()) == [Median.NO] * 4 + [Median.YES] * 4
    gap = shapely.union_all(streets.medians.geometry).intersection(area)
    assert gap.area < 0.1, "the opening is no median"


def test_21_splits_of_a_way_are_no_corners(case: Callable[[int], Any]) -> None:
    scene, spots, _ = case(21)
    one, two = scene.place(spots["P1"]), scene.place(spots["P2"])
    assert one.corner_m == pytest.approx(9.00, abs=CM)
    assert two.corner_m == pytest.approx(6.00, abs=CM)
    assert one.face == two.face
    assert len(scene.streets.corners) == 4


def test_22_kerbs_of_a_hairpin_and_of_a_broken_line(case: Callable[[int], Any]) -> None:
    scene, spots, _ = case(22)
    assert scene.place(spots["H1"]).gap_m == pytest.approx(0.30, abs=CM)
    assert scene.place(spots["Q1"]).gap_m == pytest.approx(0.307, abs=CM)


def test_26_outer_kerb_beside_a_station_in_the_median(case: Callable[[int], Any]) -> None:
    scene, spots, _ = case(26)
    spot = scene.place(spots["P1"])
    assert spot.gap_m == pytest.approx(0.30, abs=CM)
    assert spot.street == "Avenida BRT"
    assert _beside(scene, spot.face) == []
    streets = scene.streets
    assert len(streets.medians) == 1
    inner = [streets.medians.one[0], streets.medians.two[0]]
    for face in inner:
        assert _beside(scene, face) == [("yes", 0.0, pytest.approx(scene.line(face).length))]
    bus = [k for k, name in enumerate(streets.kerbs.street) if name == "Corredor"]
    assert len(bus) == 2
    assert all(_beside(scene, face)[0][0] == "yes" for face in bus), "the corridor lies in the median"


def test_28_a_bearing_is_from_true_north(case: Callable[[int], Any], goiania: City) -> None:
    scene, spots, given = case(28)
    p = given["P1"]
    place = p["centre_lon"], p["centre_lat"], goiania.crs
    assert convergence_deg(*place) == pytest.approx(-0.503, abs=0.001)
    grid = float(true_to_grid_bearing(p["bearing_true_deg"], *place))
    assert grid == pytest.approx(60.0, abs=1e-3)

    line = scene.line(scene.place(spots["P1"]).face)
    along = np.array([np.sin(np.radians(grid)), np.cos(np.radians(grid))])
    across = np.array([along[1], -along[0]])
    centre = np.array([p["centre_e"], p["centre_n"]])
    corners = [centre + i * 1.325 * along + j * 0.88 * across for i in (-1, 1) for j in (-1, 1)]
    near = sorted(line.distance(shapely.Point(corner)) for corner in corners)[:2]
    assert near == pytest.approx([0.495, 0.495], abs=CM)
    assert near[1] - near[0] < 0.002


def test_ends_at_the_rim_of_an_extract_without_a_box_are_unknown(case: Callable[[int], Any]) -> None:
    scene, _, _ = case(21)
    kerbs = scene.streets.kerbs
    ends = np.concatenate([kerbs.start_kind, kerbs.end_kind])
    assert set(ends.tolist()) == {EndKind.CORNER, EndKind.CUT}
