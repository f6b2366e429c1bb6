"""A municipal file's columns into a layer's words: by a TOML beside it, one that is named, and options."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from geocheck.cities import load_city
from geocheck.city.layers.declaration import read_declaration
from geocheck.city.layers.municipal import municipal_layer
from geocheck.cli.layers import layer_file, split_axes
from geocheck.errors import DataFileError, GeocheckError

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.city.layers.merging import Sourced

HEAD = "COD;NOME;PLACAS;BOX;DESDE;ATE;ERRO;LADO;TIPO;x;y"
ROWS = (
    "P1;Parada Um;Dupla;sim;01/02/2024;;0,8;direito;Ponto;686010;8155001",
    "P2;Parada Dois;SIMPLES;não;2024-03-05 00:00:00;2025-01-31;;;Ponto;686020;8155001",
    "P2;;abrigo;talvez;ontem;;-3;esquerdo;Ponto;686030;8155001",
    ";Parada Quatro;;;2025-01-01;2024-01-01;;;Ponto;686040;8155001",
    "P5;Terminal;Dupla;;;;;;Terminal;686050;8155001",
)
TOML = """
crs = "EPSG:31982"
accuracy_m = 2.0
completeness = "complete"
x = "x"
y = "y"
only = { TIPO = ["ponto"] }

[columns]
feature = "COD"
name = "NOME"
plates = "PLACAS"
box = "BOX"
valid_from = "DESDE"
valid_to = "ATE"
accuracy_m = "ERRO"

[values.plates]
dupla = "pair"
simples = "single"
abrigo = "none"
"""


def stops(
    folder: Path, toml: str | None = TOML, rows: tuple[str, ...] = ROWS, name: str = "paradas.csv"
) -> Path:
    path = folder / name
    path.write_text("\n".join((HEAD, *rows)), encoding="utf-8")
    if toml is not None:
        path.with_name(f"{name}.geocheck.toml").write_text(toml, encoding="utf-8")
    return path


def read(option: str) -> Sourced:
    return municipal_layer(layer_file(option), load_city("goiania"))


def reasons(layer: Sourced) -> dict[str, int]:
    return {each["reason"]: each["count"] for each in layer.changes}


def refusal(option: str) -> str:
    with pytest.raises(GeocheckError) as refused:
        read(option)
    return str(refused.value)


def test_columns_become_attributes(tmp_path: Path) -> None:
    layer = read(f"bus_stop={stops(tmp_path)}")
    frame = layer.frame
    assert frame["name"].fillna("?").tolist() == ["Parada Um", "Parada Dois", "?", "Parada Quatro"]
    assert frame["plates"].fillna(-1).tolist() == [2, 1, 0, -1]
    assert frame["box"].map({True: "sim", False: "não"}, na_action="ignore").fillna("?").tolist() == [
        *("sim", "não", "?", "?")
    ]
    assert frame["valid_from"].tolist()[:2] == [pd.Timestamp(2024, 2, 1), pd.Timestamp(2024, 3, 5)]
    assert frame["valid_to"].tolist()[1] == pd.Timestamp(2025, 1, 31)
    assert frame["valid_from"].isna().tolist() == [False, False, True, True]
    assert frame["side"].isna().all()
    assert frame["direction"].isna().all()
    assert frame["PLACAS"].tolist()[:3] == ["Dupla", "SIMPLES", "abrigo"]


def test_what_is_not_understood_is_unknown_and_named(tmp_path: Path) -> None:
    layer = read(f"bus_stop={stops(tmp_path)}")
    said = reasons(layer)
    assert said["box: valor não reconhecido (BOX), fica desconhecido"] == 1
    assert said["valid_from: valor não reconhecido (DESDE), fica desconhecido"] == 1
    assert said["accuracy_m: valor não reconhecido (ERRO), fica desconhecido"] == 1
    assert said["vigência que acaba antes de começar: as duas datas ficam desconhecidas"] == 1
    assert said["coluna “TIPO” diz outra coisa que ponto"] == 1
    box = next(each for each in layer.changes if each["reason"].startswith("box"))
    assert box["examples"] == ("talvez (1)",)


def test_ids_are_unique_and_the_file_s_own_where_they_can_be(tmp_path: Path) -> None:
    layer = read(f"bus_stop={stops(tmp_path)}")
    assert layer.frame["feature"].tolist() == ["P1", "paradas.csv#2", "paradas.csv#3", "paradas.csv#4"]
    assert layer.frame["source"].tolist() == [f"paradas.csv#{row}" for row in (1, 2, 3, 4)]
    assert reasons(layer)["código em branco ou repetido: a feição se chama pelo número do registro"] == 3


def test_each_feature_has_an_accuracy(tmp_path: Path) -> None:
    layer = read(f"bus_stop={stops(tmp_path)}")
    assert layer.frame["accuracy_m"].tolist() == [0.8, 2.0, 2.0, 2.0]
    assert layer.accuracy_m == 2.0


def test_a_change_of_datum_adds_to_a_feature_s_own_accuracy(tmp_path: Path) -> None:
    """SAD69 of UTM 22S: 5 m, by DESIGN §5."""
    layer = read(f"bus_stop={stops(tmp_path)},crs=EPSG:29192")
    assert layer.frame["accuracy_m"].tolist() == pytest.approx([np.hypot(0.8, 5), *[np.hypot(2, 5)] * 3])


def test_options_win_over_the_toml_and_a_named_toml_over_that_beside(tmp_path: Path) -> None:
    path = stops(tmp_path)
    assert read(f"bus_stop={path},accuracy=1.5,completeness=partial").frame["accuracy_m"].max() == 1.5
    other = tmp_path / "outro.toml"
    other.write_text('crs = "EPSG:31982"\n[columns]\nname = "COD"', encoding="utf-8")
    layer = read(f"bus_stop={path},map={other},date=2024-05-01")
    assert len(layer.frame) == 5
    assert layer.frame["name"].tolist()[0] == "P1"
    assert (layer.completeness, layer.date) == ("unknown", "2024-05-01")
    assert [each["file"] for each in layer.sources] == ["paradas.csv", "outro.toml"]


def test_without_a_toml_only_columns_of_the_same_name_are_read(tmp_path: Path) -> None:
    path = tmp_path / "pontos.csv"
    path.write_text("plates;hours;name;x;y\n2;cedo;Um;686010;8155001", encoding="utf-8")
    layer = read(f"bus_stop={path},crs=EPSG:31982")
    assert layer.frame["plates"].tolist() == [2]
    assert layer.frame["hours"].tolist() == ["cedo"]  # no attribute of a bus stop: the file's own column
    assert layer.frame["plates_2"].tolist() == ["2"]
    assert reasons(layer)["coluna “plates” lida como o atributo do mesmo nome"] == 1


def test_several_columns_tell_the_hours(tmp_path: Path) -> None:
    path = tmp_path / "zona.csv"
    path.write_text(
        "DIA;HORA;VAGAS;wkt\n"
        "Seg a Sex;8 às 18;12;LINESTRING (686010 8155001, 686050 8155001)\n"
        "Sábado;8 às 13;x;LINESTRING (686010 8155001, 686050 8155001)\n"
        ";;1,5;LINESTRING (686010 8155002, 686050 8155002)\n",
        encoding="utf-8",
    )
    toml = tmp_path / "zona.csv.geocheck.toml"
    toml.write_text(
        'crs = "EPSG:31982"\non_axis = true\n[columns]\nhours = ["DIA", "HORA"]\nbays = "VAGAS"\n'
        '[values.hours]\n"seg a sex 8 às 18" = "Mo-Fr 08:00-18:00"\n',
        encoding="utf-8",
    )
    layer = read(f"paid_parking={path}")
    assert layer.frame["hours"].fillna("?").tolist() == ["Mo-Fr 08:00-18:00", "?", "?"]
    assert layer.frame["bays"].fillna(-1).tolist() == [12, -1, -1]
    assert layer.frame["on_axis"].tolist() == [True] * 3
    assert layer.frame["side"].isna().all()


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("colums = {}", "columns"),
        ("acuracia = 2", "acuracia"),
        ('[columns]\nplate = "PLACAS"', "plates"),
        ('[columns]\nidentified = "BOX"', "a camada “bus_stop” não tem esse atributo"),
        ('[columns]\nname = "NOMES"', "NOME"),
        ('only = { TIPOS = ["a"] }', "TIPO"),
        ('[values.plates]\ndupla = "pairs"', "pair"),
        ("[values.plates]\ndupla = 3", "plates.dupla"),
        ('[values.box]\nsim = "talvez"', "true ou false"),
        ("[values.plates]\nDupla = 2\ndupla = 1", "duas vezes"),
        ('policy = "juntar"', "policy"),
        ('completeness = "inteira"', "completeness"),
        ("merge_m = -1", "merge_m"),
        ("accuracy_m = nan", "accuracy_m"),
        ('crs = "31982"', "crs"),
        ('only = { TIPO = ["nada"] }\ncrs = "EPSG:31982"', "nenhuma feição serve"),
        ("[columns", "TOML"),
    ],
)
def test_a_wrong_toml_is_refused_and_says_where(tmp_path: Path, toml: str, said: str) -> None:
    if "crs" not in toml and "[columns\n" not in toml:
        toml = f'crs = "EPSG:31982"\n{toml}'
    path = stops(tmp_path, toml)
    message = refusal(f"bus_stop={path}")
    assert said in message
    assert "paradas.csv" in message


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("map=nao-existe.toml", "nao-existe.toml"),
        ("policy=juntar", "policy"),
        ("merge=perto", "merge"),
        ("mapa=x.toml", "map"),
        ("extent=nao-existe.geojson", "nao-existe.geojson"),
        ("columns=x", "columns"),
        ("on_axis=talvez", "on_axis"),
    ],
)
def test_a_wrong_option_is_refused(tmp_path: Path, option: str, said: str) -> None:
    assert said in refusal(f"bus_stop={stops(tmp_path)},{option}")


def test_a_zone_takes_no_points(tmp_path: Path) -> None:
    path = stops(tmp_path, 'crs = "EPSG:31982"')
    message = refusal(f"central_zone={path}")
    assert "a camada “central_zone” só tem área" in message
    assert "ponto" in message


def test_shapes_that_do_not_fit_are_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "hidrantes.csv"
    path.write_text(
        'wkt\nPOINT (686010 8155001)\n"LINESTRING (686010 8155001, 686050 8155001)"\n', encoding="utf-8"
    )
    layer = read(f"hydrant={path},crs=EPSG:31982")
    assert layer.frame.geom_type.tolist() == ["Point"]
    assert reasons(layer)["linha, descartado: esta camada só tem ponto ou área"] == 1


# ---------------------------------------------------------------- extents


def square(path: Path, west: float, south: float, side_deg: float = 0.01) -> Path:
    east, north = west + side_deg, south + side_deg
    ring = f"[[{west},{south}],[{east},{south}],[{east},{north}],[{west},{north}],[{west},{south}]]"
    path.write_text(
        '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":'
        f'{{"type":"Polygon","coordinates":[{ring}]}}}}]}}',
        encoding="utf-8",
    )
    return path


def test_an_extent_is_kept_and_what_lies_outside_is_counted(tmp_path: Path) -> None:
    """The stops stand near lon −49.257, lat −16.679."""
    path = stops(tmp_path)
    around = square(tmp_path / "dentro.geojson", -49.26, -16.685)
    layer = read(f"bus_stop={path},extent={around}")
    assert layer.extent is not None
    assert "fora do limite declarado da camada" not in reasons(layer)
    assert "dentro.geojson" in [each["file"] for each in layer.sources]
    beside = square(tmp_path / "fora.geojson", -49.30, -16.685)
    layer = read(f"bus_stop={path},extent={beside}")
    assert len(layer.frame) == 4
    assert reasons(layer)["fora do limite declarado da camada"] == 4


def test_an_extent_in_a_toml_is_seen_from_the_toml(tmp_path: Path) -> None:
    square(tmp_path / "limite.geojson", -49.26, -16.685)
    path = stops(tmp_path, TOML.replace("only =", 'extent = "limite.geojson"\nonly ='))
    assert read(f"bus_stop={path}").extent is not None


def test_an_extent_elsewhere_or_of_points_is_refused(tmp_path: Path) -> None:
    path = stops(tmp_path)
    assert "longe.geojson" in refusal(
        f"bus_stop={path},extent={square(tmp_path / 'longe.geojson', -40, -10)}"
    )
    points = tmp_path / "pontos.geojson"
    points.write_text('{"type":"Point","coordinates":[-49.25,-16.68]}', encoding="utf-8")
    assert "polígonos" in refusal(f"bus_stop={path},extent={points}")


def test_a_toml_beside_an_extent_is_heeded_and_checked(tmp_path: Path) -> None:
    """The same square in metres: only the TOML says in which system."""
    path = stops(tmp_path)
    metres = tmp_path / "limite.csv"
    metres.write_text('wkt\n"POLYGON ((686000 8155000, 686060 8155000, 686060 8155010, 686000 8155000))"')
    toml = tmp_path / "limite.csv.geocheck.toml"
    toml.write_text('crs = "EPSG:31982"', encoding="utf-8")
    assert read(f"bus_stop={path},extent={metres}").extent is not None
    toml.write_text('crz = "EPSG:31982"', encoding="utf-8")
    message = refusal(f"bus_stop={path},extent={metres}")
    assert "limite.csv.geocheck.toml" in message
    assert "crs" in message


def test_streets_take_no_mapping(tmp_path: Path) -> None:
    """What would not be used is not accepted in silence."""
    toml = '[columns]\nname = "NOME"'
    with pytest.raises(GeocheckError, match="axis: columns"):
        split_axes([layer_file(f"axis={stops(tmp_path, toml)}")])
    with pytest.raises(GeocheckError, match="axis: policy"):
        split_axes([layer_file(f"axis={stops(tmp_path, None, name='eixos.csv')},policy=merge")])


@pytest.mark.parametrize("path", [".", "..", "/", "\0"])
def test_what_is_no_file_is_said(path: str) -> None:
    assert refusal(f"hydrant={path}")


def test_dates_are_dates(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="date"):
        layer_file(f"bus_stop={stops(tmp_path)},date=ontem")
    assert layer_file(f"bus_stop={stops(tmp_path)},date=2024-05-01").options.date == dt.date(2024, 5, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[columns]\nname = 3", "columns.name: deve ser o nome de uma coluna"),
        ("[columns]\nname = []", "columns.name: deve ser o nome de uma coluna"),
        ("[values.name]\nA = 1.5", "values.name.A: deve ser true, false, um número inteiro"),
    ],
)
def test_one_mistake_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    toml = tmp_path / "mapa.toml"
    toml.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        read_declaration(toml, "hydrant")
    assert [str(each) for each in caught.value.problems] == [str(caught.value)]
    assert said in str(caught.value)
