"""Matches derived corners with the junctions of netconvert, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from benchmarks.netconvert import END, LEFT, RIGHT, START
from geocheck.city.planar import cross_product
from geocheck.city.streets.faces import half_edges
from geocheck.city.streets.kerbs import RIGHT as KERB_RIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.netconvert import Oracle
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.graph import Graph

_JUNCTION_ARMS: Final = 3


class ChainOf(NamedTuple):
    """The chain of each segment of the graph, shape (s,), and whether it runs as the segment does."""

    chain: NDArray[np.int64]
    along: NDArray[np.bool_]


class Ours(NamedTuple):
    """Each of c derived corners against netconvert.

    Attributes:
        node: of the graph, -1 for none, shape (c,).
        vertex_m: to the nearest vertex of the junctions where its streets end, inf without one, shape (c,).
        aside_m: from the further of netconvert's two kerbs drawn on, inf without two, shape (c,).
        kerbs: how many of its two kerbs are left, shape (c,).
        off_m: to the further of its kerbs' ends, 0 without kerbs, shape (c,).
        bent: netconvert cut one of its streets behind or at its first bend, shape (c,).
    """

    node: NDArray[np.int64]
    vertex_m: NDArray[np.float64]
    aside_m: NDArray[np.float64]
    kerbs: NDArray[np.int64]
    off_m: NDArray[np.float64]
    bent: NDArray[np.bool_]


class Theirs(NamedTuple):
    """k sectors between neighbouring arms of junctions, as netconvert drew them.

    Attributes:
        node: of the graph, shape (k,).
        place: halfway between the two kerbs' ends, metres, shape (k, 2).
        gap_m: between these ends, 0 where the kerbs meet, shape (k,).
        turn_deg: of the kerb there, to the right (into the block) above zero, shape (k,).
        through: the two arms are one street that runs on, shape (k,).
        corner_m: from the nearer of the two ends to the nearest derived corner, shape (k,).
        short: one of the two arms is shorter than it is wide, shape (k,).
    """

    node: NDArray[np.int64]
    place: NDArray[np.float64]
    gap_m: NDArray[np.float64]
    turn_deg: NDArray[np.float64]
    through: NDArray[np.bool_]
    corner_m: NDArray[np.float64]
    short: NDArray[np.bool_]


def chain_of(graph: Graph, found: Oracle) -> ChainOf:
    """Return the chain of each segment."""
    chain, along = np.full(len(graph.segments.a), -1), np.zeros(len(graph.segments.a), bool)
    for index, each in enumerate(found.chains):
        rows = np.array(each.segments)
        chain[rows] = index
        along[rows] = graph.segments.a[rows] == np.array(each.nodes[:-1])
    return ChainOf(chain, along)


def node_of_corner(streets: Streets) -> NDArray[np.int64]:
    """Return the node of the graph at each corner, -1 for one that no file holds, shape (c,)."""
    source, node = streets.graph.source, streets.corners.node
    rank = np.full(int(max(source.max(initial=0), node.max(initial=0))) + 1, -1)
    rank[source[source >= 0]] = np.flatnonzero(source >= 0)
    return np.where(node >= 0, rank[node], -1)


class _KerbEnds(NamedTuple):
    """Kerbs that end at a corner: the corner, where, segment of the graph, its chain, side of the chain."""

    corner: NDArray[np.int64]
    xy: NDArray[np.float64]
    segment: NDArray[np.int64]
    chain: NDArray[np.int64]
    side: NDArray[np.int64]


def match_ours(streets: Streets, found: Oracle) -> Ours:
    """Compare each derived corner with the junctions at which its two streets end."""
    corners, node = streets.corners, node_of_corner(streets)
    kerbs = _kerb_ends(streets, chain_of(streets.graph, found))
    rows, reach = np.arange(len(kerbs.corner)), found.place[kerbs.chain, :, kerbs.side]
    gap = np.hypot(*np.moveaxis(reach - corners.xy[kerbs.corner, None], -1, 0))
    end = np.where(gap[:, END] < gap[:, START], END, START)
    unit, step = found.unit[kerbs.chain, end, kerbs.side], corners.xy[kerbs.corner] - reach[rows, end]
    aside = np.abs(cross_product(unit, step))
    count = np.bincount(kerbs.corner, minlength=len(corners))
    worst, off, bent = np.zeros(len(corners)), np.zeros(len(corners)), np.zeros(len(corners), bool)
    np.maximum.at(worst, kerbs.corner, np.nan_to_num(aside, nan=np.inf))
    np.maximum.at(off, kerbs.corner, np.hypot(*(kerbs.xy - corners.xy[kerbs.corner]).T))
    np.logical_or.at(bent, kerbs.corner, _behind_bend(streets.graph, found, kerbs, end))
    ends = np.array([(each.nodes[0], each.nodes[-1]) for each in found.chains])[kerbs.chain]
    owner = np.concatenate([np.arange(len(corners)), kerbs.corner, kerbs.corner])
    pairs = np.column_stack([owner, np.concatenate([node, *ends.T])])
    vertex_m = _nearest_vertex(pairs, corners.xy, found)
    return Ours(node, vertex_m, np.where(count > 1, worst, np.inf), count, off, bent)


def _kerb_ends(streets: Streets, chains: ChainOf) -> _KerbEnds:
    kerbs = streets.kerbs
    corner = np.concatenate([kerbs.start_corner, kerbs.end_corner])
    piece = np.concatenate([kerbs.segment_start[:-1], kerbs.segment_start[1:] - 1])
    xy = np.concatenate([kerbs.xy[kerbs.start[:-1]], kerbs.xy[kerbs.start[1:] - 1]])
    corner, piece, xy = corner[corner >= 0], piece[corner >= 0], xy[corner >= 0]
    segment = kerbs.segment_axis[piece]
    right = (kerbs.segment_side[piece] == KERB_RIGHT) == chains.along[segment]
    return _KerbEnds(corner, xy, segment, chains.chain[segment], np.where(right, RIGHT, LEFT))


def _behind_bend(graph: Graph, found: Oracle, kerbs: _KerbEnds, end: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which kerbs do not end on the first segment of their chain, or netconvert's do not."""
    place = found.place[kerbs.chain, end, kerbs.side]
    each = [found.chains[chain] for chain in kerbs.chain.tolist()]
    order = np.where(end == START, 1, -1).tolist()
    nodes = np.array([chain.nodes[::way][:2] for chain, way in zip(each, order, strict=True)])
    first = np.array([chain.segments[::way][0] for chain, way in zip(each, order, strict=True)])
    org = graph.xy[nodes[:, 0]]
    along = graph.xy[nodes[:, 1]] - org
    length = np.hypot(*along.T)
    half = np.array([max(chain.left_m, chain.right_m) for chain in each])
    beyond = ((place - org) * along).sum(axis=1) / length > length - half
    return np.asarray(beyond | (first != kerbs.segment))


def _nearest_vertex(pairs: NDArray[np.int64], xy: NDArray[np.float64], found: Oracle) -> NDArray[np.float64]:
    nearest = np.full(len(xy), np.inf)
    for corner, node in np.unique(pairs, axis=0).tolist():
        polygon = found.polygon.get(node)
        if polygon is not None:
            nearest[corner] = min(nearest[corner], np.hypot(*(polygon - xy[corner]).T).min())
    return nearest


def match_theirs(streets: Streets, found: Oracle) -> Theirs:
    """Compare each sector of netconvert's junctions with the derived corners."""
    graph, chains = streets.graph, chain_of(streets.graph, found)
    edges = half_edges(graph)
    edge = np.flatnonzero(graph.degree[edges.dst] >= _JUNCTION_ARMS)
    one, two = edge ^ 1, edges.after[edge]  # both leave the node
    left, left_unit, short_one = _kerb_of_arm(one, LEFT, chains, found)
    right, right_unit, short_two = _kerb_of_arm(two, RIGHT, chains, found)
    angle = np.arctan2(right_unit[:, 1], right_unit[:, 0]) - np.arctan2(left_unit[:, 1], left_unit[:, 0])
    corner_m = np.minimum(*(_to_corner(streets, each) for each in (left, right)))
    drawn = np.isfinite(corner_m)
    return Theirs(
        node=edges.dst[edge][drawn],
        place=((left + right) / 2)[drawn],
        gap_m=np.hypot(*(left - right).T)[drawn],
        turn_deg=(180 - np.degrees(angle % (2 * np.pi)))[drawn],
        through=edges.matched[edge][drawn],
        corner_m=corner_m[drawn],
        short=(short_one | short_two)[drawn],
    )


def _kerb_of_arm(
    half: NDArray[np.int64], side: int, chains: ChainOf, found: Oracle
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return where the kerb of arms that leave a node ends, its direction, whether the arm is short."""
    chain = chains.chain[half >> 1]
    forward = (half % 2 == 0) == chains.along[half >> 1]
    end, own = np.where(forward, START, END), np.where(forward, side, 1 - side)
    place = found.place[chain]
    rows = np.arange(len(half))
    length = np.hypot(*np.moveaxis(place[:, END] - place[:, START], -1, 0)).min(axis=1)
    width = np.array([each.left_m + each.right_m for each in found.chains])[chain]
    return place[rows, end, own], found.unit[chain, end, own], length < width


def _to_corner(streets: Streets, place: NDArray[np.float64]) -> NDArray[np.float64]:
    tree = shapely.STRtree(np.asarray(shapely.points(streets.corners.xy)))
    drawn = np.flatnonzero(np.isfinite(place).all(axis=1))
    (rows, _), gap = tree.query_nearest(shapely.points(place[drawn]), return_distance=True, all_matches=False)
    found = np.full(len(place), np.nan)
    found[drawn[rows]] = gap
    return found
