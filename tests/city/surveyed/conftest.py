"""Kerbs drawn in metres, and the faces and corners that come of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.streets.widths import WidthSource
from geocheck.city.surveyed.faces import SurveyedFaces, surveyed_faces
from geocheck.city.surveyed.lines import chained
from geocheck.city.surveyed.pool import KerbLines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ORIGIN = np.array([686_000.0, 8_157_000.0])
"""Coordinates as large as those of a city."""


def faces_of(
    lines: Sequence[Any],
    street: Sequence[str] | None = None,
    carriageway: Sequence[int] | None = None,
    noise_m: float = 0.05,
) -> SurveyedFaces:
    """Cut lines, given in metres around the origin, into faces and corners."""
    geometry = np.array(
        [None, *(shapely.LineString(np.asarray(xy, float) + ORIGIN) for xy in lines)], object
    )[1:]
    count = len(lines)
    made = KerbLines(
        geometry=geometry,
        street=np.array(street or [""] * count, object),
        carriageway=np.array(carriageway or [0] * count, np.int64),
        accuracy_m=np.full(count, 0.1),
        source=np.full(count, WidthSource.SURVEYED, np.int8),
    )
    return surveyed_faces(chained(geometry), made, noise_m)


@pytest.fixture(scope="session")
def faces() -> Callable[..., SurveyedFaces]:
    return faces_of


def local_corners(found: SurveyedFaces) -> list[tuple[float, float]]:
    """Return the corners around the origin, to the millimetre, sorted."""
    return sorted(map(tuple, (np.round(found.corner_xy - ORIGIN, 3) + 0.0).tolist()))


@pytest.fixture(scope="session")
def corners() -> Callable[[SurveyedFaces], list[tuple[float, float]]]:
    return local_corners


def rounded(width: float, height: float, radius: float, step_deg: float = 5.0) -> list[tuple[float, float]]:
    """Return the kerb of a block from (0, 0) to (width, height), its corners rounded; a ring."""
    found = [(radius, 0.0)]
    for (x, y), begin in (
        ((width - radius, radius), -90),
        ((width - radius, height - radius), 0),
        ((radius, height - radius), 90),
        ((radius, radius), 180),
    ):
        angles = np.radians(np.arange(begin, begin + 90 + step_deg / 2, step_deg))
        found += [(x + radius * np.cos(angle), y + radius * np.sin(angle)) for angle in angles]
    return found


@pytest.fixture(scope="session")
def block() -> Callable[..., list[tuple[float, float]]]:
    return rounded
