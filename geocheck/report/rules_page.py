"""A city's law on a day as a terminal page in pt-BR: status, rules, tests, sanctions, terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table

from geocheck.law.sanctions import amount_of
from geocheck.law.versions import status_on
from geocheck.report import wording
from geocheck.report.asks import asks

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from rich.console import Console

    from geocheck.law.load import LoadedRulebook
    from geocheck.law.rulebook import Rule, Rulebook
    from geocheck.law.versions import CityLaw

_STATUS_COLOURS: Final = {"in_force": "green", "revoked": "bold red", "not_yet_in_force": "yellow"}


def show_rules(law: CityLaw, day: dt.date, console: Console) -> None:
    """Print the rulebooks that answer for a city on a day.

    Args:
        law: the city's.
        day: local date.
        console: where to.
    """
    console.print(f"\n[bold]{escape(law.city.name)}[/] · regras em {wording.day(day)}")
    for loaded in law.own_on(day):
        _show_book(loaded, day, console)
    if law.fallback is not None and law.city.fallback is not None:
        topics = law.city.fallback.topics
        scope = f"responde por: {', '.join(wording.TOPICS[t] for t in topics)}" if topics else "só 2ª opinião"
        console.print(f"[dim]{escape(law.fallback.book.rulebook.title)} · {scope}; no mais, 2ª opinião.[/]\n")


def _show_book(loaded: LoadedRulebook, day: dt.date, console: Console) -> None:
    header = loaded.book.rulebook
    status = status_on(header, day)
    style = _STATUS_COLOURS.get(status, "yellow")
    since = f"desde {wording.day(header.in_force_from)}" if header.in_force_from else "início não sabido"
    until = f", até {wording.day(header.in_force_to)}" if header.in_force_to else ""
    lines = [f"[{style}]{wording.STATUSES[status].upper()}[/] · {since}{until}"]
    if header.revoked_by:
        when = "Revogada" if status == "revoked" else "Depois revogada"
        lines.append(f"{when} por {escape(header.revoked_by)}.")
    if header.succeeded_by:
        lines.append(
            f"Atos posteriores (texto não carregado): {escape(wording.joined(header.succeeded_by))}."
        )
    if header.preface and status != "revoked":
        lines.append(escape(header.preface))
    if header.silent_on:
        lines.append(f"[dim]Sem regra nesta norma: {escape(', '.join(header.silent_on))}.[/]")
    console.print(Panel("\n".join(lines), title=escape(header.title), title_align="left"))
    console.print(_rules_table(loaded.book, day))
    for line in _tables(loaded.book, day):
        console.print(Padding(line, (0, 0, 0, 2)))
    console.print()


def _rules_table(book: Rulebook, day: dt.date) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), caption_justify="left")
    table.add_column("Regra", no_wrap=True)
    table.add_column("O que pede e como se verifica", overflow="fold", ratio=3)
    table.add_column("Sanção", overflow="fold", ratio=2)
    for rule in book.on(day):
        mark = " [bold red]![/]" if rule.is_critical else ""
        table.add_row(f"{rule.id}{mark}", "\n".join(_rule_lines(rule)), escape(_sanctions(rule, book, day)))
    table.caption = "! regra decisiva: sem resposta a ela o veredito fica inconclusivo"
    return table


def _rule_lines(rule: Rule) -> Iterator[str]:
    yield f"[bold]{escape(rule.title)}[/] · {escape(str(rule.law))}"
    yield escape(rule.asks.strip())
    for text in dict.fromkeys(asks(test) for test in rule.evaluable_tests):
        yield f"[cyan]• {escape(text)}[/]"
    for duty in rule.duties:
        for item in duty.items:
            yield f"[dim]◦ {escape(item)}[/]"


def _sanctions(rule: Rule, book: Rulebook, day: dt.date) -> str:
    lines = []
    for sanction in rule.sanction:
        amount = amount_of(sanction, book, day)
        parts = [wording.CLASSES[sanction.class_]] if sanction.class_ else []
        if amount.brl is not None:
            upper = f" a {wording.money(f'{amount.to_brl:.2f}')}" if amount.to_brl is not None else ""
            parts.append(f"{wording.money(f'{amount.brl:.2f}')}{upper}")
        parts += [wording.MEASURES[measure] for measure in sanction.measures]
        parts += [f"{wording.MEASURES[measure]} (a critério)" for measure in sanction.discretionary_measures]
        parts.append(wording.PRIOR_NOTICE[sanction.prior_notice])
        if amount.standing != "unknown" or not sanction.measures:
            parts.append(amount.label)
        where = f"{sanction.locator}: " if sanction.locator else ""
        lines.append(where + "; ".join(filter(None, parts)))
    return "\n".join(dict.fromkeys(lines)) or "sem penalidade prevista"


def _tables(book: Rulebook, day: dt.date) -> Iterator[str]:
    tables = book.sanctions
    if tables.recurrence:
        factor = f"{tables.recurrence.factor}".replace(".", ",")
        years = tables.recurrence.look_back_years
        period = f" dentro de {years} ano(s)" if years else " (a norma não define o período)"
        yield f"Reincidência: × {factor}{period}"
    if tables.indexation:
        yield escape(
            f"Correção: {tables.indexation.index}, {tables.indexation.period} ({tables.indexation.locator})"
        )
    if tables.liable:
        yield escape(f"Responde: {wording.joined(tables.liable)}")
    for term in tables.procedure:
        kind = "úteis" if term.day_type == "business" else "corridos"
        yield escape(f"{wording.ACTS[term.act].capitalize()}: {term.limit_days} dias {kind} ({term.locator})")
    if status_on(book.rulebook, day) == "revoked":
        yield "[bold red]Os valores acima são os da norma revogada.[/]"
