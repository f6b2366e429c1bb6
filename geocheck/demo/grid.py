"""The grid on which the neighbourhood is drawn: metres east and north of its middle, turned a little."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.bearing import convergence_deg
from geocheck.city.wgs84 import to_city, to_lonlat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.cities import City

TURN_DEG: Final = 7.0
"""The grid is turned so much counter-clockwise from the city's metres: nothing is aligned by accident."""

DECIMALS: Final = 9
"""Of degrees: a tenth of a millimetre."""

_ROUND_M: Final = 100.0


class Grid(NamedTuple):
    """A place for the neighbourhood in a city.

    Attributes:
        crs: the city's metric system.
        origin: of the grid, in that system.
    """

    crs: str
    origin: tuple[float, float]

    def to_metres(self, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Carry places of the grid, shape (n, 2), to the city's metres."""
        turn = math.radians(TURN_DEG)
        cosine, sine = math.cos(turn), math.sin(turn)
        return np.asarray(xy @ np.array([[cosine, sine], [-sine, cosine]]) + np.array(self.origin))

    def from_metres(self, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Carry places in the city's metres, shape (n, 2), to the grid."""
        turn = math.radians(TURN_DEG)
        cosine, sine = math.cos(turn), math.sin(turn)
        return np.asarray((xy - np.array(self.origin)) @ np.array([[cosine, -sine], [sine, cosine]]))

    def to_lonlat(self, xy: Sequence[tuple[float, float]] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Carry places of the grid to degrees, WGS 84, rounded as files have them."""
        metres = self.to_metres(np.asarray(xy, np.float64).reshape(-1, 2))
        return np.asarray(np.round(to_lonlat(metres, self.crs), DECIMALS))

    def true_bearing_deg(self, heading_deg: float, lon: float, lat: float) -> float:
        """Return the bearing from true north of a heading counted clockwise from the grid's y."""
        converging = float(convergence_deg(lon, lat, self.crs))
        return round((heading_deg - TURN_DEG + converging) % 360.0, 6)


def grid_of(city: City) -> Grid:
    """Return the grid in the middle of a city's box, its origin on whole hundreds of metres."""
    box = city.bounds
    middle = np.array([[(box.west + box.east) / 2, (box.south + box.north) / 2]])
    x, y = np.round(to_city(middle, city.crs)[0] / _ROUND_M) * _ROUND_M
    return Grid(city.crs, (float(x), float(y)))
