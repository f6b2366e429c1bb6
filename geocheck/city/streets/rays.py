"""The first edge that a straight ray meets: how far it is from an axis, square to it, to a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.planar import cross_product
from geocheck.city.ragged import ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

_IN_A_BOX: Final = 16
"""Edges of one outline that share a box of the index: a geometry an edge would cost seconds and gigabytes."""
_RAYS_AT_ONCE: Final = 32_768
_ROUNDING: Final = 1e-9
"""Edges reach so far past their ends, as a share of their length, that no ray slips between two of them."""


@dataclass(frozen=True, slots=True)
class Edges:
    """e straight edges in k boxes.

    Attributes:
        a: their first ends, metres, shape (e, 2).
        b: their second ends.
        start: box i holds the edges from `start[i]` to `start[i + 1]`, shape (k + 1,).
        boxes: index of the boxes.
    """

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    start: NDArray[np.int64]
    boxes: shapely.STRtree

    def __len__(self) -> int:
        return len(self.a)


def edges(a: NDArray[np.float64], b: NDArray[np.float64], line: NDArray[np.int64]) -> Edges:
    """Index edges.

    Args:
        a: their first ends, shape (e, 2).
        b: their second ends.
        line: of which line each is a part, ascending, shape (e,).
    """
    number = np.arange(len(a)) - np.searchsorted(line, line)
    start = np.flatnonzero(number % _IN_A_BOX == 0)
    low, high = np.minimum(a, b), np.maximum(a, b)
    if len(a):
        low, high = np.minimum.reduceat(low, start), np.maximum.reduceat(high, start)
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    return Edges(a, b, np.append(start, len(a)), shapely.STRtree(boxes))


def outline_edges(areas: NDArray[np.object_]) -> Edges:
    """Index the edges of polygons, holes included."""
    rings = shapely.get_rings(shapely.get_parts(areas))
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    same = ring[1:] == ring[:-1]
    return edges(xy[:-1][same], xy[1:][same], ring[1:][same])


def first_hit_m(
    origin: NDArray[np.float64],
    unit: NDArray[np.float64],
    among: Edges,
    reach_m: float,
    beyond_m: float = 0.0,
) -> NDArray[np.float64]:
    """Return how far each of n rays runs until it meets an edge.

    Args:
        origin: where they begin, shape (n, 2).
        unit: direction, shape (n, 2).
        among: the edges.
        reach_m: how far they run at most.
        beyond_m: edges met nearer than this are passed over.

    Returns:
        Metres, infinite where a ray meets none, shape (n,).
    """
    found = np.full(len(origin), np.inf)
    for start in range(0, len(origin) if len(among) else 0, _RAYS_AT_ONCE):
        some = slice(start, start + _RAYS_AT_ONCE)
        ray, edge = _may_meet(origin[some], unit[some] * reach_m, among)
        hit_m = _hit_m(origin[some][ray], unit[some][ray], among.a[edge], among.b[edge])
        meets = (hit_m >= beyond_m) & (hit_m <= reach_m)
        np.minimum.at(found[some], ray[meets], hit_m[meets])
    return found


def _may_meet(
    origin: NDArray[np.float64], along: NDArray[np.float64], among: Edges
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs of a ray and an edge in whose box it is."""
    ray, box = among.boxes.query(shapely.linestrings(np.stack([origin, origin + along], axis=1)))
    pair, edge = ranges(among.start[box], among.start[box + 1])
    return ray[pair], edge


def _hit_m(
    origin: NDArray[np.float64], unit: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far along its ray each edge is met, NaN where it is not or lies along the ray."""
    gap, along = a - origin, b - a
    across = cross_product(unit, along)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = cross_product(gap, unit) / across
        hit_m = cross_product(gap, along) / across
    # An edge along the ray (a division by zero) has neighbours that the ray meets.
    return np.where((share >= -_ROUNDING) & (share <= 1 + _ROUNDING), hit_m, np.nan)
