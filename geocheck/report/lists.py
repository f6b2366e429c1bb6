"""The lists beside the findings: what is pending, required, to be kept, declared, and who may decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.columns import BASES
from geocheck.check.judge import Flag
from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.model.report import ChecklistItem, Condition, LawReport, Pending, Power, Required
from geocheck.model.words import Outcome
from geocheck.report import wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.check.evidence import Evidence
    from geocheck.check.pipeline import Checked
    from geocheck.law.kinds import RuleTest

_VERB: Final = {"measure": "medir", "tell": "informar"}
_ATTRIBUTE_QUESTION: Final = {
    "plates": "quantas placas tem o ponto de ônibus (1, ou 2: de início e de fim)?",
    "box": "há box pintado no ponto de ônibus?",
    "identified": "o equipamento está devidamente identificado?",
    "kind": "de que tipo é?",
    "of_served_lot": "de quem é a guia rebaixada mais próxima?",
}


def pending_of(checked: Checked, row: int) -> list[Pending]:
    """Return what would settle the rules that are open, one entry a rule and question."""
    found: dict[tuple[str, object], Pending] = {}
    request = checked.placements.requests[row]
    given = {*request.measured, *(key for key, value in request if value is not None)}
    for index, column in enumerate(checked.columns):
        if not column.question.rule.counts:
            continue
        for entry in _questions(column, row, Outcome(int(checked.outcomes[row, index]))):
            if entry.action != "look" and entry.key in given:
                continue
            found.setdefault((entry.rule, entry.key or entry.layer or entry.text), entry)
    return list(found.values())


def _questions(column: Evidence, row: int, outcome: Outcome) -> Iterator[Pending]:
    rule, ask = column.question.rule.rule.id, column.ask
    known = bool(int(column.flags[row]) & Flag.KNOWN)
    when = column.question.test.when
    if outcome is Outcome.CONDITIONAL and known and when is not None and when.unknown == "soft":
        layer = column.question.test.layers[0]
        text = f"{wording.LAYERS[layer]}: {_ATTRIBUTE_QUESTION.get(when.attribute, when.attribute)}"
        yield Pending(rule=rule, action="look", layer=layer, key=when.attribute, reach_m=None, text=text)
    if known or ask is None or outcome not in (Outcome.NOT_EVALUATED, Outcome.CONDITIONAL):
        return
    if ask.action == "look" and ask.layer is not None:
        yield _look(rule, column)
        return
    for key in ask.keys:
        text = f"{_VERB[ask.action if ask.action != 'look' else 'tell']} {wording.key_name(key)}"
        yield Pending(rule=rule, action=ask.action, layer=ask.layer, key=key, reach_m=ask.reach_m, text=text)


def _look(rule: str, column: Evidence) -> Pending:
    ask = column.ask
    assert ask is not None  # noqa: S101 (the caller has looked)
    layer = ask.layer or ""
    if layer == "sign":
        text = f"ver se há placa {wording.joined(ask.keys)} na quadra, e com que horário"
    elif layer == "lot":
        text = "ver se a caçamba inteira fica diante do lote atendido"
    elif ask.reach_m:
        text = f"ver se há {wording.LAYERS[layer]} até {wording.metres(ask.reach_m)}"
    else:
        text = f"ver se a caçamba fica sobre {wording.LAYERS[layer]}"
    return Pending(rule=rule, action="look", layer=layer, key=None, reach_m=ask.reach_m, text=text)


def requires_of(checked: Checked, row: int) -> list[Required]:
    """Return the acts and fees that the placement needs, held or not."""
    found: dict[str, Required] = {}
    for column in checked.columns:
        act = column.act
        if act is None or not act.needed[row] or not column.question.rule.counts:
            continue
        test, rule = column.question.test, column.question.rule.rule.id
        found[rule] = Required(rule=rule, act=act.kind, held=bool(act.held[row]), text=_act_text(test))
    return list(found.values())


def _act_text(test: RuleTest) -> str:
    if isinstance(test, kinds.FeeRequirement):
        return test.act
    if isinstance(test, kinds.MaxStay) and test.extension is not None:
        return test.extension.act
    if isinstance(test, kinds.ZoneAuthorisation):
        issue = f" (sai em até {test.issue_h} h do pedido)" if test.issue_h is not None else ""
        return f"autorização de {test.authority}{issue}"
    raise AssertionError(test.kind)


def conditions_of(checked: Checked, row: int) -> list[Condition]:
    """Return what must be kept: the planned gap and angle, the hours of removal."""
    found = list(_gap_condition(checked, row))
    for index, column in enumerate(checked.columns):
        test, rule = column.question.test, column.question.rule
        applies = checked.outcomes[row, index] != Outcome.NOT_APPLICABLE
        if not applies or not rule.counts:
            continue
        on_plan = column.basis[row] == BASES.index("plan")
        if isinstance(test, kinds.Orientation) and on_plan and not column.assumed:
            found.append(Condition(rule=rule.rule.id, text="manter a caçamba paralela à guia"))
        planned = not checked.placements.end_given[row]
        if isinstance(test, kinds.OperationWindow) and planned and not test.undefined:
            when = describe(test.allowed) if test.allowed else f"fora de {describe(test.forbidden)}"
            found.append(Condition(rule=rule.rule.id, text=f"retirar só em: {when}"))
    return list(dict.fromkeys(found))


def _gap_condition(checked: Checked, row: int) -> Iterator[Condition]:
    """Join the limits of all rules on the gap to the kerb into one band."""
    least, greatest, rules = 0.0, np.inf, []
    for column in checked.columns:
        test = column.question.test
        on_plan = column.basis[row] == BASES.index("plan") and column.unit == "m"
        if not on_plan or not column.question.rule.counts or "kerb" not in test.layers:
            continue
        rules.append(column.question.rule.rule.id)
        limit = float(column.limit[row])
        least, greatest = (
            (max(least, limit), greatest) if column.sense == "min" else (least, min(greatest, limit))
        )
    if not rules:
        return
    if np.isinf(greatest):
        text = f"manter ao menos {wording.metres(least)} da guia"
    elif least > 0:
        text = f"manter entre {wording.metres(least)} e {wording.metres(greatest)} da guia"
    else:
        text = f"manter a no máximo {wording.metres(greatest)} da guia"
    yield Condition(rule=rules[0], text=text)


def checklist_of(checked: Checked, row: int) -> list[ChecklistItem]:
    """Return the duties of papers, marking and conduct of the city's own law, and of the federal code."""
    request = checked.placements.requests[row]
    books = [*checked.law.own_on(checked.day), *filter(None, [checked.law.fallback])]
    return [
        ChecklistItem(
            rule=rule.id,
            rulebook=loaded.id,
            kind=test.kind,
            declared=rule.id in request.declared,
            text=item,
            law=LawReport(title=loaded.book.rulebook.title, locator=str(rule.law)),
        )
        for loaded in books
        for rule in loaded.book.on(checked.day)
        for test in rule.duties
        for item in test.items
    ]


def powers_of(checked: Checked) -> list[Power]:
    """Return the authorities that may decide otherwise."""
    return [
        Power(rule=rule.id, authority=test.authority, effect=test.effect)
        for loaded in checked.law.own_on(checked.day)
        for rule in loaded.book.on(checked.day)
        for test in rule.test
        if isinstance(test, kinds.DiscretionaryPower)
    ]
