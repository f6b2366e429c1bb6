"""The findings that a card shows: what decides, the gravest first, or else what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.map.measures import value_of
from geocheck.report.map.shapes import drawable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from shapely.geometry.base import BaseGeometry

    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report

MOST: Final = 3
"""Findings that are shown of those that decide."""

MOST_KEPT: Final = 2
"""Findings that are shown of the rules that are kept, where no other has a line on the plan."""

_GRAVE: Final = ("violation", "borderline", "conditional")
_DRAWN: Final = ("LineString", "MultiLineString", "Point")


class Decisive(NamedTuple):
    """A finding on the card, with those that say the same.

    Attributes:
        findings: one, or more of the same outcome and words.
        line: where it was measured, in WGS 84 degrees; None where there is nothing to draw.
    """

    findings: tuple[FindingReport, ...]
    line: BaseGeometry | None

    @property
    def first(self) -> FindingReport:
        """The gravest."""
        return self.findings[0]

    @property
    def cited(self) -> str:
        """The articles."""
        return "; ".join(dict.fromkeys(wording.cited(each) for each in self.findings))


def decisive(report: Report) -> tuple[list[Decisive], int]:
    """Return what is shown, and how many more findings decide."""
    grave = _joined(sorted(_standing(report, _GRAVE), key=_gravity))
    shown = grave[:MOST]
    left = sum(len(each.findings) for each in grave[MOST:])
    if any(each.line is not None for each in shown):
        return shown, left
    kept = [each for each in _joined(_standing(report, ("compliant",))) if _is_drawn(each)]
    nearest = sorted(kept, key=_slack)[:MOST_KEPT]
    return [*shown, *nearest], left


def _standing(report: Report, outcomes: Sequence[str]) -> list[FindingReport]:
    return [each for each in report.findings if each.outcome in outcomes and each.displaced_by is None]


def _joined(findings: Iterable[FindingReport]) -> list[Decisive]:
    found: dict[tuple[str, ...], Decisive] = {}
    for finding in findings:
        line = drawable(finding.witness, _DRAWN)
        key = (finding.outcome, finding.message, finding.title if line is None else line.normalize().wkt)
        held = found.get(key, Decisive((), line))
        found[key] = held._replace(findings=(*held.findings, finding))
    return list(found.values())


def _is_drawn(each: Decisive) -> bool:
    return each.line is not None and each.first.limit_m is not None and bool(value_of(each.first))


def _gravity(finding: FindingReport) -> tuple[int, int, bool]:
    """Rank by outcome and class; of equals, what can be drawn comes first."""
    degree = finding.sanction.class_ if finding.sanction else None
    rank = list(wording.CLASSES).index(degree) if degree in wording.CLASSES else -1
    drawn = drawable(finding.witness, _DRAWN) is not None
    return -Outcome[finding.outcome.upper()], -rank, not drawn


def _slack(each: Decisive) -> float:
    """Return how far a value is from its limit; the corner comes first, for by it a spot is found."""
    finding = each.first
    if finding.feature is not None and finding.feature.layer == "corner":
        return -1.0
    return abs((finding.measured_m or 0.0) - (finding.limit_m or 0.0))
