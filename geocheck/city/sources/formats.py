"""Which format a file is in, told from its content and never from its name alone."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from geocheck.city.sources.raw import refused
from geocheck.files import why

if TYPE_CHECKING:
    from pathlib import Path


class Format(StrEnum):
    """The formats that are read."""

    GEOPACKAGE = "GeoPackage"
    SHAPEFILE = "Shapefile"
    GEOJSON = "GeoJSON"
    GEOPARQUET = "GeoParquet"
    KML = "KML"
    DXF = "DXF"
    GML = "GML"
    TABLE = "CSV"
    CKAN = "JSON do CKAN"
    ZIP = "ZIP"


ACCEPTED: Final = (
    "GeoPackage, Shapefile, GeoJSON, GeoParquet, KML/KMZ, DXF, GML, CSV, JSON do CKAN ou stops.txt"
)

_HEAD_BYTES: Final = 65536
_SHAPEFILE_PARTS: Final = (".shx", ".dbf", ".prj", ".cpg", ".sbn", ".sbx", ".qpj")
_TABLE_NAMES: Final = (".csv", ".tsv", ".txt")
_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

_BINARY: Final = (
    # start of the file, its format
    (b"SQLite format 3\x00", Format.GEOPACKAGE),
    (b"PAR1", Format.GEOPARQUET),
    (b"\x00\x00\x27\x0a", Format.SHAPEFILE),
    (b"PK\x03\x04", Format.ZIP),
    (b"PK\x05\x06", Format.ZIP),
)
_NOT_READ: Final = (
    # start of the file, what to do instead
    (b"AutoCAD Binary DXF", "é um DXF binário; salve-o como DXF de texto (ASCII)"),
    (b"AC10", "é um DWG do AutoCAD; salve-o como DXF"),
    (b"\xd0\xcf\x11\xe0", "é uma planilha ou documento do Office antigo; salve a planilha como CSV"),
    (b"%PDF", "é um PDF; peça o arquivo de dados (Shapefile, GeoPackage, CSV…)"),
    (b"\x1f\x8b", "está comprimido com gzip; descompacte-o antes"),
    (b"Rar!", "está comprimido com RAR; descompacte-o antes"),
    (b"7z\xbc\xaf", "está comprimido com 7-Zip; descompacte-o antes"),
)
_DXF: Final = re.compile(rb"\s*(?:999[ \t]*\r?\n[^\n]*\n\s*)*0[ \t]*\r?\n[ \t]*SECTION\b")
_CKAN: Final = re.compile(rb'"fields"\s*:\s*\[|"records"\s*:\s*\[')
_GEO_TYPE: Final = re.compile(
    rb'"type"\s*:\s*"(?:FeatureCollection|Feature|(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)"'
)
_PIPELINE: Final = b"gdal_streamed_alg"


def format_of(path: Path, name: str) -> Format:
    """Tell the format of a file that the user knows by `name`.

    Raises:
        DataFileError: unreadable, empty, or in none of the formats.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise refused(name, why(error)) from error
    except ValueError:
        raise refused(name, "o caminho tem um caractere não permitido") from None
    if not head:
        raise refused(name, "o arquivo está vazio (0 bytes); baixe-o de novo")
    if path.suffix.lower() in _SHAPEFILE_PARTS:
        raise refused(name, "é só uma parte de um Shapefile; indique o arquivo .shp ou o .zip inteiro")
    for start, message in _NOT_READ:
        if head.startswith(start):
            raise refused(name, message)
    for start, found in _BINARY:
        if head.startswith(start):
            return found
    return _text_format(path.suffix.lower(), name, head)


def _text_format(suffix: str, name: str, head: bytes) -> Format:
    body = head.removeprefix(_BOMS[0]).lstrip()
    if body.startswith((b"{", b"[")):
        return _json_format(name, head)
    if body.startswith(b"<"):
        return _xml_format(name, body)
    if _DXF.match(body):
        return Format.DXF
    is_text = b"\x00" not in head or head.startswith(_BOMS)
    if is_text and suffix in _TABLE_NAMES:
        return Format.TABLE
    raise refused(name, f"formato não reconhecido; são lidos {ACCEPTED}")


def _json_format(name: str, head: bytes) -> Format:
    if _PIPELINE in head:
        raise refused(name, "é uma receita de processamento, não um arquivo de dados")
    if _GEO_TYPE.search(head):
        return Format.GEOJSON
    if _CKAN.search(head):
        return Format.CKAN
    raise refused(name, "é um JSON, mas não é GeoJSON nem uma tabela do CKAN (fields e records)")


def _xml_format(name: str, body: bytes) -> Format:
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise refused(name, "o XML define entidades (DOCTYPE); salve-o sem elas")
    start = body[:8192]
    if b"<kml" in start:
        return Format.KML
    if b"opengis.net/gml" in start:
        return Format.GML
    raise refused(name, "é um XML, mas não é KML nem GML")
