"""Draws placements on a real map: planned and observed ones along its kerbs, and hostile ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.bearing import convergence_deg
from geocheck.city.planar import left_of
from geocheck.city.ruler.ruler import MOUTH
from geocheck.city.streets.runs import EndKind
from geocheck.city.wgs84 import to_lonlat
from geocheck.model.request import parse_request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.request import Request

LENGTH_M: Final = 2.65
WIDTH_M: Final = 1.76
START: Final = "2026-08-07T10:00"


class Kerbside(NamedTuple):
    """n places on kerbs: where in metres, the kerb's direction and that of the carriageway, of length one."""

    xy: NDArray[np.float64]
    along: NDArray[np.float64]
    inward: NDArray[np.float64]


def kerbside(bundle: Bundle, count: int, rng: np.random.Generator) -> Kerbside:
    """Draw places on the kerbs of a bundle, uniform in their length."""
    table = bundle.table("segment")
    weight = np.where(table["kerb"] == MOUTH, 0.0, table["length_m"])
    row = rng.choice(len(weight), count, p=weight / weight.sum())
    return _on_segments(table, row, rng.random(count))


def _on_segments(
    table: dict[str, NDArray[Any]], row: NDArray[np.int64], share: NDArray[np.float64]
) -> Kerbside:
    start = np.column_stack([table["x0"], table["y0"]])[row]
    step = np.column_stack([table["x1"], table["y1"]])[row] - start
    unit = step / np.hypot(*step.T)[:, None]
    return Kerbside(start + share[:, None] * step, unit, left_of(unit) * table["inward"][row][:, None])


def planned(bundle: Bundle, city: str, count: int, rng: np.random.Generator) -> list[Request]:
    """Draw planned placements, clicked up to 2 m off the kerb on either side."""
    at = kerbside(bundle, count, rng)
    xy = at.xy + at.inward * rng.uniform(-2.0, 2.0, count)[:, None]
    return [_request(city, lonlat, mode="planned") for lonlat in _lonlat(bundle, xy)]


def observed(bundle: Bundle, city: str, count: int, rng: np.random.Generator) -> list[Request]:
    """Draw placements that are said to stand there: gap −0.5 to 2 m, 0 to 20° askew."""
    at = kerbside(bundle, count, rng)
    gap_m, askew = rng.uniform(-0.5, 2.0, count), np.radians(rng.uniform(-20.0, 20.0, count))
    half_m = (LENGTH_M * np.abs(np.sin(askew)) + WIDTH_M * np.cos(askew)) / 2
    xy = at.xy + at.inward * (gap_m + half_m)[:, None]
    grid = np.degrees(np.arctan2(at.along[:, 0], at.along[:, 1]) + askew)
    lonlat = _lonlat(bundle, xy)
    bearing = grid + convergence_deg(lonlat[:, 0], lonlat[:, 1], bundle.manifest.crs)
    return [
        _request(city, place, mode="observed", bearing_deg=float(degrees))
        for place, degrees in zip(lonlat, bearing, strict=True)
    ]


def hostile(bundle: Bundle, city: str, count: int, rng: np.random.Generator) -> list[Request]:
    """Draw placements where nobody would put one: each sort of place as often as the others.

    In water, on bridges, in mouths, at cut ends of kerbs, on rings, on corners, in the middle of crossings
    and of streets, anywhere in the extent, far outside it; planned and observed, of usual and odd sizes.
    """
    sorts = [xy for xy in _odd_places(bundle) if len(xy)]
    found = []
    for number in range(count):
        places = sorts[number % len(sorts)]
        lonlat = _lonlat(bundle, places[[rng.integers(len(places))]])[0]
        odd: dict[str, Any] = {"mode": ("planned", "observed")[number // len(sorts) % 2]}
        if rng.random() < 0.5:  # noqa: PLR2004 (one of two)
            odd["bearing_deg"] = float(rng.uniform(0, 360))
        if rng.random() < 0.2:  # noqa: PLR2004 (one of five)
            odd |= {"length_m": float(rng.choice([0.01, 12.0])), "width_m": float(rng.choice([0.01, 12.0]))}
        if rng.random() < 0.2:  # noqa: PLR2004 (same)
            odd["position_accuracy_m"] = float(rng.choice([0.0, 8.0, 100.0]))
        found.append(_request(city, lonlat, **odd))
    return found


def _odd_places(bundle: Bundle) -> Iterator[NDArray[np.float64]]:
    table, side = bundle.table("segment"), bundle.table("side")
    for layer in ("waterway", "bridge", "tunnel", "crossing_area", "axis", "corner", "median"):
        if bundle.entry(layer) is not None:
            shapes = np.asarray(bundle.layer(layer).geometry.array, object)
            yield shapely.get_coordinates(shapely.point_on_surface(shapes))
    mouth = np.flatnonzero(table["kerb"] == MOUTH)
    yield _on_segments(table, mouth, np.full(len(mouth), 0.5)).xy
    ring = np.flatnonzero(side["ring"][table["side"]] == 1)
    yield _on_segments(table, ring, np.zeros(len(ring))).xy
    first = np.searchsorted(table["side"], np.arange(len(side["s"])))
    cut = first[side["start_kind"] == EndKind.CUT]
    yield _on_segments(table, cut, np.zeros(len(cut))).xy
    everything = np.array(bundle.layer("axis").total_bounds).reshape(2, 2)
    yield everything[0] + np.random.default_rng(1).random((500, 2)) * np.ptp(everything, axis=0)
    yield everything.mean(axis=0, keepdims=True)


def _lonlat(bundle: Bundle, xy: NDArray[np.float64]) -> NDArray[np.float64]:
    return to_lonlat(xy, bundle.manifest.crs)


def _request(city: str, lonlat: NDArray[np.float64], **more: object) -> Request:
    raw = {
        "city": city,
        "lon": float(lonlat[0]),
        "lat": float(lonlat[1]),
        "length_m": LENGTH_M,
        "width_m": WIDTH_M,
        "start": START,
    }
    return parse_request({**raw, **more})
