"""How far round each skip a map's extent goes: beyond it an empty place means nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.stand import Stand


def room_m(at: Stand, extent: shapely.Geometry | None, crs: str) -> NDArray[np.float64]:
    """Return how far from the outline of each skip the extent goes on in every direction, metres.

    Below zero or NaN where the skip is outside, on its edge, or not on the map; NaN for all where nobody
    knows the extent.

    Args:
        at: the skips.
        extent: in lon/lat.
        crs: the city's metric system.
    """
    xy = at.footprints.xy
    if extent is None:
        return np.full(len(xy), np.nan)
    area = shapely.transform(extent, lambda lonlat: to_city(lonlat, crs))
    half = np.hypot(at.footprints.length_m, at.footprints.width_m) / 2
    held = np.isfinite(xy).all(axis=1)
    room = np.full(len(xy), np.nan)
    points = shapely.points(xy[held])
    edge = np.asarray(shapely.distance(shapely.boundary(area), points))
    inside = np.asarray(shapely.intersects(area, points))
    room[held] = np.where(inside, edge, -edge) - half[held]
    return room
