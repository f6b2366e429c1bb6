"""Whether a city's coordinate system measures in metres where the city lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyproj import CRS, Proj
from pyproj.exceptions import CRSError

from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    from geocheck.cities import City

_SCALE_ERROR: Final = 0.005
"""A UTM zone is out by 0.1 % at its edge and 0.5 % a zone further, which is 25 mm in the 5 m to a corner."""

_ZONE_DEG: Final = 6.0
"""A box wider than a UTM zone is no city's and tells no place at which to measure."""


def check_metric(city: City) -> None:
    """Refuse a sheet whose system is none, is not in metres, or belongs to another part of the Earth.

    Raises:
        DataFileError: naming the city and the mend.
    """
    try:
        crs = CRS(city.crs)
    except CRSError:
        raise _refused(city, f"“{city.crs}” não é um sistema de coordenadas conhecido") from None
    if not crs.is_projected or {axis.unit_name for axis in crs.axis_info[:2]} != {"metre"}:
        raise _refused(city, f"“{city.crs}” ({crs.name}) não é um sistema plano em metros")
    box = city.bounds
    if box.east - box.west > _ZONE_DEG:
        return
    factors = Proj(crs).get_factors((box.west + box.east) / 2, (box.south + box.north) / 2)
    scales = (factors.meridional_scale, factors.parallel_scale)
    if not all(abs(scale - 1) <= _SCALE_ERROR for scale in scales):
        raise _refused(city, f"“{city.crs}” ({crs.name}) deforma as distâncias onde fica a cidade")


def _refused(city: City, message: str) -> DataFileError:
    mend = "use a zona UTM da cidade, como EPSG:31982 (SIRGAS 2000 / UTM 22S)"
    return DataFileError([Problem(f"ficha de {city.name}", "", "crs", f"{message}; {mend}")])
