"""Lines and labels of findings: what they say is never false, and nothing is drawn that was not measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.model.words import LAYERS, Outcome
from geocheck.report.map.layers import reach_of_measures
from geocheck.report.map.measures import measures_of, value_of
from geocheck.report.map.symbols import MARKS, ORDER, SYMBOLS

if TYPE_CHECKING:
    from types import SimpleNamespace

    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report


@pytest.fixture(scope="module")
def finding(report: Report) -> FindingReport:
    [found] = [each for each in report.findings if each.rule == "GYN-11"]
    return found


@pytest.mark.parametrize(
    ("kind", "outcome", "measured", "limit", "said"),
    [
        ("min_distance", "violation", 4.32, 5.0, "4,32 m < 5,00 m"),
        ("min_distance", "compliant", 5.0, 5.0, "5,00 m ≥ 5,00 m"),
        ("max_distance", "violation", 0.62, 0.5, "0,62 m > 0,50 m"),
        ("max_distance", "compliant", 0.3, 0.5, "0,30 m ≤ 0,50 m"),
        ("min_distance", "compliant", 4.996, 5.0, "4,996 m · mín. 5,00 m"),
        ("min_distance", "borderline", 5.4, 5.0, "5,40 m ± 1,20 m · mín. 5,00 m"),
        ("min_distance", "conditional", 6.0, 5.0, "6,00 m · mín. 5,00 m"),
        ("exclusion_zone", "violation", 0.0, 0.0, "0,00 m"),
        ("min_distance", "not_evaluated", None, 5.0, ""),
        ("min_distance", "not_evaluated", 7.0, None, "7,00 m"),
    ],
)
def test_what_is_said_of_a_value(
    finding: FindingReport,
    kind: str,
    outcome: str,
    measured: float | None,
    limit: float | None,
    said: str,
) -> None:
    changes = {
        "kind": kind,
        "outcome": outcome,
        "measured_m": measured,
        "limit_m": limit,
        "uncertainty_m": 1.2,
    }
    assert value_of(finding.model_copy(update=changes)) == said


@given(
    kind=st.sampled_from(["min_distance", "max_distance", "exclusion_zone"]),
    outcome=st.sampled_from(["violation", "compliant", "conditional", "borderline", "not_evaluated"]),
    measured=st.integers(0, 20_000).map(lambda each: each / 1000),
    limit=st.integers(0, 20_000).map(lambda each: each / 1000),
)
def test_a_sign_between_two_numbers_is_true(
    report: Report, kind: str, outcome: Literal["violation"], measured: float, limit: float
) -> None:
    changes = {"kind": kind, "outcome": outcome, "measured_m": measured, "limit_m": limit}
    said = value_of(report.findings[0].model_copy(update=changes))
    for sign, holds in {
        "<": measured < limit,
        "≥": measured >= limit,
        ">": measured > limit,
        "≤": measured <= limit,
    }.items():
        if f" {sign} " in said:
            left, right = (
                float(each.replace(",", ".").removesuffix(" m")) for each in said.split(f" {sign} ")
            )
            assert (left, right) == (measured, limit)
            assert holds
            assert outcome in ("violation", "compliant")


def test_two_laws_that_say_the_same_of_one_line_share_it(report: Report) -> None:
    rules = [[each.rule for each in measure.findings] for measure in measures_of(report)]
    assert ["GYN-11", "CTB-01"] in rules
    assert sum(map(len, rules)) == 5


def test_a_line_lies_where_was_measured(report: Report, scene: SimpleNamespace) -> None:
    """To the centimetre, which is what seven decimals hold."""
    drawn = {each.findings[0].rule: each.feature(0)["geometry"] for each in measures_of(report)}
    assert set(drawn) == {"GYN-10", "GYN-11", "GYN-12", "GYN-22"}
    for rule, geometry in drawn.items():
        told = scene.witnesses[rule]
        assert geometry["type"] == told["type"]
        assert np.allclose(geometry["coordinates"], told["coordinates"], rtol=0, atol=6e-8)


def test_a_line_drawn_backwards_is_the_same_line(report: Report, scene: SimpleNamespace) -> None:
    other = scene.report_at({**scene.witnesses, "CTB-01": scene.line((-4, -1.5), (-1.325, -1.5))})
    assert len(measures_of(other)) == len(measures_of(report))


def test_the_gravest_come_first(report: Report) -> None:
    outcomes = [Outcome[each.outcome.upper()] for each in measures_of(report)]
    assert outcomes == sorted(outcomes, reverse=True)


@pytest.mark.parametrize(
    "witness",
    [
        None,
        {"type": "LineString", "coordinates": []},
        {"type": "LineString", "coordinates": [[float("nan"), -16.0], [-49.0, -16.0]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]},
    ],
)
def test_what_cannot_be_drawn_is_not(scene: SimpleNamespace, witness: dict[str, object] | None) -> None:
    assert measures_of(scene.report_at({"GYN-11": witness})) == []


def test_what_another_rule_absorbs_or_does_not_apply_has_no_line(report: Report) -> None:
    def lines(**changes: Any) -> int:  # noqa: ANN401
        changed = [
            each.model_copy(update=changes if each.rule == "GYN-10" else {}) for each in report.findings
        ]
        return len(measures_of(report.model_copy(update={"findings": tuple(changed)})))

    assert lines() - 1 == lines(displaced_by="GYN-11") == lines(outcome="not_applicable")


def test_the_opening_view_holds_what_matters(report: Report, scene: SimpleNamespace) -> None:
    """The corner is the farthest violation, 4.27 m away; the pass at 13 m may lie outside."""
    skip = scene.report_at({}).footprint
    from shapely.geometry import shape  # noqa: PLC0415 (only here)

    assert reach_of_measures(shape(skip), measures_of(report)) == 8.0
    far = scene.report_at({"GYN-11": scene.line((0, 0), (30, 40))})
    assert reach_of_measures(shape(skip), measures_of(far)) == pytest.approx(50, rel=0.01)
    assert reach_of_measures(shape(skip), []) == 8.0


def test_every_layer_and_outcome_has_a_look_of_its_own() -> None:
    assert sorted(SYMBOLS) == sorted(ORDER) == sorted(LAYERS)
    badges = [symbol.badge for symbol in SYMBOLS.values()]
    assert len(set(badges)) == len(badges)
    assert set(MARKS) == {each.code for each in Outcome}
    for look in ("colour", "dash", "sign"):
        assert len({getattr(mark, look) for mark in MARKS.values()}) == len(MARKS)


@pytest.mark.parametrize("code", list(MARKS))
def test_colours_are_read_on_white(code: str) -> None:
    """Contrast of at least 4.5 to 1, as WCAG 2 computes it."""
    parts = [int(MARKS[code].colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert 1.05 / (light + 0.05) >= 4.5
