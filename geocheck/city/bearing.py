"""Bearings from true north to grid north, by the meridian convergence at a place."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from pyproj import Proj

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_FULL_TURN_DEG = 360.0


@cache
def _projection(crs: str) -> Proj:
    return Proj(crs)


def convergence_deg(lon: ArrayLike, lat: ArrayLike, crs: str) -> NDArray[np.float64]:
    """Return the bearing of grid north from true north, in degrees clockwise.

    Args:
        lon: degrees east, WGS 84, shape (n,) or a number.
        lat: degrees north, same shape.
        crs: the metric coordinate system (`"EPSG:31982"`).

    Returns:
        About -0.5 in Goiânia (grid north lies west of true north), NaN where the place cannot be projected.
    """
    east, north = np.atleast_1d(np.asarray(lon, float)), np.atleast_1d(np.asarray(lat, float))
    found = np.asarray(_projection(crs).get_factors(east, north).meridian_convergence, float)
    return np.where(np.isfinite(found), found, np.nan).reshape(np.shape(np.asarray(lon, float)))


def true_to_grid_bearing(
    bearing_deg: ArrayLike, lon: ArrayLike, lat: ArrayLike, crs: str
) -> NDArray[np.float64]:
    """Turn bearings from true north into bearings from grid north, degrees clockwise in [0, 360)."""
    turned = np.asarray(bearing_deg, float) - convergence_deg(lon, lat, crs)
    return np.asarray(turned % _FULL_TURN_DEG)
