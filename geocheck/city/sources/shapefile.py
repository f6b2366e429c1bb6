"""Looks over the parts of a Shapefile before GDAL opens them: sizes, counts, deleted records, encoding."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.sources.cleaning import Action
from geocheck.city.sources.raw import refused
from geocheck.city.sources.text import Told
from geocheck.city.sources.vector import read_vector

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.city.sources.cleaning import Notebook
    from geocheck.city.sources.container import Staged
    from geocheck.city.sources.options import SourceOptions
    from geocheck.city.sources.raw import Raw

_SHP_HEADER: Final = 100
_SHX_RECORD: Final = 8
_DBF_HEADER: Final = 32
_LANGUAGE_DRIVER: Final = 29
_DELETED: Final = 0x2A
_CODE_PAGES: Final = {0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x13: "cp932"}
"""The language byte of a .dbf, for the values met in Brazil."""


class _Table(NamedTuple):
    """The header of a .dbf.

    Attributes:
        records: how many it claims.
        deleted: whether each is marked as deleted, shape (records,).
        language: its language byte.
    """

    records: int
    deleted: NDArray[np.bool_]
    language: int


def read_shapefile(data: Staged, declared: SourceOptions, notebook: Notebook) -> Raw:
    """Read the staged parts of a Shapefile.

    Raises:
        DataFileError: a part is truncated, or shapes and attributes differ in number.
    """
    shapes = _shape_count(data, notebook)
    table = _table(data, notebook)
    if table is not None and shapes is not None and table.records != shapes:
        message = f"o .shp tem {shapes} formas e o .dbf {table.records} registros; peça os arquivos de novo"
        raise refused(data.name, message)
    deleted = np.flatnonzero(table.deleted) + 1 if table is not None else ()
    notebook.of_rows("deleted_in_table", Action.DROPPED, deleted, "apagado no .dbf, sem ter sido compactado")
    raw = read_vector(data, declared, _told(data.path, table, declared), notebook)
    return replace(raw, read=shapes if shapes is not None else raw.read)


def _shape_count(data: Staged, notebook: Notebook) -> int | None:
    """Check the length that the .shp claims and count its shapes; None where there is no .shx."""
    header = _head(data.path, _SHP_HEADER)
    size = data.path.stat().st_size
    if len(header) < _SHP_HEADER or 2 * struct.unpack(">i", header[24:28])[0] > size:
        raise refused(data.name, "o .shp está truncado; baixe o arquivo de novo")
    index = data.path.with_suffix(".shx")
    if not index.exists():
        notebook.of_file("index_rebuilt", Action.REPAIRED, "o Shapefile veio sem .shx; o índice foi refeito")
        return None
    return max(0, (index.stat().st_size - _SHP_HEADER) // _SHX_RECORD)


def _table(data: Staged, notebook: Notebook) -> _Table | None:
    path = data.path.with_suffix(".dbf")
    if not path.exists():
        notebook.of_file("attributes_missing", Action.KEPT, "o Shapefile veio sem o .dbf: nenhum atributo")
        return None
    content = np.fromfile(path, dtype=np.uint8)
    if len(content) < _DBF_HEADER:
        raise refused(data.name, "o .dbf está truncado; baixe o arquivo de novo")
    records, header_bytes, record_bytes = struct.unpack("<IHH", content[4:12].tobytes())
    if record_bytes == 0 or header_bytes + records * record_bytes > len(content):
        raise refused(data.name, f"o .dbf diz ter {records} registros e não os tem; baixe o arquivo de novo")
    flags = content[header_bytes : header_bytes + records * record_bytes : record_bytes]
    return _Table(records, flags == _DELETED, int(content[_LANGUAGE_DRIVER]))


def _told(path: Path, table: _Table | None, declared: SourceOptions) -> Told:
    """Say which encoding the texts should be in: as declared, else by the .cpg, else by the .dbf."""
    if declared.encoding is not None:
        return Told(declared.encoding, "a codificação declarada", by_user=True)
    page = path.with_suffix(".cpg")
    if page.exists():
        name = _head(page, 64).decode("ascii", "ignore").strip()
        if name:
            return Told(_codec_name(name), "o .cpg")
    code = _CODE_PAGES.get(table.language) if table is not None else None
    return Told(code, "o .dbf" if code else "o Shapefile não diz a codificação do texto")


def _codec_name(name: str) -> str:
    """Turn what stands in a .cpg into a codec's name (`1252`, `ANSI 1252`, `88591`)."""
    plain = name.lower().removeprefix("ansi").removeprefix("cp").strip(" -_")
    if plain.startswith("8859"):
        return f"iso8859-{plain[4:].strip('-_ ')}"
    return f"cp{plain}" if plain.isdigit() and plain != "65001" else name.replace("65001", "utf-8")


def _head(path: Path, count: int) -> bytes:
    with path.open("rb") as file:
        return file.read(count)
