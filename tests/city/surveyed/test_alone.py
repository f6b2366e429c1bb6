"""A bundle from surveyed kerbs alone, without any street network."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import geopandas as gpd
import numpy as np
import pytest
import shapely

from geocheck.city.bundle.bundle import load_bundle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle

ORIGIN = np.array([686_000.0, 8_157_000.0])


def corner_m(kerb: shapely.LineString, corner: shapely.Point, footprint: shapely.Polygon) -> float:
    """Return the distance along a kerb from a corner at one of its ends to the nearest end of a footprint."""
    stations = [kerb.project(shapely.Point(xy)) for xy in footprint.exterior.coords]
    at = kerb.project(corner)
    return min(abs(station - at) for station in stations)


def test_the_limits_of_case_51(geocheck: Callable[..., Any], shared_cases: Path, tmp_path: Path) -> None:
    """The figures of the case, to a millimetre, from the kerb and corner layers of the bundle."""
    folder = shared_cases / "51-limit-inclusive"
    layer = f"kerb={folder / 'meio_fio.gpkg'},street=rua"
    ran = geocheck("build", "goiania", "--layer", layer, "-o", str(tmp_path / "pacote"))
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "pacote")
    kerbs, corners = bundle.layer("kerb"), bundle.layer("corner")
    placed = {}
    for feature in json.loads((folder / "placements.geojson").read_text(encoding="utf-8"))["features"]:
        given = feature["properties"]
        centre, size = np.array([given["centre_e"], given["centre_n"]]), (given["length_m"], given["width_m"])
        assert given["bearing_grid_deg"] == 90
        placed[given["id"]] = shapely.box(*(centre - np.array(size) / 2), *(centre + np.array(size) / 2))
    with (folder / "expected.csv").open(encoding="utf-8") as file:
        expected = list(csv.DictReader(file))
    assert len(expected) == 6
    for row in expected:
        footprint = placed[row["id"]]
        kerb = kerbs.loc[kerbs.geometry.distance(footprint).idxmin()]
        assert kerb["street"].startswith("Rua ")
        if row["id"].startswith("G"):
            measured = kerb.geometry.distance(footprint)
        else:
            assert kerb["start_kind"] == "corner"
            measured = corner_m(kerb.geometry, corners.geometry.iloc[kerb["start_corner"]], footprint)
        assert measured == pytest.approx(float(row["measured_m"]), abs=1e-3)


# ---------------------------------------------------------------- what is read, and what is said of it


def survey(path: Path, **columns: list[Any]) -> Path:
    """Write three lines: an L of 50 m and 40 m in two features, and a straight kerb of 50 m."""
    lines = [[(0, 0), (50, 0)], [(50, 0), (50, 40)], [(0, 100), (50, 100)]]
    geometry = [shapely.LineString(np.array(xy) + ORIGIN) for xy in lines]
    gpd.GeoDataFrame(columns or {"n": [1, 2, 3]}, geometry=geometry, crs="EPSG:31982").to_file(path)
    return path


def built(geocheck: Callable[..., Any], tmp_path: Path, options: str = "", city: str = "goiania") -> Bundle:
    layer = f"kerb={tmp_path / 'guias.gpkg'}{options}"
    ran = geocheck("build", city, "--layer", layer, "-o", str(tmp_path / "pacote"))
    assert (ran.code, ran.err) == (0, "")
    return load_bundle(tmp_path / "pacote")


def test_what_is_unknown_is_said(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    survey(tmp_path / "guias.gpkg")
    bundle = built(geocheck, tmp_path)
    kerbs = bundle.layer("kerb")
    assert [layer.name for layer in bundle.manifest.layers] == ["kerb", "corner"]
    assert bundle.manifest.extent is None
    assert {layer.completeness for layer in bundle.manifest.layers} == {"unknown"}
    assert set(kerbs["street"]) == set(kerbs["way"]) == set(kerbs["side"]) == {""}
    assert kerbs["accuracy_m"].tolist() == [0.1] * 3
    assert sorted(kerbs["direction"]) == ["block_guessed", "block_guessed", "unknown"]
    assert sorted([*kerbs["start_kind"], *kerbs["end_kind"]]) == ["corner"] * 2 + ["cut"] * 4
    entry = bundle.entry("kerb")
    assert entry is not None
    said = {change.reason: (change.action, change.count) for change in entry.changes}
    assert said["ponta solta da guia: o que há adiante, esquina ou não, não se sabe"] == ("kept", 4)
    assert said["face sem lado da pista nem sentido do tráfego"] == ("kept", 1)


def test_columns_of_name_and_side(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    """The L turns left; its carriageway is declared on the right of the lines as drawn."""
    survey(tmp_path / "guias.gpkg", logradouro=["Rua A", None, "Rua C"], pista=["direita", "D", "Esquerda"])
    options = ",street=logradouro,carriageway=pista,accuracy=0.3,completeness=complete"
    bundle = built(geocheck, tmp_path, options)
    kerbs = bundle.layer("kerb").set_index("street")
    assert set(kerbs.index) == {"Rua A", "", "Rua C"}
    assert set(kerbs["direction"]) == {"two_way_assumed"}
    assert set(kerbs["accuracy_m"]) == {0.3}
    # People keep right, so the block is on the right of the line: north of Rua A and south of Rua C.
    for street, leftwards in (("Rua A", True), ("Rua C", False)):
        (x0, _), (x1, _) = kerbs.loc[street].geometry.coords
        assert (x1 < x0) is leftwards
    entry = bundle.entry("corner")
    assert entry is not None
    assert (entry.accuracy_m, entry.completeness) == (0.3, "complete")


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        ({"pista": ["direita", "norte", "esquerda"]}, ",carriageway=pista", "norte"),
        ({"pista": ["direita", "norte", "esquerda"]}, ",carriageway=pistas", "quis dizer “pista”"),
        ({"rua": ["a", "b", "c"]}, ",street=nome", "não há coluna “nome”"),
    ],
)
def test_a_column_that_cannot_be_used(
    geocheck: Callable[..., Any], tmp_path: Path, columns: dict[str, list[str]], options: str, said: str
) -> None:
    layer = f"kerb={survey(tmp_path / 'guias.gpkg', **columns)}{options}"
    ran = geocheck("build", "goiania", "--layer", layer, "-o", str(tmp_path / "pacote"))
    assert ran.code == 1
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_without_streets_or_kerbs_there_is_no_bundle(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    ran = geocheck("build", "goiania", "-o", str(tmp_path / "pacote"))
    assert ran.code == 2
    assert "faltam as ruas" in ran.err
    assert "--layer kerb=ARQUIVO" in ran.err


def test_kerbs_alone_are_exported(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    survey(tmp_path / "guias.gpkg")
    built(geocheck, tmp_path)
    ran = geocheck("kerbs", str(tmp_path / "pacote"), "-o", str(tmp_path / "k.gpkg"))
    assert (ran.code, ran.err) == (0, "")
    assert len(gpd.read_file(tmp_path / "k.gpkg", layer="corner")) == 1


def test_the_outlines_of_real_blocks(geocheck: Callable[..., Any], shared_data: Path, tmp_path: Path) -> None:
    """417 blocks: 28 m away from their ends the faces are the lines; nearer they may go straight on."""
    blocks = gpd.read_file(shared_data / "goiania" / "goiania_campus_block.geojson").to_crs("EPSG:31982")
    lines = blocks.geometry.boundary
    gpd.GeoDataFrame(geometry=lines, crs=blocks.crs).to_file(tmp_path / "guias.gpkg")
    bundle = built(geocheck, tmp_path, ",accuracy=0.5")
    kerbs, corners = bundle.layer("kerb"), bundle.layer("corner")
    assert kerbs.geometry.is_valid.all()
    assert set(kerbs["median"]) == {"no", "unknown"}
    drawn = lines.union_all()
    shapely.prepare(drawn)
    for line in kerbs.geometry:
        places = shapely.line_interpolate_point(line, np.arange(28, line.length - 28, 5.0))
        assert shapely.dwithin(drawn, places, 0.5).all()
    sure = corners[corners["kind"] == "corner"]
    assert len(sure) > 2 * len(blocks)
    # The corner of a curve of 15 m radius and 120 degrees lies 15 m outside of it.
    assert sure.geometry.distance(drawn).max() < 15


@pytest.mark.parametrize(
    ("declared", "sure"),
    [
        pytest.param({"lado": ["direita"] * 3}, 1, id="carriageway on the right of the lines, as declared"),
        pytest.param({"n": [1, 2, 3]}, 0, id="nobody says where the carriageway is"),
    ],
)
def test_features_lie_along_surveyed_kerbs(
    geocheck: Callable[..., Any], tmp_path: Path, declared: dict[str, list[Any]], sure: int
) -> None:
    """A hydrant 1.5 m from the straight kerb, 20 m from its western end; another is far from any kerb."""
    survey(tmp_path / "guias.gpkg", **declared)
    places = [shapely.Point(*(ORIGIN + xy)) for xy in ((20, 101.5), (25, 70))]
    gpd.GeoDataFrame({"cod": ["H1", "H2"]}, geometry=places, crs="EPSG:31982").to_file(tmp_path / "h.gpkg")
    option = ",carriageway=lado" if "lado" in declared else ""
    layers = (f"kerb={tmp_path / 'guias.gpkg'}{option}", f"hydrant={tmp_path / 'h.gpkg'},accuracy=0.2")
    args = [each for layer in layers for each in ("--layer", layer)]
    ran = geocheck("build", "goiania", *args, "-o", str(tmp_path / "pacote"))
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "pacote")
    stations, kerbs = bundle.table("station.hydrant"), bundle.layer("kerb")
    assert stations["feature"].tolist() == [0]
    line = kerbs.geometry.iloc[stations["kerb"][0]]
    place = line.interpolate(stations["from_m"][0])
    assert (place.x - ORIGIN[0], place.y - ORIGIN[1]) == pytest.approx((20, 100))
    assert abs(stations["offset_m"][0]) == pytest.approx(1.5)
    assert stations["side_known"].tolist() == [sure]
    assert "hydrant · mantido: 1 × longe de qualquer guia" in ran.out
