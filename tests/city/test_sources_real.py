"""The awkward real files: matched against others of the same things, or refused with a clear line."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import osmium
import pytest
import shapely
from pyproj import Transformer

from geocheck.cities import City, load_city
from geocheck.city.sources import Layer, SourceOptions, read_layer
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHEETS = Path(__file__).parent / "sheets"


def city(name: str) -> City:
    return load_city(str(SHEETS / f"{name}.toml"))


def read(path: Path, where: City, **declared: object) -> Layer:
    return read_layer(path, where, SourceOptions.model_validate(declared))


def refusal(path: Path, where: City, **declared: object) -> str:
    with pytest.raises(DataFileError) as refused:
        read(path, where, **declared)
    return str(refused.value)


def median_nearest_m(layer: Layer, other: Layer) -> float:
    tree = shapely.STRtree(other.frame.geometry.to_numpy())
    _, distance = tree.query_nearest(
        layer.frame.geometry.to_numpy(), return_distance=True, all_matches=False, max_distance=500
    )
    assert len(distance) > 0.9 * len(layer.frame)
    return float(np.median(distance))


def test_sao_paulos_stops_in_sad69_96(shared_data: Path) -> None:
    path, sao_paulo = (
        shared_data / "awkward" / "geosampa-no-prj" / "SAD69-96_SHP_pontoonibus.shp",
        city("sao-paulo"),
    )
    message = refusal(path, sao_paulo)
    assert ".prj" in message
    assert "EPSG:5533 (SAD69(96) / UTM 23S)" in message
    stops = read(shared_data / "saopaulo" / "sptrans-stops.txt", sao_paulo)
    assert len(stops.frame) == 21_908
    layer = read(path, sao_paulo, crs="EPSG:5533")
    assert layer.report.read == 21_367
    assert median_nearest_m(layer, stops) == pytest.approx(0, abs=0.005)
    assert layer.accuracy_m == pytest.approx(np.hypot(2, 5))


def test_sao_paulos_places_without_anything(shared_data: Path) -> None:
    path = shared_data / "awkward" / "geosampa-no-prj" / "DEINFO_REFERENCIA_URBANA_2013.shp"
    layer = read(path, city("sao-paulo"), crs="EPSG:5533")
    assert len(layer.frame) == 40
    assert any("ã" in str(each) or "Ã" in str(each) for each in layer.frame["NOME"])
    assert "encoding_guessed" in [note.code for note in layer.report.notes]


@pytest.fixture(scope="module")
def porto_alegres_axes(shared_data: Path) -> tuple[Layer, Layer]:
    """Return its axes, which are in SAD69, read right and read as if they were in the city's own system."""
    where = city("porto-alegre")
    path = shared_data / "awkward" / "porto-alegre-sad69" / "eixos_ruas_utm22_sad69.shp"
    return read(path, where), read(path, where, crs=where.crs)


def test_porto_alegres_axes_in_sad69(shared_data: Path, porto_alegres_axes: tuple[Layer, Layer]) -> None:
    layer, wrong = porto_alegres_axes
    assert len(layer.frame) == 31_459
    assert "OCTACILIO GONÇALVES DA SILVA FILHO" in set(layer.frame["NOME"])
    assert layer.accuracy_m == pytest.approx(np.hypot(2, 5))
    streets = osm_streets(shared_data / "osm" / "porto-alegre.osm.pbf", city("porto-alegre"))
    # Which axes are compared moves the figures (2.5 to 5.8 m against 14 to 33 m), their ratio hardly.
    right_m, wrong_m = from_streets_m(layer, streets), from_streets_m(wrong, streets)
    assert right_m < 4.9
    assert wrong_m > 3 * right_m
    assert wrong.report.notes[0].code == "crs_overruled"


def test_porto_alegres_axes_by_name(shared_data: Path, porto_alegres_axes: tuple[Layer, Layer]) -> None:
    """Read right, an axis lies on the OSM street of its own name; read wrong, the datum's shift away from it.

    A shift of s moves a street of direction θ sideways by s·|sin θ|, s·√½ in the median over all directions.
    """
    streets = named_streets(shared_data / "osm" / "porto-alegre.osm.pbf", city("porto-alegre"))
    right, wrong = porto_alegres_axes
    shift_m = next(
        np.hypot(a.x - b.x, a.y - b.y)
        for a, b in zip(right.frame.centroid, wrong.frame.centroid, strict=True)
    )
    right_m, wrong_m = (same_name_m(layer, streets) for layer in (right, wrong))
    assert len(right_m) > 8_000
    assert np.median(right_m) < 3.0
    assert np.median(wrong_m) == pytest.approx(shift_m * np.sqrt(0.5), rel=0.1)


def plain(name: object) -> str:
    text = unicodedata.normalize("NFKD", str(name)).encode("ascii", "ignore").decode()
    return " ".join(text.upper().split())


def named_streets(path: Path, where: City) -> dict[str, shapely.Geometry]:
    """Return the streets of each name, without its first word (Rua, Avenida, …)."""
    way = Transformer.from_crs("EPSG:4674", where.crs, always_xy=True)
    lines: dict[str, list[shapely.LineString]] = {}
    highways = osmium.filter.KeyFilter("highway")
    for each in osmium.FileProcessor(path).with_locations().with_filter(highways):
        if isinstance(each, osmium.osm.Way) and "name" in each.tags:
            xy = np.array([(node.lon, node.lat) for node in each.nodes if node.location.valid()])
            if len(xy) > 1:
                name = plain(each.tags["name"]).split(" ", 1)[-1]
                line = shapely.LineString(np.column_stack(way.transform(xy[:, 0], xy[:, 1])))
                lines.setdefault(name, []).append(line)
    return {name: shapely.MultiLineString(each) for name, each in lines.items()}


def same_name_m(layer: Layer, streets: dict[str, shapely.Geometry]) -> NDArray[np.float64]:
    """Return how far each axis' middle lies from the street of its name, where that is in the extract."""
    middles = shapely.line_interpolate_point(layer.frame.geometry.to_numpy(), 0.5, normalized=True)
    theirs = np.array([streets.get(plain(name)) for name in layer.frame["NOME"]], dtype=object)
    held = ~shapely.is_missing(theirs)
    distance = shapely.distance(middles[held], theirs[held])
    return np.asarray(distance[distance < 200])  # a street goes on beyond the extract


def from_streets_m(layer: Layer, streets: NDArray[np.object_]) -> float:
    """Measure the axes' middles, inside the box of the streets, from the nearest street, in the median."""
    middles = shapely.line_interpolate_point(layer.frame.geometry.to_numpy(), 0.5, normalized=True)
    middles = middles[shapely.within(middles, shapely.box(*shapely.total_bounds(streets)))]
    _, distance = shapely.STRtree(streets).query_nearest(
        middles, return_distance=True, all_matches=False, max_distance=500
    )
    assert len(distance) > 0.9 * len(middles)
    return float(np.median(distance))


def osm_streets(path: Path, where: City) -> NDArray[np.object_]:
    way = Transformer.from_crs("EPSG:4674", where.crs, always_xy=True)
    lines = []
    for each in osmium.FileProcessor(path).with_locations().with_filter(osmium.filter.KeyFilter("highway")):
        if isinstance(each, osmium.osm.Way):
            xy = [(node.lon, node.lat) for node in each.nodes if node.location.valid()]
            if len(xy) > 1:
                lines.append(xy)
    shapes = shapely.linestrings(
        np.concatenate(lines), indices=np.repeat(np.arange(len(lines)), [len(each) for each in lines])
    )
    moved = shapely.transform(shapes, lambda xy: np.column_stack(way.transform(xy[:, 0], xy[:, 1])))
    return np.asarray(moved, dtype=object)


def test_fortalezas_hydrants_under_a_wrong_label(shared_data: Path) -> None:
    path, where = shared_data / "fortaleza" / "fortaleza_hidrantes_utm_semcrs.geojson", city("fortaleza")
    message = refusal(path, where)
    assert "EPSG:3857" in message
    assert "declare crs=EPSG:31984" in message
    mine = read(path, where, crs="EPSG:31984").frame
    theirs = read(shared_data / "fortaleza" / "fortaleza_hidrantes_wgs84.geojson", where).frame
    assert (len(mine), len(theirs)) == (50, 246)
    once = theirs[~theirs["endereco"].duplicated(keep=False)].set_index("endereco").geometry
    pairs = [
        (shape, once[address])
        for shape, address in zip(mine.geometry, mine["endereco"], strict=True)
        if address in once.index
    ]
    assert len(pairs) >= 30
    assert np.median([a.distance(b) for a, b in pairs]) == pytest.approx(0, abs=0.005)


@pytest.mark.parametrize(
    ("name", "count", "kind"),
    [
        ("estacionamento_rotativo", 1_099, "LineString"),
        ("sinalizacao_semaforica", 1_125, "Point"),
        ("estacionamento_publico_pessoa_idosa", 666, "Point"),
    ],
)
def test_belo_horizontes_tables(shared_data: Path, name: str, count: int, kind: str) -> None:
    path, where = shared_data / "belohorizonte" / f"bhtrans_{name}.json", city("belo-horizonte")
    assert "crs=EPSG:31983" in refusal(path, where)
    layer = read(path, where, crs="EPSG:31983")
    assert layer.report.read == len(layer.frame) + len(layer.report.dropped) == count
    assert set(layer.frame.geom_type) == {kind}
    if "rotativo" in name:
        assert sum(map(int, layer.frame["NUMERO_VAGAS_ROTATIVAS"])) > 0


def test_trees_with_commas_for_everything(shared_data: Path) -> None:
    path = shared_data / "awkward" / "sjc_arvores_virgula_decimal_sem_aspas.csv"
    assert "a vírgula separa as colunas e também os decimais" in refusal(path, city("sao-paulo"))


def test_porto_alegres_gtfs_in_its_zip(shared_data: Path) -> None:
    layer = read(shared_data / "portoalegre" / "portoalegre_eptc_gtfs.zip", city("porto-alegre"))
    assert len(layer.frame) == 3_986
    assert layer.accuracy_m == 10.0


@pytest.mark.parametrize("name", ["block", "parcel", "nsvia"])
def test_goianias_campus(shared_data: Path, name: str) -> None:
    layer = read(shared_data / "goiania" / f"goiania_campus_{name}.geojson", load_city("goiania"))
    assert layer.report.read == layer.report.kept + len(layer.report.dropped)
    assert layer.frame.is_valid.all()


@pytest.mark.parametrize(
    "name", ["olinda_observatorio_ciclo_existente_planejado", "olinda_pdc2023_rede_cicloviaria"]
)
def test_olindas_cycle_plan(shared_data: Path, name: str) -> None:
    layer = read(shared_data / "olinda" / f"{name}.geojson", load_city("olinda"))
    assert layer.report.read == layer.report.kept + len(layer.report.dropped)
