"""What one test yields for many placements: margins, flags, values to show, and what to ask when unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from geocheck.check.columns import BASES
from geocheck.check.judge import APPLIES, EPSILON, SOFT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.check.question import Question
    from geocheck.check.seen import Seen


TAPE_ACCURACY_M: Final = 0.05
"""Half-width within which a taped value is said to lie at its limit."""

Unit = Literal["m", "m3", "deg", "count", "s", "none"]
Sense = Literal["min", "max", "apart", "none"]


class Ask(NamedTuple):
    """What would settle a test that is not known.

    Attributes:
        action: `look` on site, `measure` with a tape, or `tell` (a fact, a date, a size).
        layer: what to look for.
        keys: what to measure or tell, as the request names it.
        reach_m: how far to look.
    """

    action: Literal["look", "measure", "tell"]
    layer: str | None = None
    keys: tuple[str, ...] = ()
    reach_m: float | None = None


class Act(NamedTuple):
    """An act that a test asks for: its kind, who needs it and who holds it (boolean columns)."""

    kind: Literal["authorisation", "fee"]
    needed: NDArray[np.bool_]
    held: NDArray[np.bool_]


class Mapped(NamedTuple):
    """What the map shows for a column.

    Attributes:
        seen: pairs of skip and feature.
        margin: of each of them, in the column's unit.
        flags: bits of `Flag` for each placement, as far as the map's features go by them.
        limit: of each pair, None where it is that of the column.
    """

    seen: Seen
    margin: NDArray[np.float64]
    flags: NDArray[np.uint8]
    limit: NDArray[np.float64] | None = None


class Evidence(NamedTuple):
    """One column of the matrix placements × tests.

    Attributes:
        question: the test asked.
        margin: ≥ 0 passes, in `unit`.
        u: half-width of the 95 % interval of the value.
        tolerance: numerical, in `unit`.
        flags: bits of `Flag`.
        measured: the value to show, NaN when there is none.
        limit: its limit, NaN when there is none; a column, since a limit may depend on the spot.
        unit: of measured and limit.
        sense: whether the limit is the least or the greatest value allowed, or any distance at all.
        basis: index into `BASES`, −1 when nothing is known.
        assumed: the limit is the service's own number.
        ask: what would settle it.
        act: what must be held.
        critical: not knowing this test leaves the verdict open even where its rule does not.
        mapped: what the map shows for it, None where no map was given.
        shown: row of `mapped` that `measured` comes from, −1 where it comes from the user's word.
    """

    question: Question
    margin: NDArray[np.float64]
    u: NDArray[np.float64]
    tolerance: float
    flags: NDArray[np.uint8]
    measured: NDArray[np.float64]
    limit: NDArray[np.float64]
    unit: Unit
    sense: Sense
    basis: NDArray[np.int8]
    assumed: bool = False
    ask: Ask | None = None
    act: Act | None = None
    critical: bool = False
    mapped: Mapped | None = None
    shown: NDArray[np.intp] | None = None

    def apart_from(self, rows: NDArray[np.bool_]) -> Evidence:
        """Return the same, of no concern to some placements."""
        return self._with_flags(lambda flags: np.where(rows, flags & ~APPLIES, flags))

    def softened(self) -> Evidence:
        """Return the same with breaches that are `conditional`."""
        return self._with_flags(lambda flags: flags | SOFT)

    def _with_flags(self, change: Callable[[NDArray[np.uint8]], NDArray[np.uint8]]) -> Evidence:
        mapped = self.mapped
        mapped = None if mapped is None else mapped._replace(flags=change(mapped.flags))
        return self._replace(flags=change(self.flags), mapped=mapped)

    @property
    def marginal(self) -> NDArray[np.bool_]:
        """Whether a taped value lies at its limit within the tape's accuracy."""
        if self.unit != "m":
            return np.zeros(len(self.margin), bool)
        taped = self.basis == BASES.index("measured")
        applies = (self.flags & APPLIES) != 0
        return np.asarray(taped & applies & (np.abs(self.measured - self.limit) <= TAPE_ACCURACY_M + EPSILON))
