"""Intervals on the ruler in cells: which of them may lie within reach of a stretch, by two look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.city.ragged import counted, ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL_M: Final = 32.0


@dataclass(frozen=True, slots=True)
class Spans:
    """Intervals by the cells of the ruler that they touch.

    Attributes:
        start: cell k holds `item[start[k]:start[k + 1]]`.
        item: index of the intervals.
        first: the first cell of each interval.
    """

    start: NDArray[np.int64]
    item: NDArray[np.int64]
    first: NDArray[np.int64]

    def near(
        self, low: NDArray[np.float64], high: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return pairs of stretch and interval that share a cell, each once; NaN shares none."""
        last_cell = len(self.start) - 2
        asked = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
        begin = np.clip(np.floor(low[asked] / CELL_M), 0, last_cell + 1).astype(np.int64)
        end = np.clip(np.floor(high[asked] / CELL_M), -1, last_cell).astype(np.int64)
        one, here = counted(np.maximum(end - begin + 1, 0))
        cell = begin[one] + here
        pair, row = ranges(self.start[cell], self.start[cell + 1])
        item = self.item[row]
        # A pair may share several cells: the first of them counts.
        kept = cell[pair] == np.maximum(begin[one[pair]], self.first[item])
        return asked[one[pair[kept]]], item[kept]


def spans_of(low: NDArray[np.float64], high: NDArray[np.float64]) -> Spans:
    """Lay intervals into cells.

    Args:
        low: stations, already as wide as they are to be found, shape (m,).
        high: the same.
    """
    first = np.maximum(np.floor(low / CELL_M), 0).astype(np.int64)
    last = np.maximum(np.floor(high / CELL_M), first).astype(np.int64)
    item, here = counted(last - first + 1)
    cell = first[item] + here
    order = np.argsort(cell, kind="stable")
    cells = int(last.max()) + 1 if len(last) else 0
    start = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=cells))]).astype(np.int64)
    return Spans(start, item[order], first)
