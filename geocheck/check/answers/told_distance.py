"""What the user's word tells of the distance to a layer: tapes, looks, and the place itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.columns import BASES, BEYOND_M, SIDED, Known, tape_keys
from geocheck.model.words import Basis, Place

if TYPE_CHECKING:
    from geocheck.check.columns import Placements
    from geocheck.law.kinds.base import When

STANDING_ON: Final = {"footway": Place.FOOTWAY, "shoulder": Place.SHOULDER}
"""Layers that are places: whoever says where the skip stands has answered for them."""


def known_distance(
    placements: Placements, layer: str, sides: str = "both", when: When | None = None
) -> Known:
    """Return what is known of the distance to a layer.

    Taping both corners also tells that the skip is as far from the crossing area, which ends at them. At
    the far kerb of a T junction there is no crossing area: whoever sees the mouth opposite has said so.
    """
    if layer == "kerb":
        return placements.gap()
    if layer in STANDING_ON:
        return _by_place(placements, layer)
    one_side = layer in SIDED and sides != "both"
    known = placements.distance(layer, tape_keys(layer, sides), when, one_side=one_side)
    if layer == "gutter":
        # A skip that touches the kerb stands on its gutter.
        return known._replace(high=np.where(placements.gap().high <= 0, 0.0, known.high))
    if layer != "crossing_area":
        return known
    corner = placements.distance("corner", tape_keys("corner"))
    from_corner = (known.low == 0) & (corner.low > 0) & np.isinf(known.high)
    opposite = placements.distance("mouth", tape_keys("mouth")).high <= 0
    return Known(
        np.where(opposite, BEYOND_M, np.where(from_corner, corner.low, known.low)),
        np.where(opposite, np.inf, known.high),
        np.where(from_corner, corner.basis, known.basis).astype(np.int8),
    )


def _by_place(placements: Placements, layer: str) -> Known:
    """Let the place answer for its own layer: on the footway or not; inside a hoarding is not on it."""
    on_it = placements.at([STANDING_ON[layer]])
    if layer == "footway":
        on_it &= placements.fact("inside_hoarding") != 1
    declared = np.full(len(on_it), BASES.index(Basis.DECLARED), np.int8)
    return Known(np.where(on_it, 0.0, BEYOND_M), np.where(on_it, 0.0, np.inf), declared)
