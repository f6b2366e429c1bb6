"""Carries kerbs along a street: where nobody may park the kerb does not step in towards the axis.

A stretch with parking forbidden, often the last metres before a corner, is mostly as wide as the stretch
before it; sometimes the footway was widened there. Tags do not say which, so the modelled kerb goes half way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.city.links import connected
from geocheck.city.ragged import owners
from geocheck.city.streets.cross_section import POSITIONS
from geocheck.city.streets.lanes import read_direction
from geocheck.city.streets.parking import Position
from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from geocheck.city.streets.cross_section import CrossSections
    from geocheck.city.streets.width_model import Modelled
    from geocheck.city.ways import Ways

NO_STREET: Final = -1
"""The label of a way that belongs to no street with a name."""

CARRIED: Final = 0.5
"""Share of the missing width that is carried over: the middle of two guesses, neither the likelier."""

_NO: Final = POSITIONS.index(Position.NO)
_ON_STREET: Final = [
    POSITIONS.index(each) for each in (Position.LANE, Position.SHOULDER, Position.HALF_ON_KERB)
]


def connected_streets(ways: Ways) -> NDArray[np.int64]:
    """Label ways of one name, class and kind of direction that hang together by shared nodes.

    Returns:
        The lowest index of a way of the same street, `NO_STREET` for ways without a name, shape (w,).
    """
    kinds: dict[tuple[str, str, bool], int] = {}
    kind = np.array([kinds.setdefault(_kind(tags), len(kinds)) for tags in ways.tags], dtype=np.int64)
    named = np.array(["name" in tags for tags in ways.tags], dtype=np.bool_)
    way = owners(ways.start)
    use = named[way] & (ways.ref != MISSING_NODE)
    way, node = way[use], ways.ref[use]
    order = np.lexsort((way, node, kind[way]))
    way, node = way[order], node[order]
    meet = (node[1:] == node[:-1]) & (kind[way[1:]] == kind[way[:-1]]) & (way[1:] != way[:-1])
    return np.where(named, connected(way[:-1][meet], way[1:][meet], len(ways)), NO_STREET)


def _kind(tags: Mapping[str, str]) -> tuple[str, str, bool]:
    return tags.get("name", ""), tags.get("highway", ""), read_direction(tags)[0].one_way


def carried_along(modelled: Modelled, ways: CrossSections, street: NDArray[np.int64]) -> Modelled:
    """Widen stretches without parking towards the usual width of their street where cars stand.

    The usual width is the median of the different widths, tagged or modelled, not of the ways: splitting a
    way moves nothing.

    Args:
        modelled: w ways by their own tags.
        ways: what is tagged.
        street: label of each way's street, `NO_STREET` for none, shape (w,).
    """
    own = modelled.base_m + modelled.side_m.sum(axis=1)
    width = np.where(np.isnan(ways.width_m), own, ways.width_m)
    barred = ways.position == _NO
    parked = np.isin(ways.position, _ON_STREET).any(axis=1) & (street != NO_STREET)
    usual = _medians(width[parked], street[parked], street)
    missing = np.where(barred.any(axis=1), np.fmax(usual - width, 0.0), 0.0)
    missing = np.nan_to_num(missing) * CARRIED / np.maximum(barred.sum(axis=1), 1)
    return replace(modelled, side_m=modelled.side_m + np.where(barred, missing[:, None], 0.0))


def _medians(
    width: NDArray[np.float64], street: NDArray[np.int64], wanted: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the median of the different widths of the wanted streets, NaN where a street has none."""
    if len(width) == 0:
        return np.full(len(wanted), np.nan)
    pairs = np.unique(np.stack([street.astype(np.float64), np.round(width, 3)], axis=1), axis=0)
    labels, first, count = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    median = (pairs[first + (count - 1) // 2, 1] + pairs[first + count // 2, 1]) / 2
    at = np.minimum(np.searchsorted(labels, wanted), len(labels) - 1)
    return np.where(labels[at] == wanted, median[at], np.nan)
