"""Parking tags, new schema and old: positions, bans and their hours."""

from __future__ import annotations

import csv
import datetime as dt
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.cities import load_city
from geocheck.city.streets.conditional import Bound, Clause, bind, read_clauses
from geocheck.city.streets.parking import KerbParking, Orientation, Position, read_parking
from geocheck.city.streets.quantities import Refusal
from geocheck.law.calendar import calendar_of
from geocheck.law.sign_hours import sign_binds

if TYPE_CHECKING:
    from pathlib import Path


def words(kerb: KerbParking) -> list[str]:
    return [each.word for each in kerb.bans]


def binds(bound: Bound, day: str, hour: str) -> bool | None:
    """Tell whether a ban binds in the minute that begins then, by the law's own reading of hours."""
    if bound.hours is None:
        return True
    start = dt.datetime.fromisoformat(f"{day}T{hour}")
    calendar = calendar_of(load_city("goiania"))
    return sign_binds(bound.hours, start, start + dt.timedelta(minutes=1), calendar, "hours")


def as_case_07_says(kerb: KerbParking) -> str:
    if kerb.reserved:
        return f"{kerb.reserved[0].word} stand"
    if kerb.bans:
        return kerb.bans[0].word
    return "no sign (physical)" if kerb.position is Position.NO else "none"


def test_case_07_restriction_per_kerb(shared_cases: Path) -> None:
    folder = shared_cases / "07-parking-both-and-sides"
    root = ET.fromstring((folder / "streets.osm").read_text(encoding="utf-8"))  # noqa: S314 # our own file
    ways = [{tag.attrib["k"]: tag.attrib["v"] for tag in way.iter("tag")} for way in root.iter("way")]
    by_name = {tags["name"]: read_parking(tags) for tags in ways}
    rows = list(csv.DictReader((folder / "expected.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(by_name) == 6
    for row in rows:
        parking = by_name[row["street"]]
        # Drawn eastwards the left kerb is the north one.
        north, south = parking.left, parking.right
        if row["digitised"] == "E-W":
            north, south = south, north
        assert (as_case_07_says(north), as_case_07_says(south)) == (row["north_kerb"], row["south_kerb"]), row
        assert parking.refused == ()


@pytest.mark.parametrize(
    ("tags", "position", "orientation"),
    [
        ({"parking:left": "lane", "parking:left:orientation": "parallel"}, "lane", "parallel"),
        ({"parking:both": "lane", "parking:both:orientation": "diagonal"}, "lane", "diagonal"),
        ({"parking:both": "lane", "parking:left": "no"}, "no", "unknown"),
        ({"parking:both": "no", "parking:left": "half_on_kerb"}, "half_on_kerb", "unknown"),
        ({"parking:left": "street_side"}, "street_side", "unknown"),
        ({"parking:left": "separate"}, "separate", "unknown"),
        ({"parking:left": "yes"}, "unknown", "unknown"),
        ({"parking:right": "lane"}, "unknown", "unknown"),
        ({"parking:lane:left": "parallel"}, "lane", "parallel"),
        ({"parking:lane:left": "inline"}, "lane", "parallel"),
        ({"parking:lane:both": "perpendicular"}, "lane", "perpendicular"),
        ({"parking:lane:left": "orthogonal"}, "lane", "perpendicular"),
        ({"parking:lane:both": "parallel", "parking:lane:both:parallel": "on_kerb"}, "on_kerb", "parallel"),
        (
            {"parking:lane:left": "diagonal", "parking:lane:left:diagonal": "lay_by"},
            "street_side",
            "diagonal",
        ),
        ({"parking:lane:both": "parallel", "parking:lane:left": "no_stopping"}, "no", "unknown"),
        ({"parking:lane:left": "separate"}, "separate", "unknown"),
        ({"parking:left": "no", "parking:lane:left": "parallel"}, "no", "unknown"),
    ],
)
def test_position(tags: dict[str, str], position: str, orientation: str) -> None:
    parking = read_parking(tags)
    assert (parking.left.position.value, parking.left.orientation.value) == (position, orientation)
    assert parking.refused == ()


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("parking:left", "sometimes", Refusal.UNKNOWN_WORD),
        ("parking:left", "lane;street_side", Refusal.LIST),
        ("parking:lane:left", "parallel;diagonal", Refusal.LIST),
        ("parking:left:restriction", "verboten", Refusal.UNKNOWN_WORD),
        ("parking:condition:left", "no @ (Su)", Refusal.UNKNOWN_WORD),
        ("parking:left:restriction:conditional", "no_parking @ (residents)", Refusal.UNKNOWN_CONDITION),
        ("parking:left:width", "wide", Refusal.NOT_A_NUMBER),
        ("parking:left:width", "200", Refusal.TOO_LARGE),
    ],
)
def test_what_is_not_understood_is_named(key: str, value: str, reason: Refusal) -> None:
    parking = read_parking({key: value})
    assert [(each.key, each.value, each.reason) for each in parking.refused] == [(key, value, reason)]
    assert parking.left.position is Position.UNKNOWN
    assert parking.left.width_m is None


def test_a_tag_of_both_sides_is_named_once() -> None:
    parking = read_parking({"parking:both": "sometimes"})
    assert [each.key for each in parking.refused] == ["parking:both"]


def test_width() -> None:
    parking = read_parking({"parking:both:width": "2,2 m", "parking:right:width": "7'"})
    assert parking.left.width_m == pytest.approx(2.2)
    assert parking.right.width_m == pytest.approx(2.1336)


@pytest.mark.parametrize(
    ("tags", "left", "right"),
    [
        ({"parking:both:restriction": "no_stopping"}, ["no_stopping"], ["no_stopping"]),
        ({"parking:both:restriction": "no_parking", "parking:left:restriction": "none"}, [], ["no_parking"]),
        ({"parking:left:restriction": "loading_only"}, ["loading_only"], []),
        ({"parking:left:restriction": "no_stopping;no_parking"}, ["no_stopping", "no_parking"], []),
        ({"parking:lane:left": "no_stopping"}, ["no_stopping"], []),
        ({"parking:lane:both": "no_parking"}, ["no_parking"], ["no_parking"]),
        ({"parking:lane:left": "fire_lane"}, ["no_stopping"], []),
        ({"parking:lane:both": "parallel", "parking:condition:right": "no_stopping"}, [], ["no_stopping"]),
        ({"parking:condition:both": "no_parking", "parking:condition:left": "free"}, [], ["no_parking"]),
        ({"parking:condition:left": "ticket"}, [], []),
        ({"parking:condition:left": "loading"}, ["loading_only"], []),
    ],
)
def test_bans(tags: dict[str, str], left: list[str], right: list[str]) -> None:
    parking = read_parking(tags)
    assert (words(parking.left), words(parking.right)) == (left, right)


def test_new_schema_wins_and_the_quarrel_is_named() -> None:
    parking = read_parking({"parking:left:restriction": "none", "parking:lane:left": "no_stopping"})
    assert words(parking.left) == []
    assert [(each.key, each.reason) for each in parking.refused] == [
        ("parking:lane:left", Refusal.CONTRADICTORY)
    ]


@pytest.mark.parametrize(
    ("tags", "who"),
    [
        ({"parking:left:taxi": "designated"}, "taxi"),
        ({"parking:both:disabled": "designated"}, "disabled"),
        ({"parking:condition:left": "disabled"}, "disabled"),
        ({"parking:condition:left": "wheelchair"}, "disabled"),
        ({"parking:condition:both": "taxi"}, "taxi"),
    ],
)
def test_reserved(tags: dict[str, str], who: str) -> None:
    assert [each.word for each in read_parking(tags).left.reserved] == [who]


FRIDAY, SATURDAY, SUNDAY, HOLIDAY_MONDAY = "2026-08-07", "2026-08-08", "2026-08-09", "2026-09-07"


@pytest.mark.parametrize(
    ("tags", "binding", "free"),
    [
        (
            {"parking:left:restriction:conditional": "no_parking @ (Mo-Fr 07:00-19:00; PH off)"},
            [(FRIDAY, "08:00")],
            [(FRIDAY, "20:00"), (SATURDAY, "08:00"), (HOLIDAY_MONDAY, "08:00")],
        ),
        (
            {"parking:both:restriction:conditional": "no_stopping @ (22:00-06:00)"},
            [(FRIDAY, "23:00"), (SATURDAY, "05:00")],
            [(FRIDAY, "07:00")],
        ),
        (
            {"parking:left:restriction:conditional": "no_parking @ (Fr 22:00-06:00)"},
            [(FRIDAY, "22:30"), (SATURDAY, "05:59")],
            [(FRIDAY, "05:00"), (SATURDAY, "22:30")],
        ),
        (
            {
                "parking:left:restriction": "no_stopping",
                "parking:left:restriction:conditional": "none @ (Sa,Su; PH)",
            },
            [(FRIDAY, "03:00"), (FRIDAY, "12:00")],
            [(SATURDAY, "12:00"), (SUNDAY, "12:00"), (HOLIDAY_MONDAY, "12:00")],
        ),
        (
            {
                "parking:left:restriction": "no_parking",
                "parking:left:restriction:conditional": "none @ (Mo-Fr 22:00-06:00)",
            },
            [(FRIDAY, "12:00"), (SUNDAY, "23:00")],
            [(FRIDAY, "23:00"), (SATURDAY, "05:00")],
        ),
        (
            {
                "parking:left:restriction": "no_parking",
                "parking:left:restriction:conditional": "none @ (Mo-Fr 07:00-19:00; PH off)",
            },
            [(FRIDAY, "20:00"), (SUNDAY, "08:00"), (HOLIDAY_MONDAY, "08:00")],
            [(FRIDAY, "08:00")],
        ),
        (
            {
                "parking:condition:left": "no_parking",
                "parking:condition:left:time_interval": "Mo-Fr 08:00-16:00",
                "parking:condition:left:default": "free",
            },
            [(FRIDAY, "09:00")],
            [(FRIDAY, "17:00"), (SATURDAY, "09:00")],
        ),
        (
            {
                "parking:condition:left": "ticket",
                "parking:condition:left:time_interval": "Mo-Fr 08:00-18:00",
                "parking:condition:left:2": "no_parking",
                "parking:condition:left:2:time_interval": "Mo-Fr 07:00-15:00; Sa 09:00-15:00",
            },
            [(FRIDAY, "07:30"), (SATURDAY, "10:00")],
            [(SUNDAY, "10:00"), (FRIDAY, "19:00")],
        ),
        (
            {
                "parking:condition:left": "free",
                "parking:condition:left:time_interval": "Mo-Fr 08:00-18:00",
                "parking:condition:left:default": "no_stopping",
            },
            [(FRIDAY, "19:00"), (SATURDAY, "10:00")],
            [(FRIDAY, "10:00")],
        ),
        (
            {"parking:condition:both": "no_parking @ (Mo-Fr 09:00-18:00;Sa 09:00-14:00)"},
            [(FRIDAY, "10:00"), (SATURDAY, "13:00")],
            [(SATURDAY, "15:00"), (SUNDAY, "10:00")],
        ),
        (
            {"parking:condition:left:conditional": "no_parking @ Mo-Fr 09:00-18:00; Sa 09:00-14:00"},
            [(SATURDAY, "13:00")],
            [(SUNDAY, "13:00")],
        ),
    ],
)
def test_hours_as_the_law_reads_them(
    tags: dict[str, str], binding: list[tuple[str, str]], free: list[tuple[str, str]]
) -> None:
    parking = read_parking(tags)
    assert len(parking.left.bans) == 1
    assert parking.left.bans[0].certain
    assert parking.refused == ()
    for day, hour in binding:
        assert binds(parking.left.bans[0], day, hour) is True, (parking.left.bans, day, hour)
    for day, hour in free:
        assert binds(parking.left.bans[0], day, hour) is False, (parking.left.bans, day, hour)


def test_a_ban_on_an_unknown_condition_is_kept_as_uncertain() -> None:
    parking = read_parking({"parking:left:restriction:conditional": "no_stopping @ (school days)"})
    assert parking.left.bans == (Bound("no_stopping", None, certain=False),)


def test_an_exception_on_an_unknown_condition_lifts_no_ban() -> None:
    tags = {
        "parking:left:restriction": "no_parking",
        "parking:left:restriction:conditional": "none @ (residents)",
    }
    parking = read_parking(tags)
    assert parking.left.bans == (Bound("no_parking", None),)
    assert [each.reason for each in parking.refused] == [Refusal.UNKNOWN_CONDITION]


def test_an_exception_that_cannot_be_turned_into_hours_is_named() -> None:
    tags = {
        "parking:left:restriction": "no_parking",
        "parking:left:restriction:conditional": 'none @ (Mo-Fr 07:00-19:00 "on request")',
    }
    parking = read_parking(tags)
    assert parking.left.bans == (Bound("no_parking", None),)
    assert [each.reason for each in parking.refused] == [Refusal.UNKNOWN_CONDITION]


def test_clauses() -> None:
    assert read_clauses("none; no_parking @ (Mo-Fr 07:00-19:00; PH off)") == (
        Clause("none"),
        Clause("no_parking", "Mo-Fr 07:00-19:00; PH off"),
    )
    assert read_clauses("") == ()
    assert bind(()) == ()


SIDED = st.sampled_from(
    [
        "parking:{}",
        "parking:{}:orientation",
        "parking:{}:restriction",
        "parking:lane:{}",
        "parking:condition:{}",
    ]
)
VALUES = st.sampled_from(
    [
        "lane",
        "no",
        "parallel",
        "diagonal",
        "no_stopping",
        "no_parking",
        "none",
        "free",
        "taxi",
        "2;3",
        "x @ (",
    ]
)


@given(st.dictionaries(st.tuples(SIDED, st.sampled_from(["left", "right", "both"])), VALUES, max_size=8))
def test_mirroring_the_tags_mirrors_the_kerbs(tags: dict[tuple[str, str], str]) -> None:
    swap = {"left": "right", "right": "left", "both": "both"}
    one = read_parking({key.format(side): value for (key, side), value in tags.items()})
    other = read_parking({key.format(swap[side]): value for (key, side), value in tags.items()})
    assert (one.left, one.right) == (other.right, other.left)


@given(st.dictionaries(st.tuples(SIDED, st.just("both")), VALUES, max_size=5))
def test_both_is_left_and_right(tags: dict[tuple[str, str], str]) -> None:
    both = read_parking({key.format(side): value for (key, side), value in tags.items()})
    each = read_parking(
        {key.format(side): value for (key, _), value in tags.items() for side in ("left", "right")}
    )
    assert (both.left, both.right) == (each.left, each.right)


@given(st.text(max_size=30))
def test_any_text_is_read_or_named(text: str) -> None:
    parking = read_parking({"parking:left:restriction:conditional": text, "parking:condition:left": text})
    assert parking.left.orientation is Orientation.UNKNOWN
