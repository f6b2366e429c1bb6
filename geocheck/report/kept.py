"""Findings made before, for those that hang on nothing but the law and the numbers of their own columns."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from geocheck.check.evidence import Evidence, Mapped
    from geocheck.check.pipeline import Checked
    from geocheck.law.sanction_inputs import SanctionInputs
    from geocheck.model.finding import FindingReport


@lru_cache(maxsize=4096)
def _place_for(_key: Hashable) -> list[FindingReport]:
    return []


def kept(key: Hashable | None, make: Callable[[], FindingReport]) -> FindingReport:
    """Return what was made for a key, made anew where there is none."""
    if key is None:
        return make()
    place = _place_for(key)
    if not place:
        place.append(make())
    return place[0]


class Keys:
    """The keys of the findings of one placement: two with the same key are the same finding.

    A finding has none where the map shows something near, or where somebody told of things seen or of zones:
    its words then come from these as well.
    """

    def __init__(self, checked: Checked, row: int, inputs: SanctionInputs) -> None:
        """Take a placement of judged ones, and the numbers that fines hang on."""
        self._checked, self._row = checked, row
        self._told = row in checked.placements.observers
        sight, request = checked.sight, checked.placements.requests[row]
        self._common = (
            checked.law.city.id,
            checked.law.city.time_zone,
            checked.placements.start[row].astype("datetime64[D]").item(),
            int(checked.placements.place[row]),
            checked.missing_acts(row),
            frozenset(request.measured),
            inputs,
            None if sight is None else sight.index,
            sight is not None and bool(np.isnan(sight.at.located.half_m[row])),
        )

    def of(self, number: int) -> Hashable | None:
        """Return the key of the finding of a rule, None where it has none."""
        checked, row, span = self._checked, self._row, self._checked.span[number]
        columns = checked.columns[span.start : span.stop]
        if self._told or any(_shows(column.mapped, row) for column in columns):
            return None
        absorber = int(checked.displaced[row, number])
        return (
            checked.rules[number],
            None if absorber < 0 else checked.rules[absorber].rule.id,
            bool(checked.critical[row, number]),
            int(checked.decider[row, number]) - span.start,
            checked.outcomes[row, span.start : span.stop].tobytes(),
            _bytes_of(columns, row),
            tuple(column.ask for column in columns),
            tuple(_layer(column.mapped, row) for column in columns),
            self._common,
        )


def _shows(mapped: Mapped | None, row: int) -> bool:
    return mapped is not None and bool((mapped.seen.rows.placement == row).any())


def _layer(mapped: Mapped | None, row: int) -> tuple[str, bool] | None:
    """Return the layer in which the map shows nothing, and whether it would."""
    return None if mapped is None else (mapped.seen.layer, bool(mapped.seen.covered[row]))


def _bytes_of(columns: tuple[Evidence, ...], row: int) -> bytes:
    """Return all numbers of some columns for one placement; as bytes, for NaN is equal to nothing."""
    numbers = [
        (each.margin[row], each.u[row], each.measured[row], each.limit[row], each.flags[row], each.basis[row])
        for each in columns
    ]
    acts = [(each.act.needed[row], each.act.held[row]) for each in columns if each.act is not None]
    return np.array(numbers).tobytes() + np.array(acts).tobytes()
