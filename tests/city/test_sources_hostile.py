"""Files made to break a reader: each ends in one pt-BR error that names the file."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import zipfile
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.cities import City, load_city
from geocheck.city.sources import SourceOptions, container, read_layer, tables
from geocheck.errors import DataFileError

EAST, NORTH = 685_600.0, 8_156_000.0
ENDINGS = [
    ".shp",
    ".zip",
    ".gpkg",
    ".geojson",
    ".parquet",
    ".kml",
    ".kmz",
    ".dxf",
    ".gml",
    ".csv",
    ".json",
    ".txt",
]


def refusal(path: Path, city: City) -> str:
    with pytest.raises(DataFileError) as refused:
        read_layer(path, city, SourceOptions())
    message = str(refused.value)
    assert message.startswith(path.name)
    assert "/tmp" not in message.removeprefix(path.name)  # noqa: S108
    return message


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def good_files(folder: Path) -> dict[str, bytes]:
    """Write a small good file of every format and return their bytes."""
    points = [shapely.Point(EAST + n, NORTH) for n in range(40)]
    frame = gpd.GeoDataFrame({"nome": [f"ção {n}" for n in range(40)]}, geometry=points, crs="EPSG:31982")
    frame.to_file(folder / "a.gpkg")
    frame.to_file(folder / "a.shp", encoding="utf-8")
    frame.to_file(folder / "a.gml", driver="GML")
    frame.to_crs(4326).to_file(folder / "a.geojson", driver="GeoJSON")
    frame.to_crs(4326).to_file(folder / "a.kml", driver="LIBKML")
    frame.to_parquet(folder / "a.parquet")
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        for ending in ("shp", "shx", "dbf", "prj", "cpg"):
            archive.write(folder / f"a.{ending}", f"a.{ending}")
    with zipfile.ZipFile(folder / "a.kmz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(folder / "a.kml", "doc.kml")
    return {ending: (folder / f"a{ending}").read_bytes() for ending in FORMATS}


FORMATS = [".gpkg", ".shp", ".gml", ".geojson", ".kml", ".parquet", ".zip", ".kmz"]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return good_files(tmp_path_factory.mktemp("good"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_empty_files(tmp_path: Path, goiania: City, ending: str) -> None:
    assert "vazio" in refusal(write(tmp_path / f"a{ending}", b""), goiania)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "content", [b"\x00" * 500, bytes(range(256)) * 40, b"\xff\xfe\x00\xd8" * 50, b"{", b"<", b"["]
)
def test_garbage(tmp_path: Path, goiania: City, ending: str, content: bytes) -> None:
    refusal(write(tmp_path / f"a{ending}", content), goiania)


def test_what_is_not_there(tmp_path: Path, goiania: City) -> None:
    assert "não encontrado" in refusal(tmp_path / "nada.shp", goiania)
    assert "é uma pasta" in refusal(tmp_path, goiania)


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.97])
def test_truncated_files(
    tmp_path: Path, goiania: City, good: dict[str, bytes], ending: str, share: float
) -> None:
    content = good[ending]
    path = write(tmp_path / f"a{ending}", content[: int(len(content) * share)])
    refusal(path, goiania)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_flipped_bytes_never_end_in_a_traceback(data: st.DataObject) -> None:
    city = load_city("goiania")
    ending = data.draw(st.sampled_from(FORMATS))
    content = bytearray(_GOOD[ending])
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / f"a{ending}", bytes(content))
        try:
            layer = read_layer(path, city, SourceOptions())
        except DataFileError:
            return
    assert layer.frame.is_valid.all()


with tempfile.TemporaryDirectory() as _folder:
    _GOOD = good_files(Path(_folder))


@pytest.mark.parametrize(
    "name",
    ["../a.geojson", "x/../../a.geojson", "/etc/a.geojson", "..\\a.geojson", "C:\\a.geojson", "C:/a.geojson"],
)
def test_zips_that_leave_their_folder(
    tmp_path: Path, goiania: City, good: dict[str, bytes], name: str
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.geojson", good[".geojson"])
        archive.writestr(zipfile.ZipInfo(name), good[".geojson"])
    assert "caminho perigoso" in refusal(tmp_path / "a.zip", goiania)
    assert [each.name for each in tmp_path.iterdir()] == ["a.zip"]


def test_zips_with_links(tmp_path: Path, goiania: City) -> None:
    link = zipfile.ZipInfo("a.geojson")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert "atalho" in refusal(tmp_path / "a.zip", goiania)


def test_zips_that_unpack_too_large(tmp_path: Path, goiania: City, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "LARGEST_UNPACKED_BYTES", 1_000_000)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.geojson", b" " * 2_000_000)
    assert "passa do limite" in refusal(tmp_path / "a.zip", goiania)
    # The same with a lie about its size in both headers.
    content = (tmp_path / "a.zip").read_bytes().replace(struct.pack("<I", 2_000_000), struct.pack("<I", 20))
    refusal(write(tmp_path / "b.zip", content), goiania)


def test_a_zip_of_blanks_is_not_unpacked_whole(tmp_path: Path, goiania: City) -> None:
    """24 MB of blanks take 24 kB; a table of as many bytes that say something is no such thing."""
    path, mebibyte = tmp_path / "a.zip", 1 << 20
    for blank in (b" ", b"\n", b";\n"):
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("a.csv", "w") as member,
        ):
            member.write(b"lon;lat\n")
            for _ in range(24):
                member.write(blank * (mebibyte // len(blank)))
        assert path.stat().st_size < mebibyte
        assert "passa do limite (4096 MB, 200 vezes o tamanho" in refusal(path, goiania)


def test_the_blank_cells_of_a_dbf_are_no_attack(
    tmp_path: Path, goiania: City, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Shapefile of 20 wide columns that nobody filled in packs 600 times smaller."""
    monkeypatch.setattr(container, "_SMALL_BYTES", 1 << 18)
    points = gpd.points_from_xy(np.full(400, 686_000.0), 8_155_000.0 + np.arange(400.0))
    blank = {f"c{number}": pd.Series([" " * 250] * 400) for number in range(20)}
    gpd.GeoDataFrame(blank, geometry=points, crs="EPSG:31982").to_file(tmp_path / "a.shp")
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for part in tmp_path.glob("a.*"):
            if part.suffix != ".zip":
                archive.write(part, part.name)
        dbf = archive.getinfo("a.dbf")
    assert dbf.file_size > 200 * dbf.compress_size
    assert dbf.file_size > 1 << 18
    assert len(read_layer(tmp_path / "a.zip", goiania, SourceOptions()).frame) == 400


def test_a_table_too_large_is_not_read(
    tmp_path: Path, goiania: City, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_LARGEST_BYTES", 1 << 20)
    row = b"-49.25;-16.68\n"
    fits = write(tmp_path / "a.csv", b"lon;lat\n" + row + b"\n" * 100_000)
    assert len(read_layer(fits, goiania, SourceOptions()).frame) == 1
    large = write(tmp_path / "b.csv", b"lon;lat\n" + row * 80_000)
    assert refusal(large, goiania).startswith("b.csv: a tabela tem 1 MB e o limite é 1 MB; divida-a")


def test_zips_in_zips_and_of_nothing(tmp_path: Path, goiania: City, good: dict[str, bytes]) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("b.zip", good[".zip"])
    assert "b.zip" in refusal(tmp_path / "a.zip", goiania)
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("b.geojson", good[".zip"])
    assert "zip dentro do zip" in refusal(tmp_path / "c.zip", goiania)
    zipfile.ZipFile(tmp_path / "d.zip", "w").close()
    assert "nada" in refusal(tmp_path / "d.zip", goiania)


def test_a_kmz_within_a_kmz_ends(tmp_path: Path, goiania: City, good: dict[str, bytes]) -> None:
    content = good[".kmz"]
    for _ in range(200):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.kmz", content)
        content = packed.getvalue()
    refusal(write(tmp_path / "a.kmz", content), goiania)


@pytest.mark.parametrize(
    "content",
    [
        b'<OGRVRTDataSource><OGRVRTLayer name="x"><SrcDataSource>/etc/x</SrcDataSource></OGRVRTLayer>',
        b'{"type": "gdal_streamed_alg", "command_line": "gdal vector pipeline ! read x"}',
        b'{"type": "FeatureCollection", "x": {"type": "gdal_streamed_alg"}, "features": []}',
        b'{"type":"Topology","objects":{},"arcs":[]}',
        b'<?xml version="1.0"?><!DOCTYPE k [<!ENTITY a "aaaa">]><kml xmlns="http://www.opengis.net/kml/2.2">&a;</kml>',
    ],
)
@pytest.mark.parametrize("ending", [".geojson", ".gml", ".kml", ".gpkg", ".csv"])
def test_files_that_would_make_gdal_open_others(
    tmp_path: Path, goiania: City, ending: str, content: bytes
) -> None:
    refusal(write(tmp_path / f"a{ending}", content), goiania)


def test_huge_declared_counts(tmp_path: Path, goiania: City) -> None:
    good_files(tmp_path)
    table = bytearray((tmp_path / "a.dbf").read_bytes())
    table[4:8] = struct.pack("<I", 0xFFFFFFF0)
    (tmp_path / "a.dbf").write_bytes(table)
    assert "diz ter 4294967280 registros" in refusal(tmp_path / "a.shp", goiania)
    good_files(tmp_path)
    shape = bytearray((tmp_path / "a.shp").read_bytes())
    shape[24:28] = struct.pack(">i", 0x7FFFFFFF)
    (tmp_path / "a.shp").write_bytes(shape)
    assert "truncado" in refusal(tmp_path / "a.shp", goiania)


def test_shapes_and_attributes_of_different_files(tmp_path: Path, goiania: City) -> None:
    good_files(tmp_path)
    frame = gpd.GeoDataFrame({"n": [1]}, geometry=[shapely.Point(EAST, NORTH)], crs="EPSG:31982")
    frame.to_file(tmp_path / "b.shp")
    (tmp_path / "b.dbf").replace(tmp_path / "a.dbf")
    assert "40 formas e o .dbf 1 registros" in refusal(tmp_path / "a.shp", goiania)


def test_deeply_nested_json(tmp_path: Path, goiania: City) -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    refusal(write(tmp_path / "a.geojson", b'{"type":"Feature","geometry":' + deep + b"}"), goiania)
    refusal(write(tmp_path / "a.json", b'{"fields":[],"records":' + deep + b"}"), goiania)


@pytest.mark.parametrize(
    "content",
    [
        {"fields": None, "records": []},
        {"fields": [], "records": []},
        {"fields": [{"id": "a"}], "records": [[1, 2]]},
        {"fields": [{"id": "a"}], "records": {"a": 1}},
        {"fields": ["a"], "records": [[1]]},
        {"result": {"fields": [{"id": "a"}], "records": [3]}},
    ],
)
def test_ckan_that_is_no_table(tmp_path: Path, goiania: City, content: object) -> None:
    text = json.dumps(content).replace('"fields": null', '"fields": [')
    refusal(write(tmp_path / "a.json", text.encode()), goiania)


@pytest.mark.parametrize("name", ["a.dbf", "a.prj", "a.shx"])
def test_a_part_of_a_shapefile(tmp_path: Path, goiania: City, name: str) -> None:
    good_files(tmp_path)
    assert "indique o arquivo .shp" in refusal(tmp_path / name, goiania)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"AC1032\x00\x00", "DXF"),
        (b"%PDF-1.7", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "CSV"),
        (b"\x1f\x8b\x08", "gzip"),
    ],
)
def test_files_of_other_kinds_say_what_to_do(
    tmp_path: Path, goiania: City, content: bytes, expected: str
) -> None:
    assert expected in refusal(write(tmp_path / "a.bin", content), goiania)
