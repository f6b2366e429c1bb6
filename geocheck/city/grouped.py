"""What the values of groups come to, for all groups at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def quantiles(
    value: NDArray[np.float64], group: NDArray[np.int64], count: int, share: float, none: float = np.nan
) -> NDArray[np.float64]:
    """Return a quantile of the values of each group, between two of them linearly.

    Args:
        value: no NaN, shape (n,); of an infinite one the quantiles beyond it are infinite.
        group: number of each value's group, shape (n,).
        count: of the groups.
        share: 0 for the least, 0.5 for the median, 1 for the greatest.
        none: stands for a group without values.

    Returns:
        Shape (count,).
    """
    size = np.bincount(group, minlength=count)
    some = size > 0
    rank = share * (size[some] - 1)
    first = (np.cumsum(size) - size)[some]
    ordered = value[np.lexsort((value, group))]
    below, above = ordered[first + np.floor(rank).astype(int)], ordered[first + np.ceil(rank).astype(int)]
    with np.errstate(invalid="ignore"):
        between = below + (above - below) * (rank - np.floor(rank))
    found = np.full(count, none)
    found[some] = np.where(below == above, below, between)
    return found
