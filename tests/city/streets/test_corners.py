"""Corners at junctions of every kind, against formulas and slow oracles of their own."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.streets.corners import CornerKind
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def _turned(points: list[tuple[float, float]], degrees: float) -> list[tuple[float, float]]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return [(c * x - s * y, s * x + c * y) for x, y in points]


@pytest.mark.parametrize("mirror", [1, -1])
@pytest.mark.parametrize("turned", [0.0, 37.0, 200.0])
@pytest.mark.parametrize("branch_deg", [20, 30, 45, 75, 90, 110, 140, 155])
@pytest.mark.parametrize(("main", "side"), [(8, 8), (12, 6), (6, 14)])
def test_corners_of_a_branch_at_any_angle(
    derive: Callable[..., Any], main: float, side: float, branch_deg: float, turned: float, mirror: int
) -> None:
    phi = np.radians(branch_deg)
    branch = [(0.0, 0.0), (300 * np.cos(phi), 300 * np.sin(phi) * mirror)]
    scene = derive(
        [
            (_turned([(-300, 0), (0, 0), (300, 0)], turned), {"width": str(main)}),
            (_turned(branch[::mirror], turned), {"width": str(side)}),
        ]
    )
    # The branch's kerbs are -x sin(phi) + y cos(phi) = -+ side/2, the main street's y = main/2.
    expected = sorted((main / 2 * np.cos(phi) + sign * side / 2) / np.sin(phi) for sign in (-1, 1))
    corners = scene.streets.corners
    found = np.array(_turned(corners.xy.tolist(), -turned))
    assert sorted(found[:, 0]) == pytest.approx(expected, abs=1e-6)
    assert found[:, 1] * mirror == pytest.approx(main / 2)
    order = np.argsort(found[:, 0])
    turns = [branch_deg, 180 - branch_deg]
    assert corners.turn_deg[order] == pytest.approx(turns)
    assert corners.kind[order].tolist() == [
        CornerKind.TAPER if turn < 25 else CornerKind.CORNER for turn in turns
    ]


def test_the_far_kerb_of_a_t_has_no_corner_and_one_mouth_is_on_the_near_one(
    derive: Callable[..., Any],
) -> None:
    scene = derive(
        [
            ([(-60, 0), (0, 0), (60, 0)], {"name": "Rua A"}),
            ([(0, 0), (0, 60)], {"name": "Rua B", "width": "6"}),
        ]
    )
    kerbs, mouths = scene.streets.kerbs, scene.streets.mouths
    far = scene.face_near(0, -4)
    assert scene.line(far).length == pytest.approx(120)
    assert len(mouths) == 1
    assert mouths.width_m[0] == pytest.approx(6)
    assert kerbs.street[mouths.face_from[0]] == kerbs.street[mouths.face_to[0]] == "Rua A"
    # Traffic north of the street runs west: the mouth is left behind at x = 3 and ends at x = -3.
    assert scene.streets.corners.xy[mouths.corner_from[0]].tolist() == pytest.approx([3, 4])
    assert scene.streets.corners.xy[mouths.corner_to[0]].tolist() == pytest.approx([-3, 4])
    assert kerbs.end_corner[mouths.face_from[0]] == mouths.corner_from[0]
    assert kerbs.start_corner[mouths.face_to[0]] == mouths.corner_to[0]


def test_a_cross_has_four_mouths(derive: Callable[..., Any]) -> None:
    scene = derive([([(-60, 0), (0, 0), (60, 0)], {}), ([(0, -60), (0, 0), (0, 60)], {"width": "20"})])
    assert sorted(scene.streets.mouths.width_m) == pytest.approx([8, 8, 20, 20])


def test_a_stub_that_ends_inside_the_carriageway_makes_no_corner(derive: Callable[..., Any]) -> None:
    main = ([(-60, 0), (0, 0), (60, 0)], {"width": "12"})
    assert len(derive([main, ([(0, 0), (0, 5)], {})]).streets.corners) == 0
    assert len(derive([main, ([(0, 0), (0, 9)], {})]).streets.corners) == 2


def test_three_like_arms_have_three_corners(derive: Callable[..., Any]) -> None:
    arms: list[Any] = [([(0, 0), tuple(_turned([(90, 0)], a)[0])], {}) for a in (10, 130, 250)]
    corners = derive(arms).streets.corners
    assert np.hypot(*corners.xy.T) == pytest.approx(np.full(3, 8 / np.sqrt(3)))


def test_a_street_that_forks_evenly_runs_on_into_both_branches(derive: Callable[..., Any]) -> None:
    stem, up, down = [(-90, 0), (0, 0)], _turned([(90, 0)], 25), _turned([(90, 0)], -25)
    scene = derive([(stem, {}), ([(0, 0), *up], {}), ([(0, 0), *down], {})])
    assert scene.streets.corners.xy[:, 1] == pytest.approx([0.0])
    named = derive([
        (stem, {"name": "Rua A"}), ([(0, 0), *up], {"name": "Rua A"}), ([(0, 0), *down], {"name": "Rua B"}),
    ])  # fmt: skip
    assert len(named.streets.corners) == 2, "where names tell which branch goes on, the other turns off"


@pytest.mark.parametrize("split", [0.5, 3.0, 7.0])
@pytest.mark.parametrize("reverse", [False, True])
def test_ways_split_beside_a_corner_change_nothing(
    derive: Callable[..., Any],
    set_distance: Callable[..., float],
    split: float,
    reverse: bool,  # noqa: FBT001
) -> None:
    cross = ([(0, -60), (0, 0), (0, 60)], {"width": "6"})
    whole = derive([([(-60, 0), (0, 0), (split, 0), (60, 0)], {}), cross])
    parts: list[Any] = [[(-60, 0), (0, 0)], [(0, 0), (split, 0)], [(split, 0), (60, 0)]]
    pieces: list[Any] = [(part[::-1] if reverse else part, {"maxspeed": "30"}) for part in parts]
    apart = derive([*pieces, cross])
    assert set_distance(whole.streets.corners.xy, apart.streets.corners.xy) < 1e-9
    assert set_distance(whole.streets.kerbs.xy, apart.streets.kerbs.xy) < 1e-9


def test_a_loop_that_meets_itself_is_a_junction_however_it_is_drawn(
    derive: Callable[..., Any], set_distance: Callable[..., float]
) -> None:
    loop = [(-60, 0), (0, 0), (40, 0), (40, 30), (0, 30), (0, 0)]
    base = derive([(loop, {"width": "6"})]).streets.corners.xy
    assert [-3, 3] in base.round(6).tolist()
    assert len(base) == 2, "west and inside; the street runs on south of the node"
    for lines in ([(loop[::-1], {"width": "6"})], [(loop[:2], {"width": "6"}), (loop[1:], {"width": "6"})]):
        assert set_distance(base, derive(lines).streets.corners.xy) < 1e-9


def test_corners_of_a_roundabout_lie_outside_it(derive: Callable[..., Any]) -> None:
    angle = np.radians(np.arange(0, 360, 15))
    ring = [(round(16 * np.cos(a), 9), round(16 * np.sin(a), 9)) for a in angle]
    arms = [([ring[k], (5 * ring[k][0], 5 * ring[k][1])], {"width": "7"}) for k in (0, 6, 12, 18)]
    scene = derive([([*ring, ring[0]], {"junction": "roundabout", "width": "6"}), *arms])
    corners, kerbs = scene.streets.corners, scene.streets.kerbs
    assert len(corners) == 8
    assert np.all(np.hypot(*corners.xy.T) > 18.5)
    islands = [k for k in range(len(kerbs)) if kerbs.start_kind[k] == EndKind.NONE]
    assert len(islands) == 1
    assert np.hypot(*shapely.get_coordinates(scene.line(islands[0])).T) == pytest.approx(13, abs=0.2)


def test_the_island_of_a_coarse_roundabout_has_no_corner_whatever_street_runs_along_it(
    derive: Callable[..., Any],
) -> None:
    """Two streets run straight on from a side of the octagon, so that they fit it better than it itself."""
    angle = np.radians(np.arange(22.5, 360, 45))
    ring = [(16 * np.cos(a), 16 * np.sin(a)) for a in angle]
    arms: list[Any] = [
        ([ring[7], (ring[7][0], -80.0)], {"width": "7"}),
        ([ring[2], (-80.0, ring[2][1])], {"width": "7"}),
    ]
    around = ([*ring, ring[0]], {"junction": "roundabout", "width": "6"})
    scene = derive([around, *arms])
    kerbs = scene.streets.kerbs
    island = scene.face_near(8, 8)
    assert kerbs.start_kind[island] == EndKind.NONE
    assert scene.line(island).length == pytest.approx(16 * np.tan(np.pi / 8) * (16 * np.cos(np.pi / 8) - 3))
    assert np.all(np.hypot(*scene.streets.corners.xy.T) > 16)
    plain = derive([(around[0], {"width": "6"}), *arms])
    inside = np.hypot(*plain.streets.corners.xy.T) < 16
    assert inside.any(), "the tag tells it from streets that happen to lie in a ring"


def test_a_bridge_meets_nothing_below(derive: Callable[..., Any]) -> None:
    below: Any = ([(-60, 0), (0, 0), (60, 0)], {})
    assert len(derive([below, ([(0, -60), (0, 0), (0, 60)], {"layer": "1"})]).streets.corners) == 0
    assert len(derive([below, ([(0, -60), (0, 0), (0, 60)], {"bridge": "yes"})]).streets.corners) == 0


def test_corners_tie_their_two_faces(derive: Callable[..., Any]) -> None:
    scene = derive([([(-60, 0), (0, 0), (60, 0)], {}), ([(0, -60), (0, 0), (0, 60)], {})])
    corners, kerbs = scene.streets.corners, scene.streets.kerbs
    for row, (before, after) in enumerate(zip(corners.face_before, corners.face_after, strict=True)):
        for face in (before, after):
            at_end = int(kerbs.end_corner[face] == row)
            assert at_end + (kerbs.start_corner[face] == row) == 1
            vertex = kerbs.xy[kerbs.start[face + 1] - 1 if at_end else kerbs.start[face]]
            assert vertex.tolist() == pytest.approx(corners.xy[row].tolist())


class Strip:
    """A straight street through the scene."""

    def __init__(self, at: float, slope: float, half: float, *, upright: bool) -> None:
        self.half = half
        ends = np.array([[-200.0, at - 200 * slope], [200.0, at + 200 * slope]])
        self.ends = ends[:, ::-1] if upright else ends
        along = self.ends[1] - self.ends[0]
        self.unit = along / np.hypot(*along)
        self.normal = np.array([self.unit[1], -self.unit[0]])

    def meet(self, other: Strip, own: float, its: float) -> NDArray[np.float64]:
        """Return where its line, shifted, meets another's."""
        rows = np.array([self.normal, other.normal])
        return np.linalg.solve(rows, [self.normal @ self.ends[0] + own, other.normal @ other.ends[0] + its])


@st.composite
def _strips(draw: st.DrawFn) -> tuple[list[Strip], list[Strip]]:
    def some(*, upright: bool) -> list[Strip]:
        return [
            Strip(
                at + draw(st.floats(-8, 8)),
                draw(st.floats(-0.12, 0.12)),
                draw(st.floats(2, 8)),
                upright=upright,
            )
            for at in (-90, 0, 90)
        ]

    return some(upright=False), some(upright=True)


@settings(max_examples=60, deadline=None)
@given(strips=_strips())
def test_all_corners_of_a_quarter_against_the_union_of_carriageways(
    derive: Callable[..., Any], strips: tuple[list[Strip], list[Strip]]
) -> None:
    """Corners are where offset lines of two streets meet, and there the joint carriageway has its border."""
    rows, columns = strips
    lines = []
    for strip, others in [(s, columns) for s in rows] + [(s, rows) for s in columns]:
        nodes = sorted(
            (tuple((strip.meet(o, 0, 0) if strip in rows else o.meet(strip, 0, 0)).tolist()) for o in others),
            key=lambda p: float(np.dot(p, strip.unit)),
        )
        lines.append(([tuple(strip.ends[0]), *nodes, tuple(strip.ends[1])], {"width": str(2 * strip.half)}))
    corners = derive(lines).streets.corners
    expected = np.array(
        [
            row.meet(column, i * row.half, j * column.half)
            for row, column in product(rows, columns)
            for i, j in product((-1, 1), repeat=2)
        ]
    )
    assert len(corners) == 36
    gaps = np.hypot(*(corners.xy[:, None] - expected[None]).transpose(2, 0, 1))
    assert gaps.min(axis=0).max() < 1e-6
    area = shapely.union_all(
        [shapely.buffer(shapely.LineString(s.ends), s.half, cap_style="flat") for s in rows + columns]
    )
    assert shapely.distance(area.boundary, shapely.points(corners.xy)).max() < 1e-6
