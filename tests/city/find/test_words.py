"""Text into words: accents, capitals, abbreviations, numerals and particles are no difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.city.find.words import fold, name_of, words_of


def meant(text: str) -> list[str]:
    return [word.meant for word in words_of(fold(text))]


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("R. 10", "Rua 10"),
        ("r 010", "RUA DEZ"),
        ("Av Pau-Brasil", "Avenida Pau Brasil"),
        ("Al. das Rosas", "AL Rosas-das"),
        ("Pça. Tamandaré", "PRACA TAMANDARE"),
        ("Trav. Nova Trento", "travessa nova trento"),
        ("Rua Dr. Olinto", "Rua Doutor Olinto"),
        ("T-30", "T30"),
        ("Rua C 139", "Rua C-139"),
        ("Av. Nove de Julho", "av 9 julho"),
        ("Rua Vinte e Quatro de Maio", "Rua 24 de Maio"),
        ("1º de Maio", "Primeiro de Maio"),
        ("Rua 1o de Maio", "Rua 1ª Maio"),
        ("Gonçalves e Silva", "Goncalves Silva"),
        ("Olho D'Água", "olho d’agua"),
        ("Karl-Marx-Straße", "karl marx strasse"),
        ("Sta. Luzia", "Santa Luzia"),
    ],
)
def test_the_same_however_it_is_written(written: str, other: str) -> None:
    assert meant(written) == meant(other)


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("Rua 1", "Rua 10"),
        ("Rua R", "Rua Rua"),
        ("Rua E, 12", "Rua 12"),
        ("Rua A 1", "Rua 1 A"),
        ("Rua Vinte", "Rua 24"),
        ("Avenida Goiás", "Rua Goiás"),
    ],
)
def test_not_the_same(written: str, other: str) -> None:
    assert meant(written) != meant(other)


def test_the_core_of_a_name_has_neither_kind_nor_title() -> None:
    assert name_of("Avenida Professor Oscar Pereira").core == ("oscar", "pereira")
    assert name_of("AV Jaime-Sen").core == ("jaime",)
    assert name_of("Rua 10").core == ("10",)


def test_what_is_all_kind_and_title_keeps_its_title() -> None:
    assert name_of("Rua do Padre").core == ("padre",)
    assert name_of("Alameda").core == ("alameda",)


PORTUGUESE = "aáãbcçdeéfghiíjlmnoóõpqrstuúüvxz'º0123 -.,"


@given(st.text(alphabet=PORTUGUESE, max_size=40))
def test_capitals_and_reading_twice_change_nothing(text: str) -> None:
    once = meant(text)
    assert meant(text.upper()) == once
    assert meant(" ".join(once)) == once


@given(st.text(max_size=60))
def test_of_any_text_only_letters_and_digits_are_left(text: str) -> None:
    assert all(word.isalnum() for word in meant(text))
