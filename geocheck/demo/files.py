"""Writes the neighbourhood: streets as OSM XML, every layer as GeoJSON, the same bytes every time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.sax.saxutils import quoteattr

import shapely

from geocheck.city.layers.declaration import SUFFIX
from geocheck.demo.grid import DECIMALS
from geocheck.demo.municipal import attributes_said, toml_text, written
from geocheck.demo.streets import EAST, NORTH, STREETS, kerb_lines
from geocheck.demo.things import Thing, things

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from geocheck.demo.grid import Grid

STREETS_FILE: Final = "ruas.osm"
LAYERS_FOLDER: Final = "camadas"
TOWN_FILE: Final = "municipio.geojson"
"""The ground for which the city hall speaks."""

_MARGIN_M: Final = 20.0
"""The extract reaches so far beyond the neighbourhood."""

_TOWN_M: Final = 250.0
"""The town ends so far beyond the neighbourhood; there is nothing there."""

_NODE: Final = 1001
"""The number of the first node."""

_ABSENT: Final = 9001
"""The number of the first node that streets go on to outside the file."""


class Accuracies(NamedTuple):
    """What the city hall says of its files: 95 % half-widths in metres."""

    kerb_m: float = 0.05
    layers_m: float = 0.1


MEASURED: Final = Accuracies()
"""As the demo has them."""

EXACT: Final = Accuracies(0.0, 0.0)
"""Without error, to test values at their limits."""


def write_neighbourhood(grid: Grid, folder: Path, accuracies: Accuracies = MEASURED) -> None:
    """Write all files into a folder, which is made where it is missing."""
    layers = folder / LAYERS_FOLDER
    layers.mkdir(parents=True, exist_ok=True)
    (folder / STREETS_FILE).write_text(osm_text(grid), encoding="utf-8")
    surveyed = [Thing(shapely.LineString(line), {}) for line in kerb_lines()]
    _write_layer(grid, layers / "kerb.geojson", surveyed, accuracies.kerb_m, None)
    x, y = EAST + _TOWN_M, NORTH + _TOWN_M
    (folder / TOWN_FILE).write_text(geojson_text(grid, [(shapely.box(-x, -y, x, y), {})]), encoding="utf-8")
    for layer, features in things().items():
        _write_layer(grid, layers / f"{layer}.geojson", features, accuracies.layers_m, f"../{TOWN_FILE}")


def _write_layer(
    grid: Grid, path: Path, features: Sequence[Thing], accuracy_m: float, extent: str | None
) -> None:
    names = attributes_said(thing.says for thing in features)
    rows = [(thing.shape, written(thing.says, names)) for thing in features]
    path.write_text(geojson_text(grid, rows), encoding="utf-8")
    values = [pair for thing in features for pair in thing.says.items()]
    toml = toml_text(names, values, accuracy_m, extent)
    path.with_name(f"{path.name}{SUFFIX}").write_text(toml, encoding="utf-8")


def osm_text(grid: Grid) -> str:
    """Return the streets as OSM XML: streets that go on outside end at a node that the file has not."""
    places = list(dict.fromkeys(place for street in STREETS for place in street.path))
    node = {place: _NODE + row for row, place in enumerate(places)}
    west, south, east, north = _box(grid)
    lines = ["<?xml version='1.0' encoding='UTF-8'?>", '<osm version="0.6" generator="geocheck demo">']
    lines.append(f'  <bounds minlat="{south}" minlon="{west}" maxlat="{north}" maxlon="{east}"/>')
    for (lon, lat), number in zip(grid.to_lonlat(places), node.values(), strict=True):
        lines.append(f'  <node id="{number}" version="1" lat="{_degrees(lat)}" lon="{_degrees(lon)}"/>')
    absent = _ABSENT
    for street in STREETS:
        numbers = [node[place] for place in street.path]
        if street.opens[0]:
            numbers, absent = [absent, *numbers], absent + 1
        if street.opens[1]:
            numbers, absent = [*numbers, absent], absent + 1
        lines.append(f'  <way id="{street.way}" version="1">')
        lines += [f'    <nd ref="{number}"/>' for number in numbers]
        lines += [f"    <tag k={quoteattr(key)} v={quoteattr(text)}/>" for key, text in street.tags.items()]
        lines.append("  </way>")
    return "\n".join([*lines, "</osm>", ""])


def _box(grid: Grid) -> tuple[float, float, float, float]:
    x, y = EAST + _MARGIN_M, NORTH + _MARGIN_M
    lon, lat = grid.to_lonlat([(-x, -y), (x, -y), (x, y), (-x, y)]).T
    west, south, east, north = (float(each) for each in (lon.min(), lat.min(), lon.max(), lat.max()))
    return west, south, east, north


def _degrees(value: float) -> str:
    return f"{value:.{DECIMALS}f}"


def geojson_text(grid: Grid, features: Iterable[tuple[shapely.Geometry, dict[str, Any]]]) -> str:
    """Return features as GeoJSON, one a line, so that changes can be read."""
    told = []
    for shape, says in features:
        placed = shapely.to_geojson(shapely.transform(shape, grid.to_lonlat))
        told.append({"type": "Feature", "properties": says, "geometry": json.loads(placed)})
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in told)
    return f'{{"type": "FeatureCollection", "features": [\n{lines}\n]}}\n'
