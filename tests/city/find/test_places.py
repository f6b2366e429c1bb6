"""Places by name in towns made by hand: what is found, in what order, and how surely."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.bundle.bundle import write_bundle
from geocheck.city.find.index import FindIndex, find_index
from geocheck.city.find.places import one_place, places_named
from geocheck.city.find.words import fold, words_of
from geocheck.errors import InputError
from tests.city.find.town import HEAD, Address, Lot, Street, at, index, town

STREETS = [
    Street("Rua 10", 0, 0, 400, 0),
    Street("Avenida Pau Brasil", 0, 100, 400, 100),
    Street("Rua Brasil", 0, 200, 400, 200),
    Street("Alameda das Rosas", 0, 300, 400, 300),
    Street("AL Acácias-das", 0, 400, 400, 400),
    Street("Rua Doutor João Zé", 0, 500, 400, 500),
    Street("Rua 1 B", 0, 600, 400, 600),
    Street("Rua B 1", 0, 700, 400, 700),
    Street(None, 0, 800, 400, 800),
    Street("  ", 0, 900, 400, 900),
]
ADDRESSES = [
    Address("Rua 10", "25", 50, 8),
    Address("Rua 10", "26", 60, -8, tags="addr:housenumber=26;addr:suburb=Setor Central;shop=yes"),
    Address("Avenida Pau Brasil", "120", 120, 108, name="Padaria do Zé"),
    Address("Av. Pau-Brasil", "120", 125, 108),
    Address("Rua 10", "30 B", 70, -8),
    Address(None, "99", 10, 10),
    Address("Rua 10", None, 90, 8),
]
LOTS = [
    Lot(200, 20, {"feature": "0001.234-5", "QUADRA": "012", "Lote": "5", "BAIRRO": "Vila Nova"}),
    Lot(220, 20, {"feature": "lot/2", "QUADRA": "Qd. 12", "Lote": "06", "BAIRRO": "Vila Nova"}),
    Lot(300, 20, {"feature": "lot/3", "name": "Chácara Boa Vista"}),
    Lot(320, 20, {"feature": "lot/4", "street": "Rua 10", "number": "Q20 L7"}),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> FindIndex:
    return index(tmp_path_factory.mktemp("town") / "b", STREETS, ADDRESSES, LOTS)


@pytest.mark.parametrize(
    "text", ["Rua 10, 25", "r. 10 25", "RUA DEZ nº 25", "25, rua 10", "r10,25 - Goiânia - GO, 74000-000"]
)
def test_a_street_and_number(small: FindIndex, text: str) -> None:
    first = places_named(small, text)[0]
    assert (first.label, first.kind, first.certain, first.exact) == ("Rua 10, 25", "address", True, True)
    assert at(first) == (50, 8)
    assert first.left_out == ""


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("al rosas", "Alameda das Rosas (trecho)"),
        ("Al. das Acácias", "AL Acácias-das (trecho)"),
        ("R Dr Joao Ze", "Rua Doutor João Zé (trecho)"),
        ("joao ze", "Rua Doutor João Zé (trecho)"),
        ("r. 1-b", "Rua 1 B (trecho)"),
        ("rua b1", "Rua B 1 (trecho)"),
    ],
)
def test_a_street_alone_is_a_stretch_and_never_certain(small: FindIndex, text: str, label: str) -> None:
    first = places_named(small, text)[0]
    assert (first.label, first.kind, first.certain) == (label, "street", False)
    assert at(first)[0] == 200  # the middle of 400 m


def test_the_very_name_comes_before_names_that_contain_it(small: FindIndex) -> None:
    labels = [place.label for place in places_named(small, "brasil")]
    assert labels == ["Rua Brasil (trecho)", "Avenida Pau Brasil (trecho)"]


def test_a_number_that_is_in_another_street_is_not_exact(small: FindIndex) -> None:
    found = places_named(small, "brasil 120")
    assert [(place.label, place.certain, place.exact) for place in found] == [
        ("Rua Brasil (trecho; o número 120 não está no mapa)", False, False),
        ("Avenida Pau Brasil, 120", True, False),
    ]


def test_another_kind_of_street_is_shown_and_not_exact(small: FindIndex) -> None:
    first = places_named(small, "rua pau brasil 120")[0]
    assert (first.label, first.certain, first.exact, first.left_out) == (
        "Avenida Pau Brasil, 120",
        True,
        False,
        "rua",
    )


def test_things_of_one_address_at_one_place_are_one(small: FindIndex) -> None:
    found = places_named(small, "av pau brasil 120")
    assert [place.label for place in found] == ["Avenida Pau Brasil, 120"]
    assert at(found[0]) in {(120, 108), (125, 108)}


def test_the_neighbourhood_is_told_and_may_be_asked(small: FindIndex) -> None:
    for text in ("rua 10, 26", "Rua 10, 26 – St. Central", "rua 10 26 setor central"):
        first = places_named(small, text)[0]
        assert (first.label, first.exact) == ("Rua 10, 26 – Setor Central", True)


def test_a_neighbourhood_that_the_map_does_not_know_is_left_out_and_said(small: FindIndex) -> None:
    first = places_named(small, "Rua 10, 25, Jardim América")[0]
    assert (first.label, first.exact, first.left_out) == ("Rua 10, 25", False, "jardim america")
    street = places_named(small, "Rua 10, Jardim América")[0]
    assert (street.label, street.left_out) == ("Rua 10 (trecho)", "jardim america")


@pytest.mark.parametrize(
    "text",
    [
        "rua 10, 25, apto 12",
        "rua 10, 25 L104",
        "rua 10 25 bloco B ap 12 - Goiânia",
        "rua 10, 25 casa 2 fundos",
    ],
)
def test_what_says_where_in_the_building_says_no_other_place(small: FindIndex, text: str) -> None:
    first = places_named(small, text)[0]
    assert (first.label, first.exact, first.left_out) == ("Rua 10, 25", True, "")


def test_a_number_with_a_letter_is_another_one(small: FindIndex) -> None:
    first = places_named(small, "rua 10, 30")[0]
    assert (first.label, first.certain, first.exact) == ("Rua 10, 30 B", True, False)
    assert places_named(small, "rua 10, 30-b")[0].exact
    assert places_named(small, "rua 10, 25 b")[0].kind == "street"


@pytest.mark.parametrize("text", ["qd 12 lt 5", "Quadra 12, Lote 5", "Q12 L5", "Vila Nova qd 012 lt 05"])
def test_a_lot_by_its_block_and_number(small: FindIndex, text: str) -> None:
    found = places_named(small, text)
    assert [(place.label, place.kind, place.exact) for place in found] == [
        ("Quadra 012, Lote 5 – Vila Nova", "lot", True)
    ]
    assert at(found[0]) == (200, 20)


def test_a_block_and_lot_written_as_a_number(small: FindIndex) -> None:
    first = places_named(small, "Rua 10, qd 20 lt 7")[0]
    assert (first.label, first.kind, first.exact, at(first)) == ("Rua 10, Q20 L7", "lot", True, (320, 20))


def test_a_plot_that_is_not_in_the_map_is_said(small: FindIndex) -> None:
    first = places_named(small, "Rua 10 qd 77 lt 7")[0]
    assert (first.label, first.certain, first.left_out) == ("Rua 10 (trecho)", False, "quadra 77 lote 7")
    assert places_named(small, "qd 77 lt 7") == []


@pytest.mark.parametrize("text", ["0001.234-5", " 0001.234-5 "])
def test_a_lot_by_its_identifier(small: FindIndex, text: str) -> None:
    found = places_named(small, text)
    assert [(place.label, place.exact) for place in found] == [
        ("0001.234-5 – Quadra 012, Lote 5 – Vila Nova", True)
    ]


def test_things_by_their_own_names(small: FindIndex) -> None:
    assert places_named(small, "chacara boa vista")[0].label == "Chácara Boa Vista"
    bakery = places_named(small, "padaria ze")[0]
    assert (bakery.label, bakery.kind, at(bakery)) == (
        "Padaria do Zé – Avenida Pau Brasil, 120",
        "address",
        (120, 108),
    )


@pytest.mark.parametrize("text", ["xyz", "rua", "rua 11", "999", "qd", "rua rua rua"])
def test_what_is_not_there_is_not_found(small: FindIndex, text: str) -> None:
    assert places_named(small, text) == []


def test_a_number_asked_twice_is_not_in_a_name_that_has_it_once(small: FindIndex) -> None:
    assert [place.label for place in places_named(small, "rua 10 10")] == [
        "Rua 10 (trecho; o número 10 não está no mapa)"
    ]


def test_the_beginning_of_a_kind_is_not_the_kind(tmp_path: Path) -> None:
    bridge = index(tmp_path / "b", [Street("Viaduto Azul", 0, 0, 9, 0)], [Address("Viaduto Azul", "5", 3, 3)])
    assert [place.exact for place in places_named(bridge, "via azul, 5")] == [False]
    assert [place.exact for place in places_named(bridge, "viad. azul, 5")] == [True]


def test_no_more_than_were_asked(small: FindIndex) -> None:
    assert len(places_named(small, "rua", limit=10)) <= 10
    assert [len(places_named(small, "b", limit=each)) for each in (1, 2)] == [1, 2]


def test_one_name_in_two_places_is_told_apart_and_none_is_certain(tmp_path: Path) -> None:
    streets = [
        Street("Rua 10", 0, 0, 100, 0),
        Street("Rua Azul", 50, 20, 60, 90),
        Street("Rua 10", 5000, 0, 5100, 0),
        Street("Rua Verde", 5050, 20, 5060, 90),
        Street("Rua 10", 180, 0, 220, 0),
    ]
    twice = index(tmp_path / "b", streets, [Address("Rua 10", "5", 10, 5), Address("Rua 10", "5", 5010, 5)])
    found = places_named(twice, "rua 10")
    assert sorted(place.label for place in found) == [
        "Rua 10 (trecho perto de Rua Azul)",
        "Rua 10 (trecho perto de Rua Verde)",
    ]
    both = places_named(twice, "rua 10, 5")
    assert [(place.label, place.certain) for place in both] == [("Rua 10, 5", False)] * 2
    with pytest.raises(InputError, match=r"não diz um só lugar certo.*Rua 10, 5 \(.*Rua 10, 5 \("):
        one_place(twice, "rua 10, 5")


def test_of_two_neighbourhoods_the_one_asked(tmp_path: Path) -> None:
    two = index(
        tmp_path / "b",
        [Street("Rua 10", 0, 0, 100, 0)],
        [
            Address("Rua 10", "5", 10, 5, tags="addr:suburb=Sul"),
            Address("Rua 10", "5", 3000, 5, tags="a=b;addr:suburb=Norte"),
        ],
    )
    assert [place.certain for place in places_named(two, "rua 10, 5")] == [True, True]
    found = places_named(two, "rua 10, 5, norte")
    assert [(place.label, at(place)) for place in found] == [("Rua 10, 5 – Norte", (3000, 5))]
    assert one_place(two, "rua 10, 5 - Norte, Goiânia").label == "Rua 10, 5 – Norte"
    with pytest.raises(InputError, match="não diz um só lugar"):
        one_place(two, "rua 10, 5")


def test_the_stretch_near_the_middle_of_the_bundle_comes_first(tmp_path: Path) -> None:
    streets = [Street("Rua 7", x, 0, x + 10, 0) for x in (0, 1000, 4000)]
    found = places_named(index(tmp_path / "b", streets), "rua 7")
    assert [at(place)[0] for place in found] == [1005, 5, 4005]  # the middle is at 2005


@pytest.mark.parametrize(
    "text", ["rua 10", "rua 10 77", "brasil 120", "rua 10 25 b", "nada 5", "rua 10 25 jardim"]
)
def test_only_a_certain_place_is_the_one(small: FindIndex, text: str) -> None:
    with pytest.raises(InputError):
        one_place(small, text)


def test_the_one_place(small: FindIndex) -> None:
    assert at(one_place(small, "r 10 nº 25")) == (50, 8)


def test_in_front_of_a_corner_lot_is_its_own_street(tmp_path: Path) -> None:
    corner = index(
        tmp_path / "b",
        [Street("Rua 10", -50, 0, 50, 0), Street("Rua Azul", 0, -50, 0, 50)],
        [
            Address("Rua 10", "25", 6, 9),  # nearer to the other street
            Address("Rua Azul", "7", 9, -6),
            Address("Rua 10", "1", 20, 1),
            Address("Rua 10", "99", 20, 61),
            Address("Rua Longe", "3", 6, 9),
        ],
    )
    for text, front in (
        ("rua 10, 25", (6, 2.5)),
        ("rua azul, 7", (2.5, -6)),
        ("rua 10, 1", (20, 1)),  # between the axis and its side already
        ("rua 10, 99", None),  # 61 m off
        ("rua longe, 3", None),
        ("rua 10", None),
    ):
        place = places_named(corner, text)[0]
        assert (place.front and at(place._replace(lon=place.front[0], lat=place.front[1]))) == front, text


def test_a_street_that_only_addresses_know(tmp_path: Path) -> None:
    town_ = index(
        tmp_path / "b",
        [Street("Rua 1", 0, 0, 100, 0)],
        [Address("Rua Nova", str(each), 10.0 * each, 50) for each in (1, 2, 3, 9)],
    )
    found = places_named(town_, "rua nova")
    assert [(place.label, place.kind, at(place)) for place in found] == [
        ("Rua Nova (trecho)", "street", (20, 50))
    ]


def test_a_bundle_without_streets_is_searched_in_vain(tmp_path: Path) -> None:
    assert places_named(FindIndex(write_bundle(tmp_path / "b", HEAD, [], {})), "rua 10, 25") == []


def test_hostile_text_of_the_map_is_shown_in_one_short_line(tmp_path: Path) -> None:
    name = "Rua \x00\x1b[31m Má\n" + "x" * 500
    found = places_named(index(tmp_path / "b", [Street(name, 0, 0, 9, 0)]), "rua")
    found = found or places_named(index(tmp_path / "c", [Street(name, 0, 0, 9, 0)]), "ma")
    assert len(found) == 1
    assert found[0].label.isprintable()
    assert len(found[0].label) < 150


def test_the_index_is_made_once(tmp_path: Path) -> None:
    bundle = town(tmp_path / "b", STREETS)
    assert find_index(bundle) is find_index(bundle)


NAMES = [street.name for street in STREETS if street.name and street.name.strip()]
WORD = st.sampled_from(sorted({word.written for name in NAMES for word in words_of(fold(name))}))


@settings(deadline=None)
@given(st.lists(WORD, min_size=1, max_size=3))
def test_a_name_that_is_found_contains_the_words_asked(small: FindIndex, words: list[str]) -> None:
    text = " ".join(words)
    for place in places_named(small, text):
        said = {form for word in words_of(fold(place.label)) for form in word}
        left = place.left_out.split()
        for word in words_of(fold(text)):
            explained = any(form.startswith((word.written, word.meant)) for form in said)
            assert explained or word.written in left, (text, place.label)


@settings(max_examples=15, deadline=None)
@given(st.permutations(STREETS), st.permutations(ADDRESSES), st.permutations(LOTS))
def test_the_order_of_rows_changes_nothing(
    small: FindIndex, streets: list[Street], addresses: list[Address], lots: list[Lot]
) -> None:
    with TemporaryDirectory() as folder:
        other = index(Path(folder) / "b", streets, addresses, lots)
        for text in ("rua", "b", "rua 10", "rua 10 25", "brasil 120", "qd 12 lt 5", "ze", "rua 10, 28"):
            assert places_named(other, text) == places_named(small, text)


def test_drawing_streets_the_other_way_changes_nothing(small: FindIndex, tmp_path: Path) -> None:
    turned = [Street(each.name, each.to_x, each.to_y, each.x, each.y) for each in STREETS]
    other = index(tmp_path / "b", turned, ADDRESSES, LOTS)
    for text in ("b", "rua 10", "rua 10 25", "rua 10, 27"):
        one, two = places_named(small, text), places_named(other, text)
        assert [place.label for place in one] == [place.label for place in two]
        assert np.allclose([at(place) for place in one], [at(place) for place in two], atol=0.02)
