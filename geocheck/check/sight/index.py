"""A map with what is found in it by layer: made when first asked for, kept for all checks of the bundle."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from geocheck.check.sight.along import along_of
from geocheck.check.sight.city_map import CityMap
from geocheck.check.sight.shapes import shapes_of
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
