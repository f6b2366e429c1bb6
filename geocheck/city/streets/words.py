"""Codes of kerbs, corners and medians as the words that files have for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.city.streets.corners import CornerKind
from geocheck.city.streets.medians import Median
from geocheck.city.streets.runs import EndKind
from geocheck.city.streets.widths import WidthSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

WIDTH_SOURCES: Final[Mapping[int, str]] = {each: each.code for each in WidthSource}
END_KINDS: Final[Mapping[int, str]] = {each: each.name.lower() for each in EndKind}
CORNER_KINDS: Final[Mapping[int, str]] = {each: each.name.lower() for each in CornerKind}
MEDIANS: Final[Mapping[int, str]] = {each: each.code for each in Median}


def words(word_of: Mapping[int, str], codes: NDArray[np.integer[Any]]) -> NDArray[np.str_]:
    """Return the word for each code, by a table: a city has a million."""
    code = np.array(sorted(word_of))
    return np.array([word_of[each] for each in code.tolist()])[np.searchsorted(code, codes)]
