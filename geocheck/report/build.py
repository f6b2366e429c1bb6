"""Builds the report of one placement from the judged columns: all lists, the summary and the penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.check.columns import PLACES
from geocheck.check.remedy import remedies_of
from geocheck.law.clock import zone_clock
from geocheck.law.sanction_inputs import NO_INPUTS
from geocheck.model.report import Report
from geocheck.model.words import Verdict
from geocheck.report import wording
from geocheck.report.findings import findings_of
from geocheck.report.fines import penalties_of
from geocheck.report.lists import checklist_of, conditions_of, powers_of, requires_of
from geocheck.report.notices import notices_of, rulebooks_of
from geocheck.report.on_map import bundle_of, footprint_of, kerb_of
from geocheck.report.pending import pending_of
from geocheck.report.stay import stay_of
from geocheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from geocheck.check.pipeline import Checked
    from geocheck.check.remedy import Move
    from geocheck.law.sanction_inputs import SanctionInputs
    from geocheck.model.finding import FindingReport


def reports_of(checked: Checked, inputs: SanctionInputs = NO_INPUTS) -> list[Report]:
    """Build the reports of a group of placements, with what would mend the rules that are not kept.

    Args:
        checked: a group of judged placements.
        inputs: the user's dated fiscal units and index factors.
    """
    moves = remedies_of(checked)
    return [_report(checked, row, inputs, moves[row]) for row in range(len(checked.rows))]


def _report(checked: Checked, row: int, inputs: SanctionInputs, moves: Mapping[int, Move]) -> Report:
    clock = zone_clock(checked.law.city.time_zone)
    placements = checked.placements
    every = findings_of(checked, row, inputs, moves)
    findings = tuple(finding for rule, finding in every if rule.counts)
    pending = tuple(pending_of(checked, row))
    verdict = Verdict(checked.verdict[row])
    end = placements.end[row]
    return Report(
        engine=f"geocheck {__version__}",
        evaluated_at=checked.evaluated_at.astimezone(clock.zone).isoformat(timespec="seconds"),
        request=placements.requests[row],
        city=checked.law.city.id,
        start=clock.aware(placements.start[row]).isoformat(),
        end=None if np.isnat(end) else clock.aware_last(end).isoformat(),
        where=PLACES[placements.place[row]].value,
        rulebooks=tuple(rulebooks_of(checked)),
        bundle=bundle_of(checked),
        footprint=footprint_of(checked, row),
        kerb=kerb_of(checked, row),
        verdict=verdict.value,
        summary=_summary(verdict, findings, len(pending)),
        notices=tuple(notices_of(checked, row)),
        findings=findings,
        pending=pending,
        requires=tuple(requires_of(checked, row)),
        conditions=tuple(conditions_of(checked, row)),
        checklist=tuple(checklist_of(checked, row)),
        powers=tuple(powers_of(checked)),
        second_opinion=tuple(finding for rule, finding in every if not rule.counts),
        penalties=penalties_of(checked, row, inputs),
        stay=stay_of(checked, row),
    )


def _summary(verdict: Verdict, findings: tuple[FindingReport, ...], pending: int) -> str:
    """Say the verdict's reason in two sentences."""
    shown = [finding for finding in findings if finding.displaced_by is None]
    if verdict is Verdict.PROHIBITED:
        violations = sorted(
            (finding for finding in shown if finding.outcome == "violation"), key=_gravity, reverse=True
        )
        first, more = violations[0], len(violations) - 1
        others = "" if not more else " e mais uma regra" if more == 1 else f" e mais {more} regras"
        return f"{first.title} ({wording.cited(first)}){others}. {_capital(first.message)}."
    if verdict is Verdict.INCONCLUSIVE:
        is_open = [finding for finding in shown if finding.outcome in ("not_evaluated", "borderline")]
        critical = sum(finding.critical for finding in is_open)
        rules = "Uma regra decisiva" if critical == 1 else f"{critical} regras decisivas"
        return f"{rules} sem resposta. Para concluir, resolva as pendências abaixo ({pending})."
    if verdict is Verdict.CONDITIONAL:
        doubts = [finding for finding in shown if finding.outcome == "conditional"]
        reasons = [f"{finding.title} ({wording.cited(finding)})" for finding in doubts[:3]]
        first_doubt = f" {_capital(doubts[0].message)}." if len(doubts) == 1 else ""
        return f"{wording.joined(reasons)}.{first_doubt} Nenhuma regra foi descumprida com o que se sabe."
    return "Nenhum impedimento encontrado nas regras avaliadas. A autorização cabe só ao município."


def _gravity(finding: FindingReport) -> int:
    degree = finding.sanction.class_ if finding.sanction else None
    return -1 if degree is None else list(wording.CLASSES).index(degree)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
