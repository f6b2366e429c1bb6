"""The dates of the administrative procedure: until when one may defend oneself, appeal or pay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from geocheck.cities import HolidayStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geocheck.law.calendar import Calendar
    from geocheck.law.rulebook import Rulebook
    from geocheck.law.tables import Procedure

Start: TypeAlias = Literal["notification", "defence", "decision", "appeal", "publication", "seizure"]

SILENT_NOTE: Final = "a norma não diz se os dias são úteis ou corridos: contam-se corridos"
MOVED_NOTE: Final = "o último dia não era útil: passa ao primeiro dia útil seguinte (regra geral dos prazos)"


@dataclass(frozen=True, slots=True)
class Deadline:
    """The last day of a term.

    Attributes:
        act: what may be done until then (`defence`, `appeal`, `payment`, …).
        last_day: local date; the term ends with it.
        moved: the last day was moved because it was no business day.
        term: the row of the rulebook: days, kind of day, discount, passage.
        notes: pt-BR, on how it was counted and what is doubtful.
    """

    act: str
    last_day: date
    moved: bool
    term: Procedure
    notes: tuple[str, ...]


def procedure_deadlines(book: Rulebook, start: Start, on: date, calendar: Calendar) -> tuple[Deadline, ...]:
    """Return the last days of all terms that run from an event, in the order of the rulebook.

    The first day is excluded. Terms in calendar days that would end on a day that is no business day move
    to the next business day; terms in business days count only these.

    Args:
        book: the rulebook.
        start: the event.
        on: its local date.
        calendar: of the city.

    Raises:
        ValueError: a date is outside the calendar's table (1989–2102).
    """
    return tuple(_deadline(term, on, calendar) for term in book.sanctions.procedure if term.start == start)


def _deadline(term: Procedure, on: date, calendar: Calendar) -> Deadline:
    if term.day_type == "business":
        # From a day that is none the count still starts with the first business day after it.
        counted = last = _business_day(on, term.limit_days, "backward", calendar)
    else:
        counted = on + timedelta(days=term.limit_days)
        last = _business_day(counted, 0, "forward", calendar)
    moved = last != counted
    return Deadline(term.act, last, moved, term, tuple(_notes(term, last, calendar, moved=moved)))


def _business_day(day: date, count: int, roll: Literal["forward", "backward"], calendar: Calendar) -> date:
    moved = calendar.business_day_offset(np.asarray(day, "datetime64[D]"), count, roll)
    calendar.day_kind(moved)  # refuses days outside the table, where no holiday is known
    return date.fromisoformat(str(moved))


def _notes(term: Procedure, last: date, calendar: Calendar, *, moved: bool) -> Iterable[str]:
    if term.text_silent_on_day_type:
        yield SILENT_NOTE
    if moved:
        yield MOVED_NOTE
    for rule in calendar.holidays_on(last):
        if rule.status is not HolidayStatus.HOLIDAY:
            yield f"{last:%d/%m/%Y} conta como dia útil, mas pode não haver expediente: {rule.name}"
    if not calendar.is_verified(np.asarray(last, "datetime64[D]")):
        yield f"os feriados de {last.year} não foram conferidos"
    if term.note is not None:
        yield term.note
