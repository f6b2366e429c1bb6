"""`geocheck check BUNDLE`: a skip on a real map, its page, its JSON, and asked about again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from geocheck.model.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle

    Run = Callable[..., Any]

SPOT = ("--lon=-49.2596668", "--lat=-16.6004184")
SIZES = ("--length", "2,65", "--width", "1,72", "--height", "1,3", "--low-face", "1", "--volume", "5")
WHEN = ("--start", "2026-08-07T10:00", "--where", "carriageway")


@pytest.fixture
def folder(campus: Bundle) -> str:
    return str(campus.folder)


def _flat(out: str) -> str:
    return " ".join(out.split())


def test_the_page_says_where_and_how_surely(geocheck: Run, folder: str) -> None:
    ran = geocheck("check", folder, *SPOT, *SIZES, *WHEN, "--planned")
    assert (ran.code, ran.err) == (0, "")
    page = _flat(ran.out)
    assert "Caçamba planejada, a 0,30 m da guia" in page
    assert "Avenida Esperança; a guia é conhecida a ± 4,25 m" in page
    assert "Um olhar em volta da caçamba: ver se a caçamba fica sobre ou diante de" in page
    assert "Sem mapa carregado" not in page
    assert "nan" not in page.casefold().replace("manancial", "")
    there = geocheck("check", folder, *SPOT, *SIZES, *WHEN, "--observed-position")
    assert "Caçamba já no lugar, a " in _flat(there.out)


def test_a_planned_visit_is_four_errands(geocheck: Run, folder: str) -> None:
    ran = geocheck("check", folder, *SPOT, *SIZES, *WHEN, "--planned")
    start = ran.out.index("Falta medir, ver ou informar")
    part = ran.out[start : ran.out.index("Condições", start)]
    assert [line.split(":")[0].strip(" •") for line in part.splitlines() if "•" in line] == [
        "Um olhar em volta da caçamba",
        "Uma caminhada pela quadra",
        "Com a trena",
        "Perguntar ou informar",
    ]


def test_the_json_keeps_the_schema(
    geocheck: Run, folder: str, keeps_schema: Callable[[Report], None]
) -> None:
    for mode in ("--planned", "--observed-position"):
        ran = geocheck("check", folder, *SPOT, *SIZES, *WHEN, mode, "--json", "-")
        report = Report.model_validate_json(ran.out)
        keeps_schema(report)
        assert report.kerb is not None
        assert report.kerb.street == "Avenida Esperança"
        assert report.footprint is not None


def test_no_size_is_asked_for_once_and_supposed_by_the_capacity(geocheck: Run, folder: str) -> None:
    ran = geocheck("check", folder, *SPOT, *WHEN, "--planned", "--json", "-")
    report = Report.model_validate_json(ran.out)
    assert report.footprint is None
    assert "size_missing" in {notice.code for notice in report.notices}
    keys = [entry.key for entry in report.pending]
    assert (keys.count("length_m"), keys.count("width_m")) == (1, 1)
    assert not any(entry.action == "measure" for entry in report.pending)
    ran = geocheck("check", folder, *SPOT, *WHEN, "--planned", "--volume", "5", "--json", "-")
    report = Report.model_validate_json(ran.out)
    assert report.footprint is not None
    assert "size_supposed" in {notice.code for notice in report.notices}
    outcomes = {finding.rule: finding.outcome for finding in report.findings}
    assert outcomes["GYN-04"] == "not_evaluated"  # the real width is not known
    assert {"length_m", "width_m"} <= {entry.key for entry in report.pending}


@pytest.mark.parametrize(
    ("spot", "code"),
    [(("--lon=-49.2", "--lat=-16.7"), "off_map"), (("--lon=-49.252951", "--lat=-16.604648"), "no_kerb")],
)
def test_beyond_the_map_nothing_is_judged_on_it(
    geocheck: Run, folder: str, spot: tuple[str, str], code: str
) -> None:
    ran = geocheck("check", folder, *spot, *SIZES, *WHEN, "--planned", "--json", "-")
    report = Report.model_validate_json(ran.out)
    assert code in {notice.code for notice in report.notices}
    assert not [finding.rule for finding in report.findings if finding.basis == "map"]
    assert report.verdict == "inconclusive"


def test_asked_again_nothing_changed(geocheck: Run, folder: str, tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    geocheck("check", folder, *SPOT, *SIZES, *WHEN, "--planned", "--json", str(first))
    ran = geocheck("check", folder, "--from", str(first), "--json", str(second))
    assert (ran.code, ran.err) == (0, "")
    assert "nada: a mesma lei, o mesmo mapa, a mesma resposta" in ran.out
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (first, second))
    assert new["findings"] == old["findings"]
    assert abs(new["kerb"]["centre_m"] - old["kerb"]["centre_m"]) < 1e-6


def test_asked_again_on_another_map_and_another_law(geocheck: Run, folder: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    geocheck("check", folder, *SPOT, *SIZES, *WHEN, "--planned", "--json", str(path))
    told = json.loads(path.read_text(encoding="utf-8"))
    told["bundle"]["sha256"] = "0" * 64
    told["rulebooks"][0]["sha256"] = "1" * 64
    told["verdict"] = "no_impediment_found"
    path.write_text(json.dumps(told), encoding="utf-8")
    ran = geocheck("check", folder, "--from", str(path))
    page = _flat(ran.out)
    assert "mapa: outro pacote (00000000 → " in page
    assert "foi alterada no programa (11111111 → " in page
    assert "resposta: nenhum impedimento encontrado → " in page


def test_a_report_of_another_schema_is_refused(geocheck: Run, folder: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    geocheck("check", folder, *SPOT, *SIZES, *WHEN, "--planned", "--json", str(path))
    told = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**told, "schema": "geocheck/report/0"}), encoding="utf-8")
    ran = geocheck("check", folder, "--from", str(path))
    assert ran.code == 1
    assert "não é um relatório desta versão do geocheck" in ran.err
    assert "schema" in ran.err
    assert "Traceback" not in ran.err


def test_with_no_place_the_map_is_not_used(geocheck: Run, folder: str) -> None:
    ran = geocheck("check", folder, *WHEN, "--measured", "gap_m=0.3", "--json", "-")
    report = Report.model_validate_json(ran.out)
    assert "no_place" in {notice.code for notice in report.notices}
    assert report.footprint is None
