"""The polygon inside which a layer holds: read from a file, told in degrees; what lies outside, counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from geocheck.city.changes import changes
from geocheck.city.layers.declaration import beside, read_options
from geocheck.city.sources import SourceOptions, read_layer
from geocheck.city.wgs84 import to_lonlat
from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.sources import Source


def read_extent(file: str, city: City) -> tuple[shapely.Geometry, Source]:
    """Read the polygons of a file as one, in the city's metres.

    A TOML beside the file may declare its coordinate system.

    Raises:
        DataFileError: the file cannot be read, lies elsewhere, or holds something that is no polygon.
    """
    path = Path(file)
    toml = beside(path)
    options = read_options(toml, SourceOptions) if toml else SourceOptions()
    layer = read_layer(path, city, options)
    shapes = layer.frame.geometry.to_numpy()
    areas = np.isin(shapely.get_type_id(shapes), (3, 6))
    if not areas.all():
        message = (
            f"{np.count_nonzero(~areas)} feição(ões) não são polígonos; o limite de uma camada só tem áreas"
        )
        raise DataFileError([Problem(path.name, "", "extent", message)])
    if layer.report.dropped:
        message = f"o limite não pode ter partes descartadas: {'; '.join(layer.report.lines()[1:])}"
        raise DataFileError([Problem(path.name, "", "extent", message)])
    return shapely.union_all(shapes), layer.source


def outside_changes(frame: GeoDataFrame, extent: shapely.Geometry) -> list[Change]:
    """Count the features outside an extent; they are kept."""
    shapely.prepare(extent)
    outside = int(np.count_nonzero(~shapely.intersects(extent, frame.geometry.to_numpy())))
    return changes([("kept", "fora do limite declarado da camada", outside)])


def as_geojson(extent: shapely.Geometry | None, crs: str) -> dict[str, Any] | None:
    """Return a polygon of the city's system as GeoJSON in degrees (WGS 84)."""
    if extent is None:
        return None
    in_degrees = shapely.transform(extent, lambda xy: to_lonlat(xy, crs))
    geometry: dict[str, Any] = json.loads(shapely.to_geojson(in_degrees))
    return geometry
