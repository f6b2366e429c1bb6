"""What may not move a kerb: how streets are drawn, split, ordered, numbered, turned or mirrored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from geocheck.city.osm.read import read_osm
from geocheck.city.streets.classify import direction_of
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.derive import Streets

MILLIMETRE = 0.001
_LONGEST = 4


@dataclass(frozen=True)
class Drawing:
    """Ways with their widths."""

    ways: Ways
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    driving_side: str = "right"


def reversed_ways(drawing: Drawing, rng: np.random.Generator) -> Drawing:
    ways, turned = drawing.ways, rng.random(len(drawing.ways)) < 0.5
    ref, tags = ways.ref.copy(), []
    for i, (each, turn) in enumerate(zip(ways.tags, turned, strict=True)):
        said = dict(each)
        if turn:
            ref[ways.start[i] : ways.start[i + 1]] = ref[ways.start[i] : ways.start[i + 1]][::-1].copy()
            said["oneway"] = {1: "-1", 0: "no", -1: "yes"}[direction_of(each)]
        tags.append(said)
    left, right = np.where(turned, [drawing.right, drawing.left], [drawing.left, drawing.right])
    return replace(drawing, ways=replace(ways, ref=ref, tags=tuple(tags)), left=left, right=right)


def _of_parts(drawing: Drawing, parts: list[tuple[int, NDArray[np.int64]]]) -> Drawing:
    """Return a drawing of pieces of ways, each with the way it comes from."""
    source = np.array([i for i, _ in parts])
    ways = replace(
        drawing.ways,
        way_id=np.arange(len(parts)),
        tags=tuple(drawing.ways.tags[i] for i in source),
        start=np.concatenate([[0], np.cumsum([len(ref) for _, ref in parts])]).astype(np.int64),
        ref=np.concatenate([ref for _, ref in parts]),
    )
    return replace(drawing, ways=ways, left=drawing.left[source], right=drawing.right[source])


def split_ways(drawing: Drawing, rng: np.random.Generator) -> Drawing:
    ways, parts = drawing.ways, []
    for i in range(len(ways)):
        ref = ways.ref[ways.start[i] : ways.start[i + 1]]
        k = int(rng.integers(1, max(len(ref) - 1, 2)))
        parts += [(i, ref[: k + 1]), (i, ref[k:])] if 1 < k + 1 < len(ref) else [(i, ref)]
    return _of_parts(drawing, parts)


def reordered_ways(drawing: Drawing, rng: np.random.Generator) -> Drawing:
    ways = drawing.ways
    return _of_parts(
        drawing, [(int(i), ways.ref[ways.start[i] : ways.start[i + 1]]) for i in rng.permutation(len(ways))]
    )


def renumbered_nodes(drawing: Drawing, rng: np.random.Generator) -> Drawing:
    order = rng.permutation(len(drawing.ways.xy))
    rank = np.append(np.argsort(order), -1)
    ways = replace(drawing.ways, xy=drawing.ways.xy[order], ref=rank[drawing.ways.ref])
    return replace(drawing, ways=ways)


def moved(drawing: Drawing, place: Callable[[Any], Any]) -> Drawing:
    extent = drawing.ways.extent
    ways = replace(
        drawing.ways,
        xy=place(drawing.ways.xy),
        extent=None if extent is None else shapely.transform(extent, place),
    )
    return replace(drawing, ways=ways)


def mirrored(drawing: Drawing) -> Drawing:
    found = moved(drawing, lambda xy: xy * [-1.0, 1.0])
    return replace(found, left=drawing.right, right=drawing.left, driving_side="left")


REDRAWN = [reversed_ways, split_ways, reordered_ways, renumbered_nodes]


def _streets(drawing: Drawing, city: City) -> Streets:
    there = city.model_copy(update={"driving_side": drawing.driving_side})
    return derive_streets(drawing.ways, HalfWidths(drawing.left, drawing.right), there)


def _derived(drawing: Drawing, city: City) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
    streets = _streets(drawing, city)
    return streets.kerbs.xy, streets.corners.xy, sorted(streets.corners.kind.tolist())


def _same_junctions(one: Streets, two: Streets, place: Callable[[Any], Any]) -> None:
    """Compare what is derived beside kerbs and corners, the first moved to where the second is."""
    assert len(one.junctions.unknown) == len(two.junctions.unknown)
    for areas, others in (
        (one.crossing_areas.geometry, two.crossing_areas.geometry),
        (one.medians.geometry, two.medians.geometry),
    ):
        assert len(areas) == len(others)
        whole = shapely.union_all(shapely.transform(areas, place))
        assert shapely.symmetric_difference(whole, shapely.union_all(others)).area < MILLIMETRE * 10
    lengths = [np.bincount(each.beside.kind, each.beside.to_m - each.beside.from_m, 5) for each in (one, two)]
    assert lengths[0] == pytest.approx(lengths[1], abs=MILLIMETRE * 10)


def _turn(radians: float) -> Callable[[Any], Any]:
    c, s = np.cos(radians), np.sin(radians)
    return lambda xy: xy @ np.array([[c, s], [-s, c]])


NAMES = st.sampled_from(["", "Rua A", "Rua B"])
ONEWAY = st.sampled_from(["no", "yes", "-1"])


@st.composite
def _drawings(draw: st.DrawFn) -> Drawing:
    """Streets over a bent grid of 4 × 3 nodes, each from any node to any other.

    Some run over others, through nodes that they do not share or through places where others cross: no
    junction, unless a street ends there.
    """
    bend = st.sampled_from([0.0, 0.0, 0.5, -3.0, 7.0])
    places = [(40.0 * i + draw(bend), 30.0 * j + draw(bend)) for j in range(3) for i in range(4)]
    steps = [(a, b) for a in range(12) for b in range(a)]
    some = draw(st.lists(st.sampled_from(steps), min_size=2, max_size=16, unique=True))
    refs: list[list[int]] = []
    for a, b in some:
        if refs and refs[-1][-1] == a and len(refs[-1]) < _LONGEST and draw(st.booleans()):
            refs[-1].append(b)
        else:
            refs.append([a, b])
    tags = [{"highway": "residential", "name": draw(NAMES), "oneway": draw(ONEWAY)} for _ in refs]
    half = st.sampled_from([2.5, 4.0, 4.0, 9.0])
    left = [draw(half) for _ in refs]
    right = [draw(half) for _ in refs]
    return _drawing(places, refs, tags, left, right)


def _drawing(
    places: list[tuple[float, float]],
    refs: list[list[int]],
    tags: list[dict[str, str]],
    left: list[float],
    right: list[float],
) -> Drawing:
    ways = Ways(
        way_id=np.arange(len(refs)),
        tags=tuple(tags),
        start=np.concatenate([[0], np.cumsum([len(ref) for ref in refs])]).astype(np.int64),
        ref=np.concatenate([np.array(ref, np.int64) for ref in refs]),
        node_id=np.arange(len(places)),
        xy=np.array(places, float),
        node_tags={},
        extent=shapely.box(-500, -500, 500, 500),
    )
    return Drawing(ways, np.array(left), np.array(right))


def _slanting_into_a_wide_street() -> Drawing:
    """A street slants into a wide one: the piece inside it begins and ends at corners of other pieces.

    Its area once crossed itself, and whether a crumb of 0.9 m² hung on to the rest was a matter of rounding.
    """
    places: list[tuple[float, float]] = [
        (0, 0), (37, 0), (80, 0), (120, 0), (0, 30), (40, 30.5), (80, 30), (120, 27),
        (0, 60), (37, 60), (80, 60), (117, 60.5),
    ]  # fmt: skip
    refs = [[9, 8], [7, 4], [1, 0], [9, 1], [2, 0], [2, 1], [3, 0], [11, 5]]
    right = [2.5, 9, 2.5, 2.5, 2.5, 2.5, 2.5, 9]
    return _drawing(places, refs, [{"highway": "residential"}] * 8, [2.5] * 8, right)


@pytest.mark.parametrize("redraw", REDRAWN)
@settings(max_examples=60, deadline=None)
@given(drawing=_drawings(), seed=st.integers(0, 2**32 - 1))
def test_how_streets_are_drawn_moves_nothing(
    goiania: City,
    set_distance: Callable[..., float],
    redraw: Callable[..., Drawing],
    drawing: Drawing,
    seed: int,
) -> None:
    one = _derived(drawing, goiania)
    two = _derived(redraw(drawing, np.random.default_rng(seed)), goiania)
    assert set_distance(one[0], two[0]) < MILLIMETRE
    assert set_distance(one[1], two[1]) < MILLIMETRE
    assert one[2] == two[2]


def _drawn_over_one_another() -> Drawing:
    """Two streets share a kerb for 37 m; across lies one more of the name that one of them has."""
    places: list[tuple[float, float]] = [
        (-3, -3), (40, 0), (87, 0), (120, 0), (-3, 30), (37, 30.5), (87, 37), (120, 30),
        (7, 60), (40, 60), (77, 60), (127, 60),
    ]  # fmt: skip
    tags = [
        {"highway": "residential", "name": name, "oneway": oneway}
        for name, oneway in (("Rua A", "-1"), ("Rua B", "yes"), ("Rua A", "yes"), ("", "-1"))
    ]
    return _drawing(
        places, [[9, 0], [8, 2], [11, 9, 7], [10, 8]], tags, [9, 2.5, 2.5, 2.5], [2.5, 2.5, 4, 2.5]
    )


@pytest.mark.parametrize("redraw", REDRAWN)
@settings(max_examples=40, deadline=None)
@given(drawing=_drawings(), seed=st.integers(0, 2**32 - 1))
@example(drawing=_drawn_over_one_another(), seed=3)
def test_how_streets_are_drawn_changes_no_junction(
    goiania: City, redraw: Callable[..., Drawing], drawing: Drawing, seed: int
) -> None:
    other = redraw(drawing, np.random.default_rng(seed))
    _same_junctions(_streets(drawing, goiania), _streets(other, goiania), lambda xy: xy)


def _turning_back_at_a_tip() -> Drawing:
    """At the tip of a wedge all has collapsed: whether streets overlap there must not hang on the walk."""
    places: list[tuple[float, float]] = [
        (0, 0), (40, 0), (80, 0), (120, 0), (0, 30), (40, 30), (80, 30), (120, 30),
        (0, 60), (40, 67), (80, 60), (120, 60),
    ]  # fmt: skip
    refs = [[1, 0], [10, 8], [2, 0], [2, 1], [3, 0], [9, 0], [9, 8], [3, 1], [3, 2], [10, 9]]
    right = [2.5, 9, *[2.5] * 8]
    return _drawing(places, refs, [{"highway": "residential"}] * 10, [2.5] * 10, right)


def _round_one_corner() -> Drawing:
    """A face begins and ends at one corner, and a street across covers one of its ends."""
    places: list[tuple[float, float]] = [
        (7, 0), (37, 7), (80.5, 7), (127, 0), (0.5, 30), (40, 30), (80, 30.5), (120, 30),
        (0, 60), (40.5, 60), (80, 67), (120, 67),
    ]  # fmt: skip
    refs = [[9, 2], [11, 6], [11, 2], [1, 0], [6, 1], [6, 0], [4, 0]]
    tags = [
        {"highway": "residential", "name": name, "oneway": oneway}
        for name, oneway in (
            ("Rua B", "no"), ("", "no"), ("", "-1"), ("Rua A", "no"), ("Rua B", "-1"), ("Rua A", "yes"),
            ("Rua A", "-1"),
        )
    ]  # fmt: skip
    return _drawing(places, refs, tags, [4, 2.5, 9, 9, 9, 2.5, 4], [4, 4, 9, 2.5, 4, 2.5, 4])


def _touching_itself() -> Drawing:
    """The walk round a T that has lost a corner touches itself: whether it crosses hung on rounding."""
    places: list[tuple[float, float]] = [
        (-3, 0), (40, 0), (80, -3), (117, 0), (0.5, 30), (40, 27), (77, 27), (120, 27),
        (0.5, 60), (40, 60), (77, 57), (127, 57),
    ]  # fmt: skip
    refs = [[10, 1], [1, 0], [9, 1], [7, 4], [9, 3], [7, 5]]
    left, right = [4, 2.5, 2.5, 4, 4, 4], [2.5, 4, 4, 2.5, 2.5, 4]
    return _drawing(places, refs, [{"highway": "residential"}] * 6, left, right)


@settings(max_examples=80, deadline=None)
@given(drawing=_drawings(), radians=st.floats(0, 6.3))
@example(drawing=_touching_itself(), radians=2.384517419299789)
@example(drawing=_slanting_into_a_wide_street(), radians=0.509765625)
def test_turning_and_mirroring_take_junctions_along(goiania: City, drawing: Drawing, radians: float) -> None:
    one = _streets(drawing, goiania)
    turn = _turn(radians)
    _same_junctions(one, _streets(moved(drawing, turn), goiania), turn)
    _same_junctions(one, _streets(mirrored(drawing), goiania), lambda xy: xy * [-1.0, 1.0])


def test_no_two_vertices_of_an_area_are_one_place(goiania: City) -> None:
    """Such a rim crosses itself as soon as its places are rounded or projected."""
    areas = _streets(_slanting_into_a_wide_street(), goiania).crossing_areas.geometry
    rims = [shapely.get_coordinates(ring) for ring in shapely.get_rings(areas)]
    assert len(rims) == 2
    assert min(np.hypot(*np.diff(rim, axis=0).T).min() for rim in rims) > MILLIMETRE / 10_000


@settings(max_examples=150, deadline=None)
@given(drawing=_drawings(), radians=st.floats(0, 6.3), east=st.floats(-1e6, 1e6))
@example(drawing=_turning_back_at_a_tip(), radians=0.0, east=0.0)
@example(drawing=_round_one_corner(), radians=0.0, east=0.0)
def test_turning_moving_and_mirroring_take_kerbs_along(
    goiania: City, set_distance: Callable[..., float], drawing: Drawing, radians: float, east: float
) -> None:
    kerbs, corners, kinds = _derived(drawing, goiania)
    shift = np.array([east, -east / 3])
    for other, place in (
        (moved(drawing, _turn(radians)), _turn(radians)),
        (moved(drawing, lambda xy: xy + shift), lambda xy: xy + shift),
        (mirrored(drawing), lambda xy: xy * [-1.0, 1.0]),
    ):
        found = _derived(other, goiania)
        assert set_distance(place(kerbs), found[0]) < MILLIMETRE
        assert set_distance(place(corners), found[1]) < MILLIMETRE
        assert kinds == found[2]


@pytest.mark.prove
@pytest.mark.parametrize("name", ["goiania-campus.osm.pbf", "anicuns-go.osm.pbf", "porto-alegre.osm.pbf"])
def test_real_streets_stay_where_they_are(shared_osm: Path, goiania: City, name: str) -> None:
    wide = goiania.bounds.model_copy(update={"west": -60.0, "east": -40.0, "south": -35.0, "north": -5.0})
    city = goiania.model_copy(update={"bounds": wide})
    ways = read_osm(shared_osm / name, city).ways
    rng = np.random.default_rng(20261130)
    left, right = (rng.choice([2.5, 3.0, 3.5, 4.0, 5.0], len(ways)) for _ in range(2))
    drawing = Drawing(ways, left, right)
    base = _derived(drawing, city)
    same: list[tuple[Drawing, Callable[[Any], Any]]] = [
        (redraw(drawing, rng), lambda xy: xy) for redraw in REDRAWN
    ]
    middle = ways.xy.mean(axis=0)
    turn = _turn(0.7)
    same += [
        (moved(drawing, lambda xy: turn(xy - middle)), lambda xy: turn(xy - middle)),
        (mirrored(drawing), lambda xy: xy * [-1.0, 1.0]),
    ]
    for other, place in same:
        found = _derived(other, city)
        for one, two in zip(base[:2], found[:2], strict=True):
            assert _furthest(place(one), two) < MILLIMETRE


def _furthest(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    gaps = []
    for a, b in ((one, two), (two, one)):
        tree = shapely.STRtree(np.asarray(shapely.points(b)))
        _, gap = tree.query_nearest(
            shapely.points(a), max_distance=5.0, return_distance=True, all_matches=False
        )
        assert len(gap) == len(a)
        gaps.append(gap.max())
    return float(max(gaps))
