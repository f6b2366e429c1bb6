"""Opposite mouths: where a kerb runs on past a side street on the other side (far kerb of a T junction)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import shapely

from geocheck.city.ruler.walked import walked_along
from geocheck.city.streets.covered import lines_of
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.ruler.ruler import Ruler
    from geocheck.city.streets.kerbs import Kerbs

_EDGE_M: Final = 0.02
"""A kerb so near the edge of a crossing area runs along it."""

_LEAST_M: Final = 0.2
"""Two outlines that only meet share less."""

_SEAM_GAP_M: Final = 1.0
"""Parts of one edge of an area that closed kerbs run along lie nearer to each other."""


def opposite_table(areas: NDArray[np.object_], kerbs: Kerbs, ruler: Ruler) -> pa.Table:
    """Return the stretches of kerb that are edges of crossing areas, on the ruler.

    A kerb ends at the corners of the areas that it comes to; only one without a corner there runs along one.

    Args:
        areas: crossing areas in metres, shape (a,); `feature` is the row of one of these.
        kerbs: all block faces.
        ruler: of the same.
    """
    begin, end, length, owner = lines_of(kerbs)
    edge = np.asarray(shapely.boundary(areas), object)
    strip = np.asarray(shapely.buffer(edge, _EDGE_M, cap_style="flat"), object)
    lines = np.asarray(shapely.linestrings(np.stack([begin, end], axis=1)), object).reshape(-1)
    area, piece = shapely.STRtree(lines).query(strip, predicate="intersects")
    shared = np.asarray(shapely.intersection(lines[piece], strip[area]), object).reshape(-1)
    kept = shapely.length(shared) > np.minimum(_LEAST_M, length[piece] / 2)
    area, piece, shared = area[kept], piece[kept], shared[kept]
    walked = walked_along(kerbs)
    reach = _reach_along(shared, begin[piece], end[piece])
    low, high = (walked.before_m[piece] + np.minimum(each, walked.advance_m[piece]) for each in reach)
    kerb, feature, from_m, to_m = _stretches(kerbs, owner[piece], area, low, high)
    held = to_m - from_m > _LEAST_M
    return _table(ruler, kerb[held], feature[held], from_m[held], to_m[held])


def _stretches(
    kerbs: Kerbs,
    kerb: NDArray[np.int64],
    area: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Join the parts of one kerb that are edges of one area.

    A kerb that closes on itself may have its seam in the midst of them: then what lies before the seam and
    what lies after it stay apart, else the whole of the kerb would be taken for the edge.
    """
    order = np.lexsort((low, area, kerb))
    kerb, area, low, high = kerb[order], area[order], low[order], high[order]
    closed = (kerbs.start_kind == EndKind.NONE) & (kerbs.end_kind == EndKind.NONE)
    fresh = (np.diff(kerb, prepend=-1) != 0) | (np.diff(area, prepend=-1) != 0)
    fresh[1:] |= closed[kerb[1:]] & (low[1:] - high[:-1] > _SEAM_GAP_M)
    first = np.flatnonzero(fresh)
    if not len(first):
        return kerb, area, low, high
    return kerb[first], area[first], np.minimum.reduceat(low, first), np.maximum.reduceat(high, first)


def _reach_along(
    shared: NDArray[np.object_], begin: NDArray[np.float64], end: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return from where to where parts of straight pieces lie along these, metres from their begin."""
    xy, row = shapely.get_coordinates(shared, return_index=True)
    step = end - begin
    unit = step / np.maximum(np.hypot(*step.T), np.finfo(float).tiny)[:, None]
    ahead = ((xy - begin[row]) * unit[row]).sum(axis=1)
    low, high = np.full(len(shared), np.inf), np.full(len(shared), -np.inf)
    np.minimum.at(low, row, ahead)
    np.maximum.at(high, row, ahead)
    return low, high


def _table(
    ruler: Ruler,
    kerb: NDArray[np.int64],
    feature: NDArray[np.int64],
    from_m: NDArray[np.float64],
    to_m: NDArray[np.float64],
) -> pa.Table:
    low_s, high_s = ruler.stretch(kerb, from_m, to_m)
    columns = {
        "feature": feature,
        "kerb": kerb,
        "from_m": from_m,
        "to_m": to_m,
        "low_s": low_s,
        "high_s": high_s,
    }
    return pa.table(columns)
