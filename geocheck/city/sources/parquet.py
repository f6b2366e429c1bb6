"""Reads GeoParquet: geometry as WKB or in GeoArrow's own layout, and its coordinate system."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from geocheck.city.sources.columns import binary, columns_of
from geocheck.city.sources.curves import geometries
from geocheck.city.sources.raw import Crs, Raw, refused
from geocheck.city.sources.text import Told

if TYPE_CHECKING:
    from geocheck.city.sources.cleaning import Notebook
    from geocheck.city.sources.container import Staged
    from geocheck.city.sources.options import SourceOptions

_MOST_ROWS: Final = 50_000_000


def read_parquet(data: Staged, declared: SourceOptions, notebook: Notebook) -> Raw:
    """Read a GeoParquet file.

    Raises:
        DataFileError: broken, without GeoParquet's metadata, or without the declared geometry column.
    """
    try:
        file = pq.ParquetFile(data.path)
        if file.metadata.num_rows > _MOST_ROWS:
            raise refused(data.name, f"o arquivo diz ter {file.metadata.num_rows} linhas; é demais")
        geo = _metadata(data.name, file)
        name = _geometry_column(data.name, geo, declared)
        table = file.read()
        row = np.arange(1, table.num_rows + 1, dtype=np.int64)
        if geo["columns"][name].get("encoding") == "WKB":
            geometry = geometries(binary(table.column(name)), row, notebook)
        else:  # GeoArrow's own layout: geopandas knows it
            geometry = np.asarray(gpd.read_parquet(data.path, columns=[name]).geometry.array, dtype=object)
        others = [each for each in geo["columns"] if each in table.schema.names]
        frame = columns_of(table.drop_columns(others), row, Told(None, "o GeoParquet"), notebook)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, MemoryError) as error:
        raise refused(data.name, "o GeoParquet está truncado ou corrompido e não abre") from error
    return Raw(frame, geometry, row, _crs(geo["columns"][name]), table.num_rows)


def _metadata(name: str, file: pq.ParquetFile) -> dict[str, Any]:
    content = (file.schema_arrow.metadata or {}).get(b"geo")
    if content is None:
        raise refused(name, "é Parquet, mas não GeoParquet (sem os metadados “geo”); exporte com geometria")
    geo: dict[str, Any] = json.loads(content)
    return geo


def _geometry_column(file: str, geo: dict[str, Any], declared: SourceOptions) -> str:
    name = declared.geometry or str(geo["primary_column"])
    if name not in geo["columns"]:
        raise refused(file, f"não há coluna de geometria “{name}”; há: {', '.join(geo['columns'])}")
    return name


def _crs(about: dict[str, Any]) -> Crs:
    if "crs" not in about:
        return Crs("OGC:CRS84", "o padrão GeoParquet, que supõe graus WGS 84", by_default=True)
    if about["crs"] is None:
        return Crs(None, "o GeoParquet diz que o sistema de coordenadas é desconhecido")
    return Crs(about["crs"], "o GeoParquet")
