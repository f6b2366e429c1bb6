"""Surveyed kerbs alone: corners are where straight kerbs, prolonged, meet; what cannot be told is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.streets.corners import CornerKind
from geocheck.city.streets.kerbs import LEFT, RIGHT
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from collections.abc import Callable

ORIGIN = np.array([686_000.0, 8_157_000.0])
SQUARE = [(0.0, 0.0), (0.0, 60.0), (100.0, 0.0), (100.0, 60.0)]
RING = [(0, 0), (0, 60), (100, 60), (100, 0), (0, 0)]


def test_a_block_with_rounded_corners(
    faces: Callable[..., Any], corners: Callable[..., Any], block: Callable[..., Any]
) -> None:
    """Four quarter circles of 6 m: the kerbs meet in the corners of the rectangle, 6 m from the curves."""
    found = faces([block(100, 60, 6)])
    assert corners(found) == SQUARE
    assert found.corner_kind.tolist() == [CornerKind.CORNER] * 4
    assert np.allclose(found.turn_deg, 90)
    assert np.allclose(found.before_m, 6, atol=1e-6)
    assert np.allclose(found.after_m, 6, atol=1e-6)
    assert sorted(shapely.length(found.lines).round(6)) == [60, 60, 100, 100]
    assert found.block_known.all()
    assert not found.island.any()


def test_the_block_is_on_the_right_of_its_faces(faces: Callable[..., Any], block: Callable[..., Any]) -> None:
    found = faces([block(100, 60, 6)[::-1]])
    ring = shapely.union_all(found.lines)
    centre = shapely.Point(*shapely.centroid(ring).coords[0])
    for line in found.lines:
        (x0, y0), (x1, y1) = line.coords[0], line.coords[-1]
        assert (x1 - x0) * (centre.y - y0) - (y1 - y0) * (centre.x - x0) < 0
    # Round the block, each face ends at the corner where the next begins.
    assert [found.end_corner[face] for face in found.face_before] == [0, 1, 2, 3]
    assert [found.start_corner[face] for face in found.face_after] == [0, 1, 2, 3]


def test_a_chamfer_is_a_corner_too(faces: Callable[..., Any], corners: Callable[..., Any]) -> None:
    """Legs of 3 m and 4 m cut off the corner (50, 0)."""
    found = faces([[(0, 0), (47, 0), (50, 4), (50, 40)]])
    assert corners(found) == [(50, 0)]
    # Walked with the block on the right, the line comes from (50, 40).
    assert (found.before_m[0], found.after_m[0]) == pytest.approx((4, 3))
    assert sorted(shapely.length(found.lines).round(6)) == [40, 50]


def test_where_a_line_ends_nothing_is_known(faces: Callable[..., Any]) -> None:
    found = faces([[(0, 0), (50, 0)], [(50, 0), (50, 40)]])
    ends = sorted([*found.start_kind.tolist(), *found.end_kind.tolist()])
    assert ends == sorted([EndKind.CORNER, EndKind.CORNER, EndKind.CUT, EndKind.CUT])
    assert found.block_guessed.all()


def test_a_straight_line_has_no_side(faces: Callable[..., Any]) -> None:
    found = faces([[(0, 0), (50, 0)]])
    assert not found.block_known.any()
    assert not found.block_guessed.any()
    assert len(found.corner_xy) == 0


def test_three_lines_that_meet_are_not_joined(faces: Callable[..., Any]) -> None:
    found = faces([[(0, 0), (50, 0)], [(50, 0), (50, 40)], [(50, 0), (90, 0)]])
    assert len(found.lines) == 3
    assert len(found.corner_xy) == 0


@pytest.mark.parametrize(
    "line",
    [
        pytest.param([(0, 0), (30, 0), (30, 2.5), (50, 2.5), (50, 0), (90, 0)], id="recess"),
        pytest.param([(0, 0), (30, 0), (32, 2), (50, 2), (52, 0), (90, 0)], id="recess with tapers"),
        pytest.param([(0, 0), (40, 0), (40, 3), (0, 3)], id="square nose of a median"),
        pytest.param(
            [(0, 0), (40, 0), (41.06, 0.44), (41.5, 1.5), (41.06, 2.56), (40, 3), (0, 3)], id="nose"
        ),
        pytest.param(
            [(30 * np.sin(a), 30 - 30 * np.cos(a)) for a in np.linspace(0, 1.6, 40)], id="bend of 30 m"
        ),
    ],
)
def test_what_is_no_corner(faces: Callable[..., Any], line: list[Any]) -> None:
    found = faces([line])
    assert len(found.corner_xy) == 0
    assert len(found.lines) == 1


def test_an_outer_bend_of_a_ring_is_no_corner(faces: Callable[..., Any], corners: Callable[..., Any]) -> None:
    """An L-shaped block: five corners, and the inner one, round which the street bends, is none."""
    ring = [(0, 0), (80, 0), (80, 40), (40, 40), (40, 80), (0, 80), (0, 0)]
    found = faces([ring])
    assert corners(found) == sorted((float(x), float(y)) for x, y in ring[:-1] if (x, y) != (40, 40))
    assert found.outer == 1


def test_a_declared_side_tells_an_outer_bend(faces: Callable[..., Any]) -> None:
    """The line turns left; with the carriageway on its left the block is outside of the turn."""
    line = [(0, 0), (50, 0), (50, 40)]
    assert len(faces([line], carriageway=[LEFT]).corner_xy) == 0
    assert len(faces([line], carriageway=[RIGHT]).corner_xy) == 1
    # Drawn the other way it is the other side.
    assert len(faces([line[::-1]], carriageway=[RIGHT]).corner_xy) == 0


def test_a_street_that_bends_has_no_sure_corner(faces: Callable[..., Any]) -> None:
    line = [[(0, 0), (50, 0)], [(50, 0), (50, 40)]]
    assert faces(line, street=["Rua A", "Rua B"]).corner_kind.tolist() == [CornerKind.CORNER]
    assert faces(line, street=["Rua A", "Rua A"]).corner_kind.tolist() == [CornerKind.ELBOW]


def test_two_kerbs_of_a_bend_are_no_sure_corners(faces: Callable[..., Any]) -> None:
    """An L of 8 m width, nothing declared: the outer kerb might turn round a block."""
    outer, inner = [(0, 0), (50, 0), (50, 60)], [(0, 8), (42, 8), (42, 60)]
    kinds = dict(
        zip(
            [tuple(xy) for xy in faces([outer, inner]).corner_xy - (686_000, 8_157_000)],
            faces([outer, inner]).corner_kind,
            strict=True,
        )
    )
    assert kinds[50.0, 0.0] == CornerKind.ELBOW


def test_a_turn_between_stubs_has_a_corner_nobody_can_place(faces: Callable[..., Any]) -> None:
    found = faces([[(49.5, 0), (50, 0), (50, 40)]])
    assert found.corner_kind.tolist() == [CornerKind.UNKNOWN]
    assert EndKind.CORNER not in [*found.start_kind.tolist(), *found.end_kind.tolist()]


def test_names_are_those_of_the_greater_part(faces: Callable[..., Any]) -> None:
    found = faces([[(0, 0), (10, 0)], [(10, 0), (50, 0)], [(50, 0), (50, 40)]], street=["", "Rua A", "Rua B"])
    assert sorted(found.street) == ["Rua A", "Rua B"]


def test_a_noisy_survey(faces: Callable[..., Any], block: Callable[..., Any]) -> None:
    """Vertices every metre with 2 cm of noise: corners within 10 cm, curves within 1.5 m."""
    ring = shapely.segmentize(shapely.LineString(block(100, 60, 6)), 1.0)
    xy = shapely.get_coordinates(ring)
    xy = xy + np.random.default_rng(7).uniform(-0.02, 0.02, xy.shape)
    xy[-1] = xy[0]
    found = faces([xy])
    assert len(found.corner_xy) == 4
    gaps = np.hypot(*(found.corner_xy[:, None] - (np.array(SQUARE) + ORIGIN)).transpose(2, 0, 1))
    assert gaps.min(axis=1).max() < 0.1
    assert np.abs(found.before_m - 6).max() < 1.5


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    angle=st.floats(0, 360),
    radius=st.sampled_from([0.0, 3.0, 6.0, 12.0]),
)
def test_how_it_was_drawn_does_not_matter(
    faces: Callable[..., Any], block: Callable[..., Any], seed: int, angle: float, radius: float
) -> None:
    """Turned, cut into pieces, shuffled and reversed, the kerbs of three blocks have the same corners."""
    rng = np.random.default_rng(seed)
    ring = block(100, 60, radius) if radius else RING
    turn = np.radians(angle)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    lines, expected = [], []
    for shift in ((0, 0), (120, 0), (0, 80)):
        xy = (np.array(ring) + shift) @ spin.T
        cuts = np.sort(rng.choice(np.arange(1, len(xy) - 1), 2, replace=False))
        lines += [xy[: cuts[0] + 1], xy[cuts[0] : cuts[1] + 1], xy[cuts[1] :]]
        expected.append((np.array(SQUARE) + shift) @ spin.T)
    lines = [lines[i][:: rng.choice([-1, 1])] for i in rng.permutation(len(lines))]
    found = faces(lines)
    place = np.concatenate(expected) + ORIGIN
    gaps = np.hypot(*(found.corner_xy[:, None] - place).transpose(2, 0, 1))
    assert len(found.corner_xy) == 12
    assert gaps.min(axis=1).max() < 1e-3
    assert np.allclose(found.before_m, radius, atol=1e-3)
    assert np.allclose(sorted(shapely.length(found.lines)), [60] * 6 + [100] * 6, atol=1e-3)
