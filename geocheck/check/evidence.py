"""What one test yields for many placements: margins, flags, values to show, and what to ask when unknown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from geocheck.check.columns import BASES
from geocheck.check.judge import EPSILON, Flag, tolerance_m

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.check.bind import BoundRule
    from geocheck.check.columns import Known, Placements
    from geocheck.cities import City
    from geocheck.law.calendar import Calendar
    from geocheck.law.clock import ZoneClock
    from geocheck.law.kinds import RuleTest
    from geocheck.model.words import Basis

CONTACT: Final = -1.0
"""Margin of an overlap, in metres: how deep it is does not matter."""

NO: Final = -1e-6
"""Margin of a plain "no": a breach, but of a rule's tests one that measures is the worse to show."""

TAPE_ACCURACY_M: Final = 0.05
"""Half-width within which a taped value is said to lie at its limit."""

Unit = Literal["m", "m3", "deg", "count", "s", "none"]
Sense = Literal["min", "max", "apart", "none"]


@dataclass(frozen=True, slots=True)
class Question:
    """The test put to the evidence: where it stands in the law and for whom it is asked.

    Attributes:
        rule: the bound rule.
        number: its number among the bound rules.
        test: one of its tests.
        placements: the columns.
        city: for its largest footway.
        calendar: of the city.
        clock: of the city.
    """

    rule: BoundRule
    number: int
    test: RuleTest
    placements: Placements
    city: City
    calendar: Calendar
    clock: ZoneClock

    @property
    def allowing(self) -> float:
        """Metres beyond which no stricter corner reading can fail: the city's largest footway."""
        return self.city.max_footway_m

    def flags(self, layer: str | None = None) -> NDArray[np.uint8]:
        """Return APPLIES by place and attribute, SOFT and STRICT as the test and the attribute say.

        Args:
            layer: the one of the test's layers that a column looks at; none: whatever they have in common.
        """
        places = self.test.where or self.rule.rule.where
        flags = np.where(self.placements.at(places), Flag.APPLIES, 0).astype(np.uint8)
        if self.test.reading != "primary":
            flags |= np.uint8(Flag.STRICT)
        if self.test.on_breach == "conditional":
            flags |= np.uint8(Flag.SOFT)
        layers = (layer,) if layer in self.test.layers else self.test.layers
        return self._heed_attribute(flags, layers)

    def _heed_attribute(self, flags: NDArray[np.uint8], layers: Sequence[str]) -> NDArray[np.uint8]:
        when = self.test.when
        if when is None:
            return flags
        columns = [self.placements.attribute(layer, when.attribute) for layer in layers]
        for row in range(len(flags)):
            value = next((column[row] for column in columns if column[row] is not None), None)
            if value is None:
                fits = when.unknown != "skip"
                if when.unknown == "soft":
                    flags[row] |= Flag.SOFT
            else:
                fits = value in when.is_ if when.is_ is not None else value not in (when.is_not or ())
            if not fits:
                flags[row] &= ~np.uint8(Flag.APPLIES)
        return flags


@dataclass(frozen=True, slots=True)
class Ask:
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


@dataclass(frozen=True, slots=True)
class Act:
    """An act that a test asks for: its kind, who needs it and who holds it (boolean columns)."""

    kind: Literal["authorisation", "fee"]
    needed: NDArray[np.bool_]
    held: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Evidence:
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

    @property
    def marginal(self) -> NDArray[np.bool_]:
        """Whether a taped value lies at its limit within the tape's accuracy."""
        if self.unit != "m":
            return np.zeros(len(self.margin), bool)
        taped = self.basis == BASES.index("measured")
        known = (self.flags & Flag.KNOWN) != 0
        return np.asarray(taped & known & (np.abs(self.margin) <= TAPE_ACCURACY_M + EPSILON))


def decided(
    question: Question,
    state: NDArray[np.float64],
    basis: Basis,
    ask: Ask,
    *,
    extra_flags: NDArray[np.uint8] | np.uint8 | int = 0,
    act: Act | None = None,
) -> Evidence:
    """Make the evidence of a test that knows only yes (1), no (0) and unknown (NaN).

    Args:
        question: the test.
        state: shape (n,).
        basis: of the known ones.
        ask: what to tell when unknown.
        extra_flags: more bits to set (for instance SOFT where an act may heal).
        act: what must be held.
    """
    known = ~np.isnan(state)
    flags = question.flags(ask.layer) | np.where(known, Flag.KNOWN, 0).astype(np.uint8)
    flags = (flags | np.asarray(extra_flags, np.uint8)).astype(np.uint8)
    nothing = np.full(len(state), np.nan)
    return Evidence(
        question,
        margin=np.where(state == 1, np.inf, NO),
        u=np.zeros(len(state)),
        tolerance=0.0,
        flags=flags,
        measured=nothing,
        limit=nothing,
        unit="none",
        sense="none",
        basis=np.where(known, BASES.index(basis), -1).astype(np.int8),
        ask=ask,
        act=act,
    )


def at_least(
    question: Question, known: Known, limit_m: float, ask: Ask, *, assumed: bool = False
) -> Evidence:
    """Make the evidence of a distance that must be at least `limit_m`."""
    limit = np.full(len(known.low), limit_m)
    column = _bounded(question, (known.low - limit, known.high - limit), known, limit, ask)
    if not assumed:
        return column
    flags = (column.flags | np.uint8(Flag.SOFT)).astype(np.uint8)
    return replace(column, flags=flags, assumed=True)


def beyond(question: Question, known: Known, assumed_m: float, ask: Ask) -> Evidence:
    """Make the evidence of a distance that must exceed the service's own `assumed_m`, else `conditional`."""
    column = at_least(question, known, assumed_m, ask, assumed=True)
    settled = (known.low > assumed_m) | (known.high <= assumed_m)
    margin = np.where(known.low > assumed_m, known.low - assumed_m, known.high - assumed_m + NO)
    flags = np.where(settled, column.flags | Flag.KNOWN, column.flags & ~np.uint8(Flag.KNOWN))
    basis = np.where(settled, known.basis, -1).astype(np.int8)
    return replace(column, margin=margin, flags=flags.astype(np.uint8), basis=basis, tolerance=0.0)


def at_most(question: Question, known: Known, limit_m: float, ask: Ask) -> Evidence:
    """Make the evidence of a distance that must be at most `limit_m`."""
    limit = np.full(len(known.low), limit_m)
    column = _bounded(question, (limit - known.high, limit - known.low), known, limit, ask)
    return replace(column, sense="max")


def apart(question: Question, known: Known, ask: Ask) -> Evidence:
    """Make the evidence of an overlap that must not be: a distance of 0 is contact and a breach."""
    limit = np.zeros(len(known.low))
    low = np.where(known.low > 0, known.low, CONTACT)
    high = np.where(known.high > 0, known.high, CONTACT)
    return replace(_bounded(question, (low, high), known, limit, ask), sense="apart")


def size(
    question: Question, value: NDArray[np.float64], limit: float, sign: Literal[1, -1], unit: Unit, ask: Ask
) -> Evidence:
    """Make the evidence of a size judged as stated: at least (`sign` 1) or at most (−1) a limit."""
    missing = np.isnan(value)
    flags = question.flags() | np.where(missing, 0, Flag.KNOWN).astype(np.uint8)
    return Evidence(
        question,
        margin=sign * (value - limit),
        u=np.zeros(len(value)),
        tolerance=tolerance_m(limit) if unit == "m" else EPSILON,
        flags=flags.astype(np.uint8),
        measured=value,
        limit=np.full(len(value), limit),
        unit=unit,
        sense="min" if sign > 0 else "max",
        basis=np.where(missing, -1, BASES.index("declared")).astype(np.int8),
        ask=ask,
    )


def _bounded(
    question: Question,
    margins: tuple[NDArray[np.float64], NDArray[np.float64]],
    known: Known,
    limit: NDArray[np.float64],
    ask: Ask,
) -> Evidence:
    """Decide from the least and greatest margin that what is known allows."""
    least, greatest = margins
    tolerance = tolerance_m(float(limit[0])) if len(limit) else 0.0
    passes = least >= -tolerance - EPSILON
    fails = greatest < -tolerance - EPSILON
    settled = passes | fails
    flags = question.flags(ask.layer) | np.where(settled, Flag.KNOWN, 0).astype(np.uint8)
    shown = np.where(known.taped, np.minimum(known.low, known.high), np.nan)
    one_sided = np.isfinite(known.high) & ~known.taped & (known.basis == BASES.index("measured"))
    planned = known.basis == BASES.index("plan")
    shown = np.where(one_sided | planned, known.high, shown)
    return Evidence(
        question,
        margin=np.where(passes, least, greatest),
        u=np.zeros(len(least)),
        tolerance=tolerance,
        flags=flags.astype(np.uint8),
        measured=shown,
        limit=limit,
        unit="m",
        sense="min",
        basis=np.where(settled, known.basis, -1).astype(np.int8),
        ask=ask,
    )
