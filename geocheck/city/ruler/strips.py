"""The half of the carriageway that belongs to each piece of kerb, and how far a place lies from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from geocheck.city.planar import cross_product, left_of
from geocheck.city.ruler.walked import walked_along
from geocheck.city.streets.covered import lines_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Kerbs


class Strips(NamedTuple):
    """p pieces of kerb, steps left out, each with the carriageway between it and its axis; metres.

    Attributes:
        kerb: whose piece it is, shape (p,).
        way: index of the way whose carriageway it is, shape (p,).
        side: `kerbs.RIGHT` or `kerbs.LEFT` of the way as drawn, shape (p,).
        begin: start of the piece as the kerb is directed, shape (p, 2).
        unit: its direction, shape (p, 2).
        length_m: shape (p,).
        along_m: walked from the start of the kerb to that of the piece, shape (p,).
        half_m: of the strip, from kerb to axis, shape (p,).
        inward: 1 where the carriageway lies on the left of the directed piece, -1 where on its right.
        tree: of the strips, in this order.
    """

    kerb: NDArray[np.int64]
    way: NDArray[np.int64]
    side: NDArray[np.int64]
    begin: NDArray[np.float64]
    unit: NDArray[np.float64]
    length_m: NDArray[np.float64]
    along_m: NDArray[np.float64]
    half_m: NDArray[np.float64]
    inward: NDArray[np.int64]
    tree: shapely.STRtree


def inward_of(kerbs: Kerbs, graph: Graph) -> NDArray[np.int64]:
    """Return for each segment of kerbs 1 where its axis lies on its left as it is directed, else -1."""
    axis = kerbs.segment_axis
    begin, end, *_ = lines_of(kerbs)
    middle = (graph.xy[graph.segments.a[axis]] + graph.xy[graph.segments.b[axis]]) / 2 - begin
    return np.where(cross_product(end - begin, middle) >= 0, 1, -1)


def strips_of(kerbs: Kerbs, graph: Graph) -> Strips:
    """Return the strips of kerbs that were derived from the axes of a graph."""
    return _laid(kerbs, kerbs.segment_half_m, inward_of(kerbs, graph))


def strips_beside(kerbs: Kerbs, half_m: float, inward: int) -> Strips:
    """Return strips for kerbs without an axis.

    Args:
        kerbs: of a survey.
        half_m: how wide a strip to take for the near half of the carriageway.
        inward: 1 where the carriageway lies on the left of the directed kerbs, -1 on their right.
    """
    size = len(kerbs.segment_way)
    return _laid(kerbs, np.full(size, half_m), np.full(size, inward))


def _laid(kerbs: Kerbs, half_m: NDArray[np.float64], inward: NDArray[np.int64]) -> Strips:
    begin, end, length, kerb = lines_of(kerbs)
    kept = ~kerbs.segment_step & (length > 0)
    begin, end, length, inward, half = begin[kept], end[kept], length[kept], inward[kept], half_m[kept]
    unit = (end - begin) / length[:, None]
    across = left_of(unit) * (inward * half)[:, None]
    ring = np.stack([begin, end, end + across, begin + across], axis=1)
    return Strips(
        kerb=kerb[kept],
        way=kerbs.segment_way[kept],
        side=kerbs.segment_side[kept],
        begin=begin,
        unit=unit,
        length_m=length,
        along_m=walked_along(kerbs).before_m[kept],
        half_m=half,
        inward=inward,
        tree=shapely.STRtree(np.asarray(shapely.polygons(ring))),
    )


class Places(NamedTuple):
    """Pairs of a point and a piece of kerb near it, each shape (n,).

    Attributes:
        point: index into the points asked for.
        piece: index into the strips.
        xy: the nearest place on the piece, shape (n, 2).
        apart_m: from the point to the strip; 0 where it lies between axis and kerb.
        along_m: walked to that place from the start of its kerb.
        offset_m: from the kerb; above zero behind it, below zero on the carriageway.
        axis_m: from the axis, square to it; above zero on this kerb's side.
    """

    point: NDArray[np.int64]
    piece: NDArray[np.int64]
    xy: NDArray[np.float64]
    apart_m: NDArray[np.float64]
    along_m: NDArray[np.float64]
    offset_m: NDArray[np.float64]
    axis_m: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Places:
        """Return some of them, by index or mask."""
        return Places._make(column[rows] for column in self)


def near(strips: Strips, xy: NDArray[np.float64], reach_m: NDArray[np.float64]) -> Places:
    """Return all pieces of kerb whose strip is within reach of points.

    Args:
        strips: of all kerbs.
        xy: the points, metres, shape (m, 2).
        reach_m: of each, shape (m,).
    """
    points = np.asarray(shapely.points(xy), object).reshape(-1)
    point, piece = strips.tree.query(points, predicate="dwithin", distance=reach_m)
    gap = xy[point] - strips.begin[piece]
    unit = strips.unit[piece]
    ahead = np.clip((gap * unit).sum(axis=1), 0.0, strips.length_m[piece])
    rest = gap - ahead[:, None] * unit
    behind = cross_product(gap, unit) * strips.inward[piece]
    return Places(
        point=point,
        piece=piece,
        xy=xy[point] - rest,
        apart_m=np.asarray(shapely.distance(points[point], strips.tree.geometries[piece])),
        along_m=strips.along_m[piece] + ahead,
        offset_m=np.hypot(*rest.T) * np.where(behind < 0, -1.0, 1.0),
        axis_m=strips.half_m[piece] + behind,
    )


def nearest_of_each_kerb(strips: Strips, xy: NDArray[np.float64], reach_m: NDArray[np.float64]) -> Places:
    """Return as `near` does, for every point and kerb the nearest piece only."""
    places = near(strips, xy, reach_m)
    kerb = strips.kerb[places.piece]
    order = np.lexsort((places.along_m, np.abs(places.offset_m), places.apart_m, kerb, places.point))
    fresh = (np.diff(kerb[order], prepend=-1) != 0) | (np.diff(places.point[order], prepend=-1) != 0)
    return places.at(order[fresh])
