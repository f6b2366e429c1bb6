"""Properties of the judge: what more room, more doubt or less knowledge may and may not change."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from geocheck.check.judge import Flag, outcome, p_violation, verdicts, worst_of_groups
from geocheck.model.words import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

unhurried = settings(deadline=None, max_examples=100)
TOLERANCES = st.sampled_from([0.0, 0.001, 0.005])
# Close numbers on purpose: limits, tolerances and uncertainties must meet.
LENGTHS = st.one_of(st.integers(-20, 20).map(lambda mm: mm / 1000), st.floats(-100, 100))
MARGINS = st.one_of(LENGTHS, st.sampled_from([-math.inf, math.inf]))
DOUBTS = st.one_of(st.integers(0, 20).map(lambda mm: mm / 1000), st.floats(0, 100))
FLAGS = st.integers(0, 15).map(Flag)
BETTER_TO_WORSE = [Verdict.NO_IMPEDIMENT_FOUND, Verdict.CONDITIONAL, Verdict.INCONCLUSIVE, Verdict.PROHIBITED]


def judged(margin: float, u: float, tolerance: float, flags: Flag) -> Outcome:
    code = outcome(np.array(margin), np.array(u), np.array(tolerance), np.array(flags, np.uint8))
    return Outcome(int(code))


@unhurried
@given(MARGINS, MARGINS, DOUBTS, TOLERANCES, FLAGS)
def test_more_margin_never_worsens(one: float, other: float, u: float, tolerance: float, flags: Flag) -> None:
    less, more = sorted((one, other))
    assert judged(more, u, tolerance, flags) <= judged(less, u, tolerance, flags)


@unhurried
@given(MARGINS, DOUBTS, DOUBTS, TOLERANCES, FLAGS)
def test_more_doubt_never_turns_a_pass_into_a_breach_or_back(
    margin: float, one: float, other: float, tolerance: float, flags: Flag
) -> None:
    pair = {judged(margin, one, tolerance, flags), judged(margin, other, tolerance, flags)}
    assert pair != {Outcome.VIOLATION, Outcome.COMPLIANT}


@unhurried
@given(MARGINS, DOUBTS, DOUBTS, TOLERANCES)
def test_more_doubt_never_settles_what_was_open(
    margin: float, one: float, other: float, tolerance: float
) -> None:
    less, more = sorted((one, other))
    flags = Flag.APPLIES | Flag.KNOWN
    if judged(margin, less, tolerance, flags) is Outcome.BORDERLINE:
        assert judged(margin, more, tolerance, flags) is Outcome.BORDERLINE


@unhurried
@given(MARGINS, DOUBTS, TOLERANCES, FLAGS, st.sampled_from(["flag", "margin", "u"]))
def test_what_is_not_known_is_never_settled(
    margin: float, u: float, tolerance: float, flags: Flag, missing: str
) -> None:
    flags |= Flag.APPLIES
    if missing == "flag":
        flags &= ~Flag.KNOWN
    margin = math.nan if missing == "margin" else margin
    u = math.nan if missing == "u" else u
    expected = Outcome.CONDITIONAL if Flag.STRICT in flags else Outcome.NOT_EVALUATED
    assert judged(margin, u, tolerance, flags) is expected


@unhurried
@given(MARGINS, DOUBTS, TOLERANCES, FLAGS, st.sampled_from([Flag.SOFT, Flag.STRICT]))
def test_soft_and_strict_tests_never_convict(
    margin: float, u: float, tolerance: float, flags: Flag, gentle: Flag
) -> None:
    got = judged(margin, u, tolerance, flags | gentle)
    assert got not in (Outcome.VIOLATION, Outcome.BORDERLINE)


@unhurried
@given(MARGINS, DOUBTS, TOLERANCES, FLAGS)
def test_softness_never_turns_a_breach_into_a_pass(
    margin: float, u: float, tolerance: float, flags: Flag
) -> None:
    hard = judged(margin, u, tolerance, flags & ~(Flag.SOFT | Flag.STRICT))
    soft = judged(margin, u, tolerance, flags)
    assert (soft is Outcome.COMPLIANT) == (hard is Outcome.COMPLIANT)


def matrix(rows: int, columns: int, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(st.lists(values, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@unhurried
@given(st.data())
def test_broadcasting_and_order_change_nothing(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    margin = np.array(data.draw(matrix(rows, columns, st.one_of(MARGINS, st.just(math.nan)))))
    u = np.array(data.draw(st.lists(DOUBTS, min_size=columns, max_size=columns)))
    tolerance = np.array(data.draw(st.lists(TOLERANCES, min_size=columns, max_size=columns)))
    flags = np.array(data.draw(matrix(rows, columns, FLAGS)), np.uint8)
    together = outcome(margin, u, tolerance, flags)
    for row in range(rows):
        for column in range(columns):
            alone = judged(margin[row, column], u[column], tolerance[column], Flag(int(flags[row, column])))
            assert together[row, column] == alone
    order = np.array(data.draw(st.permutations(range(rows))))
    assert (outcome(margin[order], u, tolerance, flags[order]) == together[order]).all()


def slow_worst(
    outcomes: list[int], margins: list[float], columns: range, stricter: list[bool]
) -> tuple[int, int]:
    """Find the worst of some columns by looking at them one by one; of equals the first."""
    best: tuple[int, float, int] | None = None
    for column in columns:
        # A margin that nobody knows, like one without end, comes after all others.
        margin = math.inf if math.isnan(margins[column]) else margins[column]
        # A stricter reading that passes says nothing that the primary one does not.
        if stricter[column] and outcomes[column] <= Outcome.COMPLIANT:
            margin = math.inf
        candidate = (-outcomes[column], margin, column)
        best = candidate if best is None else min(best, candidate)
    assert best is not None
    return -best[0], best[2]


@unhurried
@given(st.data())
def test_worst_of_groups_agrees_with_a_slow_search(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    edges = [0, *accumulate(sizes)]
    span = [range(first, last) for first, last in pairwise(edges)]
    rows = data.draw(st.integers(1, 3))
    margins = st.sampled_from([-math.inf, -2.0, -1e-6, 0.0, 0.5, 3.0, math.inf, math.nan])
    outcomes = np.array(data.draw(matrix(rows, edges[-1], st.sampled_from(Outcome))), np.uint8)
    margin = np.array(data.draw(matrix(rows, edges[-1], margins)), np.float64)
    stricter = data.draw(st.lists(st.booleans(), min_size=edges[-1], max_size=edges[-1]))
    worst, decider = worst_of_groups(outcomes, margin, span, np.array(stricter))
    for row in range(rows):
        slow = [
            slow_worst(outcomes[row].tolist(), margin[row].tolist(), columns, stricter) for columns in span
        ]
        assert list(zip(worst[row].tolist(), decider[row].tolist(), strict=True)) == slow


Finding = tuple[Outcome, bool, bool]
"""An outcome, whether its rule is critical, whether it counts."""


def one_verdict(rules: list[Finding], act_missing: NDArray[np.bool_]) -> Verdict:
    codes, critical, counts = (np.array(column) for column in zip(*rules, strict=True))
    return Verdict(verdicts(codes[None, :].astype(np.uint8), critical, counts, act_missing)[0])


RULES = st.lists(st.tuples(st.sampled_from(Outcome), st.booleans(), st.booleans()), min_size=1, max_size=8)


@unhurried
@given(RULES, st.booleans(), st.data())
def test_one_more_finding_never_betters_a_verdict(
    rules: list[Finding], act: object, data: st.DataObject
) -> None:
    act_missing = np.array([bool(act)])
    extra = data.draw(st.tuples(st.sampled_from(Outcome), st.booleans(), st.booleans()))
    before = one_verdict(rules, act_missing)
    after = one_verdict([*rules, extra], act_missing)
    assert BETTER_TO_WORSE.index(after) >= BETTER_TO_WORSE.index(before)
    if not extra[2]:
        assert after is before
    shuffled = data.draw(st.permutations(rules))
    assert one_verdict(shuffled, act_missing) is before


@unhurried
@given(st.floats(-50, 50), st.floats(0.01, 50))
def test_probability_is_that_of_a_normal_error(margin: float, u: float) -> None:
    sigma = u / NormalDist().inv_cdf(0.975)
    assert p_violation(margin, u) == pytest.approx(NormalDist(margin, sigma).cdf(0), abs=1e-9)
    assert p_violation(margin, u) + p_violation(-margin, u) == pytest.approx(1)


@unhurried
@given(st.floats(-5, 5), st.floats(0.001, 5), st.floats(0.01, 50))
def test_probability_falls_with_the_margin(margin: float, step: float, u: float) -> None:
    assume(abs(margin) < 5 * u)
    closer, farther = p_violation(margin, u), p_violation(margin + step, u)
    assert 0 <= farther <= closer <= 1


@pytest.mark.parametrize("swap", [lambda margin, u: (margin, 2 * u), lambda margin, u: (2 * margin, u)])
def test_probability_of_the_design_example_moves_the_right_way(
    swap: Callable[[float, float], tuple[float, float]],
) -> None:
    """Twice the doubt brings 5.4 m nearer to a coin's toss; twice the margin takes it away from one."""
    margin, u = swap(0.4, 1.2)
    assert (p_violation(margin, u) > p_violation(0.4, 1.2)) == (u > 1.2)
