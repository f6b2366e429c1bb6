"""What the user's word (tape, eyes, papers, dates) and the map tell of each test: a function a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from geocheck.check.answers import distance, position, side, time
from geocheck.law import kinds

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.check.evidence import Evidence
    from geocheck.check.question import Question

_BY_KIND: Final[dict[type, Callable[[Question, Any], list[Evidence]]]] = {
    kinds.MinDistance: distance.min_distance,
    kinds.MaxDistance: distance.max_distance,
    kinds.DistanceRange: distance.distance_range,
    kinds.IntervalExclusion: distance.interval_exclusion,
    kinds.ExclusionZone: distance.exclusion_zone,
    kinds.FrontageExclusion: distance.frontage_exclusion,
    kinds.UnquantifiedProximity: distance.unquantified_proximity,
    kinds.SideOfFeature: side.side_of_feature,
    kinds.Orientation: position.orientation,
    kinds.Containment: position.containment,
    kinds.FrontageContainment: position.frontage_containment,
    kinds.EquipmentLimit: position.equipment_limit,
    kinds.ClearWidth: position.clear_width,
    kinds.CountLimit: position.count_limit,
    kinds.PlacementLadder: position.placement_ladder,
    kinds.ZoneAuthorisation: time.zone_authorisation,
    kinds.OperationWindow: time.operation_window,
    kinds.PresenceWindow: time.presence_window,
    kinds.MaxStay: time.max_stay,
    kinds.SignRestriction: time.sign_restriction,
    kinds.FeeRequirement: time.fee_requirement,
}


def answer(question: Question) -> list[Evidence]:
    """Return what the user's word and the map say of a test: columns, all of which must pass."""
    return _BY_KIND[type(question.test)](question, question.test)
