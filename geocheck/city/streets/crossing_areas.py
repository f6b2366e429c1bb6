"""Crossing areas: what the prolonged kerbs of the streets that meet at a junction enclose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.streets.junction_outline import joints_round, outlines

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely import Geometry

    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.junction_outline import Joint, Outlines
    from geocheck.city.streets.junctions import Junctions
    from geocheck.city.streets.kerbs import Layout

_SAME_PLACE_M: Final = 1e-6
"""Pieces this near each other touch: whether they do may not hang on the last bit of their places."""

_LEAST_M2: Final = 0.01
_CRUMB_M2: Final = 1.0
_RING: Final = 3
_BEND_ARMS: Final = 2


@dataclass(frozen=True, slots=True)
class CrossingAreas:
    """k crossing areas, at most one a junction.

    Attributes:
        geometry: polygons or, where streets of a junction do not touch, several, metres, shape (k,).
        junction: number of the junction, shape (k,).
        clipped: outlines round a node of which more than a square metre lay outside the carriageways.
        without: junctions with no area: their streets run on without a corner.
    """

    geometry: NDArray[np.object_]
    junction: NDArray[np.int64]
    clipped: int
    without: int

    def __len__(self) -> int:
        return len(self.junction)


def crossing_areas(layout: Layout, junctions: Junctions) -> CrossingAreas:
    """Return the area of each junction.

    From corner to corner; where a street runs on (the far kerb of a T) along its kerb, between the places
    straight across from the corners. Both carriageways of a street and what lies between them in an opening
    are one area; of a roundabout the ring is, without the island.
    """
    joint = joints_round(layout, junctions)
    round_nodes = outlines(layout, junctions, joint)
    areas, node = _polygons(round_nodes)
    # Where the walk crosses itself, or all but touches itself: whatever lies between its places.
    wild = ~shapely.is_valid(areas) | (shapely.minimum_clearance(areas) < _SAME_PLACE_M)
    areas[wild] = shapely.convex_hull(areas[wild])
    wild |= round_nodes.far[node]
    drawn = shapely.area(areas)
    areas[wild] = _inside(areas[wild], layout.graph)
    cut = int(np.count_nonzero(drawn - shapely.area(areas) > _CRUMB_M2))
    links, owner = _links(layout, junctions, joint)
    whole, of = _united(
        np.concatenate([areas, links]), np.concatenate([junctions.of_node[node], owner]), len(junctions)
    )
    held = shapely.area(whole) > _LEAST_M2
    without = len(junctions) - int(np.count_nonzero(held))
    return CrossingAreas(whole[held], of[held], cut, without)


def _polygons(found: Outlines) -> tuple[NDArray[np.object_], NDArray[np.int64]]:
    """Return the polygons that outlines enclose, those with next to no area left out, and their nodes."""
    xy, node = found.xy, found.node
    last = np.searchsorted(node, node, side="right") - 1
    here = np.arange(len(node))
    # The place before each on its ring: before the first the last.
    before = np.where(here == np.searchsorted(node, node), last, here - 1)
    fresh = np.hypot(*(xy - xy[before]).T) > _SAME_PLACE_M
    xy, node = xy[fresh], node[fresh]
    held = np.bincount(node, minlength=1)[node] >= _RING
    nodes, row = np.unique(node[held], return_inverse=True)
    if not len(nodes):
        return np.empty(0, object), nodes
    areas = np.asarray(shapely.polygons(shapely.linearrings(xy[held], indices=row)), object)
    some = shapely.area(areas) > _LEAST_M2
    return areas[some], nodes[some]


def _links(
    layout: Layout, junctions: Junctions, joint: Joint
) -> tuple[NDArray[np.object_], NDArray[np.int64]]:
    """Return the carriageway of the links inside junctions, from corner to corner, and their junctions.

    At a bend it is mitred; where its kerb has no corner of its own it begins straight at the node.
    """
    edges, graph = layout.edges, layout.graph
    half = 2 * np.flatnonzero(junctions.link)
    side = edges.half_m[:, None] * np.column_stack([edges.unit[:, 1], -edges.unit[:, 0]])
    after = edges.after
    corner = (joint.corner & joint.own)[:, None]
    begin = np.where(corner, joint.begin, graph.xy[edges.org] + side)
    end = np.where(corner[after], joint.end[after], graph.xy[edges.dst] + side)
    dot = (edges.unit * edges.unit[after]).sum(axis=1)
    soft = np.flatnonzero((graph.degree[edges.dst] == _BEND_ARMS) & (dot > 0))
    end[soft] = graph.xy[edges.dst[soft]] + (side[soft] + side[after[soft]]) / (1 + dot[soft])[:, None]
    begin[after[soft]] = end[soft]
    ring = np.stack([begin[half], end[half], begin[half ^ 1], end[half ^ 1]], axis=1)
    areas = shapely.make_valid(np.asarray(shapely.polygons(ring), object))
    return areas, junctions.of_node[edges.org[half]]


def _inside(areas: NDArray[np.object_], graph: Graph) -> NDArray[np.object_]:
    """Cut areas to the carriageways that they touch, each drawn on by its half-width at either end."""
    segments = graph.segments
    begin, along = graph.xy[segments.a], graph.xy[segments.b] - graph.xy[segments.a]
    unit = along / np.hypot(along[:, 0], along[:, 1])[:, None]
    normal = np.column_stack([unit[:, 1], -unit[:, 0]])
    low, high = segments.left_m[:, None] * -normal, segments.right_m[:, None] * normal
    on = np.maximum(segments.left_m, segments.right_m)[:, None] * unit
    first, last = begin - on, begin + along + on
    strips = np.asarray(shapely.polygons(np.stack([first + high, last + high, last + low, first + low], 1)))
    area, strip = shapely.STRtree(strips).query(areas, predicate="intersects")
    start = np.searchsorted(area, np.arange(len(areas) + 1))
    cover = np.empty(len(areas), object)
    for k in range(len(areas)):
        cover[k] = shapely.union_all(strips[strip[start[k] : start[k + 1]]])
    return np.asarray(shapely.intersection(areas, cover, grid_size=_SAME_PLACE_M), object)


def _united(
    areas: NDArray[np.object_], junction: NDArray[np.int64], count: int
) -> tuple[NDArray[np.object_], NDArray[np.int64]]:
    """Return the union of the areas of each junction."""
    pieces = np.bincount(junction, minlength=count)
    whole = np.full(count, shapely.Polygon(), object)
    alone = pieces[junction] == 1
    whole[junction[alone]] = areas[alone]
    order = np.argsort(junction, kind="stable")
    start = np.concatenate([[0], np.cumsum(pieces)])
    for k in np.flatnonzero(pieces > 1):
        whole[k] = shapely.union_all(areas[order[start[k] : start[k + 1]]], grid_size=_SAME_PLACE_M)
    mixed = np.flatnonzero(shapely.get_type_id(whole) != shapely.GeometryType.POLYGON)
    whole[mixed] = [_without_crumbs(area) for area in whole[mixed]]
    return whole, np.arange(count)


def _without_crumbs(area: Geometry) -> Geometry:
    """Return the parts that a skip could touch, or the largest: cutting leaves slivers and lines."""
    parts = shapely.get_parts(area)
    size = shapely.area(parts)
    kept = parts[size >= min(_CRUMB_M2, float(np.max(size, initial=0.0)))]
    return kept[0] if len(kept) == 1 else shapely.MultiPolygon(list(kept))
