"""Length and width of skips on the map: as given, else those of a usual skip of their capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.presets import presets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.columns import Placements
    from geocheck.model.request import Request
    from geocheck.presets import Preset


class Outline(NamedTuple):
    """Sizes of n skips, metres; NaN where not known, the accuracies 0 where given."""

    length_m: NDArray[np.float64]
    width_m: NDArray[np.float64]
    length_u_m: NDArray[np.float64]
    width_u_m: NDArray[np.float64]


def supposed(request: Request) -> Preset | None:
    """Return the usual skip whose sizes stand in for missing ones; None where none is missing or known."""
    if request.length_m is not None and request.width_m is not None:
        return None
    return presets().of(request.volume_m3)


def outline_of(placements: Placements) -> Outline:
    """Return the sizes of skips, each that is missing from a usual skip of just that capacity."""
    length, width = placements.size("length_m"), placements.size("width_m")
    length_u, width_u = np.zeros(len(length)), np.zeros(len(width))
    for row in np.flatnonzero(np.isnan(length) | np.isnan(width)).tolist():
        usual = supposed(placements.requests[row])
        if usual is None:
            continue
        if np.isnan(length[row]):
            length[row], length_u[row] = usual.length_m, usual.length_accuracy_m
        if np.isnan(width[row]):
            width[row], width_u[row] = usual.width_m, usual.width_accuracy_m
    return Outline(length, width, length_u, width_u)
