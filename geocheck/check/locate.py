"""Beside which kerb a skip stands: the gap to it, the angle, and its stations on the ruler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from geocheck.check.footprint import edge_distance_m, to_edge_m
from geocheck.city.planar import cross_product
from geocheck.city.ruler.grid import KERB_REACH_M

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from geocheck.check.footprint import Footprints
    from geocheck.city.ruler.cells import Cells

ASKEW_M: Final = 1.0
"""What a kerb at right angles to the skip is held to be farther away: beside two kerbs of a corner, a skip
belongs to the one along which it stands (hypothesis)."""

NOWHERE: Final = -1

_TINY_M: Final = 1e-12


class Located(NamedTuple):
    """Where n skips stand, by their kerb.

    Attributes:
        segment: row of the ruler's segments, `NOWHERE` without a kerb within reach, shape (n,).
        low_gap_m: from the kerb to the nearest place of the skip; 0 where they touch or overlap.
        high_gap_m: from the kerb to the farther end of the long side beside it.
        angle_deg: of the long axis to the kerb, 0 to 90.
        centre_s: station of the centre.
        half_m: half of the skip's extent along the kerb.
    """

    segment: NDArray[np.int64]
    low_gap_m: NDArray[np.float64]
    high_gap_m: NDArray[np.float64]
    angle_deg: NDArray[np.float64]
    centre_s: NDArray[np.float64]
    half_m: NDArray[np.float64]


class Lines(NamedTuple):
    """The bundle's ruler, as far as a skip's kerb is looked for on it; shape (g,) each.

    Attributes:
        edges: x0, y0, x1, y1 in metres, shape (g, 4).
        s: station of the start.
        side: of the street.
        step: whether the kerb jumps out or in along it.
    """

    edges: NDArray[np.float64]
    s: NDArray[np.float64]
    side: NDArray[np.int64]
    step: NDArray[np.bool_]


def lines_of(segments: Mapping[str, NDArray[Any]]) -> Lines:
    """Return the lines of the table `segment`."""
    edges = np.column_stack([segments[name] for name in ("x0", "y0", "x1", "y1")])
    return Lines(edges, segments["s"], segments["side"], segments["step"] == 1)


def locate(
    footprints: Footprints, lines: Lines, cells: Cells, askew_m: NDArray[np.float64] | None = None
) -> Located:
    """Find the kerb of each skip: the nearest, one askew to the skip being held to be farther.

    Gaps are those to any piece of its side; a step, which runs across the street, is no kerb to stand along.

    Args:
        footprints: n of them.
        lines: of the ruler.
        cells: a grid over these with a reach of `KERB_REACH_M`.
        askew_m: how much farther a kerb at right angles is held to be, shape (n,); `ASKEW_M` for all where
            not given.
    """
    edges = lines.edges
    row, segment = cells.near(footprints.xy)
    # The grid's cells hold some that are farther: which, hangs on where they lie and must not decide.
    within = to_edge_m(footprints.xy[row], edges[segment, :2], edges[segment, 2:]) <= KERB_REACH_M
    row, segment = row[within], segment[within]
    near, edge = footprints.at(row), edges[segment]
    distance = edge_distance_m(near, edge)
    askew = np.full(len(row), ASKEW_M) if askew_m is None else askew_m[row]
    sine = np.abs(_turned(near, edge)[:, 1])
    held = np.where(lines.step[segment], np.inf, distance + askew * sine)
    order = np.lexsort((segment, held, row))
    first = order[np.diff(row[order], prepend=-1) != 0]
    first = first[np.isfinite(held[first])]
    found = np.full(len(footprints.xy), NOWHERE)
    found[row[first]] = segment[first]
    beside = (lines.side[segment] == lines.side[found[row]]) & (found[row] != NOWHERE)
    row, edge = row[beside], edge[beside]
    low = _least(row, distance[beside], len(found))
    return _placed(footprints, edges, lines.s, found)._replace(
        low_gap_m=low, high_gap_m=_far_end_m(footprints, row, edge)
    )


def _placed(
    footprints: Footprints, edges: NDArray[np.float64], s: NDArray[np.float64], found: NDArray[np.int64]
) -> Located:
    """Return angles and stations by the nearest segment; the gaps are still to be filled in."""
    rows = np.flatnonzero(found != NOWHERE)
    own, at = edges[found[rows]], footprints.at(rows)
    step = own[:, 2:] - own[:, :2]
    length = np.hypot(*step.T)
    cosine, sine = np.abs(_turned(at, own)).T
    ahead = ((at.xy - own[:, :2]) * step).sum(axis=1) / np.maximum(length, _TINY_M)
    angle, centre, half = (np.full(len(found), np.nan) for _ in range(3))
    angle[rows] = np.degrees(np.arctan2(sine, cosine))
    centre[rows] = s[found[rows]] + np.clip(ahead, 0.0, length)
    half[rows] = (at.length_m * cosine + at.width_m * sine) / 2
    return Located(found, np.full(len(found), np.nan), np.full(len(found), np.nan), angle, centre, half)


def _turned(footprints: Footprints, edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return cosine and sine of the angle from each edge to the long axis of its skip, shape (n, 2)."""
    step = edges[:, 2:] - edges[:, :2]
    unit = step / np.maximum(np.hypot(*step.T), _TINY_M)[:, None]
    along = footprints.along
    sine = cross_product(unit, along)
    return np.column_stack([(unit * along).sum(axis=1), sine])


def _far_end_m(
    footprints: Footprints, row: NDArray[np.int64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return from the kerb to the farther end of the long side beside it, given each row's kerb edges."""
    corners = footprints.corners()
    away = [
        _least(row, to_edge_m(corners[row, corner], edges[:, :2], edges[:, 2:]), len(corners))
        for corner in range(4)
    ]
    right, left = np.maximum(away[0], away[3]), np.maximum(away[1], away[2])
    return np.minimum(right, left)


def _least(row: NDArray[np.int64], value: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    least = np.full(count, np.inf)
    np.minimum.at(least, row, value)
    return np.where(np.isinf(least), np.nan, least)
