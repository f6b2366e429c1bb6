"""Which kerb and corners lie inside another carriageway of the same layer, where there can be none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.corners import Corners
    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Kerbs

_DEPTH_M: Final = 0.05
"""Kerb less deep inside another carriageway stays: it is the same kerb, drawn twice."""

LEAST_M: Final = 0.3
"""Shorter stretches, covered or left between covered ones, are noise of bends and steps."""

CRUMB_M: Final = 2.0
"""No carriageway is so narrow: a shorter stretch, covered or left alone, is noise of square-cut ends."""

_SAME_M: Final = 1e-6
_STILL_M: Final = 1e-12


class Lines(NamedTuple):
    """The g straight segments of all faces, each shape (g, …).

    Attributes:
        begin: metres, shape (g, 2).
        end: the same.
        length_m: of each.
        face: of each.
    """

    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    length_m: NDArray[np.float64]
    face: NDArray[np.int64]


class Spans(NamedTuple):
    """Stretches of segments: which, from what share to what share, sorted."""

    segment: NDArray[np.int64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]


class Covered(NamedTuple):
    """What lies inside another carriageway.

    Attributes:
        kerb: stretches of segments.
        corner: corners, shape (c,).
    """

    kerb: Spans
    corner: NDArray[np.bool_]


def lines_of(kerbs: Kerbs) -> Lines:
    """Return the segments of all faces."""
    face = np.repeat(np.arange(len(kerbs)), np.diff(kerbs.segment_start))
    first = np.arange(len(face)) + face
    begin, end = kerbs.xy[first], kerbs.xy[first + 1]
    return Lines(begin, end, np.hypot(*(end - begin).T), face)


def covered_by(graph: Graph, kerbs: Kerbs, lines: Lines, corners: Corners) -> Covered:
    """Return which kerb and corners lie inside a carriageway that is not their own.

    Two one-way carriageways with a painted median are drawn as streets of their own, closer than they are
    wide; what would be their kerbs in the middle is asphalt.
    """
    strips = _Strips(graph)
    line, enter, leave = strips.spans(lines.begin, lines.end, _own_axes(kerbs, lines.face))
    plain = ~kerbs.segment_step[line]
    found = _merged(line[plain], enter[plain], leave[plain], lines.length_m)
    found = _with_steps(_rings_whole(found, kerbs, lines), kerbs.segment_step)
    hidden = _hidden_corners(strips, kerbs, corners)
    sure = np.append(~hidden & ~corners.unknown, False)
    return Covered(_without_crumbs(found, kerbs, lines, sure), hidden)


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
                kerbs of those that meet it at a node join is settled.
        """
        line, strip = self.tree.query(shapely.linestrings(np.stack([begin, end], axis=1)))
        axis = own[line, 1]
        # Between two streets side by side everything may collapse, so that a face leads from the one to the
        # other though they have no node in common: each still lies where it lies.
        meets = (self.ends[axis][:, :, None] == self.ends[strip][:, None, :]).any(axis=(1, 2))
        next_to = (own[line][:, [0, 2]] == strip[:, None]).any(axis=1) & meets
        fair = (self.layer[strip] == self.layer[axis]) & (strip != axis) & ~next_to
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
        # A kerb that runs on past its own axis was joined with the streets that begin there.
        met = (self.ends[axis][:, :, None] == self.ends[strip][:, None, :]).any(axis=2)
        beside = _within(
            ((begin[line] - self.at[axis]) * self.unit[axis]).sum(axis=1),
            (step * self.unit[axis]).sum(axis=1),
            np.where(met[:, 0], 0.0, -np.inf),
            np.where(met[:, 1], self.length[axis], np.inf),
        )
        enter = np.maximum(np.maximum(np.maximum(along[0], aside[0]), beside[0]), 0.0)
        leave = np.minimum(np.minimum(np.minimum(along[1], aside[1]), beside[1]), 1.0)
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


def _merged(
    line: NDArray[np.int64],
    enter: NDArray[np.float64],
    leave: NDArray[np.float64],
    length: NDArray[np.float64],
) -> Spans:
    """Merge stretches with little or nothing between them; drop those with next to no length."""
    if not len(line):
        return Spans(line, enter, leave)
    order = np.lexsort((enter, line))
    line, enter, leave = line[order], enter[order], leave[order]
    # Each segment has its own stretch of one long axis, so that a running maximum stays within it.
    reach = np.maximum.accumulate(leave + 2 * line)
    fresh = np.ones(len(line), bool)
    slack = LEAST_M / length[line[1:]]
    fresh[1:] = (line[1:] != line[:-1]) | (enter[1:] + 2 * line[1:] > reach[:-1] + slack)
    group = np.flatnonzero(fresh)
    last = np.append(group[1:], len(line)) - 1
    segment, begin, end = line[group], enter[group], reach[last] - 2 * line[group]
    spare = LEAST_M / length[segment]
    begin, end = np.where(begin < spare, 0.0, begin), np.where(end > 1 - spare, 1.0, end)
    held = (end - begin) * length[segment] > np.minimum(LEAST_M, length[segment] / 2)
    return Spans(segment[held], begin[held], end[held])


def _with_steps(covered: Spans, step: NDArray[np.bool_]) -> Spans:
    """Add the steps between kerbs that are covered on both sides: a step has no axis of its own."""
    opens, shuts = np.zeros(len(step) + 1, bool), np.zeros(len(step) + 1, bool)
    opens[covered.segment[covered.begin == 0]] = True
    shuts[covered.segment[covered.end == 1]] = True
    more = np.flatnonzero(step & np.roll(shuts, 1)[:-1] & opens[1:])
    segment = np.append(covered.segment, more)
    begin, end = np.append(covered.begin, np.zeros(len(more))), np.append(covered.end, np.ones(len(more)))
    order = np.lexsort((begin, segment))
    return Spans(segment[order], begin[order], end[order])


def _rings_whole(covered: Spans, kerbs: Kerbs, lines: Lines) -> Spans:
    """Let a ring without corners go where most of it is covered, and stay whole elsewhere.

    It has no start: cut into pieces, these would hang on the vertex at which it happens to be opened.
    """
    ring, face, length = kerbs.start_kind == EndKind.NONE, lines.face, lines.length_m
    share = (covered.end - covered.begin) * length[covered.segment]
    hidden = np.bincount(face[covered.segment], share, len(kerbs))
    whole = np.bincount(face, np.where(kerbs.segment_step, 0.0, length), len(kerbs))
    gone = np.flatnonzero((ring & (hidden > whole / 2 + _SAME_M))[face])
    open_ = ~ring[face[covered.segment]]
    segment = np.append(covered.segment[open_], gone)
    begin = np.append(covered.begin[open_], np.zeros(len(gone)))
    end = np.append(covered.end[open_], np.ones(len(gone)))
    order = np.lexsort((begin, segment))
    return Spans(segment[order], begin[order], end[order])


def _without_crumbs(covered: Spans, kerbs: Kerbs, lines: Lines, sure: NDArray[np.bool_]) -> Spans:
    """Let short stretches go that have kerb, or a corner whose place is sure, at both ends.

    They are where the square-cut end of a street juts out over a kerb; nobody could drive in there.

    Args:
        covered: what is covered.
        kerbs: the faces.
        lines: their segments.
        sure: whether the place of each corner is, and at last False, for "no corner", shape (c + 1,).
    """
    if not len(covered.segment):
        return covered
    face = lines.face[covered.segment]
    fresh = np.ones(len(face), bool)
    fresh[1:] = (
        (face[1:] != face[:-1])
        | (covered.segment[1:] != covered.segment[:-1] + 1)
        | (covered.end[:-1] < 1)
        | (covered.begin[1:] > 0)
    )
    run = np.cumsum(fresh) - 1
    length = np.bincount(run, (covered.end - covered.begin) * lines.length_m[covered.segment])
    heads = np.flatnonzero(fresh)
    tails = np.append(heads[1:], len(face)) - 1
    of = face[heads]
    opens = (covered.begin[heads] == 0) & (covered.segment[heads] == kerbs.segment_start[of])
    shuts = (covered.end[tails] == 1) & (covered.segment[tails] == kerbs.segment_start[of + 1] - 1)
    crumb = (
        (length < CRUMB_M)
        & ~(opens & shuts)
        & (~opens | sure[kerbs.start_corner[of]])
        & (~shuts | sure[kerbs.end_corner[of]])
    )
    kept = ~crumb[run]
    return Spans(covered.segment[kept], covered.begin[kept], covered.end[kept])


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
