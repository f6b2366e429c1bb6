"""Lengths and counts as people write them."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.city.streets.quantities import Refusal, in_range, read_count, read_length

if TYPE_CHECKING:
    from pathlib import Path


def test_case_03_feet_and_inches(shared_cases: Path) -> None:
    text = (shared_cases / "03-width-feet-inches" / "values.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines(), delimiter="|", quoting=csv.QUOTE_NONE))
    assert len(rows) == 7
    for row in rows:
        assert read_length(row["tag"]).metres == pytest.approx(float(row["expected_m"]), abs=0.0005)


@pytest.mark.parametrize(
    ("text", "metres"),
    [
        ("7", 7.0),
        ("7 m", 7.0),
        ("7m", 7.0),
        ("7.", 7.0),
        ("7.50", 7.5),
        (".5", 0.5),
        ("3,5", 3.5),
        ("3,5 m", 3.5),
        ("7 metros", 7.0),
        ("  8   metres ", 8.0),
        ("8 M", 8.0),
        ("0.007 km", 7.0),
        ("650 cm", 6.5),
        ("6500 mm", 6.5),
        ("24'7\"", 7.493),
        ("24' 7\"", 7.493),
        ("24′7″", 7.493),
        ("24'7''", 7.493),
        ("24 ft 7 in", 7.493),
        ("24ft7in", 7.493),
        ("24'0\"", 7.3152),
        ("0'6\"", 0.1524),
        ("24'7.5\"", 7.5057),
        ("120 in", 3.048),
        ('120"', 3.048),
        ("10 yd", 9.144),
        ("7\u00a0m", 7.0),
        ("25 pés", 7.62),
    ],
)
def test_reads(text: str, metres: float) -> None:
    length = read_length(text)
    assert length.refusal is None
    assert not length.approximate
    assert length.metres == pytest.approx(metres, abs=1e-9)


@pytest.mark.parametrize("text", ["~6", "~ 6 m", "ca. 6", "ca 6 m", "≈6"])
def test_reads_what_is_approximate(text: str) -> None:
    length = read_length(text)
    assert (length.metres, length.approximate) == (6.0, True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Refusal.EMPTY),
        ("   ", Refusal.EMPTY),
        ("0", Refusal.ZERO),
        ("0.0 m", Refusal.ZERO),
        ("-0", Refusal.ZERO),
        ("0'0\"", Refusal.ZERO),
        ("-6", Refusal.NEGATIVE),
        ("−6", Refusal.NEGATIVE),
        ("-24'7\"", Refusal.NEGATIVE),
        ("narrow", Refusal.NOT_A_NUMBER),
        ("1_0", Refusal.NOT_A_NUMBER),
        ("1e1", Refusal.NOT_A_NUMBER),
        ("1e400", Refusal.NOT_A_NUMBER),
        ("0x10", Refusal.NOT_A_NUMBER),
        ("٧", Refusal.NOT_A_NUMBER),
        ("24'13\"", Refusal.NOT_A_NUMBER),
        ("~", Refusal.NOT_A_NUMBER),
        ("9" * 400, Refusal.NOT_A_NUMBER),
        ("NaN", Refusal.NOT_FINITE),
        ("inf", Refusal.NOT_FINITE),
        ("-Infinity", Refusal.NOT_FINITE),
        ("6;7", Refusal.LIST),
        ("6 ; 7", Refusal.LIST),
        ("2.8|2.8", Refusal.LIST),
        ("6-7", Refusal.RANGE),
        ("6 m - 7 m", Refusal.RANGE),
        (">5", Refusal.RANGE),
        ("7 parsecs", Refusal.UNKNOWN_UNIT),
        ("7e", Refusal.UNKNOWN_UNIT),
        ("1,000", Refusal.AMBIGUOUS),
        ("1.234,5", Refusal.AMBIGUOUS),
        ("1,234.5", Refusal.AMBIGUOUS),
    ],
)
def test_refuses(text: str, reason: Refusal) -> None:
    length = read_length(text)
    assert length.refusal is reason
    assert math.isnan(length.metres)


@given(st.text(max_size=60) | st.from_regex(r"[-~0-9.,;'\"|eE_ mftink]{0,12}"))
def test_any_text_gives_a_positive_number_or_a_reason(text: str) -> None:
    length = read_length(text)
    assert (length.refusal is None) == (length.metres > 0)
    assert math.isfinite(length.metres) or length.refusal is not None


@given(st.integers(1, 99_999))
def test_units_agree(centimetres: int) -> None:
    metres = centimetres / 100
    readings = (
        f"{metres:.2f}",
        f"{metres:.2f} m".replace(".", ","),
        f"{centimetres} cm",
        f"{centimetres}0 mm",
    )
    for text in readings:
        assert read_length(text).metres == pytest.approx(metres, rel=1e-12)


@given(st.integers(0, 99), st.integers(0, 11))
def test_feet_and_inches_are_their_sum(feet: int, inches: int) -> None:
    metres = read_length(f"{feet}'{inches}\"").metres
    total = (12 * feet + inches) * 254 / 10_000
    assert math.isnan(metres) if total == 0 else metres == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1", 1),
        (" 2 ", 2),
        ("12", 12),
        ("13", Refusal.TOO_LARGE),
        ("999", Refusal.TOO_LARGE),
        ("9" * 50, Refusal.NOT_A_NUMBER),
        ("0", Refusal.ZERO),
        ("-2", Refusal.NEGATIVE),
        ("2.5", Refusal.NOT_AN_INTEGER),
        ("2,5", Refusal.NOT_AN_INTEGER),
        ("2;3", Refusal.LIST),
        ("1; 2", Refusal.LIST),
        ("2|3", Refusal.LIST),
        ("2-3", Refusal.RANGE),
        ("two", Refusal.NOT_A_NUMBER),
        ("1_0", Refusal.NOT_A_NUMBER),
        ("²", Refusal.NOT_A_NUMBER),
        ("", Refusal.EMPTY),
    ],
)
def test_counts(text: str, count: int | Refusal) -> None:
    assert read_count(text, 12) == count


def test_range_keeps_what_fits_and_the_first_reason() -> None:
    assert in_range(read_length("7"), 2.0, 60.0).metres == 7.0
    assert in_range(read_length("1.9"), 2.0, 60.0).refusal is Refusal.TOO_SMALL
    assert in_range(read_length("650"), 2.0, 60.0).refusal is Refusal.TOO_LARGE
    assert in_range(read_length("-650"), 2.0, 60.0).refusal is Refusal.NEGATIVE
    assert in_range(read_length("2"), 2.0, 60.0).refusal is None
    assert in_range(read_length("60"), 2.0, 60.0).refusal is None


def test_every_reason_has_words() -> None:
    assert all(reason.text for reason in Refusal)
