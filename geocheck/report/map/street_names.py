"""Where the names of streets are written on the map: along their axes, beginning near the skip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.city.wgs84 import to_city, to_lonlat
from geocheck.report.map.facts import short
from geocheck.report.map.near import box_round, geojson

if TYPE_CHECKING:
    from shapely import Geometry

    from geocheck.city.bundle.bundle import Bundle

_FIRST_M: Final = 14.0
"""From the axis' point that is nearest to the skip to the first name; the measured lines lie between."""

_EVERY_M: Final = 45.0
_MOST: Final = 120


def street_names(bundle: Bundle, skip: Geometry) -> list[dict[str, Any]]:
    """Return points with `name` and `angle_deg` (clockwise on the screen), the nearest to the skip first."""
    if bundle.entry("axis") is None:
        return []
    crs = bundle.manifest.crs
    box = box_round((skip.centroid.x, skip.centroid.y), crs)
    axes = bundle.layer_near("axis", box)
    if "street" not in axes.columns:
        return []
    here = shapely.transform(skip.centroid, lambda xy: to_city(xy, crs))
    found: list[tuple[float, float, float, float, str]] = []
    for street, group in axes[axes["street"].fillna("").astype(str) != ""].groupby("street"):
        cut = shapely.clip_by_rect(shapely.union_all(group.geometry.to_numpy()), *box)
        lines = shapely.get_parts(shapely.line_merge(cut))
        for line in lines[shapely.length(lines) > 0]:
            found += [(*spot, str(street)) for spot in _spots(line, here)]
    found.sort()
    return [_feature(number, each, crs) for number, each in enumerate(found[:_MOST])]


def _spots(line: Geometry, here: Geometry) -> list[tuple[float, float, float, float]]:
    """Return distance to the skip, x, y and angle of each place for a name."""
    length_m = float(shapely.length(line))
    nearest_m = float(shapely.line_locate_point(line, here))
    steps = np.arange(_FIRST_M, length_m + _FIRST_M, _EVERY_M)
    along = np.concatenate([nearest_m - steps, nearest_m + steps])
    along = along[(along > 0) & (along < length_m)]
    along = along if len(along) else np.array([length_m / 2])
    spots = []
    for at_m in along.tolist():
        point = shapely.line_interpolate_point(line, at_m)
        ends = shapely.get_coordinates(
            shapely.line_interpolate_point(line, [max(at_m - 4, 0), min(at_m + 4, length_m)])
        )
        east, north = ends[1] - ends[0]
        angle = -math.degrees(math.atan2(north, east))
        upright = (angle + 90) % 180 - 90  # never upside down
        spots.append((round(float(shapely.distance(point, here)), 3), point.x, point.y, upright))
    return spots


def _feature(number: int, spot: tuple[float, float, float, float, str], crs: str) -> dict[str, Any]:
    _, x, y, angle, name = spot
    place = shapely.Point(to_lonlat(np.array([[x, y]]), crs)[0])
    properties = {"name": short(name), "angle_deg": round(angle, 1)}
    return {"type": "Feature", "id": number, "geometry": geojson(place), "properties": properties}
