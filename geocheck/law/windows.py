"""Hours of the day in which a rule binds or allows, by kind of day, and what a stay has to do with them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, Self

import numpy as np
from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from geocheck.law.calendar import DayKind
from geocheck.model.base import Frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.law.calendar import Calendar
    from geocheck.law.clock import Times

DAY_S: Final = 86_400
_SECOND: Final = np.timedelta64(1, "s")
_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")

DayName = Literal["business_day", "saturday", "sunday", "holiday"]
_KINDS: Final = {
    "business_day": DayKind.BUSINESS_DAY,
    "saturday": DayKind.SATURDAY,
    "sunday": DayKind.SUNDAY,
    "holiday": DayKind.HOLIDAY,
}
_DAYS_PT: Final = {
    "business_day": "dias úteis",
    "saturday": "sábados",
    "sunday": "domingos",
    "holiday": "feriados",
}


def _seconds(value: object) -> int:
    if value == "24:00":
        return DAY_S
    match = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f"“{value}” não é uma hora do dia; escreva “07:00”, entre “00:00” e “24:00”")
    return int(match[1]) * 3600 + int(match[2]) * 60


def _hhmm(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds % 3600 // 60:02d}"


ClockTime = Annotated[int, BeforeValidator(_seconds), PlainSerializer(_hhmm, return_type=str)]
"""Seconds since local midnight, written `"HH:MM"`."""


class Window(Frozen):
    """Hours of some kinds of day, by the wall clock.

    Attributes:
        days: kinds of day; a holiday is a holiday on whatever day of the week it falls.
        opens: key `from`, seconds since local midnight.
        closes: key `to`, seconds since local midnight, later than `opens`; `"24:00"` is the day's end.
        after: `weekday_holiday` keeps only the days whose eve is a holiday from Monday to Friday.
    """

    days: Annotated[tuple[DayName, ...], Field(min_length=1)]
    opens: Annotated[ClockTime, Field(alias="from")]
    closes: Annotated[ClockTime, Field(alias="to")]
    after: Literal["weekday_holiday"] | None = None

    @model_validator(mode="after")
    def _within_one_day(self) -> Self:
        if len(set(self.days)) < len(self.days):
            raise ValueError("days: há dias repetidos")
        if self.opens >= self.closes:
            raise ValueError(
                "from deve ser antes de to; se a janela passa da meia-noite, divida-a em duas: "
                "uma até “24:00” e outra a partir de “00:00”"
            )
        return self


class Touch(NamedTuple):
    """Whether stays touch windows.

    Attributes:
        yes: the stay surely touches a window.
        known: False where the start or the end is unknown and may decide; `yes` is then False.
    """

    yes: NDArray[np.bool_]
    known: NDArray[np.bool_]


def touches(windows: tuple[Window, ...], start: Times, end: Times, calendar: Calendar) -> Touch:
    """Tell which stays touch a window, whose two ends do not belong to it (7:00 sharp may still be free).

    A stay of no length touches when it lies inside. With an unknown end (NaT) a stay touches for sure when
    it does so within its first second; with an unknown start, within its last; else it is not known.

    Args:
        windows: in any order; they may overlap.
        start: local wall times, `datetime64[s]`.
        end: local wall times, not before `start`; broadcast against it.
        calendar: of the city.

    Raises:
        ValueError: an end lies before its start.
    """
    start, end = np.broadcast_arrays(np.asarray(start, "datetime64[s]"), np.asarray(end, "datetime64[s]"))
    if np.any(end < start):
        raise ValueError("a stay may not end before it starts")
    known = ~np.isnat(start) & ~np.isnat(end)
    first: Times = np.where(np.isnat(start), end - _SECOND, start)
    last: Times = np.where(np.isnat(end), start + _SECOND, end)
    spans = _spans(windows, calendar)
    passing = spans.seconds_until(last) > spans.seconds_until(first)
    yes = passing | ((first == last) & spans.strictly_within(first))
    return Touch(np.asarray(yes), np.asarray(known | yes))


def contains(windows: tuple[Window, ...], times: Times, calendar: Calendar) -> NDArray[np.bool_]:
    """Tell which instants lie in a window, both of whose ends belong to it (8:30 sharp is still in time).

    Args:
        windows: in any order; they may overlap.
        times: local wall times, `datetime64[s]`; NaT answers False, so ask `np.isnat` as well.
        calendar: of the city.
    """
    times = np.asarray(times, "datetime64[s]")
    spans = _spans(windows, calendar)
    return np.asarray(times <= spans.ends[spans.begun(times)])


def next_touch(windows: tuple[Window, ...], start: Times, calendar: Calendar) -> Times:
    """Return until when a stay from `start` on touches no window: `start` itself when it does at once.

    NaT where `start` is, and where no window follows.
    """
    start = np.asarray(start, "datetime64[s]")
    spans = _spans(windows, calendar)
    index = spans.begun(start)
    following = spans.starts[np.minimum(index + 1, spans.starts.size - 1)]
    return np.asarray(np.where((start < spans.ends[index]) | np.isnat(start), start, following))


def seconds_between(
    windows: tuple[Window, ...], start: Times, end: Times, calendar: Calendar
) -> NDArray[np.int64]:
    """Return how many seconds of wall clock within the windows pass from `start` to `end` (both known)."""
    spans = _spans(windows, calendar)
    return np.asarray(spans.seconds_until(end) - spans.seconds_until(start))


def advance(windows: tuple[Window, ...], start: Times, seconds: int, calendar: Calendar) -> Times:
    """Return the first instant at which so many seconds within the windows have passed since `start`.

    NaT where `start` is, and where they never pass.

    Args:
        windows: time stands still outside them.
        start: local wall times, `datetime64[s]`.
        seconds: more than 0.
        calendar: of the city.
    """
    start = np.asarray(start, "datetime64[s]")
    spans = _spans(windows, calendar)
    target = np.where(np.isnat(start), 0, spans.seconds_until(start)) + seconds
    index = np.searchsorted(spans.seconds_before, target, side="left") - 1
    reached = spans.starts[index] + (target - spans.seconds_before[index]).astype("timedelta64[s]")
    return np.asarray(np.where(np.isnat(start), start, reached))


def describe(windows: tuple[Window, ...]) -> str:
    """Return the windows in pt-BR (`"dias úteis, 07:00–19:00; sábados, 07:00–13:00"`)."""
    return "; ".join(map(_described, windows))


def _described(window: Window) -> str:
    days = [_DAYS_PT[day] for day in window.days]
    named = " e ".join(filter(None, [", ".join(days[:-1]), days[-1]]))
    after = " (após feriado em dia de semana)" if window.after else ""
    return f"{named}{after}, {_hhmm(window.opens)}–{_hhmm(window.closes)}"


@dataclass(frozen=True, slots=True)
class _Spans:
    """All the windows of all the days of a calendar as one sorted row of disjoint spans.

    The last span is NaT, which numpy sorts last and which equals nothing: it stands for "never", both
    before the first span (as index -1) and after the last one.

    Attributes:
        starts: `datetime64[s]`, shape (n,).
        ends: `datetime64[s]`, shape (n,), each before the next start.
        seconds_before: seconds within the spans before each start, shape (n,).
    """

    starts: Times
    ends: Times
    seconds_before: NDArray[np.int64]

    def begun(self, times: Times) -> NDArray[np.int64]:
        """Return the index of the last span that has begun at each time, -1 before the first."""
        return np.asarray(np.searchsorted(self.starts, times, side="right") - 1)

    def seconds_until(self, times: Times) -> NDArray[np.int64]:
        """Return the seconds within the spans up to each time: it never falls, and stands still outside."""
        index = self.begun(times)
        into = (np.minimum(times, self.ends[index]) - self.starts[index]).astype(np.int64)
        return np.asarray(np.where(index < 0, 0, self.seconds_before[index] + into))

    def strictly_within(self, times: Times) -> NDArray[np.bool_]:
        """Tell which times lie in a span and on neither of its ends."""
        index = self.begun(times)
        return np.asarray((self.starts[index] < times) & (times < self.ends[index]))


@lru_cache(maxsize=128)
def _spans(windows: tuple[Window, ...], calendar: Calendar) -> _Spans:
    days = calendar.days.astype("datetime64[s]")
    chosen = [days[_on(window, calendar)] for window in windows]
    none = np.array([], "datetime64[s]")
    starts = np.concatenate([none, *(at + window.opens for at, window in zip(chosen, windows, strict=True))])
    ends = np.concatenate([none, *(at + window.closes for at, window in zip(chosen, windows, strict=True))])
    order = np.argsort(starts, kind="stable")
    starts, latest_end = starts[order], np.maximum.accumulate(ends[order])
    # Spans that overlap or meet (24:00 and 00:00) are one, so that nothing counts twice.
    fresh = np.r_[True, starts[1:] > latest_end[:-1]][: starts.size]
    starts, ends = starts[fresh], latest_end[np.r_[fresh[1:], True][: starts.size]]
    passed = np.cumsum((ends - starts).astype(np.int64))
    never = np.datetime64("NaT", "s")
    return _Spans(np.r_[starts, never], np.r_[ends, never], np.r_[0, passed])


def _on(window: Window, calendar: Calendar) -> NDArray[np.bool_]:
    chosen = np.isin(calendar.kinds, [_KINDS[day] for day in window.days])
    return np.asarray(chosen & calendar.after_weekday_holiday if window.after else chosen)
