"""Distances in plan: from the outline of each skip to the outlines of features near it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.check.sight.rows import Rows, rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.stand import Stand

REACH_M: Final = 50.0
"""So far in plan features are looked for."""

_AREA: Final = 2


class Outlines(NamedTuple):
    """f features of one layer.

    Attributes:
        geometry: in the city's metres, shape (f,).
        accuracy_m: half-width of the 95 % interval of a place on it, shape (f,).
        level: of bridges and tunnels, 0 the ground, NaN where it is not told, shape (f,).
        known: whether the outline is one, shape (f,).
        tree: of the geometries.
    """

    geometry: NDArray[np.object_]
    accuracy_m: NDArray[np.float64]
    level: NDArray[np.float64]
    known: NDArray[np.bool_]
    tree: shapely.STRtree


def outlines_of(
    geometry: NDArray[np.object_],
    accuracy_m: NDArray[np.float64],
    level: NDArray[np.float64],
    known: NDArray[np.bool_],
) -> Outlines:
    """Return features ready to be found."""
    return Outlines(geometry, accuracy_m, level, known, shapely.STRtree(geometry))


def near_plan(at: Stand, outlines: Outlines, level: NDArray[np.float64]) -> Rows:
    """Return what lies near skips.

    Args:
        at: the skips.
        outlines: of a layer.
        level: of each skip's kerb; features of another level are not met.
    """
    shape = at.box
    placement = np.flatnonzero(at.held)
    box = shape[placement]
    found, feature = outlines.tree.query(box, predicate="dwithin", distance=REACH_M + at.plan_u_m[placement])
    row = placement[found]
    other = outlines.level[feature] - level[row]
    same = ~(np.abs(other) > 0)
    row, feature = row[same], feature[same]
    value = signed_distance_m(at, row, shape[row], outlines.geometry[feature])
    u = np.hypot(outlines.accuracy_m[feature], at.plan_u_m[row])
    return rows_of(row, feature, value, u)._replace(known=outlines.known[feature])


def signed_distance_m(
    at: Stand, row: NDArray[np.int64], box: NDArray[np.object_], geometry: NDArray[np.object_]
) -> NDArray[np.float64]:
    """Return the gap between skips and geometries; below zero how deep they overlap at least.

    The depth is that of the circle inside the skip's outline: so far at least the one would have to move for
    the two to part. An overlap of a mere corner of the skip has no depth, and 0 stands for it.
    """
    gap = np.asarray(shapely.distance(box, geometry))
    touch = np.flatnonzero(gap == 0)
    if not len(touch):
        return gap
    centre = shapely.points(at.footprints.xy[row[touch]])
    radius = np.minimum(at.footprints.length_m, at.footprints.width_m)[row[touch]] / 2
    inside = (shapely.get_dimensions(geometry[touch]) == _AREA) & shapely.intersects(geometry[touch], centre)
    outside_m = np.asarray(shapely.distance(geometry[touch], centre))
    edge_m = np.asarray(shapely.distance(shapely.boundary(geometry[touch]), centre))
    from_centre = np.where(inside, -edge_m, outside_m)
    value = gap.copy()
    value[touch] = np.minimum(from_centre - radius, 0.0)
    return value
