"""Kinds 16–21 from dates, zones, signs and papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.check.answers.signs import sign_states
from geocheck.check.columns import BASES
from geocheck.check.evidence import Act, Ask, Evidence
from geocheck.check.judge import APPLIES, KNOWN, SOFT, STRICT
from geocheck.check.margins import decided
from geocheck.check.stay import term_of
from geocheck.law.windows import contains, seconds_between, touches
from geocheck.model.words import Basis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.check.question import Question
    from geocheck.law.kinds import (
        FeeRequirement,
        MaxStay,
        OperationWindow,
        PresenceWindow,
        SignRestriction,
        ZoneAuthorisation,
    )
    from geocheck.law.windows import Window


def _ask(zones: Sequence[str]) -> Ask:
    keys = tuple(f"in_zone.{zone}" for zone in zones)
    return Ask("tell", None, keys or ("end",))


def _state(zone: NDArray[np.int8], clear: NDArray[np.bool_], bad: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return 1 where nothing is wrong wherever it stands, 0 where wrong and inside, NaN otherwise."""
    return np.where(clear, 1.0, np.where(bad & (zone == 1), 0.0, np.nan))


def _outside(zone: NDArray[np.int8], column: Evidence) -> Evidence:
    """Let a column not apply to placements outside the zones."""
    return column.apart_from(zone == 0)


def zone_authorisation(question: Question, test: ZoneAuthorisation) -> list[Evidence]:
    """Kind 16: an act is needed when the stay touches a restricted window inside a zone."""
    placements = question.placements
    zone = placements.in_zones(test.zones)
    held = placements.names(question.rule.rule.id, "authorised")
    if question.rule.fallback:
        # The federal code asks for a permit; the city's own act is that permit.
        held = np.array(
            [not question.permits.isdisjoint(request.authorised) for request in placements.requests], bool
        )
    ask = _ask(test.zones)
    columns = []
    for windows, flag in ((test.restricted, SOFT), (test.restricted_strict, STRICT)):
        if not windows and flag is STRICT:
            continue
        yes, known = _touched(question, windows)
        applies = (question.flags() & APPLIES) != 0
        act = Act("authorisation", needed=yes & (zone == 1) & applies, held=held)
        state = _state(zone, held | (known & ~yes), yes)
        columns.append(decided(question, state, Basis.DECLARED, ask, extra_flags=np.uint8(flag), act=act))
    return [_outside(zone, column) for column in columns]


def _touched(question: Question, windows: tuple[Window, ...]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether stays touch the windows, and whether that is known; no windows means always."""
    if not windows:
        everything = np.ones(len(question.placements), bool)
        return everything, everything
    placements = question.placements
    return touches(windows, placements.start, placements.end, question.calendar)


def operation_window(question: Question, test: OperationWindow) -> list[Evidence]:
    """Kind 17: the acts at their times; a removal whose time nobody gave is planned within the windows."""
    placements = question.placements
    zone = placements.in_zones(test.zones)
    if test.undefined:
        unknown = np.full(len(placements), np.nan)
        return [decided(question, unknown, Basis.DECLARED, Ask("tell", None, ()))]
    columns = []
    for act, times in (("place", placements.start), ("remove", placements.end)):
        if act not in test.acts:
            continue
        windows = test.allowed or test.forbidden
        inside = contains(windows, times, question.calendar)
        if test.forbidden:
            inside = ~touches(windows, times, times, question.calendar).yes
        planned = np.full(len(placements), act == "remove") & ~placements.end_given
        fine = planned | (inside & ~np.isnat(times))
        state = _state(zone, fine, ~fine & ~np.isnat(times))
        columns.append(decided(question, state, Basis.DECLARED, _ask(test.zones)))
    return [_outside(zone, column) for column in columns]


def presence_window(question: Question, test: PresenceWindow) -> list[Evidence]:
    """Kind 18: the stay shares no time with a forbidden window, or passes wholly in allowed ones."""
    placements = question.placements
    zone = placements.in_zones(test.zones)
    yes, known = _wrong_time(question, test.allowed, test.forbidden)
    state = _state(zone, known & ~yes, yes)
    return [_outside(zone, decided(question, state, Basis.DECLARED, _ask(test.zones)))]


def _wrong_time(
    question: Question, allowed: Sequence[Window], forbidden: Sequence[Window]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether the stay is surely at a wrong time, and whether that is known."""
    placements, calendar = question.placements, question.calendar
    if forbidden:
        touched = touches(tuple(forbidden), placements.start, placements.end, calendar)
        return touched.yes, touched.known
    end_known = ~np.isnat(placements.end)
    end = np.where(end_known, placements.end, placements.start)
    length = (end - placements.start).astype("timedelta64[s]").astype(np.int64)
    outside = seconds_between(tuple(allowed), placements.start, end, calendar) < length
    outside |= ~contains(tuple(allowed), placements.start, calendar)
    return outside, end_known | outside


def max_stay(question: Question, test: MaxStay) -> list[Evidence]:
    """Kind 19: seconds left between the end of the stay and its deadline."""
    if test.advice:
        return []
    placements, clock = question.placements, question.clock
    term = term_of(placements, question.rule, test, question.calendar, clock)
    # Through UTC: an hour that comes twice must not be lost, and a day ends with its last second.
    end = clock.to_utc_last(placements.end)
    left = _seconds(clock.to_utc_last(term.until)) - _seconds(end)
    hoped = _seconds(clock.to_utc_last(term.hoped)) - _seconds(end)
    between = (left < 0) & (hoped >= 0)
    known = ~np.isnan(left) & (~between | term.curable)
    flags = question.flags() | np.where(known, KNOWN, 0).astype(np.uint8)
    flags = (flags | np.where(between & term.curable, SOFT, 0)).astype(np.uint8)
    applies = term.concerned & ((flags & APPLIES) != 0)
    # An act without a term of its own would set another end, whatever that may be.
    sets_end = test.extension is not None and test.extension.term is None
    missing = term.curable & (between | ((left < 0) & sets_end))
    return [
        Evidence(
            question,
            margin=left,
            u=np.zeros(len(left)),
            tolerance=0.0,
            flags=np.where(term.concerned, flags, flags & ~APPLIES).astype(np.uint8),
            measured=_seconds(placements.end),
            limit=_seconds(term.until),
            unit="s",
            sense="max",
            basis=np.where(known, BASES.index(Basis.DECLARED), -1).astype(np.int8),
            ask=_ask_end(test),
            act=Act("authorisation", needed=applies & missing, held=~missing) if test.extension else None,
        )
    ]


def _ask_end(test: MaxStay) -> Ask:
    zones = test.extension.zones if test.extension else ()
    return Ask("tell", None, ("end", *(f"in_zone.{zone}" for zone in zones)))


def _seconds(times: NDArray[np.datetime64]) -> NDArray[np.float64]:
    return np.where(np.isnat(times), np.nan, times.astype(np.float64))


def sign_restriction(question: Question, test: SignRestriction) -> list[Evidence]:
    """Kind 20: a sign of one of the codes, at some time of the stay."""
    state, by_map = sign_states(question, test.codes)
    column = decided(question, state, Basis.OBSERVED, Ask("look", "sign", test.codes, None))
    basis = np.where(by_map & (column.basis >= 0), BASES.index(Basis.MAP), column.basis)
    return [column._replace(basis=basis.astype(np.int8))]


def fee_requirement(question: Question, test: FeeRequirement) -> list[Evidence]:
    """Kind 21: a fee is due when the stay touches the paid hours inside the zone."""
    placements = question.placements
    zone = placements.in_zones(test.zones)
    if test.hours:
        yes, known = _wrong_time(question, (), test.hours)
    else:
        yes = known = np.ones(len(placements), bool)
    held = (placements.fact("credits_bought") == 1) | placements.names(question.rule.rule.id, "authorised")
    applies = (question.flags() & APPLIES) != 0
    act = Act("fee", needed=yes & (zone == 1) & applies, held=held)
    state = _state(zone, held | (known & ~yes), yes)
    ask = _ask(test.zones)
    column = decided(question, state, Basis.DECLARED, ask, extra_flags=SOFT, act=act)
    return [_outside(zone, column)]
