"""What a popup tells of a feature: pairs of key and value, short, and text whatever they hold."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from geocheck.report import wording

if TYPE_CHECKING:
    from collections.abc import Hashable

LONGEST: Final = 160
"""Letters of a key or value that are shown."""

MOST: Final = 14
"""Pairs that are shown of one feature."""

_KEYS: Final = {
    "name": "nome",
    "street": "rua",
    "number": "número",
    "feature": "feição",
    "source": "fonte",
    "accuracy_m": "acurácia (± m)",
    "kerb_accuracy_m": "acurácia da guia (± m)",
    "width_m": "largura (m)",
    "width_source": "largura vem de",
    "valid_from": "desde",
    "valid_to": "até",
    "side": "lado",
    "direction": "sentido",
    "code": "código",
    "hours": "horário",
    "kind": "tipo",
    "plates": "placas",
    "tags": "etiquetas",
    "way": "via",
    "highway": "classe da via",
    "median": "junto a canteiro",
}
_FIRST: Final = ("name", "street", "number", "code", "hours", "kind", "width_m", "accuracy_m", "source")


def facts_of(rows: pd.DataFrame) -> list[list[tuple[str, str]]]:
    """Return the facts of each row; what is missing is not told."""
    keys: list[Hashable] = sorted(rows.columns, key=_rank)
    columns = {key: rows[key].tolist() for key in keys}
    return [_facts([(key, columns[key][row]) for key in keys]) for row in range(len(rows))]


def short(text: str) -> str:
    """Cut text to what a popup can hold."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _rank(key: Hashable) -> int:
    return _FIRST.index(str(key)) if key in _FIRST else len(_FIRST)


def _facts(row: list[tuple[Hashable, object]]) -> list[tuple[str, str]]:
    told = [(short(_KEYS.get(str(key), str(key))), short(_text(value))) for key, value in row]
    return [(key, value) for key, value in told if value][:MOST]


def _text(value: object) -> str:
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    if isinstance(value, bool | np.bool_):
        return "sim" if value else "não"
    if isinstance(value, float):
        return wording.number(value).removesuffix(",00") if math.isfinite(value) else ""
    if isinstance(value, dt.date):
        return f"{value:%d/%m/%Y}"
    if isinstance(value, np.ndarray | list | tuple):
        return "; ".join(filter(None, map(_text, value)))
    return str(value)
