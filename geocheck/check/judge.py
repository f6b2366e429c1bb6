"""The one judging function: from margins and what is known to outcomes, findings and verdicts (DESIGN §6)."""

from __future__ import annotations

import math
from enum import IntFlag
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.model.words import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

EPSILON: Final = 1e-9
"""Slack for binary fractions, far below any tolerance."""

SIGMAS_OF_95: Final = 1.959963984540054
"""An accuracy is the half-width of a 95 % interval: this many standard deviations."""


class Flag(IntFlag):
    """What is known of a test at a spot, besides its margin.

    APPLIES: the test concerns this place, side, time and skip.
    KNOWN: the margin is decided by what is known.
    SOFT: what is not surely passed is `conditional` (assumed metres, unknown side or attribute, an act
        of the authority that is not held).
    STRICT: a stricter reading: also SOFT, and not knowing is `conditional` too.
    """

    APPLIES = 1
    KNOWN = 2
    SOFT = 4
    STRICT = 8


# Plain numbers: a look-up of an enumeration's member costs more than the arithmetic on one placement.
_NOT_APPLICABLE, _COMPLIANT, _CONDITIONAL, _NOT_EVALUATED, _BORDERLINE, _VIOLATION = (
    np.uint8(code) for code in sorted(Outcome)
)
APPLIES, KNOWN, SOFT, STRICT = (np.uint8(flag) for flag in (Flag.APPLIES, Flag.KNOWN, Flag.SOFT, Flag.STRICT))


_LAST: Final = float(np.finfo(np.float64).max)


def tolerance_m(limit_m: float) -> float:
    """Return the numerical tolerance in metres for a limit in metres: 5 mm, or 1 mm below 0.10 m.

    Source: the conventions of measuring (binary fractions and 1:1 drawings do not decide).
    """
    return 0.001 if limit_m < 0.10 else 0.005  # noqa: PLR2004 (the convention's own number)


def outcome(
    margin: NDArray[np.float64],
    u: NDArray[np.float64],
    tolerance: NDArray[np.float64],
    flags: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """Turn margins into outcomes; all arguments broadcast to one shape.

    Args:
        margin: how far the value is on the right side of its limit (≥ 0 passes), in the test's unit.
        u: half-width of the 95 % interval of the value, same unit; 0 for values judged as stated.
        tolerance: numerical tolerance, same unit.
        flags: bits of `Flag`.

    Returns:
        Codes of `Outcome`. With u above the tolerance a value is a violation below −u and open up to
        +u; otherwise the tolerance alone decides.
    """
    applies, known = (flags & APPLIES) != 0, (flags & KNOWN) != 0
    strict = (flags & STRICT) != 0
    soft = strict | ((flags & SOFT) != 0)
    uncertain = u > tolerance
    fails = margin < -np.where(uncertain, u, tolerance) - EPSILON
    is_open = uncertain & ~fails & (margin <= u + EPSILON)
    judged = np.where(fails, _VIOLATION, np.where(is_open, _BORDERLINE, _COMPLIANT))
    judged = np.where(soft & (judged > _COMPLIANT), _CONDITIONAL, judged)
    unknown = np.where(strict, _CONDITIONAL, _NOT_EVALUATED)
    # A margin that is not a number is not known, whatever its flags say: never a silent pass.
    decided = known & ~np.isnan(margin) & ~np.isnan(u)
    return np.where(applies, np.where(decided, judged, unknown), _NOT_APPLICABLE).astype(np.uint8)


def p_violation(margin: float, u: float) -> float:
    """Return the probability that the true value breaks the limit, for a normal error of 95 % half-width u.

    Args:
        margin: of the measured value.
        u: more than 0, same unit.
    """
    return math.erfc(margin * SIGMAS_OF_95 / u / math.sqrt(2)) / 2


def worst_of_groups(
    outcomes: NDArray[np.uint8],
    margin: NDArray[np.float64],
    span: Sequence[range],
    stricter: NDArray[np.bool_],
) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Reduce tests to rules: the worst outcome, and the test that gives it.

    Args:
        outcomes: placements × tests.
        margin: placements × tests; among equal outcomes the smallest margin is the worst.
        span: for each rule, the numbers of its columns; none is empty.
        stricter: for each test, whether it is a stricter reading: one that passes decides nothing.

    Returns:
        Outcome by placement × rule, and the column number of the deciding test.
    """
    begin = np.array([columns.start for columns in span], np.intp)
    group = np.repeat(np.arange(len(span)), [len(columns) for columns in span])
    worst = np.maximum.reduceat(outcomes, begin, axis=1)
    # An unknown margin comes after every known one, but before the columns of a lesser outcome.
    gap = np.nan_to_num(margin, nan=_LAST)
    gap = np.where(stricter & (outcomes <= _COMPLIANT), _LAST, gap)
    gap = np.where(outcomes == worst[:, group], gap, np.inf)
    least = np.minimum.reduceat(gap, begin, axis=1)[:, group]
    column = np.where(gap == least, np.arange(outcomes.shape[1]), outcomes.shape[1])
    return worst, np.minimum.reduceat(column, begin, axis=1)


def verdicts(
    rules: NDArray[np.uint8],
    critical: NDArray[np.bool_],
    counts: NDArray[np.bool_],
    act_missing: NDArray[np.bool_],
) -> NDArray[np.object_]:
    """Return the verdict of each placement.

    Args:
        rules: outcomes, placements × rules.
        critical: whether not knowing leaves the verdict open, by rule or by placement × rule.
        counts: for each rule, whether it counts at all (a second opinion does not).
        act_missing: for each placement, whether an act it needs is not held.
    """
    counted = np.where(counts, rules, _NOT_APPLICABLE)
    unsettled = (counted == _BORDERLINE) | (counted == _NOT_EVALUATED)
    prohibited = (counted == _VIOLATION).any(axis=1)
    inconclusive = (unsettled & critical).any(axis=1)
    conditional = (counted == _CONDITIONAL).any(axis=1) | act_missing
    answer = np.full(len(rules), Verdict.NO_IMPEDIMENT_FOUND, object)
    answer[conditional] = Verdict.CONDITIONAL
    answer[inconclusive] = Verdict.INCONCLUSIVE
    answer[prohibited] = Verdict.PROHIBITED
    return answer
