"""`geocheck check`: a placement from flags or a request file, answered as a page, JSON or both."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from geocheck.api import check_many
from geocheck.cities import load_city
from geocheck.cli import words
from geocheck.cli.inputs import read_requests
from geocheck.errors import InputError
from geocheck.files import write_atomically
from geocheck.law.sanction_inputs import NO_INPUTS, read_sanction_inputs
from geocheck.model.report import Report
from geocheck.model.request import parse_request
from geocheck.model.words import Place
from geocheck.report.terminal import show_report

Many = list[str] | None
Text = str | None


def check_command(
    city: Annotated[
        str, typer.Argument(help="goiania, juiz-de-fora, dois-vizinhos, olinda, rio-verde ou uma ficha .toml")
    ],
    request: Annotated[
        Text, typer.Option(help="Pedido em JSON ou um por linha (NDJSON); “-” lê da entrada.")
    ] = None,
    length: Annotated[Text, typer.Option(help="Comprimento da caçamba, m.")] = None,
    width: Annotated[Text, typer.Option(help="Largura, m.")] = None,
    height: Annotated[Text, typer.Option(help="Altura das três faces altas, m.")] = None,
    low_face: Annotated[Text, typer.Option(help="Altura da face baixa, m.")] = None,
    volume: Annotated[Text, typer.Option(help="Capacidade, m³.")] = None,
    start: Annotated[
        Text, typer.Option(help="Colocação: 2026-08-07T10:00 ou 07/08/2026 10:00 (agora, se omitida).")
    ] = None,
    end: Annotated[Text, typer.Option(help="Retirada (o fim do prazo, se omitida).")] = None,
    full_at: Annotated[Text, typer.Option(help="Quando a caçamba encheu.")] = None,
    where: Annotated[Place | None, typer.Option(help="Onde fica.")] = None,
    planned: Annotated[
        bool | None,
        typer.Option("--planned/--observed-position", help="Planejada junto à guia, ou já no lugar."),
    ] = None,
    lot: Annotated[Text, typer.Option(help="Lote atendido.")] = None,
    measured: Annotated[Many, typer.Option(help="Medida a trena, como gap_m=0.30. Repete-se.")] = None,
    observed: Annotated[
        Many, typer.Option(help="O que se viu, como hydrant=none,reach_m=5. Repete-se.")
    ] = None,
    in_zone: Annotated[Many, typer.Option(help="Zona, como central_zone=no. Repete-se.")] = None,
    site: Annotated[
        Many, typer.Option(help="Fato, como interior_possible=no ou skips_on_lot=1. Repete-se.")
    ] = None,
    authorised: Annotated[
        Many, typer.Option(help="Regra cuja autorização se tem, como GYN-25. Repete-se.")
    ] = None,
    declared: Annotated[
        Many, typer.Option(help="Regra que se declara cumprida, como GYN-09. Repete-se.")
    ] = None,
    amounts: Annotated[Path | None, typer.Option(help="Tabela (TOML) com valores da UFM e índices.")] = None,
    rulebook: Annotated[Text, typer.Option(help="Uma das normas da cidade (todas, se omitida).")] = None,
    json: Annotated[Text, typer.Option("--json", help="Grava o relatório em JSON; “-” para a saída.")] = None,
) -> None:
    """Verifica uma caçamba a partir do que se mediu, viu e declarou."""
    flags = {
        "length_m": _number(length, "--length"),
        "width_m": _number(width, "--width"),
        "height_m": _number(height, "--height"),
        "low_face_m": _number(low_face, "--low-face"),
        "volume_m3": _number(volume, "--volume"),
        "start": start,
        "end": end,
        "full_at": full_at,
        "where": where,
        "mode": None if planned is None else "planned" if planned else "observed",
        "lot": lot,
        "measured": {
            key: words.number(value, f"measured.{key}")
            for key, value in words.pairs(measured or (), "--measured").items()
        },
        "observed": [words.observation(text) for text in observed or ()],
        "in_zone": {
            key: words.yes_or_no(value, key) for key, value in words.pairs(in_zone or (), "--in-zone").items()
        },
        "site": {key: _fact(key, value) for key, value in words.pairs(site or (), "--site").items()},
        "authorised": authorised,
        "declared": declared,
    }
    given = {key: value for key, value in flags.items() if value not in (None, [], {})}
    if request is not None and given:
        raise InputError(
            "--request", f"não se combina com outras opções ({', '.join(given)}); ponha-as no JSON"
        )
    asked = [("pedido", given)] if request is None else read_requests(request)
    requests = [parse_request(_with_city(raw, city), source) for source, raw in asked]
    inputs = NO_INPUTS if amounts is None else read_sanction_inputs(amounts)
    reports = check_many(requests, rulebook=rulebook, inputs=inputs)
    _write(reports, city, json)


def _number(text: str | None, option: str) -> float | None:
    return None if text is None else words.number(text, option)


def _fact(key: str, text: str) -> bool | int:
    return (
        int(text)
        if (text.isdecimal() and "_on_" in key) or key == "bays_occupied"
        else words.yes_or_no(text, key)
    )


def _with_city(raw: dict[str, Any], city: str) -> dict[str, Any]:
    """Put the city of the command line into a request, which may only repeat it."""
    named = raw.get("city", city)
    if named != city and load_city(str(named)).id != load_city(city).id:
        raise InputError("city", f"o pedido é de “{named}”, o comando, de “{city}”")
    return {**raw, "city": city}


def _write(reports: list[Report], city: str, json: str | None) -> None:
    lines = "".join(f"{report.model_dump_json()}\n" for report in reports)
    if json == "-":
        typer.echo(lines, nl=False)
        return
    if json is not None:
        write_atomically(Path(json), lines)
    console = Console(highlight=False)
    for report in reports:
        show_report(report, load_city(city).name, console)
    if json is not None:
        console.print(f"Relatório gravado em {json}", markup=False)
