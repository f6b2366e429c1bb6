"""A bundle as the check reads it: layers as arrays, read when first asked for, and the ruler."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.check.locate import lines_of
from geocheck.city.ruler.grid import grid_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.locate import Lines
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.bundle.manifest import LayerEntry
    from geocheck.city.ruler.cells import Cells

NAMED_BY: Final = {"kerb": "kerb", "corner": "corner", "crossing_area": "junction", "median": "median"}
"""Columns that name the features of derived layers; those of all others are named by `feature`."""


@dataclass(frozen=True)
class MapLayer:
    """One layer of a bundle.

    Attributes:
        entry: what the manifest says of it.
        geometry: in the city's metres, shape (f,).
        columns: its attributes by name, shape (f,) each; what nobody knows is None.
        accuracy_m: of each feature, shape (f,).
    """

    entry: LayerEntry
    geometry: NDArray[np.object_]
    columns: dict[str, NDArray[np.object_]]
    accuracy_m: NDArray[np.float64]

    def attribute(self, name: str) -> NDArray[np.object_]:
        """Return an attribute, None for all where the layer has none of the name."""
        found = self.columns.get(name)
        return np.full(len(self.geometry), None, object) if found is None else found

    @cached_property
    def dated(self) -> bool:
        """Whether any feature holds for a time only."""
        dates = (*self.attribute("valid_from"), *self.attribute("valid_to"))
        return any(each is not None for each in dates)

    @cached_property
    def validity(self) -> tuple[NDArray[np.datetime64], NDArray[np.datetime64]]:
        """First and last day of each feature, NaT where open, and NaT for what is no feature (-1)."""
        first, last = (
            np.array(
                [
                    np.datetime64("NaT") if each is None else np.datetime64(each, "D")
                    for each in (*dates, None)
                ],
                "datetime64[D]",
            )
            for dates in (self.attribute("valid_from"), self.attribute("valid_to"))
        )
        return first, last

    @cached_property
    def houred(self) -> bool:
        """Whether any feature holds at some hours only."""
        return any(each is not None for each in self.attribute("hours"))

    @cached_property
    def rows_by_name(self) -> dict[str, tuple[int, ...]]:
        """Rows of the features of each identifier or name."""
        rows: dict[str, dict[int, None]] = {}
        for column in ("feature", "name"):
            for row, value in enumerate(self.attribute(column)):
                if value is not None:
                    rows.setdefault(str(value), {})[row] = None
        return {name: tuple(held) for name, held in rows.items()}

    def name_of(self, row: int) -> str:
        """Return what a feature is called in reports."""
        column = NAMED_BY.get(self.entry.name, "feature")
        value = self.attribute(column)[row]
        return str(row if value is None else value)

    def source_of(self, row: int) -> str | None:
        """Return where a feature comes from (`way/12`)."""
        value = self.attribute("way" if self.entry.name == "kerb" else "source")[row]
        return None if value is None else str(value)


class CityMap:
    """A bundle, ready for checks; the same for all of them, and read-only."""

    def __init__(self, bundle: Bundle) -> None:
        """Take a bundle; nothing is read yet."""
        self.bundle = bundle
        self.crs = bundle.manifest.crs
        self._layers: dict[str, MapLayer | None] = {}
        self._tables: dict[str, dict[str, NDArray[Any]] | None] = {}

    @cached_property
    def segments(self) -> dict[str, NDArray[Any]]:
        """The ruler's segments (table `segment`)."""
        return self.bundle.table("segment")

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """The segments' ends, shape (g, 4)."""
        return self.lines.edges

    @cached_property
    def lines(self) -> Lines:
        """The segments as lines on which kerbs are looked for."""
        return lines_of(self.segments)

    @cached_property
    def cells(self) -> Cells:
        """A grid over the segments."""
        return grid_of(self.bundle.table)

    @cached_property
    def sides(self) -> dict[str, NDArray[Any]]:
        """The sides of streets (table `side`)."""
        return self.bundle.table("side")

    @cached_property
    def places(self) -> dict[str, NDArray[Any]]:
        """Where each kerb lies on the ruler (table `place`)."""
        return self.bundle.table("place")

    def table(self, name: str) -> dict[str, NDArray[Any]] | None:
        """Return a table, None where the bundle has none of the name."""
        if name not in self._tables:
            held = any(entry.name == name for entry in self.bundle.manifest.tables)
            self._tables[name] = self.bundle.table(name) if held else None
        return self._tables[name]

    def layer(self, name: str) -> MapLayer | None:
        """Return a layer, None where the bundle has none of the name."""
        if name not in self._layers:
            entry = self.bundle.entry(name)
            self._layers[name] = None if entry is None else self._read(entry)
        return self._layers[name]

    def read_all(self) -> None:
        """Read every layer and table now: whoever serves for days holds on to this bundle's files."""
        for entry in self.bundle.manifest.layers:
            self.layer(entry.name)
        for table in self.bundle.manifest.tables:
            self.table(table.name)
        for read in (self.segments, self.sides, self.places, self.cells):
            assert read is not None  # noqa: S101 (read once, kept)

    def complete(self, name: str) -> bool:
        """Whether an empty place of a layer means that there is nothing."""
        entry = self.bundle.entry(name)
        return entry is not None and entry.completeness == "complete"

    def _read(self, entry: LayerEntry) -> MapLayer:
        columns = self.bundle.columns(entry.name)
        geometry = np.asarray(shapely.from_wkb(columns.pop("geometry")), object)
        own = columns.get("accuracy_m", np.full(len(geometry), None, object))
        accuracy = np.array([entry.accuracy_m if each is None else each for each in own], float)
        return MapLayer(entry, geometry, columns, accuracy)
