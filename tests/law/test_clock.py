"""Reading dates as people write them, and wall clock ↔ UTC on both sides of daylight saving."""

from __future__ import annotations

import csv
import datetime as dt
import time
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.errors import InputError
from geocheck.law.clock import Moment, ZoneClock, parse_end, parse_moment, zone_clock

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = zone_clock("America/Sao_Paulo")


def read(text: str) -> Moment:
    return parse_moment(text, "start", CLOCK)


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-05-05T08:00:00", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05T08:00", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05 08:00", "2026-05-05T11:00:00+00:00"),
        (" 2026-05-05t08:00 ", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05T08:00:00-03:00", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05 08:00:00-03", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05T08:00-0300", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05T11:00:00Z", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05T11:00:00.999Z", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05T16:30+05:30", "2026-05-05T11:00:00+00:00"),
        ("2026-05-05", "2026-05-05T03:00:00+00:00"),
        ("05/05/2026 08:00", "2026-05-05T11:00:00+00:00"),
        ("5/5/2026 8:00:30", "2026-05-05T11:00:30+00:00"),
        ("01/02/2026", "2026-02-01T03:00:00+00:00"),
        ("2028-02-29T00:00", "2028-02-29T03:00:00+00:00"),
        ("1990-01-01", "1990-01-01T02:00:00+00:00"),
        ("2100-12-31T23:59:59", "2101-01-01T02:59:59+00:00"),
    ],
)
def test_what_people_write_is_read(text: str, utc: str) -> None:
    assert read(text).utc == dt.datetime.fromisoformat(utc)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2026-05-05T08:00:00 03:00", "“\\+” do fuso se perdeu"),
        ("2026-02-29", "não existe"),
        ("31/04/2026", "não existe"),
        ("05/13/2026", "não existe"),
        ("2026-05-05T24:00", "não existe"),
        ("2026-05-05T08:60", "não existe"),
        ("0000-01-01", "fora de 1990–2100"),
        ("1989-12-31T23:59", "fora de 1990–2100"),
        ("2101-01-01", "fora de 1990–2100"),
        ("1990-01-01T00:00Z", "o ano 1989 está fora"),
        ("2026-05-05T08:00+15:00", "o fuso “\\+15:00” não existe"),
        ("2026-05-05T08:00+03:99", "o fuso “\\+03:99” não existe"),
        ("amanhã", "não entendi a data “amanhã”; escreva, por exemplo, 2026-05-05T08:00"),
        ("", "não entendi"),
        ("2026-5-5", "não entendi"),
        ("2026-05-05T08", "não entendi"),
        ("1777978800", "não entendi"),
        ("２０２６-05-05", "não entendi"),
        ("2026-05-05T08:00\n; x", "não entendi"),
    ],
)
def test_what_is_no_date_is_an_input_error_that_names_the_field(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(text)
    assert caught.value.field == "start"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-05-05T08:00", "sem fuso: lido como hora local (America/Sao_Paulo)"),
        ("2026-05-05", "data sem hora: vale 00:00:00, hora local (America/Sao_Paulo)"),
        ("05/06/2026 08:00", "lido como dia/mês/ano: 2026-06-05"),
        ("2026-05-05T02:00Z", "convertido do fuso Z para a hora local: 2026-05-04 23:00:00"),
    ],
)
def test_what_had_to_be_assumed_is_said(text: str, said: str) -> None:
    assert said in read(text).notes


def test_nothing_is_said_when_nothing_was_assumed() -> None:
    assert read("2026-05-05T08:00-03:00").notes == ()


def test_the_local_date_is_kept_late_at_night() -> None:
    moment = read("2026-05-04T23:30:00-03:00")
    assert (moment.local.date(), moment.utc.date()) == (dt.date(2026, 5, 4), dt.date(2026, 5, 5))
    assert moment.wall == np.datetime64("2026-05-04T23:30:00", "s")
    assert moment.wall.dtype == "datetime64[s]"


def test_a_date_alone_begins_with_its_first_second_and_ends_with_its_last() -> None:
    assert read("10/08/2026").wall == np.datetime64("2026-08-10T00:00:00")
    end = parse_end("10/08/2026", "end", CLOCK)
    assert end.wall == np.datetime64("2026-08-10T23:59:59")
    assert "data sem hora: vale 23:59:59, hora local (America/Sao_Paulo)" in end.notes
    assert parse_end("2026-08-10T06:59", "end", CLOCK).wall == np.datetime64("2026-08-10T06:59:00")


def test_a_skipped_hour_moves_forward_and_is_said() -> None:
    moment = read("2018-11-04T00:30")
    assert moment.local.isoformat() == "2018-11-04T01:30:00-02:00"
    assert moment.notes[-1] == "00:30:00 não existiu nesse dia (horário de verão): vale 01:30:00"


def test_a_repeated_hour_is_the_first_and_is_said() -> None:
    moment = read("2018-02-17T23:30")
    assert moment.local.isoformat() == "2018-02-17T23:30:00-02:00"
    assert moment.notes[-1] == "23:30:00 aconteceu duas vezes (fim do horário de verão): vale a primeira"
    assert read("2018-02-17T23:30-03:00").utc == dt.datetime(2018, 2, 18, 2, 30, tzinfo=dt.UTC)


def test_the_end_of_a_day_that_repeats_an_hour_is_the_later_one() -> None:
    wall = np.datetime64("2018-02-17T23:59:59", "s")
    assert CLOCK.to_utc(np.asarray(wall)) == np.datetime64("2018-02-18T01:59:59")
    assert CLOCK.to_utc_last(np.asarray(wall)) == np.datetime64("2018-02-18T02:59:59")
    assert CLOCK.aware(wall).isoformat() == "2018-02-17T23:59:59-02:00"
    assert CLOCK.aware_last(wall).isoformat() == "2018-02-17T23:59:59-03:00"


@pytest.mark.parametrize(
    ("wall", "first", "last"),
    [
        # clocks went from 00:00 to 01:00 on 4 November 2018 (UTC 03:00)
        ("2018-11-03T23:59:59", "2018-11-04T02:59:59", "2018-11-04T02:59:59"),
        ("2018-11-04T00:00:00", "2018-11-04T03:00:00", "2018-11-04T03:00:00"),
        ("2018-11-04T01:00:00", "2018-11-04T03:00:00", "2018-11-04T03:00:00"),
        # and from 24:00 back to 23:00 on 17 February 2018 (UTC 02:00)
        ("2018-02-17T22:59:59", "2018-02-18T00:59:59", "2018-02-18T00:59:59"),
        ("2018-02-17T23:00:00", "2018-02-18T01:00:00", "2018-02-18T02:00:00"),
        ("2018-02-18T00:00:00", "2018-02-18T03:00:00", "2018-02-18T03:00:00"),
    ],
)
def test_conversion_on_the_seconds_of_a_change(wall: str, first: str, last: str) -> None:
    given_wall = np.array([wall], "datetime64[s]")
    assert CLOCK.to_utc(given_wall)[0] == np.datetime64(first)
    assert CLOCK.to_utc_last(given_wall)[0] == np.datetime64(last)


@pytest.mark.parametrize(
    ("utc", "wall"),
    [
        ("2018-11-04T02:59:59", "2018-11-03T23:59:59"),
        ("2018-11-04T03:00:00", "2018-11-04T01:00:00"),
        ("2018-02-18T01:59:59", "2018-02-17T23:59:59"),
        ("2018-02-18T02:00:00", "2018-02-17T23:00:00"),
    ],
)
def test_the_wall_clock_jumps_on_the_second(utc: str, wall: str) -> None:
    assert CLOCK.to_local(np.array([utc], "datetime64[s]"))[0] == np.datetime64(wall)


def test_unknown_times_stay_unknown() -> None:
    unknown = np.array(["NaT", "2026-01-01T00:00:00"], "datetime64[s]")
    for convert in (CLOCK.to_utc, CLOCK.to_utc_last, CLOCK.to_local):
        assert np.isnat(convert(unknown)).tolist() == [True, False]


@settings(deadline=None)  # the first clock of a zone takes its time
@given(
    st.sampled_from(["America/Sao_Paulo", "America/Recife", "Europe/Berlin", "Asia/Kathmandu"]),
    # A column of wall times cannot say which of two equal hours is meant.
    st.datetimes(dt.datetime(1990, 1, 2), dt.datetime(2100, 12, 30)).map(  # noqa: DTZ001 - wall times
        lambda wall: wall.replace(fold=0)
    ),
)
def test_columns_agree_with_the_standard_library(zone: str, wall: dt.datetime) -> None:
    wall = wall.replace(microsecond=0)
    clock = zone_clock(zone)
    column = np.array([wall], "datetime64[s]")
    aware = wall.replace(tzinfo=ZoneInfo(zone))
    utc = aware.astimezone(dt.UTC).replace(tzinfo=None)
    assert clock.to_utc(column)[0] == np.datetime64(utc)
    # fold=1 is the second of two; of a skipped time it is the earlier, while the table moves forward.
    again = aware.replace(fold=1).astimezone(dt.UTC).replace(tzinfo=None)
    assert clock.to_utc_last(column)[0] == np.datetime64(max(utc, again))
    local = utc.replace(tzinfo=dt.UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert clock.to_local(np.array([utc], "datetime64[s]"))[0] == np.datetime64(local)


def test_a_clock_is_built_once_a_zone_and_fast() -> None:
    assert zone_clock("America/Recife") is zone_clock("America/Recife")
    started = time.perf_counter()
    ZoneClock("America/Sao_Paulo")
    assert time.perf_counter() - started < 1


CASE_63 = [
    # text, instant in UTC, local date
    ("2026-05-05T08:00:00", "2026-05-05T11:00:00", "2026-05-05"),
    ("2026-05-05T08:00:00-03:00", "2026-05-05T11:00:00", "2026-05-05"),
    ("2026-05-05T11:00:00Z", "2026-05-05T11:00:00", "2026-05-05"),
    ("2026-05-04T23:30:00-03:00", "2026-05-05T02:30:00", "2026-05-04"),
    ("2026-05-05", "2026-05-05T03:00:00", "2026-05-05"),
    ("05/05/2026 08:00", "2026-05-05T11:00:00", "2026-05-05"),
]


@pytest.mark.parametrize(("text", "utc", "date"), CASE_63)
def test_case_63(text: str, utc: str, date: str) -> None:
    moment = read(text)
    assert moment.utc.replace(tzinfo=None).isoformat() == utc
    assert moment.local.date().isoformat() == date


def test_case_63_from_its_file(shared_cases: Path) -> None:
    known = {text: (utc, date) for text, utc, date in CASE_63}
    with (shared_cases / "63-naive-datetimes" / "expected.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        if row["expected_instant_utc"].startswith("422"):
            with pytest.raises(InputError):
                read(row["placed_at"])
        else:
            assert row["placed_at"] in known
            if "T11:00:00Z" in row["expected_instant_utc"]:
                assert read(row["placed_at"]).utc == dt.datetime(2026, 5, 5, 11, tzinfo=dt.UTC)
