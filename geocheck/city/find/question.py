"""What a text asks for: the ways in which it can be read as a street, a house number and a neighbourhood."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from geocheck.city.find.abbreviations import COMPLEMENTS, KINDS, STATES
from geocheck.city.find.words import Word, core_of, fold, words_of
from geocheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIELD: Final = "q"
"""The field that errors name."""

LONGEST: Final = 200
"""Letters of an address, at most."""

_MOST_WORDS: Final = 24
_POSTCODE: Final = re.compile(r"\bcep\b\W{0,3}[0-9]{5}-?[0-9]{3}\b|\b[0-9]{5}-[0-9]{3}\b")
_PLOT: Final = re.compile(
    r"\bq(?:uadra|dra|da|d)?\W{0,3}(?P<block>[0-9]{1,9}(?:-?[a-z](?![a-z]))?|[a-z](?![a-z]))"
    r"\W{0,3}l(?:ote|te|t)?\W{0,3}(?P<lot>[0-9]{1,9}(?:-?[a-z](?![a-z]))?)(?![0-9a-z])"
)
_MARK: Final = re.compile(r"\b(?:n[o°.]+|num(?:ero)?\b)\W{0,3}(?=[0-9])")
_PARTS: Final = re.compile(r"[,;\n]|\s[-–—/]\s")
_HOUSE: Final = re.compile(r"([0-9]{1,9})(?:\W{0,2}([a-z])(?![a-z0-9]))?(?![0-9])")


class House(NamedTuple):
    """A house number: “120 B” is 120 and “b”."""

    value: int
    suffix: str


class Plot(NamedTuple):
    """A lot by its block and its own number, folded."""

    block: str
    lot: str


class Reading(NamedTuple):
    """One way to read what is asked.

    Attributes:
        street: words that a street's name must contain.
        house: its number, if any.
        tail: words behind it: a neighbourhood, a city.
        kind: that was asked and is not looked for.
    """

    street: tuple[Word, ...]
    house: House | None
    tail: tuple[Word, ...]
    kind: tuple[Word, ...] = ()


class Question(NamedTuple):
    """What a text asks for.

    Attributes:
        whole: the text as it stands, but for capitals and spaces: for identifiers.
        plot: block and lot, if told.
        parts: words of each part between commas, without those of the plot.
    """

    whole: str
    plot: Plot | None
    parts: tuple[tuple[Word, ...], ...]


def read_question(text: str) -> Question:
    """Read what is asked.

    Raises:
        InputError: there is no letter or digit in it, or far more than an address has.
    """
    if len(text) > LONGEST:
        message = f"tem {len(text)} letras; dê uma rua e um número, em no máximo {LONGEST}"
        raise InputError(FIELD, message)
    folded = fold(text)
    rest = _MARK.sub(", ", _POSTCODE.sub(", ", folded))
    plot = plot_in(rest)
    parts = tuple(tuple(words_of(part)) for part in _PARTS.split(_PLOT.sub(", ", rest) if plot else rest))
    found = Question(" ".join(text.casefold().split()), plot, tuple(part for part in parts if part))
    if not found.parts and plot is None:
        raise InputError(FIELD, "não diz nenhuma rua; dê uma rua e um número, como “Rua 10, 25”")
    if sum(map(len, found.parts)) > _MOST_WORDS:
        raise InputError(FIELD, f"tem palavras demais; dê uma rua e um número, em até {_MOST_WORDS} palavras")
    return found


def plot_in(folded: str) -> Plot | None:
    """Return the block and lot that folded text tells (“qd 12 lt 5”, “Q20 L7”)."""
    told = _PLOT.search(folded)
    return None if told is None else Plot(plain_code(told["block"]), plain_code(told["lot"]))


def plain_code(folded: str) -> str:
    """Return the number of a block or lot without leading zeros and hyphens (“012-A”: “12a”)."""
    return re.sub(r"[^0-9a-z]", "", folded).lstrip("0") or "0"


def houses_of(text: str) -> tuple[House, ...]:
    """Return the house numbers that the map's text tells (“10;12”, “10-12”); none of “S/N” or “km 7”."""
    parts = re.split(r"[;,/]|(?<=[0-9])\s*[-–]\s*(?=[0-9])", fold(text))
    told = [_HOUSE.match(part.strip().removeprefix("no ")) for part in parts]
    return tuple(dict.fromkeys(House(int(each[1]), each[2] or "") for each in told if each))


def readings_of(parts: Sequence[tuple[Word, ...]], city: Sequence[str]) -> Iterator[list[Reading]]:
    """Yield the ways to read what is asked, the ones that use all of it first.

    Args:
        parts: as in `Question`.
        city: the words of the city's name; behind the rest they say nothing new.
    """
    own = _without_place(parts, city)
    for held in (parts, own) if own != tuple(parts) else (parts,):
        yield _readings(held)
    for end in range(len(own) - 1, 0, -1):
        tail = tuple(word for part in own[end:] for word in part)
        if not tail[0].number:
            yield [Reading(tuple(word for part in own[:end] for word in part), None, tail)]


def _readings(parts: Sequence[tuple[Word, ...]]) -> list[Reading]:
    flat = [word for part in parts for word in part]
    starts = {sum(map(len, parts[:each])) for each in range(1, len(parts))}
    found = [Reading(tuple(flat), None, ())]
    numbers = [each for each, word in enumerate(flat) if word.number and not _inside(flat, each)]
    for each in numbers:
        suffix, after = _suffix(flat, each, starts)
        if len(flat[each].meant) >= len(str(10**9)):
            continue
        house = House(int(flat[each].meant), suffix)
        before_kind = after < len(flat) and flat[after].meant in KINDS.values()
        if each == 0 and (len(numbers) == 1 or before_kind):
            found.append(Reading(tuple(flat[after:]), house, ()))
        elif each in starts or (each and each == numbers[-1]):
            found.append(Reading(tuple(flat[:each]), house, tuple(flat[after:])))
    return [reading for reading in found if told(reading.street)]


def told(street: Sequence[Word]) -> bool:
    """Whether words name a street at all: a kind alone names none."""
    return any(word.meant not in KINDS.values() for word in street)


def _inside(flat: Sequence[Word], number: int) -> bool:
    """Whether a number is that of a door in the building (“apto 12”), and not of a house."""
    before = flat[number - 1].written if number else ""
    return len(before) > 1 and before in COMPLEMENTS


def _suffix(flat: Sequence[Word], number: int, starts: set[int]) -> tuple[str, int]:
    """Return the letter behind a number, and where the next words begin."""
    after = number + 1
    if after == len(flat) or after in starts or len(flat[after].written) > 1 or flat[after].number:
        return "", after
    if after + 1 < len(flat) and after + 1 not in starts and flat[after + 1].number:
        return "", after  # “120 L 104”: what follows is no part of the house's number
    return flat[after].written, after + 1


def _without_place(parts: Sequence[tuple[Word, ...]], city: Sequence[str]) -> tuple[tuple[Word, ...], ...]:
    """Take the city's name and its state away from the end; never all there is."""
    flat = [(number, word) for number, part in enumerate(parts) for word in part]
    kept = list(flat)
    while kept and (kept[-1][1].written in STATES or kept[-1][1].written == "brasil"):
        kept.pop()
    if city and tuple(word.written for _, word in kept[-len(city) :]) == tuple(city):
        kept = kept[: -len(city)]
    elif len(kept) < len(flat):
        # A state without its city: “al” and “se” are other words as well.
        kept = flat
    if not core_of([word for _, word in kept]) or not told([word for _, word in kept]):
        return tuple(parts)
    numbers = sorted({number for number, _ in kept})
    return tuple(tuple(word for own, word in kept if own == number) for number in numbers)
