"""The stricter readings of a distance from a corner: from its curve, and from the building line across."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.check.answers.told_distance import known_distance
from geocheck.check.columns import BASES
from geocheck.check.evidence import Ask, Evidence
from geocheck.check.judge import EPSILON, KNOWN, tolerance_m
from geocheck.check.margins import with_map
from geocheck.check.seen import seen_along, sided
from geocheck.model.words import Basis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.question import Question
    from geocheck.check.sight.along import Reading
    from geocheck.law.kinds import MinDistance


def building_line(question: Question, test: MinDistance) -> Evidence:
    """The limit grows by the footway of the cross street."""
    footway = question.placements.taped("cross_footway_width_m")
    limit = test.min_m + footway
    known = known_distance(question.placements, "corner", test.sides)
    tolerance = tolerance_m(test.min_m)
    fails = known.high - limit < -tolerance - EPSILON
    passes = known.low - limit >= -tolerance - EPSILON
    margin = np.where(fails, known.high - limit, known.low - limit)
    ask = Ask("measure", "footway", ("cross_footway_width_m",))
    margin = np.where(passes | fails, margin, np.nan)
    told = _strict_corner(question, test, margin, limit, ask, may_spare=np.isnan(footway))
    return _stricter(question, test, told, footway)


def corner_curve(question: Question, test: MinDistance) -> Evidence:
    """Measured to the tangent point of the curve instead of the prolonged kerb."""
    keys = ("corner_curve_before_m", "corner_curve_after_m")
    curve = question.placements.distance("", keys)
    tolerance = tolerance_m(test.min_m)
    passes = curve.low - test.min_m >= -tolerance - EPSILON
    fails = curve.high - test.min_m < -tolerance - EPSILON
    margin = np.where(passes, curve.low - test.min_m, np.where(fails, curve.high - test.min_m, np.nan))
    limit = np.full(len(margin), test.min_m)
    ask = Ask("measure", "corner", keys)
    told = _strict_corner(question, test, margin, limit, ask, may_spare=np.isnan(margin))
    return _stricter(question, test, told, np.full(len(margin), np.nan))


def _stricter(
    question: Question, test: MinDistance, told: Evidence, taped_pad_m: NDArray[np.float64]
) -> Evidence:
    """Put the map beside a stricter reading: a corner reaches farther by its pad, or by any footway."""
    seen = seen_along(question, "corner", test.min_m)
    if seen is None or question.sight is None:
        return told
    seen = sided(seen, question, test.sides)
    reading: Reading = "corner_curve" if test.reference == "corner_curve" else "building_line"
    pad_m = question.sight.pads_m(seen.rows, reading)
    pad_m = np.where(np.isnan(taped_pad_m[seen.rows.placement]), pad_m, taped_pad_m[seen.rows.placement])
    known = ~np.isnan(pad_m)
    margin = seen.rows.value_m - test.min_m - np.where(known, pad_m, question.allowing)
    spared = margin - seen.rows.u_m > 0
    seen = seen._replace(rows=seen.rows._replace(known=seen.rows.known & (known | spared)))
    return with_map(told, seen, margin, test.min_m + np.where(known, pad_m, question.allowing))


def _strict_corner(
    question: Question,
    test: MinDistance,
    margin: NDArray[np.float64],
    limit: NDArray[np.float64],
    ask: Ask,
    *,
    may_spare: NDArray[np.bool_],
) -> Evidence:
    """Judge a stricter reading; where nobody measured it, it passes if the margin exceeds any footway."""
    nearest = known_distance(question.placements, "corner", test.sides).low
    spare = nearest - test.min_m - question.allowing
    measured = ~np.isnan(margin)
    spared = may_spare & (spare > 0)
    known = measured | spared
    return Evidence(
        question,
        margin=np.where(measured, margin, np.where(spared, np.inf, np.nan)),
        u=np.zeros(len(margin)),
        tolerance=tolerance_m(test.min_m),
        flags=(question.flags() | np.where(known, KNOWN, 0)).astype(np.uint8),
        measured=margin + limit,
        limit=np.where(measured, limit, np.nan),
        unit="m",
        sense="min",
        basis=np.where(measured, BASES.index(Basis.MEASURED), -1).astype(np.int8),
        ask=ask,
    )
