"""`geocheck demo`: builds the invented neighbourhood, checks three skips on it, writes reports and maps."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape

from geocheck.api import check_many
from geocheck.cities import load_city
from geocheck.cli.inputs import read_requests
from geocheck.cli.progress import Steps
from geocheck.files import write_atomically
from geocheck.model.request import parse_request
from geocheck.report.terminal import show_report

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle

SHOWN: Final = ("livre", "ponto-sem-pintura", "guia-nao-levantada")
"""Of the named skips: one that nothing forbids, one that is forbidden, one that the map cannot decide."""

BUNDLE: Final = "demo-bundle"
KERBS: Final = "guias.gpkg"


def demo_command(
    out: Annotated[
        Path, typer.Option(help="Pasta onde gravar o pacote, os relatórios, os mapas e as guias.")
    ] = Path("out"),
) -> None:
    """Monta um bairro inventado, verifica três caçambas nele e grava relatórios, mapas e guias."""
    from geocheck.city.bundle.export import export_kerbs  # noqa: PLC0415 (heavy, and only needed here)
    from geocheck.demo.kept import demo_folder  # noqa: PLC0415 (same)
    from geocheck.report.map.page import map_page  # noqa: PLC0415 (same)

    console = Console(highlight=False)
    out.mkdir(parents=True, exist_ok=True)
    bundle = _build(out / BUNDLE)
    for name in SHOWN:
        [(source, raw)] = read_requests(str(demo_folder() / "pedidos" / f"{name}.json"))
        [report] = check_many([parse_request(raw, source)], bundle=bundle)
        console.rule(escape(name))
        show_report(report, load_city(report.city).name, console)
        written = (out / f"{name}.json", out / f"{name}.html")
        write_atomically(written[0], f"{report.model_dump_json(indent=2)}\n")
        write_atomically(written[1], map_page(report, bundle))
        console.print(f"[dim]Relatório e mapa em {escape(str(written[0]))} e {escape(str(written[1]))}[/]\n")
    export_kerbs(bundle, out / KERBS)
    console.print(f"[dim]Pacote em {escape(str(bundle.folder))}, guias em {escape(str(out / KERBS))}[/]")


def _build(folder: Path) -> Bundle:
    """Build the neighbourhood's bundle from the files that come with geocheck, telling each step."""
    from geocheck.city.build import STEPS  # noqa: PLC0415 (heavy, and only needed here)
    from geocheck.demo.kept import HOME, demo_folder  # noqa: PLC0415 (same)
    from geocheck.demo.recipe import build_neighbourhood  # noqa: PLC0415 (same)

    with Steps(len(STEPS)) as steps:
        now = dt.datetime.now(dt.UTC)
        return build_neighbourhood(load_city(HOME), demo_folder(), folder, now, tell=steps.begin)
