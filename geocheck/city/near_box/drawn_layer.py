"""One layer of a bundle as it is drawn: bounds of all features, and the features that meet a box."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle

_AT_ONCE: Final = 50_000
"""Shapes that are held while the bounds are made: those of a whole city's lots would fill the memory."""


class DrawnLayer:
    """A layer whose shapes stay as they were read until a box needs them.

    Attributes:
        name: of the layer.
        bounds: west, south, east, north of each feature in the city's metres, NaN of an empty one, shape
            (f, 4).
    """

    def __init__(self, bundle: Bundle, name: str, columns: tuple[str, ...]) -> None:
        """Read a layer.

        Args:
            bundle: that has the layer.
            name: of the layer.
            columns: that are told of its features, as far as the layer has them.
        """
        self.name = name
        table = bundle.records(name, [*columns, "geometry"])
        self._columns = {each: _whole(table, each) for each in columns if each in table.column_names}
        self._wkb = _whole(table, "geometry")
        count = len(table)
        self.bounds = np.full((count, 4), np.nan)
        for start in range(0, count, _AT_ONCE):
            rows = np.arange(start, min(start + _AT_ONCE, count))
            self.bounds[rows] = shapely.bounds(self.shapes(rows))

    def meeting(self, box: shapely.Polygon) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
        """Return the rows of features that meet a box, and their shapes.

        Args:
            box: in the city's metres.
        """
        west, south, east, north = box.bounds
        low, high = self.bounds[:, :2], self.bounds[:, 2:]
        near = np.flatnonzero(((low <= (east, north)) & (high >= (west, south))).all(axis=1))  # never of NaN
        shapes = self.shapes(near)
        met = shapely.intersects(shapes, box)
        return near[met], shapes[met]

    def shapes(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        """Return the shapes of some rows."""
        wkb = [self._wkb[row].as_py() for row in rows.tolist()]
        return np.asarray(shapely.from_wkb(wkb), object).reshape(-1)

    def told(self, column: str, row: int) -> Any:  # noqa: ANN401 (a column of any type)
        """Return what a column tells of a feature; None where it tells nothing that JSON can say."""
        if column not in self._columns:
            return None
        value = self._columns[column][row].as_py()
        return None if value == "" or (isinstance(value, float) and not math.isfinite(value)) else value


def _whole(table: pa.Table, column: str) -> Any:  # noqa: ANN401 (an array of any type)
    return table.column(column).combine_chunks()
