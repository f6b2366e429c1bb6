"""The canonical input of streets: ways over shared nodes, wherever they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray
    from shapely import MultiPolygon, Polygon

MISSING_NODE = -1
"""Stands in `ref` where a way names a node that the file does not hold: the way is cut there."""


@dataclass(frozen=True, slots=True)
class Ways:
    """w ways over n nodes, as flat arrays.

    Attributes:
        way_id: OSM ids, or numbers given in reading, shape (w,).
        tags: by way.
        start: way i has the nodes `ref[start[i]:start[i + 1]]`, shape (w + 1,).
        ref: index into the nodes, or `MISSING_NODE`.
        node_id: OSM ids, or numbers given in reading, shape (n,).
        xy: metres in the city's coordinate system, shape (n, 2).
        node_tags: of the nodes that have some, by index.
        extent: where the data is complete, same system; None where nobody knows.
    """

    way_id: NDArray[np.int64]
    tags: tuple[Mapping[str, str], ...]
    start: NDArray[np.int64]
    ref: NDArray[np.int64]
    node_id: NDArray[np.int64]
    xy: NDArray[np.float64]
    node_tags: Mapping[int, Mapping[str, str]]
    extent: Polygon | MultiPolygon | None

    def __len__(self) -> int:
        return len(self.way_id)
