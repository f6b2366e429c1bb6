"""The ends of medians: kerb inside an opening, and the corners that belong to a median."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geocheck.city.streets.medians import ROUNDING_M, SAME_STREET_M, Median
from geocheck.city.streets.stretches import Stretches, end_kinds, face_lengths, with_more

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.corners import Corners
    from geocheck.city.streets.kerbs import Kerbs


def with_noses(rows: Stretches, kerbs: Kerbs, corners: Corners) -> Stretches:
    """Add the ends of medians: kerb of a cross street between two carriageways, inside an opening.

    Such a face runs from corner to corner, and the kerb round either corner bounds a median.
    """
    length = face_lengths(kerbs)
    start, end = _round_the_corner(rows, kerbs, corners)
    kind = common(start, end)
    held = np.zeros(len(kerbs), np.int64)
    np.maximum.at(held, rows.face, np.where(rows.kind == Median.YES, 2, 1))
    nose = (kind != Median.NO) & (length <= SAME_STREET_M + ROUNDING_M)
    nose &= (held == 0) | ((held == 1) & (kind == Median.YES))
    face = np.flatnonzero(nose)
    noses = Stretches(
        face=face,
        from_m=np.zeros(len(face)),
        to_m=length[face],
        kind=kind[face],
        other=np.full(len(face), -1),
        gap_m=np.zeros(len(face)),
    )
    return with_more(rows.at(~nose[rows.face]), noses)


def _round_the_corner(
    rows: Stretches, kerbs: Kerbs, corners: Corners
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the kinds of the kerbs round the corner at the start and at the end of each face."""
    before, after = corner_kinds(rows, kerbs, corners)
    face = np.arange(len(kerbs))
    found = []
    for corner in (kerbs.start_corner, kerbs.end_corner):
        own_before = np.append(corners.face_before, -1)[corner] == face
        told = np.where(own_before, np.append(after, 0)[corner], np.append(before, 0)[corner])
        found.append(np.where(corner >= 0, told, Median.NO))
    return found[0], found[1]


def corner_kinds(
    rows: Stretches, kerbs: Kerbs, corners: Corners
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the `Median` of the kerbs before and after each corner, where they meet it, shape (c,)."""
    start, end = end_kinds(rows, face_lengths(kerbs))
    corner = np.arange(len(corners))
    found = []
    for face in (corners.face_before, corners.face_after):
        at_start = np.append(kerbs.start_corner, -1)[face] == corner
        kind = np.where(at_start, np.append(start, 0)[face], np.append(end, 0)[face])
        found.append(np.where(face >= 0, kind, Median.NO))
    return found[0], found[1]


def common(one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what two kerbs that meet bound together: `NO` where one of them does not."""
    none = (one == Median.NO) | (two == Median.NO)
    doubt = (one == Median.UNKNOWN) | (two == Median.UNKNOWN)
    mixed = np.where(one == two, one, Median.DIVIDER)
    return np.where(none, Median.NO, np.where(doubt, Median.UNKNOWN, mixed)).astype(np.int64)
