"""Which days are business days in each city, and how sure that is."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from geocheck.cities import load_city
from geocheck.law.calendar import Calendar, DayKind, calendar_of


def calendar(city: str) -> Calendar:
    return calendar_of(load_city(city))


def kind(city: str, date: str) -> str:
    code = calendar(city).day_kind(np.asarray(date, "datetime64[D]"))
    return DayKind(int(code)).name.lower()


@pytest.mark.parametrize(
    ("city", "date", "expected"),
    [
        ("goiania", "2026-08-07", "business_day"),
        ("goiania", "2026-08-08", "saturday"),
        ("goiania", "2026-08-09", "sunday"),
        ("goiania", "2026-10-24", "holiday"),  # a Saturday
        ("goiania", "2026-05-24", "holiday"),  # a Sunday
        ("goiania", "2024-07-26", "business_day"),  # uncertain
        ("goiania", "2026-06-04", "business_day"),  # Corpus Christi, optional
        ("juiz-de-fora", "2026-06-04", "holiday"),
        ("juiz-de-fora", "2027-05-27", "holiday"),  # Corpus Christi of another year
        ("juiz-de-fora", "2026-06-05", "business_day"),  # optional
        ("juiz-de-fora", "2025-06-13", "holiday"),
        ("juiz-de-fora", "2024-10-24", "business_day"),
        ("rio-verde", "2024-10-24", "business_day"),
        ("rio-verde", "2024-05-24", "business_day"),
        ("rio-verde", "2026-08-05", "business_day"),
        ("dois-vizinhos", "2025-11-28", "business_day"),
        ("dois-vizinhos", "2025-12-19", "business_day"),
        ("olinda", "2026-03-06", "holiday"),
        ("olinda", "2026-03-12", "holiday"),
        ("olinda", "2026-08-06", "holiday"),
        ("olinda", "2026-11-10", "holiday"),
        ("goiania", "2026-03-06", "business_day"),
        ("goiania", "2023-11-20", "business_day"),  # a Monday, before the law
        ("goiania", "2024-11-20", "holiday"),
        ("goiania", "2026-04-03", "holiday"),  # Good Friday
        ("goiania", "2024-03-29", "holiday"),
        ("goiania", "2026-02-16", "business_day"),  # Carnival
        ("goiania", "2026-02-17", "business_day"),
        ("goiania", "2026-02-18", "business_day"),
        ("goiania", "2026-10-28", "business_day"),
        ("goiania", "2028-02-29", "business_day"),
        ("goiania", "2025-12-31", "business_day"),
        ("goiania", "2026-01-01", "holiday"),
        ("goiania", "1990-01-01", "holiday"),
        ("goiania", "2100-12-31", "business_day"),
    ],
)
def test_kinds_of_days(city: str, date: str, expected: str) -> None:
    assert kind(city, date) == expected


@pytest.mark.parametrize("city", ["goiania", "juiz-de-fora", "dois-vizinhos", "olinda", "rio-verde"])
@pytest.mark.parametrize(
    "date",
    "01-01 04-21 05-01 09-07 10-12 11-02 11-15 11-20 12-25".split(),  # noqa: SIM905 - one line reads better
)
def test_national_holidays_hold_everywhere(city: str, date: str) -> None:
    assert kind(city, f"2025-{date}") == "holiday"


def test_columns_and_shapes() -> None:
    dates = np.array([["2026-08-07", "2026-08-08"], ["2026-08-09", "2026-10-24"]], "datetime64[D]")
    goiania = calendar("goiania")
    assert goiania.day_kind(dates).tolist() == [[0, 1], [2, 3]]
    assert goiania.is_business_day(dates).tolist() == [[True, False], [False, False]]
    assert (goiania.day_kind(dates) == DayKind.HOLIDAY).tolist() == [[False, False], [False, True]]
    assert goiania.day_kind(np.array([], "datetime64[D]")).tolist() == []


@pytest.mark.parametrize("date", ["NaT", "1988-12-31", "2102-01-01"])
def test_a_date_outside_the_table_is_refused_not_guessed(date: str) -> None:
    with pytest.raises(ValueError, match="1989–2101"):
        calendar("goiania").day_kind(np.array(["2026-01-02", date], "datetime64[D]"))


def test_the_calendar_agrees_with_plain_dates_on_every_day() -> None:
    city = load_city("olinda")
    table = calendar_of(city)
    years = range(1990, 2101)
    certain = {rule.day_in(year) for rule in city.holidays if rule.status == "holiday" for year in years}
    names = {5: "SATURDAY", 6: "SUNDAY"}
    day, wanted = dt.date(1990, 1, 1), []
    while day.year <= 2100:
        wanted.append(DayKind["HOLIDAY" if day in certain else names.get(day.weekday(), "BUSINESS_DAY")])
        day += dt.timedelta(days=1)
    dates = np.arange(np.datetime64("1990-01-01"), np.datetime64("2101-01-01"))
    assert table.day_kind(dates).tolist() == wanted


def test_offset_rolls_and_keeps_nat() -> None:
    jdf = calendar("juiz-de-fora")
    dates = np.array(["2026-06-06", "NaT"], "datetime64[D]")
    assert jdf.business_day_offset(dates, 0, "forward").astype(str).tolist() == ["2026-06-08", "NaT"]
    assert jdf.business_day_offset(dates, 1, "backward").astype(str).tolist() == ["2026-06-08", "NaT"]


def test_the_surest_entry_of_a_date_comes_first() -> None:
    found = calendar("juiz-de-fora").holidays_on(dt.date(2026, 6, 4))
    assert [(rule.name, rule.status) for rule in found] == [
        ("Corpus Christi", "holiday"),
        ("Corpus Christi", "optional"),
    ]
    assert calendar("juiz-de-fora").holidays_on(dt.date(2026, 6, 3)) == ()


def test_uncertain_and_optional_days_can_be_asked_for() -> None:
    found = calendar("goiania").holidays_between(dt.date(2026, 7, 26), dt.date(2026, 10, 28))
    assert [(each.date.isoformat(), each.rule.status) for each in found] == [
        ("2026-07-26", "uncertain"),
        ("2026-09-07", "holiday"),
        ("2026-10-12", "holiday"),
        ("2026-10-24", "holiday"),
        ("2026-10-28", "optional"),
    ]


def test_which_years_were_verified() -> None:
    dates = np.array(["2023-12-31", "2024-01-01", "2030-12-31", "2031-01-01"], "datetime64[D]")
    assert calendar("goiania").is_verified(dates).tolist() == [False, True, True, False]


def test_the_day_after_a_weekday_holiday() -> None:
    goiania = calendar("goiania")
    marked = set(goiania.days[goiania.after_weekday_holiday].astype(str))
    assert "2026-04-04" in marked  # Saturday after Good Friday
    assert "2026-10-13" in marked  # Tuesday after a Monday holiday
    assert "2026-10-25" not in marked  # Sunday after a holiday on a Saturday
    assert "2026-10-24" not in marked  # Saturday after an ordinary Friday


def test_a_calendar_is_built_once() -> None:
    assert calendar("goiania") is calendar("goiania")
    assert calendar("goiania") is not calendar("rio-verde")
