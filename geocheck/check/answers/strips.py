"""Strips along the kerb on the map: lanes, bays and footways, and which way the traffic beside them runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.check.columns import BASES
from geocheck.check.judge import KNOWN
from geocheck.check.sight.front import depth_behind_m
from geocheck.city.bearing import true_to_grid_bearing
from geocheck.model.words import Basis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.evidence import Evidence
    from geocheck.check.question import Question
    from geocheck.check.sight.city_map import MapLayer
    from geocheck.check.sight.sight import Sight
    from geocheck.law.kinds import Containment

FACING_COSINE: Final = np.cos(np.radians(45.0))
"""A face looks upstream within 45 degrees of it (our number, as for the long axis)."""

BESIDE_M: Final = 3.0
"""A footway so near is the one that the skip stands on."""

_AREA: Final = 2


def low_face_upstream(question: Question) -> NDArray[np.float64]:
    """Return 1 where the low face looks towards the oncoming traffic, 0 where away from it, NaN unknown."""
    sight, placements = question.sight, question.placements
    if sight is None:
        return np.full(len(placements), np.nan)
    bearing = placements.size("low_face_bearing_deg")
    lon, lat = placements.size("lon"), placements.size("lat")
    held = ~np.isnan(bearing) & ~np.isnan(lon)
    state = np.full(len(held), np.nan)
    if not held.any():
        return state
    grid = np.radians(true_to_grid_bearing(bearing[held], lon[held], lat[held], sight.city_map.crs))
    facing = np.column_stack([np.sin(grid), np.cos(grid)])
    cosine = -(facing * sight.traffic[held]).sum(axis=1)
    known = np.abs(cosine) >= FACING_COSINE
    state[held] = np.where(known, (cosine > 0).astype(float), np.nan)
    return state


def footway_width_m(question: Question) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the width of the footway beside each skip where it is narrowest, and how surely it is known.

    Of a footway that says its width, that; of one drawn as an area, from the kerb to its farther edge. NaN
    without one. Obstacles on it are on no map.
    """
    sight, n = question.sight, len(question.placements)
    layer = None if sight is None else sight.layer("footway")
    if sight is None or layer is None:
        return np.full(n, np.nan), np.zeros(n)
    rows = sight.plan("footway")
    width = np.append(_numbers(layer, "width_m"), np.nan)[rows.feature]
    area = (shapely.get_dimensions(layer.geometry) == _AREA)[rows.feature]
    for each in np.flatnonzero(np.isnan(width) & area & (rows.value_m <= BESIDE_M)):
        width[each] = depth_behind_m(
            sight, int(rows.placement[each]), layer.geometry[int(rows.feature[each])]
        )
    held = (rows.value_m <= BESIDE_M) & ~np.isnan(width)
    found, u = np.full(n, np.inf), np.zeros(n)
    np.minimum.at(found, rows.placement[held], width[held])
    np.maximum.at(u, rows.placement[held], layer.accuracy_m[rows.feature[held]])
    return np.where(np.isinf(found), np.nan, found), u


def with_containers(column: Evidence, test: Containment) -> Evidence:
    """Put the map beside the evidence of a containment: the lane or bay that holds the skip best decides.

    A skip in none of them breaks the rule where all their layers are complete.
    """
    question = column.question
    sight = question.sight
    if sight is None:
        return column
    n = len(question.placements)
    best, used, limit, u = np.full(n, -np.inf), np.full(n, np.nan), np.full(n, np.nan), np.zeros(n)
    covered = np.ones(n, bool)
    for layer in test.within:
        covered &= sight.covered(layer, 0.0)
        held = sight.layer(layer)
        if held is None:
            continue
        for row, margin, width, unsure in (*_in_lanes(question, sight, held), *_in_areas(sight, held)):
            if margin > best[row]:
                best[row], limit[row], u[row] = margin, width, unsure
                used[row] = width - margin
    own = (column.flags & KNOWN) == 0
    some = np.isfinite(best)
    outside = own & ~some & covered & np.isfinite(sight.at.located.half_m)
    taken = own & ((some & ((best >= -u) | covered)) | outside)
    return column._replace(
        margin=np.where(taken, best, column.margin),
        u=np.where(taken & some, u, column.u),
        flags=np.where(taken, column.flags | KNOWN, column.flags).astype(np.uint8),
        measured=np.where(taken, used, column.measured),
        limit=np.where(taken, limit, column.limit),
        basis=np.where(taken, BASES.index(Basis.MAP), column.basis).astype(np.int8),
    )


def _in_lanes(question: Question, sight: Sight, layer: MapLayer) -> list[tuple[int, float, float, float]]:
    """Return for lanes that run beside the whole skip: placement, what is left of the width, width and u."""
    width = _numbers(layer, "width_m")
    rows = sight.along(layer.entry.name)
    half = sight.at.located.half_m[rows.placement]
    real = (rows.feature >= 0) & rows.known & rows.side_known
    # So deep an overlap is the whole skip: the lane goes on beyond both of its ends.
    held = real & (rows.value_m <= -2 * half) & ~np.isnan(np.append(width, np.nan)[rows.feature])
    gap = sight.gap
    taped = question.placements.gap()
    low = np.where(np.isfinite(taped.high), taped.low, gap.low_m)
    unsure = np.where(np.isfinite(taped.high), 0.0, gap.u_m)
    own_width = question.placements.size("width_m")  # a supposed one decides nothing here
    found = []
    for row, feature in zip(rows.placement[held].tolist(), rows.feature[held].tolist(), strict=True):
        spare = width[feature] - low[row] - own_width[row]
        if not np.isnan(spare):
            found.append((row, float(spare), float(width[feature]), float(unsure[row])))
    return found


def _in_areas(sight: Sight, layer: MapLayer) -> list[tuple[int, float, float, float]]:
    """Return for bays drawn as areas: placement, how far the skip is from their edge inside, NaN and u."""
    rows = sight.plan(layer.entry.name)
    own = (shapely.get_dimensions(layer.geometry) == _AREA)[rows.feature] & (rows.value_m <= 0)
    shape = sight.at.box
    found = []
    for row, feature, u in zip(
        rows.placement[own].tolist(), rows.feature[own].tolist(), rows.u_m[own].tolist(), strict=True
    ):
        area, box = layer.geometry[feature], shape[row]
        if shapely.covers(area, box):
            margin = float(shapely.distance(shapely.boundary(area), box))
        else:
            outside = shapely.points(shapely.get_coordinates(shapely.difference(box, area)))
            margin = -float(np.max(shapely.distance(area, outside)))
        found.append((row, margin, float("nan"), u))
    return found


def _numbers(layer: MapLayer, name: str) -> NDArray[np.float64]:
    return np.array([np.nan if each is None else each for each in layer.attribute(name)], float)
