"""Block faces: where they lie, how they are directed, where and why they end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.streets.derive import derive_streets
from geocheck.city.streets.kerbs import LEFT, RIGHT
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.cities import City

CROSS = [
    ([(-60, 0), (0, 0), (60, 0)], {"name": "Rua A", "width": "8"}),
    ([(0, -60), (0, 0), (0, 60)], {"name": "Rua B", "width": "6"}),
]


def _ends(scene: Any, x: float, y: float) -> tuple[EndKind, EndKind]:  # noqa: ANN401
    face = scene.face_near(x, y)
    kerbs = scene.streets.kerbs
    return EndKind(kerbs.start_kind[face]), EndKind(kerbs.end_kind[face])


def _runs_to(scene: Any, x: float, y: float) -> tuple[float, float]:  # noqa: ANN401
    """Return the direction of a face as its last less its first vertex."""
    coords = shapely.get_coordinates(scene.line(scene.face_near(x, y)))
    step = coords[-1] - coords[0]
    return tuple(np.round(step / np.hypot(*step), 6).tolist())


def test_a_cross_has_eight_faces(derive: Callable[..., Any]) -> None:
    scene = derive(CROSS)
    kerbs = scene.streets.kerbs
    assert len(kerbs) == 8
    lines = sorted(shapely.get_coordinates(scene.line(k)).round(6).tolist() for k in range(8))
    assert [[3.0, 4.0], [3.0, 60.0]] in lines or [[3.0, 60.0], [3.0, 4.0]] in lines
    assert [[60.0, 4.0], [3.0, 4.0]] in lines, "north of Rua A traffic runs west"
    assert [[3.0, -4.0], [60.0, -4.0]] in lines, "south of it east"
    assert sorted(kerbs.street) == ["Rua A"] * 4 + ["Rua B"] * 4


@pytest.mark.parametrize("reverse", [False, True])
def test_sides_are_those_of_the_drawn_way(derive: Callable[..., Any], reverse: bool) -> None:  # noqa: FBT001
    points = [(-60, 0), (60, 0)]
    scene = derive([(points[::-1] if reverse else points, {})])
    south = scene.face_near(0, -4)
    assert scene.streets.kerbs.side[south] == (LEFT if reverse else RIGHT)
    assert _runs_to(scene, 0, -4) == (1, 0)
    assert _runs_to(scene, 0, 4) == (-1, 0)


@pytest.mark.parametrize(("oneway", "towards"), [("yes", 1), ("-1", -1)])
def test_both_kerbs_of_a_one_way_street_run_with_its_traffic(
    derive: Callable[..., Any], oneway: str, towards: int
) -> None:
    scene = derive([([(-60, 0), (60, 0)], {"oneway": oneway})])
    assert _runs_to(scene, 0, -4) == _runs_to(scene, 0, 4) == (towards, 0)
    kerbs = scene.streets.kerbs
    inner = scene.face_near(0, 4 * towards)
    assert kerbs.segment_inner[kerbs.segment_start[inner]], "the left of the traffic may be a median"
    assert np.count_nonzero(kerbs.segment_inner) == 1


def test_where_people_drive_on_the_left_all_turns_round(
    drawn: Callable[..., Any], half_widths: Callable[..., Any], derive: Callable[..., Any], goiania: City
) -> None:
    ways = drawn(CROSS)
    left = derive_streets(ways, half_widths(ways), goiania.model_copy(update={"driving_side": "left"}))
    right = derive(CROSS).streets
    one = sorted(
        left.kerbs.xy[s:e].tolist() for s, e in zip(left.kerbs.start, left.kerbs.start[1:], strict=False)
    )
    two = sorted(
        right.kerbs.xy[s:e][::-1].tolist()
        for s, e in zip(right.kerbs.start, right.kerbs.start[1:], strict=False)
    )
    assert one == two


def test_unequal_half_widths_lie_on_their_side(
    drawn: Callable[..., Any], derive: Callable[..., Any], goiania: City
) -> None:
    del derive
    from geocheck.city.streets.derive import HalfWidths  # noqa: PLC0415

    ways = drawn([([(0, 0), (50, 0)], {})])
    streets = derive_streets(ways, HalfWidths(np.array([3.0]), np.array([5.0])), goiania)
    assert sorted(streets.kerbs.xy[:, 1].tolist()) == [-5, -5, 3, 3]
    assert set(streets.kerbs.segment_half_m.tolist()) == {3.0, 5.0}


def test_a_change_of_width_along_a_street_is_a_step(derive: Callable[..., Any]) -> None:
    scene = derive([([(-50, 0), (0, 0)], {"width": "6"}), ([(0, 0), (50, 0)], {"width": "10"})])
    kerbs = scene.streets.kerbs
    assert len(kerbs) == 2
    line = scene.line(scene.face_near(-20, -3))
    assert shapely.get_coordinates(line).tolist() == [[-50, -3], [0, -3], [0, -5], [50, -5]]
    assert np.count_nonzero(kerbs.segment_step) == 2


@pytest.mark.parametrize("widths", [(6, 18), (18, 6)])
@pytest.mark.parametrize("bend_deg", [5, 29])
def test_inside_a_bend_a_step_is_no_hook(
    derive: Callable[..., Any], widths: tuple[int, int], bend_deg: int
) -> None:
    """Each kerb turns at the line that halves the bend, as if its width went on: nothing runs back."""
    bend = np.radians(bend_deg)
    along = np.array([np.cos(bend), np.sin(bend)])
    scene = derive(
        [
            ([(-80, 0), (0, 0)], {"width": str(widths[0])}),
            ([(0, 0), tuple((80 * along).tolist())], {"width": str(widths[1])}),
        ]
    )
    half = np.array(widths) / 2
    line = shapely.get_coordinates(scene.line(scene.face_near(-60, half[0])))
    there = line if line[0, 0] < line[-1, 0] else line[::-1]
    inside = there[1:3]
    halving = np.array([-np.sin(bend / 2), np.cos(bend / 2)])
    assert inside == pytest.approx(half[:, None] / np.cos(bend / 2) * halving, abs=1e-9)
    runs = np.diff(there, axis=0) @ np.array([np.cos(bend / 2), np.sin(bend / 2)])
    assert runs.min() > -1e-9
    outer = shapely.get_coordinates(scene.line(scene.face_near(-60, -half[0])))
    right = np.array([along[1], -along[0]])
    for place in (np.array([0.0, -half[0]]), half[1] * right):
        assert np.hypot(*(outer - place).T).min() < 1e-9, "outside it steps straight across from the node"


def test_a_cul_de_sac_ends_and_a_cut_street_is_not_known_to(derive: Callable[..., Any], drawn: Any) -> None:  # noqa: ANN401
    ways = drawn([([(-60, 0), (60, 0)], {})], shapely.box(-60.5, -50, 90, 50))
    scene = derive(ways, edge_m=1.0)
    assert _ends(scene, 0, -4) == (EndKind.CUT, EndKind.DEAD_END)
    assert _ends(scene, 0, 4) == (EndKind.DEAD_END, EndKind.CUT)


def test_an_arm_that_is_missing_makes_both_kerbs_unknown(derive: Callable[..., Any], drawn: Any) -> None:  # noqa: ANN401
    ways = drawn([([(-60, 0), (0, 0), (60, 0)], {}), ([(0, 0), None], {})], shapely.box(-99, -99, 99, 99))
    scene = derive(ways, edge_m=1.0)
    assert _ends(scene, -30, -4) == (EndKind.DEAD_END, EndKind.CUT)
    assert _ends(scene, -30, 4) == (EndKind.CUT, EndKind.DEAD_END)
    assert scene.streets.corners.unknown.tolist() == [True, True]


@pytest.mark.parametrize("name", ["Rua B", "Rua A"])
def test_a_sharp_bend_ends_a_face_only_where_the_name_changes(derive: Callable[..., Any], name: str) -> None:
    scene = derive([([(-60, 0), (0, 0)], {"name": "Rua A"}), ([(0, 0), (0, 60)], {"name": name})])
    other = name != "Rua A"
    assert len(scene.streets.kerbs) == (4 if other else 2)
    assert (EndKind.BEND_WITH_OTHER_NAME in _ends(scene, -40, -4)) == other
    assert len(scene.streets.corners) == (2 if other else 0)


def test_the_inner_kerb_of_a_hairpin_is_as_short_as_it_can_be(derive: Callable[..., Any]) -> None:
    scene = derive([([(0, 0), (60, 0), (60, 12), (0, 12)], {"width": "7"})])
    inner = scene.line(scene.face_near(0, 3.5))
    assert sorted(shapely.get_coordinates(inner).round(6).tolist()) == [
        [0, 3.5], [0, 8.5], [56.5, 3.5], [56.5, 8.5],
    ]  # fmt: skip


@pytest.mark.parametrize("turn_deg", [-60, -20, 20, 60])
def test_a_link_shorter_than_the_offset_collapses(derive: Callable[..., Any], turn_deg: float) -> None:
    """Two bends a metre apart; the kerb on the inside must run straight from one street to the other."""
    turn = np.radians(turn_deg)
    middle = np.array([np.cos(turn / 2), np.sin(turn / 2)])
    far = middle + 60 * np.array([np.cos(turn), np.sin(turn)])
    scene = derive([([(-60, 0), (0, 0), tuple(middle), tuple(far)], {"width": "16"})])
    inside = scene.line(scene.face_near(-50, 8 * np.sign(turn_deg)))
    axis = shapely.LineString([(-60, 0), (0, 0), middle, far])
    assert inside.is_simple
    gaps = [axis.distance(shapely.Point(p)) for p in shapely.get_coordinates(inside)]
    assert min(gaps) == pytest.approx(8, abs=0.01)


def test_of_two_links_only_the_one_that_must_collapses(derive: Callable[..., Any]) -> None:
    """A turn of 90 degrees in three bends: the kerb 6 m inside touches the offset of each link."""
    points = [(-60.0, 0.0), (0.0, 0.0), (1.0, 0.3), (5.2, 4.5), (5.2, 60.0)]
    scene = derive([(points, {"width": "12"})])
    inside = scene.line(scene.face_near(-50, 6))
    axis = shapely.LineString(points)
    gaps = [axis.distance(shapely.Point(p)) for p in shapely.get_coordinates(shapely.segmentize(inside, 0.5))]
    assert min(gaps) == pytest.approx(6, abs=1e-6)
    assert max(gaps) < 6.6


@pytest.mark.parametrize(
    "links",
    [
        [(1.1, -0.9), (1.8, -0.4), (60.9, 10.0)],
        [(0.7, -0.3), (5.2, -0.3), (5.4, 0.3), (44.0, 46.3)],
        [(0.5, -0.4), (5.0, 1.2), (5.8, 5.6), (3.7, 7.3), (14.1, 66.4)],
        [(1.0, 3.6), (1.7, 3.8), (1.7, 5.1), (27.1, 59.5)],
        [(3.0, -1.4), (3.6, -0.6), (3.0, 1.0), (-49.0, 31.0)],
    ],
    ids=["not all at once", "not the last", "not the most backwards", "not the shortest axis", "both sides"],
)
@pytest.mark.parametrize("mirror", [1, -1])
def test_short_links_collapse_in_the_order_in_which_they_vanish(
    derive: Callable[..., Any], links: list[tuple[float, float]], mirror: int
) -> None:
    """Against the offset of the whole line by another program, with bends to either side."""
    points = [(x, y * mirror) for x, y in [(-60.0, 0.0), (0.0, 0.0), *links]]
    scene = derive([(points, {"width": "12"})])
    kerb = scene.line(scene.face_near(-50, 6 * mirror))
    axis = shapely.LineString(points)
    expected = shapely.offset_curve(axis, 6 * mirror, join_style="mitre", mitre_limit=20)
    assert shapely.hausdorff_distance(kerb, expected) < 1e-6


def test_no_kerb_is_left_of_a_face_that_collapses(derive: Callable[..., Any]) -> None:
    """A thin triangle of streets of unequal width vanishes side by side; the last side bounds nothing."""
    scene = derive(
        [
            ([(40, 0), (0, 0)], {"width": "5"}),
            ([(77, 7), (0, 0)], {"width": "5"}),
            ([(77, 7), (40, 0)], {"width": "8"}),
            ([(77, 7), (120, 0)], {"width": "5"}),
        ]
    )
    assert scene.streets.counts.collapsed == 3
    assert scene.streets.counts.covered_m < 37, "a side left over would lie on asphalt; the shortest has 37 m"


def test_kerbs_of_a_ring_have_no_end(derive: Callable[..., Any], drawn: Any) -> None:  # noqa: ANN401
    angle = np.linspace(0, 2 * np.pi, 17)[:-1]
    ring = [(20 * np.cos(a), 20 * np.sin(a)) for a in angle]
    scene = derive(drawn([([*ring, ring[0]], {"junction": "roundabout", "width": "6"})]))
    kerbs = scene.streets.kerbs
    assert len(kerbs) == 2
    assert np.all(kerbs.start_kind == EndKind.NONE)
    lengths = sorted(scene.line(k).length for k in range(2))
    apothem = 20 * np.cos(np.pi / 16)
    assert lengths == pytest.approx([32 * np.tan(np.pi / 16) * (apothem + w) for w in (-3, 3)])
    for k in range(2):
        assert shapely.LinearRing(scene.line(k)).is_ccw, "traffic runs as the roundabout is drawn"


def test_a_ring_narrower_than_its_street_has_no_inner_kerb(derive: Callable[..., Any], drawn: Any) -> None:  # noqa: ANN401
    angle = np.linspace(0, 2 * np.pi, 13)[:-1]
    ring = [(3 * np.cos(a), 3 * np.sin(a)) for a in angle]
    scene = derive(drawn([([*ring, ring[0]], {"width": "8"})]))
    assert len(scene.streets.kerbs) == 1


def test_flow_of_each_piece_is_kept_where_a_street_becomes_one_way(derive: Callable[..., Any]) -> None:
    scene = derive([([(-60, 0), (0, 0)], {}), ([(0, 0), (20, 0)], {"oneway": "yes"})])
    north = scene.face_near(-30, 4)
    kerbs = scene.streets.kerbs
    assert _runs_to(scene, -30, 4) == (-1, 0)
    flow = kerbs.segment_flow[kerbs.segment_start[north] : kerbs.segment_start[north + 1]]
    assert flow.tolist() == [-1, 1], "from east to west: first the one-way piece, whose traffic runs east"


def test_no_street_gives_no_kerb(derive: Callable[..., Any]) -> None:
    scene = derive([([(0, 0), (9, 0)], {"highway": "footway"})])
    assert (len(scene.streets.kerbs), len(scene.streets.corners), len(scene.streets.mouths)) == (0, 0, 0)
