"""What the tags of an OSM feature say in the words of `attributes`; what they do not say stays unknown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import shapely

from geocheck.city.layers.sign_codes import sign_code
from geocheck.city.streets.classify import layer_of
from geocheck.city.streets.conditional import hours_understood
from geocheck.city.streets.quantities import in_range, read_length

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from geocheck.city.osm.features import OsmFeature

_NARROWEST_M: Final = 0.1
_WIDEST_M: Final = 100.0
_DIRECTIONS: Final = frozenset({"forward", "backward", "both"})
_UNMARKED: Final = frozenset({"unmarked"})
_MARKED: Final = frozenset({"marked", "zebra", "uncontrolled"})
_STOP_LINES: Final = ("stop_line", "solid_stop_line", "dashed_stop_line")
_EMERGENCY: Final = frozenset({"police", "emergency", "ambulance", "fire_brigade"})


def plausible_width_m(text: str) -> float | None:
    """Read a width in metres, None where it is none."""
    metres = in_range(read_length(text), _NARROWEST_M, _WIDEST_M).metres
    return metres if math.isfinite(metres) else None


def attribute_of(name: str, layer: str, thing: OsmFeature, driving_side: str) -> object:
    """Return one attribute of a feature, None where nobody knows.

    Args:
        name: of the attribute.
        layer: the feature's.
        thing: the feature.
        driving_side: of the city: a stop that serves one direction stands on its side.
    """
    if name in thing.known:
        return thing.known[name]
    if name == "side":
        return _side(layer, thing, driving_side)
    placed = _PLACED.get(name)
    if placed is not None:
        return placed(layer, thing)
    told = _TOLD.get(name)
    return told(layer, thing.tags) if told is not None else None


def _is_street_node(thing: OsmFeature) -> bool:
    return thing.way is not None and isinstance(thing.geometry, shapely.Point)


def _direction(layer: str, thing: OsmFeature) -> str | None:
    """Return the direction of the traffic served or stopped, along the way on which the node lies."""
    if not _is_street_node(thing):
        return None
    key = "traffic_signals:direction" if layer == "signal" else "direction"
    said = thing.tags.get(key, thing.tags.get("direction"))
    return said if said in _DIRECTIONS else None


def _side(layer: str, thing: OsmFeature, driving_side: str) -> str | None:
    """Return the side of the way on which a node lies: as tagged, else that of the traffic it serves."""
    if not _is_street_node(thing):
        return None
    said = thing.tags.get("side")
    if said in ("left", "right", "both"):
        return said
    if layer == "ramp":
        return "both" if thing.tags.get("highway") == "crossing" else None
    direction = _direction(layer, thing)
    if direction is None or direction == "both":
        return direction
    other = "left" if driving_side == "right" else "right"
    return driving_side if direction == "forward" else other


def _kind(layer: str, tags: Mapping[str, str]) -> str | None:
    if layer == "marking":
        return "stop_line" if tags.get("road_marking") in _STOP_LINES else None
    if layer == "special_bay":
        said = tags.get("parking_space", "disabled")
        return "disabled" if said == "disabled" else "emergency" if said in _EMERGENCY else "exclusive"
    return None


def _hours(tags: Mapping[str, str]) -> str | None:
    said = tags.get("opening_hours", "")
    return said if hours_understood(said) else None


def _marked(tags: Mapping[str, str]) -> bool | None:
    paint = tags.get("crossing:markings")
    if paint is not None:
        return paint != "no"
    said = set(tags.get("crossing", "").split(";"))
    if said & _MARKED:
        return True
    return False if said & _UNMARKED else None


def _bays(tags: Mapping[str, str]) -> int | None:
    said = tags.get("capacity", "")
    if said.isascii() and said.isdecimal() and len(said) < 6:  # noqa: PLR2004 (a car park of 100,000)
        return int(said)
    # The wiki: one space where nothing else is said.
    return 1 if tags.get("amenity") == "parking_space" and not said else None


_PLACED: Final[dict[str, Callable[[str, OsmFeature], object]]] = {
    "way": lambda _layer, thing: thing.way,
    "on_axis": lambda _layer, thing: _is_street_node(thing),
    "direction": _direction,
}
_TOLD: Final[dict[str, Callable[[str, Mapping[str, str]], object]]] = {
    "name": lambda _layer, tags: tags.get("name"),
    "level": lambda _layer, tags: layer_of(tags),
    "code": lambda _layer, tags: sign_code(tags),
    "hours": lambda _layer, tags: _hours(tags),
    "kind": _kind,
    "marked": lambda _layer, tags: _marked(tags),
    "bays": lambda _layer, tags: _bays(tags),
    "width_m": lambda _layer, tags: plausible_width_m(tags.get("width", "")),
    "street": lambda _layer, tags: tags.get("addr:street"),
    "number": lambda _layer, tags: tags.get("addr:housenumber"),
}
