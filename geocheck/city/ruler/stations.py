"""Refers features to kerbs: beside which kerb a thing lies, from where to where along it, and how surely.

A thing lies beside the kerb whose half of the carriageway is nearest to it. One so near the axis that it may
belong to the other side, or so near two streets that it may belong to either, is referred to all of them, and
its side is not known.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.planar import cross_product
from geocheck.city.ragged import ranges
from geocheck.city.ruler.strips import near
from geocheck.city.streets.kerbs import LEFT, RIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.ruler.strips import Places, Strips

SAME_MAP_M: Final = 1.0
"""A thing drawn on the same map as the axis lies on the side on which it is drawn if it is so far from it:
both may be metres away from where they are, but the mapper saw them together (hypothesis)."""

_EITHER_M: Final = 1.0
"""A thing beside two streets belongs to either if one is nearer by less than this (hypothesis)."""

_STEP_M: Final = 2.0
"""Lines and outlines are looked at every so many metres, and at their vertices."""


BOTH: Final = 2
"""The side of what lies on both sides."""


class Reference(Enum):
    """How things of a layer lie by a kerb."""

    BESIDE = "beside"
    """On one side of the street: a stop, a hydrant, a bay."""
    OVER = "over"
    """From the street over one kerb: a driveway."""
    ACROSS = "across"
    """From kerb to kerb: a crossing."""


REFERENCES: Final = dict.fromkeys(
    (
        *("bus_stop", "taxi_stand", "truck_stand", "sign", "signal", "hydrant", "water_valve", "manhole"),
        *("storm_drain", "gutter", "ramp", "turnaround", "parking_lane", "parking_bay", "special_bay"),
        *("loading_bay", "paid_parking", "marking", "entrance", "emergency_exit", "street_furniture"),
    ),
    Reference.BESIDE,
) | {"driveway": Reference.OVER, "crossing": Reference.ACROSS}
"""The layers that are measured along kerbs."""


class Stations(NamedTuple):
    """n references of features to kerbs, in order of feature and kerb.

    Attributes:
        feature: row of the layer, shape (n,).
        kerb: index of the kerb, shape (n,).
        from_m: where the feature begins along the kerb, as that is directed, shape (n,).
        to_m: where it ends.
        offset_m: of its place nearest to the kerb; above zero behind the kerb, shape (n,).
        side_known: it belongs to this kerb and to no other in its stead, shape (n,).
    """

    feature: NDArray[np.int64]
    kerb: NDArray[np.int64]
    from_m: NDArray[np.float64]
    to_m: NDArray[np.float64]
    offset_m: NDArray[np.float64]
    side_known: NDArray[np.bool_]


class Things(NamedTuple):
    """f features to refer to kerbs.

    Attributes:
        geometry: in the city's metres, shape (f,).
        way: index of the street's way that the thing lies on, -1 where none is said, shape (f,).
        side: `kerbs.RIGHT`, `kerbs.LEFT` or `BOTH` of that way as drawn, or of the thing's own line where no
            way is said; 0 where it says no side, shape (f,).
        told: the thing is told by the tags of its way and runs along all of that, shape (f,).
        half_m: half of its width along the kerb, where its geometry does not show it, shape (f,).
        reach_m: farther from a carriageway it belongs to no kerb, shape (f,).
        unsure_m: so near the carriageway's other half it may belong to that, shape (f,).
    """

    geometry: NDArray[np.object_]
    way: NDArray[np.int64]
    side: NDArray[np.int64]
    told: NDArray[np.bool_]
    half_m: NDArray[np.float64]
    reach_m: NDArray[np.float64]
    unsure_m: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64]) -> Things:
        """Return some of them."""
        return Things._make(column[rows] for column in self)


def refer(strips: Strips, things: Things, how: Reference) -> Stations:
    """Refer features to kerbs.

    Args:
        strips: of all kerbs.
        things: the features.
        how: they lie by a kerb. A line or area `OVER` or `ACROSS` kerbs is referred to those that it meets,
            a point `OVER` one as `BESIDE` it, a point `ACROSS` to all it may lie beside, and surely.
    """
    along = _along_ways(strips, things)
    met = _nothing() if how is Reference.BESIDE else _met(strips, things)
    rest = np.ones(len(things.geometry), bool)
    rest[along.feature] = rest[met.feature] = False
    if how is not Reference.BESIDE:
        rest &= shapely.get_dimensions(things.geometry) == 0
    rows = np.flatnonzero(rest)
    others = _beside(strips, things.at(rows))
    known = others.side_known | (how is Reference.ACROSS)
    others = others._replace(feature=rows[others.feature], side_known=known)
    return _widened(_together(_together(along, met), others), things)


def _together(one: Stations, two: Stations) -> Stations:
    both = Stations._make(np.concatenate(columns) for columns in zip(one, two, strict=True))
    order = np.lexsort((both.kerb, both.feature))
    return Stations._make(column[order] for column in both)


def _widened(stations: Stations, things: Things) -> Stations:
    half = things.half_m[stations.feature]
    return stations._replace(from_m=stations.from_m - half, to_m=stations.to_m + half)


def _nothing() -> Stations:
    none = np.zeros(0, np.int64)
    return Stations(none, none, np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, bool))


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
    return _gathered(
        np.concatenate([feature, feature]), strips.kerb[both], ends, np.zeros(len(ends)), np.tile(known, 2)
    )


def _met(strips: Strips, things: Things) -> Stations:
    """Return where lines and outlines meet kerbs."""
    ends = strips.begin + strips.unit * strips.length_m[:, None]
    pieces = np.asarray(shapely.linestrings(np.stack([strips.begin, ends], axis=1)))
    rows = np.flatnonzero(~(things.told & (things.way >= 0)))
    feature, piece = shapely.STRtree(pieces).query(things.geometry[rows], predicate="intersects")
    feature = rows[feature]
    met = shapely.intersection(things.geometry[feature], pieces[piece])
    xy, row = shapely.get_coordinates(met, return_index=True)
    feature, piece = feature[row], piece[row]
    along = strips.along_m[piece] + ((xy - strips.begin[piece]) * strips.unit[piece]).sum(axis=1)
    none = np.zeros(len(along))
    return _gathered(feature, strips.kerb[piece], along, none, np.ones(len(along), bool))


def _beside(strips: Strips, things: Things) -> Stations:
    xy, owner = shapely.get_coordinates(shapely.segmentize(things.geometry, _STEP_M), return_index=True)
    found = near(strips, xy, things.reach_m[owner])
    things = _without_idle_sides(strips, things, found, owner)
    places = _said(strips, things, found, xy, owner)
    places = _one_a_kerb(places, strips)
    nearest = np.full(len(xy), np.inf)
    np.minimum.at(nearest, places.point, places.apart_m)
    unsure = things.unsure_m[owner]
    bound = np.maximum(nearest + np.minimum(_EITHER_M, unsure), unsure)
    places = places.at(places.apart_m <= bound[places.point])
    alone = np.bincount(places.point, minlength=len(xy))[places.point] == 1
    feature = owner[places.point]
    side = things.side[feature]
    known = alone & ((places.axis_m > unsure[places.point]) | (side != 0))
    known |= side == BOTH
    return _gathered(feature, strips.kerb[places.piece], places.along_m, places.offset_m, known)


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


def _one_a_kerb(places: Places, strips: Strips) -> Places:
    """Keep for every point the nearest piece of each kerb."""
    kerb = strips.kerb[places.piece]
    order = np.lexsort((places.along_m, np.abs(places.offset_m), places.apart_m, kerb, places.point))
    fresh = (np.diff(kerb[order], prepend=-1) != 0) | (np.diff(places.point[order], prepend=-1) != 0)
    return places.at(order[fresh])


def _gathered(
    feature: NDArray[np.int64],
    kerb: NDArray[np.int64],
    along_m: NDArray[np.float64],
    offset_m: NDArray[np.float64],
    known: NDArray[np.bool_],
) -> Stations:
    """Join the places of one feature on one kerb; its side is known where one of them leaves no doubt."""
    order = np.lexsort((np.abs(offset_m), kerb, feature))
    feature, kerb, along_m = feature[order], kerb[order], along_m[order]
    first = np.flatnonzero((np.diff(feature, prepend=-1) != 0) | (np.diff(kerb, prepend=-1) != 0))
    if not len(first):
        return Stations(feature, kerb, along_m, along_m, offset_m, known)
    return Stations(
        feature=feature[first],
        kerb=kerb[first],
        from_m=np.minimum.reduceat(along_m, first),
        to_m=np.maximum.reduceat(along_m, first),
        offset_m=offset_m[order[first]],
        side_known=np.logical_or.reduceat(known[order], first),
    )
