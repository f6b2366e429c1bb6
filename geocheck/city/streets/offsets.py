"""Joins the offset lines of a face's half-edges and collapses those whose offset runs backwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.faces import HalfEdges

STEP_TURN_RAD: Final = np.radians(30) - 1e-4
"""Below this turn, unequal widths meet in a step, where there is no corner."""

OUTER_BEND_RAD: Final = np.radians(110) + 1e-4
"""An outer bend sharper than this is cut off instead of running to a far point."""

_PARALLEL_SINE: Final = 0.02
"""Lines that differ by less than about one degree do not meet anywhere useful."""

_EQUAL_M: Final = 1e-6
_BACKWARDS_M: Final = -1e-7
_TIE: Final = 1e-7
_FAR: Final = 3.0
"""Once segments have gone, lines that meet further off than so many half-widths meet in a step."""

MAX_ROUNDS: Final = 200


class Joints(NamedTuple):
    """What may happen between a half-edge and the next, shape (h,) by the half-edge before it.

    Attributes:
        corner: two streets meet: the joint is a corner if the kerb turns right there.
        unknown: an arm is missing at the node.
        elbow: a sharp bend at which the street's name changes.
    """

    corner: NDArray[np.bool_]
    unknown: NDArray[np.bool_]
    elbow: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rim:
    """The kerbs of all faces: the half-edges left after collapsing, linked, with their ends.

    Attributes:
        alive: half-edges that have kerb, shape (h,).
        before: the one before on the face, of those alive.
        after: the one after.
        begin: where the kerb of a half-edge begins, metres, shape (h, 2).
        end: where it ends.
        step: the kerb jumps from `end` to the next `begin`, by the half-edge before.
        turn: to the right at the joint after, radians.
        joints: flags, those of collapsed half-edges inherited.
        owner: of each half-edge, the one alive whose joint swallowed its own, -1 where the face is gone.
        rounds: of collapsing.
        backwards: half-edges that still run backwards.
    """

    alive: NDArray[np.bool_]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    step: NDArray[np.bool_]
    turn: NDArray[np.float64]
    joints: Joints
    owner: NDArray[np.int64]
    rounds: int
    backwards: int


def rim(edges: HalfEdges, xy: NDArray[np.float64], joints: Joints) -> Rim:
    """Offset, join and collapse all faces at once.

    Args:
        edges: the half-edges.
        xy: of the nodes, metres, shape (n, 2).
        joints: what is known of each joint before collapsing.
    """
    size = len(edges.org)
    after = edges.after.copy()
    before = np.empty_like(after)
    before[after] = np.arange(size)
    alive = np.ones(size, bool)
    owner = np.arange(size)
    joints = Joints(*(flags.copy() for flags in joints))
    shape = _Offsets(edges, xy)
    rounds = 0
    while True:
        now = np.flatnonzero(alive)
        step, turn = shape.steps(after, joints.corner, now)
        begin, end = shape.ends(after, step, now, 1.0)
        length = _along(begin, end, edges.unit)
        backwards = alive & (length < _BACKWARDS_M)
        if not backwards.any() or rounds == MAX_ROUNDS:
            break
        rounds += 1
        axis = _along(*shape.ends(after, step, now, 0.0), edges.unit)
        gone = _first_to_invert(backwards, length, axis, before, after)
        _hand_over(gone, before, joints, owner)
        alive &= ~gone
        after, before = _past(gone, after), _past(gone, before)
        # The last one of a face bounds nothing.
        alive &= after != np.arange(size)
    return Rim(
        alive=alive,
        before=before,
        after=after,
        begin=begin,
        end=end,
        step=step,
        turn=turn,
        joints=joints,
        owner=_settled(owner, alive),
        rounds=rounds,
        backwards=int(np.count_nonzero(backwards)),
    )


class _Offsets:
    """Places at which the offset lines of neighbours on a face meet, or step."""

    def __init__(self, edges: HalfEdges, xy: NDArray[np.float64]) -> None:
        self.edges = edges
        self.right = np.column_stack([edges.unit[:, 1], -edges.unit[:, 0]])
        self.org, self.dst = xy[edges.org], xy[edges.dst]

    def steps(
        self, after: NDArray[np.int64], corner: NDArray[np.bool_], now: NDArray[np.int64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Return where the kerb steps instead of running to a meeting point, and the turns to the right."""
        edges, nxt = self.edges, after[now]
        cross, dot = _cross(edges.unit[now], edges.unit[nxt]), _dot(edges.unit[now], edges.unit[nxt])
        near = edges.dst[now] == edges.org[nxt]
        turn_now = -np.arctan2(cross, dot)
        equal = np.abs(edges.half_m[now] - edges.half_m[nxt]) < _EQUAL_M
        slight = np.abs(turn_now) < STEP_TURN_RAD
        parallel = (np.abs(cross) < _PARALLEL_SINE) & ~(near & equal & (dot > 0))
        found = (
            parallel
            | (slight & ~equal & ~corner[now])
            | (turn_now < -OUTER_BEND_RAD)
            | (near & (edges.sector[now] > np.pi + OUTER_BEND_RAD))
            | (nxt == now ^ 1)
        )
        far = ~near & ~found & ~corner[now] & slight
        found[far] = self._meets_far(now[far], nxt[far])
        # Where what lay between has collapsed, kerbs turn back to the right if their streets overlap, and
        # to the left round a nose if not: lines side by side do not tell which.
        back = ~near & found & (np.abs(turn_now) > OUTER_BEND_RAD)
        overlap = self._aside(now[back], nxt[back]) > -_TIE
        turn_now[back] = np.where(overlap, 1, -1) * np.abs(turn_now[back])
        step, turn = np.zeros(len(after), bool), np.zeros(len(after))
        step[now], turn[now] = found, turn_now
        return step, turn

    def _aside(self, one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how far to the left of a kerb the next, which runs back, begins if they step.

        Measured across the bisector of both, so that it is the same for whoever walks the other way.
        """
        stop, start = self._square(one, two)
        along = self.edges.unit[one] - self.edges.unit[two]
        return _cross(along / np.hypot(*along.T)[:, None], start - stop)

    def _square(
        self, one: NDArray[np.int64], two: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where a kerb ends and the next begins straight across from their nodes."""
        half = self.edges.half_m
        stop = self.dst[one] + half[one, None] * self.right[one]
        return stop, self.org[two] + half[two, None] * self.right[two]

    def _meets_far(self, one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.bool_]:
        half = self.edges.half_m
        stop, start = self._square(one, two)
        place = self._meet(one, two, 1.0)
        limit = _FAR * np.maximum(half[one], half[two])
        away = np.minimum(np.hypot(*(place - stop).T), np.hypot(*(place - start).T))
        return np.asarray(away > limit)

    def ends(
        self, after: NDArray[np.int64], step: NDArray[np.bool_], now: NDArray[np.int64], share: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where the lines of half-edges begin and end at a share of their offset, shapes (h, 2)."""
        nxt, jump = after[now], step[now]
        begin, end = np.full_like(self.org, np.nan), np.full_like(self.org, np.nan)
        meet = self._meet(now[~jump], nxt[~jump], share)
        end[now[~jump]], begin[nxt[~jump]] = meet, meet
        one, two = now[jump], nxt[jump]
        across = self._across(one, two)
        half = share * self.edges.half_m[:, None]
        end[one] = self.dst[one] + half[one] * across[0]
        begin[two] = self.org[two] + half[two] * across[1]
        return begin, end

    def _across(
        self, one: NDArray[np.int64], two: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return along which lines kerbs of half-width 1 step, from their nodes: straight across them.

        On the inside of a slight bend along its bisector: straight across, the first would run past the
        beginning of the second, and the step would be a hook back to it.
        """
        n1, n2 = self.right[one], self.right[two]
        dot = _dot(n1, n2)
        inside = (self.edges.dst[one] == self.edges.org[two]) & (dot > np.cos(STEP_TURN_RAD))
        inside &= _cross(n1, n2) < 0
        bisector = (n1 + n2) / np.where(inside, 1 + dot, 1.0)[:, None]
        return np.where(inside[:, None], bisector, n1), np.where(inside[:, None], bisector, n2)

    def _meet(self, one: NDArray[np.int64], two: NDArray[np.int64], share: float) -> NDArray[np.float64]:
        """Return where offset lines meet, shape (k, 2)."""
        edges = self.edges
        n1, n2 = self.right[one], self.right[two]
        w1, w2 = share * edges.half_m[one], share * edges.half_m[two]
        gap = _dot(self.org[two] - self.dst[one], n2)
        cross, dot = _cross(edges.unit[one], edges.unit[two]), _dot(edges.unit[one], edges.unit[two])
        near = edges.dst[one] == edges.org[two]
        even = near & (np.abs(w1 - w2) < _EQUAL_M) & (dot > -1 + _TIE)
        # Equal widths at one node: along the bisector, which is exact however slight the bend.
        bisector = (w1 / np.where(even, 1 + dot, 1.0))[:, None] * (n1 + n2)
        # Else run on along the first line: x = w1 n1 + s u1 with x . n2 = w2 + gap.
        run = (w2 + gap - w1 * dot) / np.where(even, 1.0, cross)
        general = w1[:, None] * n1 + run[:, None] * edges.unit[one]
        return self.dst[one] + np.where(even[:, None], bisector, general)


def _first_to_invert(
    backwards: NDArray[np.bool_],
    length: NDArray[np.float64],
    axis: NDArray[np.float64],
    before: NDArray[np.int64],
    after: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Of neighbours that run backwards take those whose length is zero at the smallest share of the offset.

    Equals go together.
    """
    share = np.full(len(length), np.inf)
    some = np.flatnonzero(backwards)
    start = np.maximum(axis[some], 0.0)
    share[some] = start / (start - length[some])
    return np.asarray(backwards & (share <= share[before] + _TIE) & (share <= share[after] + _TIE))


def _hand_over(
    gone: NDArray[np.bool_], before: NDArray[np.int64], joints: Joints, owner: NDArray[np.int64]
) -> None:
    """Let the joint after each half-edge that goes be swallowed by the joint before it."""
    rows = np.flatnonzero(gone)
    heir = _past(gone, before)[rows]
    for flags in joints:
        np.logical_or.at(flags, heir, flags[rows])
    owner[rows] = heir


def _past(gone: NDArray[np.bool_], link: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return links that skip what is gone; a face that is all gone keeps links into itself."""
    skip = np.where(gone, link, np.arange(len(link)))
    for _ in range(int(np.ceil(np.log2(len(link) + 1))) + 1):
        further = skip[skip]
        if np.array_equal(further, skip):
            break
        skip = further
    return skip[link]


def _settled(owner: NDArray[np.int64], alive: NDArray[np.bool_]) -> NDArray[np.int64]:
    for _ in range(int(np.ceil(np.log2(len(owner) + 1))) + 1):
        owner = owner[owner]
    return np.where(alive[owner], owner, -1)


def _along(
    begin: NDArray[np.float64], end: NDArray[np.float64], unit: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.nan_to_num(_dot(end - begin, unit))


def _dot(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1])


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
