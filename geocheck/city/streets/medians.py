"""Which stretches of kerb bound a median, a divider between carriageways, or an island; and which may."""

from __future__ import annotations

from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.city.streets.bonds import bonds_of, doubt_m, what_tells
from geocheck.city.streets.covered import lines_of
from geocheck.city.streets.facing import Facing, facing, pieces_of, split_at
from geocheck.city.streets.runs import EndKind
from geocheck.city.streets.stretches import Stretches, face_lengths, joined, with_more

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.facing import Pieces
    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.streets.median_evidence import Evidence

SAME_STREET_M: Final = 50.0
"""Carriageways of one name are so far apart at most: in Porto Alegre mostly 20 m, along a canal 45 m."""

NAMELESS_M: Final = 12.0
"""The same where a name is missing: lengths drop beyond it, in Porto Alegre, Goiânia and Helsinki."""

NAMELESS_DOUBT_M: Final = 20.0
"""So far apart nameless carriageways may still be one street."""

STRIP_M: Final = 8.0
"""No block lies in so narrow a strip: two footways and a lot of 5 m (the least frontage by federal law)."""

STRIP_DOUBT_M: Final = 15.0
"""Between this and `STRIP_M` there are strips and blocks; in Porto Alegre lengths drop beyond it."""

PARALLEL_RAD: Final = np.radians(10) + 1e-4
"""Streets that part by more than this have the tip of a block between them, however narrow."""

ROUNDING_M: Final = 1e-6
"""Lengths that differ by less are equal."""


class Median(IntEnum):
    """What lies beside a kerb, away from the carriageway; `code` is the word used in files."""

    NO = 0
    """A footway and a block, as far as anybody knows."""
    UNKNOWN = 1
    """Perhaps a median or a divider, perhaps paint, perhaps a block."""
    YES = 2
    """A median: across lies the inner kerb of the opposite carriageway of the street."""
    DIVIDER = 3
    """A strip between carriageways of which nobody says that they are the two directions of one street."""
    ISLAND = 4
    """The island of a roundabout."""

    @property
    def code(self) -> str:
        """The word used in files (`"yes"`)."""
        return self.name.lower()


def seen_medians(kerbs: Kerbs, graph: Graph, ways: Evidence) -> Stretches:
    """Return the stretches of kerb from which something else than a block is or may be seen, or an island.

    Args:
        kerbs: block faces.
        graph: the streets.
        ways: what is known of each.
    """
    pieces = pieces_of(kerbs, graph)
    seen = ~kerbs.segment_step & ~ways.transit[kerbs.segment_way]
    reach_m = (STRIP_DOUBT_M + ROUNDING_M, SAME_STREET_M + ROUNDING_M)
    found = facing(pieces, seen, kerbs.segment_inner, reach_m, partial(what_tells, kerbs, graph, ways))
    for limit in (SAME_STREET_M, NAMELESS_DOUBT_M, STRIP_DOUBT_M, NAMELESS_M, STRIP_M):
        found = split_at(found, np.full(len(found.piece), limit + ROUNDING_M))
    found = split_at(found, doubt_m(kerbs, ways, found.piece, found.other))
    kind = _kinds(kerbs, graph, ways, found)
    round_ = ways.roundabout[kerbs.segment_way] & kerbs.segment_inner & ~kerbs.segment_step
    some = (kind != Median.NO) & ~round_[found.piece]
    rows = found.at(some)
    across = Stretches(
        face=pieces.face[rows.piece],
        from_m=pieces.from_m[rows.piece] + rows.begin_m,
        to_m=pieces.from_m[rows.piece] + rows.end_m,
        kind=kind[some],
        other=pieces.face[rows.other],
        gap_m=rows.gap_m,
    )
    islands = whole_pieces(pieces, np.flatnonzero(round_), Median.ISLAND)
    length, ring = face_lengths(kerbs), kerbs.start_kind == EndKind.NONE
    return _rings_whole(joined(with_more(across, islands), length, ring), length, ring)


def _rings_whole(rows: Stretches, length_m: NDArray[np.float64], ring: NDArray[np.bool_]) -> Stretches:
    """Let a kerb that runs all round a median bound it all along; a wider place is a square, or a block.

    Such a kerb faces itself. It has no ends: stretches of it would hang on where it was cut open.
    """
    own = ring[rows.face] & (rows.face == rows.other)
    part = rows.at(own)
    size = part.to_m - part.from_m
    yes = np.bincount(part.face, np.where(part.kind == Median.YES, size, 0.0), len(length_m))
    any_ = np.bincount(part.face, size, len(length_m))
    face = np.flatnonzero(any_ > length_m / 2)
    whole = Stretches(
        face=face,
        from_m=np.zeros(len(face)),
        to_m=length_m[face],
        kind=np.where(yes > length_m / 2, Median.YES, Median.UNKNOWN)[face],
        other=face,
        gap_m=_greatest(part, len(length_m))[face],
    )
    return with_more(rows.at(~own & ~np.isin(rows.face, face)), whole)


def _greatest(rows: Stretches, count: int) -> NDArray[np.float64]:
    gap = np.zeros(count)
    np.maximum.at(gap, rows.face, rows.gap_m)
    return gap


def whole_pieces(pieces: Pieces, rows: NDArray[np.int64], kind: Median) -> Stretches:
    """Return pieces of kerb as stretches of one kind."""
    return Stretches(
        face=pieces.face[rows],
        from_m=pieces.from_m[rows],
        to_m=pieces.from_m[rows] + pieces.length_m[rows],
        kind=np.full(len(rows), kind.value),
        other=np.full(len(rows), -1),
        gap_m=np.zeros(len(rows)),
    )


def _kinds(kerbs: Kerbs, graph: Graph, ways: Evidence, found: Facing) -> NDArray[np.int64]:
    """Return the `Median` of each stretch on which two kerbs face each other."""
    opposite, dual, same, nameless = bonds_of(kerbs, graph, ways, found.piece, found.other)
    along = _along(kerbs, found.piece, found.other)
    # A gap of just the limit is within it, whatever way the scene is turned.
    gap, kind = found.gap_m - ROUNDING_M, Median
    strip = along & (gap <= STRIP_M)
    told = np.select(
        [
            opposite & same & (gap <= SAME_STREET_M),
            opposite & nameless & (gap <= NAMELESS_M),
            strip,
            opposite & nameless & (gap <= NAMELESS_DOUBT_M),
            along & (opposite | same | nameless) & (gap <= STRIP_DOUBT_M),
        ],
        [kind.YES, kind.YES, kind.DIVIDER, kind.UNKNOWN, kind.UNKNOWN],
        kind.NO,
    )
    apart = (gap > doubt_m(kerbs, ways, found.piece, found.other)) | dual
    return np.where((told != kind.NO) & ~apart, kind.UNKNOWN, told).astype(np.int64)


def _along(kerbs: Kerbs, one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which pieces of kerb are as good as parallel."""
    begin, end, length, _ = lines_of(kerbs)
    step = end - begin
    cross = step[one, 0] * step[two, 1] - step[one, 1] * step[two, 0]
    size = length[one] * length[two]
    return np.asarray(np.abs(cross) <= np.sin(PARALLEL_RAD) * size)
