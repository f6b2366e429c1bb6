"""Hours written on signs in OSM's `opening_hours` syntax, with our own holidays for `PH`."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from opening_hours import OpeningHours, ParserError, State  # type: ignore[attr-defined] # its stub lacks it

from geocheck.cities import HolidayStatus
from geocheck.errors import InputError

if TYPE_CHECKING:
    from geocheck.law.calendar import Calendar

_HOLIDAY_RULE: Final = re.compile(r"^(?P<before>[A-Za-z,\- ]*?,)?\s*PH(?P<after>,[A-Za-z,\-]+)?(?P<rest>.*)$")
_MONTHS: Final = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_FIRST_SECOND: Final = dt.timedelta(seconds=1)


def sign_binds(
    hours: str, start: dt.datetime, end: dt.datetime | None, calendar: Calendar, field: str
) -> bool | None:
    """Tell whether a sign's hours meet a stay.

    Args:
        hours: OSM `opening_hours` syntax; the hours in which the sign prohibits.
        start: local wall time, naive.
        end: the same, or None when nobody knows it.
        calendar: of the city; its certain holidays are the `PH` of the text.
        field: the request's field, for the error.

    Returns:
        None when it is not known: the end is unknown, or the text leaves the hours open.

    Raises:
        InputError: the text is not understood.
    """
    until = end or start + _FIRST_SECOND
    # From the eve on: a rule that wraps over midnight reaches into the first day.
    found = calendar.holidays_between(start.date() - dt.timedelta(days=1), until.date())
    holidays = tuple(dict.fromkeys(day.date for day in found if day.rule.status is HolidayStatus.HOLIDAY))
    doubtful = end is None
    for interval in _parsed(hours, holidays, field).intervals(start, until):
        if interval[2] == State.OPEN:
            return True
        doubtful |= interval[2] == State.UNKNOWN
    return None if doubtful else False


@lru_cache(maxsize=256)
def _parsed(hours: str, holidays: tuple[dt.date, ...], field: str) -> OpeningHours:
    try:
        OpeningHours(hours)
        return OpeningHours("; ".join(_rules(hours, holidays)) or "off")
    except ParserError:
        example = "Mo-Fr 07:00-19:00; Sa 07:00-13:00; PH off"
        raise InputError(
            field, f"horário “{hours}” não entendido; escreva como no OSM, por exemplo “{example}”"
        ) from None


def _rules(hours: str, holidays: tuple[dt.date, ...]) -> list[str]:
    """Write every rule for `PH` as one for the dates of our own holidays; the last rule of a day wins."""
    rules = []
    for rule in hours.split(";"):
        match = _HOLIDAY_RULE.match(rule.strip())
        if match is None:
            rules.append(rule.strip())
            continue
        days = ((match["before"] or "") + (match["after"] or "")).strip(", ").replace(",,", ",")
        if days:
            rules.append(f"{days}{match['rest']}")
        if holidays:
            dates = ",".join(f"{day.year} {_MONTHS[day.month - 1]} {day.day:02d}" for day in holidays)
            rules.append(f"{dates}{match['rest']}")
    return rules
