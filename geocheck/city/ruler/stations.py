"""Refers features to kerbs: beside which kerb a thing lies, from where to where along it, and how surely.

A thing lies beside the kerb whose half of the carriageway is nearest to it. One so near the axis that it may
belong to the other side, or so near two streets that it may belong to either, is referred to all of them, and
its side is not known. Some places of a line or an area may leave no doubt; then these decide for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.planar import cross_product
from geocheck.city.ragged import ranges
from geocheck.city.ruler.drawn_over import EITHER_M, STEP_M, drawn_over
from geocheck.city.ruler.references import BOTH, Reference, Stations, gathered, in_no_stead
from geocheck.city.ruler.strips import nearest_of_each_kerb
from geocheck.city.streets.kerbs import LEFT, RIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.ruler.references import Things
    from geocheck.city.ruler.strips import Places, Strips

SAME_MAP_M: Final = 1.0
"""A thing drawn on the same map as the axis lies on the side on which it is drawn if it is so far from it:
both may be metres away from where they are, but the mapper saw them together (hypothesis)."""


def refer(strips: Strips, things: Things, how: Reference) -> Stations:
    """Refer features to kerbs.

    Args:
        strips: of all kerbs.
        things: the features.
        how: they lie by a kerb. A line or area `OVER` or `ACROSS` kerbs is referred to those that it meets
            or ends at, a point `OVER` one as `BESIDE` it, a point `ACROSS` to all it may lie beside, surely.
    """
    along = _along_ways(strips, things)
    rest = np.ones(len(things.geometry), bool)
    rest[along.feature] = False
    if how is not Reference.BESIDE:
        along = _together(along, drawn_over(strips, things, how))
        rest &= shapely.get_dimensions(things.geometry) == 0
    rows = np.flatnonzero(rest)
    beside = things.at(rows)
    if how is Reference.ACROSS:
        beside = beside._replace(side=np.full(len(rows), BOTH))
    others = _beside(strips, beside)
    others = others._replace(feature=rows[others.feature])
    return _widened(_together(along, others), things)


def _together(one: Stations, two: Stations) -> Stations:
    both = Stations._make(np.concatenate(columns) for columns in zip(one, two, strict=True))
    order = np.lexsort((both.kerb, both.feature))
    return Stations._make(column[order] for column in both)


def _widened(stations: Stations, things: Things) -> Stations:
    half = things.half_m[stations.feature]
    return stations._replace(from_m=stations.from_m - half, to_m=stations.to_m + half)


def _along_ways(strips: Strips, things: Things) -> Stations:
    """Refer what the tags of a street tell to the pieces of its kerbs, on one side or on both."""
    told = np.flatnonzero(things.told & (things.way >= 0))
    order = np.argsort(strips.way, kind="stable")
    low = np.searchsorted(strips.way[order], things.way[told])
    row, place = ranges(low, np.searchsorted(strips.way[order], things.way[told], side="right"))
    feature, piece = told[row], order[place]
    side = things.side[feature]
    fits = (side == 0) | (side == BOTH) | (side == strips.side[piece])
    feature, piece = feature[fits], piece[fits]
    begin = strips.along_m[piece]
    ends = np.concatenate([begin, begin + strips.length_m[piece]])
    both = np.concatenate([piece, piece])
    known = things.side[feature] != 0
    return gathered(
        np.concatenate([feature, feature]), strips.kerb[both], ends, np.zeros(len(ends)), np.tile(known, 2)
    )


def _beside(strips: Strips, things: Things) -> Stations:
    parts, whole = shapely.get_parts(things.geometry, return_index=True)
    xy, part = shapely.get_coordinates(shapely.segmentize(parts, STEP_M), return_index=True)
    owner = whole[part]
    places = nearest_of_each_kerb(strips, xy, things.reach_m[owner])
    things = _without_idle_sides(strips, things, places, owner)
    places = _said(strips, things, places, xy, owner)
    nearest = np.full(len(xy), np.inf)
    np.minimum.at(nearest, places.point, places.apart_m)
    unsure = things.unsure_m[owner]
    bound = np.maximum(nearest + np.minimum(EITHER_M, unsure), unsure)
    places = places.at(places.apart_m <= bound[places.point])
    alone = np.bincount(places.point, minlength=len(xy))[places.point] == 1
    feature, kerb = owner[places.point], strips.kerb[places.piece]
    side = things.side[feature]
    known = alone & ((places.axis_m > unsure[places.point]) | (side != 0))
    known |= side == BOTH
    kept = in_no_stead(places.point, part[places.point], kerb, known)
    return gathered(feature[kept], kerb[kept], places.along_m[kept], places.offset_m[kept], known[kept])


def _without_idle_sides(strips: Strips, things: Things, places: Places, owner: NDArray[np.int64]) -> Things:
    """Forget the side of points that no way of theirs is near: they have no line of which it could be one."""
    feature = owner[places.point]
    on_way = np.zeros(len(things.geometry), bool)
    on_way[feature[things.way[feature] == strips.way[places.piece]]] = True
    idle = (shapely.get_dimensions(things.geometry) == 0) & ~on_way & (things.side != BOTH)
    return things._replace(side=np.where(idle, 0, things.side))


def _said(
    strips: Strips, things: Things, places: Places, xy: NDArray[np.float64], owner: NDArray[np.int64]
) -> Places:
    """Keep the places that agree with the way and the side that a thing says it is on."""
    feature = owner[places.point]
    own = things.way[feature] == strips.way[places.piece]
    on_way = np.zeros(len(things.geometry), bool)
    on_way[feature[own]] = True
    ahead = _tangents(xy, owner)[places.point]
    aside = places.xy - xy[places.point]
    across = cross_product(ahead, aside)
    side = np.where(own, strips.side[places.piece], np.where(across > 0, LEFT, RIGHT))
    says = things.side[feature]
    return places.at((own | ~on_way[feature]) & ((says == 0) | (says == BOTH) | (says == side)))


def _tangents(xy: NDArray[np.float64], owner: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the direction of each thing's line at its places; no direction at all for a point."""
    step = np.diff(xy, axis=0)
    step[owner[1:] != owner[:-1]] = 0.0
    none = np.zeros((1, 2))
    return np.asarray(np.vstack([none, step]) + np.vstack([step, none])) if len(xy) else np.zeros((0, 2))
