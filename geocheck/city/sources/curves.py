"""WKB into shapely geometries: curves become lines that stray by half a millimetre at most, with a note."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.city.sources.cleaning import Action

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.city.sources.cleaning import Notebook

TOLERANCE_M: Final = 0.0005
_TOLERANCE_DEG: Final = 4.5e-9
_DEGREES: Final = 400.0
"""Numbers that stay below this are degrees, for the purpose of the tolerance."""

_MOST_STEPS: Final = 100_000
_DEEPEST: Final = 32
_COMPOUND, _CURVE_POLYGON, _CIRCULAR = 9, 10, 8
_POLYGONS: Final = (3, 17)
_COLLECT: Final[dict[int, Any]] = {
    4: shapely.multipoints,
    5: shapely.multilinestrings,
    6: shapely.multipolygons,
    11: shapely.multilinestrings,
    12: shapely.multipolygons,
    15: shapely.multipolygons,
    16: shapely.multipolygons,
}
_NOT_SIMPLE: Final = (7, 8, 9, 10, 11, 12, 15, 16, 17)


def geometries(wkb: NDArray[np.object_], row: NDArray[np.int64], notebook: Notebook) -> NDArray[np.object_]:
    """Turn WKB into geometries; what cannot be read becomes None and is noted.

    Args:
        wkb: bytes or None, shape (n,).
        row: number of each record, shape (n,).
        notebook: told of linearised and of unreadable geometries.

    Returns:
        Shape (n,).
    """
    kinds = np.array([_kind(each) for each in wkb], dtype=np.int64)
    curved = np.isin(kinds, _NOT_SIMPLE)
    plain = wkb.copy()
    plain[curved] = None
    found: NDArray[np.object_] = shapely.from_wkb(plain, on_invalid="ignore")
    bent = []
    for index in np.flatnonzero(curved):
        reader = _Reader(wkb[index])
        try:
            found[index] = reader.whole()
        except (struct.error, ValueError, IndexError, shapely.errors.GEOSException):
            found[index] = None
        if reader.arcs:
            bent.append(int(row[index]))
    given = np.array([each is not None for each in wkb], dtype=bool)
    unreadable = row[given & shapely.is_missing(found)]
    message = f"curvas viram segmentos com desvio de até {TOLERANCE_M * 1000:.1f} mm".replace(".", ",")
    notebook.of_rows("curves_linearised", Action.REPAIRED, bent, message)
    notebook.of_rows("geometry_unreadable", Action.DROPPED, unreadable, "geometria ilegível, descartada")
    return found


def stroke(points: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    """Turn a circular string into a line.

    Args:
        points: start, a point on the arc, end, and so on, shape (2 k + 1, 2).
        tolerance: the largest distance of a chord from its arc, in the points' unit.

    Returns:
        Shape (m, 2); the first and the last point are exactly the given ones.
    """
    starts = range(0, len(points) - 2, 2)
    arcs = [_arc(*points[start : start + 3], tolerance=tolerance)[1:] for start in starts]
    return np.concatenate([points[:1], *arcs])


def _arc(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], *, tolerance: float
) -> NDArray[np.float64]:
    """Stroke the arc from a through b to c; a equal to c is the whole circle with b opposite."""
    if np.array_equal(a, c):
        centre, sweep = (a + b) / 2, 2 * math.pi
    else:
        (bx, by), (cx, cy) = b - a, c - a
        cross = bx * cy - by * cx
        if abs(cross) <= 1e-12 * (math.hypot(bx, by) * math.hypot(cx, cy)):
            return np.array([a, b, c])
        square_b, square_c = bx * bx + by * by, cx * cx + cy * cy
        centre = a + np.array([cy * square_b - by * square_c, bx * square_c - cx * square_b]) / (2 * cross)
        first, last = math.atan2(*(a - centre)[::-1]), math.atan2(*(c - centre)[::-1])
        sweep = (last - first) % (2 * math.pi) if cross > 0 else -((first - last) % (2 * math.pi))
    radius = math.hypot(*(a - centre))
    step = 2 * math.acos(max(0.0, 1 - tolerance / radius)) if radius > 0 else math.pi
    count = min(_MOST_STEPS, max(2, math.ceil(abs(sweep) / max(step, 1e-9))))
    angle = math.atan2(*(a - centre)[::-1]) + np.linspace(0.0, sweep, count + 1)
    line: NDArray[np.float64] = centre + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    line[0], line[-1] = a, c
    return line


def _kind(wkb: bytes | None) -> int:
    """Return the plain type code of a WKB, 0 where there is none."""
    if wkb is None or len(wkb) < 5:  # noqa: PLR2004
        return 0
    code: int = struct.unpack_from("<I" if wkb[0] == 1 else ">I", wkb, 1)[0]
    return (code & 0x0FFFFFFF) % 1000


@dataclass(slots=True)
class _Reader:
    """Walks through one WKB, dropping heights, and strokes its arcs.

    Attributes:
        wkb: ISO or extended WKB.
        at: position of the next byte.
        arcs: arcs met so far.
        depth: nesting, bounded.
    """

    wkb: bytes
    at: int = 0
    arcs: int = 0
    depth: int = 0

    def whole(self) -> shapely.Geometry:
        """Return the geometry, or raise ValueError or struct.error where the bytes do not make one."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("nested too deeply")
        order = "<" if self.wkb[self.at] == 1 else ">"
        code = struct.unpack_from(order + "I", self.wkb, self.at + 1)[0]
        self.at += 9 if code & 0x20000000 else 5
        kind = (code & 0x0FFFFFFF) % 1000
        size = 2 + _extra_ordinates(code)
        made = self._made(kind, order, size)
        self.depth -= 1
        return made

    def _made(self, kind: int, order: str, size: int) -> shapely.Geometry:
        if kind == 1:
            return shapely.Point(self._points(order, size, 1)[0])
        if kind in (2, _CIRCULAR):
            return shapely.LineString(self._line(kind, order, size))
        if kind in _POLYGONS:
            rings = [self._line(2, order, size) for _ in range(self._count(order))]
            return shapely.Polygon(rings[0], rings[1:]) if rings else shapely.Polygon()
        parts = [self.whole() for _ in range(self._count(order))]
        if kind == _COMPOUND:
            return shapely.LineString(_chained(parts))
        if kind == _CURVE_POLYGON:
            rings = [shapely.get_coordinates(each) for each in parts]
            return shapely.Polygon(rings[0], rings[1:]) if rings else shapely.Polygon()
        collect: Callable[..., shapely.Geometry] = _COLLECT.get(kind, shapely.geometrycollections)
        return collect(parts)

    def _line(self, kind: int, order: str, size: int) -> NDArray[np.float64]:
        points = self._points(order, size, self._count(order))
        if kind != _CIRCULAR or len(points) == 0:
            return points
        if len(points) % 2 == 0:
            raise ValueError("an arc lacks a point")
        self.arcs += len(points) // 2
        degrees = bool(np.abs(points).max() < _DEGREES)
        return stroke(points, _TOLERANCE_DEG if degrees else TOLERANCE_M)

    def _count(self, order: str) -> int:
        count: int = struct.unpack_from(order + "I", self.wkb, self.at)[0]
        self.at += 4
        if count * 4 > len(self.wkb) - self.at:
            raise ValueError("more parts than bytes")
        return count

    def _points(self, order: str, size: int, count: int) -> NDArray[np.float64]:
        if count * size * 8 > len(self.wkb) - self.at:
            raise ValueError("more points than bytes")
        values = np.frombuffer(self.wkb, dtype=order + "f8", count=count * size, offset=self.at)
        self.at += count * size * 8
        return values.reshape(count, size)[:, :2].astype(np.float64)


def _extra_ordinates(code: int) -> int:
    """Count the ordinates beyond x and y, from ISO's thousands or the extended format's flags."""
    thousands = (code & 0x0FFFFFFF) // 1000
    iso = {0: 0, 1: 1, 2: 1, 3: 2}.get(thousands, 0)
    return max(iso, int(bool(code & 0x80000000)) + int(bool(code & 0x40000000)))


def _chained(parts: list[shapely.Geometry]) -> NDArray[np.float64]:
    """Join lines end to start, the shared points once."""
    lines = [shapely.get_coordinates(each) for each in parts if not shapely.is_empty(each)]
    return np.concatenate([lines[0], *(each[1:] for each in lines[1:])]) if lines else np.empty((0, 2))
