"""A uniform grid over straight edges: which of them may lie within reach of a place, by two look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.city.ragged import counted, ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL_M: Final = 16.0


@dataclass(frozen=True, slots=True)
class Cells:
    """For each cell the edges that may lie within their reach of some place in it.

    Attributes:
        west_m: of the grid, metres.
        south_m: the same.
        columns: of the grid.
        start: cell k holds `edge[start[k]:start[k + 1]]`, row by row from the south-west.
        edge: index of the edges, ascending within a cell.
    """

    west_m: float
    south_m: float
    columns: int
    start: NDArray[np.int64]
    edge: NDArray[np.int32]

    def near(self, xy: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for places in metres, shape (n, 2), pairs of place and edge that may be within reach.

        Every edge within its reach of the place is among them, once; others may be. A place outside the grid,
        or that is no number, has none.
        """
        with np.errstate(invalid="ignore"):
            column = np.floor((xy[:, 0] - self.west_m) / CELL_M)
            row = np.floor((xy[:, 1] - self.south_m) / CELL_M)
            rows = (len(self.start) - 1) // max(self.columns, 1)
            inside = (column >= 0) & (column < self.columns) & (row >= 0) & (row < rows)
        place = np.flatnonzero(inside)
        cell = (row[place] * self.columns + column[place]).astype(np.int64)
        pair, row = ranges(self.start[cell], self.start[cell + 1])
        return place[pair], self.edge[row].astype(np.int64)


def cells_of(edges: NDArray[np.float64], reach_m: NDArray[np.float64]) -> Cells:
    """Lay a grid over edges.

    Args:
        edges: x0, y0, x1, y1 in metres, shape (m, 4); an edge may be a point.
        reach_m: how far from each a place may be, shape (m,).
    """
    if not len(edges):
        return Cells(0.0, 0.0, 0, np.zeros(1, np.int64), np.zeros(0, np.int32))
    low, high, edge = _boxes(edges, reach_m)
    west, south = np.floor(low.min(axis=0) / CELL_M) * CELL_M
    origin = np.array([west, south])
    first = np.floor((low - origin) / CELL_M).astype(np.int64)
    last = np.floor((high - origin) / CELL_M).astype(np.int64)
    columns, rows = last.max(axis=0) + 1
    wide, tall = (last - first + 1).T
    box, here = counted(wide * tall)
    row, column = first[box, 1] + here // wide[box], first[box, 0] + here % wide[box]
    # Sorted first: numpy's `unique` hashes whole numbers, which takes 30 times as long here.
    pair = np.sort((row * columns + column) * len(edges) + edge[box])
    pair = pair[np.diff(pair, prepend=-1) != 0]
    count = np.bincount(pair // len(edges), minlength=int(columns * rows))
    start = np.concatenate([[0], np.cumsum(count)])
    return Cells(float(west), float(south), int(columns), start, (pair % len(edges)).astype(np.int32))


def _boxes(
    edges: NDArray[np.float64], reach_m: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Cut edges into pieces no longer than a cell, whose boxes stay small; return low, high and the edge."""
    begin, step = edges[:, :2], edges[:, 2:] - edges[:, :2]
    count = np.maximum(np.ceil(np.hypot(*step.T) / CELL_M), 1).astype(np.int64)
    edge, here = counted(count)
    one = begin[edge] + step[edge] * (here / count[edge])[:, None]
    two = begin[edge] + step[edge] * ((here + 1) / count[edge])[:, None]
    pad = reach_m[edge][:, None]
    return np.minimum(one, two) - pad, np.maximum(one, two) + pad, edge
