"""Where skips stand on the map: their rectangles, the kerb beside each, and how surely both are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.check.columns import PLANNED_GAP_M
from geocheck.check.footprint import Footprints, footprints
from geocheck.check.locate import ASKEW_M, NOWHERE, Located, locate
from geocheck.check.outline import outline_of
from geocheck.city.planar import left_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Placements
    from geocheck.check.sight.city_map import CityMap
    from geocheck.model.request import Request

CLICKED_M: Final = 1.0
"""How surely a place is known when nobody says: clicked on a map (DESIGN §5)."""

PLANNED_ALONG_M: Final = 0.5
PLANNED_ACROSS_M: Final = 0.1
"""A skip that is planned at a kerb comes to stand so near to its plan (DESIGN §5)."""

TOLD_REACH_M: Final = 60.0
"""A station farther from the coordinates given with it is not that of this skip: its kerb was found within
20 m of them, and a remedy moves it by 30."""

_POINT_M: Final = 1e-3
_SAME_STATION_M: Final = 1e-6


class Stand(NamedTuple):
    """n skips on the map; NaN where one is not on it (no coordinates, no size, no kerb within reach).

    Attributes:
        footprints: in the city's metres.
        located: by their kerbs.
        across_u_m: half-width of the 95 % interval of the place, square to the kerb, without the kerb's own.
        along_u_m: the same along the kerb.
        plan_u_m: the same in plan, with the kerb's where the skip is planned at it.
        angle_known: whether the angle to the kerb is one that somebody told.
        box: the outlines as polygons, None for those that are not on the map, shape (n,).
        held: which are on the map, shape (n,).
    """

    footprints: Footprints
    located: Located
    across_u_m: NDArray[np.float64]
    along_u_m: NDArray[np.float64]
    plan_u_m: NDArray[np.float64]
    angle_known: NDArray[np.bool_]
    box: NDArray[np.object_]
    held: NDArray[np.bool_]


def one_of(at: Stand, row: int) -> Stand:
    """Return one of the skips."""
    rows = np.array([row])
    return Stand(
        at.footprints.at(rows),
        Located._make(column[rows] for column in at.located),
        *(column[rows] for column in at[2:]),
    )


def stand(placements: Placements, city_map: CityMap) -> Stand:
    """Stand skips on the map.

    A planned skip stands parallel to the nearest kerb, at the planned gap; of the others one without a
    bearing is taken to stand parallel to it.
    """
    lonlat = np.column_stack([placements.size("lon"), placements.size("lat")])
    outline = outline_of(placements)
    length, width = outline.length_m, outline.width_m
    bearing = placements.size("bearing_deg")
    told = ~np.isnan(bearing)
    laid = footprints(lonlat, np.nan_to_num(bearing), length, width, city_map.crs)
    on_map = np.asarray(np.isfinite(laid.xy).all(axis=1))
    # Without a bearing no kerb is askew to the skip.
    askew = np.where(told, ASKEW_M, 0.0)
    first = locate(_seeds(laid, on_map), city_map.lines, city_map.cells, askew)
    first = _on_one_piece(first, city_map)
    if any(request.kerb is not None for request in placements.requests):
        first = _as_told(first, laid, placements, city_map)
    planned = placements.planned & (first.segment != NOWHERE)
    gap = np.where(np.isnan(placements.taped("gap_m")), PLANNED_GAP_M, placements.taped("gap_m"))
    snapped = _at_kerb(laid, first, gap, city_map)
    loose = ~told & ~placements.planned & (first.segment != NOWHERE)
    turned = _turned(laid, first, city_map)
    along = np.where((planned | loose)[:, None], turned, laid.along)
    whole = Footprints(np.where(planned[:, None], snapped, laid.xy), along, length, width)
    # Beside no kerb nothing that the law asks could be measured.
    sized = on_map & ~np.isnan(length) & ~np.isnan(width) & (first.segment != NOWHERE)
    whole = Footprints(np.where(sized[:, None], whole.xy, np.nan), along, length, width)
    stays = planned & sized
    found = first if stays.all() else locate(whole, city_map.lines, city_map.cells)
    found = _keep_station(found, first, stays, length, gap)
    told_u = placements.size("position_accuracy_m")
    along_u = np.where(np.isnan(told_u), np.where(planned, PLANNED_ALONG_M, CLICKED_M), told_u)
    across_u = np.where(planned, np.minimum(along_u, PLANNED_ACROSS_M), along_u)
    # Half of what the skip may be longer or wider than supposed lies at either end.
    across_u = np.where(planned, across_u, np.hypot(across_u, outline.width_u_m / 2))
    along_u = np.hypot(along_u, outline.length_u_m / 2)
    kerb_u = kerb_accuracy_m(found, city_map)
    plan_u = np.hypot(np.hypot(along_u, outline.width_u_m), np.where(planned, kerb_u, 0.0))
    box, held = _boxes(whole)
    return Stand(whole, found, across_u, along_u, plan_u, told & ~planned, box, held)


def _boxes(laid: Footprints) -> tuple[NDArray[np.object_], NDArray[np.bool_]]:
    corners = laid.corners()
    held = np.asarray(np.isfinite(corners).all(axis=(1, 2)), bool)
    box: NDArray[np.object_] = np.full(len(held), None, object)
    box[held] = shapely.polygons(corners[held])
    return box, held


def kerb_accuracy_m(located: Located, city_map: CityMap) -> NDArray[np.float64]:
    """Return how surely the kerb of each skip is known, NaN without one."""
    accuracy = city_map.segments["accuracy_m"]
    held = located.segment != NOWHERE
    found = np.full(len(held), np.nan)
    found[held] = accuracy[located.segment[held]]
    return found


def _seeds(laid: Footprints, on_map: NDArray[np.bool_]) -> Footprints:
    """Return the places themselves, as they are turned: by them the kerb is found."""
    spot = np.full(len(on_map), _POINT_M)
    return Footprints(np.where(on_map[:, None], laid.xy, np.nan), laid.along, spot, spot)


def told_station(request: Request, city_map: CityMap) -> float:
    """Return the station that a request names on this very map, NaN where it names none that its side has."""
    told, place, side = request.kerb, city_map.places, city_map.sides
    if told is None or told.bundle != city_map.bundle.sha256 or int(told.id) >= len(place["s"]):
        return np.nan
    kerb, own = int(told.id), int(place["side"][int(told.id)])
    station = float(place["s"][kerb] + place["sense"][kerb] * told.centre_m)
    begin, length = float(side["s"][own]), float(side["length_m"][own])
    on_side = begin - _SAME_STATION_M <= station <= begin + length + _SAME_STATION_M
    return station if on_side else np.nan


def _as_told(found: Located, laid: Footprints, placements: Placements, city_map: CityMap) -> Located:
    """Put those at the station of an earlier report that name one, if it is near their coordinates."""
    station = np.array([told_station(request, city_map) for request in placements.requests])
    named = np.flatnonzero(~np.isnan(station) & (found.segment != NOWHERE))
    segment, centre = found.segment.copy(), found.centre_s.copy()
    kerb = np.array([int(placements.requests[row].kerb.id) for row in named], np.int64)  # type: ignore[union-attr]
    segment[named] = np.searchsorted(city_map.segments["side"], city_map.places["side"][kerb])
    centre[named] = station[named]
    told = _on_one_piece(found._replace(segment=segment, centre_s=centre), city_map)
    near = np.hypot(*(_kerb_spot(told, city_map) - laid.xy).T) <= TOLD_REACH_M
    return found._replace(
        segment=np.where(near, told.segment, found.segment),
        centre_s=np.where(near, told.centre_s, found.centre_s),
    )


def _kerb_spot(located: Located, city_map: CityMap) -> NDArray[np.float64]:
    """Return the places on the kerb at the stations of skips, shape (n, 2)."""
    segment = np.maximum(located.segment, 0)
    edge = city_map.edges[segment]
    step = edge[:, 2:] - edge[:, :2]
    unit = step / np.maximum(np.hypot(*step.T), np.finfo(float).tiny)[:, None]
    ahead = located.centre_s - city_map.segments["s"][segment]
    return np.asarray(edge[:, :2] + unit * ahead[:, None])


def _on_one_piece(found: Located, city_map: CityMap) -> Located:
    """Let a station between two pieces belong to the lower one, so that it tells its piece by itself."""
    side, s = city_map.segments["side"], city_map.segments["s"]
    own = side[np.maximum(found.segment, 0)]
    first, last = np.searchsorted(side, own), np.searchsorted(side, own, side="right") - 1
    # At a step two places have one station: that behind it begins a little farther on.
    begin, step = np.maximum(found.segment, 0), city_map.lines.step
    behind = (begin > first) & step[begin - 1]
    centre = np.where(behind, np.maximum(found.centre_s, s[begin] + 2 * _SAME_STATION_M), found.centre_s)
    piece = np.clip(np.searchsorted(s, centre - _SAME_STATION_M, side="right") - 1, first, last)
    # A side may begin with a step.
    piece = np.where(step[piece], np.minimum(piece + 1, last), piece)
    return found._replace(segment=np.where(found.segment == NOWHERE, NOWHERE, piece), centre_s=centre)


def _direction(located: Located, city_map: CityMap) -> NDArray[np.float64]:
    """Return the direction of the traffic beside each skip, of length one; zero without a kerb."""
    segment = np.maximum(located.segment, 0)
    edge = city_map.edges[segment]
    step = edge[:, 2:] - edge[:, :2]
    length = np.maximum(np.hypot(*step.T), np.finfo(float).tiny)
    flow = city_map.segments["flow"][segment]
    held = located.segment != NOWHERE
    return np.where(held[:, None], step / length[:, None] * flow[:, None], 0.0)


def _turned(laid: Footprints, located: Located, city_map: CityMap) -> NDArray[np.float64]:
    """Return long axes along the kerbs, the same way round as they were told."""
    along = _direction(located, city_map)
    same = (along * laid.along).sum(axis=1) >= 0
    return np.where(same[:, None], along, -along)


def _at_kerb(
    laid: Footprints, located: Located, gap_m: NDArray[np.float64], city_map: CityMap
) -> NDArray[np.float64]:
    """Return centres at the planned gap from the kerb, on the carriageway's side."""
    segment = np.maximum(located.segment, 0)
    edge = city_map.edges[segment]
    step = edge[:, 2:] - edge[:, :2]
    unit = step / np.maximum(np.hypot(*step.T), np.finfo(float).tiny)[:, None]
    inward = left_of(unit) * city_map.segments["inward"][segment][:, None]
    return np.asarray(_kerb_spot(located, city_map) + inward * (gap_m + laid.width_m / 2)[:, None])


def _keep_station(
    found: Located,
    first: Located,
    planned: NDArray[np.bool_],
    length_m: NDArray[np.float64],
    gap_m: NDArray[np.float64],
) -> Located:
    """Let planned skips keep the station they were snapped to: at a bend another kerb may be nearer."""
    return Located(
        np.where(planned, first.segment, found.segment),
        np.where(planned, gap_m, found.low_gap_m),
        np.where(planned, gap_m, found.high_gap_m),
        np.where(planned, 0.0, found.angle_deg),
        np.where(planned, first.centre_s, found.centre_s),
        np.where(planned, length_m / 2, found.half_m),
    )


def traffic_direction(at: Stand, city_map: CityMap) -> NDArray[np.float64]:
    """Return the direction of the traffic beside each skip's kerb, shape (n, 2), zero without a kerb."""
    return _direction(at.located, city_map)
