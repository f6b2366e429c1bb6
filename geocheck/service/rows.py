"""Rows of a batch: JSON, GeoJSON points or CSV as requests, and the columns that are carried through."""

from __future__ import annotations

import csv
import io
from typing import Any, Final, NamedTuple

from geocheck.errors import DataFileError, Problem
from geocheck.model.request import Request

_NUMBERS: Final = frozenset(
    name
    for name in Request.model_fields
    if name in ("lon", "lat", "bearing_deg", "position_accuracy_m", "low_face_bearing_deg", "volume_m3")
    or name.endswith("_m")
)
_LISTS: Final = ("authorised", "declared")
_GROUPS: Final = ("measured", "in_zone", "site")
_COUNTS: Final = frozenset({"skips_on_lot", "bays_on_block", "bays_occupied_on_block", "bays_occupied"})
_TRUTHS: Final = dict.fromkeys(("sim", "s", "yes", "true", "1"), True) | dict.fromkeys(
    ("não", "nao", "n", "no", "false", "0"), False
)


class Row(NamedTuple):
    """One placement of a batch.

    Attributes:
        number: of the row, from 1.
        id: as the client calls it, empty where it does not.
        request: fields of the request.
        carried: other columns, which come back as they are.
    """

    number: int
    id: str
    request: dict[str, Any]
    carried: dict[str, str]


def rows_of_json(raw: Any) -> list[Row]:  # noqa: ANN401 (any JSON)
    """Return the rows of a list of requests, or of a GeoJSON collection of points.

    Raises:
        DataFileError: it is neither.
    """
    if isinstance(raw, dict) and raw.get("type") == "FeatureCollection":
        raw = raw.get("features")
        return [_of_feature(number, each) for number, each in enumerate(_listed(raw), start=1)]
    return [_of_object(number, each) for number, each in enumerate(_listed(raw), start=1)]


def _listed(raw: Any) -> list[Any]:  # noqa: ANN401 (any JSON)
    if not isinstance(raw, list) or not raw:
        message = "dê uma lista de pedidos ([{…}, …]) ou uma FeatureCollection de pontos, não vazia"
        raise DataFileError([Problem("pedido", "", "", message)])
    return raw


def _of_object(number: int, raw: Any) -> Row:  # noqa: ANN401 (any JSON)
    if not isinstance(raw, dict):
        return Row(number, "", {"pedido": "não é um objeto"}, {})
    fields = {key: value for key, value in raw.items() if key != "id"}
    return Row(number, str(raw.get("id", "")), fields, {})


def _of_feature(number: int, raw: Any) -> Row:  # noqa: ANN401 (any JSON)
    """Return a feature as a row; what is no field of the request is carried."""
    told = raw if isinstance(raw, dict) else {}
    place, properties = told.get("geometry"), told.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    point = place.get("coordinates") if isinstance(place, dict) and place.get("type") == "Point" else None
    lon, lat = (*point, None, None)[:2] if isinstance(point, list) else ("sem ponto", None)
    fields = {key: value for key, value in properties.items() if key in Request.model_fields}
    carried = {key: str(value) for key, value in properties.items() if key not in fields and key != "id"}
    name = told.get("id", properties.get("id", ""))
    return Row(number, str(name), {**fields, "lon": lon, "lat": lat}, carried)


def rows_of_csv(text: bytes) -> list[Row]:
    """Return the rows of a table with a heading, separated by `;` or `,`, in UTF-8 or Windows-1252.

    Columns are named as the request's fields (`measured.gap_m`, `in_zone.central_zone`, `site.…`; lists by
    blanks); others are carried through. Decimal commas are taken where columns are separated by `;`.

    Raises:
        DataFileError: it is no such table.
    """
    try:
        content = text.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = text.decode("cp1252", "replace")
    first = content.partition("\n")[0]
    mark = ";" if first.count(";") > first.count(",") else ","
    table = csv.DictReader(io.StringIO(content, newline=""), delimiter=mark, restkey="", strict=True)
    try:
        heading = [name.strip() for name in table.fieldnames or ()]
        lines = list(table)
    except csv.Error as error:
        raise DataFileError([Problem("pedido", "", "", f"a tabela CSV não se lê: {error}")]) from None
    if len(set(heading)) < len(heading) or not lines or not any(heading):
        message = "dê uma tabela CSV com um cabeçalho de nomes diferentes e ao menos uma linha"
        raise DataFileError([Problem("pedido", "", "", message)])
    return [_of_line(number, line, mark) for number, line in enumerate(lines, start=1)]


def _of_line(number: int, line: dict[str, Any], mark: str) -> Row:
    request: dict[str, Any] = {}
    carried: dict[str, str] = {}
    name = ""
    for key, value in line.items():
        column, text = key.strip(), (value or "").strip() if not isinstance(value, list) else ""
        group, _, rest = column.partition(".")
        if isinstance(value, list) and value:
            request["pedido"] = "mais células do que colunas"
        elif column == "id":
            name = text
        elif group in _GROUPS and rest:
            if text:
                request.setdefault(group, {})[rest] = _value(rest, text, mark)
        elif column in Request.model_fields:
            if text:
                request[column] = text.split() if column in _LISTS else _value(column, text, mark)
        else:
            carried[column] = value or ""
    return Row(number, name, request, carried)


def _value(column: str, text: str, mark: str) -> object:
    """Return a cell as a number, a yes or no, or the text that it is; what is none is left to be refused."""
    if column in _NUMBERS or column.endswith(("_m", "_deg")):
        try:
            return float(text.replace(",", ".", 1) if mark == ";" else text)
        except ValueError:
            return text
    if column in _COUNTS:
        return int(text) if text.isdecimal() and text.isascii() else text
    return text if column in Request.model_fields and column != "snap" else _TRUTHS.get(text.casefold(), text)
