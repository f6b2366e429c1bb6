"""How far a skip must move for a rule that it breaks, or may break, to be kept: tried in the one pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from geocheck.check.locate import NOWHERE
from geocheck.check.moved import at_kerb, moved
from geocheck.check.pipeline import run
from geocheck.city.ruler.ruler import MOUTH
from geocheck.model.words import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from geocheck.check.pipeline import Checked
    from geocheck.model.request import Request

FARTHEST_M: Final = 30
"""So far along the kerb another place is tried."""

FINEST: Final = 10
"""Parts of a metre to which a move is told."""

GAPS_M: Final = (0.30, 0.20, 0.10)
"""Gaps to the kerb that are tried, the planned one first."""

_OPEN: Final = (Outcome.VIOLATION, Outcome.BORDERLINE)


class Move(NamedTuple):
    """What would mend a rule.

    Attributes:
        way: with the traffic, against it, or to the kerb and parallel to it.
        least_m: along the kerb; of a move to the kerb, the gap to be left.
        most_m: how far the move may go, None where as far as anything was tried.
    """

    way: Literal["ahead", "back", "kerb"]
    least_m: float
    most_m: float | None = None


def remedies_of(checked: Checked, row: int) -> dict[int, Move]:
    """Return for the rules of one placement that are broken, or may be, the shortest move that mends them.

    Every move is judged as a placement of its own. It counts where the rule is then `compliant` and no other
    rule that counts is worse than before.

    Returns:
        By number of the rule; rules that no move mends are left out.
    """
    counts = np.array([rule.counts for rule in checked.rules], bool)
    before = checked.findings[row]
    wanted = np.flatnonzero(counts & np.isin(before, _OPEN) & (checked.displaced[row] < 0))
    if not len(wanted):
        return {}
    found = _to_the_kerb(checked, row, wanted)
    rest = np.array(
        [
            number
            for number in wanted.tolist()
            if number not in found and _may_pass_elsewhere(checked, row, number)
        ],
        np.intp,
    )
    return found | (_along(checked, row, rest) if len(rest) else {})


def _to_the_kerb(checked: Checked, row: int, wanted: NDArray[np.intp]) -> dict[int, Move]:
    """Return which rules a skip that stands would keep beside the kerb, where it stands."""
    if checked.placements.planned[row]:
        return {}
    tried = [at_kerb(checked, row, gap_m) for gap_m in GAPS_M]
    good = _good(checked, row, tried, wanted)
    return {
        int(number): Move("kerb", GAPS_M[int(np.argmax(good[:, column]))])
        for column, number in enumerate(wanted)
        if good[:, column].any()
    }


def _may_pass_elsewhere(checked: Checked, row: int, number: int) -> bool:
    """Tell whether a rule hangs on the place, and on no layer of which the map never knows enough."""
    columns = [checked.columns[each] for each in checked.span[number]]
    if all(column.mapped is None and (column.ask is None or column.ask.layer is None) for column in columns):
        return False
    blind = [
        column
        for column, each in zip(columns, checked.span[number], strict=True)
        if checked.outcomes[row, each] == Outcome.NOT_EVALUATED
        and column.mapped is not None
        and checked.sight is not None
        and not checked.sight.city_map.complete(column.mapped.seen.layer)
    ]
    return not blind


def _along(checked: Checked, row: int, wanted: NDArray[np.intp]) -> dict[int, Move]:
    """Return the shortest moves along the kerb: by whole metres first, then by parts of the last one."""
    metres = [step for step in range(-FARTHEST_M, FARTHEST_M + 1) if step]
    coarse = _tried(checked, row, [float(step) for step in metres], wanted)
    fine: dict[float, None] = {}
    last: dict[tuple[int, int], int] = {}
    for number in wanted.tolist():
        for sign in (1, -1):
            first = next((step for step in range(1, FARTHEST_M + 1) if coarse[sign * step][number]), None)
            if first is not None:
                last[number, sign] = first
                parts = range((first - 1) * FINEST + 1, first * FINEST)
                fine.update(dict.fromkeys(sign * part / FINEST for part in parts))
    finer = _tried(checked, row, list(fine), wanted)
    found: dict[int, Move] = {}
    for (number, sign), first in last.items():
        parts = range((first - 1) * FINEST + 1, first * FINEST)
        least = next((part / FINEST for part in parts if finer[sign * part / FINEST][number]), float(first))
        if number not in found or least < found[number].least_m:
            run_on = next(
                (step for step in range(first, FARTHEST_M + 1) if not coarse[sign * step][number]), None
            )
            most = None if run_on is None else float(run_on - 1)
            found[number] = Move("ahead" if sign > 0 else "back", least, most)
    return found


def _tried(
    checked: Checked, row: int, shifts_m: Sequence[float], wanted: NDArray[np.intp]
) -> Mapping[float, dict[int, bool]]:
    """Tell for moves along the kerb, positive with the traffic, which rules they mend."""
    requests = [moved(checked, row, shift) for shift in shifts_m]
    there = [request for request in requests if request is not None]
    good = iter(_good(checked, row, there, wanted).tolist())
    nothing = [False] * len(wanted)
    return {
        shift: dict(zip(wanted.tolist(), nothing if request is None else next(good), strict=True))
        for shift, request in zip(shifts_m, requests, strict=True)
    }


def _good(
    checked: Checked, row: int, requests: Sequence[Request], wanted: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Tell which rules are kept by moved placements at no cost to others, shape (moves, wanted rules)."""
    if not requests:
        return np.zeros((0, len(wanted)), bool)
    index = None if checked.sight is None else checked.sight.index
    counts = np.array([rule.counts for rule in checked.rules], bool)
    before = np.maximum(checked.findings[row], Outcome.COMPLIANT)
    after = np.empty((len(requests), len(before)), np.uint8)
    beside = np.ones(len(requests), bool)
    for judged in run(requests, checked.law, checked.evaluated_at, index):
        if len(judged.rules) != len(before):  # the law changes; it does not where the day is the same
            return np.zeros((len(requests), len(wanted)), bool)
        after[list(judged.rows)] = judged.findings
        if judged.sight is not None:
            segment = judged.sight.at.located.segment
            kerb = judged.sight.city_map.segments["kerb"][np.maximum(segment, 0)]
            beside[list(judged.rows)] = (segment != NOWHERE) & (kerb != MOUTH)
    worse = (after > before) & counts
    return np.asarray(beside[:, None] & ~worse.any(axis=1)[:, None] & (after[:, wanted] == Outcome.COMPLIANT))
