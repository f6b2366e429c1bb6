"""From ways and widths to kerbs, corners and mouths, with a count of all that happened on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from geocheck.city.streets.classify import Use, uses
from geocheck.city.streets.corners import Corners, Mouths, corner_joints, corners_at, joints_of, mouths_of
from geocheck.city.streets.crossing_areas import CrossingAreas, crossing_areas
from geocheck.city.streets.faces import FLAT_RAD, half_edges
from geocheck.city.streets.graph import DERIVED_EDGE_M, build_graph
from geocheck.city.streets.junctions import Junctions, junctions_of
from geocheck.city.streets.kerbs import LEFT, RIGHT, Kerbs, Layout, block_faces
from geocheck.city.streets.median_areas import MedianAreas, medians_of
from geocheck.city.streets.median_evidence import evidence_of
from geocheck.city.streets.offsets import rim
from geocheck.city.streets.runs import joint_kinds, runs_between
from geocheck.city.streets.trimming import trim_covered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Faces
    from geocheck.city.streets.stretches import Stretches
    from geocheck.city.streets.trimming import Trimmed
    from geocheck.city.ways import Ways


@dataclass(frozen=True, slots=True)
class HalfWidths:
    """Half-widths of the carriageway by way, relative to the direction in which it is drawn.

    Attributes:
        left_m: shape (w,); read only for streets.
        right_m: shape (w,).
        accuracy_m: 95 % half-width of both, shape (w,); None where they are exact.
    """

    left_m: NDArray[np.float64]
    right_m: NDArray[np.float64]
    accuracy_m: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class StreetCounts:
    """What was found, dropped, repaired or left open.

    Attributes:
        ways_by_use: of all ways, by `classify.Use`.
        nodes: of the street graph.
        segments: of the street graph.
        zero_length: segments dropped.
        overlaps: segments split, for they ran over a shorter one from the same node.
        duplicates: segments dropped, for another joins the same nodes.
        almost_junctions: dead ends joined to the axis in whose carriageway they lie.
        cut_nodes: nodes at which an arm is or may be missing.
        collapsed: half-edges whose kerb ran backwards and went.
        rounds: of collapsing.
        backwards: half-edges whose kerb still runs backwards.
        lost_faces: block faces left out, for they have no length.
        covered_m: length of kerb left out, for it lies inside another carriageway.
        covered_corners: corners left out for the same reason.
    """

    ways_by_use: Mapping[str, int]
    nodes: int
    segments: int
    zero_length: int
    overlaps: int
    duplicates: int
    almost_junctions: int
    cut_nodes: int
    collapsed: int
    rounds: int
    backwards: int
    lost_faces: int
    covered_m: float
    covered_corners: int


@dataclass(frozen=True, slots=True)
class Streets:
    """The streets of a city: graph, kerbs, corners, mouths, counts.

    Attributes:
        graph: nodes and segments.
        kerbs: block faces.
        corners: where they end at cross streets.
        mouths: where a side street opens between two of them.
        beside: what lies beside the kerbs where it is, or may be, no block.
        medians: as areas.
        junctions: which nodes are one.
        crossing_areas: of the junctions.
        counts: what happened on the way.
    """

    graph: Graph
    kerbs: Kerbs
    corners: Corners
    mouths: Mouths
    beside: Stretches
    medians: MedianAreas
    junctions: Junctions
    crossing_areas: CrossingAreas
    counts: StreetCounts


def derive_streets(ways: Ways, widths: HalfWidths, city: City, edge_m: float = DERIVED_EDGE_M) -> Streets:
    """Derive kerbs and corners.

    Args:
        ways: of the extract; which of them are streets is decided here.
        widths: of the streets.
        city: says on which side people drive.
        edge_m: so near the edge of the extent a dead end counts as cut (`graph.GIVEN_EDGE_M` where the file
            says where it is complete).

    Raises:
        ValueError: a street's half-width is not a number above zero.
    """
    use = uses(ways)
    graph = build_graph(ways, use == Use.STREET.value, widths.left_m, widths.right_m, edge_m)
    edges = half_edges(graph)
    shape = rim(edges, graph.xy, joints_of(graph, edges, FLAT_RAD))
    kinds = joint_kinds(shape, graph.cut[edges.dst])
    runs = runs_between(shape, kinds)
    layout = Layout(graph, edges, shape, kinds, runs)
    joints = corner_joints(layout)
    faces = block_faces(layout, joints.of_joint, RIGHT if city.driving_side == "right" else LEFT)
    corners = corners_at(layout, joints, faces)
    left = trim_covered(faces.kerbs, corners, mouths_of(layout, joints, corners, faces), graph)
    evidence = evidence_of(ways, widths.accuracy_m)
    beside, medians = medians_of(left.kerbs, left.corners, graph, evidence)
    ring = evidence.roundabout[graph.segments.way]
    junctions = junctions_of(layout, left.kerbs, left.corners, beside, ring)
    return Streets(
        graph=graph,
        kerbs=left.kerbs,
        corners=left.corners,
        mouths=left.mouths,
        beside=beside,
        medians=medians,
        junctions=junctions,
        crossing_areas=crossing_areas(layout, junctions),
        counts=_counted(use, layout, faces, left),
    )


def _counted(use: NDArray[np.str_], layout: Layout, faces: Faces, left: Trimmed) -> StreetCounts:
    graph, shape = layout.graph, layout.rim
    return StreetCounts(
        ways_by_use=dict(sorted(Counter(use.tolist()).items())),
        nodes=len(graph.xy),
        segments=len(graph.segments.a),
        zero_length=graph.zero_length,
        overlaps=graph.overlaps,
        duplicates=graph.duplicates,
        almost_junctions=graph.almost_junctions,
        cut_nodes=int(np.count_nonzero(graph.cut)),
        collapsed=int(np.count_nonzero(~shape.alive)),
        rounds=shape.rounds,
        backwards=shape.backwards,
        lost_faces=int(np.count_nonzero(faces.of_run < 0)),
        covered_m=left.covered_m,
        covered_corners=left.covered_corners,
    )
