"""Binds a city's rulebooks to a day: which rules are judged, and which of them count towards the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from geocheck.law.kinds import RuleTest
    from geocheck.law.load import LoadedRulebook
    from geocheck.law.rulebook import Rule
    from geocheck.law.versions import CityLaw
    from geocheck.model.words import Place


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A rule to be judged.

    Attributes:
        source: the rulebook it comes from.
        rule: the version in force on the day.
        tests: its evaluable tests (of a federal rule, those of one lane).
        counts: it counts towards the verdict; otherwise it is a second opinion.
        fallback: it comes from the fall-back law.
        importer: the city's rulebook and rule that refer to it and punish its breach; none: its own do.
    """

    source: LoadedRulebook
    rule: Rule
    tests: tuple[RuleTest, ...]
    counts: bool
    fallback: bool
    importer: tuple[LoadedRulebook, Rule] | None = None

    @property
    def critical(self) -> bool:
        """Whether not knowing it leaves the verdict open."""
        return self.rule.is_critical

    def penal(self, place: Place) -> tuple[LoadedRulebook, Rule]:
        """Return the rulebook and rule whose sanctions answer for a breach at a place."""
        if self.importer is not None and place in self.importer[1].where:
            return self.importer
        return self.source, self.rule


def bind(law: CityLaw, day: dt.date) -> tuple[BoundRule, ...]:
    """Return the rules to judge on a day: the city's own, then the fall-back's by topic."""
    own = tuple(
        BoundRule(book, rule, rule.evaluable_tests, counts=True, fallback=False)
        for book in law.own_on(day)
        for rule in book.book.on(day)
        if rule.evaluable_tests
    )
    return own + tuple(_fallback_rules(law, day))


def _fallback_rules(law: CityLaw, day: dt.date) -> Iterator[BoundRule]:
    sheet = law.city.fallback
    if law.fallback is None or sheet is None:
        return
    silenced = {entry.topic for entry in sheet.silenced}
    importer = _importer(law, day)
    for rule in law.fallback.book.on(day):
        heard = [test for test in rule.evaluable_tests if test.topic not in silenced]
        for counts in (True, False):
            tests = tuple(test for test in heard if (test.topic in sheet.topics) == counts)
            if tests:
                imported = importer if counts else None
                yield BoundRule(law.fallback, rule, tests, counts, fallback=True, importer=imported)


def _importer(law: CityLaw, day: dt.date) -> tuple[LoadedRulebook, Rule] | None:
    wanted = law.city.fallback.imported_by if law.city.fallback else None
    for book in law.own_on(day):
        for rule in book.book.on(day):
            if rule.id == wanted:
                return book, rule
    return None
