"""A map with what is found in it by layer: made when first asked for, kept for all checks of the bundle."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.check.sight.along import along_of
from geocheck.check.sight.city_map import CityMap
from geocheck.check.sight.shapes import shapes_of
from geocheck.city.wgs84 import to_city
from geocheck.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.along import Along
    from geocheck.check.sight.city_map import MapLayer
    from geocheck.check.sight.plan import Outlines
    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.law.kinds.base import When


_AREA: Final = 2

OF_IT_M: Final = 2.0
"""An entrance so near the outline of a place is one of that place (hypothesis)."""

BESIDE_KERBS_M: Final = 25.0
"""Who surveyed all kerbs has looked so far round each of them (hypothesis)."""


class MapIndex:
    """A map with what is found in it by layer, made when first asked for; the same for all checks."""

    def __init__(self, city_map: CityMap) -> None:
        """Take a map; nothing is made yet."""
        self.city_map = city_map
        self._along: dict[str, Along] = {}
        self._outlines: dict[str, Outlines | None] = {}
        self._areas: dict[str, shapely.Geometry | None] = {}
        self._whole_areas: dict[str, shapely.Geometry | None] = {}
        self._fits: dict[tuple[str, object], Fit] = {}
        self._held: dict[str, bool] = {}
        self._own: dict[str, NDArray[np.bool_]] = {}
        self._entered: dict[tuple[str, str], NDArray[np.bool_]] = {}
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
                self._whole = _area(self.city_map.bundle.manifest.extent, crs) or _round_kerbs(self.city_map)
            self._areas[layer] = self._whole if own is None else _area(own, crs)
        return self._areas[layer]

    def whole_area(self, layer: str) -> shapely.Geometry | None:
        """Return the ground of which a layer holds all there is; None where that is nowhere known."""
        if layer not in self._whole_areas:
            self._whole_areas[layer] = self.area(layer) if self.city_map.complete(layer) else None
        return self._whole_areas[layer]

    def holds(self, layer: str) -> bool:
        """Whether the map has anything to say of a layer."""
        if layer not in self._held:
            told = "crossing_area" if layer == "mouth" else layer
            bundle = self.city_map.bundle
            by_kerbs = layer == "median" and bundle.entry("kerb") is not None
            self._held[layer] = bundle.entry(told) is not None or by_kerbs
        return self._held[layer]

    def fit(self, layer: str, when: When | None) -> Fit:
        """Return which features of a layer a test may be about."""
        key = (layer, when)
        if key not in self._fits:
            # An opposite mouth is an edge of a crossing area.
            held = self.city_map.layer("crossing_area" if layer == "mouth" else layer)
            self._fits[key] = _fit(held, layer, when)
        return self._fits[key]

    def own_areas(self, layer: str) -> NDArray[np.bool_]:
        """Return which features are drawn as areas of their own; False for what is no feature (-1)."""
        if layer not in self._own:
            held = self.city_map.layer(layer)
            shapes = np.zeros(0, object) if held is None else held.geometry
            own = shapely.get_dimensions(shapes) == _AREA
            if held is not None:
                own &= np.array([each is not True for each in held.attribute("on_axis")], bool)
            self._own[layer] = np.append(own, np.False_)
        return self._own[layer]

    def entered(self, layer: str, entrances: str) -> NDArray[np.bool_]:
        """Return which features have an entrance that the map knows; False for what is no feature (-1).

        Args:
            layer: of places; one without an outline has none that is known to be its own.
            entrances: a layer of points on outlines.
        """
        if (layer, entrances) not in self._entered:
            places, doors = self.city_map.layer(layer), self.city_map.layer(entrances)
            found = np.zeros(1 if places is None else len(places.geometry) + 1, bool)
            if places is not None and doors is not None:
                area = np.flatnonzero(shapely.get_dimensions(places.geometry) == _AREA)
                outline = shapely.boundary(places.geometry[area])
                near = shapely.STRtree(doors.geometry).query(outline, predicate="dwithin", distance=OF_IT_M)
                found[area[near[0]]] = True
            self._entered[layer, entrances] = found
        return self._entered[layer, entrances]


class Fit(NamedTuple):
    """Which features of a layer a test may be about, one more for what is no feature (-1).

    Attributes:
        kept: it may be about them, shape (f + 1,).
        soft: nobody knows the attribute on which that hangs, shape (f + 1,).
    """

    kept: NDArray[np.bool_]
    soft: NDArray[np.bool_]


def _fit(layer: MapLayer | None, name: str, when: When | None) -> Fit:
    count = 0 if layer is None else len(layer.geometry)
    kept, soft = np.ones(count + 1, bool), np.zeros(count + 1, bool)
    if layer is None:
        return Fit(kept, soft)
    if when is not None:
        values = layer.attribute(when.attribute)
        unknown = np.array([each is None for each in values], bool)
        fits = np.array([each is None or when.fits(each) for each in values], bool)
        kept[:-1] &= fits & ~(unknown & (when.unknown == "skip"))
        soft[:-1] |= unknown & (when.unknown == "soft")
    if name == "crossing":
        # Only a marked crossing is one by the law.
        marked = layer.attribute("marked")
        kept[:-1] &= np.array([each is not False for each in marked], bool)
        soft[:-1] |= np.array([each is None for each in marked], bool)
    return Fit(kept, soft)


def _round_kerbs(city_map: CityMap) -> shapely.Geometry | None:
    """Return the ground beside kerbs of which all are known: the extent of a survey that states none."""
    kerbs = city_map.layer("kerb")
    if kerbs is None or not city_map.complete("kerb"):
        return None
    found = shapely.union_all(shapely.buffer(kerbs.geometry, BESIDE_KERBS_M))
    shapely.prepare(found)
    return found


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
    return kept_index(bundle)


@lru_cache(maxsize=4)
def kept_index(bundle: Bundle) -> MapIndex:
    """Return the index of a bundle whose city is known to be right, the same each time."""
    return MapIndex(CityMap(bundle))
