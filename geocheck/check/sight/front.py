"""What skips stand in front of: the stretch of kerb before a lot or a building that lies behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.check.locate import NOWHERE
from geocheck.check.sight.rows import NONE, Rows, rows_of
from geocheck.check.sight.stand import one_of
from geocheck.city.planar import left_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap
    from geocheck.check.sight.plan import Outlines
    from geocheck.check.sight.sight import Sight
    from geocheck.check.sight.stand import Stand

REACH_M: Final = 12.0
"""So far to either side of a skip fronts are looked for."""

_STEP_M: Final = 0.25
_FAR_M: Final = 20.0
_BEFORE_M: Final = 1.0
"""Outlines of another map may come a little over the kerb."""


class _Frames(NamedTuple):
    """Where the kerb of each skip lies, and its directions along the ruler and away from the street."""

    place: NDArray[np.float64]
    along: NDArray[np.float64]
    behind: NDArray[np.float64]
    held: NDArray[np.bool_]


class Fronts(NamedTuple):
    """What lies behind the kerb beside skips.

    Attributes:
        rows: with the gap along the kerb.
        spare_m: for each, how far its front goes on beyond both ends of the skip; below zero where the skip
            reaches beyond it, shape (r,).
    """

    rows: Rows
    spare_m: NDArray[np.float64]


NO_FRONTS: Final = Fronts(NONE, NONE.value_m)


def near_front(at: Stand, outlines: Outlines, city_map: CityMap, depth_m: float) -> Fronts:
    """Return what lies behind the kerb beside skips.

    Args:
        at: the skips.
        outlines: of a layer.
        city_map: whose kerbs.
        depth_m: so far behind the kerb things have their front on it: the largest footway.
    """
    frames = _frames(at, city_map)
    placement = np.flatnonzero(frames.held)
    strips = _strips(at, frames, placement, depth_m)
    found, feature = outlines.tree.query(strips, predicate="intersects")
    row = placement[found]
    part = np.asarray(shapely.intersection(outlines.geometry[feature], strips[found]), object)
    xy, piece = shapely.get_coordinates(part, return_index=True)
    ahead = ((xy - frames.place[row[piece]]) * frames.along[row[piece]]).sum(axis=1)
    low, high = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    np.minimum.at(low, piece, ahead)
    np.maximum.at(high, piece, ahead)
    half = at.located.half_m[row]
    value = np.maximum(low - half, -half - high)
    u = np.hypot(outlines.accuracy_m[feature], at.along_u_m[row])
    rows = rows_of(row, feature, value, u)._replace(known=outlines.known[feature])
    return Fronts(rows, np.minimum(-half - low, high - half))


def _frames(at: Stand, city_map: CityMap) -> _Frames:
    located = at.located
    held = (located.segment != NOWHERE) & np.isfinite(located.half_m)
    segment = np.maximum(located.segment, 0)
    edge = city_map.edges[segment]
    step = edge[:, 2:] - edge[:, :2]
    along = step / np.maximum(np.hypot(*step.T), np.finfo(float).tiny)[:, None]
    ahead = located.centre_s - city_map.segments["s"][segment]
    behind = -left_of(along) * city_map.segments["inward"][segment][:, None]
    return _Frames(edge[:, :2] + along * ahead[:, None], along, behind, held)


def _strips(at: Stand, frames: _Frames, placement: NDArray[np.int64], depth_m: float) -> NDArray[np.object_]:
    """Return the ground behind the kerb beside each skip, and as far as `REACH_M` to either side."""
    reach = (at.located.half_m[placement] + REACH_M)[:, None]
    along, behind = frames.along[placement] * reach, frames.behind[placement]
    near = frames.place[placement] - behind * _BEFORE_M
    far = frames.place[placement] + behind * depth_m
    ring = np.stack([near - along, near + along, far + along, far - along], axis=1)
    return np.asarray(shapely.polygons(ring), object).reshape(-1)


def depth_behind_m(sight: Sight, placement: int, area: shapely.Geometry) -> float:
    """Return from the kerb to the farther edge of an area behind it, where it is narrowest beside a skip.

    NaN where some of the kerb beside the skip has none of it behind.
    """
    at = one_of(sight.at, placement)
    frames = _frames(at, sight.city_map)
    if not frames.held[0]:
        return float("nan")
    half = float(at.located.half_m[0])
    ahead = np.linspace(-half, half, int(np.ceil(2 * half / _STEP_M)) + 1)
    foot = frames.place + ahead[:, None] * frames.along
    rays = shapely.linestrings(np.stack([foot, foot + _FAR_M * frames.behind], axis=1))
    parts = np.asarray(shapely.intersection(rays, area), object)
    xy, ray = shapely.get_coordinates(parts, return_index=True)
    depth = np.full(len(foot), -np.inf)
    np.maximum.at(depth, ray, ((xy - foot[ray]) * frames.behind[0]).sum(axis=1))
    narrowest = float(depth.min())
    return narrowest if np.isfinite(narrowest) else float("nan")
