"""The stay of one placement in pt-BR: deadline, the count day by day, and what shortens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.law import kinds
from geocheck.law.calendar import calendar_of
from geocheck.law.clock import zone_clock
from geocheck.law.stays import explain
from geocheck.law.windows import describe, next_touch
from geocheck.model.report import StayReport
from geocheck.report import wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.check.bind import BoundRule
    from geocheck.check.pipeline import Checked
    from geocheck.law.stays import CountedDay


def stay_of(checked: Checked, row: int) -> StayReport:
    """Return by when the skip must leave, how that was counted, and what makes it earlier."""
    clock = zone_clock(checked.law.city.time_zone)
    stays, placements = checked.stays, checked.placements
    number = int(stays.decider[row])
    leave_by = stays.leave_by[row]
    advice = sorted(
        clock.aware_last(stay.until[row]).isoformat()
        for stay in stays.tests
        if stay.test.advice and not np.isnat(stay.until[row])
    )
    shortens = tuple(_shortens(checked, row))
    if number < 0:
        return StayReport.built(
            leave_by=None, basis=None, rule=None, counted=(), advice=tuple(advice), shortens=shortens
        )
    decider = stays.tests[number]
    rule, term = decider.rule.rule, decider.test.term
    calendar = calendar_of(checked.law.city)
    counted = explain(term, placements.start[row], placements.full[row], calendar, clock)
    length = term.limit_days if term.limit_days is not None else term.limit_h
    return StayReport.built(
        leave_by=clock.aware_last(leave_by).isoformat(),
        basis=f"{length} {wording.TERM_UNITS[term.unit]} ({rule.law})",
        rule=rule.id,
        counted=tuple(map(_counted, counted)),
        advice=tuple(advice),
        shortens=shortens,
    )


def _counted(day: CountedDay) -> str:
    if day.why_not:
        count = f"não conta ({day.why_not})"
    elif day.number is not None:
        count = f"{day.number}º dia"
    else:
        count = f"{wording.number(day.hours or 0.0)} h"
    return f"{wording.day(day.date)}, {day.weekday}: {count}" + "".join(f" [{flag}]" for flag in day.flags)


def _shortens(checked: Checked, row: int) -> Iterator[str]:
    clock = zone_clock(checked.law.city.time_zone)
    for stay in checked.stays.tests:
        term, law = stay.test.term, stay.rule.rule.law
        if np.isnat(stay.until[row]) and term.trigger == "full" and stay.test.reading == "primary":
            length = term.limit_days or term.limit_h
            yield f"quando encher: {length} {wording.TERM_UNITS[term.unit]} a partir daí ({law})"
        elif stay.test.advice and stay.until[row] < checked.stays.leave_by[row]:
            when = wording.moment(clock.aware_last(stay.until[row]))
            yield f"por cautela, {stay.test.label or 'leitura mais estrita'}: {when} ({law})"
    for rule in checked.rules:
        for test in rule.tests if rule.counts else ():
            if isinstance(test, kinds.ZoneAuthorisation) and test.restricted and test.zones:
                yield from _without_act(checked, row, rule, test)
            if isinstance(test, kinds.OperationWindow) and not test.undefined:
                hours = describe(test.allowed) if test.allowed else f"fora de {describe(test.forbidden)}"
                zones = wording.joined([wording.LAYERS[zone] for zone in test.zones])
                yield f"em {zones}, retirar só em: {hours} ({rule.rule.law})"


def _without_act(checked: Checked, row: int, rule: BoundRule, test: kinds.ZoneAuthorisation) -> Iterator[str]:
    """Say until when a stay in the zone needs no authorisation; nothing where it is outside."""
    if checked.placements.take([row]).in_zones(test.zones)[0] == 0:
        return
    clock = zone_clock(checked.law.city.time_zone)
    start = checked.placements.start[row : row + 1]
    until = next_touch(test.restricted, start, calendar_of(checked.law.city))[0]
    if np.isnat(until):
        return
    zones = wording.joined([wording.LAYERS[zone] for zone in test.zones])
    when = "nem por um instante" if until == start[0] else f"só até {wording.moment(clock.aware(until))}"
    yield f"sem autorização de {test.authority}, em {zones}: {when} ({rule.rule.law})"
