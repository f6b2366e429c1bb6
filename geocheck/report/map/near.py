"""The features of a bundle near a skip: cut to its surroundings, the nearest first, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely
from jinja2.utils import htmlsafe_json_dumps

from geocheck.city.wgs84 import to_city, to_lonlat
from geocheck.report.map.facts import facts_of
from geocheck.report.map.shapes import geojson

if TYPE_CHECKING:
    from geopandas import GeoDataFrame
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from geocheck.city.bundle.bundle import Bundle

REACH_M: Final = 120.0
"""How far from the skip's centre the map is drawn, to each side."""

MOST: Final = 400
"""Features of one layer, at most."""

BUDGET_BYTES: Final = 480_000
"""Of all features together, as they are written into the page."""

SIMPLER_M: Final = (0.03, 0.3)
"""How far a line may be drawn from where it is: usually, and where it has too many vertices."""

_VERTICES: Final = 1500
"""Of one feature, at most."""

_SIMPLIFIED_VERTICES: Final = 20_000
"""A line that goes to and fro takes the square of its vertices to simplify."""


class NearLayer(NamedTuple):
    """A layer's features near the skip.

    Attributes:
        name: of the layer.
        features: GeoJSON features in degrees, the nearest first.
        within: how many lie in reach; those that are no features here were left out.
        total: how many the bundle holds.
    """

    name: str
    features: tuple[dict[str, Any], ...]
    within: int
    total: int


class _Drawn(NamedTuple):
    layer: int
    distance_m: float
    centre: tuple[float, float]
    feature: dict[str, Any]
    size: int


def box_round(centre: tuple[float, float], crs: str) -> tuple[float, float, float, float]:
    """Return west, south, east, north of what is drawn round a point in degrees, in metres."""
    x, y = to_city(np.array([centre]), crs)[0]
    return (x - REACH_M, y - REACH_M, x + REACH_M, y + REACH_M)


def near_layers(bundle: Bundle, skip: BaseGeometry) -> list[NearLayer]:
    """Return all layers of a bundle, cut to the surroundings of a skip.

    Args:
        bundle: of the city.
        skip: its outline, or the point where it stands, in WGS 84 degrees.
    """
    crs = bundle.manifest.crs
    box = box_round((skip.centroid.x, skip.centroid.y), crs)
    here = shapely.transform(skip, lambda xy: to_city(xy, crs))
    counts, drawn = [], []
    for number, entry in enumerate(bundle.manifest.layers):
        cut = _cut(bundle.layer_near(entry.name, box), box)
        counts.append(len(cut))
        drawn += _nearest(number, cut, here, crs)
    kept: list[list[dict[str, Any]]] = [[] for _ in counts]
    spent = 0
    for each in sorted(drawn, key=lambda each: (each.distance_m, each.layer, each.centre)):
        if spent + each.size > BUDGET_BYTES:
            continue
        spent += each.size
        kept[each.layer].append({**each.feature, "id": len(kept[each.layer])})
    return [
        NearLayer(entry.name, tuple(features), within, entry.features)
        for entry, features, within in zip(bundle.manifest.layers, kept, counts, strict=True)
    ]


def _cut(frame: GeoDataFrame, box: tuple[float, float, float, float]) -> GeoDataFrame:
    """Cut to the box; what only its bounds had in common with it is left out."""
    shapes = shapely.force_2d(frame.geometry.to_numpy())
    cut = shapely.clip_by_rect(shapes, *box)
    held = ~(shapely.is_missing(cut) | shapely.is_empty(cut))
    return frame[held].assign(geometry=_simpler(cut[held]))


def _simpler(shapes: NDArray[np.object_]) -> NDArray[np.object_]:
    """Take vertices away that are not seen; what would vanish, or take too long, stays as it is."""
    for tolerance_m, least in zip(SIMPLER_M, (2, _VERTICES), strict=True):
        count = shapely.get_num_coordinates(shapes)
        many = (count > least) & (count <= _SIMPLIFIED_VERTICES)
        fewer = shapely.simplify(shapes[many], tolerance_m, preserve_topology=False)
        shapes[many] = np.where(shapely.is_empty(fewer), shapes[many], fewer)
    return shapes


def _nearest(number: int, frame: GeoDataFrame, skip: BaseGeometry, crs: str) -> list[_Drawn]:
    shapes = frame.geometry.to_numpy()
    distance = np.round(shapely.distance(shapes, skip), 3)
    centre = np.round(shapely.get_coordinates(shapely.centroid(shapes)), 3)
    order = np.lexsort((centre[:, 1], centre[:, 0], distance))
    order = order[shapely.get_num_coordinates(shapes[order]) <= _VERTICES][:MOST]
    rows = frame.iloc[order]
    facts = facts_of(rows.drop(columns="geometry"))
    drawn = []
    for row, geometry, told in zip(order, _degrees(shapes[order], crs), facts, strict=True):
        feature = {"type": "Feature", "geometry": geometry, "properties": {"facts": told}}
        size = len(htmlsafe_json_dumps(feature)) + len('"id":000,')
        drawn.append(_Drawn(number, float(distance[row]), tuple(centre[row].tolist()), feature, size))
    return drawn


def _degrees(shapes: NDArray[np.object_], crs: str) -> list[dict[str, Any]]:
    """Return GeoJSON geometries in degrees."""
    moved = shapely.transform(shapes, lambda xy: to_lonlat(xy, crs))
    return [geojson(each) for each in moved]
