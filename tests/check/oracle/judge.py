"""From margins to outcomes, and from rows to the answer of a column."""

from __future__ import annotations

import math
from typing import NamedTuple

from geocheck.model.words import Outcome

SLACK_M = 1e-9
CONTACT = -math.inf


class Judged(NamedTuple):
    """A row with its margin, and what it gives; `soft` where a breach is `conditional` at most."""

    value_m: float
    u_m: float
    margin_m: float
    known: bool
    soft: bool


class Answer(NamedTuple):
    """What one column says; `measured` and `u` are one of those given (rows may tie), None where none is."""

    outcome: Outcome
    shown: frozenset[tuple[float, float]] | None


def tolerance_m(limit_m: float) -> float:
    """Return the tolerance for a limit: half a centimetre, a millimetre where the limit is below 0.10 m."""
    return 0.001 if limit_m < 0.10 else 0.005


def outcome_of(margin: float, u: float, tolerance: float, *, soft: bool) -> Outcome:
    """Judge a value of which the margin and the uncertainty are known."""
    open_m = u if u > tolerance else 0.0
    if margin < -max(open_m, tolerance) - SLACK_M:
        found = Outcome.VIOLATION
    elif open_m > 0 and margin <= open_m + SLACK_M:
        found = Outcome.BORDERLINE
    else:
        return Outcome.COMPLIANT
    return Outcome.CONDITIONAL if soft else found


def row_outcome(row: Judged, tolerance: float, *, strict: bool) -> Outcome:
    """Judge a row; what nobody knows matters where it may be in breach."""
    if row.known:
        return outcome_of(row.margin_m, row.u_m, tolerance, soft=row.soft or strict)
    if row.margin_m > max(row.u_m, tolerance) + SLACK_M:
        return Outcome.COMPLIANT
    return Outcome.CONDITIONAL if strict else Outcome.NOT_EVALUATED


def answer_of(rows: list[Judged], covered: bool, tolerance: float, *, strict: bool = False) -> Answer:  # noqa: FBT001
    """Return the worst of the rows; where none is in breach, what the empty rest of the layer tells.

    Args:
        rows: of one placement.
        covered: the layer holds all there is as far as the test reaches.
        tolerance: numerical.
        strict: a stricter reading, of which not knowing is `conditional`.
    """
    judged = [(row_outcome(row, tolerance, strict=strict), row) for row in rows]
    worst = max((code for code, _ in judged), default=Outcome.NOT_APPLICABLE)
    if worst > Outcome.COMPLIANT:
        in_breach = [row for code, row in judged if code == worst]
        least = min(row.margin_m for row in in_breach)
        tied = [row for row in in_breach if row.margin_m <= least + 1e-6]
        known = [row for row in tied if row.known]
        return Answer(worst, _shown(known) if known else None)
    nearest = min((row.value_m for row in rows if row.known), default=math.inf)
    shown = [row for row in rows if row.known and row.value_m <= nearest + 1e-6]
    nothing = Outcome.CONDITIONAL if strict else Outcome.NOT_EVALUATED
    return Answer(Outcome.COMPLIANT if covered else nothing, _shown(shown) if shown else None)


def _shown(rows: list[Judged]) -> frozenset[tuple[float, float]]:
    return frozenset((max(row.value_m, 0.0), row.u_m) for row in rows)
