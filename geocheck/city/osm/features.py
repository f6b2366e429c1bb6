"""Finds the features of each layer among the nodes and ways of an OSM file, as points, lines and areas."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.layers.sign_codes import CODES, sign_code
from geocheck.city.layers.table import ANY, LAYER_KINDS
from geocheck.city.streets.classify import street_ways
from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from geocheck.city.layers.table import Tags
    from geocheck.city.ways import Ways

_LINEAR: Final = ("highway", "waterway", "barrier", "railway", "man_made")
"""Keys of things that are lines though closed, unless `area=yes` (OSM wiki, "Area")."""

_AREAL_VALUES: Final = frozenset({"riverbank", "bridge", "tunnel", "manhole", "street_cabinet"})


@dataclass(frozen=True, slots=True)
class OsmFeature:
    """One thing of a layer.

    Attributes:
        feature: unique in its layer (`way/12`, `way/12/left/sign/1`).
        source: the OSM element.
        tags: all of the element's.
        geometry: metres of the city's system.
        way: the street way on which the node lies, or along whose line the thing is told; none: no street.
        known: attributes that do not follow from the tags alone.
    """

    feature: str
    source: str
    tags: Mapping[str, str]
    geometry: shapely.Geometry
    way: str | None
    known: Mapping[str, object]


def tagged_features(ways: Ways) -> dict[str, list[OsmFeature]]:
    """Return the features of every layer that OSM has tags for, nodes first, in the order of the file.

    A way of which nodes are missing is drawn as far as the file holds it.
    """
    by_tag = _alternatives()
    on_street, drives = _ways_of_nodes(ways)
    found: dict[str, list[OsmFeature]] = defaultdict(list)
    for node, tags in ways.node_tags.items():
        source = f"node/{ways.node_id[node]}"
        for layer in _layers_of(tags, by_tag):
            point = shapely.Point(ways.xy[node])
            real = "driveway" if layer == "ramp" and node in drives else layer
            found[real].append(OsmFeature(source, source, tags, point, on_street.get(node), {}))
    for way, tags in enumerate(ways.tags):
        source = f"way/{ways.way_id[way]}"
        for layer in _layers_of(tags, by_tag):
            if layer == "sign" and sign_code(tags) not in CODES:
                continue  # on a way it tells what holds there; only a ban on parking concerns its kerbs
            geometry = way_geometry(ways, way, as_area="area" in LAYER_KINDS[layer].shapes)
            if geometry is None:
                continue
            real = "driveway" if layer == "ramp" and drives & set(_nodes(ways, way)) else layer
            own = source if "highway" in tags else None
            found[real].append(OsmFeature(source, source, tags, geometry, own, {}))
    return found


_Alternatives = dict[tuple[str, str], list[tuple[str, "Tags"]]]


def _alternatives() -> _Alternatives:
    """Return, by the first tag that it needs (`*`: any value), each set of tags that makes a layer."""
    by_tag: _Alternatives = defaultdict(list)
    for layer, kind in LAYER_KINDS.items():
        for each in kind.tags:
            key, values = next(iter(each.needs.items()))
            for value in values:
                by_tag[key, value].append((layer, each))
    return by_tag


def _layers_of(tags: Mapping[str, str], by_tag: _Alternatives) -> Iterator[str]:
    given: dict[str, None] = {}
    for key, value in tags.items():
        for layer, wanted in (*by_tag.get((key, value), ()), *by_tag.get((key, "*"), ())):
            if _matches(tags, wanted):
                given[layer] = None
    yield from given


def _matches(tags: Mapping[str, str], wanted: Tags) -> bool:
    for key, values in wanted.needs.items():
        value = tags.get(key, "no")
        if value not in values and (values != ANY or value == "no"):
            return False
    return not any(tags.get(key) in values for key, values in wanted.never.items())


def _ways_of_nodes(ways: Ways) -> tuple[dict[int, str], set[int]]:
    """Return the only street way of each tagged node, and the nodes of the ways that lead into a property.

    A node that several street ways share is on none of them in particular.
    """
    streets = np.flatnonzero(street_ways(ways))
    on_street: dict[int, str] = {}
    shared = set()
    for way in streets:
        for node in set(_nodes(ways, int(way))):
            if node in on_street:
                shared.add(node)
            elif node in ways.node_tags:
                on_street[node] = f"way/{ways.way_id[way]}"
    drives = {
        node
        for way, tags in enumerate(ways.tags)
        if tags.get("highway") == "service" and tags.get("service") == "driveway"
        for node in _nodes(ways, way)
    }
    # Where a driveway meets its street there is a street, and no kerb of the driveway.
    street_nodes = {node for way in streets for node in _nodes(ways, int(way))}
    return {node: way for node, way in on_street.items() if node not in shared}, drives - street_nodes


def _nodes(ways: Ways, way: int) -> list[int]:
    ref = ways.ref[ways.start[way] : ways.start[way + 1]]
    return [int(node) for node in ref[ref != MISSING_NODE]]


def way_geometry(ways: Ways, way: int, *, as_area: bool) -> shapely.Geometry | None:
    """Return a way as a line, or as an area where it may be one, is closed and is not tagged as a line."""
    ref = ways.ref[ways.start[way] : ways.start[way + 1]]
    held = ref[ref != MISSING_NODE]
    xy = ways.xy[held]
    fresh = np.r_[True, np.any(xy[1:] != xy[:-1], axis=1)] if len(xy) else np.zeros(0, bool)
    xy = xy[fresh]
    if len(xy) < 2:  # noqa: PLR2004 (a line has two ends)
        return None
    closed = len(held) == len(ref) and ref[0] == ref[-1] and len(xy) > 3  # noqa: PLR2004 (a ring has four points)
    if not (as_area and closed and _may_be_area(ways.tags[way])):
        return shapely.LineString(xy)
    area = shapely.Polygon(xy)
    return area if area.is_valid else shapely.make_valid(area, method="structure", keep_collapsed=False)


def _may_be_area(tags: Mapping[str, str]) -> bool:
    said = tags.get("area")
    if said is not None:
        return said != "no"
    return not any(key in tags and tags[key] not in _AREAL_VALUES for key in _LINEAR)
