"""Walks round the nodes of junctions, from corner to corner and across each arm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.streets.faces import FLAT_RAD
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.junctions import Junctions
    from geocheck.city.streets.kerbs import Layout

_BEND_RAD: Final = np.radians(5)
"""A kerb that bends less runs straight on."""

_FAR: Final = 2.0
"""A bend further off than so many half-widths is none of this node."""

_LEAST_SINE: Final = 0.2
"""Kerbs that differ by less than about 12 degrees do not meet anywhere useful."""


class Outlines(NamedTuple):
    """Places round nodes, counter-clockwise.

    Attributes:
        xy: metres, shape (p, 2).
        node: index into the nodes of the graph, sorted, shape (p,).
        far: nodes of which some corner lies far off, or is one of streets further on, shape (n,).
    """

    xy: NDArray[np.float64]
    node: NDArray[np.int64]
    far: NDArray[np.bool_]


class Joint(NamedTuple):
    """Where the kerbs of two arms meet, by the half-edge that leaves after it; all shape (h,) or (h, 2).

    Attributes:
        end: of the kerb that arrives.
        begin: of the kerb that leaves; elsewhere than `end` where the kerb steps.
        corner: it is a corner.
        own: these are the kerbs of the two arms themselves.
    """

    end: NDArray[np.float64]
    begin: NDArray[np.float64]
    corner: NDArray[np.bool_]
    own: NDArray[np.bool_]


def outlines(layout: Layout, junctions: Junctions, joint: Joint) -> Outlines:
    """Return the places round each node of a junction: what they enclose is its crossing area.

    An arm is crossed from its right kerb to its left one: from corner to corner, straight across where only
    one side has a corner, and at the node where none has (so that a street that bends there has no area).
    A kerb that runs on is followed round its bend.
    """
    edges, graph = layout.edges, layout.graph
    twin = np.arange(len(edges.org)) ^ 1
    leave = edges.after[twin]  # the half-edge that leaves after the joint on the arm's left
    right, left = _sides(layout, joint, leave)
    # Round the bend of a kerb that runs on, unless the place across from a corner lies beyond it.
    width = np.maximum(edges.half_m, edges.half_m[_before(layout)])
    off = np.hypot(*(joint.begin - graph.xy[edges.org]).T)
    bend = ~joint.corner & (np.abs(np.pi - edges.sector[_before(layout)]) > _BEND_RAD)
    near = bend & (off <= _FAR * width)
    ahead = ((right - joint.begin) * edges.unit).sum(axis=1) >= 0
    away = ((left - joint.end[leave]) * edges.unit).sum(axis=1) >= 0
    right = np.where((near & ~ahead)[:, None], joint.begin, right)
    left = np.where((near[leave] & ~away)[:, None], joint.end[leave], left)
    behind = np.empty_like(away)
    behind[leave] = away
    vertex = joint.corner | near | (bend & ahead & behind)
    held = (junctions.of_node[edges.org] >= 0) & ((graph.degree > 2) | graph.cut)[edges.org]  # noqa: PLR2004
    used = np.stack([vertex, vertex, held, held], axis=1) & held[:, None]
    xy = np.stack([joint.end, joint.begin, right, left], axis=1)
    order = np.lexsort((np.arctan2(edges.unit[:, 1], edges.unit[:, 0]), edges.org))
    keep = used[order].ravel()
    far = np.zeros(len(graph.xy), bool)
    far[edges.org[joint.corner & (~joint.own | (off > 2 * _FAR * width))]] = True
    return Outlines(xy[order].reshape(-1, 2)[keep], np.repeat(edges.org[order], 4)[keep], far)


def _before(layout: Layout) -> NDArray[np.int64]:
    before = np.empty(len(layout.edges.after), np.int64)
    before[layout.edges.after] = np.arange(len(before))
    return before


def joints_round(layout: Layout, junctions: Junctions) -> Joint:
    """Return the joint before each half-edge."""
    edges, rim = layout.edges, layout.rim
    arriving, leaving = _before(layout), np.arange(len(edges.org))
    owner = rim.owner[arriving]
    # Kerbs that only step from one carriageway to the next, with nothing left between, have no corner.
    corner = (owner >= 0) & (layout.kinds[owner] == EndKind.CORNER) & ~rim.step[owner]
    own = (owner == arriving) & (rim.after[owner] == leaving)
    # Beside a link inside the junction the kerb may be gone; the prolonged kerbs meet all the same.
    place, met = _meeting(layout, arriving)
    link = junctions.link[arriving >> 1] | junctions.link[leaving >> 1]
    drawn = met & link & ~corner & (edges.sector[arriving] < FLAT_RAD) & ~edges.matched[arriving]
    normal = np.column_stack([edges.unit[:, 1], -edges.unit[:, 0]])
    node = layout.graph.xy[edges.org]
    end = node + edges.half_m[arriving, None] * normal[arriving]
    begin = node + edges.half_m[:, None] * normal
    end = np.where((corner | own)[:, None], rim.end[owner], end)
    begin = np.where((corner | own)[:, None], rim.begin[rim.after[owner]], begin)
    return Joint(
        np.where(drawn[:, None], place, end),
        np.where(drawn[:, None], place, begin),
        corner | drawn,
        own | ~corner,
    )


def _meeting(layout: Layout, arriving: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return where the right kerbs of half-edges and of those that follow at their node meet, if they do."""
    edges = layout.edges
    leaving = edges.after[arriving]
    one, two = edges.unit[arriving], edges.unit[leaving]
    cross = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    met = np.abs(cross) > _LEAST_SINE
    dot = (one * two).sum(axis=1)
    run = (edges.half_m[leaving] - edges.half_m[arriving] * dot) / np.where(met, cross, 1.0)
    normal = np.column_stack([one[:, 1], -one[:, 0]])
    place = layout.graph.xy[edges.dst[arriving]]
    return place + edges.half_m[arriving, None] * normal + run[:, None] * one, met


def _sides(
    layout: Layout, joint: Joint, leave: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both ends of the line at which the area ends in each arm: its right and its left side."""
    edges, rim, graph = layout.edges, layout.rim, layout.graph
    half = np.arange(len(edges.org))
    twin = half ^ 1
    first, last = rim.after[rim.owner[_before(layout)]], rim.owner[twin]
    far = joint.corner & ~joint.own
    first = np.where(far, first, half)
    last = np.where(far[leave], last, twin)
    side = edges.half_m[:, None] * np.column_stack([edges.unit[:, 1], -edges.unit[:, 0]])
    over = side - side[twin]
    node = graph.xy[edges.org]
    # Where an arm is missing nobody knows how wide it is: as wide as the street that is there.
    bare = ~joint.corner & ~joint.corner[leave]
    reach = np.where(bare & graph.cut[edges.org], np.maximum(edges.half_m, edges.half_m[twin]), 0.0)
    node = node + reach[:, None] * edges.unit
    right, left = joint.begin, joint.end[leave]
    across_left = np.where(joint.corner[leave][:, None], left - over[last], node + side)
    across_right = np.where(joint.corner[:, None], right - over[first], node + side[twin])
    return (
        np.where(joint.corner[:, None], right, across_left),
        np.where(joint.corner[leave][:, None], left, across_right),
    )
