"""All kerb lines that somebody drew, the better ones in the place of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.surveyed.lines import chained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.city.surveyed.lines import Chains

SAME_KERB_M: Final = 2.0
"""Lines that run so near each other are drawings of one kerb; across a median there are more."""


class KerbLines(NamedTuple):
    """n features with kerb lines.

    Attributes:
        geometry: in metres of the city's system, shape (n,).
        street: name by feature, empty where nobody says, shape (n,).
        carriageway: side of the carriageway as the line is drawn (`kerbs.LEFT`, …), shape (n,).
        accuracy_m: 95 % half-width of a place on each, shape (n,).
        source: `WidthSource`, the best first, shape (n,).
    """

    geometry: NDArray[np.object_]
    street: NDArray[np.object_]
    carriageway: NDArray[np.int64]
    accuracy_m: NDArray[np.float64]
    source: NDArray[np.int8]


class Pool(NamedTuple):
    """Kerb lines joined end to end, with what is known of each edge of the chains.

    Attributes:
        chains: the lines.
        lines: that they were made from.
        replaced_m: length that went, for a better line runs there.
    """

    chains: Chains
    lines: KerbLines
    replaced_m: float

    @property
    def accuracy_m(self) -> NDArray[np.float64]:
        """Accuracy of each edge, shape (e,)."""
        return np.asarray(self.lines.accuracy_m[self.chains.row])

    @property
    def source(self) -> NDArray[np.int8]:
        """`WidthSource` of each edge, shape (e,)."""
        return np.asarray(self.lines.source[self.chains.row])

    def edges(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return begin and end of each edge, shapes (e, 2)."""
        here = np.ones(len(self.chains.xy), bool)
        here[self.chains.start[1:] - 1] = False
        there = np.ones(len(self.chains.xy), bool)
        there[self.chains.start[:-1]] = False
        return self.chains.xy[here], self.chains.xy[there]


def pooled(groups: Sequence[KerbLines]) -> Pool:
    """Put kerb lines together; of two drawings of one kerb the better source stays, stretch by stretch."""
    lines = KerbLines._make(np.concatenate(columns) for columns in zip(*groups, strict=True))
    geometry = lines.geometry.copy()
    replaced_m = 0.0
    for source in np.unique(lines.source)[:-1]:
        better, worse = np.flatnonzero(lines.source == source), np.flatnonzero(lines.source > source)
        zone = shapely.union_all(shapely.buffer(geometry[better], SAME_KERB_M, cap_style="flat"))
        shapely.prepare(zone)
        near = worse[shapely.intersects(zone, geometry[worse])]
        left = shapely.difference(geometry[near], zone)
        replaced_m += float(np.sum(shapely.length(geometry[near]) - shapely.length(left)))
        geometry[near] = left
    held = ~shapely.is_empty(geometry)
    lines = lines._replace(geometry=geometry)
    lines = KerbLines._make(column[held] for column in lines)
    return Pool(chained(lines.geometry), lines, replaced_m)
