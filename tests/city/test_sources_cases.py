"""Reading the files of the shared cases: the numbers of their case.md."""

from __future__ import annotations

import importlib.util
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
import shapely
from pyproj import Transformer

from geocheck.cities import City, load_city
from geocheck.city.sources import Layer, SourceOptions, numbers, read_layer
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from pathlib import Path

    from shapely.geometry.base import BaseGeometry


@pytest.fixture(scope="module")
def juiz_de_fora() -> City:
    return load_city("juiz-de-fora")


def read(path: Path, city: City, **declared: object) -> Layer:
    return read_layer(path, city, SourceOptions.model_validate(declared))


def skips(path: Path, city: City) -> dict[str, BaseGeometry]:
    """Return the placements of a case in the city's metres, without the code under test."""
    way = Transformer.from_crs("EPSG:4674", city.crs, always_xy=True)
    content = json.loads(path.read_text(encoding="utf-8"))
    found = content.get("features", [content])
    return {
        each["properties"]["id"]: shapely.transform(
            shapely.geometry.shape(each["geometry"]),
            lambda xy: np.column_stack(way.transform(xy[:, 0], xy[:, 1])),
        )
        for each in found
    }


def the_skip(folder: Path, city: City) -> BaseGeometry:
    return next(iter(skips(folder / "placement.geojson", city).values()))


def distances(layer: Layer, skip: BaseGeometry) -> list[float]:
    return [float(each) for each in np.sort(layer.frame.geometry.distance(skip).to_numpy())]


def test_30_without_prj_is_refused_by_name_and_zone(shared_cases: Path, juiz_de_fora: City) -> None:
    path = shared_cases / "30-shapefile-without-prj" / "hidrantes.zip"
    with pytest.raises(DataFileError) as refused:
        read(path, juiz_de_fora)
    message = str(refused.value)
    assert "hidrantes.zip" in message
    assert ".prj" in message
    assert "UTM 23S" in message
    assert "crs=EPSG:31983" in message
    assert "EPSG:29193" in message


def test_30_with_the_system_declared(shared_cases: Path, juiz_de_fora: City) -> None:
    folder = shared_cases / "30-shapefile-without-prj"
    layer = read(folder / "hidrantes.zip", juiz_de_fora, crs="EPSG:31983")
    assert distances(layer, the_skip(folder, juiz_de_fora)) == pytest.approx([1.90, 2.10], abs=0.001)


def test_32_metres_without_crs_are_refused(shared_cases: Path, goiania: City) -> None:
    with pytest.raises(DataFileError, match=r"graus WGS 84.*nada cai em Goiânia.*crs=EPSG:31982"):
        read(shared_cases / "32-geojson-in-metres" / "sem_crs.geojson", goiania)


@pytest.mark.parametrize(("name", "crs"), [("com_crs", None), ("sem_crs", "EPSG:31982")])
def test_32_with_the_old_member_or_declared(
    shared_cases: Path, goiania: City, name: str, crs: str | None
) -> None:
    folder = shared_cases / "32-geojson-in-metres"
    layer = read(folder / f"{name}.geojson", goiania, crs=crs)
    assert distances(layer, the_skip(folder, goiania)) == pytest.approx([1.50], abs=0.001)


@pytest.mark.parametrize("name", ["utf8_bom.csv", "cp1252.csv"])
def test_34_spreadsheets(shared_cases: Path, goiania: City, name: str) -> None:
    layer = read(shared_cases / "34-csv-comma-semicolon-bom" / name, goiania)
    frame = layer.frame
    expected = ["id", "latitude", "longitude", "rumo", "comprimento", "largura", "endereço"]
    assert list(frame.columns) == [*expected, "source_row", "geometry"]
    assert len(frame) == 2
    assert numbers(frame["latitude"])[0] == -16.665883982
    assert numbers(frame["longitude"])[0] == -49.259440037
    assert numbers(frame["comprimento"]).tolist() == [2.65, 2.65]
    assert numbers(frame["largura"]).tolist() == [1.76, 1.76]
    assert frame["endereço"][0] == "Rua São João; nº 1"
    east, north = Transformer.from_crs("EPSG:4674", "EPSG:31982", always_xy=True).transform(
        -49.259440037, -16.665883982
    )
    assert frame.geometry[0].distance(shapely.Point(east, north)) < 1e-6


def test_37_northern_zone_read_right(shared_cases: Path, goiania: City) -> None:
    folder = shared_cases / "37-utm-northern-zone"
    layer = read(folder / "hidrantes_32622.zip", goiania)
    assert distances(layer, the_skip(folder, goiania)) == pytest.approx([1.50], abs=0.001)
    assert layer.accuracy_m == 2.0


def test_37_wrong_label_is_refused(shared_cases: Path, goiania: City) -> None:
    path = shared_cases / "37-utm-northern-zone" / "hidrantes_wrong_label.zip"
    with pytest.raises(DataFileError, match=r"EPSG:32622.*nada cai em Goiânia.*UTM 22S"):
        read(path, goiania)


def test_39_curves(shared_cases: Path, goiania: City) -> None:
    folder = shared_cases / "39-curve-polygon-gpkg"
    layer = read(folder / "zonas_curvas.gpkg", goiania)
    assert len(layer.frame) == 1
    assert layer.frame.area[0] == pytest.approx(math.pi * 100, rel=0.0005)
    assert layer.report.rows("curves_linearised") == (1,)
    placed = skips(folder / "placements.geojson", goiania)
    assert layer.frame.geometry[0].contains(placed["in"])
    assert layer.frame.geometry[0].distance(placed["out"]) == pytest.approx(1.50, abs=0.002)


def test_40_repeated_ids_keep_every_position(shared_cases: Path, goiania: City) -> None:
    folder = shared_cases / "40-duplicate-ids"
    layer = read(folder / "hidrantes.geojson", goiania)
    assert layer.report.read == 4
    assert len(layer.frame) == 3
    assert layer.report.rows("id_repeated") == (1, 2, 3, 4)
    assert layer.report.rows("duplicate") == (4,)
    assert distances(layer, the_skip(folder, goiania))[0] == pytest.approx(1.50, abs=0.001)


def test_41_bow_tie_keeps_both_lobes(shared_cases: Path, goiania: City) -> None:
    folder = shared_cases / "41-bowtie-zone"
    layer = read(folder / "zona.geojson", goiania)
    zone = layer.frame.geometry[0]
    assert zone.area == pytest.approx(600, abs=0.05)
    assert layer.report.rows("self_crossing") == (1,)
    placed = skips(folder / "placements.geojson", goiania)
    assert {name: zone.contains(each) for name, each in placed.items()} == {
        "left": True,
        "right": True,
        "outside": False,
    }


def test_42_nullable_fields(shared_cases: Path, goiania: City) -> None:
    frame = read(shared_cases / "42-gpkg-nullable-fields" / "pontos.gpkg", goiania).frame
    assert frame["cod"].tolist() == ["007", "010", "011"]
    assert frame["marcado"].tolist() == [True, False, pd.NA]
    assert frame["vagas"].tolist() == [3, pd.NA, 12]
    assert str(frame["vagas"][0]) == "3"
    assert frame["desde"][0] == pd.Timestamp("2026-05-05T08:00", tz="UTC")
    assert pd.isna(frame["desde"][2])


def test_45_zip_from_a_mac(shared_cases: Path, goiania: City) -> None:
    folder = shared_cases / "45-zip-from-a-mac"
    layer = read(folder / "hidrantes.zip", goiania)
    assert len(layer.frame) == 1
    assert distances(layer, the_skip(folder, goiania)) == pytest.approx([1.50], abs=0.001)


def test_48_huge_polygon(shared_cases: Path, goiania: City, tmp_path: Path) -> None:
    script = shared_cases / "48-huge-polygon" / "make.py"
    (tmp_path / "make.py").write_text(script.read_text(encoding="utf-8"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("make", tmp_path / "make.py")
    assert spec is not None
    assert spec.loader is not None
    made: Any = importlib.util.module_from_spec(spec)
    made.__dict__["open"] = _closing_open
    spec.loader.exec_module(made)
    _close_all()
    zone = read(tmp_path / "zona.geojson", goiania).frame.geometry[0]
    points = read(tmp_path / "pontos.csv", goiania).frame
    assert len(points) == 2000
    shapely.prepare(zone)
    inside = shapely.contains(zone, points.geometry.to_numpy())
    assert inside.tolist() == [number % 2 == 1 for number in range(2000)]


_OPENED: list[Any] = []


def _closing_open(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
    """Open for the case's script, which leaves its files to be closed by others."""
    _OPENED.append(open(*args, **kwargs))  # noqa: PTH123, SIM115
    return _OPENED[-1]


def _close_all() -> None:
    while _OPENED:
        _OPENED.pop().close()


def test_50_bad_coordinates_are_rejected_by_number(shared_cases: Path, goiania: City) -> None:
    folder = shared_cases / "50-nan-coordinates"
    layer = read(folder / "hidrantes.csv", goiania)
    assert layer.report.read == 5
    assert layer.report.dropped == (1, 2, 4, 5)
    assert layer.report.rows("coordinate_not_number") == (1, 2, 4, 5)
    assert layer.report.rows("geometry_null") == ()
    assert "H0" in "".join(layer.report.lines())
    assert layer.frame["id"].tolist() == ["H2"]
    assert layer.frame["source_row"].tolist() == [3]
    assert np.isfinite(layer.frame.total_bounds).all()
    assert distances(layer, the_skip(folder, goiania)) == pytest.approx([1.50], abs=0.001)
