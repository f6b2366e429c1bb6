"""What joins the streets of two kerbs that face each other, and which of several at one place tells most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.streets.covered import lines_of
from geocheck.city.streets.stretches import face_lengths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.graph import Graph
    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.streets.median_evidence import Evidence

PAIR_ACCURACY_M: Final = 1.0
"""95 % half-width of the distance of two axes from the same picture: what shifts one shifts both.

Measured: the distance of paired axes of Porto Alegre scatters by 0.08 m (median) to 0.58 m (90 %) about its
trend over 100 m.
"""

_DECIMALS: Final = 6
"""Lengths that differ by less are equal."""


class Bonds(NamedTuple):
    """What joins the streets of p pairs of kerbs, each shape (p,).

    Attributes:
        opposite: both kerbs are inner ones.
        dual: both streets are tagged as one of two carriageways.
        same: they are one street, by that tag or by name.
        nameless: perhaps: a name is missing.
    """

    opposite: NDArray[np.bool_]
    dual: NDArray[np.bool_]
    same: NDArray[np.bool_]
    nameless: NDArray[np.bool_]


def bonds_of(
    kerbs: Kerbs, graph: Graph, ways: Evidence, one: NDArray[np.int64], two: NDArray[np.int64]
) -> Bonds:
    """Return what joins the streets of pairs of pieces of kerb, two indexes of shape (p,)."""
    name = graph.segments.name[kerbs.segment_axis]
    dual = ways.dual[kerbs.segment_way[one]] & ways.dual[kerbs.segment_way[two]]
    same = dual | ((name[one] == name[two]) & (name[one] > 0))
    nameless = ~same & ((name[one] == 0) | (name[two] == 0))
    return Bonds(kerbs.segment_inner[one] & kerbs.segment_inner[two], dual, same, nameless)


def what_tells(
    kerbs: Kerbs, graph: Graph, ways: Evidence, one: NDArray[np.int64], two: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return what makes the second kerb of a pair tell more than others that lie over it, shape (p, 5).

    First what joins the streets, then how sure their places are. Of kerbs that tell the same the longer one
    comes first, so that the order of the streets does not choose.
    """
    bonds = bonds_of(kerbs, graph, ways, one, two)
    joins = np.select(
        [bonds.opposite & bonds.same, bonds.opposite & bonds.nameless, bonds.opposite | bonds.same],
        [4, 3, 2],
        bonds.nameless,
    )
    lines = lines_of(kerbs)
    face, length = face_lengths(kerbs)[lines.face[two]], lines.length_m[two]
    columns = [joins, bonds.dual, -doubt_m(kerbs, ways, one, two), face, length]
    return np.column_stack(columns).round(_DECIMALS)


def doubt_m(
    kerbs: Kerbs, ways: Evidence, one: NDArray[np.int64], two: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the 95 % half-width of the gap of each pair."""
    accuracy_m = ways.accuracy_m[kerbs.segment_way]
    return np.hypot(np.hypot(accuracy_m[one], accuracy_m[two]), PAIR_ACCURACY_M)
