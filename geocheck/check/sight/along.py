"""Distances along the kerb: what of a layer lies near each skip on the ruler.

Distances run on across mouths, on the same side of the same street.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from geocheck.check.locate import NOWHERE
from geocheck.check.sight.corner_events import corners_on_ruler
from geocheck.check.sight.events import OPEN_ENDS, Events, ends_of, joined_events, over_seams
from geocheck.check.sight.layer_events import (
    STREET_LINES,
    features_on_ruler,
    medians_on_ruler,
    ways_on_ruler,
)
from geocheck.check.sight.rows import NONE, Rows
from geocheck.check.sight.spans import Spans, asked_of, spans_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap
    from geocheck.check.sight.spans import Asked
    from geocheck.check.sight.stand import Stand

REACH_M: Final = 60.0
"""So far along the kerb features are looked for."""

FAR_REACH_M: Final[dict[str, float]] = {"driveway": 110.0}
"""Layers that a rule asks for as far as the block face goes."""

Reading = Literal["corner_curve", "building_line"]
"""Stricter readings of a distance from a corner."""


class Along(NamedTuple):
    """The events of a layer, where on the ruler to find them, and how far off."""

    events: Events
    spans: Spans
    reach_m: float


def along_of(city_map: CityMap, layer: str) -> Along:
    """Return the events of a layer of a map, those near the seam of a ring twice."""
    reach_m = FAR_REACH_M.get(layer, REACH_M)
    if layer == "corner":
        events = corners_on_ruler(city_map)
    elif layer == "median":
        events = joined_events(medians_on_ruler(city_map), ends_of(city_map, OPEN_ENDS))
    elif layer in STREET_LINES:
        events = ways_on_ruler(city_map, layer)
    else:
        events = joined_events(features_on_ruler(city_map, layer), ends_of(city_map, OPEN_ENDS))
    events = over_seams(events, city_map)
    wide = reach_m + np.maximum(events.u_m, events.u_high_m)
    return Along(events, spans_of(events.low_s - wide, events.high_s + wide), reach_m)


def asked_by(at: Stand) -> Asked:
    """Return the stretches of kerb beside skips, as far as their places may be off; none without a kerb."""
    centre, wide = at.located.centre_s, at.located.half_m + at.along_u_m
    low = np.where(at.located.segment != NOWHERE, centre - wide, np.nan)
    return asked_of(low, centre + wide)


def near_along(at: Stand, asked: Asked, along: Along, flow: NDArray[np.int64]) -> Rows:
    """Return what lies along the kerb of skips.

    Args:
        at: the skips.
        asked: the stretches of kerb beside them.
        along: the events of a layer.
        flow: for each skip 1 where the traffic beside it runs with the ruler, -1 where against it.
    """
    placement, event = along.spans.near(asked)
    if not len(event):
        return NONE
    centre, half, events = at.located.centre_s, at.located.half_m, along.events
    c, h = centre[placement], half[placement]
    ahead = events.low_s[event] - (c + h)
    behind = (c - h) - events.high_s[event]
    above = ahead >= behind
    value = np.maximum(ahead, behind)
    u = np.where(above, events.u_m[event], events.u_high_m[event])
    u = np.hypot(u, at.along_u_m[placement])
    sense = np.where(value > 0, np.where(above, -1, 1), 0)
    rows = Rows(
        placement=placement,
        feature=np.where(above, events.feature[event], events.feature_high[event]),
        value_m=value,
        u_m=u,
        known=events.known[event],
        side_known=events.side_known[event],
        # Upstream of the skip lies what the traffic passes before it.
        upstream=(sense * flow[placement]).astype(np.int8),
        event=np.where(above, event * 2, event * 2 + 1),
    )
    # The ruler's cells hold some that are farther: which, hangs on their stations and must not be seen.
    return rows.at(value <= along.reach_m + u)


def pads_of(along: Along, rows: Rows, reading: Reading) -> NDArray[np.float64]:
    """Return how much farther than its end the event of each row reaches in a stricter reading."""
    events = along.events
    pads = (events.curve_m if reading == "corner_curve" else events.building_line_m).ravel()
    pads = np.append(pads, np.nan)  # of rows that come from no event (-1)
    return np.asarray(pads[rows.event])
