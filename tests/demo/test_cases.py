"""Every named skip and every vector bound to a map, judged on its bundle as it was worked out by hand."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

import pytest

from geocheck.api import check
from geocheck.cities import load_city
from geocheck.demo.cases import read_cases
from geocheck.demo.grid import grid_of
from geocheck.demo.kept import city_path, demo_folder
from geocheck.errors import InputError
from geocheck.law.kinds import EVALUABLE
from geocheck.law.versions import city_law
from geocheck.model.request import parse_request
from geocheck.model.words import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.demo.cases import Case, Cases, Expected
    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report

NOW: Final = dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC)
NAMED: Final = read_cases(demo_folder() / "casos.toml")
VECTORS: Final = read_cases(demo_folder() / "vetores.toml")
ALL_OUTCOMES: Final = {
    "compliant",
    "violation",
    "borderline",
    "conditional",
    "not_evaluated",
    "not_applicable",
}
CITIES: Final = {"goiania", "juiz-de-fora", "dois-vizinhos", "olinda", "rio-verde"}


def _named(cases: Cases) -> list[object]:
    return [pytest.param(case, id=case.name) for case in cases.case]


def _report(cases: Cases, case: Case, bundle: Bundle) -> Report:
    city = city_path(case.city)
    request = cases.request(case, grid_of(load_city(city)), city)
    return check(parse_request(request), bundle=bundle, now=NOW)


def _said(wanted: Mapping[str, Expected], findings: Sequence[FindingReport]) -> None:
    """Compare outcomes at once, so that a failure shows all of them, then the figures."""
    found = {finding.rule: finding for finding in findings}
    assert {rule: found[rule].outcome for rule in wanted} == {
        rule: expected.outcome for rule, expected in wanted.items()
    }
    for rule, expected in wanted.items():
        finding = found[rule]
        if expected.measured_m is not None:
            measured = [value for value, _ in _figures(finding) if value is not None]
            assert any(abs(value - expected.measured_m) < expected.within_m for value in measured), rule
        if expected.limit_m is not None:
            assert expected.limit_m in [limit for _, limit in _figures(finding)], rule
        if expected.fine_brl is not None:
            assert finding.sanction is not None, rule
            assert finding.sanction.fine_brl == expected.fine_brl, rule


def _figures(finding: FindingReport) -> list[tuple[float | None, float | None]]:
    """Return what was measured and its limit: of a breach what decides, else of the primary reading."""
    if finding.outcome in ("violation", "borderline"):
        return [(finding.measured_m, finding.limit_m)]
    return [(test.measured_m, test.limit_m) for test in finding.tests if test.reading == "primary"]


def _judged(case: Case, report: Report) -> None:
    _said(case.findings, report.findings)
    _said(case.second_opinion, report.second_opinion)
    if case.verdict is not None:
        assert report.verdict == case.verdict


@pytest.mark.parametrize("case", _named(NAMED))
def test_a_named_skip(bundle_of: Callable[..., Bundle], case: Case) -> None:
    _judged(case, _report(NAMED, case, bundle_of(case.city, without=case.without)))


@pytest.mark.parametrize("case", _named(VECTORS))
def test_a_vector_bound_to_the_map(bundle_of: Callable[..., Bundle], case: Case) -> None:
    """Accuracies of 0 everywhere: each value is exactly at its limit or just beyond it."""
    _judged(case, _report(VECTORS, case, bundle_of(case.city, exact=True, without=case.without)))


def test_a_lot_that_is_not_there_is_told_whatever_the_law_asks(bundle_of: Callable[..., Bundle]) -> None:
    """Olinda's law asks for no lot: the slip of the request is one all the same."""
    case = next(case for case in NAMED.case if case.city == "olinda")
    request = NAMED.request(case, grid_of(load_city("olinda")), "olinda")
    with pytest.raises(InputError, match="não há lote “nada”"):
        check(parse_request({**request, "lot": "nada"}), bundle=bundle_of("olinda"), now=NOW)


def test_a_lot_that_no_map_holds_is_said_not_to_be_used(bundle_of: Callable[..., Bundle]) -> None:
    case = next(case for case in NAMED.case if case.city == "goiania")
    request = NAMED.request(case, grid_of(load_city("goiania")), "goiania")
    asked = parse_request({**request, "lot": "77"})
    for bundle in (None, bundle_of("goiania", without=("lot",))):
        codes = [notice.code for notice in check(asked, bundle=bundle, now=NOW).notices]
        assert codes.count("lot_unused") == 1


def test_the_named_skips_show_every_city_verdict_outcome_and_kind_of_rule() -> None:
    assert len(NAMED.case) == 20
    assert {case.city for case in NAMED.case} > CITIES
    assert {case.verdict for case in NAMED.case} == set(Verdict)
    expected = [(case.city, rule, each) for case in NAMED.case for rule, each in case.findings.items()]
    assert {each.outcome for _, _, each in expected} == ALL_OUTCOMES
    assert any(case.second_opinion for case in NAMED.case)
    kinds = set()
    for city, rule, each in expected:
        if each.outcome != "not_applicable":
            kinds |= _kinds(city)[rule]
    assert kinds == EVALUABLE


def _kinds(city: str) -> dict[str, set[str]]:
    """Return the kinds of a rule's tests, by rule, of a city and the federal code."""
    law = city_law(city_path(city))
    books = [*law.own, *([law.fallback] if law.fallback else [])]
    return {
        rule.id: {test.kind for test in rule.evaluable_tests} for book in books for rule in book.book.rule
    }
