"""The measured lines of a report's findings, with the label that each bears on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.map.facts import short
from geocheck.report.map.shapes import drawable, geojson
from geocheck.report.map.symbols import MARKS

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report

_LEAST: Final = frozenset({"min_distance", "interval_exclusion", "clear_width", "side_of_feature"})
_MOST: Final = frozenset({"max_distance"})
_DRAWN: Final = ("LineString", "MultiLineString", "Point")


class Measure(NamedTuple):
    """A line, or point, along which something was measured, and the findings that it answers.

    Attributes:
        geometry: in WGS 84 degrees.
        outcome: of the findings.
        value: what was measured against what limit (`4,32 m < 5,00 m`).
        findings: one or more that say the same of the same line.
    """

    geometry: BaseGeometry
    outcome: str
    value: str
    findings: tuple[FindingReport, ...]

    @property
    def cited(self) -> str:
        """The articles."""
        return "; ".join(wording.cited(each) for each in self.findings)

    def feature(self, number: int) -> dict[str, Any]:
        """Return it as a GeoJSON feature with the texts of its label and popup."""
        facts = [(f"{each.rule} · {each.title}", each.message) for each in self.findings]
        word = wording.OUTCOMES[Outcome[self.outcome.upper()]]
        told = {
            "label": [f"{MARKS[self.outcome].sign} {self.value or word}", short(self.cited)],
            "outcome": self.outcome,
            "title": f"{MARKS[self.outcome].sign} {word}",
            "facts": [(short(key), short(text)) for key, text in facts],
        }
        return {"type": "Feature", "id": number, "geometry": geojson(self.geometry), "properties": told}


def measures_of(report: Report) -> list[Measure]:
    """Return the lines of all findings that apply, second opinions included, the gravest first."""
    found: dict[tuple[str, str, str], Measure] = {}
    for finding in (*report.findings, *report.second_opinion):
        geometry = drawable(finding.witness, _DRAWN)
        if geometry is None or finding.displaced_by is not None or finding.outcome == "not_applicable":
            continue
        value = value_of(finding)
        key = (geometry.normalize().wkt, finding.outcome, value)
        held = found.get(key, Measure(geometry, finding.outcome, value, ()))
        found[key] = held._replace(findings=(*held.findings, finding))
    grave = list(MARKS)
    return sorted(found.values(), key=lambda each: grave.index(each.outcome))


def value_of(finding: FindingReport) -> str:
    """Say what was measured against what limit; the sign between them is never false.

    Where the outcome does not follow from the two numbers alone, the limit is only named.
    """
    measured, limit = finding.measured_m, finding.limit_m
    if measured is None:
        return ""
    metres = wording.metres(measured)
    if finding.outcome == "borderline" and finding.uncertainty_m is not None:
        metres = f"{metres} ± {wording.metres(finding.uncertainty_m)}"
    if limit is None or finding.kind not in _LEAST | _MOST:
        return metres
    least = finding.kind in _LEAST
    passes = measured >= limit if least else measured <= limit
    if finding.outcome == ("compliant" if passes else "violation"):
        sign = {(True, True): "≥", (True, False): "<", (False, True): "≤", (False, False): ">"}[least, passes]
        return f"{metres} {sign} {wording.metres(limit)}"
    return f"{metres} · {'mín.' if least else 'máx.'} {wording.metres(limit)}"
