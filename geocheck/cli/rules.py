"""`geocheck rules` and `geocheck cities`: what the law says on a day, and the check of a rulebook file."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from geocheck.cities import city_names, load_city
from geocheck.errors import DataFileError, InputError
from geocheck.law.clock import parse_moment, zone_clock
from geocheck.law.load import lint
from geocheck.law.versions import city_law
from geocheck.report.rules_page import show_rules


def rules_command(
    city: Annotated[str | None, typer.Argument(help="Cidade, ou o caminho de uma ficha .toml.")] = None,
    on: Annotated[str | None, typer.Option(help="Data da consulta (hoje, se omitida).")] = None,
    lint_file: Annotated[Path | None, typer.Option("--lint", help="Confere um arquivo de norma.")] = None,
) -> None:
    """Mostra as regras de uma cidade numa data, ou confere um arquivo de norma."""
    console = Console(highlight=False)
    if lint_file is not None:
        problems = lint(lint_file)
        if problems:
            raise DataFileError(problems)
        console.print(f"{lint_file.name}: nenhum problema encontrado.", markup=False)
        return
    if city is None:
        raise InputError("city", f"diga a cidade ({', '.join(city_names())}) ou use --lint ARQUIVO")
    law = city_law(city)
    clock = zone_clock(law.city.time_zone)
    day = parse_moment(on, "on", clock).local.date() if on else dt.datetime.now(clock.zone).date()
    show_rules(law, day, console)


def cities_command() -> None:
    """Lista as cidades que vêm com o geocheck."""
    table = Table(box=None, pad_edge=False)
    for name in ("Cidade", "Nome", "UF", "IBGE", "Coordenadas", "Normas"):
        table.add_column(name)
    for name in city_names():
        city = load_city(name)
        fallback = (city.fallback.rulebook,) if city.fallback else ()
        books = ", ".join((*city.rulebooks, *fallback))
        table.add_row(name, city.name, city.state or "", city.ibge_code or "", city.crs, books)
    Console(highlight=False, markup=False).print(table)
