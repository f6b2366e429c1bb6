"""A city's data sheet: identity, coordinate systems, time zone, holidays, default widths, rulebooks."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from calendar import isleap
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeVar
from zoneinfo import available_timezones

from dateutil.easter import easter
from pydantic import AfterValidator, Field, StringConstraints, ValidationError, model_validator

from geocheck.errors import DataFileError, Problem, UnknownNameError, did_you_mean
from geocheck.files import data_folder
from geocheck.model.base import Frozen
from geocheck.toml_files import model_keys, problems_of, read_toml, validated

if TYPE_CHECKING:
    from geocheck.toml_files import Loc

FIRST_YEAR: Final = 1990
LAST_YEAR: Final = 2100
"""The years in which dates are accepted, holidays tabulated and zone rules known."""

_LEAP_YEAR: Final = 2024


def _known_zone(name: str) -> str:
    zones = available_timezones()
    if name not in zones:
        raise ValueError(f"“{name}” não é um fuso tz{did_you_mean(name, zones)}")
    return name


def _existing_day(month_day: str) -> str:
    try:
        dt.date.fromisoformat(f"{_LEAP_YEAR}-{month_day}")
    except ValueError:
        raise ValueError(f"“{month_day}” não é um dia do ano; escreva “11-20”, mês e dia") from None
    return month_day


def _epsg_code(text: str) -> str:
    if re.fullmatch(r"EPSG:[0-9]{4,6}", text, re.ASCII):
        return text
    number = re.search(r"(?<![0-9])[0-9]{4,6}(?![0-9])", text)
    write = f"EPSG:{number[0]}" if number else "EPSG: e o número, como EPSG:31982"
    raise ValueError(f"“{text}” não é um código de sistema de coordenadas; escreva {write}")


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
EpsgCode = Annotated[str, AfterValidator(_epsg_code)]
Metres = Annotated[float, Field(gt=0, le=100, strict=True)]
Year = Annotated[int, Field(ge=FIRST_YEAR, le=LAST_YEAR, strict=True)]
MonthDay = Annotated[str, StringConstraints(pattern=r"^[0-9]{2}-[0-9]{2}$"), AfterValidator(_existing_day)]
StreetClass = Literal[
    "motorway",
    "trunk",
    "primary",
    "secondary",
    "tertiary",
    "unclassified",
    "residential",
    "living_street",
    "service",
    "road",
    "motorway_link",
    "trunk_link",
    "primary_link",
    "secondary_link",
    "tertiary_link",
    "pedestrian",
    "busway",
]
"""OSM's `highway` values that a default width may be given for."""


class HolidayStatus(StrEnum):
    """How sure it is that nobody counts the day as a business day; the first of several entries wins."""

    HOLIDAY = "holiday"
    UNCERTAIN = "uncertain"
    OPTIONAL = "optional"


class HolidayRule(Frozen):
    """A day that is, may be, or is sometimes taken for a holiday.

    Attributes:
        name: pt-BR, as people call it.
        month_day: `"MM-DD"`, for a day fixed in the year.
        easter_offset_days: days after Easter Sunday (negative before), for a movable feast.
        date: one single day.
        from_year: first year of the holiday; None when it was always one.
        to_year: last year of the holiday.
        status: `holiday`, `uncertain` (counted as a business day and flagged) or `optional`
            (*ponto facultativo*, a business day).
        scope: who decreed it.
        source: law or publication, and how far it is to be trusted.
    """

    name: Text
    month_day: MonthDay | None = None
    easter_offset_days: Annotated[int, Field(ge=-100, le=100, strict=True)] | None = None
    date: dt.date | None = None
    from_year: Annotated[int, Field(ge=1500, le=LAST_YEAR, strict=True)] | None = None
    to_year: Annotated[int, Field(ge=1500, le=LAST_YEAR, strict=True)] | None = None
    status: HolidayStatus
    scope: Literal["national", "state", "municipal"]
    source: Text

    @model_validator(mode="after")
    def _says_one_day(self) -> Self:
        given = [key for key in ("month_day", "easter_offset_days", "date") if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError("dê exatamente uma destas chaves: month_day, easter_offset_days ou date")
        if self.date and (self.from_year or self.to_year):
            raise ValueError("from_year e to_year não cabem num dia único (date)")
        if self.from_year and self.to_year and self.from_year > self.to_year:
            raise ValueError("from_year é depois de to_year")
        return self

    def day_in(self, year: int) -> dt.date | None:
        """Return the day on which it falls in a year, or None when it does not."""
        if self.date is not None:
            return self.date if self.date.year == year else None
        if not (self.from_year or year) <= year <= (self.to_year or year):
            return None
        if self.easter_offset_days is not None:
            return easter(year) + dt.timedelta(days=self.easter_offset_days)
        month, day = map(int, str(self.month_day).split("-"))
        if self.month_day == "02-29" and not isleap(year):
            return None
        return dt.date(year, month, day)


class Bounds(Frozen):
    """The box around a municipality, in degrees (WGS 84)."""

    west: Annotated[float, Field(ge=-180, le=180, strict=True)]
    south: Annotated[float, Field(ge=-90, le=90, strict=True)]
    east: Annotated[float, Field(ge=-180, le=180, strict=True)]
    north: Annotated[float, Field(ge=-90, le=90, strict=True)]
    source: Text

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.west >= self.east or self.south >= self.north:
            raise ValueError("west deve ser menor que east, e south menor que north")
        return self


class LegacyCrs(Frozen):
    """A coordinate system of the city's older maps."""

    crs: EpsgCode
    name: Text


class DefaultWidths(Frozen):
    """Carriageway widths to assume where none is known, in metres by OSM street class: a hypothesis."""

    source: Text
    two_way: dict[StreetClass, Metres]
    one_way: dict[StreetClass, Metres]

    @model_validator(mode="after")
    def _same_classes(self) -> Self:
        lonely = sorted(self.two_way.keys() ^ self.one_way.keys())
        if lonely:
            raise ValueError(
                f"two_way e one_way devem ter as mesmas classes; só uma delas tem: {', '.join(lonely)}"
            )
        return self


class SilencedTopic(Frozen):
    """A topic of the fall-back law that is not asked in this city, and why."""

    topic: Text
    reason: Text


class FallbackLaw(Frozen):
    """The law that answers where the city's own rulebooks are silent.

    Attributes:
        rulebook: its id.
        topics: subjects on which it counts towards the verdict; on others it is a second opinion.
        silenced: subjects on which it is not heard at all.
        imported_by: the city's own rule that refers to it and whose sanction then answers for a breach; none
            given: it answers by analogy, without a sanction on the skip.
    """

    rulebook: Slug
    topics: tuple[Text, ...]
    silenced: tuple[SilencedTopic, ...]
    imported_by: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2,4}-[0-9]{2}$")] | None = None


class City(Frozen):
    """A city's data sheet.

    Attributes:
        id: slug, the name of its file.
        name: as people write it.
        state: UF, for Brazilian cities.
        ibge_code: the 7 digits of the municipality.
        crs: the metric coordinate system everything is measured in.
        legacy_crs: what older maps of the city may be in.
        time_zone: name in the tz database.
        bounds: box around the municipality.
        driving_side: the side on which traffic drives.
        max_footway_m: the widest footway of the city, in metres.
        max_footway_source: where that number comes from.
        default_footway_m: footway, from the kerb to the block, to assume where only the blocks are known.
        default_footway_accuracy_m: 95 % of the city's footways differ less from it.
        default_footway_source: where the two come from.
        default_width_m: carriageway widths to assume.
        rulebooks: ids of the city's own rulebooks, in the order in which they are asked.
        fallback: the law that answers where they are silent.
        national_holidays: name of a shared list of holidays, put before the city's own.
        holidays: all the holidays once loaded, national ones included.
        verified_years: first and last year for which somebody checked the holidays.
    """

    id: Slug
    name: Text
    state: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")] | None = None
    ibge_code: Annotated[str, StringConstraints(pattern=r"^[0-9]{7}$")] | None = None
    crs: EpsgCode
    legacy_crs: tuple[LegacyCrs, ...] = ()
    time_zone: Annotated[str, AfterValidator(_known_zone)]
    bounds: Bounds
    driving_side: Literal["right", "left"]
    max_footway_m: Metres
    max_footway_source: Text
    default_footway_m: Metres
    default_footway_accuracy_m: Metres
    default_footway_source: Text
    default_width_m: DefaultWidths
    rulebooks: tuple[Slug, ...]
    fallback: FallbackLaw | None = None
    national_holidays: Slug | None = None
    holidays: tuple[HolidayRule, ...] = ()
    verified_years: tuple[Year, Year]

    @model_validator(mode="after")
    def _footways_in_order(self) -> Self:
        if self.default_footway_m > self.max_footway_m:
            raise ValueError("default_footway_m é maior que max_footway_m")
        return self

    @model_validator(mode="after")
    def _years_in_order(self) -> Self:
        if self.verified_years[0] > self.verified_years[1]:
            raise ValueError("verified_years: o primeiro ano é depois do último")
        return self


class _HolidaySheet(Frozen):
    holidays: tuple[HolidayRule, ...]


def city_names() -> tuple[str, ...]:
    """Return the slugs of the cities that come with geocheck, sorted."""
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


def load_city(name_or_path: str) -> City:
    """Load a city by name (case, accents and spaces are forgiven) or by the path of a sheet of one's own.

    Whatever ends in `.toml` or holds a path separator is a path.

    Raises:
        UnknownNameError: no city has that name.
        DataFileError: the sheet, or the national list it names, has problems; all of them are listed.
    """
    if name_or_path.endswith(".toml") or "/" in name_or_path or "\\" in name_or_path:
        return _read_city(Path(name_or_path))
    return shipped_city(name_or_path)


def shipped_city(name: str) -> City:
    """Load one of geocheck's own cities by name; nothing that a stranger sends is taken for a path.

    Raises:
        UnknownNameError: no city has that name.
    """
    names = city_names()
    slug = _slug(name)
    if slug not in names:
        raise UnknownNameError("city", name, names)
    return _shipped_city(slug)


@cache
def _shipped_city(slug: str) -> City:
    return _read_city(_folder() / f"{slug}.toml")


def _folder() -> Path:
    return data_folder() / "cities"


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "-".join(plain.casefold().replace("_", " ").replace("-", " ").split())


def _read_city(path: Path) -> City:
    city = _validated(City, path)
    if city.national_holidays is None:
        return city
    folder = _folder() / "feriados"
    lists = {each.stem: each for each in folder.glob("*.toml")}
    if city.national_holidays not in lists:
        message = f"“{city.national_holidays}” não existe; há: {', '.join(sorted(lists))}"
        raise DataFileError([Problem(path.name, "", "national_holidays", message)])
    national = _validated(_HolidaySheet, lists[city.national_holidays])
    return city.model_copy(update={"holidays": national.holidays + city.holidays})


_Sheet = TypeVar("_Sheet", bound=Frozen)


def _validated(model: type[_Sheet], path: Path) -> _Sheet:
    raw = read_toml(path)
    try:
        return validated(model, raw)
    except ValidationError as error:
        problems = problems_of(error, path.name, lambda loc: _locate(raw, loc), model_keys(model))
        raise DataFileError(problems) from error


def _locate(raw: dict[str, Any], loc: Loc) -> tuple[str, str]:
    """Name the holiday in which the problem lies; elsewhere the key says enough."""
    if len(loc) > 1 and loc[0] == "holidays" and isinstance(loc[1], int):
        entry = raw["holidays"][loc[1]]
        name = entry.get("name", "sem nome") if isinstance(entry, dict) else "?"
        return f"feriado {loc[1] + 1} ({name})", ".".join(map(str, loc[2:]))
    return "", ".".join(str(step) for step in loc if step != "[key]")
