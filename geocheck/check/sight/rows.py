"""What was measured from skips to the features of one layer: a row for each pair that is near enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Rows(NamedTuple):
    """r pairs of a skip and a feature; every column has shape (r,).

    Attributes:
        placement: number of the skip.
        feature: row of the feature in its layer.
        value_m: from outline to outline; 0 where they touch, below zero how deep they overlap at least.
        u_m: half-width of its 95 % interval.
        known: whether the value is one; otherwise what lies there is not known, and that is all.
        side_known: whether the feature is known to belong to the skip's kerb.
        upstream: 1 where the feature lies upstream of the skip, -1 downstream, 0 beside it or unknown.
        event: row of the table that the row comes from (`along.Events`), for its other columns.
    """

    placement: NDArray[np.int64]
    feature: NDArray[np.int64]
    value_m: NDArray[np.float64]
    u_m: NDArray[np.float64]
    known: NDArray[np.bool_]
    side_known: NDArray[np.bool_]
    upstream: NDArray[np.int8]
    event: NDArray[np.int64]

    def at(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Rows:
        """Return some of them, by index or mask."""
        return Rows._make(column[rows] for column in self)


def rows_of(
    placement: NDArray[np.int64],
    feature: NDArray[np.int64],
    value_m: NDArray[np.float64],
    u_m: NDArray[np.float64],
) -> Rows:
    """Return rows of which everything is known, upstream and downstream apart."""
    sure = np.ones(len(placement), bool)
    nowhere = np.zeros(len(placement), np.int8)
    return Rows(placement, feature, value_m, u_m, sure, sure, nowhere, np.full(len(placement), -1))


NONE = rows_of(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
"""No rows."""


def joined(parts: list[Rows]) -> Rows:
    """Return several tables as one."""
    if len(parts) == 1:
        return parts[0]
    return Rows._make(np.concatenate(columns) for columns in zip(*parts, strict=True))
