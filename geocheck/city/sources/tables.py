"""Reads tables of text: CSV as spreadsheets write it, GTFS stops, CKAN's JSON; x and y or WKT in columns."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.sources.cleaning import Action
from geocheck.city.sources.columns import named, text_column
from geocheck.city.sources.decimals import numbers
from geocheck.city.sources.formats import Format
from geocheck.city.sources.raw import Crs, Raw, refused
from geocheck.city.sources.text import Told, file_text, is_spoilt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.city.sources.cleaning import Notebook
    from geocheck.city.sources.container import Staged
    from geocheck.city.sources.options import SourceOptions

_GTFS_ACCURACY_M: Final = 10.0
_DELIMITERS: Final = ";,\t|"
_LONGEST_CELL: Final = 1 << 30
_LARGEST_BYTES: Final = 256 * 1024**2
"""Of a table: read cell by cell, it takes ten times as much memory."""

_SAMPLE_ROWS: Final = 50
_SHOWN: Final = 5
_LON_LAT: Final = (
    ("stop_lon", "stop_lat"),
    ("longitude", "latitude"),
    ("lon", "lat"),
    ("lng", "lat"),
    ("long", "lat"),
)
_EAST_NORTH: Final = (
    ("x", "y"),
    ("utm_e", "utm_n"),
    ("utm_x", "utm_y"),
    ("este", "norte"),
    ("leste", "norte"),
    ("easting", "northing"),
    ("coord_x", "coord_y"),
    ("e", "n"),
)
_WKT_NAMES: Final = ("wkt", "geometria", "geometry", "geom", "the_geom", "wkt_geom", "shape")
_WKT: Final = re.compile(
    r"\s*(?:SRID=(?P<srid>\d+);)?\s*(?P<type>[A-Z]+)\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)", flags=re.IGNORECASE
)
_SIMPLE: Final = (
    "POINT",
    "LINESTRING",
    "POLYGON",
    "MULTIPOINT",
    "MULTILINESTRING",
    "MULTIPOLYGON",
    "GEOMETRYCOLLECTION",
    "LINEARRING",
)
_SPLIT_DECIMAL: Final = re.compile(r"(?:^|,)\s*-?\d{1,3},\d{3,}\s*(?:,|$)")


class _Table(NamedTuple):
    """Names and cells; every row has as many cells as there are names."""

    names: list[str]
    rows: list[list[str | None]]

    def column(self, name: str) -> list[str | None]:
        index = self.names.index(name)
        return [row[index] for row in self.rows]


def read_table(data: Staged, declared: SourceOptions, notebook: Notebook) -> Raw:
    """Read a table of text with its geometry in columns.

    Raises:
        DataFileError: too large, not a table, ragged, or without columns that say where things are.
    """
    size = data.path.stat().st_size
    if size > _LARGEST_BYTES:
        most = _LARGEST_BYTES // 1024**2
        message = (
            f"a tabela tem {size // 1024**2} MB e o limite é {most} MB; divida-a ou grave-a como GeoPackage"
        )
        raise refused(data.name, message)
    told = Told(declared.encoding, "a codificação declarada" if declared.encoding else "", by_user=True)
    if declared.encoding is None:
        told = Told(None, "o arquivo não está em UTF-8")
    text = file_text(data.path.read_bytes(), told, notebook)
    table = _ckan(data.name, text, notebook) if data.format is Format.CKAN else _csv(data.name, text)
    row = np.arange(1, len(table.rows) + 1, dtype=np.int64)
    geometry, crs, used = _where(data, table, declared, row, notebook)
    kept = [name for name in range(len(table.names)) if table.names[name] != used]
    columns = [[each[index] for each in table.rows] for index in kept]
    spoilt = [number for number, cells in enumerate(table.rows, 1) if any(map(is_spoilt, cells))]
    notebook.of_rows("text_spoilt", Action.KEPT, spoilt, "texto com caracteres já perdidos na origem (�)")
    frame = named(
        [text_column(each) for each in columns], [table.names[index] for index in kept], len(row), notebook
    )
    usual = _GTFS_ACCURACY_M if {"stop_lat", "stop_lon"} <= set(table.names) else None
    return Raw(frame, geometry, row, crs, len(row), usual)


def _csv(name: str, text: str) -> _Table:
    if "\x00" in text[:65536]:
        raise refused(name, "não é um arquivo de texto")
    if "\n" not in text:
        text = text.replace("\r", "\n")  # as a Mac of old ended its lines
    text = text.rstrip(" \r\n")  # a blank end may be longer than the table, and is slow to split
    csv.field_size_limit(_LONGEST_CELL)
    delimiter = _delimiter(text)
    try:
        lines = _lines(text, delimiter)
    except csv.Error as error:
        raise refused(name, "as aspas do CSV não fecham; salve-o de novo a partir da planilha") from error
    if not lines:
        raise refused(name, "o arquivo não tem nenhuma linha de dados")
    names = [each.strip() for each in lines[0]]
    while names and not names[-1]:
        names.pop()
    rows = [_padded(cells, len(names)) for cells in lines[1:]]
    ragged = [number for number, cells in enumerate(rows, 1) if len(cells) != len(names)]
    if ragged or (_SPLIT_DECIMAL.search(delimiter.join(lines[0])) and delimiter == ","):
        raise _ragged(name, lines, ragged, delimiter)
    return _Table(names, [[cell.strip() or None for cell in cells] for cells in rows])


def _lines(text: str, delimiter: str) -> list[list[str]]:
    """Split a text into rows of cells, but for empty ones.

    Quotes within a cell are let be, unless a cell then runs over several lines: a quote that was never
    closed would take whole records into it.

    Raises:
        csv.Error: quotes do not close.
    """
    try:
        return [
            cells for cells in csv.reader(io.StringIO(text), delimiter=delimiter, strict=True) if any(cells)
        ]
    except csv.Error:
        lines = [cells for cells in csv.reader(io.StringIO(text), delimiter=delimiter) if any(cells)]
        if any("\n" in cell for cells in lines for cell in cells):
            raise
        return lines


def _delimiter(text: str) -> str:
    """Choose the sign that splits the first line into most cells, the first of `_DELIMITERS` among equals."""
    sample = "".join(islice(io.StringIO(text), _SAMPLE_ROWS))

    def cells(sign: str) -> int:
        try:
            return len(next(csv.reader(io.StringIO(sample), delimiter=sign), []))
        except csv.Error:
            return 0

    return max(_DELIMITERS, key=cells)


def _padded(cells: list[str], count: int) -> list[str]:
    """Take off empty cells beyond the header's, which spreadsheets leave behind."""
    while len(cells) > count and not cells[-1].strip():
        cells = cells[:-1]
    return cells


def _ragged(name: str, lines: list[list[str]], ragged: list[int], delimiter: str) -> Exception:
    if delimiter == "," and any(_SPLIT_DECIMAL.search(",".join(each)) for each in lines):
        message = (
            "a vírgula separa as colunas e também os decimais, sem aspas: não há como saber onde acaba cada "
            "número; salve o CSV com ponto e vírgula entre as colunas (o padrão do Excel em português)"
        )
        return refused(name, message)
    shown = ", ".join(map(str, ragged[:_SHOWN])) + ("…" if len(ragged) > _SHOWN else "")
    count = len(lines[0])
    message = f"{len(ragged)} linha(s) não têm as {count} colunas do cabeçalho (registros {shown})"
    return refused(name, f"{message}; ponha entre aspas os textos com “{delimiter}”")


def _ckan(name: str, text: str, notebook: Notebook) -> _Table:
    """Read CKAN's datastore: `fields` and `records`, bare or inside the API's `result`."""
    try:
        content: Any = json.loads(text)
        content = content.get("result", content)
        names = [str(each["id"]) for each in content["fields"]]
        records = content["records"]
        rows = [
            [each.get(key) for key in names] if isinstance(each, dict) else list(each) for each in records
        ]
    except (ValueError, RecursionError) as error:
        raise refused(name, "o JSON está truncado ou malformado; baixe o arquivo de novo") from error
    except (AttributeError, KeyError, TypeError) as error:
        raise refused(name, "o JSON não é uma tabela do CKAN (fields com id, e records)") from error
    ragged = [number for number, cells in enumerate(rows, 1) if len(cells) != len(names)]
    if ragged:
        raise refused(name, f"o registro {ragged[0]} não tem os {len(names)} campos anunciados")
    total = content.get("total")
    if isinstance(total, int) and total > len(rows):
        message = f"o JSON diz que são {total} registros e traz {len(rows)}; baixe-o com limit={total}"
        notebook.of_file("records_missing", Action.DROPPED, message)
    return _Table(names, [[_cell(value) for value in cells] for cells in rows])


def _cell(value: object) -> str | None:
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _where(
    data: Staged, table: _Table, declared: SourceOptions, row: NDArray[np.int64], notebook: Notebook
) -> tuple[NDArray[np.object_], Crs, str | None]:
    """Find the geometry: declared columns, else WKT, else longitude and latitude, else metres."""
    for wanted in (declared.geometry, declared.x, declared.y):
        if wanted is not None and wanted not in table.names:
            raise refused(data.name, f"não há coluna “{wanted}”; há: {', '.join(table.names)}")
    wkt = declared.geometry or (None if declared.x else _wkt_column(table))
    if wkt is not None:
        return *_from_wkt(data.name, table.column(wkt), row, notebook), wkt
    x, y, crs = _xy_columns(data.name, table, declared, notebook)
    points = np.column_stack([numbers(table.column(x)), numbers(table.column(y))])
    bad = ~np.isfinite(points).all(axis=1)
    message = f"coordenada em branco ou que não é número (colunas {x} e {y}), descartada"
    notebook.of_rows("coordinate_not_number", Action.DROPPED, row[bad], message)
    geometry = np.full(len(row), None, dtype=object)
    geometry[~bad] = shapely.points(points[~bad])
    return geometry, crs, None


def _wkt_column(table: _Table) -> str | None:
    for name in table.names:
        if _plain(name) in _WKT_NAMES:
            first = next((each for each in table.column(name) if each), None)
            if first is None or _WKT.match(first):
                return name
    return None


def _from_wkt(
    file: str, texts: Sequence[str | None], row: NDArray[np.int64], notebook: Notebook
) -> tuple[NDArray[np.object_], Crs]:
    matches = [_WKT.match(text) if text else None for text in texts]
    srids = {match["srid"] for match in matches if match and match["srid"]}
    if len(srids) > 1:
        raise refused(file, f"os WKT têm sistemas de coordenadas diferentes: {', '.join(sorted(srids))}")
    readable = np.full(len(texts), None, dtype=object)
    for index, (text, match) in enumerate(zip(texts, matches, strict=True)):
        if text and match and _is_simple(match["type"]):
            readable[index] = text.split(";", 1)[1] if match["srid"] else text
    geometry: NDArray[np.object_] = shapely.from_wkt(readable, on_invalid="ignore")
    given = np.array([bool(text) for text in texts], dtype=bool)
    bad = row[given & shapely.is_missing(geometry)]
    notebook.of_rows("geometry_unreadable", Action.DROPPED, bad, "geometria WKT ilegível, descartada")
    if srids:
        return geometry, Crs(f"EPSG:{srids.pop()}", "o SRID do WKT")
    return geometry, Crs(None, "a coluna de WKT não diz o sistema de coordenadas")


def _is_simple(word: str) -> bool:
    """Whether shapely reads that WKT type, with or without a dimension glued to its name."""
    plain = word.upper()
    return any(plain in (each, f"{each}Z", f"{each}M", f"{each}ZM") for each in _SIMPLE)


def _xy_columns(
    file: str, table: _Table, declared: SourceOptions, notebook: Notebook
) -> tuple[str, str, Crs]:
    """Name the columns of x and y, and what they say of the coordinate system."""
    by_plain = {_plain(name): name for name in reversed(table.names)}
    if declared.x is not None and declared.y is not None:
        x, y = declared.x, declared.y
    else:
        pair = next((each for each in (*_LON_LAT, *_EAST_NORTH) if set(each) <= by_plain.keys()), None)
        if pair is None:
            message = "não se sabe em que colunas estão as coordenadas; diga com x=COLUNA e y=COLUNA, ou com "
            raise refused(file, f"{message}geometry=COLUNA (WKT); há: {', '.join(table.names)[:500]}")
        x, y = by_plain[pair[0]], by_plain[pair[1]]
        if pair != _LON_LAT[0]:
            notebook.of_file(
                "columns_guessed", Action.GUESSED, f"coordenadas lidas das colunas “{x}” e “{y}”"
            )
    plain = (_plain(x), _plain(y))
    if plain == _LON_LAT[0]:
        return x, y, Crs("OGC:CRS84", "o padrão GTFS")
    if plain in _LON_LAT:
        return x, y, Crs("OGC:CRS84", f"o nome das colunas “{x}” e “{y}”", by_default=True, guessed=True)
    return x, y, Crs(None, "a tabela não diz o sistema de coordenadas")


def _plain(name: str) -> str:
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", ascii_name.casefold()).strip("_")
