"""Which features of two sets are the same thing: mutual nearest, one to one, whatever the order of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.layers.matching import Pairs, same_things

if TYPE_CHECKING:
    from numpy.typing import NDArray

Points = list[tuple[int, int]]
POINTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12)


def pairs_of(upper: Points, lower: Points, reach_m: float) -> Pairs:
    def reach(count: int) -> NDArray[np.float64]:
        return np.full(count, reach_m / np.sqrt(2))

    return same_things(shapes(upper), shapes(lower), reach(len(upper)), reach(len(lower)))


def shapes(points: Points) -> NDArray[np.object_]:
    return np.array([*(shapely.Point(*each) for each in points), None], object)[:-1]


def by_hand(upper: Points, lower: Points, reach_m: float) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Pair distinct points the slow way: of several equally near the westernmost, then the southernmost."""

    def nearest(one: tuple[int, int], others: Points) -> tuple[int, int] | None:
        near = [
            (np.hypot(each[0] - one[0], each[1] - one[1]), each)
            for each in others
            if np.hypot(each[0] - one[0], each[1] - one[1]) <= reach_m + 1e-9
        ]
        return min(near)[1] if near else None

    found = set()
    for one in upper:
        other = nearest(one, lower)
        if other is not None and nearest(other, upper) == one:
            found.add((one, other))
    return found


@settings(max_examples=200, deadline=None)
@given(POINTS, POINTS, st.integers(1, 15))
def test_pairs_are_mutual_nearest(upper: Points, lower: Points, reach_m: int) -> None:
    upper, lower = list(dict.fromkeys(upper)), list(dict.fromkeys(lower))
    pairs = pairs_of(upper, lower, reach_m + 0.01)
    found = {(upper[a], lower[b]) for a, b in zip(pairs.upper, pairs.lower, strict=True)}
    assert len(found) == len(pairs.upper)
    assert found == by_hand(upper, lower, reach_m + 0.01)


@settings(max_examples=100, deadline=None)
@given(POINTS, POINTS, st.randoms(use_true_random=False))
def test_the_order_of_rows_decides_nothing(upper: Points, lower: Points, random: object) -> None:
    """With repeated points as well: which of two equal ones is taken cannot be told apart."""
    first = pairs_of(upper, lower, 7.5)
    shuffled = sorted(upper, key=lambda _: random.random()), sorted(lower, key=lambda _: random.random())  # type: ignore[attr-defined]
    again = pairs_of(*shuffled, 7.5)
    assert sorted((upper[a], lower[b]) for a, b in zip(first.upper, first.lower, strict=True)) == sorted(
        (shuffled[0][a], shuffled[1][b]) for a, b in zip(again.upper, again.lower, strict=True)
    )
    assert len(set(first.upper.tolist())) == len(set(first.lower.tolist())) == len(first.upper)


def test_each_pair_has_its_own_reach() -> None:
    """Two of ± 3 m and ± 4 m may be 5 m apart and no more."""
    one = shapes([(0, 0), (100, 0)])
    other = shapes([(5, 0), (106, 0)])
    reaches = np.array([3.0, 3.0]), np.array([4.0, 4.0])
    pairs = same_things(one, other, *reaches)
    assert (pairs.upper.tolist(), pairs.lower.tolist(), pairs.distance_m.tolist()) == ([0], [0], [5.0])


def test_neighbouring_lots_are_as_far_apart_as_their_middles() -> None:
    """Lots touch: the outline's distance would make any neighbour the same lot."""
    mine = np.array([shapely.box(x, 0, x + 10, 30) for x in (0, 10, 20)], object)
    theirs = np.array([shapely.box(x + 1, 0, x + 11, 30) for x in (20, 10)], object)
    pairs = same_things(mine, theirs, np.full(3, 2.0), np.full(2, 2.0))
    assert list(zip(pairs.upper, pairs.lower, strict=True)) == [(1, 1), (2, 0)]
    assert pairs.distance_m.tolist() == [1.0, 1.0]
