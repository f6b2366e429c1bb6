"""What is referred to kerbs, how it may lie by them, and the references that come of it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        from_m: metres walked along the kerb, as that is directed, to where the feature begins, shape (n,).
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
        short_m: if `OVER` or `ACROSS` kerbs, it is at one that its end comes so near to, shape (f,).
    """

    geometry: NDArray[np.object_]
    way: NDArray[np.int64]
    side: NDArray[np.int64]
    told: NDArray[np.bool_]
    half_m: NDArray[np.float64]
    reach_m: NDArray[np.float64]
    unsure_m: NDArray[np.float64]
    short_m: NDArray[np.float64]

    def at(self, rows: NDArray[np.int64]) -> Things:
        """Return some of them."""
        return Things._make(column[rows] for column in self)


def gathered(
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


def in_no_stead(
    point: NDArray[np.int64],
    thing: NDArray[np.int64],
    kerb: NDArray[np.int64],
    known: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which places of things by kerbs remain once the places that leave no doubt have spoken.

    A point that may be by several kerbs is by those of them at which its thing surely lies, if there is one.

    Args:
        point: of which each row is the place by one kerb, shape (n,).
        thing: that it belongs to.
        kerb: that it may be by.
        known: it surely is.
    """
    pair = thing * (kerb.max(initial=0) + 1) + kerb
    sure = np.isin(pair, pair[known])
    settled = np.zeros(point.max(initial=-1) + 1, bool)
    settled[point[sure]] = True
    return np.asarray(sure | ~settled[point])
