"""A bundle on disk: GeoParquet layers and a manifest, written whole or not at all, checked when loaded."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from pydantic import ValidationError

from geocheck.city.bundle.folder import MANIFEST, check_folder
from geocheck.city.bundle.manifest import SCHEMA, LayerEntry, Manifest, TableEntry
from geocheck.errors import DataFileError, InputError, Problem
from geocheck.files import why
from geocheck.toml_files import model_keys, problems_of

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    import pyarrow as pa
    from geopandas import GeoDataFrame
    from numpy.typing import NDArray

_BLOCK_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Bundle:
    """A checked bundle; its layers are read when asked for.

    Attributes:
        folder: where it lies.
        manifest: what it says of itself.
        sha256: of the manifest, which holds those of all files: the bundle's own name in reports.
    """

    folder: Path
    manifest: Manifest
    sha256: str

    def __hash__(self) -> int:
        """Hash by place and content: the manifest cannot be."""
        return hash((self.folder, self.sha256))

    def entry(self, name: str) -> LayerEntry | None:
        """Return what the manifest says of a layer, None where the bundle has none."""
        return next((layer for layer in self.manifest.layers if layer.name == name), None)

    def layer(self, name: str) -> GeoDataFrame:
        """Read a layer, in the bundle's metric system.

        Raises:
            InputError: the bundle has no such layer.
            DataFileError: its file is not what the manifest says, though the hash is that of the file.
        """
        return self._read(self._known(name), None)

    def layer_near(self, name: str, box: tuple[float, float, float, float]) -> GeoDataFrame:
        """Read the features of a layer whose bounds meet a box, in the order of the file.

        Of a whole city's layer only the geometries are read in full, not the attributes.

        Args:
            name: of the layer.
            box: west, south, east, north, in the bundle's metric system.

        Raises:
            InputError, DataFileError: as `layer`.
        """
        import geopandas as gpd  # noqa: PLC0415 (heavy; only needed where a layer is read)
        import numpy as np  # noqa: PLC0415 (same)
        import pyarrow.parquet as pq  # noqa: PLC0415 (same)

        entry = self._known(name)
        shapes = self._read(entry, ["geometry"]).geometry
        low, high = np.hsplit(shapes.bounds.to_numpy(), 2)
        near = np.flatnonzero(((low <= box[2:]) & (high >= box[:2])).all(axis=1))  # never of NaN
        file = pq.ParquetFile(self.folder / entry.file)
        others = [each for each in file.schema_arrow.names if each != "geometry"]
        rows = file.read(others).take(near).to_pandas() if len(near) else None
        return gpd.GeoDataFrame(rows, geometry=shapes.iloc[near].to_numpy(), crs=self.manifest.crs)

    def _known(self, name: str) -> LayerEntry:
        entry = self.entry(name)
        if entry is None:
            raise InputError("layer", f"o pacote {self.folder.name} não tem a camada “{name}”")
        return entry

    def _read(self, entry: LayerEntry, columns: list[str] | None) -> GeoDataFrame:
        import geopandas as gpd  # noqa: PLC0415 (heavy; only needed where a layer is read)

        try:
            frame = gpd.read_parquet(self.folder / entry.file, columns=columns)
        except (OSError, ValueError, KeyError) as error:  # of pyarrow all are one of these
            raise _forged(self.folder, entry, "não é um GeoParquet inteiro") from error
        if len(frame) != entry.features or frame.crs != self.manifest.crs:
            raise _forged(self.folder, entry, "não tem as feições ou o sistema que o manifesto diz")
        return frame

    def columns(self, name: str) -> dict[str, NDArray[Any]]:
        """Read a layer as plain columns, without a table library: values or None, `geometry` as WKB.

        Raises:
            InputError, DataFileError: as `records`.
        """
        found = self.records(name)
        columns = {}
        for each in found.column_names:
            columns[each] = np.empty(len(found), object)
            columns[each][:] = found.column(each).to_pylist()
        return columns

    def records(self, name: str, only: Container[str] | None = None) -> pa.Table:
        """Read a layer as an Arrow table, `geometry` as WKB: the least that a whole city's layer takes.

        Args:
            name: of the layer.
            only: the columns that are read, as far as the layer has them; all of them when not given.

        Raises:
            InputError: the bundle has no such layer.
            DataFileError: its file is not what the manifest says, though the hash is that of the file.
        """
        import pyarrow.parquet as pq  # noqa: PLC0415 (only needed where a layer is read)

        entry = self._known(name)
        try:
            # The plain reader: that of whole data sets loads pandas.
            file = pq.ParquetFile(self.folder / entry.file)
            held = file.schema_arrow.names
            read = held if only is None else [each for each in held if each in only]
            found = file.read(read, use_threads=False)
        except (OSError, ValueError) as error:  # of pyarrow all are one of these
            raise _forged(self.folder, entry, "não é um GeoParquet inteiro") from error
        if file.metadata.num_rows != entry.features or "geometry" not in held:
            raise _forged(self.folder, entry, "não tem as feições que o manifesto diz")
        return found

    def column_names(self, name: str) -> list[str]:
        """Return what a layer tells of its features, `geometry` among it, from the head of its file.

        Raises:
            InputError, DataFileError: as `records`.
        """
        import pyarrow.parquet as pq  # noqa: PLC0415 (only needed where a layer is read)

        entry = self._known(name)
        try:
            return list(pq.read_schema(self.folder / entry.file).names)
        except (OSError, ValueError) as error:  # of pyarrow all are one of these
            raise _forged(self.folder, entry, "não é um GeoParquet inteiro") from error

    def table(self, name: str) -> dict[str, NDArray[Any]]:
        """Map a table into memory: its columns by name, read-only.

        Raises:
            InputError: the bundle has no such table.
            DataFileError: its file is not what the manifest says, though the hash is that of the file.
        """
        import pyarrow as pa  # noqa: PLC0415 (only needed where a table is read)

        entry = next((table for table in self.manifest.tables if table.name == name), None)
        if entry is None:
            raise InputError("table", f"o pacote {self.folder.name} não tem a tabela “{name}”")
        try:
            columns = pa.ipc.open_file(pa.memory_map(str(self.folder / entry.file))).read_all()
        except (OSError, ValueError) as error:  # of pyarrow all are one of these
            raise _forged(self.folder, entry, "não é uma tabela Arrow inteira") from error
        if len(columns) != entry.rows:
            raise _forged(self.folder, entry, "não tem as linhas que o manifesto diz")
        return {each: _flat(columns.column(each)) for each in columns.column_names}


def _forged(folder: Path, entry: LayerEntry | TableEntry, message: str) -> DataFileError:
    """Name a file that was changed together with its hash."""
    return DataFileError(
        [Problem(folder.name, entry.name, entry.file, f"{message}; refaça o pacote com geocheck build")]
    )


def write_bundle(
    folder: Path,
    head: Mapping[str, Any],
    layers: Sequence[tuple[Mapping[str, Any], GeoDataFrame]],
    tables: Mapping[str, pa.Table],
) -> Bundle:
    """Write a bundle; if anything fails, whatever was there before stays as it was.

    Args:
        folder: where to; may hold an older bundle, but nothing else.
        head: fields of `Manifest` other than `layers`.
        layers: for each layer the fields of `LayerEntry` that are not known from its frame, and the frame
            in the bundle's metric system.
        tables: by name, of one chunk a column.

    Raises:
        InputError: the folder holds something that is no bundle (see `check_folder`).
        OSError: it cannot be written.
    """
    check_folder(folder)
    place = folder.resolve()  # a link stays one, and so does the folder of “.”
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    try:
        entries = [_write_layer(fresh, fields, frame) for fields, frame in layers]
        flat = [_write_table(fresh, name, table) for name, table in tables.items()]
        manifest = Manifest.model_validate({**head, "layers": entries, "tables": flat})
        text = manifest.model_dump_json(by_alias=True, indent=1)
        (fresh / MANIFEST).write_text(text + "\n", encoding="utf-8")
        fresh.chmod(0o755)
        _swap(fresh, place)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return load_bundle(place)  # of “.” there is only the old one left


def _write_layer(folder: Path, fields: Mapping[str, Any], frame: GeoDataFrame) -> LayerEntry:
    file = f"{fields['name']}.parquet"
    frame.to_parquet(folder / file, index=False, compression="zstd")
    digest = _digest(folder / file)
    return LayerEntry.model_validate({**fields, "features": len(frame), "file": file, "sha256": digest})


def _flat(column: pa.ChunkedArray) -> NDArray[Any]:
    """Return a column of numbers without a copy; one without rows has no chunk.

    Straight from its buffer: pyarrow's own way loads pandas.
    """
    kind = np.dtype(column.type.to_pandas_dtype())
    if not column.num_chunks or not len(column):
        return np.zeros(0, kind)
    chunk = column.chunk(0)
    return np.frombuffer(chunk.buffers()[1], kind)[chunk.offset : chunk.offset + len(chunk)]


def _write_table(folder: Path, name: str, table: pa.Table) -> TableEntry:
    import pyarrow as pa  # noqa: PLC0415 (only needed where a bundle is built)

    file = f"{name}.arrow"
    whole = table.combine_chunks()
    with pa.OSFile(str(folder / file), "wb") as sink, pa.ipc.new_file(sink, whole.schema) as writer:
        writer.write_table(whole)
    return TableEntry.model_validate(
        {"name": name, "rows": len(table), "file": file, "sha256": _digest(folder / file)}
    )


def _swap(fresh: Path, folder: Path) -> None:
    """Put the fresh folder in the place of the old one, which comes back if that fails."""
    if not folder.exists():
        fresh.replace(folder)
        return
    old = fresh.with_name(f"{fresh.name}.old")
    folder.replace(old)
    try:
        fresh.replace(folder)
    except OSError:
        old.replace(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def load_bundle(folder: Path) -> Bundle:
    """Load a bundle and check that every file is the one that was written.

    Raises:
        DataFileError: it is no bundle, of another version, or a file is missing or was changed.
    """
    path = folder / MANIFEST
    try:
        text = path.read_bytes()
    except OSError as error:
        message = f"não é um pacote do geocheck ({MANIFEST}: {why(error)})"
        raise DataFileError([Problem(str(folder), "", "", message)]) from None
    manifest = _manifest(text, folder.name)
    files: tuple[LayerEntry | TableEntry, ...] = (*manifest.layers, *manifest.tables)
    problems = [problem for entry in files for problem in _file_problems(folder, entry)]
    if problems:
        raise DataFileError(problems)
    return Bundle(folder, manifest, hashlib.sha256(text).hexdigest())


def _manifest(text: bytes, name: str) -> Manifest:
    try:
        raw = json.loads(text.decode())
    except (ValueError, RecursionError):
        message = "não é JSON válido; refaça o pacote com geocheck build"
        raise DataFileError([Problem(name, MANIFEST, "", message)]) from None
    version = raw.get("schema") if isinstance(raw, dict) else None
    if version != SCHEMA:
        given = f"a versão {str(version)[:60]!r}" if version else "um manifesto sem versão"
        message = f"{given} não é a que se sabe ler ({SCHEMA}); refaça o pacote com geocheck build"
        raise DataFileError([Problem(name, MANIFEST, "schema", message)])
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        problems = problems_of(
            error, name, lambda loc: (MANIFEST, ".".join(map(str, loc))), model_keys(Manifest)
        )
        raise DataFileError(problems) from None


def _file_problems(folder: Path, entry: LayerEntry | TableEntry) -> list[Problem]:
    path = folder / entry.file
    if path.parent != folder:
        return [Problem(folder.name, entry.name, "file", "aponta para fora do pacote")]
    try:
        same = _digest(path) == entry.sha256
    except OSError as error:
        return [Problem(folder.name, entry.name, entry.file, why(error))]
    message = "foi alterado depois de gravado; refaça o pacote com geocheck build"
    return [] if same else [Problem(folder.name, entry.name, entry.file, message)]


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
