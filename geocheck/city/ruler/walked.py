"""Metres walked along a street beside its kerb: where that steps out or in, one comes no farther."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.city.streets.covered import lines_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.kerbs import Kerbs


class Walked(NamedTuple):
    """How far the g segments of k kerbs take one along the street, metres.

    Attributes:
        advance_m: of each segment, its length or 0 for a step, shape (g,).
        before_m: from the start of its kerb to that of each segment, shape (g,).
        kerb_m: of each kerb from end to end, shape (k,).
    """

    advance_m: NDArray[np.float64]
    before_m: NDArray[np.float64]
    kerb_m: NDArray[np.float64]


def walked_along(kerbs: Kerbs) -> Walked:
    """Return how far the segments of kerbs take one along the street.

    The law's metres along a kerb are metres of street: the wider carriageway of the next way would else
    lengthen the distance to a corner by half of what it is wider, and make a skip seem farther from it.
    """
    lines = lines_of(kerbs)
    advance = np.where(kerbs.segment_step, 0.0, lines.length_m)
    total = np.cumsum(advance) - advance
    before = total - total[kerbs.segment_start[:-1]][lines.face]
    return Walked(advance, before, np.bincount(lines.face, advance, len(kerbs)).astype(float))


def walked_to(kerbs: Kerbs, kerb: NDArray[np.int64], along_m: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the metres walked to places that are so many metres of kerb line, steps and all, from its start.

    Args:
        kerbs: all kerbs.
        kerb: of each place, shape (n,).
        along_m: shape (n,); on the kerb.
    """
    length, advance = lines_of(kerbs).length_m, walked_along(kerbs).advance_m
    line = np.concatenate([[0.0], np.cumsum(length)])
    walk = np.concatenate([[0.0], np.cumsum(advance)])
    start = kerbs.segment_start[kerb]
    return np.asarray(np.interp(line[start] + along_m, line, walk) - walk[start])
