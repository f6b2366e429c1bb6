"""GeoJSON into the map and out of a report: finite, flat, with no more decimals than mean something."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from shapely.geometry import shape

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

DECIMALS: Final = 7
"""Of degrees: 1.1 cm."""


def drawable(told: dict[str, Any] | None, kinds: tuple[str, ...]) -> BaseGeometry | None:
    """Return what a report holds as a geometry; None where there is nothing of these kinds to draw."""
    if told is None or told.get("type") not in kinds:
        return None
    numbers = np.array(list(_numbers(told.get("coordinates"))), float)
    if not len(numbers) or not np.isfinite(numbers).all():
        return None
    return shapely.force_2d(shape(told))


def geojson(geometry: Any) -> dict[str, Any]:  # noqa: ANN401 (of any kind)
    """Return a geometry in degrees as GeoJSON, rounded."""
    rounded = shapely.transform(geometry, lambda xy: np.round(xy, DECIMALS))
    told: dict[str, Any] = json.loads(shapely.to_geojson(rounded))
    return told


def _numbers(coordinates: Any) -> Any:  # noqa: ANN401 (nested as deep as the kind needs)
    if isinstance(coordinates, list | tuple):
        for each in coordinates:
            yield from _numbers(each)
    else:
        yield np.nan if coordinates is None else coordinates
