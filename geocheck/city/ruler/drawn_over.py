"""Refers lines and areas drawn over kerbs: where they meet these, and where they end just short of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.ruler.references import Reference, gathered, in_no_stead
from geocheck.city.ruler.strips import nearest_of_each_kerb

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.ruler.references import Stations, Things
    from geocheck.city.ruler.strips import Places, Strips

STEP_M: Final = 2.0
"""Lines and outlines are looked at every so many metres, and at their vertices."""

EITHER_M: Final = 1.0
"""A thing beside two streets belongs to either if one is nearer by less than this (hypothesis)."""

_TOUCH_M: Final = 0.01
"""What comes so near to a kerb meets it: coordinates are rounded."""


def drawn_over(strips: Strips, things: Things, how: Reference) -> Stations:
    """Refer lines and areas to the kerbs that they meet, or else end at.

    Args:
        strips: of all kerbs.
        things: the features; points are passed over.
        how: `OVER` one kerb: one that meets none is at the nearest of those that it comes near to, and if
            others are hardly farther, perhaps at these. `ACROSS`: it is at every kerb that it ends short of
            on the carriageway as well.
    """
    rows = np.flatnonzero((shapely.get_dimensions(things.geometry) > 0) & ~(things.told & (things.way >= 0)))
    feature, piece, along = _meetings(strips, things.geometry[rows])
    kerb = strips.kerb[piece]
    places, owner = _ends(strips, things.at(rows))
    close = np.abs(places.offset_m) <= _TOUCH_M
    pair = owner * _kerbs(strips) + strips.kerb[places.piece]
    met = np.union1d(feature * _kerbs(strips) + kerb, pair[close])
    touched = np.isin(pair, met)
    if how is Reference.OVER:
        kept, known = _over_one(strips, things.at(rows), places, owner, touched)
    else:
        kept = _across(strips, places, owner, touched)
        known = np.ones(len(pair), bool)
    kept &= close | ~touched
    return gathered(
        rows[np.concatenate([feature, owner[kept]])],
        np.concatenate([kerb, strips.kerb[places.piece[kept]]]),
        np.concatenate([along, places.along_m[kept]]),
        np.concatenate([np.zeros(len(kerb)), places.offset_m[kept]]),
        np.concatenate([np.ones(len(kerb), bool), known[kept]]),
    )


def _kerbs(strips: Strips) -> int:
    return int(strips.kerb.max(initial=0)) + 1


def _meetings(
    strips: Strips, geometry: NDArray[np.object_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return where geometries meet kerbs: index, piece of kerb, metres along the kerb."""
    ends = strips.begin + strips.unit * strips.length_m[:, None]
    pieces = np.asarray(shapely.linestrings(np.stack([strips.begin, ends], axis=1)))
    feature, piece = shapely.STRtree(pieces).query(geometry, predicate="intersects")
    met = shapely.intersection(geometry[feature], pieces[piece])
    xy, row = shapely.get_coordinates(met, return_index=True)
    feature, piece = feature[row], piece[row]
    along = strips.along_m[piece] + ((xy - strips.begin[piece]) * strips.unit[piece]).sum(axis=1)
    return feature, piece, along


def _ends(strips: Strips, things: Things) -> tuple[Places, NDArray[np.int64]]:
    """Return the places of ends of lines and outlines of areas that are near kerbs, and whose they are."""
    part, whose = shapely.get_parts(things.geometry, return_index=True)
    edge = shapely.segmentize(shapely.boundary(part), STEP_M)
    xy, row = shapely.get_coordinates(edge, return_index=True)
    owner = whose[row]
    places = nearest_of_each_kerb(strips, xy, things.short_m[owner])
    places = places.at(np.abs(places.offset_m) <= things.short_m[owner[places.point]])
    return places, owner[places.point]


def _over_one(
    strips: Strips, things: Things, places: Places, owner: NDArray[np.int64], touched: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which places count of things over one kerb, and whether no other kerb may be the one."""
    meets = np.zeros(len(things.geometry), bool)
    meets[owner[touched]] = True
    pair, row = np.unique(owner * _kerbs(strips) + strips.kerb[places.piece], return_inverse=True)
    apart = np.full(len(pair), np.inf)
    np.minimum.at(apart, row, np.abs(places.offset_m))
    nearest = np.full(len(things.geometry), np.inf)
    np.minimum.at(nearest, pair // _kerbs(strips), apart)
    may = apart <= (nearest + EITHER_M)[pair // _kerbs(strips)]
    alone = np.bincount((pair // _kerbs(strips))[may], minlength=len(things.geometry)) == 1
    return touched | (~meets[owner] & may[row]), touched | alone[owner]


def _across(
    strips: Strips, places: Places, owner: NDArray[np.int64], touched: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which places count of things from kerb to kerb: what is behind a kerb does not end at it."""
    before = np.flatnonzero(places.offset_m <= _TOUCH_M)
    alone = np.bincount(places.point[before], minlength=1)[places.point[before]] == 1
    kept = np.zeros(len(owner), bool)
    kept[before] = in_no_stead(
        places.point[before], owner[before], strips.kerb[places.piece[before]], alone | touched[before]
    )
    return kept
