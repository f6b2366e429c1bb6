"""Legal cases as data: every `tests/law/<city>/*.toml` against the whole pipeline."""

from __future__ import annotations

import datetime as dt
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from geocheck.api import check
from geocheck.model.request import parse_request

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.model.finding import FindingReport, SanctionReport
    from geocheck.model.report import Report

FOLDER = Path(__file__).parent
NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
KEYS = {
    "name",
    "vector",
    "request",
    "findings",
    "locators",
    "classes",
    "fines_brl",
    "verdict",
    "leave_by",
    "advice",
    "requires",
    "pending",
    "penalty_brl",
    "penalty_recurrence_brl",
    "second_opinion",
    "preface",
}


def _cases() -> list[Any]:
    found = []
    for path in sorted(FOLDER.glob("*/*.toml")):
        sheet = path.parent / f"{path.parent.name}.toml"
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            city = str(sheet) if sheet.is_file() else path.parent.name
            found.append(pytest.param(city, case, id=f"{path.parent.name}/{path.stem}/{case['name']}"))
    return found


def _by_rule(findings: tuple[FindingReport, ...]) -> dict[str, FindingReport]:
    return {finding.rule: finding for finding in findings}


@pytest.mark.parametrize(("city", "case"), _cases())
def test_case(city: str, case: dict[str, Any], keeps_schema: Callable[[Report], None]) -> None:
    unknown = set(case) - KEYS
    assert not unknown, f"the case has unknown keys: {unknown}"
    assert len(case) > 2, "the case expects nothing"  # name and request alone
    report = check(parse_request({"city": city, **case["request"]}), now=NOW)
    keeps_schema(report)
    findings = _by_rule(report.second_opinion) | _by_rule(report.findings)
    actual = {
        "findings": {rule: _by_rule(report.findings)[rule].outcome for rule in case.get("findings", {})},
        "second_opinion": {
            rule: _by_rule(report.second_opinion)[rule].outcome for rule in case.get("second_opinion", {})
        },
        "locators": {
            rule: _cited(findings[rule], passage) for rule, passage in case.get("locators", {}).items()
        },
        "classes": {rule: _sanction(findings[rule]).class_ for rule in case.get("classes", {})},
        "fines_brl": {rule: _sanction(findings[rule]).fine_brl for rule in case.get("fines_brl", {})},
        "requires": {
            each.rule: each.held for each in report.requires if each.rule in case.get("requires", {})
        },
        **_scalars(report),
    }
    expected = {key: value for key, value in case.items() if key in actual}
    assert {key: actual[key] for key in expected} == expected
    assert set(case.get("advice", [])) <= set(report.stay.advice)
    assert set(case.get("pending", [])) <= {entry.rule for entry in report.pending}


def _sanction(finding: FindingReport) -> SanctionReport:
    assert finding.sanction is not None, f"{finding.rule} has no sanction"
    return finding.sanction


def _cited(finding: FindingReport, passage: str) -> str | None:
    """Return the passage itself when the rule's clause or the penal clause is it, else the penal clause."""
    penal = _sanction(finding).locator
    return passage if passage in (finding.law.locator, penal) else penal


def _scalars(report: Report) -> dict[str, Any]:
    penalties = report.penalties
    return {
        "verdict": report.verdict,
        "leave_by": report.stay.leave_by,
        "penalty_brl": penalties.total_brl or penalties.revoked_brl,
        "penalty_recurrence_brl": penalties.recurrence_brl or penalties.revoked_recurrence_brl,
        "preface": any(notice.code in ("preface", "revoked", "revoked_later") for notice in report.notices),
    }


def test_every_vector_without_a_map_is_covered() -> None:
    """The vectors of the authority on the law that need no map, by number."""
    seen = {str(param.values[1].get("vector")) for param in _cases()}
    wanted = {*map(str, (*range(1, 5), *range(6, 25))), "5", "5a"}
    assert wanted <= seen, f"missing vectors: {sorted(wanted - seen)}"
