"""A report as a terminal page in pt-BR: verdict, findings by gravity, what is missing, fines, stay."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table

from geocheck.model.words import Outcome, Place, Verdict
from geocheck.report import wording
from geocheck.report.notices import GRAVE_NOTICES
from geocheck.report.standing import standing
from geocheck.report.visit import visit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console, RenderableType

    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report

_COLOURS: Final = {
    Outcome.VIOLATION: "bold red",
    Outcome.BORDERLINE: "bold yellow",
    Outcome.NOT_EVALUATED: "magenta",
    Outcome.CONDITIONAL: "yellow",
    Outcome.COMPLIANT: "green",
    Outcome.NOT_APPLICABLE: "dim",
}
_VERDICT_COLOURS: Final = {
    Verdict.PROHIBITED: "bold white on red",
    Verdict.INCONCLUSIVE: "bold black on magenta",
    Verdict.CONDITIONAL: "bold black on yellow",
    Verdict.NO_IMPEDIMENT_FOUND: "bold black on green",
}


def show_report(report: Report, city_name: str, console: Console) -> None:
    """Print a report.

    Args:
        report: of one placement.
        city_name: as people write it.
        console: where to.
    """
    for part in _parts(report, city_name):
        console.print(part)


def _parts(report: Report, city_name: str) -> Iterator[RenderableType]:
    end = f" → {_when(report.end)}" if report.end else " → retirada não informada"
    place = wording.PLACES[Place(report.where)]
    yield f"\n[bold]{escape(city_name)}[/] · {place} · {_when(report.start)}{end}"
    if report.request.lon is not None:
        yield Padding(escape(standing(report)), (0, 0, 0, 2))
    for notice in report.notices:
        grave = notice.code in GRAVE_NOTICES
        style = "bold red" if grave else "dim"
        yield Padding(f"[{style}]{'⚠ ' if grave else '· '}{escape(notice.text)}[/]", (0, 0, 0, 2))
    verdict = Verdict(report.verdict)
    word = f"[{_VERDICT_COLOURS[verdict]}] {wording.VERDICTS[verdict].upper()} [/]"
    yield Panel(f"{word}  {escape(report.summary)}", expand=False)
    yield _findings_table(report.findings)
    yield from _rest(report)


def _rest(report: Report) -> Iterator[RenderableType]:
    yield from _section("Falta medir, ver ou informar", _pending_lines(report))
    held = {True: "[green]tem[/]", False: "[yellow]não tem[/]"}
    yield from _section(
        "Exige",
        (f"{escape(each.text)}: {held[each.held]} ({each.rule})" for each in report.requires),
    )
    yield from _section("Condições", (escape(each.text) for each in report.conditions))
    yield from _section("Permanência", _stay_lines(report))
    yield from _section("Multas pelas infrações acima", _fine_lines(report))
    opinions = [each for each in report.second_opinion if _outcome(each) > Outcome.COMPLIANT]
    told = [each for each in opinions if _outcome(each) is not Outcome.NOT_EVALUATED]
    yield from _section(
        "Segunda opinião (Código de Trânsito, por analogia; não conta no veredito)",
        (f"{each.rule} {escape(each.title)}: {_word(each)}; {escape(each.message)}" for each in told),
    )
    duties = len({item.rule for item in report.checklist})
    if duties:
        yield (
            f"[dim]Há ainda deveres de papéis, sinalização e conduta em {duties} regras "
            f"(geocheck rules {escape(report.city)}).[/]"
        )
    yield "[dim]Só o município autoriza; este resultado não autoriza nada.[/]\n"


def _pending_lines(report: Report) -> Iterator[str]:
    for errand in visit(report.pending):
        rules = f"[dim]({', '.join(errand.rules)})[/]"
        yield f"[bold]{errand.title}[/]: {escape('; '.join(errand.items))} {rules}"


def _section(title: str, lines: Iterable[str]) -> Iterator[RenderableType]:
    items = list(dict.fromkeys(lines))
    if not items:
        return
    yield f"[bold]{title}[/]"
    for line in items:
        yield Padding(f"• {line}", (0, 0, 0, 2))


def _findings_table(findings: Iterable[FindingReport]) -> Table:
    """Lay out the findings that say something, the gravest first; what is open stands in the list below."""
    shown = sorted(findings, key=lambda finding: -_outcome(finding))
    table = Table(box=None, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0), caption_justify="left")
    table.add_column("Regra", no_wrap=True)
    table.add_column("Resultado", no_wrap=True)
    table.add_column("O que se achou", overflow="fold")
    for finding in shown:
        outcome = _outcome(finding)
        if outcome is Outcome.NOT_APPLICABLE or finding.displaced_by:
            continue
        if outcome is Outcome.NOT_EVALUATED and not _shows_something(finding):
            continue
        word = f"[{_COLOURS[outcome]}]{wording.OUTCOMES[outcome]}[/]"
        table.add_row(finding.rule, word, "\n".join(_lines(finding, outcome)))
    table.caption = "\n".join(_left_out(shown)) or None
    return table


def _shows_something(finding: FindingReport) -> bool:
    """Whether the map knows a value that does not settle the rule."""
    return any(test.measured_m is not None for test in finding.tests if test.outcome == "not_evaluated")


def _lines(finding: FindingReport, outcome: Outcome) -> Iterator[str]:
    if outcome is Outcome.COMPLIANT:
        yield f"{escape(finding.title)}: {escape(finding.message)}"
        return
    yield f"[bold]{escape(finding.title)}[/] · {escape(wording.cited(finding))}"
    yield escape(finding.message)
    if finding.remedy:
        yield f"[bold cyan]→ {escape(finding.remedy)}[/]"
    if finding.by_reference:
        yield f"por remissão: {escape(finding.by_reference)}"
    if outcome is Outcome.VIOLATION:
        yield f"[dim]{_sanction_text(finding)}[/]"


def _left_out(findings: Iterable[FindingReport]) -> Iterator[str]:
    groups = {"Não avaliadas": Outcome.NOT_EVALUATED, "Não se aplicam": Outcome.NOT_APPLICABLE}
    for title, outcome in groups.items():
        rules = [
            finding.rule
            for finding in findings
            if _outcome(finding) is outcome
            and not (outcome is Outcome.NOT_EVALUATED and _shows_something(finding))
        ]
        if rules:
            yield f"{title}: {', '.join(rules)}"
    absorbed = [
        f"{finding.rule} (por {finding.displaced_by})" for finding in findings if finding.displaced_by
    ]
    if absorbed:
        yield f"Absorvidas por regra mais específica: {', '.join(absorbed)}"


def _sanction_text(finding: FindingReport) -> str:
    sanction = finding.sanction
    if sanction is None:
        return "sem penalidade prevista"
    parts = [escape(sanction.locator)] if sanction.locator else []
    if sanction.class_:
        parts.append(wording.CLASSES[sanction.class_])
    if sanction.fine_brl and sanction.in_summary:
        upper = f" a {wording.money(sanction.fine_to_brl)}" if sanction.fine_to_brl else ""
        parts.append(f"{wording.money(sanction.fine_brl)}{upper}")
    parts += [wording.MEASURES[measure] for measure in sanction.measures]
    if sanction.discretionary_measures:
        may = [wording.MEASURES[measure] for measure in sanction.discretionary_measures]
        parts.append(f"a critério da autoridade, {wording.joined(may)}")
    parts.append(wording.PRIOR_NOTICE[sanction.prior_notice])
    if sanction.note:
        parts.append(escape(sanction.note))
    return "; ".join(filter(None, parts))


def _stay_lines(report: Report) -> Iterator[str]:
    stay = report.stay
    if stay.leave_by is None:
        yield "nenhum prazo nesta norma para este lugar"
        return
    yield f"retirar até [bold]{_when(stay.leave_by)}[/] · {escape(stay.basis or '')}"
    for date in stay.advice:
        if date >= stay.leave_by:
            continue
        yield f"por cautela, até {_when(date)} (leitura mais estrita da contagem)"


def _fine_lines(report: Report) -> Iterator[str]:
    fines = report.penalties
    if fines.total_brl:
        again = f" (reincidência: {wording.money(fines.recurrence_brl)})" if fines.recurrence_brl else ""
        yield f"[bold]{wording.money(fines.total_brl)}[/]{again}"
    if fines.total_ufm:
        yield f"[bold]{fines.total_ufm.replace('.', ',')} UFM[/]"
    if fines.revoked_brl:
        repeated = fines.revoked_recurrence_brl
        again = f" (reincidência: {wording.money(repeated)})" if repeated else ""
        yield f"pela norma revogada, fora da soma: {wording.money(fines.revoked_brl)}{again}"
    for note in fines.notes:
        yield f"[dim]{escape(note)}[/]"


def _outcome(finding: FindingReport) -> Outcome:
    return Outcome[finding.outcome.upper()]


def _word(finding: FindingReport) -> str:
    return wording.OUTCOMES[_outcome(finding)]


def _when(text: str) -> str:
    return wording.moment(dt.datetime.fromisoformat(text))
