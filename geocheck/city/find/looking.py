"""Looks places up: an identifier, a plot, and each reading of a street, a number and a neighbourhood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from geocheck.city.find.abbreviations import COMPLEMENTS, STATES
from geocheck.city.find.between import between
from geocheck.city.find.labels import label_of, piece_label, short, titled
from geocheck.city.find.lines import middle_of
from geocheck.city.find.question import Reading
from geocheck.city.find.words import fold, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from geocheck.city.find.index import FindIndex
    from geocheck.city.find.names import Answer
    from geocheck.city.find.numbered import Numbered
    from geocheck.city.find.question import House, Question
    from geocheck.city.find.words import Word

Kind = Literal["address", "lot", "street"]
KIND_OF: Final[dict[str, Kind]] = {"address": "address", "lot": "lot"}

_PIECES: Final = 10
"""Stretches of one name, at most."""


class Spot(NamedTuple):
    """A place with its rank, the lower the better, its position in metres, and the number of its street."""

    rank: tuple[int, ...]
    label: str
    xy: tuple[float, float]
    kind: Kind
    certain: bool
    exact: bool
    street: int = -1
    left_out: str = ""


class Candidate(NamedTuple):
    """A name that answers a reading, before its places are looked up; they sort as they answer."""

    partial: bool
    unnumbered: bool
    order: int
    answer: Answer
    reading: Reading

    @property
    def rank(self) -> tuple[int, ...]:
        """How well it answers."""
        return (int(self.partial), int(self.unnumbered), self.order, self.answer.missing, self.answer.begun)


def identified(index: FindIndex, question: Question) -> Iterator[Spot]:
    """Yield the features of an identifier."""
    for layer in index.numbered:
        for row in layer.named(question.whole).tolist():
            label = titled(layer.identifier(row), label_of(index, layer, row))
            yield from _at_rows(index, layer, [(row, label)], (0,), exact=True)


def of_plot(index: FindIndex, question: Question) -> Iterator[Spot]:
    """Yield the features of a block and lot, those first of which the other words say something as well."""
    if question.plot is None:
        return
    words = Reading((), None, tuple(word for part in question.parts for word in part))
    for layer in index.numbered:
        for row in layer.of_plot(question.plot).tolist():
            columns = (layer.street, layer.number, layer.name, layer.district)
            said = " ".join(column.text(row) for column in columns)
            left = _left_out(words, said, index.city)
            label = label_of(index, layer, row)
            spots = _at_rows(index, layer, [(row, label)], (len(left),), exact=not left)
            yield from (spot._replace(left_out=" ".join(left)) for spot in spots)


def candidates(index: FindIndex, reading: Reading, order: int) -> list[Candidate]:
    """Return the names that answer a reading.

    Args:
        index: of the bundle.
        reading: of what is asked.
        order: of the reading among others that use as much of it.
    """
    house = reading.house
    held = np.zeros(len(index.names), bool)
    if house is not None:
        for number, layer in enumerate(index.numbered):
            held |= index.with_numbers(number, layer.codes_of(house))
    found = []
    for answer in index.names.answers(reading.street, held):
        if house is not None and answer.partial and index.names.holds(answer.name, str(house.value)):
            continue  # “9 de julho” asks for no number 9 in a street of which the 9 is the name
        unnumbered = house is not None and not held[answer.name]
        found.append(Candidate(answer.partial, bool(unnumbered), order, answer, reading))
    return found


def spots_of(index: FindIndex, candidate: Candidate) -> list[Spot]:
    """Return the places of a candidate."""
    house = candidate.reading.house
    if house is None:
        return [*_things(index, candidate), *_pieces(index, candidate)]
    found = [spot for number in range(len(index.numbered)) for spot in _numbered(index, number, candidate)]
    if found:
        # Of several neighbourhoods the one that was asked, if it is known.
        least = min(len(spot.left_out) for spot in found)
        return [spot for spot in found if len(spot.left_out) == least]
    return [*_between(index, candidate, house)] or [*_pieces(index, candidate)]


def _numbered(index: FindIndex, number: int, candidate: Candidate) -> Iterator[Spot]:
    """Yield the features that bear the very number."""
    layer, house = index.numbered[number], candidate.reading.house
    if house is None:
        return
    rows = index.addresses(number, candidate.answer.name)
    for row in rows[np.isin(layer.number.code[rows], layer.codes_of(house))].tolist():
        left = _left_out(candidate.reading, layer.district.text(row), index.city)
        same = house in layer.houses[layer.number.code[row]]
        told = [(row, label_of(index, layer, row))]
        rank = (*candidate.rank, int(not same), number)
        spots = _at_rows(index, layer, told, rank, exact=same and not candidate.partial and not left)
        yield from (spot._replace(left_out=" ".join(left)) for spot in spots)


def _between(index: FindIndex, candidate: Candidate, house: House) -> Iterator[Spot]:
    """Yield where a number may be by those before and after it."""
    name = candidate.answer.name
    known, xy = _known(index, name)
    if not len(known):
        return
    for lines in index.lines.pieces(name):
        at = between(house.value, known, xy, lines)
        if at is not None:
            left = " ".join(_left_out(candidate.reading, "", index.city))
            label = f"{short(index.names.label[name])}, {house.value}{house.suffix.upper()} (aproximado)"
            x, y = at.tolist()
            yield Spot(
                (*candidate.rank, 0), label, (x, y), "address", certain=False, exact=False, left_out=left
            )


def _known(index: FindIndex, name: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the house numbers that are known of a street, and where they are."""
    known: list[int] = []
    places = [np.zeros((0, 2))]
    for number, layer in enumerate(index.numbered):
        rows = index.addresses(number, name)
        rows = rows[layer.number.code[rows] >= 0]
        told = [layer.houses[code] for code in layer.number.code[rows].tolist()]
        one = np.array([len(houses) == 1 for houses in told], bool)
        known += [houses[0].value for houses in told if len(houses) == 1]
        if one.any():
            places.append(layer.xy(rows[one]))
    return np.array(known, np.int64), np.concatenate(places)


def _things(index: FindIndex, candidate: Candidate) -> Iterator[Spot]:
    """Yield the features that bear the name themselves."""
    for number, layer in enumerate(index.numbered):
        told = [
            (row, titled(layer.name.text(row), label_of(index, layer, row)))
            for row in index.things(number, candidate.answer.name).tolist()
        ]
        left = " ".join(_left_out(candidate.reading, "", index.city))
        exact = not candidate.partial and not left
        spots = _at_rows(index, layer, told, (*candidate.rank, 0, number), exact=exact)
        yield from (spot._replace(left_out=left) for spot in spots)


def _pieces(index: FindIndex, candidate: Candidate) -> list[Spot]:
    """Return the stretches of a street, the nearest to the middle of the bundle first."""
    name, house = candidate.answer.name, candidate.reading.house
    middles = [middle_of(lines) for lines in index.lines.pieces(name)]
    middles = middles or [*_middle_address(index, name)]
    middles.sort(key=lambda at: (round(float(np.hypot(*(at - index.middle))), 3), *at.tolist()))
    number = "" if house is None else f"{house.value}{house.suffix.upper()}"
    left = " ".join(_left_out(candidate.reading, "", index.city))
    found = []
    for rank, (x, y) in enumerate(middle.tolist() for middle in middles[:_PIECES]):
        beside = index.lines.beside(name, np.array([x, y])) if len(middles) > 1 else None
        other = None if beside is None else index.names.label[beside]
        label = piece_label(index.names.label[name], other, number)
        found.append(
            Spot(
                (*candidate.rank, 1, rank), label, (x, y), "street", certain=False, exact=False, left_out=left
            )
        )
    return found


def _middle_address(index: FindIndex, name: int) -> Iterator[NDArray[np.float64]]:
    """Yield the one of a street's addresses that is in the midst of them: of a street without a line."""
    places = np.concatenate(
        [np.zeros((0, 2))]
        + [
            layer.xy(rows)
            for number, layer in enumerate(index.numbered)
            if len(rows := index.addresses(number, name))
        ]
    )
    places = places[np.isfinite(places).all(axis=1)]
    if len(places):
        away_m = np.round(np.hypot(*(places - np.median(places, axis=0)).T), 3)
        yield places[np.lexsort((places[:, 1], places[:, 0], away_m))[0]]


def _at_rows(
    index: FindIndex, layer: Numbered, told: Iterable[tuple[int, str]], rank: tuple[int, ...], *, exact: bool
) -> Iterator[Spot]:
    """Yield features with their labels, where they lie somewhere."""
    held = list(told)
    if not held:
        return
    places = layer.xy(np.array([row for row, _ in held], np.int64)).tolist()
    for (row, label), (x, y) in zip(held, places, strict=True):
        if np.isfinite([x, y]).all():
            street = index.names.number_of.get(layer.street.text(row), -1)
            yield Spot(rank, label, (x, y), KIND_OF[layer.layer], certain=True, exact=exact, street=street)


def _left_out(reading: Reading, said: str, city: Sequence[str]) -> list[str]:
    """Return the words that neither what is said of a place nor the city's name explains."""
    tail = _without_city(list(reading.tail), city)
    tail = tail if reading.house is None else _without_complement(tail)
    known = {form for word in words_of(fold(said)) for form in word}
    left = [word for word in tail if word.written not in known and word.meant not in known]
    return [word.written for word in (*reading.kind, *left)]


def _without_city(tail: list[Word], city: Sequence[str]) -> list[Word]:
    """Take the city's name away, with the state behind it."""
    written = [word.written for word in tail]
    for start in range(len(tail) - len(city) + 1) if city else ():
        stop = start + len(city)
        if tuple(written[start:stop]) == tuple(city):
            while stop < len(tail) and written[stop] in (*STATES, "brasil"):
                stop += 1
            return tail[:start] + tail[stop:]
    return tail


def _without_complement(tail: list[Word]) -> list[Word]:
    """Take away what says where in the building (“apto 12”, “L104”, “bloco B”)."""
    kept: list[Word] = []
    inside = False
    for word in tail:
        code = inside and (word.number or len(word.written) == 1)
        inside = word.written in COMPLEMENTS or (inside and word.number)
        if not (inside or code):
            kept.append(word)
    return kept
