"""A placement moved along its kerb or to it, with what its user measured and saw as far as it still holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.check.columns import BEYOND_M
from geocheck.check.locate import NOWHERE
from geocheck.city.wgs84 import to_lonlat
from geocheck.model.request import KerbPlace, Observation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.check.pipeline import Checked
    from geocheck.check.sight.sight import Sight
    from geocheck.model.request import Request

_OF_THE_SKIP: Final = frozenset(
    {
        "gap_m",
        "angle_deg",
        "clear_width_m",
        "parking_lane_width_m",
        "carriageway_width_m",
        "footway_width_m",
        "cross_footway_width_m",
    }
)
"""What is measured at the skip or of the street, and holds some metres on as well."""

_SMALL_ZONES: Final = frozenset({"crossing_area", "green", "square", "bridge", "tunnel"})
"""Zones that may begin or end within the metres of a move."""


def moved(checked: Checked, row: int, shift_m: float) -> Request | None:
    """Return a placement moved along its kerb; None where the kerb does not go on so far.

    Args:
        checked: a group of judged placements.
        row: which of them.
        shift_m: with the traffic; against it below zero.
    """
    request, sight = checked.placements.requests[row], checked.sight
    changes: dict[str, Any] = {
        "measured": dict(_tapes(request, shift_m)),
        "observed": tuple(_observations(request, shift_m)),
        "in_zone": {zone: inside for zone, inside in request.in_zone.items() if zone not in _SMALL_ZONES},
    }
    if sight is None or sight.at.located.segment[row] == NOWHERE or np.isnan(sight.at.located.half_m[row]):
        return None if sight is not None else request.model_copy(update=changes)
    place = _kerb_place(sight, row, shift_m)
    if place is None:
        return None
    if checked.placements.planned[row]:
        changes["kerb"] = place
    else:
        xy = sight.at.footprints.xy[row] + shift_m * sight.traffic[row]
        lon, lat = to_lonlat(xy[None, :], sight.city_map.crs)[0].tolist()
        bounds = checked.law.city.bounds
        if not (bounds.west <= lon <= bounds.east and bounds.south <= lat <= bounds.north):
            return None
        changes |= {"lon": lon, "lat": lat}
    return request.model_copy(update=changes)


def at_kerb(checked: Checked, row: int, gap_m: float) -> Request:
    """Return a skip that stands put to its kerb, parallel to it, where it is along it."""
    request, sight = checked.placements.requests[row], checked.sight
    step = _across_m(checked, row, gap_m)
    place = None
    if sight is not None and sight.at.located.segment[row] != NOWHERE:
        place = _kerb_place(sight, row, 0.0)
    changes = {
        "mode": "planned",
        "kerb": place,
        "measured": {**dict(_shorter(request, step)), "gap_m": gap_m},
        "observed": tuple(_observations(request, step)),
        "in_zone": {zone: inside for zone, inside in request.in_zone.items() if zone not in _SMALL_ZONES},
    }
    return request.model_copy(update=changes)


def _across_m(checked: Checked, row: int, gap_m: float) -> float:
    """Return how far any place of a skip comes when it is put to its kerb; infinity where nobody knows."""
    known = checked.placements.gap()
    if known.low[row] != known.high[row]:
        return np.inf
    angle, length = checked.placements.angle_deg()[0][row], checked.placements.size("length_m")[row]
    turned = 0.0 if angle == 0 else length * np.sin(np.radians(angle)) / 2
    return np.inf if np.isnan(turned) else float(abs(known.low[row] - gap_m) + turned)


def _shorter(request: Request, step_m: float) -> Iterator[tuple[str, float]]:
    """Return the tapes that hold after a move across: what lies beside may be so much nearer."""
    for key, value in request.measured.items():
        if key in ("gap_m", "angle_deg"):
            continue
        if key in _OF_THE_SKIP:
            yield key, value
        elif key.endswith(("_before_m", "_after_m")) and np.isfinite(step_m):
            yield key, max(0.0, value - step_m)


def _kerb_place(sight: Sight, row: int, shift_m: float) -> KerbPlace | None:
    """Return the station of a moved skip; None beyond the end of its side."""
    located, city_map = sight.at.located, sight.city_map
    kerb, side = int(sight.kerb[row]), int(city_map.segments["side"][located.segment[row]])
    if kerb < 0:
        return None
    s = float(located.centre_s[row]) + shift_m * int(sight.flow[row])
    start, length = float(city_map.sides["s"][side]), float(city_map.sides["length_m"][side])
    if city_map.sides["ring"][side]:
        s = start + (s - start) % length
    elif not start <= s <= start + length:
        return None
    centre = (s - float(city_map.places["s"][kerb])) * int(city_map.places["sense"][kerb])
    return KerbPlace(id=str(kerb), centre_m=centre, bundle=city_map.bundle.sha256)


def _tapes(request: Request, shift_m: float) -> Iterator[tuple[str, float]]:
    """Return the tapes that hold: what lies before the skip is farther off when it moves on."""
    for key, value in request.measured.items():
        if key in _OF_THE_SKIP:
            yield key, value
        elif key.endswith("_before_m"):
            yield key, max(0.0, value + shift_m)
        elif key.endswith("_after_m"):
            yield key, max(0.0, value - shift_m)


def _observations(request: Request, shift_m: float) -> Iterator[Observation]:
    """Return what was seen as it is seen from the new place; what decides of one thing there is left out."""
    step = abs(shift_m)
    for seen in request.observed:
        told = seen.attributes
        if not seen.places:
            yield seen
        elif told.of_served_lot is not None or told.coverage is not None:
            continue
        elif seen.state == "present":
            yield seen.model_copy(update={"reach_m": seen.reach_m + step})
        elif seen.reach_m > step:
            yield seen.model_copy(update={"reach_m": seen.reach_m - step})
    for key, value in request.measured.items():
        layer = key.removesuffix("_m")
        if key in _OF_THE_SKIP or key.endswith(("_before_m", "_after_m")) or value <= step + BEYOND_M:
            continue
        yield Observation(layer=layer, state="none", reach_m=value - step - BEYOND_M)
