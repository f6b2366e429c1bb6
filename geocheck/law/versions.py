"""Which law holds on a day: a city's rulebooks by series and date, and the status of each."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from geocheck.cities import load_city
from geocheck.errors import DataFileError, Problem, UnknownNameError, did_you_mean
from geocheck.law.kinds.base import TOPICS
from geocheck.law.load import LoadedRulebook, load_rulebook, read_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.cities import City
    from geocheck.law.rulebook import Header

Status = Literal["in_force", "revoked", "not_yet_in_force", "unknown"]


@dataclass(frozen=True, slots=True)
class CityLaw:
    """A city and the rulebooks that may answer for it.

    Attributes:
        city: the data sheet.
        own: the city's own rulebooks, in the sheet's order; several of one series are versions.
        fallback: the law that answers where they are silent.
    """

    city: City
    own: tuple[LoadedRulebook, ...]
    fallback: LoadedRulebook | None

    def own_on(self, day: dt.date) -> tuple[LoadedRulebook, ...]:
        """Return, of each series, the version in force on a day, else the last before it, else the next.

        A series whose only text is revoked still answers: its status is said with it.
        """
        order = list(dict.fromkeys(book.book.rulebook.series for book in self.own))
        return tuple(
            min((book for book in self.own if book.book.rulebook.series == series), key=_nearness(day))
            for series in order
        )

    @property
    def books(self) -> tuple[LoadedRulebook, ...]:
        """All rulebooks, the fall-back last."""
        return self.own if self.fallback is None else (*self.own, self.fallback)

    def only(self, rulebook_id: str) -> CityLaw:
        """Return the same city judged by one of its own rulebooks (and the fall-back).

        Raises:
            UnknownNameError: the city has no rulebook of that id.
        """
        chosen = tuple(book for book in self.own if book.id == rulebook_id)
        if not chosen:
            raise UnknownNameError("rulebook", rulebook_id, [book.id for book in self.own])
        return replace(self, own=chosen)


def status_on(header: Header, day: dt.date) -> Status:
    """Return whether a rulebook is in force on a day; without any date given it is unknown."""
    if header.in_force_to is not None and day > header.in_force_to:
        return "revoked"
    if header.in_force_from is None:
        return "unknown"
    return "not_yet_in_force" if day < header.in_force_from else "in_force"


def city_law(name_or_path: str) -> CityLaw:
    """Load a city and its rulebooks; those of a sheet of one's own are looked for beside it first.

    Raises:
        UnknownNameError: there is no such city or rulebook.
        DataFileError: a sheet or rulebook has problems, or two versions of a series overlap.
    """
    city = load_city(name_or_path)
    folder = Path(name_or_path).parent if name_or_path.endswith(".toml") else None
    own = tuple(_load(rulebook_id, folder) for rulebook_id in city.rulebooks)
    if not own and city.fallback is None:
        message = "a cidade não tem norma nem lei subsidiária (fallback); dê ao menos uma"
        raise DataFileError([Problem(f"{city.id}.toml", "", "rulebooks", message)])
    problems = [*_overlaps(own), *_unknown_topics(city), *_unknown_importer(city, own)]
    if problems:
        raise DataFileError(problems)
    fallback = _load(city.fallback.rulebook, folder) if city.fallback else None
    return CityLaw(city, own, fallback)


def _load(rulebook_id: str, folder: Path | None) -> LoadedRulebook:
    beside = folder / f"{rulebook_id}.toml" if folder else None
    return read_rulebook(beside) if beside and beside.is_file() else load_rulebook(rulebook_id)


def _nearness(day: dt.date) -> Callable[[LoadedRulebook], tuple[int, int]]:
    """Order versions: in force first, then the last one revoked before the day, then the next to come."""

    def key(book: LoadedRulebook) -> tuple[int, int]:
        header = book.book.rulebook
        status = status_on(header, day)
        if status == "revoked" and header.in_force_to:
            return 1, (day - header.in_force_to).days
        if status == "not_yet_in_force" and header.in_force_from:
            return 2, (header.in_force_from - day).days
        return 0, 0

    return key


def _overlaps(books: tuple[LoadedRulebook, ...]) -> list[Problem]:
    def series(book: LoadedRulebook) -> str:
        return book.book.rulebook.series

    found = []
    for name, versions in groupby(sorted(books, key=series), key=series):
        for first, second in combinations([book.book.rulebook for book in versions], 2):
            starts = max(first.in_force_from or dt.date.min, second.in_force_from or dt.date.min)
            ends = min(first.in_force_to or dt.date.max, second.in_force_to or dt.date.max)
            if starts <= ends:
                message = f"sobrepõe-se à vigência de “{first.id}” (mesma série “{name}”); ajuste as datas"
                found.append(Problem(f"{second.id}.toml", "rulebook", "in_force_from", message))
    return found


def _unknown_topics(city: City) -> list[Problem]:
    if city.fallback is None:
        return []
    named = [("topics", topic) for topic in city.fallback.topics]
    named += [("silenced", entry.topic) for entry in city.fallback.silenced]
    return [
        Problem(
            f"{city.id}.toml", "fallback", key, f"assunto “{topic}” desconhecido{did_you_mean(topic, TOPICS)}"
        )
        for key, topic in named
        if topic not in TOPICS
    ]


def _unknown_importer(city: City, own: tuple[LoadedRulebook, ...]) -> list[Problem]:
    wanted = city.fallback.imported_by if city.fallback else None
    known = {rule.id for book in own for rule in book.book.rule}
    if wanted is None or wanted in known:
        return []
    message = f"nenhuma norma da cidade tem a regra “{wanted}”{did_you_mean(wanted, known)}"
    return [Problem(f"{city.id}.toml", "fallback", "imported_by", message)]
