"""A file without a record: “there are none here” where that is declared, and else nothing at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import geopandas as gpd
import pandas as pd
import pytest

from geocheck.cities import load_city
from geocheck.city.bundle.bundle import load_bundle
from geocheck.city.layers.municipal import municipal_layer
from geocheck.cli.layers import layer_file
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EMPTY_GEOJSON = '{"type":"FeatureCollection","features":[]}'
TEXTS = {
    "vazio.geojson": EMPTY_GEOJSON,
    "lonlat.csv": "nome;longitude;latitude\n",
    "wkt.csv": "nome;wkt\n",
    "vazio.json": json.dumps({"fields": [{"id": "longitude"}, {"id": "latitude"}], "records": []}),
    "pasta.kml": '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>'
    "<name>hidrantes</name></Folder></Document></kml>",
}
TABLES = ("vazio.gpkg", "vazio.shp", "vazio.parquet")
NOWHERE = '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":null}]}'


def empty_file(folder: Path, name: str) -> Path:
    path = folder / name
    if name in TEXTS:
        path.write_text(TEXTS[name], encoding="utf-8")
        return path
    frame = gpd.GeoDataFrame({"nome": pd.Series([], dtype="str")}, geometry=[], crs="EPSG:31982")
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_file(path, geometry_type="Point")
    return path


@pytest.mark.parametrize("name", [*TEXTS, *TABLES])
def test_no_record_says_that_there_are_none_only_where_that_is_declared(tmp_path: Path, name: str) -> None:
    path, city = empty_file(tmp_path, name), load_city("goiania")
    layer = municipal_layer(layer_file(f"hydrant={path},crs=EPSG:31982,completeness=complete"), city)
    assert len(layer.frame) == 0
    assert layer.completeness == "complete"
    assert layer.frame.crs == "EPSG:31982"
    assert {"feature", "source", "identified", "accuracy_m"} <= set(layer.frame.columns)
    for declared in ("", ",completeness=unknown", ",completeness=partial"):
        with pytest.raises(DataFileError) as refused:
            municipal_layer(layer_file(f"hydrant={path},crs=EPSG:31982{declared}"), city)
        assert str(refused.value).startswith(f"{name}: o arquivo não tem nenhum registro")
        assert "declare completeness=complete" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.geojson", NOWHERE, "sem geometria, descartado: 1"),
        ("a.csv", "lon;lat\n;\n-49,26;x\n", "coordenada em branco"),
        (
            "a.json",
            json.dumps({"fields": [{"id": "lon"}, {"id": "lat"}], "records": [], "total": 120}),
            "o JSON diz que são 120 registros e traz 0; baixe-o com limit=120",
        ),
        ("a.geojson", "", "o arquivo está vazio (0 bytes)"),
    ],
)
def test_what_was_lost_on_the_way_is_not_the_same_as_none(
    tmp_path: Path, name: str, content: str, expected: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataFileError) as refused:
        municipal_layer(layer_file(f"hydrant={path},completeness=complete"), load_city("goiania"))
    assert expected in str(refused.value)


def test_a_filter_that_nothing_passes_is_no_word_of_the_city(tmp_path: Path) -> None:
    path = tmp_path / "equipamentos.csv"
    path.write_text("tipo;lon;lat\nbanco;-49,2257;-16,6583\n", encoding="utf-8")
    toml = 'completeness = "complete"\n[only]\ntipo = ["hidrante"]\n'
    path.with_name(f"{path.name}.geocheck.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(DataFileError, match="nenhuma feição serve"):
        municipal_layer(layer_file(f"hydrant={path}"), load_city("goiania"))


@pytest.fixture
def around_case_57(shared_data: Path, shared_cases: Path) -> tuple[str, str]:
    """Return a street file near the placement of case 57, and the case's file without hydrants."""
    empty = next(shared_cases.glob("57-*")) / "hidrantes_vazio.geojson"
    return str(shared_data / "osm" / "goiania-campus.osm.pbf"), str(empty)


def test_case_57_in_a_bundle(
    geocheck: Callable[..., Any], around_case_57: tuple[str, str], tmp_path: Path
) -> None:
    """The bundle holds the layer with its source, and `inspect` says that there are none."""
    osm, empty = around_case_57
    limit = tmp_path / "limite.geojson"
    ring = [[-49.27, -16.68], [-49.22, -16.68], [-49.22, -16.64], [-49.27, -16.64], [-49.27, -16.68]]
    area = {"type": "Polygon", "coordinates": [ring]}
    limit.write_text(json.dumps({"type": "Feature", "properties": {}, "geometry": area}), encoding="utf-8")
    folder = tmp_path / "pacote"
    ran = geocheck(
        "build", "goiania", "--osm", osm, "-o", str(folder),
        "--layer", f"hydrant={empty},completeness=complete",
        "--layer", f"hoarding={empty},completeness=complete,extent={limit}",
        "--layer", f"block={empty},completeness=complete",
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(folder)
    for name, limited in (("hydrant", False), ("hoarding", True), ("block", False)):
        entry = bundle.entry(name)
        assert entry is not None
        assert (entry.features, entry.completeness) == (0, "complete")
        assert (entry.extent is not None) is limited
        assert entry.sources[0].file == "hidrantes_vazio.geojson"
        assert len(bundle.layer(name)) == 0
    assert len(bundle.table("station.hydrant")["kerb"]) == 0
    page = geocheck("inspect", str(folder)).out
    rows = {line.split()[0]: line for line in page.splitlines() if "±" in line}
    assert " 0 " in rows["hydrant"]
    assert "completa: nenhuma " in rows["hydrant"]
    assert "completa: nenhuma*" in rows["hoarding"]
    assert "nenhuma" not in rows["axis"]


def test_none_laid_over_some_keeps_those(
    geocheck: Callable[..., Any], around_case_57: tuple[str, str], tmp_path: Path
) -> None:
    """The city's word that there are none does away with what OSM shows only where it replaces it."""
    osm, empty = around_case_57
    counts: dict[str, int] = {}
    for policy in ("", ",completeness=complete", ",completeness=complete,policy=merge"):
        folder = tmp_path / f"pacote{len(counts)}"
        layer = ("--layer", f"crossing={empty}{policy}") if policy else ()
        assert geocheck("build", "goiania", "--osm", osm, "-o", str(folder), *layer).code == 0
        entry = load_bundle(folder).entry("crossing")
        assert entry is not None
        counts[policy] = entry.features
    none, merged = (each for policy, each in counts.items() if policy)
    assert none == 0
    assert merged == counts[""] > 0


@pytest.mark.parametrize("layer", ["kerb", "correction", "axis"])
def test_what_makes_streets_is_never_empty(
    geocheck: Callable[..., Any], around_case_57: tuple[str, str], tmp_path: Path, layer: str
) -> None:
    osm, empty = around_case_57
    streets = () if layer == "axis" else ("--osm", osm)
    args = ("build", "goiania", *streets, "-o", str(tmp_path / "pacote"))
    ran = geocheck(*args, "--layer", f"{layer}={empty},completeness=complete")
    assert ran.code == 1
    assert ran.err.endswith("hidrantes_vazio.geojson: o arquivo não tem nenhum registro\n")
