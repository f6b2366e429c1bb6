"""How far round each skip a map's extent goes: beyond it an empty place means nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.check.locate import NOWHERE

LOOKED_M: Final = 2.0
"""What is not seen of an extent is narrower."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap
    from geocheck.check.sight.stand import Stand


def room_m(at: Stand, area: shapely.Geometry) -> NDArray[np.float64]:
    """Return how far from the outline of each skip an extent goes on in every direction, metres.

    Below zero or NaN where the skip is outside, on its edge, or not on the map.

    Args:
        at: the skips.
        area: the extent in the city's metres.
    """
    xy = at.footprints.xy
    half = np.hypot(at.footprints.length_m, at.footprints.width_m) / 2
    held = np.isfinite(xy).all(axis=1)
    room = np.full(len(xy), np.nan)
    points = shapely.points(xy[held])
    edge = np.asarray(shapely.distance(shapely.boundary(area), points))
    inside = np.asarray(shapely.intersects(area, points))
    room[held] = np.where(inside, edge, -edge) - half[held]
    return room


def both_ways(
    at: Stand, city_map: CityMap, area: shapely.Geometry, reach_m: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell for which skips an extent holds the kerb so far to either side, or to the ends of its side.

    An extent may have holes: the kerb is looked at every `LOOKED_M`.

    Args:
        at: the skips.
        city_map: whose kerbs.
        area: the extent in the city's metres.
        reach_m: from the end of each skip, shape (n,).
    """
    located = at.located
    held = (located.segment != NOWHERE) & np.isfinite(located.half_m)
    segment = np.maximum(located.segment, 0)
    rows = np.flatnonzero(held)
    if not len(rows):
        return np.asarray(held)
    reach = np.broadcast_to(located.half_m + reach_m, held.shape)[rows]
    far = int(np.ceil(reach.max() / LOOKED_M))
    # Beyond its own reach a skip is looked at its ends again: what others in the batch ask changes nothing.
    aside = np.clip(np.arange(-far, far + 1) * LOOKED_M, -reach[:, None], reach[:, None])
    count = aside.shape[1]
    xy = _place(city_map, np.repeat(segment[rows], count), (located.centre_s[rows, None] + aside).ravel())
    found: NDArray[np.bool_] = held.copy()
    found[rows] = shapely.intersects_xy(area, *xy.T).reshape(len(rows), count).all(axis=1)
    return np.asarray(found)


def _place(
    city_map: CityMap, segment: NDArray[np.int64], station: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the places at stations of the sides of segments, the side's end where they lie beyond it."""
    table, side = city_map.segments, city_map.sides
    own = table["side"][segment]
    start, length = side["s"][own], side["length_m"][own]
    turned = start + np.mod(station - start, np.maximum(length, np.finfo(float).tiny))
    station = np.where(side["ring"][own] == 1, turned, np.clip(station, start, start + length))
    piece = np.clip(
        np.searchsorted(table["s"], station, side="right") - 1,
        np.searchsorted(table["side"], own),
        np.searchsorted(table["side"], own, side="right") - 1,
    )
    edge, piece_m = city_map.edges[piece], np.maximum(table["length_m"][piece], np.finfo(float).tiny)
    share = np.clip((station - table["s"][piece]) / piece_m, 0.0, 1.0)
    return np.asarray(edge[:, :2] + share[:, None] * (edge[:, 2:] - edge[:, :2]))
