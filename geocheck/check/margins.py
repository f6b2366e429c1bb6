"""Makes evidence of the plain forms: yes or no, at least, at most, beyond, apart, a size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from geocheck.check.columns import BASES
from geocheck.check.evidence import Act, Ask, Evidence, Mapped, Unit
from geocheck.check.judge import EPSILON, KNOWN, tolerance_m
from geocheck.model.words import Basis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Known
    from geocheck.check.evidence import Sense
    from geocheck.check.question import Question
    from geocheck.check.seen import Seen

CONTACT: Final = -np.inf
"""Margin of an overlap: how deep it is does not matter, and nothing is worse."""

NO: Final = -1e-6
"""Margin of a plain "no": a breach, but of a rule's tests one that measures is the worse to show."""

_OBSERVED: Final = BASES.index(Basis.OBSERVED)


class Distance(NamedTuple):
    """A distance by the user's word and by the map, which is None where none was given."""

    known: Known
    seen: Seen | None


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
    flags = question.flags(ask.layer) | (known * KNOWN) | np.asarray(extra_flags, np.uint8)
    nothing = question.placements.nothing
    return Evidence(
        question,
        margin=np.where(state == 1, np.inf, NO),
        u=question.placements.constant(0.0),
        tolerance=0.0,
        flags=flags.astype(np.uint8),
        measured=nothing,
        limit=nothing,
        unit="none",
        sense="none",
        basis=np.where(known, BASES.index(basis), -1).astype(np.int8),
        ask=ask,
        act=act,
    )


def at_least(
    question: Question, distance: Distance, limit_m: float, ask: Ask, *, assumed: bool = False
) -> Evidence:
    """Make the evidence of a distance that must be at least `limit_m`."""
    column = _bounded(question, distance.known, limit_m, ask, "min")
    seen = distance.seen
    column = column if seen is None else with_map(column, seen, seen.rows.value_m - limit_m)
    return column._replace(assumed=True).softened() if assumed else column


def beyond(question: Question, distance: Distance, assumed_m: float, ask: Ask) -> Evidence:
    """Make the evidence of a distance that must exceed the service's own `assumed_m`, else `conditional`."""
    known = distance.known
    column = _bounded(question, known, assumed_m, ask, "min")
    if known is question.placements.silence:
        return _assumed(column._replace(tolerance=0.0), distance.seen, assumed_m)
    settled = (known.low > assumed_m) | (known.high <= assumed_m)
    margin = np.where(known.low > assumed_m, known.low - assumed_m, known.high - assumed_m + NO)
    flags = np.where(settled, column.flags | KNOWN, column.flags & ~KNOWN)
    basis = np.where(settled, known.basis, -1).astype(np.int8)
    column = column._replace(margin=margin, flags=flags.astype(np.uint8), basis=basis, tolerance=0.0)
    return _assumed(column, distance.seen, assumed_m)


def _assumed(column: Evidence, seen: Seen | None, assumed_m: float) -> Evidence:
    column = column if seen is None else with_map(column, seen, seen.rows.value_m - assumed_m + NO)
    return column._replace(assumed=True).softened()


def at_most(question: Question, distance: Distance, limit_m: float, ask: Ask) -> Evidence:
    """Make the evidence of a distance that must be at most `limit_m`."""
    column = _bounded(question, distance.known, limit_m, ask, "max")
    seen = distance.seen
    return column if seen is None else with_map(column, seen, limit_m - seen.rows.value_m)


def apart(question: Question, distance: Distance, ask: Ask) -> Evidence:
    """Make the evidence of an overlap that must not be: a distance of 0 is contact and a breach."""
    column = _bounded(question, distance.known, 0.0, ask, "apart")
    seen = distance.seen
    return column if seen is None else with_map(column, seen, overlap_margin(seen, column.tolerance))


def overlap_margin(seen: Seen, tolerance: float) -> NDArray[np.float64]:
    """Return the margin of overlaps: of contact, where the place is sure, that of a breach."""
    sure_contact = (seen.rows.value_m <= 0) & (seen.rows.u_m <= tolerance)
    return np.where(sure_contact, CONTACT, seen.rows.value_m)


def with_map(
    column: Evidence, seen: Seen, margin: NDArray[np.float64], limit: NDArray[np.float64] | None = None
) -> Evidence:
    """Put what the map shows beside the user's word (see `weigh`).

    Args:
        column: by the user's word.
        seen: by the map.
        margin: of each row of `seen`.
        limit: of each row, where it is not that of the column.
    """
    layer = column.ask.layer if column.ask is not None else None
    return column._replace(mapped=Mapped(seen, margin, column.question.map_flags(layer), limit))


def size(
    question: Question, value: NDArray[np.float64], limit: float, sign: Literal[1, -1], unit: Unit, ask: Ask
) -> Evidence:
    """Make the evidence of a size judged as stated: at least (`sign` 1) or at most (−1) a limit."""
    missing = np.isnan(value)
    flags = question.flags() | np.where(missing, 0, KNOWN).astype(np.uint8)
    return Evidence(
        question,
        margin=sign * (value - limit),
        u=question.placements.constant(0.0),
        tolerance=tolerance_m(limit) if unit == "m" else EPSILON,
        flags=flags.astype(np.uint8),
        measured=value,
        limit=question.placements.constant(limit),
        unit=unit,
        sense="min" if sign > 0 else "max",
        basis=np.where(missing, -1, BASES.index(Basis.DECLARED)).astype(np.int8),
        ask=ask,
    )


def _bounded(question: Question, known: Known, limit_m: float, ask: Ask, sense: Sense) -> Evidence:
    """Decide from the least and greatest margin that what is known allows."""
    flags = question.flags(ask.layer)
    tolerance, limit = tolerance_m(limit_m), question.placements.constant(limit_m)
    if known is question.placements.silence:
        placements = question.placements
        nothing, zero, unknown = placements.nothing, placements.constant(0.0), placements.unknown
        return Evidence(
            question, nothing, zero, tolerance, flags, nothing, limit, "m", sense, unknown, ask=ask
        )
    least, greatest = _margins(known, limit_m, sense)
    passes = least >= -tolerance - EPSILON
    fails = greatest < -tolerance - EPSILON
    settled = passes | fails
    # A value is shown when it is one, or when the one that is known convicts.
    exact = known.low == known.high
    shown = np.isfinite(known.high) & (known.basis != _OBSERVED) & (exact | ~passes)
    return Evidence(
        question,
        margin=np.where(passes, least, greatest),
        u=question.placements.constant(0.0),
        tolerance=tolerance,
        flags=(flags | (settled * KNOWN)).astype(np.uint8),
        measured=np.where(shown, known.high, np.nan),
        limit=limit,
        unit="m",
        sense=sense,
        basis=np.where(settled, known.basis, -1).astype(np.int8),
        ask=ask,
    )


def _margins(known: Known, limit_m: float, sense: Sense) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and the greatest margin."""
    if sense == "max":
        return limit_m - known.high, limit_m - known.low
    if sense == "apart":
        return np.where(known.low > 0, known.low, CONTACT), np.where(known.high > 0, known.high, CONTACT)
    return known.low - limit_m, known.high - limit_m
