"""The ground that the features of a layer take up: outlines as they are, streets drawn as lines made as wide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.check.sight.along import feature_accuracy_m
from geocheck.check.sight.plan import outlines_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap, MapLayer
    from geocheck.check.sight.plan import Outlines

STREET_LINES: Final = frozenset(
    {
        "basic_road_system",
        "transit_corridor",
        "special_treatment_road",
        "central_axis",
        "pedestrian_street",
        "expressway",
        "bridge",
        "tunnel",
    }
)
"""Layers that name streets by their lines: what stands on the street stands in the zone."""

USUAL_HALF_M: Final[dict[str, float]] = {"cycleway": 0.75, "median": 0.5, "crossing": 2.0, "gutter": 0.15}
"""Half of the width of lines that do not say how wide they are (hypotheses)."""

STREET_HALF_M: Final = 5.0
"""Half of a street of which no axis is near (hypothesis)."""

NEAREST_AXIS_M: Final = 12.0

ARC_STEPS: Final = 64
"""So many steps to a quarter turn: round a bend the edge of a 5 m half-width is drawn to 0.4 mm."""

_LINE: Final = 1


def shapes_of(city_map: CityMap, layer: MapLayer) -> Outlines:
    """Return the ground of all features of a layer; what has no outline of its own is left out.

    A feature that is told by the line of its street and a side has no outline: see its stations.
    """
    geometry = layer.geometry.copy()
    accuracy = feature_accuracy_m(layer, city_map).copy()
    lines = shapely.get_dimensions(geometry) == _LINE
    half, half_u = _half_widths(city_map, layer, lines)
    wide = np.flatnonzero(lines & (half > 0))
    geometry[wide] = shapely.buffer(geometry[wide], half[wide], quad_segs=ARC_STEPS, cap_style="flat")
    accuracy[wide] = np.hypot(accuracy[wide], half_u[wide])
    geometry[layer.attribute("on_axis") == True] = None  # noqa: E712 (None is not False here)
    unknown = layer.attribute("unknown") == True  # noqa: E712
    return outlines_of(geometry, accuracy, _numbers(layer.attribute("level")), ~unknown)


def _half_widths(
    city_map: CityMap, layer: MapLayer, lines: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return half-widths of line features, and how surely these are known, metres."""
    name = layer.entry.name
    told = _numbers(layer.attribute("width_m")) / 2
    half = np.where(np.isnan(told), USUAL_HALF_M.get(name, 0.0), told)
    u = np.where(np.isnan(told), half, 0.0)
    streets = np.flatnonzero(lines & np.isnan(told)) if name in STREET_LINES else np.zeros(0, np.int64)
    if not len(streets):
        return half, u
    axis, found = _axes(city_map, layer, streets)
    half[streets], u[streets] = STREET_HALF_M, STREET_HALF_M
    if axis is not None:
        held = found >= 0
        both = np.maximum(_numbers(axis.attribute("left_m")), _numbers(axis.attribute("right_m")))
        half[streets[held]] = both[found[held]]
        u[streets[held]] = _numbers(axis.attribute("kerb_accuracy_m"))[found[held]]
    return half, u


def _axes(
    city_map: CityMap, layer: MapLayer, streets: NDArray[np.int64]
) -> tuple[MapLayer | None, NDArray[np.int64]]:
    """Return the axis of each street line: that of its way, else the nearest to its middle; -1 for none."""
    axis = city_map.layer("axis")
    found = np.full(len(streets), -1)
    if axis is None:
        return None, found
    row_of = {way: row for row, way in enumerate(axis.attribute("way").tolist())}
    found[:] = [row_of.get(way, -1) for way in layer.attribute("way")[streets].tolist()]
    rest = np.flatnonzero(found < 0)
    middle = shapely.line_interpolate_point(layer.geometry[streets[rest]], 0.5, normalized=True)
    near, row = shapely.STRtree(axis.geometry).query_nearest(
        middle, max_distance=NEAREST_AXIS_M, all_matches=False
    )
    found[rest[near]] = row
    return axis, found


def _numbers(values: NDArray[np.object_]) -> NDArray[np.float64]:
    return np.array([np.nan if each is None else each for each in values], float)
