"""How long a skip may stay: terms in days or hours, their deadlines, and the count day by day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from geocheck.cities import HolidayStatus
from geocheck.law.calendar import DayKind
from geocheck.law.windows import Window, advance, seconds_between
from geocheck.model.base import Frozen

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from geocheck.law.calendar import Calendar, Dates
    from geocheck.law.clock import Times, ZoneClock

_HOUR_S: Final = 3600
_DAY: Final = np.timedelta64(1, "D")
_SECOND: Final = np.timedelta64(1, "s")
_BUSINESS_TIME: Final = (Window.model_validate({"days": ["business_day"], "from": "00:00", "to": "24:00"}),)
_WEEKDAYS: Final = (
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
)
_DOUBT: Final = {
    HolidayStatus.UNCERTAIN: "conta como dia útil; feriado não confirmado: {rule.name} ({rule.source})",
    HolidayStatus.OPTIONAL: "conta como dia útil; ponto facultativo: {rule.name} ({rule.source})",
}
_BASE_DAY: Final = {"placed": "dia da colocação", "full": "dia em que encheu"}


class StayTerm(Frozen):
    """How long a skip may stay, and from when.

    Attributes:
        unit: `business_days` and `calendar_days` end with the last second of their last day;
            `running_hours` are real hours; `business_hours` run from 0 to 24 h of business days only.
        limit_days: for the units of days.
        limit_h: for the units of hours.
        first_day: for the units of days. `excluded`: the count starts after the first day. `included`:
            the first day is day 1, or the next business day where it is none. `included_any_day`: it is
            day 1 even when it is no business day.
        trigger: the count starts when the skip was `placed`, or when it became `full`.
    """

    unit: Literal["business_days", "calendar_days", "running_hours", "business_hours"]
    limit_days: Annotated[int, Field(gt=0, le=366, strict=True)] | None = None
    limit_h: Annotated[int, Field(gt=0, le=8784, strict=True)] | None = None
    first_day: Literal["excluded", "included", "included_any_day"] | None = None
    trigger: Literal["placed", "full"] = "placed"

    @model_validator(mode="after")
    def _one_limit_of_its_unit(self) -> Self:
        if self.counts_days and (self.limit_days is None or self.limit_h is not None):
            raise ValueError(f"com unit = “{self.unit}”, dê limit_days (e não limit_h)")
        if not self.counts_days and (self.limit_h is None or self.limit_days is not None):
            raise ValueError(f"com unit = “{self.unit}”, dê limit_h (e não limit_days)")
        if self.counts_days and self.first_day is None:
            raise ValueError("falta first_day: “excluded”, “included” ou “included_any_day”")
        if not self.counts_days and self.first_day is not None:
            raise ValueError(f"first_day só cabe em prazos em dias; aqui unit = “{self.unit}”")
        return self

    @property
    def counts_days(self) -> bool:
        """Whether the term is in days and so ends with one."""
        return self.unit in ("business_days", "calendar_days")


def deadline(term: StayTerm, placed: Times, full: Times, calendar: Calendar, clock: ZoneClock) -> Times:
    """Return the last instants at which skips may still stand.

    A wall time that comes twice (end of daylight saving) is taken as the first of the two where a term
    starts; read the deadline of a term in days with `clock.to_utc_last`.

    Args:
        term: how long.
        placed: local wall times, `datetime64[s]`.
        full: when each became full, NaT where it is not or nobody knows; broadcast against `placed`.
        calendar: of the city.
        clock: of the city.

    Returns:
        Local wall times, `datetime64[s]`; NaT where the trigger has not come.
    """
    placed, full = np.broadcast_arrays(np.asarray(placed, "datetime64[s]"), np.asarray(full, "datetime64[s]"))
    base = placed if term.trigger == "placed" else full
    return np.asarray(_DEADLINES[term.unit](term, base, calendar, clock))


def _by_business_days(term: StayTerm, base: Times, calendar: Calendar, _clock: ZoneClock) -> Times:
    days, count = base.astype("datetime64[D]"), _count(term)
    if term.first_day == "excluded":
        return _end_of(calendar.business_day_offset(days, count, "backward"))
    if term.first_day == "included":
        return _end_of(calendar.business_day_offset(days, count - 1, "forward"))
    # A single day that is no business day ends with itself, not with the business day before it.
    return _end_of(np.maximum(days, calendar.business_day_offset(days, count - 1, "backward")))


def _by_calendar_days(term: StayTerm, base: Times, _calendar: Calendar, _clock: ZoneClock) -> Times:
    after_first = _count(term) if term.first_day == "excluded" else _count(term) - 1
    return _end_of(np.asarray(base.astype("datetime64[D]") + _DAY * after_first, "datetime64[D]"))


def _by_running_hours(term: StayTerm, base: Times, _calendar: Calendar, clock: ZoneClock) -> Times:
    return clock.to_local(clock.to_utc(base) + np.timedelta64(_count(term) * _HOUR_S, "s"))


def _by_business_hours(term: StayTerm, base: Times, calendar: Calendar, _clock: ZoneClock) -> Times:
    return advance(_BUSINESS_TIME, base, _count(term) * _HOUR_S, calendar)


_DEADLINES: Final[dict[str, Callable[[StayTerm, Times, Calendar, ZoneClock], Times]]] = {
    "business_days": _by_business_days,
    "calendar_days": _by_calendar_days,
    "running_hours": _by_running_hours,
    "business_hours": _by_business_hours,
}


def _count(term: StayTerm) -> int:
    return term.limit_days or term.limit_h or 0


def _end_of(days: Dates) -> Times:
    return np.asarray((days + _DAY).astype("datetime64[s]") - _SECOND)


@dataclass(frozen=True, slots=True)
class CountedDay:
    """One day of a count, for people.

    Attributes:
        date: local.
        weekday: pt-BR.
        number: which day of the term it is, from 1; None when it is not counted or the term is in hours.
        hours: hours of the term that pass on it; None when the term is in days.
        why_not: pt-BR, why it does not count; empty when it does.
        flags: pt-BR, what is doubtful about counting it as a business day, with the source.
    """

    date: dt.date
    weekday: str
    number: int | None
    hours: float | None
    why_not: str
    flags: tuple[str, ...]


def explain(
    term: StayTerm, placed: np.datetime64, full: np.datetime64, calendar: Calendar, clock: ZoneClock
) -> list[CountedDay]:
    """Return the count of one stay day by day, from the day of its trigger to that of its deadline.

    Args:
        term: how long.
        placed: local wall time.
        full: local wall time, or NaT.
        calendar: of the city.
        clock: of the city.

    Returns:
        Empty when the trigger has not come.
    """
    start = np.asarray(placed if term.trigger == "placed" else full, "datetime64[s]")
    end = deadline(term, np.asarray(placed), np.asarray(full), calendar, clock)
    if np.isnat(end):
        return []
    # A term that runs out at midnight ends with the day before it.
    first_day, last_day = np.asarray(start, "datetime64[D]"), np.asarray(end - _SECOND, "datetime64[D]")
    days = first_day + np.arange(int((last_day - first_day).astype(np.int64)) + 1)
    dates: list[dt.date] = days.tolist()
    reasons = [_why_not(term, date, dates[0], calendar) for date in dates]
    numbers = np.cumsum([not reason for reason in reasons]).tolist()
    hours = _hours(term, np.maximum(days, start), np.minimum(days + _DAY, end), calendar, clock)
    return [
        CountedDay(
            date,
            _WEEKDAYS[date.weekday()],
            number if term.counts_days and not reason else None,
            None if term.counts_days else round(hours_on_it, 4),
            reason,
            () if reason else _flags(term, date, calendar),
        )
        for date, reason, number, hours_on_it in zip(dates, reasons, numbers, hours, strict=True)
    ]


def _why_not(term: StayTerm, date: dt.date, first: dt.date, calendar: Calendar) -> str:
    if date == first and term.first_day == "excluded":
        return _BASE_DAY[term.trigger]
    if not _in_business_time(term) or (date == first and term.first_day == "included_any_day"):
        return ""
    kind = DayKind(int(calendar.day_kind(np.asarray(date, "datetime64[D]"))))
    if kind is DayKind.HOLIDAY:
        return f"feriado: {calendar.holidays_on(date)[0].name}"
    return "" if kind is DayKind.BUSINESS_DAY else _WEEKDAYS[date.weekday()]


def _hours(term: StayTerm, start: Times, end: Times, calendar: Calendar, clock: ZoneClock) -> list[float]:
    """Return the hours of the term that pass from each start to each end."""
    if _in_business_time(term):
        seconds = seconds_between(_BUSINESS_TIME, start, end, calendar)
    else:
        seconds = (clock.to_utc(end) - clock.to_utc(start)).astype(np.int64)
    hours: list[float] = (seconds / _HOUR_S).tolist()
    return hours


def _flags(term: StayTerm, date: dt.date, calendar: Calendar) -> tuple[str, ...]:
    if not _in_business_time(term):
        return ()
    flags = [
        _DOUBT[rule.status].format(rule=rule) for rule in calendar.holidays_on(date) if rule.status in _DOUBT
    ]
    if not calendar.is_verified(np.asarray(date, "datetime64[D]")):
        flags.append(f"os feriados de {date.year} não foram conferidos")
    return tuple(flags)


def _in_business_time(term: StayTerm) -> bool:
    return term.unit in ("business_days", "business_hours")
