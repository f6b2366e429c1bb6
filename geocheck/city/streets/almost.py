"""Dead ends that stop inside another carriageway are drawn straight on to its axis."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Segments

_REACH: Final = 2.0
"""A dead end is drawn on by at most so many half-widths of the carriageway it lies in."""

_MIN_SINE: Final = 0.34
"""And only where it meets the axis at more than 20 degrees: beside it, it is a street of its own."""

_SAME_PLACE_M: Final = 0.01
"""So near an end of the axis segment, the street is joined to that end."""


def join_almost_junctions(
    segments: Segments, xy: NDArray[np.float64], cut: NDArray[np.bool_]
) -> tuple[Segments, NDArray[np.float64], int]:
    """Join dead ends that lie inside another carriageway of the same layer to its axis.

    Args:
        segments: of all streets.
        xy: of the nodes, metres, shape (n, 2).
        cut: nodes with a missing arm, shape (n,): these are left alone.

    Returns:
        The segments (axes split where something joins them), the nodes with the new ones added at the end,
        and the number of dead ends joined.
    """
    hits = _hits(segments, xy, cut)
    places = list(xy)
    cuts: dict[int, list[tuple[float, int]]] = {}
    links: list[tuple[int, int, int]] = []
    for hit in hits:
        node = _node_on_axis(segments, xy, hit, places, cuts.setdefault(hit.other, []))
        if node != hit.end:
            outward = segments.b[hit.own] == hit.end
            links.append((hit.end, node, hit.own) if outward else (node, hit.end, hit.own))
    for other, found in cuts.items():
        stops = [int(segments.a[other]), *(node for _, node in sorted(found)), int(segments.b[other])]
        links += [(a, b, other) for a, b in pairwise(stops) if a != b]
    kept = np.setdiff1d(np.arange(len(segments.a)), list(cuts))
    new = np.array(links, np.int64).reshape(-1, 3)
    a, b = np.concatenate([segments.a[kept], new[:, 0]]), np.concatenate([segments.b[kept], new[:, 1]])
    joined = segments.at(np.concatenate([kept, new[:, 2]]))._replace(a=a, b=b)
    return joined, np.array(places).reshape(-1, 2), len(hits)


class _Hit(NamedTuple):
    """A dead end drawn on: its node, its segment, the segment hit, where, and how far along that."""

    end: int
    own: int
    other: int
    place: NDArray[np.float64]
    share: float


def _node_on_axis(
    segments: Segments,
    xy: NDArray[np.float64],
    hit: _Hit,
    places: list[NDArray[np.float64]],
    cuts: list[tuple[float, int]],
) -> int:
    """Return the node at which the axis is met: an end of it, one found before, the dead end, a new one."""
    a, b = int(segments.a[hit.other]), int(segments.b[hit.other])
    length = float(np.hypot(*(xy[b] - xy[a])))
    for share, node in [(0.0, a), (1.0, b), *cuts]:
        if abs(share - hit.share) * length < _SAME_PLACE_M:
            return node
    if np.hypot(*(hit.place - xy[hit.end])) < _SAME_PLACE_M:
        node = hit.end
    else:
        node = len(places)
        places.append(hit.place)
    cuts.append((hit.share, node))
    return node


def _hits(segments: Segments, xy: NDArray[np.float64], cut: NDArray[np.bool_]) -> list[_Hit]:
    """Return the nearest hit of each dead end that has one."""
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
    cross = ahead[:, 0] * axis[:, 1] - ahead[:, 1] * axis[:, 0]
    gap = base - xy[end[which]]
    steep = np.abs(cross) > _MIN_SINE * length
    safe = np.where(steep, cross, 1.0)
    far = (gap[:, 0] * axis[:, 1] - gap[:, 1] * axis[:, 0]) / safe
    share = (gap[:, 0] * ahead[:, 1] - gap[:, 1] * ahead[:, 0]) / safe
    off = (gap[:, 0] * axis[:, 1] - gap[:, 1] * axis[:, 0]) / length
    half = np.where(off < 0, segments.right_m[other], segments.left_m[other])
    spare = _SAME_PLACE_M / length
    met = (far >= -_SAME_PLACE_M) & (share >= -spare) & (share <= 1 + spare)
    hit = steep & met & (far <= _REACH * half) & (np.abs(off) < half)
    # Of axes that cross at one place the squarest is met, so that the order of the rows does not decide.
    flat, step = -np.abs(cross[hit]) / length[hit], np.round(far[hit] / _SAME_PLACE_M)
    order = np.lexsort((flat, step, which[hit]))
    rows = np.flatnonzero(hit)[order]
    _, first = np.unique(which[rows], return_index=True)
    found = rows[first]
    return [
        _Hit(end[which[r]], own[which[r]], int(other[r]), base[r] + share[r] * axis[r], float(share[r]))
        for r in found
    ]
