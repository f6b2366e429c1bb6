"""Where signs and names stand on a card's plan: no two on each other, none across its edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.report.card.view import HEIGHT_PT, WIDTH_PT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_RADII_PT: Final = (0.0, 14.0, 20.0, 28.0, 38.0, 50.0, 64.0, 80.0)
_DIRECTIONS: Final = np.radians(np.arange(90, 450, 30))


class Room:
    """What of a plan is taken."""

    def __init__(self) -> None:
        """Begin with an empty plan."""
        self._taken: NDArray[np.float64] = np.empty((0, 4))

    def take(self, box: tuple[float, float, float, float]) -> None:
        """Keep a box free: left, top, right, bottom, points."""
        self._taken = np.vstack([self._taken, box])

    def is_free(self, box: tuple[float, float, float, float]) -> bool:
        """Whether a box lies on the plan and on nothing that is taken."""
        left, top, right, bottom = box
        if left < 1 or top < 1 or right > WIDTH_PT - 1 or bottom > HEIGHT_PT - 1:
            return False
        taken = self._taken
        apart = (
            (taken[:, 0] >= right) | (taken[:, 2] <= left) | (taken[:, 1] >= bottom) | (taken[:, 3] <= top)
        )
        return bool(apart.all())

    def near(self, at: tuple[float, float], width: float, height: float) -> tuple[float, float] | None:
        """Take the free place of a size that is nearest to a point; None where there is none."""
        return self.first(_around(at), width, height)

    def first(
        self, places: Iterable[tuple[float, float]], width: float, height: float
    ) -> tuple[float, float] | None:
        """Take the first of places where a size is free; None where there is none."""
        for x, y in places:
            box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            if self.is_free(box):
                self.take(box)
                return x, y
        return None


def _around(at: tuple[float, float]) -> Iterator[tuple[float, float]]:
    yield at
    for radius in _RADII_PT[1:]:
        for direction in _DIRECTIONS:
            yield (
                float(at[0] + radius * np.cos(direction)),
                float(at[1] - radius * np.sin(direction)),
            )
