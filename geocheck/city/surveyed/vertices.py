"""Vertices of block faces, replaced, and the faces laid out anew over them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.ragged import owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.kerbs import Kerbs

SAME_PLACE_M: Final = 1e-6

_BEYOND_M: Final = 2.0
"""So much farther than its end moved may lie what went beyond it."""


class Vertices(NamedTuple):
    """Vertices of faces to be, with the segment that each begins.

    Attributes:
        face: shape (k,).
        where: as of `Looks`: place in the order along the face.
        xy: metres, shape (k, 2).
        edge: of the pool that the segment follows, -1 where the face keeps to itself.
    """

    face: NDArray[np.int64]
    where: NDArray[np.float64]
    xy: NDArray[np.float64]
    edge: NDArray[np.int64]


def vertices_of(kerbs: Kerbs) -> Vertices:
    """Return the vertices of faces as they are."""
    face = owners(kerbs.start)
    where = (np.arange(len(face)) - face).astype(np.float64)
    return Vertices(face, where, kerbs.xy, np.full(len(face), -1, np.int64))


def ordered(*parts: Vertices) -> Vertices:
    """Return the vertices of several lists in order along their faces."""
    both = Vertices._make(np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.lexsort((both.where, both.face))
    return Vertices._make(column[order] for column in both)


def ended(vertices: Vertices, face_xy: NDArray[np.float64], unit: NDArray[np.float64]) -> Vertices:
    """Put the ends of faces where they are now, and leave out what lies beyond them or repeats a place."""
    face, xy = vertices.face, vertices.xy.copy()
    turn = np.flatnonzero(np.diff(face)) + 1
    tips = np.stack([np.append(0, turn), np.append(turn, len(face)) - 1], axis=1)
    moved = np.hypot(*(face_xy - xy[tips]).transpose(2, 0, 1))
    xy[tips] = face_xy
    keep = np.ones(len(face), bool)
    for side in (0, 1):
        off = xy - face_xy[face, side]
        beyond = (off * unit[face, side]).sum(axis=1) > -SAME_PLACE_M
        far = moved[face, side]
        keep &= ~((far > 0) & beyond & (np.hypot(off[:, 0], off[:, 1]) < far + _BEYOND_M))
    keep[tips] = True
    kept = np.flatnonzero(keep)
    gap = np.append(np.inf, np.hypot(*np.diff(xy[kept], axis=0).T))
    # Of two vertices at one place the second goes, unless it is the end.
    again = (gap <= SAME_PLACE_M) & ~np.isin(kept, tips)
    kept = kept[~again]
    return Vertices(face[kept], vertices.where[kept], xy[kept], vertices.edge[kept])


def rebuilt(kerbs: Kerbs, vertices: Vertices) -> tuple[Kerbs, NDArray[np.int64]]:
    """Lay out faces over other vertices.

    Returns:
        The faces, and for each segment that on which it lay before, whose attributes it has.
    """
    count = len(kerbs)
    start = np.searchsorted(vertices.face, np.arange(count + 1)).astype(np.int64)
    begins = segment_heads(vertices)
    old = np.floor(vertices.where[begins]).astype(np.int64)
    old = np.minimum(old, kerbs.segment_start[vertices.face[begins] + 1] - 1)
    laid = replace(
        kerbs,
        xy=vertices.xy,
        start=start,
        segment_start=start - np.arange(count + 1),
        segment_axis=kerbs.segment_axis[old],
        segment_way=kerbs.segment_way[old],
        segment_side=kerbs.segment_side[old],
        segment_half_m=kerbs.segment_half_m[old],
        segment_flow=kerbs.segment_flow[old],
        segment_inner=kerbs.segment_inner[old],
        segment_step=kerbs.segment_step[old],
    )
    return laid, old


def segment_heads(vertices: Vertices) -> NDArray[np.bool_]:
    """Tell which vertices begin a segment: all but the last of each face."""
    return np.append(np.diff(vertices.face) == 0, False)
