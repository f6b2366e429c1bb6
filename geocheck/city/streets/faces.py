"""Half-edges: each owns the kerb on its right; what follows it round a node, and the angle between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Graph

THROUGH_RAD: Final = np.radians(150) - 1e-4
"""Arms at least so far apart may be one street running through a junction."""

THROUGH_SAME_NAME_RAD: Final = np.radians(120) - 1e-4
"""The same where both arms bear one name."""

RING_RAD: Final = np.radians(60) - 1e-4
"""The same where both are of the ring of a roundabout: a triangle is the coarsest."""

FLAT_RAD: Final = np.radians(175) - 1e-4
"""A sector so wide has no corner, whatever the arms are."""

_TIE_RAD: Final = 1e-6
"""Angles closer than this are equal."""

_JUNCTION_ARMS: Final = 3

_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True, slots=True)
class HalfEdges:
    """2 s half-edges; 2 k runs along segment k from `a` to `b`, 2 k + 1 back; `h ^ 1` is the twin.

    Attributes:
        org: node it leaves, shape (h,).
        dst: node it reaches.
        unit: direction, shape (h, 2).
        length_m: of its segment.
        half_m: half-width of the carriageway on its right.
        after: the half-edge that follows on the same face: the first arm counter-clockwise from the twin.
        sector: angle from the twin counter-clockwise to `after`, in (0, 2 pi]; 2 pi at a dead end.
        matched: the sector lies between two arms of one street that runs through.
        through: the half-edge that continues this one through a junction; -1 where none or several do.
    """

    org: NDArray[np.int64]
    dst: NDArray[np.int64]
    unit: NDArray[np.float64]
    length_m: NDArray[np.float64]
    half_m: NDArray[np.float64]
    after: NDArray[np.int64]
    sector: NDArray[np.float64]
    matched: NDArray[np.bool_]
    through: NDArray[np.int64]


def half_edges(graph: Graph) -> HalfEdges:
    """Build the half-edges of a graph."""
    segments = graph.segments
    org, dst = _pairs(segments.a, segments.b), _pairs(segments.b, segments.a)
    along = graph.xy[dst] - graph.xy[org]
    length = np.hypot(along[:, 0], along[:, 1])
    angle = np.arctan2(along[:, 1], along[:, 0])
    order = np.lexsort((length, angle, org))
    first = np.searchsorted(org[order], np.arange(len(graph.xy)))
    degree = graph.degree
    slot = np.empty(len(org), np.int64)
    slot[order] = np.arange(len(org)) - first[org[order]]
    twin = np.arange(len(org)) ^ 1
    after = order[first[dst] + (slot[twin] + 1) % degree[dst]]
    turn = (angle[after] - angle[twin]) % (2 * np.pi)
    alone = after == twin
    pairs = _through_pairs(graph, angle, order, first)
    return HalfEdges(
        org=org,
        dst=dst,
        unit=along / length[:, None],
        length_m=length,
        half_m=_pairs(segments.right_m, segments.left_m),
        after=after,
        sector=np.where(alone, 2 * np.pi, turn),
        matched=_is_pair(pairs, twin, after),
        through=_through(pairs, len(org)),
    )


def _pairs(forward: NDArray[_Number], backward: NDArray[_Number]) -> NDArray[_Number]:
    return np.stack([forward, backward], axis=1).ravel()


def _through_pairs(
    graph: Graph, angle: NDArray[np.float64], order: NDArray[np.int64], first: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Match the straightest arms of each junction, shape (p, 2) of outgoing half-edges.

    The ring of a roundabout runs through first: on its island no street meets another. The other pairs are
    taken from the straightest down. Pairs that are equally straight are taken together, so that
    no order or number decides: where a street forks evenly, it runs on into both branches.
    """
    one, two = _arms_two_by_two(graph, order, first)
    apart = np.abs(angle[one] - angle[two])
    apart = np.minimum(apart, 2 * np.pi - apart)
    name = np.repeat(graph.segments.name, 2)
    same = (name[one] == name[two]) & (name[one] > 0)
    ring = graph.segments.ring[one >> 1] & graph.segments.ring[two >> 1]
    fit = (apart >= THROUGH_RAD) | (same & (apart >= THROUGH_SAME_NAME_RAD)) | (ring & (apart >= RING_RAD))
    one, two, rank = one[fit], two[fit], (apart + 2 * _TIE_RAD * same + np.pi * ring)[fit]
    found = []
    while len(one):
        best = np.zeros(len(angle))
        np.maximum.at(best, one, rank)
        np.maximum.at(best, two, rank)
        take = (rank >= best[one] - _TIE_RAD) & (rank >= best[two] - _TIE_RAD)
        found.append(np.column_stack([one[take], two[take]]))
        gone = np.zeros(len(angle), bool)
        gone[found[-1]] = True
        left = ~gone[one] & ~gone[two]
        one, two, rank = one[left], two[left], rank[left]
    return np.concatenate([np.empty((0, 2), np.int64), *found])


def _arms_two_by_two(
    graph: Graph, order: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every two arms of every junction, as outgoing half-edges."""
    one, two = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    junction = np.flatnonzero(graph.degree >= _JUNCTION_ARMS)
    for i in range(int(graph.degree.max(initial=0))):
        for j in range(i + 1, int(graph.degree.max(initial=0))):
            node = junction[graph.degree[junction] > j]
            one.append(order[first[node] + i])
            two.append(order[first[node] + j])
    return np.concatenate(one), np.concatenate(two)


def _is_pair(pairs: NDArray[np.int64], one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.bool_]:
    size = len(one)
    low, high = np.minimum(one, two), np.maximum(one, two)
    return np.isin(low * size + high, pairs.min(axis=1) * size + pairs.max(axis=1))


def _through(pairs: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return for each half-edge the one that continues it, where exactly one does."""
    arms, partners = pairs.ravel(), pairs[:, ::-1].ravel()
    only = np.bincount(arms, minlength=size)[arms] == 1
    through = np.full(size, -1, np.int64)
    through[arms[only] ^ 1] = partners[only]
    return through
