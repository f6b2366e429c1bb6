"""What must hold of every report on a map, whatever it answers: each fault in words, none if all is well."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from shapely.geometry import shape

from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report

WITNESS_WITHIN_M: Final = 150.0
"""So far from the skip a value may have been measured: the longest reach of a layer, and some way round."""

TAPED_M: Final = 0.02
"""So well the length of a witness must be the value that it stands for."""


def faults_of(report: Report) -> list[str]:
    """Return what is wrong with a report on a map."""
    found = [f"{path} is {value}" for path, value in _odd_numbers(report.model_dump(), "report")]
    json.loads(report.model_dump_json())
    if report.bundle is None:
        return [*found, "no bundle"]
    crs = report.bundle.crs
    outline = None if report.footprint is None else _in_metres(report.footprint, crs)
    said = report.request.observed or report.request.in_zone or report.request.measured
    for finding in (*report.findings, *report.second_opinion):
        if finding.basis in ("observed", "measured") and not said:
            found.append(f"{finding.rule} rests on what nobody {finding.basis}")
        found += [f"{finding.rule} {fault}" for fault in _finding_faults(finding, outline, crs)]
    return found


def _finding_faults(finding: FindingReport, outline: shapely.Geometry | None, crs: str) -> Iterator[str]:
    if finding.witness is not None:
        if outline is None:
            yield "has a witness but no skip"
            return
        line = _in_metres(finding.witness, crs)
        if not shapely.is_valid(line) or shapely.is_empty(line):
            yield "has a broken witness"
        away_m = shapely.distance(outline, line)
        if not away_m <= WITNESS_WITHIN_M:
            yield f"has its witness {away_m:.0f} m away"
        if finding.measured_m and abs(shapely.length(line) - finding.measured_m) > TAPED_M:
            yield f"says {finding.measured_m} m, its witness {shapely.length(line):.2f} m"
    # A value that nobody else told is the map's, whether it decides the rule or is only shown.
    by_map = finding.basis == "map" or (finding.basis is None and finding.measured_m is not None)
    if not by_map or finding.outcome == "not_applicable" or finding.measured_m is None:
        return
    if finding.witness is None:
        yield f"shows {finding.measured_m} m without a witness"
    if finding.feature is None or finding.feature.id is None:
        yield f"shows {finding.measured_m} m to no feature"


def _odd_numbers(value: object, path: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, float) and not math.isfinite(value):
        yield path, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _odd_numbers(each, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _odd_numbers(each, f"{path}[{number}]")


def _in_metres(geojson: dict[str, Any], crs: str) -> shapely.Geometry:
    return shapely.transform(shape(geojson), lambda lonlat: to_city(np.asarray(lonlat), crs))
