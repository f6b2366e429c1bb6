"""A wrong command line in pt-BR: what is missing or unknown, and where to read more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import typer

from geocheck.errors import did_you_mean
from geocheck.model.words import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typer.exceptions import TyperException

EXIT_CODE = 2


class WrongUsage(typer.BadParameter):
    """Options that do not go together; the message says in pt-BR what to give."""


def usage_message(error: TyperException, commands: Iterable[str]) -> str:
    """Say in pt-BR what is wrong with a command line.

    Args:
        error: as typer raises it; its kinds are told by name, since typer keeps their classes to itself.
        commands: the names of the commands that exist.
    """
    kind, message = type(error).__name__, str(error)
    if kind == "NoArgsIsHelpError":
        return message
    command = re.search(r"No such command '([^']*)'", message)
    if command:
        said = f"não há o comando “{command[1]}”{did_you_mean(command[1], commands)}"
    elif kind == "NoSuchOption":
        name = str(getattr(error, "option_name", ""))
        said = f"não há a opção {name}{did_you_mean(name, getattr(error, 'possibilities', None) or ())}"
    elif kind == "MissingParameter":
        said = f"falta {_parameter(error)}"
    elif isinstance(error, WrongUsage):
        said = message
    elif kind == "BadParameter":
        known = f" (uma de: {', '.join(Place)})" if _parameter(error) == "--where" else ""
        said = f"valor não aceito em {_parameter(error)}{known}"
    else:
        said = "linha de comando não entendida"
    path = getattr(getattr(error, "ctx", None), "command_path", "geocheck")
    return f"geocheck: {said}; veja {path} --help"


def _parameter(error: TyperException) -> str:
    param = getattr(error, "param", None)
    options = [option for option in getattr(param, "opts", ()) if option.startswith("--")]
    if options:
        return str(options[0])
    shown = getattr(param, "metavar", None) or getattr(param, "name", None) or "um argumento"
    return str(shown).upper()
