"""Corners as intervals on the ruler: the mouths between kerbs, and those that a side ends at.

A corner is the edge of a mouth; a kerb that ends at a corner without one ends in a mouth that runs into the
guard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.check.sight.events import BEYOND_M, UNSEEN_ENDS, Events, ends_of, joined_events
from geocheck.city.ruler.ruler import MOUTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.city_map import CityMap, MapLayer


def corners_on_ruler(city_map: CityMap) -> Events:
    """Return the mouths between kerbs, and the ends of sides beyond which a mouth is or may be."""
    layer = city_map.layer("corner")
    kerbs = city_map.layer("kerb")
    if layer is None or kerbs is None or not len(layer.geometry):
        return ends_of(city_map, UNSEEN_ENDS)
    segment, side = city_map.segments, city_map.sides
    chord = np.flatnonzero(segment["kerb"] == MOUTH)
    # A ring may close with a chord: the kerb after it is the first of its side.
    first_of_side = np.searchsorted(segment["side"], np.arange(len(side["s"])))
    following = chord + 1
    wraps = (following == len(segment["kerb"])) | (
        segment["side"][np.minimum(following, len(segment["kerb"]) - 1)] != segment["side"][chord]
    )
    following = np.where(wraps, first_of_side[segment["side"][chord]], following)
    low_kerb, high_kerb = segment["kerb"][chord - 1], segment["kerb"][following]
    low_s = segment["s"][chord]
    inner = _between(city_map, low_kerb, high_kerb, low_s, low_s + segment["length_m"][chord])
    last_of_side = np.append(first_of_side[1:], len(segment["kerb"])) - 1
    open_ = side["ring"] == 0
    first_kerb = segment["kerb"][first_of_side[open_]]
    last_kerb = segment["kerb"][last_of_side[open_]]
    start_s, end_s = side["s"][open_], (side["s"] + side["length_m"])[open_]
    none = np.full(len(start_s), MOUTH)
    before = _between(city_map, none, first_kerb, start_s - BEYOND_M, start_s)
    after = _between(city_map, last_kerb, none, end_s, end_s + BEYOND_M)
    unseen = ends_of(city_map, UNSEEN_ENDS)
    found = joined_events(inner, before, after)
    return joined_events(found.at(np.flatnonzero((found.feature >= 0) | (found.feature_high >= 0))), unseen)


def _between(
    city_map: CityMap,
    low_kerb: NDArray[np.int64],
    high_kerb: NDArray[np.int64],
    low_s: NDArray[np.float64],
    high_s: NDArray[np.float64],
) -> Events:
    """Return mouths between the end of one kerb and the start of another, as the ruler runs."""
    one, two = _corner_at(city_map, low_kerb, 1), _corner_at(city_map, high_kerb, -1)
    one, two = np.where(one < 0, two, one), np.where(two < 0, one, two)
    layer = city_map.layer("corner")
    assert layer is not None  # noqa: S101 (the caller has looked)
    kind, unknown = layer.attribute("kind"), layer.attribute("unknown").astype(bool)
    plain = kind == "corner"
    sure = ~unknown & (kind != "unknown")
    at = np.stack([np.maximum(one, 0), np.maximum(two, 0)], axis=1)
    kerb = np.stack([low_kerb, high_kerb], axis=1)
    return Events(
        low_s,
        high_s,
        one,
        two,
        layer.accuracy_m[at[:, 0]],
        layer.accuracy_m[at[:, 1]],
        sure[at].all(axis=1),
        plain[at].any(axis=1),
        _pad(layer, "curve", at, kerb),
        _pad(layer, "building_line", at, kerb),
    )


def _corner_at(city_map: CityMap, kerb: NDArray[np.int64], sense: int) -> NDArray[np.int64]:
    """Return the corner at the end of kerbs towards higher (1) or lower (-1) stations, -1 for none."""
    kerbs = city_map.layer("kerb")
    assert kerbs is not None  # noqa: S101 (the caller has looked)
    start = kerbs.attribute("start_corner").astype(np.int64)
    end = kerbs.attribute("end_corner").astype(np.int64)
    held = np.maximum(kerb, 0)
    runs_with = city_map.places["sense"][held] == sense
    found = np.where(runs_with, end[held], start[held])
    return np.where(kerb == MOUTH, -1, found)


def _pad(
    layer: MapLayer, name: str, corner: NDArray[np.int64], kerb: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the pads of a stricter reading along the kerbs that end at corners, both of shape (e, 2)."""
    before, after = (
        np.array([np.nan if each is None else each for each in layer.attribute(f"{when}_{name}_m")], float)
        for when in ("before", "after")
    )
    own = layer.attribute("kerb_before")[corner] == kerb
    return np.where(own, before[corner], after[corner])
