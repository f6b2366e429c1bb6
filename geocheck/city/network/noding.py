"""Joins axes drawn by hand where they meet: ends that miss each other, ends on another axis, crossings.

Measured on official axes (Goiânia 39,938, Porto Alegre 31,459): axes are split at junctions and ends meet
exactly, but for roundings and slips. Of the ends that touch nothing, those within a distance of another axis
grow fast up to 0.5 m and hardly from there to 3 m: farther ends are dead ends. Axes that cross without a
common vertex do so within 1.3 m of an end (a slip) or beyond 3.4 m: the latter, 21 in Goiânia and none in
Porto Alegre, lie on highways and are viaducts and underpasses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.links import connected
from geocheck.city.ragged import owners, polylines, stations_m

if TYPE_CHECKING:
    from numpy.typing import NDArray

SNAP_M: Final = 0.5
"""Ends so near to each other, or to another axis, meet."""

OVERSHOOT_M: Final = 3.0
"""An axis that goes on so far beyond one that it crosses was meant to end there."""

UNSPLIT_SHARE: Final = 0.1
"""With more crossings without a vertex among all junctions, the file does not split axes at junctions."""

_SAME_M: Final = 0.01
"""A crossing so near to a vertex is that vertex."""

_ARMS: Final = 3
"""So many arms make a junction."""


@dataclass(frozen=True, slots=True)
class NodedLines:
    """Lines of which those that meet have a vertex of equal coordinates.

    Attributes:
        xy: vertices, shape (n, 2).
        start: line i has the vertices `start[i]:start[i + 1]`, shape (l + 1,).
        ends_joined: places where lines end, moved onto another such place.
        ends_on_lines: places where lines end, joined to another line that had no vertex there.
        overshoots: crossings near an end, joined.
        crossings_joined: other crossings without a common vertex, joined, for the file does not split lines.
        crossings_left: the same, not joined, for the file splits lines where they meet.
        undivided: places where lines that go on have a common vertex though none of them ends there.
        crowded: groups of ends, each within reach of the next, too long to be one place, left alone.
    """

    xy: NDArray[np.float64]
    start: NDArray[np.int64]
    ends_joined: int = 0
    ends_on_lines: int = 0
    overshoots: int = 0
    crossings_joined: int = 0
    crossings_left: int = 0
    undivided: int = 0
    crowded: int = 0

    def owner(self) -> NDArray[np.int64]:
        """Return the line of each vertex, shape (n,)."""
        return owners(self.start)

    def lines(self) -> NDArray[np.object_]:
        """Return the lines as geometries."""
        return polylines(self.xy, self.start)


class _Stops(NamedTuple):
    """Places that are to be vertices of lines: by row, the line and where."""

    line: NDArray[np.int64]
    xy: NDArray[np.float64]


class _Crossings(NamedTuple):
    """Places where two lines cross: by row, the line, the other, where."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    xy: NDArray[np.float64]


def node_lines(lines: NDArray[np.object_]) -> NodedLines:
    """Give lines that meet a common vertex.

    Args:
        lines: LineStrings with some length, metres, shape (l,).
    """
    xy, owner = shapely.get_coordinates(lines, return_index=True)
    start = np.searchsorted(owner, np.arange(len(lines) + 1))
    return _cross(_touch(_meet(NodedLines(xy, start))))


def _end_rows(found: NodedLines) -> NDArray[np.int64]:
    """Return the rows of the first and the last vertices, shape (2 * l,)."""
    return np.concatenate([found.start[:-1], found.start[1:] - 1])


def _meet(found: NodedLines) -> NodedLines:
    """Move ends that lie near each other to the place at which most lines end."""
    rows = _end_rows(found)
    places, which, uses = np.unique(found.xy[rows], axis=0, return_inverse=True, return_counts=True)
    points = np.asarray(shapely.points(places), object)
    one, other = shapely.STRtree(points).query(points, predicate="dwithin", distance=SNAP_M)
    group = connected(one, other, len(places))
    low, high = np.full((len(places), 2), np.inf), np.full((len(places), 2), -np.inf)
    np.minimum.at(low, group, places)
    np.maximum.at(high, group, places)
    crowded = np.hypot(*np.where(np.isfinite(low), high - low, 0.0).T) > 2 * SNAP_M
    order = np.lexsort((places[:, 1], places[:, 0], -uses, group))
    first = order[np.concatenate([[True], np.diff(group[order]) != 0])]
    best = np.zeros(len(places), np.int64)
    best[group[first]] = first
    target = np.where(crowded[group], np.arange(len(places)), best[group])
    xy = found.xy.copy()
    xy[rows] = places[target[which.ravel()]]
    joined = int(np.count_nonzero(target != np.arange(len(places))))
    return replace(found, xy=xy, ends_joined=joined, crowded=int(np.count_nonzero(crowded)))


def _touch(found: NodedLines) -> NodedLines:
    """Join ends to the lines beside which they lie; a near vertex of a line is preferred to its middle."""
    lines, rows = found.lines(), _end_rows(found)
    places, which = np.unique(found.xy[rows], axis=0, return_inverse=True)
    which = which.ravel()
    points = np.asarray(shapely.points(places), object)
    place, line = shapely.STRtree(lines).query(points, predicate="dwithin", distance=SNAP_M)
    # An end within reach of the line's own ends was dealt with among ends.
    apart_m = [np.hypot(*(places[side[line]] - places[place]).T) for side in np.split(which, 2)]
    beside = np.min(apart_m, axis=0) > SNAP_M
    place, line = place[beside], line[beside]
    vertex, gap_m = _nearest_vertex(found, line, places[place])
    foot = shapely.get_coordinates(
        shapely.line_interpolate_point(lines[line], shapely.line_locate_point(lines[line], points[place]))
    )
    target = np.where((gap_m <= SNAP_M)[:, None], vertex, foot)
    far_m = np.hypot(*(target - places[place]).T)
    order = np.lexsort((target[:, 1], target[:, 0], far_m, place))
    nearest = order[np.concatenate([[True], np.diff(place[order]) != 0])] if len(order) else order
    moved = places.copy()
    moved[place[nearest]] = target[nearest]
    xy = found.xy.copy()
    xy[rows] = moved[which]
    joined = replace(found, xy=xy, ends_on_lines=len(np.unique(place[gap_m > 0])))
    return _with_stops(joined, _Stops(line, moved[place]))


def _nearest_vertex(
    found: NodedLines, line: NDArray[np.int64], xy: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each place the nearest vertex of a line, and how far away that is in metres."""
    asked, which = np.unique(line, return_inverse=True)
    owner = found.owner()
    rows = np.isin(owner, asked)
    vertices = shapely.multipoints(found.xy[rows], indices=np.searchsorted(asked, owner[rows]))
    links = shapely.shortest_line(shapely.points(xy), np.asarray(vertices, object)[which])
    nearest = shapely.get_coordinates(links).reshape(-1, 2, 2)[:, 1]
    return nearest, np.hypot(*(nearest - xy).T)


def _with_stops(found: NodedLines, stops: _Stops, keep_m: NDArray[np.float64] | None = None) -> NodedLines:
    """Put places among the vertices of their lines, where they are none yet.

    Args:
        found: lines.
        stops: on, or nearly on, their lines.
        keep_m: from where to where each line is kept, shape (l, 2); None: all of it.
    """
    _, gap_m = _nearest_vertex(found, stops.line, stops.xy)
    stops = _Stops(stops.line[gap_m > 0], stops.xy[gap_m > 0])
    new = np.unique(np.column_stack([stops.line, stops.xy]), axis=0)
    line, xy = new[:, 0].astype(np.int64), new[:, 1:]
    station_m = shapely.line_locate_point(found.lines()[line], shapely.points(xy))
    rank = np.ones(len(found.xy) + len(new))
    rank[found.start[:-1]], rank[found.start[1:] - 1] = 0, 2  # ends stay ends
    owner = np.concatenate([found.owner(), line])
    station_m = np.concatenate([stations_m(found.xy, found.start), station_m])
    order = np.lexsort((rank, station_m, owner))
    if keep_m is not None:
        low, high = keep_m[owner[order]].T
        order = order[(low <= station_m[order]) & (station_m[order] <= high)]
    sizes = np.bincount(owner[order], minlength=len(found.start) - 1)
    start = np.concatenate([[0], np.cumsum(sizes)])
    return replace(found, xy=np.concatenate([found.xy, xy])[order], start=start)


def _cross(found: NodedLines) -> NodedLines:
    """Join lines that cross near an end of one; and all that cross, where the file never splits lines."""
    lines = found.lines()
    crossings = _unnoded(found, lines)
    pairs = np.column_stack([crossings.one, crossings.other])
    points = shapely.points(crossings.xy)
    station_m = np.column_stack([shapely.line_locate_point(lines[each], points) for each in pairs.T])
    length_m = shapely.length(lines)
    to_end_m = np.minimum(station_m, length_m[pairs] - station_m)
    slip = to_end_m.min(axis=1) <= OVERSHOOT_M
    far = int(np.count_nonzero(~slip))
    unsplit = far > UNSPLIT_SHARE * (far + _junctions(found))
    joined = slip | unsplit
    stops = _Stops(pairs[joined].ravel("F"), np.tile(crossings.xy[joined], (2, 1)))
    keep_m = _without_stubs(found, pairs[slip], station_m[slip], length_m)
    noded = _with_stops(found, stops, keep_m)
    return replace(
        noded,
        overshoots=int(np.count_nonzero(slip)),
        crossings_joined=far if unsplit else 0,
        crossings_left=0 if unsplit else far,
        undivided=_undivided(found),
    )


def _unnoded(found: NodedLines, lines: NDArray[np.object_]) -> _Crossings:
    """Return where lines cross without a common vertex; a place near a vertex of one is that vertex."""
    one, other = shapely.STRtree(lines).query(lines, predicate="crosses")
    one, other = one[one < other], other[one < other]
    parts, pair = shapely.get_parts(shapely.intersection(lines[one], lines[other]), return_index=True)
    dots = shapely.get_type_id(parts) == 0
    one, other, xy = one[pair[dots]], other[pair[dots]], shapely.get_coordinates(parts[dots])
    (of_one, gap_one), (of_other, gap_other) = (_nearest_vertex(found, each, xy) for each in (one, other))
    at_one, at_other = gap_one <= _SAME_M, gap_other <= _SAME_M
    xy = np.where(at_one[:, None], of_one, np.where(at_other[:, None], of_other, xy))
    open_ = ~(at_one & at_other & (of_one == of_other).all(axis=1))
    return _Crossings(one[open_], other[open_], xy[open_])


def _junctions(found: NodedLines) -> int:
    """Count the places where three arms or more meet, axes drawn twice counted twice."""
    arms = np.full(len(found.xy), 2)
    arms[_end_rows(found)] = 1
    _, place = np.unique(found.xy, axis=0, return_inverse=True)
    return int(np.count_nonzero(np.bincount(place.ravel(), weights=arms) >= _ARMS))


def _undivided(found: NodedLines) -> int:
    """Count the places with three neighbours or more at which no line ends."""
    _, place = np.unique(found.xy, axis=0, return_inverse=True)
    place = place.ravel()
    inside = np.diff(found.owner()) == 0
    steps = np.column_stack([place[:-1], place[1:]])[inside]
    steps = np.unique(np.concatenate([steps, steps[:, ::-1]]), axis=0)
    neighbours = np.bincount(steps[steps[:, 0] != steps[:, 1], 0], minlength=int(place.max(initial=-1)) + 1)
    neighbours[place[_end_rows(found)]] = 0
    return int(np.count_nonzero(neighbours >= _ARMS))


def _without_stubs(
    found: NodedLines, pairs: NDArray[np.int64], station_m: NDArray[np.float64], length_m: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return from where to where each line is kept: loose ends that stick out beyond a crossing go.

    Args:
        found: lines.
        pairs: two lines that cross near an end of one, shape (c, 2).
        station_m: where each of the two does, shape (c, 2).
        length_m: of the lines.
    """
    _, place, uses = np.unique(found.xy[_end_rows(found)], axis=0, return_inverse=True, return_counts=True)
    loose_first, loose_last = np.split((uses == 1)[place.ravel()], 2)
    line, at_m = pairs.ravel(), station_m.ravel()
    keep_m = np.tile([-np.inf, np.inf], (len(length_m), 1))
    first = loose_first[line] & (at_m <= OVERSHOOT_M)
    last = loose_last[line] & (at_m >= length_m[line] - OVERSHOOT_M)
    np.maximum.at(keep_m[:, 0], line[first], at_m[first])
    np.minimum.at(keep_m[:, 1], line[last], at_m[last])
    keep_m[keep_m[:, 0] >= keep_m[:, 1]] = -np.inf, np.inf
    return keep_m
