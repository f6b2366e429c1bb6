"""What is pending: the measurements, looks and facts that would settle the rules that are open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from geocheck.check.columns import present
from geocheck.check.judge import Flag
from geocheck.law import kinds
from geocheck.model.report import Pending
from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.looking import look_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from geocheck.check.evidence import Evidence
    from geocheck.check.pipeline import Checked
    from geocheck.model.request import Request

_VERB: Final = {"measure": "medir", "tell": "informar"}
_ATTRIBUTE_QUESTION: Final = {
    "plates": "quantas placas tem (1; 2, de início e de fim; 0, só abrigo)?",
    "box": "há box pintado? (se houver, a distância conta da pintura)",
    "identified": "está devidamente identificado?",
    "kind": "de que tipo é (kind)?",
    "of_served_lot": "a mais próxima é a do imóvel atendido?",
}
_OPEN: Final = (Outcome.CONDITIONAL, Outcome.NOT_EVALUATED, Outcome.BORDERLINE)


def pending_of(checked: Checked, row: int) -> list[Pending]:
    """Return what would settle the rules that are open, each question of a rule once."""
    found: dict[tuple[str, str], Pending] = {}
    given = _given(checked.placements.requests[row])
    for number, rule in enumerate(checked.rules):
        if not rule.counts or checked.findings[row, number] not in _OPEN:
            continue
        for index in checked.span[number]:
            if checked.outcomes[row, index] in _OPEN:
                for entry in _questions(checked.columns[index], row):
                    if entry.key not in given:
                        found.setdefault((entry.rule, entry.text), entry)
    return [entry for entry in found.values() if not _covered(entry, found.values())]


def _given(request: Request) -> set[str | None]:
    """Return the names of what the request already tells."""
    told: set[str | None] = {*request.measured, *(f"in_zone.{zone}" for zone in request.in_zone)}
    told |= {key for key, value in request if value is not None}
    return told | {f"site.{key}" for key, value in request.site if value is not None}


def _covered(entry: Pending, entries: Iterable[Pending]) -> bool:
    """Whether looking farther for the same rule answers this one as well."""
    return entry.reach_m == 0 and any(
        other.rule == entry.rule and other.layer == entry.layer and (other.reach_m or 0) > 0
        for other in entries
    )


def _questions(column: Evidence, row: int) -> Iterator[Pending]:
    test, ask = column.question.test, column.ask
    if int(column.flags[row]) & Flag.KNOWN:
        yield from _attribute_questions(column, row)
        return
    if ask is None:
        return
    if ask.action == "look" and ask.layer is not None:
        beside = "bounds_median" if "bounds_median" in ask.keys else None
        yield _entry(column, "look", beside, look_for(test, ask))
    for key in ask.keys if ask.action != "look" else ():
        if key in _ATTRIBUTE_QUESTION:
            yield _attribute(column, key)
        else:
            yield _entry(column, ask.action, key, f"{_VERB[ask.action]} {wording.key_name(key)}")
    if isinstance(test, kinds.SignRestriction) and np.isnat(column.question.placements.end[row]):
        yield _entry(column, "tell", "end", f"informar {wording.key_name('end')}")


def _attribute_questions(column: Evidence, row: int) -> Iterator[Pending]:
    """Ask for the attribute on which a known value hangs."""
    test, placements = column.question.test, column.question.placements
    if test.when is not None and test.when.unknown == "soft":
        layer = column.ask.layer if column.ask and column.ask.layer in test.layers else test.layers[0]
        if _nearest(placements.requests[row], layer, test.when.attribute) is None:
            yield _attribute(column, test.when.attribute)
    if isinstance(test, kinds.SideOfFeature):
        whose = _nearest(placements.requests[row], test.feature, "of_served_lot")
        if whose is None:
            yield _attribute(column, "of_served_lot")


def _nearest(request: Request, layer: str, name: str) -> object:
    """Return an attribute of the nearest thing seen of a layer; None where unknown."""
    seen = present(request, (layer,))
    return getattr(seen[0].attributes, name) if seen else None


def _attribute(column: Evidence, name: str) -> Pending:
    layer = column.ask.layer if column.ask and column.ask.layer else column.question.test.layers[0]
    return _entry(column, "look", name, f"{wording.LAYERS[layer]}: {_ATTRIBUTE_QUESTION[name]}")


def _entry(
    column: Evidence, action: Literal["look", "measure", "tell"], key: str | None, text: str
) -> Pending:
    ask = column.ask
    return Pending(
        rule=column.question.rule.rule.id,
        action=action,
        layer=ask.layer if ask else None,
        key=key,
        reach_m=ask.reach_m if ask and key not in _ATTRIBUTE_QUESTION else None,
        text=text,
    )
