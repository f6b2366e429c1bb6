"""In which zones skips stand, by the map: surely inside, surely outside, or not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.sight.layer_events import STREET_LINES
from geocheck.city.ruler.references import REFERENCES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.sight.sight import Sight

INSIDE: Final = 1
OUTSIDE: Final = 0
UNKNOWN: Final = -1

_SURE_M: Final = 0.005


def zone_state(sight: Sight, layer: str) -> NDArray[np.int8]:
    """Return for each skip whether it stands in a feature of a layer, wholly or in part: 1, 0 or -1."""
    state = np.where(sight.covered(layer, 0.0), OUTSIDE, UNKNOWN).astype(np.int8)
    parts = [sight.plan(layer)]
    if layer in REFERENCES or layer in STREET_LINES:
        parts.append(sight.along(layer))
    for rows in parts:
        if not len(rows.placement):
            continue
        u = np.maximum(rows.u_m, _SURE_M)
        inside = rows.value_m < np.where(rows.u_m > _SURE_M, -u, _SURE_M)
        maybe = (rows.value_m <= u) & ~(inside & rows.known & rows.side_known)
        state[rows.placement[maybe & (state[rows.placement] != INSIDE)]] = UNKNOWN
        state[rows.placement[inside & rows.known & rows.side_known]] = INSIDE
    return state
