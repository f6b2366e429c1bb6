"""The features of a bundle near a skip, found by a tree a layer that is kept as long as the bundle is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geocheck.check.sight.index import kept_index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle

Box = tuple[float, float, float, float]


class Nearby:
    """A bundle's layers, those of the check's own map, with a tree over each that was asked for."""

    def __init__(self, bundle: Bundle) -> None:
        """Take a bundle; no tree is made yet."""
        self.crs = bundle.manifest.crs
        self._map = kept_index(bundle).city_map
        self._trees: dict[str, shapely.STRtree] = {}

    def shapes(self, layer: str, box: Box) -> NDArray[np.object_]:
        """Return the features whose bounds meet a box, flat, in the order of the file.

        Args:
            layer: its name; of one that the bundle has not there are none.
            box: west, south, east, north, in the bundle's metric system.

        Raises:
            DataFileError: the layer is not what the manifest says.
        """
        return self._taken(layer, box)[0]

    def named(self, layer: str, column: str, box: Box) -> list[tuple[str, Any]]:
        """Return the name in a column and the shape of each feature near a box that has one."""
        held = self._map.layer(layer)
        shapes, rows = self._taken(layer, box)
        if held is None:
            return []
        names = held.attribute(column)[rows]
        return [(str(name), shape) for name, shape in zip(names, shapes, strict=True) if name]

    def nearest(self, layer: str, here: Any, reach_m: float) -> Any:  # noqa: ANN401 (geometries of any kind)
        """Return the part of a layer that is nearest to a geometry and within reach; None: there is none."""
        west, south, east, north = here.bounds
        box = (west - reach_m, south - reach_m, east + reach_m, north + reach_m)
        parts = shapely.get_parts(self.shapes(layer, box))
        if not len(parts):
            return None
        distance = shapely.distance(parts, here)
        # Of two as near, the one farther west and south: the order of rows decides nothing.
        order = np.lexsort((*shapely.bounds(parts).round(3).T[::-1], distance.round(3)))
        return parts[order[0]] if distance[order[0]] <= reach_m else None

    def _taken(self, layer: str, box: Box) -> tuple[NDArray[np.object_], NDArray[np.intp]]:
        held = self._map.layer(layer)
        if held is None:
            return np.empty(0, object), np.empty(0, np.intp)
        if layer not in self._trees:
            self._trees[layer] = shapely.STRtree(held.geometry)
        rows = np.sort(self._trees[layer].query(shapely.box(*box)))
        return np.asarray(shapely.force_2d(held.geometry[rows]), object), rows


@lru_cache(maxsize=4)
def nearby(bundle: Bundle) -> Nearby:
    """Return what finds features of a bundle, the same each time."""
    return Nearby(bundle)
