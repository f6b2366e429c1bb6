"""Checks placements on real maps, audits every report, and prints the outcomes by rule as Markdown tables.

    python -m benchmarks.real_checks DATA_FOLDER [--count 500] [--seed 7]

Of each map so many planned placements, observed ones and hostile ones (`real_spots`). A report with a fault
(`report_audit`) is named with its place, and the command then ends with 1.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from benchmarks.real_spots import hostile, observed, planned
from benchmarks.report_audit import faults_of
from benchmarks.scenes import GOIANIA, PORTO_ALEGRE, SHEETS, Scene
from geocheck import check_many
from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.network.network import osm_network
from geocheck.cli.layers import layer_file
from geocheck.model.words import Outcome, Verdict

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

NOW: Final = dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC)
SAO_PAULO: Final = Scene("São Paulo centre", str(SHEETS / "sao-paulo.toml"), "osm/sao-paulo-centro.osm.pbf")
HELSINKI: Final = Scene("Helsinki", str(SHEETS / "helsinki.toml"), "osm/helsinki.osm.pbf")
SCENES: Final = (GOIANIA, PORTO_ALEGRE, SAO_PAULO, HELSINKI)
OFFICIAL: Final = {"lot": "goiania_campus_parcel", "block": "goiania_campus_block"}
SORTS: Final = {"planned": planned, "observed": observed, "hostile": hostile}
SHOWN: Final = [each.code for each in sorted(Outcome, reverse=True)]


class Checked(NamedTuple):
    """The reports of one sort of placements on one map, what is wrong with them, and milliseconds of each."""

    scene: str
    sort: str
    reports: list[Report]
    faults: list[str]
    each_ms: float


def build(scene: Scene, data: Path, folder: Path) -> Bundle:
    """Build the bundle of a scene; Goiânia's campus with its official lots and blocks."""
    city = load_city(scene.sheet)
    official = OFFICIAL if scene == GOIANIA else {}
    files = [layer_file(f"{layer}={data / 'goiania' / file}.geojson") for layer, file in official.items()]
    return build_city(city, osm_network(data / scene.file, city), files, folder, NOW)


def checked(scene: Scene, bundle: Bundle, sort: str, count: int, seed: int) -> Checked:
    """Check placements of one sort."""
    requests = SORTS[sort](bundle, scene.sheet, count, np.random.default_rng(seed))
    begin = time.process_time()
    reports = check_many(requests, bundle=bundle, now=NOW)
    each_ms = (time.process_time() - begin) * 1e3 / count
    faults = [
        f"{scene.name}, {sort}, lon {report.request.lon}, lat {report.request.lat}: {fault}"
        for report in reports
        for fault in faults_of(report)
    ]
    return Checked(scene.name, sort, reports, faults, each_ms)


def print_verdicts(done: list[Checked]) -> None:
    """Print the verdicts, and how many placements have no kerb."""
    print(f"| map | placements | {' | '.join(Verdict)} | without a kerb | faults | ms each |")
    print("|---" * (len(Verdict) + 5) + "|")
    for each in done:
        count = Counter(report.verdict for report in each.reports)
        lone = sum(report.kerb is None for report in each.reports)
        cells = [each.scene, each.sort, *(count[verdict.value] for verdict in Verdict)]
        print(f"| {' | '.join(map(str, cells))} | {lone} | {len(each.faults)} | {each.each_ms:.0f} |")


def print_outcomes(one: Checked) -> None:
    """Print the outcomes of the rules that concern any placement, and whether the map decided."""
    reports = one.reports
    print(f"\n{one.scene}, {one.sort}\n")
    print(f"| rule | {' | '.join(SHOWN)} | by the map |\n" + "|---" * (len(SHOWN) + 2) + "|")
    for number, first in enumerate(reports[0].findings):
        findings = [report.findings[number] for report in reports]
        count: Counter[str] = Counter(finding.outcome for finding in findings)
        if count["not_applicable"] < len(findings):
            by_map = sum(finding.basis == "map" for finding in findings)
            cells = " | ".join(str(count[code]) for code in SHOWN)
            print(f"| {first.rule} {first.title} | {cells} | {by_map} |")


def main() -> None:
    """Build, check, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with osm/ and goiania/")
    parser.add_argument("--count", type=int, default=500, help="placements of each sort")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    done = []
    with tempfile.TemporaryDirectory() as folder:
        for number, scene in enumerate(SCENES):
            bundle = build(scene, arguments.data, Path(folder) / str(number))
            done += [checked(scene, bundle, sort, arguments.count, arguments.seed) for sort in SORTS]
    print_verdicts(done)
    for each in done:
        if each.sort == "planned":
            print_outcomes(each)
    faults = [fault for each in done for fault in each.faults]
    print("\n".join(faults), file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
