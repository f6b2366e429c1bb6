"""On which side of a surveyed kerb the block is: declared, told by a ring, or guessed from its corners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.ragged import owners
from geocheck.city.streets.kerbs import LEFT, RIGHT
from geocheck.city.surveyed.turns import TurnKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.surveyed.lines import Chains
    from geocheck.city.surveyed.turns import Turns

UNKNOWN: Final = 0
"""Stands for `kerbs.LEFT` or `kerbs.RIGHT` where nobody says."""


class BlockSides(NamedTuple):
    """Sides of k chains.

    Attributes:
        block: `LEFT`, `RIGHT` or `UNKNOWN` of the chain as it runs, shape (k,).
        known: declared, or told by a ring, shape (k,).
        contradicted: chains whose features were declared with different sides; the longer part counts.
    """

    block: NDArray[np.int64]
    known: NDArray[np.bool_]
    contradicted: int


def block_sides(chains: Chains, turns: Turns, carriageway: NDArray[np.int64]) -> BlockSides:
    """Tell on which side of each chain the block is.

    A ring has it inside. Of an open line it is guessed: most corners of a kerb turn round the block.

    Args:
        chains: surveyed kerbs.
        turns: of theirs.
        carriageway: side of the carriageway of each feature as drawn, shape (n,).
    """
    count = len(chains)
    chain = owners(chains.edge_start)
    inner = np.ones(max(len(chains.xy) - 1, 0), bool)
    inner[chains.start[1:-1] - 1] = False
    length = np.hypot(*(chains.xy[1:] - chains.xy[:-1]).T)[inner] if count else np.empty(0)
    said = carriageway[chains.row] * chains.along
    weight = np.bincount(chain, said * length, count)
    contradicted = np.bincount(chain[said > 0], minlength=count) * np.bincount(
        chain[said < 0], minlength=count
    )
    declared = -np.sign(weight).astype(np.int64)
    corner = turns.kind == TurnKind.CORNER
    to_left = np.bincount(turns.chain[corner], np.sign(turns.turn_rad[corner]), count)
    guess = (np.sign(to_left) * LEFT).astype(np.int64)
    told = np.where(declared != UNKNOWN, declared, np.where(chains.ring, RIGHT, UNKNOWN))
    return BlockSides(
        block=np.where(told != UNKNOWN, told, guess),
        known=told != UNKNOWN,
        contradicted=int(np.count_nonzero(contradicted)),
    )
