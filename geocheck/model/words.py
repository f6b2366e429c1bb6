"""Closed lists of words that law, city and check share: layers, places, outcomes, verdicts, facts."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

LAYERS: Final = (
    "axis",
    "kerb",
    "corner",
    "crossing_area",
    "mouth",
    "block",
    "lot",
    "building",
    "hoarding",
    "footway",
    "driveway",
    "ramp",
    "crossing",
    "signal",
    "sign",
    "parking_lane",
    "parking_bay",
    "special_bay",
    "loading_bay",
    "paid_parking",
    "shoulder",
    "gutter",
    "bus_stop",
    "taxi_stand",
    "truck_stand",
    "turnaround",
    "hydrant",
    "water_valve",
    "manhole",
    "storm_drain",
    "median",
    "island",
    "marking",
    "cycleway",
    "bridge",
    "tunnel",
    "expressway",
    "green",
    "square",
    "pedestrian_street",
    "arcade",
    "crowded_place",
    "entrance",
    "emergency_exit",
    "street_furniture",
    "waterway",
    "heritage",
    "basic_road_system",
    "central_zone",
    "transit_corridor",
    "special_treatment_road",
    "central_axis",
    "address",
    "standing_skip",
    "correction",
)
"""Every layer a bundle may hold and a rule may name, in the singular (OSM's British spelling)."""

ZONES: Final = (
    "basic_road_system",
    "central_zone",
    "transit_corridor",
    "special_treatment_road",
    "central_axis",
    "pedestrian_street",
    "paid_parking",
    "expressway",
    "bridge",
    "tunnel",
    "crossing_area",
    "square",
    "green",
    "heritage",
    "shoulder",
)
"""Layers that a spot lies inside of or not, so that `in_zone` may answer for them."""

UNFELT: Final = frozenset({"address", "axis", "correction", "standing_skip"})
"""Layers nobody measures a distance to on site."""

MEASURED_KEYS: Final = (
    "gap_m",
    "angle_deg",
    "corner_before_m",
    "corner_after_m",
    "corner_curve_before_m",
    "corner_curve_after_m",
    "driveway_before_m",
    "driveway_after_m",
    "clear_width_m",
    "parking_lane_width_m",
    "carriageway_width_m",
    "footway_width_m",
    "cross_footway_width_m",
    *(f"{layer}_m" for layer in LAYERS if layer not in UNFELT | {"kerb", "corner", "driveway"}),
)
"""What a tape may measure. `…_before_m` is upstream and `…_after_m` downstream of the skip."""

FEATURE_KINDS: Final = (
    "bay_line",
    "channelisation",
    "stop_line",
    "disabled",
    "elderly",
    "emergency",
    "exclusive",
    "paid_parking",
    "irregular",
    "other",
)
"""What an observation may say of the kind of a marking, bay, sign or lowered kerb."""


class Place(StrEnum):
    """Where on the ground the skip stands."""

    CARRIAGEWAY = "carriageway"
    PARKING_BAY = "parking_bay"
    SHOULDER = "shoulder"
    FOOTWAY = "footway"
    PROPERTY = "property"


class Outcome(IntEnum):
    """What is known of one rule at one spot; the number is the severity, and the worst wins."""

    NOT_APPLICABLE = 0
    COMPLIANT = 1
    CONDITIONAL = 2
    NOT_EVALUATED = 3
    BORDERLINE = 4
    VIOLATION = 5

    @property
    def code(self) -> str:
        """The word used in reports (`"not_evaluated"`)."""
        return self.name.lower()


OUTCOME_CODES: Final = tuple(outcome.code for outcome in sorted(Outcome))
"""The words of outcomes by their numbers."""


class Verdict(StrEnum):
    """The answer for the whole placement; never "authorised": only the city authorises."""

    PROHIBITED = "prohibited"
    INCONCLUSIVE = "inconclusive"
    CONDITIONAL = "conditional"
    NO_IMPEDIMENT_FOUND = "no_impediment_found"


class Basis(StrEnum):
    """Where a value comes from."""

    MAP = "map"
    PLAN = "plan"
    MEASURED = "measured"
    OBSERVED = "observed"
    DECLARED = "declared"
