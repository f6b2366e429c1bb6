"""Reads TOML files and turns what is wrong in them into problems that a person can mend (pt-BR)."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, get_args, get_origin

from pydantic import BaseModel

from geocheck.errors import DataFileError, Problem, did_you_mean
from geocheck.files import why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

Loc: TypeAlias = tuple[int | str, ...]
"""Where pydantic found an error: field names, list positions and union tags, from the outside in."""

_Model = TypeVar("_Model", bound=BaseModel)

_LARGEST_BYTES: Final = 10_000_000
"""The longest law we hold has some 50,000."""

_POSITION: Final = re.compile(
    r".* \(at (?:line (?P<line>[0-9]+), column (?P<column>[0-9]+)|end of document)\)$"
)
_QUOTED: Final = re.compile(r"'([^']*)'")

_EXPECTED: Final = (
    # start of pydantic's error type, what to write instead
    ("int", "deve ser um número inteiro, sem aspas"),
    ("float", "deve ser um número, sem aspas"),
    ("finite_number", "deve ser um número finito"),
    ("decimal", "deve ser um valor decimal entre aspas, como “100.00”"),
    ("string_type", "deve ser um texto entre aspas"),
    ("bool", "deve ser true ou false, sem aspas"),
    ("list_type", "deve ser uma lista, entre colchetes"),
    ("tuple_type", "deve ser uma lista, entre colchetes"),
    ("set_type", "deve ser uma lista, entre colchetes"),
    ("frozen_set_type", "deve ser uma lista, entre colchetes"),
    ("dict_type", "deve ser uma tabela, com chaves e valores"),
    ("model", "deve ser uma tabela, com chaves e valores"),
    ("datetime", "deve ser data e hora, como 2026-05-05T08:00:00, sem aspas"),
    ("date", "deve ser uma data, como 2026-05-05, sem aspas"),
    ("time", "deve ser uma hora, como 08:00:00, sem aspas"),
)
_BOUNDS: Final = {
    "greater_than": "deve ser maior que {gt}",
    "greater_than_equal": "deve ser no mínimo {ge}",
    "less_than": "deve ser menor que {lt}",
    "less_than_equal": "deve ser no máximo {le}",
    "multiple_of": "deve ser múltiplo de {multiple_of}",
    "string_too_short": "o texto deve ter no mínimo {min_length} caractere(s)",
    "string_too_long": "o texto deve ter no máximo {max_length} caractere(s)",
    "string_pattern_mismatch": "o texto não tem a forma esperada ({pattern})",
    "too_short": "deve ter no mínimo {min_length} item(ns); tem {actual_length}",
    "too_long": "deve ter no máximo {max_length} item(ns); tem {actual_length}",
}

_SYNTAX: Final = (
    # start of tomllib's message, the same in pt-BR
    ("Cannot overwrite", "chave repetida"),
    ("Cannot declare", "tabela repetida"),
    ("Cannot redefine", "tabela repetida"),
    ("Cannot mutate", "chave repetida"),
    ("Expected '='", "falta “=” depois da chave"),
    ("Expected newline", "sobra algo depois do valor"),
    ("Expected ']", "falta “]”"),
    ("Unclosed", "falta fechar colchete ou chave"),
    ("Unterminated string", "falta fechar as aspas"),
    ("Illegal character", "caractere não permitido"),
    ("Invalid date", "data que não existe"),
    ("Invalid value", "valor não reconhecido (textos vão entre aspas)"),
    ("Invalid statement", "chave não reconhecida"),
    ("Unescaped", "barra invertida não permitida; use aspas simples"),
)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a UTF-8 TOML file; a byte order mark at its start is tolerated.

    Raises:
        DataFileError: the file is missing or unreadable, is not UTF-8, or is not TOML (with line and column).
    """
    try:
        size_bytes = path.stat().st_size
        content = path.read_bytes() if size_bytes <= _LARGEST_BYTES else b""
    except OSError as error:
        raise _unreadable(path, "", why(error)) from error
    except ValueError:
        raise _unreadable(path, "", "o caminho tem um caractere não permitido") from None
    if size_bytes > _LARGEST_BYTES:
        raise _unreadable(
            path, "", f"arquivo grande demais ({size_bytes} bytes; o máximo é {_LARGEST_BYTES})"
        )
    try:
        # TOML counts lines by \n alone; a Mac or Windows editor's \r\n means the same.
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _unreadable(path, f"linha {line}", "o arquivo não está em UTF-8; salve-o em UTF-8") from error
    try:
        raw = tomllib.loads(text)
        json.dumps(raw, default=str)  # what `validated` will do
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from error
    except RecursionError:
        raise _unreadable(path, "", "listas ou tabelas aninhadas demais") from None
    except ValueError:
        # What else the parser refuses is a number of thousands of digits.
        raise _unreadable(path, "", "número grande demais") from None
    return raw


def validated(model: type[_Model], raw: dict[str, Any]) -> _Model:
    """Validate what was read from TOML without guessing: `"5"` is no number, `1` is not true.

    Going through JSON lets a strict validation still take TOML's lists for tuples and text for words.

    Raises:
        pydantic.ValidationError: see `problems_of`.
    """
    return model.model_validate_json(json.dumps(raw, default=str), strict=True)


def problems_of(
    error: ValidationError,
    file: str,
    locate: Callable[[Loc], tuple[str, str]],
    known_keys: Callable[[Loc], Iterable[str]] = lambda _loc: (),
) -> list[Problem]:
    """Turn every complaint of a pydantic validation into a `Problem` in pt-BR.

    Args:
        error: what `model_validate` raised.
        file: the file's name, as the user knows it.
        locate: maps a pydantic location to (`where`, `key`) of the problem.
        known_keys: the keys that may stand where the unknown key of this location stands, for the hint
            (see `model_keys`).

    Returns:
        One problem an error, in pydantic's order.
    """
    every = error.errors(include_url=False)
    return [
        Problem(file, *locate(details["loc"]), _message(details, known_keys))
        for details in every
        if not _follows_from_others(details, every)
    ]


def _follows_from_others(details: ErrorDetails, every: list[ErrorDetails]) -> bool:
    """Whether a list is only too short because its items are wrong, which is said of each."""
    loc = details["loc"]
    inside = any(len(other["loc"]) > len(loc) and other["loc"][: len(loc)] == loc for other in every)
    return details["type"] == "too_short" and inside


def model_keys(model: type[BaseModel]) -> Callable[[Loc], tuple[str, ...]]:
    """Return a `known_keys` for `problems_of` that looks the keys up in the model and those nested in it.

    Lists, tables, optional fields and (tagged) unions are looked through; of a tagged union only the
    members with that tag are asked.
    """

    def known(loc: Loc) -> tuple[str, ...]:
        models = [model]
        inside: list[Any] = [model]
        for step in loc[:-1]:
            inside = _step_into(inside, step)
            models = [each for each in inside if isinstance(each, type) and issubclass(each, BaseModel)]
        return tuple(dict.fromkeys(key for each in models for key in _fields(each)))

    return known


def _step_into(inside: list[Any], step: int | str) -> list[Any]:
    models = [each for each in inside if isinstance(each, type) and issubclass(each, BaseModel)]
    if isinstance(step, int):
        return inside  # the items of a list were already looked through
    fields = [_fields(each)[step] for each in models if step in _fields(each)]
    if fields:
        return [leaf for annotation in fields for leaf in _leaves(annotation)]
    tagged = [
        each for each in models if any(_allows(annotation, step) for annotation in _fields(each).values())
    ]
    return tagged or inside


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    """Return the annotation of each field by the key that a file uses for it."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _leaves(annotation: object) -> list[Any]:
    """Return the classes inside lists, tables, `Annotated` and unions."""
    if get_origin(annotation) in (None, Literal):
        return [annotation]
    return [leaf for inner in get_args(annotation) for leaf in _leaves(inner)]


def _allows(annotation: object, tag: str) -> bool:
    return get_origin(annotation) is Literal and tag in get_args(annotation)


def _message(details: ErrorDetails, known_keys: Callable[[Loc], Iterable[str]]) -> str:
    kind, loc = details["type"], details["loc"]
    context: Mapping[str, Any] = details.get("ctx", {})
    if kind == "missing":
        return "falta"
    if kind == "extra_forbidden":
        return f"chave desconhecida{did_you_mean(str(loc[-1]), known_keys(loc))}"
    if kind in ("value_error", "assertion_error"):
        return str(context["error"])
    if kind == "union_tag_not_found":
        return f"falta {context['discriminator']}".replace("'", "")
    return _expected(details, context) + _given(details["input"])


def _expected(details: ErrorDetails, context: Mapping[str, Any]) -> str:
    kind = details["type"]
    if kind in ("literal_error", "enum", "union_tag_invalid"):
        known = _QUOTED.findall(context.get("expected") or context["expected_tags"])
        word = str(context.get("tag", details["input"]))
        return f"deve ser um de: {', '.join(known)}{did_you_mean(word, known)}"
    if kind in _BOUNDS:
        return _BOUNDS[kind].format(**context)
    return next((text for start, text in _EXPECTED if kind.startswith(start)), f"valor não aceito ({kind})")


def _given(value: object) -> str:
    """Say what was found, when it is short enough to be recognised."""
    if isinstance(value, (str, int, float)):
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        return f"; veio “{shown[:60]}”"
    return ""


def _unreadable(path: Path, where: str, message: str) -> DataFileError:
    return DataFileError([Problem(path.name, where, "", message)])


def _syntax_error(path: Path, text: str, message: str) -> DataFileError:
    match = _POSITION.match(message)
    reason = next((text for start, text in _SYNTAX if message.startswith(start)), "isto não é TOML")
    if match is None or match["line"] is None:
        return _unreadable(path, "", f"erro de sintaxe TOML no fim do arquivo: {reason}; falta fechar algo?")
    line = int(match["line"])
    wrong = (text.split("\n")[line - 1]).strip()[:80]
    where = f"linha {line}, coluna {match['column']}"
    return _unreadable(path, where, f"erro de sintaxe TOML em “{wrong}”: {reason}")
