"""The stay of each placement: by when it must leave, by which rule, and the dates to play safe by."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.check.columns import UNKNOWN
from geocheck.law.kinds import MaxStay
from geocheck.law.stays import deadline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from geocheck.check.bind import BoundRule
    from geocheck.check.columns import Placements
    from geocheck.law.calendar import Calendar
    from geocheck.law.clock import Times, ZoneClock


_NEVER: Final = np.datetime64("2999-12-31", "s")
"""End of a stay whose end only an act sets."""


@dataclass(frozen=True, slots=True)
class StayTest:
    """A term of a rule, and the deadlines it gives (NaT where it does not concern the placement)."""

    rule: BoundRule
    test: MaxStay
    until: Times


@dataclass(frozen=True, slots=True)
class Stays:
    """The stays of n placements.

    Attributes:
        tests: every term that counts, advice included.
        leave_by: wall times, the earliest deadline of the judged terms; NaT where there is none.
        decider: index into `tests` of the term that gives it, −1 where there is none.
    """

    tests: tuple[StayTest, ...]
    leave_by: Times
    decider: NDArray[np.intp]


def stays_of(
    placements: Placements, rules: Iterable[BoundRule], calendar: Calendar, clock: ZoneClock
) -> Stays:
    """Compute the deadlines of all terms of the rules that count."""
    tests = tuple(
        StayTest(rule, test, _until(placements, rule, test, calendar, clock))
        for rule in rules
        if rule.counts
        for test in rule.tests
        if isinstance(test, MaxStay)
    )
    leave_by = np.full(len(placements), np.datetime64("NaT", "s"))
    decider = np.full(len(placements), -1, np.intp)
    for number, stay in enumerate(tests):
        if stay.test.advice:
            continue
        earlier = ~np.isnat(stay.until) & (np.isnat(leave_by) | (stay.until < leave_by))
        leave_by = np.where(earlier, stay.until, leave_by)
        decider = np.where(earlier, number, decider)
    return Stays(tests, leave_by, decider)


def with_end(placements: Placements, stays: Stays) -> Placements:
    """Let placements that name no end stay until the day they must leave."""
    return dataclasses.replace(placements, end=np.where(placements.end_given, placements.end, stays.leave_by))


class Term(NamedTuple):
    """When a term ends for n placements.

    Attributes:
        until: wall times; NaT where it has not begun or an act sets another end.
        hoped: later wall times where an act may lengthen it: it is not held, or the zone is not known.
        curable: only the act is missing, the zone is known.
        concerned: whether the term is for this placement at all.
    """

    until: Times
    hoped: Times
    curable: NDArray[np.bool_]
    concerned: NDArray[np.bool_]


def term_of(
    placements: Placements, rule: BoundRule, test: MaxStay, calendar: Calendar, clock: ZoneClock
) -> Term:
    """Return when a term ends, lengthened where an act that lengthens it is held.

    A term for skips that are not full binds one that was still not full when the term ended.
    """
    until = deadline(test.term, placements.start, placements.full, calendar, clock)
    is_full = ~np.isnat(placements.full)
    concerned = placements.at(test.where or rule.rule.where)
    if test.full != "any":
        concerned &= is_full if test.full == "full" else ~is_full | (placements.full > until)
    extension = test.extension
    if extension is None:
        return Term(until, until, np.zeros(len(until), bool), concerned)
    held = placements.names(extension.rule or rule.rule.id, "authorised")
    zone = placements.in_zones(extension.zones)
    if extension.term is None:
        # The act itself sets the end: once it is held, this term no longer judges.
        hoped = np.where(held & (zone == UNKNOWN), _NEVER, until)
        return Term(until, hoped, ~held & (zone == 1), concerned & ~(held & (zone == 1)))
    longer = deadline(extension.term, placements.start, placements.full, calendar, clock)
    hoped = np.where(zone == 0, until, longer)
    return Term(np.where(held & (zone == 1), longer, until), hoped, ~held & (zone == 1), concerned)


def _until(
    placements: Placements, rule: BoundRule, test: MaxStay, calendar: Calendar, clock: ZoneClock
) -> Times:
    term = term_of(placements, rule, test, calendar, clock)
    return np.where(term.concerned, term.until, np.datetime64("NaT", "s"))
