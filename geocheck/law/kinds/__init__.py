"""The closed vocabulary of tests: kinds 1–27 as one union, told apart by `kind`."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, get_args

from pydantic import Field

from geocheck.law.kinds.base import BaseTest
from geocheck.law.kinds.distance import (
    DistanceRange,
    ExclusionZone,
    FrontageExclusion,
    IntervalExclusion,
    MaxDistance,
    MinDistance,
    SideOfFeature,
    UnquantifiedProximity,
)
from geocheck.law.kinds.duty import (
    ConductDuty,
    DiscretionaryPower,
    DocumentRequirement,
    ExternalReference,
    MarkingRequirement,
    OperatorRequirement,
)
from geocheck.law.kinds.position import (
    ClearWidth,
    Containment,
    CountLimit,
    EquipmentLimit,
    FrontageContainment,
    Orientation,
    PlacementLadder,
)
from geocheck.law.kinds.time import (
    FeeRequirement,
    MaxStay,
    OperationWindow,
    PresenceWindow,
    SignRestriction,
    ZoneAuthorisation,
)

DISTANCE_KINDS = (
    MinDistance,
    MaxDistance,
    DistanceRange,
    IntervalExclusion,
    ExclusionZone,
    FrontageExclusion,
    UnquantifiedProximity,
    SideOfFeature,
)
POSITION_KINDS = (
    Orientation,
    Containment,
    FrontageContainment,
    EquipmentLimit,
    ClearWidth,
    CountLimit,
    PlacementLadder,
)
TIME_KINDS = (ZoneAuthorisation, OperationWindow, PresenceWindow, MaxStay, SignRestriction, FeeRequirement)
DUTY_KINDS = (
    OperatorRequirement,
    MarkingRequirement,
    DocumentRequirement,
    ConductDuty,
    DiscretionaryPower,
    ExternalReference,
)

Duty: TypeAlias = OperatorRequirement | MarkingRequirement | DocumentRequirement | ConductDuty
"""Kinds 22–25."""

RuleTest: TypeAlias = Annotated[
    MinDistance
    | MaxDistance
    | DistanceRange
    | IntervalExclusion
    | ExclusionZone
    | FrontageExclusion
    | UnquantifiedProximity
    | SideOfFeature
    | Orientation
    | Containment
    | FrontageContainment
    | EquipmentLimit
    | ClearWidth
    | CountLimit
    | PlacementLadder
    | ZoneAuthorisation
    | OperationWindow
    | PresenceWindow
    | MaxStay
    | SignRestriction
    | FeeRequirement
    | OperatorRequirement
    | MarkingRequirement
    | DocumentRequirement
    | ConductDuty
    | DiscretionaryPower
    | ExternalReference,
    Field(discriminator="kind"),
]


def _names(models: tuple[type[BaseTest], ...]) -> frozenset[str]:
    return frozenset(get_args(model.model_fields["kind"].annotation)[0] for model in models)


EVALUABLE: Final = _names((*DISTANCE_KINDS, *POSITION_KINDS, *TIME_KINDS))
"""Kinds 1–21: judged into findings; the others are duties, powers and references."""

ALL_KINDS: Final = EVALUABLE | _names(DUTY_KINDS)
"""Kinds 1–27."""

CRITICAL: Final = _names(
    (
        *DISTANCE_KINDS,
        Containment,
        ClearWidth,
        ZoneAuthorisation,
        OperationWindow,
        PresenceWindow,
        SignRestriction,
    )
)
"""Kinds whose rules are critical unless the row says otherwise (DESIGN §6); 11 only when mandatory."""

__all__ = [
    "ALL_KINDS",
    "CRITICAL",
    "EVALUABLE",
    "BaseTest",
    "ClearWidth",
    "ConductDuty",
    "Containment",
    "CountLimit",
    "DiscretionaryPower",
    "DistanceRange",
    "DocumentRequirement",
    "Duty",
    "EquipmentLimit",
    "ExclusionZone",
    "ExternalReference",
    "FeeRequirement",
    "FrontageContainment",
    "FrontageExclusion",
    "IntervalExclusion",
    "MarkingRequirement",
    "MaxDistance",
    "MaxStay",
    "MinDistance",
    "OperationWindow",
    "OperatorRequirement",
    "Orientation",
    "PlacementLadder",
    "PresenceWindow",
    "RuleTest",
    "SideOfFeature",
    "SignRestriction",
    "UnquantifiedProximity",
    "ZoneAuthorisation",
]
