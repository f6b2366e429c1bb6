"""Kerbs as pieces, and walks along them: straight on across the mouths, on the same side of the street."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import shapely

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from tests.check.oracle.world import World

FAR_M = 320.0
"""So far one walks along the kerb to either side of a skip."""

End = tuple[int, int]
"""An end of a kerb: its row, and 0 for its start or 1 for its end."""


class Piece(NamedTuple):
    """A straight piece of kerb, or the straight line across a mouth, which has an end of a kerb at each end.

    `flow` is 1 where the traffic beside it runs from `one` to `two`, `inward` 1 where the carriageway lies
    on its left.
    """

    kerb: int | None
    ends: tuple[End, End] | None
    one: tuple[float, float]
    two: tuple[float, float]
    before_m: float
    accuracy_m: float
    flow: int
    inward: int
    side: int
    way: int
    level: int | None
    step: bool

    @property
    def line(self) -> shapely.LineString:
        """Return it as a line."""
        return shapely.LineString([self.one, self.two])

    @property
    def length_m(self) -> float:
        """Return its length."""
        return math.dist(self.one, self.two)

    @property
    def walk_m(self) -> float:
        """Return how far it takes one along the street: a jump of the kerb, out or in, does not."""
        return 0.0 if self.step else self.length_m


class Visit(NamedTuple):
    """What one walks past, from `low` to `high` metres ahead of the skip (below zero: behind it).

    `sense` is 1 where a kerb runs the way one looks; `ends` are those of the kerbs on both sides of a mouth,
    None where there is no kerb.
    """

    kind: Literal["kerb", "mouth", "end"]
    low: float
    high: float
    kerb: int
    sense: int
    ends: tuple[End | None, End | None]


class Kerbs:
    """All kerbs of a bundle."""

    def __init__(self, world: World) -> None:
        layer = world.layer("kerb")
        assert layer is not None
        self.rows = layer.rows
        self.lines = layer.shapes
        self.link = _links(world)
        self.pieces = self._pieces(world)
        own = self._of_kerb
        self.length_m = [sum(piece.walk_m for piece in own.get(row, [])) for row in range(len(self.lines))]
        self._boxes = np.array([piece.line.bounds for piece in self.pieces]).reshape(-1, 4)

    def near(self, place: BaseGeometry, reach_m: float) -> list[Piece]:
        """Return the pieces within reach."""
        west, south, east, north = place.bounds
        boxes = self._boxes
        held = (boxes[:, 0] <= east + reach_m) & (boxes[:, 2] >= west - reach_m)
        held &= (boxes[:, 1] <= north + reach_m) & (boxes[:, 3] >= south - reach_m)
        found = [self.pieces[row] for row in np.flatnonzero(held)]
        return [piece for piece in found if piece.line.distance(place) <= reach_m]

    def walk(self, piece: Piece, along_m: float) -> list[Visit]:
        """Return what lies along the kerb to both sides of a place on a piece, as seen along the piece."""
        visits: list[Visit] = []
        if piece.ends is not None:
            low, high = -along_m, piece.length_m - along_m
            visits.append(Visit("mouth", low, high, -1, 0, piece.ends))
            self._go(visits, piece.ends[1], high, 1)
            self._go(visits, piece.ends[0], low, -1)
            return visits
        assert piece.kerb is not None
        length = self.length_m[piece.kerb]
        before = piece.before_m + along_m
        visits.append(Visit("kerb", -before, length - before, piece.kerb, 1, (None, None)))
        self._leave(visits, (piece.kerb, 1), length - before, 1)
        self._leave(visits, (piece.kerb, 0), -before, -1)
        return visits

    def _go(self, visits: list[Visit], entered: End, at_m: float, way: int) -> None:
        """Walk on from the end of a kerb at which one enters it, ahead (1) or back (-1)."""
        kerb, end = entered
        length = self.length_m[kerb]
        # One who walks ahead and enters at the start walks with the kerb.
        sense = way if end == 0 else -way
        low, high = (at_m, at_m + length) if way == 1 else (at_m - length, at_m)
        visits.append(Visit("kerb", low, high, kerb, sense, (None, None)))
        self._leave(visits, (kerb, 1 - end), at_m + way * length, way)

    def _leave(self, visits: list[Visit], left: End, at_m: float, way: int) -> None:
        if abs(at_m) > FAR_M:
            return
        other = self.link.get(left)
        if other is not None:
            gap = math.dist(self.place(left), self.place(other))
            low, high = (at_m, at_m + gap) if way == 1 else (at_m - gap, at_m)
            ends = (left, other) if way == 1 else (other, left)
            visits.append(Visit("mouth", low, high, -1, 0, ends))
            self._go(visits, other, at_m + way * gap, way)
        elif self._is_round(left[0]):
            self._go(visits, (left[0], 1 - left[1]), at_m, way)
        else:
            last: tuple[End | None, End | None] = (left, None) if way == 1 else (None, left)
            visits.append(Visit("end", at_m, at_m, left[0], way, last))

    def _is_round(self, kerb: int) -> bool:
        return bool(self.rows[kerb]["start_kind"] == self.rows[kerb]["end_kind"] == "none")

    def place_along(self, walk: list[Visit], ahead_m: float) -> shapely.Point:
        """Return the place so far ahead on a walk, or where that ends."""
        kerbs = [each for each in walk if each.kind != "end"]
        at = min(max(ahead_m, min(each.low for each in kerbs)), max(each.high for each in kerbs))
        visit = next(each for each in kerbs if each.low - 1e-9 <= at <= each.high + 1e-9)
        if visit.kind == "kerb":
            along = at - visit.low if visit.sense == 1 else visit.high - at
            own = [piece for piece in self._of_kerb[visit.kerb] if not piece.step]
            piece = next((each for each in own if along <= each.before_m + each.walk_m + 1e-9), own[-1])
            return piece.line.interpolate(along - piece.before_m)
        one, two = (self.place(end) for end in visit.ends if end is not None)
        return shapely.LineString([one, two]).interpolate(at - visit.low)

    def place(self, end: End) -> tuple[float, float]:
        """Return the place of an end of a kerb."""
        xy = self.lines[end[0]].coords[-end[1]]
        return (xy[0], xy[1])

    def kind(self, end: End) -> str:
        """Return why a kerb ends there."""
        return str(self.rows[end[0]]["end_kind" if end[1] else "start_kind"])

    def corner(self, end: End) -> int:
        """Return the corner at an end, -1 for none."""
        return int(self.rows[end[0]]["end_corner" if end[1] else "start_corner"])

    def _pieces(self, world: World) -> list[Piece]:
        """Return all pieces; what they are like is told by the table `segment`."""
        told = {}
        for row in world.table("segment"):
            one, two = (row["x0"], row["y0"]), (row["x1"], row["y1"])
            told[row["kerb"], one, two] = (row, 1)
            told.setdefault((row["kerb"], two, one), (row, -1))
        pieces = []
        for kerb, line in enumerate(self.lines):
            before = 0.0
            for one, two in pairwise([(x, y) for x, y, *_ in line.coords]):
                row, sense = told[kerb, one, two]
                pieces.append(_piece(row, sense, (kerb, None, one, two, before)))
                before += pieces[-1].walk_m
        for left, right in self.link.items():
            # Of the two ways to walk across a mouth that of the table tells which kerb is the one before it.
            row, sense = told[-1, self.place(left), self.place(right)]
            if sense == 1 and (left <= right or (row["x0"], row["y0"]) != (row["x1"], row["y1"])):
                place = (None, (left, right), self.place(left), self.place(right), 0.0)
                pieces.append(_piece(row, 1, place))
        return pieces

    def ways_along(self, visit: Visit) -> list[tuple[float, float, int]]:
        """Return from where to where along a walk the kerb is that of which way, piece by piece."""
        if visit.kind == "mouth":
            chord = [
                each for each in self.pieces if each.ends is not None and set(each.ends) == set(visit.ends)
            ]
            return [(visit.low, visit.high, each.way) for each in chord]
        found = []
        for piece in self._of_kerb.get(visit.kerb, []) if visit.kind == "kerb" else []:
            begin, end = piece.before_m, piece.before_m + piece.walk_m
            if visit.sense == 1:
                found.append((visit.low + begin, visit.low + end, piece.way))
            else:
                found.append((visit.high - end, visit.high - begin, piece.way))
        return sorted(found)

    @cached_property
    def _of_kerb(self) -> dict[int, list[Piece]]:
        found: dict[int, list[Piece]] = {}
        for piece in self.pieces:
            if piece.kerb is not None:
                found.setdefault(piece.kerb, []).append(piece)
        return found


def _piece(
    row: dict[str, Any],
    sense: int,
    place: tuple[int | None, tuple[End, End] | None, tuple[float, float], tuple[float, float], float],
) -> Piece:
    more = (row["accuracy_m"], row["flow"] * sense, row["inward"] * sense, row["side"])
    return Piece(*place, *more, row["way"], row.get("level"), row["step"] == 1)


def _links(world: World) -> dict[End, End]:
    """Return which end of a kerb follows on which across a mouth.

    A mouth joins the ends of its two kerbs that lie at its two corners; of several at one end the narrowest
    counts. A side that would come back along itself the other way round is not joined at all.
    """
    layer, kerbs = world.layer("mouth"), world.layer("kerb")
    if layer is None or kerbs is None:
        return {}
    joins = []
    for row in layer.rows:
        left = _end_at(kerbs.rows, row["kerb_from"], row["corner_from"], 1)
        right = _end_at(kerbs.rows, row["kerb_to"], row["corner_to"], 0)
        if left is not None and right is not None and left != right:
            joins.append((row["width_m"], left, right))
    link: dict[End, End] = {}
    for _, left, right in sorted(joins):
        if left not in link and right not in link:
            link[left], link[right] = right, left
    return _without_twists(link)


def _end_at(rows: list[dict[str, object]], kerb: int, corner: int, first: int) -> End | None:
    if kerb < 0:
        return None
    for end in (first, 1 - first):
        if rows[kerb]["end_corner" if end else "start_corner"] == corner:
            return (kerb, end)
    return None


def _without_twists(link: dict[End, End]) -> dict[End, End]:
    twisted: set[End] = set()
    for begin in link:
        seen, end = [], begin
        while end in link and end not in seen:
            seen.append(end)
            kerb, entered = link[end]
            end = (kerb, 1 - entered)
        # Left by both ends of one kerb in one walk: the side comes back on itself.
        if any((kerb, 1 - end) in seen for kerb, end in seen):
            twisted.update(seen)
            twisted.update(link[each] for each in seen)
    return {left: right for left, right in link.items() if left not in twisted and right not in twisted}
