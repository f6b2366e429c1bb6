"""Which nodes are one junction: both carriageways of a street at a cross street, all arms of a roundabout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.links import connected
from geocheck.city.ragged import owners
from geocheck.city.streets.kerbs import LEFT
from geocheck.city.streets.medians import ROUNDING_M, Median
from geocheck.city.streets.noses import common, corner_kinds
from geocheck.city.streets.stretches import face_lengths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.corners import Corners
    from geocheck.city.streets.kerbs import Kerbs, Layout
    from geocheck.city.streets.stretches import Stretches

OPENING_M: Final = 15.0
"""No skip stands on a kerb so short: 6 m from the corner at either end, and 2.65 m long."""

BARE_M: Final = 30.0
"""A longer street without kerb of its own lies inside another one; a shorter one inside a junction."""

_JUNCTION_ARMS: Final = 3


class Junctions(NamedTuple):
    """Nodes by the junction that they are part of.

    Attributes:
        of_node: number of the junction, by its lowest place (least x, then y); -1 for none, shape (n,).
        link: segments that lie inside a junction, shape (s,).
        roundabout: junctions that are one, shape (j,).
        unknown: junctions at which an arm is or may be missing, shape (j,).
    """

    of_node: NDArray[np.int64]
    link: NDArray[np.bool_]
    roundabout: NDArray[np.bool_]
    unknown: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.unknown)


def junctions_of(
    layout: Layout, kerbs: Kerbs, corners: Corners, stretches: Stretches, ring: NDArray[np.bool_]
) -> Junctions:
    """Group the nodes at which streets meet.

    Two nodes are one junction where the street between them has no kerb at which anybody could stand: on
    either side none is left, or it is the short end of a median or a divider. So are all nodes of the ring
    of a roundabout.

    Args:
        layout: the streets, their half-edges and rims.
        kerbs: block faces, without what is covered.
        corners: theirs.
        stretches: what lies beside the kerbs.
        ring: segments that are part of a roundabout, shape (s,).
    """
    graph = layout.graph
    segments = graph.segments
    link = ring | _kerbless(layout, kerbs, _short_ends(kerbs, corners, stretches))
    label = connected(segments.a[link], segments.b[link], len(graph.xy))
    junction = (graph.degree >= _JUNCTION_ARMS) | (graph.cut & (graph.degree > 1))
    order = np.lexsort((graph.xy[:, 1], graph.xy[:, 0]))
    order = order[junction[order]]
    found, first = np.unique(label[order], return_index=True)
    number = np.full(len(graph.xy), -1)
    number[found[np.argsort(first)]] = np.arange(len(found))
    of_node = number[label]
    roundabout, unknown = np.zeros(len(found), bool), np.zeros(len(found), bool)
    own = of_node[segments.a[ring]]
    roundabout[own[own >= 0]] = True
    unknown[of_node[junction & graph.cut]] = True
    return Junctions(of_node, link & (of_node[segments.a] >= 0), roundabout, unknown)


def _short_ends(kerbs: Kerbs, corners: Corners, stretches: Stretches) -> NDArray[np.bool_]:
    """Tell which faces run from one corner of a median to another and are too short to stand at."""
    at_median = np.append(common(*corner_kinds(stretches, kerbs, corners)) != Median.NO, False)
    both = at_median[kerbs.start_corner] & at_median[kerbs.end_corner]
    return np.asarray(both & (face_lengths(kerbs) <= OPENING_M + ROUNDING_M))


def _kerbless(layout: Layout, kerbs: Kerbs, nose: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which segments have nothing but short ends of medians beside them, on both sides."""
    face = owners(kerbs.segment_start)
    half = 2 * kerbs.segment_axis + (kerbs.segment_side == LEFT)
    plain = ~kerbs.segment_step
    own, nosed = np.zeros(len(layout.kinds), bool), np.zeros(len(layout.kinds), bool)
    own[half[plain & ~nose[face]]] = True
    nosed[half[plain & nose[face]]] = True
    free = ~(own[0::2] | own[1::2])
    bare = ~(nosed[0::2] | nosed[1::2])
    return np.asarray(free & (~bare | (layout.edges.length_m[0::2] <= BARE_M + ROUNDING_M)))
