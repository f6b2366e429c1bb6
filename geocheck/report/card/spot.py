"""Where the skip stands, in a card's few words: street, side by the compass, place, size and times."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any, Final

import shapely

from geocheck.cities import load_city
from geocheck.errors import GeocheckError
from geocheck.model.words import Place
from geocheck.report import wording
from geocheck.report.card.shown_text import NAME, shown_text
from geocheck.report.card.view import in_metres
from geocheck.report.standing import is_planned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

    from geocheck.model.report import Report
    from geocheck.model.request import Request
    from geocheck.report.card.nearby import Nearby

_COMPASS: Final = ("leste", "nordeste", "norte", "noroeste", "oeste", "sudoeste", "sul", "sudeste")
_AXIS_REACH_M: Final = 30.0
_BESIDE_M: Final = 0.5
"""Nearer to the axis than this, no side is said."""


def spot_of(report: Report, side: str) -> dict[str, Any]:
    """Return the spot's heading and the lines below it.

    Args:
        report: of the placement.
        side: of the street, by the compass; "" where it is not known.
    """
    street = report.kerb.street if report.kerb else None
    address = report.request.address
    heading = address or street or ("Via sem nome no mapa" if report.kerb else _point(report.request))
    place = wording.PLACES[Place(report.where)]
    where = [
        street if street and address and street not in address else "",
        f"{place}, lado {side}" if side else place,
        city_name(report.city),
    ]
    return {
        "heading": shown_text(heading, NAME),
        "lines": [
            _capital(" · ".join(shown_text(each, NAME) for each in where if each)),
            " · ".join(filter(None, [_stands(report.request), _size(report.request)])),
            *_kerb(report),
            f"Colocação: {wording.moment(dt.datetime.fromisoformat(report.start))}",
        ],
    }


def side_of(nearby: Nearby, skip: BaseGeometry, street: str | None) -> str:
    """Return on which side of a street's axis the skip stands, by the compass; "" where that is not clear."""
    here = in_metres(skip, nearby.crs).centroid
    box = (here.x - _AXIS_REACH_M, here.y - _AXIS_REACH_M, here.x + _AXIS_REACH_M, here.y + _AXIS_REACH_M)
    if street is None:
        lines = list(nearby.shapes("axis", box))
    else:
        lines = [axis for name, axis in nearby.named("axis", "street", box) if name == street]
    if not lines:
        return ""
    (x0, y0), (x1, y1) = shapely.get_coordinates(shapely.shortest_line(shapely.union_all(lines), here))
    east, north = x1 - x0, y1 - y0
    away_m = math.hypot(east, north)
    if not _BESIDE_M < away_m < _AXIS_REACH_M:
        return ""
    eighth = round(math.degrees(math.atan2(north, east)) / 45) % 8
    return _COMPASS[eighth]


def city_name(city: str) -> str:
    """Return a city as people write it; of a sheet of one's own only its id is known here."""
    try:
        return load_city(city).name
    except GeocheckError:
        return city


def _point(request: Request) -> str:
    if request.lon is None or request.lat is None:
        return "Local não informado"
    return f"Ponto {wording.number(request.lat, 5)}; {wording.number(request.lon, 5)}"


def _stands(request: Request) -> str:
    return "Caçamba planejada" if is_planned(request) else "Caçamba já no lugar"


def _kerb(report: Report) -> Iterator[str]:
    """Say how far from the kerb the skip stands, or of a plan how surely the map knows the kerb."""
    if report.kerb is None:
        return
    surely = wording.plus_minus(report.kerb.accuracy_m)
    if is_planned(report.request):
        yield f"Guia no mapa: {surely}"
    else:
        yield f"A {wording.number(report.kerb.gap_m)} m {surely} da guia"


def _size(request: Request) -> str:
    sizes = [each for each in (request.length_m, request.width_m) if each is not None]
    volume = "" if request.volume_m3 is None else f"{wording.number(request.volume_m3, 1)} m³"
    volume = volume.replace(",0 m³", " m³")
    told = f"{' × '.join(map(wording.number, sizes))} m" if len(sizes) == len(("length", "width")) else ""
    return ", ".join(filter(None, [volume, told]))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
