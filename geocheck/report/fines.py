"""The sum of the fines of a placement's violations, by rulebook and standing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.check.columns import PLACES
from geocheck.law.penalties import Breach, penalty_summary
from geocheck.model.report import PenaltyReport
from geocheck.model.words import Outcome
from geocheck.report.findings import breached_sanction

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable
    from decimal import Decimal

    from geocheck.check.pipeline import Checked
    from geocheck.law.penalties import PenaltySummary, Total, Totals
    from geocheck.law.sanction_inputs import SanctionInputs


def penalties_of(checked: Checked, row: int, inputs: SanctionInputs) -> PenaltyReport:
    """Sum the fines of every rulebook's violations that count; those of revoked rulebooks apart."""
    summaries = list(_summaries(checked, row, inputs))
    current = [summary.in_force for summary in summaries if _has_fine(summary, in_summary=True)]
    revoked = [summary.revoked for summary in summaries if _has_fine(summary, in_summary=False)]
    notes = [note for summary in summaries for note in summary.notes]
    notes += [f"{left.rule}: {left.reason}" for summary in summaries for left in summary.left_out]
    units = sum(totals.first.ufm for totals in current)
    return PenaltyReport(
        total_brl=_text(totals.first for totals in current),
        recurrence_brl=_text(_repeated(current)),
        total_ufm=f"{units:.2f}" if units else None,
        revoked_brl=_text(totals.first for totals in revoked),
        revoked_recurrence_brl=_text(_repeated(revoked)),
        notes=tuple(dict.fromkeys(notes)),
    )


def _summaries(checked: Checked, row: int, inputs: SanctionInputs) -> Iterable[PenaltySummary]:
    day: dt.date = checked.placements.start[row].astype("datetime64[D]").item()
    breached = np.flatnonzero(checked.findings[row] == Outcome.VIOLATION).tolist()
    violated = [number for number in breached if checked.rules[number].counts]
    place = PLACES[checked.placements.place[row]]
    by_book: dict[str, list[int]] = {}
    for number in violated:
        by_book.setdefault(checked.rules[number].penal(place)[0].id, []).append(number)
    for numbers in by_book.values():
        book = checked.rules[numbers[0]].penal(place)[0].book
        breaches = [
            Breach(checked.rules[number].rule.id, breached_sanction(checked, row, number))
            for number in numbers
        ]
        yield penalty_summary(breaches, book, day, inputs)


def _has_fine(summary: PenaltySummary, *, in_summary: bool) -> bool:
    return any(fine.amount.in_summary == in_summary for fine in summary.fines)


def _repeated(totals: list[Totals]) -> list[Total]:
    """Return the totals with the surcharge where there is one; none when no rulebook has one."""
    if all(each.repeated is None for each in totals):
        return []
    return [each.repeated or each.first for each in totals]


def _text(totals: Iterable[Total]) -> str | None:
    """Return the sum of what is known in reais; None when all of it is in units or nothing is fined."""
    known: list[Decimal] = [total.brl for total in totals if total.brl or not total.ufm]
    return f"{sum(known):.2f}" if known else None
