"""Block faces laid along the kerbs that somebody drew, wherever these run beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.planar import cross_product
from geocheck.city.ragged import owners, ranges
from geocheck.city.streets.covered import lines_of
from geocheck.city.surveyed.face_ends import face_ends, moved_corners, own_ends, stations_on
from geocheck.city.surveyed.looks import looks_at, runs_of, vertex_stations
from geocheck.city.surveyed.vertices import (
    SAME_PLACE_M,
    Vertices,
    ended,
    ordered,
    rebuilt,
    segment_heads,
    vertices_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.kerb_places import KerbPlaces
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.surveyed.face_ends import FaceEnds
    from geocheck.city.surveyed.looks import Looks, Runs
    from geocheck.city.surveyed.pool import Pool
    from geocheck.city.ways import Ways

_TAPER_M: Final = 2.0
"""Over so much a face comes back from a drawn kerb that ends."""


class KerbAlong(NamedTuple):
    """What is known of each segment of some faces, shape (g,).

    Attributes:
        accuracy_m: 95 % half-width of its place across the street.
        source: `WidthSource`.
    """

    accuracy_m: NDArray[np.float64]
    source: NDArray[np.int8]


class Followed(NamedTuple):
    """Streets whose faces follow drawn kerbs.

    Attributes:
        streets: with new kerbs, corners and mouths.
        along: of the new segments.
        curve_m: from each corner back and on to the ends of the drawn curve, NaN for unknown, shape (c, 2).
        corner_accuracy_m: of the worse of the kerbs that meet there, NaN where there are none, shape (c,).
        corrected: corners that an engineer placed, shape (c,).
        length_m: of kerb that follows.
        moved: corners that were placed anew.
    """

    streets: Streets
    along: KerbAlong
    curve_m: NDArray[np.float64]
    corner_accuracy_m: NDArray[np.float64]
    corrected: NDArray[np.bool_]
    length_m: float
    moved: int

    def worst_source(self) -> NDArray[np.int8]:
        """Return the `WidthSource` of the worst part of each face, shape (f,)."""
        return np.maximum.reduceat(self.along.source, self.streets.kerbs.segment_start[:-1])

    def with_ends(self, face_xy: NDArray[np.float64]) -> Followed:
        """Return the same with other starts and ends of faces, shape (f, 2, 2), on the lines of the old."""
        kerbs = self.streets.kerbs
        vertices = ended(vertices_of(kerbs), face_xy, own_ends(kerbs)[1])
        kerbs, old = rebuilt(kerbs, vertices)
        along = KerbAlong(self.along.accuracy_m[old], self.along.source[old])
        return self._replace(streets=replace(self.streets, kerbs=kerbs), along=along)


def unmoved(streets: Streets, places: KerbPlaces) -> Followed:
    """Return streets as they were derived."""
    along = KerbAlong(places.accuracy_along(streets.kerbs), places.source_along(streets.kerbs))
    count = len(streets.corners)
    accuracy_m = _at_corners(streets.kerbs, along.accuracy_m, count)
    return Followed(streets, along, np.full((count, 2), np.nan), accuracy_m, np.zeros(count, bool), 0.0, 0)


def _at_corners(kerbs: Kerbs, accuracy_m: NDArray[np.float64], corners: int) -> NDArray[np.float64]:
    """Return the accuracy of the worse of the kerbs that meet at each corner, NaN for none."""
    found = np.full(corners, -np.inf)
    for corner, segment in (
        (kerbs.start_corner, kerbs.segment_start[:-1]),
        (kerbs.end_corner, kerbs.segment_start[1:] - 1),
    ):
        held = corner >= 0
        np.maximum.at(found, corner[held], accuracy_m[segment[held]])
    return np.where(np.isfinite(found), found, np.nan)


def follow(streets: Streets, ways: Ways, places: KerbPlaces, pool: Pool) -> Followed:
    """Lay faces along drawn kerbs; towards a corner these go straight on, and corners are where they meet.

    Args:
        streets: as derived from the ways.
        ways: of the network.
        places: of their kerbs.
        pool: the drawn kerbs.
    """
    still = unmoved(streets, places)
    if not len(streets.kerbs) or not len(pool.chains):
        return still
    looks, turns = looks_at(streets, ways, places, pool)
    runs = runs_of(looks)
    if not len(runs.first):
        return still
    corners = moved_corners(streets, face_ends(streets.kerbs, looks, runs), turns)
    ends = corners.ends
    kerbs = streets.kerbs
    vertices = ordered(
        _own(kerbs, looks, runs, ends), _of_runs(pool, looks, runs), _tapers(kerbs, looks, runs, ends)
    )
    vertices = ended(vertices, corners.face_xy, ends.unit)
    kerbs, old = rebuilt(kerbs, vertices)
    edge = _edges(vertices, ends)
    drawn = edge >= 0
    kerbs = replace(kerbs, segment_step=kerbs.segment_step & ~drawn)
    kerbs = replace(kerbs, segment_half_m=_half_widths(kerbs, streets))
    along = KerbAlong(
        np.where(drawn, pool.accuracy_m[edge], still.along.accuracy_m[old]),
        np.where(drawn, pool.source[edge], still.along.source[old]),
    )
    lengths = np.hypot(*(looks.place[runs.last] - looks.place[runs.first]).T)
    mouths = streets.mouths
    width = np.hypot(*(corners.xy[mouths.corner_from] - corners.xy[mouths.corner_to]).T)
    return Followed(
        replace(
            streets,
            kerbs=kerbs,
            corners=replace(streets.corners, xy=corners.xy),
            mouths=replace(mouths, width_m=width),
        ),
        along,
        corners.curve_m,
        _at_corners(kerbs, along.accuracy_m, len(corners.xy)),
        still.corrected,
        float(lengths.sum()),
        corners.moved,
    )


def _half_widths(kerbs: Kerbs, streets: Streets) -> NDArray[np.float64]:
    """Return how far the middle of each segment is from the line of its axis, shape (g,)."""
    graph = streets.graph
    begin, end, *_ = lines_of(kerbs)
    off = (begin + end) / 2
    a, b = (graph.xy[node[kerbs.segment_axis]] for node in (graph.segments.a, graph.segments.b))
    run, off = b - a, off - a
    found = np.abs(cross_product(run, off)) / np.hypot(run[:, 0], run[:, 1])
    return np.where(kerbs.segment_step, kerbs.segment_half_m, found)


def _own(kerbs: Kerbs, looks: Looks, runs: Runs, ends: FaceEnds) -> Vertices:
    """Return the vertices that faces keep: their ends, and what no run passes over."""
    face = owners(kerbs.start)
    where = (np.arange(len(face)) - face).astype(np.float64)
    # Runs of one face follow each other: within one, more have begun than ended.
    key = np.column_stack([face, where])
    begun = _count_before(looks.face[runs.first], looks.where[runs.first], key)
    ended = _count_before(looks.face[runs.last], looks.where[runs.last], key)
    keep = begun == ended
    # Between an end and the run that reaches it the drawn kerb goes straight on.
    keep &= ~((where < ends.where[face, 0]) & ends.near[face, 0])
    keep &= ~((where > ends.where[face, 1]) & ends.near[face, 1])
    keep[kerbs.start[:-1]] = keep[kerbs.start[1:] - 1] = True
    return Vertices(face[keep], where[keep], kerbs.xy[keep], np.full(int(keep.sum()), -1, np.int64))


def _count_before(
    face: NDArray[np.int64], where: NDArray[np.float64], key: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return how many of the sorted places on faces come before each key (face, where)."""
    both = np.concatenate([np.column_stack([face, where]), key])
    mine = np.append(np.ones(len(face), np.int64), np.zeros(len(key), np.int64))
    order = np.lexsort((1 - mine, both[:, 1], both[:, 0]))
    count = np.empty(len(both), np.int64)
    count[order] = np.cumsum(mine[order])
    return count[len(face) :]


def _of_runs(pool: Pool, looks: Looks, runs: Runs) -> Vertices:
    """Return the vertices of the drawn kerb along the runs, and their ends."""
    ahead = looks.station_m[runs.last] >= looks.station_m[runs.first]
    # Of the looks: both ends, and each at which another segment of the face begins.
    run, look = ranges(runs.first, runs.last + 1)
    fresh = np.floor(looks.where[look]) != np.floor(looks.where[np.maximum(look - 1, 0)])
    fresh |= (look == runs.first[run]) | (look == runs.last[run])
    is_last = (look == runs.last[run])[fresh]
    ends = look[fresh]
    # Of the chain: what lies between, at the place that its station has among the looks.
    station = vertex_stations(pool)
    low, high = np.sort(np.stack([looks.station_m[runs.first], looks.station_m[runs.last]]), axis=0)
    chain = looks.chain[runs.first]
    size = float(station.max(initial=0)) + 1
    line = pool.chains.chain * size + station
    inner, vertex = ranges(
        np.searchsorted(line, chain * size + low + SAME_PLACE_M),
        np.searchsorted(line, chain * size + high - SAME_PLACE_M),
    )
    gone = np.abs(looks.station_m[look] - looks.station_m[runs.first[run]])
    known = np.maximum.accumulate(run * size + gone)
    asked = inner * size + np.abs(station[vertex] - looks.station_m[runs.first[inner]])
    where = np.interp(asked, known, looks.where[look])
    after = vertex - chain[inner] - ~ahead[inner]
    return Vertices(
        np.concatenate([looks.face[ends], looks.face[runs.first[inner]]]),
        np.concatenate([looks.where[ends], where]),
        np.concatenate([looks.place[ends], pool.chains.xy[vertex]]),
        np.concatenate([np.where(is_last, -1, looks.edge[ends]), after]),
    )


def _tapers(kerbs: Kerbs, looks: Looks, runs: Runs, ends: FaceEnds) -> Vertices:
    """Return where faces are back in their own place, a little past the ends of runs."""
    face = looks.face[runs.first]
    owner = owners(kerbs.start)
    station = np.cumsum(np.append(0.0, np.hypot(*np.diff(kerbs.xy, axis=0).T)))
    begin = stations_on(kerbs, looks.where[runs.first], face) - _TAPER_M
    end = stations_on(kerbs, looks.where[runs.last], face) + _TAPER_M
    first, last = station[kerbs.start[:-1]][face], station[kerbs.start[1:] - 1][face]
    alone = np.diff(face) != 0
    # Back between two runs only where there is room for it.
    low = np.where(np.append(True, alone), first, np.append(0.0, end[:-1]))
    high = np.where(np.append(alone, True), last, np.append(begin[1:], 0.0))
    opening = (begin > low) & ~(np.append(True, alone) & ends.near[face, 0])
    closing = (end < high) & ~(np.append(alone, True) & ends.near[face, 1])
    at = np.concatenate([begin[opening], end[closing]])
    xy = np.column_stack([np.interp(at, station, kerbs.xy[:, k]) for k in (0, 1)])
    where = np.interp(at, station, np.arange(len(owner)) - owner)
    mine = np.concatenate([face[opening], face[closing]])
    return Vertices(mine, where, xy, np.full(len(at), -1, np.int64))


def _edges(vertices: Vertices, ends: FaceEnds) -> NDArray[np.int64]:
    """Return the edge of the pool that each segment follows, also straight on to the end of a face, or -1."""
    begins = segment_heads(vertices)
    face, where, edge = vertices.face[begins], vertices.where[begins], vertices.edge[begins]
    for side, reached in ((0, where < ends.where[face, 0]), (1, where >= ends.where[face, 1])):
        edge = np.where(reached & ends.near[face, side], ends.edge[face, side], edge)
    return edge
