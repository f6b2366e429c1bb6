"""Which law holds on a day: versions of a series and of a rule, changes during a stay, one's own sheets."""

from __future__ import annotations

import datetime as dt
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
import tomli_w

from geocheck.api import check
from geocheck.errors import DataFileError, UnknownNameError
from geocheck.files import data_folder
from geocheck.law.load import load_rulebook
from geocheck.law.rulebook import Header, Rulebook
from geocheck.law.versions import city_law, status_on
from geocheck.model.request import parse_request

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.model.report import Report

DAY = dt.date.fromisoformat
NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)


def days(**dates: str) -> dict[str, dt.date]:
    return {key: DAY(day) for key, day in dates.items()}


def rule(rule_id: str, min_m: float = 5.0, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 (TOML)
    """Return a rule on hydrants."""
    return {
        "id": rule_id,
        "title": "Hidrante",
        "asks": "Manter distância do hidrante.",
        "law": {"article": "1"},
        "test": [
            {
                "kind": "min_distance",
                "feature": "hydrant",
                "min_m": min_m,
                "metric": "plan",
                "reference": "point",
            }
        ],
        **fields,
    }


def norm(name: str, *rules: dict[str, Any], **header: Any) -> dict[str, Any]:  # noqa: ANN401 (TOML)
    """Return a norm; without rules, of one on hydrants."""
    return {
        "rulebook": {
            "id": name,
            "series": "cacambas",
            "city": "cidade",
            "title": f"Lei {name}",
            "short_title": f"Lei {name}",
            "source": "teste",
            "text_status": "complete",
            **header,
        },
        "sanctions": {"cumulative": False},
        "rule": list(rules) or [rule("AAA-01")],
    }


def header(**fields: Any) -> Header:  # noqa: ANN401 (TOML)
    return Rulebook.model_validate(norm("norma", **fields)).rulebook


def sheet(folder: Path, *norms: dict[str, Any], **fallback: str) -> str:
    """Write a city like Goiânia with norms of its own beside it, and return the path of its sheet."""
    raw = tomllib.loads((data_folder() / "cities" / "goiania.toml").read_text(encoding="utf-8"))
    raw |= {"id": "cidade", "name": "Cidade", "rulebooks": [each["rulebook"]["id"] for each in norms]}
    del raw["fallback"]
    if fallback:
        raw["fallback"] = {"topics": ["hydrant"], "silenced": [], **fallback}
    for each in norms:
        write(folder, each)
    path = folder / "cidade.toml"
    path.write_text(tomli_w.dumps(raw), encoding="utf-8")
    return str(path)


def write(folder: Path, raw: dict[str, Any]) -> None:
    (folder / f"{raw['rulebook']['id']}.toml").write_text(tomli_w.dumps(raw), encoding="utf-8")


def report(city: str, start: str, end: str, hydrant_m: float = 4.0) -> Report:
    request = {"city": city, "start": start, "end": end, "where": "carriageway"}
    return check(parse_request({**request, "measured": {"hydrant_m": hydrant_m}}), now=NOW)


def notices(answer: Report) -> dict[str, str]:
    return {notice.code: notice.text for notice in answer.notices}


# The status of a norm.


@pytest.mark.parametrize(
    ("dates", "day", "expected"),
    [
        ({"in_force_from": "2020-03-01"}, "2020-02-29", "not_yet_in_force"),
        ({"in_force_from": "2020-03-01"}, "2020-03-01", "in_force"),
        ({"in_force_from": "2020-03-01"}, "2100-12-31", "in_force"),
        ({"in_force_from": "2020-03-01", "in_force_to": "2021-03-31"}, "2020-02-29", "not_yet_in_force"),
        ({"in_force_from": "2020-03-01", "in_force_to": "2021-03-31"}, "2021-03-31", "in_force"),
        ({"in_force_from": "2020-03-01", "in_force_to": "2021-03-31"}, "2021-04-01", "revoked"),
        ({"in_force_from": "2020-03-01", "in_force_to": "2020-03-01"}, "2020-03-01", "in_force"),
        ({"in_force_to": "2021-03-31"}, "2021-03-31", "unknown"),  # nobody said since when
        ({"in_force_to": "2021-03-31"}, "2021-04-01", "revoked"),
        ({}, "2026-01-01", "unknown"),
    ],
)
def test_the_status_of_a_norm_by_day(dates: dict[str, str], day: str, expected: str) -> None:
    assert status_on(header(**days(**dates)), DAY(day)) == expected


@pytest.mark.parametrize(
    ("norm_id", "day", "expected"),
    [
        ("goiania-decreto-286-2004", "2004-02-11", "not_yet_in_force"),
        ("goiania-decreto-286-2004", "2004-02-12", "in_force"),
        ("goiania-decreto-286-2004", "2012-06-03", "in_force"),
        ("goiania-decreto-286-2004", "2012-06-04", "revoked"),
        ("goiania-decreto-286-2004", "2026-11-30", "revoked"),
        ("juiz-de-fora-lei-14670-2023", "2023-07-27", "not_yet_in_force"),
        ("juiz-de-fora-lei-14670-2023", "2023-07-28", "in_force"),
        ("dois-vizinhos-lei-1567-2010", "2026-11-30", "in_force"),
        ("rio-verde-taxi", "2026-11-30", "unknown"),
    ],
)
def test_the_status_of_the_shipped_norms(norm_id: str, day: str, expected: str) -> None:
    assert status_on(load_rulebook(norm_id).book.rulebook, DAY(day)) == expected


# Versions of a series.

OLD = norm("lei-1", **days(in_force_from="2000-01-01", in_force_to="2009-12-31"), revoked_by="Lei 2")
NEW = norm("lei-2", **days(in_force_from="2012-01-01", in_force_to="2019-12-31"))
LATEST = norm("lei-3", **days(in_force_from="2020-01-01"))


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("1995-06-01", "lei-1"),  # before all of them: the next to come
        ("1999-12-31", "lei-1"),
        ("2000-01-01", "lei-1"),
        ("2009-12-31", "lei-1"),
        ("2010-01-01", "lei-1"),  # in the gap: the last one
        ("2011-12-31", "lei-1"),
        ("2012-01-01", "lei-2"),
        ("2019-12-31", "lei-2"),
        ("2020-01-01", "lei-3"),  # without a gap
        ("2026-11-30", "lei-3"),
    ],
)
@pytest.mark.parametrize(
    "order", [(OLD, NEW, LATEST), (LATEST, OLD, NEW), (NEW, LATEST, OLD)], ids=["1 2 3", "3 1 2", "2 3 1"]
)
def test_the_version_of_a_day(
    tmp_path: Path, order: tuple[dict[str, Any], ...], day: str, expected: str
) -> None:
    law = city_law(sheet(tmp_path, *order))
    assert [book.id for book in law.own_on(DAY(day))] == [expected]
    assert [book.id for book in law.own] == [each["rulebook"]["id"] for each in order]


def test_after_the_last_version_the_last_one_answers(tmp_path: Path) -> None:
    law = city_law(sheet(tmp_path, OLD, NEW))
    assert [book.id for book in law.own_on(DAY("2026-11-30"))] == ["lei-2"]


def test_each_series_has_its_version_in_the_order_of_the_sheet(tmp_path: Path) -> None:
    other = norm("taxi", series="taxi")
    law = city_law(sheet(tmp_path, NEW, other, OLD))
    assert [book.id for book in law.own_on(DAY("2005-01-01"))] == ["lei-1", "taxi"]
    assert [book.id for book in law.own_on(DAY("2015-01-01"))] == ["lei-2", "taxi"]
    law = city_law(sheet(tmp_path, other, OLD, NEW))
    assert [book.id for book in law.own_on(DAY("2015-01-01"))] == ["taxi", "lei-2"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"in_force_to": "2009-12-31"}, {"in_force_from": "2009-12-31"}),
        ({"in_force_from": "2000-01-01"}, {"in_force_from": "2010-01-01"}),
        ({}, {"in_force_from": "2010-01-01"}),
        ({}, {}),
    ],
)
def test_two_versions_of_a_series_on_one_day_are_a_problem(
    tmp_path: Path, first: dict[str, str], second: dict[str, str]
) -> None:
    path = sheet(tmp_path, norm("lei-1", **days(**first)), norm("lei-2", **days(**second)))
    with pytest.raises(DataFileError) as caught:
        city_law(path)
    (found,) = caught.value.problems
    assert (found.file, found.where, found.key) == ("lei-2.toml", "rulebook", "in_force_from")
    assert "“lei-1”" in found.message
    assert "“cacambas”" in found.message
    # In two series they may both hold.
    city_law(sheet(tmp_path, norm("lei-1"), norm("lei-2", series="outra")))


# Versions of a rule.

RULES = norm(
    "norma",
    rule("AAA-01", 5.0, in_force_to=DAY("2026-08-09")),
    rule("AAA-02"),
    rule("AAA-01", 3.0, in_force_from=DAY("2026-08-10"), in_force_to=DAY("2026-12-31")),
    rule("AAA-03", in_force_from=DAY("2026-08-10")),
    in_force_from=DAY("2020-01-01"),
)


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2019-01-01", ["AAA-01 5", "AAA-02 5"]),
        ("2026-08-09", ["AAA-01 5", "AAA-02 5"]),
        ("2026-08-10", ["AAA-02 5", "AAA-01 3", "AAA-03 5"]),
        ("2026-12-31", ["AAA-02 5", "AAA-01 3", "AAA-03 5"]),
        ("2027-01-01", ["AAA-02 5", "AAA-03 5"]),
    ],
)
def test_the_rules_of_a_day_in_the_order_of_the_file(day: str, expected: list[str]) -> None:
    found = Rulebook.model_validate(RULES).on(DAY(day))
    limits = [test.min_m for each in found for test in each.test if test.kind == "min_distance"]
    assert [f"{each.id} {limit:g}" for each, limit in zip(found, limits, strict=True)] == expected


@pytest.mark.parametrize(
    ("start", "end", "limit_m", "changed"),
    [
        ("2026-08-07T10:00", "2026-08-09T23:59:59", 5.0, None),
        ("2026-08-07T10:00", "2026-08-10T08:00", 5.0, "AAA-01 e AAA-03"),
        ("2026-08-10T08:00", "2026-08-12T08:00", 3.0, None),
        ("2026-12-30T08:00", "2027-01-02T08:00", 3.0, "AAA-01"),
    ],
)
def test_a_rule_that_changes_during_the_stay_is_told(
    tmp_path: Path, start: str, end: str, limit_m: float, changed: str | None
) -> None:
    """The hydrant is 4 m away: less than the 5 m asked for before 10 August, more than the 3 m since."""
    answer = report(sheet(tmp_path, RULES), start, end)
    (finding,) = (each for each in answer.findings if each.rule == "AAA-01")
    assert finding.limit_m == limit_m
    assert finding.outcome == ("violation" if limit_m > 4 else "compliant")
    told = notices(answer)
    assert ("rules_change" in told) == (changed is not None)
    if changed is not None:
        assert f"regras {changed};" in told["rules_change"]
        assert "valeu a versão da colocação" in told["rules_change"]


# A norm that changes during a stay.


def test_a_norm_that_gives_way_to_another_is_told(tmp_path: Path) -> None:
    before = norm("lei-1", rule("AAA-01", 5.0), **days(in_force_from="2000-01-01", in_force_to="2026-08-09"))
    after = norm("lei-2", rule("AAA-01", 3.0), **days(in_force_from="2026-08-10"))
    city = sheet(tmp_path, before, after)
    crossing = report(city, "2026-08-07T10:00", "2026-08-12T10:00")
    assert [book.id for book in crossing.rulebooks] == ["lei-1"]
    assert [(each.rule, each.outcome) for each in crossing.findings] == [("AAA-01", "violation")]
    told = notices(crossing)
    assert "a partir de 10/08/2026, Lei lei-2" in told["law_changes"]
    assert "AAA-01" in told["rules_change"]
    later = report(city, "2026-08-10T10:00", "2026-08-12T10:00")
    assert [book.id for book in later.rulebooks] == ["lei-2"]
    assert [(each.rule, each.outcome) for each in later.findings] == [("AAA-01", "compliant")]
    assert not {"law_changes", "rules_change", "revoked"} & notices(later).keys()


def test_a_norm_that_is_revoked_during_the_stay_is_told(tmp_path: Path) -> None:
    ending = norm(
        "lei-1", **days(in_force_from="2000-01-01", in_force_to="2026-08-09"), revoked_by="Lei 2 de 2026"
    )
    city = sheet(tmp_path, ending)
    told = notices(report(city, "2026-08-07T10:00", "2026-08-12T10:00"))
    assert "law_changes" in told
    assert "revoked" not in told  # on the day of the placing it was in force
    assert "rules_change" not in told  # the rules of the only known text stay the same
    told = notices(report(city, "2026-08-10T10:00", "2026-08-12T10:00"))
    assert "Lei 2 de 2026" in told["revoked"]
    assert "09/08/2026" in told["revoked"]
    assert "law_changes" not in told


def test_a_norm_of_which_only_an_earlier_version_is_known_is_told(tmp_path: Path) -> None:
    city = sheet(tmp_path, norm("lei-1", **days(in_force_from="2030-01-01")), norm("taxi", series="taxi"))
    answer = report(city, "2026-08-10T10:00", "2026-08-12T10:00")
    assert [(book.id, book.status) for book in answer.rulebooks] == [
        ("lei-1", "not_yet_in_force"),
        ("taxi", "unknown"),
    ]
    assert "01/01/2030" in notices(answer)["not_yet_in_force"]
    assert "Lei taxi" in notices(answer)["validity_unknown"]


# Sheets of one's own.


def test_a_sheet_of_one_s_own_finds_norms_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sheet(tmp_path, norm("lei-propria", rule("ZZZ-01")))
    assert [book.id for book in city_law(path).own] == ["lei-propria"]
    monkeypatch.chdir(tmp_path)
    assert [book.id for book in city_law("cidade.toml").own] == ["lei-propria"]
    elsewhere = tmp_path / "outra"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert [book.id for book in city_law("../cidade.toml").own] == ["lei-propria"]


def test_a_sheet_of_one_s_own_may_use_shipped_norms(tmp_path: Path) -> None:
    path = sheet(tmp_path, rulebook="ctb")
    law = city_law(path)
    assert law.own == ()
    assert law.own_on(DAY("2026-08-10")) == ()
    assert law.fallback is load_rulebook("ctb")
    assert law.books == (law.fallback,)


def test_a_norm_beside_the_sheet_comes_before_a_shipped_one(tmp_path: Path) -> None:
    mine = norm("ctb", rule("ZZZ-01"))
    mine["rule"][0]["test"][0]["topic"] = "hydrant"
    del mine["rulebook"]["city"]
    path = sheet(tmp_path, norm("lei-propria"), rulebook="ctb")
    write(tmp_path, mine)
    law = city_law(path)
    assert law.fallback is not None
    assert [each.id for each in law.fallback.book.rule] == ["ZZZ-01"]
    assert [book.id for book in law.books] == ["lei-propria", "ctb"]
    assert len(load_rulebook("ctb").book.rule) == 18  # the shipped one is untouched
    assert city_law("goiania").fallback is load_rulebook("ctb")


def test_a_city_without_any_law_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"cidade\.toml: rulebooks: .*dê ao menos uma"):
        city_law(sheet(tmp_path))


def test_the_rule_that_imports_the_fallback_is_one_of_the_city(tmp_path: Path) -> None:
    mine = norm("lei-propria", rule("ZZZ-01"))
    law = city_law(sheet(tmp_path, mine, rulebook="ctb", imported_by="ZZZ-01"))
    assert law.city.fallback is not None
    assert law.city.fallback.imported_by == "ZZZ-01"
    with pytest.raises(DataFileError) as caught:
        city_law(sheet(tmp_path, mine, rulebook="ctb", imported_by="ZZZ-10"))
    (found,) = caught.value.problems
    assert (found.file, found.where, found.key) == ("cidade.toml", "fallback", "imported_by")
    assert "“ZZZ-10”; quis dizer “ZZZ-01”?" in found.message


def test_a_city_may_be_judged_by_one_of_its_norms(tmp_path: Path) -> None:
    law = city_law(sheet(tmp_path, OLD, NEW, norm("taxi", series="taxi"), rulebook="ctb"))
    alone = law.only("lei-1")
    assert [book.id for book in alone.own_on(DAY("2026-11-30"))] == ["lei-1"]
    assert alone.fallback is law.fallback
    assert [book.id for book in law.own] == ["lei-1", "lei-2", "taxi"]
    with pytest.raises(UnknownNameError, match="quis dizer “lei-2”"):
        law.only("lei-22")
    with pytest.raises(UnknownNameError):
        law.only("ctb")  # the fall-back is not the city's own


def test_a_norm_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    path = sheet(tmp_path, norm("goiania-decreto-286"))
    (tmp_path / "goiania-decreto-286.toml").unlink()
    with pytest.raises(UnknownNameError, match="quis dizer “goiania-decreto-286-2004”"):
        city_law(path)


def test_a_broken_norm_beside_the_sheet_is_named(tmp_path: Path) -> None:
    broken = norm("lei-propria", rule("ZZZ-01", 500))
    with pytest.raises(DataFileError, match=r"lei-propria\.toml: ZZZ-01: test\[0\]\.min_m: "):
        city_law(sheet(tmp_path, broken))


def test_a_sheet_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"nada\.toml: arquivo não encontrado"):
        city_law(str(tmp_path / "nada.toml"))
    with pytest.raises(UnknownNameError, match="quis dizer “goiania”"):
        city_law("goiana")


def test_a_change_to_a_norm_beside_the_sheet_is_seen(tmp_path: Path) -> None:
    """Norms of one's own are read anew for each call, so that editing one takes effect."""
    path = sheet(tmp_path, norm("lei-propria", rule("ZZZ-01", 5.0)))
    first = city_law(path).own[0]
    write(tmp_path, norm("lei-propria", rule("ZZZ-01", 6.0)))
    second = city_law(path).own[0]
    assert first.sha256 != second.sha256
    assert first.book.rule != second.book.rule
