"""The frame of a card's plan: which part of the city it shows, at what scale, and turned how."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geocheck.report.card.nearby import Nearby

WIDTH_PT: Final = 336.0
HEIGHT_PT: Final = 204.0

_MARGIN_PT: Final = 32.0
"""Round what must be seen; labels stand there."""

_NARROWEST_M, _WIDEST_M = 20.0, 90.0
_KERB_REACH_M: Final = 12.0
"""From the skip to the kerb along which the plan is turned."""

_CORNER_REACH_M: Final = 30.0
_TANGENT_M: Final = 3.0


class View(NamedTuple):
    """How the city's metres become points of the plan.

    Attributes:
        crs: of the metres.
        centre: x and y of what lies in the plan's middle, metres.
        turn_rad: by which the plan is turned against the clock, so that the kerb lies level.
        scale: points for a metre.
    """

    crs: str
    centre: tuple[float, float]
    turn_rad: float
    scale: float

    def of_metres(self, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Carry metres, shape (n, 2), to points of the plan, y downwards."""
        cos, sin = math.cos(self.turn_rad), math.sin(self.turn_rad)
        turned = (xy - np.array(self.centre)) @ np.array([[cos, sin], [-sin, cos]])
        points: NDArray[np.float64] = turned * (self.scale, -self.scale) + (WIDTH_PT / 2, HEIGHT_PT / 2)
        return points

    def drawn(self, geometry: Any) -> Any:  # noqa: ANN401 (a geometry, or an array of them)
        """Carry geometries in metres onto the plan."""
        return shapely.transform(geometry, self.of_metres)

    def box(self) -> tuple[float, float, float, float]:
        """Return what holds the plan: west, south, east, north, metres."""
        half = math.hypot(WIDTH_PT, HEIGHT_PT) / 2 / self.scale
        x, y = self.centre
        return x - half, y - half, x + half, y + half


def in_metres(geometry: BaseGeometry, crs: str) -> BaseGeometry:
    """Carry a geometry in WGS 84 degrees to the city's metres."""
    moved: BaseGeometry = shapely.transform(geometry, lambda xy: to_city(xy, crs))
    return moved


def view_of(ground: Nearby, skip: BaseGeometry, lines: Sequence[BaseGeometry]) -> View:
    """Return the view that shows the skip, what was measured, and the nearest corner if it is near.

    Args:
        ground: features of the city.
        skip: its outline or its place, metres.
        lines: along which was measured, metres.
    """
    turn = -_kerb_direction(ground, skip)
    seen = [skip, *lines, *_nearest_corner(ground, skip)]
    middle = (skip.centroid.x, skip.centroid.y)
    first = View(ground.crs, middle, turn, 1.0)
    points = shapely.get_coordinates(first.drawn(np.array(seen, object))) - (WIDTH_PT / 2, HEIGHT_PT / 2)
    reach = (WIDTH_PT / HEIGHT_PT * _WIDEST_M / 2, _WIDEST_M / 2)
    points = np.clip(points, -np.array(reach), reach)
    least, most = points.min(axis=0), points.max(axis=0)
    room = np.array([WIDTH_PT, HEIGHT_PT]) - 2 * _MARGIN_PT
    scale = min(*(room / np.maximum(most - least, 1e-9)), WIDTH_PT / _NARROWEST_M)
    cos, sin = math.cos(turn), math.sin(turn)
    east, down = (least + most) / 2
    centre = (middle[0] + east * cos - down * sin, middle[1] - east * sin - down * cos)
    return View(ground.crs, centre, turn, float(scale))


def _kerb_direction(ground: Nearby, skip: BaseGeometry) -> float:
    """Return the direction of the nearest kerb, or else of the skip, from -90° to 90°, in radians."""
    kerb = ground.nearest("kerb", skip, _KERB_REACH_M)
    if kerb is not None:
        at_m = shapely.line_locate_point(kerb, skip.centroid)
        ends = shapely.line_interpolate_point(kerb, np.clip([at_m - _TANGENT_M, at_m + _TANGENT_M], 0, None))
        (x0, y0), (x1, y1) = shapely.get_coordinates(ends)
    elif skip.geom_type == "Polygon":
        ring = shapely.get_coordinates(skip)
        longest = int(np.argmax(np.hypot(*np.diff(ring, axis=0).T)))
        (x0, y0), (x1, y1) = ring[longest], ring[longest + 1]
    else:
        return 0.0
    return (math.atan2(y1 - y0, x1 - x0) + math.pi / 2) % math.pi - math.pi / 2


def _nearest_corner(ground: Nearby, skip: BaseGeometry) -> list[BaseGeometry]:
    corner = ground.nearest("corner", skip, _CORNER_REACH_M)
    return [] if corner is None else [corner]
