"""Every layer that can come from outside: its geometry, its attributes, and the OSM tags that make it.

A layer without tags is not in OSM: it comes from a municipal file or not at all. Source of the tags, as
facts: the OSM wiki, Map features and the pages of each key. `*` is any value but `no`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Shape = Literal["point", "line", "area"]

IMAGERY_ACCURACY_M: Final = 3.0
"""95 % half-width of a point drawn from imagery, and across the street of an axis (DESIGN §5)."""

ANY: Final = frozenset({"*"})


@dataclass(frozen=True, slots=True)
class Tags:
    """Tags that make a thing one of a layer: all of `needs` and none of `never`."""

    needs: Mapping[str, frozenset[str]]
    never: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LayerKind:
    """What is known of a layer before any file is read.

    Attributes:
        shapes: of its geometries; others are left out and counted.
        attributes: beyond those that every layer has.
        tags: any of them makes an OSM thing one of the layer.
        accuracy_m: of OSM's positions, half-width of 95 %.
        of_network: belongs to the drivable network, so that it is complete where the network is.
    """

    shapes: frozenset[Shape]
    attributes: tuple[str, ...] = ()
    tags: tuple[Tags, ...] = ()
    accuracy_m: float = IMAGERY_ACCURACY_M
    of_network: bool = False


def _tags(*never: str, **needs: str) -> Tags:
    """Read `key="a b"` as any of the values and `key__sub` as `key:sub`; `never` are texts `key=a b`."""
    return Tags(
        {key.replace("__", ":"): frozenset(values.split()) for key, values in needs.items()},
        {key: frozenset(values.split()) for key, _, values in (each.partition("=") for each in never)},
    )


_ANYTHING: Final[frozenset[Shape]] = frozenset({"point", "line", "area"})
_AREA: Final[frozenset[Shape]] = frozenset({"area"})
_STRETCH: Final[frozenset[Shape]] = frozenset({"line", "area"})
_SPOT: Final[frozenset[Shape]] = frozenset({"point", "area"})
_BESIDE: Final = ("side", "on_axis", "way")
"""A stretch beside a street may be told by the street's line and a side."""

_ROADS: Final = (
    "motorway trunk primary secondary tertiary motorway_link trunk_link primary_link secondary_link "
    "tertiary_link unclassified residential living_street service road busway track"
)
_FURNITURE: Final = (
    "bench telephone post_box waste_basket waste_disposal recycling vending_machine bicycle_parking "
    "drinking_water charging_station atm clock parcel_locker"
)
_CROWDS: Final = (
    "theatre cinema nightclub events_venue conference_centre exhibition_centre hospital university college "
    "school place_of_worship marketplace bus_station"
)
_RESERVED: Final = "disabled bus motorcycle parent staff hgv police charging car_sharing"

LAYER_KINDS: Final[dict[str, LayerKind]] = {
    "block": LayerKind(_AREA, (), (_tags(place="city_block"),)),
    "lot": LayerKind(_AREA, ("street", "number"), (_tags(place="plot"),)),
    "building": LayerKind(_AREA, (), (_tags(building="*"),)),
    "hoarding": LayerKind(_STRETCH),
    "footway": LayerKind(
        _STRETCH,
        ("width_m", *_BESIDE),
        (_tags(highway="footway", footway="sidewalk"), _tags(area__highway="footway")),
    ),
    "driveway": LayerKind(
        _ANYTHING, ("kind", "width_m", *_BESIDE), (_tags(highway="service", service="driveway"),)
    ),
    "ramp": LayerKind(_ANYTHING, ("width_m", *_BESIDE), (_tags(kerb="lowered flush"),)),
    "crossing": LayerKind(
        _ANYTHING,
        ("marked", "way"),
        (_tags("crossing=no", highway="crossing"), _tags("crossing=no", footway="crossing")),
    ),
    "signal": LayerKind(
        _ANYTHING,
        ("way", "direction"),
        (
            _tags(highway="traffic_signals"),
            _tags(highway="crossing", crossing="traffic_signals"),
            _tags(crossing__signals="*"),
        ),
    ),
    "sign": LayerKind(
        _ANYTHING, ("code", "hours", "kind", "direction", *_BESIDE), (_tags(traffic_sign="*"),)
    ),
    "parking_lane": LayerKind(
        _STRETCH,
        ("width_m", "bays", *_BESIDE),
        (_tags(amenity="parking", parking="lane half_on_kerb on_kerb"),),
    ),
    "parking_bay": LayerKind(
        _ANYTHING,
        ("width_m", "bays", "hours", *_BESIDE),
        (_tags(amenity="parking", parking="street_side layby"), _tags(amenity="parking_space")),
    ),
    "special_bay": LayerKind(
        _ANYTHING,
        ("kind", "hours", "bays", *_BESIDE),
        (
            _tags(amenity="parking_space", parking_space=_RESERVED),
            _tags(amenity="parking_space", disabled="designated"),
            _tags(amenity="parking_space", access__disabled="designated yes"),
        ),
    ),
    "loading_bay": LayerKind(
        _ANYTHING, ("hours", "bays", *_BESIDE), (_tags(amenity="parking_space", parking_space="delivery"),)
    ),
    "paid_parking": LayerKind(
        _STRETCH,
        ("hours", "bays", *_BESIDE),
        (_tags("fee=no", amenity="parking", parking="street_side lane layby", fee="*"),),
    ),
    "shoulder": LayerKind(_STRETCH, ("width_m", *_BESIDE), (_tags(amenity="parking", parking="shoulder"),)),
    "gutter": LayerKind(_STRETCH, ("width_m", *_BESIDE)),
    "bus_stop": LayerKind(
        _ANYTHING,
        ("plates", "box", "direction", *_BESIDE),
        (
            _tags(highway="bus_stop"),
            _tags("railway=platform", highway="platform"),
            _tags(public_transport="platform", bus="yes designated"),
            _tags(public_transport="platform", trolleybus="yes"),
        ),
    ),
    "taxi_stand": LayerKind(
        _ANYTHING,
        ("hours", "bays", *_BESIDE),
        (_tags(amenity="taxi"), _tags(amenity="parking_space", parking_space="taxi")),
    ),
    "truck_stand": LayerKind(_ANYTHING, ("hours", "bays", *_BESIDE)),
    "turnaround": LayerKind(_ANYTHING, (), (_tags(highway="turning_loop"),)),
    "hydrant": LayerKind(_SPOT, ("identified",), (_tags(emergency="fire_hydrant"),)),
    "water_valve": LayerKind(
        _SPOT, ("identified",), (_tags(pipeline="valve", substance="water"), _tags(manhole="water"))
    ),
    "manhole": LayerKind(
        _SPOT, ("identified",), (_tags("manhole=drain rainwater water", man_made="manhole"),)
    ),
    "storm_drain": LayerKind(_ANYTHING, (), (_tags(manhole="drain rainwater"), _tags(inlet="*"))),
    "median": LayerKind(_STRETCH, ("width_m",)),
    "island": LayerKind(
        _ANYTHING,
        (),
        (_tags(traffic_calming="island"), _tags(area__highway="traffic_island"), _tags(crossing__island="*")),
    ),
    "marking": LayerKind(_ANYTHING, ("kind",), (_tags(road_marking="*"),)),
    "cycleway": LayerKind(
        _STRETCH,
        ("width_m", *_BESIDE),
        (_tags(highway="cycleway"), _tags(highway="path", bicycle="designated")),
    ),
    "bridge": LayerKind(
        _STRETCH,
        ("level", "way"),
        (_tags(highway=_ROADS, bridge="*"), _tags(man_made="bridge")),
        of_network=True,
    ),
    "tunnel": LayerKind(
        _STRETCH,
        ("level", "way"),
        (_tags("tunnel=building_passage", highway=_ROADS, tunnel="*"), _tags(man_made="tunnel")),
        of_network=True,
    ),
    "expressway": LayerKind(
        _STRETCH,
        ("way",),
        (
            _tags(highway="motorway motorway_link trunk trunk_link"),
            _tags(highway="*", motorroad="yes"),
            _tags(highway="*", expressway="yes"),
        ),
    ),
    "green": LayerKind(
        _AREA,
        (),
        (
            _tags("access=private no", landuse="grass flowerbed village_green"),
            _tags("access=private no", leisure="park"),
            _tags("access=private no", "garden:type=residential", leisure="garden"),
        ),
    ),
    "square": LayerKind(_AREA, (), (_tags(place="square"),)),
    "pedestrian_street": LayerKind(_STRETCH, ("way",), (_tags(highway="pedestrian"),)),
    "arcade": LayerKind(_ANYTHING, (), (_tags(shop="mall"),)),
    "crowded_place": LayerKind(
        _ANYTHING, (), (_tags(amenity=_CROWDS), _tags(leisure="stadium"), _tags(shop="mall"))
    ),
    "entrance": LayerKind(_ANYTHING, (), (_tags(entrance="main exit shop yes"),)),
    "emergency_exit": LayerKind(_ANYTHING, (), (_tags(entrance="emergency"), _tags(exit="emergency"))),
    "street_furniture": LayerKind(
        _SPOT,
        (),
        (_tags(amenity=_FURNITURE), _tags(man_made="street_cabinet"), _tags(emergency="phone")),
    ),
    "waterway": LayerKind(
        _STRETCH,
        (),
        (
            _tags(
                "tunnel=yes culvert flooded",
                waterway="river stream canal drain ditch tidal_channel riverbank",
            ),
            _tags("tunnel=yes culvert flooded", natural="water"),
        ),
    ),
    "heritage": LayerKind(_AREA, (), (_tags(heritage="*"),)),
    "basic_road_system": LayerKind(_STRETCH),
    "central_zone": LayerKind(_AREA),
    "transit_corridor": LayerKind(_STRETCH),
    "special_treatment_road": LayerKind(_STRETCH),
    "central_axis": LayerKind(_STRETCH),
    "address": LayerKind(_ANYTHING, ("street", "number"), (_tags(addr__housenumber="*"),)),
    "standing_skip": LayerKind(_SPOT),
}

OSM_KEYS: Final = tuple(
    sorted({next(iter(each.needs)) for kind in LAYER_KINDS.values() for each in kind.tags})
)
"""What has none of these keys belongs to no layer."""
