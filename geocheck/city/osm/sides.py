"""What the tags of a street say of its two sides: parking, bans, bays, cycle lanes, shoulders, footways.

Each is a feature with the street's own line and a side of it, left or right as OSM draws the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.city.osm.attributes import plausible_width_m
from geocheck.city.osm.features import OsmFeature, way_geometry
from geocheck.city.streets.classify import direction_of, street_ways
from geocheck.city.streets.conditional import bind, read_clauses
from geocheck.city.streets.parking import Ban, Position, read_parking

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from geocheck.city.streets.conditional import Bound, Clause
    from geocheck.city.streets.parking import KerbParking, Parking
    from geocheck.city.ways import Ways

_Told = tuple[str, str | None, dict[str, object]]
"""A layer, the side (None: one of the two, nobody says which), and attributes."""

LEAST_LANE_M: Final = 1.5
GREATEST_LANE_M: Final = 6.5
"""Between a motorcycle's bay and one square to the kerb: other rests are slips of the tags."""

_SIDES: Final = ("left", "right")
_PLACES: Final = {
    Position.LANE: "parking_lane",
    Position.HALF_ON_KERB: "parking_lane",
    Position.ON_KERB: "parking_lane",
    Position.STREET_SIDE: "parking_bay",
    Position.SHOULDER: "shoulder",
}
_CODES: Final = {
    Ban.NO_STOPPING.value: "R-6c",
    Ban.NO_STANDING.value: "R-6a",
    Ban.NO_PARKING.value: "R-6a",
}
"""A ban in the words of Brazil's signs: R-6c forbids stopping too, R-6a parking alone."""

_KEPT_FOR: Final = {
    "taxi": ("taxi_stand", None),
    "disabled": ("special_bay", "disabled"),
    "emergency": ("special_bay", "emergency"),
    "police": ("special_bay", "emergency"),
    "fire_brigade": ("special_bay", "emergency"),
    "ambulance": ("special_bay", "emergency"),
}
_CYCLEWAYS: Final = frozenset({"lane", "track", "opposite_lane", "opposite_track"})


def side_features(ways: Ways) -> Iterator[tuple[str, OsmFeature]]:
    """Return each feature that a street's tags tell of a side, with its layer."""
    for way in np.flatnonzero(street_ways(ways)):
        tags = ways.tags[way]
        if not any(key.startswith(("parking:", "cycleway", "shoulder", "sidewalk")) for key in tags):
            continue
        line = way_geometry(ways, int(way), as_area=False)
        if line is None:
            continue
        source = f"way/{ways.way_id[way]}"
        count: dict[tuple[str, str | None], int] = {}
        for layer, side, known in (*_parking(tags), *_lanes(tags)):
            number = count[layer, side] = count.get((layer, side), 0) + 1
            name = f"{source}/{side or 'side'}/{layer}/{number}"
            placed = {**known, "side": side, "on_axis": True}
            yield layer, OsmFeature(name, source, tags, line, source, placed)


def _parking(tags: Mapping[str, str]) -> Iterator[_Told]:
    parking = read_parking(tags)
    rest_m = _rest_m(tags, parking)
    for side, kerb in zip(_SIDES, (parking.left, parking.right), strict=True):
        layer = _PLACES.get(kerb.position)
        if layer is not None:
            on_road = kerb.position is Position.LANE and kerb.width_m is None
            known: dict[str, object] = {"width_m": rest_m if on_road else kerb.width_m}
            yield layer, side, known
        yield from ((kept, side, said) for kept, said in _kept(kerb))
        for bound in _fees(tags, side):
            paid: dict[str, object] = {"hours": _hours(bound)}
            yield "paid_parking", side, paid


def _rest_m(tags: Mapping[str, str], parking: Parking) -> float | None:
    """Return what the traffic lanes leave of the carriageway for each parking lane without a width.

    Only where the tags say both widths: what is left of guesses is no width.
    """
    whole = plausible_width_m(tags["width"]) if "width" in tags else None
    lanes = [plausible_width_m(each) for each in tags.get("width:lanes", "").split("|")]
    on_road = [each for each in (parking.left, parking.right) if each.position is Position.LANE]
    open_ = sum(each.width_m is None for each in on_road)
    if whole is None or None in lanes or not open_:
        return None
    taken = sum(each for each in lanes if each) + sum(each.width_m or 0.0 for each in on_road)
    left = round((whole - taken) / open_, 3)
    return left if LEAST_LANE_M <= left <= GREATEST_LANE_M else None


def _kept(kerb: KerbParking) -> Iterator[tuple[str, dict[str, object]]]:
    for bound in kerb.bans:
        if bound.word in _CODES:
            yield "sign", {"code": _CODES[bound.word], "hours": _hours(bound)}
        elif bound.word == Ban.LOADING_ONLY.value:
            yield "loading_bay", {"hours": _hours(bound)}
        else:
            yield "special_bay", {"kind": "exclusive", "hours": _hours(bound)}
    for bound in kerb.reserved:
        layer, kind = _KEPT_FOR.get(bound.word, ("special_bay", "exclusive"))
        known: dict[str, object] = {"hours": _hours(bound)}
        yield layer, known | ({"kind": kind} if kind else {})


def _hours(bound: Bound) -> str | None:
    """Write hours as a column has them: always is said, and unknown is nothing."""
    return (bound.hours or "24/7") if bound.certain else None


def _fees(tags: Mapping[str, str], side: str) -> list[Bound]:
    clauses: list[Clause] = []
    for tail in ("", ":conditional"):
        keys = (f"parking:{side}:fee{tail}", f"parking:both:fee{tail}")
        key = next((each for each in keys if each in tags), None)
        clauses += read_clauses(tags[key]) if key is not None else []
    return [bound for bound in bind(clauses) if bound.word == "yes"]


def _lanes(tags: Mapping[str, str]) -> Iterator[_Told]:
    for side in _SIDES:
        if _of_side(tags, "cycleway", side) in _CYCLEWAYS:
            yield "cycleway", side, {"width_m": _width_m(tags, "cycleway", side)}
        if _of_side(tags, "shoulder", side) == "yes" or tags.get("shoulder") in (side, "both"):
            yield "shoulder", side, {"width_m": _width_m(tags, "shoulder", side)}
        if _of_side(tags, "sidewalk", side) == "yes" or tags.get("sidewalk") in (side, "both"):
            yield "footway", side, {"width_m": _width_m(tags, "sidewalk", side)}
    if tags.get("cycleway") in _CYCLEWAYS:
        # On a two-way street it means both sides; on a one-way one the wiki leaves it open.
        which: tuple[str | None, ...] = _SIDES if direction_of(tags) == 0 else (None,)
        for each in which:
            yield "cycleway", each, {"width_m": _width_m(tags, "cycleway", each)}
    if tags.get("shoulder") == "yes":
        yield "shoulder", None, {}


def _of_side(tags: Mapping[str, str], key: str, side: str) -> str | None:
    return tags.get(f"{key}:{side}", tags.get(f"{key}:both"))


def _width_m(tags: Mapping[str, str], key: str, side: str | None) -> float | None:
    keys = (f"{key}:{side}:width", f"{key}:both:width", f"{key}:width")
    text = next((tags[each] for each in keys if each in tags), None)
    return None if text is None else plausible_width_m(text)
