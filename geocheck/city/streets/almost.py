"""Dead ends that stop inside another carriageway are drawn straight on to its axis."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.links import connected
from geocheck.city.planar import cross_product

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Segments

_REACH: Final = 2.0
"""A dead end is drawn on by at most so many half-widths of the carriageway it lies in."""

_MIN_SINE: Final = 0.34
"""And only where it meets the axis at more than 20 degrees: beside it, it is a street of its own."""

_SAME_PLACE_M: Final = 0.01
"""Places so near each other are one: OSM rounds places to 7 mm."""


def join_almost_junctions(
    segments: Segments, xy: NDArray[np.float64], cut: NDArray[np.bool_]
) -> tuple[Segments, NDArray[np.float64], int]:
    """Join dead ends that lie inside another carriageway of the same layer to its axis.

    Where axes cross at the place that a dead end meets, it joins them all: no order could choose one.

    Args:
        segments: of all streets.
        xy: of the nodes, metres, shape (n, 2).
        cut: nodes with a missing arm, shape (n,): these are left alone.

    Returns:
        The segments (axes split where something joins them), the nodes with the new ones added at the end,
        and the number of dead ends joined.
    """
    hits = _hits(segments, xy, cut)
    if not len(hits.end):
        return segments, xy, 0
    label, places = _merged(segments, xy, hits)
    node = label[len(xy) + hits.number]
    outward = segments.b[hits.own] == hits.end
    links = {
        (*((end, to) if out else (to, end)), own)
        for end, to, out, own in zip(
            label[hits.end].tolist(), node.tolist(), outward.tolist(), hits.own.tolist(), strict=True
        )
    }
    for other in np.unique(hits.other).tolist():
        found = np.flatnonzero(hits.other == other)
        between = node[found[np.argsort(hits.share[found], kind="stable")]].tolist()
        stops = [int(label[segments.a[other]]), *between, int(label[segments.b[other]])]
        links |= {(a, b, other) for a, b in pairwise(stops)}
    kept = np.setdiff1d(np.arange(len(segments.a)), hits.other)
    new = np.array(sorted(links), np.int64)
    a = np.concatenate([label[segments.a[kept]], new[:, 0]])
    b = np.concatenate([label[segments.b[kept]], new[:, 1]])
    joined = segments.at(np.concatenate([kept, new[:, 2]]))._replace(a=a, b=b)
    return joined.at(a != b), places, int(hits.number.max()) + 1


class _Hits(NamedTuple):
    """k meetings of dead ends, drawn on, with axes: as many for each as axes cross where it first meets one.

    Attributes:
        number: of the dead end, from 0, shape (k,).
        end: its node.
        own: its segment.
        other: the segment it meets.
        share: how far along that one.
        place: where, metres, shape (k, 2).
    """

    number: NDArray[np.int64]
    end: NDArray[np.int64]
    own: NDArray[np.int64]
    other: NDArray[np.int64]
    share: NDArray[np.float64]
    place: NDArray[np.float64]


def _merged(
    segments: Segments, xy: NDArray[np.float64], hits: _Hits
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return which node stands for each node and for each dead end's meeting, and the places of all.

    Nodes and meetings at one place on one axis are one node; it lies in the middle of the nodes that were
    there, if any were.
    """
    size, count = len(xy), int(hits.number.max()) + 1
    place = np.empty((count, 2))
    for axis in (0, 1):
        place[:, axis] = np.bincount(hits.number, hits.place[:, axis]) / np.bincount(hits.number)
    every = np.concatenate([xy, place])
    met = size + hits.number
    one, two = [met, met, met], [segments.a[hits.other], segments.b[hits.other], hits.end]
    order = np.lexsort((hits.share, hits.other))
    beside = hits.other[order[1:]] == hits.other[order[:-1]]
    one.append(met[order[1:]][beside])
    two.append(met[order[:-1]][beside])
    a, b = np.concatenate(one), np.concatenate(two)
    near = np.hypot(*(every[a] - every[b]).T) < _SAME_PLACE_M
    label = connected(a[near], b[near], len(every))
    weight = np.where(np.arange(len(every)) < size, 1.0, 0.0)
    weight[np.bincount(label, weight, len(every))[label] == 0] = 1.0
    total = np.maximum(np.bincount(label, weight, len(every)), 1.0)
    middle = [np.bincount(label, weight * every[:, axis], len(every)) / total for axis in (0, 1)]
    shared = np.bincount(label, minlength=len(every)) > 1
    return label, np.where(shared[:, None], np.column_stack(middle), every)


def _hits(segments: Segments, xy: NDArray[np.float64], cut: NDArray[np.bool_]) -> _Hits:
    """Return where dead ends meet axes."""
    degree = np.bincount(np.concatenate([segments.a, segments.b]), minlength=len(xy))
    lonely = (degree == 1) & ~cut
    own = np.concatenate([np.flatnonzero(lonely[segments.a]), np.flatnonzero(lonely[segments.b])])
    at_a = np.arange(len(own)) < np.count_nonzero(lonely[segments.a])
    end = np.where(at_a, segments.a[own], segments.b[own])
    back = np.where(at_a, segments.b[own], segments.a[own])
    lines = np.asarray(shapely.linestrings(np.stack([xy[segments.a], xy[segments.b]], axis=1)))
    widest = float(np.max(np.maximum(segments.left_m, segments.right_m), initial=0.0))
    which, other = shapely.STRtree(lines).query(shapely.points(xy[end]), predicate="dwithin", distance=widest)
    fair = (other != own[which]) & (segments.layer[other] == segments.layer[own[which]])
    which, other = which[fair], other[fair]
    ahead = xy[end[which]] - xy[back[which]]
    ahead /= np.maximum(np.hypot(*ahead.T), 1e-12)[:, None]
    base, axis = xy[segments.a[other]], xy[segments.b[other]] - xy[segments.a[other]]
    length = np.hypot(*axis.T)
    cross = cross_product(ahead, axis)
    gap = base - xy[end[which]]
    steep = np.abs(cross) > _MIN_SINE * length
    safe = np.where(steep, cross, 1.0)
    far = cross_product(gap, axis) / safe
    share = cross_product(gap, ahead) / safe
    off = cross_product(gap, axis) / length
    half = np.where(off < 0, segments.right_m[other], segments.left_m[other])
    spare = _SAME_PLACE_M / length
    met = (far >= -_SAME_PLACE_M) & (share >= -spare) & (share <= 1 + spare)
    rows = np.flatnonzero(steep & met & (far <= _REACH * half) & (np.abs(off) < half))
    nearest = np.full(len(own), np.inf)
    np.minimum.at(nearest, which[rows], far[rows])
    rows = rows[far[rows] <= nearest[which[rows]] + _SAME_PLACE_M]
    _, number = np.unique(which[rows], return_inverse=True)
    place = base[rows] + share[rows, None] * axis[rows]
    return _Hits(number, end[which[rows]], own[which[rows]], other[rows], share[rows], place)
