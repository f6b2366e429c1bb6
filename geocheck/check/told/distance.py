"""Kinds 1–8 from taped distances and observations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.columns import BASES, BEYOND_M, SIDED, Known, tape_keys
from geocheck.check.evidence import Ask, Evidence
from geocheck.check.judge import EPSILON, Flag, tolerance_m
from geocheck.check.margins import apart, at_least, at_most, beyond, decided
from geocheck.model.words import Basis, Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Placements
    from geocheck.check.question import Question
    from geocheck.law.kinds import (
        DistanceRange,
        ExclusionZone,
        FrontageExclusion,
        IntervalExclusion,
        MaxDistance,
        MinDistance,
        SideOfFeature,
        UnquantifiedProximity,
    )
    from geocheck.law.kinds.base import When

KERB_REACH_M: Final = 3.0
"""A skip farther from its kerb than this stands at no kerb: where no median is nearer, it bounds none."""

STANDING_ON: Final = {"footway": Place.FOOTWAY, "shoulder": Place.SHOULDER}
"""Layers that are places: whoever says where the skip stands has answered for them."""

GAP: Final = Ask("measure", "kerb", ("gap_m",))


def known_distance(
    placements: Placements, layer: str, sides: str = "both", when: When | None = None
) -> Known:
    """Return what is known of the distance to a layer.

    Taping both corners also tells that the skip is as far from the crossing area, which ends at them. At
    the far kerb of a T junction there is no crossing area: whoever sees the mouth opposite has said so.
    """
    if layer == "kerb":
        return placements.gap()
    if layer in STANDING_ON:
        return _by_place(placements, layer)
    one_side = layer in SIDED and sides != "both"
    known = placements.distance(layer, tape_keys(layer, sides), when, one_side=one_side)
    if layer == "gutter":
        # A skip that touches the kerb stands on its gutter.
        return known._replace(high=np.where(placements.gap().high <= 0, 0.0, known.high))
    if layer != "crossing_area":
        return known
    corner = placements.distance("corner", tape_keys("corner"))
    from_corner = (known.low == 0) & (corner.low > 0) & np.isinf(known.high)
    opposite = placements.distance("mouth", tape_keys("mouth")).high <= 0
    return Known(
        np.where(opposite, BEYOND_M, np.where(from_corner, corner.low, known.low)),
        np.where(opposite, np.inf, known.high),
        np.where(from_corner, corner.basis, known.basis).astype(np.int8),
    )


def _by_place(placements: Placements, layer: str) -> Known:
    """Let the place answer for its own layer: on the footway or not; inside a hoarding is not on it."""
    on_it = placements.at([STANDING_ON[layer]])
    if layer == "footway":
        on_it &= placements.fact("inside_hoarding") != 1
    declared = np.full(len(on_it), BASES.index(Basis.DECLARED), np.int8)
    return Known(np.where(on_it, 0.0, BEYOND_M), np.where(on_it, 0.0, np.inf), declared)


def min_distance(question: Question, test: MinDistance) -> list[Evidence]:
    """Kind 1; the stricter corner readings need the curve or the cross street's footway as well."""
    placements = question.placements
    if test.reference == "building_line":
        return [_building_line(question, test)]
    if test.reference == "corner_curve":
        return [_corner_curve(question, test)]
    known = known_distance(placements, test.feature, test.sides, test.when)
    if test.feature == "kerb":
        return [at_least(question, known, test.min_m, GAP, assumed=test.assumed)]
    keys = tape_keys(test.feature, test.sides)
    ask = Ask("measure", test.feature, keys, test.min_m)
    return [at_least(question, known, test.min_m, ask, assumed=test.assumed)]


def _building_line(question: Question, test: MinDistance) -> Evidence:
    """The limit grows by the footway of the cross street."""
    footway = question.placements.taped("cross_footway_width_m")
    limit = test.min_m + footway
    known = known_distance(question.placements, "corner", test.sides)
    tolerance = tolerance_m(test.min_m)
    fails = known.high - limit < -tolerance - EPSILON
    passes = known.low - limit >= -tolerance - EPSILON
    margin = np.where(fails, known.high - limit, known.low - limit)
    ask = Ask("measure", "footway", ("cross_footway_width_m",))
    margin = np.where(passes | fails, margin, np.nan)
    return _strict_corner(question, test, margin, limit, ask, may_spare=np.isnan(footway))


def _corner_curve(question: Question, test: MinDistance) -> Evidence:
    """Measured to the tangent point of the curve instead of the prolonged kerb."""
    keys = ("corner_curve_before_m", "corner_curve_after_m")
    curve = question.placements.distance("", keys)
    tolerance = tolerance_m(test.min_m)
    passes = curve.low - test.min_m >= -tolerance - EPSILON
    fails = curve.high - test.min_m < -tolerance - EPSILON
    margin = np.where(passes, curve.low - test.min_m, np.where(fails, curve.high - test.min_m, np.nan))
    limit = np.full(len(margin), test.min_m)
    ask = Ask("measure", "corner", keys)
    return _strict_corner(question, test, margin, limit, ask, may_spare=np.isnan(margin))


def _strict_corner(
    question: Question,
    test: MinDistance,
    margin: NDArray[np.float64],
    limit: NDArray[np.float64],
    ask: Ask,
    *,
    may_spare: NDArray[np.bool_],
) -> Evidence:
    """Judge a stricter reading; where nobody measured it, it passes if the margin exceeds any footway."""
    nearest = known_distance(question.placements, "corner", test.sides).low
    spare = nearest - test.min_m - question.allowing
    measured = ~np.isnan(margin)
    spared = may_spare & (spare > 0)
    known = measured | spared
    return Evidence(
        question,
        margin=np.where(measured, margin, np.where(spared, np.inf, np.nan)),
        u=np.zeros(len(margin)),
        tolerance=tolerance_m(test.min_m),
        flags=(question.flags() | np.where(known, Flag.KNOWN, 0)).astype(np.uint8),
        measured=margin + limit,
        limit=np.where(measured, limit, np.nan),
        unit="m",
        sense="min",
        basis=np.where(measured, BASES.index(Basis.MEASURED), -1).astype(np.int8),
        ask=ask,
    )


def max_distance(question: Question, test: MaxDistance) -> list[Evidence]:
    """Kind 2."""
    return [at_most(question, question.placements.gap(), test.max_m, GAP)]


def distance_range(question: Question, test: DistanceRange) -> list[Evidence]:
    """Kind 3."""
    gap = question.placements.gap()
    return [at_least(question, gap, test.min_m, GAP), at_most(question, gap, test.max_m, GAP)]


def interval_exclusion(question: Question, test: IntervalExclusion) -> list[Evidence]:
    """Kind 4; a single taped distance does not tell the side, so between two limits it decides nothing."""
    known = known_distance(question.placements, test.feature, when=test.when)
    near, far = sorted((test.before_m, test.after_m))
    ask = Ask("measure", test.feature, tape_keys(test.feature), far)
    surely = at_least(question, known, far, ask)
    if near == far:
        return [surely]
    undecided = known.high >= near - tolerance_m(near) - EPSILON
    passes = known.low >= far - tolerance_m(far) - EPSILON
    flags = np.where(undecided & ~passes, surely.flags & ~np.uint8(Flag.KNOWN), surely.flags)
    return [replace(surely, flags=flags.astype(np.uint8))]


def exclusion_zone(question: Question, test: ExclusionZone) -> list[Evidence]:
    """Kind 5, one column a feature."""
    if test.predicate == "beside":
        return [_beside(question, layer) for layer in test.features]
    return [_overlap(question, layer) for layer in test.features]


def _overlap(question: Question, layer: str) -> Evidence:
    known = known_distance(question.placements, layer, when=question.test.when)
    return apart(question, known, Ask("look", layer, tape_keys(layer), 0.0))


def _beside(question: Question, layer: str) -> Evidence:
    """Whether the skip stands at the kerb of the feature, which is then no farther than the gap."""
    placements = question.placements
    told = placements.attribute(layer, "bounds_median")
    near, gap = placements.distance(layer, tape_keys(layer)), placements.gap()
    within = np.minimum(gap.high, KERB_REACH_M)
    measured = np.where(near.low > within, 1.0, np.where(near.high <= gap.low, 0.0, np.nan))
    state = np.array([np.nan if value is None else float(not value) for value in told])
    state = np.where(np.isnan(state), measured, state)
    return decided(question, state, Basis.OBSERVED, Ask("look", layer, ("bounds_median",), 0.0))


def frontage_exclusion(question: Question, test: FrontageExclusion) -> list[Evidence]:
    """Kind 6: in front of it is a breach, within the assumed margin `conditional`."""
    found = []
    for layer in test.features:
        known = known_distance(question.placements, layer, when=question.test.when)
        ask = Ask("look", layer, tape_keys(layer), test.margin_m)
        found.append(apart(question, known, replace(ask, reach_m=0.0)))
        if test.margin_m > 0:
            found.append(at_least(question, known, test.margin_m, ask, assumed=True))
    if test.unless_known is not None:
        other = known_distance(question.placements, test.unless_known)
        told = (other.low > 0) | np.isfinite(other.high)
        for column in found:
            column.flags[told] &= ~np.uint8(Flag.APPLIES)
    return found


def unquantified_proximity(question: Question, test: UnquantifiedProximity) -> list[Evidence]:
    """Kind 7: a sure overlap is a breach, within the assumed metres the answer is `conditional`."""
    found = []
    for layer in test.features:
        known = known_distance(question.placements, layer, when=question.test.when)
        ask = Ask("look", layer, tape_keys(layer), test.assumed_m)
        if test.overlap != "ignored":
            overlap = apart(question, known, replace(ask, reach_m=0.0))
            soft = Flag.SOFT if test.overlap == "conditional" else 0
            flags = (overlap.flags | np.uint8(soft)).astype(np.uint8)
            found.append(replace(overlap, flags=flags))
        near = beyond(question, known, test.assumed_m, ask)
        if test.taller_than_m is not None:
            low = question.placements.size("height_m") <= test.taller_than_m
            near.flags[low] &= ~np.uint8(Flag.APPLIES)
        found.append(near)
    return found


def side_of_feature(question: Question, test: SideOfFeature) -> list[Evidence]:
    """Kind 8: which neighbour is nearer, and whose it is."""
    placements = question.placements
    right, wrong = ("before", "after") if test.side == "after" else ("after", "before")
    keys = tuple(f"{test.feature}_{side}_m" for side in (right, wrong))
    good, bad = placements.tapes(keys, test.feature, test.when)
    whose = placements.attribute(test.feature, "of_served_lot")
    told = np.array([value is not None for value in whose])
    served = np.array([value is True for value in whose])
    none_near = _none_within(placements, test.feature)
    passes = (good <= bad) | ((none_near >= test.reach_m) & np.isnan(bad))
    # Somebody who says whose the nearest one is and tapes a single side has taped the nearest, unless one
    # was seen nearer than that.
    seen = placements.distance(test.feature, (), test.when).high
    passes |= np.isnan(bad) & told & (good <= seen + BEYOND_M)
    fails = (bad < good) | (np.isnan(good) & told & (bad <= seen + BEYOND_M))
    state = np.where(fails, 0.0, np.where(passes, 1.0, np.nan))
    soft = np.where(fails & ~served, Flag.SOFT, 0).astype(np.uint8)
    ask = Ask("measure", test.feature, (*tape_keys(test.feature), "of_served_lot"), test.reach_m)
    return [decided(question, state, Basis.MEASURED, ask, extra_flags=soft)]


def _none_within(placements: Placements, layer: str) -> NDArray[np.float64]:
    """Return how far somebody looked and saw none, in metres (0 where nobody did)."""
    return np.array(
        [
            max(
                (
                    seen.reach_m
                    for seen in request.observed
                    if seen.layer == layer and seen.state == "none" and not seen.said()
                ),
                default=0.0,
            )
            for request in placements.requests
        ]
    )
