"""Surveyed kerb lines, cleaned and joined end to end into chains."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.links import connected
from geocheck.city.planar import cross_product
from geocheck.city.ragged import owners, polylines
from geocheck.city.streets.kerbs import flip

if TYPE_CHECKING:
    from numpy.typing import NDArray

JOIN_M: Final = 0.05
"""Ends of lines so near each other are one place: half of what a survey is good for."""


@dataclass(frozen=True, slots=True)
class LineCounts:
    """What happened to the lines on the way.

    Attributes:
        no_lines: features that are no lines and were left out.
        repeated: lines left out, for another runs along all of them.
        tiny: lines left out, for both their ends are one place.
        joined_ends: ends that were moved onto another.
        crossings: places where three or more lines end.
    """

    no_lines: int
    repeated: int
    tiny: int
    joined_ends: int
    crossings: int


@dataclass(frozen=True, slots=True)
class Chains:
    """k chains of lines over v vertices and e = v - k edges, in metres.

    An open chain begins at the lower of its ends (by x, then y), a ring in the middle of its longest edge and
    runs clockwise: neither depends on how the lines were drawn.

    Attributes:
        xy: vertices, shape (v, 2).
        start: chain i has the vertices `xy[start[i]:start[i + 1]]`, shape (k + 1,).
        ring: chains that end where they begin, shape (k,).
        row: of each edge, the row of the feature that it comes from, shape (e,).
        along: 1 where the edge runs as its feature was drawn, -1 where against it, shape (e,).
        counts: what was left out or moved.
    """

    xy: NDArray[np.float64]
    start: NDArray[np.int64]
    ring: NDArray[np.bool_]
    row: NDArray[np.int64]
    along: NDArray[np.int64]
    counts: LineCounts

    def __len__(self) -> int:
        return len(self.ring)

    @property
    def chain(self) -> NDArray[np.int64]:
        """The chain of each vertex, shape (v,)."""
        return owners(self.start)

    @property
    def edge_start(self) -> NDArray[np.int64]:
        """Chain i has the edges `edge_start[i]:edge_start[i + 1]`, shape (k + 1,)."""
        return np.asarray(self.start - np.arange(len(self.start)))

    def turned(self, which: NDArray[np.bool_]) -> Chains:
        """Return the same with some chains run backwards, shape (k,)."""
        return replace(
            self,
            xy=flip(self.xy, self.start, which),
            row=flip(self.row, self.edge_start, which),
            along=flip(
                np.where(np.repeat(which, np.diff(self.edge_start)), -self.along, self.along),
                self.edge_start,
                which,
            ),
        )

    def lines(self) -> NDArray[np.object_]:
        """Return the chains as lines, shape (k,)."""
        return polylines(self.xy, self.start)


def chained(geometry: NDArray[np.object_]) -> Chains:
    """Join lines end to end, wherever two of them (and no third) meet.

    Args:
        geometry: lines and multi-lines in metres, valid, shape (n,); others are left out and counted.
    """
    lineal = np.isin(shapely.get_type_id(geometry), (1, 2, 5))
    parts, row = shapely.get_parts(geometry[lineal], return_index=True)
    row = np.flatnonzero(lineal)[row]
    parts = shapely.remove_repeated_points(parts)
    parts, row, repeated = _once(parts, row)
    parts, moved = _snapped(parts)
    whole = shapely.length(parts) > 0
    tiny = int(np.count_nonzero(~whole))
    parts, row = parts[whole], row[whole]
    merged = _merged(parts)
    xy, start = _vertices(merged)
    own, along = _origin(parts, row, xy, start)
    counts = LineCounts(int(np.count_nonzero(~lineal)), repeated, tiny, moved, _crossings(parts))
    return Chains(xy, start, shapely.is_closed(merged), own, along, counts)


def _once(
    parts: NDArray[np.object_], row: NDArray[np.int64]
) -> tuple[NDArray[np.object_], NDArray[np.int64], int]:
    """Keep one of lines that are the same, whichever way they are drawn; also count the others."""
    if not len(parts):
        return parts, row, 0
    shape = shapely.to_wkb(shapely.normalize(parts)).tolist()
    place = dict(zip(reversed(shape), range(len(shape) - 1, -1, -1), strict=True))
    first = np.sort(np.array(list(place.values())))
    return parts[first], row[first], len(parts) - len(first)


def _snapped(parts: NDArray[np.object_]) -> tuple[NDArray[np.object_], int]:
    """Move ends within `JOIN_M` of each other onto the lowest of them; also count those that moved."""
    if not len(parts):
        return parts, 0
    xy, owner = shapely.get_coordinates(parts, return_index=True)
    first = np.searchsorted(owner, np.arange(len(parts)))
    last = np.append(first[1:], len(owner)) - 1
    at = np.concatenate([first, last])
    ends = xy[at]
    _, rank = np.unique(ends, axis=0, return_inverse=True)
    rank = rank.ravel()
    place = np.empty((int(rank.max()) + 1, 2))
    place[rank] = ends
    points = np.asarray(shapely.points(place))
    one, two = shapely.STRtree(points).query(points, predicate="dwithin", distance=JOIN_M)
    label = connected(one, two, len(place))
    xy[at] = place[label[rank]]
    moved = shapely.remove_repeated_points(shapely.linestrings(xy, indices=owner))
    return np.asarray(moved, object), int(np.count_nonzero(label[rank] != rank))


def _merged(parts: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return chains, directed and ordered by where they lie."""
    if not len(parts):
        return parts
    chains = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(list(parts))))
    directed = np.array([_directed(shapely.get_coordinates(each)) for each in chains], object)
    lowest = np.array(
        [tuple(each.min(axis=0)) + tuple(each[0]) for each in map(shapely.get_coordinates, directed)]
    )
    return np.asarray(directed[np.lexsort(lowest.T[::-1])], object)


def _directed(xy: NDArray[np.float64]) -> shapely.LineString:
    if not np.array_equal(xy[0], xy[-1]):
        return shapely.LineString(xy if tuple(xy[0]) < tuple(xy[-1]) else xy[::-1])
    here, there = xy[:-1] - xy[0], xy[1:] - xy[0]
    if np.sum(cross_product(here, there)) > 0:
        xy = xy[::-1]
    length = np.hypot(*(xy[1:] - xy[:-1]).T)
    middle = (xy[1:] + xy[:-1]) / 2
    longest = np.flatnonzero(length >= length.max() - JOIN_M)
    edge = int(longest[np.lexsort(middle[longest].T[::-1])[0]])
    turned = np.concatenate([middle[[edge]], xy[edge + 1 : -1], xy[: edge + 1], middle[[edge]]])
    return shapely.LineString(turned)


def _vertices(lines: NDArray[np.object_]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    xy, owner = shapely.get_coordinates(lines, return_index=True)
    return xy, np.searchsorted(owner, np.arange(len(lines) + 1)).astype(np.int64)


def _origin(
    parts: NDArray[np.object_], row: NDArray[np.int64], xy: NDArray[np.float64], start: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each edge of the chains the row it comes from and whether it runs as drawn there."""
    if not len(parts):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    drawn, owner = shapely.get_coordinates(parts, return_index=True)
    inner = owner[1:] == owner[:-1]
    middle = (drawn[1:] + drawn[:-1])[inner] / 2
    edge_row = row[owner[1:][inner]]
    way = (drawn[1:] - drawn[:-1])[inner]
    piece = np.ones(len(xy), bool)
    piece[start[:-1]] = False
    here = ((xy[1:] + xy[:-1]) / 2)[piece[1:]]
    run = (xy[1:] - xy[:-1])[piece[1:]]
    # The edges are the same ones, to the bit, but for a ring's longest, of which there are two halves.
    key = middle @ [1, 1j]
    order = np.argsort(key, kind="stable")
    place = np.minimum(np.searchsorted(key[order], here @ [1, 1j]), len(key) - 1)
    found = order[place]
    half = np.flatnonzero(np.any(middle[found] != here, axis=1))
    edges = np.asarray(shapely.linestrings(np.stack([middle - way / 2, middle + way / 2], axis=1)))
    near = shapely.STRtree(edges).query_nearest(
        shapely.points(here[half]), max_distance=JOIN_M, all_matches=False
    )
    found[half[near[0]]] = near[1]
    sense = np.sign((way[found] * run).sum(axis=1)).astype(np.int64)
    return edge_row[found], sense


def _crossings(parts: NDArray[np.object_]) -> int:
    if not len(parts):
        return 0
    ends = shapely.get_coordinates([shapely.get_point(parts, 0), shapely.get_point(parts, -1)])
    _, count = np.unique(ends, axis=0, return_counts=True)
    return int(np.count_nonzero(count > 2))  # noqa: PLR2004 (two lines are joined)
