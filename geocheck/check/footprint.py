"""Footprints: oriented rectangles in the city's metres, and distances from them to straight edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.bearing import true_to_grid_bearing
from geocheck.city.planar import cross_product, right_of
from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STILL_M: Final = 1e-12
"""An edge that gains no more in a direction runs across it: to divide by less overflows."""


class Footprints(NamedTuple):
    """n rectangles, in metres.

    Attributes:
        xy: centres in the city's system, shape (n, 2).
        along: direction of the long axis, of length one, shape (n, 2).
        length_m: shape (n,).
        width_m: shape (n,).
    """

    xy: NDArray[np.float64]
    along: NDArray[np.float64]
    length_m: NDArray[np.float64]
    width_m: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Footprints:
        """Return some of them."""
        return Footprints(self.xy[rows], self.along[rows], self.length_m[rows], self.width_m[rows])

    def corners(self) -> NDArray[np.float64]:
        """Return the corners, ends together: front right and left, back left and right, shape (n, 4, 2)."""
        ahead = self.along * self.length_m[:, None] / 2
        right = right_of(self.along) * self.width_m[:, None] / 2
        ends = [ahead + right, ahead - right, -ahead - right, -ahead + right]
        return np.asarray(self.xy[:, None, :] + np.stack(ends, axis=1))


def footprints(
    lonlat: NDArray[np.float64],
    bearing_deg: NDArray[np.float64],
    length_m: NDArray[np.float64],
    width_m: NDArray[np.float64],
    crs: str,
) -> Footprints:
    """Lay rectangles out.

    Args:
        lonlat: degrees, WGS 84, shape (n, 2).
        bearing_deg: of the long axis, clockwise from true north, shape (n,).
        length_m: shape (n,).
        width_m: shape (n,).
        crs: the city's metric system.
    """
    grid = np.radians(true_to_grid_bearing(bearing_deg, lonlat[:, 0], lonlat[:, 1], crs))
    along = np.column_stack([np.sin(grid), np.cos(grid)])
    return Footprints(to_city(lonlat, crs), along, length_m, width_m)


def in_frame(footprints: Footprints, xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places as (ahead, right) of the centres, metres, shape (n, 2)."""
    step, along = xy - footprints.xy, footprints.along
    ahead = (step * along).sum(axis=1)
    return np.column_stack([ahead, cross_product(step, along)])


def edge_distance_m(footprints: Footprints, edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shortest distance from each rectangle to its edge; 0 where they touch or overlap.

    Args:
        footprints: n of them.
        edges: x0, y0, x1, y1 in metres, shape (n, 4); an edge may be a point.
    """
    one, two = in_frame(footprints, edges[:, :2]), in_frame(footprints, edges[:, 2:])
    half = np.column_stack([footprints.length_m, footprints.width_m]) / 2
    ends = np.minimum(_beyond(one, half), _beyond(two, half))
    signs = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)])
    corner = np.min([to_edge_m(half * sign, one, two) for sign in signs], axis=0)
    return np.where(_meets(one, two, half), 0.0, np.minimum(ends, corner))


def _beyond(place: NDArray[np.float64], half: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.maximum(np.abs(place) - half, 0.0)
    return np.asarray(np.hypot(out[:, 0], out[:, 1]))


def to_edge_m(
    place: NDArray[np.float64], one: NDArray[np.float64], two: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the distance from each place to the edge between two places, all of shape (n, 2)."""
    step, gap = two - one, place - one
    square = (step * step).sum(axis=1)
    share = np.divide((gap * step).sum(axis=1), square, out=np.zeros(len(square)), where=square > 0)
    rest = gap - np.clip(share, 0.0, 1.0)[:, None] * step
    return np.asarray(np.hypot(rest[:, 0], rest[:, 1]))


def _meets(
    one: NDArray[np.float64], two: NDArray[np.float64], half: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell whether an edge passes through the rectangle |ahead| ≤ half, |right| ≤ half (slabs)."""
    step = two - one
    still = np.abs(step) <= _STILL_M
    safe = np.where(still, 1.0, step)
    first, second = (-half - one) / safe, (half - one) / safe
    inside = np.abs(one) <= half
    enter = np.where(still, np.where(inside, -np.inf, np.inf), np.minimum(first, second)).max(axis=1)
    leave = np.where(still, np.where(inside, np.inf, -np.inf), np.maximum(first, second)).min(axis=1)
    return np.asarray((enter <= leave) & (enter <= 1.0) & (leave >= 0.0))
