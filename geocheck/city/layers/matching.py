"""Finds which features of two sets are the same thing: mutual nearest ones, by geometry, never by order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

if TYPE_CHECKING:
    from numpy.typing import NDArray

_POINTS = (0, 4)


class Pairs(NamedTuple):
    """Which feature of the one set is which of the other.

    Attributes:
        upper: index into the first set, shape (m,), ascending; none twice.
        lower: index into the second, shape (m,); none twice.
        distance_m: between them, shape (m,).
    """

    upper: NDArray[np.int64]
    lower: NDArray[np.int64]
    distance_m: NDArray[np.float64]


def same_things(
    upper: NDArray[np.object_],
    lower: NDArray[np.object_],
    upper_reach_m: NDArray[np.float64],
    lower_reach_m: NDArray[np.float64],
) -> Pairs:
    """Pair each feature with the nearest of the other set, where that one's nearest is it.

    Two are within reach when their distance is at most the hypotenuse of their reaches. Where a point is
    concerned the distance is that of the outlines; lines and areas, which touch their neighbours, are as far
    apart as their middles. Of several that are equally near, the westernmost (then southernmost, then by
    shape) is the nearest, whatever the order of the rows.

    Args:
        upper: geometries, shape (n,).
        lower: geometries, shape (k,).
        upper_reach_m: shape (n,).
        lower_reach_m: shape (k,).
    """
    if not len(upper) or not len(lower):
        nothing = np.zeros(0, np.int64)
        return Pairs(nothing, nothing, np.zeros(0))
    farthest_m = float(np.hypot(upper_reach_m.max(), lower_reach_m.max()))
    first, second = shapely.STRtree(lower).query(upper, predicate="dwithin", distance=farthest_m)
    distance_m = _distance(upper[first], lower[second])
    near = distance_m <= np.hypot(upper_reach_m[first], lower_reach_m[second])
    first, second, distance_m = first[near], second[near], distance_m[near]
    upper_rank, lower_rank = _ranks(upper), _ranks(lower)
    order = np.lexsort((upper_rank[first], lower_rank[second], distance_m))
    nearest_of_upper = _first_of(first[order], len(upper), order)
    order = np.lexsort((lower_rank[second], upper_rank[first], distance_m))
    nearest_of_lower = _first_of(second[order], len(lower), order)
    mutual = np.intersect1d(nearest_of_upper, nearest_of_lower)
    mutual = mutual[np.argsort(first[mutual])]
    return Pairs(first[mutual].astype(np.int64), second[mutual].astype(np.int64), distance_m[mutual])


def _first_of(member: NDArray[np.int64], count: int, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each member that occurs, the pair in which it comes first in an order."""
    pair = np.full(count, -1, np.int64)
    # The last assignment stays: go through the order backwards.
    pair[member[::-1]] = order[::-1]
    return pair[pair >= 0]


def _distance(one: NDArray[np.object_], other: NDArray[np.object_]) -> NDArray[np.float64]:
    dotted = np.isin(shapely.get_type_id(one), _POINTS) | np.isin(shapely.get_type_id(other), _POINTS)
    middles = shapely.distance(shapely.centroid(one), shapely.centroid(other))
    return np.asarray(np.where(dotted, shapely.distance(one, other), middles))


def _ranks(geometry: NDArray[np.object_]) -> NDArray[np.int64]:
    """Number geometries from west to east, then south to north, then by shape; equal ones by row."""
    box = shapely.bounds(geometry)
    shape = np.array([each.hex() for each in shapely.to_wkb(shapely.normalize(geometry))], dtype=str)
    order = np.lexsort((shape, box[:, 3], box[:, 2], box[:, 1], box[:, 0]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank
