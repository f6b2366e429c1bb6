"""From an OSM file to a bundle: a crossing whose kerbs and corners are known, and real files."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from pyproj import Transformer

from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.bundle.bundle import load_bundle
from geocheck.city.given import check_dates
from geocheck.city.network.network import osm_network
from geocheck.city.ruler.ruler import MOUTH
from geocheck.city.streets.medians import Median
from geocheck.cli.layers import layer_file
from geocheck.errors import DataFileError, InputError
from geocheck.files import data_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.city.bundle.bundle import Bundle

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
ORIGIN = (686_000.0, 8_155_000.0)
TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
LONLAT = TO_LONLAT.transform(*ORIGIN)
NODES = {1: (-80, 0), 2: (0, 0), 3: (80, 0), 4: (0, -80), 5: (0, 80), 6: (20, 5.5), 7: (30, 4.3)}
TAGS: dict[int, dict[str, str]] = {
    6: {"highway": "bus_stop", "name": "Parada"},
    7: {"emergency": "fire_hydrant"},
}
WAYS: dict[int, tuple[list[int], dict[str, str]]] = {
    10: ([1, 2, 3], {"highway": "residential", "name": "Rua Larga", "width": "10"}),
    11: ([4, 2, 5], {"highway": "residential", "name": "Rua Estreita", "width": "8"}),
    12: ([1, 4], {"highway": "footway"}),
    13: ([2, 99], {"highway": "residential", "name": "Rua Cortada", "width": "absurda"}),
}


def scene(path: Path, ways: dict[int, tuple[list[int], dict[str, str]]]) -> Path:
    """Write nodes in metres around the origin as an OSM file; node 99 is missing."""
    lines = ['<?xml version="1.0"?>', '<osm version="0.6">']
    for node, (x, y) in NODES.items():
        lon, lat = TO_LONLAT.transform(ORIGIN[0] + x, ORIGIN[1] + y)
        tags = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in TAGS.get(node, {}).items())
        lines.append(f'<node id="{node}" lon="{lon:.9f}" lat="{lat:.9f}">{tags}</node>')
    for way, (refs, tags_of) in ways.items():
        nodes = "".join(f'<nd ref="{ref}"/>' for ref in refs)
        tags = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags_of.items())
        lines.append(f'<way id="{way}">{nodes}{tags}</way>')
    path.write_text("\n".join([*lines, "</osm>"]), encoding="utf-8")
    return path


def build(name: str, osm: Path, folder: Path) -> Bundle:
    city = load_city(name)
    return build_city(city, osm_network(osm, city), (), folder, NOW)


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    """Return the folder of a bundle of two streets of 10 m and 8 m that cross at a right angle."""
    osm = scene(tmp_path / "cruzamento.osm", {way: WAYS[way] for way in (10, 11, 12)})
    build("goiania", osm, tmp_path / "pacote")
    return tmp_path / "pacote"


def local(frame: gpd.GeoDataFrame) -> Any:  # noqa: ANN401 (a column of geometries)
    return frame.geometry.translate(-ORIGIN[0], -ORIGIN[1])


def test_the_corners_of_a_crossing(crossing: Path) -> None:
    """The kerbs of the wide street lie at y = ±5, those of the narrow one at x = ±4."""
    corners = load_bundle(crossing).layer("corner")
    found = sorted((round(point.x, 2), round(point.y, 2)) for point in local(corners))
    assert np.allclose(found, [(-4, -5), (-4, 5), (4, -5), (4, 5)], atol=0.011)  # OSM keeps 7 decimals
    assert corners["kind"].tolist() == ["corner"] * 4
    assert corners["node"].tolist() == ["node/2"] * 4
    assert not corners["unknown"].any()


def test_kerbs_run_with_the_traffic_on_the_right(crossing: Path) -> None:
    kerbs = load_bundle(crossing).layer("kerb")
    assert len(kerbs) == 8
    assert set(kerbs["street"]) == {"Rua Larga", "Rua Estreita"}
    assert set(kerbs["width_source"]) == {"width"}
    for line in local(kerbs):
        (x0, y0), (x1, y1) = line.coords[0], line.coords[-1]
        # Driving on the right, the kerb is on the right: the axis (0) lies to the left of the line.
        assert (x1 - x0) * (0 - y0) - (y1 - y0) * (0 - x0) > 0


def test_mouths_join_the_corners_of_one_side(crossing: Path) -> None:
    mouths = load_bundle(crossing).layer("mouth")
    assert sorted(np.round(mouths["width_m"], 1)) == [8, 8, 10, 10]
    assert np.allclose(local(mouths).length, mouths["width_m"])


def test_the_crossing_area_and_the_junction_of_corners_and_mouths(crossing: Path) -> None:
    """10 m and 8 m wide streets share 80 m²; the table of what lies beside kerbs is empty."""
    bundle = load_bundle(crossing)
    areas = bundle.layer("crossing_area")
    assert areas[["junction", "kind", "unknown"]].to_numpy().tolist() == [[0, "junction", False]]
    assert np.allclose(local(areas).iloc[0].bounds, (-4, -5, 4, 5), atol=0.011)
    assert set(bundle.layer("corner")["junction"]) == set(bundle.layer("mouth")["junction"]) == {0}
    assert set(bundle.layer("corner")["at_median"]) == set(bundle.layer("kerb")["median"]) == {"no"}
    assert len(bundle.layer("median")) == 0
    assert len(bundle.table("station.median")["kerb"]) == 0
    streets = bundle.manifest.streets
    assert streets is not None
    assert (streets.kerbs, streets.junctions, streets.junctions_of_several_nodes) == (8, 1, 0)
    assert streets.kerbs_by_width == {"width": 8}
    assert streets.corners == {"corner": 4}
    assert streets.ends_unknown == 8, "four streets are cut at the edge of what was drawn"


def test_a_dual_carriageway_in_a_bundle(shared_cases: Path, tmp_path: Path) -> None:
    """Case 20: a median 5 m wide and 2 × 66 m long, less an opening of 8 m."""
    osm = next(shared_cases.glob("20-*")) / "street.osm"
    bundle = build("goiania", osm, tmp_path / "pacote")
    medians = bundle.layer("median")
    assert set(medians["street"]) == {"Avenida Dupla"}
    assert medians["width_m"].tolist() == pytest.approx([5.0, 5.0], abs=0.015)
    kerbs = bundle.layer("kerb")
    table = bundle.table("station.median")
    assert set(table["kind"].tolist()) == {Median.YES}
    assert set(table["kerb"].tolist()) == set(kerbs.index[kerbs["median"] == "yes"])
    length = kerbs.geometry.length.to_numpy()[table["kerb"]]
    assert np.allclose(table["to_m"] - table["from_m"], length, atol=1e-6)
    assert np.allclose(table["high_s"] - table["low_s"], length, atol=1e-6)
    area = bundle.layer("crossing_area")
    assert area.geometry.area.tolist() == pytest.approx([8 * 19], abs=0.3)
    streets = bundle.manifest.streets
    assert streets is not None
    assert (streets.junctions, streets.junctions_of_several_nodes) == (1, 1)


def test_what_osm_holds_becomes_layers(crossing: Path) -> None:
    bundle = load_bundle(crossing)
    stops = bundle.layer("bus_stop")
    assert stops["name"].tolist() == ["Parada"]
    assert local(stops).iloc[0].distance(local(bundle.layer("hydrant")).iloc[0]) == pytest.approx(
        np.hypot(10, 1.2), abs=0.02
    )
    completeness = {layer.name: layer.completeness for layer in bundle.manifest.layers}
    assert completeness == {
        "axis": "complete",
        "kerb": "complete",
        "corner": "complete",
        "mouth": "complete",
        "crossing_area": "complete",
        "median": "partial",
        "bus_stop": "partial",
        "hydrant": "partial",
        "bridge": "complete",
        "tunnel": "complete",
    }


def test_what_names_its_side_lies_on_the_kerb_of_that_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wide street runs east: its right is south. A node serves its direction, a tag says its side."""
    ways = {way: (refs, dict(tags)) for way, (refs, tags) in WAYS.items() if way in (10, 11)}
    ways[10][1]["parking:left:restriction"] = "no_parking"
    ways[10] = ([1, 8, 2, 3], ways[10][1])
    monkeypatch.setitem(NODES, 8, (-40, 0))
    monkeypatch.setitem(TAGS, 8, {"highway": "bus_stop", "direction": "forward"})
    bundle = build("goiania", scene(tmp_path / "lados.osm", ways), tmp_path / "pacote")
    middle = local(bundle.layer("kerb")).centroid
    stops, stations = bundle.layer("bus_stop"), bundle.table("station.bus_stop")
    stop = int(np.flatnonzero(stops["source"] == "node/8")[0])
    rows = np.flatnonzero(stations["feature"] == stop)
    assert [
        (round(middle[kerb].y), known)
        for kerb, known in zip(stations["kerb"][rows], stations["side_known"][rows], strict=True)
    ] == [(-5, 1)]
    assert bundle.layer("sign")[["code", "side"]].to_numpy().tolist() == [["R-6a", "left"]]
    signs = bundle.table("station.sign")
    assert sorted(round(middle[kerb].y) for kerb in signs["kerb"]) == [5, 5]
    assert signs["side_known"].all()


def test_nothing_vanishes_silently(tmp_path: Path) -> None:
    osm = scene(tmp_path / "cortado.osm", WAYS)
    bundle = build("goiania", osm, tmp_path / "pacote")
    said = {change.reason: change.count for layer in bundle.manifest.layers for change in layer.changes}
    assert said["via que não é de veículos"] == 1
    assert any(reason.startswith("width não usado") and count == 1 for reason, count in said.items())
    assert said["limite do recorte: casca das vias"] == 1
    assert said["ponta cortada pela borda ou por nó ausente"] >= 1


def test_a_file_of_another_city_is_refused(tmp_path: Path) -> None:
    osm = scene(tmp_path / "cruzamento.osm", WAYS)
    with pytest.raises(DataFileError, match="Olinda"):
        build("olinda", osm, tmp_path / "pacote")
    assert not (tmp_path / "pacote").exists()


def test_a_real_file_of_goiania(campus: Bundle) -> None:
    """973 drivable ways, none with `width`: every kerb has one all the same, and says where it is from."""
    kerbs = campus.layer("kerb")
    assert set(kerbs["width_source"]) <= {"lanes_parking", "class_default"}
    assert (kerbs["accuracy_m"] >= 3.0).all()
    assert kerbs.geometry.is_valid.all()
    entry = campus.entry("bus_stop")
    assert entry is not None
    assert entry.features == len(campus.layer("bus_stop")) == 22


# ---------------------------------------------------------------- the commands


def test_build_inspect_and_export(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    osm = scene(tmp_path / "cruzamento.osm", WAYS)
    folder = str(tmp_path / "pacote")
    built = geocheck("build", "goiania", "--osm", str(osm), "-o", folder)
    assert (built.code, built.err) == (0, "")
    seen = geocheck("inspect", folder)
    for text in ("kerb", "esquina", "parcial", "cruzamento.osm", "via que não é de veículos"):
        assert text in built.out
        assert text in seen.out
    # Two streets of a known width each, and one more at their crossing of which the file holds no node.
    assert "8 faces de guia; largura da pista: width 8" in seen.out
    assert "1 cruzamentos, 0 deles de vários nós, 0 rotatórias; guia junto a: nenhuma" in seen.out
    assert "1 × alcance suposto: falta uma rua no cruzamento" in seen.out
    for name, layers in (("k.gpkg", 5), ("k.geojson", 1), ("k.parquet", 1)):
        ran = geocheck("kerbs", folder, "-o", str(tmp_path / name))
        assert (ran.code, ran.err) == (0, "")
        assert len(ran.out.splitlines()) == layers + 1
    assert len(gpd.read_file(tmp_path / "k.gpkg", layer="corner")) >= 4
    lonlat = gpd.read_file(tmp_path / "k.geojson")
    assert lonlat.crs == "EPSG:4326"
    assert lonlat.total_bounds[0] == pytest.approx(-49.256, abs=0.01)


def hydrants(path: Path) -> Path:
    """Write two hydrants in UTM metres as a CSV of a city hall: semicolons, decimal commas, cp1252."""
    rows = ["código;leste;norte;situação", "007;686030,50;8155006,25;ligado", "008;;8155006,25;sem posição"]
    path.write_bytes("\n".join(rows).encode("cp1252"))
    return path


def test_a_municipal_median_takes_the_place_of_the_derived_one(
    geocheck: Callable[..., Any], tmp_path: Path
) -> None:
    osm, areas = scene(tmp_path / "cruzamento.osm", WAYS), tmp_path / "canteiros.gpkg"
    lawn = shapely.box(*ORIGIN, ORIGIN[0] + 40, ORIGIN[1] + 3)
    gpd.GeoDataFrame(geometry=[lawn], crs="EPSG:31982").to_file(areas)
    folder = str(tmp_path / "pacote")
    ran = geocheck("build", "goiania", "--osm", str(osm), "--layer", f"median={areas}", "-o", folder)
    assert (ran.code, ran.err) == (0, "")
    medians = [each for each in load_bundle(tmp_path / "pacote").manifest.layers if each.name == "median"]
    assert [[source.file for source in each.sources] for each in medians] == [["canteiros.gpkg"]]


def test_a_municipal_layer_takes_the_place_of_osm(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    osm, csv = scene(tmp_path / "cruzamento.osm", WAYS), hydrants(tmp_path / "hidrantes.csv")
    declared = "crs=EPSG:31982,x=leste,y=norte,accuracy=0.5,completeness=complete,date=2024-05-01"
    folder = tmp_path / "pacote"
    ran = geocheck(
        *("build", "goiania", "--osm", str(osm), "-o", str(folder)), "--layer", f"hydrant={csv},{declared}"
    )
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(folder)
    frame, entry = bundle.layer("hydrant"), bundle.entry("hydrant")
    assert entry is not None
    assert (entry.accuracy_m, entry.completeness, entry.date) == (0.5, "complete", "2024-05-01")
    assert [(point.x, point.y) for point in frame.geometry] == [(686030.5, 8155006.25)]
    assert frame["código"].tolist() == ["007"]
    assert any(change.action == "dropped" and change.count == 1 for change in entry.changes)
    assert "hidrantes.csv" in ran.out


def test_a_municipal_layer_laid_over_osm(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    """The hydrant of the city lies 2.0 m from OSM's; the other one of the city is 60 m away."""
    osm, csv = scene(tmp_path / "cruzamento.osm", WAYS), tmp_path / "hidrantes.csv"
    csv.write_text("COD;x;y\nA;686030,00;8155006,30\nB;686090,00;8155006,30", encoding="utf-8")
    (tmp_path / "limite.geojson").write_text(
        '{"type":"Polygon","coordinates":[[[-49.3,-16.7],[-49.2,-16.7],[-49.2,-16.6],[-49.3,-16.6],'
        "[-49.3,-16.7]]]}",
        encoding="utf-8",
    )
    declared = f"crs=EPSG:31982,accuracy=1,completeness=complete,extent={tmp_path / 'limite.geojson'}"
    folder = tmp_path / "pacote"
    layer = f"hydrant={csv},{declared}"
    ran = geocheck(
        *("build", "goiania", "--osm", str(osm), "-o", str(folder)),
        *("--layer", f"{layer},policy=merge"),
    )
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(folder)
    frame, entry = bundle.layer("hydrant"), bundle.entry("hydrant")
    assert entry is not None
    assert frame["source"].tolist() == ["hidrantes.csv#1;node/7", "hidrantes.csv#2"]
    assert (entry.completeness, entry.accuracy_m) == ("complete", 1.0)
    assert entry.extent is not None
    assert np.allclose(entry.extent["coordinates"][0][0], [-49.3, -16.7], atol=1e-6)
    for text in ("a mesma coisa em hidrantes.csv e cruzamento.osm (até 2,0 m), unida", "limite.geojson"):
        assert text in ran.out
    twice = geocheck(
        *("build", "goiania", "--osm", str(osm), "-o", str(folder), "--layer", layer, "--layer", layer)
    )
    assert twice.code == 1
    assert "policy=merge" in twice.err


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("hidrante={csv}", "hidrante"),
        ("hydrant", "NOME=ARQUIVO"),
        ("hydrant={csv},sistema=31982", "sistema"),
        (
            "hydrant={csv},crs=31982",
            "crs: “31982” não é um código de sistema de coordenadas; escreva EPSG:31982",
        ),
        ("hydrant={csv},crs=epsg 31982", "escreva EPSG:31982"),
        ("hydrant={csv},crs=SIRGAS", "escreva EPSG: e o número, como EPSG:31982"),
        ("hydrant={csv},crs=EPSG:319822222", "escreva EPSG: e o número"),
        ("hydrant={csv},date=2999-12-31", "hydrant: date: 31/12/2999 está no futuro"),
        ("hydrant={csv},accuracy=perto", "accuracy"),
        ("hydrant={csv},completeness=quase", "completeness"),
        ("hydrant={csv},x=leste,y=norte", "hidrantes.csv"),
        ("hydrant=nao-existe.csv", "nao-existe.csv"),
        ("kerb={csv},crs=EPSG:31982,x=leste,y=norte", "linhas das guias"),
        ("corner={csv}", "corner"),
        ("hydrant={csv},street=código", "só serve à camada kerb"),
        ("hydrant={csv},merge=5", "merge só vale com policy=merge"),
        ("hydrant={csv},accuracy=1,accuracy=3", "aparece duas vezes"),
        ("hydrant=águas, esgotos.csv", "o nome do arquivo não pode ter uma"),
        ("hydrant={csv},encoding=rot13", "não é uma codificação"),
    ],
)
def test_a_layer_that_cannot_be_used_stops_the_build(
    geocheck: Callable[..., Any], tmp_path: Path, option: str, said: str
) -> None:
    osm, csv = scene(tmp_path / "cruzamento.osm", WAYS), hydrants(tmp_path / "hidrantes.csv")
    target = str(tmp_path / "pacote")
    ran = geocheck("build", "goiania", "--osm", str(osm), "-o", target, "--layer", option.format(csv=csv))
    assert ran.code == 1
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "pacote").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("inspect", "nao-existe"), "não é um pacote"),
        (("kerbs", "nao-existe", "-o", "k.gpkg"), "não é um pacote"),
        (("build", "goiania", "--osm", "nao-existe.osm", "-o", "p"), "nao-existe.osm"),
        (("build", "goiania", "--osm", "README.md", "-o", "p"), "README.md"),
        (("build", "goiania", "--osm", "", "-o", "p"), "--osm: falta o nome do arquivo"),
        (
            ("build", "goiania", "--layer", "axis=ruas.shp,date=2999-12-31", "-o", "p"),
            "axis: date: 31/12/2999 está no futuro",
        ),
        *(
            (
                ("build", "goiania", "--layer", "kerb=a.csv", "--layer", f"{layer}=a.csv", *more, "-o", "p"),
                f"a camada “{layer}” veio duas vezes; junte os arquivos num só\n",
            )
            for layer, more in (("kerb", ()), ("correction", ("--layer", "correction=b.csv")))
        ),
    ],
)
def test_a_mistake_is_said(geocheck: Callable[..., Any], args: tuple[str, ...], said: str) -> None:
    ran = geocheck(*args)
    assert ran.code == 1
    assert said in ran.err
    assert not Path("p").exists()


@pytest.mark.parametrize(
    "ways",
    [
        {12: ([1, 4], {"highway": "footway"})},
        {12: ([1, 1], {"highway": "residential"})},
        {12: ([1, 4], {"highway": "[bold]"})},
    ],
)
def test_streets_of_which_no_kerb_comes_are_refused(
    geocheck: Callable[..., Any], tmp_path: Path, ways: dict[int, tuple[list[int], dict[str, str]]]
) -> None:
    osm = scene(tmp_path / "ruas.osm", ways)
    ran = geocheck("build", "goiania", "--osm", str(osm), "-o", str(tmp_path / "pacote"))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("geocheck: ruas.osm: nenhuma via de veículos com comprimento")
    assert [path.name for path in tmp_path.iterdir()] == ["ruas.osm"]


@pytest.mark.parametrize(
    ("crs", "said"),
    [
        ("EPSG:4326", "não é um sistema plano em metros"),
        ("EPSG:2263", "não é um sistema plano em metros"),
        ("EPSG:32633", "deforma as distâncias"),
        ("EPSG:999999", "não é um sistema de coordenadas conhecido"),
    ],
)
def test_a_sheet_without_metres_is_refused(
    geocheck: Callable[..., Any], tmp_path: Path, crs: str, said: str
) -> None:
    text = (data_folder() / "cities" / "goiania.toml").read_text(encoding="utf-8")
    sheet = tmp_path / "cidade.toml"
    sheet.write_text(text.replace("EPSG:31982", crs), encoding="utf-8")
    osm = scene(tmp_path / "ruas.osm", WAYS)
    ran = geocheck("build", str(sheet), "--osm", str(osm), "-o", str(tmp_path / "pacote"))
    assert ran.code == 1
    assert said in ran.err
    assert not (tmp_path / "pacote").exists()


def test_no_file_steers_the_terminal(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    osm = scene(tmp_path / "ruas.osm", WAYS)
    csv = tmp_path / "h[red].csv"
    rows = "".join(f"\x1b[31m[red]X,{LONLAT[0]},{LONLAT[1] + step}\n" for step in (0, 1e-4))
    csv.write_text(f"id,longitude,latitude\n{rows}", encoding="utf-8")
    args = ("build", "goiania", "--osm", str(osm), "-o", str(tmp_path / "pacote"), "--layer")
    ran = geocheck(*args, f"hydrant={csv}")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert "[red]X" in ran.out
    assert "h[red].csv" in ran.out
    csv.write_text("id,long\x1b[31mitude\n1,2\n", encoding="utf-8")
    assert "\x1b" not in geocheck(*args, f"hydrant={csv}").err


def test_a_failure_of_our_own_is_told_without_a_traceback(
    geocheck: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(_: Path) -> None:
        raise KeyError("falta\nalgo")

    monkeypatch.setattr("geocheck.city.bundle.bundle.load_bundle", fail)
    ran = geocheck("inspect", str(tmp_path))
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "falha interna (KeyError" in ran.err
    with pytest.raises(KeyError):
        geocheck("--debug", "inspect", str(tmp_path))


def test_a_format_nobody_knows_is_refused(geocheck: Callable[..., Any], crossing: Path) -> None:
    ran = geocheck("kerbs", str(crossing), "-o", "guias.dwg")
    assert ran.code == 1
    assert ".gpkg" in ran.err


def test_inspect_counts_features_left_out_and_neither_tags_nor_metres(
    geocheck: Callable[..., Any], tmp_path: Path
) -> None:
    """A footway and a street of one node are no axes; an absurd width is no kerb left out."""
    osm = scene(tmp_path / "cortado.osm", WAYS)
    build("goiania", osm, tmp_path / "pacote")
    page = geocheck("inspect", str(tmp_path / "pacote")).out
    rows = {line.split()[0]: line.split() for line in page.splitlines() if "±" in line}
    assert rows["axis"][1:3] == ["2", "2"]
    assert "axis · fora: 1 × rua de que o arquivo não traz dois nós" in page
    assert rows["kerb"][2] == "±"
    assert "kerb · fora: 1 × width não usado" in page
    assert page.count("cortado.osm") == 1
    assert hashlib.sha256(osm.read_bytes()).hexdigest()[:12] in page


def test_mouths_that_part_a_kerb_are_told(
    geocheck: Callable[..., Any], campus: Bundle, crossing: Path
) -> None:
    """They are those of which the ruler has no chord."""
    chords = np.count_nonzero(campus.table("segment")["kerb"] == MOUTH)
    parted = len(campus.layer("mouth")) - chords
    assert parted > 0
    line = f"mouth · mantido: {parted} × boca de rua que não liga a guia à seguinte"
    assert line in geocheck("inspect", str(campus.folder)).out
    assert "não liga a guia" not in geocheck("inspect", str(crossing)).out


def test_a_layer_may_be_of_today_and_not_of_tomorrow() -> None:
    today = dt.date(2026, 12, 1)
    check_dates([layer_file("hydrant=h.csv,date=2026-12-01"), layer_file("lot=l.csv")], today)
    with pytest.raises(InputError, match="lot: date: 02/12/2026 está no futuro"):
        check_dates([layer_file("hydrant=h.csv"), layer_file("lot=l.csv,date=2026-12-02")], today)
