"""Makes evidence of the plain forms: yes or no, at least, at most, beyond, apart, a size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from geocheck.check.columns import BASES
from geocheck.check.evidence import Act, Ask, Evidence, Unit
from geocheck.check.judge import EPSILON, Flag, tolerance_m
from geocheck.check.weigh import weigh

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Known
    from geocheck.check.question import Question
    from geocheck.check.seen import Seen
    from geocheck.model.words import Basis

CONTACT: Final = -np.inf
"""Margin of an overlap: how deep it is does not matter, and nothing is worse."""

NO: Final = -1e-6
"""Margin of a plain "no": a breach, but of a rule's tests one that measures is the worse to show."""


class Distance(NamedTuple):
    """A distance by the user's word and by the map, which is None where none was given."""

    known: Known
    seen: Seen | None

    def less(self, limit_m: float) -> NDArray[np.float64] | None:
        """Return by how much the map's rows exceed a limit."""
        return None if self.seen is None else self.seen.rows.value_m - limit_m


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
    question: Question,
    distance: Distance,
    limit_m: float,
    ask: Ask,
    *,
    assumed: bool = False,
) -> Evidence:
    """Make the evidence of a distance that must be at least `limit_m`."""
    column = _told_at_least(question, distance.known, limit_m, ask)
    if assumed:
        flags = (column.flags | np.uint8(Flag.SOFT)).astype(np.uint8)
        column = replace(column, flags=flags, assumed=True)
    return weigh(column, distance.seen, distance.less(limit_m))


def _told_at_least(question: Question, known: Known, limit_m: float, ask: Ask) -> Evidence:
    limit = np.full(len(known.low), limit_m)
    return _bounded(question, (known.low - limit, known.high - limit), known, limit, ask)


def beyond(question: Question, distance: Distance, assumed_m: float, ask: Ask) -> Evidence:
    """Make the evidence of a distance that must exceed the service's own `assumed_m`, else `conditional`."""
    known = distance.known
    column = _told_at_least(question, known, assumed_m, ask)
    column = replace(column, flags=(column.flags | np.uint8(Flag.SOFT)).astype(np.uint8), assumed=True)
    settled = (known.low > assumed_m) | (known.high <= assumed_m)
    margin = np.where(known.low > assumed_m, known.low - assumed_m, known.high - assumed_m + NO)
    flags = np.where(settled, column.flags | Flag.KNOWN, column.flags & ~np.uint8(Flag.KNOWN))
    basis = np.where(settled, known.basis, -1).astype(np.int8)
    column = replace(column, margin=margin, flags=flags.astype(np.uint8), basis=basis, tolerance=0.0)
    less = distance.less(assumed_m)
    return weigh(column, distance.seen, None if less is None else less + NO)


def at_most(question: Question, distance: Distance, limit_m: float, ask: Ask) -> Evidence:
    """Make the evidence of a distance that must be at most `limit_m`."""
    known = distance.known
    limit = np.full(len(known.low), limit_m)
    column = _bounded(question, (limit - known.high, limit - known.low), known, limit, ask)
    less = distance.less(limit_m)
    return weigh(replace(column, sense="max"), distance.seen, None if less is None else -less)


def apart(question: Question, distance: Distance, ask: Ask) -> Evidence:
    """Make the evidence of an overlap that must not be: a distance of 0 is contact and a breach."""
    known = distance.known
    limit = np.zeros(len(known.low))
    low = np.where(known.low > 0, known.low, CONTACT)
    high = np.where(known.high > 0, known.high, CONTACT)
    column = replace(_bounded(question, (low, high), known, limit, ask), sense="apart")
    return weigh(column, distance.seen, overlap_margin(distance.seen, column.tolerance))


def overlap_margin(seen: Seen | None, tolerance: float) -> NDArray[np.float64] | None:
    """Return the margin of overlaps: of contact, where the place is sure, that of a breach."""
    if seen is None:
        return None
    sure_contact = (seen.rows.value_m <= 0) & (seen.rows.u_m <= tolerance)
    return np.where(sure_contact, CONTACT, seen.rows.value_m)


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
    # A value is shown when it is one, or when the one that is known convicts.
    exact = known.low == known.high
    taped = known.basis != BASES.index("observed")
    shown = np.where(np.isfinite(known.high) & taped & (exact | ~passes), known.high, np.nan)
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
