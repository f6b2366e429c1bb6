"""The judging function as a table: every combination against plain ifs, rows by hand, and the verdict."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from geocheck.check.judge import Flag, outcome, p_violation, tolerance_m, verdicts, worst_of_groups
from geocheck.model.words import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

NAN, INF = math.nan, math.inf
TOLERANCES = (0.0, 0.001, 0.005)
UNCERTAINTIES = (0.0, 0.0005, 0.003, 0.005, 0.2, INF, NAN)
FLAGS = [Flag(bits) for bits in range(16)]


def margins_around(u: float, tolerance: float) -> list[float]:
    """Return margins at, just beside, between and far from every limit of an outcome."""
    steps = {u, tolerance} - {INF, NAN}
    limits = [sign * step for step in steps for sign in (-1.0, 1.0) if not math.isnan(step)]
    near = [limit + off for limit in [*limits, 0.0] for off in (-1e-6, 0.0, 1e-6)]
    return [*near, -50.0, 50.0, (u - tolerance) / 2 if math.isfinite(u) else 0.1, -INF, INF, NAN]


def by_plain_ifs(margin: float, u: float, tolerance: float, flags: Flag) -> Outcome:
    """Judge one value as the design's table of outcomes says, without the code under test."""
    if Flag.APPLIES not in flags:
        return Outcome.NOT_APPLICABLE
    if Flag.KNOWN not in flags or math.isnan(margin) or math.isnan(u):
        # A strict reading that cannot be computed makes the finding depend on it.
        return Outcome.CONDITIONAL if Flag.STRICT in flags else Outcome.NOT_EVALUATED
    if u <= tolerance:
        judged = Outcome.COMPLIANT if margin >= -tolerance else Outcome.VIOLATION
    elif margin > u:
        judged = Outcome.COMPLIANT
    elif margin >= -u:
        judged = Outcome.BORDERLINE
    else:
        judged = Outcome.VIOLATION
    if judged is not Outcome.COMPLIANT and (Flag.SOFT in flags or Flag.STRICT in flags):
        return Outcome.CONDITIONAL
    return judged


def judged(margin: float, u: float, tolerance: float, flags: Flag) -> Outcome:
    code = outcome(np.array([margin]), np.array([u]), np.array([tolerance]), np.array([flags], np.uint8))
    return Outcome(int(code[0]))


@pytest.mark.parametrize("flags", FLAGS, ids=[f"{flags.value:04b}" for flags in FLAGS])
def test_outcome_agrees_with_plain_ifs_everywhere(flags: Flag) -> None:
    rows = [
        (margin, u, tolerance)
        for u, tolerance in product(UNCERTAINTIES, TOLERANCES)
        for margin in margins_around(u, tolerance)
    ]
    margin, u, tolerance = (np.array(column) for column in zip(*rows, strict=True))
    codes = outcome(margin, u, tolerance, np.full(len(rows), flags, np.uint8))
    wrong = {
        row: (Outcome(int(code)).code, by_plain_ifs(*row, flags).code)
        for row, code in zip(rows, codes, strict=True)
        if code != by_plain_ifs(*row, flags)
    }
    assert wrong == {}


YES = Flag.APPLIES | Flag.KNOWN
ROWS = [
    # u below the tolerance: the tolerance decides alone
    (0.40, 0.0, 0.005, YES, "compliant"),
    (0.0, 0.0, 0.005, YES, "compliant"),
    (-0.005, 0.0, 0.005, YES, "compliant"),
    (-0.006, 0.0, 0.005, YES, "violation"),
    (-0.005, 0.0, 0.001, YES, "violation"),
    (-0.001, 0.0, 0.0, YES, "violation"),
    (-0.004, 0.004, 0.005, YES, "compliant"),
    (0.0, 0.005, 0.005, YES, "compliant"),
    # u above it: open from -u to +u, both included
    (0.40, 1.20, 0.005, YES, "borderline"),
    (1.20, 1.20, 0.005, YES, "borderline"),
    (1.21, 1.20, 0.005, YES, "compliant"),
    (0.0, 1.20, 0.005, YES, "borderline"),
    (-1.20, 1.20, 0.005, YES, "borderline"),
    (-1.21, 1.20, 0.005, YES, "violation"),
    (INF, 1.20, 0.005, YES, "compliant"),
    (-INF, 1.20, 0.005, YES, "violation"),
    (50.0, INF, 0.005, YES, "borderline"),
    # what no number tells is not known, whatever the flag says
    (NAN, 0.0, 0.005, YES, "not_evaluated"),
    (9.0, NAN, 0.005, YES, "not_evaluated"),
    (9.0, 0.0, 0.005, Flag.APPLIES, "not_evaluated"),
    (-9.0, 0.0, 0.005, Flag.APPLIES, "not_evaluated"),
    (9.0, 0.0, 0.005, Flag.APPLIES | Flag.SOFT, "not_evaluated"),
    # assumed metres, unknown attributes, acts that are not held
    (9.0, 0.0, 0.005, YES | Flag.SOFT, "compliant"),
    (-9.0, 0.0, 0.005, YES | Flag.SOFT, "conditional"),
    (0.1, 0.5, 0.005, YES | Flag.SOFT, "conditional"),
    # stricter readings
    (9.0, 0.0, 0.005, YES | Flag.STRICT, "compliant"),
    (-9.0, 0.0, 0.005, YES | Flag.STRICT, "conditional"),
    (0.1, 0.5, 0.005, YES | Flag.STRICT, "conditional"),
    (NAN, 0.0, 0.005, YES | Flag.STRICT, "conditional"),
    (9.0, 0.0, 0.005, Flag.APPLIES | Flag.STRICT, "conditional"),
    # what does not concern the spot
    (-9.0, 0.0, 0.005, Flag.KNOWN, "not_applicable"),
    (NAN, NAN, 0.005, Flag.STRICT | Flag.SOFT, "not_applicable"),
]


@pytest.mark.parametrize(("margin", "u", "tolerance", "flags", "expected"), ROWS)
def test_rows_by_hand(margin: float, u: float, tolerance: float, flags: Flag, expected: str) -> None:
    assert judged(margin, u, tolerance, flags).code == expected


@pytest.mark.parametrize(
    ("value", "limit", "expected"),
    [
        (0.1 + 0.2, 0.30, "compliant"),
        (4.995, 5.0, "compliant"),  # 5 mm short
        (4.994, 5.0, "violation"),
        (0.049, 0.05, "compliant"),  # 1 mm short of a limit below 0.10 m
        (0.048, 0.05, "violation"),
    ],
)
def test_binary_fractions_and_tolerance_do_not_decide(value: float, limit: float, expected: str) -> None:
    assert judged(value - limit, 0.0, tolerance_m(limit), YES).code == expected


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(0.0, 0.001), (0.05, 0.001), (0.099, 0.001), (0.10, 0.005), (0.5, 0.005), (10.0, 0.005)],
)
def test_tolerance_is_finer_below_ten_centimetres(limit: float, expected: float) -> None:
    assert tolerance_m(limit) == expected


def test_severity_orders_the_outcomes() -> None:
    """The worst test decides a rule: the order is the law of the whole judge."""
    assert [each.code for each in sorted(Outcome)] == [
        "not_applicable",
        "compliant",
        "conditional",
        "not_evaluated",
        "borderline",
        "violation",
    ]


PRIMARY = np.zeros(5, bool)


def test_a_stricter_reading_that_passes_decides_nothing() -> None:
    codes = np.full((1, 2), Outcome.COMPLIANT, np.uint8)
    stricter = np.array([False, True])
    _, decider = worst_of_groups(codes, np.array([[4.0, 1.5]]), [range(2)], stricter)
    assert decider.tolist() == [[0]]


def test_a_violation_without_a_margin_decides_over_a_lesser_outcome() -> None:
    """A worst outcome of unknown margin once lost to the column of a better one."""
    codes = np.array([[Outcome.NOT_EVALUATED, Outcome.COMPLIANT], [Outcome.COMPLIANT, Outcome.CONDITIONAL]])
    margin = np.array([[NAN, -0.2], [-5.0, NAN]])
    worst, decider = worst_of_groups(codes.astype(np.uint8), margin, [range(2)], PRIMARY[:2])
    assert worst.tolist() == [[Outcome.NOT_EVALUATED], [Outcome.CONDITIONAL]]
    assert decider.tolist() == [[0], [1]]


def test_of_equal_outcomes_the_smallest_margin_decides() -> None:
    codes = np.full((1, 5), Outcome.VIOLATION, np.uint8)
    margin = np.array([[-0.1, -3.0, NAN, -INF, NAN]])
    worst, decider = worst_of_groups(codes, margin, [range(3), range(3, 4), range(4, 5)], PRIMARY)
    assert worst.tolist() == [[Outcome.VIOLATION] * 3]
    assert decider.tolist() == [[1, 3, 4]]


def verdict_by_plain_ifs(
    rules: Sequence[Outcome], critical: Sequence[bool], counts: Sequence[bool], act_missing: object
) -> Verdict:
    heard = [(code, vital) for code, vital, says in zip(rules, critical, counts, strict=True) if says]
    if any(code is Outcome.VIOLATION for code, _ in heard):
        return Verdict.PROHIBITED
    if any(code in (Outcome.BORDERLINE, Outcome.NOT_EVALUATED) and vital for code, vital in heard):
        return Verdict.INCONCLUSIVE
    if act_missing or any(code is Outcome.CONDITIONAL for code, _ in heard):
        return Verdict.CONDITIONAL
    return Verdict.NO_IMPEDIMENT_FOUND


@pytest.mark.parametrize("rules", [1, 2, 3])
def test_verdicts_agree_with_plain_ifs_for_all_small_cases(rules: int) -> None:
    rows = [(*codes, act) for codes in product(Outcome, repeat=rules) for act in (False, True)]
    outcomes = np.array([row[:-1] for row in rows], np.uint8)
    act_missing = np.array([row[-1] for row in rows], bool)
    for critical in product((False, True), repeat=rules):
        for counts in product((False, True), repeat=rules):
            got = verdicts(outcomes, np.array(critical), np.array(counts), act_missing)
            expected = [
                verdict_by_plain_ifs([Outcome(code) for code in row[:-1]], critical, counts, row[-1])
                for row in rows
            ]
            assert got.tolist() == expected


@pytest.mark.parametrize(
    ("codes", "critical", "act_missing", "expected"),
    [
        (["compliant", "not_applicable"], True, False, "no_impediment_found"),
        (["compliant"], True, True, "conditional"),
        (["not_evaluated"], False, False, "no_impediment_found"),
        (["not_evaluated", "conditional"], False, False, "conditional"),
        (["not_evaluated", "conditional"], True, False, "inconclusive"),
        (["borderline", "compliant"], True, True, "inconclusive"),
        (["violation", "not_evaluated"], False, False, "prohibited"),
    ],
)
def test_verdicts_by_hand(codes: list[str], critical: object, act_missing: object, expected: str) -> None:
    names = {each.code: each for each in Outcome}
    outcomes = np.array([[names[code] for code in codes]], np.uint8)
    vital, heard = np.full(len(codes), bool(critical)), np.full(len(codes), True)
    assert verdicts(outcomes, vital, heard, np.array([bool(act_missing)])).tolist() == [expected]


def test_a_rule_may_be_critical_at_one_spot_and_not_at_another() -> None:
    outcomes = np.array([[Outcome.NOT_EVALUATED], [Outcome.NOT_EVALUATED]], np.uint8)
    answer = verdicts(outcomes, np.array([[True], [False]]), np.array([True]), np.array([False, False]))
    assert answer.tolist() == ["inconclusive", "no_impediment_found"]


def test_a_second_opinion_never_counts() -> None:
    outcomes = np.array([[Outcome.VIOLATION, Outcome.COMPLIANT]], np.uint8)
    answer = verdicts(outcomes, np.array([True, True]), np.array([False, True]), np.array([False]))
    assert answer.tolist() == [Verdict.NO_IMPEDIMENT_FOUND]


@pytest.mark.parametrize(
    ("margin", "u", "expected"),
    [
        (0.4, 1.2, 0.2568),  # measured 5.4 m against 5.0 m with ± 1.2 m: z = 0.4 × 1.96 / 1.2 = 0.653
        (0.0, 1.2, 0.5),
        (-0.4, 1.2, 0.7432),
        (1.2, 1.2, 0.025),  # at the end of a 95 % interval, half of the rest lies beyond
        (-1.2, 1.2, 0.975),
        (0.01, 0.001, 0.0),
    ],
)
def test_probability_of_a_violation(margin: float, u: float, expected: float) -> None:
    assert p_violation(margin, u) == pytest.approx(expected, abs=5e-5)
