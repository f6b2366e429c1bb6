"""Segments that run over a shorter one from the same node are split where that one ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Segments

_ASIDE_M: Final = 0.01
"""The shorter one ends so near the longer one: OSM rounds places to 7 mm."""

_MAX_ROUNDS: Final = 50


def lay_out_overlaps(segments: Segments, xy: NDArray[np.float64]) -> tuple[Segments, int]:
    """Lay out streets that are drawn twice, with other nodes in between.

    Where two arms leave a node in one direction, no kerb can lie between them. What is drawn twice becomes
    twice the same segment, each with its own widths, so that whoever drops one of them can choose.

    Args:
        segments: none of zero length.
        xy: of the nodes, metres, shape (n, 2).

    Returns:
        The segments, and how often one was split.
    """
    count = 0
    for _ in range(_MAX_ROUNDS):
        long, short = _overlapping(segments, xy)
        if not len(long):
            break
        row, first = np.unique(long >> 1, return_index=True)
        half, near = long[first], short[first]
        target = np.where(near & 1 == 0, segments.b[near >> 1], segments.a[near >> 1])
        a, b = segments.a.copy(), segments.b.copy()
        forward = half & 1 == 0
        a[row[forward]], b[row[~forward]] = target[forward], target[~forward]
        # The stretch that is drawn twice keeps the direction of its way.
        near_a = np.where(forward, segments.a[row], target)
        near_b = np.where(forward, target, segments.b[row])
        count += len(row)
        split = segments.at(np.concatenate([np.arange(len(a)), row]))
        segments = split._replace(a=np.concatenate([a, near_a]), b=np.concatenate([b, near_b]))
    return segments, count


def _overlapping(segments: Segments, xy: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return half-edges (2 k from `a` of segment k, 2 k + 1 from `b`) and shorter ones they run over."""
    org = np.stack([segments.a, segments.b], axis=1).ravel()
    dst = np.stack([segments.b, segments.a], axis=1).ravel()
    along = xy[dst] - xy[org]
    length = np.hypot(along[:, 0], along[:, 1])
    order = np.lexsort((length, np.arctan2(along[:, 1], along[:, 0]), org))
    first = np.searchsorted(org[order], org[order])
    last = np.searchsorted(org[order], org[order], side="right") - 1
    here = np.arange(len(order))
    neighbour = order[np.where(here == last, first, here + 1)]
    one, two = order, neighbour
    swap = length[one] > length[two]
    short, long = np.where(swap, two, one), np.where(swap, one, two)
    dot = (along[short] * along[long]).sum(axis=1)
    cross = along[short, 0] * along[long, 1] - along[short, 1] * along[long, 0]
    over = (dot > 0) & (np.abs(cross) < _ASIDE_M * length[long]) & (length[long] - length[short] > _ASIDE_M)
    return long[over], short[over]
