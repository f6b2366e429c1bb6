"""Findings of one placement: the deciding test's values, message, law and sanction of each rule."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.check.columns import BASES, PLACES
from geocheck.check.judge import EPSILON, KNOWN, p_violation, tolerance_m
from geocheck.law import kinds
from geocheck.law.sanctions import amount_of
from geocheck.model.finding import FindingReport, LawReport, SanctionReport, TestReport
from geocheck.model.words import OUTCOME_CODES, Outcome
from geocheck.report.kept import Keys, kept
from geocheck.report.message import message
from geocheck.report.on_map import feature_of, witness_of
from geocheck.report.remedies import remedy_text

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping

    from geocheck.check.bind import BoundRule
    from geocheck.check.evidence import Evidence
    from geocheck.check.pipeline import Checked
    from geocheck.check.remedy import Move
    from geocheck.law.sanction_inputs import SanctionInputs
    from geocheck.law.tables import Sanction
    from geocheck.model.words import Place


# Once for all: a look-up of an enumeration's member costs more than to build a test's report.
_BORDERLINE: Final = Outcome.BORDERLINE
_COMPLIANT: Final = Outcome.COMPLIANT


def findings_of(
    checked: Checked, row: int, inputs: SanctionInputs, moves: Mapping[int, Move]
) -> list[tuple[BoundRule, FindingReport]]:
    """Return a finding for every bound rule, second opinions included, in the order of the law."""
    keys = Keys(checked, row, inputs)
    found = []
    for number, rule in enumerate(checked.rules):
        finding = kept(keys.of(number), partial(_finding, checked, row, number, inputs))
        if number in moves:
            finding = finding.model_copy(update={"remedy": _remedy(checked, row, number, moves[number])})
        found.append((rule, finding))
    return found


def _remedy(checked: Checked, row: int, number: int, move: Move) -> str:
    """Say what would mend a rule."""
    column = checked.columns[int(checked.decider[row, number])]
    outcome = Outcome(int(checked.findings[row, number]))
    return remedy_text(move, column, row, outcome)


def breached_sanction(checked: Checked, row: int, number: int) -> Sanction | None:
    """Return the sanction that answers for a finding: of its band, its test, or the rule's for the place."""
    bound = checked.rules[number]
    column = checked.columns[checked.decider[row, number]]
    place = PLACES[checked.placements.place[row]]
    _, rule = bound.penal(place)
    band = _band(column, row)
    wanted = band.sanction if band else column.question.test.sanction
    # A test's own sanction is one of its rule's; the importing rule has its own set.
    return rule.sanction_for(place, wanted if rule is bound.rule else None, checked.missing_acts(row))


def _band(column: Evidence, row: int) -> Any:  # noqa: ANN401
    test = column.question.test
    if not isinstance(test, kinds.MaxDistance) or np.isnan(column.measured[row]):
        return None
    value = float(column.measured[row])
    for band in test.bands:
        top = np.inf if band.up_to_m is None else band.up_to_m + tolerance_m(band.up_to_m) + EPSILON
        if value <= top:
            return band if value > band.above_m else None
    return None


def _finding(checked: Checked, row: int, number: int, inputs: SanctionInputs) -> FindingReport:
    bound = checked.rules[number]
    rule, book = bound.rule, bound.source.book
    outcome = Outcome(int(checked.findings[row, number]))
    decider = int(checked.decider[row, number])
    column = checked.columns[decider]
    test = column.question.test
    shown = _with_value(checked, row, number, column)
    absorbed_by = int(checked.displaced[row, number])
    return FindingReport.built(
        rule=rule.id,
        rulebook=book.id,
        outcome=outcome.code,
        critical=bool(checked.critical[row, number]),
        title=rule.title,
        message=message(checked, row, number),
        law=LawReport.built(
            title=book.rulebook.title,
            locator=test.locator or str(rule.law),
            act=book.rulebook.short_title if bound.fallback else None,
        ),
        kind=test.kind,
        metric=getattr(test, "metric", None),
        uncertainty_m=float(shown.u[row]) if shown.unit == "m" and _is_known(shown, row) else None,
        p_violation=_probability(column, row) if outcome is _BORDERLINE else None,
        basis=_basis(column, row),
        marginal=bool(column.marginal[row]),
        assumed=column.assumed,
        by_reference=_reference(bound, PLACES[checked.placements.place[row]], test.by_reference),
        displaced_by=checked.rules[absorbed_by].rule.id if absorbed_by >= 0 else None,
        feature=feature_of(shown, row, checked.sight),
        witness=witness_of(shown, row, checked.sight),
        tests=tuple(_tests(checked, row, number)),
        sanction=_sanction(checked, row, number, inputs) if outcome > _COMPLIANT else None,
        notes=(*rule.notes, *((test.note,) if test.note else ())),
        **_values(shown, row),
    )


def _with_value(checked: Checked, row: int, number: int, column: Evidence) -> Evidence:
    """Return the deciding test; of a stricter reading without a value, the primary one that has it."""
    if column.question.test.reading == "primary" or not np.isnan(column.measured[row]):
        return column
    kind = column.question.test.kind
    others = [checked.columns[index] for index in checked.span[number]]
    return next(
        (
            each
            for each in others
            if each.question.test.kind == kind
            and each.question.test.reading == "primary"
            and not np.isnan(each.measured[row])
        ),
        column,
    )


def _reference(bound: BoundRule, place: Place, by_reference: str | None) -> str | None:
    """Name the other act through which a rule binds: that of the test, or the city's that imports it."""
    book, rule = bound.penal(place)
    return by_reference if rule is bound.rule else f"{book.book.rulebook.short_title}, {rule.law}"


def _is_known(column: Evidence, row: int) -> bool:
    return bool(int(column.flags[row]) & KNOWN)


def _probability(column: Evidence, row: int) -> float:
    return round(p_violation(float(column.margin[row]), float(column.u[row])), 4)


def _basis(column: Evidence, row: int) -> Any:  # noqa: ANN401 (pydantic checks the closed list)
    index = int(column.basis[row])
    return None if index < 0 else BASES[index].value


def _tests(checked: Checked, row: int, number: int) -> Iterator[TestReport]:
    for index in checked.span[number]:
        column = checked.columns[index]
        yield TestReport.built(
            kind=column.question.test.kind,
            reading=column.question.test.reading,
            label=column.question.test.label,
            outcome=OUTCOME_CODES[checked.outcomes[row, index]],
            basis=_basis(column, row),
            **_values(column, row),
        )


def _values(column: Evidence, row: int) -> dict[str, Any]:
    """Name measured value and limit by their unit."""
    measured, limit = float(column.measured[row]), float(column.limit[row])
    if column.unit == "none":
        return {}
    if column.unit == "s":
        clock = column.question.clock
        at = {"measured_at": measured, "limit_at": limit}
        return {
            key: clock.aware_last(np.datetime64(int(value), "s")).isoformat()
            for key, value in at.items()
            if not np.isnan(value)
        }
    convert = int if column.unit == "count" else lambda value: round(value, 4)
    return {
        f"{name}_{column.unit}": convert(value)
        for name, value in (("measured", measured), ("limit", limit))
        if np.isfinite(value)
    }


def _sanction(checked: Checked, row: int, number: int, inputs: SanctionInputs) -> SanctionReport | None:
    sanction = breached_sanction(checked, row, number)
    if sanction is None:
        return None
    loaded, rule = checked.rules[number].penal(PLACES[checked.placements.place[row]])
    book = loaded.book
    column = checked.columns[checked.decider[row, number]]
    band = _band(column, row) if rule is checked.rules[number].rule else None
    day: dt.date = checked.placements.start[row].astype("datetime64[D]").item()
    amount = amount_of(sanction, book, day, inputs)
    return SanctionReport.built(
        class_=sanction.class_,
        fine_brl=None if amount.brl is None else f"{amount.brl:.2f}",
        fine_to_brl=None if amount.to_brl is None else f"{amount.to_brl:.2f}",
        fine_ufm=None if amount.ufm is None else f"{amount.ufm:.2f}",
        in_summary=bool(amount.in_summary and checked.displaced[row, number] < 0),
        prior_notice=sanction.prior_notice,
        measures=sanction.measures,
        discretionary_measures=sanction.discretionary_measures,
        liable=sanction.liable or book.sanctions.liable,
        locator=(band.locator if band and checked.rules[number].importer is None else None)
        or sanction.locator,
        note="; ".join(filter(None, (amount.label, sanction.note))) or None,
    )
