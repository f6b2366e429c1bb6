"""Official blocks in a build: widths, corners, the account in the manifest; and Goiânia's real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from pyproj import Transformer

from geocheck.city.bundle.bundle import load_bundle
from geocheck.files import data_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle

ORIGIN = np.array([686_000.0, 8_155_000.0])
TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
NODES = {1: (-100, 0), 2: (0, 0), 3: (100, 0), 4: (0, -100), 5: (0, 100)}
QUADRANTS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


@pytest.fixture
def osm(tmp_path: Path) -> Path:
    """Return a file of two residential streets that cross at a right angle, with no width."""
    lines = ['<osm version="0.6">']
    for node, xy in NODES.items():
        lon, lat = TO_LONLAT.transform(*(ORIGIN + xy))
        lines.append(f'<node id="{node}" lon="{lon:.9f}" lat="{lat:.9f}"/>')
    for way, refs, name in ((10, (1, 2, 3), "Rua Leste"), (11, (4, 2, 5), "Rua Norte")):
        nodes = "".join(f'<nd ref="{ref}"/>' for ref in refs)
        tags = f'<tag k="highway" v="residential"/><tag k="name" v="{name}"/>'
        lines.append(f'<way id="{way}">{nodes}{tags}</way>')
    path = tmp_path / "cruzamento.osm"
    path.write_text("\n".join([*lines, "</osm>"]), encoding="utf-8")
    return path


def quarters(half_x: float, half_y: float) -> list[shapely.Polygon]:
    """Return the four blocks that leave a right of way of twice so much along each axis."""
    one = shapely.box(half_x, half_y, 120, 120)
    return [shapely.affinity.scale(one, x, y, origin=(0, 0)) for x, y in QUADRANTS]


def written(path: Path, shapes: Sequence[shapely.Geometry]) -> Path:
    moved = [shapely.affinity.translate(shape, *ORIGIN) for shape in shapes]
    gpd.GeoDataFrame(geometry=moved, crs="EPSG:31982").to_file(path)
    return path


@pytest.fixture
def built(geocheck: Callable[..., Any], osm: Path, tmp_path: Path) -> Callable[..., Bundle]:
    """Return a function that builds the crossing with municipal layers."""

    def run(*layers: str, city: str = "goiania") -> Bundle:
        folder = tmp_path / "pacote"
        options = [word for layer in layers for word in ("--layer", layer)]
        ran = geocheck("build", city, "--osm", str(osm), "-o", str(folder), *options)
        assert (ran.code, ran.err) == (0, "")
        return load_bundle(folder)

    return run


def said(bundle: Bundle) -> dict[str, int]:
    entry = bundle.entry("kerb")
    assert entry is not None
    return {change.reason: change.count for change in entry.changes}


def test_blocks_give_widths_and_building_lines(built: Callable[..., Bundle], tmp_path: Path) -> None:
    """Rights of way of 14 m and 13 m less Goiânia's two footways of 3 m: 8 m and 7 m between the kerbs."""
    file = written(tmp_path / "quadras.gpkg", quarters(7.0, 6.5))
    bundle = built(f"block={file},accuracy=0.5")
    kerbs = bundle.layer("kerb")
    assert set(kerbs["width_source"]) == {"right_of_way"}
    assert kerbs["accuracy_m"].to_numpy() == pytest.approx(np.hypot(1.5, 0.5), abs=0.02)
    corners = bundle.layer("corner")
    found = np.abs(shapely.get_coordinates(corners.geometry.array) - ORIGIN)
    assert found == pytest.approx(np.tile([4.0, 3.5], (4, 1)), abs=0.02)
    for column in ("before_building_line_m", "after_building_line_m"):
        assert corners[column].to_numpy() == pytest.approx(3.0, abs=0.02)
    assert said(bundle)["rua com largura pelo espaço entre quadras, menos 3,0 m a cada calçada"] == 2
    assert len(bundle.layer("block")) == 4


def test_lots_serve_where_no_blocks_are_given(built: Callable[..., Bundle], tmp_path: Path) -> None:
    file = written(tmp_path / "lotes.gpkg", quarters(6.5, 6.5))
    bundle = built(f"lot={file}")
    assert set(bundle.layer("kerb")["width_source"]) == {"right_of_way"}
    assert len(bundle.layer("lot")) == 4


def test_blocks_go_before_lots(built: Callable[..., Bundle], tmp_path: Path) -> None:
    """The lots stand back by two metres from the street; the blocks say where the footway ends."""
    lots = written(tmp_path / "lotes.gpkg", quarters(8.5, 8.5))
    blocks = written(tmp_path / "quadras.gpkg", quarters(6.5, 6.5))
    bundle = built(f"lot={lots}", f"block={blocks}")
    assert bundle.layer("axis")["left_m"].to_numpy() == pytest.approx(3.5, abs=0.02)
    assert {"lot", "block"} <= {layer.name for layer in bundle.manifest.layers}


def test_without_blocks_the_columns_are_there_and_empty(built: Callable[..., Bundle]) -> None:
    bundle = built()
    assert set(bundle.layer("kerb")["width_source"]) == {"class_default"}
    assert bundle.layer("corner")[["before_building_line_m", "after_building_line_m"]].isna().all(axis=None)
    assert not any("quadra" in reason for reason in said(bundle))


def test_what_osm_calls_a_block_is_not_official(built: Callable[..., Bundle], osm: Path) -> None:
    """`place=city_block` may be drawn along the kerb, so no footway can be taken off it."""
    corners = {20: (6.5, 6.5), 21: (90, 6.5), 22: (90, 90), 23: (6.5, 90)}
    added = []
    for node, xy in corners.items():
        lon, lat = TO_LONLAT.transform(*(ORIGIN + xy))
        added.append(f'<node id="{node}" lon="{lon:.9f}" lat="{lat:.9f}"/>')
    refs = "".join(f'<nd ref="{node}"/>' for node in (*corners, 20))
    added.append(f'<way id="30">{refs}<tag k="place" v="city_block"/></way>')
    text = osm.read_text(encoding="utf-8")
    osm.write_text(text.replace("</osm>", "\n".join([*added, "</osm>"])), encoding="utf-8")
    bundle = built()
    assert len(bundle.layer("block")) == 1
    assert set(bundle.layer("kerb")["width_source"]) == {"class_default"}
    assert bundle.layer("corner")["before_building_line_m"].isna().all()


def test_a_sheet_of_ones_own_knows_its_footways(built: Callable[..., Bundle], tmp_path: Path) -> None:
    own = (data_folder() / "cities" / "goiania.toml").read_text(encoding="utf-8")
    assert "default_footway_m = 3.0" in own
    sheet = tmp_path / "minha.toml"
    sheet.write_text(own.replace("default_footway_m = 3.0", "default_footway_m = 2.25"), encoding="utf-8")
    file = written(tmp_path / "quadras.gpkg", quarters(6.5, 6.5))
    bundle = built(f"block={file}", city=str(sheet))
    assert bundle.layer("axis")["right_m"].to_numpy() == pytest.approx(4.25, abs=0.02)
    assert "rua com largura pelo espaço entre quadras, menos 2,25 m a cada calçada" in said(bundle)


def test_what_blocks_cannot_tell_is_said(built: Callable[..., Bundle], tmp_path: Path) -> None:
    """One block begins 2 m beside Rua Leste, another lies over Rua Norte; a line is no block."""
    shapes = [
        shapely.box(-110, 2, 110, 110),
        shapely.box(-9, -110, 9, -12),
        shapely.LineString([(50, -6), (90, -6)]),
    ]
    bundle = built(f"block={written(tmp_path / 'quadras.geojson', shapes)}")
    found = said(bundle)
    assert found["rua com guia recuada para não entrar em quadra"] == 1
    assert found["eixo dentro de quadra: a quadra nada diz da largura"] == 1
    assert found["rua com quadra de um lado só: só limita a guia"] == 1
    assert len(bundle.layer("block")) == 2


def test_kerbs_of_goiania_keep_out_of_its_official_blocks(
    geocheck: Callable[..., Any], campus: Bundle, shared_data: Path, tmp_path: Path
) -> None:
    """No street there has a width: by class 5 % of the kerb of streets outside blocks lies in a block.

    The bar is 2.5 %, on the length of the kerbs as built. Streets whose axis touches a block are left out.
    """
    osm = shared_data / "osm" / "goiania-campus.osm.pbf"
    blocks = shared_data / "goiania" / "goiania_campus_block.geojson"
    lots = shared_data / "goiania" / "goiania_campus_parcel.geojson"
    layers = ("--layer", f"block={blocks}", "--layer", f"lot={lots}")
    ran = geocheck("build", "goiania", "--osm", str(osm), "-o", str(tmp_path / "b"), *layers)
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "b")
    assert kerb_share_in(campus, blocks) > 0.04
    assert kerb_share_in(bundle, blocks) <= 0.025
    axes = bundle.layer("axis")
    given = axes[axes["width_source"] == "right_of_way"]
    assert len(given) > 200
    width = given["left_m"] + given["right_m"]
    assert 6 <= width[given["highway"] == "residential"].median() <= 8
    assert (bundle.layer("kerb")["accuracy_m"] >= np.hypot(1.5, 2.0)).all()
    assert said(bundle)["rua com largura pelo espaço entre quadras, menos 3,0 m a cada calçada"] == len(given)
    assert (len(bundle.layer("block")), len(bundle.layer("lot"))) == (417, 6697)


def kerb_share_in(bundle: Bundle, blocks: Path) -> float:
    """Return the share of the kerb inside blocks, of streets whose axis is wholly outside."""
    axes, kerbs = bundle.layer("axis"), bundle.layer("kerb")
    areas = shapely.union_all(gpd.read_file(blocks).to_crs(kerbs.crs).geometry.array)
    shapely.prepare(areas)
    outside = set(axes["way"][~shapely.intersects(areas, axes.geometry.array)])
    own = kerbs.geometry.array[kerbs["way"].isin(outside)]
    return float(shapely.length(shapely.intersection(own, areas)).sum() / shapely.length(own).sum())
