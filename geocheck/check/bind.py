"""Binds a city's rulebooks to a day: which rules are judged, and which of them count towards the verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.check.bits import bits_of
from geocheck.check.columns import PLACES
from geocheck.law.kinds import ZoneAuthorisation

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from geocheck.check.bits import Bits
    from geocheck.cities import FallbackLaw
    from geocheck.law.kinds import RuleTest
    from geocheck.law.load import LoadedRulebook
    from geocheck.law.rulebook import Rule
    from geocheck.law.versions import CityLaw
    from geocheck.model.words import Place


@dataclass(frozen=True, slots=True, eq=False)
class BoundRule:
    """A rule to be judged.

    Attributes:
        source: the rulebook it comes from.
        rule: the version in force on the day.
        tests: its evaluable tests (of a federal rule, those of one lane).
        bits: of each of them.
        counts: it counts towards the verdict; otherwise it is a second opinion.
        fallback: it comes from the fall-back law.
        critical: not knowing it leaves the verdict open.
        importer: the city's rulebook and rule that refer to it and punish its breach; none: its own do.
    """

    source: LoadedRulebook
    rule: Rule
    tests: tuple[RuleTest, ...]
    bits: tuple[Bits, ...]
    counts: bool
    fallback: bool
    critical: bool
    importer: tuple[LoadedRulebook, Rule] | None = None

    def penal(self, place: Place) -> tuple[LoadedRulebook, Rule]:
        """Return the rulebook and rule whose sanctions answer for a breach at a place."""
        if self.importer is not None and place in self.importer[1].where:
            return self.importer
        return self.source, self.rule


class Absorber(NamedTuple):
    """A rule whose violation absorbs that of another, by their numbers, at some of `PLACES`."""

    absorbed: int
    by: int
    places: NDArray[np.bool_]


class Bound(NamedTuple):
    """The law bound to a day.

    Attributes:
        rules: to be judged, in the order of the law.
        counts: whether each counts towards the verdict.
        critical: whether not knowing it leaves the verdict open.
        permits: ids of the rules that ask for an act of the authority.
        absorbers: which absorb which.
    """

    rules: tuple[BoundRule, ...]
    counts: NDArray[np.bool_]
    critical: NDArray[np.bool_]
    permits: frozenset[str]
    absorbers: tuple[Absorber, ...]


def bind(law: CityLaw, day: dt.date) -> Bound:
    """Return the rules to judge on a day: the city's own, then the fall-back's by topic."""
    return _bound(law.own_on(day), law.fallback, law.city.fallback, day)


@lru_cache(maxsize=256)
def _bound(
    own: tuple[LoadedRulebook, ...],
    fallback: LoadedRulebook | None,
    sheet: FallbackLaw | None,
    day: dt.date,
) -> Bound:
    rules = tuple(
        _rule(book, rule, rule.evaluable_tests)
        for book in own
        for rule in book.book.on(day)
        if rule.evaluable_tests
    )
    if fallback is not None and sheet is not None:
        rules += tuple(_fallback_rules(own, fallback, sheet, day))
    return Bound(
        rules,
        counts=np.array([rule.counts for rule in rules], bool),
        critical=np.array([rule.critical for rule in rules], bool),
        permits=frozenset(
            rule.rule.id for rule in rules if any(isinstance(each, ZoneAuthorisation) for each in rule.tests)
        ),
        absorbers=tuple(_absorbers(rules)),
    )


def _rule(book: LoadedRulebook, rule: Rule, tests: tuple[RuleTest, ...]) -> BoundRule:
    bits = tuple(bits_of(test, rule.where) for test in tests)
    return BoundRule(book, rule, tests, bits, counts=True, fallback=False, critical=rule.is_critical)


def _fallback_rules(
    own: tuple[LoadedRulebook, ...], fallback: LoadedRulebook, sheet: FallbackLaw, day: dt.date
) -> Iterator[BoundRule]:
    silenced = {entry.topic for entry in sheet.silenced}
    importer = _importer(own, sheet, day)
    for rule in fallback.book.on(day):
        heard = [test for test in rule.evaluable_tests if test.topic not in silenced]
        for counts in (True, False):
            tests = tuple(test for test in heard if (test.topic in sheet.topics) == counts)
            if tests:
                bound, imported = _rule(fallback, rule, tests), importer if counts else None
                yield replace(bound, counts=counts, fallback=True, importer=imported)


def _importer(
    own: tuple[LoadedRulebook, ...], sheet: FallbackLaw, day: dt.date
) -> tuple[LoadedRulebook, Rule] | None:
    for book in own:
        for rule in book.book.on(day):
            if rule.id == sheet.imported_by:
                return book, rule
    return None


def _absorbers(rules: tuple[BoundRule, ...]) -> Iterator[Absorber]:
    """Find the rules whose violation absorbs another's: by its sanctions, within one rulebook and lane."""
    number = {(rule.source.id, rule.rule.id, rule.counts): index for index, rule in enumerate(rules)}
    for index, rule in enumerate(rules):
        for sanction in rule.rule.sanction:
            places = np.array([place in (sanction.where or PLACES) for place in PLACES], bool)
            for other in sanction.displaced_by:
                by = number.get((rule.source.id, other, rule.counts))
                if by is not None:
                    yield Absorber(index, by, places)
