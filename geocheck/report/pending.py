"""What is pending: the measurements, looks and facts that would settle the rules that are open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from geocheck.check.columns import present
from geocheck.check.judge import KNOWN
from geocheck.law import kinds
from geocheck.model.report import Pending
from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.looking import look_for, open_keys
from geocheck.report.reasons import clashes
from geocheck.report.seen_words import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from geocheck.check.evidence import Evidence
    from geocheck.check.pipeline import Checked
    from geocheck.model.report import PendingGroup
    from geocheck.model.request import Request

_VERB: Final = {"measure": "medir", "tell": "informar"}
_ATTRIBUTE_QUESTION: Final = {
    "plates": "quantas placas tem (1; 2, de início e de fim; 0, só abrigo)?",
    "box": "há box pintado? (se houver, a distância conta da pintura)",
    "identified": "está devidamente identificado?",
    "kind": "de que tipo é (kind)?",
    "of_served_lot": "a mais próxima é a do imóvel atendido?",
}
_OPEN: Final = {int(each): each for each in (Outcome.CONDITIONAL, Outcome.NOT_EVALUATED, Outcome.BORDERLINE)}
_SIZES: Final = ("length_m", "width_m")

AROUND_M: Final = 5.0
"""What is asked for no farther than this is seen from the skip itself; what is farther, walking."""


def pending_of(checked: Checked, row: int) -> list[Pending]:
    """Return what would settle the rules that are open, each question of a rule once.

    Where the skip's length or width is missing, these are asked for instead of what the map would measure.
    """
    found: dict[tuple[str, str], Pending] = {}
    given = _given(checked.placements.requests[row])
    for column, outcome in _open(checked, row):
        for entry in _questions(column, row, outcome):
            if entry.key not in given:
                found.setdefault((entry.rule, entry.text), entry)
    entries = [entry for entry in found.values() if not _covered(entry, found.values())]
    return _sized(entries, checked, row)


def _open(checked: Checked, row: int) -> Iterator[tuple[Evidence, Outcome]]:
    findings, outcomes = checked.findings[row].tolist(), checked.outcomes[row].tolist()
    for number, rule in enumerate(checked.rules):
        if not rule.counts or findings[number] not in _OPEN:
            continue
        for index in checked.span[number]:
            if outcomes[index] in _OPEN:
                yield checked.columns[index], _OPEN[outcomes[index]]


def _sized(entries: list[Pending], checked: Checked, row: int) -> list[Pending]:
    """Ask for the skip's size where the map waits for it, in the place of what it would then measure."""
    request, sight = checked.placements.requests[row], checked.sight
    missing = [key for key in _SIZES if getattr(request, key) is None]
    waiting = [column for column in checked.columns if column.mapped is not None]
    if sight is None or request.lon is None or not missing or not waiting:
        return entries
    asked = {entry.key for entry in entries}
    sizes = [
        Pending.built(
            rule=waiting[0].question.rule.rule.id,
            action="tell",
            layer=None,
            key=key,
            reach_m=None,
            group="facts",
            text=f"informar {wording.key_name(key)}",
        )
        for key in missing
        if key not in asked
    ]
    outline = sight.at.footprints
    supposed = not np.isnan(outline.length_m[row] + outline.width_m[row])
    return [*sizes, *(entry for entry in entries if supposed or entry.action != "measure")]


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


def _questions(column: Evidence, row: int, outcome: Outcome) -> Iterator[Pending]:
    if int(column.flags[row]) & KNOWN:
        yield from _attribute_questions(column, row)
        if outcome is Outcome.BORDERLINE or _unsure(column, row):
            yield from _asked(column, row)
        return
    yield from _asked(column, row)
    if isinstance(column.question.test, kinds.SignRestriction) and np.isnat(
        column.question.placements.end[row]
    ):
        yield _entry(column, "tell", "end", f"informar {wording.key_name('end')}")


def _unsure(column: Evidence, row: int) -> bool:
    """Whether looking again would settle what depends: another side of the street, or a contradiction."""
    found = shown(column, row)
    if found is None:
        return False
    near = abs(float(column.margin[row])) <= float(column.u[row])
    return not found.side_known or near or clashes(column, row)


def _asked(column: Evidence, row: int) -> Iterator[Pending]:
    """Ask for what would settle a test."""
    test, ask = column.question.test, column.ask
    if ask is None:
        return
    if ask.action == "look" and ask.layer is not None:
        beside = "bounds_median" if "bounds_median" in ask.keys else None
        yield _entry(column, "look", beside, look_for(test, ask))
        return
    for key in open_keys(column, row):
        if key in _ATTRIBUTE_QUESTION:
            yield _attribute(column, key)
        else:
            yield _entry(column, ask.action, key, f"{_VERB[ask.action]} {wording.key_name(key)}")


def _attribute_questions(column: Evidence, row: int) -> Iterator[Pending]:
    """Ask for the attribute on which a known value hangs, of what the map shows or somebody saw."""
    test, placements = column.question.test, column.question.placements
    found = shown(column, row)
    if test.when is not None and test.when.unknown == "soft":
        layer = column.ask.layer if column.ask and column.ask.layer in test.layers else test.layers[0]
        told = _nearest(placements.requests[row], layer, test.when.attribute)
        if found.soft if found is not None else told is None:
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
    reach_m = ask.reach_m if ask and key not in _ATTRIBUTE_QUESTION else None
    return Pending.built(
        rule=column.question.rule.rule.id,
        action=action,
        layer=ask.layer if ask else None,
        key=key,
        reach_m=reach_m,
        group=_group(action, key, reach_m),
        text=text,
    )


def _group(action: str, key: str | None, reach_m: float | None) -> PendingGroup:
    """Tell with what else a question is answered at once."""
    if action == "tell":
        return "facts"
    if action == "measure":
        return "tape"
    beside = key == "bounds_median" or (reach_m is not None and reach_m <= AROUND_M)
    return "around" if beside else "block"
