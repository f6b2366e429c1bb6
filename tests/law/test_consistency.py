"""What no key shows alone: tables that contradict themselves, rules pointing nowhere, versions that clash."""

from __future__ import annotations

import copy
import datetime as dt
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
import tomli_w

from geocheck.errors import DataFileError, Problem
from geocheck.files import data_folder
from geocheck.law.load import lint
from geocheck.law.versions import city_law

if TYPE_CHECKING:
    from pathlib import Path

DAY = dt.date.fromisoformat

CORNER = {
    "kind": "min_distance",
    "feature": "corner",
    "min_m": 5.0,
    "metric": "along_kerb",
    "reference": "kerb_prolongation",
}
KERB = {"kind": "max_distance", "feature": "kerb", "max_m": 0.5}
DUTY = {"kind": "conduct_duty", "items": ["limpar"]}
STAY = {"kind": "max_stay", "term": {"unit": "running_hours", "limit_h": 24}}
ACT = {"kind": "zone_authorisation", "authority": "SMT", "acts": ["stay"]}
PROPERTY = {"places": ["property"]}


def _ladder(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "placement_ladder", "steps": list(steps)}


def rule(rule_id: str, *tests: dict[str, Any], **fields: Any) -> dict[str, Any]:  # noqa: ANN401 (TOML)
    """Return a rule; without tests, a duty."""
    return {
        "id": rule_id,
        "title": "Regra",
        "asks": "Cumprir.",
        "law": {"article": "1"},
        "test": list(tests) or [DUTY],
        **fields,
    }


def norm(*rules: dict[str, Any], **header: Any) -> dict[str, Any]:  # noqa: ANN401 (TOML)
    """Return a rulebook whose table of amounts knows `leve` alone."""
    head = {
        "id": "norma",
        "series": "cidade-cacambas",
        "city": "cidade",
        "title": "Norma",
        "short_title": "Norma",
        "source": "teste",
        "text_status": "complete",
        **header,
    }
    amounts = [{"valid_from": DAY("2020-01-01"), "leve": "20.00", "source": "Art. 8"}]
    return {
        "rulebook": {key: value for key, value in head.items() if value is not None},
        "sanctions": {"cumulative": True, "amounts": amounts},
        "rule": copy.deepcopy(list(rules)) or [rule("AAA-01")],
    }


def problems_in(folder: Path, raw: dict[str, Any], name: str = "norma") -> tuple[Problem, ...]:
    path = folder / f"{name}.toml"
    path.write_text(tomli_w.dumps(raw), encoding="utf-8")
    return lint(path)


def only_problem(folder: Path, raw: dict[str, Any]) -> tuple[str, str, str]:
    """Return where, key and message of the one problem of a file."""
    (found,) = problems_in(folder, raw)
    assert found.file == "norma.toml"
    return found.where, found.key, found.message


# The header.


def test_the_id_is_the_file_s_name(tmp_path: Path) -> None:
    assert problems_in(tmp_path, norm()) == ()
    assert problems_in(tmp_path, norm(), "outra") == (
        Problem("outra.toml", "rulebook", "id", "“norma” difere do nome do arquivo"),
    )


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ({"revoked_by": "Lei 2"}, "precisa de in_force_to"),
        (
            {"in_force_from": DAY("2020-01-02"), "in_force_to": DAY("2020-01-01")},
            "in_force_to é anterior a in_force_from",
        ),
    ],
)
def test_validity_holds_together(tmp_path: Path, header: dict[str, Any], told: str) -> None:
    where, _, message = only_problem(tmp_path, norm(**header))
    assert where == "rulebook"
    assert told in message


@pytest.mark.parametrize(
    "header",
    [
        {"in_force_from": DAY("2020-01-01"), "in_force_to": DAY("2020-01-01")},  # one day
        {"in_force_to": DAY("2020-01-01"), "revoked_by": "Lei 2"},
        {"in_force_to": DAY("2020-01-01")},
    ],
)
def test_validity_may_be_open(tmp_path: Path, header: dict[str, Any]) -> None:
    assert problems_in(tmp_path, norm(**header)) == ()


# Versions of a rule.


def test_a_repeated_id_without_dates(tmp_path: Path) -> None:
    raw = norm(rule("AAA-01"), rule("AAA-02"), rule("AAA-01", CORNER))
    assert only_problem(tmp_path, raw) == ("AAA-01", "id", "identificador repetido")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"in_force_to": "2025-06-30"}, {"in_force_from": "2025-06-30"}),  # both on one day
        ({"in_force_to": "2025-06-30"}, {}),
        ({}, {"in_force_from": "2025-07-01"}),
        ({"in_force_from": "2025-01-01"}, {"in_force_from": "2026-01-01"}),
        ({"in_force_to": "2025-12-31"}, {"in_force_from": "2024-01-01", "in_force_to": "2024-01-02"}),
    ],
)
def test_versions_that_hold_on_the_same_day(
    tmp_path: Path, first: dict[str, str], second: dict[str, str]
) -> None:
    dates = [{key: DAY(day) for key, day in each.items()} for each in (first, second)]
    for before, after in (dates, reversed(dates)):
        where, key, message = only_problem(tmp_path, norm(rule("AAA-01", **before), rule("AAA-01", **after)))
        assert (where, key) == ("AAA-01", "in_force_from")
        assert "duas versões valem no mesmo dia" in message


@pytest.mark.parametrize(
    "dates",
    [
        [{"in_force_to": "2025-06-30"}, {"in_force_from": "2025-07-01"}],
        [{"in_force_from": "2025-07-01"}, {"in_force_to": "2025-06-30"}],
        [{"in_force_to": "2023-06-30"}, {"in_force_from": "2025-07-01"}],  # a time without the rule
        [
            {"in_force_to": "2023-12-31"},
            {"in_force_from": "2024-01-01", "in_force_to": "2024-12-31"},
            {"in_force_from": "2025-01-01"},
        ],
    ],
)
def test_versions_that_follow_one_another(tmp_path: Path, dates: list[dict[str, str]]) -> None:
    rules = [rule("AAA-01", **{key: DAY(day) for key, day in each.items()}) for each in dates]
    assert problems_in(tmp_path, norm(*rules)) == ()


def test_each_pair_of_clashing_versions_is_told(tmp_path: Path) -> None:
    third = {"in_force_from": DAY("2025-01-01"), "in_force_to": DAY("2025-12-31")}
    raw = norm(
        rule("AAA-01", in_force_to=DAY("2025-03-01")), rule("AAA-01", **third), rule("AAA-01", **third)
    )
    assert [each.key for each in problems_in(tmp_path, raw)] == ["in_force_from"] * 3


def test_a_version_that_ends_before_it_begins(tmp_path: Path) -> None:
    raw = norm(rule("AAA-01", in_force_from=DAY("2025-01-02"), in_force_to=DAY("2025-01-01")))
    assert only_problem(tmp_path, raw) == ("AAA-01", "in_force_to", "é anterior a in_force_from")


# Rules.


@pytest.mark.parametrize(
    "fields", [{"critical": False}, {"critical": True}, {"critical_reason": "porque sim"}]
)
def test_departing_from_the_default_needs_a_reason(tmp_path: Path, fields: dict[str, Any]) -> None:
    where, key, message = only_problem(tmp_path, norm(rule("AAA-01", CORNER, **fields)))
    assert (where, key) == ("AAA-01", "critical")
    assert "vêm juntos" in message
    both = {"critical": False, "critical_reason": "porque sim"}
    assert problems_in(tmp_path, norm(rule("AAA-01", CORNER, **both))) == ()


def test_stricter_readings_need_a_primary_one(tmp_path: Path) -> None:
    strict = {**CORNER, "reading": "building_line", "reference": "building_line"}
    where, key, message = only_problem(tmp_path, norm(rule("AAA-01", strict)))
    assert (where, key) == ("AAA-01", "test")
    assert "falta a primária" in message
    # A duty beside it is no reading of the test.
    assert [each.key for each in problems_in(tmp_path, norm(rule("AAA-01", strict, DUTY)))] == ["test"]
    assert problems_in(tmp_path, norm(rule("AAA-01", CORNER, strict))) == ()


def test_advice_alone_judges_nothing(tmp_path: Path) -> None:
    advice = {**STAY, "advice": True}
    where, key, message = only_problem(tmp_path, norm(rule("AAA-01", advice, DUTY)))
    assert (where, key) == ("AAA-01", "test")
    assert "falta o que se julga" in message
    assert problems_in(tmp_path, norm(rule("AAA-01", advice, STAY))) == ()


def test_a_test_applies_where_its_rule_does(tmp_path: Path) -> None:
    inside = {**CORNER, "where": ["property"]}
    where, key, message = only_problem(tmp_path, norm(rule("AAA-01", CORNER, inside)))
    assert (where, key) == ("AAA-01", "test[1].where")
    assert "amplie o “where” da regra" in message
    assert problems_in(tmp_path, norm(rule("AAA-01", inside, where=["property", "footway"]))) == ()


# Topics.


def test_topics_are_for_the_federal_code(tmp_path: Path) -> None:
    raw = norm(rule("AAA-01", {**CORNER, "topic": "corner"}))
    assert only_problem(tmp_path, raw) == ("AAA-01", "test[0].topic", "“topic” só cabe na norma federal")


def test_each_federal_test_has_its_topic(tmp_path: Path) -> None:
    raw = norm(rule("AAA-01", DUTY, {**CORNER, "topic": "corner"}, KERB), rule("AAA-02"), city=None)
    where, key, message = only_problem(tmp_path, raw)
    assert (where, key) == ("AAA-01", "test[2].topic")
    assert "falta o assunto" in message
    raw["rule"][0]["test"][2]["topic"] = "kerb_gaps"
    where, key, message = only_problem(tmp_path, raw)
    assert (where, key) == ("AAA-01", "test[2].topic")
    assert "quis dizer “kerb_gap”?" in message
    raw["rule"][0]["test"][2]["topic"] = "kerb_gap"
    assert problems_in(tmp_path, raw) == ()


def test_a_city_sheet_names_known_topics(tmp_path: Path) -> None:
    sheet = tomllib.loads((data_folder() / "cities" / "goiania.toml").read_text(encoding="utf-8"))
    sheet["id"] = "cidade"
    sheet["fallback"] = {
        "rulebook": "ctb",
        "topics": ["corner", "brigde"],
        "silenced": [{"topic": "foot_way", "reason": "r"}, {"topic": "xyz", "reason": "r"}],
    }
    path = tmp_path / "cidade.toml"
    path.write_text(tomli_w.dumps(sheet), encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        city_law(str(path))
    assert list(map(str, caught.value.problems)) == [
        "cidade.toml: fallback: topics: assunto “brigde” desconhecido; quis dizer “bridge”?",
        "cidade.toml: fallback: silenced: assunto “foot_way” desconhecido; quis dizer “footway”?",
        "cidade.toml: fallback: silenced: assunto “xyz” desconhecido",
    ]


# Sanctions.


def test_a_test_names_a_sanction_of_its_rule(tmp_path: Path) -> None:
    other = rule("AAA-02", sanction=[{"id": "V", "class": "leve"}])
    raw = norm(rule("AAA-01", {**CORNER, "sanction": "V"}, sanction=[{"class": "leve"}]), other)
    assert only_problem(tmp_path, raw) == ("AAA-01", "test[0].sanction", "a regra não tem a sanção “V”")
    raw["rule"][0]["test"][0]["sanction"] = "main"  # the name of a sanction without one
    assert problems_in(tmp_path, raw) == ()


def test_a_band_names_a_sanction_of_its_rule(tmp_path: Path) -> None:
    bands = [{"above_m": 0.5, "up_to_m": 1.0, "sanction": "II"}, {"above_m": 1.0, "sanction": "III"}]
    raw = norm(rule("AAA-01", {**KERB, "bands": bands}, sanction=[{"id": "II", "class": "leve"}]))
    where, key, message = only_problem(tmp_path, raw)
    assert where == "AAA-01"
    assert key.startswith("test[0].")
    assert "“III”" in message


def test_what_absorbs_a_rule_is_another_rule(tmp_path: Path) -> None:
    absorbed = [{"class": "leve", "displaced_by": ["AAA-02", "AAA-O2", "BBB-77"]}]
    found = problems_in(tmp_path, norm(rule("AAA-01", sanction=absorbed), rule("AAA-02")))
    assert [(each.where, each.key) for each in found] == [("AAA-01", "sanction[0].displaced_by")] * 2
    assert "“AAA-O2” não existe nesta norma; quis dizer “AAA-02”?" in found[0].message
    assert "“BBB-77” não existe nesta norma" in found[1].message
    own = [{"class": "leve", "displaced_by": ["AAA-01"]}]
    where, key, _ = only_problem(tmp_path, norm(rule("AAA-01", sanction=own), rule("AAA-02")))
    assert (where, key) == ("AAA-01", "sanction[0].displaced_by")


def test_the_act_that_a_sanction_misses_is_asked_for_by_a_rule(tmp_path: Path) -> None:
    raw = norm(rule("AAA-01", sanction=[{"class": "leve", "act_missing": "AAA-03"}]), rule("AAA-02", ACT))
    where, key, message = only_problem(tmp_path, raw)
    assert (where, key) == ("AAA-01", "sanction[0].act_missing")
    assert "“AAA-03” não existe nesta norma; quis dizer “AAA-0" in message
    raw["rule"][1]["id"] = "AAA-03"
    assert problems_in(tmp_path, raw) == ()


def test_a_class_needs_an_amount(tmp_path: Path) -> None:
    raw = norm(rule("AAA-01", sanction=[{"class": "grave"}]))
    assert only_problem(tmp_path, raw) == (
        "AAA-01",
        "sanction[0].class",
        "a tabela sanctions.amounts não tem valor para “grave”",
    )
    raw["sanctions"]["amounts"].append(
        {"valid_from": DAY("2021-01-01"), "grave": "90.00", "source": "Art. 9"}
    )
    assert problems_in(tmp_path, raw) == ()
    del raw["sanctions"]["amounts"]
    raw["rule"][0]["sanction"][0]["amount_brl"] = "90.00"  # its own amount will do
    assert problems_in(tmp_path, raw) == ()


def test_fiscal_units_need_their_table(tmp_path: Path) -> None:
    raw = norm(rule("AAA-01", sanction=[{"amount_ufm": "10"}]))
    where, key, message = only_problem(tmp_path, raw)
    assert (where, key) == ("AAA-01", "sanction[0].amount_ufm")
    assert "sanctions.fiscal_unit" in message
    raw["sanctions"]["fiscal_unit"] = {"name": "UFM"}
    assert problems_in(tmp_path, raw) == ()


def test_a_sanction_stands_once_for_the_same_places(tmp_path: Path) -> None:
    twice: list[dict[str, Any]] = [{"id": "V", "class": "leve"}, {"id": "V", "untypified": True}]
    where, key, message = only_problem(tmp_path, norm(rule("AAA-01", sanction=twice)))
    assert (where, key) == ("AAA-01", "sanction[1].id")
    assert "“V” repetida" in message
    apart = [twice[0] | {"where": ["footway"]}, twice[1] | {"where": ["carriageway"]}]
    assert problems_in(tmp_path, norm(rule("AAA-01", sanction=apart))) == ()


@pytest.mark.parametrize(
    ("sanction", "told"),
    [
        ({"untypified": True, "class": "leve"}, "não tem classe nem valor"),
        ({"untypified": True, "amount_brl": "1.00"}, "não tem classe nem valor"),
        ({"amount_brl": "10.00", "amount_to_brl": "9.00"}, "fim de uma faixa"),
        ({"amount_to_brl": "9.00"}, "fim de uma faixa"),
    ],
)
def test_a_sanction_holds_together(tmp_path: Path, sanction: dict[str, Any], told: str) -> None:
    raw = norm(rule("AAA-01", sanction=[{"id": "I", "class": "leve"}, sanction]), rule("AAA-02"))
    where, key, message = only_problem(tmp_path, raw)
    assert (where, key) == ("AAA-01", "sanction[1]")
    assert told in message


# Acts.


@pytest.mark.parametrize(
    ("test", "key"),
    [
        (
            _ladder(PROPERTY, {"places": ["footway"], "act": "AAA-03"}),
            "test[1].steps",
        ),
        ({**STAY, "extension": {"act": "prorrogação", "rule": "AAA-03"}}, "test[1].extension.rule"),
    ],
)
def test_an_act_is_asked_for_by_a_rule(tmp_path: Path, test: dict[str, Any], key: str) -> None:
    raw = norm(rule("AAA-01", DUTY, test), rule("AAA-02", ACT))
    where, found, message = only_problem(tmp_path, raw)
    assert where == "AAA-01"
    assert found.startswith(key)
    assert "“AAA-03” não existe nesta norma; quis dizer “AAA-0" in message
    raw["rule"][1]["id"] = "AAA-03"
    assert problems_in(tmp_path, raw) == ()


# Tests that contradict themselves.


def _window(**keys: object) -> dict[str, Any]:
    return {**ACT, "restricted": [{"days": ["sunday"], "from": "07:00", "to": "19:00", **keys}]}


def _term(**keys: object) -> dict[str, Any]:
    return {"kind": "max_stay", "term": keys}


def _bands(*limits: tuple[float, float | None]) -> dict[str, Any]:
    bands = [{"above_m": above, "up_to_m": to, "sanction": "main"} for above, to in limits]
    return {**KERB, "bands": [{key: value for key, value in b.items() if value is not None} for b in bands]}


@pytest.mark.parametrize(
    ("test", "key", "told"),
    [
        (_window(**{"from": "19:00", "to": "07:00"}), "test[1].restricted[0]", "passa da meia-noite"),
        (_window(**{"from": "07:00", "to": "07:00"}), "test[1].restricted[0]", "from deve ser antes de to"),
        (_window(days=["sunday", "sunday"]), "test[1].restricted[0]", "dias repetidos"),
        (_term(unit="business_days", limit_h=72, first_day="included"), "test[1].term", "dê limit_days"),
        (_term(unit="business_days", limit_days=3), "test[1].term", "falta first_day"),
        (_term(unit="running_hours", limit_days=3), "test[1].term", "dê limit_h"),
        (_term(unit="business_hours", limit_h=72, first_day="excluded"), "test[1].term", "first_day só cabe"),
        (
            _term(unit="calendar_days", limit_days=3, limit_h=72, first_day="included"),
            "test[1].term",
            "não limit_h",
        ),
        (_term(unit="running_hours"), "test[1].term", "dê limit_h"),
        (_bands((0.6, None)), "test[1]", "sem falhas"),  # does not begin at max_m
        (_bands((0.5, 1.0), (1.5, None)), "test[1]", "sem falhas"),  # 1.2 m belongs to none
        (_bands((0.5, 1.0), (0.9, None)), "test[1]", "sem falhas"),  # 0.95 m belongs to two
        (_bands((0.5, None), (1.0, None)), "test[1]", "sem falhas"),
        (_bands((0.5, 0.2), (0.2, None)), "test[1]", ""),  # an empty band
        (
            {"kind": "distance_range", "feature": "kerb", "min_m": 0.5, "max_m": 0.3},
            "test[1]",
            "min_m é maior que max_m",
        ),
        ({**CORNER, "reference": "outline"}, "test[1]", "não serve para a camada “corner”"),
        ({**CORNER, "feature": "hydrant"}, "test[1]", "não serve para a camada “hydrant”"),
        ({**CORNER, "when": {"attribute": "box", "unknown": "soft"}}, "test[1].when", "“is” e “is_not”"),
        (
            {**CORNER, "when": {"attribute": "box", "is": [True], "is_not": [False], "unknown": "soft"}},
            "test[1].when",
            "“is” e “is_not”",
        ),
        (
            {**CORNER, "when": {"attribute": "box", "is": [], "unknown": "soft"}},
            "test[1].when",
            "",  # would never apply
        ),
        ({"kind": "orientation", "aspect": "parallel"}, "test[1]", "faltam compliant_deg e conditional_deg"),
        (
            {"kind": "orientation", "aspect": "parallel", "compliant_deg": 45.0, "conditional_deg": 5.0},
            "test[1]",
            "compliant_deg é maior que conditional_deg",
        ),
        (
            {"kind": "orientation", "aspect": "low_face_upstream", "compliant_deg": 5.0},
            "test[1]",
            "não tem tolerância em graus",
        ),
        (
            {"kind": "equipment_limit", "quantity": "width"},
            "test[1]",
            "exatamente um de min_m, max_m e max_m3",
        ),
        (
            {"kind": "equipment_limit", "quantity": "width", "min_m": 1.0, "max_m": 2.0},
            "test[1]",
            "exatamente um",
        ),
        (
            {"kind": "equipment_limit", "quantity": "volume", "max_m": 2.0},
            "test[1]",
            "volume se limita em m³",
        ),
        (
            {"kind": "equipment_limit", "quantity": "height", "max_m3": 2.0},
            "test[1]",
            "volume se limita em m³",
        ),
        ({"kind": "count_limit", "per": "lot"}, "test[1]", "dê max_count ou max_share"),
        ({"kind": "count_limit", "per": "lot", "max_share": 0.2}, "test[1]", "max_share é por quadra"),
        ({"kind": "count_limit", "per": "block_face", "max_count": 2}, "test[1]", "max_share é por quadra"),
        (
            {"kind": "count_limit", "per": "block_face", "max_share": 0.2, "or_count": 1},
            "test[1]",
            "or_count e small_block_bays vêm juntos",
        ),
        (_ladder(PROPERTY, PROPERTY), "test[1]", "um lugar aparece em mais de um degrau"),
        (_ladder(PROPERTY), "test[1].steps", "no mínimo 2"),
        ({"kind": "operation_window", "acts": ["place"]}, "test[1]", "um de allowed, forbidden e undefined"),
        (
            {
                "kind": "operation_window",
                "acts": ["place"],
                "undefined": True,
                "allowed": _window()["restricted"],
            },
            "test[1]",
            "um de allowed, forbidden e undefined",
        ),
        ({"kind": "presence_window"}, "test[1]", "um de allowed e forbidden"),
    ],
)
def test_a_test_holds_together(tmp_path: Path, test: dict[str, Any], key: str, told: str) -> None:
    raw = norm(rule("AAA-01", DUTY, test, sanction=[{"class": "leve"}]), rule("AAA-02"))
    where, found, message = only_problem(tmp_path, raw)
    assert where == "AAA-01"
    assert found.startswith(key)
    assert told in message


@pytest.mark.parametrize(
    "test",
    [
        _window(**{"from": "00:00", "to": "24:00"}),
        _bands((0.5, None)),
        _bands((0.5, 1.0), (1.0, None)),
        _term(unit="business_days", limit_days=1, first_day="included_any_day"),
        _term(unit="business_hours", limit_h=72),
        {"kind": "distance_range", "feature": "kerb", "min_m": 0.3, "max_m": 0.3},
        {"kind": "orientation", "aspect": "low_face_upstream"},
        {"kind": "operation_window", "acts": ["place"], "undefined": True},
    ],
)
def test_the_edges_of_what_holds_together(tmp_path: Path, test: dict[str, Any]) -> None:
    assert problems_in(tmp_path, norm(rule("AAA-01", test, sanction=[{"class": "leve"}]))) == ()


# All at once.


def test_all_inconsistencies_are_told_at_once(tmp_path: Path) -> None:
    raw = norm(
        rule("AAA-01", {**CORNER, "sanction": "X", "topic": "corner"}, critical=True),
        rule("AAA-02", sanction=[{"class": "gravissima", "displaced_by": ["AAA-09"]}]),
        rule("AAA-02"),
        id="outra",
    )
    assert {(each.where, each.key) for each in problems_in(tmp_path, raw)} == {
        ("rulebook", "id"),
        ("AAA-01", "critical"),
        ("AAA-01", "test[0].sanction"),
        ("AAA-01", "test[0].topic"),
        ("AAA-02", "id"),
        ("AAA-02", "sanction[0].class"),
        ("AAA-02", "sanction[0].displaced_by"),
    }
