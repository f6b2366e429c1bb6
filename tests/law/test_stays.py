"""Deadlines of stays: vectors of the law, exact limits, a slow oracle, and properties."""

from __future__ import annotations

import csv
import datetime as dt
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from geocheck.cities import HolidayRule, load_city
from geocheck.law.calendar import Calendar, calendar_of
from geocheck.law.clock import zone_clock
from geocheck.law.stays import CountedDay, StayTerm, deadline, explain

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = zone_clock("America/Sao_Paulo")
NEVER = "NaT"


def days(limit: int, first_day: str, unit: str = "business_days", trigger: str = "placed") -> StayTerm:
    return StayTerm.model_validate(
        {"unit": unit, "limit_days": limit, "first_day": first_day, "trigger": trigger}
    )


def hours(limit: int, unit: str, trigger: str = "placed") -> StayTerm:
    return StayTerm.model_validate({"unit": unit, "limit_h": limit, "trigger": trigger})


GYN = days(5, "excluded")
GYN_FULL = hours(24, "running_hours", "full")
JDF = days(3, "included")
JDF_STRICT = days(3, "included_any_day")
DVZ = hours(72, "business_hours")
DVZ_STRICT = hours(72, "running_hours")
GOIANIA = calendar_of(load_city("goiania"))


def at(text: str) -> np.ndarray[Any, Any]:
    return np.asarray(text, "datetime64[s]")


def last(city: str, term: StayTerm, placed: str, full: str = NEVER) -> str:
    return str(deadline(term, at(placed), at(full), calendar_of(load_city(city)), CLOCK))


@pytest.mark.parametrize(
    ("city", "term", "placed", "full", "expected"),
    [
        ("goiania", GYN, "2026-10-23T10:00", NEVER, "2026-10-30T23:59:59"),  # vector 8
        ("goiania", days(5, "included"), "2026-10-23T10:00", NEVER, "2026-10-29T23:59:59"),  # its advice
        ("goiania", GYN_FULL, "2026-10-23T10:00", "2026-10-27T16:00", "2026-10-28T16:00:00"),  # 9
        ("juiz-de-fora", JDF, "2026-06-01T10:00", NEVER, "2026-06-03T23:59:59"),  # 10
        ("juiz-de-fora", JDF, "2026-06-03T10:00", NEVER, "2026-06-08T23:59:59"),  # 11
        ("juiz-de-fora", JDF, "2026-06-06T10:00", NEVER, "2026-06-10T23:59:59"),  # 12
        ("juiz-de-fora", JDF_STRICT, "2026-06-06T10:00", NEVER, "2026-06-09T23:59:59"),  # its strict reading
        ("dois-vizinhos", DVZ, "2026-08-07T10:00", NEVER, "2026-08-12T10:00:00"),  # 13
        ("dois-vizinhos", DVZ_STRICT, "2026-08-07T10:00", NEVER, "2026-08-10T10:00:00"),  # its strict reading
        ("dois-vizinhos", DVZ, "2026-11-18T15:00", NEVER, "2026-11-24T15:00:00"),  # 14
    ],
)
def test_vectors_of_the_law(city: str, term: StayTerm, placed: str, full: str, expected: str) -> None:
    assert last(city, term, placed, full) == expected


CASE_65 = [
    ("JDF", "2026-06-03", "2026-06-08"),
    ("GYN", "2026-06-03", "2026-06-10"),
    ("GYN", "2026-11-16", "2026-11-24"),
    ("JDF", "2026-02-13", "2026-02-17"),
    ("GYN", "2026-10-22", "2026-10-29"),
    ("JDF", "2026-04-02", "2026-04-07"),
]
SHORT = {"JDF": ("juiz-de-fora", JDF), "GYN": ("goiania", GYN)}


@pytest.mark.parametrize(("short", "placed", "last_day"), CASE_65)
def test_case_65(short: str, placed: str, last_day: str) -> None:
    assert last(*SHORT[short], placed) == f"{last_day}T23:59:59"


def test_case_65_from_its_file(shared_cases: Path) -> None:
    with (shared_cases / "65-holiday-tables" / "expected.csv").open(encoding="utf-8") as file:
        rows = [(row["city"], row["placed"], row["last_day"]) for row in csv.DictReader(file)]
    assert rows == CASE_65
    for short, placed, last_day in rows:
        assert last(*SHORT[short], placed) == f"{last_day}T23:59:59"


@pytest.mark.parametrize(
    ("city", "term", "placed", "expected"),
    [
        # the first and the last second of the day of placing
        ("goiania", GYN, "2026-10-23T00:00:00", "2026-10-30T23:59:59"),
        ("goiania", GYN, "2026-10-23T23:59:59", "2026-10-30T23:59:59"),
        ("goiania", GYN, "2026-10-24T00:00:00", "2026-10-30T23:59:59"),
        ("goiania", GYN, "2026-10-26T00:00:00", "2026-11-03T23:59:59"),  # Finados, and the month's end
        ("goiania", GYN, "2026-12-30T10:00:00", "2027-01-07T23:59:59"),  # the year's end
        ("goiania", GYN, "2028-02-25T10:00:00", "2028-03-03T23:59:59"),  # a leap day, a Tuesday
        ("goiania", GYN, "2023-11-17T10:00:00", "2023-11-24T23:59:59"),  # 20 November still a business day
        ("goiania", GYN, "2024-11-18T10:00:00", "2024-11-26T23:59:59"),  # and no longer
        ("goiania", GYN, "2026-02-13T10:00:00", "2026-02-20T23:59:59"),  # Carnival counts
        ("goiania", GYN, "2026-03-30T10:00:00", "2026-04-07T23:59:59"),  # Good Friday does not
        ("juiz-de-fora", JDF, "2027-05-26T10:00:00", "2027-05-31T23:59:59"),  # Corpus Christi of 2027
        ("dois-vizinhos", DVZ, "2026-08-08T10:00:00", "2026-08-13T00:00:00"),  # on a Saturday
        (
            "dois-vizinhos",
            DVZ,
            "2026-08-05T00:00:00",
            "2026-08-08T00:00:00",
        ),  # out at midnight, not on Monday
        ("dois-vizinhos", DVZ, "2026-08-05T00:00:01", "2026-08-10T00:00:01"),
        ("dois-vizinhos", DVZ, "2026-08-04T23:59:59", "2026-08-07T23:59:59"),
        ("goiania", days(5, "excluded", "calendar_days"), "2026-02-27T10:00:00", "2026-03-04T23:59:59"),
        ("goiania", days(5, "included", "calendar_days"), "2026-02-27T10:00:00", "2026-03-03T23:59:59"),
        (
            "goiania",
            days(1, "included_any_day", "calendar_days"),
            "2026-02-28T10:00:00",
            "2026-02-28T23:59:59",
        ),
        ("goiania", days(1, "included"), "2026-08-07T10:00:00", "2026-08-07T23:59:59"),
        ("goiania", days(1, "included"), "2026-08-08T10:00:00", "2026-08-10T23:59:59"),
        ("goiania", days(1, "included_any_day"), "2026-08-08T10:00:00", "2026-08-08T23:59:59"),
        ("goiania", days(2, "included_any_day"), "2026-08-08T10:00:00", "2026-08-10T23:59:59"),
        # real hours over the start (4 November) and the end (17 February) of daylight saving in 2018
        ("goiania", hours(24, "running_hours"), "2018-11-03T10:00:00", "2018-11-04T11:00:00"),
        ("goiania", hours(24, "running_hours"), "2018-02-17T10:00:00", "2018-02-18T09:00:00"),
        ("goiania", hours(24, "running_hours"), "2018-02-17T23:30:00", "2018-02-18T22:30:00"),
        ("goiania", days(1, "excluded", "calendar_days"), "2018-02-16T10:00:00", "2018-02-17T23:59:59"),
        ("goiania", DVZ, "2018-11-01T10:00:00", "2018-11-07T10:00:00"),  # wall time, Finados on the Friday
    ],
)
def test_exact_limits(city: str, term: StayTerm, placed: str, expected: str) -> None:
    assert last(city, term, placed) == expected


def test_a_trigger_that_has_not_come_gives_no_deadline() -> None:
    placed = np.array(["2026-10-23T10:00", "NaT"], "datetime64[s]")
    for term in (GYN, JDF, JDF_STRICT, DVZ, DVZ_STRICT, days(2, "included", "calendar_days")):
        assert np.isnat(deadline(term, placed, at(NEVER), GOIANIA, CLOCK)).tolist() == [False, True]
    assert np.isnat(deadline(GYN_FULL, placed, at(NEVER), GOIANIA, CLOCK)).all()
    assert explain(GYN_FULL, placed[0], np.datetime64("NaT", "s"), GOIANIA, CLOCK) == []


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ({"unit": "business_days", "first_day": "included"}, "dê limit_days"),
        ({"unit": "business_days", "limit_h": 5, "first_day": "included"}, "dê limit_days"),
        ({"unit": "business_days", "limit_days": 5, "limit_h": 5, "first_day": "included"}, "dê limit_days"),
        ({"unit": "running_hours", "limit_days": 5}, "dê limit_h"),
        ({"unit": "calendar_days", "limit_days": 5}, "falta first_day"),
        ({"unit": "business_hours", "limit_h": 5, "first_day": "included"}, "só cabe em prazos em dias"),
        ({"unit": "business_days", "limit_days": 0, "first_day": "included"}, "greater than 0"),
        ({"unit": "business_days", "limit_days": "5", "first_day": "included"}, "valid integer"),
        ({"unit": "business_days", "limit_days": True, "first_day": "included"}, "valid integer"),
        ({"unit": "weeks", "limit_days": 5, "first_day": "included"}, "business_days"),
    ],
)
def test_a_wrong_term_is_refused(sheet: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        StayTerm.model_validate(sheet)


def told(city: str, term: StayTerm, placed: str, full: str = NEVER) -> list[CountedDay]:
    calendar = calendar_of(load_city(city))
    return explain(term, np.datetime64(placed, "s"), np.datetime64(full, "s"), calendar, CLOCK)


def test_the_count_is_told_day_by_day() -> None:
    assert [(day.date.day, day.number, day.why_not) for day in told("goiania", GYN, "2026-10-23T10:00")] == [
        (23, None, "dia da colocação"),
        (24, None, "feriado: Aniversário de Goiânia"),
        (25, None, "domingo"),
        (26, 1, ""),
        (27, 2, ""),
        (28, 3, ""),
        (29, 4, ""),
        (30, 5, ""),
    ]


def test_the_first_day_counts_when_the_law_says_so() -> None:
    assert [(day.weekday, day.number, day.why_not) for day in told("juiz-de-fora", JDF, "2026-06-06")] == [
        ("sábado", None, "sábado"),
        ("domingo", None, "domingo"),
        ("segunda-feira", 1, ""),
        ("terça-feira", 2, ""),
        ("quarta-feira", 3, ""),
    ]
    strict = told("juiz-de-fora", JDF_STRICT, "2026-06-06")
    assert [(day.weekday, day.number) for day in strict] == [
        ("sábado", 1),
        ("domingo", None),
        ("segunda-feira", 2),
        ("terça-feira", 3),
    ]


def test_hours_are_told_day_by_day() -> None:
    assert [
        (day.date.day, day.hours, day.why_not) for day in told("dois-vizinhos", DVZ, "2026-11-18T15:00")
    ] == [
        (18, 9.0, ""),
        (19, 24.0, ""),
        (20, 0.0, "feriado: Consciência Negra"),
        (21, 0.0, "sábado"),
        (22, 0.0, "domingo"),
        (23, 24.0, ""),
        (24, 15.0, ""),
    ]
    over_dst = told("goiania", hours(48, "running_hours"), "2018-11-03T10:00")
    assert [day.hours for day in over_dst] == [14.0, 23.0, 11.0]
    midnight = told("dois-vizinhos", DVZ, "2026-08-05")
    assert [day.date.day for day in midnight] == [5, 6, 7]


def test_doubtful_days_are_flagged_with_their_source() -> None:
    carnival = {day.date.isoformat(): day.flags for day in told("goiania", GYN, "2026-02-13")}
    assert carnival["2026-02-16"][0].startswith(
        "conta como dia útil; ponto facultativo: Carnaval (segunda-feira) ("
    )
    assert carnival["2026-02-19"] == ()
    uncertain = {day.date.isoformat(): day.flags for day in told("rio-verde", GYN, "2026-08-03")}
    assert uncertain["2026-08-05"][0].startswith(
        "conta como dia útil; feriado não confirmado: Aniversário de Rio Verde (177 anos em 2025"
    )
    late = told("goiania", GYN, "2033-03-07")
    assert late[1].flags == ("os feriados de 2033 não foram conferidos",)
    # What is no business day either way, or counts in any case, is not doubtful.
    assert not any(day.flags for day in told("goiania", DVZ_STRICT, "2026-02-13"))
    assert told("dois-vizinhos", GYN, "2026-11-27")[1].flags == ()


TERMS = st.one_of(
    st.builds(
        days,
        st.integers(1, 30),
        st.sampled_from(["excluded", "included", "included_any_day"]),
        st.sampled_from(["business_days", "calendar_days"]),
    ),
    st.builds(hours, st.integers(1, 200), st.sampled_from(["running_hours", "business_hours"])),
)
ANY_TIME = st.datetimes(dt.datetime(2017, 1, 1), dt.datetime(2040, 1, 1)).map(  # noqa: DTZ001 - wall times
    lambda time: time.replace(microsecond=0, fold=0)
)
SINCE_2020 = ANY_TIME.filter(lambda time: time.year >= 2020)  # no daylight saving since


def slow_deadline(term: StayTerm, placed: dt.datetime, holidays: frozenset[dt.date]) -> dt.datetime:
    """Count the slow and obvious way, one date after the other."""
    if term.unit == "running_hours":
        zone = ZoneInfo("America/Sao_Paulo")
        utc = placed.replace(tzinfo=zone).astimezone(dt.UTC) + dt.timedelta(hours=term.limit_h or 0)
        return utc.astimezone(zone).replace(tzinfo=None)
    if term.unit == "business_hours":
        return slow_business_hours(dt.timedelta(hours=term.limit_h or 0), placed, holidays)
    date, count = placed.date(), 0
    while True:
        counts = term.unit == "calendar_days" or is_business_day(date, holidays)
        if date == placed.date() and term.first_day != "included":
            counts = term.first_day == "included_any_day"
        count += counts
        if count == term.limit_days:
            return dt.datetime.combine(date, dt.time(23, 59, 59))
        date += dt.timedelta(days=1)


def slow_business_hours(left: dt.timedelta, now: dt.datetime, holidays: frozenset[dt.date]) -> dt.datetime:
    while True:
        midnight = dt.datetime.combine(now.date() + dt.timedelta(days=1), dt.time())
        if is_business_day(now.date(), holidays):
            if now + left <= midnight:
                return now + left
            left -= midnight - now
        now = midnight


def is_business_day(date: dt.date, holidays: frozenset[dt.date]) -> bool:
    return date.weekday() < 5 and date not in holidays


def certain(city: str) -> frozenset[dt.date]:
    found = (
        rule.day_in(year)
        for rule in load_city(city).holidays
        if rule.status == "holiday"
        for year in range(2016, 2043)
    )
    return frozenset(day for day in found if day is not None)


CERTAIN = {city: certain(city) for city in ("goiania", "juiz-de-fora", "dois-vizinhos", "olinda")}


@given(st.sampled_from(sorted(CERTAIN)), TERMS, ANY_TIME)
def test_deadlines_agree_with_the_slow_count(city: str, term: StayTerm, placed: dt.datetime) -> None:
    wanted = slow_deadline(term, placed, CERTAIN[city])
    assert last(city, term, placed.isoformat()) == wanted.isoformat()


@given(TERMS, ANY_TIME)
def test_the_telling_adds_up_to_the_term(term: StayTerm, placed: dt.datetime) -> None:
    counted = told("juiz-de-fora", term, placed.isoformat())
    assert counted[0].date == placed.date()
    if term.counts_days:
        numbers = [day.number for day in counted if day.number]
        assert numbers == list(range(1, (term.limit_days or 0) + 1))
        assert counted[-1].number == term.limit_days
    elif placed.year >= 2020:
        assert sum(day.hours or 0 for day in counted) == pytest.approx(term.limit_h, abs=0.01)
    for day in counted:
        assert bool(day.why_not) != bool(day.number or day.hours)


@given(TERMS, SINCE_2020, st.integers(0, 5_000_000))
def test_a_later_placing_never_ends_earlier(term: StayTerm, placed: dt.datetime, later_s: int) -> None:
    later = placed + dt.timedelta(seconds=later_s)
    assert last("goiania", term, placed.isoformat()) <= last("goiania", term, later.isoformat())


@given(
    TERMS.filter(lambda term: term.unit.startswith("business")),
    SINCE_2020.filter(lambda time: time.year < 2035),
    st.integers(0, 40),
)
def test_more_holidays_never_shorten_a_stay(term: StayTerm, placed: dt.datetime, after_days: int) -> None:
    city = load_city("goiania")
    more = HolidayRule.model_validate(
        {
            "name": "Mais um",
            "date": placed.date() + dt.timedelta(days=after_days),
            "status": "holiday",
            "scope": "municipal",
            "source": "teste",
        }
    )
    # "Included" moves day 1; "included_any_day" does not: all three must hold.
    longer = Calendar((*city.holidays, more), city.verified_years)
    wall = at(placed.isoformat())
    assert deadline(term, wall, at(NEVER), longer, CLOCK) >= deadline(term, wall, at(NEVER), GOIANIA, CLOCK)


@given(TERMS, st.lists(ANY_TIME, min_size=1, max_size=8))
def test_one_stay_answers_like_many(term: StayTerm, placed: list[dt.datetime]) -> None:
    column = np.array(placed, "datetime64[s]")
    many = deadline(term, column, at(NEVER), GOIANIA, CLOCK)
    assert many.shape == column.shape
    assert many.astype(str).tolist() == [last("goiania", term, each.isoformat()) for each in placed]


@given(st.sampled_from([GYN, JDF, DVZ]), SINCE_2020)
def test_an_uncertain_or_optional_day_changes_no_deadline(term: StayTerm, placed: dt.datetime) -> None:
    city = load_city("rio-verde")
    assume(placed.year < 2039)
    sure = Calendar(tuple(rule for rule in city.holidays if rule.status == "holiday"), city.verified_years)
    wall = at(placed.isoformat())
    assert deadline(term, wall, at(NEVER), sure, CLOCK) == deadline(
        term, wall, at(NEVER), calendar_of(city), CLOCK
    )


@pytest.mark.prove
@pytest.mark.parametrize("term", [GYN, JDF, JDF_STRICT, DVZ, DVZ_STRICT], ids=str)
@pytest.mark.parametrize("city", ["dois-vizinhos", "goiania", "juiz-de-fora"])
def test_every_hour_of_the_verified_years_agrees_with_the_slow_count(city: str, term: StayTerm) -> None:
    """61,368 placings a city and term, on the hour and one second before it."""
    hour, second = dt.timedelta(hours=1), dt.timedelta(seconds=1)
    start = dt.datetime(2024, 1, 1)  # noqa: DTZ001 (wall time)
    placed = [start + number * hour - (number % 2) * second for number in range(7 * 8766 + 6)]
    holidays = certain(city)
    expected = np.array([slow_deadline(term, each, holidays) for each in placed], "datetime64[s]")
    column = np.array(placed, "datetime64[s]")
    never = np.full(len(placed), np.datetime64("NaT", "s"))
    np.testing.assert_array_equal(
        deadline(term, column, never, calendar_of(load_city(city)), CLOCK), expected
    )
