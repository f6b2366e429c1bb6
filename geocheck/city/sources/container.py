"""Puts a file, or the one data set of a zip, into a folder of its own under a plain name."""

from __future__ import annotations

import hashlib
import shutil
import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Final

from geocheck.city.sources.cleaning import Action
from geocheck.city.sources.formats import ACCEPTED, Format, format_of
from geocheck.city.sources.raw import refused
from geocheck.files import why

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geocheck.city.sources.cleaning import Notebook

LARGEST_UNPACKED_BYTES: Final = 4 * 1024**3
_MOST_TIMES: Final = 200
"""So often a file may outgrow its compressed self: maps and tables stay below 30, blanks reach 1000."""

_PADDED: Final = (".dbf", ".gpkg")
"""Formats that may be mostly blank without malice; they are read in place and not as a text."""

_SMALL_BYTES: Final = 16 * 1024**2
"""Up to here a file may be as blank as it likes."""

_MOST_MEMBERS: Final = 10_000
_CHUNK_BYTES: Final = 1 << 20
_PARTS: Final = (".shp", ".shx", ".dbf", ".prj", ".cpg")
_MAPS: Final = (".shp", ".gpkg", ".geojson", ".parquet", ".geoparquet", ".kml", ".kmz", ".gml", ".dxf")
_TABLES: Final = (".json", ".csv", ".tsv")
_STOPS: Final = "stops.txt"
_ENDINGS: Final = {
    Format.GEOPACKAGE: ".gpkg",
    Format.SHAPEFILE: ".shp",
    Format.GEOJSON: ".geojson",
    Format.GEOPARQUET: ".parquet",
    Format.KML: ".kml",
    Format.DXF: ".dxf",
    Format.GML: ".gml",
    Format.TABLE: ".csv",
    Format.CKAN: ".json",
}


@dataclass(frozen=True, slots=True)
class Staged:
    """One data set, ready to be opened.

    Attributes:
        path: where it was put; the parts of a Shapefile lie beside it with the same stem, in lower case.
        format: of `path`.
        name: as the user knows it.
    """

    path: Path
    format: Format
    name: str


def sha256_of(path: Path) -> str:
    """Return the hash of a file; of a Shapefile that lies open in a folder, of its parts in sorted order."""
    digest = hashlib.sha256()
    for part in sorted(_parts(path)) if path.suffix.lower() == ".shp" else [path]:
        with part.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
    return digest.hexdigest()


def staged(path: Path, layer: str | None, folder: Path, notebook: Notebook) -> Staged:
    """Make one data set ready in an empty `folder`.

    Args:
        path: the user's file.
        layer: which data set of a zip that has several, by its name without the ending.
        folder: empty and writable.
        notebook: told which files of a zip are not used.

    Raises:
        DataFileError: unreadable, in an unknown format, or a zip that is broken, dangerous, too large, or
            holds no data set or several.
    """
    found = format_of(path, path.name)
    if found is Format.ZIP:
        return _from_zip(path, path.name, layer, folder, notebook)
    target = folder / f"layer{_ENDINGS[found]}"
    log = path.with_name(f"{path.name}-wal")
    if found is Format.GEOPACKAGE and log.exists() and log.stat().st_size:
        message = "o GeoPackage está aberto em outro programa, com mudanças por gravar; feche-o antes"
        raise refused(path.name, message)
    try:
        _link(path, target)
        for part in _parts(path)[1:] if found is Format.SHAPEFILE else ():
            _link(part, target.with_suffix(part.suffix.lower()))
    except OSError as error:
        raise refused(path.name, why(error)) from error
    return Staged(target, found, path.name)


def _parts(path: Path) -> list[Path]:
    """List the parts of a Shapefile that lie beside it, endings in any case."""
    stem = path.stem.lower()
    beside = [each for each in path.parent.iterdir() if each.stem.lower() == stem and each != path]
    return [path, *(each for each in sorted(beside) if each.suffix.lower() in _PARTS[1:])]


def _link(source: Path, target: Path) -> None:
    try:
        target.symlink_to(source.resolve())
    except (OSError, NotImplementedError):
        shutil.copyfile(source, target)


def _from_zip(path: Path, name: str, layer: str | None, folder: Path, notebook: Notebook) -> Staged:
    try:
        with zipfile.ZipFile(path) as archive:
            members = _safe_members(name, archive.infolist())
            main = _the_data_set(name, members, layer)
            used = _with_its_parts(main, members)
            target = folder / f"layer{_suffix(main)}"
            left_bytes = LARGEST_UNPACKED_BYTES
            for member in used:
                with archive.open(member) as source:
                    most_bytes = min(left_bytes, _largest_bytes(member))
                    left_bytes -= _extract(source, target.with_suffix(_suffix(member)), most_bytes, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError) as error:
        raise refused(name, "o zip está truncado, corrompido ou com senha; baixe-o de novo") from error
    unused = [each.filename for each in members if each not in used]
    if unused:
        shown = ", ".join(unused[:10]) + (f" e mais {len(unused) - 10}" if len(unused) > 10 else "")  # noqa: PLR2004
        notebook.of_file("files_ignored", Action.KEPT, f"arquivos do zip não usados: {shown}")
    inside = f"{name}/{main.filename}"
    found = format_of(target, inside)
    if found is Format.ZIP and _suffix(main) == ".kmz" and path.suffix.lower() != ".kmz":
        inner = folder / "kmz"
        inner.mkdir()
        return _from_zip(target, inside, layer, inner, notebook)
    if found is Format.ZIP:
        raise refused(name, f"há um zip dentro do zip ({main.filename}); descompacte o de fora")
    return Staged(target.rename(target.with_suffix(_ENDINGS[found])), found, inside)


def _safe_members(name: str, members: Iterable[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Leave out folders and a Mac's side files; refuse what tries to leave the folder or to fill the disk."""
    files = []
    total_bytes = 0
    for count, member in enumerate(members):
        parts = PurePosixPath(member.filename.replace("\\", "/")).parts
        drive = bool(parts) and parts[0].endswith(":")
        if ".." in parts or "/" in parts or drive:
            raise refused(name, f"o zip tem um caminho perigoso (“{member.filename[:80]}”); refaça-o")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise refused(name, f"o zip tem um atalho (“{member.filename[:80]}”); refaça-o com os arquivos")
        total_bytes += member.file_size
        if total_bytes > LARGEST_UNPACKED_BYTES or count >= _MOST_MEMBERS:
            raise _too_large(name)
        if not member.is_dir() and "__MACOSX" not in parts and not parts[-1].startswith("."):
            files.append(member)
    return files


def _the_data_set(name: str, members: list[zipfile.ZipInfo], layer: str | None) -> zipfile.ZipInfo:
    maps = [each for each in members if _suffix(each) in _MAPS]
    stops = [each for each in members if _stem(each) + _suffix(each) == _STOPS]
    found = maps or stops or [each for each in members if _suffix(each) in _TABLES]
    if layer is not None:
        found = [each for each in found if _stem(each) == layer.lower()] or (found if len(found) == 1 else [])
    if len(found) == 1:
        return found[0]
    if _inner_kml(found) is not None:
        return _inner_kml(found) or found[0]
    inside = ", ".join(sorted(each.filename for each in found or maps or members)[:10]) or "nada"
    if not found and layer is None:
        raise refused(name, f"o zip não tem {ACCEPTED}; tem: {inside}")
    raise refused(
        name, f"o zip tem vários arquivos de dados ({inside}); diga qual deles com layer=NOME, sem a extensão"
    )


def _inner_kml(found: list[zipfile.ZipInfo]) -> zipfile.ZipInfo | None:
    """Return a KMZ's main document."""
    if not found or any(_suffix(each) != ".kml" for each in found):
        return None
    return next((each for each in found if each.filename.lower() == "doc.kml"), None)


def _with_its_parts(main: zipfile.ZipInfo, members: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    if _suffix(main) != ".shp":
        return [main]
    stem = main.filename[: -len(".shp")].lower()
    return [
        each
        for each in members
        if each.filename.lower().startswith(stem + ".") and each.filename.lower()[len(stem) :] in _PARTS
    ]


def _largest_bytes(member: zipfile.ZipInfo) -> int:
    if _suffix(member) in _PADDED:
        return LARGEST_UNPACKED_BYTES
    return max(_SMALL_BYTES, _MOST_TIMES * member.compress_size)


def _extract(source: IO[bytes], target: Path, most_bytes: int, name: str) -> int:
    """Write one member, trusting no declared size; return its bytes."""
    written = 0
    with target.open("wb") as file:
        while chunk := source.read(_CHUNK_BYTES):
            written += len(chunk)
            if written > most_bytes:
                raise _too_large(name)
            file.write(chunk)
    return written


def _too_large(name: str) -> Exception:
    most = f"{LARGEST_UNPACKED_BYTES // 1024**2} MB, {_MOST_TIMES} vezes o tamanho, {_MOST_MEMBERS} arquivos"
    return refused(name, f"o zip descompactado passa do limite ({most})")


def _suffix(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename).suffix.lower()


def _stem(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename).stem.lower()
