"""`geocheck serve` and `geocheck keys`: the HTTP service over bundles, and who may ask it."""

from __future__ import annotations

import datetime as dt
import ipaddress
import logging
import os
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from geocheck.errors import InputError

_NAMES: Final = {
    "bundles": "GEOCHECK_BUNDLES",
    "sheets": "GEOCHECK_SHEETS",
    "keys": "GEOCHECK_KEYS_FILE",
    "public": "GEOCHECK_PUBLIC_READONLY",
    "tiles": "GEOCHECK_TILES_URL",
    "attribution": "GEOCHECK_TILES_ATTRIBUTION",
}
_KEYS: Final = Path("chaves.json")

keys_app = typer.Typer(help="Chaves de acesso do serviço.", no_args_is_help=True, rich_markup_mode=None)


def serve_command(
    bundles: Annotated[list[Path], typer.Argument(metavar="BUNDLE…", help="Pacotes, um por cidade.")],
    host: Annotated[str, typer.Option(help="Endereço em que se ouve.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Porta.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processos.")] = 1,
    city: Annotated[list[Path] | None, typer.Option(help="Ficha .toml de cidade própria. Repete-se.")] = None,
    keys: Annotated[Path | None, typer.Option(help="Arquivo de chaves (geocheck keys add).")] = None,
    public_readonly: Annotated[
        bool, typer.Option("--public-readonly", help="Qualquer um verifica, com limite por minuto.")
    ] = False,
    tls_cert: Annotated[
        Path | None, typer.Option(help="Certificado TLS: sem ele não há GPS na rede.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Chave do certificado.")] = None,
    tiles_url: Annotated[str, typer.Option(help="Mapa de fundo on-line: https://…/{z}/{x}/{y}.png")] = "",
    tiles_attribution: Annotated[str, typer.Option(help="De quem é o mapa de fundo.")] = "",
) -> None:
    """Serve a página e a API sobre pacotes prontos."""
    if not _is_loopback(host) and keys is None and not public_readonly:
        message = f"{host} atende outras máquinas: dê --keys ARQUIVO, ou --public-readonly para só verificar"
        raise InputError("--host", message)
    if (tls_cert is None) != (tls_key is None):
        raise InputError("--tls-key", "certificado e chave vêm juntos: dê --tls-cert e --tls-key")
    for option, file in (("--tls-cert", tls_cert), ("--tls-key", tls_key), ("--keys", keys)):
        if file is not None and not file.is_file():
            raise InputError(option, f"não há o arquivo {file}")
    told = {
        "bundles": os.pathsep.join(str(folder.absolute()) for folder in bundles),
        "sheets": os.pathsep.join(str(sheet.absolute()) for sheet in city or ()),
        "keys": "" if keys is None else str(keys.absolute()),
        "public": "1" if public_readonly else "",
        "tiles": tiles_url,
        "attribution": tiles_attribution,
    }
    os.environ.update({_NAMES[name]: value for name, value in told.items()})
    _run(host, port, workers, (tls_cert, tls_key))


def _run(host: str, port: int, workers: int, tls: tuple[Path | None, Path | None]) -> None:
    import uvicorn  # noqa: PLC0415 (only to serve)

    from geocheck.service.app import create_app  # noqa: PLC0415 (same)

    app = create_app()
    # Whatever is wrong with a bundle or a key is said here, in one line, and not by each worker.
    app.state.shared.store.load()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    kind = "https" if tls[0] else "http"
    Console(stderr=True, highlight=False).print(f"geocheck ouve em {kind}://{host}:{port} (Ctrl-C encerra)")
    uvicorn.run(
        "geocheck.service.app:create_app" if workers > 1 else app,
        factory=workers > 1,
        host=host,
        port=port,
        workers=workers,
        ssl_certfile=tls[0],
        ssl_keyfile=None if tls[1] is None else str(tls[1]),
        log_level="warning",
        access_log=False,
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@keys_app.command("add")
def keys_add(
    name: Annotated[str, typer.Argument(metavar="NOME", help="De quem é a chave.")],
    role: Annotated[
        Literal["viewer", "company", "engineer", "admin"], typer.Option(help="O que ela permite.")
    ] = "company",
    file: Annotated[Path, typer.Option(help="Arquivo de chaves.")] = _KEYS,
) -> None:
    """Cria uma chave e a mostra uma única vez; no arquivo fica só o resumo dela."""
    from geocheck.service.keys import add_key  # noqa: PLC0415 (the service is an extra)

    text = add_key(file, name, role, dt.datetime.now(dt.UTC))
    Console(stderr=True, highlight=False).print(f"Guarde-a agora, não há como vê-la de novo ({role}):")
    typer.echo(text)


@keys_app.command("list")
def keys_list(file: Annotated[Path, typer.Option(help="Arquivo de chaves.")] = _KEYS) -> None:
    """Lista as chaves, sem os segredos."""
    from geocheck.service.keys import read_keys  # noqa: PLC0415 (the service is an extra)

    table = Table(box=None, pad_edge=False)
    for head in ("ID", "De quem", "Permite", "Criada", "Revogada"):
        table.add_column(head)
    for key in read_keys(file):
        revoked = "" if key.revoked is None else f"{key.revoked:%d/%m/%Y %H:%M}"
        table.add_row(key.id, escape(key.name), key.role, f"{key.created:%d/%m/%Y}", revoked)
    Console(highlight=False).print(table)


@keys_app.command("revoke")
def keys_revoke(
    number: Annotated[str, typer.Argument(metavar="ID", help="Como em geocheck keys list.")],
    file: Annotated[Path, typer.Option(help="Arquivo de chaves.")] = _KEYS,
) -> None:
    """Revoga uma chave: o serviço deixa de aceitá-la em um segundo."""
    from geocheck.service.keys import revoke_key  # noqa: PLC0415 (the service is an extra)

    found = revoke_key(file, number, dt.datetime.now(dt.UTC))
    typer.echo(f"revogada: {found.id} ({found.name})")
