"""Where the names of streets are written on the map: along their axes, beginning near the skip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.city.wgs84 import to_city, to_lonlat
from geocheck.report.map.facts import short
from geocheck.report.map.near import box_round
from geocheck.report.map.shapes import geojson

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geocheck.city.bundle.bundle import Bundle

_FIRST_M: Final = 14.0
"""From the axis' point that is nearest to the skip to the first name; the measured lines lie between."""

_EVERY_M: Final = 45.0
_CHORD_M: Final = 4.0
_MOST: Final = 120


def street_names(bundle: Bundle, skip: BaseGeometry) -> list[dict[str, Any]]:
    """Return points with `name` and `angle_deg` (clockwise on the screen), the nearest to the skip first."""
    if bundle.entry("axis") is None:
        return []
    crs = bundle.manifest.crs
    box = box_round((skip.centroid.x, skip.centroid.y), crs)
    axes = bundle.layer_near("axis", box)
    if "street" not in axes.columns:
        return []
    here = shapely.transform(skip.centroid, lambda xy: to_city(xy, crs))
    found: list[tuple[Any, ...]] = []
    for street, group in axes[axes["street"].fillna("").astype(str) != ""].groupby("street"):
        cut = shapely.clip_by_rect(shapely.union_all(group.geometry.to_numpy()), *box)
        lines = shapely.get_parts(shapely.line_merge(cut))
        for line in lines[shapely.length(lines) > 0]:
            found += [(*spot, str(street)) for spot in _spots(line, here)]
    found.sort()
    return [_feature(number, each, crs) for number, each in enumerate(found[:_MOST])]


def _spots(line: Any, here: BaseGeometry) -> list[tuple[float, ...]]:  # noqa: ANN401 (a part of lines)
    """Return distance to the skip, x, y and angle of each place for a name."""
    length_m = float(shapely.length(line))
    nearest_m = float(shapely.line_locate_point(line, here))
    steps = np.arange(_FIRST_M, length_m + _FIRST_M, _EVERY_M)
    along = np.concatenate([nearest_m - steps, nearest_m + steps])
    along = along[(along > 0) & (along < length_m)]
    along = along if len(along) else np.array([length_m / 2])
    at = _points(line, along)
    east, north = (_points(line, along + _CHORD_M) - _points(line, along - _CHORD_M)).T
    upright = (90 - np.degrees(np.arctan2(north, east))) % 180 - 90  # never upside down
    away_m = np.round(np.hypot(*(at - shapely.get_coordinates(here)).T), 3)
    return [tuple(spot) for spot in np.column_stack([away_m, at, upright]).tolist()]


def _points(line: Any, along_m: NDArray[np.float64]) -> NDArray[np.float64]:  # noqa: ANN401 (a part of lines)
    """Return places along a line; before its start is its start, past its end its end."""
    held = np.clip(along_m, 0, shapely.length(line))
    return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(line, held)))


def _feature(number: int, spot: tuple[Any, ...], crs: str) -> dict[str, Any]:
    _, x, y, angle, name = spot
    place = shapely.Point(to_lonlat(np.array([[x, y]]), crs)[0])
    properties = {"name": short(name), "angle_deg": round(angle, 1)}
    return {"type": "Feature", "id": number, "geometry": geojson(place), "properties": properties}
