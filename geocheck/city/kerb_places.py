"""How far from its line each kerb of a way lies, how surely, and who says so: one value a side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from geocheck.city.streets.kerbs import RIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.streets.widths import Widths


@dataclass(frozen=True, slots=True)
class KerbPlaces:
    """The kerbs of w ways, columns left and right of the direction in which each is drawn.

    Attributes:
        half_m: from the way's line to the kerb, shape (w, 2).
        accuracy_m: 95 % half-width of the kerb's place across the street, the line's own error included where
            the kerb was placed from the line, shape (w, 2).
        source: `WidthSource`, shape (w, 2).
    """

    half_m: NDArray[np.float64]
    accuracy_m: NDArray[np.float64]
    source: NDArray[np.int8]

    def where(
        self,
        rows: NDArray[np.bool_],
        half_m: NDArray[np.float64],
        accuracy_m: NDArray[np.float64],
        source: NDArray[np.int8],
    ) -> KerbPlaces:
        """Return the same with other values for some sides, all shapes (w, 2)."""
        return replace(
            self,
            half_m=np.where(rows, half_m, self.half_m),
            accuracy_m=np.where(rows, accuracy_m, self.accuracy_m),
            source=np.where(rows, source, self.source),
        )

    def source_along(self, kerbs: Kerbs) -> NDArray[np.int8]:
        """Return the `WidthSource` of each segment of some kerbs, shape (g,)."""
        return np.asarray(self.source[kerbs.segment_way, (kerbs.segment_side == RIGHT).astype(np.int64)])

    def accuracy_along(self, kerbs: Kerbs) -> NDArray[np.float64]:
        """Return the accuracy of each segment of some kerbs, shape (g,)."""
        return np.asarray(self.accuracy_m[kerbs.segment_way, (kerbs.segment_side == RIGHT).astype(np.int64)])


def places_of(widths: Widths, axis_accuracy_m: float) -> KerbPlaces:
    """Place kerbs by the widths of their ways."""
    return KerbPlaces(
        half_m=np.stack([widths.left_m, widths.right_m], axis=1),
        accuracy_m=np.repeat(widths.place_accuracy_m(axis_accuracy_m)[:, None], 2, axis=1),
        source=np.repeat(widths.source[:, None], 2, axis=1),
    )
