"""The `geocheck` command: assembles the groups and turns errors into lines on stderr and an exit code."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated, Final

import typer
from rich.console import Console
from typer.exceptions import TyperException

from geocheck.cli import check, city, deadlines, demo, rules, service, stay
from geocheck.cli.usage import EXIT_CODE, usage_message
from geocheck.errors import GeocheckError
from geocheck.files import why
from geocheck.version import __version__

_INTERRUPTED: Final = 130
"""What typer makes of a KeyboardInterrupt."""

app = typer.Typer(
    name="geocheck",
    help="Diz, antes de o caminhão chegar, se uma caçamba pode ficar num ponto da rua.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("check")(check.check_command)
app.command("stay")(stay.stay_command)
app.command("rules")(rules.rules_command)
app.command("cities")(rules.cities_command)
app.command("build")(city.build_command)
app.command("inspect")(city.inspect_command)
app.command("kerbs")(city.kerbs_command)
app.command("deadlines")(deadlines.deadlines_command)
app.command("demo")(demo.demo_command)
app.command("serve")(service.serve_command)
app.add_typer(service.keys_app, name="keys")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"geocheck {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Mostra o rastro de um erro.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Mostra a versão.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command: exit code 0 answered, 1 the input is wrong (said in pt-BR on stderr), 2 usage.

    Raises:
        KeyboardInterrupt: it was interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a sign that a terminal does not know is no reason to stop
            stream.reconfigure(errors="replace")
    try:
        code = app(prog_name="geocheck", standalone_mode=False)
    except TyperException as error:
        names = [str(command.name) for command in app.registered_commands]
        _say(usage_message(error, names))
        sys.exit(EXIT_CODE)
    except Exception as error:
        if "--debug" in sys.argv[1:]:
            raise
        _say(f"geocheck: {_said(error)}")
        sys.exit(1)
    if code == _INTERRUPTED:
        raise KeyboardInterrupt
    sys.exit(code)


def _said(error: Exception) -> str:
    """Say what went wrong; what is nobody's mistake but ours is told apart."""
    if isinstance(error, GeocheckError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {why(error)}" if error.filename else why(error)
    kind = type(error).__name__
    return f"falha interna ({kind}: {error}); rode de novo com geocheck --debug … e relate-a".replace(
        "\n", " "
    )


def _say(message: str) -> None:
    # A file may hold signs that steer a terminal.
    message = "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in message)
    Console(stderr=True, soft_wrap=True, highlight=False, markup=False).print(message)
