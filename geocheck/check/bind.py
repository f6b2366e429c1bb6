"""Binds a city's rulebooks to a day: which rules are judged, and which of them count towards the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt

    from geocheck.law.kinds import RuleTest
    from geocheck.law.load import LoadedRulebook
    from geocheck.law.rulebook import Rule
    from geocheck.law.versions import CityLaw


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A rule to be judged.

    Attributes:
        source: the rulebook it comes from.
        rule: the version in force on the day.
        tests: its evaluable tests (of a federal rule, those of one lane).
        counts: it counts towards the verdict; otherwise it is a second opinion.
        fallback: it comes from the fall-back law.
    """

    source: LoadedRulebook
    rule: Rule
    tests: tuple[RuleTest, ...]
    counts: bool
    fallback: bool

    @property
    def critical(self) -> bool:
        """Whether not knowing it leaves the verdict open."""
        return self.rule.is_critical


def bind(law: CityLaw, day: dt.date) -> tuple[BoundRule, ...]:
    """Return the rules to judge on a day: the city's own, then the fall-back's by topic."""
    bound = [
        BoundRule(book, rule, rule.evaluable_tests, counts=True, fallback=False)
        for book in law.own_on(day)
        for rule in book.book.on(day)
        if rule.evaluable_tests
    ]
    if law.fallback is None:
        return tuple(bound)
    fallback = law.city.fallback
    silenced = {entry.topic for entry in fallback.silenced} if fallback else set()
    answered = set(fallback.topics) - silenced if fallback else set()
    for rule in law.fallback.book.on(day):
        heard = [test for test in rule.evaluable_tests if test.topic not in silenced]
        for counts in (True, False):
            tests = tuple(test for test in heard if (test.topic in answered) == counts)
            if tests:
                bound.append(BoundRule(law.fallback, rule, tests, counts, fallback=True))
    return tuple(bound)
