"""Audits kerbs against the boundary of the union of carriageways, level by level.

    python -m benchmarks.union_audit DATA_FOLDER

The union (`carriageways`) knows nothing of faces, joints, collapsing or trimming. Both lines are walked in
steps of at most a metre: how much of the kerb lies on the boundary (none invented), and how much of the
boundary has kerb on it (none lost)? Ends of carriageways that are no kerb (dead ends, cuts, changes of level)
are left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from benchmarks.carriageways import caps, level_unions
from benchmarks.scenes import GOIANIA, NORTHGATE, PORTO_ALEGRE, derived

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.scenes import Derived
    from geocheck.city.streets.derive import Streets

STEP_M: Final = 1.0
ON_M: Final = 0.02
NEAR_M: Final = 0.1
FAR_M: Final = 2.0


class Walk(NamedTuple):
    """Steps along lines, or their pieces before they are cut into steps.

    Attributes:
        begin: metres, shape (k, 2).
        end: metres, shape (k, 2).
    """

    begin: NDArray[np.float64]
    end: NDArray[np.float64]

    @property
    def length_m(self) -> NDArray[np.float64]:
        """Of each, shape (k,)."""
        return np.asarray(np.hypot(*(self.end - self.begin).T))

    @property
    def middle(self) -> NDArray[np.object_]:
        """Points halfway along each, shape (k,)."""
        return np.asarray(shapely.points((self.begin + self.end) / 2), object)

    def lines(self) -> NDArray[np.object_]:
        """Return each as a line, shape (k,)."""
        return np.asarray(shapely.linestrings(np.stack([self.begin, self.end], axis=1)), object)

    def in_steps(self) -> Walk:
        """Return the same in equal steps of at most `STEP_M`."""
        count = np.maximum(np.ceil(self.length_m / STEP_M), 1).astype(np.int64)
        row = np.repeat(np.arange(len(count)), count)
        rank = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        along = (self.end - self.begin)[row] / count[row, None]
        return Walk(self.begin[row] + rank[:, None] * along, self.begin[row] + (rank[:, None] + 1) * along)


class Level(NamedTuple):
    """One level of a scene: the steps of its kerb and of its boundary, and how far each is from the other."""

    kerb: Walk
    kerb_gap_m: NDArray[np.float64]
    edge: Walk
    edge_gap_m: NDArray[np.float64]


def audit(scene: Derived) -> dict[int, Level]:
    """Compare kerb and boundary on each level."""
    graph = scene.streets.graph
    cap, cap_level = caps(graph)
    found: dict[int, Level] = {}
    for level, union in level_unions(graph).items():
        kerb_pieces, edge_pieces = kerb_walk(scene.streets, level), boundary_walk(union)
        kerb, edge = kerb_pieces.in_steps(), edge_pieces.in_steps()
        open_ = np.isinf(gaps(edge.middle, cap[cap_level == level], ON_M))
        edge = Walk(edge.begin[open_], edge.end[open_])
        found[level] = Level(
            kerb,
            gaps(kerb.middle, edge_pieces.lines(), FAR_M),
            edge,
            gaps(edge.middle, kerb_pieces.lines(), FAR_M),
        )
    return found


def kerb_walk(streets: Streets, level: int) -> Walk:
    """Return the pieces of kerb of one level."""
    kerbs = streets.kerbs
    face = np.repeat(np.arange(len(kerbs)), np.diff(kerbs.segment_start))
    first = np.arange(len(face)) + face
    own = streets.graph.segments.layer[kerbs.segment_axis] == level
    return Walk(kerbs.xy[first[own]], kerbs.xy[first[own] + 1])


def boundary_walk(union: shapely.Geometry) -> Walk:
    """Return the pieces of the rings of polygons."""
    rings = shapely.get_rings(shapely.get_parts(union))
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    same = ring[1:] == ring[:-1]
    return Walk(xy[:-1][same], xy[1:][same])


def gaps(points: NDArray[np.object_], lines: NDArray[np.object_], reach_m: float) -> NDArray[np.float64]:
    """Return the distance from each point to the nearest line, inf beyond a reach, shape (k,)."""
    found = np.full(len(points), np.inf)
    if len(lines):
        tree = shapely.STRtree(lines)
        (row, _), gap = tree.query_nearest(
            points, max_distance=reach_m, return_distance=True, all_matches=False
        )
        found[row] = gap
    return found


def main() -> None:
    """Audit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with osm/")
    data = parser.parse_args().data
    print("Kerb against the boundary of the union of carriageways, shares of length")
    print("scene           level   kerb km  in 2 cm in 10 cm off m   edge km  in 2 cm in 10 cm bare m")
    for place in (GOIANIA, PORTO_ALEGRE, NORTHGATE):
        for level, row in sorted(audit(derived(place, data)).items()):
            cells = (_cells(row.kerb, row.kerb_gap_m), _cells(row.edge, row.edge_gap_m))
            print(f"{place.name:15} {level:5}  {cells[0]}  {cells[1]}")


def _cells(walk: Walk, gap_m: NDArray[np.float64]) -> str:
    length, total = walk.length_m, max(float(walk.length_m.sum()), 1e-9)
    on, near = (float(length[gap_m <= limit].sum()) for limit in (ON_M, NEAR_M))
    return f"{total / 1000:8.1f}  {on / total:7.3%}  {near / total:7.3%} {total - near:6.0f}"


if __name__ == "__main__":
    main()
