"""Reads the streets of a `.graphml` file, as osmnx and others write it, into ways with OSM tags."""

from __future__ import annotations

import hashlib
import math
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import ParseError

import numpy as np
import shapely

from geocheck.city.changes import changes
from geocheck.city.layers.table import IMAGERY_ACCURACY_M
from geocheck.city.network.graph_ways import Edge, GraphNodes, graph_ways
from geocheck.city.network.network import HULL_TAKEN, Network
from geocheck.city.sources.transform import known_crs, operation
from geocheck.city.wgs84 import check_place, to_lonlat
from geocheck.errors import DataFileError, Problem
from geocheck.files import why

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from networkx import MultiDiGraph
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.network.graph_ways import GraphWays
    from geocheck.city.sources.transform import Operation

_ENDS_APART_M: Final = 10.0
"""A line whose ends lie farther than this from the nodes of its edge is not the line of that edge."""

_LINE: Final = 1
_HOW: Final = "grave-o de novo com osmnx.save_graphml, ou use .osm ou .osm.pbf"
_UNREADABLE: Final = "linha de aresta ilegível; desenhada reta de nó a nó"
_ELSEWHERE: Final = "linha que não vai de um nó ao outro da aresta; desenhada reta"
_CUT: Final = "nó do grafo sem coordenadas; as ruas que o usam ficam cortadas"


def graphml_network(path: Path, city: City) -> Network:
    """Read a street graph into ways with OSM tags.

    A graph does not say which classes were left out when it was made: only one with service ways counts as
    complete.

    Args:
        path: `.graphml`; its nodes have `x` and `y`, the graph has `crs`.
        city: whose.

    Raises:
        DataFileError: the file is no such graph, names no coordinate system, or lies outside the city.
    """
    graph = _read(path)
    way = _operation(path, graph, city)
    nodes = _nodes(graph, way)
    held = np.isfinite(nodes.xy).all(axis=1)
    check_place(path.name, to_lonlat(nodes.xy[held], city.crs), city)
    counts: Counter[str] = Counter({_CUT: int(np.count_nonzero(~held))})
    found = graph_ways(_edges(graph, nodes, way, counts), nodes, directed=graph.is_directed())
    classes = {tags.get("highway") for tags in found.ways.tags}
    if classes == {None}:
        raise _refused(path, f"nenhuma aresta diz a classe da via (highway); {_HOW}")
    return Network(
        ways=found.ways,
        sources=({"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()},),
        accuracy_m=math.hypot(IMAGERY_ACCURACY_M, way.accuracy_m),
        extent_derived=True,
        changes=(*_changes(counts, found), HULL_TAKEN),
        completeness="complete" if "service" in classes else "partial",
        tells_bridges=any("bridge" in tags or "tunnel" in tags for tags in found.ways.tags),
    )


def _changes(counts: Mapping[str, int], found: GraphWays) -> list[Change]:
    unclassed = sum("highway" not in tags for tags in found.ways.tags)
    unclear = "não usado: vários valores no mesmo trecho, ou lado desconhecido"
    return changes(
        [
            *(("repaired", reason, counts[reason]) for reason in (_CUT, _UNREADABLE, _ELSEWHERE)),
            ("assumed", "mão única, pois nenhuma aresta volta", found.one_way_deduced),
            *(("assumed", f"{key}: vários valores no mesmo trecho", n) for key, n in found.settled.items()),
            *(("dropped", f"{key} {unclear}", n) for key, n in found.left_out.items()),
            ("dropped", "aresta sem classe de via (highway)", unclassed),
        ]
    )


def _refused(path: Path, message: str) -> DataFileError:
    return DataFileError([Problem(path.name, "", "", message)])


def _read(path: Path) -> MultiDiGraph:
    import networkx as nx  # noqa: PLC0415 (heavy, and only needed here)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = nx.read_graphml(path, node_type=str, edge_key_type=str, force_multigraph=True)
    except OSError as error:
        raise _refused(path, why(error)) from error
    except (ParseError, nx.NetworkXException, LookupError, ValueError, TypeError, AttributeError) as error:
        raise _refused(path, f"não é um GraphML legível ({error}); {_HOW}") from error
    if not graph.number_of_edges():
        raise _refused(path, "o grafo não tem nenhuma aresta; confira o recorte")
    return graph


def _operation(path: Path, graph: MultiDiGraph, city: City) -> Operation:
    text = str(graph.graph.get("crs") or "").strip()
    if not text:
        message = f"o grafo não diz em que sistema de coordenadas está (atributo crs); {_HOW}"
        raise _refused(path, message)
    crs = known_crs(text)
    way = operation(crs, city) if crs is not None else None
    if way is None:
        raise _refused(path, f"não se sabe ler o sistema de coordenadas do grafo (“{text[:60]}”); {_HOW}")
    return way


def _number(raw: object) -> float:
    try:
        return float(raw)  # type: ignore[arg-type] # whatever the file holds
    except (TypeError, ValueError):
        return math.nan


def _nodes(graph: MultiDiGraph, way: Operation) -> GraphNodes:
    names, attributes = zip(*graph.nodes(data=True), strict=True)
    raw = np.array([(_number(each.get("x")), _number(each.get("y"))) for each in attributes])
    xy = way(raw)
    xy[~(np.isfinite(raw) & np.isfinite(xy)).all(axis=1)] = np.nan
    return GraphNodes(names, attributes, xy)


def _edges(graph: MultiDiGraph, nodes: GraphNodes, way: Operation, counts: Counter[str]) -> list[Edge]:
    index = {name: row for row, name in enumerate(nodes.names)}
    found = list(graph.edges(data=True))
    texts = np.array([str(attributes.get("geometry") or "") for _, _, attributes in found], object)
    texts[texts == ""] = None
    with np.errstate(invalid="ignore"):
        lines = shapely.from_wkt(texts, on_invalid="ignore")
    good = (shapely.get_type_id(lines) == _LINE) & ~shapely.is_empty(lines)
    unread = [text is not None and not ok for text, ok in zip(texts, good, strict=True)]
    counts[_UNREADABLE] = sum(unread)
    edges = []
    for (tail, head, attributes), line, usable in zip(found, lines, good, strict=True):
        a, b = index[tail], index[head]
        between = np.zeros((0, 2))
        if usable:
            between = _between(way(shapely.get_coordinates(line)), nodes.xy[a], nodes.xy[b], counts)
        edges.append(Edge(a, b, between, attributes))
    return edges


def _between(
    xy: NDArray[np.float64], tail: NDArray[np.float64], head: NDArray[np.float64], counts: Counter[str]
) -> NDArray[np.float64]:
    """Return the vertices between the nodes of an edge, in its direction; none where the line is another's.

    The nodes' own places stand for the line's ends, which some writers round.
    """
    if not np.isfinite(xy).all():
        counts[_UNREADABLE] += 1
        return np.zeros((0, 2))
    if not np.isfinite([tail, head]).all():
        return xy[1:-1]
    apart = [np.hypot(*(line[[0, -1]] - [tail, head]).T).max() for line in (xy, xy[::-1])]
    if min(apart) > _ENDS_APART_M:
        counts[_ELSEWHERE] += 1
        return np.zeros((0, 2))
    return xy[1:-1] if apart[0] <= apart[1] else xy[-2:0:-1]
