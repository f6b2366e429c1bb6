"""Axes that meet get a common vertex; axes that do not are left alone."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.network.noding import NodedLines, node_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Line = list[tuple[float, float]]


def node(lines: Sequence[Line]) -> NodedLines:
    return node_lines(np.array([shapely.LineString(line) for line in lines], object))


def drawn(found: NodedLines) -> list[Line]:
    return [[(float(x), float(y)) for x, y in line.coords] for line in found.lines()]


def meet_at(found: NodedLines) -> dict[tuple[float, float], int]:
    """Return the vertices that several lines have, and how many have them."""
    count: dict[tuple[float, float], int] = {}
    for line in drawn(found):
        for place in set(line):
            count[place] = count.get(place, 0) + 1
    return {place: lines for place, lines in count.items() if lines > 1}


def done(found: NodedLines) -> dict[str, int]:
    names = ("ends_joined", "ends_on_lines", "overshoots", "crossings_joined", "crossings_left", "crowded")
    return {name: getattr(found, name) for name in names if getattr(found, name)}


SPLIT: list[Line] = [
    line
    for y in np.arange(1000.0, 2200.0, 100.0).tolist()
    for line in ([(0.0, y), (50.0, y)], [(50.0, y), (90.0, y), (90.0, y + 40)], [(50.0, y), (50.0, y + 30)])
]
"""Streets far away that are split at their twelve junctions."""


def test_lines_that_meet_exactly_stay_as_they_are() -> None:
    found = node(SPLIT)
    assert drawn(found) == SPLIT
    assert done(found) == {}


def test_ends_near_each_other_meet_where_most_lines_end() -> None:
    found = node(
        [[(0, 0), (50, 0)], [(50.3, 0.2), (100, 0)], [(50.3, 0.2), (50, 60)], [(50.7, 0), (60, -50)]]
    )
    assert meet_at(found) == {(50.3, 0.2): 4}
    assert done(found) == {"ends_joined": 2}


@pytest.mark.parametrize("gap", [0.51, 0.8, 3.0])
def test_ends_farther_apart_do_not(gap: float) -> None:
    found = node([[(0, 0), (50, 0)], [(50 + gap, 0), (100, 0)]])
    assert meet_at(found) == {}
    assert done(found) == {}


def test_a_line_of_tiny_pieces_is_not_drawn_together() -> None:
    """An arc exploded into pieces of 20 cm: every end is within reach of the next but one."""
    x = np.arange(0, 10, 0.2).round(1).tolist()
    pieces: list[Line] = [[(a, 0.0), (b, 0.0)] for a, b in pairwise(x)]
    found = node(pieces)
    assert drawn(found) == pieces
    assert done(found) == {"crowded": 1}


@pytest.mark.parametrize("miss", [-0.4, 0.0, 0.4])
def test_an_end_on_a_line_becomes_its_vertex_and_the_line_stays_straight(miss: float) -> None:
    found = node([[(0, 0), (100, 0)], [(30, miss), (30, 50)]])
    assert drawn(found) == [[(0, 0), (30, 0), (100, 0)], [(30, 0), (30, 50)]]
    assert done(found) == {"ends_on_lines": 1}


def test_an_end_near_a_vertex_goes_there() -> None:
    found = node([[(0, 0), (30.3, 0), (100, 10)], [(30, 0.2), (30, 50)]])
    assert drawn(found)[0] == [(0, 0), (30.3, 0), (100, 10)]
    assert meet_at(found) == {(30.3, 0): 2}


def test_what_sticks_out_beyond_a_crossing_goes() -> None:
    found = node([*SPLIT, [(0, 0), (100, 0)], [(30, -2), (30, 50)]])
    assert drawn(found)[-2:] == [[(0, 0), (30, 0), (100, 0)], [(30, 0), (30, 50)]]
    assert done(found) == {"overshoots": 1}


def test_a_short_street_beyond_a_crossing_stays() -> None:
    """Another line goes on from where the first ends."""
    found = node([*SPLIT, [(0, 0), (100, 0)], [(30, -2), (30, 50)], [(30, -2), (60, -40)]])
    assert drawn(found)[-2] == [(30, -2), (30, 0), (30, 50)]
    assert meet_at(found)[30, 0] == 2


def test_a_crossing_without_a_vertex_is_a_viaduct_where_lines_are_split() -> None:
    found = node([*SPLIT, [(0, 0), (100, 0)], [(30, -40), (30, 50)]])
    assert drawn(found)[-2:] == [[(0, 0), (100, 0)], [(30, -40), (30, 50)]]
    assert done(found) == {"crossings_left": 1}


def test_a_crossing_without_a_vertex_is_a_junction_where_lines_never_are() -> None:
    found = node([[(0, 0), (100, 0)], [(30, -40), (30, 50)], [(70, -40), (70, 50)]])
    assert meet_at(found) == {(30, 0): 2, (70, 0): 2}
    assert done(found) == {"crossings_joined": 2}


def test_a_common_vertex_is_a_junction_and_counted() -> None:
    found = node([*SPLIT, [(0, 0), (30, 0), (100, 0)], [(30, -40), (30, 0), (30, 50)]])
    assert meet_at(found)[30, 0] == 2
    assert found.undivided == 1
    assert done(found) == {}


def test_a_line_drawn_twice_is_no_junction() -> None:
    found = node([[(0, 0), (30, 0), (100, 0)], [(100, 0), (30, 0), (0, 0)]])
    assert found.undivided == 0
    assert done(found) == {}


def test_lines_that_cross_twice_and_share_a_vertex() -> None:
    found = node([[(0, 0), (100, 0)], [(20, -40), (20, 40), (80, 40), (80, -40)]])
    assert meet_at(found) == {(20, 0): 2, (80, 0): 2}
    assert drawn(found)[0] == [(0, 0), (20, 0), (80, 0), (100, 0)]


COUNT = 4
SIDE_M = 100.0
slips = st.lists(st.floats(-0.17, 0.17), min_size=4 * COUNT**2, max_size=4 * COUNT**2)


@given(slips, st.randoms(use_true_random=False), st.sampled_from([0.0, 8_155_000.0]))
@settings(max_examples=25, deadline=None)
def test_a_grid_drawn_by_a_shaky_hand_is_a_grid(jitter: list[float], random: Random, north_m: float) -> None:
    """Whatever the order and the direction of the lines: 16 junctions, 24 lines between them."""
    shake = iter(jitter * 4)
    lines: list[Line] = []
    for i in range(COUNT):
        for j in range(COUNT):
            for di, dj in ((1, 0), (0, 1)):
                if i + di < COUNT and j + dj < COUNT:
                    a = (i * SIDE_M + next(shake), north_m + j * SIDE_M + next(shake))
                    b = ((i + di) * SIDE_M + next(shake), north_m + (j + dj) * SIDE_M + next(shake))
                    lines.append([a, b])
    found = node(lines)
    order = list(range(len(lines)))
    random.shuffle(order)
    again = node([lines[i][:: 1 if i % 2 else -1] for i in order])
    places = {place for line in drawn(found) for place in line}
    assert len(places) == COUNT**2
    assert places == {place for line in drawn(again) for place in line}
    assert all(len(line) == 2 for line in drawn(found))
