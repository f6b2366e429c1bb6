"""Nodes and segments of streets: what is merged, dropped, joined and cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.streets.classify import street_ways
from geocheck.city.streets.graph import GIVEN_EDGE_M, build_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.city.streets.derive import HalfWidths
    from geocheck.city.streets.graph import Graph
    from geocheck.city.ways import Ways

AREA = shapely.box(-500, -500, 500, 500)


@pytest.fixture
def graph(drawn: Callable[..., Ways], half_widths: Callable[[Ways], HalfWidths]) -> Callable[..., Graph]:
    """Return a function that builds the graph of some lines inside a wide extent."""

    def build(lines: list[Any], extent: shapely.Polygon = AREA) -> Graph:
        ways = drawn(lines, extent)
        half = half_widths(ways)
        return build_graph(ways, street_ways(ways), half.left_m, half.right_m, GIVEN_EDGE_M)

    return build


def test_only_streets_are_arms(graph: Callable[..., Graph]) -> None:
    cross = [([(-50, 0), (0, 0), (50, 0)], {}), ([(0, 0), (0, 50)], {"highway": "footway"})]
    found = graph(cross)
    assert sorted(found.degree) == [1, 1, 2]


@pytest.mark.parametrize(("layer", "arms"), [("0", 4), ("00", 4), ("1", 2)])
def test_equal_places_of_one_layer_are_one_node(
    graph: Callable[..., Graph], drawn: Callable[..., Ways], layer: str, arms: int
) -> None:
    lines: list[Any] = [([(-50, 0), (0, 0), (50, 0)], {}), ([(0, -50), (0, 0), (0, 50)], {"layer": layer})]
    assert len(drawn(lines).xy) == (5 if layer == "0" else 6), "the scene shares the node only where told so"
    assert graph(lines).degree.max() == arms


def test_a_node_on_two_layers_ties_both_together(drawn: Callable[..., Ways]) -> None:
    above = {"layer": "1"}
    ways = drawn([([(0, 0), (50, 0)], {}), ([(0, 0), (-50, 0)], above), ([(0, 0), (0, 9)], above)], AREA)
    ways.ref[2] = ways.ref[0]  # the ramp shares the node on the ground; the bridge has its own above it
    half = np.full(3, 4.0)
    assert build_graph(ways, street_ways(ways), half, half, GIVEN_EDGE_M).degree.max() == 3


def test_zero_length_and_duplicate_segments_go_and_are_counted(graph: Callable[..., Graph]) -> None:
    found = graph(
        [
            ([(0, 0), (0, 0), (50, 0)], {}),
            ([(50, 0), (0, 0)], {"width": "12"}),
            ([(50, 0), (90, 0)], {}),
        ]
    )
    assert (found.zero_length, found.duplicates, len(found.segments.a)) == (1, 1, 2)
    assert max(found.segments.left_m) == 6.0, "of two that join the same nodes the wider one stays"


def test_a_way_is_cut_at_a_missing_node(graph: Callable[..., Graph]) -> None:
    found = graph([([(-50, 0), (0, 0), None, (60, 0), (90, 0)], {})])
    cut = {tuple(found.xy[i]) for i in np.flatnonzero(found.cut)}
    assert cut == {(0.0, 0.0), (60.0, 0.0)}
    assert len(found.segments.a) == 2


def test_dead_ends_beyond_or_at_the_edge_of_the_extent_are_cut(graph: Callable[..., Graph]) -> None:
    lines: list[Any] = [([(-20, 0), (20, 0)], {}), ([(0, 0), (0, 3)], {})]
    found = graph(lines, shapely.box(-10, -10, 20.5, 10))
    assert {tuple(found.xy[i]) for i in np.flatnonzero(found.cut)} == {(-20.0, 0.0), (20.0, 0.0)}


def test_without_an_extent_every_end_near_the_hull_is_cut(drawn: Any, half_widths: Any) -> None:  # noqa: ANN401
    square: list[Any] = [([(0, 0), (300, 0), (300, 300), (0, 300), (0, 0)], {}), ([(0, 0), (100, 100)], {})]
    ways = drawn(square)
    half = half_widths(ways)
    found = build_graph(ways, street_ways(ways), half.left_m, half.right_m)
    assert not found.cut.any(), "the end in the middle lies 100 m from the hull"
    ways = drawn([*square[:1], ([(0, 0), (100, 20)], {})])
    found = build_graph(ways, street_ways(ways), half.left_m, half.right_m)
    assert np.count_nonzero(found.cut) == 1


@pytest.mark.parametrize("flip", [1, -1])
@pytest.mark.parametrize("drawn_from", ["outside", "inside"])
def test_a_dead_end_inside_a_carriageway_is_joined_to_its_axis(
    graph: Callable[..., Graph], flip: int, drawn_from: str
) -> None:
    stub = [(10.0, 40.0 * flip), (10.0, 2.5 * flip)]
    found = graph([([(-50, 0), (50, 0)], {}), (stub if drawn_from == "outside" else stub[::-1], {})])
    assert found.almost_junctions == 1
    node = int(np.flatnonzero(found.degree == 3)[0])
    assert tuple(found.xy[node]) == pytest.approx((10.0, 0.0))
    assert found.source[node] == -1


def test_a_dead_end_is_joined_slantwise_straight_on(graph: Callable[..., Graph]) -> None:
    found = graph([([(-50, 0), (50, 0)], {}), ([(-20, 22), (0, 2)], {})])
    assert found.almost_junctions == 1
    assert tuple(found.xy[np.flatnonzero(found.degree == 3)[0]]) == pytest.approx((2.0, 0.0))


@pytest.mark.parametrize(
    "stub",
    [
        ([(10, 40), (10, 4.5)], {}),
        ([(10, 40), (10, 2.5)], {"layer": "1"}),
        ([(-30, 3), (10, 2.5)], {}),
    ],
    ids=["stops at the kerb", "another layer", "runs along"],
)
def test_other_dead_ends_are_left_alone(graph: Callable[..., Graph], stub: Any) -> None:  # noqa: ANN401
    assert graph([([(-50, 0), (50, 0)], {}), stub]).almost_junctions == 0


@pytest.mark.parametrize(("side", "joined"), [(1, 0), (-1, 1)])
def test_the_half_width_of_its_own_side_counts_for_a_dead_end(
    drawn: Callable[..., Ways], side: int, joined: int
) -> None:
    ways = drawn([([(-50, 0), (50, 0)], {}), ([(10, 40 * side), (10, 3 * side)], {})], AREA)
    left, right = np.array([2.0, 4.0]), np.array([5.0, 4.0])
    assert build_graph(ways, street_ways(ways), left, right, GIVEN_EDGE_M).almost_junctions == joined


def test_two_dead_ends_that_meet_an_axis_at_one_place_make_one_junction(graph: Callable[..., Graph]) -> None:
    found = graph(
        [
            ([(-50, 0), (50, 0)], {}),
            ([(10, 40), (10, 2)], {}),
            ([(10, -40), (10, -2)], {}),
            ([(50.0, 30), (50.0, 1)], {}),
        ]
    )
    assert found.almost_junctions == 3
    assert max(found.degree) == 4
    assert np.all(np.hypot(*(found.xy[found.segments.a] - found.xy[found.segments.b]).T) > 0.5)


def test_a_dead_end_on_the_axis_becomes_its_node(graph: Callable[..., Graph]) -> None:
    found = graph([([(-50, 0), (50, 0)], {}), ([(10, 40), (10, 0)], {})])
    assert (found.almost_junctions, found.degree.max(), len(found.segments.a)) == (1, 3, 3)


@pytest.mark.parametrize("beyond", [-0.004, -1e-9, 1e-9, 0.004])
def test_a_dead_end_a_rounding_off_the_axis_is_joined_on_either_side(
    graph: Callable[..., Graph], beyond: float
) -> None:
    found = graph([([(-50, 0), (50, 0)], {}), ([(10, 40), (10, -beyond)], {})])
    assert (found.almost_junctions, found.degree.max(), len(found.segments.a)) == (1, 3, 3)


@pytest.mark.parametrize("slant", [30, 50], ids=["one is squarer", "both are as square"])
def test_where_two_axes_cross_a_dead_end_joins_both(graph: Callable[..., Graph], slant: int) -> None:
    """No order can choose one of them, and three streets that meet at one place are a junction."""
    one: Any = ([(-50, slant), (50, -slant)], {})
    two: Any = ([(-50, -50), (50, 50)], {})
    dead_end: Any = ([(0, -40), (0, -1)], {})
    for lines in ([one, two, dead_end], [two, dead_end, one]):
        found = graph(lines)
        node = int(np.argmax(found.degree))
        assert found.degree[node] == 5
        assert tuple(found.xy[node]) == pytest.approx((0, 0))
    assert graph([one, two]).degree.max() == 1, "without it they only cross: the map says they do not meet"


@pytest.mark.parametrize("width", [0.0, -1.0, np.nan, np.inf])
def test_a_street_without_a_width_is_refused(drawn: Callable[..., Ways], width: float) -> None:
    ways = drawn([([(0, 0), (9, 0)], {})])
    half = np.array([width])
    with pytest.raises(ValueError, match="half-width"):
        build_graph(ways, np.array([True]), half, np.array([4.0]))


def test_a_street_drawn_over_another_is_laid_out(graph: Callable[..., Graph]) -> None:
    found = graph(
        [
            ([(0, 0), (30, 0), (60, 0)], {}),
            ([(0, 0), (90, 0.001)], {"width": "12"}),
            ([(30, 0), (30, 50)], {}),
        ]
    )
    assert (found.overlaps, found.duplicates, len(found.segments.a)) == (2, 2, 4)
    assert sorted(found.degree) == [1, 1, 1, 2, 3]
    # The wider of two drawings holds on its whole length.
    assert sorted(found.segments.left_m) == [4.0, 6.0, 6.0, 6.0]


@pytest.mark.parametrize("turned", [1, -1])
def test_of_two_drawings_equally_wide_each_side_is_the_wider(
    drawn: Callable[..., Ways],
    turned: int,
) -> None:
    ends: Any = [(0, 0), (50, 0)]
    ways = drawn([(ends, {"oneway": "yes"}), (ends[::turned], {"oneway": "yes"})], AREA)
    left, right = np.array([3.0, 3.0]), np.array([5.0, 5.0])
    segments = build_graph(ways, street_ways(ways), left, right, GIVEN_EDGE_M).segments
    assert (segments.left_m[0], segments.right_m[0]) == ((3, 5) if turned == 1 else (5, 5))
    assert segments.direction[0] == (1 if turned == 1 else 0), "against each other they are a two-way street"


def test_which_end_of_an_overlap_is_seen_first_does_not_matter(graph: Callable[..., Graph]) -> None:
    short: list[Any] = [([(0, 0), (40, 0)], {}), ([(40, 0), (80, 0)], {})]
    long = ([(0, 0), (80, 0)], {"width": "12"})
    for lines in ([*short, long], [long, *short], [short[1], long, short[0]]):
        found = graph(lines)
        assert found.segments.left_m.tolist() == [6.0, 6.0]
        assert found.segments.right_m.tolist() == [6.0, 6.0]


def test_nothing_gives_nothing(graph: Callable[..., Graph]) -> None:
    found = graph([([(0, 0), (9, 0)], {"highway": "footway"})])
    assert (len(found.xy), len(found.segments.a)) == (0, 0)
