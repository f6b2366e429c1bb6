"""Beside which kerb things lie, where along it, and when nobody can tell.

The street of most tests runs from x = -60 to 60 with kerbs at y = ±4; traffic runs west on the north kerb, so
that x = 20 is 40 m from its start, and east on the south kerb, where it is 80 m from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, affinity, box

from geocheck.city.ruler.references import BOTH, Reference, Things
from geocheck.city.ruler.stations import refer
from geocheck.city.ruler.strips import strips_of
from geocheck.city.streets.kerbs import LEFT, RIGHT

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.city.ruler.references import Stations

STREET: tuple[Any, ...] = ([(-60, 0), (60, 0)], {"name": "Rua", "width": "8"})
NORTH_M, SOUTH_M = 40.0, 80.0


@pytest.fixture(scope="module")
def ask(derive: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that refers one thing, and gives rows by the street's side and the whole answer."""
    scenes: dict[str, Any] = {}

    def run(
        thing: shapely.Geometry,
        how: Reference = Reference.BESIDE,
        lines: Any = (STREET,),  # noqa: ANN401
        **said: Any,  # noqa: ANN401
    ) -> dict[tuple[str, str], tuple[float, float, float, bool]]:
        scene = scenes.setdefault(repr(lines), derive(list(lines)))
        strips = strips_of(scene.streets.kerbs, scene.streets.graph)
        return told(scene, refer(strips, thing_of(thing, **said), how))

    return run


SILENT: dict[str, Any] = {
    "way": -1,
    "side": 0,
    "told": False,
    "half_m": 0.0,
    "reach_m": 8.0,
    "unsure_m": 1.0,
    "short_m": 0.5,
}
"""Of a thing drawn on the same map as the street."""


def thing_of(geometry: shapely.Geometry, **said: Any) -> Things:  # noqa: ANN401
    columns = {name: np.array([value]) for name, value in (SILENT | said).items()}
    return Things(np.array([geometry], object), **columns)


def told(scene: Any, found: Stations) -> dict[tuple[str, str], tuple[float, float, float, bool]]:  # noqa: ANN401
    """Return from, to, offset and whether the side is known, by street and compass side of the kerb."""
    rows = {}
    for row, kerb in enumerate(found.kerb):
        x, y = scene.line(int(kerb)).centroid.coords[0]
        street = scene.streets.kerbs.street[kerb]
        side = "N" if y > 0 else "S"
        side += ("E" if x > 0 else "W") if street == "Transversal" else ""
        key = (street, side)
        assert key not in rows
        rows[key] = (found.from_m[row], found.to_m[row], found.offset_m[row], bool(found.side_known[row]))
    return rows


NORTH, SOUTH = ("Rua", "N"), ("Rua", "S")


@pytest.mark.parametrize(
    ("y", "offset_m"),
    [
        pytest.param(5.0, 1.0, id="pole behind the kerb"),
        pytest.param(4.0, 0.0, id="on the kerb"),
        pytest.param(1.2, -2.8, id="drawn on the carriageway, off the axis"),
        pytest.param(11.9, 7.9, id="far behind, within reach"),
    ],
)
def test_a_thing_lies_beside_the_kerb_of_its_side(ask: Any, y: float, offset_m: float) -> None:  # noqa: ANN401
    assert ask(Point(20, y)) == {NORTH: pytest.approx((NORTH_M, NORTH_M, offset_m, True))}
    assert ask(Point(20, -y)) == {SOUTH: pytest.approx((SOUTH_M, SOUTH_M, offset_m, True))}


def test_a_thing_out_of_reach_lies_by_no_kerb(ask: Any) -> None:  # noqa: ANN401
    assert ask(Point(20, 12.1)) == {}
    assert ask(Point(70, 8)) == {}


@pytest.mark.parametrize("y", [0.0, 0.9, -0.9])
def test_a_thing_on_the_axis_may_lie_on_either_side(ask: Any, y: float) -> None:  # noqa: ANN401
    found = ask(Point(20, y))
    assert found == {
        NORTH: pytest.approx((NORTH_M, NORTH_M, y - 4, False)),
        SOUTH: pytest.approx((SOUTH_M, SOUTH_M, -y - 4, False)),
    }


@pytest.mark.parametrize(("side", "kerb"), [(LEFT, NORTH), (RIGHT, SOUTH)])
@pytest.mark.parametrize(
    "thing",
    [pytest.param(Point(20, 0.0), id="node"), pytest.param(LineString([(20, 0), (5, 0)]), id="stretch")],
)
def test_a_side_of_the_way_decides(
    ask: Any,  # noqa: ANN401
    thing: shapely.Geometry,
    side: int,
    kerb: tuple[str, str],
) -> None:
    """The street is drawn eastwards: its left is north, whichever way the thing itself is drawn."""
    found = ask(thing, way=0, side=side)
    assert list(found) == [kerb]
    assert found[kerb][3]


@pytest.mark.parametrize("side", [LEFT, RIGHT])
@pytest.mark.parametrize(("y", "kerb"), [(5.0, NORTH), (-5.0, SOUTH)])
def test_a_point_without_a_way_has_no_line_of_which_to_say_a_side(
    ask: Any,  # noqa: ANN401
    side: int,
    y: float,
    kerb: tuple[str, str],
) -> None:
    """A file says "left" of a stop and not of which street: it lies where it is drawn all the same."""
    assert ask(Point(20, y), side=side) == ask(Point(20, y))
    assert set(ask(Point(20, y), side=side)) == {kerb}
    assert not any(known for *_, known in ask(Point(20, 0.0), side=side).values())


def test_what_lies_on_both_sides_is_surely_on_each(ask: Any) -> None:  # noqa: ANN401
    found = ask(Point(20, 0.0), way=0, side=BOTH)
    assert {key: row[3] for key, row in found.items()} == {NORTH: True, SOUTH: True}


@pytest.mark.parametrize(("side", "kerb"), [(LEFT, SOUTH), (RIGHT, NORTH)])
def test_without_a_way_the_side_is_that_of_the_thing_s_own_line(
    ask: Any,  # noqa: ANN401
    side: int,
    kerb: tuple[str, str],
) -> None:
    """A stretch drawn westwards on the axis: its left is south."""
    found = ask(LineString([(20, 0), (5, 0.1)]), side=side)
    assert list(found) == [kerb]
    assert found[kerb][3]


def test_what_lies_on_a_way_lies_by_no_other_street(ask: Any) -> None:  # noqa: ANN401
    """A node 4.5 m from the middle of a crossing, on the one street: not by the other's kerb."""
    cross = (
        ([(-60, 0), (0, 0), (60, 0)], STREET[1]),
        ([(0, -60), (0, 0), (0, 60)], {"name": "Transversal", "width": "8"}),
    )
    streets = {NORTH, SOUTH, ("Transversal", "NE"), ("Transversal", "SE")}
    assert set(ask(Point(4.5, 0), unsure_m=4.2, lines=cross)) == streets
    assert set(ask(Point(4.5, 0), unsure_m=4.2, way=0, lines=cross)) == {NORTH, SOUTH}


def test_what_the_tags_of_a_way_tell_runs_along_all_of_its_kerb(ask: Any) -> None:  # noqa: ANN401
    """The street's eastern half, 60 m of a way of its own, has a lane on its right."""
    halves = (([(-60, 0), (0, 0)], STREET[1]), ([(0, 0), (60, 0)], STREET[1]))
    line = LineString([(0, 0), (60, 0)])
    assert ask(line, way=1, side=RIGHT, told=True, lines=halves) == {SOUTH: pytest.approx((60, 120, 0, True))}
    assert ask(line, way=1, told=True, lines=halves) == {
        SOUTH: pytest.approx((60, 120, 0, False)),
        NORTH: pytest.approx((0, 60, 0, False)),
    }


def test_what_is_known_of_another_map_is_less(ask: Any) -> None:  # noqa: ANN401
    """Five metres off the axis: sure for ±3.6 m, not for a GTFS stop of ±10.4 m."""
    sure = ask(Point(20, 5), unsure_m=3.6)
    assert [(key, row[3]) for key, row in sure.items()] == [(NORTH, True)]
    unsure = ask(Point(20, 5), reach_m=15.0, unsure_m=10.4)
    assert {(key, row[3]) for key, row in unsure.items()} == {(NORTH, False), (SOUTH, False)}


def test_a_stretch_on_the_axis_keeps_its_side_unknown(ask: Any) -> None:  # noqa: ANN401
    found = ask(LineString([(-10, 0), (25, 0)]))
    assert found == {
        NORTH: pytest.approx((35, 70, -4, False)),
        SOUTH: pytest.approx((50, 85, -4, False)),
    }


def test_in_front_of_a_mouth_the_far_kerb_is_no_surer(ask: Any) -> None:  # noqa: ANN401
    """A side street opens the north kerb from x = -4 to 4: there the axis has one kerb alone beside it."""
    tee = (
        ([(-60, 0), (0, 0), (60, 0)], STREET[1]),
        ([(0, 0), (0, 60)], {"name": "Transversal", "width": "8"}),
    )
    assert ask(LineString([(-2, 0), (2, 0)]), lines=tee) == {SOUTH: pytest.approx((58, 62, -4, False))}
    assert ask(Point(0, 0.2), lines=tee) == {SOUTH: pytest.approx((60, 60, -4.2, False))}


def test_a_bay_reaches_from_end_to_end(ask: Any) -> None:  # noqa: ANN401
    assert ask(box(10, 2.0, 22.5, 4.0)) == {NORTH: pytest.approx((37.5, 50, 0, True))}


def test_a_platform_in_the_median_lies_beside_both_of_its_kerbs(ask: Any) -> None:  # noqa: ANN401
    """Two carriageways of 7 m at y = ±8: median kerbs at ±4.5; the platform is 4 m wide between them."""
    pair = (
        ([(-60, -8), (60, -8)], {"name": "Rua", "width": "7", "oneway": "yes"}),
        ([(60, 8), (-60, 8)], {"name": "Rua", "width": "7", "oneway": "yes"}),
    )
    found = ask(box(-5, -2, 5, 2), lines=pair)
    assert found == {
        NORTH: pytest.approx((55, 65, 2.5, True)),
        SOUTH: pytest.approx((55, 65, 2.5, True)),
    }


def test_a_thing_in_the_corner_may_belong_to_either_street(ask: Any) -> None:  # noqa: ANN401
    cross = (STREET, ([(0, -60), (0, 60)], {"name": "Transversal", "width": "8"}))
    cross = (([(-60, 0), (0, 0), (60, 0)], STREET[1]), ([(0, -60), (0, 0), (0, 60)], cross[1][1]))
    either = ask(Point(6.0, 6.5), lines=cross)
    assert {key: row[3] for key, row in either.items()} == {NORTH: False, ("Transversal", "NE"): False}
    alone = ask(Point(7.5, 5.5), lines=cross)
    assert {key: row[3] for key, row in alone.items()} == {NORTH: True}


def test_a_driveway_lies_where_it_meets_the_kerb(ask: Any) -> None:  # noqa: ANN401
    """Drawn askew from the axis: it meets y = 4 at x = 12."""
    way = LineString([(10, 0), (15, 10)])
    assert ask(way, Reference.OVER, half_m=1.5) == {NORTH: pytest.approx((46.5, 49.5, 0, True))}


def test_a_driveway_that_meets_no_kerb_lies_by_none(ask: Any) -> None:  # noqa: ANN401
    assert ask(LineString([(10, 5), (15, 30)]), Reference.OVER) == {}


def test_a_driveway_given_as_a_point_lies_beside_the_kerb(ask: Any) -> None:  # noqa: ANN401
    found = ask(Point(20, 4.4), Reference.OVER, half_m=1.5)
    assert found == {NORTH: pytest.approx((38.5, 41.5, 0.4, True))}


@pytest.mark.parametrize("thing", [Point(20, 0), LineString([(20, -7), (20, 7)])])
def test_a_crossing_is_surely_on_both_kerbs(ask: Any, thing: shapely.Geometry) -> None:  # noqa: ANN401
    found = ask(thing, Reference.ACROSS, half_m=2.0)
    assert {key: (row[0], row[1], row[3]) for key, row in found.items()} == {
        NORTH: pytest.approx((38, 42, True)),
        SOUTH: pytest.approx((78, 82, True)),
    }


SCENES = [
    pytest.param(([(-60, 0), (60, 0)], 0.0, False), id="as drawn"),
    pytest.param(([(60, 0), (-60, 0)], 0.0, False), id="drawn the other way"),
    pytest.param(([(-60, 0), (60, 0)], 33.0, False), id="turned"),
    pytest.param(([(60, 0), (-60, 0)], 0.0, True), id="mirrored"),
    pytest.param(([(-60, 0), (60, 0)], -71.0, True), id="mirrored and turned"),
]


def by_hand(area: tuple[float, float, float, float], offset_m: float = 0.0, known: bool = True) -> Any:  # noqa: ANN401, FBT001, FBT002
    """Return the rows of a box on the north and on the south kerb: 60 - x and 60 + x from their starts."""
    x0, _, x1, _ = area
    north = pytest.approx((60 - x1, 60 - x0, offset_m, known), abs=1e-6)
    return north, pytest.approx((60 + x0, 60 + x1, offset_m, known), abs=1e-6)


@pytest.fixture(params=SCENES)
def ask_box(ask: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:  # noqa: ANN401
    """Return a function that refers a box (of x0, y0, x1, y1) in a scene, and the box as it lies there."""
    ends, angle, mirrored = request.param

    def turned(shape: Any) -> Any:  # noqa: ANN401
        return affinity.rotate(shape, angle, origin=(0, 0))

    def run(
        area: tuple[float, float, float, float],
        how: Reference = Reference.BESIDE,
        **said: Any,  # noqa: ANN401
    ) -> tuple[Any, tuple[float, float, float, float]]:
        x0, y0, x1, y1 = area
        area = (-x1, y0, -x0, y1) if mirrored else area
        line = list(turned(LineString(ends)).coords)
        return ask(turned(box(*area)), how, lines=((line, STREET[1]),), **said), area

    return run


@pytest.mark.parametrize(
    ("y", "unsure_m"),
    [
        pytest.param((0.5, 4.0), 1.0, id="a wide lane of the same map"),
        pytest.param((1.8, 4.0), 3.0, id="2.2 m on a map of its own"),
        pytest.param((-0.5, 4.0), 1.0, id="over the axis"),
    ],
)
def test_places_near_the_axis_follow_those_that_leave_no_doubt(
    ask_box: Any,  # noqa: ANN401
    y: tuple[float, float],
    unsure_m: float,
) -> None:
    found, area = ask_box((10, y[0], 22.5, y[1]), unsure_m=unsure_m)
    assert found == {NORTH: by_hand(area)[0]}
    found, area = ask_box((10, -y[1], 22.5, -y[0]), unsure_m=unsure_m)
    assert found == {SOUTH: by_hand(area)[1]}


def test_an_area_of_which_no_place_leaves_no_doubt_may_lie_on_either_side(ask_box: Any) -> None:  # noqa: ANN401
    found, _ = ask_box((10, 1.8, 22.5, 4.0), unsure_m=4.2)
    assert {key: row[3] for key, row in found.items()} == {NORTH: False, SOUTH: False}


def test_a_thing_may_lie_surely_by_several_kerbs(ask_box: Any) -> None:  # noqa: ANN401
    """Paint from kerb to kerb: its places near the axis take neither from it."""
    found, area = ask_box((10, -4, 22.5, 4))
    assert found == dict(zip((NORTH, SOUTH), by_hand(area), strict=True))


def test_parts_are_judged_for_themselves(ask: Any) -> None:  # noqa: ANN401
    """Two poles in one record: where the one stands tells nothing of the other."""
    found = ask(shapely.MultiPoint([(20, 0), (-20, 5)]))
    assert {key: row[3] for key, row in found.items()} == {NORTH: True, SOUTH: False}


@pytest.mark.parametrize(
    ("short_m", "gap_m"), [(0.5, 0.0), (0.5, 1e-9), (0.5, 0.02), (0.5, 0.49), (2.0, 1.9)]
)
def test_a_crossing_area_that_ends_at_the_kerbs_lies_at_both(
    ask_box: Any,  # noqa: ANN401
    short_m: float,
    gap_m: float,
) -> None:
    found, area = ask_box((18, gap_m - 4, 23, 4 - gap_m), Reference.ACROSS, short_m=short_m)
    assert found == dict(zip((NORTH, SOUTH), by_hand(area, -gap_m), strict=True))


@pytest.mark.parametrize("gap_m", [-0.3, 0.0, 1e-9, 0.49])
def test_a_driveway_area_that_ends_at_the_kerb_lies_at_it(ask_box: Any, gap_m: float) -> None:  # noqa: ANN401
    """From the lot, or 0.3 m past the kerb."""
    found, area = ask_box((18, 4 + gap_m, 23, 12), Reference.OVER)
    assert found == {NORTH: by_hand(area, max(gap_m, 0.0))[0]}


@pytest.mark.parametrize(("how", "y"), [(Reference.ACROSS, (-3.4, 3.4)), (Reference.OVER, (4.6, 12))])
def test_what_ends_farther_from_the_kerb_lies_at_none(ask_box: Any, how: Reference, y: Any) -> None:  # noqa: ANN401
    assert ask_box((18, y[0], 23, y[1]), how)[0] == {}


CROSS = (
    ([(-60, 0), (0, 0), (60, 0)], STREET[1]),
    ([(0, -60), (0, 0), (0, 60)], {"name": "Transversal", "width": "8"}),
)
"""Its corner in the north-east is at (4, 4)."""


@pytest.mark.parametrize("end_m", [3.7, 4.0, 4.5])
def test_a_crossing_beside_a_corner_is_not_at_the_other_street_s_kerb(ask: Any, end_m: float) -> None:  # noqa: ANN401
    """It begins 0.2 m behind the kerb of the other street, x = 4."""
    found = ask(box(4.2, -end_m, 8.2, end_m), Reference.ACROSS, lines=CROSS)
    assert set(found) == {NORTH, SOUTH}


def test_a_driveway_over_one_kerb_is_at_no_other_nearby(ask: Any) -> None:  # noqa: ANN401
    found = ask(box(4.3, 3.9, 7, 9), Reference.OVER, lines=CROSS)
    assert found == {NORTH: pytest.approx((53, 55.7, 0, True))}


def test_a_driveway_short_of_two_kerbs_may_be_over_either(ask: Any) -> None:  # noqa: ANN401
    """0.4 m from the north kerb and 0.3 m from the east one, which begins at (4, 4) and runs north."""
    found = ask(box(4.3, 4.4, 7, 9), Reference.OVER, lines=CROSS)
    assert found == {
        NORTH: pytest.approx((53, 55.7, 0.4, False)),
        ("Transversal", "NE"): pytest.approx((0.4, 5, 0.3, False)),
    }


@settings(deadline=None)
@given(
    x=st.floats(-55, 55),
    y=st.floats(-12, 12),
    angle=st.floats(0, 360),
    turned=st.booleans(),
)
def test_turning_the_scene_changes_nothing(
    derive: Callable[..., Any],
    x: float,
    y: float,
    angle: float,
    turned: bool,  # noqa: FBT001
) -> None:
    """Against the answer worked out on the straight street; near a threshold either is right."""
    if min(abs(abs(y) - edge) for edge in (0.0, 1.0, 12.0)) < 1e-3:
        return
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))

    def at(px: float, py: float) -> tuple[float, float]:
        return float(cos * px - sin * py), float(sin * px + cos * py)

    ends = [at(-60, 0), at(60, 0)]
    scene = derive([(ends[::-1] if turned else ends, {"name": "Rua", "width": "8"})])
    things = thing_of(Point(at(x, y)))
    strips = strips_of(scene.streets.kerbs, scene.streets.graph)
    found = refer(strips, things, Reference.BESIDE)
    expected = []
    if abs(y) <= 12:
        expected += [(60 - x, y - 4)] if y >= -1 else []
        expected += [(60 + x, -y - 4)] if y <= 1 else []
    rows = sorted(zip(found.offset_m, found.from_m, strict=True))
    assert np.allclose(rows, sorted((offset, along) for along, offset in expected), atol=1e-6)
    assert found.side_known.tolist() == [abs(y) > 1] * len(expected)
