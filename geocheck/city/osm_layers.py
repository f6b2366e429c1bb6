"""Which OSM tags make which layer, and the features of a file as points, lines and areas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from geocheck.city.ways import Ways

ANY: Final = frozenset({"*"})

QUERIES: Final[dict[str, tuple[tuple[str, frozenset[str]], ...]]] = {
    "bus_stop": (("highway", frozenset({"bus_stop"})),),
    "taxi_stand": (("amenity", frozenset({"taxi"})),),
    "crossing": (("highway", frozenset({"crossing"})), ("footway", frozenset({"crossing"}))),
    "signal": (("highway", frozenset({"traffic_signals"})),),
    "hydrant": (("emergency", frozenset({"fire_hydrant"})),),
    "manhole": (("man_made", frozenset({"manhole"})),),
    "storm_drain": (("manhole", frozenset({"drain"})), ("inlet", ANY)),
    "driveway": (("service", frozenset({"driveway"})),),
    "ramp": (("kerb", frozenset({"lowered", "flush"})),),
    "island": (("traffic_calming", frozenset({"island"})),),
    "cycleway": (("highway", frozenset({"cycleway"})),),
    "bridge": (("bridge", ANY),),
    "tunnel": (("tunnel", ANY),),
    "expressway": (("highway", frozenset({"motorway", "trunk", "motorway_link", "trunk_link"})),),
    "pedestrian_street": (("highway", frozenset({"pedestrian"})),),
    "green": (("landuse", frozenset({"grass"})), ("leisure", frozenset({"garden", "park"}))),
    "square": (("place", frozenset({"square"})),),
    "building": (("building", ANY),),
    "waterway": (("waterway", ANY),),
    "emergency_exit": (("entrance", frozenset({"emergency"})),),
}
"""Any of the pairs makes a thing one of the layer; `no` never does. Source: OSM wiki, Map features."""

AREA_LAYERS: Final = frozenset({"building", "green", "square", "pedestrian_street"})
"""Layers whose closed ways are areas and not rings."""


def layer_rows(ways: Ways, layer: str) -> list[tuple[str, Mapping[str, str], shapely.Geometry]]:
    """Return the features of a layer: OSM id, tags, geometry in metres of the city's system.

    A way of which nodes are missing is drawn as far as the file holds it.
    """
    found: list[tuple[str, Mapping[str, str], shapely.Geometry]] = []
    for node, tags in ways.node_tags.items():
        if _matches(tags, layer):
            found.append((f"node/{ways.node_id[node]}", tags, shapely.Point(ways.xy[node])))
    for way, tags in enumerate(ways.tags):
        if _matches(tags, layer):
            line = _line(ways, way, as_area=layer in AREA_LAYERS)
            if line is not None:
                found.append((f"way/{ways.way_id[way]}", tags, line))
    return found


def _matches(tags: Mapping[str, str], layer: str) -> bool:
    for key, values in QUERIES[layer]:
        value = tags.get(key)
        if value is not None and value != "no" and (values is ANY or value in values):
            return True
    return False


def _line(ways: Ways, way: int, *, as_area: bool) -> shapely.Geometry | None:
    ref = ways.ref[ways.start[way] : ways.start[way + 1]]
    held = ref[ref != MISSING_NODE]
    xy = ways.xy[held]
    fresh = np.r_[True, np.any(xy[1:] != xy[:-1], axis=1)] if len(xy) else np.zeros(0, bool)
    xy = xy[fresh]
    if len(xy) < 2:  # noqa: PLR2004 (a line has two ends)
        return None
    closed = len(held) == len(ref) and ref[0] == ref[-1] and len(xy) > 3  # noqa: PLR2004 (a ring has four points)
    if not (as_area and closed):
        return shapely.LineString(xy)
    area = shapely.Polygon(xy)
    return area if area.is_valid else shapely.make_valid(area)
