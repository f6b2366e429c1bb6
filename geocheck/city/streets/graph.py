"""Streets as nodes and segments, whatever way they were drawn, split, ordered or numbered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.streets.almost import join_almost_junctions
from geocheck.city.streets.classify import direction_of, is_roundabout, layer_of, name_of
from geocheck.city.streets.overlaps import lay_out_overlaps
from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.ways import Ways

DERIVED_EDGE_M: Final = 30.0
"""So near the edge of an extent that was only derived, a dead end may be a street that was cut."""

_EQUAL_M: Final = 1e-6

GIVEN_EDGE_M: Final = 1.0
"""The same where the file says where it is complete."""


class Segments(NamedTuple):
    """s straight pieces of street, from node `a` to node `b` as their way is drawn, each shape (s,).

    Attributes:
        a: node at the start.
        b: node at the end.
        way: index into the ways.
        left_m: half-width on the left of the drawn direction.
        right_m: half-width on the right.
        layer: level.
        direction: 1, -1 or 0 as `classify.direction_of`.
        name: index into `Graph.names`; 0 is "no name".
        ring: part of the ring of a roundabout.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    way: NDArray[np.int64]
    left_m: NDArray[np.float64]
    right_m: NDArray[np.float64]
    layer: NDArray[np.int64]
    direction: NDArray[np.int64]
    name: NDArray[np.int64]
    ring: NDArray[np.bool_]

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Segments:
        """Return some of them, by index or mask."""
        return Segments(
            self.a[rows],
            self.b[rows],
            self.way[rows],
            self.left_m[rows],
            self.right_m[rows],
            self.layer[rows],
            self.direction[rows],
            self.name[rows],
            self.ring[rows],
        )


@dataclass(frozen=True, slots=True)
class Graph:
    """The streets of an extract: n nodes and s segments.

    Attributes:
        xy: of the nodes, metres, shape (n, 2).
        source: of the nodes, an index into the nodes of the ways; -1 for one made at an almost-junction.
        degree: segment ends at each node, shape (n,).
        cut: nodes at which an arm is or may be missing, shape (n,).
        segments: each pair of nodes once, none of zero length.
        names: of streets, sorted; the first is empty.
        zero_length: segments dropped.
        overlaps: segments split, for they ran over a shorter one from the same node.
        duplicates: segments dropped, for another joins the same nodes.
        almost_junctions: dead ends that were drawn on to the axis in whose carriageway they lie.
    """

    xy: NDArray[np.float64]
    source: NDArray[np.int64]
    degree: NDArray[np.int64]
    cut: NDArray[np.bool_]
    segments: Segments
    names: tuple[str, ...]
    zero_length: int
    overlaps: int
    duplicates: int
    almost_junctions: int


def build_graph(
    ways: Ways,
    streets: NDArray[np.bool_],
    left_m: NDArray[np.float64],
    right_m: NDArray[np.float64],
    edge_m: float = DERIVED_EDGE_M,
) -> Graph:
    """Build nodes and segments from the ways that are streets.

    Args:
        ways: all of them.
        streets: which are streets, shape (w,).
        left_m: half-width left of the drawn direction, shape (w,); read only where `streets`.
        right_m: the same on the right.
        edge_m: so near the edge of the extent, or beyond it, a dead end counts as cut.

    Raises:
        ValueError: a street's half-width is not a number above zero.
    """
    known = np.isfinite(left_m) & (left_m > 0) & np.isfinite(right_m) & (right_m > 0)
    if np.any(streets & ~known):
        raise ValueError("every street needs a half-width above zero on both sides")
    raw, names, lost = _segments(ways, streets, left_m, right_m)
    merged = _merge_equal_places(ways.xy, raw)
    whole = raw._replace(a=merged[raw.a], b=merged[raw.b])
    proper = whole.at(whole.a != whole.b)
    single, overlaps, duplicates = _laid_out(proper, ways.xy)
    cut = np.zeros(len(ways.xy), bool)
    cut[merged[lost]] = True
    single, xy, joined = join_almost_junctions(single, ways.xy, cut)
    if joined:  # what was joined may run over what it was joined to
        single, more, again = _laid_out(single, xy)
        overlaps, duplicates = overlaps + more, duplicates + again
    cut = np.concatenate([cut, np.zeros(len(xy) - len(cut), bool)])
    used, ends = np.unique(np.concatenate([single.a, single.b]), return_inverse=True)
    a, b = ends[: len(single.a)], ends[len(single.a) :]
    degree = np.bincount(ends, minlength=len(used))
    return Graph(
        xy=xy[used],
        source=np.where(used < len(ways.xy), used, -1),
        degree=degree,
        cut=cut[used] | ((degree == 1) & _near_edge(ways, xy[used], edge_m)),
        segments=single._replace(a=a, b=b),
        names=names,
        zero_length=len(whole.a) - len(proper.a),
        overlaps=overlaps,
        duplicates=duplicates,
        almost_junctions=joined,
    )


def _segments(
    ways: Ways, streets: NDArray[np.bool_], left_m: NDArray[np.float64], right_m: NDArray[np.float64]
) -> tuple[Segments, tuple[str, ...], NDArray[np.int64]]:
    """Cut streets into segments; also return names and the nodes next to a missing one."""
    way_of_ref = np.repeat(np.arange(len(ways)), np.diff(ways.start))
    first, second = ways.ref[:-1], ways.ref[1:]
    inside = (way_of_ref[:-1] == way_of_ref[1:]) & streets[way_of_ref[:-1]]
    held = (first != MISSING_NODE) & (second != MISSING_NODE)
    broken = inside & ~held
    beside = np.where(first[broken] != MISSING_NODE, first[broken], second[broken])
    rows = np.flatnonzero(inside & held)
    way = way_of_ref[rows]
    used = np.flatnonzero(streets)
    layer, direction = np.zeros(len(ways), np.int64), np.zeros(len(ways), np.int64)
    layer[used] = [layer_of(ways.tags[i]) for i in used]
    direction[used] = [direction_of(ways.tags[i]) for i in used]
    ring = np.zeros(len(ways), bool)
    ring[used] = [is_roundabout(ways.tags[i]) for i in used]
    names, code = np.unique(["", *(name_of(ways.tags[i]) for i in used)], return_inverse=True)
    name = np.zeros(len(ways), np.int64)
    name[used] = code[1:]
    return (
        Segments(
            first[rows],
            second[rows],
            way,
            left_m[way],
            right_m[way],
            layer[way],
            direction[way],
            name[way],
            ring[way],
        ),
        tuple(names.tolist()),
        np.unique(beside[beside != MISSING_NODE]),
    )


def _merge_equal_places(xy: NDArray[np.float64], segments: Segments) -> NDArray[np.int64]:
    """Return for each node the one that stands for it: nodes at one place on one layer are the same."""
    node = np.concatenate([segments.a, segments.b])
    layer = np.concatenate([segments.layer, segments.layer])
    label = np.arange(len(xy))
    if not len(node):
        return label
    _, place = np.unique(xy[node], axis=0, return_inverse=True)
    _, meeting = np.unique(np.column_stack([place.ravel(), layer]), axis=0, return_inverse=True)
    meeting = meeting.ravel()
    while True:  # a node on two layers ties two meetings together, so labels travel
        lowest = np.full(int(meeting.max()) + 1, len(xy))
        np.minimum.at(lowest, meeting, label[node])
        better = label.copy()
        np.minimum.at(better, node, lowest[meeting])
        if np.array_equal(better, label):
            return label
        label = better


def _laid_out(segments: Segments, xy: NDArray[np.float64]) -> tuple[Segments, int, int]:
    """Return segments of which none runs over another, how often one was split and how many went."""
    split, overlaps = lay_out_overlaps(segments, xy)
    single = _without_duplicates(split)
    return single, overlaps, len(split.a) - len(single.a)


def _without_duplicates(segments: Segments) -> Segments:
    """Keep one segment between two nodes: the widest, and of equals the one with the first name.

    Of equals that are wider on different sides it gets the wider of each side, and traffic both ways where
    they do not agree on one: nothing else is the same however they are ordered, drawn or numbered.
    """
    low, high = np.minimum(segments.a, segments.b), np.maximum(segments.a, segments.b)
    order = np.lexsort((segments.name, -_width(segments), high, low))
    again = np.zeros(len(order), bool)
    again[1:] = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    first = order[~again][np.cumsum(~again) - 1]
    like = (segments.name[order] == segments.name[first]) & (
        _width(segments)[order] >= _width(segments)[first] - _EQUAL_M
    )
    one, two = order[like], first[like]
    turned = segments.a[one] != segments.a[two]
    left, right = segments.left_m.copy(), segments.right_m.copy()
    np.maximum.at(left, two, np.where(turned, segments.right_m[one], segments.left_m[one]))
    np.maximum.at(right, two, np.where(turned, segments.left_m[one], segments.right_m[one]))
    direction = segments.direction.copy()
    along = np.where(turned, -1, 1) * segments.direction[one]
    direction[two[along != segments.direction[two]]] = 0
    kept = np.sort(order[~again])
    return segments._replace(left_m=left, right_m=right, direction=direction).at(kept)


def _width(segments: Segments) -> NDArray[np.float64]:
    return segments.left_m + segments.right_m


def _near_edge(ways: Ways, xy: NDArray[np.float64], edge_m: float) -> NDArray[np.bool_]:
    extent = ways.extent if ways.extent is not None else shapely.convex_hull(shapely.multipoints(xy))
    points = shapely.points(xy)
    shapely.prepare(extent)
    outside = ~shapely.covers(extent, points)
    rim = shapely.boundary(extent) if shapely.area(extent) else extent
    return np.asarray(outside | (shapely.distance(rim, points) <= edge_m))
