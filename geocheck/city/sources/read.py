"""Reads a municipal file, in whichever format, into a clean layer in the city's metres."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import geopandas as gpd
import numpy as np
import pandas as pd

from geocheck.city.sources.cleaning import Action, Cleaning, Notebook
from geocheck.city.sources.container import sha256_of, staged
from geocheck.city.sources.crs import settled
from geocheck.city.sources.formats import Format
from geocheck.city.sources.geometry import mended, moved_to, once_each, present
from geocheck.city.sources.parquet import read_parquet
from geocheck.city.sources.raw import refused
from geocheck.city.sources.shapefile import read_shapefile
from geocheck.city.sources.tables import read_table
from geocheck.city.sources.text import Told
from geocheck.city.sources.vector import read_vector
from geocheck.files import why

if TYPE_CHECKING:
    from geocheck.cities import City
    from geocheck.city.sources.container import Staged
    from geocheck.city.sources.options import SourceOptions
    from geocheck.city.sources.raw import Raw

USUAL_ACCURACY_M: Final = 2.0
"""Of a municipal map of unknown scale, half-width of 95 % (DESIGN §5)."""

_ID_NAMES: Final = ("id", "codigo", "código", "cod", "code", "objectid", "gid", "stop_id", "name", "nome")


@dataclass(frozen=True, slots=True)
class Source:
    """The file a layer came from.

    Attributes:
        file: its name.
        sha256: hash of its bytes; of a Shapefile lying open in a folder, of all its parts.
    """

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Layer:
    """A municipal layer, clean.

    Attributes:
        frame: the city's system, 2D, valid; the file's columns under their own names, as text or nullable
            types, and `source_row`, the number of the record in the file, from 1.
        accuracy_m: half-width of 95 %, a change of datum included.
        source: the file.
        report: what was dropped, repaired, guessed.
        declared: what was said of the file.
        datum_accuracy_m: of a change of datum alone, 0 where there was none.
    """

    frame: gpd.GeoDataFrame
    accuracy_m: float
    source: Source
    report: Cleaning
    declared: SourceOptions
    datum_accuracy_m: float


def read_layer(path: Path, city: City, declared: SourceOptions) -> Layer:
    """Read any vector file that a city hands out.

    Args:
        path: GeoPackage, Shapefile, GeoJSON, GeoParquet, KML/KMZ, DXF, GML, CSV, CKAN JSON, GTFS stops, or
            a zip with one of them.
        city: in whose system, and within whose bounds.
        declared: what is known of the file beside it.

    Raises:
        DataFileError: the file is not read, with a pt-BR sentence on why and how to mend it; so is one that
            has no record, or none of use.
        InputError: the declared coordinate system does not exist.
    """
    layer = read_records(path, city, declared)
    if not len(layer.frame):
        raise refused(path.name, "o arquivo não tem nenhum registro")
    return layer


def read_records(path: Path, city: City, declared: SourceOptions) -> Layer:
    """Read a file as `read_layer` does; one without a single record is a layer without features.

    Raises:
        DataFileError: the file is not read, or it has records and none is of use.
        InputError: the declared coordinate system does not exist.
    """
    notebook = Notebook()
    with tempfile.TemporaryDirectory(prefix="geocheck-") as name:
        data = staged(path, declared.layer, Path(name), notebook)
        raw = _raw(data, declared, notebook)
    notebook.labels = _labels(raw)
    _note_repeated_ids(raw, notebook)
    features = present(raw, notebook)
    way = settled(path.name, raw, city, declared, notebook)
    moved_to(features, way, city)
    mended(features)
    once_each(features, raw.columns)
    if not len(features.row) and (raw.read or notebook.lost()):
        lines = "; ".join(note.message for note in notebook.told())
        raise refused(path.name, f"nenhuma feição pôde ser aproveitada: {lines}")
    frame = gpd.GeoDataFrame(
        raw.columns.iloc[features.at].reset_index(drop=True).assign(source_row=features.row),
        geometry=features.geometry,
        crs=city.crs,
    )
    kept = len(np.unique(features.row))
    report = Cleaning(raw.read, kept, len(frame), notebook.told())
    accuracy_m = math.hypot(_own_accuracy_m(raw, declared), way.accuracy_m)
    return Layer(frame, accuracy_m, _source(path), report, declared, way.accuracy_m)


def _raw(data: Staged, declared: SourceOptions, notebook: Notebook) -> Raw:
    if data.format in (Format.TABLE, Format.CKAN):
        return read_table(data, declared, notebook)
    if data.format is Format.SHAPEFILE:
        return read_shapefile(data, declared, notebook)
    if data.format is Format.GEOPARQUET:
        return read_parquet(data, declared, notebook)
    return read_vector(data, declared, Told(None, f"o {data.format} não está em UTF-8"), notebook)


def _source(path: Path) -> Source:
    try:
        return Source(path.name, sha256_of(path))
    except OSError as error:
        raise refused(path.name, why(error)) from error


def _own_accuracy_m(raw: Raw, declared: SourceOptions) -> float:
    for accuracy_m in (declared.accuracy_m, raw.usual_accuracy_m):
        if accuracy_m is not None:
            return accuracy_m
    return USUAL_ACCURACY_M


def _id_column(raw: Raw) -> str | None:
    by_name = {str(name).casefold(): str(name) for name in reversed(raw.columns.columns)}
    return next((by_name[each] for each in _ID_NAMES if each in by_name), None)


def _labels(raw: Raw) -> dict[int, str]:
    """Return the file's own code of each record, for naming it."""
    column = _id_column(raw)
    if column is None:
        return {}
    values = raw.columns[column]
    return {
        int(row): str(value)[:40] for row, value in zip(raw.row, values, strict=True) if not pd.isna(value)
    }


def _note_repeated_ids(raw: Raw, notebook: Notebook) -> None:
    """Note codes that several records share; all of them are kept."""
    column = _id_column(raw)
    if column is None or column.casefold() in ("name", "nome"):
        return
    values = raw.columns[column]
    again = (values.notna() & values.duplicated(keep=False)).to_numpy()
    message = f"código repetido na coluna “{column}”, todos mantidos"
    notebook.of_rows("id_repeated", Action.KEPT, raw.row[again], message)
