"""The question that a test puts to what is known: where it stands in the law, and for whom it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.check.columns import SIDED, is_unfit, present, tape_keys
from geocheck.check.judge import APPLIES, SOFT
from geocheck.law.kinds import SignRestriction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.bind import BoundRule
    from geocheck.check.bits import Bits
    from geocheck.check.columns import Placements
    from geocheck.check.sight.sight import Sight
    from geocheck.cities import City
    from geocheck.law.calendar import Calendar
    from geocheck.law.clock import ZoneClock
    from geocheck.law.kinds import RuleTest
    from geocheck.model.request import Observation


class Heed(NamedTuple):
    """What the user's word says of the attribute on which a test hangs; shape (n,) each.

    Attributes:
        fits: the test concerns what was seen, or whatever may be there.
        silent: nothing was seen, so that the map may say.
        soft: the attribute is not known, and a breach is `conditional`.
    """

    fits: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    soft: NDArray[np.bool_]


class Question(NamedTuple):
    """The test put to the evidence: where it stands in the law and for whom it is asked.

    Attributes:
        rule: the bound rule.
        number: its number among the bound rules.
        test: one of its tests.
        bits: of that.
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
    bits: Bits
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
        place = self.placements.place
        if not self.placements.observers:
            return self.bits.unseen[place]
        plain, heed = self.bits.plain[place], self._heed(layer)
        if heed is None:
            return plain
        flags = np.where(heed.fits, plain, plain & ~APPLIES)
        return np.where(heed.soft, flags | SOFT, flags).astype(np.uint8)

    def map_flags(self, layer: str | None = None) -> NDArray[np.uint8]:
        """Return the same for the features of the map, each of which has attributes of its own.

        What somebody saw and is not what the test is about stands for the map's feature.
        """
        flags = self.bits.plain[self.placements.place]
        heed = None if layer is None or not self.placements.observers else self._heed(layer)
        if heed is None:
            return flags
        return np.where(heed.fits | heed.silent, flags, flags & ~APPLIES).astype(np.uint8)

    def _heed(self, layer: str | None) -> Heed | None:
        """Return what the things seen say of the attribute; None where the test hangs on none."""
        when = self.test.when
        if when is None:
            return None
        layers = (layer,) if layer in self.test.layers else self.test.layers
        n = len(self.placements)
        others = np.zeros(n, bool)
        for each in layers:
            tapes = self.placements.tapes(tape_keys(each), each, when)
            others |= ~np.isnan(tapes).all(axis=0)
        skip = when.unknown == "skip"
        found = Heed(np.full(n, not skip), np.full(n, skip), np.full(n, when.unknown == "soft"))
        for row in self.placements.observers:
            things = [seen for seen in present(self.placements.requests[row], layers) if self._is_about(seen)]
            fitting = [seen for seen in things if not is_unfit(seen, when)]
            if not things and skip:
                continue
            # What is seen not to fit does not count; another one that was taped, or stands on the
            # other side, still may.
            either = any(each in SIDED for each in layers)
            found.fits[row] = bool(fitting) or not things or either or bool(others[row])
            found.silent[row] = not things
            known = bool(fitting) and getattr(fitting[0].attributes, when.attribute) is not None
            found.soft[row] = when.unknown == "soft" and not known
        return found

    def _is_about(self, seen: Observation) -> bool:
        """Whether a thing seen can be what the test is about: a sign, by its code."""
        return not isinstance(self.test, SignRestriction) or seen.attributes.code in self.test.codes
