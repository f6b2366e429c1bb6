"""Hours written on signs: OSM syntax, our own holidays for `PH`, ends that touch, and what is not known."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.api import check
from geocheck.cities import HolidayRule, load_city
from geocheck.errors import InputError
from geocheck.law.calendar import Calendar, calendar_of
from geocheck.law.sign_hours import sign_binds
from geocheck.model.request import parse_request

FIELD = "observed.attributes.hours"
GOIANIA = calendar_of(load_city("goiania"))
JUIZ_DE_FORA = calendar_of(load_city("juiz-de-fora"))
NO_HOLIDAYS = Calendar((), (2026, 2026))
SYNTAX = """
Mo Tu Fr Sa Su - , ; PH SH off unknown 24/7 07:00 19:00 26:00 Feb 30 2026 [1] + || "x" easter sunset ( ) / é
"""
NAMES = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")

WORKING_HOURS = "Mo-Fr 07:00-19:00"
WEDNESDAY, SUNDAY, INDEPENDENCE = "2026-08-05", "2026-08-09", "2026-09-07"  # 7 September 2026 is a Monday


def binds(hours: str, start: str, end: str | None, calendar: Calendar = GOIANIA) -> bool | None:
    """Return the answer for a stay given as ISO local times."""
    until = None if end is None else dt.datetime.fromisoformat(end)
    return sign_binds(hours, dt.datetime.fromisoformat(start), until, calendar, FIELD)


def binds_at(hours: str, day: str, clock: str = "10:00", calendar: Calendar = GOIANIA) -> bool | None:
    """Return the answer for a stay of half an hour."""
    start = dt.datetime.fromisoformat(f"{day}T{clock}")
    return sign_binds(hours, start, start + dt.timedelta(minutes=30), calendar, FIELD)


# Days, hours, ends.


@pytest.mark.parametrize(
    ("hours", "start", "end", "expected"),
    [
        ("24/7", "2026-08-09T03:00", "2026-08-09T03:01", True),
        ("off", "2026-08-05T10:00", "2026-08-12T10:00", False),
        (WORKING_HOURS, "2026-08-05T10:00", "2026-08-05T11:00", True),
        (WORKING_HOURS, "2026-08-08T10:00", "2026-08-09T11:00", False),  # Saturday and Sunday
        (WORKING_HOURS, "2026-08-07T20:00", "2026-08-10T06:00", False),  # Friday night to Monday morning
        (WORKING_HOURS, "2026-08-07T20:00", "2026-08-10T12:00", True),
        ("Mo-Fr 07:00-10:00, 16:00-19:00", "2026-08-05T10:00", "2026-08-05T16:00", False),
        ("Mo-Fr 07:00-10:00, 16:00-19:00", "2026-08-05T10:00", "2026-08-05T16:30", True),
        ("Mo-Fr 07:00-19:00; Sa 07:00-13:00", "2026-08-08T12:00", "2026-08-08T14:00", True),
        ("Mo-Fr 07:00-19:00; Sa 07:00-13:00", "2026-08-08T13:00", "2026-08-08T14:00", False),
        ("Mo-Fr 07:00-19:00; We off", "2026-08-05T10:00", "2026-08-05T11:00", False),
        ("Mo-Fr 07:00-24:00", "2026-08-05T23:00", "2026-08-06T01:00", True),
        ("07:00-19:00", "2026-08-09T10:00", "2026-08-09T11:00", True),
        ("Aug 07:00-19:00", "2026-08-05T10:00", "2026-08-05T11:00", True),
        ("Sep 07:00-19:00", "2026-08-05T10:00", "2026-08-05T11:00", False),
    ],
)
def test_a_sign_binds_when_its_hours_meet_the_stay(hours: str, start: str, end: str, expected: bool) -> None:  # noqa: FBT001
    assert binds(hours, start, end) is expected


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-08-07T19:00:00", "2026-08-10T07:00:00", False),  # touches at both ends
        ("2026-08-07T18:59:59", "2026-08-10T07:00:00", True),
        ("2026-08-07T19:00:00", "2026-08-10T07:00:01", True),
    ],
)
def test_touching_at_an_end_is_not_meeting(start: str, end: str, expected: bool) -> None:  # noqa: FBT001
    assert binds(WORKING_HOURS, start, end) is expected


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-08-04T05:00", "2026-08-04T05:30", True),  # Tuesday: the night that began on Monday
        ("2026-08-08T05:00", "2026-08-08T05:30", True),  # Saturday: the night that began on Friday
        ("2026-08-08T05:59", "2026-08-08T06:00", True),
        ("2026-08-08T06:00", "2026-08-08T23:00", False),
        ("2026-08-09T05:00", "2026-08-09T05:30", False),  # Sunday: Saturday's night is free
        ("2026-08-10T05:00", "2026-08-10T05:30", False),  # Monday: Sunday's night is free
        ("2026-08-10T21:00", "2026-08-10T22:00", False),
        ("2026-08-10T21:00", "2026-08-10T22:01", True),
    ],
)
def test_hours_over_midnight_belong_to_the_day_on_which_they_begin(
    start: str,
    end: str,
    expected: bool,  # noqa: FBT001
) -> None:
    assert binds("Mo-Fr 22:00-06:00", start, end) is expected


@given(
    st.sets(st.integers(0, 6), min_size=1),
    st.integers(0, 23),
    st.integers(1, 24),
    st.booleans(),
    st.integers(0, 60 * 24 * 350),
    st.integers(1, 60 * 24 * 9),
)
def test_one_rule_is_like_counting_its_days(
    days: set[int],
    opens: int,
    length: int,
    free_holidays: bool,  # noqa: FBT001
    minute_of_year: int,
    minutes: int,
) -> None:
    start = dt.datetime.fromisoformat("2026-01-02T00:00") + dt.timedelta(minutes=minute_of_year)
    end = start + dt.timedelta(minutes=minutes)
    if free_holidays:  # whether a night that begins on a free day is free is not the syntax' business
        length = min(length, 24 - opens)
    named = ",".join(NAMES[day] for day in sorted(days))
    hours = f"{named} {opens:02d}:00-{opens + length:02d}:00" + ("; PH off" if free_holidays else "")
    expected = False
    for back in range(-1, (end - start).days + 2):
        day = start.date() + dt.timedelta(days=back)
        free = free_holidays and day.isoformat() in HOLIDAYS_2026
        begins = dt.datetime.combine(day, dt.time(opens))
        meets = begins < end and start < begins + dt.timedelta(hours=length)
        expected |= day.weekday() in days and not free and meets
    assert sign_binds(hours, start, end, GOIANIA, FIELD) is expected, hours


HOLIDAYS_2026 = {
    "2026-01-01",
    "2026-04-03",  # Good Friday: Easter is on 5 April
    "2026-04-21",
    "2026-05-01",
    "2026-05-24",  # Nossa Senhora Auxiliadora (Goiânia)
    "2026-09-07",
    "2026-10-12",
    "2026-10-24",  # the city's anniversary
    "2026-11-02",
    "2026-11-15",
    "2026-11-20",
    "2026-12-25",
}


# Holidays.


@pytest.mark.parametrize(
    ("hours", "day", "expected"),
    [
        (WORKING_HOURS, INDEPENDENCE, True),  # nothing said of holidays: Monday is Monday
        (f"{WORKING_HOURS}; PH off", INDEPENDENCE, False),
        (f"{WORKING_HOURS}; PH off", WEDNESDAY, True),
        (f"{WORKING_HOURS}; PH 12:00-13:00", INDEPENDENCE, False),  # the last rule of a day wins
        ("PH 07:00-19:00", INDEPENDENCE, True),
        ("PH 07:00-19:00", WEDNESDAY, False),
        ("PH off", INDEPENDENCE, False),
        ("24/7; PH off", INDEPENDENCE, False),
        ("24/7; PH off", WEDNESDAY, True),
        ("Su,PH 07:00-19:00", SUNDAY, True),
        ("Su,PH 07:00-19:00", INDEPENDENCE, True),
        ("Su,PH 07:00-19:00", WEDNESDAY, False),
        ("PH,Su 07:00-19:00", SUNDAY, True),
        ("PH,Su 07:00-19:00", INDEPENDENCE, True),
        ("PH,Su 07:00-19:00", WEDNESDAY, False),
        (f"{WORKING_HOURS}; Su,PH off", INDEPENDENCE, False),
        ("Mo-Su 07:00-19:00; PH,Su off", SUNDAY, False),
        ("Mo-Su 07:00-19:00; PH,Su off", WEDNESDAY, True),
    ],
)
def test_ph_stands_for_the_city_s_holidays(hours: str, day: str, expected: bool) -> None:  # noqa: FBT001
    assert binds_at(hours, day) is expected


def test_each_city_has_its_own_holidays() -> None:
    """24 October 2026 is a Saturday, and a holiday in Goiânia alone."""
    hours = "Mo-Sa 07:00-19:00; PH off"
    assert binds_at(hours, "2026-10-24") is False
    assert binds_at(hours, "2026-10-24", calendar=JUIZ_DE_FORA) is True
    assert binds_at(f"{WORKING_HOURS}; PH off", INDEPENDENCE, calendar=NO_HOLIDAYS) is True
    assert binds_at("PH 07:00-19:00", INDEPENDENCE, calendar=NO_HOLIDAYS) is False


@pytest.mark.parametrize("status", ["optional", "uncertain"])
def test_a_day_that_is_no_certain_holiday_is_a_working_day(status: str) -> None:
    rule = {"name": "Dia", "date": dt.date(2026, 8, 5), "status": status, "scope": "municipal", "source": "x"}
    calendar = Calendar((HolidayRule.model_validate(rule),), (2026, 2026))
    assert binds_at(f"{WORKING_HOURS}; PH off", WEDNESDAY, calendar=calendar) is True


def test_a_holiday_s_night_reaches_into_the_next_day() -> None:
    assert binds_at("PH 22:00-06:00", "2026-09-08", "05:00") is True
    assert binds_at("PH 22:00-06:00", "2026-09-08", "06:00") is False
    assert binds_at("PH 22:00-06:00", "2026-09-07", "05:00") is False


def test_holidays_of_two_years() -> None:
    assert binds("PH 08:00-09:00", "2026-12-31T10:00", "2027-01-01T08:30") is True
    assert binds("PH 08:00-09:00", "2026-12-31T10:00", "2027-01-01T08:00") is False
    assert binds("PH 08:00-09:00", "2026-12-26T10:00", "2026-12-31T10:00") is False


# A long stay.


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        (f"{WORKING_HOURS}; PH off", True),
        ("PH off", False),
        ("2026 Dec 31 10:00-11:00", True),
        ("2027 Jan 01 10:00-11:00", False),
        ("Mo-Fr 07:00-19:00; Mo-Fr off; PH off", False),
    ],
)
def test_a_stay_of_a_year(hours: str, expected: bool) -> None:  # noqa: FBT001
    assert binds(hours, "2026-01-01T00:00", "2027-01-01T00:00") is expected


# What is not known.


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(WORKING_HOURS, True), ("24/7", True), ("Mo-Fr 12:00-19:00", None), ("Mo-Fr 07:00-10:00", None)],
)
def test_without_an_end_only_the_start_is_sure(hours: str, expected: bool | None) -> None:  # noqa: FBT001
    assert binds(hours, "2026-08-05T10:00", None) is expected


@pytest.mark.parametrize(
    ("hours", "start", "end", "expected"),
    [
        ("unknown", "2026-08-05T10:00", "2026-08-05T11:00", None),
        (f"{WORKING_HOURS} unknown", "2026-08-05T10:00", "2026-08-05T11:00", None),
        (f"{WORKING_HOURS} unknown", "2026-08-08T10:00", "2026-08-08T11:00", False),
        (f"{WORKING_HOURS}; Sa unknown", "2026-08-07T20:00", "2026-08-08T11:00", None),
        (f"{WORKING_HOURS}; Sa unknown", "2026-08-07T18:00", "2026-08-08T11:00", True),  # sure is sure
        (f"Fr unknown; {WORKING_HOURS.replace('Mo-Fr', 'Mo')}", "2026-08-07T10:00", "2026-08-10T08:00", True),
    ],
)
def test_hours_left_open_are_not_known(hours: str, start: str, end: str, expected: bool | None) -> None:  # noqa: FBT001
    assert binds(hours, start, end) is expected


@pytest.mark.parametrize(
    ("hours", "day"),
    [
        ("PH 08:00-12:00, Mo-Fr 07:00-19:00", WEDNESDAY),
        ("PH off || Mo-Fr 07:00-19:00", WEDNESDAY),
        ("SH 07:00-19:00", WEDNESDAY),
        ("Sep PH 07:00-19:00", INDEPENDENCE),
        ("2026 PH 07:00-19:00", INDEPENDENCE),
        ("PH -1 day 07:00-19:00", "2026-09-06"),
    ],
)
def test_holidays_written_in_a_way_we_cannot_follow_are_never_a_silent_pass(hours: str, day: str) -> None:
    """Each may bind at 10 o'clock of that day: it is followed, refused, or not known."""
    try:
        answer = binds_at(hours, day)
    except InputError:
        return
    assert answer is not False


# What is not understood.


@pytest.mark.parametrize(
    "hours",
    [
        "",
        "   ",
        "lixo",
        "seg-sex 07:00-19:00",
        "das 7h às 19h",
        "Mo-Fr 7-19",
        "Mo-Fr 07:00",
        "Mo-Fr 25:00-26:00",
        "Mo-Fr 07:00-19:00; banana",
        "banana; PH off",
        "\x00",
        ";",
    ],
)
def test_what_is_not_understood_is_refused_in_portuguese(hours: str) -> None:
    with pytest.raises(InputError) as caught:
        binds(hours, "2026-08-05T10:00", "2026-08-05T11:00")
    assert caught.value.field == FIELD
    assert f"horário “{hours}” não entendido" in caught.value.message
    assert "Mo-Fr 07:00-19:00; Sa 07:00-13:00; PH off" in caught.value.message  # how to write it instead


@given(st.lists(st.sampled_from([" ", *SYNTAX.split()]), max_size=8).map("".join))
def test_any_text_is_answered_or_refused(hours: str) -> None:
    with suppress(InputError):
        assert binds(hours, "2026-09-04T10:00", "2026-09-11T10:00") in (True, False, None)


def test_a_check_names_the_field() -> None:
    sign = {"layer": "sign", "state": "present", "attributes": {"code": "R-6a", "hours": "7h às 19h"}}
    request = {"city": "goiania", "start": "2026-08-05T10:00", "where": "carriageway", "observed": [sign]}
    with pytest.raises(InputError, match=r"^observed\.attributes\.hours: horário “7h às 19h” não entendido"):
        check(parse_request(request))
