"""Windows by kind of day: open for presence, closed for operations, exact on their limits."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.cities import load_city
from geocheck.law.calendar import Calendar, DayKind, calendar_of
from geocheck.law.windows import Window, advance, contains, describe, next_touch, seconds_between, touches


def window(days: list[str], opens: str, closes: str, **more: str) -> Window:
    return Window.model_validate({"days": days, "from": opens, "to": closes, **more})


def at(text: str) -> np.ndarray[Any, Any]:
    return np.asarray(text, "datetime64[s]")


GOIANIA = calendar_of(load_city("goiania"))
DOIS_VIZINHOS = calendar_of(load_city("dois-vizinhos"))
NEEDS_AUTHORISATION = (window(["business_day"], "07:00", "19:00"), window(["saturday"], "07:00", "13:00"))
STRICT = (
    window(["saturday"], "00:00", "07:00", after="weekday_holiday"),
    window(["business_day"], "00:00", "07:00", after="weekday_holiday"),
)
MAY_OPERATE = (
    window(["business_day", "saturday"], "06:00", "08:30"),
    window(["business_day"], "19:00", "22:00"),
    window(["saturday"], "14:00", "22:00"),
    window(["sunday", "holiday"], "06:00", "22:00"),
)


def touch(windows: tuple[Window, ...], start: str, end: str, calendar: Calendar = GOIANIA) -> bool:
    found = touches(windows, at(start), at(end), calendar)
    assert found.known
    return bool(found.yes)


@pytest.mark.parametrize(
    ("start", "end", "authorisation"),
    [
        ("2026-08-08T14:00", "2026-08-10T06:59", False),  # vector 5
        ("2026-08-08T13:00", "2026-08-10T07:00", False),  # 5a
        ("2026-08-08T14:00", "2026-08-10T07:30", True),  # 6
        ("2026-08-07T19:00", "2026-08-08T08:00", True),  # 7
        ("2026-08-08T12:59:59", "2026-08-08T13:00", True),
        ("2026-08-10T06:00", "2026-08-10T07:00:01", True),
        ("2026-08-07T19:00", "2026-08-08T07:00", False),
        ("2026-08-07T18:59:59", "2026-08-08T07:00", True),
        ("2026-08-06T19:00", "2026-08-07T07:00", False),
        ("2026-08-09T00:00", "2026-08-10T00:00", False),  # a Sunday
        ("2026-09-07T00:00", "2026-09-08T07:00", False),  # a holiday on a Monday
        ("2026-10-24T07:00", "2026-10-26T07:00", False),  # a holiday on a Saturday
        ("2026-02-17T08:00", "2026-02-17T09:00", True),  # Carnival, optional
        ("2026-08-07T08:00", "2026-08-07T08:00", True),  # no length, inside
        ("2026-08-07T07:00", "2026-08-07T07:00", False),  # no length, on the edge
        ("2026-12-31T19:00", "2027-01-04T07:00", True),  # Saturday 2 January
        ("2026-12-31T19:00", "2027-01-02T07:00", False),
    ],
)
def test_goiania_authorisation(start: str, end: str, authorisation: bool) -> None:  # noqa: FBT001
    assert touch(NEEDS_AUTHORISATION, start, end) is authorisation


@pytest.mark.parametrize(
    ("start", "end", "stricter"),
    [
        ("2026-04-03T20:00", "2026-04-04T06:00", True),  # Saturday after Good Friday
        ("2026-09-08T00:00", "2026-09-08T07:00", True),  # Tuesday after a Monday holiday
        ("2026-08-07T20:00", "2026-08-08T07:00", False),  # Saturday after an ordinary Friday
        ("2026-10-25T00:00", "2026-10-26T07:00", False),  # after a holiday on a Saturday
    ],
)
def test_goiania_strict_nights(start: str, end: str, stricter: bool) -> None:  # noqa: FBT001
    assert not touch(NEEDS_AUTHORISATION, start, end)
    assert touch(STRICT, start, end) is stricter


@pytest.mark.parametrize(
    ("time", "allowed"),
    [
        ("2026-08-08T10:00", False),  # vector 15
        ("2026-08-08T14:00", True),
        ("2026-08-09T10:00", True),
        ("2026-08-07T06:00", True),
        ("2026-08-07T05:59:59", False),
        ("2026-08-07T08:30", True),
        ("2026-08-07T08:30:01", False),
        ("2026-08-07T18:59:59", False),
        ("2026-08-07T22:00", True),
        ("2026-08-07T22:00:01", False),
        ("2026-11-20T10:00", True),  # national holiday, a Friday
        ("2027-05-01T10:00", True),  # national holiday, a Saturday
        ("NaT", False),
    ],
)
def test_dois_vizinhos_operations(time: str, allowed: bool) -> None:  # noqa: FBT001
    assert bool(contains(MAY_OPERATE, at(time), DOIS_VIZINHOS)) is allowed


def test_midnight_belongs_to_a_window_that_ends_there() -> None:
    sunday = (window(["sunday"], "20:00", "24:00"),)
    assert contains(sunday, at("2026-08-10T00:00"), GOIANIA)
    assert not contains(sunday, at("2026-08-10T00:00:01"), GOIANIA)
    assert not touch(sunday, "2026-08-10T00:00", "2026-08-11T00:00")


def test_windows_that_meet_at_midnight_are_one() -> None:
    night = (window(["sunday"], "20:00", "24:00"), window(["business_day"], "00:00", "06:00"))
    assert touch(night, "2026-08-10T00:00", "2026-08-10T00:00")


def test_an_unknown_end_is_never_an_acquittal() -> None:
    start = np.array(["2026-08-08T13:00", "2026-08-08T12:00", "2026-08-08T07:00", "NaT"], "datetime64[s]")
    found = touches(NEEDS_AUTHORISATION, start, at("NaT"), GOIANIA)
    assert found.yes.tolist() == [False, True, True, False]
    assert found.known.tolist() == [False, True, True, False]


def test_an_unknown_start() -> None:
    end = np.array(["2026-08-08T13:00", "2026-08-08T13:00:01", "2026-08-08T07:00"], "datetime64[s]")
    found = touches(NEEDS_AUTHORISATION, at("NaT"), end, GOIANIA)
    assert found.yes.tolist() == [True, False, False]
    assert found.known.tolist() == [True, False, False]


def test_a_stay_that_ends_before_it_starts_is_refused() -> None:
    with pytest.raises(ValueError, match="before it starts"):
        touches(NEEDS_AUTHORISATION, at("2026-08-08T13:00"), at("2026-08-08T12:00"), GOIANIA)


@pytest.mark.parametrize(
    ("start", "until"),
    [
        ("2026-08-08T13:00", "2026-08-10T07:00"),
        ("2026-08-08T14:00", "2026-08-10T07:00"),
        ("2026-08-08T12:00", "2026-08-08T12:00"),
        ("2026-08-08T07:00", "2026-08-08T07:00"),
        ("2026-10-23T19:00", "2026-10-26T07:00"),
        ("NaT", "NaT"),
    ],
)
def test_until_when_no_window_is_touched(start: str, until: str) -> None:
    assert str(next_touch(NEEDS_AUTHORISATION, at(start), GOIANIA)) == str(at(until))


def test_windows_that_never_open() -> None:
    never = (window(["holiday"], "07:00", "19:00"),)
    no_holidays = Calendar((), (2024, 2030))
    for windows in ((), never):
        assert not touch(windows, "2026-08-08T13:00", "2026-08-08T14:00", no_holidays)
        assert not contains(windows, at("2026-08-08T13:00"), no_holidays)
        assert np.isnat(next_touch(windows, at("2026-08-08T13:00"), no_holidays))
        assert np.isnat(advance(windows, at("2026-08-08T13:00"), 1, no_holidays))


def test_overlapping_windows_do_not_count_twice() -> None:
    overlapping = (
        window(["business_day"], "07:00", "12:00"),
        window(["business_day", "saturday"], "08:00", "10:00"),
        window(["business_day"], "11:00", "19:00"),
    )
    day = at("2026-08-07T00:00"), at("2026-08-08T00:00")
    assert seconds_between(overlapping, *day, GOIANIA) == 12 * 3600


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ({"days": [], "from": "07:00", "to": "19:00"}, "at least 1"),
        ({"days": ["saturday", "saturday"], "from": "07:00", "to": "19:00"}, "repetidos"),
        ({"days": ["saturday"], "from": "19:00", "to": "07:00"}, "divida-a em duas"),
        ({"days": ["saturday"], "from": "07:00", "to": "07:00"}, "divida-a em duas"),
        ({"days": ["saturday"], "from": "7:00", "to": "19:00"}, "não é uma hora"),
        ({"days": ["saturday"], "from": "07:00", "to": "24:01"}, "não é uma hora"),
        ({"days": ["saturday"], "from": "24:00", "to": "24:00"}, "divida-a em duas"),
        ({"days": ["saturday"], "from": 7, "to": "24:00"}, "não é uma hora"),
        ({"days": ["sabado"], "from": "07:00", "to": "24:00"}, "saturday"),
        ({"days": ["saturday"], "from": "07:00", "to": "24:00", "after": "holiday"}, "weekday_holiday"),
    ],
)
def test_a_wrong_window_is_refused(sheet: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Window.model_validate(sheet)


def test_windows_in_words() -> None:
    assert describe(NEEDS_AUTHORISATION) == "dias úteis, 07:00–19:00; sábados, 07:00–13:00"
    assert describe(STRICT[:1]) == "sábados (após feriado em dia de semana), 00:00–07:00"
    assert describe((window(["sunday", "holiday", "saturday"], "06:00", "24:00"),)) == (
        "domingos, feriados e sábados, 06:00–24:00"
    )


def test_a_window_is_written_as_it_was_read() -> None:
    sheet = {"days": ["saturday"], "from": "06:30", "to": "24:00", "after": "weekday_holiday"}
    written = Window.model_validate(sheet).model_dump(by_alias=True)
    assert {**written, "days": list(written["days"])} == sheet


WHOLE_MINUTES = st.integers(0, 24 * 60)
SOME_WINDOWS = st.lists(
    st.builds(
        lambda days, ends: window(
            sorted(days), *(f"{minute // 60:02d}:{minute % 60:02d}" for minute in sorted(ends))
        ),
        st.sets(st.sampled_from(["business_day", "saturday", "sunday", "holiday"]), min_size=1),
        st.sets(WHOLE_MINUTES, min_size=2, max_size=2),
    ),
    max_size=4,
).map(tuple)
SOME_TIMES = st.integers(0, 3 * 7 * 24 * 60).map(lambda minute: at("2026-10-12T00:00") + minute * 60)


def minute_by_minute(windows: tuple[Window, ...], start: dt.datetime, end: dt.datetime) -> bool:
    """Walk the stay minute by minute, and ask of each minute whether a window covers it."""
    while start < end:
        code = GOIANIA.day_kind(np.asarray(start.date(), "datetime64[D]"))
        name = DayKind(int(code)).name.lower()
        second = start.hour * 3600 + start.minute * 60
        if any(name in each.days and each.opens <= second < each.closes for each in windows):
            return True
        start += dt.timedelta(minutes=1)
    return False


@given(SOME_WINDOWS, SOME_TIMES, st.integers(1, 3000))
def test_touching_agrees_with_a_walk(windows: tuple[Window, ...], start: np.datetime64, minutes: int) -> None:
    begin: dt.datetime = np.asarray(start, "datetime64[s]").item()
    end = begin + dt.timedelta(minutes=minutes)
    assert touch(windows, str(begin), str(end)) is minute_by_minute(windows, begin, end)


@given(SOME_WINDOWS, SOME_TIMES)
def test_a_stay_touches_nothing_until_its_next_touch(
    windows: tuple[Window, ...], start: np.datetime64
) -> None:
    until = next_touch(windows, np.asarray(start), GOIANIA)
    if np.isnat(until):
        assert not touch(windows, str(start), "2100-12-31")
    else:
        assert until == start or not touch(windows, str(start), str(until))
        assert touch(windows, str(start), str(until + np.timedelta64(1, "s")))


@given(SOME_WINDOWS, SOME_TIMES, st.integers(1, 500_000))
def test_advancing_passes_exactly_the_seconds_and_no_sooner(
    windows: tuple[Window, ...], start: np.datetime64, seconds: int
) -> None:
    begin = np.asarray(start)
    end = advance(windows, begin, seconds, GOIANIA)
    if windows:
        assert seconds_between(windows, begin, end, GOIANIA) == seconds
        sooner = np.asarray(end - np.timedelta64(1, "s"))
        assert seconds_between(windows, begin, sooner, GOIANIA) == seconds - 1


@given(SOME_WINDOWS, st.lists(SOME_TIMES, min_size=1, max_size=5))
def test_one_answers_like_many(windows: tuple[Window, ...], times: list[np.datetime64]) -> None:
    column = np.array(times, "datetime64[s]")
    later = np.asarray(column + np.timedelta64(5, "h"), "datetime64[s]")
    many = touches(windows, column, later, GOIANIA).yes.tolist()
    assert many == [touch(windows, str(each), str(each + np.timedelta64(5, "h"))) for each in column]
    inside = contains(windows, column, GOIANIA).tolist()
    assert inside == [bool(contains(windows, np.asarray(each), GOIANIA)) for each in column]
