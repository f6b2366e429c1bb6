"""Scenes drawn in metres, and what tests of street geometry measure in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.streets.derive import HalfWidths, Streets, derive_streets
from geocheck.city.streets.runs import EndKind
from geocheck.city.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.cities import City

Line = tuple["Sequence[tuple[float, float] | None]", "Mapping[str, str]"]


@pytest.fixture(scope="session")
def shared_osm(shared_data: Path) -> Path:
    """Return the folder of real OSM files."""
    return shared_data / "osm"


def draw(lines: Sequence[Line], extent: shapely.Polygon | None = None) -> Ways:
    """Return ways from points in metres; None is a missing node.

    Equal points of like layer and bridge tags are one node.
    """
    found: dict[tuple[float, float, str], int] = {}
    ref = [
        -1
        if point is None
        else found.setdefault((*point, tags.get("layer", tags.get("bridge", "0"))), len(found))
        for points, tags in lines
        for point in points
    ]
    sizes = [len(points) for points, _ in lines]
    return Ways(
        way_id=np.arange(len(lines)) + 1,
        tags=tuple({"highway": "residential", **tags} for _, tags in lines),
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        ref=np.array(ref, np.int64),
        node_id=np.arange(len(found)) + 100,
        xy=np.array([key[:2] for key in found], float).reshape(-1, 2),
        node_tags={},
        extent=extent,
    )


def tagged_widths(ways: Ways) -> HalfWidths:
    """Return half of each way's `width`, or 4 m."""
    half = np.array([float(tags.get("width", "8")) / 2 for tags in ways.tags])
    return HalfWidths(half, half)


@dataclass(frozen=True)
class Spot:
    """What a footprint's place on a block face is."""

    face: int
    street: str
    gap_m: float
    corner_m: float


@dataclass(frozen=True)
class Scene:
    """Derived streets with simple measures."""

    streets: Streets

    def line(self, face: int) -> shapely.LineString:
        """Return the polyline of a face."""
        kerbs = self.streets.kerbs
        return shapely.LineString(kerbs.xy[kerbs.start[face] : kerbs.start[face + 1]])

    def face_near(self, x: float, y: float) -> int:
        """Return the face nearest to a place."""
        point = shapely.Point(x, y)
        return int(np.argmin([self.line(k).distance(point) for k in range(len(self.streets.kerbs))]))

    def place(self, footprint: shapely.Polygon) -> Spot:
        """Return the nearest kerb, the gap and the distance along it to the nearest corner."""
        kerbs = self.streets.kerbs
        gaps = [self.line(k).distance(footprint) for k in range(len(kerbs))]
        face = int(np.argmin(gaps))
        line = self.line(face)
        stations = [line.project(shapely.Point(p)) for p in shapely.get_coordinates(footprint)]
        ends = [np.inf]
        if kerbs.start_kind[face] == EndKind.CORNER:
            ends.append(min(stations))
        if kerbs.end_kind[face] == EndKind.CORNER:
            ends.append(line.length - max(stations))
        return Spot(face, kerbs.street[face], gaps[face], min(ends))


@pytest.fixture(scope="session")
def derive(goiania: City) -> Callable[..., Scene]:
    """Return a function that derives the streets of some lines, or of ways."""

    def run(lines: Sequence[Line] | Ways, **options: Any) -> Scene:  # noqa: ANN401 - handed on
        ways = lines if isinstance(lines, Ways) else draw(lines)
        return Scene(derive_streets(ways, tagged_widths(ways), goiania, **options))

    return run


@pytest.fixture(scope="session")
def drawn() -> Callable[..., Ways]:
    return draw


@pytest.fixture(scope="session")
def half_widths() -> Callable[[Ways], HalfWidths]:
    return tagged_widths


def apart(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    """Return how far two sets of points are from being the same."""
    if not len(one) or not len(two):
        return 0.0 if len(one) == len(two) else np.inf
    gaps = np.hypot(*(one[:, None, :] - two[None, :, :]).transpose(2, 0, 1))
    return float(max(gaps.min(axis=0).max(), gaps.min(axis=1).max()))


@pytest.fixture(scope="session")
def set_distance() -> Callable[..., float]:
    return apart
