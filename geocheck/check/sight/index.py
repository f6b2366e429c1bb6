"""A map with what is found in it by layer: made when first asked for, kept for all checks of the bundle."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import shapely

from geocheck.check.sight.along import along_of
from geocheck.check.sight.city_map import CityMap
from geocheck.check.sight.shapes import shapes_of
from geocheck.city.wgs84 import to_city
from geocheck.errors import InputError

if TYPE_CHECKING:
    from geocheck.check.sight.along import Along
    from geocheck.check.sight.plan import Outlines
    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle


class MapIndex:
    """A map with what is found in it by layer, made when first asked for; the same for all checks."""

    def __init__(self, city_map: CityMap) -> None:
        """Take a map; nothing is made yet."""
        self.city_map = city_map
        self._along: dict[str, Along] = {}
        self._outlines: dict[str, Outlines | None] = {}
        self._areas: dict[str, shapely.Geometry | None] = {}
        self._whole: shapely.Geometry | None = None

    def along(self, layer: str) -> Along:
        """Return the events of a layer on the ruler."""
        if layer not in self._along:
            self._along[layer] = along_of(self.city_map, layer)
        return self._along[layer]

    def outlines(self, layer: str) -> Outlines | None:
        """Return the ground of a layer's features, None where the map has no such layer."""
        if layer not in self._outlines:
            held = self.city_map.layer(layer)
            self._outlines[layer] = None if held is None else shapes_of(self.city_map, held)
        return self._outlines[layer]

    def area(self, layer: str) -> shapely.Geometry | None:
        """Return the extent of a layer in the city's metres, None where nobody knows it."""
        if layer not in self._areas:
            entry, crs = self.city_map.bundle.entry(layer), self.city_map.crs
            own = None if entry is None else entry.extent
            if own is None and self._whole is None:
                self._whole = _area(self.city_map.bundle.manifest.extent, crs)
            self._areas[layer] = self._whole if own is None else _area(own, crs)
        return self._areas[layer]


def _area(extent: dict[str, Any] | None, crs: str) -> shapely.Geometry | None:
    if extent is None:
        return None
    found = shapely.transform(shapely.geometry.shape(extent), lambda lonlat: to_city(lonlat, crs))
    shapely.prepare(found)
    return found


def index_of(bundle: Bundle, city: City) -> MapIndex:
    """Return the index of a bundle, the same each time for the same bundle.

    Raises:
        InputError: the bundle is of another city.
    """
    if bundle.manifest.city != city.id:
        message = f"o pacote {bundle.folder.name} é de “{bundle.manifest.city}”, o pedido, de “{city.id}”"
        raise InputError("city", message)
    return _index(bundle)


@lru_cache(maxsize=4)
def _index(bundle: Bundle) -> MapIndex:
    return MapIndex(CityMap(bundle))
