"""The question that a test puts to what is known: where it stands in the law, and for whom it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from geocheck.check.columns import SIDED, is_unfit, present, tape_keys
from geocheck.check.judge import Flag
from geocheck.law.kinds import SignRestriction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.check.bind import BoundRule
    from geocheck.check.columns import Placements
    from geocheck.check.sight.sight import Sight
    from geocheck.cities import City
    from geocheck.law.calendar import Calendar
    from geocheck.law.clock import ZoneClock
    from geocheck.law.kinds import RuleTest
    from geocheck.model.request import Observation


@dataclass(frozen=True, slots=True)
class Question:
    """The test put to the evidence: where it stands in the law and for whom it is asked.

    Attributes:
        rule: the bound rule.
        number: its number among the bound rules.
        test: one of its tests.
        placements: the columns.
        city: for its largest footway.
        calendar: of the city.
        clock: of the city.
        permits: ids of the rules that ask for an act of the authority.
        sight: what the map shows of the placements, None where no map was given.
    """

    rule: BoundRule
    number: int
    test: RuleTest
    placements: Placements
    city: City
    calendar: Calendar
    clock: ZoneClock
    permits: frozenset[str]
    sight: Sight | None

    @property
    def allowing(self) -> float:
        """Metres beyond which no stricter corner reading can fail: the city's largest footway."""
        return self.city.max_footway_m

    def flags(self, layer: str | None = None) -> NDArray[np.uint8]:
        """Return APPLIES by place and attribute, SOFT and STRICT as the test and the attribute say.

        Args:
            layer: the one of the test's layers that a column looks at; none: whatever they have in common.
        """
        places = self.test.where or self.rule.rule.where
        flags = np.where(self.placements.at(places), Flag.APPLIES, 0).astype(np.uint8)
        if self.test.reading != "primary":
            flags |= np.uint8(Flag.STRICT)
        if self.test.on_breach == "conditional":
            flags |= np.uint8(Flag.SOFT)
        layers = (layer,) if layer in self.test.layers else self.test.layers
        return self._heed_attribute(flags, layers)

    def hangs(self, unknown: Literal["skip", "soft"]) -> NDArray[np.bool_]:
        """Tell where a test hangs on an attribute of which the user said nothing, for he saw no such thing.

        There what the map knows of its features decides: it concerns the skip as soon as one of them fits
        (`skip`), and a breach of one that fits is a breach (`soft`).

        Args:
            unknown: what the test does with things of which nobody knows the attribute.
        """
        when = self.test.when
        if when is None or when.unknown != unknown:
            return np.zeros(len(self.placements), bool)
        here = self.placements.at(self.test.where or self.rule.rule.where)
        requests = self.placements.requests
        return here & np.array([not present(request, self.test.layers) for request in requests], bool)

    def _heed_attribute(self, flags: NDArray[np.uint8], layers: Sequence[str]) -> NDArray[np.uint8]:
        when = self.test.when
        if when is None:
            return flags
        others = np.zeros(len(flags), bool)
        for layer in layers:
            tapes = self.placements.tapes(tape_keys(layer), layer, when)
            others |= ~np.isnan(tapes).all(axis=0)
        for row, request in enumerate(self.placements.requests):
            things = [seen for seen in present(request, layers) if self._is_about(seen)]
            fitting = [seen for seen in things if not is_unfit(seen, when)]
            if not things and when.unknown == "skip":
                fits = False
            else:
                # What is seen not to fit does not count; another one that was taped, or stands on the
                # other side, still may.
                sided = any(layer in SIDED for layer in layers)
                fits = bool(fitting) or not things or sided or bool(others[row])
            nearest_unknown = not fitting or getattr(fitting[0].attributes, when.attribute) is None
            if nearest_unknown and when.unknown == "soft":
                flags[row] |= Flag.SOFT
            if not fits:
                flags[row] &= ~np.uint8(Flag.APPLIES)
        return flags

    def _is_about(self, seen: Observation) -> bool:
        """Whether a thing seen can be what the test is about: a sign, by its code."""
        return not isinstance(self.test, SignRestriction) or seen.attributes.code in self.test.codes
