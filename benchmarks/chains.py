"""Cuts a street graph into chains: the stretches between junctions, ends and changes of width."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Graph

_THROUGH: Final = 2


class Chain(NamedTuple):
    """Nodes in order, one width and one direction throughout.

    Attributes:
        nodes: of the graph, k + 1; the first and last may be the same.
        segments: of the graph, k.
        left_m: half-width on the left of the chain.
        right_m: on the right.
        direction: 1 where traffic runs along the chain only, -1 against it only, 0 both ways.
    """

    nodes: tuple[int, ...]
    segments: tuple[int, ...]
    left_m: float
    right_m: float
    direction: int


def chains(graph: Graph) -> list[Chain]:
    """Return the chains of a graph; a ring without a junction is opened at its first node."""
    segments = graph.segments
    org = np.stack([segments.a, segments.b], axis=1).ravel()
    section = np.stack(
        [
            np.stack([segments.left_m, segments.right_m], axis=1).ravel(),
            np.stack([segments.right_m, segments.left_m], axis=1).ravel(),
            np.stack([segments.direction, -segments.direction], axis=1).ravel(),
        ],
        axis=1,
    )
    follows = _follows(org, section, graph.degree)
    inner = np.zeros(len(org), bool)
    inner[follows[follows >= 0]] = True
    found, done = [], np.zeros(len(segments.a), bool)
    for head in np.argsort(inner, kind="stable").tolist():  # rings, which have no head, come last
        if not done[head >> 1]:
            found.append(_walk(head, follows, org, section, done))  # noqa: PERF401 (`done` changes)
    return found


def _follows(
    org: NDArray[np.int64], section: NDArray[np.float64], degree: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each half-edge the one that continues it with the same section, or -1."""
    order = np.argsort(org, kind="stable")
    first = np.searchsorted(org[order], np.arange(len(degree)))
    twin = np.arange(len(org)) ^ 1
    end = org[twin]
    through = degree[end] == _THROUGH
    one = order[first[end]]
    two = order[np.minimum(first[end] + 1, len(order) - 1)]
    after = np.where(one == twin, two, one)
    alike = np.all(np.abs(section[after] - section) < 1e-9, axis=1)  # noqa: PLR2004 (rounding)
    return np.where(through & alike & (after >> 1 != np.arange(len(org)) >> 1), after, -1)


def _walk(
    head: int,
    follows: NDArray[np.int64],
    org: NDArray[np.int64],
    section: NDArray[np.float64],
    done: NDArray[np.bool_],
) -> Chain:
    nodes, segments, edge = [int(org[head])], list[int](), head
    while edge >= 0 and not done[edge >> 1]:
        done[edge >> 1] = True
        nodes.append(int(org[edge ^ 1]))
        segments.append(edge >> 1)
        edge = int(follows[edge])
    left_m, right_m, direction = section[head]
    return Chain(tuple(nodes), tuple(segments), float(left_m), float(right_m), int(direction))
