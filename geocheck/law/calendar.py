"""A city's calendar: which days are business days, Saturdays, Sundays or holidays, and how sure that is."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geocheck.cities import FIRST_YEAR, LAST_YEAR, HolidayRule, HolidayStatus

if TYPE_CHECKING:
    from geocheck.cities import City

Dates: TypeAlias = NDArray[np.datetime64]
"""Local dates (`datetime64[D]`), any shape."""

_TABLE_YEARS: Final = range(FIRST_YEAR - 1, LAST_YEAR + 2)
"""A year more on either side: a stay that begins on the last day accepted ends later."""

_STRENGTH: Final = tuple(HolidayStatus)
_SATURDAY: Final = 5


class DayKind(IntEnum):
    """What a day is to the law; a holiday on a Saturday is a holiday."""

    BUSINESS_DAY = 0
    SATURDAY = 1
    SUNDAY = 2
    HOLIDAY = 3


@dataclass(frozen=True, slots=True)
class DatedHoliday:
    """A holiday rule on the day on which it falls."""

    date: dt.date
    rule: HolidayRule


class Calendar:
    """The days of a city, in columns; for dates from 1989 to 2101.

    Only holidays of status `holiday` count as such. Uncertain ones and *pontos facultativos* are business
    days (fewer holidays are the stricter reading in every city so far) and can be asked for by date.
    Build with `calendar_of`, which keeps one for each table of holidays.

    Args:
        holidays: the rules, national ones included.
        verified_years: first and last year for which somebody checked them.
    """

    def __init__(self, holidays: tuple[HolidayRule, ...], verified_years: tuple[int, int]) -> None:
        self.verified_years = verified_years
        self._by_date = _by_date(holidays)
        certain = [day for day, found in self._by_date.items() if found[0].status is HolidayStatus.HOLIDAY]
        self.busdays = np.busdaycalendar(weekmask="1111100", holidays=np.array(certain, "datetime64[D]"))
        self.first_day = np.datetime64(f"{_TABLE_YEARS[0]}-01-01", "D")
        days = np.arange(self.first_day, np.datetime64(f"{_TABLE_YEARS.stop}-01-01", "D"))
        weekday = _weekdays(days)
        holiday = np.isin(days, np.array(certain, "datetime64[D]"))
        kinds = np.where(weekday < _SATURDAY, DayKind.BUSINESS_DAY, weekday - _SATURDAY + DayKind.SATURDAY)
        self.days = days
        """Every day of the table, `datetime64[D]`, shape (n,)."""
        self.kinds = np.where(holiday, DayKind.HOLIDAY, kinds).astype(np.uint8)
        """The `DayKind` of each of `days`, shape (n,)."""
        self.after_weekday_holiday = np.r_[False, (holiday & (weekday < _SATURDAY))[:-1]]
        """Whether the day before each of `days` is a holiday from Monday to Friday, shape (n,)."""

    def day_kind(self, dates: Dates) -> NDArray[np.uint8]:
        """Return the `DayKind` codes of dates.

        Raises:
            ValueError: a date is NaT or outside the table.
        """
        index = (np.asarray(dates, "datetime64[D]") - self.first_day).astype(np.int64)
        if index.size and (index.min() < 0 or index.max() >= self.days.size):
            raise ValueError(f"dates must lie in {_TABLE_YEARS[0]}–{_TABLE_YEARS[-1]} and be known")
        return np.asarray(self.kinds[index])

    def is_business_day(self, dates: Dates) -> NDArray[np.bool_]:
        """Tell which dates are business days: Monday to Friday and no certain holiday."""
        return np.asarray(self.day_kind(dates) == DayKind.BUSINESS_DAY)

    def is_verified(self, dates: Dates) -> NDArray[np.bool_]:
        """Tell for which dates somebody checked the city's holidays."""
        years = np.asarray(dates, "datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
        return np.asarray((years >= self.verified_years[0]) & (years <= self.verified_years[1]))

    def business_day_offset(self, dates: Dates, count: int, roll: Literal["forward", "backward"]) -> Dates:
        """Return the business day `count` business days after each date.

        Args:
            dates: NaT stays NaT.
            count: 0 or more.
            roll: to which business day a date that is none is moved first: the next or the last one.
        """
        # numpy raises on NaT unless told how to roll, and leaves it NaT when it is told.
        moved = np.busday_offset(np.asarray(dates, "datetime64[D]"), count, roll=roll, busdaycal=self.busdays)
        return np.asarray(moved)

    def holidays_on(self, date: dt.date) -> tuple[HolidayRule, ...]:
        """Return what is known of a date: holidays first, then uncertain ones, then optional ones."""
        return self._by_date.get(date, ())

    def holidays_between(self, first: dt.date, last: dt.date) -> tuple[DatedHoliday, ...]:
        """Return all holidays, uncertain and optional days from `first` to `last`, both included, by date."""
        dates = (first + dt.timedelta(days=n) for n in range((last - first).days + 1))
        return tuple(DatedHoliday(date, rule) for date in dates for rule in self.holidays_on(date))


def calendar_of(city: City) -> Calendar:
    """Return the calendar of a city; the same one for the same holidays."""
    return _calendar(city.holidays, city.verified_years)


@lru_cache(maxsize=64)
def _calendar(holidays: tuple[HolidayRule, ...], verified_years: tuple[int, int]) -> Calendar:
    return Calendar(holidays, verified_years)


def _by_date(holidays: tuple[HolidayRule, ...]) -> dict[dt.date, tuple[HolidayRule, ...]]:
    found: dict[dt.date, list[HolidayRule]] = {}
    for rule in sorted(holidays, key=lambda rule: _STRENGTH.index(rule.status)):
        for year in _TABLE_YEARS:
            day = rule.day_in(year)
            if day is not None:
                found.setdefault(day, []).append(rule)
    return {day: tuple(rules) for day, rules in found.items()}


def _weekdays(days: Dates) -> NDArray[np.int64]:
    """Return 0 for Monday … 6 for Sunday; 1 January 1970 was a Thursday."""
    return np.asarray((days.astype(np.int64) + 3) % 7)
