"""Cuts faces where their kerb is covered, and lets corners and mouths go accordingly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.city.streets.corners import Corners, Mouths
from geocheck.city.streets.covered import CRUMB_M, LEAST_M, Spans, covered_by, lines_of
from geocheck.city.streets.kerbs import RIGHT, Kerbs
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.covered import Lines
    from geocheck.city.streets.graph import Graph


class Trimmed(NamedTuple):
    """What is left.

    Attributes:
        kerbs: without what was covered; a face may have become several.
        corners: without those inside a carriageway, and those between kerbs that all went.
        mouths: of the corners left.
        covered_m: length of kerb that went.
        covered_corners: corners that went.
    """

    kerbs: Kerbs
    corners: Corners
    mouths: Mouths
    covered_m: float
    covered_corners: int


def trim_covered(kerbs: Kerbs, corners: Corners, mouths: Mouths, graph: Graph) -> Trimmed:
    """Drop kerb and corners that lie inside another carriageway."""
    if not len(kerbs):
        return Trimmed(kerbs, corners, mouths, 0.0, 0)
    lines = lines_of(kerbs)
    covered = covered_by(graph, kerbs, lines, corners)
    pieces = _left_over(covered.kerb, len(lines.face))
    kerbs_left, start_at, end_at = _cut(kerbs, lines, pieces)
    against = _against(kerbs, lines, graph)
    before = _face_at(corners.face_before, kerbs, start_at, np.where(against, start_at, end_at), end_at)
    after = _face_at(corners.face_after, kerbs, start_at, np.where(against, end_at, start_at), end_at)
    had = (corners.face_before >= 0) | (corners.face_after >= 0)
    kept = ~covered.corner & ~(had & (before < 0) & (after < 0) & ~corners.unknown)
    corner_rank = np.where(kept, np.cumsum(kept) - 1, -1)
    corners_left = Corners(
        xy=corners.xy[kept],
        kind=corners.kind[kept],
        unknown=corners.unknown[kept],
        turn_deg=corners.turn_deg[kept],
        face_before=before[kept],
        face_after=after[kept],
        node=corners.node[kept],
        graph_node=corners.graph_node[kept],
    )
    return Trimmed(
        _renumbered(kerbs_left, corner_rank),
        corners_left,
        _mouths_left(mouths, corner_rank, start_at, end_at),
        float(lines.length_m.sum() - lines_of(kerbs_left).length_m.sum()),
        int(np.count_nonzero(~kept)),
    )


def _left_over(covered: Spans, count: int) -> Spans:
    """Return what the stretches leave of the segments, in order."""
    each = np.arange(count)
    begin_of, begin = np.append(each, covered.segment), np.append(np.zeros(count), covered.end)
    end_of, end = np.append(covered.segment, each), np.append(covered.begin, np.ones(count))
    one, two = np.lexsort((begin, begin_of)), np.lexsort((end, end_of))
    found = Spans(begin_of[one], begin[one], end[two])
    some = found.end > found.begin
    return Spans(found.segment[some], found.begin[some], found.end[some])


class _Left(NamedTuple):
    """The faces that pieces make: each a run of pieces that hang together, f of them.

    Attributes:
        kept: pieces that are part of one, shape (p,).
        heads: first piece of each, shape (f,).
        tails: last piece.
        source: the old face.
        opens: it begins where its old face was cut, shape (f,).
        shuts: it ends where that was cut.
    """

    kept: NDArray[np.bool_]
    heads: NDArray[np.int64]
    tails: NDArray[np.int64]
    source: NDArray[np.int64]
    opens: NDArray[np.bool_]
    shuts: NDArray[np.bool_]


def _faces_left(kerbs: Kerbs, lines: Lines, pieces: Spans) -> _Left:
    """Put pieces together to faces; what is shorter than noise goes, the sooner the more ends were cut."""
    count = len(pieces.segment)
    fresh = np.ones(count, bool)
    of = lines.face[pieces.segment]
    fresh[1:] = (
        (of[1:] != of[:-1])
        | (pieces.segment[1:] != pieces.segment[:-1] + 1)
        | (pieces.end[:-1] < 1)
        | (pieces.begin[1:] > 0)
    )
    heads, tails = np.flatnonzero(fresh), np.flatnonzero(np.append(fresh[1:], True)[:count])
    group = np.cumsum(fresh) - 1
    size = np.bincount(group, (pieces.end - pieces.begin) * lines.length_m[pieces.segment])
    source = of[heads]
    opens = (pieces.begin[heads] > 0) | (pieces.segment[heads] != kerbs.segment_start[source])
    shuts = (pieces.end[tails] < 1) | (pieces.segment[tails] != kerbs.segment_start[source + 1] - 1)
    held = size >= np.array([0.0, LEAST_M, CRUMB_M])[opens.astype(int) + shuts]
    kept = held[group] if count else np.zeros(0, bool)
    return _Left(kept, heads[held], tails[held], source[held], opens[held], shuts[held])


def _cut(kerbs: Kerbs, lines: Lines, pieces: Spans) -> tuple[Kerbs, NDArray[np.int64], NDArray[np.int64]]:
    """Return the faces that pieces make, and the new face at the start and the end of each old one, or -1."""
    left = _faces_left(kerbs, lines, pieces)
    source, rows = left.source, np.arange(len(left.heads))
    start_at, end_at = np.full(len(kerbs), -1), np.full(len(kerbs), -1)
    start_at[source[~left.opens]] = rows[~left.opens]
    end_at[source[~left.shuts]] = rows[~left.shuts]
    segments = np.concatenate([[0], np.cumsum(left.tails - left.heads + 1)]).astype(np.int64)
    start = segments + np.arange(len(segments))
    begin, end = _ends(lines, pieces)
    xy = np.empty((int(start[-1]), 2))
    is_head = np.zeros(len(xy), bool)
    is_head[start[:-1]] = True
    xy[is_head], xy[~is_head] = begin[left.heads], end[left.kept]
    columns = ("axis", "way", "side", "half_m", "flow", "inner", "step")
    names = [f"segment_{column}" for column in columns]
    by_segment = {name: getattr(kerbs, name)[pieces.segment[left.kept]] for name in names}
    found = Kerbs(
        xy=xy,
        start=start,
        street=tuple(kerbs.street[i] for i in source),
        side=kerbs.side[source],
        way=kerbs.way[source],
        layer=kerbs.layer[source],
        start_kind=np.where(left.opens, EndKind.COVERED, kerbs.start_kind[source]),
        end_kind=np.where(left.shuts, EndKind.COVERED, kerbs.end_kind[source]),
        start_corner=np.where(left.opens, -1, kerbs.start_corner[source]),
        end_corner=np.where(left.shuts, -1, kerbs.end_corner[source]),
        segment_start=segments,
        **by_segment,
    )
    return found, start_at, end_at


def _ends(lines: Lines, pieces: Spans) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where pieces begin and end, shapes (p, 2); at the end of a segment just there."""
    at, stop = lines.begin[pieces.segment], lines.end[pieces.segment]
    step = stop - at
    end = np.where((pieces.end == 1)[:, None], stop, at + pieces.end[:, None] * step)
    return at + pieces.begin[:, None] * step, end


def _against(kerbs: Kerbs, lines: Lines, graph: Graph) -> NDArray[np.bool_]:
    """Tell which faces run with the block on their left, shape (f,)."""
    axis = kerbs.segment_axis
    along = graph.xy[graph.segments.b[axis]] - graph.xy[graph.segments.a[axis]]
    drawn = ((lines.end - lines.begin) * along).sum(axis=1) / np.hypot(along[:, 0], along[:, 1])
    with_block = np.where(kerbs.segment_step, 0.0, drawn * np.where(kerbs.segment_side == RIGHT, 1, -1))
    return np.asarray(np.bincount(lines.face, with_block, len(kerbs)) < 0)


def _face_at(
    face: NDArray[np.int64],
    kerbs: Kerbs,
    start_at: NDArray[np.int64],
    loop_at: NDArray[np.int64],
    end_at: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the new face at each corner for the old one.

    Args:
        face: the old one, shape (c,).
        kerbs: the old faces.
        start_at: the new face at the start of each old one, -1 for none, shape (f,).
        loop_at: the same for a face that starts and ends at one corner.
        end_at: the same at the end.
    """
    safe, corner = np.maximum(face, 0), np.arange(len(face))
    at_start, at_end = kerbs.start_corner[safe] == corner, kerbs.end_corner[safe] == corner
    found = np.where(at_end, np.where(at_start, loop_at[safe], end_at[safe]), start_at[safe])
    return np.where(face < 0, -1, found)


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
