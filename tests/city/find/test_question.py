"""What a text asks for: how it is read as street, number, block, lot and neighbourhood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.city.find.question import House, Plot, houses_of, read_question, readings_of
from geocheck.errors import InputError


def read(text: str, *city: str) -> list[tuple[str, str, str]]:
    """Return street, number and tail of each reading that uses all of a text."""
    first = next(readings_of(read_question(text).parts, city))
    return [
        (
            " ".join(word.meant for word in each.street),
            "" if each.house is None else f"{each.house.value}{each.house.suffix}",
            " ".join(word.meant for word in each.tail),
        )
        for each in first
    ]


def test_a_number_that_is_the_street_itself_is_no_house() -> None:
    assert read("R. 10") == [("rua 10", "", "")]


def test_the_last_number_is_the_house_or_a_part_of_the_name() -> None:
    assert read("Rua T 30") == [("rua t 30", "", ""), ("rua t", "30", "")]
    assert read("Rua 10 25") == [("rua 10 25", "", ""), ("rua 10", "25", "")]


@pytest.mark.parametrize(
    "text", ["Rua 10, 25 B", "Rua 10 nº 25-b", "rua dez n. 25b", "R 10 número 25 B", "R 10 num. 025B"]
)
def test_a_house_is_told_in_many_ways(text: str) -> None:
    assert ("rua 10", "25b", "") in read(text)


def test_the_house_may_stand_before_the_street() -> None:
    assert ("rua rosas", "120", "") in read("120 Rua das Rosas")
    assert ("rua 11 agosto", "56", "") in read("56, R. 11 de Agosto")


def test_what_stands_behind_the_house_is_a_neighbourhood() -> None:
    assert ("rua 10", "25", "setor central") in read("Rua 10, 25 – Setor Central")


def test_a_postcode_says_nothing() -> None:
    assert read("Rua 10, 25, 74000-123") == read("Rua 10, 25, CEP 74000123") == read("Rua 10, 25")


def test_the_city_behind_it_all_says_nothing_new() -> None:
    parts = read_question("Rua 10, Porto Alegre - RS, Brasil").parts
    second = list(readings_of(parts, ("porto", "alegre")))[1]
    assert [word.meant for word in second[0].street] == ["rua", "10"]


def test_a_street_that_is_called_like_the_city_is_not_lost() -> None:
    readings = [
        reading
        for group in readings_of(read_question("Av. Goiânia").parts, ("goiania",))
        for reading in group
    ]
    assert [[word.meant for word in reading.street] for reading in readings] == [["avenida", "goiania"]]


@pytest.mark.parametrize(
    "text", ["qd 12 lt 5", "Quadra 12, Lote 05", "Q12L5", "Qd.012-Lt.5", "QUADRA 12 LOTE 5"]
)
def test_block_and_lot(text: str) -> None:
    assert read_question(text).plot == Plot("12", "5")


def test_block_and_lot_may_have_letters() -> None:
    assert read_question("Qd. A lt 12-B").plot == Plot("a", "12b")
    assert read_question("Qd 7-c, Lt 3").plot == Plot("7c", "3")


def test_block_and_lot_are_no_words_of_the_street() -> None:
    question = read_question("Rua 10, Qd 12, Lt 5")
    assert [[word.meant for word in part] for part in question.parts] == [["rua", "10"]]


@pytest.mark.parametrize("text", ["Aquila 12", "Rua Quatro Lagos 5", "Lote 5", "Quadra 12"])
def test_no_block_and_lot(text: str) -> None:
    assert read_question(text).plot is None


@pytest.mark.parametrize(
    ("written", "houses"),
    [
        ("120", [House(120, "")]),
        ("0120", [House(120, "")]),
        ("120 B", [House(120, "b")]),
        ("120-b", [House(120, "b")]),
        ("10;12", [House(10, ""), House(12, "")]),
        ("10-12", [House(10, ""), House(12, "")]),
        ("120 casa 2", [House(120, "")]),
        ("S/N", []),
        ("km 12", []),
        ("", []),
        ("99999999999", []),
    ],
)
def test_numbers_as_maps_write_them(written: str, houses: list[House]) -> None:
    assert list(houses_of(written)) == houses


@pytest.mark.parametrize("text", ["", "   ", "...", "–,;", "\x00\x1b\n", "\ud800", "´`"])
def test_a_text_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^q: não diz nenhuma rua"):
        read_question(text)


def test_a_huge_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"^q: tem 10000 letras"):
        read_question("a" * 10_000)
    with pytest.raises(InputError, match=r"^q: tem palavras demais"):
        read_question("a " * 100)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    if not any(word.isalnum() for word in text):
        with pytest.raises(InputError):
            read_question(text)
        return
    try:
        question = read_question(text)
    except InputError:
        return
    for group in readings_of(question.parts, ("goiania",)):
        assert all(reading.street for reading in group)
