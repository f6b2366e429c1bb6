"""Kind 8: on which side of the nearest feature along the kerb a skip stands, by tapes, looks and the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.check.answers.lots import served_driveway
from geocheck.check.columns import BEYOND_M, tape_keys
from geocheck.check.evidence import Ask, Evidence
from geocheck.check.judge import SOFT
from geocheck.check.margins import decided, with_map
from geocheck.check.seen import seen_along
from geocheck.model.words import Basis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Placements
    from geocheck.check.question import Question
    from geocheck.check.seen import Seen
    from geocheck.law.kinds import SideOfFeature


def side_of_feature(question: Question, test: SideOfFeature) -> list[Evidence]:
    """Kind 8: which neighbour is nearer, and whose it is."""
    placements = question.placements
    right, wrong = ("before", "after") if test.side == "after" else ("after", "before")
    keys = tuple(f"{test.feature}_{side}_m" for side in (right, wrong))
    good, bad = placements.tapes(keys, test.feature, test.when)
    whose = placements.attribute(test.feature, "of_served_lot")
    told = np.array([value is not None for value in whose])
    served = np.array([value is True for value in whose])
    none_near = _none_within(placements, test.feature)
    passes = (good <= bad) | ((none_near >= test.reach_m) & np.isnan(bad))
    # Somebody who says whose the nearest one is and tapes a single side has taped the nearest, unless one
    # was seen nearer than that.
    seen = placements.distance(test.feature, (), test.when).high
    passes |= np.isnan(bad) & told & (good <= seen + BEYOND_M)
    fails = (bad < good) | (np.isnan(good) & told & (bad <= seen + BEYOND_M))
    state = np.where(fails, 0.0, np.where(passes, 1.0, np.nan))
    soft = np.where(fails & ~served, SOFT, 0).astype(np.uint8)
    ask = Ask("measure", test.feature, (*tape_keys(test.feature), "of_served_lot"), test.reach_m)
    column = decided(question, state, Basis.MEASURED, ask, extra_flags=soft)
    mapped = seen_along(question, test.feature, test.reach_m)
    sight = question.sight
    if mapped is None or sight is None:
        return [column]
    mapped = mapped.at(mapped.rows.value_m <= test.reach_m)
    nearest, margin = _nearer_side(mapped, 1 if test.side == "after" else -1, sight.at.along_u_m)
    # What is farther than the nearest that is sure to be one decides nothing.
    sure = mapped.rows.at(mapped.rows.known & mapped.rows.side_known)
    reach = np.full(len(mapped.covered), test.reach_m)
    np.minimum.at(reach, sure.placement, np.maximum(sure.value_m, 0.0))
    nearest = nearest._replace(covered=sight.covered_along(test.feature, reach))
    rows = nearest.rows
    own = served[rows.placement] | served_driveway(question, rows.placement, rows.feature)
    return [with_map(column, nearest._replace(soft=~own), margin)]


def _nearer_side(seen: Seen, right: int, along_u_m: NDArray[np.float64]) -> tuple[Seen, NDArray[np.float64]]:
    """Return for each skip its nearest feature on the wrong side, and how much nearer that on the right is.

    Something in front of the skip is on the wrong side. One on the right side of which it is not sure that it
    is there, or at this kerb, does not acquit.
    """
    rows = seen.rows
    order = np.lexsort((rows.value_m, rows.placement))
    count = int(rows.placement.max(initial=-1)) + 1
    good, bad = np.full((2, count), np.inf)
    is_good = rows.upstream == right
    sure = is_good & rows.known & rows.side_known
    np.minimum.at(good, rows.placement[sure], rows.value_m[sure])
    np.minimum.at(bad, rows.placement[~is_good], rows.value_m[~is_good])
    kept = order[rows.value_m[order] == bad[rows.placement[order]]]
    nearest = seen.at(kept[~is_good[kept]])
    at = nearest.rows.placement
    # A skip that stands elsewhere than it is said to is as much nearer to the one as farther from the other.
    good_u = np.zeros(count)
    first = sure & (rows.value_m == good[rows.placement])
    np.maximum.at(good_u, rows.placement[first], rows.u_m[first])
    both = np.sqrt(nearest.rows.u_m**2 + good_u[at] ** 2 + 2 * along_u_m[at] ** 2)
    u = np.where(np.isfinite(good[at]), both, nearest.rows.u_m)
    return nearest._replace(rows=nearest.rows._replace(u_m=u)), bad[at] - good[at]


def _none_within(placements: Placements, layer: str) -> NDArray[np.float64]:
    """Return how far somebody looked and saw none, in metres (0 where nobody did)."""
    return np.array(
        [
            max(
                (
                    seen.reach_m
                    for seen in request.observed
                    if seen.layer == layer and seen.state == "none" and not seen.said()
                ),
                default=0.0,
            )
            for request in placements.requests
        ]
    )
