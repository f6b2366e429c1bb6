"""The names of the streets on a card's plan: each once, along its axis, where it is free."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.report.card.shown_text import shown_text
from geocheck.report.card.view import HEIGHT_PT, WIDTH_PT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.report.card.labels import Room
    from geocheck.report.card.nearby import Nearby
    from geocheck.report.card.view import View

_LONGEST: Final = 34
"""Letters of a name on the plan; it stands in full above."""

_LETTER_PT, _HEIGHT_PT = 6.4, 15.0
_STEP_PT: Final = 8.0
_MOST: Final = 5


def street_names(nearby: Nearby, view: View, room: Room, skip: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return names with the place and the turn of each, degrees with the clock; the nearest street first.

    Args:
        nearby: features of the city.
        view: of the plan.
        room: what of the plan is taken; the names take theirs.
        skip: in points of the plan.
    """
    by_name: dict[str, list[Any]] = {}
    for name, axis in nearby.named("axis", "street", view.box()):
        by_name.setdefault(name, []).append(axis)
    runs = {name: _longest(view.drawn(np.array(axes, object))) for name, axes in by_name.items()}
    lines = {name: line for name, line in runs.items() if line is not None}
    found = []
    for name, line in sorted(lines.items(), key=lambda each: (shapely.distance(each[1], skip), each[0])):
        told = shown_text(name, _LONGEST)
        spot = _spot(line, len(told) * _LETTER_PT, room, skip)
        if spot is not None:
            found.append({"text": told, "x": spot[0], "y": spot[1], "turn_deg": spot[2]})
    return found[:_MOST]


def _longest(lines: Any) -> Any:  # noqa: ANN401 (an array of lines; one of their parts)
    """Return the longest run of a street on the plan, None where it is not on it."""
    cut = shapely.clip_by_rect(shapely.union_all(lines), 0, 0, WIDTH_PT, HEIGHT_PT)
    merged = shapely.line_merge(cut) if cut.geom_type == "MultiLineString" else cut
    parts = shapely.get_parts(merged)
    lengths = shapely.length(parts).round(3)
    if not len(parts) or not lengths.max() > 0:
        return None
    order = np.lexsort((*shapely.bounds(parts).round(2).T, -lengths))
    return parts[order[0]]


def _spot(line: Any, width: float, room: Room, skip: Any) -> tuple[float, float, float] | None:  # noqa: ANN401
    for x, y, turn in _candidates(line, width, skip):
        sin, cos = abs(math.sin(math.radians(turn))), abs(math.cos(math.radians(turn)))
        boxed = (width * cos + _HEIGHT_PT * sin, width * sin + _HEIGHT_PT * cos)
        if room.first([(x, y)], *boxed) is not None:
            return round(x, 1), round(y, 1), round(turn, 1)
    return None


def _candidates(line: Any, width: float, skip: Any) -> Iterator[tuple[float, float, float]]:  # noqa: ANN401
    """Yield places along a line with the turn of the line there, those far from the skip first."""
    length = shapely.length(line)
    along = np.arange(width / 2, length - width / 2 + 1e-9, _STEP_PT)
    if not len(along):
        return
    at = shapely.line_interpolate_point(line, along)
    ends = [shapely.line_interpolate_point(line, along + side * width / 2) for side in (-1, 1)]
    (x0, y0), (x1, y1) = (shapely.get_coordinates(each).T for each in ends)
    turn = (np.degrees(np.arctan2(y1 - y0, x1 - x0)) + 90) % 180 - 90  # never upside down
    xy = shapely.get_coordinates(at)
    far = np.lexsort((*xy.round(2).T, -shapely.distance(at, skip).round(2)))
    for index in far:
        yield float(xy[index, 0]), float(xy[index, 1]), float(turn[index])
