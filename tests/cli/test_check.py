"""`geocheck check` as an engineer with a tape types it: answers, files, and every way to get it wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]


def _findings(out: str) -> dict[str, dict[str, Any]]:
    return {finding["rule"]: finding for finding in json.loads(out)["findings"]}


def test_flags_become_a_request(geocheck: Run) -> None:
    ran = geocheck(
        *("check", "goiania", "--start", "07/08/2026 10:00", "--where", "carriageway", "--json", "-"),
        *(
            "--measured",
            "gap_m=0,51",
            "--measured",
            "corner_before_m=4.99",
            "--measured",
            "corner_after_m=40",
        ),
        *("--observed", "bus_stop=present,reach_m=9,5,box=no", "--observed", "hydrant=none,reach_m=5"),
        *("--in-zone", "central_zone=sim", "--site", "interior_possible=não", "--site", "skips_on_lot=2"),
        *("--length", "2,65", "--width", "1.81", "--authorised", "GYN-25", "--declared", "GYN-08"),
    )
    assert (ran.code, ran.err) == (0, "")
    findings = _findings(ran.out)
    outcomes = {
        rule: findings[rule]["outcome"] for rule in ("GYN-04", "GYN-07", "GYN-09", "GYN-10", "GYN-11")
    }
    assert outcomes == {
        "GYN-04": "violation",  # 1.81 m is wider than 1.80 m
        "GYN-07": "violation",  # two others and this one make three
        "GYN-09": "compliant",  # impossible inside
        "GYN-10": "violation",  # 0.51 m is more than 0.50 m
        "GYN-11": "violation",  # 4.99 m is less than 5 m
    }
    assert findings["GYN-22"]["outcome"] == "violation"  # an unmarked stop at most 9.5 m away
    assert findings["GYN-25"]["outcome"] == "compliant"
    report = json.loads(ran.out)
    assert report["verdict"] == "prohibited"
    assert {item["rule"] for item in report["checklist"] if item["declared"]} == {"GYN-08"}


def test_the_page_names_rule_article_and_centimetres(geocheck: Run) -> None:
    ran = geocheck("check", "goiania", "--start", "2026-08-07T10:00", "--measured", "gap_m=0.60")
    assert ran.code == 0
    for text in ("PROIBIDO", "GYN-10", "Art. 11, § 2º, II", "0,10 m", "NORMA REVOGADA", "norma revogada"):
        assert text in ran.out


def test_nothing_known_is_never_a_pass(geocheck: Run) -> None:
    ran = geocheck("check", "goiania", "--json", "-")
    report = json.loads(ran.out)
    assert report["verdict"] == "inconclusive"
    passed = {finding["rule"] for finding in report["findings"] if finding["outcome"] == "compliant"}
    assert passed <= {"GYN-27"}  # leaving within the term is what an omitted end means
    assert {entry["rule"] for entry in report["pending"]} >= {
        "GYN-10",
        "GYN-11",
        "GYN-13",
        "GYN-24",
        "GYN-25",
    }


def test_request_file_and_report_file(geocheck: Run, tmp_path: Path) -> None:
    request, target = tmp_path / "pedido.json", tmp_path / "r.json"
    request.write_text('{"start": "2026-08-07T10:00", "measured": {"gap_m": 0.3}}', encoding="utf-8-sig")
    ran = geocheck("check", "goiania", "--request", str(request), "--json", str(target))
    assert ran.code == 0
    report = json.loads(target.read_text(encoding="utf-8"))
    assert report["schema"] == "geocheck/report/1"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_ndjson_gives_a_report_a_line(geocheck: Run) -> None:
    lines = "".join(f'{{"measured": {{"gap_m": {gap}}}}}\n' for gap in (0.5, 0.51, 1.01))
    ran = geocheck("check", "goiania", "--request", "-", "--json", "-", stdin=lines)
    outcomes = [
        finding["outcome"]
        for line in ran.out.splitlines()
        for finding in json.loads(line)["findings"]
        if finding["rule"] == "GYN-10"
    ]
    assert outcomes == ["compliant", "violation", "violation"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("check", "goiana"), "quis dizer “goiania”"),
        (("check", "goiania", "--measured", "gap=0.3"), "quis dizer “gap_m”"),
        (("check", "goiania", "--measured", "gap_m=perto"), "não é um número"),
        (("check", "goiania", "--measured", "gap_m=-1"), "measured.gap_m"),
        (("check", "goiania", "--measured", "gap_m=nan"), "measured.gap_m"),
        (("check", "goiania", "--measured", "gap_m=inf"), "measured.gap_m"),
        (("check", "goiania", "--measured", "gap_m"), "CHAVE=VALOR"),
        (("check", "goiania", "--measured", "gap_m=1", "--measured", "gap_m=2"), "duas vezes"),
        (("check", "goiania", "--observed", "hidrante=none"), "observed[0].layer"),
        (("check", "goiania", "--observed", "hydrant=nada"), "observed[0].state"),
        (("check", "goiania", "--in-zone", "central_zone=talvez"), "sim nem não"),
        (("check", "goiania", "--site", "skips_on_lot=muitas"), "skips_on_lot"),
        (("check", "goiania", "--start", "amanhã"), "start"),
        (("check", "goiania", "--start", "2026-02-30"), "start"),
        (("check", "goiania", "--start", "2026-05-05T08:00:00 03:00"), "start"),
        (("check", "goiania", "--start", "2026-08-07", "--end", "2026-08-06"), "end"),
        (("check", "goiania", "--width", "265"), "width_m"),
        (("check", "goiania", "--authorised", "25"), "authorised[0]"),
        (("check", "goiania", "--rulebook", "juiz-de-fora-lei-14670-2023"), "rulebook"),
        (("check", "goiania", "--request", "nao-existe.json"), "nao-existe.json"),
        (("check", "goiania", "--amounts", "nao-existe.toml"), "nao-existe.toml"),
        (("check", "goiania", "--json", "pasta-que-nao-existe/r.json"), "pasta-que-nao-existe"),
        (("check", "cidade-minha.toml"), "cidade-minha.toml"),
        (
            ("check", "goiania", "--observed", "hydrant=none,reach_m=5", "--measured", "hydrant_m=3"),
            "se contradiz",
        ),
        (("stay", "goiania", "--placed-at", "ontem"), "--placed-at: não entendi a data"),
        (("rules", "goiania", "--on", "13/13/2026"), "on"),
        (("rules",), "goiania"),
        (("deadlines", "goiania", "--on", ""), "on"),
    ],
)
def test_a_mistake_is_said_in_portuguese_and_exits_1(geocheck: Run, args: tuple[str, ...], said: str) -> None:
    ran = geocheck(*args)
    assert ran.code == 1
    assert ran.out == ""
    assert said in ran.err
    assert "Traceback" not in ran.err
    for english in ("Input should", "Field required", "Extra inputs", "No such file"):
        assert english not in ran.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "vazio"),
        ("{", "não é JSON"),
        ("[1, 2]", "objeto JSON"),
        ('{"length_m": NaN}', "NaN"),
        ('{"length_m": Infinity}', "Infinity"),
        ('{"length_m": 1e999}', "length_m"),
        ('{"length_m": -2.65}', "length_m"),
        ('{"length_m": "NaN"}', "length_m"),
        ('{"measured": {"gap_m": null}}', "measured.gap_m"),
        ('{"comprimento": 2.65}', "comprimento"),
        ('{"lenght_m": 2.65}', "quis dizer “length_m”"),
        ('{"lon": -49.26}', "lon e lat"),
        ('{"lon": -16.67, "lat": -49.26}', "trocadas"),
        ('{"lon": -43.35, "lat": -21.76}', "fora de Goiânia"),
        ('{"lon": -49.26, "lat": 91}', "lat"),
        ('{"city": "olinda"}', "o comando"),
        ('{"start": "2026-08-07T10:00", "start": "2026-08-08T10:00"}', "repetida"),
        ('{"measured": {"angle_deg": 91}}', "angle_deg"),
        ('{"low_face_m": 1.4, "height_m": 1.3}', "low_face_m"),
        ('{"observed": [{"layer": "hydrant"}]}', "observed[0].state"),
        ('{"gap": 1}\n{"x"\n', "linha 2"),
        ("\x00\x01", "não é JSON"),
    ],
)
def test_a_bad_request_file_is_refused(geocheck: Run, content: str, said: str) -> None:
    ran = geocheck("check", "goiania", "--request", "-", "--json", "-", stdin=content)
    assert ran.code == 1
    assert said in ran.err
    assert ran.out == ""


def test_request_not_in_utf8(geocheck: Run) -> None:
    ran = geocheck("check", "goiania", "--request", "-", stdin='{"address": "Goiânia"}'.encode("latin-1"))
    assert ran.code == 1
    assert "UTF-8" in ran.err


def test_bearing_is_taken_modulo_a_turn(geocheck: Run) -> None:
    ran = geocheck("check", "goiania", "--request", "-", "--json", "-", stdin='{"bearing_deg": 450}')
    assert json.loads(ran.out)["request"]["bearing_deg"] == 90


def test_a_request_and_flags_do_not_mix(geocheck: Run) -> None:
    ran = geocheck("check", "goiania", "--request", "-", "--width", "1.7", stdin="{}")
    assert ran.code == 1
    assert "width_m" in ran.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("check",), "falta PACOTE|CIDADE"),
        (("check", "goiania", "--nada"), "não há a opção --nada"),
        (("check", "goiania", "--widht", "1"), "quis dizer “--width”"),
        (("check", "goiania", "--where", "rua"), "valor não aceito em --where (uma de: carriageway,"),
        (("chek",), "não há o comando “chek”; quis dizer “check”?"),
        (("stay", "goiania"), "falta --placed-at"),
        (("check", "goiania", "sobra"), "veja geocheck check --help"),
    ],
)
def test_usage_errors_exit_2(geocheck: Run, args: tuple[str, ...], said: str) -> None:
    ran = geocheck(*args)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Error" not in ran.err


def test_no_command_shows_the_commands(geocheck: Run) -> None:
    ran = geocheck()
    assert ran.code == 2
    assert "check" in ran.err


def test_debug_shows_the_traceback(geocheck: Run) -> None:
    with pytest.raises(Exception, match="goiana"):
        geocheck("--debug", "check", "goiana")


def test_text_from_the_user_is_not_markup(geocheck: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "[bold]cidade[bold].toml"
    ran = geocheck("check", str(sheet))
    assert ran.code == 1
    assert "[bold]cidade[bold].toml" in ran.err


def test_amounts_supplied_by_the_user_enter_the_fines(geocheck: Run, tmp_path: Path) -> None:
    table = tmp_path / "valores.toml"
    table.write_text(
        '[[ufm]]\ncity = "dois-vizinhos"\nvalid_from = 2026-01-01\nbrl = "98.50"\n', encoding="utf-8"
    )
    args = (
        "check",
        "dois-vizinhos",
        "--start",
        "2026-08-07T10:00",
        "--measured",
        "corner_before_m=3",
        "--json",
        "-",
    )
    without = json.loads(geocheck(*args).out)["penalties"]
    assert (without["total_brl"], without["total_ufm"]) == (None, "10.00")
    with_table = json.loads(geocheck(*args, "--amounts", str(table)).out)["penalties"]
    assert (with_table["total_brl"], with_table["total_ufm"]) == ("985.00", None)
