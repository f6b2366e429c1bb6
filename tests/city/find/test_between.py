"""Numbers that the map does not hold: between known ones, where that can be said, and never certain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from geocheck.city.find.places import places_named
from tests.city.find.town import Address, Street, at, index

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from geocheck.city.find.places import FoundPlace

EAST_WEST = [Street("Rua 10", 0, 0, 400, 0)]


def find(
    folder: Path,
    numbers: Sequence[tuple[str, float, float]],
    text: str,
    streets: Sequence[Street] = EAST_WEST,
) -> FoundPlace:
    addresses = [Address("Rua 10", number, x, y) for number, x, y in numbers]
    found = places_named(index(folder / "b", streets, addresses), text)
    assert len(found) == 1
    return found[0]


def test_a_number_between_two_on_its_side(tmp_path: Path) -> None:
    place = find(tmp_path, [("100", 100, 8), ("140", 180, 12), ("121", 130, -8)], "rua 10, 110")
    assert (place.label, place.kind, place.certain, place.exact) == (
        "Rua 10, 110 (aproximado)", "address", False, False
    )  # fmt: skip
    assert at(place) == (120, 9)  # a quarter of the way: 80 m along, 4 m across


@pytest.mark.parametrize("streets", [EAST_WEST, [Street("Rua 10", 400, 0, 0, 0)]])
def test_whichever_way_the_street_is_drawn(tmp_path: Path, streets: list[Street]) -> None:
    place = find(tmp_path, [("101", 300, -8), ("121", 200, -8)], "rua 10, 111", streets)
    assert at(place) == (250, -8)


def test_across_pieces_of_one_street(tmp_path: Path) -> None:
    pieces = [Street("Rua 10", 0, 0, 150, 0), Street("Rua 10", 150, 0, 150, 200)]
    place = find(tmp_path, [("10", 100, 8), ("22", 142, 50)], "rua 10, 16", pieces)
    # 50 m to the bend and 50 m behind it: the half is the bend itself, 8 m to the left.
    x, y = at(place)
    assert math.hypot(x - 150, y) == pytest.approx(8, abs=0.15)
    assert x < 150 < x + 10
    assert y > 0


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ([("100", 100, 8)], "nothing after it"),
        ([("120", 100, 8), ("140", 180, 8)], "nothing before it"),
        ([("101", 100, 8), ("141", 180, 8)], "the other parity"),
        ([("100", 100, 8), ("140", 180, -8)], "across the street from each other"),
        ([("100", 10, 8), ("140", 300, 8)], "too far apart"),
        ([("100", 100, 8), ("140", 180, 90)], "not beside the street"),
        ([("100", 100, 8), ("140", 180, 8), ("10", 150, 8)], "numbers do not grow along it"),
        ([("100", 100, 8), ("140", 100, 9)], "at one station"),
        ([("100-104", 100, 8), ("140", 180, 8)], "a range says no place"),
        ([("100", 100, 0), ("140", 180, 0)], "on the axis, on no side"),
    ],
)
def test_where_nothing_honest_can_be_said(
    tmp_path: Path, numbers: list[tuple[str, float, float]], why: str
) -> None:
    place = find(tmp_path, numbers, "rua 10, 110")
    assert place.label == "Rua 10 (trecho; o número 110 não está no mapa)", why
    assert (place.kind, place.certain, at(place)) == ("street", False, (200, 0))


def test_a_number_told_twice_does_not_break_the_row(tmp_path: Path) -> None:
    place = find(tmp_path, [("100", 100, 8), ("100", 104, 8), ("140", 180, 8)], "rua 10, 120")
    assert place.label == "Rua 10, 120 (aproximado)"


def test_a_known_number_is_never_guessed(tmp_path: Path) -> None:
    place = find(tmp_path, [("100", 100, 8), ("120", 110, 8), ("140", 180, 8)], "rua 10, 120")
    assert (place.label, place.certain, at(place)) == ("Rua 10, 120", True, (110, 8))


def test_none_on_a_ring(tmp_path: Path) -> None:
    ring = [
        Street("Rua 10", 0, 0, 200, 0),
        Street("Rua 10", 200, 0, 100, 150),
        Street("Rua 10", 100, 150, 0, 0),
    ]
    place = find(tmp_path, [("100", 50, -8), ("140", 150, -8)], "rua 10, 110", ring)
    assert place.kind == "street"
