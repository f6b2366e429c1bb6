"""Draws carriageways as plain polygons, segment by segment, and their union level by level.

Nothing here knows how kerbs are derived: a segment is a rectangle, the gap on the outer side of a bend is
filled to the point where the two edges meet, and the rest is left to the union of polygons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.planar import cross_product, right_of
from geocheck.city.streets.faces import half_edges
from geocheck.city.streets.offsets import OUTER_BEND_RAD, STEP_TURN_RAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Graph

_EQUAL_M: Final = 1e-6


class Arms(NamedTuple):
    """The half-edges of a graph: the right edge of the carriageway of each, shapes (h, 2), (h, 2), (h,)."""

    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    layer: NDArray[np.int64]


def arms(graph: Graph) -> Arms:
    """Return the right edges of all half-edges, drawn from node to node without regard to others."""
    edges = half_edges(graph)
    right = right_of(edges.unit) * edges.half_m[:, None]
    return Arms(graph.xy[edges.org] + right, graph.xy[edges.dst] + right, np.repeat(graph.segments.layer, 2))


def level_unions(graph: Graph) -> dict[int, shapely.Geometry]:
    """Return the union of the carriageways of each level."""
    edge = arms(graph)
    there, back = slice(0, None, 2), slice(1, None, 2)
    ring = np.stack([edge.begin[there], edge.end[there], edge.begin[back], edge.end[back]], axis=1)
    strips = np.asarray(shapely.polygons(ring), object)
    wedges, one, two = _wedges(graph, edge)
    return {
        int(level): shapely.union_all(
            np.concatenate([strips[edge.layer[there] == level], wedges[(one == level) | (two == level)]]),
        )
        for level in np.unique(edge.layer)
    }


def _wedges(graph: Graph, edge: Arms) -> tuple[NDArray[np.object_], NDArray[np.int64], NDArray[np.int64]]:
    """Return what fills the outer side of bends, and the levels of the two arms."""
    edges = half_edges(graph)
    here = np.flatnonzero((edges.sector > np.pi) & (edges.after != np.arange(len(edges.after)) ^ 1))
    nxt = edges.after[here]
    node, stop, start = graph.xy[edges.dst[here]], edge.end[here], edge.begin[nxt]
    u, v = edges.unit[here], edges.unit[nxt]
    cross = cross_product(u, v)
    turn = edges.sector[here] - np.pi
    equal = np.abs(edges.half_m[here] - edges.half_m[nxt]) < _EQUAL_M
    pointed = (turn <= OUTER_BEND_RAD) & (equal | (turn >= STEP_TURN_RAD)) & (np.abs(cross) > _EQUAL_M)
    gap = start - stop
    run = cross_product(gap, v) / np.where(pointed, cross, 1.0)
    tip = np.where(pointed[:, None], stop + run[:, None] * u, stop)
    ring = np.stack([node, stop, tip, start], axis=1)
    drawn = shapely.polygons(ring)
    some = shapely.is_valid(drawn) & (shapely.area(drawn) > _EQUAL_M)
    return np.asarray(drawn, object)[some], edge.layer[here][some], edge.layer[nxt][some]


def arm_ends(graph: Graph) -> tuple[NDArray[np.object_], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the lines across carriageways at their nodes, their levels, and which end a street there.

    A street ends where it is dead or cut, and on its level where it goes on at another one.
    """
    edge, edges = arms(graph), half_edges(graph)
    low, high = np.full(len(graph.xy), np.iinfo(int).max), np.full(len(graph.xy), np.iinfo(int).min)
    np.minimum.at(low, edges.dst, edge.layer)
    np.maximum.at(high, edges.dst, edge.layer)
    ends = (graph.degree == 1) | (low < high)
    twin = np.arange(len(edge.layer)) ^ 1
    lines = shapely.linestrings(np.stack([edge.end, edge.begin[twin]], axis=1))
    return np.asarray(lines, object), edge.layer, ends[edges.dst]
