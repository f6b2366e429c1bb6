"""Reads an OpenStreetMap file (`.osm`, `.osm.pbf`) into ways, tagged nodes and what was missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import osmium
import shapely

from geocheck.city.layers.table import OSM_KEYS
from geocheck.city.osm.opl import nodes_table, read_things
from geocheck.city.sources.geometry import FAR_DEG
from geocheck.city.ways import MISSING_NODE, Ways, street_hull
from geocheck.city.wgs84 import check_place, to_city
from geocheck.errors import DataFileError, Problem
from geocheck.files import why

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.osm.opl import Kind, Things

_STREET_KEYS: Final = ("highway", "area:highway", "barrier", "kerb", "railway", "tunnel", "bridge")
"""What streets and their kerbs are derived from, beside what makes a layer."""

WAY_KEYS: Final = tuple(sorted({*_STREET_KEYS, *OSM_KEYS}))
"""A way with none of these keys is of no use to a layer and is left out (and counted)."""

_EDGE_POINTS: Final = 21
"""Points on each edge of the header's box when it is carried to metres."""


@dataclass(frozen=True, slots=True)
class OsmExtract:
    """What one OSM file holds.

    Attributes:
        ways: all ways with one of `WAY_KEYS`, and all nodes that they use or that have tags.
        extent_derived: the file does not say where it is complete; `ways.extent` is the convex hull of
            the nodes of its highways, so that nothing near its edge is sure.
        ways_without_key: ways left out, for they have none of `WAY_KEYS`.
        empty_ways: ways left out, for they name fewer than two nodes.
        relations: relations of the file, which are not read.
        deleted: objects marked as deleted, left out.
        repeated_ids: objects left out, for a later object of the file has the same id.
        far_ways: ways wholly out of the city and its surroundings, kept.
    """

    ways: Ways
    extent_derived: bool
    ways_without_key: int
    empty_ways: int
    relations: int
    deleted: int
    repeated_ids: int
    far_ways: int


def read_osm(path: Path, city: City) -> OsmExtract:
    """Read a file, whatever order it is in.

    Raises:
        DataFileError: the file cannot be read, is no OSM data, has no highway, or lies outside the city.
    """
    try:
        with path.open("rb"):
            pass
        things, box = read_things(path, frozenset(WAY_KEYS))
    except OSError as error:
        raise _refused(path, why(error)) from error
    except osmium.InvalidLocationError as error:
        message = f"um nó tem coordenadas que não são graus ({error}); exporte em WGS 84 (EPSG:4326)"
        raise _refused(path, message) from error
    except (RuntimeError, ValueError) as error:
        if "detect file format" in str(error):
            message = "a extensão não diz o formato; renomeie para .osm ou .osm.pbf, em minúsculas"
            raise _refused(path, message) from error
        message = f"não é um arquivo OSM legível ({error}); use .osm ou .osm.pbf inteiro"
        raise _refused(path, message) from error
    if not any("highway" in tags for tags in things.ways.tags):
        raise _refused(path, "não tem nenhuma via (highway); confira o recorte e os filtros da extração")
    return _extract(path, things, box, city)


def _extract(path: Path, things: Things, box: osmium.osm.Box, city: City) -> OsmExtract:
    repeated_ids = _keep_last(things.ways) + _keep_last(things.nodes)
    named, where = nodes_table(things.ways.nodes + things.nodes.nodes)
    node_id, first, ref = np.unique(named, return_index=True, return_inverse=True)
    lonlat = where[first]
    own = _below_zero(path) if np.any(node_id < 0) else {}
    for row in np.flatnonzero(node_id < 0):
        lonlat[row] = own.get(int(node_id[row]), (np.nan, np.nan))
    held = np.isfinite(lonlat[:, 0])
    ref = np.where(held, np.cumsum(held) - 1, MISSING_NODE)[ref]
    start = np.concatenate([[0], np.cumsum([each.count(b",") + 1 for each in things.ways.nodes])])
    node_id, lonlat = node_id[held], lonlat[held]
    tagged = ref[start[-1] :].tolist()
    ref = ref[: start[-1]]
    check_place(path.name, lonlat, city)
    xy = to_city(lonlat, city.crs)
    around = _around(city)
    extent = _box_polygon(box, around, city.crs)
    derived = extent is None
    if derived:
        extent = _within(street_hull(xy, ref, start, things.ways.tags), around, city.crs)
    ways = Ways(
        way_id=things.ways.numbers(),
        tags=tuple(things.ways.tags),
        start=start.astype(np.int64),
        ref=ref,
        node_id=node_id,
        xy=xy,
        node_tags={row: tags for row, tags in zip(tagged, things.nodes.tags, strict=True) if row >= 0},
        extent=extent,
    )
    return OsmExtract(
        ways=ways,
        extent_derived=derived,
        ways_without_key=things.without_key,
        empty_ways=things.empty,
        relations=things.relations,
        deleted=things.deleted,
        repeated_ids=repeated_ids,
        far_ways=_outside(lonlat, ref, start, around),
    )


def _keep_last(kind: Kind) -> int:
    """Keep of things with the same id the last one of the file; return how many went."""
    last = {name: row for row, name in enumerate(kind.ids)}
    gone = len(kind.ids) - len(last)
    if gone:
        rows = sorted(last.values())
        kind.ids = [kind.ids[row] for row in rows]
        kind.tags = [kind.tags[row] for row in rows]
        kind.nodes = [kind.nodes[row] for row in rows]
    return gone


def _below_zero(path: Path) -> dict[int, tuple[float, float]]:
    """Return longitude and latitude of the nodes to which an editor gave a negative id: never uploaded."""
    nodes: Any = osmium.FileProcessor(str(path), osmium.osm.NODE)
    return {
        node.id: (node.location.lon, node.location.lat)
        for node in nodes
        if node.id < 0 and node.visible and node.location.valid()
    }


class _Box(NamedTuple):
    """Degrees."""

    west: float
    south: float
    east: float
    north: float


def _around(city: City) -> _Box:
    """Return the box in which a file is believed, as municipal layers are."""
    b = city.bounds
    return _Box(b.west - FAR_DEG, b.south - FAR_DEG, b.east + FAR_DEG, b.north + FAR_DEG)


def _box_polygon(box: osmium.osm.Box, around: _Box, crs: str) -> shapely.Polygon | None:
    """Return what of the header's box lies in the city and its surroundings; None where nothing does."""
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    part = _Box(
        max(low.lon, around.west),
        max(low.lat, around.south),
        min(high.lon, around.east),
        min(high.lat, around.north),
    )
    if part.west >= part.east or part.south >= part.north:
        return None
    return _polygon(part, crs)


def _polygon(box: _Box, crs: str) -> shapely.Polygon | None:
    """Carry a box to metres; None where the system does not reach so far."""
    ring = shapely.segmentize(shapely.box(*box), max(box.east - box.west, 1e-6) / _EDGE_POINTS)
    xy = to_city(shapely.get_coordinates(ring), crs)
    return shapely.Polygon(xy) if np.isfinite(xy).all() else None


def _within(hull: shapely.Polygon | None, around: _Box, crs: str) -> shapely.Polygon | None:
    """Cut a hull off where the city's surroundings end: one street far away would stretch it over nothing."""
    if hull is None:
        return None
    limit = _polygon(around, crs)
    if limit is None or limit.covers(hull):
        return hull
    part = shapely.intersection(limit, hull)
    return part if isinstance(part, shapely.Polygon) and not part.is_empty else None


def _outside(
    lonlat: NDArray[np.float64], ref: NDArray[np.int64], start: NDArray[np.int64], around: _Box
) -> int:
    """Count the ways of which nodes are held, and none in the box."""
    lon, lat = lonlat.T
    inside = (around.west <= lon) & (lon <= around.east) & (around.south <= lat) & (lat <= around.north)
    held = ref != MISSING_NODE
    near = held & inside[np.where(held, ref, 0)]
    every, some = (np.add.reduceat(each.astype(np.int64), start[:-1]) for each in (held, near))
    return int(np.count_nonzero((every > 0) & (some == 0)))


def _refused(path: Path, message: str) -> DataFileError:
    return DataFileError([Problem(path.name, "", "", message)])
