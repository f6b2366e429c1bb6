"""One ruler: every side of every street laid end to end, across the mouths of its side streets.

A place along a kerb becomes one number, and a distance that runs on across mouths a difference of two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

from geocheck.city.links import chains_of
from geocheck.city.ragged import counted
from geocheck.city.ruler.walked import walked_along
from geocheck.city.streets.covered import lines_of
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.corners import Mouths
    from geocheck.city.streets.kerbs import Kerbs

GUARD_M: Final = 400.0
"""Between two sides: farther than any rule reaches."""

MOUTH: Final = -1
"""Stands for the kerb where a segment is the chord of a mouth."""

_TIE_M: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Ruler:
    """All k kerbs on q sides, as g segments in order of station; stations in metres.

    Attributes:
        xy: ends of the segments in the city's system, metres, shape (g, 4): x0, y0, x1, y1.
        s: station of their start, shape (g,).
        length_m: of each, as stations count it: a step takes up none.
        step: the kerb jumps out or in along it, shape (g,).
        kerb: whose segment it is, `MOUTH` for a chord, shape (g,).
        part: index of the segment in `Kerbs`, `MOUTH` for a chord, shape (g,).
        flow: 1 where the traffic beside it runs with the ruler, -1 where against it; on a chord as before it.
        kerb_side: side of each kerb, shape (k,).
        kerb_s: station of the kerb's own start, shape (k,).
        kerb_sense: 1 where the kerb runs with the ruler, -1 where against it, shape (k,).
        side_s: station of the start of each side, shape (q,).
        side_length_m: mouths included, shape (q,).
        side_ring: it ends where it begins, shape (q,).
        side_start_kind: `EndKind` of its first kerb's end there, shape (q,).
        side_end_kind: the same of the last.
        unlinked: mouths that no side runs across, for their ends do not fit.
    """

    xy: NDArray[np.float64]
    s: NDArray[np.float64]
    length_m: NDArray[np.float64]
    step: NDArray[np.bool_]
    kerb: NDArray[np.int64]
    part: NDArray[np.int64]
    flow: NDArray[np.int64]
    kerb_side: NDArray[np.int64]
    kerb_s: NDArray[np.float64]
    kerb_sense: NDArray[np.int64]
    side_s: NDArray[np.float64]
    side_length_m: NDArray[np.float64]
    side_ring: NDArray[np.bool_]
    side_start_kind: NDArray[np.int64]
    side_end_kind: NDArray[np.int64]
    unlinked: int

    def station(self, kerb: NDArray[np.int64], along_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the station of a place so many metres walked along its kerb, as the kerb is directed."""
        return np.asarray(self.kerb_s[kerb] + self.kerb_sense[kerb] * along_m)

    def stretch(
        self, kerb: NDArray[np.int64], from_m: NDArray[np.float64], to_m: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lower and the higher station of stretches along kerbs, as these are directed."""
        one, two = self.station(kerb, from_m), self.station(kerb, to_m)
        return np.minimum(one, two), np.maximum(one, two)


class _Order(NamedTuple):
    """Kerbs in order along their sides; "back" items walk a kerb from its end to its start.

    Attributes:
        item: kerb * 2, plus 1 where it is walked backwards, shape (k,).
        side: of each, shape (k,).
        ring: of each side, shape (q,).
    """

    item: NDArray[np.int64]
    side: NDArray[np.int64]
    ring: NDArray[np.bool_]


class Sides(Protocol):
    """Block faces, and the mouths between them."""

    @property
    def kerbs(self) -> Kerbs:
        """The faces."""

    @property
    def mouths(self) -> Mouths:
        """Where those of one side are open for side streets."""


def lay_out(streets: Sides) -> Ruler:
    """Lay the sides of all streets on one ruler."""
    kerbs = streets.kerbs
    partner = _partners(kerbs, streets.mouths)
    order = _ordered(kerbs, partner)
    pieces = _with_chords(_kerb_pieces(kerbs, order), order, partner)
    return _measured(kerbs, order, pieces, len(streets.mouths) - int(np.count_nonzero(partner >= 0)) // 2)


def _partners(kerbs: Kerbs, mouths: Mouths) -> NDArray[np.int64]:
    """Return for each end of a kerb (kerb * 2, plus 1 for its end) that across the mouth, -1 for none.

    A mouth of which a kerb is missing links nothing; of several at one end the narrowest is crossed.
    """
    held = np.flatnonzero((mouths.face_from >= 0) & (mouths.face_to >= 0))
    left, right = mouths.face_from[held], mouths.face_to[held]
    leaves = kerbs.end_corner[left] == mouths.corner_from[held]
    enters = kerbs.start_corner[right] == mouths.corner_to[held]
    fits = leaves | (kerbs.start_corner[left] == mouths.corner_from[held])
    fits &= enters | (kerbs.end_corner[right] == mouths.corner_to[held])
    one, two = left * 2 + leaves, right * 2 + ~enters
    partner = np.full(2 * len(kerbs), -1, np.int64)
    for row in np.lexsort((one, mouths.width_m[held])):
        a, b = one[row], two[row]
        if fits[row] and a != b and partner[a] < 0 and partner[b] < 0:
            partner[a], partner[b] = b, a
    return partner


def _ordered(kerbs: Kerbs, partner: NDArray[np.int64]) -> _Order:
    """Order the kerbs of each side, walked as the greater part of its traffic runs."""
    first, last = kerbs.xy[kerbs.start[:-1]], kerbs.xy[kerbs.start[1:] - 1]
    enter = np.stack([first, last], axis=1).reshape(-1, 2)
    items = np.arange(2 * len(kerbs))
    leave = enter[items ^ 1]
    rank = np.empty(len(items), np.int64)
    rank[np.lexsort((leave[:, 1], leave[:, 0], enter[:, 1], enter[:, 0]))] = items
    before = np.where(partner >= 0, partner ^ 1, -1)
    chains = chains_of(before, rank)
    twisted = chains.head == chains.head[items ^ 1]  # a side that comes back on itself the other way round
    if twisted.any():
        partner[twisted | twisted[items ^ 1]] = -1
        return _ordered(kerbs, np.where((partner >= 0) & (partner[partner] == items), partner, -1))
    along = _with_traffic_m(kerbs)
    traffic = np.bincount(chains.head, np.stack([along, -along], axis=1).ravel(), len(items))
    mine, mirrored = traffic[chains.head], traffic[chains.head[items ^ 1]]
    ahead = rank[chains.head] < rank[chains.head[items ^ 1]]
    kept = (mine > mirrored + _TIE_M) | ((np.abs(mine - mirrored) <= _TIE_M) & ahead)
    chosen = items[kept]
    chosen = chosen[np.lexsort((chains.rank[chosen], rank[chains.head[chosen]]))]
    begins = chains.rank[chosen] == 0
    return _Order(chosen, np.cumsum(begins) - 1, chains.ring[chosen[begins]])


def _with_traffic_m(kerbs: Kerbs) -> NDArray[np.float64]:
    """Return the length of each kerb along which traffic runs as it does, less the length against."""
    return np.add.reduceat(kerbs.segment_flow * lines_of(kerbs).length_m, kerbs.segment_start[:-1])


class _Pieces(NamedTuple):
    """Straight pieces in order along the ruler: the columns of `Ruler`, and the side of each."""

    xy: NDArray[np.float64]
    kerb: NDArray[np.int64]
    part: NDArray[np.int64]
    flow: NDArray[np.int64]
    side: NDArray[np.int64]


def _kerb_pieces(kerbs: Kerbs, order: _Order) -> _Pieces:
    """Return the segments of all kerbs, turned round where a kerb is walked backwards."""
    kerb, back = order.item >> 1, order.item % 2 == 1
    count = np.diff(kerbs.segment_start)[kerb]
    owner, place = counted(count)
    part = kerbs.segment_start[kerb[owner]] + np.where(back[owner], count[owner] - 1 - place, place)
    vertex = part + kerb[owner]  # a kerb has one vertex more than segments
    ahead, behind = kerbs.xy[vertex], kerbs.xy[vertex + 1]
    turned = back[owner]
    xy = np.where(turned[:, None], np.hstack([behind, ahead]), np.hstack([ahead, behind]))
    flow = kerbs.segment_flow[part] * np.where(turned, -1, 1)
    return _Pieces(xy, kerb[owner], part, flow, order.side[owner])


def _with_chords(pieces: _Pieces, order: _Order, partner: NDArray[np.int64]) -> _Pieces:
    """Put the chord of its mouth after each kerb that has one there, on a ring after the last as well."""
    here = np.arange(len(order.item))
    begin = np.searchsorted(order.side, order.side)
    last = np.searchsorted(order.side, order.side, side="right") == here + 1
    following = np.where(last, begin, here + 1)
    head = np.flatnonzero(np.diff(pieces.kerb, prepend=-1))
    tail = np.append(head[1:], len(pieces.kerb)) - 1
    open_ = partner[order.item ^ 1] >= 0
    tail, head = tail[open_], head[following[open_]]
    none = np.full(len(tail), MOUTH)
    chords = np.hstack([pieces.xy[tail, 2:], pieces.xy[head, :2]])
    rows = np.argsort(np.concatenate([np.arange(len(pieces.kerb)), tail + 0.5]), kind="stable")
    return _Pieces(
        np.vstack([pieces.xy, chords])[rows],
        np.concatenate([pieces.kerb, none])[rows],
        np.concatenate([pieces.part, none])[rows],
        np.concatenate([pieces.flow, pieces.flow[tail]])[rows],
        np.concatenate([pieces.side, pieces.side[tail]])[rows],
    )


def _measured(kerbs: Kerbs, order: _Order, pieces: _Pieces, unlinked: int) -> Ruler:
    """Give every piece its station."""
    step = (pieces.part != MOUTH) & np.append(kerbs.segment_step, False)[pieces.part]
    length = np.hypot(pieces.xy[:, 2] - pieces.xy[:, 0], pieces.xy[:, 3] - pieces.xy[:, 1])
    length = np.where(step, 0.0, length)
    side_length = np.bincount(pieces.side, length, len(order.ring)).astype(float)  # of no piece: whole
    side_s = GUARD_M + np.cumsum(side_length + GUARD_M) - side_length - GUARD_M
    first = np.searchsorted(pieces.side, np.arange(len(order.ring)))
    total = np.cumsum(length) - length
    s = total - total[first][pieces.side] + side_s[pieces.side]
    kerb, back = order.item >> 1, order.item % 2 == 1
    enter = np.flatnonzero((pieces.kerb != MOUTH) & (np.diff(pieces.kerb, prepend=-2) != 0))
    kerb_s, kerb_sense, kerb_side = np.empty(len(kerbs)), np.empty(len(kerbs), int), np.empty(len(kerbs), int)
    kerb_s[kerb] = s[enter] + np.where(back, walked_along(kerbs).kerb_m[kerb], 0.0)
    kerb_sense[kerb], kerb_side[kerb] = np.where(back, -1, 1), order.side
    kind = np.stack([kerbs.start_kind, kerbs.end_kind], axis=1).ravel()
    begins = np.searchsorted(order.side, np.arange(len(order.ring)))
    ends = np.append(begins[1:], len(order.item)) - 1
    start_kind, end_kind = kind[order.item[begins]], kind[order.item[ends] ^ 1]
    return Ruler(
        xy=pieces.xy,
        s=s,
        length_m=length,
        step=step,
        kerb=pieces.kerb,
        part=pieces.part,
        flow=pieces.flow,
        kerb_side=kerb_side,
        kerb_s=kerb_s,
        kerb_sense=kerb_sense,
        side_s=side_s,
        side_length_m=side_length,
        side_ring=order.ring | ((start_kind == EndKind.NONE) & (end_kind == EndKind.NONE)),
        side_start_kind=start_kind,
        side_end_kind=end_kind,
        unlinked=unlinked,
    )
