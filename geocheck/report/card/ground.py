"""What of a bundle's ground a card's plan shows: few layers, cut to the frame, the nearest things named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.report.card.svg import Look, shape
from geocheck.report.card.view import HEIGHT_PT, WIDTH_PT
from geocheck.report.map.symbols import ORDER, SYMBOLS

if TYPE_CHECKING:
    from geocheck.report.card.nearby import Nearby
    from geocheck.report.card.view import View

_UNDER: Final = ("block", "green", "square", "waterway", "footway", "gutter", "median", "island", "axis")
_OVER: Final = ("kerb", "corner")
_LEFT_OUT: Final = frozenset(
    {
        *_UNDER,
        *_OVER,
        "building",
        "lot",
        "crossing_area",
        "mouth",
        "address",
        "correction",
        "heritage",
        "basic_road_system",
        "central_zone",
        "transit_corridor",
        "special_treatment_road",
        "central_axis",
        "crowded_place",
        "pedestrian_street",
        "parking_lane",
        "paid_parking",
    }
)
"""Drawn without a badge, or, as areas of a whole district, not at all."""

_THINGS: Final = tuple(name for name in ORDER if name not in _LEFT_OUT)
_MOST: Final = 300
"""Features of one layer, the nearest."""

_VERTICES: Final = 5_000
"""Of one layer's features on the plan, at most."""

_SIMPLER_PT: Final = 0.15
_INK: Final = "#1d2127"


class Thing(NamedTuple):
    """A thing near the skip that gets a badge.

    Attributes:
        layer: which one.
        away_pt: from the skip, points.
        at: where its badge points to, points.
    """

    layer: str
    away_pt: float
    at: tuple[float, float]


def ground(nearby: Nearby, view: View, skip: Any) -> tuple[str, list[Thing]]:  # noqa: ANN401 (polygon or point)
    """Return the ground as SVG, and the things on it, the nearest first.

    Args:
        nearby: features of the city.
        view: of the plan.
        skip: in points of the plan.
    """
    drawn: list[str] = []
    things: list[Thing] = []
    for name in (*_UNDER, *_THINGS, *_OVER):
        shapes = _on_plan(nearby, name, view, skip)
        drawn += [shape(each, _look(name)) for each in shapes]
        if name in _THINGS:
            things += [_thing(name, each, skip) for each in shapes]
    return "".join(drawn), sorted(things, key=lambda each: (each.away_pt, each.layer, each.at))


def _on_plan(nearby: Nearby, name: str, view: View, skip: Any) -> list[Any]:  # noqa: ANN401 (as above)
    """Return a layer's features in points of the plan, cut to it, the nearest first."""
    shapes = nearby.shapes(name, view.box())
    if not len(shapes):
        return []
    points = view.drawn(shapes)
    cut = shapely.clip_by_rect(points, 0, 0, WIDTH_PT, HEIGHT_PT)
    held = cut[~(shapely.is_missing(cut) | shapely.is_empty(cut))]
    simple = shapely.simplify(held, _SIMPLER_PT)
    order = np.lexsort((*shapely.bounds(simple).round(2).T, shapely.distance(simple, skip).round(2)))[:_MOST]
    nearest = simple[order]
    few = np.cumsum(shapely.get_num_coordinates(nearest)) <= _VERTICES
    return list(nearest[few])


def _thing(name: str, geometry: Any, skip: Any) -> Thing:  # noqa: ANN401 (as above)
    nearest = shapely.get_coordinates(shapely.shortest_line(geometry, skip))[0]
    away = float(shapely.distance(geometry, skip))
    if geometry.geom_type in ("Point", "LineString"):
        middle = nearest
    else:
        middle = shapely.get_coordinates(shapely.point_on_surface(geometry))[0]
    x, y = np.round(middle, 2).tolist()
    return Thing(name, round(away, 2), (x, y))


def _look(name: str) -> Look:
    symbol = SYMBOLS[name]
    if name == "kerb":
        return Look(_INK, 2.4)
    if name == "corner":
        return Look(_INK, 2.0, fill="#ffffff", radius_pt=4.5)
    return Look(symbol.colour, min(symbol.weight, 1.6), symbol.dash, symbol.colour, symbol.fill)
