"""Corners: where the kerb of a street, extended, meets the extended kerb of the cross street."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.streets.offsets import Joints
from geocheck.city.streets.runs import EndKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.faces import HalfEdges
    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Faces, Layout

_JUNCTION_ARMS: Final = 3
_BEND_ARMS: Final = 2
_SAME_PLACE_M: Final = 1e-6
_ELBOW_RAD: Final = np.radians(50) + 1e-4
"""A bend sharper than this at which the name changes may be a corner of two streets."""


class CornerKind(IntEnum):
    """What kind of corner it is."""

    CORNER = 1
    TAPER = 2
    """Streets that diverge by less than 25 degrees: no corner in most eyes, `conditional`."""
    ELBOW = 3
    """A bend by more than 50 degrees from one street into another: `conditional`, on both sides."""
    UNKNOWN = 4
    """A street that the file does not hold begins here: there is a corner nobody can place."""


_OF_END: Final = {
    EndKind.CORNER: CornerKind.CORNER,
    EndKind.TAPER: CornerKind.TAPER,
    EndKind.BEND_WITH_OTHER_NAME: CornerKind.ELBOW,
    EndKind.CUT: CornerKind.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Corners:
    """c corners, each the end of one block face and the start of the next round the block.

    Attributes:
        xy: metres, shape (c, 2).
        kind: `CornerKind`, shape (c,).
        unknown: an arm is missing at the node: the place of the corner is not known, shape (c,).
        turn_deg: turn of the kerb there, to the right (into the block) above zero, shape (c,).
        face_before: block face before it, walking with the block on the right; -1 for one without length.
        face_after: block face after it.
        node: index into the nodes of the ways, -1 where the file has none there, shape (c,).
        graph_node: index into the nodes of the graph: of those whose corner this is, the nearest, shape (c,).
    """

    xy: NDArray[np.float64]
    kind: NDArray[np.int64]
    unknown: NDArray[np.bool_]
    turn_deg: NDArray[np.float64]
    face_before: NDArray[np.int64]
    face_after: NDArray[np.int64]
    node: NDArray[np.int64]
    graph_node: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.xy)


@dataclass(frozen=True, slots=True)
class Mouths:
    """m mouths: where the kerb of a street is open for a side street, in the traffic's direction.

    Attributes:
        face_from: block face before the mouth, -1 for one without length, shape (m,).
        face_to: block face of the same street and side after it.
        corner_from: corner at which `face_from` ends.
        corner_to: corner at which `face_to` begins.
        width_m: between the two corners.
    """

    face_from: NDArray[np.int64]
    face_to: NDArray[np.int64]
    corner_from: NDArray[np.int64]
    corner_to: NDArray[np.int64]
    width_m: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.face_from)


def joints_of(graph: Graph, edges: HalfEdges, flat_rad: float) -> Joints:
    """Return what is known of each joint before any kerb is drawn.

    Args:
        graph: the streets.
        edges: their half-edges.
        flat_rad: a sector at least so wide has no corner.
    """
    arms = graph.degree[edges.dst]
    name = np.repeat(graph.segments.name, 2)
    bend = np.abs(np.pi - edges.sector)
    return Joints(
        corner=(arms >= _JUNCTION_ARMS) & (edges.sector < flat_rad) & ~edges.matched,
        unknown=(arms >= _BEND_ARMS) & graph.cut[edges.dst],
        elbow=(arms == _BEND_ARMS) & (bend > _ELBOW_RAD) & (name != name[edges.after]),
    )


class CornerJoints(NamedTuple):
    """The joints that are corners.

    Attributes:
        edge: half-edge before each, shape (c,).
        of_joint: index into `edge` of the joint after each half-edge, -1 for none, shape (h,).
    """

    edge: NDArray[np.int64]
    of_joint: NDArray[np.int64]


def corner_joints(layout: Layout) -> CornerJoints:
    """Return which joints are corners: those that end a block face, street ends and carriageways aside."""
    dead = layout.rim.after == np.arange(len(layout.kinds)) ^ 1
    found = np.isin(layout.kinds, list(_OF_END)) & ~dead
    edge = np.flatnonzero(found)
    of_joint = np.full(len(found), -1, np.int64)
    of_joint[edge] = np.arange(len(edge))
    return CornerJoints(edge, of_joint)


def corners_at(layout: Layout, joints: CornerJoints, faces: Faces) -> Corners:
    """Return the corners at some joints."""
    graph, edges, rim, edge = layout.graph, layout.edges, layout.rim, joints.edge
    nxt = rim.after[edge]
    place = (rim.end[edge] + rim.begin[nxt]) / 2
    own, other = edges.dst[edge], edges.org[nxt]
    nearer = np.hypot(*(graph.xy[own] - place).T) <= np.hypot(*(graph.xy[other] - place).T)
    kinds = layout.kinds[edge]
    of_run = np.append(faces.of_run, -1)
    return Corners(
        xy=place,
        kind=np.select([kinds == end for end in _OF_END], list(_OF_END.values()), 0).astype(np.int64),
        unknown=kinds == EndKind.CUT,
        turn_deg=np.degrees(rim.turn[edge]),
        face_before=of_run[layout.runs.of_edge[edge]],
        face_after=of_run[layout.runs.of_edge[nxt]],
        node=graph.source[np.where(nearer, own, other)],
        graph_node=_graph_nodes(layout, joints, place),
    )


def _graph_nodes(layout: Layout, joints: CornerJoints, place: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the node of each corner: of those whose joints became it the nearest at which streets meet."""
    graph, owner = layout.graph, layout.rim.owner
    half = np.flatnonzero(owner >= 0)
    corner = joints.of_joint[owner[half]]
    half, corner = half[corner >= 0], corner[corner >= 0]
    node = layout.edges.dst[half]
    meet = (graph.degree[node] >= _JUNCTION_ARMS) | graph.cut[node]
    gap = np.round(np.hypot(*(graph.xy[node] - place[corner]).T) / _SAME_PLACE_M)
    order = np.lexsort((graph.xy[node, 1], graph.xy[node, 0], gap, ~meet, corner))
    _, first = np.unique(corner[order], return_index=True)
    return np.asarray(node[order[first]])


def mouths_of(layout: Layout, joints: CornerJoints, corners: Corners, faces: Faces) -> Mouths:
    """Return where a street that runs through a junction has side streets on one side."""
    edges, rim = layout.edges, layout.rim
    first = np.flatnonzero(edges.through >= 0)
    before = np.empty(len(edges.after), np.int64)
    before[edges.after] = np.arange(len(before))
    opening = rim.owner[first]
    closing = rim.owner[before[edges.through[first]]]
    held = (opening >= 0) & (closing >= 0) & (opening != closing)
    a, b = joints.of_joint[opening[held]], joints.of_joint[closing[held]]
    both = (a >= 0) & (b >= 0)
    pair = np.unique(np.column_stack([a[both], b[both]]), axis=0)
    a, b = pair[:, 0], pair[:, 1]
    left, right = corners.face_before[a], corners.face_after[b]
    guide = np.where(left >= 0, left, right)
    back = np.append(faces.reversed, False)[guide]
    return Mouths(
        face_from=np.where(back, right, left),
        face_to=np.where(back, left, right),
        corner_from=np.where(back, b, a),
        corner_to=np.where(back, a, b),
        width_m=np.hypot(*(corners.xy[a] - corners.xy[b]).T),
    )
