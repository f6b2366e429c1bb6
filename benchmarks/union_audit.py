"""Audits kerbs against the boundary of the union of carriageways, level by level.

    python -m benchmarks.union_audit DATA_FOLDER

The union (`carriageways`) knows nothing of faces, joints, collapsing or trimming. Both lines are walked in
steps of at most a metre: how much of the kerb lies on the boundary (none invented), and how much of the
boundary has kerb on it (none lost)? Ends of carriageways that are no kerb (dead ends, cuts, changes of level)
are left out.

Kerb further than 10 cm from the boundary: at a step of the width (also beside one, within 2 m), inside
another carriageway, or outside all of them (drawn on to a corner or taper). Boundary further than 10 cm from
any kerb: the square end of an arm that juts out at its node, kerb within 2 m all the same, or none.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from benchmarks.carriageways import arm_ends, level_unions
from benchmarks.scenes import GOIANIA, NORTHGATE, PORTO_ALEGRE, derived
from geocheck.city.ragged import counted
from geocheck.city.streets.covered import lines_of

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

    def at(self, rows: NDArray[np.bool_]) -> Walk:
        """Return some of them."""
        return Walk(self.begin[rows], self.end[rows])

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
        row, rank = counted(count)
        along = (self.end - self.begin)[row] / count[row, None]
        return Walk(self.begin[row] + rank[:, None] * along, self.begin[row] + (rank[:, None] + 1) * along)


KERB_KINDS: Final = ("step", "inside", "outside")
EDGE_KINDS: Final = ("arm end", "kerb in 2 m", "no kerb")


class Side(NamedTuple):
    """Steps along kerb or boundary, how far each is from the other, and why.

    Attributes:
        walk: k steps.
        gap_m: to the other line, inf beyond `FAR_M`, shape (k,).
        kind: index into `KERB_KINDS` or `EDGE_KINDS`, of use where the gap is wide, shape (k,).
    """

    walk: Walk
    gap_m: NDArray[np.float64]
    kind: NDArray[np.int64]

    def metres(self, which: NDArray[np.bool_]) -> float:
        """Return the length of some steps."""
        return float(self.walk.length_m[which].sum())


def audit(scene: Derived) -> dict[int, tuple[Side, Side]]:
    """Compare kerb and boundary on each level."""
    graph = scene.streets.graph
    ends, end_level, is_cap = arm_ends(graph)
    found: dict[int, tuple[Side, Side]] = {}
    for level, union in level_unions(graph).items():
        kerb, steps = kerb_walks(scene.streets, level)
        edge, own = boundary_walk(union), ends[end_level == level]
        caps = ends[is_cap & (end_level == level)]
        found[level] = (_kerb_side(kerb, steps, edge, union), _edge_side(edge, kerb, own, caps))
    return found


def _kerb_side(kerb: Walk, steps: Walk, edge: Walk, union: shapely.Geometry) -> Side:
    walk = kerb.in_steps()
    gap_m = gaps(walk.middle, edge.lines(), FAR_M)
    shapely.prepare(union)
    inside = np.zeros(len(gap_m), bool)
    off = gap_m > NEAR_M
    inside[off] = shapely.contains(union, walk.middle[off])
    beside = np.isfinite(gaps(walk.middle, steps.lines(), FAR_M))
    return Side(walk, gap_m, np.select([beside, inside], [0, 1], 2))


def _edge_side(edge: Walk, kerb: Walk, ends: NDArray[np.object_], caps: NDArray[np.object_]) -> Side:
    walk = edge.in_steps()
    walk = walk.at(np.isinf(gaps(walk.middle, caps, ON_M)))
    gap_m = gaps(walk.middle, kerb.lines(), FAR_M)
    at_end = np.isfinite(gaps(walk.middle, ends, ON_M))
    return Side(walk, gap_m, np.select([at_end, np.isfinite(gap_m)], [0, 1], 2))


def kerb_walks(streets: Streets, level: int) -> tuple[Walk, Walk]:
    """Return the pieces of kerb of one level, and those of them that are steps."""
    kerbs = streets.kerbs
    lines = lines_of(kerbs)
    walk = Walk(lines.begin, lines.end)
    own = streets.graph.segments.layer[kerbs.segment_axis] == level
    return walk.at(own), walk.at(own & kerbs.segment_step)


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
    found = {place.name: audit(derived(place, data)) for place in (GOIANIA, PORTO_ALEGRE, NORTHGATE)}
    for name, side, kinds in (("kerb", 0, KERB_KINDS), ("boundary", 1, EDGE_KINDS)):
        other = "boundary of the union of carriageways" if side == 0 else "kerb"
        print(f"{name} on the {other}; the rest in metres by class")
        head = "".join(f" {kind:>12}" for kind in kinds)
        print(f"scene           level       km   in 2 cm  in 10 cm{head}")
        for place, levels in found.items():
            for level, sides in sorted(levels.items()):
                print(f"{place:15} {level:5} {_cells(sides[side], len(kinds))}")
        print()


def _cells(side: Side, kinds: int) -> str:
    total = max(side.metres(np.isfinite(side.walk.length_m)), 1e-9)
    on, near = (side.metres(side.gap_m <= limit) / total for limit in (ON_M, NEAR_M))
    rest = (side.metres((side.gap_m > NEAR_M) & (side.kind == kind)) for kind in range(kinds))
    return f"{total / 1000:8.1f}  {on:8.3%}  {near:8.3%}" + "".join(f" {metres:12.0f}" for metres in rest)


if __name__ == "__main__":
    main()
