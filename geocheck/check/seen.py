"""What the map shows of the features a test is about: its rows, how soft each is, and how far it is complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.check.columns import SIDED
from geocheck.check.sight.rows import NONE, Rows, joined, rows_of
from geocheck.city.ruler.stations import REFERENCES
from geocheck.law.sign_hours import sign_binds

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.check.question import Question
    from geocheck.check.sight.city_map import MapLayer
    from geocheck.check.sight.sight import Sight

KERBWISE: Final = frozenset(
    {"bus_stop", "crossing", "driveway", "entrance", "emergency_exit", "ramp", "mouth"}
)
"""Layers whose things stand beside the kerb or lead over it: a skip covers them that stands in front."""

OUTLINED: Final = frozenset(
    {"hydrant", "water_valve", "manhole", "storm_drain", "street_furniture", "marking", "signal", "sign"}
)
"""Layers of things with a place of their own, whatever kerb they are beside."""

_AREA: Final = 2


class Seen(NamedTuple):
    """What the map shows for one column of evidence.

    Attributes:
        layer: its name.
        rows: pairs of skip and feature.
        soft: for each, whether the attribute on which the test hangs is not known.
        covered: for each skip, whether the layer is known to hold all that lies within the test's reach.
        how: by which line the rows are measured: `along`, `plan`, `front` or `gap`.
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
    return _seen(question, layer, reach_m, lambda sight: [("along", sight.along(layer))])


def seen_in_plan(question: Question, layer: str, reach_m: float) -> Seen | None:
    """Return what lies around the skip; None where no map was given."""
    return _seen(question, layer, reach_m, lambda sight: [("plan", sight.plan(layer))])


def seen_in_front(question: Question, layer: str, reach_m: float) -> Seen | None:
    """Return what lies before or behind the kerb beside the skip; None where no map was given."""
    if layer in REFERENCES:
        return seen_along(question, layer, reach_m)
    return _seen(question, layer, reach_m, lambda sight: [("front", sight.front(layer))])


def seen_on_ground(question: Question, layer: str, reach_m: float) -> Seen | None:
    """Return what a skip may stand on: outlines in plan, and stretches that only the kerb tells."""
    return _seen(question, layer, reach_m, lambda sight: _ground(sight, layer))


def _ground(sight: Sight, layer: str) -> list[tuple[str, Rows]]:
    if layer in KERBWISE:
        return [("along", sight.along(layer))]
    held = sight.layer(layer)
    if layer in OUTLINED or layer not in REFERENCES or held is None:
        return [("plan", sight.plan(layer))]
    own = (shapely.get_dimensions(held.geometry) == _AREA) & (held.attribute("on_axis") != True)  # noqa: E712
    along, plan = sight.along(layer), sight.plan(layer)
    stretch = (along.feature < 0) | ~own[np.maximum(along.feature, 0)]
    return [("along", along.at(stretch)), ("plan", plan.at(own[plan.feature]))]


def _seen(
    question: Question, layer: str, reach_m: float, look: Callable[[Sight], list[tuple[str, Rows]]]
) -> Seen | None:
    sight = question.sight
    if sight is None:
        return None
    parts = look(sight)
    rows = joined([rows for _, rows in parts])
    names = [np.full(len(part.placement), how, object) for how, part in parts]
    placement = np.concatenate([part.placement for _, part in parts]) if parts else NONE.placement
    how = np.concatenate(names)[np.argsort(placement, kind="stable")]
    plain = np.zeros(len(how), bool)
    # An opposite mouth is an edge of a crossing area.
    source = "crossing_area" if layer == "mouth" else layer
    found = Seen(layer, rows, plain, sight.covered(source, reach_m), how, plain)
    held = sight.layer(source)
    return found if held is None else _fitting(found, held, question)


def _fitting(seen: Seen, layer: MapLayer, question: Question) -> Seen:
    """Leave out what the test is not about, and mark what may not be."""
    feature = seen.rows.feature
    real = feature >= 0
    kept, soft = np.ones(len(layer.geometry), bool), np.zeros(len(layer.geometry), bool)
    when = question.test.when
    if when is not None:
        values = layer.attribute(when.attribute)
        unknown = np.array([each is None for each in values], bool)
        fits = np.array([each is None or when.fits(each) for each in values], bool)
        kept &= fits & ~(unknown & (when.unknown == "skip"))
        soft |= unknown & (when.unknown == "soft")
    if seen.layer == "crossing":
        marked = layer.attribute("marked")
        kept &= np.array([each is not False for each in marked], bool)
        soft |= np.array([each is None for each in marked], bool)
    row_kept = (
        np.where(real, kept[np.maximum(feature, 0)], True) if len(kept) else np.ones(len(feature), bool)
    )
    row_soft = np.where(real, soft[np.maximum(feature, 0)], False) if len(soft) else seen.soft
    found = seen._replace(soft=row_soft).at(row_kept)
    return _in_force(found, layer, question)


def _in_force(seen: Seen, layer: MapLayer, question: Question) -> Seen:
    """Leave out what holds only on other days, or at other hours than those of the stay."""
    kept = np.ones(len(seen.soft), bool)
    placements = question.placements
    row, feature = seen.rows.placement, seen.rows.feature
    for name, clash in (("valid_from", np.greater), ("valid_to", np.less)):
        dates = layer.columns.get(name)
        if dates is None or not any(each is not None for each in dates):
            continue
        day = np.array([np.datetime64("NaT") if each is None else np.datetime64(each, "D") for each in dates])
        end = np.where(np.isnat(placements.end), placements.start, placements.end)
        at = (end if name == "valid_from" else placements.start)[row].astype("datetime64[D]")
        kept &= ~((feature >= 0) & clash(day[np.maximum(feature, 0)], at))
    hours = layer.columns.get("hours")
    if hours is not None and seen.layer != "sign":
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
    return Seen("kerb", rows, plain, held, np.full(len(placement), "gap", object), plain)
