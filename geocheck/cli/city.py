"""`geocheck build`, `inspect` and `kerbs`: a city's bundle from an OSM file, and a look into it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from geocheck.cities import load_city
from geocheck.report.bundle_page import show_bundle

Folder = Annotated[Path, typer.Argument(help="Pasta do pacote da cidade.")]


def build_command(
    city: Annotated[str, typer.Argument(help="Cidade, ou o caminho de uma ficha .toml.")],
    osm: Annotated[Path, typer.Option(help="Arquivo do OpenStreetMap: .osm ou .osm.pbf.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Pasta onde gravar o pacote.")],
    layer: Annotated[
        list[str] | None,
        typer.Option(
            help="Camada municipal: NOME=ARQUIVO[,crs=EPSG:…][,accuracy=0.5][,completeness=complete]"
            "[,date=2024-05-01][,encoding=…][,x=…][,y=…]. Repete-se."
        ),
    ] = None,
) -> None:
    """Monta o pacote de uma cidade: eixos, guias, esquinas, o que o OSM traz e camadas municipais."""
    from geocheck.city.build import build_city  # noqa: PLC0415 (heavy, and only needed here)
    from geocheck.city.network import osm_network  # noqa: PLC0415 (same)
    from geocheck.cli.layers import layer_file  # noqa: PLC0415 (same)

    files = [layer_file(text) for text in layer or ()]
    sheet = load_city(city)
    bundle = build_city(sheet, osm_network(osm, sheet), files, out, dt.datetime.now(dt.UTC))
    show_bundle(bundle, Console(highlight=False))


def inspect_command(bundle: Folder) -> None:
    """Mostra o que há num pacote: camadas, fontes, datas, acurácias, perdas."""
    from geocheck.city.bundle import load_bundle  # noqa: PLC0415 (heavy, and only needed here)

    show_bundle(load_bundle(bundle), Console(highlight=False))


def kerbs_command(
    bundle: Folder,
    out: Annotated[Path, typer.Option("-o", "--out", help="Arquivo .gpkg, .geojson ou .parquet.")],
) -> None:
    """Grava guias, esquinas e bocas de rua para ver num SIG."""
    from geocheck.city.bundle import load_bundle  # noqa: PLC0415 (heavy, and only needed here)
    from geocheck.city.export import export_kerbs  # noqa: PLC0415 (same)

    counts = export_kerbs(load_bundle(bundle), out)
    table = Table(box=None, pad_edge=False)
    for name in ("Camada", "Feições"):
        table.add_column(name)
    for layer, count in counts.items():
        table.add_row(layer, str(count))
    Console(highlight=False).print(table)
