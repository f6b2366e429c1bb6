"""Kerb inside another carriageway is no kerb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from collections.abc import Callable

ONEWAY = {"oneway": "yes", "name": "Avenida", "width": "8"}


def _dual(gap: float, layer: str = "0") -> list[Any]:
    """Return two carriageways whose axes lie `gap` apart."""
    return [
        ([(-100, 0), (100, 0)], ONEWAY),
        ([(100, gap), (-100, gap)], {**ONEWAY, "layer": layer}),
    ]


def _heights(scene: Any) -> list[float]:  # noqa: ANN401
    kerbs = scene.streets.kerbs
    return sorted({round(float(y), 6) for y in kerbs.xy[:, 1]})


def test_the_middle_of_an_avenue_with_a_painted_median_has_no_kerb(derive: Callable[..., Any]) -> None:
    scene = derive(_dual(6))
    assert _heights(scene) == [-4, 10]
    assert scene.streets.counts.covered_m == pytest.approx(400)


def test_a_real_median_keeps_its_kerbs(derive: Callable[..., Any]) -> None:
    scene = derive(_dual(9))
    assert _heights(scene) == [-4, 4, 5, 13]
    assert scene.streets.counts.covered_m == 0


def test_kerbs_of_another_layer_cover_nothing(derive: Callable[..., Any]) -> None:
    assert _heights(derive(_dual(6, layer="1"))) == [-4, 2, 4, 10]


def test_a_kerb_runs_up_to_the_carriageway_that_covers_it(derive: Callable[..., Any]) -> None:
    scene = derive([([(-100, 0), (100, 0)], {}), ([(0, -50), (0, 50)], {"width": "6"})])
    kerbs = scene.streets.kerbs
    west = scene.face_near(-50, 4)
    assert sorted(shapely.get_coordinates(scene.line(west))[:, 0]) == pytest.approx([-100, -2.95])
    assert EndKind.COVERED in {kerbs.start_kind[west], kerbs.end_kind[west]}
    assert len(kerbs) == 8, "two streets that cross without a node: four kerbs, each in two"
    assert len(scene.streets.corners) == 0


def test_a_bend_a_step_and_a_wide_branch_cover_nothing(derive: Callable[..., Any]) -> None:
    scene = derive(
        [
            ([(-60, 0), (0, 0), (50, 20), (60, 70)], {"width": "7"}),
            ([(-60, 0), (-120, -15)], {"width": "11"}),
            ([(0, 0), (40, -90)], {"width": "20"}),
        ]
    )
    assert scene.streets.counts.covered_m == 0
    kerbs = scene.streets.kerbs
    assert EndKind.COVERED not in np.concatenate([kerbs.start_kind, kerbs.end_kind])


def test_no_kerb_lies_inside_the_union_of_carriageways(derive: Callable[..., Any]) -> None:
    lines = [
        ([(-80, 0), (0, 0), (80, 0)], {"width": "8"}),
        ([(0, -80), (0, 0), (0, 80)], {"width": "12"}),
        ([(-80, 5), (80, 6)], {"width": "6"}),
        ([(-60, -70), (70, 60)], {"width": "7"}),
    ]
    scene = derive(lines)
    area = shapely.union_all(
        [
            shapely.buffer(shapely.LineString(points), float(tags["width"]) / 2, cap_style="flat")
            for points, tags in lines
        ]
    )
    deep = shapely.buffer(area, -0.06, join_style="mitre")
    inside = [
        shapely.length(shapely.intersection(scene.line(k), deep)) for k in range(len(scene.streets.kerbs))
    ]
    assert max(inside) < 0.3
    kerb = shapely.union_all([scene.line(k) for k in range(len(scene.streets.kerbs))])
    assert kerb.length == pytest.approx(area.boundary.length - _open_ends(lines), abs=2.0)


def _open_ends(lines: list[Any]) -> float:
    """Return the length of the ends of streets that lie outside every other carriageway."""
    strips = [
        shapely.buffer(shapely.LineString(points), float(tags["width"]) / 2, cap_style="flat")
        for points, tags in lines
    ]
    total = 0.0
    for i, (points, tags) in enumerate(lines):
        half = float(tags["width"]) / 2
        for end, inner in ((points[0], points[1]), (points[-1], points[-2])):
            along = np.subtract(inner, end) / np.hypot(*np.subtract(inner, end))
            across = np.array([-along[1], along[0]]) * half
            cap = shapely.LineString([np.add(end, across), np.subtract(end, across)])
            others = shapely.union_all([strip for j, strip in enumerate(strips) if j != i])
            total += cap.difference(others).length
    return total


def test_square_corners_of_a_wide_slanting_branch_cover_nothing(derive: Callable[..., Any]) -> None:
    scene = derive(
        [
            ([(-90, 0), (0, 0), (90, 0)], {"width": "6"}),
            ([(0, 0), (120, 90)], {"width": "24"}),
        ]
    )
    assert scene.line(scene.face_near(0, -3)).length == pytest.approx(180)


def test_a_kerb_that_runs_on_past_its_axis_to_a_taper_stays(derive: Callable[..., Any]) -> None:
    """The avenue bends towards the kerb from which a slip road tapers off, a few metres past the node."""
    scene = derive(
        [
            ([(-100, 0), (0, 0), (100, 4)], {"width": "12", "oneway": "yes"}),
            ([(0, 0), (60, 20), (120, 20)], {"width": "4", "oneway": "yes"}),
        ]
    )
    # The slip road's left kerb is y = x / 3 + 2 sqrt(10) / 3; the avenue's y = 6.
    taper = 18 - 2 * np.sqrt(10)
    kerb = shapely.get_coordinates(scene.line(scene.face_near(-50, 6)))
    assert sorted(kerb[:, 0]) == pytest.approx([-100, taper])
    assert EndKind.COVERED not in np.concatenate(
        [scene.streets.kerbs.start_kind, scene.streets.kerbs.end_kind]
    )


def test_the_square_end_of_a_street_makes_no_hole_in_the_kerb_across(derive: Callable[..., Any]) -> None:
    scene = derive(
        [
            ([(-100, 0), (0, 0), (100, 0)], {"width": "6"}),
            ([(0, 0), (7, 3), (62, 28)], {"width": "14"}),
        ]
    )
    across = scene.line(scene.face_near(0, -3))
    assert across.length == pytest.approx(200)
    assert scene.streets.counts.covered_m == pytest.approx(0)


def test_a_corner_of_which_all_kerb_is_covered_goes(derive: Callable[..., Any]) -> None:
    """Where a street meets an avenue whose carriageways touch, the tip between them is asphalt."""
    wide = {"width": "9", "oneway": "yes"}
    scene = derive(
        [
            ([(-100, 0), (0, 0), (100, 0)], wide),
            ([(100, 8.9), (5, 8.9), (-100, 8.9)], wide),
            ([(0, 0), (5, 8.9), (5, 60)], {"width": "6"}),
        ]
    )
    assert sorted(scene.streets.corners.xy.round(6).tolist()) == [[2.0, 13.4], [8.0, 13.4]]


def test_overlapping_carriageways_with_a_link_have_no_corner_between_them(derive: Callable[..., Any]) -> None:
    """The kerbs of the link collapse; what remains are lines side by side, which meet nowhere."""
    scene = derive(
        [([(-100, 0), (0, 0), (100, 0)], {}), ([(-100, 6), (0, 6), (100, 6)], {}), ([(0, 0), (0, 6)], {})]
    )
    assert len(scene.streets.corners) == 0
    assert scene.streets.counts.covered_corners == 0
    assert _heights(scene) == [-4, 10]


@pytest.mark.parametrize("turned", [False, True])
def test_carriageways_that_overlap_have_no_kerb_between_two_openings(
    derive: Callable[..., Any],
    turned: bool,  # noqa: FBT001
) -> None:
    """Two of 9.2 m run askew, axes 8.6 and 7.8 m apart where links tie them: asphalt all between."""
    upper = [(90, 8.5), (38, 7.7), (-38, 2.1), (-90, 2.0)]
    lower = [(-90, -5.6), (-36, -5.6), (35, -0.9), (90, -1.0)]
    avenue = {"width": "9.2", "oneway": "yes", "name": "Avenida"}
    lines = [
        (upper[::-1] if turned else upper, {**avenue, "oneway": "-1" if turned else "yes"}),
        (lower, avenue),
        ([(-36, -5.6), (-36, -1.6), (-38, 2.1)], {"width": "7", "oneway": "yes"}),
        ([(38, 7.7), (35, -0.9)], {"width": "7", "oneway": "yes"}),
    ]
    kerbs = derive(lines).streets.kerbs
    pieces = [
        shapely.LineString(kerbs.xy[start:end])
        for start, end in zip(kerbs.start[:-1], kerbs.start[1:], strict=True)
    ]
    axes = [shapely.LineString(upper), shapely.LineString(lower)]
    asphalt = shapely.union_all([axis.buffer(4.5, cap_style="flat", join_style="mitre") for axis in axes])
    middle = shapely.box(-30, -20, 30, 20)
    inside = sum(piece.intersection(asphalt).intersection(middle).length for piece in pieces)
    assert inside == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("nearer", [-0.003, -1e-9, 0.0, 1e-9, 0.003])
def test_kerb_does_not_turn_back_where_streets_overlap_whichever_way_they_lean(
    derive: Callable[..., Any], nearer: float
) -> None:
    """They overlap by 4 cm at the link, lean to or from each other for 30 m, then part."""
    lower = [(-100, 0), (0, 0), (100, 0)]
    upper = [(-100, 14), (-30, 9.16 - nearer), (0, 9.16), (30, 9.16 - nearer), (100, 14)]
    street = {"width": "9.2"}
    streets = derive([(lower, street), (upper, street), ([(0, 0), (0, 9.16)], {"width": "10"})]).streets
    kerbs = streets.kerbs
    ways = [
        set(kerbs.segment_way[begin:end].tolist())
        for begin, end in zip(kerbs.segment_start[:-1], kerbs.segment_start[1:], strict=True)
    ]
    assert sorted(map(sorted, ways)) == [[0]] * 3 + [[1]] * 3
    ends = np.concatenate([kerbs.start_kind, kerbs.end_kind])
    assert np.count_nonzero(ends == EndKind.COVERED) == 4
    assert len(streets.corners) == 0
