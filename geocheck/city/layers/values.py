"""Reads texts of a municipal file as values of an attribute; what is not understood is unknown, and named."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from geocheck.city.layers.attributes import ATTRIBUTES, Type
from geocheck.city.layers.sign_codes import read_code
from geocheck.city.sources import numbers
from geocheck.city.streets.conditional import hours_understood
from geocheck.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN: Final = "unknown"
"""What a mapping writes for a text that says that nobody knows."""

_YES: Final = frozenset({"sim", "s", "yes", "y", "true", "verdadeiro", "1"})
_NO: Final = frozenset({"não", "nao", "n", "no", "false", "falso", "0"})
_PLATES: Final = {"none": 0, "single": 1, "pair": 2}
_LARGEST_COUNT: Final = 10_000
_LARGEST_M: Final = 1_000.0
_DEEPEST, _HIGHEST = -9, 9
_DAY_FIRST: Final = re.compile(r"(?P<day>\d{1,2})[/.-](?P<month>\d{1,2})[/.-](?P<year>\d{4})(?:[ T].*)?")
_YEAR_FIRST: Final = re.compile(r"(?P<year>\d{4})[/.-](?P<month>\d{1,2})[/.-](?P<day>\d{1,2})(?:[ T].*)?")


def texts_of(values: pd.Series[Any]) -> list[str | None]:
    """Return the cells of a column as people would write them; blank ones as None."""
    return [_text(value) for value in values]


def _text(value: object) -> str | None:
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value).split()) or None


def read_values(
    name: str, texts: Sequence[str | None], words: Mapping[str, object]
) -> tuple[list[object], Counter[str]]:
    """Read a column of texts as values of an attribute.

    Args:
        name: of the attribute.
        texts: None where the cell is blank.
        words: what the mapping says that a text means; capitals do not count.

    Returns:
        The values, None where unknown, and how often each text was not understood.
    """
    meant = {" ".join(text.casefold().split()): value for text, value in words.items()}
    metres = numbers(texts) if ATTRIBUTES[name].type is Type.METRES else None
    values: list[object] = []
    lost: Counter[str] = Counter()
    for row, text in enumerate(texts):
        if text is None:
            values.append(None)
            continue
        said = meant.get(text.casefold())
        if said is not None:
            values.append(None if said == UNKNOWN else set_value(name, said))
            continue
        value = _metres(name, float(metres[row])) if metres is not None else _read(name, text)
        if value is None:
            lost[text] += 1
        values.append(value)
    return values, lost


def set_value(name: str, value: object) -> object:
    """Return a value that a mapping sets, in the attribute's type.

    Raises:
        ValueError: it is no value of the attribute (pt-BR, naming those that are).
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    attribute = ATTRIBUTES[name]
    read = _metres(name, float(numbers([text])[0])) if attribute.type is Type.METRES else _read(name, text)
    if read is not None:
        return read
    known = [*map(str, attribute.words), *(_PLATES if name == "plates" else ())]
    allowed = f" deve ser um de: {', '.join(known)}, {UNKNOWN}" if known else _FORMS[attribute.type]
    raise ValueError(f"“{text}” não é um valor de {name};{allowed}{did_you_mean(text, known)}")


_FORMS: Final = {
    Type.TEXT: " deve ser um texto",
    Type.WORD: "",
    Type.CODE: " deve ser um código de placa, como R-6a",
    Type.HOURS: " deve ser um horário como o OSM escreve: “Mo-Fr 08:00-18:00”",
    Type.FLAG: " deve ser true ou false",
    Type.COUNT: " deve ser um número inteiro",
    Type.LEVEL: " deve ser um número inteiro de -9 a 9",
    Type.METRES: " deve ser um número de metros",
    Type.DATE: " deve ser uma data, como 2024-05-01",
}


def _read(name: str, text: str) -> object:
    """Read one text; None where it is no value of the attribute."""
    attribute = ATTRIBUTES[name]
    plain = text.casefold()
    found: object
    match attribute.type:
        case Type.TEXT:
            found = text
        case Type.WORD:
            found = plain if plain in attribute.words else None
        case Type.CODE:
            found = read_code(text)
        case Type.HOURS:
            found = text if hours_understood(text) else None
        case Type.FLAG:
            found = True if plain in _YES else False if plain in _NO else None
        case Type.DATE:
            found = _date(text)
        case _:
            found = _PLATES[plain] if name == "plates" and plain in _PLATES else _whole(name, plain)
    return found


def _whole(name: str, text: str) -> int | None:
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        return None
    value, attribute = int(text), ATTRIBUTES[name]
    if attribute.type is Type.LEVEL:
        return value if _DEEPEST <= value <= _HIGHEST else None
    if attribute.words:
        return value if value in attribute.words else None
    return value if 0 <= value <= _LARGEST_COUNT else None


def _metres(name: str, value: float) -> float | None:
    least = 0.0 if name == "accuracy_m" else 0.01
    return value if least <= value <= _LARGEST_M else None


def _date(text: str) -> dt.date | None:
    match = _YEAR_FIRST.fullmatch(text) or _DAY_FIRST.fullmatch(text)
    if match is None:
        return None
    try:
        return dt.date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None
