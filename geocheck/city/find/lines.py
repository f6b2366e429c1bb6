"""Where the streets of a name run: pieces that hang together, and the middle of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.links import connected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SAME_STREET_M: Final = 250.0
"""Lines of one name that lie no farther apart are one street (hypothesis)."""

_NEAR_M: Final = 400.0

FRONT_M: Final = 60.0
"""What lies farther from its street has no place in it that is in front of it (hypothesis)."""

_TO_SIDE_M: Final = 2.5
"""From the axis to its own side: less than half of a carriageway, so that the kerb there is the nearest."""


class NamedLines:
    """Lines of streets by the number of their name."""

    def __init__(self, name: NDArray[np.int64], wkb: Sequence[bytes], count: int) -> None:
        """Take the lines.

        Args:
            name: number of each line's name, shape (l,).
            wkb: its shape, in the city's metres.
            count: of the names.
        """
        order = sorted(range(len(name)), key=lambda row: (name[row], wkb[row]))  # whatever the file's order
        self._name = name[order]
        self._lines = np.asarray(shapely.from_wkb([wkb[row] for row in order]), object)
        self._start = np.searchsorted(self._name, np.arange(count + 1))
        self._tree = shapely.STRtree(self._lines)
        self._tree.query(shapely.Point(0, 0))  # which makes the tree

    def pieces(self, name: int) -> list[NDArray[np.object_]]:
        """Return the lines of a name, those that hang together in one."""
        lines = self._lines[self._start[name] : self._start[name + 1]]
        if not len(lines):
            return []
        one, other = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=SAME_STREET_M)
        label = connected(one, other, len(lines))
        return [lines[label == each] for each in np.unique(label)]

    def beside(self, name: int, at: NDArray[np.float64]) -> int | None:
        """Return the other name that is nearest to a place, None where none is near."""
        place = shapely.Point(at)
        near = self._tree.query(place, predicate="dwithin", distance=_NEAR_M)
        near = near[self._name[near] != name]
        if not len(near):
            return None
        away_m = np.round(shapely.distance(self._lines[near], place), 3)
        return int(self._name[near[np.lexsort((self._name[near], away_m))[0]]])

    def in_front(self, name: int, at: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the place in a street that is in front of a place beside it, on its side of the axis.

        The kerb that is nearest to a corner lot may be another street's; that nearest to this place is not.

        Args:
            name: of the street.
            at: in the city's metres, shape (2,).
        """
        lines = self._lines[self._start[name] : self._start[name + 1]]
        if not len(lines):
            return None
        away_m = np.round(shapely.distance(lines, shapely.Point(at)), 3)
        nearest = lines[np.argmin(away_m)]
        if away_m.min() > FRONT_M:
            return None
        on_it = shapely.line_interpolate_point(nearest, shapely.line_locate_point(nearest, shapely.Point(at)))
        axis = np.asarray(shapely.get_coordinates(on_it)[0])
        length_m = float(np.hypot(*(at - axis)))
        return axis if length_m == 0 else axis + (at - axis) * min(_TO_SIDE_M / length_m, 1.0)

    def middle(self) -> NDArray[np.float64]:
        """Return the middle of all bounds, shape (2,); 0, 0 where there are no lines."""
        if not len(self._lines):
            return np.zeros(2)
        bounds = shapely.total_bounds(self._lines)
        return np.asarray((bounds[:2] + bounds[2:]) / 2)


def middle_of(lines: NDArray[np.object_]) -> NDArray[np.float64]:
    """Return the point of lines that is nearest to the middle of them all, shape (2,)."""
    middle = shapely.centroid(shapely.multilinestrings(lines))
    nearest = lines[np.argmin(np.round(shapely.distance(lines, middle), 6))]
    on_it = shapely.line_interpolate_point(nearest, shapely.line_locate_point(nearest, middle))
    return np.asarray(shapely.get_coordinates(on_it)[0])
