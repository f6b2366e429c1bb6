"""Real streets: reports without a fault on four real maps; ignorance that is said, asked for and settled."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from benchmarks.real_checks import HELSINKI, SAO_PAULO, SORTS, build
from benchmarks.real_spots import observed, planned
from benchmarks.report_audit import faults_of
from benchmarks.scenes import GOIANIA
from geocheck import check_many
from geocheck.errors import InputError
from geocheck.model.request import Request, parse_request

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.scenes import Scene
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Pending, Report

NOW = dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC)
COUNT = 25
OPEN = ("not_evaluated", "borderline")
FACTS: Final[dict[str, Any]] = {
    "volume_m3": 5.0,
    "height_m": 1.3,
    "low_face_m": 0.8,
    "site.low_face_upstream": True,
    "site.skips_on_lot": 0,
    "site.interior_possible": False,
}
FAR_M = 60.0
"""Farther than any rule asks for, so that a tape of it settles everything."""


@pytest.fixture(scope="module")
def full_campus(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Return the bundle of the campus with its official lots and blocks."""
    return build(GOIANIA, shared_data, tmp_path_factory.mktemp("real") / "campus")


@pytest.fixture(scope="module")
def plans(full_campus: Bundle) -> list[Report]:
    requests = planned(full_campus, "goiania", COUNT, np.random.default_rng(11))
    return check_many(requests, bundle=full_campus, now=NOW)


@pytest.fixture(scope="module")
def standing(full_campus: Bundle) -> list[Report]:
    requests = observed(full_campus, "goiania", COUNT, np.random.default_rng(12))
    return check_many(requests, bundle=full_campus, now=NOW)


def of_rule(report: Report, rule: str) -> FindingReport:
    [found] = [each for each in (*report.findings, *report.second_opinion) if each.rule == rule]
    return found


def critical_and_open(report: Report) -> list[str]:
    return [each.rule for each in report.findings if each.critical and each.outcome in OPEN]


@pytest.mark.parametrize("scene", [SAO_PAULO, HELSINKI], ids=lambda scene: scene.name)
def test_no_report_has_a_fault(scene: Scene, shared_data: Path, tmp_path: Path) -> None:
    bundle = build(scene, shared_data, tmp_path / "pacote")
    for draw in SORTS.values():
        requests = draw(bundle, scene.sheet, COUNT, np.random.default_rng(5))
        reports = check_many(requests, bundle=bundle, now=NOW)
        assert [fault for report in reports for fault in faults_of(report)] == []
        assert any(each.witness for report in reports for each in report.findings)


@pytest.mark.parametrize("sort", SORTS)
def test_no_report_of_the_campus_has_a_fault(full_campus: Bundle, sort: str) -> None:
    requests = SORTS[sort](full_campus, "goiania", COUNT, np.random.default_rng(5))
    reports = check_many(requests, bundle=full_campus, now=NOW)
    assert [fault for report in reports for fault in faults_of(report)] == []


def test_a_spot_outside_the_city_is_refused(full_campus: Bundle) -> None:
    asked = parse_request({"city": "goiania", "lon": -46.63, "lat": -23.55, "mode": "planned"})
    with pytest.raises(InputError, match="fora de Goiânia"):
        check_many([asked], bundle=full_campus, now=NOW)


def test_a_plan_keeps_its_gap_and_says_so_in_the_conditions(plans: list[Report]) -> None:
    for report in plans:
        gap = of_rule(report, "GYN-10")
        assert (gap.outcome, gap.basis, gap.measured_m) == ("compliant", "plan", 0.3)
        assert any("0,50 m da guia" in each.text for each in report.conditions)


def test_a_standing_skip_never_passes_the_half_metre_by_a_supposed_kerb(standing: list[Report]) -> None:
    found = Counter(of_rule(report, "GYN-10").outcome for report in standing)
    assert found["borderline"] > 0
    for report in standing:
        gap = of_rule(report, "GYN-10")
        assert gap.outcome in OPEN or gap.outcome == "violation"
        if gap.outcome == "violation":
            assert gap.measured_m is not None
            assert gap.uncertainty_m is not None
            assert gap.measured_m - gap.uncertainty_m > 0.5 - 0.005


def test_a_tape_settles_the_gap_of_a_standing_skip(full_campus: Bundle, standing: list[Report]) -> None:
    taped = [with_answers(report.request, {"measured": {"gap_m": 0.42}}) for report in standing]
    for report in check_many(taped, bundle=full_campus, now=NOW):
        gap = of_rule(report, "GYN-10")
        assert (gap.outcome, gap.basis, gap.measured_m) == ("compliant", "measured", 0.42)


def test_hydrants_are_not_known_until_somebody_looks(full_campus: Bundle, plans: list[Report]) -> None:
    """The campus has no hydrant on the map, and that tells nothing."""
    assert {of_rule(report, "GYN-24").outcome for report in plans} == {"not_evaluated"}
    layers = ("hydrant", "water_valve", "manhole")
    seen = [{"layer": layer, "state": "none", "reach_m": 1.0} for layer in layers]
    asked = [with_answers(report.request, {"observed": seen}) for report in plans]
    found = check_many(asked, bundle=full_campus, now=NOW)
    assert {of_rule(report, "GYN-24").outcome for report in found} == {"compliant"}
    assert {of_rule(report, "GYN-24").basis for report in found} == {"observed"}


def with_answers(request: Request, answers: dict[str, Any]) -> Request:
    """Return a request with more answers in it."""
    raw = request.model_dump(exclude_unset=True, mode="json")
    for name, value in answers.items():
        if isinstance(value, dict):
            raw[name] = {**raw.get(name, {}), **value}
        elif isinstance(value, list):
            raw[name] = [*raw.get(name, ()), *value]
        else:
            raw[name] = value
    return parse_request(raw)


def answered(pending: tuple[Pending, ...], request: Request) -> Request:
    """Answer everything that is asked, as who finds nothing near: none there, far away, facts favourable."""
    answers: dict[str, Any] = {"observed": [], "measured": {}, "in_zone": {}, "site": {}}
    looked: dict[str, dict[str, Any]] = {}
    for entry in pending:
        if entry.action == "measure":
            answers["measured"][entry.key] = FAR_M
        elif entry.action == "tell":
            group, _, name = str(entry.key).rpartition(".")
            value = FACTS[str(entry.key)] if group != "in_zone" else False
            (answers[group] if group else answers)[name] = value
        elif entry.key == "of_served_lot":
            attributes = {"of_served_lot": False}
            looked["driveway"] = {"layer": "driveway", "state": "present", "reach_m": FAR_M} | {
                "attributes": attributes
            }
        else:
            layer = str(entry.layer)
            reach_m = max(entry.reach_m or 0.0, looked.get(layer, {}).get("reach_m", 0.0))
            reach_m = FAR_M if entry.reach_m is None else reach_m
            looked[layer] = {"layer": layer, "state": "none", "reach_m": reach_m}
    answers["observed"] = list(looked.values())
    return with_answers(request, answers)


def test_with_everything_answered_the_verdict_is_final(full_campus: Bundle, plans: list[Report]) -> None:
    reports, rounds = plans, 0
    while any(critical_and_open(report) for report in reports) and rounds < 2:
        asked = [answered(report.pending, report.request) for report in reports]
        reports = check_many(asked, bundle=full_campus, now=NOW)
        rounds += 1
    left = {
        (each.rule, each.message)
        for report in reports
        for each in report.findings
        if each.critical and each.outcome in OPEN
    }
    assert left == set()
    assert "inconclusive" not in {report.verdict for report in reports}


def test_the_visit_of_a_plan_is_short(plans: list[Report]) -> None:
    """Five minutes: one look round, one walk along the block, a handful of tapes, a handful of facts."""
    for report in plans:
        count = Counter(entry.group for entry in report.pending)
        tapes = {entry.key for entry in report.pending if entry.group == "tape"}
        block = {entry.layer for entry in report.pending if entry.group == "block"}
        assert set(count) <= {"around", "block", "tape", "facts"}
        assert len(tapes) <= 8
        assert len(block) <= 4
        assert count["facts"] <= 12


def test_a_report_of_a_batch_is_that_of_its_placement_alone(full_campus: Bundle) -> None:
    """Word for word: what the others in the batch see is no reason to say more, or less."""
    draw = np.random.default_rng(21)
    requests = [each for sort in SORTS.values() for each in sort(full_campus, "goiania", COUNT, draw)]
    together = check_many(requests, bundle=full_campus, now=NOW)
    for request, report in zip(requests, together, strict=True):
        (alone,) = check_many([request], bundle=full_campus, now=NOW)
        assert alone.model_dump_json() == report.model_dump_json()
