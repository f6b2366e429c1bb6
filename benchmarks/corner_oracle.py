"""Compares derived corners with the junctions that SUMO's netconvert builds of the same streets.

    python -m benchmarks.corner_oracle DATA_FOLDER

Both get one graph and one set of widths. Compared are the corners whose place is known; bends (elbows) are no
junctions to netconvert. A corner's distance is that to the nearest vertex of netconvert's polygons at the
junctions where its two streets end. Far ones are put into classes, the first that fits:

    square cut    netconvert cuts arms at right angles to their axis, so this corner is no vertex of its
                  polygon; but both its kerbs, drawn straight on, meet within 10 cm of ours
    off kerb      our corner lies further than 10 cm from the end of one of its kerbs
    no kerb       the kerb on one or both sides of our corner was trimmed
    bend          either corner lies behind or at the first bend of a street, so that netconvert's kerbs drawn
                  on say nothing
    other         none of these

The other way: where the kerbs of two neighbouring arms of netconvert's meet within 10 cm and turn by 25
degrees or more it has a corner; is one of ours within 1.5 m? Those without one: between arms of a street that
runs through, of a turn of 130 degrees or more (nose), at a node of a roundabout, beside an arm shorter than
it is wide, or other. A junction that has such a corner while none of ours lies within 1.5 m of its polygon is
one where netconvert has a corner and we have none.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from benchmarks.corner_match import match_ours, match_theirs
from benchmarks.netconvert import oracle
from benchmarks.scenes import GOIANIA, NEUKOELLN, NORTHGATE, PORTO_ALEGRE, derived
from geocheck.city.streets.corners import CornerKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.corner_match import Ours, Theirs
    from benchmarks.netconvert import Oracle
    from benchmarks.scenes import Derived

NEAR_M: Final = 1.5
CLOSE_M: Final = 0.5
MEET_M: Final = 0.1
SQUARE_DEG: Final = (75.0, 150.0)
NOSE_DEG: Final = 130.0
TURN_DEG: Final = 25.0

OURS: Final = ("square cut", "off kerb", "no kerb", "bend", "other")
THEIRS: Final = ("runs through", "nose", "roundabout", "short arm", "other")


class Compared(NamedTuple):
    """What a scene gives.

    Attributes:
        vertex_m: of the corners compared, shape (c,).
        square: those whose kerb turns by 75 to 150 degrees, shape (c,).
        kind: index into `OURS`, shape (c,).
        corner_m: of netconvert's corners to ours, shape (k,).
        their_kind: index into `THEIRS`, shape (k,).
        junctions: at which netconvert has a corner.
        without: of these, those without one of ours.
    """

    vertex_m: NDArray[np.float64]
    square: NDArray[np.bool_]
    kind: NDArray[np.int64]
    corner_m: NDArray[np.float64]
    their_kind: NDArray[np.int64]
    junctions: int
    without: int


def compare(scene: Derived) -> Compared:
    """Compare the corners of a scene."""
    corners = scene.streets.corners
    found = oracle(scene.streets.graph)
    ours, theirs = match_ours(scene.streets, found), match_theirs(scene.streets, found)
    round_about = roundabout_nodes(scene)
    known = ~corners.unknown & (corners.kind != CornerKind.ELBOW)
    sharp = (theirs.gap_m < MEET_M) & (theirs.turn_deg >= TURN_DEG)
    junctions = np.unique(theirs.node[sharp])
    low, high = SQUARE_DEG
    return Compared(
        vertex_m=ours.vertex_m[known],
        square=((corners.turn_deg >= low) & (corners.turn_deg <= high))[known],
        kind=_our_kind(ours)[known],
        corner_m=theirs.corner_m[sharp],
        their_kind=_their_kind(theirs, round_about)[sharp],
        junctions=len(junctions),
        without=len(_without_ours(junctions, found, corners.xy)),
    )


def roundabout_nodes(scene: Derived) -> NDArray[np.bool_]:
    """Tell which nodes of the graph lie on a roundabout, shape (n,)."""
    graph = scene.streets.graph
    tags = scene.network.ways.tags
    way = np.array([each.get("junction") in {"roundabout", "circular"} for each in tags], bool)
    found = np.zeros(len(graph.xy), bool)
    rows = way[graph.segments.way]
    found[graph.segments.a[rows]] = found[graph.segments.b[rows]] = True
    return found


def _our_kind(ours: Ours) -> NDArray[np.int64]:
    tests = [
        ours.aside_m < MEET_M,
        ours.off_m > MEET_M,
        ours.kerbs < 2,  # noqa: PLR2004 (a corner has two kerbs)
        ours.bent,
    ]
    return np.select(tests, range(len(tests)), len(tests))


def _their_kind(theirs: Theirs, round_about: NDArray[np.bool_]) -> NDArray[np.int64]:
    tests = [theirs.through, theirs.turn_deg >= NOSE_DEG, round_about[theirs.node], theirs.short]
    return np.select(tests, range(len(tests)), len(tests))


def _without_ours(
    junctions: NDArray[np.int64], found: Oracle, corner_xy: NDArray[np.float64]
) -> NDArray[np.int64]:
    tree = shapely.STRtree(np.asarray(shapely.points(corner_xy)))
    polygons = np.array([shapely.Polygon(found.polygon[node]) for node in junctions.tolist()], object)
    held = np.unique(tree.query(polygons, predicate="dwithin", distance=NEAR_M)[0])
    return np.delete(junctions, held)


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with osm/")
    data = parser.parse_args().data
    scenes = (GOIANIA, PORTO_ALEGRE, NEUKOELLN, NORTHGATE)
    rows = {scene.name: compare(derived(scene, data)) for scene in scenes}
    rows["pooled"] = _pooled(list(rows.values()))
    _print_distances(rows)
    _print_ours(rows)
    _print_theirs(rows)


def _pooled(rows: list[Compared]) -> Compared:
    return Compared(
        vertex_m=np.concatenate([row.vertex_m for row in rows]),
        square=np.concatenate([row.square for row in rows]),
        kind=np.concatenate([row.kind for row in rows]),
        corner_m=np.concatenate([row.corner_m for row in rows]),
        their_kind=np.concatenate([row.their_kind for row in rows]),
        junctions=sum(row.junctions for row in rows),
        without=sum(row.without for row in rows),
    )


def _print_distances(rows: dict[str, Compared]) -> None:
    print(
        "Corners against SUMO's junction polygons (bars: 75-150° median 0.02, p95 0.5 m; all 95 % in 1.5 m)"
    )
    print("scene           75-150° median m  p95 m  p99 m    all in 1.5 m  or its kerbs meet there")
    for name, row in rows.items():
        own = row.vertex_m[row.square]
        median, p95, p99 = (float(np.quantile(own, q, method="higher")) for q in (0.5, 0.95, 0.99))
        near = row.vertex_m <= NEAR_M
        met = near | (row.kind == OURS.index("square cut"))
        print(
            f"{name:15} {len(own):7} {median:8.0e} {p95:6.3f} {p99:6.2f} {len(near):6} {near.mean():8.2%}"
            f"  {met.mean():8.2%}"
        )


def _print_ours(rows: dict[str, Compared]) -> None:
    print(f"\nOurs further than {NEAR_M} m, by class; in brackets those of 75-150° further than {CLOSE_M} m")
    print(f"{'scene':15}" + "".join(f" {name:>10}" for name in OURS))
    for name, row in rows.items():
        far, some = row.vertex_m > NEAR_M, row.square & (row.vertex_m > CLOSE_M)
        cells = [
            f"{(far & (row.kind == i)).sum()} ({(some & (row.kind == i)).sum()})" for i in range(len(OURS))
        ]
        print(f"{name:15}" + "".join(f" {cell:>10}" for cell in cells))


def _print_theirs(rows: dict[str, Compared]) -> None:
    print(f"\nSUMO's corners without one of ours in {NEAR_M} m, by class; junctions with a corner, none ours")
    print("scene           corners" + "".join(f" {name:>12}" for name in THEIRS) + " junctions  none ours")
    for name, row in rows.items():
        far = row.corner_m > NEAR_M
        cells = "".join(f" {(far & (row.their_kind == i)).sum():12}" for i in range(len(THEIRS)))
        share = row.without / max(row.junctions, 1)
        print(f"{name:15} {len(far):7}{cells} {row.junctions:9}  {row.without:3} ({share:.2%})")


if __name__ == "__main__":
    main()
