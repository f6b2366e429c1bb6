"""The features of a bundle in a box of degrees, as GeoJSON: within a budget, the nearest to its middle."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.near_box.drawn_map import DRAWN, drawn_map
from geocheck.city.wgs84 import to_city, to_lonlat
from geocheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.near_box.drawn_map import Drawn

WIDEST_DEG: Final = 0.03
"""The widest and highest box: about 3.3 km."""

MOST: Final = 4000
"""Features, at most."""

MOST_VERTICES: Final = 120_000
"""Of all features together; a lake is one feature."""

DECIMALS: Final = 7
"""Of degrees: 1.1 cm."""

_FIELD: Final = "bbox"
_HALF_TURN, _RIGHT_ANGLE = 180.0, 90.0


class Box(NamedTuple):
    """A box of WGS 84 degrees."""

    west: float
    south: float
    east: float
    north: float


class NearBox(NamedTuple):
    """What lies in a box.

    Attributes:
        features: GeoJSON features in degrees; the page's `layer` and `id` are in their properties.
        truncated: whether there is more than these.
    """

    features: list[dict[str, Any]]
    truncated: bool


def read_box(numbers: Sequence[float]) -> Box:
    """Read west, south, east, north in degrees.

    Raises:
        InputError: these are not four degrees, the edges are swapped, or the box is too wide.
    """
    if len(numbers) != len(Box._fields) or not all(map(math.isfinite, numbers)):
        raise InputError(_FIELD, "dê quatro números, em graus: oeste,sul,leste,norte")
    box = Box(*map(float, numbers))
    if max(abs(box.west), abs(box.east)) > _HALF_TURN or max(abs(box.south), abs(box.north)) > _RIGHT_ANGLE:
        raise InputError(_FIELD, "não são graus de longitude e latitude; a ordem é oeste,sul,leste,norte")
    if box.west >= box.east or box.south >= box.north:
        raise InputError(_FIELD, "o oeste deve ser menor que o leste, e o sul, menor que o norte")
    if max(box.east - box.west, box.north - box.south) > WIDEST_DEG + 1e-9:
        message = f"tem mais de {str(WIDEST_DEG).replace('.', ',')} grau de lado; aproxime o mapa"
        raise InputError(_FIELD, message)
    return box


def near_box(bundle: Bundle, box: Box, most: int = MOST) -> NearBox:
    """Return what the page draws in a box: kerbs, names of streets, blocks, corners, lots, buildings.

    Features are whole, also where they reach beyond the box. The same for all orders of the map's rows.

    Args:
        bundle: of the city.
        box: as `read_box` returns it.
        most: features, at most.
    """
    drawn = drawn_map(bundle)
    corners = [(box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north)]
    metres = shapely.Polygon(to_city(np.array(corners), drawn.crs))
    found = [each for layer in DRAWN for each in drawn.meeting(layer, metres)]
    vertices = np.cumsum(shapely.get_num_coordinates([each.shape for each in found]))
    kept = found[: min(most, int(np.searchsorted(vertices, MOST_VERTICES, side="right")))]
    return NearBox(_features(kept, drawn.crs), len(kept) < len(found))


def _features(found: Sequence[Drawn], crs: str) -> list[dict[str, Any]]:
    shapes = np.array([each.shape for each in found], object)
    degrees = shapely.transform(shapes, lambda xy: np.round(to_lonlat(xy, crs), DECIMALS))
    return [
        {"type": "Feature", "geometry": json.loads(told), "properties": each.told}
        for told, each in zip(shapely.to_geojson(degrees), found, strict=True)
    ]
