"""`stay`, `deadlines`, `rules`, `cities`, `demo`, `--version`: what they print, read as a user does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyogrio
import pytest

from geocheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]


def test_stay_counts_day_by_day(geocheck: Run) -> None:
    out = geocheck("stay", "goiania", "--placed-at", "2026-10-23T10:00").out
    assert "sex, 30/10/2026 23:59" in out
    for line in (
        "23/10/2026, sexta-feira: não conta (dia da colocação)",
        "24/10/2026, sábado: não conta (feriado: Aniversário de Goiânia)",
        "26/10/2026, segunda-feira: 1º dia",
        "30/10/2026, sexta-feira: 5º dia",
        "quando encher: 24 horas corridas",
        "qui, 29/10/2026 23:59",
    ):
        assert line in out
    assert "ponto facultativo" in out


def test_stay_after_it_is_full(geocheck: Run) -> None:
    args = (
        "stay",
        "goiania",
        "--placed-at",
        "2026-10-23T10:00",
        "--full-at",
        "2026-10-27T16:00",
        "--json",
        "-",
    )
    assert json.loads(geocheck(*args).out)["leave_by"] == "2026-10-28T16:00:00-03:00"


def test_stay_without_a_term_says_so(geocheck: Run) -> None:
    out = geocheck("stay", "dois-vizinhos", "--placed-at", "2026-08-07", "--where", "footway").out
    assert "Não há prazo de permanência" in out


def test_stay_needs_a_date(geocheck: Run) -> None:
    assert geocheck("stay", "goiania").code == 2


@pytest.mark.parametrize(
    ("city", "on", "act", "last_day"),
    [
        ("goiania", "2026-08-07", "defesa", "17/08/2026"),  # Fri + 10 calendar days is a Monday
        ("goiania", "2026-08-05", "defesa", "17/08/2026"),  # the 15th is a Saturday: moved to Monday
        ("juiz-de-fora", "2026-05-20", "defesa", "05/06/2026"),  # the 4th is Corpus Christi: moved to Friday
        ("olinda", "2026-12-22", "defesa", "04/01/2027"),  # 1 January is a holiday, then a weekend
    ],
)
def test_deadlines(geocheck: Run, city: str, on: str, act: str, last_day: str) -> None:
    rows = [line.split() for line in geocheck("deadlines", city, "--on", on).out.splitlines()]
    assert [act, last_day] in [row[:2] for row in rows]


def test_deadlines_of_an_event_without_terms(geocheck: Run) -> None:
    ran = geocheck("deadlines", "rio-verde", "--on", "2026-08-07")
    assert ran.code == 0
    assert "Nenhuma norma" in ran.out


@pytest.mark.parametrize(
    ("on", "status"),
    [
        ("2004-02-11", "AINDA NÃO EM VIGOR"),
        ("2005-03-01", "EM VIGOR"),
        ("2012-06-03", "EM VIGOR"),
        ("2012-06-04", "REVOGADA"),
        ("2026-11-30", "REVOGADA"),
    ],
)
def test_rules_tell_the_status_on_the_day(geocheck: Run, on: str, status: str) -> None:
    out = geocheck("rules", "goiania", "--on", on).out
    assert f" {status} ·" in out
    assert ("1.285" in out) == (status == "REVOGADA") or "Atos posteriores" in out


def test_rules_show_every_rule_with_its_article_and_limit(geocheck: Run) -> None:
    out = geocheck("rules", "juiz-de-fora", "--on", "2026-11-30").out
    for number in range(1, 41):
        assert f"JDF-{number:02d}" in out
    for text in ("Art. 9º, III, d", "≥ 0,05 m", "R$ 5.000,00", "≥ 6,00 m de esquina"):
        assert text in out


def test_rules_of_every_city_read_without_markup(geocheck: Run) -> None:
    for city in ("goiania", "juiz-de-fora", "dois-vizinhos", "olinda", "rio-verde"):
        ran = geocheck("rules", city)
        assert (ran.code, ran.err) == (0, "")
        assert "[/]" not in ran.out
        assert "[bold" not in ran.out


def test_lint_lists_every_problem_of_a_file(geocheck: Run, tmp_path: Path) -> None:
    path = tmp_path / "minha-norma.toml"
    path.write_text(
        """
[rulebook]
id = "minha-norma"
series = "minha"
city = "minha"
title = "Lei de teste"
short_title = "Lei"
source = "inventada"
text_status = "complete"
[sanctions]
cumulative = true
[[rule]]
id = "MIN-01"
title = "Esquina"
asks = "Cinco metros da esquina."
law = { locator = "I" }
[[rule.test]]
kind = "min_distance"
feature = "corners"
min_cm = 500
metric = "along_kerb"
reference = "kerb_prolongation"
""",
        encoding="utf-8",
    )
    ran = geocheck("rules", "--lint", str(path))
    assert ran.code == 1
    said = ran.err.splitlines()
    assert any("MIN-01: law.article: falta" in line for line in said)
    assert any("min_cm" in line and "min_m" in line for line in said)
    assert any("feature" in line and "quis dizer “corner”" in line for line in said)


def test_lint_of_a_good_file(geocheck: Run) -> None:
    ran = geocheck("rules", "--lint", "data/rulebooks/ctb.toml")
    assert (ran.code, ran.err) == (0, "")
    assert "nenhum problema" in ran.out


def test_cities(geocheck: Run) -> None:
    out = geocheck("cities").out
    for text in ("goiania", "Dois Vizinhos", "2609600", "EPSG:31983", "rio-verde-taxi, ctb"):
        assert text in out


def test_demo_builds_checks_and_writes(geocheck: Run, tmp_path: Path) -> None:
    out = tmp_path / "saida"
    ran = geocheck("demo", "--out", str(out))
    assert ran.code == 0, ran.err
    told = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*.json")}
    assert {name: report["verdict"] for name, report in told.items()} == {
        "livre": "no_impediment_found",
        "ponto-sem-pintura": "prohibited",
        "guia-nao-levantada": "inconclusive",
    }
    assert {path.stem for path in out.glob("*.html")} == set(told)
    assert (out / "demo-bundle" / "manifest.json").is_file()
    assert len(pyogrio.read_dataframe(out / "guias.gpkg", layer="kerb")) == 48
    for text in ("NENHUM IMPEDIMENTO", "PROIBIDO", "INCONCLUSIVO", "guias.gpkg"):
        assert text in ran.out


def test_version(geocheck: Run) -> None:
    assert geocheck("--version").out.strip() == f"geocheck {__version__}"
