"""Says what a file's numbers look like: which reading of them would land in the city."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.sources.transform import degrees, known_crs, operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from pyproj import CRS

    from geocheck.cities import City

NEAR_DEG: Final = 0.05
"""What lies this near the city's box counts as in the city."""

_ENOUGH: Final = 0.5
_ABSURD: Final = 1e9
_FALSE_NORTHING_M: Final = 10_000_000.0
_ZONES_SOUTH: Final = {zone: f"EPSG:{31960 + zone}" for zone in range(18, 26)}
"""SIRGAS 2000 / UTM: 31978 is 18S."""


class Guess(NamedTuple):
    """A reading of the numbers under which they land in the city.

    Attributes:
        share: of the boxes, in the city.
        text: pt-BR, what they look like and what to declare or mend.
        crs: the system to declare, where declaring one is enough.
    """

    share: float
    text: str
    crs: str | None


class _Reading(NamedTuple):
    crs: str
    factor: float
    offset: tuple[float, float]
    swapped: bool
    text: str
    declarable: bool


def share_inside(boxes: NDArray[np.float64], city: City, margin_deg: float) -> NDArray[np.bool_]:
    """Tell which boxes (metres of the city's system, shape (n, 4)) meet the city's bounds, widened."""
    way = degrees(city.crs)
    lon_a, lat_a = way.transform(boxes[:, 0], boxes[:, 1])
    lon_b, lat_b = way.transform(boxes[:, 2], boxes[:, 3])
    box = city.bounds
    with np.errstate(invalid="ignore"):
        meets: NDArray[np.bool_] = (
            (np.minimum(lon_a, lon_b) <= box.east + margin_deg)
            & (np.maximum(lon_a, lon_b) >= box.west - margin_deg)
            & (np.minimum(lat_a, lat_b) <= box.north + margin_deg)
            & (np.maximum(lat_a, lat_b) >= box.south - margin_deg)
        )
    return meets & np.isfinite(boxes).all(axis=1)


def moved(boxes: NDArray[np.float64], crs: CRS, city: City) -> NDArray[np.float64]:
    """Transform boxes (minx, miny, maxx, maxy) by two corners into the city's system; infinite where lost."""
    way = operation(crs, city)
    if way is None:
        return np.full_like(boxes, np.inf)
    ends = np.concatenate([boxes[:, :2], boxes[:, 2:]])
    there = way(ends)
    first, last = there[: len(boxes)], there[len(boxes) :]
    return np.concatenate([np.minimum(first, last), np.maximum(first, last)], axis=1)


def best_guess(boxes: NDArray[np.float64], city: City) -> Guess | None:
    """Find the reading under which most boxes land in the city, the likelier first; None: fewer than half."""
    best: Guess | None = None
    for reading in _readings(city):
        crs = known_crs(reading.crs)
        if crs is None:
            continue
        read = boxes[:, [1, 0, 3, 2]] if reading.swapped else boxes
        with np.errstate(over="ignore"):
            read = read * reading.factor + np.array(reading.offset * 2)
        share = float(share_inside(moved(read, crs, city), city, NEAR_DEG).mean())
        if share >= _ENOUGH and (best is None or share > best.share):
            best = Guess(share, reading.text, reading.crs if reading.declarable else None)
    return best


def numbers_text(boxes: NDArray[np.float64]) -> str:
    """Write the range of the numbers in pt-BR."""
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    return f"x de {_number(low[0])} a {_number(high[0])}, y de {_number(low[1])} a {_number(high[1])}"


def _number(value: float) -> str:
    if abs(value) >= _ABSURD:
        return f"{value:.1e}".replace(".", ",")
    digits = 4 if abs(value) < 1000 else 0  # noqa: PLR2004
    return f"{value:,.{digits}f}".replace(",", "_").replace(".", ",").replace("_", ".")


def _readings(city: City) -> Iterator[_Reading]:
    """Go through what files get wrong, the likelier first."""
    home = known_crs(city.crs)
    metres = home.name.replace("UTM zone", "UTM") if home is not None else city.crs
    geodetic = home.geodetic_crs if home is not None else None
    lon_lat = ":".join(geodetic.to_authority() or ("EPSG", "4326")) if geodetic is not None else "EPSG:4326"
    yes, no = True, False
    plain = (0.0, 0.0)
    datum = _old_datums(city)
    yield _Reading(lon_lat, 1, plain, no, f"graus (longitude, latitude): declare crs={lon_lat}", yes)
    yield _Reading(city.crs, 1, plain, no, f"metros em {metres}: declare crs={city.crs}{datum}", yes)
    swap = "troque as duas colunas ou os eixos na origem"
    yield _Reading(lon_lat, 1, plain, yes, f"graus com os eixos trocados (latitude, longitude): {swap}", no)
    yield _Reading(city.crs, 1, plain, yes, f"metros em {metres} com os eixos trocados (N, E): {swap}", no)
    south = (0.0, -_FALSE_NORTHING_M)
    no_false = "UTM de zona norte (y negativo, sem os 10.000.000 m do sul)"
    zone = str(home.utm_zone or "")[:-1] if home is not None else ""
    if zone:
        north = f"EPSG:326{zone}"
        yield _Reading(north, 1, plain, no, f"metros em {no_false}: declare crs={north}", yes)
        wrong = "metros de UTM de zona norte com os 10.000.000 m do sul somados: confira a zona"
        yield _Reading(north, 1, south, no, wrong, no)
    for number, code in _ZONES_SOUTH.items():
        if code != city.crs:
            text = f"metros em SIRGAS 2000 / UTM {number}S, fuso vizinho: declare crs={code}"
            yield _Reading(code, 1, plain, no, text, yes)
    yield _Reading("EPSG:3857", 1, plain, no, "metros do Web Mercator: declare crs=EPSG:3857", yes)
    for factor, unit in ((0.001, "milímetros"), (0.01, "centímetros"), (1000.0, "quilômetros")):
        text = f"{unit} em {metres}, e não metros: exporte o desenho em metros"
        yield _Reading(city.crs, factor, plain, no, text, no)


def _old_datums(city: City) -> str:
    if not city.legacy_crs:
        return " se o datum for esse (o datum não se vê nos números)"
    old = " ou ".join(f"{each.crs} ({each.name})" for each in city.legacy_crs)
    return f"; se o mapa for antigo, {old}: o datum não se vê nos números, a diferença é de dezenas de metros"
