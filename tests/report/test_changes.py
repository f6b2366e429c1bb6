"""What changed between two reports: the law, the map, the answer, and nothing where nothing did."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from geocheck.api import check
from geocheck.model.report import BundleLayer, BundleReport
from geocheck.model.request import parse_request
from geocheck.report.changes import changes_between

if TYPE_CHECKING:
    from geocheck.model.report import Report

NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)


def _report(**more: object) -> Report:
    raw = {"city": "goiania", "start": "2026-08-07T10:00", "measured": {"gap_m": 0.3}, **more}
    return check(parse_request(raw), now=NOW)


def _bundle(digit: str, *layers: BundleLayer) -> BundleReport:
    return BundleReport(
        sha256=digit * 64, built_at="2026-12-01T01:03:00+00:00", crs="EPSG:31982", layers=layers
    )


def _layer(name: str, features: int, date: str | None = None) -> BundleLayer:
    return BundleLayer(name=name, features=features, accuracy_m=3.0, completeness="partial", date=date)


@pytest.fixture(scope="module")
def report() -> Report:
    return _report()


def test_nothing_changed(report: Report) -> None:
    later = report.model_copy(update={"evaluated_at": "2027-01-01T00:00:00-03:00", "engine": "geocheck 9"})
    assert changes_between(report, later) == []


def test_the_answer_changed(report: Report) -> None:
    far = _report(measured={"gap_m": 0.6})
    assert changes_between(report, far) == [
        "resposta: inconclusivo → proibido",
        "GYN-10 (Afastamento máximo da guia): conforme → não conforme",
        "CTB-02 (Afastamento da guia): conforme → não conforme",
    ]


def test_a_value_changed_to_the_centimetre(report: Report) -> None:
    nearer = _report(measured={"gap_m": 0.25})
    assert changes_between(report, nearer) == [
        "GYN-10 (Afastamento máximo da guia): 0,30 m → 0,25 m",
        "CTB-02 (Afastamento da guia): 0,30 m → 0,25 m",
    ]
    assert changes_between(report, _report(measured={"gap_m": 0.301})) == []


def test_the_law_changed(report: Report) -> None:
    own, federal = report.rulebooks
    amended = own.model_copy(update={"sha256": "f" * 64, "status": "in_force"})
    new = report.model_copy(update={"rulebooks": (amended,)})
    assert changes_between(report, new) == [
        f"lei: {federal.title} não se aplica mais",
        f"lei: {own.title} foi alterada no programa ({own.sha256[:8]} → ffffffff)",
        f"lei: {own.title} mudou de situação",
    ]
    assert changes_between(new, report)[0] == f"lei: {federal.title} passou a aplicar-se"


def test_rules_came_and_went(report: Report) -> None:
    kept = tuple(finding for finding in report.findings if finding.rule != "GYN-10")
    without = report.model_copy(update={"findings": kept})
    assert changes_between(report, without) == ["GYN-10: a regra não se aplica mais (era conforme)"]
    assert changes_between(without, report) == ["GYN-10: nova regra, conforme"]


def test_the_map_changed(report: Report) -> None:
    one = report.model_copy(update={"bundle": _bundle("a", _layer("bus_stop", 22), _layer("lot", 5))})
    two = report.model_copy(
        update={"bundle": _bundle("b", _layer("bus_stop", 25, "2026-10-01"), _layer("hydrant", 3))}
    )
    assert changes_between(one, one) == []
    assert changes_between(report, one) == ["mapa: antes não havia mapa"]
    assert changes_between(one, report) == ["mapa: agora não há mapa"]
    assert changes_between(one, two) == [
        "mapa: outro pacote (aaaaaaaa → bbbbbbbb), montado em 2026-12-01",
        "mapa: camada ponto de ônibus: 22 feições, ± 3,00 m → 25 feições, ± 3,00 m, de 2026-10-01",
        "mapa: camada hidrante: sem camada → 3 feições, ± 3,00 m",
        "mapa: camada lote: 5 feições, ± 3,00 m → sem camada",
    ]
