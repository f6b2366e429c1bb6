"""Things linked to one another: which of them hang together, and in what order chains of them run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Chains(NamedTuple):
    """Where each of n things stands in its chain, each shape (n,).

    Attributes:
        head: the first thing of its chain.
        rank: how many stand before it.
        ring: its chain bites its tail; the head is the member of the lowest `order`.
    """

    head: NDArray[np.int64]
    rank: NDArray[np.int64]
    ring: NDArray[np.bool_]


def chains_of(before: NDArray[np.int64], order: NDArray[np.int64]) -> Chains:
    """Order chains and rings, by pointer doubling instead of walking.

    Args:
        before: the thing before each, -1 for the first of a chain, shape (n,); no thing is before two.
        order: a permutation of 0…n-1 that says where rings are cut open, shape (n,).
    """
    here = np.arange(len(before))
    back, low = np.where(before < 0, here, before), np.where(before < 0, -1, order)
    doublings = int(np.ceil(np.log2(len(before) + 1))) + 1
    for _ in range(doublings):
        low = np.minimum(low, low[back])
        back = back[back]
    ring = low >= 0
    first = (before < 0) | (ring & (order == low))
    back = np.where(first, here, before)
    rank = np.where(first, 0, 1)
    for _ in range(doublings):
        rank = rank + rank[back]
        back = back[back]
    return Chains(back, rank, ring)


def connected(one: NDArray[np.int64], other: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return for each thing the lowest number of those that it hangs together with, shape (count,).

    Args:
        one: of each pair of things that belong together, the one, shape (p,).
        other: and the other; the order of the two does not matter.
        count: of the things.
    """
    label = np.arange(count)
    while True:
        lower = label.copy()
        np.minimum.at(lower, one, label[other])
        np.minimum.at(lower, other, label[one])
        lower = lower[lower]
        if np.array_equal(lower, label):
            return label
        label = lower
