"""Where a house number may be that the map does not hold: between known ones on its side of the street."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

if TYPE_CHECKING:
    from numpy.typing import NDArray

FARTHEST_M: Final = 250.0
"""Between two known numbers farther apart along the street nothing is said (hypothesis)."""

OFF_AXIS_M: Final = 60.0
"""What lies farther from the street's line is not beside it (hypothesis)."""


_CHORD_M: Final = 1.0
_LEAST_M: Final = 1e-9


class _Known(NamedTuple):
    """Numbers and where they are, shape (k,) each."""

    number: NDArray[np.int64]
    place: NDArray[np.object_]


def between(
    number: int, known: NDArray[np.int64], xy: NDArray[np.float64], lines: NDArray[np.object_]
) -> NDArray[np.float64] | None:
    """Return where a number lies if numbers grow evenly from the one before to the one after it.

    Only where both have its parity, lie on the same side of one line of the street, not far apart, and no
    other number of that parity lies between them, which would show that they do not grow.

    Args:
        number: that is not among the known ones.
        known: the street's numbers, shape (k,).
        xy: where they are, in metres, shape (k, 2).
        lines: of the street.
    """
    same = (known % 2 == number % 2) & np.isfinite(xy).all(axis=1)
    order = np.lexsort((xy[same, 1], xy[same, 0], known[same]))
    known, xy = known[same][order], xy[same][order]
    after = int(np.searchsorted(known, number))
    if after in (0, len(known)):
        return None
    pair = np.array([int(np.searchsorted(known, known[after - 1])), after])
    share = (number - known[pair[0]]) / (known[pair[1]] - known[pair[0]])
    merged = shapely.get_parts(shapely.line_merge(shapely.union_all(lines)))
    told = _Known(known, np.asarray(shapely.points(xy), object))
    away_m = shapely.distance(merged[:, None], told.place[pair][None, :])
    for line in merged[np.argsort(np.round(away_m.sum(axis=1), 3), kind="stable")][:2]:
        found = _on_line(line, told, pair, float(share))
        if found is not None:
            return found
    return None


def _on_line(
    line: shapely.LineString, beside_it: _Known, pair: NDArray[np.int64], share: float
) -> NDArray[np.float64] | None:
    """Return the place between two on a line, None where they do not lie beside it as they should."""
    away_m = shapely.distance(line, beside_it.place)
    if line.is_ring or np.any(away_m[pair] > OFF_AXIS_M):
        return None
    station_m = shapely.line_locate_point(line, beside_it.place)
    left_m = _left_m(line, station_m, beside_it.place)
    (s, t), (left, right) = station_m[pair], left_m[pair]
    within = (station_m > min(s, t)) & (station_m < max(s, t)) & (away_m <= OFF_AXIS_M)
    others = ~np.isin(beside_it.number, beside_it.number[pair])
    broken = np.any(within & others & (np.sign(left_m) == np.sign(left)))
    if left * right <= 0 or not 0 < abs(t - s) <= FARTHEST_M or broken:
        return None
    at, direction = _at(line, np.array([s + share * (t - s)]))
    across = np.array([-direction[0, 1], direction[0, 0]])
    return np.asarray(at[0] + across * (left + share * (right - left)))


def _left_m(
    line: shapely.LineString, station_m: NDArray[np.float64], place: NDArray[np.object_]
) -> NDArray[np.float64]:
    """Return how far to the left of a line places lie, below zero to its right, metres."""
    at, direction = _at(line, station_m)
    across = shapely.get_coordinates(place) - at
    side = np.sign(direction[:, 0] * across[:, 1] - direction[:, 1] * across[:, 0])
    return np.asarray(side * np.hypot(*across.T))


def _at(
    line: shapely.LineString, station_m: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return places on a line and its direction there, of length 1, shape (k, 2) each."""
    at, start, stop = (
        shapely.get_coordinates(shapely.line_interpolate_point(line, np.clip(each, 0.0, line.length)))
        for each in (station_m, station_m - _CHORD_M, station_m + _CHORD_M)
    )
    chord = stop - start
    return at, chord / np.maximum(np.hypot(*chord.T), _LEAST_M)[:, None]
