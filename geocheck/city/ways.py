"""The canonical input of streets: ways over shared nodes, wherever they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

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
    extent: shapely.Polygon | shapely.MultiPolygon | None

    def __len__(self) -> int:
        return len(self.way_id)


def street_hull(
    xy: NDArray[np.float64],
    ref: NDArray[np.int64],
    start: NDArray[np.int64],
    tags: Sequence[Mapping[str, str]],
) -> shapely.Polygon | None:
    """Return the convex hull of the nodes of all highways, None where it has no area.

    It stands for the extent where nobody says where the data is complete.

    Args:
        xy: of the nodes, shape (n, 2).
        ref: as in `Ways`.
        start: as in `Ways`.
        tags: by way.
    """
    road = np.repeat(np.array(["highway" in each for each in tags], dtype=bool), np.diff(start))
    used = ref[road & (ref != MISSING_NODE)]
    if len(used) < 2:  # noqa: PLR2004 (a line has two ends)
        return None
    hull = shapely.convex_hull(shapely.linestrings(xy[used]))  # a line is made much faster than points
    return hull if isinstance(hull, shapely.Polygon) else None
