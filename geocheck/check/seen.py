"""What the map shows of the features a test is about: rows, how soft each is, how far it is complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.check.columns import SIDED
from geocheck.check.sight.layer_events import STREET_LINES
from geocheck.check.sight.rows import Rows, joined, rows_of
from geocheck.city.ruler.references import REFERENCES
from geocheck.law.sign_hours import sign_binds

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.check.question import Question
    from geocheck.check.sight.sight import Sight

KERBWISE: Final = frozenset(
    {"bus_stop", "crossing", "driveway", "entrance", "emergency_exit", "ramp", "mouth"}
)
"""Layers whose things stand beside the kerb or lead over it: a skip covers them that stands in front."""

OUTLINED: Final = frozenset(
    {"hydrant", "water_valve", "manhole", "storm_drain", "street_furniture", "marking", "signal", "sign"}
)
"""Layers of things with a place of their own, whatever kerb they are beside."""


class Seen(NamedTuple):
    """What the map shows for one column of evidence.

    Attributes:
        layer: its name.
        rows: pairs of skip and feature.
        soft: for each, whether the attribute on which the test hangs is not known.
        covered: for each skip, whether the layer is known to hold all that lies within the test's reach.
        how: by which line the rows are measured: `along`, `plan`, `front`, `gap` or `far_gap`.
        taped: rows that a tape gave and not the map.
    """

    layer: str
    rows: Rows
    soft: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    how: NDArray[np.object_]
    taped: NDArray[np.bool_]

    def at(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Seen:
        """Return some of the rows."""
        return self._replace(
            rows=self.rows.at(rows), soft=self.soft[rows], how=self.how[rows], taped=self.taped[rows]
        )


def seen_along(question: Question, layer: str, reach_m: float) -> Seen | None:
    """Return what lies along the kerb; None where no map was given."""
    return _seen(question, layer, reach_m, _along)


def seen_in_plan(question: Question, layer: str, reach_m: float) -> Seen | None:
    """Return what lies around the skip; None where no map was given."""
    return _seen(question, layer, reach_m, _in_plan)


def seen_in_front(question: Question, layer: str, reach_m: float) -> Seen | None:
    """Return what lies before or behind the kerb beside the skip; None where no map was given."""
    if layer in REFERENCES:
        return seen_along(question, layer, reach_m)
    return _seen(question, layer, reach_m, _front)


def seen_on_ground(question: Question, layer: str, reach_m: float) -> Seen | None:
    """Return what a skip may stand on: outlines in plan, and stretches that only the kerb tells."""
    return _seen(question, layer, reach_m, _ground)


def _along(sight: Sight, layer: str) -> list[tuple[str, Rows]]:
    return [("along", sight.along(layer))]


def _in_plan(sight: Sight, layer: str) -> list[tuple[str, Rows]]:
    return [("plan", sight.plan(layer))]


def _front(sight: Sight, layer: str) -> list[tuple[str, Rows]]:
    return [("front", sight.front(layer).rows)]


def _ground(sight: Sight, layer: str) -> list[tuple[str, Rows]]:
    if layer in KERBWISE:
        return [("along", sight.along(layer))]
    if layer in STREET_LINES:
        return [("along", sight.along(layer)), ("plan", sight.plan(layer))]
    if layer in OUTLINED or layer not in REFERENCES:
        return [("plan", sight.plan(layer))]
    own = sight.index.own_areas(layer)
    along, plan = sight.along(layer), sight.plan(layer)
    return [("along", along.at(~own[along.feature])), ("plan", plan.at(own[plan.feature]))]


def _seen(
    question: Question, layer: str, reach_m: float, look: Callable[[Sight, str], list[tuple[str, Rows]]]
) -> Seen | None:
    """Return what the map shows, None where it has nothing to say of the layer here."""
    sight = question.sight
    if sight is None or not sight.index.holds(layer):
        return None
    key = (look, layer, reach_m, question.test.when)
    if key not in sight.memo:
        sight.memo[key] = _looked(question, layer, reach_m, look)
    found: Seen | None = sight.memo[key]
    return found


def _looked(
    question: Question, layer: str, reach_m: float, look: Callable[[Sight, str], list[tuple[str, Rows]]]
) -> Seen | None:
    sight = question.sight
    assert sight is not None  # noqa: S101 (the caller has looked)
    parts = look(sight, layer)
    along = all(how == "along" for how, _ in parts)
    covered = sight.covered_along(layer, reach_m) if along else sight.covered(layer, reach_m)
    if layer == "median":
        covered = covered | _no_median(sight, beside=along)
    rows = joined([rows for _, rows in parts])
    how = np.concatenate([np.full(len(part.placement), name, object) for name, part in parts])
    found = _fitting(Seen(layer, rows, ~rows.known, covered, how, ~rows.known), question)
    return _in_force(found, question)


def _no_median(sight: Sight, *, beside: bool) -> NDArray[np.bool_]:
    """Tell where the kerbs tell of medians: along whatever is in no row lies a block, as far as is known.

    Args:
        sight: the skips.
        beside: whether rows along the kerb are there to convict; else a median near the skip leaves it open.
    """
    told = sight.medians_told
    if beside:
        return told
    rows = sight.along("median")
    near = np.zeros(len(told), bool)
    near[rows.placement[rows.value_m <= rows.u_m]] = True
    return told & ~near


def _fitting(seen: Seen, question: Question) -> Seen:
    """Leave out what the test is not about, and mark what may not be."""
    assert question.sight is not None  # noqa: S101 (the caller has looked)
    fit = question.sight.index.fit(seen.layer, question.test.when)
    feature = seen.rows.feature
    found = seen._replace(soft=fit.soft[feature], taped=np.zeros(len(feature), bool))
    kept = fit.kept[feature]
    return found if kept.all() else found.at(kept)


def _in_force(seen: Seen, question: Question) -> Seen:
    """Leave out what holds only on other days, or at other hours than those of the stay."""
    assert question.sight is not None  # noqa: S101 (the caller has looked)
    layer = question.sight.layer(seen.layer)
    if layer is None or not (layer.dated or (layer.houred and seen.layer != "sign")):
        return seen
    placements = question.placements
    row, feature = seen.rows.placement, seen.rows.feature
    end = np.where(np.isnat(placements.end), placements.start, placements.end)
    first, last = layer.validity
    kept = ~(first[feature] > end[row].astype("datetime64[D]"))
    kept &= ~(last[feature] < placements.start[row].astype("datetime64[D]"))
    if layer.houred and seen.layer != "sign":
        hours = layer.attribute("hours")
        for each in np.flatnonzero(kept & (feature >= 0)):
            text = hours[feature[each]]
            kept[each] = text is None or _binds(question, int(row[each]), text) is not False
    return seen.at(kept)


def _binds(question: Question, row: int, hours: str) -> bool | None:
    placements = question.placements
    start, end = placements.start[row].item(), placements.end[row].item()
    return sign_binds(hours, start, end, question.calendar, "hours")


def sided(seen: Seen, question: Question, sides: str) -> Seen:
    """Keep the features on the sides that count, and put a tape in the place of the map on its side."""
    rows = seen.rows
    if sides != "both":
        seen = seen.at((rows.upstream == (1 if sides == "before" else -1)) | (rows.value_m <= 0))
    if seen.layer not in SIDED:
        return seen
    for side, upstream in (("before", 1), ("after", -1)):
        if sides not in ("both", side):
            continue
        tape = question.placements.taped(f"{seen.layer}_{side}_m")
        if np.isnan(tape).all():
            continue
        replaced = ~np.isnan(tape)[seen.rows.placement]
        seen = seen.at(~(replaced & (seen.rows.upstream == upstream)))
        seen = _with_tapes(seen, tape, upstream)
    return seen


def _with_tapes(seen: Seen, tape: NDArray[np.float64], upstream: int) -> Seen:
    placement = np.flatnonzero(~np.isnan(tape))
    count = len(placement)
    sure, nothing = np.ones(count, bool), np.full(count, -1)
    fresh = Rows(
        placement,
        nothing,
        tape[placement],
        np.zeros(count),
        sure,
        sure,
        np.full(count, upstream, np.int8),
        nothing,
    )
    rows = Rows._make(np.concatenate([old, new]) for old, new in zip(seen.rows, fresh, strict=True))
    return seen._replace(
        rows=rows,
        soft=np.append(seen.soft, ~sure),
        how=np.append(seen.how, np.full(count, "along", object)),
        taped=np.append(seen.taped, sure),
    )


def seen_gap(question: Question, *, far: bool) -> Seen | None:
    """Return the gap to the kerb beside the skip; None where no map was given.

    Args:
        question: whose placements.
        far: to the farther end of the long side, for a greatest gap; else to its nearest place.
    """
    sight = question.sight
    if sight is None:
        return None
    gap = sight.gap
    value = gap.high_m if far else gap.low_m
    held = ~np.isnan(value)
    placement = np.flatnonzero(held)
    rows = rows_of(placement, sight.kerb[placement], value[placement], gap.u_m[placement])
    plain = np.zeros(len(placement), bool)
    how = np.full(len(placement), "far_gap" if far else "gap", object)
    return Seen("kerb", rows, plain, held, how, plain)
