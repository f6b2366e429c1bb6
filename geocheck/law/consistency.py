"""Checks across a rulebook that no single table can make: ids, versions, references between rules."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from geocheck.errors import Problem, did_you_mean
from geocheck.law.kinds import EVALUABLE
from geocheck.law.kinds.distance import MaxDistance
from geocheck.law.kinds.position import PlacementLadder
from geocheck.law.kinds.time import MaxStay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.law.kinds import RuleTest
    from geocheck.law.rulebook import Rule, Rulebook


def inconsistencies(book: Rulebook, file: str, known: set[str]) -> list[Problem]:
    """Return every inconsistency of a rulebook whose tables are each valid on their own.

    Args:
        book: the rulebook.
        file: its name.
        known: ids of all the rules of the file, those that could not be read included.
    """
    found = list(_version_problems(book, file))
    found += _header_problems(book, file)
    for rule in book.rule:
        for key, message in _rule_problems(rule, book, known):
            found.append(Problem(file, rule.id, key, message))
    return found


def _header_problems(book: Rulebook, file: str) -> Iterator[Problem]:
    if book.id != file.removesuffix(".toml"):
        yield Problem(file, "rulebook", "id", f"“{book.id}” difere do nome do arquivo")
    days = [table.valid_from for table in book.sanctions.amounts]
    for number, day in enumerate(days):
        if day in days[:number]:
            yield Problem(file, "sanctions", f"amounts[{number}].valid_from", f"{day} repete-se")
    displaced = {
        rule.id: {other for sanction in rule.sanction for other in sanction.displaced_by}
        for rule in book.rule
    }
    for rule_id, others in displaced.items():
        if any(rule_id in displaced.get(other, ()) for other in others - {rule_id}):
            yield Problem(file, rule_id, "sanction.displaced_by", "duas regras se absorvem uma à outra")


def _version_problems(book: Rulebook, file: str) -> Iterator[Problem]:
    versions: dict[str, list[Rule]] = defaultdict(list)
    for rule in book.rule:
        versions[rule.id].append(rule)
    for rule_id, rules in versions.items():
        for first, second in combinations(rules, 2):
            undated = (first.in_force_from, first.in_force_to, second.in_force_from, second.in_force_to)
            if undated == (None,) * 4:
                yield Problem(file, rule_id, "id", "identificador repetido")
            elif first.overlaps(second):
                yield Problem(
                    file, rule_id, "in_force_from", "duas versões valem no mesmo dia; ajuste as vigências"
                )


def _rule_problems(rule: Rule, book: Rulebook, known: set[str]) -> Iterator[tuple[str, str]]:
    if (rule.critical is None) != (rule.critical_reason is None):
        yield "critical", "critical e critical_reason vêm juntos"
    if rule.in_force_from and rule.in_force_to and rule.in_force_to < rule.in_force_from:
        yield "in_force_to", "é anterior a in_force_from"
    yield from _test_problems(rule, book, known)
    yield from _sanction_problems(rule, book, known)


def _test_problems(rule: Rule, book: Rulebook, known: set[str]) -> Iterator[tuple[str, str]]:
    judged = rule.evaluable_tests
    if judged and all(test.reading != "primary" for test in judged):
        yield "test", "há leituras estritas, mas falta a primária (reading = “primary”)"
    if judged and all(isinstance(test, MaxStay) and test.advice for test in judged):
        yield "test", "só há prazos de conselho (advice); falta o que se julga"
    for number, test in enumerate(rule.test):
        for key, message in (*_scope_problems(rule, test, book), *_reference_problems(rule, test, known)):
            yield f"test[{number}].{key}", message


def _scope_problems(rule: Rule, test: RuleTest, book: Rulebook) -> Iterator[tuple[str, str]]:
    if test.where is not None and not set(test.where) <= set(rule.where):
        yield "where", "o teste vale onde a regra não vale; amplie o “where” da regra"
    if test.topic is not None and book.rulebook.city is not None:
        yield "topic", "“topic” só cabe na norma federal"
    if book.rulebook.city is None and test.kind in EVALUABLE and test.topic is None:
        yield "topic", "falta o assunto (topic) do teste federal"


def _reference_problems(rule: Rule, test: RuleTest, known: set[str]) -> Iterator[tuple[str, str]]:
    own = {sanction.id for sanction in rule.sanction}
    wanted = [("sanction", test.sanction)]
    acts: list[tuple[str, str | None]] = []
    if isinstance(test, MaxDistance):
        wanted += [(f"bands[{number}].sanction", band.sanction) for number, band in enumerate(test.bands)]
    elif isinstance(test, PlacementLadder):
        acts = [(f"steps[{number}].act", step.act) for number, step in enumerate(test.steps)]
    elif isinstance(test, MaxStay) and test.extension is not None:
        acts = [("extension.rule", test.extension.rule)]
    for key, sanction_id in wanted:
        if sanction_id is not None and sanction_id not in own:
            yield key, f"a regra não tem a sanção “{sanction_id}”"
    for key, act in acts:
        if act is not None and act not in known:
            yield key, _no_such_rule(act, known)


def _sanction_problems(rule: Rule, book: Rulebook, known: set[str]) -> Iterator[tuple[str, str]]:
    seen: set[tuple[str, object]] = set()
    for number, sanction in enumerate(rule.sanction):
        key = f"sanction[{number}]"
        if (sanction.id, sanction.where) in seen:
            yield f"{key}.id", f"sanção “{sanction.id}” repetida para os mesmos lugares"
        seen.add((sanction.id, sanction.where))
        for other in sanction.displaced_by:
            if other == rule.id:
                yield f"{key}.displaced_by", "a regra não pode absorver a si mesma"
            elif other not in known:
                yield f"{key}.displaced_by", _no_such_rule(other, known)
        if sanction.act_missing is not None and sanction.act_missing not in known:
            yield f"{key}.act_missing", _no_such_rule(sanction.act_missing, known)
        degree = sanction.class_
        if degree is not None and sanction.amount_brl is None:
            tables = book.sanctions.amounts
            if not any(getattr(table, degree) is not None for table in tables):
                yield f"{key}.class", f"a tabela sanctions.amounts não tem valor para “{degree}”"
        if sanction.amount_ufm is not None and book.sanctions.fiscal_unit is None:
            yield f"{key}.amount_ufm", "falta a tabela sanctions.fiscal_unit"


def _no_such_rule(rule_id: str, known: set[str]) -> str:
    return f"a regra “{rule_id}” não existe nesta norma{did_you_mean(rule_id, known)}"
