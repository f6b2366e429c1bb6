"""Intervals on the ruler: what of a layer lies where along the kerbs.

What lies beyond an end at which nobody knows where the kerb goes is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from geocheck.city.ruler.ruler import GUARD_M
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap

SEAM_M: Final = 120.0
"""On a side that ends where it begins, what lies so near its seam is met from both ends."""

BEYOND_M: Final = GUARD_M / 4
"""What lies beyond the end of a side is so long: longer than most reaches, shorter than the guard."""

UNSEEN_ENDS: Final = (EndKind.CUT, EndKind.COVERED)
"""Ends beyond which a corner may lie."""

OPEN_ENDS: Final = (*UNSEEN_ENDS, EndKind.TAPER, EndKind.BEND_WITH_OTHER_NAME)
"""Ends beyond which the kerb goes on, but not on this side of the ruler: things there are not seen."""


class Events(NamedTuple):
    """e intervals of one layer on the ruler; every column has shape (e,).

    Attributes:
        low_s: station.
        high_s: the same.
        feature: row of the layer beside the lower end, -1 where it is not known what lies there.
        feature_high: the same beside the higher end (the other corner of a mouth).
        u_m: half-width of the 95 % interval of the lower end along the kerb.
        u_high_m: of the higher one.
        known: as in `Rows`.
        side_known: as in `Rows`.
        curve_m: how much farther than its ends it reaches to where the kerb's curve begins, below the lower
            end and above the higher one, shape (e, 2); NaN where not known.
        building_line_m: the same to the building line of the cross street.
    """

    low_s: NDArray[np.float64]
    high_s: NDArray[np.float64]
    feature: NDArray[np.int64]
    feature_high: NDArray[np.int64]
    u_m: NDArray[np.float64]
    u_high_m: NDArray[np.float64]
    known: NDArray[np.bool_]
    side_known: NDArray[np.bool_]
    curve_m: NDArray[np.float64]
    building_line_m: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64]) -> Events:
        """Return some of them."""
        return Events._make(column[rows] for column in self)


def plain_events(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    feature: NDArray[np.int64],
    u_m: NDArray[np.float64],
    side_known: NDArray[np.bool_],
) -> Events:
    """Return intervals of which everything is known, with no stricter reading."""
    return Events(
        low, high, feature, feature, u_m, u_m, np.ones(len(low), bool), side_known, *_no_pads(len(low))
    )


def _no_pads(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    nothing = np.full((count, 2), np.nan)
    return nothing, nothing


def ends_of(city_map: CityMap, kinds: tuple[EndKind, ...]) -> Events:
    """Return the ends of sides beyond which nobody knows what lies."""
    side: dict[str, NDArray[Any]] = city_map.sides
    codes = [int(kind) for kind in kinds]
    open_ = side["ring"] == 0
    start = side["s"][open_ & np.isin(side["start_kind"], codes)]
    end = (side["s"] + side["length_m"])[open_ & np.isin(side["end_kind"], codes)]
    low, high = np.append(start - BEYOND_M, end), np.append(start, end + BEYOND_M)
    nobody = np.full(len(low), -1)
    zero, sure = np.zeros(len(low)), np.ones(len(low), bool)
    return Events(low, high, nobody, nobody, zero, zero, ~sure, sure, *_no_pads(len(low)))


def joined_events(*parts: Events) -> Events:
    """Return several tables as one."""
    return Events._make(np.concatenate(each) for each in zip(*parts, strict=True))


def over_seams(events: Events, city_map: CityMap) -> Events:
    """Return events with copies of those near the seam of a ring, a whole turn away."""
    side = city_map.sides
    if not len(side["s"]) or not len(events.low_s):
        return events
    of = np.searchsorted(side["s"] - BEYOND_M, events.low_s, side="right") - 1
    start, length = side["s"][of], side["length_m"][of]
    ring = side["ring"][of] == 1
    low = np.flatnonzero(ring & (events.low_s < start + SEAM_M))
    high = np.flatnonzero(ring & (events.high_s > start + length - SEAM_M))
    parts = [events]
    for rows, turn in ((low, 1.0), (high, -1.0)):
        copy = events.at(rows)
        shift = turn * length[rows]
        parts.append(copy._replace(low_s=copy.low_s + shift, high_s=copy.high_s + shift))
    return joined_events(*parts)
