"""Cuts the rims of faces at corners and street ends into runs, by pointer doubling instead of walking."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.offsets import Rim

TAPER_TURN_RAD: Final = np.radians(25) - 1e-4
"""A kerb that turns less where streets diverge is a taper, not a corner."""

_LEAST_TURN_RAD: Final = np.radians(5) - 1e-4
"""Below this the kerb runs straight on."""


class EndKind(IntEnum):
    """Why a block face ends where it does."""

    NONE = 0
    """It does not: a ring without a corner, cut open at one vertex."""
    CORNER = 1
    TAPER = 2
    DEAD_END = 3
    CUT = 4
    """An arm is or may be missing: what lies beyond is not known."""
    BEND_WITH_OTHER_NAME = 5
    COVERED = 6
    """It runs into another carriageway (a painted median, a gore): where the kerb goes is not known."""


class Runs(NamedTuple):
    """r runs of half-edges, in order along the kerb.

    Attributes:
        edge: half-edges by run, shape (e,).
        start: run k has `edge[start[k]:start[k + 1]]`, shape (r + 1,).
        of_edge: the run of each half-edge, -1 where it has no kerb, shape (h,).
    """

    edge: NDArray[np.int64]
    start: NDArray[np.int64]
    of_edge: NDArray[np.int64]


def joint_kinds(rim: Rim, cut: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the `EndKind` of the joint after each half-edge, `NONE` where the kerb runs on, shape (h,).

    Args:
        rim: the kerbs.
        cut: whether an arm is missing at the node that each half-edge reaches, shape (h,).
    """
    dead = rim.after == np.arange(len(rim.after)) ^ 1
    right = rim.turn
    # Lines side by side that run back to back after what was between them collapsed: their streets overlap.
    tip = rim.step & (right > np.pi / 2)
    kind = np.select(
        [
            dead & cut,
            rim.joints.unknown,
            dead,
            rim.joints.corner & tip,
            rim.joints.corner & (right >= TAPER_TURN_RAD),
            rim.joints.corner & (right >= _LEAST_TURN_RAD),
            rim.joints.elbow,
        ],
        [
            EndKind.CUT,
            EndKind.CUT,
            EndKind.DEAD_END,
            EndKind.COVERED,
            EndKind.CORNER,
            EndKind.TAPER,
            EndKind.BEND_WITH_OTHER_NAME,
        ],
        EndKind.NONE,
    )
    return np.where(rim.alive, kind, EndKind.NONE).astype(np.int64)


def runs_between(rim: Rim, kinds: NDArray[np.int64]) -> Runs:
    """Cut the rims after every half-edge whose joint has a kind; rings without one at their lowest vertex."""
    size = len(kinds)
    edge = np.flatnonzero(rim.alive)
    head = rim.alive & (kinds[rim.before] != EndKind.NONE)
    head |= _ring_heads(rim, head)
    back = np.where(head | ~rim.alive, np.arange(size), rim.before)
    steps = (back != np.arange(size)).astype(np.int64)
    while True:
        further = back[back]
        if np.array_equal(further, back):
            break
        steps += steps[back]
        back = further
    edge = edge[np.lexsort((steps[edge], back[edge]))]
    first = np.flatnonzero(head[edge])
    of_edge = np.full(size, -1, np.int64)
    of_edge[edge] = np.cumsum(head[edge]) - 1
    return Runs(edge, np.append(first, len(edge)), of_edge)


def _ring_heads(rim: Rim, head: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return one head for each ring that has none: the half-edge that begins at the lowest place."""
    size = len(head)
    here = np.arange(size)
    back = np.where(head | ~rim.alive, here, rim.before)
    reached = head.copy()
    for _ in range(int(np.ceil(np.log2(size + 1))) + 1):
        reached |= reached[back]
        back = back[back]
    ring = rim.alive & ~reached
    found = np.zeros(size, bool)
    if not ring.any():
        return found
    rank = np.empty(size, np.int64)
    rank[np.lexsort((rim.begin[:, 1], rim.begin[:, 0]))] = here
    best = np.where(ring, rank, size)
    back = np.where(ring, rim.before, here)
    for _ in range(int(np.ceil(np.log2(size + 1))) + 1):
        best = np.minimum(best, best[back])
        back = back[back]
    found[ring] = rank[ring] == best[ring]
    return found
