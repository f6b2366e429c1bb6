"""The bits of a test at each place, before anything is known: what the law itself says of its outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.check.columns import PLACES
from geocheck.check.judge import APPLIES, SOFT, STRICT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.law.kinds import RuleTest
    from geocheck.model.words import Place


class Bits(NamedTuple):
    """Bits of `judge.Flag` by place, in the order of `PLACES`.

    Attributes:
        plain: APPLIES by place, SOFT and STRICT as the test says.
        unseen: the same where the test hangs on an attribute and nobody saw the thing that would have it.
    """

    plain: NDArray[np.uint8]
    unseen: NDArray[np.uint8]


def bits_of(test: RuleTest, rule_where: tuple[Place, ...]) -> Bits:
    """Return the bits of a test of a rule that holds at some places."""
    places = test.where or rule_where
    extra = STRICT if test.reading != "primary" else np.uint8(0)
    if test.on_breach == "conditional":
        extra |= SOFT
    plain = np.array([extra | (APPLIES if place in places else 0) for place in PLACES], np.uint8)
    when = test.when
    if when is None or when.unknown == "applies":
        return Bits(plain, plain)
    return Bits(plain, plain & ~APPLIES if when.unknown == "skip" else plain | SOFT)
