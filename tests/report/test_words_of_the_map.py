"""What findings and pending say of the map: values, uncertainty, doubts, and what would settle them."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from geocheck.api import check, check_many
from geocheck.check.sight.index import index_of
from geocheck.city.streets.runs import EndKind
from geocheck.city.wgs84 import to_lonlat
from geocheck.model.request import parse_request
from geocheck.report import wording
from geocheck.report.visit import visit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report

NOW = dt.datetime(2026, 8, 7, 13, tzinfo=dt.UTC)
SIZES = {"length_m": 2.65, "width_m": 1.72, "height_m": 1.3, "low_face_m": 1.0, "volume_m3": 5.0}
NEAR: Final = ("corner", "mouth", "median", "bus_stop", "green", "crossing", "driveway", "signal")
EACH = 6

METRES = re.compile(r"(\d+,\d+) m\b")


def _request(lon: float, lat: float, **more: object) -> dict[str, Any]:
    raw = {"city": "goiania", "lon": lon, "lat": lat, "start": "2026-08-07T10:00", "where": "carriageway"}
    return {**raw, **SIZES, **more}


@pytest.fixture(scope="module")
def reports(campus: Bundle, goiania: City) -> list[Report]:
    """Return reports of planned and standing skips near things of every sort."""
    city_map = index_of(campus, goiania).city_map
    random = np.random.default_rng(7)
    places = []
    for name in NEAR:
        layer = city_map.layer(name)
        assert layer is not None
        picked = random.choice(len(layer.geometry), min(EACH, len(layer.geometry)), replace=False)
        centres = shapely.get_coordinates(shapely.centroid(layer.geometry[picked]))
        places.append(centres + random.normal(0, 3, centres.shape))
    lonlat = to_lonlat(np.concatenate(places), city_map.crs).tolist()
    requests = [
        parse_request(_request(lon, lat, mode=mode, **({} if mode == "planned" else {"bearing_deg": 40.0})))
        for lon, lat in lonlat
        for mode in ("planned", "observed")
    ]
    return check_many(requests, bundle=campus, now=NOW)


def _findings(reports: list[Report], *outcomes: str) -> Iterator[tuple[Report, FindingReport]]:
    for report in reports:
        for finding in report.findings:
            if finding.outcome in outcomes:
                yield report, finding


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _texts(report: Report) -> Iterator[str]:
    yield report.summary
    for finding in (*report.findings, *report.second_opinion):
        yield finding.message
        yield finding.remedy or ""
    yield from (each.text for each in report.pending)
    yield from (each.text for each in report.notices)
    yield from (each.text for each in report.conditions)


def test_every_text_is_whole_and_brazilian(reports: list[Report]) -> None:
    wrong = re.compile(r"\bnan\b|\binf\b|None|\b[a-z]+_m\b|of_served_lot|\d\.\d+ m|  |[;:,] ?[;:,]|\{|\}")
    for report in reports:
        for text in _texts(report):
            assert not wrong.search(text), text
            assert "autorizado" not in text.casefold().replace("não autorizado", "")


def test_every_report_keeps_the_schema(reports: list[Report], keeps_schema: Callable[[Report], None]) -> None:
    for report in reports:
        keeps_schema(report)


def test_map_values_are_told_to_the_centimetre_with_their_uncertainty(reports: list[Report]) -> None:
    told = 0
    for _, finding in _findings(reports, "compliant", "borderline", "violation"):
        if finding.basis != "map" or finding.measured_m is None or not finding.uncertainty_m:
            continue
        if finding.kind not in ("min_distance", "max_distance") or finding.measured_m == 0:
            continue
        value, spread, limit = map(_number, METRES.findall(finding.message)[:3])
        assert abs(value - finding.measured_m) <= 0.005 + 1e-9
        assert 0 <= spread - finding.uncertainty_m < 0.0101
        assert limit == finding.limit_m
        told += 1
    assert told >= 10


def test_a_breach_is_never_told_as_its_limit(reports: list[Report]) -> None:
    for _, finding in _findings(reports, "violation"):
        if finding.kind == "min_distance" and finding.measured_m:
            value, _, limit = map(_number, METRES.findall(finding.message)[:3])
            assert value < limit


@given(st.floats(0.06, 60), st.floats(0.0011, 0.02))
def test_values_beside_a_limit(limit: float, off: float) -> None:
    limit = round(limit, 2)
    for sign in (1, -1):
        value = limit + sign * off
        told = _number(wording.centimetres(value, limit, breach=True).removesuffix(" m"))
        assert (told - limit) * sign > 0
        assert abs(told - value) <= 0.0101


def test_what_is_borderline_says_what_settles_it_and_asks_for_it(reports: list[Report]) -> None:
    seen = 0
    for report, finding in _findings(reports, "borderline"):
        assert "o mapa não basta, " in finding.message
        assert re.search(r"; (meça|veja|informe) ", finding.message), finding.message
        assert any(entry.rule == finding.rule for entry in report.pending)
        chance = re.search(r"(\d+) % de chance", finding.message)
        assert chance is not None
        assert finding.p_violation is not None
        assert abs(int(chance[1]) - finding.p_violation * 100) <= 0.51
        seen += 1
    assert seen > 20


def test_a_borderline_corner_asks_for_the_corner_on_its_side(campus: Bundle, reports: list[Report]) -> None:
    """Taping what is asked for settles the rule."""
    settled = 0
    for report, finding in _findings(reports, "borderline"):
        asked = [entry.key for entry in report.pending if entry.rule == finding.rule == "GYN-11"]
        keys = [key for key in asked if key in ("corner_before_m", "corner_after_m")]
        if len(keys) != 1:
            continue
        raw = report.request.model_dump(mode="json", exclude_unset=True)
        outcomes = []
        for metres in (4.99, 60.0):
            again = check(parse_request({**raw, "measured": {keys[0]: metres}}), bundle=campus, now=NOW)
            outcomes.append(next(each.outcome for each in again.findings if each.rule == "GYN-11"))
        assert outcomes[0] == "violation"
        settled += outcomes[1] in ("compliant", "conditional")
    assert settled >= 2


def test_a_partial_layer_tells_its_nearest_thing(campus: Bundle, goiania: City) -> None:
    """Some way off a stop of the map, nobody knows whether there is another one that is nearer."""
    city_map = index_of(campus, goiania).city_map
    stops = city_map.layer("bus_stop")
    assert stops is not None
    around = np.array([(18.0, 0.0), (-18.0, 0.0), (0.0, 18.0), (0.0, -18.0)])
    xy = (shapely.get_coordinates(shapely.centroid(stops.geometry))[:, None, :] + around).reshape(-1, 2)
    requests = [
        parse_request(_request(lon, lat, mode="planned")) for lon, lat in to_lonlat(xy, city_map.crs).tolist()
    ]
    told = 0
    for _, finding in _findings(check_many(requests, bundle=campus, now=NOW), "not_evaluated"):
        found = re.search(r"mostra o ponto de ônibus mais próximo a (\d+,\d+) m", finding.message)
        if finding.rule == "GYN-22" and found:
            near = [test.measured_m for test in finding.tests if test.measured_m is not None]
            assert _number(found[1]) in [pytest.approx(each, abs=0.0051) for each in near]
            told += 1
    assert told >= 5


def test_the_end_of_a_kerb_is_no_thing_whose_distance_is_told(campus: Bundle, goiania: City) -> None:
    """Sixteen metres before the cut end of a kerb, half a skip nearer, beyond what most rules ask for."""
    city_map = index_of(campus, goiania).city_map
    table, side = city_map.segments, city_map.sides
    ends = side["s"] + side["length_m"]
    cut = (side["ring"] == 0) & (side["end_kind"] == int(EndKind.CUT)) & (side["length_m"] > 40)
    stations = (ends - 16.0)[cut]
    piece = np.searchsorted(table["s"], stations, side="right") - 1
    share = ((stations - table["s"][piece]) / table["length_m"][piece])[:, None]
    edges = city_map.edges[piece]
    xy = edges[:, :2] + share * (edges[:, 2:] - edges[:, :2])
    requests = [
        parse_request(_request(lon, lat, mode="planned")) for lon, lat in to_lonlat(xy, city_map.crs).tolist()
    ]
    quiet = 0
    for _, finding in _findings(check_many(requests, bundle=campus, now=NOW), "not_evaluated"):
        told = [test.measured_m for test in finding.tests if test.measured_m is not None]
        assert not [value for value in told if abs(value - (16.0 - 2.65 / 2)) < 0.01], finding.message
        quiet += "não mostra ponto de ônibus por perto" in finding.message
    assert quiet >= 5


def test_a_complete_layer_says_that_the_map_shows_nothing(reports: list[Report]) -> None:
    messages = {finding.message for _, finding in _findings(reports, "compliant") if finding.basis == "map"}
    assert "não há ponte ou viaduto no mapa, neste local" in messages
    assert "não há esquina no mapa até 5,00 m" in messages


def test_the_side_of_the_street_and_the_attribute_are_named(reports: list[Report]) -> None:
    doubtful = [f for _, f in _findings(reports, "conditional") if "de que lado da rua" in f.message]
    assert {finding.rule for finding in doubtful} >= {"GYN-21"}
    boxes = [
        entry
        for report, finding in _findings(reports, "conditional")
        if finding.rule == "GYN-22" and "depende de haver box pintado" in finding.message
        for entry in report.pending
        if entry.rule == "GYN-22" and entry.key == "box"
    ]
    assert boxes
    assert all(entry.group == "block" for entry in boxes)


def test_map_and_eyes_that_contradict_each_other_are_said_to(campus: Bundle, reports: list[Report]) -> None:
    report = next(
        report
        for report, finding in _findings(reports, "violation")
        if finding.rule == "GYN-22" and finding.basis == "map"
    )
    raw = report.request.model_dump(mode="json", exclude_unset=True)
    seen = [{"layer": "bus_stop", "state": "none", "reach_m": 20.0}]
    again = check(parse_request({**raw, "observed": seen}), bundle=campus, now=NOW)
    finding = next(each for each in again.findings if each.rule == "GYN-22")
    assert finding.outcome == "conditional"
    assert finding.message.startswith("o mapa contradiz o que se viu: ")
    assert any(entry.rule == "GYN-22" for entry in again.pending)


def test_the_visit_asks_everything_once_in_four_errands(reports: list[Report]) -> None:
    for report in reports:
        errands = visit(report.pending)
        assert len(errands) <= 4
        assert {rule for errand in errands for rule in errand.rules} == {e.rule for e in report.pending}
        assert sum(len(errand.items) for errand in errands) <= 30
        for entry in report.pending:
            if entry.action == "look" and entry.layer is not None:
                told = " ".join(" ".join(errand.items) for errand in errands)
                assert wording.LAYERS[entry.layer] in told or entry.layer in ("sign", "lot")
