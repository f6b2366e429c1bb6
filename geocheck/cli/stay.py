"""`geocheck stay`: by when a skip must leave, counted day by day, and what shortens it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from geocheck.api import check
from geocheck.cities import load_city
from geocheck.files import write_atomically
from geocheck.law.clock import parse_moment, zone_clock
from geocheck.model.report import Report
from geocheck.model.request import parse_request
from geocheck.model.words import Place
from geocheck.report import wording


def stay_command(
    city: Annotated[str, typer.Argument(help="Cidade, ou o caminho de uma ficha .toml.")],
    placed_at: Annotated[
        str, typer.Option(help="Colocação: 2026-08-07T10:00, 07/08/2026 10:00 ou só a data.")
    ],
    full_at: Annotated[str | None, typer.Option(help="Quando a caçamba encheu.")] = None,
    where: Annotated[Place, typer.Option(help="Onde fica.")] = Place.CARRIAGEWAY,
    json: Annotated[str | None, typer.Option("--json", help="Grava em JSON; “-” para a saída.")] = None,
) -> None:
    """Diz até quando a caçamba pode ficar e como o prazo foi contado."""
    clock = zone_clock(load_city(city).time_zone)
    parse_moment(placed_at, "--placed-at", clock)  # named as it was typed, before it becomes `start`
    raw = {"city": city, "start": placed_at, "full_at": full_at, "where": where}
    report = check(parse_request(raw))
    text = f"{report.stay.model_dump_json()}\n"
    if json == "-":
        typer.echo(text, nl=False)
        return
    _show(report, load_city(city).name, Console(highlight=False))
    if json is not None:
        write_atomically(Path(json), text)


def _show(report: Report, city_name: str, console: Console) -> None:
    stay = report.stay
    placed = wording.moment(dt.datetime.fromisoformat(report.start))
    console.print(
        f"\n[bold]{escape(city_name)}[/] · {wording.PLACES[Place(report.where)]} · colocada {placed}"
    )
    for notice in report.notices:
        if notice.code not in ("end_assumed", "place_assumed"):
            console.print(f"  [dim]· {escape(notice.text)}[/]")
    if stay.leave_by is None:
        console.print("Não há prazo de permanência nesta norma para este lugar.")
    else:
        until = wording.moment(dt.datetime.fromisoformat(stay.leave_by))
        console.print(f"Retirar até [bold]{until}[/]: {escape(stay.basis or '')}")
        for line in stay.counted:
            console.print(f"  {escape(line)}")
    if stay.shortens:
        console.print("[bold]O que encurta[/]")
        for line in stay.shortens:
            console.print(f"  • {escape(line)}")
    console.print()
