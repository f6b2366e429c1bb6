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

_DAYS: Final = r"[A-Z][a-z](?:-[A-Z][a-z])?"
_HOLIDAY_RULE: Final = re.compile(rf"(?P<before>(?:{_DAYS},)*)PH(?P<after>(?:,{_DAYS})*)(?P<rest>(?: .*)?)")
_BEYOND_US: Final = re.compile(r"\b(SH|sunrise|sunset|dawn|dusk|easter)\b|\|\|")
"""What the library reads without knowing this city's school holidays, sun or alternatives."""

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
    _parsed(hours, field)
    # From the eve on: a rule that wraps over midnight reaches into the first day.
    found = calendar.holidays_between(start.date() - dt.timedelta(days=1), until.date())
    by_status = {status: {day.date for day in found if day.rule.status is status} for status in HolidayStatus}
    sure = by_status[HolidayStatus.HOLIDAY]
    answer = _binds(hours, start, end, tuple(sorted(sure)))
    if answer:
        return True
    # A day that may be a holiday counts as a working day, but does not acquit of a sign for holidays.
    doubtful = tuple(sorted(sure | by_status[HolidayStatus.UNCERTAIN]))
    return answer if _binds(hours, start, end, doubtful) == answer else None


def _binds(
    hours: str, start: dt.datetime, end: dt.datetime | None, holidays: tuple[dt.date, ...]
) -> bool | None:
    rules = _rules(hours, holidays)
    doubtful = end is None or rules is None
    schedule = OpeningHours("; ".join(rules) or "off") if rules is not None else OpeningHours(hours)
    for interval in schedule.intervals(start, end or start + _FIRST_SECOND):
        if interval[2] == State.OPEN and rules is not None:
            return True
        doubtful |= interval[2] == State.UNKNOWN
    return None if doubtful else False


@lru_cache(maxsize=256)
def _parsed(hours: str, field: str) -> OpeningHours:
    example = "Mo-Fr 07:00-19:00; Sa 07:00-13:00; PH off"
    message = f"horário “{hours}” não entendido; escreva como no OSM, por exemplo “{example}”"
    if not hours.strip():
        raise InputError(field, message)
    try:
        return OpeningHours(hours)
    except ParserError:
        raise InputError(field, message) from None


def _rules(hours: str, holidays: tuple[dt.date, ...]) -> list[str] | None:
    """Write every rule for `PH` as one for the dates of our own holidays; the last rule of a day wins.

    None where `PH` stands in a way, or with other words, that we cannot follow: then nobody knows.
    """
    if _BEYOND_US.search(hours):
        return None
    rules = []
    for rule in map(str.strip, hours.split(";")):
        match = _HOLIDAY_RULE.fullmatch(rule)
        if match is None:
            if "PH" in rule:
                return None
            rules.append(rule)
            continue
        if re.search(r"PH|,\s*[A-Z]|[+-]\d+ day", match["rest"]):
            return None
        days = (match["before"] + match["after"]).strip(",").replace(",,", ",")
        if days:
            rules.append(f"{days}{match['rest']}")
        if holidays:
            dates = ",".join(f"{day.year} {_MONTHS[day.month - 1]} {day.day:02d}" for day in holidays)
            rules.append(f"{dates}{match['rest']}")
    return rules
