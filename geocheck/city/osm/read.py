"""Reads an OpenStreetMap file (`.osm`, `.osm.pbf`) into ways, tagged nodes and what was missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import osmium
import shapely

from geocheck.city.layers.table import OSM_KEYS
from geocheck.city.osm.opl import nodes_table, read_things
from geocheck.city.ways import MISSING_NODE, Ways, street_hull
from geocheck.city.wgs84 import check_place, to_city
from geocheck.errors import DataFileError, Problem
from geocheck.files import why

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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
    """

    ways: Ways
    extent_derived: bool
    ways_without_key: int
    empty_ways: int
    relations: int
    deleted: int
    repeated_ids: int


def read_osm(path: Path, city: City) -> OsmExtract:
    """Read a file, whatever order it is in.

    Raises:
        DataFileError: the file cannot be read, is no OSM data, has no highway, or lies outside the city.
    """
    try:
        with path.open("rb"):
            pass
        things, box = read_things(path, frozenset(WAY_KEYS))
        own = _below_zero(path) if path.suffix == ".osm" else {}
    except OSError as error:
        raise _refused(path, why(error)) from error
    except (RuntimeError, ValueError) as error:
        message = f"não é um arquivo OSM legível ({error}); use .osm ou .osm.pbf inteiro"
        raise _refused(path, message) from error
    if not any("highway" in tags for tags in things.ways.tags):
        raise _refused(path, "não tem nenhuma via (highway); confira o recorte e os filtros da extração")
    return _extract(path, things, own, box, city)


def _extract(
    path: Path, things: Things, own: Mapping[int, tuple[float, float]], box: osmium.osm.Box, city: City
) -> OsmExtract:
    repeated_ids = _keep_last(things.ways) + _keep_last(things.nodes)
    named, where = nodes_table(things.ways.nodes + things.nodes.nodes)
    node_id, first, ref = np.unique(named, return_index=True, return_inverse=True)
    lonlat = where[first]
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
    extent = _box_polygon(box, city.crs)
    derived = extent is None
    ways = Ways(
        way_id=things.ways.numbers(),
        tags=tuple(things.ways.tags),
        start=start.astype(np.int64),
        ref=ref,
        node_id=node_id,
        xy=xy,
        node_tags={row: tags for row, tags in zip(tagged, things.nodes.tags, strict=True) if row >= 0},
        extent=street_hull(xy, ref, start, things.ways.tags) if derived else extent,
    )
    return OsmExtract(
        ways=ways,
        extent_derived=derived,
        ways_without_key=things.without_key,
        empty_ways=things.empty,
        relations=things.relations,
        deleted=things.deleted,
        repeated_ids=repeated_ids,
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


def _box_polygon(box: osmium.osm.Box, crs: str) -> shapely.Polygon | None:
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    if low.lon >= high.lon or low.lat >= high.lat:
        return None
    ring = shapely.segmentize(
        shapely.box(low.lon, low.lat, high.lon, high.lat), max(high.lon - low.lon, 1e-6) / _EDGE_POINTS
    )
    return shapely.Polygon(to_city(shapely.get_coordinates(ring), crs))


def _refused(path: Path, message: str) -> DataFileError:
    return DataFileError([Problem(path.name, "", "", message)])
