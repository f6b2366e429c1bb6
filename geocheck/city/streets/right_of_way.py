"""Carriageway widths from the right of way between blocks: where no tag says a width, and never into a block.

Three things are taken from official blocks (or lots), each side of the axis for itself:

* a **width**, where nothing but the street's class is known and blocks bound it on both sides: the right of
  way less the city's usual footways. The kerbs then go by the blocks, not by the axis, which is off centre;
* a **cap** for every kerb that was modelled: a least footway remains between it and the block;
* a **shift**: what a cap takes from one side goes to the other, where a block shows that there is room.

Tagged widths are never touched. A street whose axis runs inside a block (a private road, an error of either
map) takes nothing. The reasons, and how the limits were chosen, are in `docs/decisions/0012`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.grouped import quantiles
from geocheck.city.streets.block_gaps import look_aside
from geocheck.city.streets.classify import direction_of, layer_of, street_ways
from geocheck.city.streets.widths import WidthSource

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.block_gaps import BlockGaps
    from geocheck.city.streets.widths import Widths
    from geocheck.city.ways import Ways

LEAST_FOOTWAY_M: Final = 1.0
"""Hypothesis: no footway between kerb and block is narrower; a person in a wheelchair needs 0.9 to 1.2."""

LEAST_OF_USUAL: Final = 0.7
MOST_OF_USUAL: Final = 2.0
"""A carriageway between blocks has so many times the usual width of its class, or is not believed: less is a
narrow right of way with narrow footways, more holds a median, a verge or a square as well."""

LEAST_M: Final = 2.8
"""A lorry and 0.1 on both sides: a right of way that leaves less was misplaced."""

_CLOSEST: Final = 0.05
_SPREAD: Final = 0.95
_MOSTLY: Final = 0.5
_TIE_M: Final = 1e-6
"""What lies so near to a limit lies on it: rounding must not decide."""
_POOLED_AS: Final = 5.0
"""A spread of few places is short by chance: that of all streets counts as so many places more."""


class Blocks(NamedTuple):
    """Official blocks or lots.

    Attributes:
        areas: polygons in the city's system, shape (b,).
        accuracy_m: 95 % half-width of their outline.
    """

    areas: NDArray[np.object_]
    accuracy_m: float


@dataclass(frozen=True, slots=True)
class BlockAccount:
    """What blocks said of each of w ways, each a mask of shape (w,).

    Attributes:
        given: has its width from the right of way.
        capped: a kerb was drawn back so as not to enter a block, or come nearer than a least footway.
        axis_inside: runs inside a block for most of its length, and took nothing.
        unlike: blocks on both sides, but no carriageway of its class fits between.
        one_sided: with a block on one side only.
        tagged_inside: its tags put a kerb into a block; the tags were kept.
    """

    given: NDArray[np.bool_]
    capped: NDArray[np.bool_]
    axis_inside: NDArray[np.bool_]
    unlike: NDArray[np.bool_]
    one_sided: NDArray[np.bool_]
    tagged_inside: NDArray[np.bool_]


class _Gaps(NamedTuple):
    """From the axis to the blocks, by way; infinite where a side has none.

    Attributes:
        typical_m: the median, shape (w, 2).
        closest_m: nearest but for a few places, shape (w, 2).
        spread_m: 95 % of the places differ less than this from the median, shape (w, 2).
        inside: the axis runs inside a block for the most part, shape (w,).
    """

    typical_m: NDArray[np.float64]
    closest_m: NDArray[np.float64]
    spread_m: NDArray[np.float64]
    inside: NDArray[np.bool_]


def widths_between_blocks(
    widths: Widths, ways: Ways, blocks: Blocks, city: City
) -> tuple[Widths, BlockAccount]:
    """Let official blocks say where kerbs are that no tag places.

    Args:
        widths: by tags and model.
        ways: the same.
        blocks: polygons of blocks, else of lots.
        city: for its usual footway.
    """
    ground = street_ways(ways)
    ground[ground] = [layer_of(ways.tags[way]) == 0 for way in np.flatnonzero(ground)]
    gaps = _gaps(look_aside(ways, ground, blocks.areas), len(ways))
    tagged = widths.source <= WidthSource.EST_WIDTH
    half_m = np.column_stack([widths.left_m, widths.right_m])
    between, fits = _between(half_m, gaps, _one_way(ways, ground), city.default_footway_m)
    bounded = np.isfinite(gaps.typical_m)
    open_ = ground & ~gaps.inside & (widths.source == WidthSource.CLASS_DEFAULT)
    given = open_ & fits
    wanted = np.where(given[:, None], between, half_m)
    capped = _capped(wanted, gaps.closest_m, city.default_footway_m, ~given)
    capped = np.where((ground & ~gaps.inside & ~tagged)[:, None], capped, half_m)
    # As good as the blocks are, as footways are alike, and as the axis runs parallel to the blocks.
    own = np.hypot(np.hypot(city.default_footway_accuracy_m, blocks.accuracy_m), gaps.spread_m.max(axis=1))
    account = BlockAccount(
        given=given,
        capped=(capped < wanted - _TIE_M).any(axis=1) & ground & ~gaps.inside & ~tagged,
        axis_inside=ground & gaps.inside,
        unlike=open_ & bounded.all(axis=1) & ~fits,
        one_sided=open_ & (bounded.sum(axis=1) == 1),
        tagged_inside=ground & ~gaps.inside & tagged & (half_m > gaps.typical_m).any(axis=1),
    )
    return replace(
        widths,
        left_m=capped[:, 0],
        right_m=capped[:, 1],
        parking_left_m=np.minimum(widths.parking_left_m, capped[:, 0]),
        parking_right_m=np.minimum(widths.parking_right_m, capped[:, 1]),
        accuracy_m=np.where(given, own, widths.accuracy_m),
        source=np.where(given, WidthSource.RIGHT_OF_WAY, widths.source).astype(np.int8),
    ), account


def _one_way(ways: Ways, ground: NDArray[np.bool_]) -> NDArray[np.bool_]:
    one_way = np.zeros(len(ways), bool)
    one_way[ground] = [direction_of(ways.tags[way]) != 0 for way in np.flatnonzero(ground)]
    return one_way


def _between(
    half_m: NDArray[np.float64], gaps: _Gaps, one_way: NDArray[np.bool_], footway_m: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the half-widths that the blocks give, shape (w, 2), and where they may be believed, shape (w,).

    A one-way street must fit as it is: a narrow strip beside it may be a median that the map calls a block.
    """
    usual_m = half_m.sum(axis=1)
    right_of_way_m = gaps.typical_m.sum(axis=1)
    less_footways_m = right_of_way_m - 2 * footway_m
    width_m = np.maximum(less_footways_m, LEAST_OF_USUAL * usual_m)
    width_m = np.minimum(width_m, right_of_way_m - 2 * LEAST_FOOTWAY_M)
    with np.errstate(invalid="ignore"):
        between = gaps.typical_m - (right_of_way_m - width_m)[:, None] / 2
    fits = (width_m > LEAST_M - _TIE_M) & (less_footways_m < MOST_OF_USUAL * usual_m + _TIE_M)
    fits &= ~one_way | (less_footways_m > LEAST_OF_USUAL * usual_m - _TIE_M)
    return between, fits & (between > _TIE_M).all(axis=1)


def _capped(
    wanted: NDArray[np.float64],
    closest_m: NDArray[np.float64],
    footway_m: float,
    shift: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Draw kerbs out of blocks, and move what was cut to the other side where there is room, shape (w, 2).

    Where an axis is less than two least footways from a block, the kerb lies half way.
    """
    most = np.maximum(closest_m - LEAST_FOOTWAY_M, closest_m / 2)
    cut = np.maximum(wanted - most, 0.0)[:, ::-1]
    room = np.where(np.isfinite(closest_m), np.maximum(closest_m - footway_m - wanted, 0.0), 0.0)
    return np.minimum(wanted, most) + np.where(shift[:, None], np.minimum(cut, room), 0.0)


def _gaps(sides: BlockGaps, ways: int) -> _Gaps:
    places = np.bincount(sides.way, minlength=ways)
    inside = np.bincount(sides.way[sides.inside], minlength=ways) > _MOSTLY * places
    outside = ~sides.inside
    clear = outside & sides.clear
    typical, closest, spread = (np.full((ways, 2), np.inf) for _ in range(3))
    for side in (0, 1):
        gap = sides.block_m[:, side]
        typical[:, side] = quantiles(gap[clear], sides.way[clear], ways, 0.5, np.inf)
        closest[:, side] = quantiles(gap[outside], sides.way[outside], ways, _CLOSEST, np.inf)
        seen = clear & np.isfinite(gap) & np.isfinite(typical[sides.way, side])
        way = sides.way[seen]
        spread[:, side] = _spread(np.abs(gap[seen] - typical[way, side]), way, ways)
    return _Gaps(typical, closest, spread, inside)


def _spread(off: NDArray[np.float64], way: NDArray[np.int64], ways: int) -> NDArray[np.float64]:
    """Return what 95 % of a way's places lie off at most; where they are few, drawn towards all ways'."""
    count = np.bincount(way, minlength=ways)
    own = quantiles(off, way, ways, _SPREAD, 0.0)
    pooled = np.quantile(off, _SPREAD) if len(off) else 0.0
    return np.asarray((count * own + _POOLED_AS * pooled) / (count + _POOLED_AS))
