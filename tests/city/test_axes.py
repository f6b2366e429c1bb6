"""Official axes as streets: names from a column, no class, no direction; joined where they meet."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import geopandas as gpd
import numpy as np
import pytest
import shapely

from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.bundle.bundle import load_bundle
from geocheck.city.network.axes import axis_network
from geocheck.city.network.street_names import kind_of, name_column
from geocheck.cli.layers import layer_file
from geocheck.errors import DataFileError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from geocheck.city.network.network import Network

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
X, Y = 686_000.0, 8_155_000.0
Row = tuple[str | None, "Sequence[tuple[float, float]]"]
CROSSING: list[Row] = [
    ("AV Larga", [(-80, 0), (0, 0)]),
    ("AV Larga", [(0, 0), (80, 0)]),
    ("R Estreita", [(0, -80), (0, 0)]),
    ("R Estreita", [(0, 0), (0, 80)]),
]


def write(path: Path, rows: Sequence[Row], column: str = "nm_via", crs: str = "EPSG:31982") -> Path:
    """Write axes in metres from the origin, a MultiLineString a row."""
    lines = [shapely.MultiLineString([[(X + x, Y + y) for x, y in line]]) for _, line in rows]
    frame = gpd.GeoDataFrame(
        {"cod": range(len(rows)), column: [name for name, _ in rows]}, geometry=lines, crs=crs
    )
    frame.to_file(path)
    return path


def read(option: str, city: str = "goiania") -> Network:
    return axis_network(layer_file(f"axis={option}"), load_city(city))


def said(network: Network) -> dict[str, int]:
    return {change["reason"]: change["count"] for change in network.changes}


def test_axes_give_the_corners(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    """Goiânia's sheet says 7.0 m for a road of unknown class: corners lie 3.5 m from both axes."""
    path = write(tmp_path / "eixos.gpkg", CROSSING)
    option = f"axis={path},accuracy=0.5,completeness=complete,date=2018-03-01"
    ran = geocheck("build", "goiania", "--layer", option, "-o", str(tmp_path / "p"))
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "p")
    corners = bundle.layer("corner").geometry.translate(-X, -Y)
    found = sorted((round(point.x, 2), round(point.y, 2)) for point in corners)
    assert found == [(-3.5, -3.5), (-3.5, 3.5), (3.5, -3.5), (3.5, 3.5)]
    axis, kerb = bundle.entry("axis"), bundle.entry("kerb")
    assert axis is not None
    assert kerb is not None
    assert (axis.accuracy_m, axis.completeness, axis.date) == (0.5, "complete", "2018-03-01")
    assert (kerb.completeness, kerb.sources) == ("complete", axis.sources)
    assert set(bundle.layer("kerb")["street"]) == {"AV Larga", "R Estreita"}
    assert set(bundle.layer("axis")["highway"]) == {"road"}
    assert set(bundle.layer("axis")["oneway"]) == {""}
    for text in ("eixo sem classe de via: highway=road", "eixo sem mão nem nível", "“nm_via”", "eixos.gpkg"):
        assert text in ran.out


def test_what_nobody_declares_is_not_known(tmp_path: Path) -> None:
    network = read(str(write(tmp_path / "eixos.gpkg", CROSSING)))
    assert (network.accuracy_m, network.completeness, network.date) == (2.0, "unknown", None)
    assert network.extent_derived
    assert network.ways.way_id.tolist() == [1, 2, 3, 4]  # the records of the file


def test_a_name_column_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "eixos.gpkg", [(None, CROSSING[0][1]), *CROSSING[1:]], column="apelido")
    assert [tags.get("name") for tags in read(str(path)).ways.tags] == [None] * 4
    assert "ruas sem nome: nenhuma coluna parece ter nomes (diga name=COLUNA)" in said(read(str(path)))
    named = read(f"{path},name=apelido")
    assert [tags.get("name") for tags in named.ways.tags] == [None, "AV Larga", "R Estreita", "R Estreita"]
    assert not any("coluna" in reason for reason in said(named))
    with pytest.raises(UnknownNameError, match=r"name: “apelidos” não existe.*apelido"):
        read(f"{path},name=apelidos")


@pytest.mark.parametrize(
    ("columns", "column"),
    [
        (["id", "via_name"], "via_name"),
        (["COD", "NOMELOG", "NOME"], "NOMELOG"),
        (["Nome do Bairro", "Nm_Logradouro"], "Nm_Logradouro"),
        (["NOME"], "NOME"),
        (["nome da via", "name"], "nome da via"),
        (["cep", "bairro"], None),
        (["Denominação"], "Denominação"),
        (["nome", "NOME"], "nome"),
        ([], None),
    ],
)
def test_which_column_has_the_names(columns: list[str], column: str | None) -> None:
    assert name_column(columns) == column


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("R Fernandes", {"highway": "road"}),
        ("", {"highway": "road"}),
        ("FER RFFSA - Desativado", {"railway": "rail"}),
        ("Ferrovia Centro-Atlântica", {"railway": "rail"}),
        ("R da Ferrovia", {"highway": "road"}),
        ("PAS Pedestre-de", {"highway": "footway"}),
        ("Passarela 2", {"highway": "footway"}),
        ("ESCADARIA  24 de Maio", {"highway": "steps"}),
    ],
)
def test_what_a_name_says_of_the_way(name: str, tags: dict[str, str]) -> None:
    assert kind_of(name) == tags


def test_railways_are_no_streets(tmp_path: Path) -> None:
    rows: list[Row] = [*CROSSING[:2], ("FER RFFSA", [(0, -80), (0, 80)])]
    network = read(str(write(tmp_path / "eixos.gpkg", rows)))
    assert network.ways.tags[2] == {"railway": "rail", "name": "FER RFFSA"}
    reason = "o nome diz que não é via de veículos (ferrovia, ciclovia, passagem de pedestres)"
    assert said(network)[reason] == 1
    with pytest.raises(DataFileError, match="nenhum eixo é de rua"):
        read(str(write(tmp_path / "trilhos.gpkg", rows[2:])))


def test_a_slip_of_the_hand_makes_no_dead_end(tmp_path: Path) -> None:
    """The same corners, although two ends miss the junction by 10 and 30 cm, and that is said."""
    rows: list[Row] = [
        CROSSING[0],
        CROSSING[1],
        ("R Estreita", [(0, -80), (0, -0.3)]),
        ("R Estreita", [(0.1, 0), (0, 80)]),
    ]
    network = read(str(write(tmp_path / "eixos.gpkg", rows)))
    assert said(network)["ponta a menos de 0,5 m de outra, levada a ela"] == 2
    bundle = build_city(load_city("goiania"), network, (), tmp_path / "p", NOW)
    assert len(bundle.layer("corner")) == 4


def test_points_among_the_axes_are_said(tmp_path: Path) -> None:
    points = gpd.GeoDataFrame(geometry=gpd.points_from_xy([X], [Y]), crs="EPSG:31982")
    points.to_file(tmp_path / "pontos.gpkg")
    with pytest.raises(DataFileError, match=r"pontos.gpkg: não tem nenhuma linha"):
        read(str(tmp_path / "pontos.gpkg"))
    rows = [json.loads(points.to_crs(4326).to_json())["features"][0]]
    lines = gpd.read_file(write(tmp_path / "eixos.gpkg", CROSSING)).to_crs(4326)
    rows += json.loads(lines.to_json())["features"]
    mixed = {"type": "FeatureCollection", "features": rows}
    (tmp_path / "misto.geojson").write_text(json.dumps(mixed), encoding="utf-8")
    network = read(str(tmp_path / "misto.geojson"))
    assert said(network)["ponto ou polígono entre os eixos"] == 1
    assert network.ways.way_id.tolist() == [2, 3, 4, 5]


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ((), 2, "faltam as ruas"),
        (("--layer", "block=q.gpkg"), 2, "faltam as ruas"),
        (("--layer", "axis={axes}", "--osm", "ruas.osm"), 2, "uma só fonte"),
        (("--layer", "axis={axes}", "--download", "Setor Bueno"), 2, "uma só fonte"),
        (("--osm", "ruas.osm", "--download", "Setor Bueno"), 2, "uma só fonte"),
        (("--layer", "axis={axes}", "--layer", "axis={axes}"), 1, "duas vezes"),
        (("--layer", "axis={axes},name=rua"), 1, "name"),
        (("--layer", "axis={axes}", "--layer", "block={axes},name=nm_via"), 1, "só serve à camada axis"),
        (("--layer", "axis=falta.gpkg"), 1, "falta.gpkg"),
        (("--layer", "axis={axes}", "--layer", "kerb={axes}"), 1, "kerb"),
        (("--osm", "falta.graphml"), 1, "falta.graphml"),
        (("--download", " "), 1, "diga o lugar"),
        (("--osm", "falta.GRAPHML"), 1, "arquivo não encontrado"),
    ],
)
def test_streets_come_from_one_source(
    geocheck: Callable[..., Any], tmp_path: Path, args: tuple[str, ...], code: int, said: str
) -> None:
    axes = write(tmp_path / "eixos.gpkg", CROSSING)
    target = tmp_path / "p"
    ran = geocheck("build", "goiania", *(each.format(axes=axes) for each in args), "-o", str(target))
    assert ran.code == code
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not target.exists()


# ---------------------------------------------------------------- real files


def test_the_axes_of_centro_and_bueno(
    geocheck: Callable[..., Any], shared_data: Path, tmp_path: Path
) -> None:
    """2,559 axes with names only; corners where three ends or more meet."""
    path = shared_data / "goiania" / "goiania_centro_bueno_via.geojson"
    ran = geocheck("build", "goiania", "--layer", f"axis={path}", "-o", str(tmp_path / "p"))
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "p")
    assert len(bundle.layer("axis")) == 2559
    entry = bundle.entry("corner")
    assert entry is not None
    assert entry.completeness == "unknown"
    assert "“via_name”" in ran.out
    lines = gpd.read_file(path).to_crs("EPSG:31982").geometry.explode(index_parts=False)
    ends = shapely.get_coordinates(shapely.boundary(lines.to_numpy()))
    places, meeting = np.unique(ends, axis=0, return_counts=True)
    crossings = places[meeting == 4]
    gaps = shapely.STRtree(bundle.layer("corner").geometry).query(
        shapely.points(crossings), predicate="dwithin", distance=40
    )
    # Where four axes end at one place, that place has four corners or nearly so: 2 at the least.
    assert (np.bincount(gaps[0], minlength=len(crossings)) >= 2).mean() > 0.99


@pytest.mark.prove
@pytest.mark.parametrize(
    ("name", "axes"),
    [
        ("goiania/goiania-axes.parquet", 39_948),
        ("awkward/porto-alegre-sad69/eixos_ruas_utm22_sad69.shp", 31_400),
    ],
)
def test_the_axes_of_whole_cities(shared_data: Path, tmp_path: Path, name: str, axes: int) -> None:
    """Porto Alegre has no sheet here: Goiânia's serves with its own box (both lie in UTM 22S)."""
    city = load_city("goiania")
    if "porto-alegre" in name:
        box = {"west": -51.4, "south": -30.3, "east": -51.0, "north": -29.9}
        city = city.model_copy(update={"bounds": city.bounds.model_copy(update=box)})
    network = axis_network(layer_file(f"axis={shared_data / name}"), city)
    assert len(network.ways) == pytest.approx(axes, rel=0.005)
    bundle = build_city(city, network, (), tmp_path / "p", NOW)
    assert bundle.layer("kerb").geometry.is_valid.all()
    assert len(bundle.layer("corner")) > axes
