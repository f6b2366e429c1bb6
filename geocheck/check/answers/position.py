"""Kinds 9–15 from sizes, taped widths, what the applicant declares, and the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.answers.lots import served_front, standing_on_lot
from geocheck.check.answers.strips import footway_width_m, low_face_upstream, with_containers
from geocheck.check.columns import BASES
from geocheck.check.evidence import Ask, Evidence
from geocheck.check.judge import EPSILON, KNOWN, SOFT, tolerance_m
from geocheck.check.margins import decided, size
from geocheck.model.words import Basis, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.check.question import Question
    from geocheck.law.kinds import (
        ClearWidth,
        Containment,
        CountLimit,
        EquipmentLimit,
        FrontageContainment,
        Orientation,
        PlacementLadder,
    )
    from geocheck.law.kinds.position import Step

STANDING_IN: Final = {"shoulder": Place.SHOULDER, "parking_bay": Place.PARKING_BAY}
"""Layers that are places: who says that the skip stands on the shoulder has answered."""


def orientation(question: Question, test: Orientation) -> list[Evidence]:
    """Kind 9: beyond the first tolerance `conditional`, beyond the second a breach."""
    if test.aspect == "low_face_upstream":
        state = question.placements.fact("low_face_upstream")
        if question.sight is not None:
            state = np.where(np.isnan(state), low_face_upstream(question), state)
        ask = Ask("tell", None, ("site.low_face_upstream",))
        return [decided(question, state, Basis.DECLARED, ask)]
    angle, basis = question.placements.angle_deg()
    if question.sight is not None:
        basis = np.where(np.isnan(angle), BASES.index(Basis.MAP), basis).astype(np.int8)
        angle = np.where(np.isnan(angle), question.sight.gap.angle_deg, angle)
    off = angle if test.aspect == "parallel" else 90.0 - angle
    ask = Ask("measure", "kerb", ("angle_deg",))
    columns = []
    for limit, assumed in ((test.conditional_deg, False), (test.compliant_deg, True)):
        if limit is not None:
            column = size(question, off, limit, -1, "deg", ask)
            soft = np.uint8(SOFT if assumed else 0)
            flags = (column.flags | soft).astype(np.uint8)
            known_basis = np.where(np.isnan(angle), -1, basis).astype(np.int8)
            columns.append(column._replace(flags=flags, basis=known_basis, assumed=True, measured=angle))
    return columns


def containment(question: Question, test: Containment) -> list[Evidence]:
    """Kind 10: in a parking lane, what is left of its width; in a recess or on the shoulder, the place."""
    placements = question.placements
    inside = placements.at(place for layer, place in STANDING_IN.items() if layer in test.within)
    lane, gap = placements.taped("parking_lane_width_m"), placements.gap()
    used = np.where(np.isfinite(gap.high), gap.low, np.nan) + placements.size("width_m")
    spare = lane - used
    no_lane = np.array([_saw_none(request.observed, test.within) for request in placements.requests])
    margin = np.where(inside, np.inf, np.where(no_lane, -np.inf, spare))
    known = ~np.isnan(margin)
    basis = np.where(inside, BASES.index(Basis.DECLARED), BASES.index(Basis.MEASURED))
    basis = np.where(no_lane, BASES.index(Basis.OBSERVED), basis)
    column = Evidence(
        question,
        margin=margin,
        u=np.zeros(len(margin)),
        tolerance=0.005,
        flags=(question.flags() | np.where(known, KNOWN, 0)).astype(np.uint8),
        measured=np.where(inside | no_lane, np.nan, used),
        limit=np.where(inside | no_lane, np.nan, lane),
        unit="m",
        sense="max",
        basis=np.where(known, basis, -1).astype(np.int8),
        ask=Ask("measure", "parking_lane", ("parking_lane_width_m", "gap_m", "width_m")),
    )
    return [with_containers(column, test)]


def _saw_none(observed: tuple[object, ...], within: tuple[str, ...]) -> bool:
    """Tell whether somebody saw that none of the layers that are no places is there."""
    wanted = set(within) - set(STANDING_IN)
    missing = {seen.layer for seen in observed if seen.state == "none"}  # type: ignore[attr-defined]
    return bool(wanted) and wanted <= missing


def frontage_containment(question: Question, test: FrontageContainment) -> list[Evidence]:
    """Kind 11: the whole skip in front of the served lot passes, a part of it is `conditional`."""
    placements = question.placements
    own, part = placements.attribute("lot", "of_served_lot"), placements.attribute("lot", "coverage")
    state = np.array([np.nan if value is None else float(bool(value)) for value in own])
    soft = np.full(len(state), SOFT if test.requirement == "preferred" else 0, np.uint8)
    ask = Ask("look", "lot", ("of_served_lot", "coverage"), 0.0)
    told = [np.nan if value is None else float(value == "whole") for value in part]
    partly = np.where(state == 1, told, state)
    front = served_front(question)
    basis = Basis.OBSERVED if front is None else Basis.MAP
    if front is not None:
        state = np.where(np.isnan(state), front.touched, state)
        partly = np.where(np.isnan(partly), np.where(front.touched == 1, front.whole, front.touched), partly)
    wholly = decided(question, state, basis, ask, extra_flags=soft)
    return [wholly, decided(question, partly, basis, ask, extra_flags=SOFT)]


def equipment_limit(question: Question, test: EquipmentLimit) -> list[Evidence]:
    """Kind 12: sizes are judged as stated."""
    key = {"volume": "volume_m3", "low_face": "low_face_m"}.get(test.quantity, f"{test.quantity}_m")
    value = question.placements.size(key)
    ask = Ask("tell", None, (key,))
    if test.max_m3 is not None:
        return [size(question, value, test.max_m3, -1, "m3", ask)]
    if test.max_m is not None:
        return [size(question, value, test.max_m, -1, "m", ask)]
    return [size(question, value, test.min_m or 0.0, 1, "m", ask)]


def clear_width(question: Question, test: ClearWidth) -> list[Evidence]:
    """Kind 13: taped directly, or the footway's width less gap and width of the skip."""
    placements = question.placements
    taped, gap = placements.taped("clear_width_m"), placements.gap()
    width = placements.taped("footway_width_m")
    mapped_width, width_u = footway_width_m(question)
    by_map = np.isnan(width) & ~np.isnan(mapped_width)
    width = np.where(by_map, mapped_width, width)
    gap_m, unsure = np.where(np.isfinite(gap.high), gap.low, np.nan), np.where(by_map, width_u, 0.0)
    if question.sight is not None:
        no_gap = np.isnan(gap_m)
        gap_m = np.where(no_gap, question.sight.gap.low_m, gap_m)
        unsure = np.hypot(unsure, np.where(no_gap, question.sight.gap.u_m, 0.0))
        by_map |= no_gap
    derived = np.isnan(taped)
    free = np.where(derived, width - gap_m - placements.size("width_m"), taped)
    known = ~np.isnan(free)
    by = np.where(by_map, BASES.index(Basis.MAP), gap.basis)
    basis = np.where(derived, by, BASES.index(Basis.MEASURED))
    columns = [
        Evidence(
            question,
            margin=free - limit,
            u=np.where(derived & known, unsure, 0.0),
            tolerance=tolerance_m(limit),
            flags=(question.flags("footway") | (known * KNOWN)).astype(np.uint8),
            measured=free,
            limit=np.full(len(free), limit),
            unit="m",
            sense="min",
            basis=np.where(known, basis, -1).astype(np.int8),
            ask=Ask("measure", "footway", ("clear_width_m",)),
        )
        for limit in (test.min_m, test.floor_m)
        if limit is not None
    ]
    # Inside the hoarding nobody passes; the passage beside it is the hoarding's own affair.
    inside = placements.fact("inside_hoarding") == 1
    return [column.apart_from(inside) for column in columns]


def count_limit(question: Question, test: CountLimit) -> list[Evidence]:
    """Kind 14: this skip and those that stand, against the limit of the lot or of the block face."""
    placements = question.placements
    if test.max_share is None:
        count = placements.fact("skips_on_lot") + 1
        limit = np.full(len(count), float(test.max_count or 0))
        standing = standing_on_lot(question)
        # A list that may not be whole convicts and never acquits.
        told = standing.known | (standing.others + 1 > limit)
        count = np.where(np.isnan(count) & told, standing.others + 1.0, count)
        keys: tuple[str, ...] = ("site.skips_on_lot",)
    else:
        bays = placements.fact("bays_on_block")
        count = placements.fact("bays_occupied_on_block") + placements.fact("bays_occupied")
        limit = np.floor(test.max_share * bays + EPSILON)
        if test.or_count is not None and test.small_block_bays is not None:
            limit = np.where(bays <= test.small_block_bays, float(test.or_count), limit)
        keys = ("site.bays_on_block", "site.bays_occupied_on_block", "site.bays_occupied")
    missing = np.isnan(count) | np.isnan(limit)
    flags = question.flags() | np.where(missing, 0, KNOWN).astype(np.uint8)
    return [
        Evidence(
            question,
            margin=limit - count,
            u=np.zeros(len(count)),
            tolerance=EPSILON,
            flags=flags.astype(np.uint8),
            measured=count,
            limit=limit,
            unit="count",
            sense="max",
            basis=np.where(missing, -1, BASES.index(Basis.DECLARED)).astype(np.int8),
            ask=Ask("tell", None, keys),
        )
    ]


def placement_ladder(question: Question, test: PlacementLadder) -> list[Evidence]:
    """Kind 15: what must be impossible before the step that the place stands for, and what it passes over."""
    declared = question.placements.names(question.rule.rule.id, "declared")
    return [column for step in test.steps for column in _step(question, step, declared)]


def _step(question: Question, step: Step, declared: NDArray[np.bool_]) -> list[Evidence]:
    """Return the columns of a step; they apply to the placements that stand there."""
    placements = question.placements
    opened = np.ones(len(placements))
    for fact in step.impossible:
        possible = placements.fact(fact)
        shut = np.where(np.isnan(possible) & declared, 1.0, 1.0 - possible)
        opened = np.where((opened == 0) | (shut == 0), 0.0, opened * shut)
    if step.hoarding_is_inside:
        opened = np.where(placements.fact("inside_hoarding") == 1, 1.0, opened)
    columns = [decided(question, opened, Basis.DECLARED, _ask_facts(step.impossible))]
    if step.passed_over:
        passed = np.any([placements.fact(fact) == 1 for fact in step.passed_over], axis=0)
        ask, soft = _ask_facts(step.passed_over), SOFT
        kept = np.where(passed, 0.0, 1.0)
        columns.append(decided(question, kept, Basis.DECLARED, ask, extra_flags=soft))
    if step.inside_hoarding:
        inside = placements.fact("inside_hoarding")
        held = placements.names(step.act, "authorised") if step.act else np.zeros(len(inside), bool)
        soft_held = np.where(held, SOFT, 0).astype(np.uint8)
        column = decided(
            question, inside, Basis.DECLARED, _ask_facts(("inside_hoarding",)), extra_flags=soft_held
        )
        # Impossibility is a declaration; being inside the hoarding is a fact of the place.
        columns.append(column._replace(critical=True))
    away = ~placements.at(step.places)
    return [column.apart_from(away) for column in columns]


def _ask_facts(facts: Sequence[str]) -> Ask:
    return Ask("tell", None, tuple(f"site.{fact}" for fact in facts))
