"""Shapes as SVG: numbers and the program's own colours, never a letter from data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.report.card.view import HEIGHT_PT, WIDTH_PT

if TYPE_CHECKING:
    from collections.abc import Iterable

_SIZE: Final = f'width="{WIDTH_PT:g}pt" height="{HEIGHT_PT:g}pt" viewBox="0 0 {WIDTH_PT:g} {HEIGHT_PT:g}"'


class Look(NamedTuple):
    """How a shape is drawn.

    Attributes:
        colour: of lines and outlines.
        weight_pt: of the same.
        dash: of the same, in SVG's words; empty for a whole line.
        fill: colour of areas and points.
        fill_opacity: of the same.
        radius_pt: of points.
    """

    colour: str
    weight_pt: float
    dash: str = ""
    fill: str = "none"
    fill_opacity: float = 1.0
    radius_pt: float = 2.5


def picture(parts: Iterable[str]) -> str:
    """Return a whole picture of the plan's size."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {_SIZE}>{"".join(parts)}</svg>'


def shape(geometry: Any, look: Look) -> str:  # noqa: ANN401 (of any kind)
    """Return a geometry in points of the plan as SVG."""
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    line = f'stroke="{look.colour}" stroke-width="{look.weight_pt:g}"{dash}'
    area = f'{line} fill="{look.fill}" fill-opacity="{look.fill_opacity:g}" fill-rule="evenodd"'
    return "".join(_part(part, line, area, look.radius_pt) for part in _parts(geometry))


def _parts(geometry: Any) -> Any:  # noqa: ANN401 (an array of points, lines and polygons)
    parts = shapely.get_parts(geometry)
    return shapely.get_parts(parts)  # collections hold collections


def _part(part: Any, line: str, area: str, radius: float) -> str:  # noqa: ANN401 (point, line or polygon)
    if part.geom_type == "Point":
        return f'<circle cx="{part.x:.1f}" cy="{part.y:.1f}" r="{radius:g}" {area}/>'
    if part.geom_type == "Polygon":
        rings = "".join(f"{_path(ring)}Z" for ring in (part.exterior, *part.interiors))
        return f'<path d="{rings}" {area}/>'
    return f'<path d="{_path(part)}" {line} fill="none"/>'


def _path(line: Any) -> str:  # noqa: ANN401 (a line or a ring)
    points = np.round(shapely.get_coordinates(line), 1).tolist()
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
