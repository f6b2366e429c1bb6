"""Longitude and latitude (WGS 84) to the city's metres and back; data that lies elsewhere is refused."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from pyproj import Transformer

from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.cities import City

_WGS84: Final = "EPSG:4326"


@cache
def _transformer(source: str, target: str) -> Transformer:
    return Transformer.from_crs(source, target, always_xy=True)


def to_city(lonlat: NDArray[np.float64], crs: str) -> NDArray[np.float64]:
    """Carry longitude and latitude, shape (n, 2), to metres of the city's coordinate system."""
    return np.column_stack(_transformer(_WGS84, crs).transform(lonlat[:, 0], lonlat[:, 1]))


def to_lonlat(xy: NDArray[np.float64], crs: str) -> NDArray[np.float64]:
    """Carry metres of the city's coordinate system, shape (n, 2), to longitude and latitude."""
    return np.column_stack(_transformer(crs, _WGS84).transform(xy[:, 0], xy[:, 1]))


def check_place(file: str, lonlat: NDArray[np.float64], city: City) -> None:
    """Refuse data of which nothing lies in the city's box.

    Args:
        file: its name.
        lonlat: WGS 84 degrees, shape (n, 2).
        city: whose box.

    Raises:
        DataFileError: no point lies in it.
    """
    b = city.bounds
    lon, lat = lonlat.T
    if np.any((b.west <= lon) & (lon <= b.east) & (b.south <= lat) & (lat <= b.north)):
        return
    if not len(lonlat):
        message = "nenhuma via tem nós com coordenadas; exporte as vias com os seus nós"
        raise DataFileError([Problem(file, "", "", message)])
    middle = np.median(lonlat, axis=0)
    message = (
        f"nenhum ponto fica em {city.name} (o meio do arquivo está em lon {middle[0]:.4f}, "
        f"lat {middle[1]:.4f}); confira o recorte ou a cidade pedida"
    )
    raise DataFileError([Problem(file, "", "", message)])
