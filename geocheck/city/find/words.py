"""Text into words that can be compared: without accents, capitals, particles, and with numbers as numbers."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from geocheck.city.find.abbreviations import KINDS, NUMERALS, OTHERS, PARTICLES, TITLES

_TOKEN: Final = re.compile(r"[0-9]+|[^\W\d_]+")
_ORDINAL: Final = re.compile(r"(?<=[0-9])(?:[ºª°]|o\b)")
_ELIDED: Final = re.compile(r"\bd['’´`](?=\w)")
_TEN: Final = 10
_ROUND: Final = frozenset(str(tens) for tens in range(20, 100, _TEN))


class Name(NamedTuple):
    """A name as it is compared.

    Attributes:
        words: all of them, spelled out, in order.
        core: those that tell it from others: neither kind of street nor title.
        forms: words as written and spelled out.
    """

    words: tuple[str, ...]
    core: tuple[str, ...]
    forms: frozenset[str]


class Word(NamedTuple):
    """A word that is asked for, as written and spelled out."""

    written: str
    meant: str

    @property
    def number(self) -> bool:
        """Whether it is written in digits."""
        return self.meant.isdigit()


def fold(text: str) -> str:
    """Return text without capitals and accents, ordinal marks and elisions (“D'Água”)."""
    plain = _ELIDED.sub(" ", _ORDINAL.sub("", text.casefold()))
    apart = unicodedata.normalize("NFKD", plain)
    return "".join(each for each in apart if not unicodedata.combining(each))


def words_of(text: str) -> list[Word]:
    """Return the words of folded text; letters and digits are words apart (“T-30” and “T30” are the same)."""
    tokens = _TOKEN.findall(text)
    written = _numbered([token for token in tokens if token not in PARTICLES] or tokens)
    found: list[Word] = []
    first = True  # the kind of street stands before all other words; a house number may stand before it
    for token in written:
        meant = KINDS.get(token) if first else None
        meant = meant or TITLES.get(token) or OTHERS.get(token, token)
        first = first and token.isdigit()
        found.append(Word(token, meant))
    return found


def name_of(text: str) -> Name:
    """Return a name of the map, as it is compared."""
    words = words_of(fold(text))
    return Name(
        tuple(word.meant for word in words), core_of(words), frozenset(form for word in words for form in word)
    )


def core_of(words: list[Word]) -> tuple[str, ...]:
    """Return the words that tell a name from others; all but the kind where it has no other."""
    first = next((each for each, word in enumerate(words) if not word.number), None)
    kind = first is not None and words[first].meant in KINDS.values()
    named = [word.meant for each, word in enumerate(words) if not (kind and each == first)]
    core = [word for word in named if word not in TITLES.values()]
    return tuple(core or named)


def _numbered(tokens: list[str]) -> list[str]:
    """Put digits in the place of numerals; “e” goes where it joins two words."""
    found: list[str] = []
    joined = False
    for each, token in enumerate(tokens):
        inside = 1 < each < len(tokens) - 1 or (each == 1 and tokens[0] not in KINDS)
        if token == "e" and inside and tokens[each + 1 : each + 2] and not tokens[each + 1].isdigit():
            joined = True
            continue
        value = NUMERALS.get(token)
        tens = joined and value is not None and value < _TEN and tokens[each - 2] in NUMERALS
        if tens and value is not None and found[-1] in _ROUND:
            found[-1] = str(int(found[-1]) + value)
        else:
            found.append(_plain_number(token) if value is None else str(value))
        joined = False
    return found


def _plain_number(token: str) -> str:
    """Take leading zeros away."""
    return (token.lstrip("0") or "0") if token.isdigit() and token.isascii() else token
