"""Lots on the map: whether a skip stands in front of the one it serves, and how many already stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Placements
    from geocheck.check.question import Question
    from geocheck.check.sight.city_map import MapLayer

TOUCH_M: Final = 0.005

LOT_REACH_M: Final = 10.0
"""A skip in the street belongs to a lot no farther away (footway, gap, its own width; hypothesis)."""

DRIVEWAY_TO_LOT_M: Final = 1.0
"""A driveway that comes so near to a lot leads to it."""

NO_LOT: Final = -1


class Front(NamedTuple):
    """How skips stand to the lot they serve: 1 yes, 0 no, NaN not known; shape (n,) each."""

    touched: NDArray[np.float64]
    whole: NDArray[np.float64]


class Standing(NamedTuple):
    """How many other skips stand at the lot that each serves: at least, and whether that is all."""

    others: NDArray[np.int64]
    known: NDArray[np.bool_]


def served_front(question: Question) -> Front | None:
    """Return how skips stand to the lots that their requests name; None without a map of lots."""
    sight = question.sight
    lots = None if sight is None else sight.layer("lot")
    if sight is None or lots is None:
        return None
    lot = named_lots(question.placements, lots)
    fronts = sight.front("lot")
    own = fronts.rows.feature == lot[fronts.rows.placement]
    rows, spare = fronts.rows.at(own), fronts.spare_m[own]
    u = np.maximum(rows.u_m, TOUCH_M)
    asked = (lot != NO_LOT) & np.isfinite(sight.at.located.half_m)
    touched = np.where(asked, 0.0, np.nan)
    touched[rows.placement] = np.where(rows.value_m < -u, 1.0, np.where(rows.value_m > u, 0.0, np.nan))
    whole = np.where(asked, 0.0, np.nan)
    whole[rows.placement] = np.where(spare >= u - TOUCH_M, 1.0, np.where(spare < -u, 0.0, np.nan))
    return Front(touched, whole)


def standing_on_lot(question: Question) -> Standing:
    """Return how many other skips stand at the lots that are served, by the layer of standing skips."""
    n = len(question.placements)
    nobody = Standing(np.zeros(n, np.int64), np.zeros(n, bool))
    sight = question.sight
    if sight is None:
        return nobody
    lots, standing = sight.layer("lot"), sight.layer("standing_skip")
    if lots is None or standing is None:
        return nobody
    lot = _served(question, lots)
    near, skip = shapely.STRtree(standing.geometry).query(
        lots.geometry[np.maximum(lot, 0)], predicate="dwithin", distance=LOT_REACH_M
    )
    of, row = _lots_of(lots, standing)
    mine = of[np.searchsorted(row, skip)] == lot[near]
    own = shapely.distance(standing.geometry[skip], shapely.points(sight.at.footprints.xy[near]))
    other = ~(own <= np.hypot(sight.at.footprints.length_m, sight.at.footprints.width_m)[near] / 2)
    held = mine & other & (lot[near] != NO_LOT) & _there(question, standing, near, skip)
    count = np.bincount(near[held], minlength=n)
    return Standing(count, sight.covered("standing_skip", LOT_REACH_M) & (lot != NO_LOT))


def served_driveway(
    question: Question, placement: NDArray[np.int64], feature: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell which driveways are surely those of the lots that are served: they lead to the lot named."""
    sight = question.sight
    lots, driveways = (None, None) if sight is None else (sight.layer("lot"), sight.layer("driveway"))
    own = np.zeros(len(placement), bool)
    if lots is None or driveways is None:
        return own
    lot = named_lots(question.placements, lots)[placement]
    held = np.flatnonzero((lot != NO_LOT) & (feature >= 0))
    apart = shapely.distance(driveways.geometry[feature[held]], lots.geometry[lot[held]])
    own[held] = apart <= np.maximum(driveways.accuracy_m[feature[held]], DRIVEWAY_TO_LOT_M)
    return own


def _lots_of(lots: MapLayer, standing: MapLayer) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lot nearest to each standing skip, `NO_LOT` for none, and the skips' own rows."""
    of = np.full(len(standing.geometry), NO_LOT)
    skip, lot = shapely.STRtree(lots.geometry).query_nearest(
        standing.geometry, max_distance=LOT_REACH_M, all_matches=False
    )
    of[skip] = lot
    return of, np.arange(len(of))


def _there(
    question: Question, standing: MapLayer, near: NDArray[np.int64], skip: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell which skips stand during the stay, by their dates; without dates they stand."""
    placements = question.placements
    end = np.where(np.isnat(placements.end), placements.start, placements.end)
    there = np.ones(len(near), bool)
    for name, at, sign in (("valid_from", end, 1), ("valid_to", placements.start, -1)):
        dates = standing.attribute(name)[skip]
        day = np.array([np.datetime64("NaT") if each is None else np.datetime64(each, "D") for each in dates])
        day = day.astype("datetime64[D]")
        asked = at[near].astype("datetime64[D]")
        there &= np.isnat(day) | ((day <= asked) if sign > 0 else (day >= asked))
    return there


def _served(question: Question, lots: MapLayer) -> NDArray[np.int64]:
    """Return the lot that each skip serves: the one named, else the only one in front of the whole of it."""
    named = named_lots(question.placements, lots)
    sight = question.sight
    assert sight is not None  # noqa: S101 (the caller has looked)
    fronts = sight.front("lot")
    whole = fronts.rows.at(fronts.spare_m >= fronts.rows.u_m - TOUCH_M)
    count = np.bincount(whole.placement, minlength=len(named))
    found = np.full(len(named), NO_LOT)
    found[whole.placement] = whole.feature
    return np.where(named != NO_LOT, named, np.where(count == 1, found, NO_LOT))


def named_lots(placements: Placements, lots: MapLayer) -> NDArray[np.int64]:
    """Return the rows of the lots that requests name, `NO_LOT` where one names none.

    Raises:
        InputError: no lot, or several, have that name.
    """
    asked = [request.lot for request in placements.requests]
    if not any(asked):
        return np.full(len(asked), NO_LOT)
    rows = lots.rows_by_name
    found = np.full(len(asked), NO_LOT)
    for number, name in enumerate(asked):
        if name is None:
            continue
        held = rows.get(name, ())
        if len(held) != 1:
            how = "não há lote" if not held else f"há {len(held)} lotes"
            raise InputError("lot", f"{how} “{name}” no pacote; use o identificador da camada lot")
        found[number] = held[0]
    return found
