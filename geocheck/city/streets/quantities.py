"""Reads quantities as people write them in OSM tags: lengths to metres, counts to integers, or a refusal.

Rules of reading: https://wiki.openstreetmap.org/wiki/Map_features/Units (metres without a unit, decimal
point, `7'4"`). Nothing here knows what is plausible for a street; that is for whoever uses the number.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Refusal(StrEnum):
    """Why a written value is not used; the value is the code, `text` says it to a reader."""

    EMPTY = "empty"
    NOT_A_NUMBER = "not_a_number"
    LIST = "list"
    RANGE = "range"
    UNKNOWN_UNIT = "unknown_unit"
    AMBIGUOUS = "ambiguous"
    NEGATIVE = "negative"
    ZERO = "zero"
    NOT_FINITE = "not_finite"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"
    NOT_AN_INTEGER = "not_an_integer"
    UNKNOWN_WORD = "unknown_word"
    CONTRADICTORY = "contradictory"
    UNKNOWN_CONDITION = "unknown_condition"
    NEEDS_LANES = "needs_lanes"

    @property
    def text(self) -> str:
        """The reason in pt-BR."""
        return _TEXTS[self]


_TEXTS: Final = {
    Refusal.EMPTY: "valor vazio",
    Refusal.NOT_A_NUMBER: "não é um número",
    Refusal.LIST: "lista de valores onde cabe um só",
    Refusal.RANGE: "faixa ou limite em vez de um valor",
    Refusal.UNKNOWN_UNIT: "unidade desconhecida",
    Refusal.AMBIGUOUS: "vírgula ou ponto que tanto pode ser de milhar como decimal",
    Refusal.NEGATIVE: "valor negativo",
    Refusal.ZERO: "valor zero",
    Refusal.NOT_FINITE: "número que não é finito",
    Refusal.TOO_SMALL: "valor pequeno demais para ser plausível",
    Refusal.TOO_LARGE: "valor grande demais para ser plausível",
    Refusal.NOT_AN_INTEGER: "não é um número inteiro",
    Refusal.UNKNOWN_WORD: "palavra fora das previstas para a etiqueta",
    Refusal.CONTRADICTORY: "contradiz outra etiqueta da mesma via",
    Refusal.UNKNOWN_CONDITION: "condição que não é um horário entendido",
    Refusal.NEEDS_LANES: "só tem sentido com um número de faixas utilizável",
}


@dataclass(frozen=True, slots=True)
class Refused:
    """A tag, or a part of one, that was not used.

    Attributes:
        key: of the tag.
        value: as written.
        reason: why.
    """

    key: str
    value: str
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Length:
    """A length as read.

    Attributes:
        metres: > 0, or NaN where refused.
        approximate: written with `~` or `ca.`.
        refusal: None where it was read.
    """

    metres: float
    approximate: bool = False
    refusal: Refusal | None = None


_LONGEST: Final = 40
"""A length written with more characters than this is no length."""

_NUMBER: Final = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
_PLAIN: Final = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>[^\W\d_]*|'|\")\.?")
_FEET_INCHES: Final = re.compile(
    rf"(?P<feet>[0-9]+)\s*(?:'|ft|feet|foot|pés?)\.?\s*(?P<inches>{_NUMBER})\s*(?:\"|in|inch|inches)\.?"
)
_THOUSANDS: Final = re.compile(r"[0-9]{1,3},[0-9]{3}|[0-9]+[.,][0-9]+[.,][0-9.,]*")
_SIGN: Final = re.compile(r"[-\u2212](?=[0-9.,])")
_APPROXIMATE: Final = re.compile(r"(?:~|≈|ca\.?\s|c\.\s?|approx\.?\s)\s*")
_BETWEEN: Final = re.compile(rf"(?:[<>≤≥]=?.*|{_NUMBER}[^-–—\d]*[-–—]\s*{_NUMBER}.*)")
_WORDS_FOR_NO_NUMBER: Final = frozenset({"nan", "inf", "infinity"})
_QUOTES: Final = str.maketrans("’‘′´”“″\xa0", "''''\"\"\" ")

_FOOT_M: Final = 0.3048
_INCH_M: Final = 0.0254
_INCHES_IN_A_FOOT: Final = 12
_UNIT_M: Final = {
    "": 1.0,
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters", "metro", "metros", "mts"), 1.0),
    "mm": 0.001,
    "cm": 0.01,
    "dm": 0.1,
    "km": 1000.0,
    **dict.fromkeys(("'", "ft", "foot", "feet", "pé", "pés"), _FOOT_M),
    **dict.fromkeys(('"', "in", "inch", "inches"), _INCH_M),
    **dict.fromkeys(("yd", "yard", "yards"), 0.9144),
    **dict.fromkeys(("mi", "mile", "miles"), 1609.344),
}


@lru_cache(maxsize=4096)
def read_length(text: str) -> Length:
    """Read a length: `7`, `7 m`, `3,5`, `24'7"`, `25 ft`, `~6`, `0.007 km`.

    Args:
        text: a tag's value. A decimal comma is read; where a comma might part thousands (`1,000`) the value
            is refused; so are lists (`6;7`), ranges (`6-7`, `>5`), exponents, underscores, signs and zero.
    """
    plain = " ".join(text.translate(_QUOTES).replace("''", '"').casefold().split())
    if not plain:
        return _refused(Refusal.EMPTY)
    if len(plain) > _LONGEST:
        return _refused(Refusal.NOT_A_NUMBER)
    unmarked = _APPROXIMATE.sub("", plain, count=1) if _APPROXIMATE.match(plain) else plain
    metres = _metres(unmarked)
    return _refused(metres) if isinstance(metres, Refusal) else Length(metres, unmarked != plain)


def _refused(reason: Refusal) -> Length:
    return Length(math.nan, refusal=reason)


def _metres(plain: str) -> float | Refusal:
    unsigned = _SIGN.sub("", plain, count=1) if _SIGN.match(plain) else plain
    whole, parts = _PLAIN.fullmatch(unsigned), _FEET_INCHES.fullmatch(unsigned)
    if parts:
        value = _of_feet_and_inches(parts)
    elif whole:
        value = _of_one_number(whole)
    else:
        return _why_no_number(plain)
    if isinstance(value, Refusal):
        return value
    if value == 0.0:
        return Refusal.ZERO
    if unsigned != plain:
        return Refusal.NEGATIVE
    return value if math.isfinite(value) else Refusal.NOT_FINITE


def _of_one_number(match: re.Match[str]) -> float | Refusal:
    number, unit = match["number"], match["unit"]
    if unit not in _UNIT_M:
        # A single letter between digits is an exponent or a slip, never a unit.
        return Refusal.UNKNOWN_UNIT
    if _THOUSANDS.fullmatch(number):
        return Refusal.AMBIGUOUS
    return float(number.replace(",", ".")) * _UNIT_M[unit]


def _of_feet_and_inches(match: re.Match[str]) -> float | Refusal:
    inches = float(match["inches"].replace(",", "."))
    if inches >= _INCHES_IN_A_FOOT:
        return Refusal.NOT_A_NUMBER
    return float(match["feet"]) * _FOOT_M + inches * _INCH_M


def _why_no_number(plain: str) -> Refusal:
    if plain.lstrip("+-\u2212") in _WORDS_FOR_NO_NUMBER:
        return Refusal.NOT_FINITE
    if ";" in plain or "|" in plain:
        return Refusal.LIST
    if _BETWEEN.fullmatch(plain):
        return Refusal.RANGE
    if _THOUSANDS.match(plain):
        return Refusal.AMBIGUOUS
    return Refusal.NOT_A_NUMBER


_INTEGER: Final = re.compile(r"[0-9]{1,9}")
_DECIMAL: Final = re.compile(r"[0-9]+[.,][0-9]+")


def read_count(text: str, largest: int) -> int | Refusal:
    """Read a positive whole number written in plain digits.

    Args:
        text: a tag's value.
        largest: what is still plausible.

    Returns:
        1 to `largest`, or why it is refused (`2;3`, `2.5`, `-2`, `999`, `two`, `0`).
    """
    plain = text.strip()
    if _INTEGER.fullmatch(plain):
        count = int(plain)
        if count == 0:
            return Refusal.ZERO
        return count if count <= largest else Refusal.TOO_LARGE
    if _SIGN.match(plain):
        return Refusal.NEGATIVE
    if _DECIMAL.fullmatch(plain):
        return Refusal.NOT_AN_INTEGER
    return _why_no_number(plain) if plain else Refusal.EMPTY


def in_range(length: Length, smallest_m: float, largest_m: float) -> Length:
    """Refuse a length that was read but is not plausible for what it measures."""
    if length.refusal is not None:
        return length
    if length.metres < smallest_m:
        return _refused(Refusal.TOO_SMALL)
    return _refused(Refusal.TOO_LARGE) if length.metres > largest_m else length
