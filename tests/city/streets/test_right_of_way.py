"""Streets between known blocks: where the kerbs must lie, and what must not move them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.network.network import osm_network
from geocheck.city.streets.block_gaps import look_aside
from geocheck.city.streets.rays import edges, first_hit_m, outline_edges
from geocheck.city.streets.right_of_way import Blocks, widths_between_blocks
from geocheck.city.streets.widths import WidthSource, carriageway_widths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.right_of_way import BlockAccount
    from geocheck.city.streets.widths import Widths
    from geocheck.city.ways import Ways

Line = tuple[list[tuple[float, float]], dict[str, str]]
FOOTWAY_M = 3.0
STREET = [(0.0, 0.0), (200.0, 0.0)]


class Found(NamedTuple):
    """What was found of the ways."""

    widths: Widths
    account: BlockAccount

    def kerbs(self, way: int = 0) -> tuple[float, float]:
        """Return the half-widths to the left and right."""
        return float(self.widths.left_m[way]), float(self.widths.right_m[way])

    def source(self, way: int = 0) -> WidthSource:
        """Return where they are from."""
        return WidthSource(int(self.widths.source[way]))


@pytest.fixture(scope="session")
def city(goiania: City) -> City:
    """Return a city whose footways are 3 m, give or take 1 m, and whose two-way streets 7 m."""
    return goiania.model_copy(update={"default_footway_m": FOOTWAY_M, "default_footway_accuracy_m": 1.0})


def find(
    ways: Ways, areas: Sequence[shapely.Geometry] | NDArray[np.object_], city: City, accuracy_m: float = 0.0
) -> Found:
    by_tags = carriageway_widths(ways.tags, city)
    return Found(*widths_between_blocks(by_tags, ways, Blocks(np.array(areas, object), accuracy_m), city))


def strip(low: float, high: float, start: float = -50.0, end: float = 250.0) -> shapely.Polygon:
    """Return a block along the street from one y to another."""
    return shapely.box(start, low, end, high)


def one(drawn: Callable[..., Ways], **tags: str) -> Ways:
    """Return one street of 200 m along the x axis."""
    return drawn([(STREET, tags)])


# ---------------------------------------------------------------- widths


def test_the_width_is_the_right_of_way_less_the_footways(drawn: Callable[..., Ways], city: City) -> None:
    """Blocks 13 m apart leave 7 m between footways of 3 m; the axis lies in the middle."""
    found = find(one(drawn), [strip(6.5, 60), strip(-60, -6.5)], city)
    assert found.kerbs() == pytest.approx((3.5, 3.5))
    assert found.source() is WidthSource.RIGHT_OF_WAY
    assert found.account.given.tolist() == [True]
    assert not found.account.capped.any()


def test_the_kerbs_go_by_the_blocks_not_by_the_axis(drawn: Callable[..., Ways], city: City) -> None:
    """The axis is drawn 1.5 m too far south: it is the blocks that say where the kerbs are."""
    found = find(one(drawn), [strip(8, 60), strip(-60, -5)], city)
    assert found.kerbs() == pytest.approx((5, 2))


def test_lots_do_as_well_as_blocks(drawn: Callable[..., Ways], city: City) -> None:
    """Lots of 12 m side by side, with an alley of 2 m after every fifth."""
    starts = [12 * i + 2 * (i // 5) - 40 for i in range(24)]
    lots = [shapely.box(x, y, x + 12, y + 30) for x in starts for y in (6.5, 36.5, -36.5)]
    assert find(one(drawn), lots, city).kerbs() == pytest.approx((3.5, 3.5))


def test_a_street_inside_a_hole_of_a_block(drawn: Callable[..., Ways], city: City) -> None:
    ring = shapely.difference(shapely.box(-100, -100, 300, 100), shapely.box(-50, -6, 250, 7))
    found = find(one(drawn), [ring], city)
    assert found.kerbs() == pytest.approx((4, 3))
    assert not found.account.axis_inside.any()


def test_narrow_ways_keep_seven_tenths_of_the_usual_width(drawn: Callable[..., Ways], city: City) -> None:
    """10 m less two footways of 3 m would be 4 m: it is 0.7 × 7 m, and the footways are narrower."""
    assert find(one(drawn), [strip(5, 60), strip(-60, -5)], city).kerbs() == pytest.approx((2.45, 2.45))


def test_a_least_footway_remains_in_the_narrowest(drawn: Callable[..., Ways], city: City) -> None:
    """6 m between blocks: 4 m and two footways of 1 m, not 4.9 m."""
    assert find(one(drawn), [strip(3, 60), strip(-60, -3)], city).kerbs() == pytest.approx((2, 2))


def test_twice_the_usual_width_is_the_most(drawn: Callable[..., Ways], city: City) -> None:
    assert find(one(drawn), [strip(10, 60), strip(-60, -10)], city).kerbs() == pytest.approx((7, 7))


def test_a_right_of_way_for_no_car_was_misplaced(drawn: Callable[..., Ways], city: City) -> None:
    """4.5 m less two least footways is 2.5 m: no width, but the kerbs keep a least footway away."""
    found = find(one(drawn), [strip(2.25, 60), strip(-60, -2.25)], city)
    assert found.source() is WidthSource.CLASS_DEFAULT
    assert found.kerbs() == pytest.approx((1.25, 1.25))
    assert found.account.unlike.tolist() == [True]


def test_an_axis_drawn_on_the_footway(drawn: Callable[..., Ways], city: City) -> None:
    """2 m to one block, 11 m to the other: a kerb 3 m from the near one would lie beyond the axis."""
    found = find(one(drawn), [strip(2, 60), strip(-60, -11)], city)
    assert found.source() is WidthSource.CLASS_DEFAULT
    assert found.kerbs() == pytest.approx((1, 6))
    assert found.account.unlike.tolist() == [True]


@pytest.mark.parametrize("half_m", [10.05, 14.0])
def test_a_wide_place_is_no_carriageway(drawn: Callable[..., Ways], city: City, half_m: float) -> None:
    """More than 2 × 7 m between the footways: the default stays and the account says so."""
    found = find(one(drawn), [strip(half_m, 60), strip(-60, -half_m)], city)
    assert found.kerbs() == (3.5, 3.5)
    assert found.source() is WidthSource.CLASS_DEFAULT
    assert found.account.unlike.tolist() == [True]


def test_blocks_too_far_away_say_nothing(drawn: Callable[..., Ways], city: City) -> None:
    found = find(one(drawn), [strip(31, 60), strip(-60, -31)], city)
    assert found.kerbs() == (3.5, 3.5)
    assert not any(getattr(found.account, name).any() for name in found.account.__dataclass_fields__)


def test_no_block_at_all(drawn: Callable[..., Ways], city: City) -> None:
    found = find(one(drawn), [], city)
    assert found.kerbs() == (3.5, 3.5)


def test_junctions_do_not_widen_a_street(drawn: Callable[..., Ways], city: City) -> None:
    """Four blocks 13 m apart, their corners cut back by 4 m: the streets between are 7 m wide."""
    block = shapely.Polygon([(6.5, 10.5), (10.5, 6.5), (90, 6.5), (90, 90), (6.5, 90)])
    four = [shapely.affinity.scale(block, x, y, origin=(0, 0)) for x in (1, -1) for y in (1, -1)]
    arms: list[Line] = [([(0, 0), (90 * x, 90 * y)], {}) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    found = find(drawn(arms), four, city)
    assert found.widths.left_m == pytest.approx([3.5] * 4)
    assert found.widths.right_m == pytest.approx([3.5] * 4)


def test_a_short_way_between_two_junctions(drawn: Callable[..., Ways], city: City) -> None:
    """20 m: nowhere 15 m from a junction, in its middle clear of both cross streets all the same."""
    lines: list[Line] = [([(0, 0), (20, 0)], {})]
    lines += [([(x, 0), (x, y)], {}) for x in (0, 20) for y in (-60, 60)]
    lines += [([(-60, 0), (0, 0)], {}), ([(20, 0), (80, 0)], {})]
    blocks = [shapely.box(6, 7, 14, 60), shapely.box(6, -60, 14, -6)]
    assert find(drawn(lines), blocks, city).kerbs() == pytest.approx((4, 3))


# ---------------------------------------------------------------- one way


def test_a_lone_one_way_street(drawn: Callable[..., Ways], city: City) -> None:
    """Blocks 12 m apart leave 6 m, which a one-way street of usually 5 m may have."""
    found = find(one(drawn, oneway="yes"), [strip(6, 60), strip(-60, -6)], city)
    assert found.kerbs() == pytest.approx((3, 3))


def test_a_strip_beside_a_one_way_street_may_be_a_median(drawn: Callable[..., Ways], city: City) -> None:
    """9 m less the footways is 3 m, too little for a street that needs 3.5: nothing is stretched to fit."""
    found = find(one(drawn, oneway="yes"), [strip(6, 60), strip(-7, -3)], city)
    assert found.source() is WidthSource.CLASS_DEFAULT


def test_carriageways_on_both_sides_of_a_median(drawn: Callable[..., Ways], city: City) -> None:
    """The right of way of 25 m holds both; neither has it for itself."""
    ways = drawn(
        [(STREET, {"oneway": "yes"}), ([(200, 12), (0, 12)], {"oneway": "yes"}), ([(0, 0), (0, 12)], {})]
    )
    found = find(ways, [strip(18.5, 60), strip(-60, -6.5)], city)
    assert [found.source(way) for way in (0, 1)] == [WidthSource.CLASS_DEFAULT] * 2
    assert found.account.one_sided[:2].all()


# ---------------------------------------------------------------- caps and shifts


def test_no_kerb_enters_a_block(drawn: Callable[..., Ways], city: City) -> None:
    """A block begins 3.2 m left of the axis: the kerb lies 1 m before it. On the right nobody knows."""
    found = find(one(drawn), [strip(3.2, 60)], city)
    assert found.kerbs() == pytest.approx((2.2, 3.5))
    assert found.account.capped.tolist() == [True]
    assert found.account.one_sided.tolist() == [True]
    assert found.source() is WidthSource.CLASS_DEFAULT


@pytest.mark.parametrize(("gap_m", "left_m"), [(2.0, 1.0), (1.0, 0.5), (0.2, 0.1)])
def test_an_axis_close_to_a_block(
    drawn: Callable[..., Ways], city: City, gap_m: float, left_m: float
) -> None:
    assert find(one(drawn), [strip(gap_m, 60)], city).kerbs() == pytest.approx((left_m, 3.5))


def test_what_is_cut_goes_to_the_other_side(drawn: Callable[..., Ways], city: City) -> None:
    """Lanes say a width, so the blocks only cap it: it is moved from the near block towards the far one."""
    ways = one(drawn, highway="tertiary", lanes="2")
    plain = find(ways, [], city)
    wide = sum(plain.kerbs())
    found = find(ways, [strip(3, 60), strip(-60, -20)], city)
    assert found.source() is WidthSource.LANES_PARKING
    assert found.kerbs() == pytest.approx((2, wide - 2))
    near = find(ways, [strip(3, 60), strip(-60, -8)], city)
    assert near.kerbs() == pytest.approx((2, 5))  # a usual footway remains on that side


def test_a_few_places_near_a_block_do_not_narrow_the_whole_way(
    drawn: Callable[..., Ways], city: City
) -> None:
    """One porch of 4 m in 400 m of street."""
    ways = drawn([([(0, 0), (400, 0)], {})])
    blocks = [strip(6.5, 60, end=450), strip(-60, -6.5, end=450), shapely.box(198, 2, 202, 7)]
    assert find(ways, blocks, city).kerbs() == pytest.approx((3.5, 3.5))


@pytest.mark.parametrize("key", ["width", "width:carriageway", "est_width"])
def test_a_tagged_width_wins(drawn: Callable[..., Ways], city: City, key: str) -> None:
    found = find(one(drawn, **{key: "9"}), [strip(4, 60), strip(-60, -8)], city)
    assert found.kerbs() == (4.5, 4.5)
    assert found.source() not in {WidthSource.RIGHT_OF_WAY, WidthSource.CLASS_DEFAULT}
    assert found.account.tagged_inside.tolist() == [True]


def test_a_parking_lane_is_no_wider_than_its_side(drawn: Callable[..., Ways], city: City) -> None:
    tags = {"parking:left": "lane", "parking:left:orientation": "perpendicular"}
    found = find(one(drawn, **tags), [strip(3, 60)], city)
    assert found.kerbs()[0] == pytest.approx(2)
    assert found.widths.parking_left_m[0] == pytest.approx(2)


# ---------------------------------------------------------------- axes that tell nothing


def test_an_axis_inside_a_block_takes_nothing(drawn: Callable[..., Ways], city: City) -> None:
    found = find(one(drawn), [strip(-2, 60)], city)
    assert found.kerbs() == (3.5, 3.5)
    assert found.account.axis_inside.tolist() == [True]
    assert not found.account.capped.any()


def test_an_axis_that_runs_through_a_block_for_a_while(drawn: Callable[..., Ways], city: City) -> None:
    """A quarter of the way lies in a block; the rest tells its width."""
    blocks = [strip(6.5, 60), strip(-60, -6.5), shapely.box(0, -6.5, 50, 6.5)]
    found = find(one(drawn), blocks, city)
    assert found.kerbs() == pytest.approx((3.5, 3.5))
    assert not found.account.axis_inside.any()


@pytest.mark.parametrize("tags", [{"tunnel": "yes"}, {"bridge": "yes"}, {"layer": "1"}])
def test_blocks_are_on_the_ground(drawn: Callable[..., Ways], city: City, tags: Mapping[str, str]) -> None:
    found = find(one(drawn, **tags), [strip(2, 60), strip(-60, -2)], city)
    assert found.kerbs() == (3.5, 3.5)
    found = find(one(drawn, **tags), [strip(-9, 9)], city)
    assert not found.account.axis_inside.any()


def test_what_is_no_street_is_left_alone(drawn: Callable[..., Ways], city: City) -> None:
    ways = one(drawn, highway="footway")
    assert find(ways, [strip(2, 60)], city).widths.left_m[0] == carriageway_widths(ways.tags, city).left_m[0]


def test_missing_nodes_and_ways_without_length(drawn: Callable[..., Ways], city: City) -> None:
    ways = drawn([([(0, 0), None, (50, 0), (200, 0)], {}), ([(0, 0), (0, 0)], {}), ([(7, 7)], {})])
    found = find(ways, [strip(6.5, 60), strip(-60, -6.5)], city)
    assert found.kerbs() == pytest.approx((3.5, 3.5))
    assert np.isfinite(found.widths.accuracy_m).all()


def test_a_way_that_turns_straight_back(drawn: Callable[..., Ways], city: City) -> None:
    """Its middle is the turn itself, where nothing is square to it."""
    ways = drawn([([(0, 0), (5, 0), (0, 0)], {})])
    assert np.isfinite(find(ways, [strip(6.5, 60)], city).widths.left_m).all()


# ---------------------------------------------------------------- accuracy


def test_the_accuracy_joins_footways_and_blocks(drawn: Callable[..., Ways], city: City) -> None:
    """Parallel blocks: √(1.0² + 2.0²). The axis' own error is no part of it."""
    found = find(one(drawn), [strip(6.5, 60), strip(-60, -6.5)], city, accuracy_m=2.0)
    assert found.widths.accuracy_m[0] == pytest.approx(np.sqrt(5))
    assert found.widths.place_accuracy_m(3.0)[0] == pytest.approx(np.sqrt(5))
    plain = find(one(drawn), [], city)
    assert plain.widths.place_accuracy_m(3.0)[0] == pytest.approx(np.hypot(plain.widths.accuracy_m[0], 3))


def test_a_skewed_axis_is_less_accurate(drawn: Callable[..., Ways], city: City) -> None:
    """The block is 5.5 m away at one end and 7.5 m at the other: up to 0.95 m from its middle."""
    slanted = shapely.Polygon([(0, 5.5), (200, 7.5), (200, 60), (0, 60)])
    found = find(one(drawn), [slanted, strip(-60, -6.5)], city)
    assert found.kerbs() == pytest.approx((3.5, 3.5))
    assert np.hypot(1, 0.85) < found.widths.accuracy_m[0] < np.hypot(1, 1.0)


def test_few_places_say_little_of_the_spread(drawn: Callable[..., Ways], city: City) -> None:
    """A way of one place has no spread of its own; its neighbours' counts for it, five places to one."""
    lines: list[Line] = [(STREET, {}), ([(0, 500), (15, 500)], {})]
    slanted = shapely.Polygon([(-50, 4), (250, 10), (250, 60), (-50, 60)])
    blocks = [slanted, strip(-60, -6.5), strip(506.5, 560), strip(440, 493.5)]
    found = find(drawn(lines), blocks, city)
    middles = (np.arange(21) + 0.5) * 200 / 21
    off = np.abs(0.02 * (middles - middles.mean()))
    pooled = np.quantile([*off, 0], 0.95)
    assert found.widths.accuracy_m[1] == pytest.approx(np.hypot(1, pooled * 5 / 6))


def test_the_stated_accuracy_covers_streets_whose_kerbs_are_known(
    drawn: Callable[..., Ways], city: City
) -> None:
    """400 streets: footways 3 ± 1 m, block maps ± 0.8 m, axes drawn 3 m off, 95 % each; kerbs as built.

    What is compared is the kerb's place, not its distance from the axis.
    """
    rng = np.random.default_rng(7)
    lines: list[Line] = []
    areas, truth, axis = [], [], []
    for i in range(400):
        y, half = 200.0 * i, rng.uniform(2.8, 4.5)
        footways, blocks_off = rng.normal(3, 0.5, 2), rng.normal(0, 0.4, 2)
        start, end = y + rng.normal(0, 1.0) + rng.normal(0, 0.4, 2)
        lines.append(([(0, start), (120, end)], {}))
        edges_at = y + np.array([half + footways[0], -half - footways[1]]) + blocks_off
        areas += [strip(edges_at[0], y + 60), strip(y - 60, edges_at[1])]
        truth.append((y + half, y - half))
        axis.append((start + end) / 2)
    found = find(drawn(lines), areas, city, accuracy_m=0.8)
    given = found.account.given
    assert given.mean() > 0.9
    places = np.array(axis)[:, None] + np.column_stack([found.widths.left_m, -found.widths.right_m])
    covered = np.abs(places - truth) <= found.widths.accuracy_m[:, None]
    assert 0.90 <= covered[given].mean() <= 0.995
    assert np.median(found.widths.accuracy_m[given]) < 1.7


# ---------------------------------------------------------------- what must not matter

ANGLES = st.floats(0, 360)
GAPS = st.floats(4.0, 12.0)


@settings(max_examples=60, deadline=None)
@given(GAPS, GAPS, st.floats(30, 300), ANGLES)
def test_drawing_a_street_backwards_moves_no_kerb(
    drawn: Callable[..., Ways], city: City, left: float, right: float, length: float, angle: float
) -> None:
    """Nor does it matter how the scene is turned."""
    axis = shapely.LineString([(0, 0), (length, 0)])
    level = [strip(left, 60, end=length + 9), strip(-60, -right, end=length + 9)]
    turned = [shapely.affinity.rotate(each, angle, origin=(0, 0)) for each in level]
    points = list(shapely.affinity.rotate(axis, angle, origin=(0, 0)).coords)
    there, back = drawn([(points, {})]), drawn([(points[::-1], {})])
    found, other = find(there, turned, city), find(back, turned, city)
    assert found.kerbs() == pytest.approx(other.kerbs()[::-1], abs=1e-6)
    assert found.widths.accuracy_m == pytest.approx(other.widths.accuracy_m)
    flat = find(drawn([([(0, 0), (length, 0)], {})]), level, city)
    assert found.kerbs() == pytest.approx(flat.kerbs(), abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(6)), st.permutations(range(12)), st.lists(GAPS, min_size=12, max_size=12))
def test_order_moves_no_kerb(
    drawn: Callable[..., Ways], city: City, order: list[int], of_blocks: list[int], gaps: list[float]
) -> None:
    lines: list[Line] = [([(0.0, 100.0 * i), (30.0 + 40 * i, 100.0 * i)], {}) for i in range(6)]
    blocks = [strip(100 * i + gaps[2 * i], 100 * i + 45) for i in range(6)]
    blocks += [strip(100 * i - 45, 100 * i - gaps[2 * i + 1]) for i in range(6)]
    plain = find(drawn(lines), blocks, city)
    mixed = find(drawn([lines[i] for i in order]), [blocks[i] for i in of_blocks], city)
    for name in ("left_m", "right_m", "accuracy_m", "source"):
        assert getattr(mixed.widths, name) == pytest.approx(getattr(plain.widths, name)[order])


def test_bent_streets_backwards(drawn: Callable[..., Ways], city: City) -> None:
    """A vertex exactly where a place is looked from: either piece would do, so it must be neither alone."""
    points = [(0.0, 0.0), (35.0, 0.0), (70.0, 20.0), (110.0, 20.0)]
    line = shapely.LineString(points)
    blocks = [shapely.buffer(line, 60, single_sided=True).difference(line.buffer(gap)) for gap in (6, 7)]
    blocks[1] = shapely.buffer(line, -60, single_sided=True).difference(line.buffer(7))
    there, back = find(drawn([(points, {})]), blocks, city), find(drawn([(points[::-1], {})]), blocks, city)
    assert there.kerbs() == pytest.approx(back.kerbs()[::-1], abs=1e-6)
    assert there.kerbs() == pytest.approx((3, 4), abs=0.1)


# ---------------------------------------------------------------- rays and sides


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 40), st.integers(1, 30))
def test_rays_meet_what_shapely_says_they_meet(seed: int, rays: int, polygons: int) -> None:
    rng = np.random.default_rng(seed)
    areas = np.array(
        [shapely.convex_hull(shapely.MultiPoint(rng.uniform(-20, 20, 2) + rng.normal(0, 4, (25, 2))))
         for _ in range(polygons)],
        object,
    )  # fmt: skip
    origin, angle = rng.uniform(-25, 25, (rays, 2)), rng.uniform(0, 2 * np.pi, rays)
    unit = np.column_stack([np.cos(angle), np.sin(angle)])
    got = first_hit_m(origin, unit, outline_edges(areas), 15.0)
    outline = shapely.union_all(shapely.boundary(areas))
    for at, along, found in zip(origin, unit, got, strict=True):
        meets = shapely.intersection(shapely.LineString([at, at + along * 15]), outline)
        expected = shapely.distance(meets, shapely.Point(at)) if not meets.is_empty else np.inf
        assert found == pytest.approx(expected, abs=1e-6)


def test_a_ray_slips_through_no_vertex() -> None:
    """Straight at the corner that two edges share, along a chain of more edges than a box holds."""
    xs = np.arange(60.0)
    a, b = np.column_stack([xs[:-1], xs[:-1] % 2]), np.column_stack([xs[1:], xs[1:] % 2])
    chain = edges(a, b, np.zeros(59, np.int64))
    origin = np.column_stack([xs[1:-1], np.full(58, -5.0)])
    got = first_hit_m(origin, np.tile([0.0, 1.0], (58, 1)), chain, 30.0)
    assert got == pytest.approx(5 + xs[1:-1] % 2)


def test_another_axis_bars_the_view(drawn: Callable[..., Ways]) -> None:
    """Two streets 10 m apart: on that side there is no block, near as it may be."""
    ways = drawn([(STREET, {}), ([(0, 10), (200, 10)], {})])
    areas = np.array([strip(16, 60), strip(-60, -6)], object)
    sides = look_aside(ways, np.ones(2, bool), areas)
    assert np.isinf(sides.block_m[sides.way == 0, 0]).all()
    assert sides.block_m[sides.way == 0, 1] == pytest.approx(6.0)
    alone = look_aside(replace(ways), np.array([True, False]), areas)
    assert alone.block_m[:, 0] == pytest.approx(16.0)


def test_places_near_junctions_are_not_clear(drawn: Callable[..., Ways]) -> None:
    """90 m from a junction: nine places at 5, 15, 25 m …; at 15 m it is clear, however one turns it."""
    for angle in np.linspace(0, 2 * np.pi, 25):
        turn = np.array([np.cos(angle), np.sin(angle)])
        ends = [tuple(90 * turn @ np.array([[x, y], [-y, x]])) for x, y in ((1, 0), (-1, 0), (0, 1))]
        ways = drawn([([(0.0, 0.0), (float(x), float(y))], {}) for x, y in ends])
        sides = look_aside(ways, np.ones(3, bool), np.empty(0, object))
        assert sides.clear.reshape(3, 9).tolist() == [[False] + [True] * 8] * 3


def test_at_a_vertex_one_looks_along_the_bisector(drawn: Callable[..., Ways]) -> None:
    """The middle of a bend of 60 degrees: both sides of the parallel wall are 6 m ÷ cos 30° away."""
    bend = [(0.0, 0.0), (35.0, 0.0), (52.5, 35 * np.sqrt(0.75))]
    line = shapely.LineString(bend)
    around = line.buffer(40).difference(line.buffer(6, join_style="mitre", cap_style="flat"))
    areas = np.array([around], object)
    for points in (bend, bend[::-1]):
        sides = look_aside(drawn([(points, {})]), np.array([True]), areas)
        middle = sides.block_m[len(sides.way) // 2]
        assert middle == pytest.approx(6 / np.cos(np.radians(30)))


def test_hostile_outlines(drawn: Callable[..., Ways], city: City) -> None:
    """A polygon of 100,000 vertices, an empty one and one that touches the axis stop nothing."""
    xs = np.linspace(-50, 250, 100_000)
    rugged = shapely.Polygon(
        [*np.column_stack([xs, 6.5 + 0.001 * (np.arange(len(xs)) % 2)]), (250, 60), (-50, 60)]
    )
    found = find(
        one(drawn), [rugged, strip(-60, -6.5), shapely.Polygon(), shapely.box(90, -6.5, 92, 0)], city
    )
    assert found.kerbs() == pytest.approx((3.5, 3.5), abs=0.01)


def test_many_streets_at_once(drawn: Callable[..., Ways], city: City, monkeypatch: Any) -> None:  # noqa: ANN401
    """Rays go in batches; where one batch ends nothing changes."""
    lines: list[Line] = [([(0.0, 100.0 * i), (95.0, 100.0 * i)], {}) for i in range(7)]
    blocks = [strip(100 * i + 6 + 0.1 * i, 100 * i + 45) for i in range(7)]
    blocks += [strip(100 * i - 45, 100 * i - 6) for i in range(7)]
    whole = find(drawn(lines), blocks, city)
    monkeypatch.setattr("geocheck.city.streets.rays._RAYS_AT_ONCE", 5)
    assert find(drawn(lines), blocks, city).widths.left_m == pytest.approx(whole.widths.left_m)
    assert whole.widths.left_m == pytest.approx(3 + 0.1 * np.arange(7))


# ---------------------------------------------------------------- real files


def test_goiania_backwards_and_shuffled(goiania: City, shared_data: Path) -> None:
    """The campus with its ways turned round and mixed, its blocks mixed and drawn from other vertices."""
    ways = osm_network(shared_data / "osm" / "goiania-campus.osm.pbf", goiania).ways
    frame = gpd.read_file(shared_data / "goiania" / "goiania_campus_block.geojson").to_crs(goiania.crs)
    blocks = np.asarray(frame.geometry.array, object)
    rng = np.random.default_rng(3)
    order = rng.permutation(len(ways))
    pieces = [ways.ref[ways.start[way] : ways.start[way + 1]][::-1] for way in order]
    mixed = replace(
        ways,
        way_id=ways.way_id[order],
        tags=tuple(turned(ways.tags[way]) for way in order),
        start=np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]),
        ref=np.concatenate(pieces),
    )
    plain, other = (
        find(ways, blocks, goiania),
        find(mixed, shapely.normalize(rng.permutation(blocks)), goiania),
    )
    assert plain.account.given.sum() > 200
    assert other.widths.left_m == pytest.approx(plain.widths.right_m[order], abs=1e-6)
    assert other.widths.right_m == pytest.approx(plain.widths.left_m[order], abs=1e-6)
    assert other.widths.accuracy_m == pytest.approx(plain.widths.accuracy_m[order], abs=1e-6)
    for name in plain.account.__dataclass_fields__:
        assert np.array_equal(getattr(other.account, name), getattr(plain.account, name)[order])


def turned(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags of a way drawn backwards; these streets have nothing but `oneway` that has a side."""
    back = {"yes": "-1", "-1": "yes"}
    return {**tags, **({"oneway": back.get(tags["oneway"], tags["oneway"])} if "oneway" in tags else {})}
