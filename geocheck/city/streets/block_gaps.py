"""What lies beside streets: how far square to the axis the nearest block begins, some every 10 m."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.planar import left_of
from geocheck.city.ragged import counted, owners
from geocheck.city.streets.rays import edges, first_hit_m, outline_edges
from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.ways import Ways

EVERY_M: Final = 10.0
"""Places along an axis are about so far apart."""
CLEAR_M: Final = 15.0
"""So near to a junction the sides are those of the cross street as well."""
CLEAR_SHORT_M: Final = 8.0
"""The same on a way that is nowhere so far from junctions: half a usual right of way and a chamfer."""
REACH_M: Final = 30.0
"""Farther than this nothing is a side of the street."""

_OTHER_AXIS_M: Final = 0.5
"""An axis nearer than this is the same street, drawn twice."""
_JUNCTION_ENDS: Final = 3
_TIE_M: Final = 1e-6
"""A place so near to a vertex belongs to both pieces: drawn backwards, the way would choose the other."""


@dataclass(frozen=True, slots=True)
class BlockGaps:
    """n places along axes, of each way in order and evenly spaced.

    Attributes:
        way: index into the ways, ascending, shape (n,).
        xy: metres, shape (n, 2).
        block_m: to the block on the left and on the right of the drawn direction, infinite where there is
            none within reach or the axis of another street comes first, shape (n, 2).
        inside: the axis itself lies in a block, shape (n,).
        clear: far enough from junctions, shape (n,).
    """

    way: NDArray[np.int64]
    xy: NDArray[np.float64]
    block_m: NDArray[np.float64]
    inside: NDArray[np.bool_]
    clear: NDArray[np.bool_]


class _Pieces(NamedTuple):
    """Straight pieces of axes, in order along their way: way (s,), ends (s, 2) each, length (s,)."""

    way: NDArray[np.int64]
    a: NDArray[np.float64]
    b: NDArray[np.float64]
    length_m: NDArray[np.float64]


def look_aside(ways: Ways, streets: NDArray[np.bool_], blocks: NDArray[np.object_]) -> BlockGaps:
    """Look from the axes of streets to both sides.

    Args:
        ways: all of them.
        streets: those to look from, which also bar the view, shape (w,).
        blocks: polygons, of blocks or of lots.
    """
    pieces = _pieces(ways, streets)
    way, xy, unit = _places(pieces, len(ways))
    left = left_of(unit)
    outlines, axes = outline_edges(blocks), edges(pieces.a, pieces.b, pieces.way)
    block_m = np.empty((len(way), 2))
    for side, square in enumerate((left, -left)):
        block = first_hit_m(xy, square, outlines, REACH_M)
        other = first_hit_m(xy, square, axes, REACH_M, beyond_m=_OTHER_AXIS_M)
        block_m[:, side] = np.where(block < other, block, np.inf)
    return BlockGaps(way, xy, block_m, inside_any(xy, blocks), _clear(way, xy, pieces))


def inside_any(xy: NDArray[np.float64], areas: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Tell which places lie in any of the areas, or on its edge, shape (n,)."""
    inside = np.zeros(len(xy), bool)
    # The areas are asked, not the points: it is the shape that asks which is prepared.
    points = np.asarray(shapely.points(xy), object)
    inside[shapely.STRtree(points).query(areas, predicate="intersects")[1]] = True
    return inside


def _pieces(ways: Ways, streets: NDArray[np.bool_]) -> _Pieces:
    way = owners(ways.start)
    held = streets[way] & (ways.ref != MISSING_NODE)
    first = np.flatnonzero(held[:-1] & held[1:] & (way[1:] == way[:-1]))
    a, b = ways.xy[ways.ref[first]], ways.xy[ways.ref[first + 1]]
    length = np.hypot(*(b - a).T)
    some = length > 0
    return _Pieces(way[first][some], a[some], b[some], length[some])


def _places(pieces: _Pieces, ways: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return way (n,), place (n, 2) and direction (n, 2) of the samples; at a vertex it is the bisector."""
    length_m = np.bincount(pieces.way, pieces.length_m, ways)
    # An odd number, so that one lies in the middle, which on a short way is the only one clear of junctions.
    count = (2 * np.floor(length_m / (2 * EVERY_M) + _TIE_M) + 1) * (length_m > 0)
    way, number = counted(count.astype(np.int64))
    first = np.searchsorted(pieces.way, way)
    last = np.searchsorted(pieces.way, way, side="right") - 1
    end = np.cumsum(pieces.length_m)
    at = (end - pieces.length_m)[first] + (number + 0.5) * length_m[way] / count[way]
    lower, upper = (np.clip(np.searchsorted(end, at + tie), first, last) for tie in (-_TIE_M, _TIE_M))
    direction = (pieces.b - pieces.a) / pieces.length_m[:, None]
    unit = direction[lower] + direction[upper]
    norm = np.hypot(*unit.T)
    back = norm < _TIE_M  # the way turns straight back: nothing is square to it
    unit = np.where(back, 0.0, unit.T / np.where(back, 1.0, norm)).T
    rest = at - (end - pieces.length_m)[upper]
    return way, pieces.a[upper] + direction[upper] * rest[:, None], unit


def _clear(way: NDArray[np.int64], xy: NDArray[np.float64], pieces: _Pieces) -> NDArray[np.bool_]:
    place, ends = np.unique(np.concatenate([pieces.a, pieces.b]), axis=0, return_counts=True)
    junctions = shapely.STRtree(np.asarray(shapely.points(place[ends >= _JUNCTION_ENDS]), object))
    points = np.asarray(shapely.points(xy), object)

    def beyond(gap_m: float) -> NDArray[np.bool_]:
        near = np.zeros(len(xy), bool)
        near[junctions.query(points, predicate="dwithin", distance=gap_m - _TIE_M)[0]] = True
        return ~near

    clear = beyond(CLEAR_M)
    short = ~np.isin(way, way[clear])
    return clear | (short & beyond(CLEAR_SHORT_M))
