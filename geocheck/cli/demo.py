"""`geocheck demo`: checks the example requests that come with geocheck and writes their reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from geocheck.api import check_many
from geocheck.cities import load_city
from geocheck.cli.inputs import read_requests
from geocheck.files import data_folder, write_atomically
from geocheck.model.request import parse_request
from geocheck.report.terminal import show_report


def demo_command(
    out: Annotated[Path, typer.Option(help="Pasta onde gravar os relatórios.")] = Path("out"),
) -> None:
    """Verifica três caçambas de exemplo, a partir de medidas, e grava os relatórios."""
    console = Console(highlight=False)
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted((data_folder() / "demo").glob("*.json")):
        [(source, raw)] = read_requests(str(path))
        [report] = check_many([parse_request(raw, source)])
        console.rule(escape(path.stem))
        show_report(report, load_city(report.city).name, console)
        target = out / path.name
        write_atomically(target, f"{report.model_dump_json(indent=2)}\n")
        console.print(f"[dim]Relatório completo em {escape(str(target))}[/]\n")
