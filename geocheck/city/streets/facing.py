"""Which kerb lies across from which: where two kerbs face each other with no carriageway between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.planar import right_of
from geocheck.city.ragged import ranges
from geocheck.city.streets.covered import lines_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Kerbs

FACING_RAD: Final = np.radians(30) + 1e-4
"""Kerbs that differ by more than this do not run along each other."""

_LEAST_M: Final = 1e-3
"""Shorter stretches are rounding."""

_AS_NEAR_M: Final = 1e-6
"""Kerbs whose distances differ by less are equally near: streets drawn over one another share a kerb."""

_CLEAR: Final = 0.01
"""Share of the line of sight left out at either end, where it touches the two kerbs."""


class Pieces(NamedTuple):
    """The straight pieces of all kerbs, in order along their faces.

    Attributes:
        face: block face, shape (g,).
        begin: metres, shape (g, 2).
        length_m: shape (g,).
        from_m: station of `begin` on its face.
        unit: direction of the face, shape (g, 2).
        away: unit vector away from the carriageway, across the kerb, shape (g, 2).
        layer: level.
    """

    face: NDArray[np.int64]
    begin: NDArray[np.float64]
    length_m: NDArray[np.float64]
    from_m: NDArray[np.float64]
    unit: NDArray[np.float64]
    away: NDArray[np.float64]
    layer: NDArray[np.int64]


class Facing(NamedTuple):
    """k stretches of pieces of kerb along which another piece lies across, nothing between.

    Attributes:
        piece: index into the pieces, shape (k,).
        other: the piece across.
        begin_m: along `piece` from its begin.
        end_m: the same.
        gap_begin_m: distance to the other, across `piece`, at `begin_m`.
        gap_end_m: the same at `end_m`; it changes evenly in between.
    """

    piece: NDArray[np.int64]
    other: NDArray[np.int64]
    begin_m: NDArray[np.float64]
    end_m: NDArray[np.float64]
    gap_begin_m: NDArray[np.float64]
    gap_end_m: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Facing:
        """Return some of them, by index or mask."""
        return Facing._make(column[rows] for column in self)

    @property
    def gap_m(self) -> NDArray[np.float64]:
        """The distance in the middle."""
        return (self.gap_begin_m + self.gap_end_m) / 2


class _Pairs(NamedTuple):
    """Pieces across from one another, whatever lies between: the gap is `gap_m + slope * place`."""

    piece: NDArray[np.int64]
    other: NDArray[np.int64]
    begin_m: NDArray[np.float64]
    end_m: NDArray[np.float64]
    gap_m: NDArray[np.float64]
    slope: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> _Pairs:
        return _Pairs._make(column[rows] for column in self)


def pieces_of(kerbs: Kerbs, graph: Graph) -> Pieces:
    """Return the straight pieces of kerbs, g of them."""
    begin, end, length, face = lines_of(kerbs)
    travelled = np.concatenate([[0.0], np.cumsum(length)])
    from_m = travelled[:-1] - travelled[kerbs.segment_start[:-1]][face]
    segments = graph.segments
    along = graph.xy[segments.b] - graph.xy[segments.a]
    along = along[kerbs.segment_axis] * kerbs.segment_side[:, None]
    unit = (end - begin) / np.maximum(length, 1e-12)[:, None]
    as_half_edge = np.where((unit * along).sum(axis=1) < 0, -1.0, 1.0)[:, None] * unit
    away = right_of(as_half_edge)
    return Pieces(face, begin, length, from_m, unit, away, segments.layer[kerbs.segment_axis])


def facing(
    pieces: Pieces,
    seen: NDArray[np.bool_],
    inner: NDArray[np.bool_],
    reach_m: tuple[float, float],
    tells: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]],
) -> Facing:
    """Return which kerb each kerb sees across the ground that is no carriageway.

    Args:
        pieces: of the kerbs.
        seen: those that stop a line of sight, and may look, shape (g,).
        inner: of those, the ones that look further for one another, shape (g,).
        reach_m: how far any two of them see, and how far those that are `inner` do.
        tells: of pieces and of as many others, shapes (p,), how much each pair tells, shape (p, c), the first
            column before the next: of others that are equally near the one that tells most is seen.
    """
    end = pieces.begin + pieces.length_m[:, None] * pieces.unit
    lines = np.asarray(shapely.linestrings(np.stack([pieces.begin, end], axis=1)), object)
    short, far = reach_m
    found = [_across(pieces, lines, rows, reach) for rows, reach in ((seen, short), (seen & inner, far))]
    across = _once(found[0], found[1], len(lines))
    part, pair = _elementary(across)
    gap = across.gap_m[pair] + across.slope[pair] * part.mean(axis=1)
    near, group = _nearest(across.piece[pair], part[:, 0], gap)
    most = tells(across.piece[pair[near]], across.other[pair[near]])
    near = near[np.lexsort((*-most.T[::-1], group))[np.searchsorted(group, np.unique(group))]]
    part, chosen = part[near], across.at(pair[near])
    ends = chosen.gap_m[:, None] + chosen.slope[:, None] * part
    result = Facing(chosen.piece, chosen.other, part[:, 0], part[:, 1], ends[:, 0], ends[:, 1])
    return result.at(~_hidden(pieces, lines, seen, result))


def split_at(found: Facing, gap_m: NDArray[np.float64]) -> Facing:
    """Cut stretches where the gap is so wide.

    Args:
        found: k stretches.
        gap_m: by stretch, shape (k,).
    """
    low, high = found.gap_begin_m - gap_m, found.gap_end_m - gap_m
    rows = np.flatnonzero(low * high < 0)
    place = found.begin_m[rows] + (found.end_m - found.begin_m)[rows] * low[rows] / (low - high)[rows]
    end_m, gap_end_m = found.end_m.copy(), found.gap_end_m.copy()
    end_m[rows], gap_end_m[rows] = place, gap_m[rows]
    rest = found.at(rows)._replace(begin_m=place, gap_begin_m=gap_m[rows])
    first = found._replace(end_m=end_m, gap_end_m=gap_end_m)
    return Facing._make(np.concatenate(columns) for columns in zip(first, rest, strict=True))


def _across(pieces: Pieces, lines: NDArray[np.object_], rows: NDArray[np.bool_], reach_m: float) -> _Pairs:
    """Return the pairs of which each looks at the other, with the stretch of `piece` that `other` covers."""
    which = np.flatnonzero(rows)
    one, two = _near(pieces, lines, which, reach_m)
    opposed = (pieces.away[one] * pieces.away[two]).sum(axis=1)
    fair = (opposed <= -np.cos(FACING_RAD)) & (pieces.layer[one] == pieces.layer[two])
    one, two, opposed = one[fair], two[fair], opposed[fair]
    to = pieces.begin[two] - pieces.begin[one]
    along = (pieces.unit[one] * pieces.unit[two]).sum(axis=1)
    ends = np.stack([np.zeros(len(one)), pieces.length_m[two] * along], axis=1)
    ends += (to * pieces.unit[one]).sum(axis=1)[:, None]
    begin = np.maximum(ends.min(axis=1), 0.0)
    end = np.minimum(ends.max(axis=1), pieces.length_m[one])
    gap = (to * pieces.away[two]).sum(axis=1) / opposed
    slope = -(pieces.unit[one] * pieces.away[two]).sum(axis=1) / opposed
    near = gap + np.minimum(slope * begin, slope * end)
    ahead = gap + slope * (begin + end) / 2 > 0
    held = (end - begin > _LEAST_M) & ahead & (near <= reach_m)
    return _Pairs(one, two, begin, end, gap, slope).at(held)


def _near(
    pieces: Pieces, lines: NDArray[np.object_], which: NDArray[np.int64], reach_m: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs of which the second may lie within reach before the first, by their boxes alone."""
    begin, end = pieces.begin[which], (pieces.begin + pieces.length_m[:, None] * pieces.unit)[which]
    ahead = reach_m * pieces.away[which]
    reach = np.stack([begin, end, begin + ahead, end + ahead])
    low, high = reach.min(axis=0), reach.max(axis=0)
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    one, two = shapely.STRtree(lines[which]).query(boxes)
    return which[one], which[two]


def _once(one: _Pairs, two: _Pairs, count: int) -> _Pairs:
    both = _Pairs(*(np.concatenate(columns) for columns in zip(one, two, strict=True)))
    _, first = np.unique(both.piece * count + both.other, return_index=True)
    return both.at(first)


def _elementary(across: _Pairs) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Cut the stretches of each piece at the ends of all of them.

    Returns:
        Begin and end of each part of each pair, shape (p, 2), and the pair, shape (p,).
    """
    # Each piece has its own stretch of one long axis.
    unit = 2.0 * (float(np.max(across.end_m, initial=0.0)) + 1.0)
    begin, end = across.piece * unit + across.begin_m, across.piece * unit + across.end_m
    events = np.unique(np.concatenate([begin, end]))
    events = events[np.append(True, np.diff(events) > _LEAST_M)] if len(events) else events
    low, high = (np.searchsorted(events, side - _LEAST_M) for side in (begin, end))
    pair, event = ranges(low, high)
    part = np.stack([events[event], events[np.minimum(event + 1, len(events) - 1)]], axis=1)
    return part - (across.piece[pair] * unit)[:, None], pair


def _nearest(
    piece: NDArray[np.int64], begin_m: NDArray[np.float64], gap_m: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of what lies nearest to each part of each piece, and the part's number, ascending."""
    order = np.lexsort((begin_m, piece))
    fresh = np.ones(len(order), bool)
    fresh[1:] = (np.diff(piece[order]) != 0) | (np.diff(begin_m[order]) > _LEAST_M / 2)
    part = np.cumsum(fresh) - 1
    least = np.minimum.reduceat(gap_m[order], np.flatnonzero(fresh)) if len(order) else gap_m
    near = gap_m[order] <= least[part] + _AS_NEAR_M
    return order[near], part[near]


def _hidden(
    pieces: Pieces, lines: NDArray[np.object_], seen: NDArray[np.bool_], found: Facing
) -> NDArray[np.bool_]:
    """Tell where a third kerb lies between, whichever way it runs."""
    middle = (found.begin_m + found.end_m) / 2
    foot = pieces.begin[found.piece] + middle[:, None] * pieces.unit[found.piece]
    away = pieces.away[found.piece] * found.gap_m[:, None]
    sight = shapely.linestrings(np.stack([foot + _CLEAR * away, foot + (1 - _CLEAR) * away], axis=1))
    which = np.flatnonzero(seen)
    row, hit = shapely.STRtree(lines[which]).query(sight, predicate="intersects")
    third = which[hit]
    between = (third != found.piece[row]) & (third != found.other[row])
    between &= pieces.layer[third] == pieces.layer[found.piece[row]]
    hidden = np.zeros(len(found.piece), bool)
    hidden[row[between]] = True
    return hidden
