"""Kinds 1–8 from taped distances, observations and the map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.answers.lots import served_driveway
from geocheck.check.columns import BASES, BEYOND_M, SIDED, Known, tape_keys
from geocheck.check.evidence import Ask, Evidence
from geocheck.check.judge import EPSILON, KNOWN, SOFT, tolerance_m
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
from geocheck.model.words import Basis, Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Placements
    from geocheck.check.question import Question
    from geocheck.check.seen import Seen
    from geocheck.check.sight.along import Reading
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
        nearest = Distance(known, seen_gap(question, far=False))
        return [at_least(question, nearest, test.min_m, GAP, assumed=test.assumed)]
    keys = tape_keys(test.feature, test.sides)
    ask = Ask("measure", test.feature, keys, test.min_m)
    look = seen_along if test.metric == "along_kerb" else seen_in_plan
    seen = look(question, test.feature, test.min_m)
    if seen is not None and test.metric == "along_kerb":
        seen = sided(seen, question, test.sides)
    return [at_least(question, Distance(known, seen), test.min_m, ask, assumed=test.assumed)]


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
    told = _strict_corner(question, test, margin, limit, ask, may_spare=np.isnan(footway))
    return _stricter(question, test, told, footway)


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
    told = _strict_corner(question, test, margin, limit, ask, may_spare=np.isnan(margin))
    return _stricter(question, test, told, np.full(len(margin), np.nan))


def _stricter(
    question: Question, test: MinDistance, told: Evidence, taped_pad_m: NDArray[np.float64]
) -> Evidence:
    """Put the map beside a stricter reading: a corner reaches farther by its pad, or by any footway."""
    seen = seen_along(question, "corner", test.min_m)
    if seen is None or question.sight is None:
        return told
    seen = sided(seen, question, test.sides)
    reading: Reading = "corner_curve" if test.reference == "corner_curve" else "building_line"
    pad_m = question.sight.pads_m(seen.rows, reading)
    pad_m = np.where(np.isnan(taped_pad_m[seen.rows.placement]), pad_m, taped_pad_m[seen.rows.placement])
    known = ~np.isnan(pad_m)
    margin = seen.rows.value_m - test.min_m - np.where(known, pad_m, question.allowing)
    spared = margin - seen.rows.u_m > 0
    seen = seen._replace(rows=seen.rows._replace(known=seen.rows.known & (known | spared)))
    return with_map(told, seen, margin, test.min_m + np.where(known, pad_m, question.allowing))


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
        flags=(question.flags() | np.where(known, KNOWN, 0)).astype(np.uint8),
        measured=margin + limit,
        limit=np.where(measured, limit, np.nan),
        unit="m",
        sense="min",
        basis=np.where(measured, BASES.index(Basis.MEASURED), -1).astype(np.int8),
        ask=ask,
    )


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
    surely = replace(surely, flags=flags.astype(np.uint8))
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
    return seen.at(~own)


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
        distance = Distance(known, seen_in_front(question, layer, test.margin_m))
        ask = Ask("look", layer, tape_keys(layer), test.margin_m)
        found.append(apart(question, distance, replace(ask, reach_m=0.0)))
        if test.margin_m > 0:
            found.append(at_least(question, distance, test.margin_m, ask, assumed=True))
    if test.unless_known is not None:
        other = known_distance(question.placements, test.unless_known)
        told = (other.low > 0) | np.isfinite(other.high)
        seen = seen_in_front(question, test.unless_known, test.margin_m)
        if seen is not None:
            told |= seen.covered | np.isin(np.arange(len(told)), seen.rows.placement[seen.rows.feature >= 0])
        found = [column.apart_from(told) for column in found]
    return found


def unquantified_proximity(question: Question, test: UnquantifiedProximity) -> list[Evidence]:
    """Kind 7: a sure overlap is a breach, within the assumed metres the answer is `conditional`."""
    found = []
    for layer in test.features:
        known = known_distance(question.placements, layer, when=question.test.when)
        distance = Distance(known, _proximity(question, test, layer))
        ask = Ask("look", layer, tape_keys(layer), test.assumed_m)
        if test.overlap != "ignored":
            overlap = apart(question, distance, replace(ask, reach_m=0.0))
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
    soft = np.where(fails & ~served, SOFT, 0).astype(np.uint8)
    ask = Ask("measure", test.feature, (*tape_keys(test.feature), "of_served_lot"), test.reach_m)
    column = decided(question, state, Basis.MEASURED, ask, extra_flags=soft)
    mapped = seen_along(question, test.feature, test.reach_m)
    sight = question.sight
    if mapped is None or sight is None:
        return [column]
    mapped = mapped.at(mapped.rows.value_m <= test.reach_m)
    nearest, margin = _nearer_side(mapped, 1 if test.side == "after" else -1, sight.at.along_u_m)
    # What is farther than the nearest that is sure to be one decides nothing.
    sure = mapped.rows.at(mapped.rows.known & mapped.rows.side_known)
    reach = np.full(len(mapped.covered), test.reach_m)
    np.minimum.at(reach, sure.placement, np.maximum(sure.value_m, 0.0))
    nearest = nearest._replace(covered=sight.covered_along(test.feature, reach))
    rows = nearest.rows
    own = served[rows.placement] | served_driveway(question, rows.placement, rows.feature)
    return [with_map(column, nearest._replace(soft=~own), margin)]


def _nearer_side(seen: Seen, right: int, along_u_m: NDArray[np.float64]) -> tuple[Seen, NDArray[np.float64]]:
    """Return for each skip its nearest feature on the wrong side, and how much nearer that on the right is.

    Something in front of the skip is on the wrong side. One on the right side of which it is not sure that it
    is there, or at this kerb, does not acquit.
    """
    rows = seen.rows
    order = np.lexsort((rows.value_m, rows.placement))
    count = int(rows.placement.max(initial=-1)) + 1
    good, bad = np.full((2, count), np.inf)
    is_good = rows.upstream == right
    sure = is_good & rows.known & rows.side_known
    np.minimum.at(good, rows.placement[sure], rows.value_m[sure])
    np.minimum.at(bad, rows.placement[~is_good], rows.value_m[~is_good])
    kept = order[rows.value_m[order] == bad[rows.placement[order]]]
    nearest = seen.at(kept[~is_good[kept]])
    at = nearest.rows.placement
    # A skip that stands elsewhere than it is said to is as much nearer to the one as farther from the other.
    good_u = np.zeros(count)
    first = sure & (rows.value_m == good[rows.placement])
    np.maximum.at(good_u, rows.placement[first], rows.u_m[first])
    both = np.sqrt(nearest.rows.u_m**2 + good_u[at] ** 2 + 2 * along_u_m[at] ** 2)
    u = np.where(np.isfinite(good[at]), both, nearest.rows.u_m)
    return nearest._replace(rows=nearest.rows._replace(u_m=u)), bad[at] - good[at]


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
