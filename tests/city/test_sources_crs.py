"""Coordinate systems: what is refused and what the message says, what is transformed and how sure that is."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import geopandas as gpd
import numpy as np
import pytest
import shapely
from pyproj import Transformer

from geocheck.cities import City, load_city
from geocheck.city.sources import Layer, SourceOptions, read_layer
from geocheck.errors import DataFileError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

SHEETS = Path(__file__).parent / "sheets"
CITIES = ["goiania", "juiz-de-fora", "olinda", "rio-verde", *map(str, sorted(SHEETS.glob("*.toml")))]


def middle(city: City) -> tuple[float, float]:
    box = city.bounds
    return (box.west + box.east) / 2, (box.south + box.north) / 2


def in_city(city: City, crs: str) -> tuple[float, float]:
    """Return the middle of a city's box in a system."""
    x, y = Transformer.from_crs("EPSG:4674", crs, always_xy=True).transform(*middle(city))
    return float(x), float(y)


def geojson(path: Path, *points: tuple[float, float], crs: str | None = None) -> Path:
    content: dict[str, object] = {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": {"n": n}, "geometry": {"type": "Point", "coordinates": xy}}
            for n, xy in enumerate(points)
        ],
    }
    if crs is not None:
        content["crs"] = {"type": "name", "properties": {"name": crs}}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def shapefile(path: Path, point: tuple[float, float], crs: str) -> Path:
    gpd.GeoDataFrame({"a": [1]}, geometry=[shapely.Point(point)], crs=crs).to_file(path)
    return path


def read(path: Path, city: City, **declared: object) -> Layer:
    return read_layer(path, city, SourceOptions.model_validate(declared))


def refusal(path: Path, city: City, **declared: object) -> str:
    with pytest.raises(DataFileError) as refused:
        read(path, city, **declared)
    assert path.name in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("name", CITIES)
def test_metres_without_a_system_are_recognised_in_every_city(tmp_path: Path, name: str) -> None:
    city = load_city(name)
    path = geojson(tmp_path / "a.geojson", in_city(city, city.crs))
    message = refusal(path, city)
    assert f"declare crs={city.crs}" in message
    assert all(each.crs in message for each in city.legacy_crs)
    assert len(read(path, city, crs=city.crs).frame) == 1


WRONG: dict[str, Callable[[City], tuple[tuple[float, float], str, str]]] = {
    "degrees labelled as metres": lambda city: (middle(city), city.crs, "graus (longitude, latitude)"),
    "metres labelled as degrees": lambda city: (
        in_city(city, city.crs),
        "EPSG:4326",
        "parecem metros em SIRGAS",
    ),
    "swapped degrees": lambda city: (middle(city)[::-1], "EPSG:4674", "graus com os eixos trocados"),
    "swapped metres": lambda city: (in_city(city, city.crs)[::-1], city.crs, "(N, E)"),
    "northern label": lambda city: (
        in_city(city, city.crs),
        f"EPSG:326{int(city.crs[-2:]) - 60}",
        f"declare crs={city.crs}",
    ),
    "web mercator label": lambda city: (in_city(city, city.crs), "EPSG:3857", f"declare crs={city.crs}"),
    "mercator labelled UTM": lambda city: (in_city(city, "EPSG:3857"), city.crs, "crs=EPSG:3857"),
    "negative northings": lambda city: (
        (in_city(city, city.crs)[0], in_city(city, city.crs)[1] - 1e7),
        city.crs,
        "zona norte",
    ),
    "millimetres": lambda city: (
        (1000 * in_city(city, city.crs)[0], 1000 * in_city(city, city.crs)[1]),
        city.crs,
        "milímetros",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
@pytest.mark.parametrize("name", ["goiania", "juiz-de-fora", "olinda", str(SHEETS / "fortaleza.toml")])
def test_wrong_labels_are_refused_with_what_it_looks_like(tmp_path: Path, name: str, fault: str) -> None:
    city = load_city(name)
    point, crs, expected = WRONG[fault](city)
    message = refusal(geojson(tmp_path / "a.geojson", point, crs=crs), city)
    assert f"nada cai em {city.name}" in message
    assert expected in message


@pytest.mark.parametrize("name", ["goiania", "juiz-de-fora", "olinda"])
def test_the_neighbouring_zone_is_named(tmp_path: Path, name: str) -> None:
    city = load_city(name)
    neighbour = f"EPSG:{int(city.crs[5:]) - 1}"
    path = geojson(tmp_path / "a.geojson", in_city(city, neighbour), crs=city.crs)
    assert f"fuso vizinho: declare crs={neighbour}" in refusal(path, city)
    layer = read(path, city, crs=neighbour)
    assert layer.frame.geometry[0].distance(shapely.Point(in_city(city, city.crs))) < 0.001


def test_a_declared_system_that_lands_elsewhere_is_refused(tmp_path: Path, goiania: City) -> None:
    path = geojson(tmp_path / "a.geojson", in_city(goiania, goiania.crs))
    message = refusal(path, goiania, crs="EPSG:31984")
    assert "crs=EPSG:31984, como declarado" in message
    assert "declare crs=EPSG:31982" in message


def test_numbers_of_nowhere_are_refused(tmp_path: Path, goiania: City) -> None:
    message = refusal(geojson(tmp_path / "a.geojson", (1.5, 2.5), (12345.0, 9.0)), goiania)
    assert "não se parecem com nenhum sistema usual" in message
    assert "x de 1,5000 a 12.345" in message
    assert "1,0e+307" in refusal(geojson(tmp_path / "b.geojson", (1e307, -1e307)), goiania)


@pytest.mark.parametrize(
    "member",
    [
        {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::31982"}},
        {"properties": {"name": "EPSG:31982"}, "type": "name"},
        {"type": "EPSG", "properties": {"code": 31982}},
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2)])
def test_the_old_member_is_read_wherever_it_stands(
    tmp_path: Path, goiania: City, member: dict[str, object], order: tuple[int, ...]
) -> None:
    point = in_city(goiania, goiania.crs)
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": point}}
    pairs = [("type", "FeatureCollection"), ("crs", member), ("features", [feature])]
    content = dict(pairs[index] for index in order)
    (tmp_path / "a.geojson").write_text(json.dumps(content, indent=1), encoding="utf-8")
    assert len(read(tmp_path / "a.geojson", goiania).frame) == 1


@pytest.mark.parametrize("member", [None, {"type": "name", "properties": {"name": "EPSG:99999"}}])
def test_a_member_that_names_nothing_is_no_wgs84(
    tmp_path: Path, goiania: City, member: dict[str, object] | None
) -> None:
    path = geojson(tmp_path / "a.geojson", middle(goiania))
    content = json.loads(path.read_text(encoding="utf-8")) | {"crs": member}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert "graus (longitude, latitude): declare crs=EPSG:4674" in refusal(path, goiania)


def test_a_property_called_crs_is_no_system(tmp_path: Path, goiania: City) -> None:
    path = geojson(tmp_path / "a.geojson", middle(goiania))
    content = json.loads(path.read_text(encoding="utf-8"))
    content["features"][0]["properties"] = {"crs": {"type": "name", "properties": {"name": "EPSG:31982"}}}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert len(read(path, goiania).frame) == 1


def test_a_declared_system_that_does_not_exist(tmp_path: Path, goiania: City) -> None:
    path = geojson(tmp_path / "a.geojson", middle(goiania))
    with pytest.raises(InputError, match="EPSG:99999"):
        read(path, goiania, crs="EPSG:99999")


@pytest.mark.parametrize("crs", ["EPSG:29192", "EPSG:5858", "EPSG:22522"])
def test_old_datums_are_moved_and_cost_accuracy(tmp_path: Path, goiania: City, crs: str) -> None:
    here = in_city(goiania, goiania.crs)
    layer = read(shapefile(tmp_path / "a.shp", here, crs), goiania)
    moved = layer.frame.geometry[0].distance(shapely.Point(here))
    assert 20 < moved < 110
    # EPSG states 5 m for these operations; the map itself is of unknown scale.
    assert layer.accuracy_m == pytest.approx(math.hypot(2.0, 5.0))
    surveyed = read(tmp_path / "a.shp", goiania, accuracy_m=0.5)
    assert surveyed.accuracy_m == pytest.approx(math.hypot(0.5, 5.0))


def test_a_withdrawn_code_is_read_as_its_heir(tmp_path: Path, goiania: City) -> None:
    here = in_city(goiania, goiania.crs)
    path = geojson(tmp_path / "a.geojson", here)
    old, new = read(path, goiania, crs="EPSG:29182"), read(path, goiania, crs="EPSG:29192")
    assert old.frame.geometry[0].distance(new.frame.geometry[0]) < 0.001
    assert [note.code for note in old.report.notes] == ["crs_withdrawn", "datum_shifted"]


@pytest.mark.parametrize(
    "crs", ["EPSG:4326", "EPSG:4674", "EPSG:31981", "EPSG:32722", "EPSG:32622", "EPSG:3857"]
)
def test_systems_on_the_same_datum_cost_nothing(tmp_path: Path, goiania: City, crs: str) -> None:
    path = shapefile(tmp_path / "a.shp", in_city(goiania, crs), crs)
    layer = read(path, goiania, accuracy_m=0.1)
    assert layer.accuracy_m == 0.1
    assert layer.frame.geometry[0].distance(shapely.Point(in_city(goiania, goiania.crs))) < 0.001
    assert layer.frame.crs.to_epsg() == 31982


def test_a_state_wide_layer_keeps_the_city_and_names_the_rest(tmp_path: Path, goiania: City) -> None:
    lon, lat = middle(goiania)
    far = [(lon + step, lat + step) for step in (1.0, 2.0, -1.0, -2.0)]
    layer = read(geojson(tmp_path / "a.geojson", (lon, lat), *far), goiania)
    assert layer.frame["source_row"].tolist() == [1]
    assert layer.report.rows("far_from_city") == (2, 3, 4, 5)


def test_most_of_a_layer_elsewhere_and_a_better_reading_is_refused(tmp_path: Path, goiania: City) -> None:
    here = in_city(goiania, goiania.crs)
    lon, lat = middle(goiania)
    points = [here, (here[0] + 9, here[1]), (here[0], here[1] + 9), (lon, lat)]
    assert "só 25% cai em Goiânia" in refusal(geojson(tmp_path / "a.geojson", *points), goiania)


def test_a_zone_around_the_city_is_in_the_city(tmp_path: Path, goiania: City) -> None:
    lon, lat = middle(goiania)
    ring = [
        [lon - 3, lat - 3],
        [lon + 3, lat - 3],
        [lon + 3, lat + 3],
        [lon - 3, lat + 3],
        [lon - 3, lat - 3],
    ]
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    (tmp_path / "a.geojson").write_text(json.dumps(feature), encoding="utf-8")
    layer = read(tmp_path / "a.geojson", goiania)
    assert layer.frame.contains(shapely.Point(in_city(goiania, goiania.crs)))[0]


def test_the_nearest_neighbours_are_kept_and_named(tmp_path: Path, goiania: City) -> None:
    box = goiania.bounds
    edge = (box.east + 0.1, middle(goiania)[1])
    layer = read(geojson(tmp_path / "a.geojson", middle(goiania), edge), goiania)
    assert len(layer.frame) == 2
    assert layer.report.rows("outside_city") == (2,)
    assert np.isfinite(layer.frame.total_bounds).all()
