"""`geocheck check`: a placement from flags, a request or a report, answered as page, JSON, map or card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from geocheck.api import check_many
from geocheck.cities import load_city
from geocheck.cli import words
from geocheck.cli.addresses import placed
from geocheck.cli.ground import Ground, ground_of
from geocheck.cli.inputs import read_report, read_requests
from geocheck.errors import InputError
from geocheck.files import write_atomically
from geocheck.law.sanction_inputs import NO_INPUTS, read_sanction_inputs
from geocheck.model.request import KerbPlace, parse_request
from geocheck.model.words import Place
from geocheck.report.changes import changes_between
from geocheck.report.terminal import show_report

if TYPE_CHECKING:
    from geocheck.model.report import Report
    from geocheck.model.request import Request

Many = list[str] | None
Text = str | None


def check_command(
    place: Annotated[
        str,
        typer.Argument(
            metavar="PACOTE|CIDADE",
            help="Pacote feito por geocheck build; ou, para julgar só do que se mediu e viu, goiania, "
            "juiz-de-fora, dois-vizinhos, olinda, rio-verde ou uma ficha .toml.",
        ),
    ],
    request: Annotated[
        Text, typer.Option(help="Pedido em JSON ou um por linha (NDJSON); “-” lê da entrada.")
    ] = None,
    lon: Annotated[Text, typer.Option(help="Longitude do centro, graus WGS 84.")] = None,
    lat: Annotated[Text, typer.Option(help="Latitude.")] = None,
    address: Annotated[
        Text,
        typer.Option(
            help="Rua e número no pacote, “Rua 10, 25”, no lugar de --lon e --lat: é planejar (--snap)."
        ),
    ] = None,
    bearing: Annotated[Text, typer.Option(help="Azimute do eixo maior, graus do norte verdadeiro.")] = None,
    length: Annotated[Text, typer.Option(help="Comprimento da caçamba, m.")] = None,
    width: Annotated[Text, typer.Option(help="Largura, m.")] = None,
    height: Annotated[Text, typer.Option(help="Altura das três faces altas, m.")] = None,
    low_face: Annotated[Text, typer.Option(help="Altura da face baixa, m.")] = None,
    low_face_bearing: Annotated[Text, typer.Option(help="Azimute para onde a face baixa olha.")] = None,
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
    snap: Annotated[bool, typer.Option(help="Encosta na guia mais próxima (é planejar).")] = False,
    position_accuracy: Annotated[Text, typer.Option(help="Acurácia da posição, m (celular: 8).")] = None,
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
    city: Annotated[
        Text, typer.Option(help="Ficha .toml da cidade do pacote, quando ela não vem com o geocheck.")
    ] = None,
    earlier: Annotated[
        Path | None, typer.Option("--from", help="Relatório anterior: verifica de novo e diz o que mudou.")
    ] = None,
    json: Annotated[Text, typer.Option("--json", help="Grava o relatório em JSON; “-” para a saída.")] = None,
    map_file: Annotated[Path | None, typer.Option("--map", help="Grava o mapa, uma página HTML.")] = None,
    card_file: Annotated[
        Path | None, typer.Option("--card", help="Grava o cartão, uma imagem PNG para o celular.")
    ] = None,
) -> None:
    """Verifica uma caçamba no mapa de um pacote, e a partir do que se mediu, viu e declarou."""
    flags = {
        "lon": _number(lon, "--lon"),
        "lat": _number(lat, "--lat"),
        "address": address,
        "bearing_deg": _number(bearing, "--bearing"),
        "length_m": _number(length, "--length"),
        "width_m": _number(width, "--width"),
        "height_m": _number(height, "--height"),
        "low_face_m": _number(low_face, "--low-face"),
        "low_face_bearing_deg": _number(low_face_bearing, "--low-face-bearing"),
        "volume_m3": _number(volume, "--volume"),
        "start": start,
        "end": end,
        "full_at": full_at,
        "where": where,
        "mode": None if planned is None else "planned" if planned else "observed",
        "snap": snap or None,
        "position_accuracy_m": _number(position_accuracy, "--position-accuracy"),
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
    old = None if earlier is None else read_report(earlier)
    ground = ground_of(place, city)
    requests = _requests(request, given, old, ground)
    inputs = NO_INPUTS if amounts is None else read_sanction_inputs(amounts)
    reports = check_many(requests, bundle=ground.bundle, rulebook=rulebook, inputs=inputs)
    if map_file is not None:
        _write_map(reports, ground, map_file)
    if card_file is not None:
        _write_card(reports, ground, card_file)
    _write(reports, ground, json)
    if old is not None and json != "-":
        _tell_changes(old, reports[0])


def _requests(
    request: str | None, given: dict[str, Any], old: Report | None, ground: Ground
) -> list[Request]:
    """Return what is asked: by one of the three ways.

    Raises:
        InputError: by two of them, or by an address that is none.
    """
    for option, present in (("--request", request is not None), ("--from", old is not None)):
        if present and given:
            message = f"não se combina com outras opções ({', '.join(given)}); ponha-as no JSON"
            raise InputError(option, message)
    if request is not None and old is not None:
        raise InputError("--request", "não se combina com --from; dê um dos dois")
    if old is not None:
        return [_asked_again(old, ground.city)]
    asked = [("pedido", placed(given, ground))] if request is None else read_requests(request)
    return [parse_request(_with_city(raw, ground.city), source) for source, raw in asked]


def _asked_again(old: Report, city: str) -> Request:
    """Return the request of a report, for the same station and the same times."""
    asked = old.request.model_dump(exclude_unset=True, mode="json")
    asked |= {"start": old.start}
    planned = old.request.mode == "planned" or old.request.snap or old.request.kerb is not None
    if planned and old.kerb is not None and old.bundle is not None:
        place = KerbPlace(id=old.kerb.id, centre_m=old.kerb.centre_m, bundle=old.bundle.sha256)
        asked |= {"kerb": place.model_dump(), "mode": "planned"}
    return parse_request(_with_city(asked, city), "relatório anterior")


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


def _write(reports: list[Report], ground: Ground, json: str | None) -> None:
    lines = "".join(f"{report.model_dump_json()}\n" for report in reports)
    if json == "-":
        typer.echo(lines, nl=False)
        return
    if json is not None:
        write_atomically(Path(json), lines)
    console = Console(highlight=False)
    for report in reports:
        show_report(report, load_city(ground.city).name, console)
    if json is not None:
        console.print(f"Relatório gravado em {json}", markup=False)


def _write_map(reports: list[Report], ground: Ground, path: Path) -> None:
    if ground.bundle is None:
        raise InputError("--map", "não há mapa sem pacote; dê a pasta feita por geocheck build")
    _refuse_many("--map", reports)
    from geocheck.report.map.page import map_page  # noqa: PLC0415 (heavy, and only needed here)

    write_atomically(path, map_page(reports[0], ground.bundle))


def _write_card(reports: list[Report], ground: Ground, path: Path) -> None:
    _refuse_many("--card", reports)
    from geocheck.report.card.card import card_png  # noqa: PLC0415 (heavy, and only needed here)

    write_atomically(path, card_png(reports[0], ground.bundle))


def _refuse_many(option: str, reports: list[Report]) -> None:
    if len(reports) != 1:
        raise InputError(option, f"é de uma caçamba só; vieram {len(reports)} pedidos")


def _tell_changes(old: Report, new: Report) -> None:
    console = Console(highlight=False)
    changes = changes_between(old, new)
    console.print("[bold]O que mudou desde o relatório anterior[/]")
    for line in changes or ["nada: a mesma lei, o mesmo mapa, a mesma resposta"]:
        console.print(f"  · {escape(line)}")
