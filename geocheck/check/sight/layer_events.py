"""The features of layers as intervals on the ruler: by stations, by the ways they name, beside medians."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.sight.events import BEYOND_M, Events, plain_events
from geocheck.city.ragged import ranges
from geocheck.city.streets.medians import Median

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap, MapLayer

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

_GAP_M: Final = 0.01


def features_on_ruler(city_map: CityMap, name: str) -> Events:
    """Return the features of a layer where its table refers them to kerbs."""
    # An opposite mouth is an edge of a crossing area.
    layer = city_map.layer("crossing_area" if name == "mouth" else name)
    table = city_map.table(f"station.{name}")
    if layer is None or table is None:
        none, sure = np.zeros(0), np.zeros(0, bool)
        return plain_events(none, none, np.zeros(0, np.int64), none, sure)
    feature = table["feature"]
    side_known = table.get("side_known", np.ones(len(feature), np.int8)) == 1
    accuracy = feature_accuracy_m(layer, city_map)[feature]
    return plain_events(table["low_s"], table["high_s"], feature, accuracy, side_known)


def ways_on_ruler(city_map: CityMap, name: str) -> Events:
    """Return the kerbs of the streets that features of a layer are, where these name their ways."""
    layer = city_map.layer(name)
    segment = city_map.segments
    way = np.zeros(0, np.int64) if layer is None else way_ids(layer)
    order = np.argsort(way, kind="stable")
    begin = np.searchsorted(way[order], segment["way"])
    row, place = ranges(begin, np.searchsorted(way[order], segment["way"], side="right"))
    real = segment["way"][row] > 0
    row, feature = row[real], order[place[real]]
    # Pieces of one feature that follow each other are one.
    sequence = np.lexsort((row, feature))
    row, feature = row[sequence], feature[sequence]
    low, high = segment["s"][row], segment["s"][row] + segment["length_m"][row]
    fresh = (np.diff(feature, prepend=-1) != 0) | (np.diff(segment["side"][row], prepend=-1) != 0)
    fresh |= np.append(True, low[1:] - high[:-1] > _GAP_M) if len(row) else fresh
    first = np.flatnonzero(fresh)
    last = np.append(first[1:], len(row))[: len(first)] - 1
    sure = np.ones(len(first), bool)
    u = layer.accuracy_m[feature[first]] if layer is not None else np.zeros(0)
    low, high = _round_seams(city_map, segment["side"][row[first]], feature[first], low[first], high[last])
    return plain_events(low, high, feature[first], u, sure)


def _round_seams(
    city_map: CityMap,
    side: NDArray[np.int64],
    feature: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Let stretches that meet at the seam of a ring go on beyond it: they do not end there."""
    table = city_map.sides
    ring = table["ring"][side] == 1
    at_start = ring & (low - table["s"][side] <= _GAP_M)
    at_end = ring & (table["s"][side] + table["length_m"][side] - high <= _GAP_M)
    key = feature * max(len(table["s"]), 1) + side
    # So far that no doubt of a place reaches it, and yet no other side does.
    length = np.minimum(high - low, BEYOND_M / 2)
    before = dict(zip(key[at_end], length[at_end], strict=True))
    after = dict(zip(key[at_start], length[at_start], strict=True))
    further = [(before.get(each, 0.0), after.get(each, 0.0)) for each in key]
    back, on = np.array(further, float).reshape(-1, 2).T
    return np.where(at_start, low - back, low), np.where(at_end, high + on, high)


def way_ids(layer: MapLayer) -> NDArray[np.int64]:
    """Return the numbers of the ways that features name, 0 where they name none."""
    named = [str(each).removeprefix("way/") if each is not None else "" for each in layer.attribute("way")]
    return np.array([int(each) if each.isdecimal() else 0 for each in named], np.int64)


def medians_on_ruler(city_map: CityMap) -> Events:
    """Return the stretches of kerb beside medians, and those of which it is not known or not agreed."""
    table = city_map.table("station.median")
    if table is None:
        return features_on_ruler(city_map, "median")
    kind, count = table["kind"], len(table["kind"])
    axis = city_map.bundle.entry("axis")
    u = np.full(count, 0.0 if axis is None else axis.accuracy_m)
    sure = np.isin(kind, [Median.YES])
    rows = plain_events(table["low_s"], table["high_s"], np.full(count, -1), u, sure)
    return rows._replace(known=kind != Median.UNKNOWN)


def feature_accuracy_m(layer: MapLayer, city_map: CityMap) -> NDArray[np.float64]:
    """Return how surely features lie where they are; a crossing area, as its worst corner."""
    corners = city_map.layer("corner")
    if layer.entry.name != "crossing_area" or corners is None:
        return layer.accuracy_m
    of, asked = (
        np.array([-1 if each is None else each for each in each_layer.attribute("junction")], np.int64)
        for each_layer in (corners, layer)
    )
    worst = np.full(max(int(of.max(initial=-1)), int(asked.max(initial=-1))) + 1, -np.inf)
    np.maximum.at(worst, of[of >= 0], corners.accuracy_m[of >= 0])
    found = np.where(asked >= 0, worst[np.maximum(asked, 0)], -np.inf) if len(worst) else layer.accuracy_m
    return np.where(np.isinf(found), layer.accuracy_m, found)
