"""How far beyond a corner the building line of the cross street lies, measured along each kerb.

The stricter reading of a distance from the corner counts from the building line (*alinhamento predial*) of
the cross street, not from its kerb: so much farther along one's own kerb as the footway of the cross street
is wide there, more where the streets meet at a slant. The building line is the edge of the official block.

The other stricter reading, from where the kerb's curve begins, needs a surveyed kerb; no block tells it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.ragged import polylines
from geocheck.city.streets.block_gaps import inside_any
from geocheck.city.streets.rays import first_hit_m, outline_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.corners import Corners
    from geocheck.city.streets.kerbs import Kerbs

AT_M: Final = (10.0, 14.0, 18.0, 22.0)
"""Where the footway of the cross street is measured, from the corner along its kerb: past a usual chamfer."""

SHORTEST_M: Final = 12.0
"""A kerb shorter than this is chamfer for the most part; one shorter than twice `AT_M` is measured midway."""

REACH_M: Final = 10.0
"""Farther than this from the kerb no block is its building line: a footway of 5 m, a kerb 3 m off."""

LEAST_TURN_DEG: Final = 25.0
"""Kerbs that turn by less, or all but turn back, meet at no place that a distance could begin at."""

_ASIDE_M: Final = 0.5


def building_lines_m(kerbs: Kerbs, corners: Corners, blocks: NDArray[np.object_]) -> NDArray[np.float64]:
    """Return how far beyond each corner the building line of the cross street lies.

    Args:
        kerbs: block faces.
        corners: of them.
        blocks: polygons of blocks, else of lots, in the same system.

    Returns:
        Metres along the kerb before the corner and along the one after it, away from the corner; NaN where no
        block is near the cross street's kerb, a kerb lies in a block, or the corner is unknown; shape (c, 2).
    """
    corner = np.tile(np.arange(len(corners)), 2)
    face = np.concatenate([corners.face_before, corners.face_after])
    # One more, for the corners that have no face (-1).
    starts = np.append(kerbs.start_corner, -1)[face] == corner
    ends = np.append(kerbs.end_corner, -1)[face] == corner
    # A face that begins and ends at one corner does not tell on which side its block is.
    told = np.flatnonzero(starts != ends)
    on_right = np.where(told < len(corners), ends[told], starts[told])
    footway = np.full(len(face), np.nan)
    footway[told] = _footway_m(polylines(kerbs.xy, kerbs.start)[face[told]], ends[told], on_right, blocks)
    before, after = footway.reshape(2, -1)
    sharp = (corners.turn_deg >= LEAST_TURN_DEG) & (corners.turn_deg <= 180 - LEAST_TURN_DEG)
    slant = np.where(sharp & ~corners.unknown, np.sin(np.radians(corners.turn_deg)), np.nan)
    return np.column_stack([after, before]) / slant[:, None]


def _footway_m(
    lines: NDArray[np.object_],
    at_end: NDArray[np.bool_],
    on_right: NDArray[np.bool_],
    blocks: NDArray[np.object_],
) -> NDArray[np.float64]:
    """Return from kerbs to the block beside them, near one of their ends, NaN where there is none.

    Args:
        lines: the kerbs, shape (k,).
        at_end: near the end, else near the start, shape (k,).
        on_right: the block is on the right, else on the left, shape (k,).
        blocks: polygons.
    """
    xy, unit = _stations(lines, at_end)
    square = unit[..., ::-1] * np.where(on_right, 1, -1)[:, None, None] * [1, -1]
    origin = xy.reshape(-1, 2)
    gap = first_hit_m(origin, square.reshape(-1, 2), outline_edges(blocks), REACH_M)
    gap[inside_any(origin, blocks)] = np.inf
    gap = gap.reshape(-1, len(AT_M))
    near = np.isfinite(gap).any(axis=1) & (shapely.length(lines) >= SHORTEST_M)
    found = np.full(len(lines), np.nan)
    found[near] = np.nanmedian(np.where(np.isfinite(gap[near]), gap[near], np.nan), axis=1)
    return found


def _stations(
    lines: NDArray[np.object_], at_end: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return places at `AT_M` from an end of each line and the line's direction there, both (k, 4, 2)."""
    length = shapely.length(lines)[:, None]
    along = np.minimum(np.array(AT_M), length / 2)
    along = np.where(at_end[:, None], length - along, along)
    back, forth = (
        shapely.get_coordinates(shapely.line_interpolate_point(lines[:, None], along + step)).reshape(
            *along.shape, 2
        )
        for step in (-_ASIDE_M, _ASIDE_M)
    )
    unit = forth - back
    return (back + forth) / 2, unit / np.maximum(np.hypot(unit[..., 0], unit[..., 1]), 1e-9)[..., None]
