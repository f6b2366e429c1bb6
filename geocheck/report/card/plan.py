"""The plan on a card: the skip among kerbs, corner and things, with the lines that decide, to scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.report import wording
from geocheck.report.card.ground import ground
from geocheck.report.card.labels import Room
from geocheck.report.card.names import street_names
from geocheck.report.card.svg import Look, picture, shape
from geocheck.report.card.view import HEIGHT_PT, WIDTH_PT, in_metres, view_of
from geocheck.report.map.shapes import drawable
from geocheck.report.map.symbols import MARKS, SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapely.geometry.base import BaseGeometry

    from geocheck.model.report import Report
    from geocheck.report.card.decisive import Decisive
    from geocheck.report.card.ground import Thing
    from geocheck.report.card.nearby import Nearby
    from geocheck.report.card.view import View

SKIP_COLOUR: Final = "#ffb000"

_SKIP: Final = Look("#1d2127", 2.0, fill=SKIP_COLOUR, radius_pt=7.0)
_SIGN_PT: Final = 19.0
_BADGE_PT: Final = (22.0, 15.0)
_MOST_BADGES: Final = 9
_MOST_NAMED: Final = 6
_SCALES_M: Final = (1, 2, 5, 10, 20, 50)
_LONGEST_SCALE_PT: Final = 110.0
_CORNER_BOXES: Final = ((0.0, HEIGHT_PT - 30, 140.0, HEIGHT_PT), (WIDTH_PT - 36, 0.0, WIDTH_PT, 44.0))
"""Scale bar and north arrow."""


def skip_of(report: Report) -> BaseGeometry | None:
    """Return the skip's outline in degrees, or the point where it stands; None where it is nowhere."""
    outline = drawable(report.footprint, ("Polygon",))
    if outline is not None:
        return outline
    request = report.request
    if request.lon is None or request.lat is None:
        return None
    return shapely.Point(request.lon, request.lat)


def plan_of(nearby: Nearby, place: BaseGeometry, shown: Sequence[Decisive]) -> dict[str, Any]:
    """Return the plan as the card's template draws it: an SVG without words, and the words on it.

    Args:
        nearby: features of the city.
        place: the skip's outline or its point, WGS 84 degrees.
        shown: the findings of the card, in its order.
    """
    crs = nearby.crs
    skip = in_metres(place, crs)
    lines = {number: in_metres(each.line, crs) for number, each in enumerate(shown, 1) if each.line}
    view = view_of(nearby, skip, list(lines.values()))
    drawn_skip = view.drawn(skip)
    drawn_lines = {number: view.drawn(line) for number, line in lines.items()}
    under, things = ground(nearby, view, drawn_skip)
    room = _room(drawn_skip)
    signs = [_sign(number, shown[number - 1], line, room) for number, line in drawn_lines.items()]
    badges = _badges(things, room)
    names = street_names(nearby, view, room, drawn_skip)
    over = [shape(line, _line_look(shown[number - 1].first.outcome)) for number, line in drawn_lines.items()]
    leaders = [each.pop("leader") for each in signs]
    parts = [under, shape(drawn_skip, _SKIP), *over, *leaders]
    layers = list(dict.fromkeys(each["layer"] for each in badges))
    return {
        "svg": picture(parts),
        "width_pt": WIDTH_PT,
        "height_pt": HEIGHT_PT,
        "signs": signs,
        "badges": badges,
        "names": names,
        "north_deg": round(-math.degrees(view.turn_rad), 1),
        "scale": _scale(view),
        "legend": [_legend(name) for name in layers[:_MOST_NAMED]],
        "skip_colour": SKIP_COLOUR,
    }


def _room(skip: Any) -> Room:  # noqa: ANN401 (polygon or point)
    room = Room()
    for box in _CORNER_BOXES:
        room.take(box)
    left, top, right, bottom = skip.bounds
    room.take((left - 3, top - 3, right + 3, bottom + 3))
    return room


def _line_look(outcome: str) -> Look:
    mark = MARKS[outcome]
    return Look(mark.colour, mark.weight * 0.6, mark.dash, mark.colour, radius_pt=4.0)


def _sign(number: int, each: Decisive, line: Any, room: Room) -> dict[str, Any]:  # noqa: ANN401
    """Place the number of a finding beside its line."""
    mark = MARKS[each.first.outcome]
    middle = _middle(line)
    spot = room.near(middle, _SIGN_PT, _SIGN_PT) or middle
    (x, y), (mx, my) = np.round(spot, 1).tolist(), np.round(middle, 1).tolist()
    leader = f'<path d="M{mx:g} {my:g}L{x:g} {y:g}" stroke="{mark.colour}" stroke-width="1"/>'
    return {"text": str(number), "x": x, "y": y, "colour": mark.colour, "leader": leader}


def _middle(line: Any) -> tuple[float, float]:  # noqa: ANN401 (line, lines or point)
    """Return the middle of a line on the plan; of several, of the longest."""
    cut = shapely.clip_by_rect(line, 0, 0, WIDTH_PT, HEIGHT_PT)
    parts = shapely.get_parts(line if cut.is_empty else cut)
    order = np.lexsort((*shapely.bounds(parts).round(2).T, -shapely.length(parts).round(2)))
    part = parts[order[0]]
    at = part if part.geom_type == "Point" else part.interpolate(0.5, normalized=True)
    return float(np.clip(at.x, 0, WIDTH_PT)), float(np.clip(at.y, 0, HEIGHT_PT))


def _badges(things: Sequence[Thing], room: Room) -> list[dict[str, Any]]:
    """Place the badges of the nearest things, of as many kinds as the key below has room for."""
    found: list[dict[str, Any]] = []
    for thing in things:
        kinds = {each["layer"] for each in found}
        if len(found) == _MOST_BADGES or (len(kinds) == _MOST_NAMED and thing.layer not in kinds):
            continue
        spot = room.near(thing.at, *_BADGE_PT)
        if spot is not None:
            x, y = np.round(spot, 1).tolist()
            found.append({"layer": thing.layer, **_badge(thing.layer), "x": x, "y": y})
    return found


def _badge(layer: str) -> dict[str, str]:
    symbol = SYMBOLS[layer]
    return {"text": symbol.badge, "colour": symbol.colour}


def _legend(layer: str) -> dict[str, str]:
    return {**_badge(layer), "name": wording.LAYERS[layer]}


def _scale(view: View) -> dict[str, Any]:
    """Return the longest round length whose bar is short enough."""
    fitting = [each for each in _SCALES_M if each * view.scale <= _LONGEST_SCALE_PT]
    length_m = fitting[-1] if fitting else _SCALES_M[0]
    return {"text": f"{length_m} m", "length_pt": round(length_m * view.scale, 2)}
