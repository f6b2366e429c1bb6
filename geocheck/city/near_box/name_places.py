"""Where the names of streets are written on the page: along their axes, at the same places in any box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.wgs84 import to_lonlat

if TYPE_CHECKING:
    from numpy.typing import NDArray

EVERY_M: Final = 150.0
"""From name to name along a street."""

_SHORTEST_M: Final = 25.0
"""On shorter lines no name is written, but where a street has no longer one."""

_APART_M: Final = 50.0
"""The carriageways of one street that lie nearer to each other bear its name once."""

_CHORD_M: Final = 4.0


class NamePlaces(NamedTuple):
    """Places for a name.

    Attributes:
        xy: in the city's metres, shape (p, 2).
        lonlat: the same in degrees, shape (p, 2).
        turn_deg: clockwise from the horizontal as seen with north above, from -90 to 90, shape (p,).
    """

    xy: NDArray[np.float64]
    lonlat: NDArray[np.float64]
    turn_deg: NDArray[np.float64]


def name_places(lines: NDArray[np.object_], crs: str) -> NamePlaces:
    """Return where to write the name of a street.

    Args:
        lines: all that bear the name, in the city's metres, shape (l,).
        crs: the city's metric system.
    """
    merged = shapely.get_parts(shapely.line_merge(shapely.union_all(shapely.normalize(lines))))
    length_m = shapely.length(merged)
    long = length_m >= min(_SHORTEST_M, length_m.max())
    order = np.lexsort((*shapely.bounds(merged[long]).T, -np.round(length_m[long], 3)))
    spots = [spot for line in merged[long][order] for spot in _spots(line)]
    kept: list[NDArray[np.float64]] = []
    for spot in spots:
        if all(np.hypot(*(spot[:2] - each[:2])) >= _APART_M for each in kept):
            kept.append(spot)
    at, before, after = np.hsplit(np.array(kept), 3)
    return NamePlaces(at, to_lonlat(at, crs), _turn_deg(to_lonlat(before, crs), to_lonlat(after, crs)))


def _spots(line: shapely.LineString) -> NDArray[np.float64]:
    """Return places along a line, from its middle to both ends, with places before and behind each."""
    length_m = line.length
    steps = int(max(length_m / 2 - _SHORTEST_M / 2, 0.0) // EVERY_M)
    station_m = length_m / 2 + EVERY_M * np.arange(-steps, steps + 1)
    at = np.concatenate([station_m, station_m - _CHORD_M, station_m + _CHORD_M])
    xy = shapely.get_coordinates(shapely.line_interpolate_point(line, np.clip(at, 0.0, length_m)))
    return np.hstack(np.split(xy, 3))


def _turn_deg(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how text turns that runs from one place to another, never upside down."""
    east, north = (after - before).T
    east = east * np.cos(np.radians(before[:, 1]))
    return np.asarray((90 - np.degrees(np.arctan2(north, east))) % 180 - 90)
