"""Ends of faces that follow drawn kerbs: prolonged, they give the corners anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.planar import cross_product
from geocheck.city.surveyed.looks import REACH_M
from geocheck.city.surveyed.turns import TurnKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.surveyed.looks import Looks, Runs
    from geocheck.city.surveyed.turns import Turns

_BASE_LOOKS: Final = 10
"""Looks, a metre apart, over which the direction of a prolonged kerb is taken."""

_FARTHEST_M: Final = 8.0
"""A corner does not move farther."""

_BACK_M: Final = 1.0

_LEAST_SINE: Final = 0.3
"""Kerbs that meet more flatly do not tell where."""

_SAME_CORNER_M: Final = 1.0


class FaceEnds(NamedTuple):
    """The ends of f faces: columns start and end.

    Attributes:
        near: a run reaches so near the end that its kerb is prolonged to it, shape (f, 2).
        where: place of the first and the last look of a run on the face, shape (f, 2).
        edge: of the pool there, shape (f, 2).
        at: a point of the line on which the end lies: the run's, or the face's own, shape (f, 2, 2).
        unit: its direction, shape (f, 2, 2).
    """

    near: NDArray[np.bool_]
    where: NDArray[np.float64]
    edge: NDArray[np.int64]
    at: NDArray[np.float64]
    unit: NDArray[np.float64]


class MovedCorners(NamedTuple):
    """Where corners and ends of faces lie now.

    Attributes:
        ends: the lines; those that a corner does not lie on are no longer near.
        xy: of the corners, shape (c, 2).
        face_xy: of the faces' starts and ends, shape (f, 2, 2).
        curve_m: from a corner back and on to the ends of its drawn curve, NaN where unknown, shape (c, 2).
        moved: corners that were placed by a drawn kerb.
    """

    ends: FaceEnds
    xy: NDArray[np.float64]
    face_xy: NDArray[np.float64]
    curve_m: NDArray[np.float64]
    moved: int


def own_ends(kerbs: Kerbs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the starts and ends of faces, and the directions in which they go on, shapes (f, 2, 2)."""
    first, last = kerbs.start[:-1], kerbs.start[1:] - 1
    tip = np.stack([kerbs.xy[first], kerbs.xy[last]], axis=1)
    run = tip - np.stack([kerbs.xy[first + 1], kerbs.xy[last - 1]], axis=1)
    return tip, run / np.hypot(run[..., 0], run[..., 1])[..., None]


def face_ends(kerbs: Kerbs, looks: Looks, runs: Runs) -> FaceEnds:
    """Return the lines on which the ends of faces lie."""
    count = len(kerbs)
    tip, unit = own_ends(kerbs)
    at = tip.copy()
    near, edge = np.zeros((count, 2), bool), np.full((count, 2), -1, np.int64)
    where = np.full((count, 2), np.inf)
    where[:, 1] = -np.inf
    face = looks.face[runs.first]
    rim = np.stack(
        [stations_on(kerbs, kerbs.segment_start[k : count + k], np.arange(count)) for k in (0, 1)], axis=1
    )
    at_start, at_end = np.append(True, np.diff(face) != 0), np.append(np.diff(face) != 0, True)
    for side, run, far in (
        (0, runs.first[at_start], np.minimum(runs.first + _BASE_LOOKS, runs.last)[at_start]),
        (1, runs.last[at_end], np.maximum(runs.last - _BASE_LOOKS, runs.first)[at_end]),
    ):
        mine = looks.face[run]
        where[mine, side] = looks.where[run]
        reach = np.abs(stations_on(kerbs, looks.where[run], mine) - rim[mine, side]) <= REACH_M
        reach &= (kerbs.start_kind if side == 0 else kerbs.end_kind)[mine] > 0
        row, here = mine[reach], looks.place[run[reach]]
        near[row, side], edge[row, side] = True, looks.edge[run[reach]]
        at[row, side], unit[row, side] = here, here - looks.place[far[reach]]
    size = np.hypot(unit[..., 0], unit[..., 1])
    return FaceEnds(near, where, edge, at, unit / np.maximum(size, 1e-12)[..., None])


def stations_on(
    kerbs: Kerbs, where: NDArray[np.float64] | NDArray[np.int64], face: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how far along all kerbs places lie, given as segment and share."""
    total = np.cumsum(np.append(0.0, np.hypot(*np.diff(kerbs.xy, axis=0).T)))
    segment = np.floor(where).astype(np.int64)
    vertex = segment + face
    further = np.minimum(vertex + 1, len(total) - 1)
    return np.asarray(total[vertex] + (where - segment) * (total[further] - total[vertex]))


def moved_corners(streets: Streets, ends: FaceEnds, turns: Turns) -> MovedCorners:
    """Place corners anew where a drawn kerb reaches them, and the ends of faces with them."""
    kerbs, corners = streets.kerbs, streets.corners
    xy = corners.xy.copy()
    tip = np.stack([kerbs.xy[kerbs.start[:-1]], kerbs.xy[kerbs.start[1:] - 1]], axis=1)
    foot = ends.at + ((tip - ends.at) * ends.unit).sum(axis=2)[..., None] * ends.unit
    corner = np.stack([kerbs.start_corner, kerbs.end_corner], axis=1)
    face, side = np.nonzero(corner >= 0)
    of_corner = corner[face, side]
    order = np.argsort(of_corner, kind="stable")
    face, side, of_corner = face[order], side[order], of_corner[order]
    pair = np.flatnonzero(of_corner[1:] == of_corner[:-1])
    a, b = (face[pair], side[pair]), (face[pair + 1], side[pair + 1])
    row = of_corner[pair]
    u, v = ends.unit[a], ends.unit[b]
    cross = cross_product(u, v)
    sharp = np.abs(cross) >= _LEAST_SINE
    gap = ends.at[b] - ends.at[a]
    run = cross_product(gap, v) / np.where(sharp, cross, 1.0)
    meet = ends.at[a] + run[:, None] * u
    fit = sharp & (ends.near[a] | ends.near[b]) & (np.hypot(*(meet - xy[row]).T) <= _FARTHEST_M)
    for end in (a, b):  # a kerb that is prolonged goes on, not back
        ahead = ((meet - ends.at[end]) * ends.unit[end]).sum(axis=1) >= -_BACK_M
        fit &= ahead | ~ends.near[end]
    fit &= ~corners.unknown[row]
    xy[row[fit]] = meet[fit]
    both = np.isin(of_corner, row[fit])
    # Where there is no corner the kerb goes straight on to where its end was.
    straight = ends.near & (corner < 0) & (np.hypot(*(foot - tip).transpose(2, 0, 1)) <= _FARTHEST_M)
    face_xy = np.where(straight[..., None], foot, tip)
    face_xy[face[both], side[both]] = xy[of_corner[both]]
    placed = straight.copy()
    placed[face[both], side[both]] = True
    ends = ends._replace(near=ends.near & placed)
    return MovedCorners(ends, xy, face_xy, _curves(streets, xy, row[fit], turns), int(np.count_nonzero(fit)))


def _curves(
    streets: Streets, xy: NDArray[np.float64], moved: NDArray[np.int64], turns: Turns
) -> NDArray[np.float64]:
    """Return for each corner how far back and on the curve drawn there begins and ends."""
    found = np.full((len(xy), 2), np.nan)
    rows = np.flatnonzero(turns.kind != TurnKind.UNPLACED)
    if not len(rows) or not len(moved):
        return found
    tree = shapely.STRtree(np.asarray(shapely.points(turns.xy[rows])))
    corner, turn = tree.query_nearest(
        shapely.points(xy[moved]), max_distance=_SAME_CORNER_M, all_matches=False
    )
    corner, turn = moved[corner], rows[turn]
    before, after = turns.before_m[turn], turns.after_m[turn]
    # Walked with the block on the right, a corner turns right; the chain may run the other way.
    back = (turns.turn_rad[turn] > 0) == (streets.corners.turn_deg[corner] > 0)
    found[corner, 0] = np.where(back, after, before)
    found[corner, 1] = np.where(back, before, after)
    return found
