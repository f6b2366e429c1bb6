"""Straight lines fitted to stretches of polylines, whatever the spacing of their vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.planar import cross_product
from geocheck.city.ragged import ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRAIGHT_M: Final = 0.01
"""A vertex so near the fitted line still lies on the straight."""

_SPREAD: Final = 2.0
"""A noisy line is nowhere farther off than so many times its root mean square."""


class Straights(NamedTuple):
    """Fitted lines, shape (t,).

    Attributes:
        at: a point on each, shape (t, 2).
        unit: its direction, with the polyline, shape (t, 2).
        length_m: of the stretch it was fitted to.
        stray_m: by how much that strays from it, root mean square.
    """

    at: NDArray[np.float64]
    unit: NDArray[np.float64]
    length_m: NDArray[np.float64]
    stray_m: NDArray[np.float64]


def fitted(xy: NDArray[np.float64], begin: NDArray[np.int64], end: NDArray[np.int64]) -> Straights:
    """Fit lines to stretches: least squares of the distance, every metre of the polyline counting alike.

    Args:
        xy: vertices, metres, shape (v, 2).
        begin: first vertex of each stretch, shape (t,).
        end: last vertex, at least `begin`.
    """
    owner, edge = ranges(begin, end)
    count = len(begin)
    base = xy[begin]
    run = xy[edge + 1] - xy[edge]
    middle = (xy[edge + 1] + xy[edge]) / 2 - base[owner]
    length = np.hypot(run[:, 0], run[:, 1])
    total = np.asarray(np.bincount(owner, length, count), np.float64)
    safe = np.maximum(total, 1e-12)
    centre = np.column_stack([np.bincount(owner, length * middle[:, k], count) / safe for k in (0, 1)])
    off = middle - centre[owner]

    def moment(i: int, j: int) -> NDArray[np.float64]:
        # Of a straight piece: that of its middle, and its own about the middle.
        each = length * (off[:, i] * off[:, j] + run[:, i] * run[:, j] / 12)
        return np.asarray(np.bincount(owner, each, count))

    xx, yy, xy_ = moment(0, 0), moment(1, 1), moment(0, 1)
    angle = np.arctan2(2 * xy_, xx - yy) / 2
    across = (xx + yy) / 2 - np.hypot((xx - yy) / 2, xy_)
    unit = np.column_stack([np.cos(angle), np.sin(angle)])
    chord = xy[end] - xy[begin]
    unit *= np.where((unit * chord).sum(axis=1) < 0, -1.0, 1.0)[:, None]
    return Straights(base + centre, unit, total, np.sqrt(np.maximum(across, 0) / safe))


def straight_part(
    xy: NDArray[np.float64],
    line: Straights,
    within: tuple[NDArray[np.int64], NDArray[np.int64]],
    usual: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the last vertex that lie on each fitted line.

    Args:
        xy: vertices, shape (v, 2).
        line: fitted to a part of each stretch.
        within: first and last vertex of the stretches, shape (t,).
        usual: what to return where fewer than two vertices are on the line.
    """
    owner, vertex = ranges(within[0], within[1] + 1)
    off, unit = xy[vertex] - line.at[owner], line.unit[owner]
    stray = np.abs(cross_product(unit, off))
    on = stray <= np.maximum(STRAIGHT_M, _SPREAD * line.stray_m[owner])
    owner, vertex = owner[on], vertex[on]
    low, high = np.full(len(usual[0]), len(xy)), np.full(len(usual[0]), -1)
    np.minimum.at(low, owner, vertex)
    np.maximum.at(high, owner, vertex)
    found = low < high
    return np.where(found, low, usual[0]), np.where(found, high, usual[1])
