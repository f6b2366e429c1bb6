"""The street cases, 51 and 57, asked as users would: through `geocheck.check` on a bundle of the case."""

from __future__ import annotations

import csv
import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import pytest

import geocheck
from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.network.network import osm_network
from geocheck.cli.layers import layer_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
CM = 0.011
"""OSM keeps coordinates to 7 mm."""


def requests(folder: Path, city: str = "goiania") -> dict[str, dict[str, Any]]:
    text = next(folder.glob("placement*.geojson")).read_text(encoding="utf-8")
    return {
        spot["id"]: {
            "city": city,
            "lon": spot["centre_lon"],
            "lat": spot["centre_lat"],
            "bearing_deg": spot["bearing_true_deg"],
            "length_m": spot["length_m"],
            "width_m": spot["width_m"],
            "position_accuracy_m": 0.0,
            "start": "2026-08-07T10:00",
        }
        for spot in (each["properties"] for each in json.loads(text)["features"])
    }


@pytest.fixture
def ask(shared_cases: Path, tmp_path: Path, goiania: City) -> Callable[..., dict[str, Report]]:
    """Return a function that builds the bundle of a case from its files and checks its skips on it."""

    def run(number: int, *layers: str, city: City = goiania) -> dict[str, Report]:
        folder = next(shared_cases.glob(f"{number:02d}-*"))
        streets = next(folder.glob("*.osm"), None)
        network = None if streets is None else osm_network(streets, city)
        files = [layer_file(text.replace("=", f"={folder}/", 1)) for text in layers]
        bundle = build_city(city, network, files, tmp_path / "b", NOW)
        return reports(bundle, requests(folder, city.id))

    return run


def reports(bundle: Bundle, asked: dict[str, dict[str, Any]]) -> dict[str, Report]:
    parsed = [geocheck.parse_request(each) for each in asked.values()]
    return dict(zip(asked, geocheck.check_many(parsed, bundle=bundle, now=NOW), strict=True))


def finding(report: Report, rule: str) -> FindingReport:
    return next(each for each in (*report.findings, *report.second_opinion) if each.rule == rule)


def primary_m(report: Report, rule: str) -> float | None:
    """Return the value of a rule's first primary test."""
    tests = finding(report, rule).tests
    return next(test.measured_m for test in tests if test.reading == "primary")


@pytest.mark.parametrize(
    ("number", "gaps"),
    [
        (3, {"P1": 0.30}),
        (20, {"A_outer": 0.30}),
        (22, {"H1": 0.30, "Q1": 0.307}),
        (26, {"P1": 0.30}),
    ],
)
def test_gap(ask: Callable[..., dict[str, Report]], number: int, gaps: dict[str, float]) -> None:
    found = ask(number)
    kerbs = {name: found[name].kerb for name in gaps}
    assert {name: kerb and kerb.gap_m for name, kerb in kerbs.items()} == pytest.approx(gaps, abs=CM)
    straight = {name: gap for name, gap in gaps.items() if name != "Q1"}  # at a bend the far end is farther
    assert {name: primary_m(found[name], "GYN-10") for name in straight} == pytest.approx(straight, abs=CM)


def test_10_beyond_the_parking_lane(ask: Callable[..., dict[str, Report]]) -> None:
    report = ask(10, city=load_city("juiz-de-fora"))["P1"]
    lane = next(test for test in finding(report, "JDF-09").tests if test.kind == "containment")
    assert lane.measured_m == pytest.approx(2.06, abs=CM)
    assert lane.limit_m == pytest.approx(2.00)
    assert report.kerb is not None
    assert report.kerb.gap_m == pytest.approx(0.30, abs=CM)


@pytest.mark.parametrize(
    ("number", "corners"),
    [
        (12, {"P1": 13.00}),
        (13, {"P1": 35.675}),
        (15, {"P1": 4.50}),
        (18, {"P_east": 3.572, "P_west": 5.228}),
        (20, {"A_outer": 5.20}),
        (21, {"P1": 9.00, "P2": 6.00}),
    ],
)
def test_corner(ask: Callable[..., dict[str, Report]], number: int, corners: dict[str, float]) -> None:
    found = ask(number)
    assert {name: primary_m(found[name], "GYN-11") for name in corners} == pytest.approx(corners, abs=CM)
    for name in corners:
        assert finding(found[name], "GYN-11").witness is not None
        assert [each.rule for each in found[name].findings].count("GYN-11") == 1


def test_12_a_crossing_on_its_own_is_no_corner(ask: Callable[..., dict[str, Report]]) -> None:
    """The crossing's axis is 4.00 m away; it is taken to be 4 m wide; nobody says whether it is marked."""
    report = ask(12)["P1"]
    assert finding(report, "GYN-19").outcome in ("borderline", "conditional", "not_evaluated")


def test_13_the_street_below_is_not_on_the_bridge(ask: Callable[..., dict[str, Report]]) -> None:
    report = ask(13)["P1"]
    assert report.kerb is not None
    assert report.kerb.street == "Rua dos Testes"
    assert finding(report, "GYN-23").outcome == "compliant"


def test_20_beside_the_median(ask: Callable[..., dict[str, Report]]) -> None:
    found = ask(20)
    beside = [test for test in finding(found["B_median"], "GYN-19").tests if test.label is not None]
    assert finding(found["B_median"], "GYN-19").outcome in ("violation", "borderline"), beside
    assert finding(found["A_outer"], "GYN-19").outcome == "not_evaluated"


def test_25_only_stops_of_the_own_side_count(ask: Callable[..., dict[str, Report]]) -> None:
    found = ask(25)
    near = {name: finding(found[name], "GYN-22") for name in found}
    assert near["S"].measured_m is None  # on the other side, 6.94 m away in plan
    assert near["N_ok"].measured_m == pytest.approx(10.02, abs=CM)
    assert near["N_bad"].measured_m == pytest.approx(9.95, abs=CM)
    feature = near["N_bad"].feature
    assert feature is not None
    assert feature.layer == "bus_stop"


def test_26_a_station_in_the_median_is_no_stop_of_the_outer_kerb(
    ask: Callable[..., dict[str, Report]],
) -> None:
    assert finding(ask(26)["P1"], "GYN-22").measured_m is None


def test_28_true_north(ask: Callable[..., dict[str, Report]]) -> None:
    report = ask(28)["P1"]
    assert primary_m(report, "GYN-10") == pytest.approx(0.495, abs=CM)
    assert report.kerb is not None
    assert report.kerb.angle_deg < 0.05


def test_51_limits_are_inclusive(ask: Callable[..., dict[str, Report]], shared_cases: Path) -> None:
    found = ask(51, "kerb=meio_fio.gpkg,accuracy=0,completeness=complete")
    table = next(shared_cases.glob("51-*")) / "expected.csv"
    with table.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            corner = row["limit_m"] == "5.000"
            rule = "GYN-11" if corner else "GYN-10"
            test = next(each for each in finding(found[row["id"]], rule).tests if each.reading == "primary")
            assert test.measured_m == pytest.approx(float(row["measured_m"]), abs=1e-3), row
            assert test.outcome == ("violation" if row["expected"] == "breach" else "compliant"), row


STREET = """<osm version="0.6">
 <node id="1" lon="-49.226699" lat="-16.658336"/><node id="2" lon="-49.224823" lat="-16.658352"/>
 <way id="1"><nd ref="1"/><nd ref="2"/>
  <tag k="highway" v="residential"/><tag k="name" v="Rua 1"/><tag k="width" v="8"/></way>
</osm>"""


def test_57_an_empty_layer_that_is_complete_acquits(
    shared_cases: Path, tmp_path: Path, goiania: City
) -> None:
    folder = next(shared_cases.glob("57-*"))
    (tmp_path / "rua.osm").write_text(STREET, encoding="utf-8")
    extent = {
        "type": "Polygon",
        "coordinates": [
            [[-49.23, -16.66], [-49.22, -16.66], [-49.22, -16.65], [-49.23, -16.65], [-49.23, -16.66]]
        ],
    }
    (tmp_path / "e.geojson").write_text(json.dumps(extent), encoding="utf-8")
    layer = f"hydrant={folder}/hidrantes_vazio.geojson,completeness=complete,extent={tmp_path}/e.geojson"
    network = osm_network(tmp_path / "rua.osm", goiania)
    bundle = build_city(goiania, network, [layer_file(layer)], tmp_path / "b", NOW)
    report = reports(bundle, requests(folder))["P1"]
    hydrant = [test.outcome for test in finding(report, "GYN-24").tests[:2]]
    assert hydrant == ["compliant", "compliant"]
    assert report.bundle is not None
    assert {layer.name: layer.features for layer in report.bundle.layers}["hydrant"] == 0
