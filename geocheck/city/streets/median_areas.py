"""Medians as areas: the ground between two inner kerbs that face each other, open where the kerbs are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geocheck.city.streets.facing import pieces_of
from geocheck.city.streets.medians import Median, seen_medians, whole_pieces
from geocheck.city.streets.noses import with_noses
from geocheck.city.streets.stretches import drawn, with_more, with_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.corners import Corners
    from geocheck.city.streets.facing import Pieces
    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.streets.median_evidence import Evidence
    from geocheck.city.streets.stretches import Stretches


@dataclass(frozen=True, slots=True)
class MedianAreas:
    """m medians, each between two openings at most.

    Attributes:
        geometry: polygons, metres, shape (m,).
        one: block face on one side, the lower number, shape (m,).
        two: block face across.
        width_m: greatest distance between them.
    """

    geometry: NDArray[np.object_]
    one: NDArray[np.int64]
    two: NDArray[np.int64]
    width_m: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.one)


def medians_of(kerbs: Kerbs, corners: Corners, graph: Graph, ways: Evidence) -> tuple[Stretches, MedianAreas]:
    """Return what lies beside kerbs where it is, or may be, no block, and the medians among that as areas."""
    beside = with_noses(seen_medians(kerbs, graph, ways), kerbs, corners)
    areas = median_areas(kerbs, beside)
    return _with_transit(beside, areas, kerbs, pieces_of(kerbs, graph), ways), areas


def _with_transit(
    beside: Stretches, areas: MedianAreas, kerbs: Kerbs, pieces: Pieces, ways: Evidence
) -> Stretches:
    """Add the kerbs of busways that run in a median of their level."""
    bus = np.flatnonzero(ways.transit[kerbs.segment_way] & ~kerbs.segment_step)
    middle = pieces.begin[bus] + (pieces.length_m / 2)[bus, None] * pieces.unit[bus]
    piece, area = shapely.STRtree(areas.geometry).query(shapely.points(middle), predicate="within")
    level = kerbs.layer[areas.one[area]] == pieces.layer[bus[piece]]
    return with_more(beside, whole_pieces(pieces, bus[np.unique(piece[level])], Median.YES))


def median_areas(kerbs: Kerbs, stretches: Stretches) -> MedianAreas:
    """Return the areas of medians that are sure to be some."""
    sure = stretches.at((stretches.kind == Median.YES) & (stretches.other >= 0))
    one, two = _paired(sure, kerbs)
    if not len(one):
        none = np.empty(0, np.int64)
        return MedianAreas(np.empty(0, object), none, none, np.empty(0))
    xy_one, row_one = drawn(kerbs, one)
    xy_two, row_two = drawn(kerbs, two)
    turned = _runs_along(xy_one, row_one, xy_two, row_two)
    rank = np.arange(len(row_two))
    rank_two = np.where(turned[row_two], -rank, rank) + 2 * len(rank)
    row = np.concatenate([row_one, row_two])
    order = np.lexsort((np.concatenate([np.arange(len(row_one)) - len(row_one), rank_two]), row))
    rings = shapely.linearrings(np.concatenate([xy_one, xy_two])[order], indices=row[order])
    areas = np.asarray(shapely.polygons(rings), object)
    bad = ~shapely.is_valid(areas)
    areas[bad] = shapely.buffer(shapely.make_valid(areas[bad]), 0)
    held = ~shapely.is_empty(areas)
    return MedianAreas(areas[held], one.face[held], two.face[held], np.maximum(one.gap_m, two.gap_m)[held])


def _paired(sure: Stretches, kerbs: Kerbs) -> tuple[Stretches, Stretches]:
    """Return the stretches on one side of each median, and what lies across from each.

    Where both faces have as many stretches towards the other they are paired in order; elsewhere the far
    side is what lies nearest.
    """
    sure = _halved(sure)
    low, high = np.minimum(sure.face, sure.other), np.maximum(sure.face, sure.other)
    _, pair = np.unique(np.column_stack([low, high]), axis=0, return_inverse=True)
    pair = pair.ravel()
    # A face that turns round the end of a median faces itself: its first half lies across from the second.
    first = np.searchsorted(pair[np.argsort(pair, kind="stable")], pair)
    rank = np.empty(len(pair), np.int64)
    rank[np.lexsort((sure.from_m, pair))] = np.arange(len(pair))
    itself = low == high
    near = np.where(itself, 2 * (rank - first) < np.bincount(pair)[pair], sure.face == low)
    count = [np.bincount(pair[side], minlength=len(pair)) for side in (near, ~near)]
    even = (count[0] == count[1])[pair]
    # The far side runs the other way: its last stretch lies across from the first of the near one.
    forth, back = np.flatnonzero(near & even), np.flatnonzero(~near & even)
    forth = forth[np.lexsort((sure.from_m[forth], pair[forth]))]
    back = back[np.lexsort((-sure.from_m[back], pair[back]))]
    odd = sure.at(~even & (near == (count[0] >= count[1])[pair]))
    return with_rows(sure.at(forth), odd), with_rows(sure.at(back), _nearest(odd, kerbs))


def _halved(rows: Stretches) -> Stretches:
    """Split at its middle the odd stretch of a face that faces itself: it runs round the end of a median."""
    own = np.flatnonzero(rows.face == rows.other)
    face, start, count = np.unique(rows.face[own], return_index=True, return_counts=True)
    odd = own[start + count // 2][count % 2 == 1] if len(face) else own
    middle = (rows.from_m[odd] + rows.to_m[odd]) / 2
    to_m = rows.to_m.copy()
    to_m[odd] = middle
    return with_rows(replace(rows, to_m=to_m), replace(rows.at(odd), from_m=middle))


def _nearest(rows: Stretches, kerbs: Kerbs) -> Stretches:
    """Return for each stretch the stretch of the other face between the places nearest to its ends."""
    if not len(rows):
        return rows
    xy, row = drawn(kerbs, rows)
    ends = [np.searchsorted(row, np.arange(len(rows)), side=side) for side in ("left", "right")]
    lines = [shapely.LineString(kerbs.xy[kerbs.start[face] : kerbs.start[face + 1]]) for face in rows.other]
    places = [shapely.line_locate_point(lines, shapely.points(xy[at])) for at in (ends[0], ends[1] - 1)]
    return replace(
        rows,
        face=rows.other,
        other=rows.face,
        from_m=np.minimum(places[0], places[1]),
        to_m=np.maximum(places[0], places[1]),
    )


def _runs_along(
    xy_one: NDArray[np.float64],
    row_one: NDArray[np.int64],
    xy_two: NDArray[np.float64],
    row_two: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Tell which lines of two lists run the same way, so that one must be turned to close a ring."""
    spans = []
    for xy, row in ((xy_one, row_one), (xy_two, row_two)):
        each = np.arange(row[-1] + 1)
        spans.append(xy[np.searchsorted(row, each, side="right") - 1] - xy[np.searchsorted(row, each)])
    return np.asarray((spans[0] * spans[1]).sum(axis=1) > 0)
