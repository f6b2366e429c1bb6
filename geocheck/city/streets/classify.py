"""Which ways are carriageways for motor traffic, on which level they lie and which way they run."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from geocheck.city.ways import Ways

_CARRIAGEWAYS: Final = frozenset(
    base + link
    for base in ("motorway", "trunk", "primary", "secondary", "tertiary")
    for link in ("", "_link")
) | {"unclassified", "residential", "living_street", "service", "road", "busway"}

_UNBUILT: Final = frozenset({"construction", "proposed", "planned", "abandoned", "disused", "razed"})

_PRIVATE_SERVICE: Final = frozenset(
    {
        "driveway",
        "driveway2",
        "parking_aisle",
        "parking",
        "drive-through",
        "drive_through",
        "emergency_access",
        "slipway",
        "yard",
        "fuel",
        "layby",
        "bus_bay",
    }
)
"""Values of `service` that lead into a property or are no street of their own."""

_CLOSED: Final = frozenset(
    {"no", "private", "customers", "employees", "military", "forestry", "agricultural"}
)
_ACCESS_KEYS: Final = ("motor_vehicle", "vehicle", "access")
"""The most particular key answers (OSM wiki, "Key:access", hierarchy of modes)."""
_BUS_KEYS: Final = ("bus", "psv")


class Use(StrEnum):
    """What a way is, so that what is left out of the streets can be counted and named."""

    STREET = "street"
    NO_HIGHWAY = "no_highway"
    NOT_MOTOR = "not_motor"
    DRIVEWAY = "driveway"
    PRIVATE = "private"
    UNBUILT = "unbuilt"
    AREA = "area"


def use_of(tags: Mapping[str, str]) -> Use:
    """Return what a way is."""
    highway = tags.get("highway")
    if highway is None:
        return Use.NO_HIGHWAY
    if highway in _UNBUILT or tags.get("abandoned") == "yes" or tags.get("disused") == "yes":
        return Use.UNBUILT
    if highway not in _CARRIAGEWAYS:
        return Use.NOT_MOTOR
    return _use_of_carriageway(tags)


def _use_of_carriageway(tags: Mapping[str, str]) -> Use:
    if tags.get("area") == "yes":
        return Use.AREA
    if tags["highway"] == "service" and tags.get("service") in _PRIVATE_SERVICE:
        return Use.DRIVEWAY
    if _closed(tags):
        return Use.PRIVATE
    return Use.STREET


def _closed(tags: Mapping[str, str]) -> bool:
    """Tell whether the public's motor vehicles and buses may not enter."""
    if any(tags.get(key) in {"yes", "designated"} for key in _BUS_KEYS):
        return False
    said = next((tags[key] for key in _ACCESS_KEYS if key in tags), "yes")
    indoors = tags.get("indoor") == "yes" or tags.get("parking") == "multi-storey"
    return indoors or (said in _CLOSED and tags.get("highway") != "busway")


def uses(ways: Ways) -> NDArray[np.str_]:
    """Return what each way is, shape (w,)."""
    return np.array([use_of(tags).value for tags in ways.tags], dtype="U10")


def street_ways(ways: Ways) -> NDArray[np.bool_]:
    """Tell which ways are streets, shape (w,)."""
    return np.asarray(uses(ways) == Use.STREET.value)


def direction_of(tags: Mapping[str, str]) -> int:
    """Return 1 where traffic runs as the way is drawn, -1 where against it, 0 where both ways or unknown."""
    said = tags.get("oneway", "").strip().lower()
    if said in {"yes", "true", "1"}:
        return 1
    if said in {"-1", "reverse"}:
        return -1
    if said:
        return 0
    return int(is_roundabout(tags) or tags.get("highway") == "motorway")


def is_transit(tags: Mapping[str, str]) -> bool:
    """Tell whether a street is for buses alone; it may run in a median."""
    said = next((tags[key] for key in _ACCESS_KEYS if key in tags), "yes")
    buses = any(tags.get(key) in {"yes", "designated"} for key in _BUS_KEYS)
    return tags.get("highway") == "busway" or (buses and said in _CLOSED)


def is_roundabout(tags: Mapping[str, str]) -> bool:
    """Tell whether a way is part of the ring of a roundabout."""
    return tags.get("junction") in {"roundabout", "circular"}


def layer_of(tags: Mapping[str, str]) -> int:
    """Return the level of a way; without a readable `layer`, 1 on a bridge and -1 in a tunnel."""
    found = re.match(r"\s*([+-]?\d{1,2})(?!\d)", tags.get("layer", ""))
    if found:
        return int(found[1])
    if tags.get("bridge", "no") != "no":
        return 1
    return -1 if tags.get("tunnel", "no") not in {"no", "building_passage"} else 0


def name_of(tags: Mapping[str, str]) -> str:
    """Return the name of the street, its reference where it has no name, or an empty text."""
    return (tags.get("name") or tags.get("ref") or "").strip()
