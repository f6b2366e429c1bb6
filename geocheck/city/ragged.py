"""Rows of unequal length in flat arrays: row i has what stands from `start[i]` up to `start[i + 1]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

if TYPE_CHECKING:
    from numpy.typing import NDArray


def owners(start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the row of each value, for r rows that begin at `start`, shape (r + 1,)."""
    return np.repeat(np.arange(len(start) - 1), np.diff(start))


def ranges(begin: NDArray[np.int64], stop: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row and the value of the numbers from `begin` up to, not including, `stop` of each row."""
    size = np.maximum(stop - begin, 0)
    owner = np.repeat(np.arange(len(size)), size)
    before = np.cumsum(size) - size
    return owner, np.arange(len(owner)) - before[owner] + begin[owner]


def counted(count: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row and the number from 0 of as many values as each row is to have."""
    return ranges(np.zeros(len(count), np.int64), count)


def polylines(xy: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.object_]:
    """Return rows of vertices, shape (v, 2), as geometries."""
    return np.asarray(shapely.linestrings(xy, indices=owners(start)), object)


def stations_m(xy: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how far along its line each vertex lies, metres, shape (v,)."""
    step_m = np.append(0.0, np.hypot(*np.diff(xy, axis=0).T))
    step_m[start[:-1]] = 0.0
    along_m = np.cumsum(step_m)
    return np.asarray(along_m - np.repeat(along_m[start[:-1]], np.diff(start)))
