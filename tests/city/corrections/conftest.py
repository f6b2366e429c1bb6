"""A crossing of two streets as an OSM file, and corrections to it as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pyproj import Transformer

from geocheck.city.bundle.bundle import load_bundle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

EAST, NORTH = 686_000.0, 8_155_000.0
NODES = {1: (-80, 0), 2: (0, 0), 3: (80, 0), 4: (0, -80), 5: (0, 80), 6: (20, 5.5), 7: (30, 4.3)}
TAGS: dict[int, dict[str, str]] = {
    6: {"highway": "bus_stop", "name": "Parada"},
    7: {"emergency": "fire_hydrant"},
}
WAYS: dict[int, tuple[list[int], dict[str, str]]] = {
    10: ([1, 2, 3], {"highway": "residential", "name": "Rua Larga", "width": "10"}),
    11: ([4, 2, 5], {"highway": "residential", "name": "Rua Estreita", "width": "8"}),
}
COLUMNS = ("what", "x", "y", "wkt", "layer", "way", "side", "value_m", "accuracy_m", "attributes")


def write_scene(path: Path) -> Path:
    """Write streets of 10 m (west to east) and 8 m (south to north) that cross at the origin."""
    to_lonlat = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
    lines = ['<?xml version="1.0"?>', '<osm version="0.6">']
    for node, (x, y) in NODES.items():
        lon, lat = to_lonlat.transform(EAST + x, NORTH + y)
        tags = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in TAGS.get(node, {}).items())
        lines.append(f'<node id="{node}" lon="{lon:.9f}" lat="{lat:.9f}">{tags}</node>')
    for way, (refs, of_way) in WAYS.items():
        nodes = "".join(f'<nd ref="{ref}"/>' for ref in refs)
        tags = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in of_way.items())
        lines.append(f'<way id="{way}">{nodes}{tags}</way>')
    path.write_text("\n".join([*lines, "</osm>"]), encoding="utf-8")
    return path


def write_corrections(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write corrections with `at` (x, y) or `line` in metres around the origin, signed as a rule."""
    columns = ("wkt", *(name for name in COLUMNS if name not in ("x", "y", "wkt")), "author", "date", "note")
    lines = [";".join(columns)]
    for row in rows:
        points = ", ".join(f"{EAST + x} {NORTH + y}" for x, y in row.get("line", [row.get("at", (0, 0))]))
        wkt = f"LINESTRING ({points})" if "line" in row else f"POINT ({points})"
        full = {"author": "Ana Souza", "date": "2026-03-01", **row, "wkt": wkt}
        lines.append(";".join('"' + str(full.get(name, "")) + '"' for name in columns))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def corrected(geocheck: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that builds the crossing with corrections: the bundle, or why it was refused."""

    def build(*rows: dict[str, Any], more: tuple[str, ...] = ()) -> Any:  # noqa: ANN401 (a bundle or a text)
        osm = write_scene(tmp_path / "cruzamento.osm")
        table = write_corrections(tmp_path / "correcoes.csv", rows)
        ran = geocheck(
            *("build", "goiania", "--osm", str(osm), "-o", str(tmp_path / "pacote")),
            *("--layer", f"correction={table},crs=EPSG:31982,geometry=wkt", *more),
        )
        if ran.code:
            assert ran.code == 1
            assert "Traceback" not in ran.err
            assert not (tmp_path / "pacote").exists()
            return ran.err
        return load_bundle(tmp_path / "pacote")

    return build
