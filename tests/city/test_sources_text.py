"""Text: encodings that lie, decimal commas, separators, tables that cannot be read."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from geocheck.city.sources import Layer, SourceOptions, numbers, read_layer
from geocheck.city.sources.cleaning import Notebook
from geocheck.city.sources.text import Told, decoded, encoding_of, file_text
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City

LON, LAT = -49.26, -16.67
EAST, NORTH = 685_600.0, 8_156_000.0
NAMES = ["Praça São João", "Açaí – ação", "comum"]


def read(path: Path, city: City, **declared: object) -> Layer:
    return read_layer(path, city, SourceOptions.model_validate(declared))


def codes(layer: Layer) -> list[str]:
    return [note.code for note in layer.report.notes]


def shapefile(path: Path, encoding: str, cpg: str | None, names: list[str]) -> Path:
    points = [shapely.Point(EAST + n, NORTH) for n in range(len(names))]
    gpd.GeoDataFrame({"nome": names}, geometry=points, crs="EPSG:31982").to_file(path, encoding=encoding)
    path.with_suffix(".cpg").unlink()
    header = bytearray(path.with_suffix(".dbf").read_bytes())
    header[29] = 0
    path.with_suffix(".dbf").write_bytes(header)
    if cpg is not None:
        path.with_suffix(".cpg").write_text(cpg, encoding="ascii")
    return path


@pytest.mark.parametrize(
    ("encoding", "cpg", "note"),
    [
        ("utf-8", "UTF-8", None),
        ("utf-8", "65001", None),
        ("utf-8", None, None),
        ("cp1252", "1252", None),
        ("cp1252", "ANSI 1252", None),
        ("cp1252", None, "encoding_guessed"),
        ("cp1252", "UTF-8", "encoding_wrong"),
        ("utf-8", "ISO-8859-1", "encoding_wrong"),
        ("utf-8", "1252", "encoding_wrong"),
        ("cp1252", "whatever", "encoding_wrong"),
    ],
)
def test_shapefile_texts_survive_a_lying_cpg(
    tmp_path: Path, goiania: City, encoding: str, cpg: str | None, note: str | None
) -> None:
    layer = read(shapefile(tmp_path / "a.shp", encoding, cpg, NAMES), goiania)
    assert layer.frame["nome"].tolist() == NAMES
    assert codes(layer) == ([note] if note else [])


def test_latin1_as_declared(tmp_path: Path, goiania: City) -> None:
    path = shapefile(tmp_path / "a.shp", "ISO-8859-1", "UTF-8", ["Açaí", "é"])
    assert read(path, goiania, encoding="latin-1").frame["nome"].tolist() == ["Açaí", "é"]
    other = shapefile(tmp_path / "b.shp", "cp850", None, ["Praça", "ação"])
    assert read(other, goiania, encoding="cp850").frame["nome"].tolist() == ["Praça", "ação"]


def test_what_is_declared_and_wrong_is_said(tmp_path: Path, goiania: City) -> None:
    layer = read(shapefile(tmp_path / "a.shp", "cp1252", None, NAMES), goiania, encoding="utf-8")
    assert layer.frame["nome"].tolist() == NAMES
    assert "a codificação declarada diz que o texto está em utf-8" in layer.report.notes[0].message


def test_a_character_cut_by_the_width_of_the_field() -> None:
    samples = ["ação".encode(), "Praç".encode()[:-1]]
    notebook = Notebook()
    assert encoding_of(samples, Told("utf-8", "o .cpg"), notebook) == "utf-8"
    assert decoded([*samples, None], "utf-8") == ["ação", "Pra", None]
    assert notebook.notes == []


def test_text_spoilt_before_is_named(tmp_path: Path, goiania: City) -> None:
    (tmp_path / "a.csv").write_text(f"lat,lon,nome\n{LAT},{LON},ok\n{LAT},{LON},S\ufffdo\n", encoding="utf-8")
    assert read(tmp_path / "a.csv", goiania).report.rows("text_spoilt") == (2,)


@given(st.text(alphabet="aáâãàçéêíóôõúüÇÉ -", min_size=1, max_size=30), st.sampled_from(["cp1252", "utf-8"]))
def test_portuguese_is_told_apart(text: str, encoding: str) -> None:
    # “Çª” in cp1252 would be valid UTF-8 by chance: an accented capital before an ordinal, which no word has.
    notebook = Notebook()
    content = f"nome\n{text}\n".encode(encoding)
    assert file_text(content, Told(None, "ninguém diz"), notebook) == f"nome\n{text}\n"
    assert bool(notebook.notes) == (encoding == "cp1252" and not text.isascii())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_spreadsheets_in_every_dress(tmp_path: Path, goiania: City, encoding: str, separator: str) -> None:
    rows = [
        ["Cód", "LATITUDE", "Longitude", "endereço"],
        ["007", "-16,67", "-49,26", f'"Av. Goiás{separator} nº 1"'],
        ["008", "-16,6700001", "-49,2600001", '"Rua ""X"" à vista"'],
        [""] * 4,
    ]
    content = "\r\n".join(separator.join(each) for each in rows) + "\r\n"
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    (tmp_path / "a.csv").write_bytes(mark + content.encode(encoding))
    frame = read(tmp_path / "a.csv", goiania).frame
    assert frame["Cód"].tolist() == ["007", "008"]
    assert frame["endereço"].tolist() == [f"Av. Goiás{separator} nº 1", 'Rua "X" à vista']
    assert list(frame.columns)[:4] == rows[0]
    assert frame.geometry[0].distance(frame.geometry[1]) < 0.03


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["47,12", "-3", "0,5"], [47.12, -3, 0.5]),
        (["47.12", "-3", ".5", "+1e3"], [47.12, -3, 0.5, 1000]),
        (["685.600,25", "1.234"], [685600.25, 1234]),
        (["685,600.25", "1,234"], [685600.25, 1234]),
        (["8.156.000", "685.600"], [8156000, 685600]),
        (["8 156 000,5", "\u22121,5", "7\u00a0000"], [8156000.5, -1.5, 7000]),
        (["1,5", "2.5"], [1.5, 2.5]),
        (
            ["", None, "nan", "inf", "-Infinity", "abc", "16°40'S", "1e999", "1_0", "0x10", "--1"],
            [math.nan] * 11,
        ),
        (["12.34.56,7", "1.000,5"], [math.nan, 1000.5]),
    ],
)
def test_numbers(texts: list[str | None], expected: list[float]) -> None:
    assert numbers(texts) == pytest.approx(np.array(expected), nan_ok=True)


@given(st.lists(st.floats(-1e7, 1e7).map(lambda value: round(value, 3)), min_size=1, max_size=20))
def test_brazilian_and_plain_numbers_agree(values: list[float]) -> None:
    plain = [f"{value:.3f}" for value in values]
    brazilian = [f"{value:,.3f}".translate(str.maketrans(",.", ".,")) for value in values]
    assert numbers(plain).tolist() == values
    assert numbers(brazilian).tolist() == values


def refusal(path: Path, city: City, **declared: object) -> str:
    with pytest.raises(DataFileError) as refused:
        read(path, city, **declared)
    return str(refused.value)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("id,lat,lon\n1,-16,670000,-49,260000\n", "a vírgula separa as colunas e também os decimais"),
        ("1,Jatobá,-16,670001,-49,2600001\n2,Ipê,-16,670002,-49,260003\n", "e também os decimais"),
        (
            "id;lat;lon\n1;-16,67;-49,26\n2;-16,67\n",
            "1 linha(s) não têm as 3 colunas do cabeçalho (registros 2)",
        ),
        ("id;nome\n1;a\n", "diga com x=COLUNA e y=COLUNA"),
        ("id;lat;lon\n", "nenhum registro"),
        ("\n\n", "nenhuma linha"),
        ("so uma coluna\nx\n", "em que colunas estão as coordenadas"),
        ("id;lat;lon\n1;abc;def\n", "nenhuma feição"),
        ("x;y\n685600;8156000\n", "declare crs=EPSG:31982"),
    ],
)
def test_tables_that_cannot_be_read(tmp_path: Path, goiania: City, content: str, expected: str) -> None:
    (tmp_path / "a.csv").write_text(content, encoding="utf-8")
    message = refusal(tmp_path / "a.csv", goiania)
    assert message.startswith("a.csv: ")
    assert expected in message


def test_declared_columns(tmp_path: Path, goiania: City) -> None:
    (tmp_path / "a.csv").write_text("E;N;lat;lon\n685.600,00;8.156.000,00;0;0\n", encoding="utf-8")
    layer = read(tmp_path / "a.csv", goiania, x="E", y="N", crs="EPSG:31982")
    assert layer.frame.geometry[0].equals(shapely.Point(EAST, NORTH))
    assert "há: E, N, lat, lon" in refusal(tmp_path / "a.csv", goiania, x="leste", y="N")


def test_wkt_in_a_csv(tmp_path: Path, goiania: City) -> None:
    lines = [
        "id;WKT",
        f"1;POINT ({EAST} {NORTH})",
        f"2;SRID=31982;POINT ({EAST} {NORTH})".replace("2;SRID=31982;", '2;"SRID=31982;') + '"',
        f"3;LINESTRING Z ({EAST} {NORTH} 5, {EAST + 3} {NORTH + 4} 5)",
        "4;POINT (1",
        "5;CIRCULARSTRING (0 0, 1 1, 2 0)",
        "6;",
        "7;uma praça",
    ]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    layer = read(tmp_path / "a.csv", goiania)
    assert layer.frame["id"].tolist() == ["1", "2", "3"]
    assert layer.frame.length[2] == 5
    assert layer.report.rows("geometry_unreadable") == (4, 5, 7)
    assert layer.report.rows("geometry_null") == (6,)
    assert "WKT" not in layer.frame


@pytest.mark.parametrize("shape", ["bare", "api", "dicts"])
def test_ckan(tmp_path: Path, goiania: City, shape: str) -> None:
    fields = [
        {"id": "_id", "type": "int"},
        {"id": "VAGAS", "type": "text"},
        {"id": "GEOMETRIA", "type": "text"},
    ]
    rows: list[list[object]] = [[1, "07", f"POINT ({EAST} {NORTH})"], [2, None, None]]
    names = [each["id"] for each in fields]
    records = [dict(zip(names, row, strict=True)) for row in rows] if shape == "dicts" else rows
    content: dict[str, object] = {"fields": fields, "records": records}
    if shape == "api":
        content = {"help": "x", "success": True, "result": content}
    (tmp_path / "a.json").write_text(json.dumps(content), encoding="utf-8")
    assert "a coluna de WKT não diz o sistema" in refusal(tmp_path / "a.json", goiania)
    layer = read(tmp_path / "a.json", goiania, crs="EPSG:31982")
    assert layer.frame["VAGAS"].tolist() == ["07"]
    assert layer.frame["_id"].tolist() == ["1"]
    assert layer.report.rows("geometry_null") == (2,)


def test_gtfs_stops_have_their_own_accuracy(tmp_path: Path, goiania: City) -> None:
    (tmp_path / "stops.txt").write_text(
        f'stop_id,"stop_name",stop_lat,stop_lon\n01,"Praça A, 1",{LAT},{LON}\n', encoding="utf-8"
    )
    layer = read(tmp_path / "stops.txt", goiania)
    assert layer.accuracy_m == 10.0
    assert layer.frame["stop_id"].tolist() == ["01"]
    assert codes(layer) == []


def test_geojson_in_cp1252_is_read_and_said(tmp_path: Path, goiania: City) -> None:
    content = {
        "type": "Feature",
        "properties": {"nome": "Praça – São João", "nulo": None},
        "geometry": {"type": "Point", "coordinates": [LON, LAT]},
    }
    (tmp_path / "a.geojson").write_bytes(json.dumps(content, ensure_ascii=False).encode("cp1252"))
    layer = read(tmp_path / "a.geojson", goiania)
    assert layer.frame["nome"][0] == "Praça – São João"
    assert pd.isna(layer.frame["nulo"][0])
    assert codes(layer) == ["encoding_guessed"]


@pytest.mark.parametrize("end", ["x\n", '"x"\n'])
def test_a_quote_that_is_never_closed_swallows_no_record(tmp_path: Path, goiania: City, end: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text(f'id,lon,lat,obs\n1,-49.25,-16.67,"abc\n2,-49.26,-16.67,{end}', encoding="utf-8")
    assert "aspas do CSV não fecham" in refusal(path, goiania)


def test_quotes_within_a_cell_are_let_be(tmp_path: Path, goiania: City) -> None:
    path = tmp_path / "h.csv"
    path.write_text('lon,lat,obs\n-49.25,-16.67,"Bar "do" Zé"\n-49.26,-16.67,12" aço\n', encoding="utf-8")
    assert len(read(path, goiania).frame) == 2


def test_lines_that_a_mac_of_old_ended(tmp_path: Path, goiania: City) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes(b"lon,lat\r-49.25,-16.67\r-49.26,-16.67\r")
    assert len(read(path, goiania).frame) == 2


@pytest.mark.parametrize("name", ["rot13", "base64", "zip", "bogus"])
def test_what_is_no_encoding_of_text_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="não é uma codificação de texto"):
        SourceOptions(encoding=name)


def test_a_cpg_that_names_no_encoding_of_text_is_passed_over(tmp_path: Path, goiania: City) -> None:
    path = shapefile(tmp_path / "h.shp", "utf-8", "base64", ["Ação"])
    assert "Ação" in read(path, goiania).frame.astype(str).to_numpy().ravel().tolist()


def test_a_layer_that_a_geopackage_does_not_have(tmp_path: Path, goiania: City) -> None:
    path = tmp_path / "p.gpkg"
    gpd.GeoDataFrame(geometry=[shapely.Point(-49.25, -16.67)], crs=4674).to_file(path, layer="pontos")
    assert "não tem a camada “postes”; há: pontos" in refusal(path, goiania, layer="postes")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_text_file_cut_within_its_last_character(tmp_path: Path, goiania: City, mark: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(mark + "lon;lat;nome\n-49,25;-16,68;São João".encode() + b"\xc3")
    layer = read_layer(tmp_path / "a.csv", goiania, SourceOptions())
    assert layer.frame["nome"].tolist() == ["São João"]
