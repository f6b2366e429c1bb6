"""City sheets: what they say, how names are forgiven, and what is said of a broken sheet."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from geocheck.cities import HolidayRule, HolidayStatus, city_names, load_city
from geocheck.errors import DataFileError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

EXPECTED = {
    # slug: IBGE code, UF, CRS, zone, rulebook, a point inside (lon, lat)
    "goiania": (
        "5208707",
        "GO",
        "EPSG:31982",
        "America/Sao_Paulo",
        "goiania-decreto-286-2004",
        (-49.25, -16.68),
    ),
    "juiz-de-fora": (
        "3136702",
        "MG",
        "EPSG:31983",
        "America/Sao_Paulo",
        "juiz-de-fora-lei-14670-2023",
        (-43.35, -21.76),
    ),
    "dois-vizinhos": (
        "4107207",
        "PR",
        "EPSG:31982",
        "America/Sao_Paulo",
        "dois-vizinhos-lei-1567-2010",
        (-53.06, -25.73),
    ),
    "olinda": ("2609600", "PE", "EPSG:31985", "America/Recife", "olinda-lei-5474-2005", (-34.86, -8.01)),
    "rio-verde": ("5218805", "GO", "EPSG:31982", "America/Sao_Paulo", "rio-verde-taxi", (-50.92, -17.79)),
}


SHEET = """
id = "minha"
name = "Minha Cidade"
state = "GO"
ibge_code = "5208707"
crs = "EPSG:31982"
time_zone = "America/Sao_Paulo"
driving_side = "right"
max_footway_m = 5.0
max_footway_source = "medida"
default_footway_m = 2.5
default_footway_accuracy_m = 1.5
default_footway_source = "medida"
rulebooks = []
national_holidays = "brasil"
verified_years = [2024, 2030]

[bounds]
west = -49.45
south = -16.84
east = -49.07
north = -16.45
source = "teste"

[fallback]
rulebook = "ctb"
topics = []
silenced = []

[default_width_m]
source = "teste"
two_way = { residential = 7.0, service = 5.0 }
one_way = { residential = 5.0, service = 3.5 }

[[holidays]]
name = "Padroeira"
month_day = "05-24"
status = "holiday"
scope = "municipal"
source = "teste"

[[holidays]]
name = "Fundação"
month_day = "07-26"
status = "uncertain"
scope = "state"
source = "teste"
"""


def complaints(folder: Path, text: str) -> list[str]:
    path = folder / "minha.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        load_city(str(path))
    return [str(problem).removeprefix("minha.toml: ") for problem in caught.value.problems]


def test_the_five_cities_are_there() -> None:
    assert city_names() == tuple(sorted(EXPECTED))


@pytest.mark.parametrize("slug", EXPECTED)
def test_each_city_says_who_it_is(slug: str) -> None:
    city = load_city(slug)
    code, state, crs, zone, rulebook, (lon, lat) = EXPECTED[slug]
    assert (city.id, city.ibge_code, city.state) == (slug, code, state)
    assert (city.crs, city.time_zone, city.rulebooks) == (crs, zone, (rulebook,))
    assert city.bounds.west < lon < city.bounds.east
    assert city.bounds.south < lat < city.bounds.north
    assert city.driving_side == "right"
    assert city.verified_years == (2024, 2030)
    assert city.fallback is not None
    assert city.fallback.rulebook == "ctb"
    assert city.default_width_m.one_way["residential"] < city.default_width_m.two_way["residential"]
    assert "hipótese do serviço" in city.default_width_m.source
    assert "hipótese do serviço" in city.max_footway_source
    assert "hipótese do serviço" in city.default_footway_source


@pytest.mark.parametrize(
    ("written", "slug"),
    [
        ("Goiânia", "goiania"),
        ("GOIANIA", "goiania"),
        ("juiz de fora", "juiz-de-fora"),
        (" Juiz_de_Fora ", "juiz-de-fora"),
        ("Rio Verde", "rio-verde"),
        ("Goia\u0302nia", "goiania"),
    ],
)
def test_case_accents_and_spaces_are_forgiven(written: str, slug: str) -> None:
    assert load_city(written).id == slug


@pytest.mark.parametrize("name", ["goiana", "", "feriados", "brasil", ".."])
def test_an_unknown_city_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownNameError, match="goiania") as caught:
        load_city(name)
    assert caught.value.field == "city"


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(UnknownNameError, match="quis dizer “juiz-de-fora”"):
        load_city("juis de fora")


def test_a_sheet_of_ones_own_is_loaded_by_path(tmp_path: Path) -> None:
    path = tmp_path / "minha.toml"
    path.write_text("\ufeff" + SHEET, encoding="utf-8", newline="\r\n")
    assert load_city(str(path)).id == "minha"


def test_a_city_abroad_needs_neither_state_nor_holidays(tmp_path: Path) -> None:
    lines = [line for line in SHEET.splitlines() if not line.startswith(("state", "ibge_code", "national_"))]
    head = "\n".join(lines).split("[[holidays]]")[0].replace("America/Sao_Paulo", "Europe/Berlin")
    path = tmp_path / "neukoelln.toml"
    path.write_text(head, encoding="utf-8")
    city = load_city(str(path))
    assert (city.state, city.holidays) == (None, ())


def test_national_holidays_come_first_and_the_citys_own_after() -> None:
    names = [rule.name for rule in load_city("juiz-de-fora").holidays]
    assert names.index("Natal") < names.index("Santo Antônio")


def test_rio_verde_does_not_have_goianias_days_for_certain() -> None:
    own = {
        rule.month_day: rule.status for rule in load_city("rio-verde").holidays if rule.scope != "national"
    }
    assert own == {"08-05": "uncertain", "07-26": "uncertain", "10-24": "uncertain"}


def test_every_problem_of_a_sheet_is_told(tmp_path: Path) -> None:
    broken = (
        SHEET.replace("max_footway_m = 5.0", 'max_fotway_m = 5.0\nibge = "1"')
        .replace('crs = "EPSG:31982"', 'crs = "31982"')
        .replace("America/Sao_Paulo", "America/Sao_Paolo")
        .replace("residential = 7.0", "residental = 7.0")
        .replace('month_day = "05-24"', 'month_day = "05-32"')
        .replace('month_day = "07-26"\nstatus = "uncertain"', 'easter_ofset_days = 1\nstatus = "uncertan"')
        .replace("verified_years = [2024, 2030]", "verified_years = [2024.5, 1800]")
        .replace("silenced = []", 'silenced = [{ topic = "x", motivo = "y" }]')
    )
    told = complaints(tmp_path, broken)
    for expected in (
        "max_footway_m: falta",
        "max_fotway_m: chave desconhecida; quis dizer “max_footway_m”?",
        "ibge: chave desconhecida; quis dizer “ibge_code”?",
        "crs: “31982” não é um código de sistema de coordenadas; escreva EPSG:31982",
        "time_zone: “America/Sao_Paolo” não é um fuso tz; quis dizer “America/Sao_Paulo”?",
        "feriado 1 (Padroeira): month_day: “05-32” não é um dia do ano; escreva “11-20”, mês e dia",
        "feriado 2 (Fundação): easter_ofset_days: chave desconhecida; quis dizer “easter_offset_days”?",
        "verified_years.0: deve ser um número inteiro, sem aspas; veio “2024.5”",
        "verified_years.1: deve ser no mínimo 1990; veio “1800”",
        "fallback.silenced.0.motivo: chave desconhecida",
    ):
        assert expected in told
    assert any("residental" in line and "quis dizer “residential”?" in line for line in told)
    assert any("uncertan" in line and "quis dizer “uncertain”?" in line for line in told)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("east = -49.07", "east = -50.07", "west deve ser menor que east"),
        ("max_footway_m = 5.0", "max_footway_m = true", "deve ser um número"),
        ("max_footway_m = 5.0", "max_footway_m = nan", "número finito"),
        ("max_footway_m = 5.0", "max_footway_m = 2.0", "default_footway_m é maior que max_footway_m"),
        ('national_holidays = "brasil"', 'national_holidays = "chile"', "“chile” não existe; há: brasil"),
        (
            "verified_years = [2024, 2030]",
            "verified_years = [2030, 2024]",
            "o primeiro ano é depois do último",
        ),
        (", service = 3.5", "", "só uma delas tem: service"),
        ("west = -49.45", "west = = 1", "linha 19, coluna 8: erro de sintaxe TOML"),
        ('driving_side = "right"', 'driving_side = "direita"', "deve ser um de: right, left"),
    ],
)
def test_what_is_wrong_is_said_in_portuguese(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in SHEET
    assert told in "\n".join(complaints(tmp_path, SHEET.replace(old, new)))


def test_a_missing_or_garbled_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="arquivo não encontrado"):
        load_city(str(tmp_path / "nada.toml"))
    with pytest.raises(DataFileError, match="é uma pasta"):
        load_city(f"{tmp_path}/")
    path = tmp_path / "latin.toml"
    path.write_bytes('id = "x"\nname = "Goiânia"\n'.encode("cp1252"))
    with pytest.raises(DataFileError, match="linha 2: o arquivo não está em UTF-8"):
        load_city(str(path))


def holiday(**day: object) -> HolidayRule:
    return HolidayRule.model_validate(
        {"name": "Teste", "status": "holiday", "scope": "municipal", "source": "teste", **day}
    )


def test_a_holiday_falls_where_it_should() -> None:
    assert holiday(month_day="11-20", from_year=2024).day_in(2023) is None
    assert holiday(month_day="11-20", from_year=2024).day_in(2024) == dt.date(2024, 11, 20)
    assert holiday(month_day="11-20", to_year=2024).day_in(2025) is None
    assert holiday(easter_offset_days=-2).day_in(2026) == dt.date(2026, 4, 3)
    assert holiday(easter_offset_days=60).day_in(2026) == dt.date(2026, 6, 4)
    assert holiday(date=dt.date(2026, 1, 2)).day_in(2026) == dt.date(2026, 1, 2)
    assert holiday(date=dt.date(2026, 1, 2)).day_in(2027) is None
    assert holiday(month_day="02-29").day_in(2028) == dt.date(2028, 2, 29)
    assert holiday(month_day="02-29").day_in(2026) is None
    assert holiday(month_day="02-29").day_in(2100) is None


@pytest.mark.parametrize(
    "day",
    [
        {},
        {"month_day": "11-20", "easter_offset_days": 1},
        {"date": dt.date(2026, 1, 2), "from_year": 2026},
        {"month_day": "11-20", "from_year": 2027, "to_year": 2026},
        {"month_day": "02-30"},
        {"month_day": "2-3"},
    ],
)
def test_a_holiday_must_say_one_day(day: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="HolidayRule"):
        holiday(**day)


def test_statuses_are_ordered_from_sure_to_optional() -> None:
    assert list(HolidayStatus) == ["holiday", "uncertain", "optional"]
