"""Reads an OpenStreetMap file (`.osm`, `.osm.pbf`) into ways, tagged nodes and what was missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import osmium
import shapely
from pyproj import Transformer

from geocheck.city.extent import check_place, street_hull
from geocheck.city.ways import MISSING_NODE, Ways
from geocheck.errors import DataFileError, Problem
from geocheck.files import why

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.cities import City

WAY_KEYS: Final = (
    "highway",
    "area:highway",
    "barrier",
    "building",
    "amenity",
    "emergency",
    "landuse",
    "leisure",
    "natural",
    "waterway",
    "railway",
    "public_transport",
    "man_made",
    "place",
    "historic",
    "heritage",
    "kerb",
    "traffic_calming",
    "shop",
    "tourism",
    "tunnel",
    "bridge",
)
"""A way with none of these keys is of no use to a layer and is left out (and counted)."""

_DEGREES_PER_UNIT: Final = 1e-7
"""libosmium keeps coordinates as whole numbers of 1e-7 degrees."""

_EDGE_POINTS: Final = 21
"""Points on each edge of the header's box when it is carried to metres."""


@dataclass(frozen=True, slots=True)
class OsmExtract:
    """What one OSM file holds.

    Attributes:
        ways: all ways with one of `WAY_KEYS`, and all nodes that they use or that have tags.
        extent_derived: the file does not say where it is complete; `ways.extent` is the convex hull of
            the nodes of its highways, so that nothing near its edge is sure.
        missing_nodes: distinct nodes that ways name and the file does not hold.
        cut_ways: ways that name such a node.
        ways_without_key: ways left out, for they have none of `WAY_KEYS`.
        empty_ways: ways left out, for they name fewer than two nodes.
        relations: relations of the file, which are not read.
        deleted: objects marked as deleted, left out.
        repeated_ids: objects left out, for a later object of the file has the same id.
    """

    ways: Ways
    extent_derived: bool
    missing_nodes: int
    cut_ways: int
    ways_without_key: int
    empty_ways: int
    relations: int
    deleted: int
    repeated_ids: int


class _Gathered:
    """What one pass over a file brings together."""

    def __init__(self) -> None:
        self.ways: dict[int, tuple[list[int], dict[str, str]]] = {}
        self.nodes: dict[int, dict[str, str]] = {}
        self.ways_seen = 0
        self.empty_ways = 0
        self.relations = 0
        self.deleted = 0
        self.repeated_ids = 0

    def take(self, thing: Any) -> None:  # noqa: ANN401 - one of osmium's classes
        if not thing.visible:
            self.deleted += 1
        elif thing.is_node():
            self.repeated_ids += thing.id in self.nodes
            self.nodes[thing.id] = dict(thing.tags)
        elif thing.is_way():
            self._take_way(thing)
        else:
            self.relations += 1

    def _take_way(self, way: osmium.osm.Way) -> None:
        self.ways_seen += 1
        tags = dict(way.tags)
        if tags.keys().isdisjoint(WAY_KEYS):
            return
        nodes = [node.ref for node in way.nodes]
        if len(nodes) < 2:  # noqa: PLR2004 - a line has two ends
            self.empty_ways += 1
            return
        self.repeated_ids += way.id in self.ways
        self.ways[way.id] = nodes, tags


def read_osm(path: Path, city: City) -> OsmExtract:
    """Read a file in two passes: where the nodes are, then what is tagged; no order is expected.

    Raises:
        DataFileError: the file cannot be read, is no OSM data, has no highway, or lies outside the city.
    """
    gathered = _Gathered()
    try:
        with path.open("rb"):
            pass
        where = _locations(path)
        tagged = osmium.filter.EmptyTagFilter()
        tagged.enable_for(osmium.osm.NODE)
        processor = osmium.FileProcessor(str(path)).with_filter(tagged)
        box = processor.header.box()
        for thing in processor:
            gathered.take(thing)
    except OSError as error:
        raise _refused(path, why(error)) from error
    except (RuntimeError, ValueError) as error:
        message = f"não é um arquivo OSM legível ({error}); use .osm ou .osm.pbf inteiro"
        raise _refused(path, message) from error
    if not any("highway" in tags for _, tags in gathered.ways.values()):
        raise _refused(path, "não tem nenhuma via (highway); confira o recorte e os filtros da extração")
    return _extract(path, gathered, where, box, city)


def _extract(
    path: Path, gathered: _Gathered, where: _Locations, box: osmium.osm.Box, city: City
) -> OsmExtract:
    way_id = np.fromiter(gathered.ways, np.int64, len(gathered.ways))
    counts = [len(nodes) for nodes, _ in gathered.ways.values()]
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    named = np.fromiter((n for nodes, _ in gathered.ways.values() for n in nodes), np.int64, int(start[-1]))
    tagged = np.fromiter(gathered.nodes, np.int64, len(gathered.nodes))
    wanted = np.unique(np.concatenate([named, tagged]))
    lonlat = where.of(wanted)
    held = np.isfinite(lonlat[:, 0])
    node_id, lonlat = wanted[held], lonlat[held]
    ref = np.where(held, np.cumsum(held) - 1, MISSING_NODE)[np.searchsorted(wanted, named)]
    check_place(path.name, lonlat, city)
    xy = to_city(lonlat, city.crs)
    tags = tuple(tags for _, tags in gathered.ways.values())
    extent = _box_polygon(box, city.crs)
    derived = extent is None
    ways = Ways(
        way_id=way_id,
        tags=tags,
        start=start,
        ref=ref,
        node_id=node_id,
        xy=xy,
        node_tags=_node_tags(node_id, gathered.nodes),
        extent=street_hull(xy, ref, start, tags) if derived else extent,
    )
    cut = ref == MISSING_NODE
    return OsmExtract(
        ways=ways,
        extent_derived=derived,
        missing_nodes=len(np.unique(named[cut])),
        cut_ways=int(np.count_nonzero(np.add.reduceat(cut, start[:-1]))),
        ways_without_key=gathered.ways_seen - len(way_id) - gathered.empty_ways,
        empty_ways=gathered.empty_ways,
        relations=gathered.relations,
        deleted=gathered.deleted,
        repeated_ids=gathered.repeated_ids,
    )


class _Locations:
    """Longitude and latitude by node id; libosmium's index for those above zero, a table for the rest."""

    def __init__(self, index: osmium.index.LocationTable, own: Mapping[int, tuple[int, int]]) -> None:
        self._index = index
        self._own = own

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return degrees, shape (n, 2); NaN for a node that the file does not hold."""
        units = np.full((len(ids), 2), np.nan)
        for row, node in enumerate(ids.tolist()):
            if node < 0:
                units[row] = self._own.get(node, (np.nan, np.nan))
                continue
            try:
                place = self._index.get(node)
            except KeyError:
                continue
            if place.valid():
                units[row] = place.x, place.y
        return units * _DEGREES_PER_UNIT


def _locations(path: Path) -> _Locations:
    index = osmium.index.create_map("sparse_mem_map")  # asked in any order, filled in any order
    handler = osmium.NodeLocationsForWays(index)
    handler.ignore_errors()
    osmium.apply(str(path), handler)
    own: dict[int, tuple[int, int]] = {}
    if path.suffix == ".osm":  # editors give negative ids to what was never uploaded
        nodes: Any = osmium.FileProcessor(str(path), osmium.osm.NODE)
        own = {
            node.id: (node.location.x, node.location.y)
            for node in nodes
            if node.id < 0 and node.visible and node.location.valid()
        }
    return _Locations(index, own)


@cache
def _transformer(crs: str) -> Transformer:
    return Transformer.from_crs("EPSG:4326", crs, always_xy=True)


def to_city(lonlat: NDArray[np.float64], crs: str) -> NDArray[np.float64]:
    """Carry WGS 84 longitude and latitude, shape (n, 2), to metres of the city's coordinate system."""
    return np.column_stack(_transformer(crs).transform(lonlat[:, 0], lonlat[:, 1]))


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


def _node_tags(
    node_id: NDArray[np.int64], tagged: Mapping[int, Mapping[str, str]]
) -> dict[int, Mapping[str, str]]:
    ids = np.fromiter(tagged, np.int64, len(tagged))
    row = np.searchsorted(node_id, ids)
    inside = row < len(node_id)
    held = inside.copy()
    held[inside] = node_id[row[inside]] == ids[inside]
    return {int(r): tags for r, tags, ok in zip(row, tagged.values(), held, strict=True) if ok}


def _refused(path: Path, message: str) -> DataFileError:
    return DataFileError([Problem(path.name, "", "", message)])
