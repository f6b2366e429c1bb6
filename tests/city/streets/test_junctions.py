"""Which nodes are one junction, and what the prolonged kerbs at it enclose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.osm.read import read_osm
from geocheck.city.streets.derive import HalfWidths, derive_streets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.streets.derive import Streets

AVENUE = {"oneway": "yes", "name": "Avenida", "width": "8"}
RUA = {"name": "Rua", "width": "6"}


def _area(scene: Any) -> Any:  # noqa: ANN401
    """Return the only crossing area of a scene."""
    areas = scene.streets.crossing_areas
    assert len(areas) == 1
    return areas.geometry[0]


def _nodes(streets: Streets) -> list[list[list[float]]]:
    """Return the places at which three streets meet, by junction in the order of their numbers."""
    graph, of_node = streets.graph, streets.junctions.of_node
    meets = graph.degree > 2
    return [
        sorted(graph.xy[meets & (of_node == number)].round(6).tolist())
        for number in range(len(streets.junctions.unknown))
    ]


def _crossed(between: float, *xs: float, **tags: str) -> list[Any]:
    """Return two carriageways with axes at y = 0 and `between`, and streets that cross both at some x."""
    cross = [([(x, -60), (x, 0), (x, between), (x, 80)], {**RUA, **tags}) for x in xs]
    return [
        ([(-100, 0), *((x, 0) for x in sorted(xs)), (100, 0)], AVENUE),
        ([(100, between), *((x, between) for x in sorted(xs, reverse=True)), (-100, between)], AVENUE),
        *cross,
    ]


def test_a_cross(derive: Callable[..., Any]) -> None:
    scene = derive([([(-60, 0), (0, 0), (60, 0)], {"width": "10"}), ([(0, -60), (0, 0), (0, 60)], RUA)])
    assert _area(scene).equals(shapely.box(-3, -5, 3, 5))
    corners = scene.streets.corners
    assert set(scene.streets.junctions.of_node[corners.graph_node]) == {0}


def test_at_a_t_the_mouth_is_closed_by_the_far_kerb(derive: Callable[..., Any]) -> None:
    scene = derive([([(-60, 0), (0, 0), (60, 0)], {"width": "10"}), ([(0, 0), (0, 60)], RUA)])
    assert _area(scene).equals(shapely.box(-3, -5, 3, 5))


def test_a_y_reaches_from_corner_to_corner(derive: Callable[..., Any]) -> None:
    """Case 18's angle: the branch leaves at 30° and both streets are 8 m wide."""
    branch = (100 * np.cos(np.radians(30)), 100 * np.sin(np.radians(30)))
    scene = derive([([(-60, 0), (0, 0), (60, 0)], {}), ([(0, 0), branch], {})])
    west, east = ((4 * np.cos(np.radians(30)) + sign * 4) / np.sin(np.radians(30)) for sign in (-1, 1))
    assert _area(scene).symmetric_difference(shapely.box(west, -4, east, 4)).area < 1e-6


def test_three_like_arms(derive: Callable[..., Any]) -> None:
    """The corners lie 8/√3 from the node, at the ends of a triangle."""
    angle = np.radians([10, 130, 250])
    scene = derive([([(0, 0), (90 * np.cos(a), 90 * np.sin(a))], {}) for a in angle])
    assert _area(scene).area == pytest.approx(3 * np.sqrt(3) / 4 * (8 / np.sqrt(3)) ** 2)


def test_a_bend_and_an_elbow_are_no_crossing(derive: Callable[..., Any]) -> None:
    scene = derive([([(-60, 0), (0, 0)], RUA), ([(0, 0), (0, 60)], {"name": "Rua B"})])
    assert len(scene.streets.crossing_areas) == 0
    assert len(scene.streets.junctions.unknown) == 0
    assert set(scene.streets.junctions.of_node) == {-1}


def test_where_an_arm_is_missing_the_area_is_a_guess(derive: Callable[..., Any]) -> None:
    """The street that is missing is taken to be as wide as the one that is there: 4 m to either side."""
    scene = derive([([(-60, 0), (0, 0), (60, 0)], {}), ([(0, 0), None], RUA)])
    assert scene.streets.junctions.unknown.tolist() == [True]
    assert _area(scene).equals(shapely.box(-4, -4, 4, 4))


@settings(max_examples=60, deadline=None)
@given(
    angle=st.floats(40, 140),
    widths=st.tuples(st.floats(4, 20), st.floats(4, 20)),
    turn=st.floats(0, 360),
)
def test_the_area_of_a_slanting_cross(
    derive: Callable[..., Any], angle: float, widths: tuple[float, float], turn: float
) -> None:
    """Two strips share w₁ w₂ / sin θ."""
    one = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * 200
    two = np.array([np.cos(np.radians(turn + angle)), np.sin(np.radians(turn + angle))]) * 200
    scene = derive(
        [
            ([tuple(-step), (0.0, 0.0), tuple(step)], {"width": str(width)})
            for step, width in zip((one, two), widths, strict=True)
        ]
    )
    strips = [
        shapely.LineString([-step, step]).buffer(width / 2, cap_style="flat")
        for step, width in zip((one, two), widths, strict=True)
    ]
    assert _area(scene).area == pytest.approx(widths[0] * widths[1] / np.sin(np.radians(angle)))
    assert _area(scene).symmetric_difference(strips[0].intersection(strips[1])).area < 1e-6


def test_both_carriageways_and_the_opening_are_one(derive: Callable[..., Any]) -> None:
    """Axes 13 m apart, 8 m wide: the outer kerbs lie at y = -4 and 17, the cross street's at x = ± 3."""
    scene = derive(_crossed(13, 0))
    assert _nodes(scene.streets) == [[[0, 0], [0, 13]]]
    assert _area(scene).equals(shapely.box(-3, -4, 3, 17))
    corners, mouths = scene.streets.corners, scene.streets.mouths
    assert set(scene.streets.junctions.of_node[corners.graph_node]) == {0}
    outer = [m for m in range(len(mouths)) if set(corners.xy[mouths.corner_from[m]].round(6)) & {-4.0, 17.0}]
    assert sorted(mouths.width_m[outer]) == pytest.approx([6, 6, 8, 8])


def test_a_wide_median_leaves_two_junctions(derive: Callable[..., Any]) -> None:
    """15 m of kerb between two corners is too short for a skip that keeps 6 m to both; 16 m is not."""
    assert _nodes(derive(_crossed(23, 0)).streets) == [[[0, 0], [0, 23]]]
    assert _nodes(derive(_crossed(24, 0)).streets) == [[[0, 0]], [[0, 24]]]


def test_a_side_street_without_an_opening_meets_one_carriageway(derive: Callable[..., Any]) -> None:
    lines = [
        ([(-100, 0), (0, 0), (100, 0)], AVENUE),
        ([(100, 13), (-100, 13)], AVENUE),
        ([(0, -60), (0, 0)], RUA),
    ]
    scene = derive(lines)
    assert _nodes(scene.streets) == [[[0, 0]]]
    assert _area(scene).equals(shapely.box(-3, -4, 3, 4))
    assert len(scene.streets.mouths) == 1
    assert scene.line(scene.face_near(0, 4)).length == pytest.approx(200), "the inner kerb runs on"


def test_a_turning_link_joins_both_carriageways(derive: Callable[..., Any]) -> None:
    link = ([(0, 0), (6, 6.5), (0, 13)], {"highway": "primary_link", "oneway": "yes", "width": "4"})
    lines = [
        ([(-100, 0), (0, 0), (100, 0)], AVENUE),
        ([(100, 13), (0, 13), (-100, 13)], AVENUE),
        link,
    ]
    streets = derive(lines).streets
    assert _nodes(streets) == [[[0, 0], [0, 13]]]
    assert streets.junctions.of_node[np.argmin(np.abs(streets.graph.xy - [6, 6.5]).sum(axis=1))] == 0
    way = shapely.LineString([(0, 0), (6, 6.5), (0, 13)]).buffer(1.99, cap_style="flat", join_style="mitre")
    inside = way.difference(shapely.union_all([shapely.box(-9, -4, 9, 4), shapely.box(-9, 9, 9, 17)]))
    area = streets.crossing_areas.geometry[0]
    assert area.covers(inside)
    assert area.within(shapely.box(0.9, -4, 9, 17)), "west of the link nothing of the avenue"


def test_staggered_openings_are_two_junctions(derive: Callable[..., Any]) -> None:
    assert _nodes(derive(_crossed(13, -30, 20)).streets) == [
        [[-30, 0], [-30, 13]],
        [[20, 0], [20, 13]],
    ]


def test_two_avenues_that_cross_are_one_junction(derive: Callable[..., Any]) -> None:
    """Two carriageways across two: four nodes, and the island in the middle is not part of the area."""
    lines = _crossed(14, -7, 7, oneway="yes", width="8", name="Outra")
    lines[2] = (lines[2][0][::-1], lines[2][1])
    scene = derive(lines)
    assert _nodes(scene.streets) == [[[-7, 0], [-7, 14], [7, 0], [7, 14]]]
    outside, island = shapely.box(-11, -4, 11, 18), shapely.box(-3, 4, 3, 10)
    arms = shapely.union_all(
        [shapely.box(-3, 10, 3, 18), shapely.box(-3, -4, 3, 4), shapely.box(-11, 4, -3, 10)]
    )
    area = _area(scene)
    assert area.intersection(island).area < 1e-6
    assert area.difference(outside).area < 1e-6
    assert area.covers(shapely.box(-11, -4, -3, 18).difference(arms).buffer(-1e-6))


def test_service_roads_belong_to_the_junction_of_their_avenue(derive: Callable[..., Any]) -> None:
    """Main carriageways at y = 0 and 13, service roads at y = -12 and 25, a cross street through all."""
    lines = [
        (
            [(side * -100, y), (0, y), (side * 100, y)],
            {**AVENUE, "width": "8" if y in {0, 13} else "6"},
        )
        for y, side in ((-12, 1), (0, 1), (13, -1), (25, -1))
    ]
    cross = ([(0, -70), (0, -12), (0, 0), (0, 13), (0, 25), (0, 90)], RUA)
    scene = derive([*lines, cross])
    assert _nodes(scene.streets) == [[[0, -12], [0, 0], [0, 13], [0, 25]]]
    assert _area(scene).equals(shapely.box(-3, -15, 3, 28))


def test_carriageways_with_paint_between_them_are_one_area(derive: Callable[..., Any]) -> None:
    """Axes 6 m apart, 8 m wide each: no kerb is left in the middle."""
    scene = derive(_crossed(6, 0))
    assert _nodes(scene.streets) == [[[0, 0], [0, 6]]]
    assert _area(scene).symmetric_difference(shapely.box(-3, -4, 3, 10)).area < 1e-6


def test_a_link_without_kerb_of_its_own_still_has_a_mouth(derive: Callable[..., Any]) -> None:
    """A side street that opens both carriageways, with paint between them: its kerbs at x = ± 3 prolonged."""
    lines = [*_crossed(6, 0)[:2], ([(0, -60), (0, 0), (0, 6)], RUA)]
    assert _area(derive(lines)).symmetric_difference(shapely.box(-3, -4, 3, 10)).area < 1e-6


def test_of_a_roundabout_the_ring_is_the_area_and_its_island_is_not(derive: Callable[..., Any]) -> None:
    angle = np.arange(25) % 24 * 2 * np.pi / 24
    ring = [(round(20 * np.cos(a), 6), round(20 * np.sin(a), 6)) for a in angle]
    arms = [([ring[k], (4 * ring[k][0], 4 * ring[k][1])], RUA) for k in (0, 6, 15)]
    scene = derive([(ring, {"junction": "roundabout", "width": "8"}), *arms])
    junctions = scene.streets.junctions
    assert len(_nodes(scene.streets)) == 1
    assert junctions.roundabout.tolist() == [True]
    area = _area(scene)
    assert area.covers(shapely.Polygon(ring).buffer(3.3).difference(shapely.Polygon(ring).buffer(-3.9)))
    assert not area.intersects(shapely.Point(0, 0).buffer(15.8))
    assert area.within(shapely.Point(0, 0).buffer(26))
    assert set(junctions.of_node[scene.streets.corners.graph_node]) == {0}


def test_numbers_go_by_place_and_not_by_order(derive: Callable[..., Any], drawn: Callable[..., Any]) -> None:
    lines = _crossed(13, -40, 10, 60)
    one = _nodes(derive(lines).streets)
    assert one == [[[x, 0], [x, 13]] for x in (-40, 10, 60)]
    assert _nodes(derive(drawn(lines[::-1])).streets) == one


def test_areas_of_real_streets_lie_in_carriageways_and_beside_medians(
    shared_osm: Path, goiania: City
) -> None:
    """Carriageways as buffered axes, drawn on by their half-width: a construction of its own."""
    ways = read_osm(shared_osm / "goiania-campus.osm.pbf", goiania).ways
    half = np.random.default_rng(3).choice([3.0, 3.5, 4.0, 5.0], len(ways))
    streets = derive_streets(ways, HalfWidths(half, half), goiania)
    graph, areas = streets.graph, streets.crossing_areas
    ends = np.stack([graph.xy[graph.segments.a], graph.xy[graph.segments.b]], axis=1)
    strips = shapely.buffer(shapely.linestrings(ends), graph.segments.left_m, cap_style="square")
    carriageways = shapely.union_all(np.asarray(strips))
    outside = shapely.area(shapely.difference(areas.geometry, carriageways))
    assert shapely.is_valid(areas.geometry).all()
    assert np.all(shapely.area(areas.geometry) > 0)
    assert outside.sum() < 0.002 * shapely.area(areas.geometry).sum()
    assert outside.max() < 10
    # The busways of Avenida Goiás Norte fork inside its median.
    bus = np.array([tags.get("access") == "no" and "bus" in tags for tags in ways.tags])[graph.segments.way]
    forks = streets.junctions.of_node[np.concatenate([graph.segments.a[bus], graph.segments.b[bus]])]
    cars = shapely.union_all(areas.geometry[~np.isin(areas.junction, forks)])
    medians = shapely.union_all(streets.medians.geometry)
    assert shapely.area(medians) > 40_000
    assert shapely.area(shapely.intersection(cars, medians)) < 250
