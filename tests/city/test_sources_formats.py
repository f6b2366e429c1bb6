"""Formats and containers: each is read the same, several layers and folders are neither mixed up nor lost."""

from __future__ import annotations

import shutil
import zipfile
from typing import TYPE_CHECKING

import geopandas as gpd
import numpy as np
import pytest
import shapely

from geocheck.city.sources import Layer, SourceOptions, read_layer
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.cities import City

EAST, NORTH = 685_600.0, 8_156_000.0


@pytest.fixture
def frame() -> gpd.GeoDataFrame:
    shapes = [
        shapely.Polygon([(0, 0), (30, 0), (30, 20), (0, 20)], [[(5, 5), (10, 5), (10, 10), (5, 10)]]),
        shapely.MultiPolygon([shapely.box(50, 0, 60, 10), shapely.box(70, 0, 80, 10)]),
        shapely.Polygon([(100, 0), (130, 5), (110, 40)]),
    ]
    moved = shapely.transform(shapes, lambda xy: xy + np.array([EAST, NORTH]))
    columns = {"nome": ["Praça Cívica", None, "Ipê"], "cod": ["007", "008", "009"], "vagas": [3, 0, 12]}
    return gpd.GeoDataFrame(columns, geometry=list(moved), crs="EPSG:31982")


def read(path: Path, city: City, **declared: object) -> Layer:
    return read_layer(path, city, SourceOptions.model_validate(declared))


def refusal(path: Path, city: City, **declared: object) -> str:
    with pytest.raises(DataFileError) as refused:
        read(path, city, **declared)
    return str(refused.value)


def _zipped(path: Path, *names: str, prefix: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.write(path.parent / name, prefix + name)
    return path


def _shapefile(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_file(folder / "a.shp", encoding="utf-8")
    return folder / "a.shp"


def _zipped_shapefile(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    _shapefile(frame, folder)
    return _zipped(folder / "a.zip", "a.shp", "a.shx", "a.dbf", "a.prj", "a.cpg", prefix="Mapa Ção/2026/")


def _upper_case(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    _shapefile(frame, folder)
    for ending in ("shx", "dbf", "prj", "cpg"):
        (folder / f"a.{ending}").rename(folder / f"A.{ending.upper()}")
    return (folder / "a.shp").rename(folder / "A.SHP")


def _without_index(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    path = _shapefile(frame, folder)
    path.with_suffix(".shx").unlink()
    return path


def _geopackage(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_file(folder / "a.gpkg", layer="quadras")
    return folder / "a.gpkg"


def _geojson(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_file(folder / "a.geojson", driver="GeoJSON", RFC7946="NO", COORDINATE_PRECISION=4)
    return folder / "a.geojson"


def _rfc_geojson(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_crs(4326).to_file(folder / "a.json", driver="GeoJSON", COORDINATE_PRECISION=12)
    return folder / "a.json"


def _parquet(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_crs(4674).to_parquet(folder / "a.parquet")
    return folder / "a.parquet"


def _geoarrow(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_parquet(folder / "a.geoparquet", geometry_encoding="geoarrow", schema_version="1.1.0")
    return folder / "a.geoparquet"


def _gml(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_file(folder / "a.gml", driver="GML")
    return folder / "a.gml"


def _gml_degrees(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_crs(4674).to_file(folder / "a.gml", driver="GML", FORMAT="GML3.2")
    return folder / "a.gml"


def _kml(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_crs(4326).to_file(folder / "a.kml", driver="LIBKML")
    return folder / "a.kml"


def _kmz(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    shutil.copyfile(_kml(frame, folder), folder / "doc.kml")
    return _zipped(folder / "a.kmz", "doc.kml")


def _zipped_geojson(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    return _zipped(folder / "b.zip", _geojson(frame, folder).name)


def _zipped_kmz(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    return _zipped(folder / "b.zip", _kmz(frame, folder).name)


def _csv(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    wkt = frame.to_wkt(rounding_precision=6)
    wkt.to_csv(folder / "a.csv", sep=";", index=False)
    return folder / "a.csv"


WRITERS: dict[str, Callable[[gpd.GeoDataFrame, Path], Path]] = {
    each.__name__[1:]: each
    for each in (
        _shapefile,
        _zipped_shapefile,
        _upper_case,
        _without_index,
        _geopackage,
        _geojson,
        _rfc_geojson,
        _parquet,
        _geoarrow,
        _gml,
        _gml_degrees,
        _kml,
        _kmz,
        _zipped_geojson,
        _zipped_kmz,
        _csv,
    )
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.filterwarnings("ignore:this is an initial implementation of Parquet")
def test_every_format_gives_the_same_layer(
    tmp_path: Path, goiania: City, frame: gpd.GeoDataFrame, name: str
) -> None:
    if name == "geoarrow":
        # Its polygon column holds one kind only.
        frame = frame[frame.geom_type == "Polygon"].reset_index(drop=True)
    path = WRITERS[name](frame, tmp_path)
    before = sorted(each.name for each in tmp_path.iterdir())
    layer = read(path, goiania, crs="EPSG:31982" if name == "csv" else None)
    assert sorted(each.name for each in tmp_path.iterdir()) == before
    assert len(layer.frame) == len(frame)
    assert layer.frame.crs.to_epsg() == 31982
    assert layer.frame["cod"].tolist() == frame["cod"].tolist()
    assert layer.frame["nome"].fillna("").tolist() == frame["nome"].fillna("").tolist()
    assert [int(each) for each in layer.frame["vagas"]] == frame["vagas"].tolist()
    for mine, theirs in zip(layer.frame.geometry, frame.geometry, strict=True):
        assert mine.hausdorff_distance(theirs) < 0.002
        assert mine.area == pytest.approx(theirs.area, abs=0.05)
    assert layer.frame["source_row"].tolist() == list(range(1, len(frame) + 1))
    assert layer.source.file == path.name
    assert len(layer.source.sha256) == 64


def test_a_shapefiles_hash_covers_its_parts(tmp_path: Path, goiania: City, frame: gpd.GeoDataFrame) -> None:
    path = _shapefile(frame, tmp_path)
    first = read(path, goiania).source.sha256
    assert read(path, goiania).source.sha256 == first
    frame.assign(cod=["017", "008", "009"]).to_file(path, encoding="utf-8")
    assert read(path, goiania).source.sha256 != first


def test_deleted_records_of_a_shapefile_are_named(
    tmp_path: Path, goiania: City, frame: gpd.GeoDataFrame
) -> None:
    path = _shapefile(frame, tmp_path)
    content = bytearray(path.with_suffix(".dbf").read_bytes())
    content[int.from_bytes(content[8:10], "little") + int.from_bytes(content[10:12], "little")] = ord("*")
    path.with_suffix(".dbf").write_bytes(content)
    layer = read(path, goiania)
    assert layer.report.read == 3
    assert layer.report.rows("deleted_in_table") == (2,)
    assert layer.frame["source_row"].tolist() == [1, 3]
    assert layer.frame["cod"].tolist() == ["007", "009"]


def test_several_layers_must_be_chosen(tmp_path: Path, goiania: City, frame: gpd.GeoDataFrame) -> None:
    path = tmp_path / "a.gpkg"
    frame.to_file(path, layer="quadras")
    frame.iloc[:1].to_file(path, layer="praças")
    message = refusal(path, goiania)
    assert "várias camadas" in message
    assert "quadras, praças" in message
    assert len(read(path, goiania, layer="praças").frame) == 1
    assert "quadras" in refusal(path, goiania, layer="lotes")


def test_several_shapefiles_in_a_zip_must_be_chosen(
    tmp_path: Path, goiania: City, frame: gpd.GeoDataFrame
) -> None:
    frame.to_file(tmp_path / "a.shp", encoding="utf-8")
    frame.iloc[:1].to_file(tmp_path / "b.shp", encoding="utf-8")
    (tmp_path / "leia.txt").write_text("oi", encoding="utf-8")
    parts = [f"{stem}.{ending}" for stem in "ab" for ending in ("shp", "shx", "dbf", "prj")]
    path = _zipped(tmp_path / "c.zip", *parts, "leia.txt")
    assert "a.shp, b.shp" in refusal(path, goiania)
    layer = read(path, goiania, layer="B")
    assert len(layer.frame) == 1
    assert "leia.txt" in layer.report.notes[0].message
    assert layer.report.notes[0].code == "files_ignored"


KML = """<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
{0}<Folder><name>Hidrantes</name>{1}<Folder><name>Norte</name>{2}</Folder></Folder>
<Folder><name>Pontos</name>{3}</Folder></Document></kml>"""


def _mark(name: str, lon: float) -> str:
    where = f"<Point><coordinates>{lon},-16.67,700</coordinates></Point>"
    return f"<Placemark><name>{name}</name>{where}</Placemark>"


def test_every_folder_of_a_kml_is_read(tmp_path: Path, goiania: City) -> None:
    marks = [_mark(f"p{n}", -49.26 + n / 1000) for n in range(4)]
    (tmp_path / "a.kml").write_text(KML.format(*marks), encoding="utf-8")
    layer = read(tmp_path / "a.kml", goiania)
    assert sorted(layer.frame["Name"]) == ["p0", "p1", "p2", "p3"]
    assert {"Hidrantes", "Norte", "Pontos"} <= set(layer.frame["folder"])
    assert layer.frame["source_row"].tolist() == [1, 2, 3, 4]
    assert layer.report.rows("flattened") == (1, 2, 3, 4)
    assert not {"tessellate", "extrude", "visibility"} & set(layer.frame.columns)
    assert len(read(tmp_path / "a.kml", goiania, layer="Norte").frame) == 1


@pytest.mark.parametrize(
    ("prolog", "encoding", "code"),
    [("UTF-8", "utf-8", None), ("ISO-8859-1", "latin-1", None), ("UTF-8", "cp1252", "encoding_guessed")],
)
def test_kml_in_other_encodings(
    tmp_path: Path, goiania: City, prolog: str, encoding: str, code: str | None
) -> None:
    content = KML.format("", _mark("Praça São João", -49.26), "", "").replace("UTF-8", prolog)
    (tmp_path / "a.kml").write_bytes(content.encode(encoding))
    layer = read(tmp_path / "a.kml", goiania)
    assert layer.frame["Name"].tolist() == ["Praça São João"]
    assert code is None or code in [note.code for note in layer.report.notes]


def test_places_that_gdal_leaves_out_are_counted(tmp_path: Path, goiania: City) -> None:
    hidden = f"<Schema name='x'>{_mark('perdido', -49.26)}</Schema>"
    (tmp_path / "a.kml").write_text(KML.format(hidden, _mark("p", -49.26), "", ""), encoding="utf-8")
    layer = read(tmp_path / "a.kml", goiania)
    assert layer.frame["Name"].tolist() == ["p"]
    assert "placemarks_missing" in [note.code for note in layer.report.notes]


def test_a_geopackage_that_is_being_written(tmp_path: Path, goiania: City, frame: gpd.GeoDataFrame) -> None:
    path = _geopackage(frame, tmp_path)
    (tmp_path / "a.gpkg-wal").write_bytes(b"x" * 100)
    assert "feche-o" in refusal(path, goiania)


def test_dxf_arcs_and_layers(tmp_path: Path, goiania: City) -> None:
    def entity(*pairs: tuple[int, object]) -> str:
        return "".join(f"{code}\n{value}\n" for code, value in pairs)

    content = (
        entity((0, "SECTION"), (2, "ENTITIES"))
        + entity((0, "CIRCLE"), (8, "HIDRANTE"), (10, EAST), (20, NORTH), (30, 0.0), (40, 50.0))
        + entity(
            (0, "LINE"), (8, "GUIA"), (10, EAST), (20, NORTH), (30, 9.0), (11, EAST + 3), (21, NORTH + 4)
        )
        + entity((0, "ENDSEC"), (0, "EOF"))
    )
    (tmp_path / "a.dxf").write_text(content, encoding="utf-8")
    assert "o arquivo DXF não diz o sistema" in refusal(tmp_path / "a.dxf", goiania)
    layer = read(tmp_path / "a.dxf", goiania, crs="EPSG:31982")
    assert layer.frame["Layer"].tolist() == ["HIDRANTE", "GUIA"]
    ring = shapely.get_coordinates(layer.frame.geometry[0])
    middles = (ring[1:] + ring[:-1]) / 2
    assert (50 - np.hypot(*(middles - [EAST, NORTH]).T)).max() < 0.001
    assert layer.frame.length[1] == pytest.approx(5)
    assert "curves_linearised" in [note.code for note in layer.report.notes]


def test_whole_number_ids_of_a_geojson_are_kept(tmp_path: Path, goiania: City) -> None:
    features = ",".join(
        f'{{"type":"Feature","id":{n},"properties":{{}},"geometry":{_point(-49.26 + n / 1e5)}}}'
        for n in (17, 4, 9)
    )
    (tmp_path / "a.geojson").write_text(
        f'{{"type":"FeatureCollection","features":[{features}]}}', encoding="utf-8"
    )
    layer = read(tmp_path / "a.geojson", goiania)
    assert layer.frame["source_row"].tolist() == [1, 2, 3]
    assert layer.frame["id"].tolist() == [17, 4, 9]


def _point(lon: float) -> str:
    return f'{{"type":"Point","coordinates":[{lon},-16.67]}}'


@pytest.mark.parametrize("column", ["wkb_geometry", "OGC_FID", "fid", "geom"])
def test_attributes_named_like_the_readers_own(tmp_path: Path, goiania: City, column: str) -> None:
    feature = f'{{"type":"Feature","properties":{{"{column}":"a","b":1}},"geometry":{_point(-49.26)}}}'
    (tmp_path / "a.geojson").write_text(feature, encoding="utf-8")
    layer = read(tmp_path / "a.geojson", goiania)
    assert layer.frame[column].tolist() == ["a"]
    assert layer.frame["b"].tolist() == [1]
