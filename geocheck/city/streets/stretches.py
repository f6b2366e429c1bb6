"""Stretches of block faces by stations: joined where they touch, closed over small holes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.city.ragged import ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.kerbs import Kerbs

_TOUCH_M: Final = 0.01
"""Stretches so near to one another touch; so near to the end of a face they reach it."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """k stretches of kerb, none over another, sorted by face and station.

    Attributes:
        face: block face, shape (k,).
        from_m: station at which the stretch begins, along the face.
        to_m: station at which it ends.
        kind: what lies beside it (`medians.Median`).
        other: block face across, -1 where that is not what decides.
        gap_m: greatest distance to it, 0 where there is none.
    """

    face: NDArray[np.int64]
    from_m: NDArray[np.float64]
    to_m: NDArray[np.float64]
    kind: NDArray[np.int64]
    other: NDArray[np.int64]
    gap_m: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Stretches:
        """Return some of them, by index or mask."""
        return Stretches(*(getattr(self, each.name)[rows] for each in fields(self)))

    def __len__(self) -> int:
        return len(self.face)


def with_more(one: Stretches, two: Stretches) -> Stretches:
    """Return both, sorted."""
    both = with_rows(one, two)
    return both.at(np.lexsort((both.from_m, both.face)))


def with_rows(one: Stretches, two: Stretches) -> Stretches:
    """Return the rows of one and then those of the other."""
    return Stretches(
        *(np.concatenate([getattr(one, each.name), getattr(two, each.name)]) for each in fields(one))
    )


def face_lengths(kerbs: Kerbs) -> NDArray[np.float64]:
    """Return the lengths of the block faces, shape (f,)."""
    step = np.diff(kerbs.xy, axis=0)
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(step[:, 0], step[:, 1]))])
    return np.asarray(travelled[kerbs.start[1:] - 1] - travelled[kerbs.start[:-1]])


def joined(found: Stretches, length_m: NDArray[np.float64], ring: NDArray[np.bool_]) -> Stretches:
    """Join stretches that touch, and close holes that are shorter than the gap across is wide.

    On the outer side of a bend, and where an opening lies askew, a kerb sees nothing straight across for as
    long as that.

    Args:
        found: stretches, none over another, in any order.
        length_m: of the block faces, shape (f,).
        ring: faces that have no ends: they are only cut open.
    """
    rows = _merged(found.at(np.lexsort((found.from_m, found.face))))
    if not len(rows):
        return rows
    from_m, to_m = rows.from_m.copy(), rows.to_m.copy()
    next_on = rows.face[1:] == rows.face[:-1]
    hole = from_m[1:] - to_m[:-1]
    small = next_on & (hole <= np.maximum(rows.gap_m[1:], rows.gap_m[:-1]))
    middle = (from_m[1:] + to_m[:-1]) / 2
    from_m[1:] = np.where(small, middle, from_m[1:])
    to_m[:-1] = np.where(small, middle, to_m[:-1])
    open_ = ~ring[rows.face]
    first, last = np.append(True, ~next_on) & open_, np.append(~next_on, True) & open_
    end = length_m[rows.face]
    from_m = np.where(first & (from_m <= rows.gap_m + _TOUCH_M), 0.0, from_m)
    to_m = np.where(last & (end - to_m <= rows.gap_m + _TOUCH_M), end, to_m)
    return _merged(replace(rows, from_m=from_m, to_m=to_m))


def _merged(rows: Stretches) -> Stretches:
    fresh = np.ones(len(rows.face), bool)
    fresh[1:] = (
        (rows.face[1:] != rows.face[:-1])
        | (rows.kind[1:] != rows.kind[:-1])
        | (rows.other[1:] != rows.other[:-1])
        | (rows.from_m[1:] - rows.to_m[:-1] > _TOUCH_M)
    )
    head = np.flatnonzero(fresh)
    tail = np.append(head[1:], len(fresh)) - 1
    if not len(head):
        return rows
    gap_m = np.maximum.reduceat(rows.gap_m, head)
    return replace(rows.at(head), to_m=rows.to_m[tail], gap_m=gap_m)


def end_kinds(rows: Stretches, length_m: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the kinds that stretches have at the start and at the end of each face, 0 for none."""
    start, end = np.zeros(len(length_m), np.int64), np.zeros(len(length_m), np.int64)
    opens, shuts = rows.from_m <= _TOUCH_M, rows.to_m >= length_m[rows.face] - _TOUCH_M
    start[rows.face[opens]] = rows.kind[opens]
    end[rows.face[shuts]] = rows.kind[shuts]
    return start, end


def drawn(kerbs: Kerbs, rows: Stretches) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the vertices of stretches in order along their faces, and the row of each."""
    step = np.diff(kerbs.xy, axis=0)
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(step[:, 0], step[:, 1]))])
    head, tail = kerbs.start[rows.face], kerbs.start[rows.face + 1] - 1
    low, high = travelled[head] + rows.from_m, travelled[head] + rows.to_m
    first = np.clip(np.searchsorted(travelled, low, side="right"), head + 1, tail)
    last = np.clip(np.searchsorted(travelled, high, side="left"), head + 1, tail)
    owner, inside = ranges(first, last)
    ends = []
    for at, place in ((first, low), (last, high)):
        share = (place - travelled[at - 1]) / np.maximum(travelled[at] - travelled[at - 1], 1e-12)
        ends.append(kerbs.xy[at - 1] + np.clip(share, 0, 1)[:, None] * step[at - 1])
    row = np.concatenate([np.arange(len(rows)), owner, np.arange(len(rows))])
    rank = np.concatenate([np.full(len(rows), -1), np.arange(len(owner)), np.full(len(rows), len(owner))])
    order = np.lexsort((rank, row))
    return np.concatenate([ends[0], kerbs.xy[inside], ends[1]])[order], row[order]


def main_kinds(rows: Stretches, length_m: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the kind along the greater part of each face, 0 where that is none, shape (f,)."""
    kinds = int(rows.kind.max(initial=0)) + 1
    held = np.zeros((len(length_m), kinds))
    np.add.at(held, (rows.face, rows.kind), rows.to_m - rows.from_m)
    held[:, 0] = length_m - held[:, 1:].sum(axis=1)
    return np.asarray(held.argmax(axis=1))
