"""Block faces and corners of surveyed kerbs alone: no axis says which side the traffic is on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.ragged import counted, ranges
from geocheck.city.streets.corners import CornerKind
from geocheck.city.streets.kerbs import LEFT
from geocheck.city.streets.runs import EndKind
from geocheck.city.surveyed.block_side import UNKNOWN, block_sides
from geocheck.city.surveyed.turns import TurnKind, turns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.city.surveyed.block_side import BlockSides
    from geocheck.city.surveyed.lines import Chains
    from geocheck.city.surveyed.pool import KerbLines
    from geocheck.city.surveyed.turns import Turns

_ISLAND_M: Final = 8.0
"""A ring narrower than this in the mean is an island or a median, not a block."""

_BEND_M: Final = 35.0
"""So far apart at most lie the inner and the outer kerb of a street that bends."""

_LIKE_RAD: Final = np.radians(20)
_SAME_PLACE_M: Final = 1e-6


@dataclass(frozen=True, slots=True)
class SurveyedFaces:
    """f block faces and c corners; the block is on the right where its side is known or guessed.

    Attributes:
        lines: the faces, straight on to their corners, shape (f,).
        street: name along the greater part, shape (f,).
        block_known: the side of the block is declared, or told by a ring, shape (f,).
        block_guessed: it was guessed from the corners of an open line, shape (f,).
        island: part of a ring too narrow for a block, shape (f,).
        accuracy_m: of the worst part, shape (f,).
        source: `WidthSource` of the worst part, shape (f,).
        start_corner: -1 for none, shape (f,).
        end_corner: the same.
        start_kind: `EndKind`, shape (f,).
        end_kind: the same.
        corner_xy: shape (c, 2).
        corner_kind: `CornerKind`, shape (c,).
        turn_deg: into the block above zero, shape (c,).
        before_m: from the corner back to where the curve begins, NaN where unknown, shape (c,).
        after_m: from the corner on to where the curve ends, shape (c,).
        face_before: shape (c,).
        face_after: shape (c,).
        jogs: turns passed over as recesses or bulbs.
        outer: turns passed over, for the kerb turns away from the block: a street bends round it.
        contradicted: chains declared to have the carriageway on both sides.
    """

    lines: NDArray[np.object_]
    street: tuple[str, ...]
    block_known: NDArray[np.bool_]
    block_guessed: NDArray[np.bool_]
    island: NDArray[np.bool_]
    accuracy_m: NDArray[np.float64]
    source: NDArray[np.int8]
    start_corner: NDArray[np.int64]
    end_corner: NDArray[np.int64]
    start_kind: NDArray[np.int64]
    end_kind: NDArray[np.int64]
    corner_xy: NDArray[np.float64]
    corner_kind: NDArray[np.int64]
    turn_deg: NDArray[np.float64]
    before_m: NDArray[np.float64]
    after_m: NDArray[np.float64]
    face_before: NDArray[np.int64]
    face_after: NDArray[np.int64]
    jogs: int
    outer: int
    contradicted: int

    def turned(self) -> SurveyedFaces:
        """Return the same run backwards, the block on the left."""
        return replace(
            self,
            lines=np.asarray(shapely.reverse(self.lines), object),
            start_corner=self.end_corner,
            end_corner=self.start_corner,
            start_kind=self.end_kind,
            end_kind=self.start_kind,
        )


def surveyed_faces(chains: Chains, lines: KerbLines, noise_m: float) -> SurveyedFaces:
    """Cut chains into block faces at the corners that can be told.

    Args:
        chains: surveyed kerbs.
        lines: that they were joined from.
        noise_m: by how much their vertices may stray.
    """
    sides = block_sides(chains, turns_of(chains, noise_m), lines.carriageway)
    chains = chains.turned(sides.block == LEFT)
    found = turns_of(chains, noise_m)
    outer = sides.known[found.chain] & (found.turn_rad > 0)
    turns = found._replace(**{name: getattr(found, name)[~outer] for name in found._fields if name != "jogs"})
    faces = _cut(chains, turns)
    names = _names(chains, faces, lines.street.tolist())
    before, after = _neighbours(faces, len(turns.chain))
    kind = _corner_kinds(turns, sides, names[before] == names[after], names[before] != "")
    island = chains.ring & (2 * _area(chains) < _ISLAND_M * shapely.length(chains.lines()) / 2)
    return SurveyedFaces(
        lines=_lines(chains, turns, faces),
        street=tuple(names.tolist()),
        block_known=sides.known[faces.chain],
        block_guessed=(~sides.known & (sides.block != UNKNOWN))[faces.chain],
        island=island[faces.chain],
        accuracy_m=_worst(chains, faces, lines.accuracy_m),
        source=_worst(chains, faces, lines.source.astype(np.float64)).astype(np.int8),
        start_corner=faces.start_turn,
        end_corner=faces.end_turn,
        start_kind=_end_kinds(faces.start_turn, kind, faces.whole_ring),
        end_kind=_end_kinds(faces.end_turn, kind, faces.whole_ring),
        corner_xy=turns.xy,
        corner_kind=kind,
        turn_deg=-np.degrees(turns.turn_rad),
        before_m=turns.before_m,
        after_m=turns.after_m,
        face_before=before,
        face_after=after,
        jogs=found.jogs,
        outer=int(np.count_nonzero(outer)),
        contradicted=sides.contradicted,
    )


class _Faces(NamedTuple):
    """f faces as one or two pieces of their chain (two where a ring's first vertex lies on it).

    Attributes:
        chain: shape (f,).
        start_turn: at which each begins, -1 for none, shape (f,).
        end_turn: at which it ends.
        whole_ring: rings without a turn, shape (f,).
        face: of each piece, shape (p,).
        second: the piece is the second of its face.
        begin: first vertex of each piece.
        end: last vertex.
        sharp_begin: the first vertex is that of a sharp corner, give or take noise: the corner stands for it.
        sharp_end: the last vertex is.
    """

    chain: NDArray[np.int64]
    start_turn: NDArray[np.int64]
    end_turn: NDArray[np.int64]
    whole_ring: NDArray[np.bool_]
    face: NDArray[np.int64]
    second: NDArray[np.bool_]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    sharp_begin: NDArray[np.bool_]
    sharp_end: NDArray[np.bool_]


def _cut(chains: Chains, turns: Turns) -> _Faces:
    count = np.bincount(turns.chain, minlength=len(chains))
    chain, place = counted(count + 1)
    offset = (np.cumsum(count) - count)[chain]
    first, last = place == 0, place == count[chain]
    start_turn = np.where(first, -1, offset + place - 1)
    end_turn = np.where(last, -1, offset + place)
    second = chains.ring[chain] & first & ~last
    face = np.cumsum(~second) - 1
    of_chain = np.zeros(len(chains), np.int64)
    of_chain[chain[last]] = face[last]
    face = np.where(second, of_chain[chain], face)
    wraps = chains.ring[chain] & last & ~first
    end_turn_of = np.where(wraps, offset, end_turn)[~second]
    turn_first, turn_last = np.append(turns.first, -1), np.append(turns.last, -1)
    return _Faces(
        chain=chain[~second],
        start_turn=start_turn[~second],
        end_turn=end_turn_of,
        whole_ring=(chains.ring[chain] & (count[chain] == 0))[~second],
        face=face,
        second=second,
        begin=np.where(first, chains.start[chain], turn_last[start_turn]),
        end=np.where(last, chains.start[chain + 1] - 1, turn_first[end_turn]),
        sharp_begin=np.append(turns.after_m == 0, False)[start_turn],
        sharp_end=np.append(turns.before_m == 0, False)[end_turn],
    )


def _lines(chains: Chains, turns: Turns, faces: _Faces) -> NDArray[np.object_]:
    """Return the faces as lines, each straight on to its corners."""
    piece, vertex = ranges(faces.begin + faces.sharp_begin, faces.end + 1 - faces.sharp_end)
    heads, tails = np.flatnonzero(faces.start_turn >= 0), np.flatnonzero(faces.end_turn >= 0)
    face = np.concatenate([heads, faces.face[piece], tails])
    part = np.concatenate([np.full(len(heads), -1), faces.second[piece], np.full(len(tails), 2)])
    xy = np.concatenate(
        [turns.xy[faces.start_turn[heads]], chains.xy[vertex], turns.xy[faces.end_turn[tails]]]
    )
    order = np.lexsort((np.concatenate([heads, vertex, tails]), part, face))
    face, xy = face[order], xy[order]
    fresh = np.ones(len(face), bool)
    fresh[1:] = (np.hypot(*(xy[1:] - xy[:-1]).T) > _SAME_PLACE_M) | (face[1:] != face[:-1])
    return np.asarray(shapely.linestrings(xy[fresh], indices=face[fresh]), object)


def _names(chains: Chains, faces: _Faces, street: Sequence[str]) -> NDArray[np.object_]:
    """Return the name that the greatest length of each face has."""
    known, code = np.unique(["", *street], return_inverse=True)
    piece, vertex = ranges(faces.begin, faces.end)
    length = np.hypot(*(chains.xy[vertex + 1] - chains.xy[vertex]).T)
    name = code[1:][chains.row[vertex - chains.chain[vertex]]] if len(street) else np.zeros(0, np.int64)
    keys, where = np.unique(np.column_stack([faces.face[piece], name]), axis=0, return_inverse=True)
    total = np.bincount(where.ravel(), length, len(keys))
    order = np.lexsort((keys[:, 1], -total, keys[:, 0]))
    chosen = order[np.searchsorted(keys[order, 0], np.arange(len(faces.chain)))]
    return np.asarray(known[keys[chosen, 1]], object)


def _worst(chains: Chains, faces: _Faces, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the greatest value of the features of each face, shape (f,)."""
    piece, vertex = ranges(faces.begin, faces.end)
    found = np.zeros(len(faces.chain))
    np.maximum.at(found, faces.face[piece], value[chains.row[vertex - chains.chain[vertex]]])
    return found


def _neighbours(faces: _Faces, turns: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    before, after = np.full(turns, -1, np.int64), np.full(turns, -1, np.int64)
    ends, starts = faces.end_turn >= 0, faces.start_turn >= 0
    before[faces.end_turn[ends]] = np.flatnonzero(ends)
    after[faces.start_turn[starts]] = np.flatnonzero(starts)
    return before, after


def _corner_kinds(
    turns: Turns, sides: BlockSides, one_name: NDArray[np.bool_], named: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return `CornerKind`: a bend of one street, or what may be one, is no corner for sure."""
    known = sides.known[turns.chain]
    doubtful = (turns.kind == TurnKind.DOUBTFUL) | (one_name & named)
    doubtful |= ~known & ((turns.turn_rad > 0) | _round_another(turns))
    unplaced = turns.kind == TurnKind.UNPLACED
    return np.select([unplaced, doubtful], [CornerKind.UNKNOWN, CornerKind.ELBOW], CornerKind.CORNER).astype(
        np.int64
    )


def _round_another(turns: Turns) -> NDArray[np.bool_]:
    """Tell which turns have another like them on their inner side: the two kerbs of a street that bends."""
    found = np.zeros(len(turns.chain), bool)
    rows = np.flatnonzero(turns.kind == TurnKind.CORNER)
    if not len(rows):
        return found
    points = np.asarray(shapely.points(turns.xy[rows]))
    one, two = shapely.STRtree(points).query(points, predicate="dwithin", distance=_BEND_M)
    one, two = rows[one[one != two]], rows[two[one != two]]
    gap = turns.xy[two] - turns.xy[one]
    toward = np.arctan2(gap[:, 1], gap[:, 0])
    like = np.abs(np.abs(turns.turn_rad[one]) - np.abs(turns.turn_rad[two])) <= _LIKE_RAD
    for turned in (turns.inward_rad[one], turns.inward_rad[two]):
        like &= np.abs((toward - turned + np.pi) % (2 * np.pi) - np.pi) <= _LIKE_RAD
    found[one[like]] = True
    return found


def _area(chains: Chains) -> NDArray[np.float64]:
    """Return the areas that chains enclose; those of open ones mean nothing."""
    xy = chains.xy - chains.xy[chains.start[:-1]][chains.chain]
    twice = xy[:-1, 0] * xy[1:, 1] - xy[:-1, 1] * xy[1:, 0]
    same = chains.chain[1:] == chains.chain[:-1]
    return np.abs(np.bincount(chains.chain[1:][same], twice[same], len(chains))) / 2


def _end_kinds(
    turn: NDArray[np.int64], kind: NDArray[np.int64], ring: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return `EndKind`: where a line simply ends, nobody knows how the kerb goes on."""
    of_corner = {CornerKind.CORNER: EndKind.CORNER, CornerKind.ELBOW: EndKind.BEND_WITH_OTHER_NAME}
    here = np.append(kind, -1)[turn]
    ends = np.select([here == each for each in of_corner], list(of_corner.values()), EndKind.CUT)
    return np.where(ring, EndKind.NONE, ends).astype(np.int64)
