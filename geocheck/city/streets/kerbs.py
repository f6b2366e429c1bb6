"""Block faces: the kerb of one side of a street between two corners, directed with the traffic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.faces import HalfEdges
    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.offsets import Rim
    from geocheck.city.streets.runs import Runs

_SAME_PLACE_M: Final = 1e-6

RIGHT: Final = 1
LEFT: Final = -1


@dataclass(frozen=True, slots=True)
class Kerbs:
    """f block faces as polylines over v vertices and g = v - f segments, in metres.

    A face runs as the traffic of the lane beside it does. Where that changes within a face (a street that
    becomes one-way at a bend), it runs as along the greater part of its length.

    Attributes:
        xy: vertices, shape (v, 2).
        start: face k has the vertices `xy[start[k]:start[k + 1]]`, shape (f + 1,).
        street: name of the street along the greater part of the face, empty where it has none, shape (f,).
        side: `RIGHT` or `LEFT` of the drawn way, along the greater part, shape (f,).
        way: index into the ways, along the greater part, shape (f,).
        layer: level of the street, along the greater part, shape (f,).
        start_kind: `runs.EndKind` of its start, shape (f,).
        end_kind: of its end.
        start_corner: index into the corners, -1 where it starts at none, shape (f,).
        end_corner: of its end.
        segment_start: face k has the segments `segment_start[k]:segment_start[k + 1]`, shape (f + 1,).
        segment_axis: index into the segments of the graph, shape (g,).
        segment_way: index into the ways, shape (g,).
        segment_side: `RIGHT` or `LEFT` of the drawn way, shape (g,).
        segment_half_m: half-width of the carriageway, shape (g,).
        segment_flow: 1 where traffic runs as the face, -1 where against it, shape (g,).
        segment_inner: on the far side of a one-way street: it may bound a median, shape (g,).
        segment_step: a jump of the kerb where widths change, shape (g,).
    """

    xy: NDArray[np.float64]
    start: NDArray[np.int64]
    street: tuple[str, ...]
    side: NDArray[np.int64]
    way: NDArray[np.int64]
    layer: NDArray[np.int64]
    start_kind: NDArray[np.int64]
    end_kind: NDArray[np.int64]
    start_corner: NDArray[np.int64]
    end_corner: NDArray[np.int64]
    segment_start: NDArray[np.int64]
    segment_axis: NDArray[np.int64]
    segment_way: NDArray[np.int64]
    segment_side: NDArray[np.int64]
    segment_half_m: NDArray[np.float64]
    segment_flow: NDArray[np.int64]
    segment_inner: NDArray[np.bool_]
    segment_step: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.start) - 1


class Layout(NamedTuple):
    """All that block faces are cut from.

    Attributes:
        graph: the streets.
        edges: their half-edges.
        rim: the kerbs.
        kinds: `EndKind` of the joint after each half-edge, shape (h,).
        runs: the rims cut at those joints.
    """

    graph: Graph
    edges: HalfEdges
    rim: Rim
    kinds: NDArray[np.int64]
    runs: Runs


class Faces(NamedTuple):
    """Kerbs, and how they come from runs.

    Attributes:
        kerbs: the block faces.
        of_run: the face of each run, -1 where its kerb has no length, shape (r,).
        reversed: faces that run against their half-edges, shape (f,).
    """

    kerbs: Kerbs
    of_run: NDArray[np.int64]
    reversed: NDArray[np.bool_]


class _Pieces(NamedTuple):
    """Straight pieces of kerb, in order along their face; each is the way to one vertex from the last."""

    face: NDArray[np.int64]
    edge: NDArray[np.int64]
    step: NDArray[np.bool_]
    length_m: NDArray[np.float64]


def block_faces(layout: Layout, corner_of: NDArray[np.int64], traffic: int) -> Faces:
    """Lay out the block faces.

    Args:
        layout: the kerbs cut into runs.
        corner_of: index into the corners of the joint after each half-edge, -1 for none, shape (h,).
        traffic: the side on which people drive, `RIGHT` or `LEFT`.
    """
    rim, runs = layout.rim, layout.runs
    xy, run, edge, step = _vertices(rim, runs)
    size = np.bincount(run, minlength=len(runs.start) - 1)
    some = size > 1
    of_run = np.where(some, np.cumsum(some) - 1, -1)
    held = some[run]
    xy, face, edge, step = xy[held], of_run[run[held]], edge[held], step[held]
    start = np.concatenate([[0], np.cumsum(size[some])]).astype(np.int64)
    piece = np.ones(len(xy), bool)
    piece[start[:-1]] = False
    length = np.hypot(*(xy[1:] - xy[:-1]).T) if len(xy) else np.empty(0)
    pieces = _Pieces(face[piece], edge[piece], step[piece], length[piece[1:]])
    flow = _flow(layout, pieces.edge, traffic)
    count = len(start) - 1
    against = np.bincount(pieces.face, flow * pieces.length_m, count) < -_SAME_PLACE_M
    first, last = runs.edge[runs.start[:-1][some]], runs.edge[runs.start[1:][some] - 1]
    enter, leave = rim.before[first], last
    kerbs = _directed(layout, pieces, start, xy, against, flow * np.where(against, -1, 1)[pieces.face])
    heads, tails = np.where(against, leave, enter), np.where(against, enter, leave)
    kerbs = replace(
        kerbs,
        start_kind=layout.kinds[heads],
        end_kind=layout.kinds[tails],
        start_corner=corner_of[heads],
        end_corner=corner_of[tails],
        segment_inner=flip(_inner(layout, pieces.edge, traffic), kerbs.segment_start, against),
    )
    return Faces(kerbs, of_run, against)


def _vertices(
    rim: Rim, runs: Runs
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the vertices of all runs, the run of each, the half-edge that leads to it, whether by a step."""
    edge = np.repeat(runs.edge, 2)
    begins = np.arange(len(edge)) % 2 == 0
    xy = np.where(begins[:, None], rim.begin[edge], rim.end[edge])
    run = runs.of_edge[edge]
    fresh = np.ones(len(edge), bool)
    if len(edge):
        apart = np.hypot(*(xy[1:] - xy[:-1]).T) > _SAME_PLACE_M
        fresh[1:] = apart | (run[1:] != run[:-1])
    return xy[fresh], run[fresh], edge[fresh], begins[fresh]


def _sense(layout: Layout, edge: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1 where traffic follows the half-edge by law of its one-way street, -1 against, 0 two-way."""
    drawn = np.where(edge % 2 == 0, 1, -1)
    return np.asarray(layout.graph.segments.direction[edge >> 1] * drawn)


def _flow(layout: Layout, edge: NDArray[np.int64], traffic: int) -> NDArray[np.int64]:
    """Return 1 where the traffic beside the kerb follows the half-edge, -1 where against it."""
    sense = _sense(layout, edge)
    return np.where(sense == 0, traffic, sense)


def _inner(layout: Layout, edge: NDArray[np.int64], traffic: int) -> NDArray[np.bool_]:
    """Tell where the kerb is on the side of a one-way street that people do not drive on."""
    return np.asarray(_sense(layout, edge) == -traffic)


def _directed(
    layout: Layout,
    pieces: _Pieces,
    start: NDArray[np.int64],
    xy: NDArray[np.float64],
    against: NDArray[np.bool_],
    flow: NDArray[np.int64],
) -> Kerbs:
    """Return the faces with those that run against the traffic turned round; their ends are still to fill."""
    segments, count = layout.graph.segments, len(start) - 1
    segment_start = start - np.arange(count + 1)
    way, side = segments.way[pieces.edge >> 1], np.where(pieces.edge % 2 == 0, RIGHT, LEFT)
    name = _greater_part(pieces, segments.name[pieces.edge >> 1], count)
    main = _greater_part(pieces, way * 2 + (side == RIGHT), count)
    none = np.zeros(count, np.int64)
    return Kerbs(
        xy=flip(xy, start, against),
        start=start,
        street=tuple(layout.graph.names[i] for i in name),
        side=np.where(main % 2 == 1, RIGHT, LEFT),
        way=main // 2,
        layer=_greater_part(pieces, segments.layer[pieces.edge >> 1], count),
        start_kind=none,
        end_kind=none,
        start_corner=none,
        end_corner=none,
        segment_start=segment_start,
        segment_axis=flip(pieces.edge >> 1, segment_start, against),
        segment_way=flip(way, segment_start, against),
        segment_side=flip(side, segment_start, against),
        segment_half_m=flip(layout.edges.half_m[pieces.edge], segment_start, against),
        segment_flow=flip(flow, segment_start, against),
        segment_inner=np.zeros(len(way), bool),
        segment_step=flip(pieces.step, segment_start, against),
    )


def _greater_part(pieces: _Pieces, value: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return for each face the value that the greatest length of it has."""
    keys, where = np.unique(np.column_stack([pieces.face, value]), axis=0, return_inverse=True)
    length = np.bincount(where.ravel(), pieces.length_m, len(keys))
    order = np.lexsort((keys[:, 1], -length, keys[:, 0]))
    chosen = order[np.searchsorted(keys[order, 0], np.arange(count))]
    return np.asarray(keys[chosen, 1])


_Array = TypeVar("_Array", bound=np.generic)


def flip(values: NDArray[_Array], start: NDArray[np.int64], turned: NDArray[np.bool_]) -> NDArray[_Array]:
    """Reverse the order of the values of some rows of a ragged table."""
    size = np.diff(start)
    row = np.repeat(np.arange(len(size)), size)
    here = np.arange(len(values))
    return values[np.where(turned[row], start[row] + start[row + 1] - 1 - here, here)]
