"""Requests as columns: sizes, places, times, taped values, observations and facts of many placements."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.errors import InputError
from geocheck.law.clock import Moment, parse_end, parse_moment
from geocheck.model.words import MEASURED_KEYS, Basis, Place

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from geocheck.law.clock import Times, ZoneClock
    from geocheck.law.kinds.base import When
    from geocheck.model.request import Observation, Request

PLACES: Final = tuple(Place)
BASES: Final = tuple(Basis)
UNKNOWN: Final = -1
PLANNED_GAP_M: Final = 0.30
"""Gap at which a planned skip stands, unless the request says another."""

BEYOND_M: Final = 1e-6
"""Nothing within r metres means that the nearest is a hair's breadth farther than r."""


SIDED: Final = ("corner", "driveway")
"""Layers with a neighbour on either side of the skip."""


class Known(NamedTuple):
    """What is known of a distance: it lies in [low, high] metres, by the basis (index into `BASES`)."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    basis: NDArray[np.int8]


@dataclass(frozen=True)
class Placements:
    """n placements of one city as columns.

    Attributes:
        requests: as validated.
        place: index into `PLACES`, shape (n,).
        start: wall times `datetime64[s]`, shape (n,).
        end: the same; NaT where nobody said.
        full: the same; NaT where the skip is not full.
        end_given: whether the request names the end.
        notes: for each placement, pt-BR notes on how its times were read.
        mapped_zones: by layer, what the map tells of `zone`, shape (n,).
    """

    requests: tuple[Request, ...]
    place: NDArray[np.int8]
    start: Times
    end: Times
    full: Times
    end_given: NDArray[np.bool_]
    notes: tuple[tuple[str, ...], ...] = field(repr=False)
    mapped_zones: Mapping[str, NDArray[np.int8]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.requests)

    def take(self, rows: Sequence[int]) -> Placements:
        """Return some of the placements, in that order."""
        index = np.array(rows, np.intp)
        return Placements(
            tuple(self.requests[row] for row in rows),
            self.place[index],
            self.start[index],
            self.end[index],
            self.full[index],
            self.end_given[index],
            tuple(self.notes[row] for row in rows),
            {layer: state[index] for layer, state in self.mapped_zones.items()},
        )

    @cached_property
    def planned(self) -> NDArray[np.bool_]:
        """Whether each placement is a plan and not a skip that stands; snapping to a kerb is planning."""
        modes = [
            request.mode or ("planned" if request.snap or request.kerb else "observed")
            for request in self.requests
        ]
        return np.array([mode == "planned" for mode in modes], bool)

    @cached_property
    def observers(self) -> tuple[int, ...]:
        """Rows of the requests that tell of something seen or of a zone."""
        return tuple(row for row, each in enumerate(self.requests) if each.observed or each.in_zone)

    @cached_property
    def _taped(self) -> frozenset[str]:
        """Keys that any request has a tape for."""
        return frozenset(key for request in self.requests for key in request.measured)

    @cached_property
    def _told(self) -> frozenset[str]:
        """Layers that any request tells of."""
        requests = [self.requests[row] for row in self.observers]
        seen = {each.layer for request in requests for each in request.observed}
        return frozenset(seen | {zone for request in requests for zone in request.in_zone})

    @cached_property
    def silence(self) -> Known:
        """What is known of a distance of which nobody says anything."""
        basis = np.full(len(self), BASES.index(Basis.OBSERVED), np.int8)
        return Known(np.zeros(len(self)), np.full(len(self), np.inf), basis)

    def constant(self, value: float) -> NDArray[np.float64]:
        """Return a column of one number, read-only and the same each time."""
        if value not in self._constants:
            column = np.full(len(self), value)
            column.flags.writeable = False
            self._constants[value] = column
        return self._constants[value]

    @cached_property
    def _constants(self) -> dict[float, NDArray[np.float64]]:
        return {}

    @cached_property
    def nothing(self) -> NDArray[np.float64]:
        """A column of NaN, read-only and the same each time."""
        column = np.full(len(self), np.nan)
        column.flags.writeable = False
        return column

    @cached_property
    def unknown(self) -> NDArray[np.int8]:
        """A column of UNKNOWN, read-only and the same each time."""
        column = np.full(len(self), UNKNOWN, np.int8)
        column.flags.writeable = False
        return column

    def at(self, places: Iterable[Place]) -> NDArray[np.bool_]:
        """Tell which placements stand in one of the places."""
        return _places_mask(frozenset(places))[self.place]

    def size(self, name: str) -> NDArray[np.float64]:
        """Return a numeric field of the requests (`"length_m"`, …), NaN where missing."""
        return self._floats(getattr(request, name) for request in self.requests)

    def taped(self, key: str) -> NDArray[np.float64]:
        """Return a `measured` value in the key's unit, NaN where missing."""
        if key not in self._taped:
            return self.nothing
        return self._floats(request.measured.get(key) for request in self.requests)

    def fact(self, name: str) -> NDArray[np.float64]:
        """Return a fact of `site` as a number (1 true, 0 false, counts as they are), NaN where unknown."""
        return self._floats(getattr(request.site, name) for request in self.requests)

    def names(self, rule_id: str, field_name: str) -> NDArray[np.bool_]:
        """Tell which requests list a rule in `authorised` or `declared`."""
        lists: list[tuple[str, ...]] = [getattr(request, field_name) for request in self.requests]
        return np.array([rule_id in each for each in lists], bool)

    def zone(self, layer: str) -> NDArray[np.int8]:
        """Return 1 inside, 0 outside, UNKNOWN, from `in_zone`, an observation right here, or the map."""
        told = np.full(len(self), UNKNOWN, np.int8)
        for row in self.observers if layer in self._told else ():
            told[row] = _zone(self.requests[row], layer)
        mapped = self.mapped_zones.get(layer)
        return told if mapped is None else np.where(told == UNKNOWN, mapped, told)

    def in_zones(self, layers: Sequence[str]) -> NDArray[np.int8]:
        """Return 1 inside some zone, 0 outside all of them, UNKNOWN; naming none means everywhere."""
        if not layers:
            return np.ones(len(self), np.int8)
        states = np.stack([self.zone(layer) for layer in layers])
        outside = (states == 0).all(axis=0)
        return np.where((states == 1).any(axis=0), 1, np.where(outside, 0, UNKNOWN)).astype(np.int8)

    def attribute(self, layer: str, name: str) -> NDArray[np.object_]:
        """Return an attribute of the nearest thing of a layer that somebody saw; None where unknown."""
        column: NDArray[np.object_] = np.full(len(self), None, object)
        for row in self.observers:
            seen = present(self.requests[row], (layer,))
            column[row] = getattr(seen[0].attributes, name) if seen else None
        return column

    def tapes(self, keys: Sequence[str], layer: str, when: When | None) -> NDArray[np.float64]:
        """Return taped distances, keys × placements, without those of things that do not fit `when`."""
        tapes = np.stack([self.taped(key) for key in keys]) if keys else np.full((1, len(self)), np.nan)
        if when is None:
            return tapes
        for row in self.observers:
            for seen in present(self.requests[row], (layer,)):
                if is_unfit(seen, when):
                    # A thing seen has one tape: the longest that does not pass it.
                    taped = np.where(tapes[:, row] <= seen.reach_m + BEYOND_M, tapes[:, row], -1.0)
                    if taped.max() >= 0:
                        tapes[int(np.argmax(taped)), row] = np.nan
        return tapes

    def distance(
        self, layer: str, keys: Sequence[str], when: When | None = None, *, one_side: bool = False
    ) -> Known:
        """Return what is known of the distance to the nearest feature of a layer.

        Args:
            layer: as observed.
            keys: `measured` keys that together give it (one, or before and after); the smallest counts
                and the lower bound needs all of them.
            when: leave out things that are known not to fit.
            one_side: only the features on one side count: what was seen on an unknown side tells nothing.
        """
        if layer not in self._told and self._taped.isdisjoint(keys):
            return self.silence
        tapes = self.tapes(keys, layer, when)
        low_seen, high_seen = self._bounds(layer, when)
        if one_side:
            high_seen = np.full(len(self), np.inf)
        all_taped = ~np.isnan(tapes).any(axis=0)
        nearest = np.fmin.reduce(tapes, axis=0)
        # One side taped and nothing seen beyond it: the other side may be nearer.
        low = np.fmin(nearest, np.where(all_taped, np.inf, low_seen))
        high = np.fmin(nearest, high_seen)
        basis = np.where(np.isnan(nearest), BASES.index(Basis.OBSERVED), BASES.index(Basis.MEASURED))
        return Known(low, np.where(np.isnan(high), np.inf, high), basis.astype(np.int8))

    def gap(self) -> Known:
        """Return the gap to the kerb: taped, or that of the plan."""
        tape, planned = self.taped("gap_m"), self.planned
        on_plan = planned & np.isnan(tape)
        gap = np.where(on_plan, PLANNED_GAP_M, tape)
        missing = np.isnan(gap)
        basis = np.where(on_plan, BASES.index(Basis.PLAN), BASES.index(Basis.MEASURED)).astype(np.int8)
        return Known(np.where(missing, 0.0, gap), np.where(missing, np.inf, gap), basis)

    def angle_deg(self) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """Return the angle between long axis and kerb in degrees (NaN unknown), and its basis."""
        tape, planned = self.taped("angle_deg"), self.planned
        on_plan = planned & np.isnan(tape)
        basis = np.where(on_plan, BASES.index(Basis.PLAN), BASES.index(Basis.MEASURED)).astype(np.int8)
        return np.where(on_plan, 0.0, tape), basis

    def _bounds(self, layer: str, when: When | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        low, high = np.zeros(len(self)), np.full(len(self), np.inf)
        for row in self.observers:
            request = self.requests[row]
            inside = request.in_zone.get(layer)
            if inside is not None:
                low[row], high[row] = (0.0, 0.0) if inside else (BEYOND_M, np.inf)
            for seen in request.observed:
                if seen.layer != layer or not seen.places:
                    continue
                if seen.state == "none" and _none_of_them(seen, when):
                    low[row] = max(low[row], seen.reach_m + BEYOND_M)
                elif seen.state == "present" and not (when is not None and is_unfit(seen, when)):
                    high[row] = min(high[row], seen.reach_m)
        return low, high

    @staticmethod
    def _floats(values: Iterable[float | bool | None]) -> NDArray[np.float64]:
        return np.array([np.nan if value is None else value for value in values], np.float64)


@lru_cache(maxsize=64)
def _places_mask(places: frozenset[Place]) -> NDArray[np.bool_]:
    return np.array([place in places for place in PLACES], bool)


@cache
def tape_keys(layer: str, sides: str = "both") -> tuple[str, ...]:
    """Return the `measured` keys that give the distance to a layer, by side for corners and driveways."""
    if layer not in SIDED:
        return tuple(key for key in (f"{layer}_m",) if key in MEASURED_KEYS)
    neighbours = ("before", "after") if sides == "both" else (sides,)
    return tuple(f"{layer}_{side}_m" for side in neighbours)


def placements_of(
    requests: Sequence[Request], now: dt.datetime, clock: ZoneClock, default_place: Place
) -> Placements:
    """Lay requests of one city out as columns.

    Args:
        requests: validated.
        now: aware; the start of placements that name none.
        clock: of the city.
        default_place: place of requests that name none.

    Raises:
        InputError: a time cannot be read, or lies before the one it must follow.
    """
    rows = [_times(request, now, clock) for request in requests]
    place = [PLACES.index(request.where or default_place) for request in requests]
    return Placements(
        tuple(requests),
        np.array(place, np.int8),
        _column(start for start, _, _ in rows),
        _column(end for _, end, _ in rows),
        _column(full for _, _, full in rows),
        np.array([end is not None for _, end, _ in rows], bool),
        tuple(tuple(_notes(row)) for row in rows),
    )


def _times(
    request: Request, now: dt.datetime, clock: ZoneClock
) -> tuple[Moment | dt.datetime, Moment | None, Moment | None]:
    start: Moment | dt.datetime = (
        parse_moment(request.start, "start", clock) if request.start else now.astimezone(clock.zone)
    )
    end = parse_end(request.end, "end", clock) if request.end else None
    full = parse_moment(request.full_at, "full_at", clock) if request.full_at else None
    begins = _instant(start)
    if end is not None and end.local <= begins:
        raise InputError("end", "o fim da permanência não é depois do início (start); confira as datas")
    if full is not None and full.local < begins:
        raise InputError("full_at", "a caçamba não pode encher antes de ser colocada (start); confira")
    return start, end, full


def _instant(moment: Moment | dt.datetime) -> dt.datetime:
    return moment.local if isinstance(moment, Moment) else moment


def _column(moments: Iterable[Moment | dt.datetime | None]) -> Times:
    walls = [None if moment is None else _instant(moment).replace(tzinfo=None) for moment in moments]
    return np.array(walls, "datetime64[s]")


def _notes(row: Iterable[Moment | dt.datetime | None]) -> Iterable[str]:
    for moment in row:
        if isinstance(moment, Moment):
            yield from moment.notes


def present(request: Request, layers: Iterable[str]) -> list[Observation]:
    """Return the things of some layers that somebody saw, the nearest first."""
    wanted = set(layers)
    seen = [each for each in request.observed if each.layer in wanted and each.state == "present"]
    return sorted(seen, key=lambda each: each.reach_m)


def is_unfit(seen: Observation, when: When) -> bool:
    """Whether a thing seen is known not to be of the sort that a test is about, or is to be skipped."""
    value = getattr(seen.attributes, when.attribute)
    return when.unknown == "skip" if value is None else not when.fits(value)


def _none_of_them(seen: Observation, when: When | None) -> bool:
    """Whether seeing none tells of what a test is about: none of one sort is not none of any sort."""
    said = seen.said()
    if not said:
        return True
    return when is not None and set(said) == {when.attribute} and when.fits(said[when.attribute])


def _zone(request: Request, layer: str) -> int:
    if layer in request.in_zone:
        return int(request.in_zone[layer])
    for seen in request.observed:
        if seen.layer == layer and (seen.state == "none" or seen.reach_m == 0):
            return int(seen.state == "present")
    return UNKNOWN
