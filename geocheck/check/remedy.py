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
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from geocheck.check.pipeline import Checked
    from geocheck.model.request import Request

FARTHEST_M: Final = 30
"""So far along the kerb another place is tried."""

FINEST: Final = 10
"""Parts of a metre to which a move is told."""

GAPS_M: Final = (0.30, 0.20, 0.10)
"""Gaps to the kerb that are tried, the planned one first."""

_TOGETHER: Final = 50
"""Placements whose moves are judged in one batch."""

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


class _Try(NamedTuple):
    """A placement elsewhere: beside the kerb with a gap, or moved along it (positive with the traffic)."""

    row: int
    way: Literal["kerb", "along"]
    metres: float


_Good = dict[_Try, "NDArray[np.bool_]"]
"""For each try that could be made, which rules are kept there at no cost to others, shape (rules,)."""


def remedies_of(checked: Checked) -> list[dict[int, Move]]:
    """Return for each placement and each rule it breaks, or may break, the shortest move that mends it.

    Every move is judged as a placement of its own. It counts where the rule is then `compliant` and no other
    rule that counts is worse than before.

    Returns:
        By placement and number of the rule; rules that no move mends are left out.
    """
    counts = np.array([rule.counts for rule in checked.rules], bool)
    wanted = counts & np.isin(checked.findings, _OPEN) & (checked.displaced < 0)
    rows = np.flatnonzero(wanted.any(axis=1)).tolist()
    found: list[dict[int, Move]] = [{} for _ in checked.findings]
    for first in range(0, len(rows), _TOGETHER):
        chunk = {row: np.flatnonzero(wanted[row]).tolist() for row in rows[first : first + _TOGETHER]}
        for row, number, move in _mended(checked, chunk):
            held = found[row].get(number)
            if held is None or (held.way != "kerb" and move.least_m < held.least_m):
                found[row][number] = move
    return found


def _mended(checked: Checked, wanted: Mapping[int, list[int]]) -> Iterator[tuple[int, int, Move]]:
    """Return moves that mend rules: to the kerb first, then along it, by metres and parts of the last one."""
    movable = {
        row: [number for number in numbers if _may_pass_elsewhere(checked, row, number)]
        for row, numbers in wanted.items()
    }
    good = _judged(checked, _first_tries(checked, wanted, movable))
    for row, numbers in wanted.items():
        for number in numbers:
            gap_m = next((gap for gap in GAPS_M if _is_good(good, _Try(row, "kerb", gap), number)), None)
            if gap_m is not None:
                yield row, number, Move("kerb", gap_m)
    steps = {
        (row, number, sign): first
        for row, numbers in movable.items()
        for number in numbers
        for sign in (1, -1)
        if (first := _first_step(good, row, number, sign)) is not None
    }
    fine = [
        _Try(row, "along", part) for (row, _, sign), first in steps.items() for part in _parts(sign, first)
    ]
    good |= _judged(checked, dict.fromkeys(fine))
    for (row, number, sign), first in steps.items():
        least = next(part for part in _parts(sign, first) if _is_good(good, _Try(row, "along", part), number))
        yield (
            row,
            number,
            Move("ahead" if sign > 0 else "back", abs(least), _most(good, row, number, sign * first)),
        )


def _first_tries(
    checked: Checked, wanted: Mapping[int, list[int]], movable: Mapping[int, list[int]]
) -> Iterator[_Try]:
    for row in wanted:
        if not checked.placements.planned[row]:
            yield from (_Try(row, "kerb", gap_m) for gap_m in GAPS_M)
        if movable[row]:
            yield from (
                _Try(row, "along", float(step)) for step in range(-FARTHEST_M, FARTHEST_M + 1) if step
            )


def _first_step(good: _Good, row: int, number: int, sign: int) -> int | None:
    """Return the least whole metres that mend a rule, None where none do."""
    steps = range(1, FARTHEST_M + 1)
    return next(
        (step for step in steps if _is_good(good, _Try(row, "along", float(sign * step)), number)), None
    )


def _parts(sign: int, step: int) -> list[float]:
    """Return the parts of the last metre of a move, the whole of it last."""
    return [sign * part / FINEST for part in range((step - 1) * FINEST + 1, step * FINEST + 1)]


def _most(good: _Good, row: int, number: int, step: int) -> float | None:
    """Return how far a move that mends may go on, in whole metres; None as far as was tried."""
    sign = 1 if step > 0 else -1
    for farther in range(abs(step), FARTHEST_M + 1):
        if not _is_good(good, _Try(row, "along", float(sign * farther)), number):
            return float(farther - 1)
    return None


def _is_good(good: _Good, place: _Try, number: int) -> bool:
    return place in good and bool(good[place][number])


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


def _judged(checked: Checked, tries: Iterable[_Try]) -> _Good:
    """Judge placements elsewhere by the one pipeline, all at once."""
    asked: list[tuple[_Try, Request]] = []
    for each in tries:
        there = moved(checked, each.row, each.metres) if each.way == "along" else None
        request = at_kerb(checked, each.row, each.metres) if each.way == "kerb" else there
        if request is not None:
            asked.append((each, request))
    index = None if checked.sight is None else checked.sight.index
    counts = np.array([rule.counts for rule in checked.rules], bool)
    good: _Good = {}
    for judged in run([request for _, request in asked], checked.law, checked.evaluated_at, index):
        if len(judged.rules) != len(counts):  # another day's law: not the one that was asked about
            continue
        places = [asked[row][0] for row in judged.rows]
        before = np.maximum(checked.findings[[each.row for each in places]], Outcome.COMPLIANT)
        kept = ~((judged.findings > before) & counts).any(axis=1) & _beside_kerb(judged)
        passes = kept[:, None] & (judged.findings == Outcome.COMPLIANT)
        good |= dict(zip(places, passes, strict=True))
    return good


def _beside_kerb(judged: Checked) -> NDArray[np.bool_]:
    """Tell which placements stand beside a kerb and not in a mouth; all of them where no map was given."""
    if judged.sight is None:
        return np.ones(len(judged.findings), bool)
    segment = judged.sight.at.located.segment
    kerb = judged.sight.city_map.segments["kerb"][np.maximum(segment, 0)]
    return np.asarray((segment != NOWHERE) & (kerb != MOUTH))
