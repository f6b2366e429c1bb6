"""`geocheck deadlines`: the dates of defence, appeal and payment from a notice on."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from geocheck.law.calendar import calendar_of
from geocheck.law.clock import parse_moment, zone_clock
from geocheck.law.procedure import procedure_deadlines
from geocheck.law.versions import city_law
from geocheck.report import wording

Event = Literal["notification", "decision", "appeal", "publication", "seizure"]


def deadlines_command(
    city: Annotated[str, typer.Argument(help="Cidade, ou o caminho de uma ficha .toml.")],
    on: Annotated[str, typer.Option(help="Data do ato que abre o prazo.")],
    event: Annotated[Event, typer.Option(help="Ato que abre o prazo.")] = "notification",
) -> None:
    """Diz até quando cabem defesa, recurso e pagamento."""
    law = city_law(city)
    day: dt.date = parse_moment(on, "on", zone_clock(law.city.time_zone)).local.date()
    calendar = calendar_of(law.city)
    table = Table(box=None, pad_edge=False)
    for name in ("Ato", "Último dia", "Prazo", "Artigo", "Observações"):
        table.add_column(name)
    for book in law.own_on(day):
        for deadline in procedure_deadlines(book.book, event, day, calendar):
            term = deadline.term
            kind = "úteis" if term.day_type == "business" else "corridos"
            table.add_row(
                wording.ACTS[deadline.act],
                wording.day(deadline.last_day),
                f"{term.limit_days} dias {kind}",
                term.locator,
                "; ".join(deadline.notes),
            )
    console = Console(highlight=False, markup=False)
    if table.row_count:
        console.print(table)
    else:
        console.print(f"Nenhuma norma de {law.city.name} dá prazo a partir de “{wording.EVENTS[event]}”.")
