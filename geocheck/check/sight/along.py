"""Distances along the kerb: the features of all layers as intervals on the ruler, and those near each skip.

Distances run on across mouths, on the same side of the same street. A corner is the edge of a mouth; a kerb
that ends at a corner without one ends in a mouth that runs into the guard. What lies beyond an end at which
nobody knows where the kerb goes is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from geocheck.check.locate import NOWHERE
from geocheck.check.sight.rows import Rows
from geocheck.check.sight.spans import Spans, spans_of
from geocheck.city.ruler.ruler import GUARD_M, MOUTH
from geocheck.city.streets.medians import Median
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap, MapLayer
    from geocheck.check.sight.stand import Stand

REACH_M: Final = 60.0
"""So far along the kerb features are looked for."""

FAR_REACH_M: Final[dict[str, float]] = {"driveway": 110.0}
"""Layers that a rule asks for as far as the block face goes."""

SEAM_M: Final = 120.0
"""On a side that ends where it begins, what lies so near its seam is met from both ends."""

BEYOND_M: Final = GUARD_M / 4
"""What lies beyond the end of a side is taken to be so long: longer than any reach, shorter than the guard."""

UNSEEN_ENDS: Final = (EndKind.CUT, EndKind.COVERED)
"""Ends beyond which a corner may lie."""

OPEN_ENDS: Final = (*UNSEEN_ENDS, EndKind.TAPER, EndKind.BEND_WITH_OTHER_NAME)
"""Ends beyond which the kerb goes on, but not on this side of the ruler: things there are not seen."""


Reading = Literal["corner_curve", "building_line"]
"""Stricter readings of a distance from a corner."""


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


class Along(NamedTuple):
    """The events of a layer, where on the ruler to find them, and how far off."""

    events: Events
    spans: Spans
    reach_m: float


def along_of(city_map: CityMap, layer: str) -> Along:
    """Return the events of a layer of a map, those near the seam of a ring twice."""
    reach_m = FAR_REACH_M.get(layer, REACH_M)
    if layer == "corner":
        events = _corners(city_map)
    elif layer == "median":
        events = _joined(_medians(city_map), _ends(city_map, OPEN_ENDS))
    else:
        events = _joined(_features(city_map, layer), _ends(city_map, OPEN_ENDS))
    events = _over_seams(events, city_map)
    wide = reach_m + np.maximum(events.u_m, events.u_high_m)
    return Along(events, spans_of(events.low_s - wide, events.high_s + wide), reach_m)


def near_along(at: Stand, along: Along, flow: NDArray[np.int64]) -> Rows:
    """Return what lies along the kerb of skips.

    Args:
        at: the skips.
        along: the events of a layer.
        flow: for each skip 1 where the traffic beside it runs with the ruler, -1 where against it.
    """
    centre, half = at.located.centre_s, at.located.half_m
    held = at.located.segment != NOWHERE
    wide = half + at.along_u_m
    low = np.where(held, centre - wide, np.nan)
    placement, event = along.spans.near(low, np.where(held, centre + wide, np.nan))
    events = along.events
    c, h = centre[placement], half[placement]
    ahead = events.low_s[event] - (c + h)
    behind = (c - h) - events.high_s[event]
    above = ahead >= behind
    value = np.maximum(ahead, behind)
    u = np.where(above, events.u_m[event], events.u_high_m[event])
    sense = np.where(value > 0, np.where(above, -1, 1), 0)
    u = np.hypot(u, at.along_u_m[placement])
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


def _no_pads(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    nothing = np.full((count, 2), np.nan)
    return nothing, nothing


def _plain(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    feature: NDArray[np.int64],
    u_m: NDArray[np.float64],
    side_known: NDArray[np.bool_],
) -> Events:
    return Events(
        low, high, feature, feature, u_m, u_m, np.ones(len(low), bool), side_known, *_no_pads(len(low))
    )


def _features(city_map: CityMap, name: str) -> Events:
    """Return the features of a layer where its table refers them to kerbs."""
    # An opposite mouth is an edge of a crossing area.
    layer = city_map.layer("crossing_area" if name == "mouth" else name)
    table = city_map.table(f"station.{name}")
    if layer is None or table is None:
        none, sure = np.zeros(0), np.zeros(0, bool)
        return _plain(none, none, np.zeros(0, np.int64), none, sure)
    feature = table["feature"]
    side_known = table.get("side_known", np.ones(len(feature), np.int8)) == 1
    accuracy = feature_accuracy_m(layer, city_map)[feature]
    return _plain(table["low_s"], table["high_s"], feature, accuracy, side_known)


def _medians(city_map: CityMap) -> Events:
    """Return the stretches of kerb beside medians, and those of which it is not known or not agreed."""
    table = city_map.table("station.median")
    if table is None:
        return _features(city_map, "median")
    kind, count = table["kind"], len(table["kind"])
    axis = city_map.bundle.entry("axis")
    u = np.full(count, 0.0 if axis is None else axis.accuracy_m)
    sure = np.isin(kind, [Median.YES])
    rows = _plain(table["low_s"], table["high_s"], np.full(count, -1), u, sure)
    return rows._replace(known=kind != Median.UNKNOWN)


def feature_accuracy_m(layer: MapLayer, city_map: CityMap) -> NDArray[np.float64]:
    """Return how surely features lie where they are; a crossing area, as its worst corner."""
    corners = city_map.layer("corner")
    if layer.entry.name != "crossing_area" or corners is None:
        return layer.accuracy_m
    of, asked = (
        np.array([-1 if each is None else each for each in each_layer.attribute("junction")], np.int64)
        for each_layer in (corners, layer)
    )
    worst = np.full(max(int(of.max(initial=-1)), int(asked.max(initial=-1))) + 1, -np.inf)
    np.maximum.at(worst, of[of >= 0], corners.accuracy_m[of >= 0])
    found = np.where(asked >= 0, worst[np.maximum(asked, 0)], -np.inf) if len(worst) else layer.accuracy_m
    return np.where(np.isinf(found), layer.accuracy_m, found)


def _corners(city_map: CityMap) -> Events:
    """Return the mouths between kerbs, and the ends of sides beyond which a mouth is or may be."""
    layer = city_map.layer("corner")
    kerbs = city_map.layer("kerb")
    if layer is None or kerbs is None:
        return _ends(city_map, UNSEEN_ENDS)
    segment, side = city_map.segments, city_map.sides
    chord = np.flatnonzero(segment["kerb"] == MOUTH)
    # A ring may close with a chord: the kerb after it is the first of its side.
    first_of_side = np.searchsorted(segment["side"], np.arange(len(side["s"])))
    following = chord + 1
    wraps = (following == len(segment["kerb"])) | (
        segment["side"][np.minimum(following, len(segment["kerb"]) - 1)] != segment["side"][chord]
    )
    following = np.where(wraps, first_of_side[segment["side"][chord]], following)
    low_kerb, high_kerb = segment["kerb"][chord - 1], segment["kerb"][following]
    low_s = segment["s"][chord]
    inner = _between(city_map, low_kerb, high_kerb, low_s, low_s + segment["length_m"][chord])
    last_of_side = np.append(first_of_side[1:], len(segment["kerb"])) - 1
    open_ = side["ring"] == 0
    first_kerb = segment["kerb"][first_of_side[open_]]
    last_kerb = segment["kerb"][last_of_side[open_]]
    start_s, end_s = side["s"][open_], (side["s"] + side["length_m"])[open_]
    none = np.full(len(start_s), MOUTH)
    before = _between(city_map, none, first_kerb, start_s - BEYOND_M, start_s)
    after = _between(city_map, last_kerb, none, end_s, end_s + BEYOND_M)
    unseen = _ends(city_map, UNSEEN_ENDS)
    found = _joined(inner, before, after)
    return _joined(found.at(np.flatnonzero((found.feature >= 0) | (found.feature_high >= 0))), unseen)


def _between(
    city_map: CityMap,
    low_kerb: NDArray[np.int64],
    high_kerb: NDArray[np.int64],
    low_s: NDArray[np.float64],
    high_s: NDArray[np.float64],
) -> Events:
    """Return mouths between the end of one kerb and the start of another, as the ruler runs."""
    one, two = _corner_at(city_map, low_kerb, 1), _corner_at(city_map, high_kerb, -1)
    one, two = np.where(one < 0, two, one), np.where(two < 0, one, two)
    layer = city_map.layer("corner")
    assert layer is not None  # noqa: S101 (the caller has looked)
    kind, unknown = layer.attribute("kind"), layer.attribute("unknown").astype(bool)
    plain = kind == "corner"
    sure = ~unknown & (kind != "unknown")
    at = np.stack([np.maximum(one, 0), np.maximum(two, 0)], axis=1)
    kerb = np.stack([low_kerb, high_kerb], axis=1)
    return Events(
        low_s,
        high_s,
        one,
        two,
        layer.accuracy_m[at[:, 0]],
        layer.accuracy_m[at[:, 1]],
        sure[at].all(axis=1),
        plain[at].any(axis=1),
        _pad(layer, "curve", at, kerb),
        _pad(layer, "building_line", at, kerb),
    )


def _corner_at(city_map: CityMap, kerb: NDArray[np.int64], sense: int) -> NDArray[np.int64]:
    """Return the corner at the end of kerbs towards higher (1) or lower (-1) stations, -1 for none."""
    kerbs = city_map.layer("kerb")
    assert kerbs is not None  # noqa: S101 (the caller has looked)
    start = kerbs.attribute("start_corner").astype(np.int64)
    end = kerbs.attribute("end_corner").astype(np.int64)
    held = np.maximum(kerb, 0)
    runs_with = city_map.places["sense"][held] == sense
    found = np.where(runs_with, end[held], start[held])
    return np.where(kerb == MOUTH, -1, found)


def _pad(
    layer: MapLayer, name: str, corner: NDArray[np.int64], kerb: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the pads of a stricter reading along the kerbs that end at corners, both of shape (e, 2)."""
    before, after = (
        np.array([np.nan if each is None else each for each in layer.attribute(f"{when}_{name}_m")], float)
        for when in ("before", "after")
    )
    own = layer.attribute("kerb_before")[corner] == kerb
    return np.where(own, before[corner], after[corner])


def _ends(city_map: CityMap, kinds: tuple[EndKind, ...]) -> Events:
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


def _joined(*parts: Events) -> Events:
    return Events._make(np.concatenate(each) for each in zip(*parts, strict=True))


def _over_seams(events: Events, city_map: CityMap) -> Events:
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
    return _joined(*parts)
