"""A bundle as the page draws it: its layers, read when first asked for and kept, and names of streets."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.near_box.drawn_layer import DrawnLayer
from geocheck.city.near_box.name_places import name_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.near_box.name_places import NamePlaces

DRAWN: Final = ("kerb", "street_name", "block", "corner", "lot", "building")
"""What is drawn, what the page needs most first."""

_TOLD: Final[dict[str, tuple[str, ...]]] = {
    "kerb": ("kerb", "street", "accuracy_m"),
    "block": ("feature", "name"),
    "corner": ("corner",),
    "lot": ("feature", "name", "street", "number"),
    "building": ("feature", "name"),
}
"""What is told of a layer's features; the first column is what each is called."""

_DECIMALS: Final = 2
"""Of metres that are told."""


class Drawn(NamedTuple):
    """A feature that is drawn: its shape in the city's metres, and its properties."""

    shape: shapely.Geometry
    told: dict[str, Any]


class DrawnMap:
    """The layers of a bundle that are drawn, each read when it is first asked for."""

    def __init__(self, bundle: Bundle) -> None:
        """Take a bundle; nothing is read yet."""
        self.crs = bundle.manifest.crs
        self._bundle = bundle
        self._layers: dict[str, DrawnLayer | None] = {}
        self._rows_of: dict[str, NDArray[np.int64]] | None = None
        self._places: dict[str, NamePlaces] = {}

    def meeting(self, name: str, box: shapely.Polygon) -> list[Drawn]:
        """Return what of a layer meets a box, the nearest to its middle first."""
        if name == "street_name":
            return self._names(box)
        layer = self._layer(name, _TOLD[name])
        if layer is None:
            return []
        rows, shapes = layer.meeting(box)
        order = _nearest_first(shapes, box)
        return [
            Drawn(shape, _properties(layer, int(row)))
            for row, shape in zip(rows[order], shapes[order], strict=True)
        ]

    def _names(self, box: shapely.Polygon) -> list[Drawn]:
        axes = self._layer("axis", ("street",))
        if axes is None:
            return []
        rows, _ = axes.meeting(box)
        streets = sorted({str(axes.told("street", row)) for row in rows.tolist() if axes.told("street", row)})
        found = []
        for street in streets:
            places = self._places_of(street, axes)
            for spot in np.flatnonzero(shapely.intersects_xy(box, places.xy)).tolist():
                told = {
                    "layer": "street_name",
                    "id": f"{street}/{spot}",
                    "name": street,
                    "turn_deg": round(float(places.turn_deg[spot]), 1),
                }
                found.append(Drawn(shapely.Point(places.xy[spot]), told))
        order = _nearest_first(np.array([each.shape for each in found], object), box)
        return [found[each] for each in order.tolist()]

    def _places_of(self, street: str, axes: DrawnLayer) -> NamePlaces:
        if self._rows_of is None:
            rows: dict[str, list[int]] = {}
            for row in range(len(axes.bounds)):
                rows.setdefault(str(axes.told("street", row)), []).append(row)
            self._rows_of = {name: np.array(held, np.int64) for name, held in rows.items()}
        if street not in self._places:
            self._places[street] = name_places(axes.shapes(self._rows_of[street]), self.crs)
        return self._places[street]

    def _layer(self, name: str, columns: tuple[str, ...]) -> DrawnLayer | None:
        if name not in self._layers:
            held = self._bundle.entry(name) is not None
            self._layers[name] = DrawnLayer(self._bundle, name, columns) if held else None
        return self._layers[name]


@lru_cache(maxsize=4)
def drawn_map(bundle: Bundle) -> DrawnMap:
    """Return the map of a bundle, the same each time for the same bundle."""
    return DrawnMap(bundle)


def _properties(layer: DrawnLayer, row: int) -> dict[str, Any]:
    """Return what is told of a feature; an accuracy always, anything else where it is known."""
    named, *others = _TOLD[layer.name]
    told = {column: layer.told(column, row) for column in others}
    known = {column: value for column, value in told.items() if value is not None or layer.name == "kerb"}
    if known.get("accuracy_m") is not None:
        known["accuracy_m"] = round(known["accuracy_m"], _DECIMALS)
    return {"layer": layer.name, "id": layer.told(named, row), **known}


def _nearest_first(shapes: NDArray[np.object_], box: shapely.Polygon) -> NDArray[np.int64]:
    """Return the order of shapes by their distance to the middle of a box; ties go to the western one."""
    away_m = np.round(shapely.distance(shapes, box.centroid), 3)
    return np.lexsort((*np.round(shapely.bounds(shapes), 3).reshape(-1, 4).T[::-1], away_m))
