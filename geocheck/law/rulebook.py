"""A rulebook: header, rules with their tests and sanctions, and the checks that join them."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from geocheck.law.kinds import CRITICAL, EVALUABLE, Duty, RuleTest
from geocheck.law.tables import Sanction, Sanctions, Validity
from geocheck.model.base import Frozen
from geocheck.model.words import Place

PUBLIC_PLACES = (Place.CARRIAGEWAY, Place.PARKING_BAY, Place.SHOULDER, Place.FOOTWAY)


class Citation(Frozen):
    """Where in the act a rule stands: article, passage in it, and further passages on the same."""

    article: Annotated[str, Field(min_length=1)]
    locator: str | None = None
    also: tuple[str, ...] = ()

    def __str__(self) -> str:
        ordinal = "º" if self.article.isdigit() and len(self.article) == 1 else ""
        return f"Art. {self.article}{ordinal}" + (f", {self.locator}" if self.locator else "")


class Rule(Frozen):
    """One provision, in our own words.

    Attributes:
        id: `GYN-11`.
        title: pt-BR, a few words.
        asks: pt-BR, what the rule asks.
        law: where it stands.
        test: its tests, all of which must pass (TOML `[[rule.test]]`).
        where: places it concerns; by default all of the public way, not the property.
        critical: only given where it departs from the default of the kinds, with `critical_reason`.
        sanction: what a breach costs; the first one whose `where` fits holds (TOML `[[rule.sanction]]`).
        notes: pt-BR, our decisions on ambiguities.
        in_force_from: first day of this version of the rule, where it differs from the rulebook's.
        in_force_to: last day of this version.
    """

    id: Annotated[str, Field(pattern=r"^[A-Z]{2,4}-\d{2}$")]
    title: Annotated[str, Field(min_length=1)]
    asks: Annotated[str, Field(min_length=1)]
    law: Citation
    test: Annotated[tuple[RuleTest, ...], Field(min_length=1)]
    where: Annotated[tuple[Place, ...], Field(min_length=1)] = PUBLIC_PLACES
    critical: bool | None = None
    critical_reason: str | None = None
    sanction: tuple[Sanction, ...] = ()
    notes: tuple[str, ...] = ()
    in_force_from: date | None = None
    in_force_to: date | None = None

    @property
    def evaluable_tests(self) -> tuple[RuleTest, ...]:
        """Tests of kinds 1–21."""
        return tuple(test for test in self.test if test.kind in EVALUABLE)

    @property
    def duties(self) -> tuple[Duty, ...]:
        """Tests of kinds 22–25, which go to the checklist."""
        return tuple(test for test in self.test if isinstance(test, Duty))

    @property
    def is_critical(self) -> bool:
        """Whether not knowing leaves the verdict open."""
        if self.critical is not None:
            return self.critical
        return any(
            test.kind in CRITICAL or (test.kind == "frontage_containment" and test.requirement == "mandatory")
            for test in self.evaluable_tests
        )

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers its tests look at, in order, each once."""
        return tuple(dict.fromkeys(layer for test in self.evaluable_tests for layer in test.layers))

    def holds_on(self, day: date) -> bool:
        """Whether this version of the rule covers a day (within its rulebook's validity)."""
        after_start = self.in_force_from is None or self.in_force_from <= day
        return after_start and (self.in_force_to is None or day <= self.in_force_to)

    def overlaps(self, other: Rule) -> bool:
        """Whether some day is covered by both versions."""
        start = max(self.in_force_from or date.min, other.in_force_from or date.min)
        end = min(self.in_force_to or date.max, other.in_force_to or date.max)
        return start <= end

    def sanction_for(
        self, place: Place, sanction_id: str | None, missing_acts: frozenset[str]
    ) -> Sanction | None:
        """Return the first sanction that fits.

        Args:
            place: where the skip stands.
            sanction_id: the one that a test or band names; none: whichever fits.
            missing_acts: rules whose act is needed and not held.
        """
        for sanction in self.sanction:
            here = sanction.where is None or place in sanction.where
            due = sanction.act_missing is None or sanction.act_missing in missing_acts
            if here and due and sanction_id in (None, sanction.id):
                return sanction
        return None


class Header(Validity):
    """What a rulebook is.

    Attributes:
        id: file name without `.toml`.
        series: rulebooks of one series replace each other in time (the same subject of the same city).
        city: city sheet it belongs to; none for the federal code.
        title: pt-BR, the act.
        short_title: pt-BR, the act in a few words, for tables.
        source: where the text was read.
        preface: pt-BR, what must be said at the top of every answer under it.
        silent_on: pt-BR, subjects without a rule in it.
        notes: pt-BR, on the text as a whole.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    series: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    city: str | None = None
    title: str
    short_title: str
    source: str
    preface: str | None = None
    silent_on: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Rulebook(Frozen):
    """One act as data (TOML tables `[rulebook]`, `[sanctions]`, `[[rule]]`)."""

    rulebook: Header
    sanctions: Sanctions
    rule: Annotated[tuple[Rule, ...], Field(min_length=1)]

    @property
    def id(self) -> str:
        """The rulebook's id."""
        return self.rulebook.id

    def on(self, day: date) -> tuple[Rule, ...]:
        """Return the versions of the rules that hold on a day, in the order of the file."""
        return tuple(rule for rule in self.rule if rule.holds_on(day))
