"""The lists beside the findings: what is required, to be kept, declared, and who may decide otherwise."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.columns import BASES
from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.model.finding import LawReport
from geocheck.model.report import ChecklistItem, Condition, Power, Required
from geocheck.model.words import Outcome
from geocheck.report import wording

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from geocheck.check.pipeline import Checked
    from geocheck.law.kinds import RuleTest
    from geocheck.law.load import LoadedRulebook

_NOT_APPLICABLE: Final = int(Outcome.NOT_APPLICABLE)
_PLAN: Final = BASES.index("plan")


def requires_of(checked: Checked, row: int) -> list[Required]:
    """Return the acts and fees that the placement needs, held or not."""
    found: dict[str, Required] = {}
    for column in checked.columns:
        act = column.act
        if act is None or not act.needed[row] or not column.question.rule.counts:
            continue
        test, rule = column.question.test, column.question.rule.rule.id
        text = _act_text(test) + _bays(test, checked.placements.requests[row].length_m)
        found[rule] = Required.built(rule=rule, act=act.kind, held=bool(act.held[row]), text=text)
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


def _bays(test: RuleTest, length_m: float | None) -> str:
    """Say how many unmarked bays the skip takes, by the service's own bay length."""
    if not isinstance(test, kinds.FeeRequirement) or test.bay_length_m is None or length_m is None:
        return ""
    count = int(np.ceil(length_m / test.bay_length_m))
    return (
        f" ({count} vaga{'s' if count > 1 else ''} de {wording.metres(test.bay_length_m)}; conte as marcadas)"
    )


def conditions_of(checked: Checked, row: int) -> list[Condition]:
    """Return what must be kept: the planned gap and angle, the hours of removal."""
    found = list(_gap_condition(checked, row))
    applying = (checked.outcomes[row] != _NOT_APPLICABLE).tolist()
    for index, column in enumerate(checked.columns):
        test, rule = column.question.test, column.question.rule
        applies = applying[index]
        if not applies or not rule.counts:
            continue
        on_plan = column.basis[row] == _PLAN
        if isinstance(test, kinds.Orientation) and on_plan and test.aspect == "parallel":
            found.append(Condition.built(rule=rule.rule.id, text="manter a caçamba paralela à guia"))
        planned = not checked.placements.end_given[row]
        if isinstance(test, kinds.OperationWindow) and planned and not test.undefined:
            when = describe(test.allowed) if test.allowed else f"fora de {describe(test.forbidden)}"
            found.append(Condition.built(rule=rule.rule.id, text=f"retirar só em: {when}"))
    return list(dict.fromkeys(found))


def _gap_condition(checked: Checked, row: int) -> Iterator[Condition]:
    """Join the limits of all rules on the gap to the kerb, and what the lane leaves, into one band."""
    least, greatest, rules = 0.0, np.inf, []
    width = checked.placements.requests[row].width_m
    applying = (checked.outcomes[row] != _NOT_APPLICABLE).tolist() if checked.placements.planned[row] else []
    for index, column in enumerate(checked.columns[: len(applying)]):
        test = column.question.test
        if not applying[index] or not column.question.rule.counts or column.unit != "m":
            continue
        limit = float(column.limit[row])
        if isinstance(test, kinds.Containment) and width is not None and not np.isnan(limit):
            greatest = min(greatest, limit - width)
        elif column.basis[row] == _PLAN and "kerb" in test.layers:
            rules.append(column.question.rule.rule.id)
            if column.sense == "min":
                least = max(least, limit)
            else:
                greatest = min(greatest, limit)
    if rules and greatest >= least:
        yield Condition.built(rule=rules[0], text=_band_text(least, greatest))


def _band_text(least: float, greatest: float) -> str:
    if np.isinf(greatest):
        return f"manter ao menos {wording.metres(least)} da guia"
    if least > 0:
        return f"manter entre {wording.metres(least)} e {wording.metres(greatest)} da guia"
    return f"manter a no máximo {wording.metres(greatest)} da guia"


def checklist_of(checked: Checked, row: int) -> list[ChecklistItem]:
    """Return the duties of papers, marking and conduct of the city's own law, and of the federal code."""
    declared = checked.placements.requests[row].declared
    duties = _duties((*checked.law.own_on(checked.day), *filter(None, [checked.law.fallback])), checked.day)
    return [item.model_copy(update={"declared": True}) if item.rule in declared else item for item in duties]


@lru_cache(maxsize=256)
def _duties(books: tuple[LoadedRulebook, ...], day: dt.date) -> tuple[ChecklistItem, ...]:
    """Return the duties of rulebooks on a day, none of them declared."""
    return tuple(
        ChecklistItem.built(
            rule=rule.id,
            rulebook=loaded.id,
            kind=test.kind,
            declared=False,
            text=item,
            law=LawReport.built(title=loaded.book.rulebook.title, locator=str(rule.law)),
        )
        for loaded in books
        for rule in loaded.book.on(day)
        for test in rule.duties
        for item in test.items
    )


def powers_of(checked: Checked) -> list[Power]:
    """Return the authorities that may decide otherwise."""
    return [
        Power.built(rule=rule.id, authority=test.authority, effect=test.effect)
        for loaded in checked.law.own_on(checked.day)
        for rule in loaded.book.on(checked.day)
        for test in rule.test
        if isinstance(test, kinds.DiscretionaryPower)
    ]
