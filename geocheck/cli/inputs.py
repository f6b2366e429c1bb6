"""Reads request files: one JSON request, or one a line (NDJSON), from a file or standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from geocheck.errors import DataFileError, Problem
from geocheck.files import why
from geocheck.model.report import Report
from geocheck.toml_files import problems_of


def read_requests(name: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the requests of a file (`-`: standard input), each with what to call it in messages.

    A `.ndjson` or `.jsonl` file, or text in which every line is an object, holds one request a line.

    Raises:
        DataFileError: the file cannot be read or is not JSON; every bad line is listed.
    """
    source = "entrada padrão" if name == "-" else Path(name).name
    text = _text(name, source)
    if not text.strip():
        raise DataFileError([Problem(source, "", "", "está vazio; dê um pedido em JSON")])
    if not name.endswith((".ndjson", ".jsonl")):
        try:
            return [(source, _object(json.loads(text, **_STRICT)))]
        except ValueError as error:
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) == 1 or not all(line.lstrip().startswith("{") for line in lines):
                raise DataFileError([Problem(source, "", "", _said(error))]) from None
    return _lines(text, source)


def read_report(path: Path) -> Report:
    """Read a report that was written before.

    Raises:
        DataFileError: the file cannot be read, or is no report of one placement.
    """
    rows = read_requests(str(path))
    if len(rows) != 1:
        message = f"tem {len(rows)} relatórios; dê o de uma caçamba só"
        raise DataFileError([Problem(path.name, "", "", message)])
    try:
        return Report.model_validate(rows[0][1])
    except ValidationError as error:
        problems = problems_of(error, path.name, lambda loc: ("", ".".join(map(str, loc))))
        message = "não é um relatório desta versão do geocheck; o primeiro campo errado é este"
        raise DataFileError([Problem(path.name, "", "", message), problems[0]]) from None


def _text(name: str, source: str) -> str:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise DataFileError([Problem(source, "", "", why(error))]) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataFileError([Problem(source, "", "", "não está em UTF-8; salve-o em UTF-8")]) from None


def _lines(text: str, source: str) -> list[tuple[str, dict[str, Any]]]:
    found, problems = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append((f"{source}, linha {number}", _object(json.loads(line, **_STRICT))))
        except ValueError as error:
            problems.append(Problem(source, f"linha {number}", "", _said(error)))
    if problems:
        raise DataFileError(problems)
    return found


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("deve ser um objeto JSON, entre chaves")  # noqa: TRY004 (told apart from JSON's by none)
    return value


def _said(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"não é JSON válido na linha {error.lineno}, coluna {error.colno}"
    return str(error)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"“{name}” não é um número JSON; dê um número finito ou omita o campo")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"chave repetida: {next(key for key in keys if keys.count(key) > 1)}")
    return seen


_STRICT: dict[str, Any] = {"parse_constant": _no_constant, "object_pairs_hook": _no_repeats}
