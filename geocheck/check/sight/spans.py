"""Intervals on the ruler in cells: which of them may lie within reach of a stretch, by two look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.ragged import counted, ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL_M: Final = 32.0

_NOTHING: Final = np.zeros(0, np.int64)


class Asked(NamedTuple):
    """Stretches in the cells of the ruler that they touch, one row for each stretch and cell.

    Attributes:
        stretch: index of the stretch.
        cell: number of the cell.
        first: the first cell of the stretch.
    """

    stretch: NDArray[np.int64]
    cell: NDArray[np.int64]
    first: NDArray[np.int64]


def asked_of(low: NDArray[np.float64], high: NDArray[np.float64]) -> Asked:
    """Lay stretches between stations, shape (n,), into cells; NaN touches none."""
    held = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
    begin = np.maximum(np.floor(low[held] / CELL_M), 0).astype(np.int64)
    end = np.floor(high[held] / CELL_M).astype(np.int64)
    one, here = counted(np.maximum(end - begin + 1, 0))
    return Asked(held[one], begin[one] + here, begin[one])


@dataclass(frozen=True, slots=True)
class Spans:
    """Intervals by the cells of the ruler that they touch.

    Attributes:
        start: cell k holds `item[start[k]:start[k + 1]]`; the last cell is empty, as are all beyond it.
        item: index of the intervals.
        first: the first cell of each interval.
    """

    start: NDArray[np.int64]
    item: NDArray[np.int64]
    first: NDArray[np.int64]

    def near(self, asked: Asked) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return pairs of stretch and interval that share a cell, each once."""
        cell = np.minimum(asked.cell, len(self.start) - 2)
        begin, stop = self.start[cell], self.start[cell + 1]
        if not (stop > begin).any():
            return _NOTHING, _NOTHING
        pair, row = ranges(begin, stop)
        item = self.item[row]
        # A pair may share several cells: the first of them counts.
        kept = asked.cell[pair] == np.maximum(asked.first[pair], self.first[item])
        return asked.stretch[pair[kept]], item[kept]


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
    cells = int(last.max()) + 2 if len(last) else 1
    start = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=cells))]).astype(np.int64)
    return Spans(start, item[order], first)
