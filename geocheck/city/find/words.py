"""Text into words that can be compared: without accents, capitals, particles, and with numbers as numbers."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from geocheck.city.find.abbreviations import KINDS, NUMERALS, OTHERS, PARTICLES, TITLES

_WORD: Final = re.compile(r"[0-9]+|[^\W\d_]+")
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
        return self.meant.isdecimal()


def fold(text: str) -> str:
    """Return text without capitals and accents, ordinal marks and elisions (“D'Água”)."""
    plain = _ELIDED.sub(" ", _ORDINAL.sub("", text.casefold()))
    apart = unicodedata.normalize("NFKD", plain)
    return "".join(each for each in apart if not unicodedata.combining(each))


def one_line(text: str) -> str:
    """Return a map's text in one line, of letters that can be shown."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def words_of(text: str) -> list[Word]:
    """Return the words of folded text; letters and digits are words apart (“T-30” and “T30” are the same)."""
    told = _WORD.findall(text)
    found: list[Word] = []
    first = True  # the kind of street stands before all other words; a house number may stand before it
    for written in _numbered([word for word in told if word not in PARTICLES] or told):
        meant = KINDS.get(written) if first else None
        meant = meant or TITLES.get(written) or OTHERS.get(written, written)
        first = first and written.isdecimal()
        found.append(Word(written, meant))
    return found


def name_of(text: str) -> Name:
    """Return a name of the map, as it is compared."""
    words = words_of(fold(text))
    return Name(
        tuple(word.meant for word in words),
        core_of(words),
        frozenset(form for word in words for form in word),
    )


def core_of(words: list[Word]) -> tuple[str, ...]:
    """Return the words that tell a name from others; all but the kind where it has no other."""
    first = next((each for each, word in enumerate(words) if not word.number), None)
    kind = first is not None and words[first].meant in KINDS.values()
    named = [word.meant for each, word in enumerate(words) if not (kind and each == first)]
    core = [word for word in named if word not in TITLES.values()]
    return tuple(core or named or [word.meant for word in words])


def _numbered(words: list[str]) -> list[str]:
    """Put digits in the place of numerals; “e” goes where it joins two words."""
    found: list[str] = []
    for each, word in enumerate(words):
        if _joins(words, each):
            continue
        value = NUMERALS.get(word)
        after_tens = each > 1 and _joins(words, each - 1) and words[each - 2] in NUMERALS
        if value is not None and value < _TEN and after_tens and found[-1] in _ROUND:
            found[-1] = str(int(found[-1]) + value)
        else:
            found.append(_plain_number(word) if value is None else str(value))
    return found


def _joins(words: list[str], each: int) -> bool:
    """Whether a word is an “e” between two others, and not the name of a street (“Rua E, 12”)."""
    if words[each] != "e" or not 0 < each < len(words) - 1:
        return False
    return not words[each + 1].isdecimal() and (each > 1 or words[0] not in KINDS)


def _plain_number(word: str) -> str:
    """Take leading zeros away."""
    return (word.lstrip("0") or "0") if word.isdecimal() else word
