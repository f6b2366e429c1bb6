"""Vectors of the plane, one a row: on which side of one another they lie, and what is square to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cross_product(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the cross product of vectors, shapes (n, 2): above zero where the other lies to the left."""
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def left_of(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return vectors, shape (n, 2), turned to the left by a right angle."""
    return np.column_stack([-vector[:, 1], vector[:, 0]])


def right_of(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return vectors, shape (n, 2), turned to the right by a right angle."""
    return np.column_stack([vector[:, 1], -vector[:, 0]])
