"""Trims kerb that lies inside another carriageway of the same layer, where there can be none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.streets.corners import Corners, Mouths
from geocheck.city.streets.kerbs import Kerbs
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Graph

_DEPTH_M: Final = 0.05
"""Kerb less deep inside another carriageway stays: it is the same kerb, drawn twice."""

_LEAST_M: Final = 0.3
"""Shorter stretches, covered or left between covered ones, are noise of bends and steps."""


_CRUMB_M: Final = 2.0
"""A face shorter than this with carriageway at both ends is dropped with them."""

_SAME_M: Final = 1e-6

_STILL_M: Final = 1e-12


class Trimmed(NamedTuple):
    """What is left.

    Attributes:
        kerbs: without what was covered; a face may have become several.
        corners: without those inside a carriageway.
        mouths: of the corners left.
        covered_m: length of kerb that went.
        covered_corners: corners that went.
    """

    kerbs: Kerbs
    corners: Corners
    mouths: Mouths
    covered_m: float
    covered_corners: int


class _Strips:
    """Carriageways as rectangles, a little narrower than they are, one for each segment of the graph."""

    def __init__(self, graph: Graph) -> None:
        segments = graph.segments
        self.layer = segments.layer
        self.ends = np.stack([segments.a, segments.b], axis=1)
        self.source = graph.source
        self.at = graph.xy[segments.a]
        along = graph.xy[segments.b] - self.at
        self.length = np.hypot(along[:, 0], along[:, 1])
        self.unit = along / np.maximum(self.length, 1e-12)[:, None]
        self.left = np.maximum(segments.left_m - _DEPTH_M, 0)
        self.right = np.maximum(segments.right_m - _DEPTH_M, 0)
        normal = np.column_stack([-self.unit[:, 1], self.unit[:, 0]])
        far, high, low = self.at + along, self.left[:, None] * normal, -self.right[:, None] * normal
        ring = np.stack([self.at + low, far + low, far + high, self.at + high], axis=1)
        self.tree = shapely.STRtree(np.asarray(shapely.polygons(ring)))

    def spans(
        self, begin: NDArray[np.float64], end: NDArray[np.float64], own: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the kerbs that run through another strip of their layer, and the shares at which they do.

        Args:
            begin: of k pieces of kerb, metres, shape (k, 2).
            end: the same.
            own: the axes of its neighbours along the face and, between them, its own, shape (k, 3): how the
                kerbs of these join is settled.
        """
        line, strip = self.tree.query(shapely.linestrings(np.stack([begin, end], axis=1)))
        axis = own[line, 1]
        fair = (self.layer[strip] == self.layer[axis]) & ~(own[line] == strip[:, None]).any(axis=1)
        line, strip, axis = line[fair], strip[fair], axis[fair]
        # A strip that begins at a node of the kerb's own street juts out there with square corners.
        joined = (self.ends[strip][:, :, None] == self.ends[axis][:, None, :]).any(axis=2)
        jut = np.maximum(self.left[strip], self.right[strip])
        low, high = np.where(joined[:, 0], jut, 0.0), self.length[strip] - np.where(joined[:, 1], jut, 0.0)
        unit = self.unit[strip]
        from_, step = begin[line] - self.at[strip], (end - begin)[line]
        along = _within((from_ * unit).sum(axis=1), (step * unit).sum(axis=1), low, high)
        aside = _within(
            unit[:, 0] * from_[:, 1] - unit[:, 1] * from_[:, 0],
            unit[:, 0] * step[:, 1] - unit[:, 1] * step[:, 0],
            -self.right[strip],
            self.left[strip],
        )
        enter = np.maximum(np.maximum(along[0], aside[0]), 0.0)
        leave = np.minimum(np.minimum(along[1], aside[1]), 1.0)
        hit = leave > enter
        return line[hit], enter[hit], leave[hit]


def _within(
    place: NDArray[np.float64],
    speed: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the shares for which `place + share * speed` lies within two bounds; -inf, inf for all."""
    still = np.abs(speed) < _STILL_M
    safe = np.where(still, 1.0, speed)
    one, two = (low - place) / safe, (high - place) / safe
    inside = (low <= place) & (place <= high)
    enter = np.where(still, np.where(inside, -np.inf, np.inf), np.minimum(one, two))
    leave = np.where(still, np.where(inside, np.inf, -np.inf), np.maximum(one, two))
    return enter, np.where(low <= high, leave, -np.inf)


def _own_axes(kerbs: Kerbs, face: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the axis of each piece of kerb, of the one before and the one after on its face, shape (g, 3).

    Steps are passed over: they belong to two axes, not to one.
    """
    here, plain = np.arange(len(face)), ~kerbs.segment_step
    last = np.maximum.accumulate(np.where(plain, here, -1))
    first = np.minimum.accumulate(np.where(plain, here, len(here))[::-1])[::-1]
    low, high = kerbs.segment_start[face], kerbs.segment_start[face + 1]
    ring = (kerbs.start_kind == EndKind.NONE)[face]
    before, after = np.append(-1, last[:-1]), np.append(first[1:], len(here))
    before = np.where(before >= low, before, np.where(ring, last[high - 1], here))
    after = np.where(after < high, after, np.where(ring, first[low], here))
    return np.asarray(kerbs.segment_axis[np.stack([before, here, after], axis=1)])


def trim_covered(kerbs: Kerbs, corners: Corners, mouths: Mouths, graph: Graph) -> Trimmed:
    """Drop kerb and corners that lie inside another carriageway.

    Two one-way carriageways with a painted median are drawn as streets of their own, closer than they are
    wide; what would be their kerbs in the middle is asphalt.
    """
    if not len(kerbs):
        return Trimmed(kerbs, corners, mouths, 0.0, 0)
    strips = _Strips(graph)
    face = np.repeat(np.arange(len(kerbs)), np.diff(kerbs.segment_start))
    first = np.arange(len(face)) + face
    begin, end = kerbs.xy[first], kerbs.xy[first + 1]
    length = np.hypot(*(end - begin).T)
    line, enter, leave = strips.spans(begin, end, _own_axes(kerbs, face))
    plain = ~kerbs.segment_step[line]
    covered = _merged(line[plain], enter[plain], leave[plain], length)
    covered = _with_steps(_rings_whole(covered, kerbs, face, length), kerbs.segment_step)
    hidden = _hidden_corners(strips, kerbs, corners)
    pieces = _left_over(covered, len(face))
    kerbs_left, start_at, end_at = _cut(kerbs, face, pieces, (begin, end, length))
    corner_rank = np.where(hidden, -1, np.cumsum(~hidden) - 1)
    kept = ~hidden
    before = _face_at(corners.face_before, kerbs, start_at, end_at)[kept]
    after = _face_at(corners.face_after, kerbs, start_at, end_at)[kept]
    corners_left = Corners(
        xy=corners.xy[kept],
        kind=corners.kind[kept],
        unknown=corners.unknown[kept],
        turn_deg=corners.turn_deg[kept],
        face_before=before,
        face_after=after,
        node=corners.node[kept],
    )
    return Trimmed(
        _renumbered(kerbs_left, corner_rank),
        corners_left,
        _mouths_left(mouths, corner_rank, start_at, end_at),
        float(length.sum() - _lengths(kerbs_left).sum()),
        int(np.count_nonzero(hidden)),
    )


class _Spans(NamedTuple):
    """Stretches of segments: which, from what share to what share, sorted."""

    segment: NDArray[np.int64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]


def _merged(
    line: NDArray[np.int64],
    enter: NDArray[np.float64],
    leave: NDArray[np.float64],
    length: NDArray[np.float64],
) -> _Spans:
    """Merge stretches with little or nothing between them; drop those with next to no length."""
    if not len(line):
        return _Spans(line, enter, leave)
    order = np.lexsort((enter, line))
    line, enter, leave = line[order], enter[order], leave[order]
    # Each segment has its own stretch of one long axis, so that a running maximum stays within it.
    reach = np.maximum.accumulate(leave + 2 * line)
    fresh = np.ones(len(line), bool)
    slack = _LEAST_M / length[line[1:]]
    fresh[1:] = (line[1:] != line[:-1]) | (enter[1:] + 2 * line[1:] > reach[:-1] + slack)
    group = np.flatnonzero(fresh)
    last = np.append(group[1:], len(line)) - 1
    segment, begin, end = line[group], enter[group], reach[last] - 2 * line[group]
    spare = _LEAST_M / length[segment]
    begin, end = np.where(begin < spare, 0.0, begin), np.where(end > 1 - spare, 1.0, end)
    held = (end - begin) * length[segment] > np.minimum(_LEAST_M, length[segment] / 2)
    return _Spans(segment[held], begin[held], end[held])


def _with_steps(covered: _Spans, step: NDArray[np.bool_]) -> _Spans:
    """Add the steps between kerbs that are covered on both sides: a step has no axis of its own."""
    opens, shuts = np.zeros(len(step) + 1, bool), np.zeros(len(step) + 1, bool)
    opens[covered.segment[covered.begin == 0]] = True
    shuts[covered.segment[covered.end == 1]] = True
    more = np.flatnonzero(step & np.roll(shuts, 1)[:-1] & opens[1:])
    segment = np.append(covered.segment, more)
    begin, end = np.append(covered.begin, np.zeros(len(more))), np.append(covered.end, np.ones(len(more)))
    order = np.lexsort((begin, segment))
    return _Spans(segment[order], begin[order], end[order])


def _rings_whole(
    covered: _Spans, kerbs: Kerbs, face: NDArray[np.int64], length: NDArray[np.float64]
) -> _Spans:
    """Let a ring without corners go where most of it is covered, and stay whole elsewhere.

    It has no start: cut into pieces, these would hang on the vertex at which it happens to be opened.
    """
    ring = kerbs.start_kind == EndKind.NONE
    share = (covered.end - covered.begin) * length[covered.segment]
    hidden = np.bincount(face[covered.segment], share, len(kerbs))
    whole = np.bincount(face, np.where(kerbs.segment_step, 0.0, length), len(kerbs))
    gone = np.flatnonzero((ring & (hidden > whole / 2 + _SAME_M))[face])
    open_ = ~ring[face[covered.segment]]
    segment = np.append(covered.segment[open_], gone)
    begin = np.append(covered.begin[open_], np.zeros(len(gone)))
    end = np.append(covered.end[open_], np.ones(len(gone)))
    order = np.lexsort((begin, segment))
    return _Spans(segment[order], begin[order], end[order])


def _left_over(covered: _Spans, count: int) -> _Spans:
    """Return what the stretches leave of the segments, in order."""
    each = np.arange(count)
    begin_of, begin = np.append(each, covered.segment), np.append(np.zeros(count), covered.end)
    end_of, end = np.append(covered.segment, each), np.append(covered.begin, np.ones(count))
    one, two = np.lexsort((begin, begin_of)), np.lexsort((end, end_of))
    found = _Spans(begin_of[one], begin[one], end[two])
    some = found.end > found.begin
    return _Spans(found.segment[some], found.begin[some], found.end[some])


def _cut(
    kerbs: Kerbs,
    face: NDArray[np.int64],
    pieces: _Spans,
    lines: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
) -> tuple[Kerbs, NDArray[np.int64], NDArray[np.int64]]:
    """Return the faces that pieces make, and the new face at the start and the end of each old one, or -1."""
    begin, end, length = lines
    count = len(pieces.segment)
    fresh = np.ones(count, bool)
    of = face[pieces.segment]
    fresh[1:] = (
        (of[1:] != of[:-1])
        | (pieces.segment[1:] != pieces.segment[:-1] + 1)
        | (pieces.end[:-1] < 1)
        | (pieces.begin[1:] > 0)
    )
    opens = fresh & ((pieces.begin > 0) | (pieces.segment != kerbs.segment_start[of]))
    closes_at = np.append(fresh[1:], True)
    shuts = closes_at & ((pieces.end < 1) | (pieces.segment != kerbs.segment_start[of + 1] - 1))
    group = np.cumsum(fresh) - 1
    size = np.bincount(group, (pieces.end - pieces.begin) * length[pieces.segment])
    heads, tails = np.flatnonzero(fresh), np.flatnonzero(closes_at)
    ends = opens[heads].astype(int) + shuts[tails]
    held = size >= np.array([0.0, _LEAST_M, _CRUMB_M])[ends]
    kept = held[group] if count else np.zeros(0, bool)
    heads, tails = heads[held], tails[held]
    source = of[heads]
    start_at, end_at = np.full(len(kerbs), -1), np.full(len(kerbs), -1)
    rows = np.arange(len(heads))
    start_at[source[~opens[heads]]] = rows[~opens[heads]]
    end_at[source[~shuts[tails]]] = rows[~shuts[tails]]
    step = end - begin
    xy_begin = begin[pieces.segment] + pieces.begin[:, None] * step[pieces.segment]
    xy_end = np.where(
        (pieces.end == 1)[:, None],
        end[pieces.segment],
        begin[pieces.segment] + pieces.end[:, None] * step[pieces.segment],
    )
    segments = np.concatenate([[0], np.cumsum(tails - heads + 1)]).astype(np.int64)
    start = segments + np.arange(len(segments))
    xy = np.empty((int(start[-1]), 2))
    is_head = np.zeros(len(xy), bool)
    is_head[start[:-1]] = True
    xy[is_head], xy[~is_head] = xy_begin[heads], xy_end[kept]
    kind = EndKind.COVERED
    columns = ("axis", "way", "side", "half_m", "flow", "inner", "step")
    names = [f"segment_{column}" for column in columns]
    by_segment = {name: getattr(kerbs, name)[pieces.segment[kept]] for name in names}
    found = Kerbs(
        xy=xy,
        start=start,
        street=tuple(kerbs.street[i] for i in source),
        side=kerbs.side[source],
        way=kerbs.way[source],
        layer=kerbs.layer[source],
        start_kind=np.where(opens[heads], kind, kerbs.start_kind[source]),
        end_kind=np.where(shuts[tails], kind, kerbs.end_kind[source]),
        start_corner=np.where(opens[heads], -1, kerbs.start_corner[source]),
        end_corner=np.where(shuts[tails], -1, kerbs.end_corner[source]),
        segment_start=segments,
        **by_segment,
    )
    return found, start_at, end_at


def _hidden_corners(strips: _Strips, kerbs: Kerbs, corners: Corners) -> NDArray[np.bool_]:
    """Tell which corners whose place is known lie inside a carriageway of the layer of both their faces."""
    hidden = np.zeros(len(corners), bool)
    corner, strip = strips.tree.query(shapely.points(corners.xy), predicate="within")
    fair = ~(strips.source[strips.ends[strip]] == corners.node[corner][:, None]).any(axis=1)
    for face in (corners.face_before[corner], corners.face_after[corner]):
        for ends, piece in (
            (kerbs.start_corner, kerbs.segment_start[:-1]),
            (kerbs.end_corner, kerbs.segment_start[1:] - 1),
        ):
            layer = strips.layer[kerbs.segment_axis[piece[face]]]
            fair &= (face < 0) | (ends[face] != corner) | (layer == strips.layer[strip])
    hidden[corner[fair]] = True
    return hidden & ~corners.unknown


def _face_at(
    face: NDArray[np.int64], kerbs: Kerbs, start_at: NDArray[np.int64], end_at: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the new face at each corner for the old one."""
    safe = np.maximum(face, 0)
    at_end = kerbs.end_corner[safe] == np.arange(len(face))
    return np.where(face < 0, -1, np.where(at_end, end_at[safe], start_at[safe]))


def _renumbered(kerbs: Kerbs, rank: NDArray[np.int64]) -> Kerbs:
    """Let faces name corners by their new numbers; at one that went the kerb runs into a carriageway."""
    table = np.append(rank, -1)
    start, end = table[kerbs.start_corner], table[kerbs.end_corner]
    lost_start = (start < 0) & (kerbs.start_corner >= 0)
    lost_end = (end < 0) & (kerbs.end_corner >= 0)
    return replace(
        kerbs,
        start_corner=start,
        end_corner=end,
        start_kind=np.where(lost_start, EndKind.COVERED, kerbs.start_kind),
        end_kind=np.where(lost_end, EndKind.COVERED, kerbs.end_kind),
    )


def _mouths_left(
    mouths: Mouths, rank: NDArray[np.int64], start_at: NDArray[np.int64], end_at: NDArray[np.int64]
) -> Mouths:
    one, two = rank[mouths.corner_from], rank[mouths.corner_to]
    kept = (one >= 0) & (two >= 0)
    ends, starts = np.append(end_at, -1), np.append(start_at, -1)
    return Mouths(
        face_from=ends[mouths.face_from][kept],
        face_to=starts[mouths.face_to][kept],
        corner_from=one[kept],
        corner_to=two[kept],
        width_m=mouths.width_m[kept],
    )


def _lengths(kerbs: Kerbs) -> NDArray[np.float64]:
    """Return the lengths of all segments."""
    face = np.repeat(np.arange(len(kerbs)), np.diff(kerbs.segment_start))
    first = np.arange(len(face)) + face
    return np.asarray(np.hypot(*(kerbs.xy[first + 1] - kerbs.xy[first]).T))
