"""Kinds 1–7 from taped distances, observations and the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.answers.corner import building_line, corner_curve
from geocheck.check.answers.told_distance import STANDING_ON, known_distance
from geocheck.check.columns import tape_keys
from geocheck.check.evidence import Ask, Evidence
from geocheck.check.judge import EPSILON, KNOWN, tolerance_m
from geocheck.check.margins import (
    Distance,
    apart,
    at_least,
    at_most,
    beyond,
    decided,
    overlap_margin,
    with_map,
)
from geocheck.check.seen import seen_along, seen_gap, seen_in_front, seen_in_plan, seen_on_ground, sided
from geocheck.model.words import Basis

if TYPE_CHECKING:
    from geocheck.check.question import Question
    from geocheck.check.seen import Seen
    from geocheck.law.kinds import (
        DistanceRange,
        ExclusionZone,
        FrontageExclusion,
        IntervalExclusion,
        MaxDistance,
        MinDistance,
        UnquantifiedProximity,
    )

KERB_REACH_M: Final = 3.0
"""A skip farther from its kerb than this stands at no kerb: where no median is nearer, it bounds none."""

GAP: Final = Ask("measure", "kerb", ("gap_m",))


def min_distance(question: Question, test: MinDistance) -> list[Evidence]:
    """Kind 1; the stricter corner readings need the curve or the cross street's footway as well."""
    placements = question.placements
    if test.reference == "building_line":
        return [building_line(question, test)]
    if test.reference == "corner_curve":
        return [corner_curve(question, test)]
    known = known_distance(placements, test.feature, test.sides, test.when)
    if test.feature == "kerb":
        nearest = Distance(known, seen_gap(question, far=False))
        return [at_least(question, nearest, test.min_m, GAP, assumed=test.assumed)]
    keys = tape_keys(test.feature, test.sides)
    ask = Ask("measure", test.feature, keys, test.min_m)
    look = seen_along if test.metric == "along_kerb" else seen_in_plan
    seen = look(question, test.feature, test.min_m)
    if seen is not None and test.metric == "along_kerb":
        seen = sided(seen, question, test.sides)
    return [at_least(question, Distance(known, seen), test.min_m, ask, assumed=test.assumed)]


def max_distance(question: Question, test: MaxDistance) -> list[Evidence]:
    """Kind 2."""
    return [at_most(question, _far_gap(question), test.max_m, GAP)]


def _far_gap(question: Question) -> Distance:
    return Distance(question.placements.gap(), seen_gap(question, far=True))


def distance_range(question: Question, test: DistanceRange) -> list[Evidence]:
    """Kind 3."""
    near = Distance(question.placements.gap(), seen_gap(question, far=False))
    return [at_least(question, near, test.min_m, GAP), at_most(question, _far_gap(question), test.max_m, GAP)]


def interval_exclusion(question: Question, test: IntervalExclusion) -> list[Evidence]:
    """Kind 4; a single taped distance does not tell the side, so between two limits it decides nothing."""
    known = known_distance(question.placements, test.feature, when=test.when)
    near, far = sorted((test.before_m, test.after_m))
    ask = Ask("measure", test.feature, tape_keys(test.feature), far)
    seen = seen_along(question, test.feature, far)
    if near == far:
        return [at_least(question, Distance(known, seen), far, ask)]
    surely = at_least(question, Distance(known, None), far, ask)
    undecided = known.high >= near - tolerance_m(near) - EPSILON
    passes = known.low >= far - tolerance_m(far) - EPSILON
    flags = np.where(undecided & ~passes, surely.flags & ~KNOWN, surely.flags)
    surely = surely._replace(flags=flags.astype(np.uint8))
    if seen is None:
        return [surely]
    # A skip that has the feature downstream stands before it.
    limit = np.where(seen.rows.upstream > 0, test.after_m, test.before_m)
    limit = np.where(seen.rows.upstream == 0, far, limit)
    return [with_map(surely, seen, seen.rows.value_m - limit, limit)]


def exclusion_zone(question: Question, test: ExclusionZone) -> list[Evidence]:
    """Kind 5, one column a feature."""
    if test.predicate == "beside":
        return [_beside(question, layer) for layer in test.features]
    return [_overlap(question, layer) for layer in test.features]


def _overlap(question: Question, layer: str) -> Evidence:
    known = known_distance(question.placements, layer, when=question.test.when)
    seen = None if layer in STANDING_ON else seen_on_ground(question, layer, 0.0)
    if layer == "crossing_area" and seen is not None:
        seen = _without_opposite(question, seen)
    return apart(question, Distance(known, seen), Ask("look", layer, tape_keys(layer), 0.0))


def _without_opposite(question: Question, seen: Seen) -> Seen:
    """Leave crossing areas out at the far kerb of a T junction, where only the mouth opposite counts.

    Source: conventions of measuring, "T-junction, opposite kerb".
    """
    opposite = seen_along(question, "mouth", 0.0)
    if opposite is None:
        return seen
    near = opposite.rows.at((opposite.rows.value_m <= opposite.rows.u_m) & (opposite.rows.feature >= 0))
    areas = 1 + max(int(seen.rows.feature.max(initial=0)), int(near.feature.max(initial=0)))
    own = np.isin(seen.rows.placement * areas + seen.rows.feature, near.placement * areas + near.feature)
    return seen.at(~(own & (seen.rows.feature >= 0)))


def _beside(question: Question, layer: str) -> Evidence:
    """Whether the skip stands at the kerb of the feature, which is then no farther than the gap."""
    placements = question.placements
    told = placements.attribute(layer, "bounds_median")
    near, gap = placements.distance(layer, tape_keys(layer)), placements.gap()
    within = np.minimum(gap.high, KERB_REACH_M)
    measured = np.where(near.low > within, 1.0, np.where(near.high <= gap.low, 0.0, np.nan))
    state = np.array([np.nan if value is None else float(not value) for value in told])
    state = np.where(np.isnan(state), measured, state)
    ask = Ask("look", layer, ("bounds_median",), KERB_REACH_M)
    column = decided(question, state, Basis.OBSERVED, ask)
    seen = seen_along(question, layer, 0.0)
    if seen is None:
        return column
    return with_map(column, seen, overlap_margin(seen, column.tolerance))


def frontage_exclusion(question: Question, test: FrontageExclusion) -> list[Evidence]:
    """Kind 6: in front of it is a breach, within the assumed margin `conditional`."""
    found = []
    for layer in test.features:
        known = known_distance(question.placements, layer, when=question.test.when)
        seen = _not_entered(question, test, seen_in_front(question, layer, test.margin_m))
        distance = Distance(known, seen)
        ask = Ask("look", layer, tape_keys(layer), test.margin_m)
        found.append(apart(question, distance, ask._replace(reach_m=0.0)))
        if test.margin_m > 0:
            found.append(at_least(question, distance, test.margin_m, ask, assumed=True))
    if test.unless_known is not None:
        other = known_distance(question.placements, test.unless_known)
        told = (other.low > 0) | np.isfinite(other.high)
        entrances = seen_in_front(question, test.unless_known, test.margin_m)
        if entrances is not None:
            told |= entrances.covered
        found = [column.apart_from(told) for column in found]
    return found


def _not_entered(question: Question, test: FrontageExclusion, seen: Seen | None) -> Seen | None:
    """Leave out the places of which the map knows an entrance, where it is that which counts."""
    if seen is None or test.unless_known is None or question.sight is None:
        return seen
    entered = question.sight.index.entered(seen.layer, test.unless_known)
    return seen.at(~entered[seen.rows.feature])


def unquantified_proximity(question: Question, test: UnquantifiedProximity) -> list[Evidence]:
    """Kind 7: a sure overlap is a breach, within the assumed metres the answer is `conditional`."""
    found = []
    for layer in test.features:
        known = known_distance(question.placements, layer, when=question.test.when)
        distance = Distance(known, _proximity(question, test, layer))
        ask = Ask("look", layer, tape_keys(layer), test.assumed_m)
        if test.overlap != "ignored":
            overlap = apart(question, distance, ask._replace(reach_m=0.0))
            found.append(overlap.softened() if test.overlap == "conditional" else overlap)
        near = beyond(question, distance, test.assumed_m, ask)
        if test.taller_than_m is not None:
            near = near.apart_from(question.placements.size("height_m") <= test.taller_than_m)
        found.append(near)
    return found


def _proximity(question: Question, test: UnquantifiedProximity, layer: str) -> Seen | None:
    """Return what lies near in plan; of what one approaches, what lies downstream along the kerb."""
    if test.side == "any":
        return seen_on_ground(question, layer, test.assumed_m)
    seen = seen_along(question, layer, test.assumed_m)
    return None if seen is None else seen.at(seen.rows.upstream <= 0)
