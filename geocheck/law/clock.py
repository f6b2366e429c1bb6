"""Local time of a city: reads dates as people write them and converts between wall clock and UTC."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from geocheck.cities import FIRST_YEAR, LAST_YEAR
from geocheck.errors import InputError

Times: TypeAlias = NDArray[np.datetime64]
"""Instants to the second (`datetime64[s]`), any shape; NaT where unknown."""

_DAY_S: Final = 86_400
_EXAMPLE: Final = "escreva, por exemplo, 2026-05-05T08:00 ou 05/05/2026 08:00"
_MAX_OFFSET: Final = dt.timedelta(hours=14)
_CLOCK: Final = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,][0-9]+)?)?"
_OFFSET: Final = r"(?P<offset>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?"
_ISO: Final = re.compile(
    rf"(?P<year>[0-9]{{4}})-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}})(?:[Tt ]{_CLOCK} ?{_OFFSET})?"
)
_BRAZILIAN: Final = re.compile(
    rf"(?P<day>[0-9]{{1,2}})/(?P<month>[0-9]{{1,2}})/(?P<year>[0-9]{{4}})(?: {_CLOCK} ?{_OFFSET})?"
)
_LOST_PLUS: Final = re.compile(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt ]{_CLOCK} [0-9]{{2}}:?[0-9]{{2}}")


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant that a user wrote, in the city's time.

    Attributes:
        local: aware, in the city's zone, whole seconds.
        notes: pt-BR, what had to be assumed to read it.
    """

    local: dt.datetime
    notes: tuple[str, ...] = ()

    @property
    def utc(self) -> dt.datetime:
        """The same instant in UTC."""
        return self.local.astimezone(dt.UTC)

    @property
    def wall(self) -> np.datetime64:
        """The wall-clock time as `datetime64[s]`, for columns."""
        return np.datetime64(self.local.replace(tzinfo=None), "s")


class ZoneClock:
    """Wall clock ↔ UTC in one zone, for columns of any size, by a table of the zone's changes.

    The table spans 1990–2100; before and after it the first and last offsets are taken to hold.
    Build with `zone_clock`, which keeps one a zone.

    Args:
        time_zone: name in the tz database.
    """

    def __init__(self, time_zone: str) -> None:
        self.time_zone = time_zone
        self.zone = ZoneInfo(time_zone)
        changes, offsets = _changes(self.zone)
        self._offsets = np.array(offsets, "timedelta64[s]")
        self._changes_utc = np.array(changes, "datetime64[s]")
        before, after = self._offsets[:-1], self._offsets[1:]
        # A wall time that comes twice belongs to the old offset at first and to the new one at last;
        # one that never comes belongs to the old one, which moves it forward by the jump.
        self._changes_first = self._changes_utc + np.maximum(before, after)
        self._changes_last = self._changes_utc + after

    def to_utc(self, wall: Times) -> Times:
        """Return the UTC instants of wall times: the first of two, and a skipped time moved forward."""
        return self._to_utc(wall, self._changes_first)

    def to_utc_last(self, wall: Times) -> Times:
        """Return the UTC instants of wall times, the last of two: for the end of a term."""
        return self._to_utc(wall, self._changes_last)

    def to_local(self, utc: Times) -> Times:
        """Return the wall times of UTC instants."""
        utc = np.asarray(utc, "datetime64[s]")
        return np.asarray(utc + self._offsets[np.searchsorted(self._changes_utc, utc, side="right")])

    def aware(self, wall: np.datetime64) -> dt.datetime:
        """Return one wall time as an aware `datetime`: the first of two."""
        return self._aware(self.to_utc(np.asarray(wall)))

    def aware_last(self, wall: np.datetime64) -> dt.datetime:
        """Return one wall time as an aware `datetime`, the last of two: for the end of a term."""
        return self._aware(self.to_utc_last(np.asarray(wall)))

    def _aware(self, utc: Times) -> dt.datetime:
        seconds = int(utc.astype(np.int64))
        return (dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds)).astimezone(self.zone)

    def _to_utc(self, wall: Times, changes: Times) -> Times:
        wall = np.asarray(wall, "datetime64[s]")
        return np.asarray(wall - self._offsets[np.searchsorted(changes, wall, side="right")])


@cache
def zone_clock(time_zone: str) -> ZoneClock:
    """Return the clock of a zone of the tz database (one a zone; building takes some 0.05 s).

    Raises:
        zoneinfo.ZoneInfoNotFoundError: there is no such zone; a loaded `City` always names one that exists.
    """
    return ZoneClock(time_zone)


def parse_moment(text: str, field: str, clock: ZoneClock) -> Moment:
    """Read a date and time, or a date, as people write it; a date alone is its first instant.

    ISO (`2026-05-05T08:00:00`; seconds and offset optional, a space for the `T`) and Brazilian
    (`05/05/2026 08:00`, day first). Without an offset it is the city's local time. Fractions of a second
    are dropped.

    Args:
        text: what the user wrote.
        field: the request's field, for the error.
        clock: of the city.

    Raises:
        InputError: the text is not understood, the date does not exist, or its year is outside 1990–2100.
    """
    return _parse(text, field, clock, dt.time(0, 0, 0))


def parse_end(text: str, field: str, clock: ZoneClock) -> Moment:
    """Read the end of a stay like `parse_moment`, but take a date alone as its last second.

    Who writes that the skip leaves on Monday has not said that it leaves at the stroke of midnight.

    Raises:
        InputError: as `parse_moment`.
    """
    return _parse(text, field, clock, dt.time(23, 59, 59))


def _parse(text: str, field: str, clock: ZoneClock, hour_of_date: dt.time) -> Moment:
    stripped = text.strip()
    brazilian = _BRAZILIAN.fullmatch(stripped)
    match = brazilian or _ISO.fullmatch(stripped)
    if match is None:
        raise InputError(field, _not_understood(stripped))
    wall = _existing(match, field)
    notes = [f"lido como dia/mês/ano: {wall:%Y-%m-%d}"] if brazilian else []
    if match["hour"] is None:
        wall = dt.datetime.combine(wall, hour_of_date)
        notes.append(f"data sem hora: vale {wall:%H:%M:%S}, hora local ({clock.time_zone})")
        moment = _at_local(wall, clock)
    elif match["offset"]:
        moment = _at_offset(wall, match["offset"], field, clock)
    else:
        notes.append(f"sem fuso: lido como hora local ({clock.time_zone})")
        moment = _at_local(wall, clock)
    _check_year(moment.local.year, field)
    return Moment(moment.local, (*notes, *moment.notes))


def _not_understood(text: str) -> str:
    if _LOST_PLUS.fullmatch(text):
        return f"“{text}”: o “+” do fuso se perdeu (numa URL, escreva %2B); {_EXAMPLE}"
    return f"não entendi a data “{text[:60]}”; {_EXAMPLE}"


def _existing(match: re.Match[str], field: str) -> dt.datetime:
    year, month, day, hour, minute, second = (
        int(match[name] or 0) for name in ("year", "month", "day", "hour", "minute", "second")
    )
    _check_year(year, field)
    try:
        return dt.datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - its zone is found next
    except ValueError:
        raise InputError(field, f"a data ou hora “{match[0]}” não existe; {_EXAMPLE}") from None


def _check_year(year: int, field: str) -> None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise InputError(field, f"o ano {year} está fora de {FIRST_YEAR}–{LAST_YEAR}; {_EXAMPLE}")


def _at_offset(wall: dt.datetime, text: str, field: str, clock: ZoneClock) -> Moment:
    offset = dt.timedelta()
    if text not in "Zz":
        hours, minutes = int(text[1:3]), int(text[3:].removeprefix(":") or 0)
        offset = dt.timedelta(hours=hours, minutes=minutes) * (-1 if text[0] == "-" else 1)
        if minutes >= 60 or abs(offset) > _MAX_OFFSET:  # noqa: PLR2004 - minutes in an hour
            raise InputError(field, f"o fuso “{text}” não existe; {_EXAMPLE}")
    local = wall.replace(tzinfo=dt.timezone(offset)).astimezone(clock.zone)
    if local.utcoffset() == offset:
        return Moment(local)
    return Moment(local, (f"convertido do fuso {text} para a hora local: {local:%Y-%m-%d %H:%M:%S}",))


def _at_local(wall: dt.datetime, clock: ZoneClock) -> Moment:
    local = wall.replace(tzinfo=clock.zone)
    real = local.astimezone(dt.UTC).astimezone(clock.zone)
    if real.replace(tzinfo=None) != wall:
        return Moment(
            real, (f"{wall:%H:%M:%S} não existiu nesse dia (horário de verão): vale {real:%H:%M:%S}",)
        )
    if local.replace(fold=1).utcoffset() != local.utcoffset():
        return Moment(
            real, (f"{wall:%H:%M:%S} aconteceu duas vezes (fim do horário de verão): vale a primeira",)
        )
    return Moment(real)


def _changes(zone: ZoneInfo) -> tuple[list[int], list[int]]:
    """Return the UTC seconds at which the zone's offset changes, and the offsets (one more), in seconds."""

    def offset(second: int) -> int:
        return int((dt.datetime.fromtimestamp(second, zone).utcoffset() or dt.timedelta()).total_seconds())

    def first_with(new: int, day: int) -> int:
        # No zone changes twice a day: from the change on, every second of the day has the new offset.
        return day + bisect_left(range(day, day + _DAY_S), True, key=lambda second: offset(second) == new)

    first = int(dt.datetime(FIRST_YEAR, 1, 1, tzinfo=dt.UTC).timestamp()) - _DAY_S
    last = int(dt.datetime(LAST_YEAR + 1, 1, 1, tzinfo=dt.UTC).timestamp()) + _DAY_S
    changes: list[int] = []
    offsets = [offset(first)]
    for day in range(first, last, _DAY_S):
        new = offset(day + _DAY_S)
        if new != offsets[-1]:
            changes.append(first_with(new, day))
            offsets.append(new)
    return changes, offsets
