"""What tags and widths say of each way that decides whether a median lies between two carriageways."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.city.streets.classify import is_roundabout, is_transit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.ways import Ways


class Evidence(NamedTuple):
    """What is known of each way.

    Attributes:
        dual: tagged as one of two carriageways, physically apart, shape (w,).
        transit: for buses alone: it may lie in a median.
        roundabout: the ring of a roundabout.
        accuracy_m: 95 % half-width of a kerb's place from the axis, from the width alone.
    """

    dual: NDArray[np.bool_]
    transit: NDArray[np.bool_]
    roundabout: NDArray[np.bool_]
    accuracy_m: NDArray[np.float64]


def evidence_of(ways: Ways, accuracy_m: NDArray[np.float64] | None) -> Evidence:
    """Read what is known of ways.

    Args:
        ways: with their tags.
        accuracy_m: 95 % half-width of a kerb's place from the axis, shape (w,); None where it is exact.
    """
    return Evidence(
        dual=np.array([tags.get("dual_carriageway") == "yes" for tags in ways.tags], bool),
        transit=np.array([is_transit(tags) for tags in ways.tags], bool),
        roundabout=np.array([is_roundabout(tags) for tags in ways.tags], bool),
        accuracy_m=np.zeros(len(ways)) if accuracy_m is None else accuracy_m,
    )
