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
    from shapely.geometry.base import BaseGeometry

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report
    from geocheck.model.request import Request

_COMPASS: Final = ("leste", "nordeste", "norte", "noroeste", "oeste", "sudoeste", "sul", "sudeste")
_AXIS_REACH_M: Final = 30.0
_BESIDE_M: Final = 0.5
"""Nearer to the axis than this, no side is said."""


def spot_of(report: Report, bundle: Bundle | None, skip: BaseGeometry | None) -> dict[str, Any]:
    """Return the spot's heading and the lines below it.

    Args:
        report: of the placement.
        bundle: of which it speaks; None where it was judged without one.
        skip: its outline or its place, WGS 84 degrees.
    """
    street = report.kerb.street if report.kerb else None
    address = report.request.address
    heading = address or street or ("via sem nome no mapa" if report.kerb else "Local sem mapa")
    side = "" if bundle is None or skip is None else side_of(bundle, skip, street)
    place = wording.PLACES[Place(report.where)].capitalize()
    lines = [
        shown_text(street, NAME) if street and address and street not in address else "",
        f"{place}, lado {side}" if side else place,
        _stands(report),
        _size(report.request),
        _times(report),
    ]
    return {
        "city": shown_text(city_name(report.city), NAME),
        "heading": shown_text(heading, NAME),
        "lines": list(filter(None, lines)),
    }


def side_of(bundle: Bundle, skip: BaseGeometry, street: str | None) -> str:
    """Return on which side of a street's axis the skip stands, by the compass; "" where that is not clear."""
    if bundle.entry("axis") is None:
        return ""
    here = in_metres(skip, bundle.manifest.crs).centroid
    box = (here.x - _AXIS_REACH_M, here.y - _AXIS_REACH_M, here.x + _AXIS_REACH_M, here.y + _AXIS_REACH_M)
    axes = bundle.layer_near("axis", box)
    if street is not None and "street" in axes.columns:
        axes = axes[axes["street"] == street]
    lines = shapely.force_2d(axes.geometry.to_numpy())
    if not len(lines):
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


def _stands(report: Report) -> str:
    if report.kerb is None:
        return "Caçamba planejada" if is_planned(report.request) else "Caçamba já no lugar"
    surely = wording.plus_minus(report.kerb.accuracy_m)
    if is_planned(report.request):
        return f"Caçamba planejada (guia conhecida a {surely})"
    return f"Caçamba já no lugar, a {wording.number(report.kerb.gap_m)} m {surely} da guia"


def _size(request: Request) -> str:
    sizes = [each for each in (request.length_m, request.width_m) if each is not None]
    volume = "" if request.volume_m3 is None else f"{wording.number(request.volume_m3, 1)} m³"
    volume = volume.replace(",0 m³", " m³")
    told = f"{' × '.join(map(wording.number, sizes))} m" if len(sizes) == len(("length", "width")) else ""
    return f"Caçamba de {wording.joined([each for each in (volume, told) if each])}" if volume or told else ""


def _times(report: Report) -> str:
    return f"Colocação: {wording.moment(dt.datetime.fromisoformat(report.start))}"
