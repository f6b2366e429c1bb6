"""Reads what GDAL reads: GeoPackage, GeoJSON, KML, DXF, GML and the staged parts of a Shapefile."""

from __future__ import annotations

import re
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyogrio
from pyogrio.errors import CRSError, DataLayerError, DataSourceError, FeatureError, FieldError, GeometryError
from pyogrio.raw import read_arrow

from geocheck.city.sources.cleaning import Action
from geocheck.city.sources.columns import binary, columns_of, original_bytes
from geocheck.city.sources.curves import geometries
from geocheck.city.sources.formats import Format
from geocheck.city.sources.raw import Crs, Raw, refused
from geocheck.city.sources.text import Told, file_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd
    from numpy.typing import NDArray

    from geocheck.city.sources.cleaning import Notebook
    from geocheck.city.sources.container import Staged
    from geocheck.city.sources.options import SourceOptions

_DRIVERS: Final = {
    Format.GEOPACKAGE: ("GPKG",),
    Format.SHAPEFILE: ("ESRI Shapefile",),
    Format.GEOJSON: ("GeoJSON",),
    Format.KML: ("LIBKML", "KML"),
    Format.DXF: ("DXF",),
    Format.GML: ("GML",),
}
_FAILURES: Final = (
    CRSError,
    DataLayerError,
    DataSourceError,
    FeatureError,
    FieldError,
    GeometryError,
    pa.ArrowException,
    OSError,
    RuntimeError,
    ValueError,
)
_ARCS: Final = {"OGR_ARC_STEPSIZE": 0.5, "OGR_ARC_MAX_GAP": 0.45}
"""Arcs of a DXF: 0.5° of arc leaves 1 mm at a radius of 105 m; 0.45 m of chord leaves less beyond 26 m."""

_KML_INVENTED: Final = {"tessellate": -1, "extrude": 0, "visibility": -1, "altitudeMode": None, "icon": None}
_CRS_MEMBER: Final = re.compile(rb'"crs"\s*:\s*(null|\{(?:[^{}]|\{[^{}]*\})*\})', flags=re.DOTALL)
_CRS_NAME: Final = re.compile(rb'"(?:name|code)"\s*:\s*"?([^",}]+)"?')
_PROLOG: Final = re.compile(rb"""\s*<\?xml[^>]*encoding=["']([^"']+)""")
_PLACEMARK: Final = re.compile(rb"<(?:\w+:)?Placemark[\s>]")
_FIRST_FEATURE: Final = re.compile(rb'"(?:features|geometry|coordinates)"\s*:')


class _Part(NamedTuple):
    """One layer of a file: attributes as Arrow, WKB, and GDAL's number of each feature where it has one."""

    name: str
    crs: str | None
    attributes: pa.Table
    wkb: NDArray[np.object_]
    number: NDArray[np.int64] | None


def read_vector(data: Staged, declared: SourceOptions, told: Told, notebook: Notebook) -> Raw:
    """Read one data set with the driver of its format and no other.

    Args:
        data: where it lies and in which format it is.
        declared: which layer is meant, where there are several.
        told: the encoding of a Shapefile's texts.
        notebook: told of everything odd.

    Raises:
        DataFileError: the file is broken, has several layers or none, or another driver would read it.
    """
    _as_utf8(data, declared, notebook)
    try:
        with _options(data.format), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            parts = [_read(data, name) for name in _layers(data, declared)]
    except _FAILURES as error:
        raise refused(data.name, f"o arquivo {data.format} está truncado ou corrompido e não abre") from error
    for text in dict.fromkeys(str(each.message)[:200] for each in warned):
        notebook.of_file(
            "reader_warning", Action.KEPT, f"aviso do leitor: {text.replace(str(data.path), '')}"
        )
    if data.format is Format.DXF:
        message = "arcos do DXF viram segmentos com desvio de até 1 mm (raios até 100 m)"
        notebook.of_file("curves_linearised", Action.REPAIRED, message)
    raw = _joined(data, parts, told, notebook)
    if data.format is Format.KML and declared.layer is None:
        _count_placemarks(data.path, raw.read, notebook)
    return raw


def _count_placemarks(path: Path, read: int, notebook: Notebook) -> None:
    """Note where GDAL hands over fewer places than the KML holds."""
    held = len(_PLACEMARK.findall(path.read_bytes()))
    if held != read:
        message = f"o KML tem {held} marcador(es) e o leitor entregou {read}"
        notebook.of_file("placemarks_missing", Action.DROPPED, message)


def _as_utf8(data: Staged, declared: SourceOptions, notebook: Notebook) -> None:
    """Put a text file that is not in UTF-8 into it: GDAL would pass broken text on, or stop."""
    if data.format in (Format.GEOPACKAGE, Format.SHAPEFILE):
        return
    content = data.path.read_bytes()
    prolog = _PROLOG.match(content)
    if prolog is not None and prolog[1].lower() not in (b"utf-8", b"utf8"):
        return
    if not content.isascii():
        told = Told(declared.encoding, "a codificação declarada", by_user=True)
        text = file_text(content, told if declared.encoding else Told(None, "o texto não é UTF-8"), notebook)
        data.path.unlink()
        data.path.write_text(text, encoding="utf-8", newline="")


@contextmanager
def _options(format_: Format) -> Iterator[None]:
    """Set what only GDAL's own options can say, and put it back."""
    options: dict[str, Any] = dict(_ARCS) if format_ is Format.DXF else {}
    if format_ is Format.SHAPEFILE:
        options["SHAPE_RESTORE_SHX"] = "YES"
    before = {name: pyogrio.get_gdal_config_option(name) for name in options}
    pyogrio.set_gdal_config_options(options)
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options(before)


def _layers(data: Staged, declared: SourceOptions) -> list[str]:
    """Choose the layers to read: all the folders of a KML, else the only one or the declared one."""
    info = pyogrio.list_layers(data.path)
    spatial = [str(name) for name, kind in info if kind is not None or data.format is Format.KML]
    if data.format is Format.KML and (declared.layer is None or declared.layer not in spatial):
        chosen = spatial
    elif data.format is Format.GEOPACKAGE and declared.layer is not None:
        chosen = [each for each in spatial if each == declared.layer]
    elif data.format is Format.SHAPEFILE or len(spatial) == 1:
        chosen = spatial[:1]
    else:
        chosen = [each for each in spatial if each == declared.layer]
    if chosen:
        return chosen
    if not spatial:
        raise refused(data.name, "o arquivo não tem nenhuma camada com geometria")
    if declared.layer is not None:
        message = f"o arquivo não tem a camada “{declared.layer}”; há: {', '.join(spatial)}"
        raise refused(data.name, message)
    raise refused(data.name, f"o arquivo tem várias camadas; diga qual com layer=NOME: {', '.join(spatial)}")


def _read(data: Staged, layer: str) -> _Part:
    options: dict[str, Any] = {"encoding": "ISO-8859-1"} if data.format is Format.SHAPEFILE else {}
    if data.format is Format.GML:
        options |= {"DOWNLOAD_SCHEMA": "NO", "WRITE_GFS": "NO"}
    driver = pyogrio.read_info(data.path, layer=layer)["driver"]
    if driver not in _DRIVERS[data.format]:
        raise refused(data.name, f"o conteúdo não é o de um arquivo {data.format}")
    numbered = data.format in (Format.SHAPEFILE, Format.GEOJSON)
    meta, table = read_arrow(data.path, layer=layer, return_fids=numbered, **options)
    geometry = meta["geometry_name"] or "wkb_geometry"
    # An attribute may have the same name: GDAL writes the geometry last and its own number first.
    at = max(index for index, name in enumerate(table.schema.names) if name == geometry)
    wkb, table = binary(table.column(at)), table.remove_column(at)
    if table.num_columns == len(meta["fields"]):
        return _Part(layer, meta["crs"], table, wkb, None)
    return _Part(layer, meta["crs"], table.remove_column(0), wkb, table.column(0).to_numpy())


def _joined(data: Staged, parts: list[_Part], told: Told, notebook: Notebook) -> Raw:
    """Join the layers of one file, numbering their records on."""
    tables, rows, start = [], [], 0
    for part in parts:
        count = len(part.wkb)
        attributes = _with_ids(part) if data.format is Format.GEOJSON else part.attributes
        if data.format is Format.SHAPEFILE and part.number is not None:
            attributes = original_bytes(attributes)
            rows.append(part.number + 1)
        else:
            rows.append(start + np.arange(1, count + 1))
        if len(parts) > 1:
            attributes = attributes.append_column("folder", pa.array([part.name] * count, pa.string()))
        tables.append(attributes)
        start = int(rows[-1].max(initial=start))
    table = pa.concat_tables(tables, promote_options="permissive")
    row = np.concatenate(rows).astype(np.int64)
    frame = columns_of(table, row, told, notebook)
    if data.format is Format.KML:
        frame = _without_invented(frame)
    geometry = geometries(np.concatenate([part.wkb for part in parts]), row, notebook)
    return Raw(frame, geometry, row, _crs(data, parts), start)


def _with_ids(part: _Part) -> pa.Table:
    """Keep a GeoJSON's whole-number ids, which GDAL takes for its own numbers."""
    table, number = part.attributes, part.number
    if number is None or "id" in table.schema.names or np.array_equal(number, np.arange(len(number))):
        return table
    return table.append_column("id", pa.array(number))


def _without_invented(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out the columns that the KML driver adds to every file, where they say nothing."""
    empty = [
        name
        for name, default in _KML_INVENTED.items()
        if name in frame and (frame[name].isna() | (frame[name] == default)).all()
    ]
    return frame.drop(columns=empty)


def _crs(data: Staged, parts: list[_Part]) -> Crs:
    texts = {part.crs for part in parts}
    if len(texts) > 1:
        raise refused(data.name, "as camadas do arquivo têm sistemas de coordenadas diferentes; separe-as")
    text = texts.pop()
    if data.format is Format.GEOJSON:
        return _geojson_crs(data.path)
    if data.format is Format.KML:
        return Crs("OGC:CRS84", "o formato KML", by_default=True)
    if data.format is Format.SHAPEFILE:
        missing = not data.path.with_suffix(".prj").exists()
        return Crs(None, "o Shapefile veio sem o .prj") if missing else Crs(text, "o .prj")
    if text is None:
        return Crs(None, f"o arquivo {data.format} não diz o sistema de coordenadas")
    return Crs(text, f"o arquivo {data.format}")


def _geojson_crs(path: Path) -> Crs:
    """Read the old `crs` member, which GDAL passes over when it does not understand it."""
    content = path.read_bytes()
    first = _FIRST_FEATURE.search(content)
    last = content.rfind(b'"coordinates"')
    head = content[: first.start()] if first else content
    found = _CRS_MEMBER.search(head) or _CRS_MEMBER.search(content, max(last, 0))
    if found is None:
        return Crs("OGC:CRS84", "a RFC 7946, que supõe graus WGS 84 sem “crs” no GeoJSON", by_default=True)
    name = _CRS_NAME.search(found[1])
    if found[1] == b"null" or name is None:
        return Crs(None, "o GeoJSON traz “crs” sem dizer qual é")
    text = name[1].decode("utf-8", "replace").strip()
    return Crs(f"EPSG:{text}" if text.isdigit() else text, "o membro “crs” do GeoJSON")
