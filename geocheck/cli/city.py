"""`geocheck build`, `inspect` and `kerbs`: a city's bundle from its streets, and a look into it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from geocheck.cities import load_city
from geocheck.cli.progress import Steps
from geocheck.cli.usage import WrongUsage
from geocheck.report.bundle_page import show_bundle

_ONE_SOURCE: Final = {
    0: "faltam as ruas: dê --osm ARQUIVO, --download LUGAR ou --layer axis=ARQUIVO, ou as guias com "
    "--layer kerb=ARQUIVO",
    2: "as ruas vêm de uma só fonte: --osm, --download ou --layer axis=; escolha uma",
}

Folder = Annotated[Path, typer.Argument(help="Pasta do pacote da cidade.")]


def build_command(
    city: Annotated[str, typer.Argument(help="Cidade, ou o caminho de uma ficha .toml.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Pasta onde gravar o pacote.")],
    osm: Annotated[
        Path | None, typer.Option(help="Ruas de um arquivo do OpenStreetMap: .osm, .osm.pbf ou .graphml.")
    ] = None,
    download: Annotated[
        str | None,
        typer.Option(help="Ruas baixadas do OpenStreetMap: um lugar com contorno, “Setor Bueno, Goiânia”."),
    ] = None,
    layer: Annotated[
        list[str] | None,
        typer.Option(
            help="Camada municipal: NOME=ARQUIVO[,crs=EPSG:…][,accuracy=0.5][,completeness=complete]"
            "[,date=2024-05-01][,policy=merge][,merge=10][,extent=ARQUIVO][,map=ARQUIVO.toml][,encoding=…]"
            "[,x=…][,y=…]. Repete-se; ver docs/layers.md. "
            "axis=ARQUIVO[,name=COLUNA] dá as ruas, no lugar de --osm."
        ),
    ] = None,
) -> None:
    """Monta o pacote de uma cidade: eixos, guias, esquinas, o que o OSM traz e camadas municipais."""
    from geocheck.city.build import STEPS, build_city  # noqa: PLC0415 (heavy, and only needed here)
    from geocheck.city.given import check_dates  # noqa: PLC0415 (same)
    from geocheck.city.network.source import StreetSource, open_network  # noqa: PLC0415 (same)
    from geocheck.cli.layers import layer_file, split_axes  # noqa: PLC0415 (same)

    axes, files = split_axes([layer_file(text) for text in layer or ()])
    source = StreetSource(file=osm, place=download, axes=axes)
    alone = any(file.layer == "kerb" for file in files)
    if source.given() > 1 or not (source.given() or alone):
        raise WrongUsage(_ONE_SOURCE[min(source.given(), 2)])
    now = dt.datetime.now(dt.UTC)
    check_dates([axes] if axes else [], now.date())
    sheet = load_city(city)
    with Steps(len(STEPS) + 1) as steps:
        steps.begin("ruas")
        network = open_network(source, sheet) if source.given() else None
        bundle = build_city(sheet, network, files, out, now, steps.begin)
    show_bundle(bundle, Console(highlight=False))


def inspect_command(bundle: Folder) -> None:
    """Mostra o que há num pacote: camadas, fontes, datas, acurácias, perdas."""
    from geocheck.city.bundle.bundle import load_bundle  # noqa: PLC0415 (heavy, and only needed here)

    show_bundle(load_bundle(bundle), Console(highlight=False))


def kerbs_command(
    bundle: Folder,
    out: Annotated[Path, typer.Option("-o", "--out", help="Arquivo .gpkg, .geojson ou .parquet.")],
) -> None:
    """Grava guias, esquinas, bocas de rua, áreas de cruzamento e canteiros centrais para ver num SIG."""
    from geocheck.city.bundle.bundle import load_bundle  # noqa: PLC0415 (heavy, and only needed here)
    from geocheck.city.bundle.export import export_kerbs  # noqa: PLC0415 (same)

    counts = export_kerbs(load_bundle(bundle), out)
    table = Table(box=None, pad_edge=False)
    for name in ("Camada", "Feições"):
        table.add_column(name)
    for layer, count in counts.items():
        table.add_row(layer, str(count))
    Console(highlight=False).print(table)
