"""The line along which a value was measured, for each how: what a map draws and a person can tape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.ruler.ruler import GUARD_M

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from geocheck.check.seen import Seen
    from geocheck.check.sight.sight import Sight

_POINT_M: Final = 1e-6
"""What is not longer is drawn as a point."""


def witness(sight: Sight, seen: Seen, row: int) -> shapely.Geometry | None:
    """Return where the value of a row of `seen` was measured, in the city's metres.

    A line from outline to outline; of an overlap the stretch or a point of it; None where nothing is known.
    """
    placement = int(seen.rows.placement[row])
    how = str(seen.how[row])
    if seen.taped[row]:
        return None
    if how == "gap":
        return _to_kerb(sight, placement, _box(sight, placement))
    if how == "far_gap":
        return _to_kerb(sight, placement, _far_end(sight, placement))
    if how == "along":
        return _along(sight, seen, row)
    if how == "front":
        return _in_front(sight, placement, float(seen.rows.value_m[row]))
    return _in_plan(sight, seen, row)


def _box(sight: Sight, placement: int) -> shapely.Geometry:
    found: shapely.Geometry = sight.at.box[placement]
    return found


def _to_kerb(sight: Sight, placement: int, start: shapely.Geometry) -> shapely.Geometry:
    """Return the shortest line from the skip, or a place of it, to its kerb; a point where they touch."""
    lines = _side_lines(sight, placement)
    nearest = lines[int(np.argmin(shapely.distance(lines, start)))]
    if shapely.distance(start, nearest) > 0:
        found: shapely.Geometry = shapely.shortest_line(start, nearest)
    else:
        found = shapely.point_on_surface(shapely.intersection(start, nearest))
    return found


def _side_lines(sight: Sight, placement: int) -> NDArray[np.object_]:
    """Return the pieces of the side of the street beside a skip."""
    segment = sight.city_map.segments
    side = segment["side"][sight.at.located.segment[placement]]
    of_side = slice(*np.searchsorted(segment["side"], [side, side + 1]))
    return np.asarray(shapely.linestrings(sight.city_map.edges[of_side].reshape(-1, 2, 2)), object)


def _far_end(sight: Sight, placement: int) -> shapely.Geometry:
    """Return the end of the long side beside the kerb that is farther from it."""
    corners = shapely.points(sight.at.footprints.corners()[placement])
    away = shapely.distance(_side_lines(sight, placement)[:, None], corners).min(axis=0)
    sides = [(0, 3), (1, 2)]  # right and left
    side = min(sides, key=lambda ends: max(away[list(ends)]))
    found: shapely.Geometry = corners[max(side, key=lambda end: away[end])]
    return found


def _along(sight: Sight, seen: Seen, row: int) -> shapely.Geometry | None:
    """Return the stretch of kerb from the skip's end to the feature, or that which both have in common."""
    placement = int(seen.rows.placement[row])
    events = sight.index.along(seen.layer).events
    event = int(seen.rows.event[row]) // 2
    centre, half = sight.at.located.centre_s[placement], sight.at.located.half_m[placement]
    low, high = float(events.low_s[event]), float(events.high_s[event])
    begin, end = centre - half, centre + half
    if low > end:
        stations = (end, low)
    elif high < begin:
        stations = (high, begin)
    else:
        stations = (max(low, begin), min(high, end))
    return stretch(sight, int(sight.at.located.segment[placement]), *stations)


def stretch(sight: Sight, segment: int, low_s: float, high_s: float) -> shapely.Geometry | None:
    """Return the kerb between two stations of the side of a segment, across mouths; a point where they meet.

    On a ring stations may lie a turn away; beyond the ends of a side nothing is drawn. Steps are left out,
    for nothing is measured along them: several lines then, as long together as the stations are apart.
    """
    table, side = sight.city_map.segments, sight.city_map.sides
    own = int(table["side"][segment])
    start, length = float(side["s"][own]), float(side["length_m"][own])
    if high_s - low_s > GUARD_M:
        return None
    rows = np.arange(*np.searchsorted(table["side"], [own, own + 1]))
    rows = rows[table["step"][rows] == 0]
    edges, s, length_m = sight.city_map.edges[rows], table["s"][rows], table["length_m"][rows]
    lines: list[list[NDArray[np.float64]]] = []
    for turn in (-1, 0, 1) if side["ring"][own] else (0,):
        low, high = max(low_s - turn * length, start), min(high_s - turn * length, start + length)
        for one, two in _between(edges, s, length_m, low, high) if low <= high else ():
            if lines and np.hypot(*(one - lines[-1][-1])) <= _POINT_M:
                lines[-1].append(two)
            else:
                lines.append([one, two])
    if not lines:
        return None
    drawn = [np.array(each) for each in lines if np.ptp(each, axis=0).max() >= _POINT_M]
    if not drawn:
        return shapely.Point(lines[0][0])
    return shapely.LineString(drawn[0]) if len(drawn) == 1 else shapely.MultiLineString(drawn)


def _between(
    edges: NDArray[np.float64],
    s: NDArray[np.float64],
    length_m: NDArray[np.float64],
    low: float,
    high: float,
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return the parts of a chain of edges between two stations, both on it, as pairs of places."""
    first, last = (np.searchsorted(s, each, side="right") - 1 for each in (low, high))
    for at in range(max(int(first), 0), min(int(last), len(s) - 1) + 1):
        begin, step = edges[at, :2], edges[at, 2:] - edges[at, :2]
        ends = np.clip((np.array([low, high]) - s[at]) / max(length_m[at], _POINT_M), 0.0, 1.0)
        yield begin + ends[0] * step, begin + ends[1] * step


def _in_front(sight: Sight, placement: int, value_m: float) -> shapely.Geometry | None:
    """Return the skip's own stretch of kerb where something is in front of it, else none: see the feature."""
    located = sight.at.located
    centre, half = located.centre_s[placement], located.half_m[placement]
    if value_m > 0:
        return None
    return stretch(sight, int(located.segment[placement]), centre - half, centre + half)


def _in_plan(sight: Sight, seen: Seen, row: int) -> shapely.Geometry:
    """Return the shortest line to the outline, or a point of what both cover."""
    outlines = sight.index.outlines(seen.layer)
    assert outlines is not None  # noqa: S101 (a row comes from it)
    box = _box(sight, int(seen.rows.placement[row]))
    shape = outlines.geometry[int(seen.rows.feature[row])]
    if shapely.distance(box, shape) > 0:
        found: shapely.Geometry = shapely.shortest_line(box, shape)
    else:
        found = shapely.point_on_surface(shapely.intersection(box, shape))
    return found
