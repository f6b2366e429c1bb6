"""A municipal file as a layer of the bundle: read, cleaned, put into the layer's words, its account kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from geocheck.city.layers.extents import outside_changes, read_extent
from geocheck.city.layers.mapped import featureless, mapped
from geocheck.city.layers.merging import Sourced
from geocheck.city.sources import Action, read_records
from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.changes import Change, ChangeAction
    from geocheck.city.layers.declaration import Declaration
    from geocheck.city.sources import Cleaning

_ACTIONS: Final[dict[Action, ChangeAction]] = {
    Action.DROPPED: "dropped",
    Action.REPAIRED: "repaired",
    Action.GUESSED: "assumed",
    Action.KEPT: "kept",
}

_SAYS_NOTHING: Final = (
    "o arquivo não tem nenhum registro; se quem o fez garante que não há nenhum ali, declare "
    "completeness=complete; senão, deixe a camada de fora"
)


@dataclass(frozen=True, slots=True)
class LayerFile:
    """A file handed in for a layer, and what was declared of it.

    Attributes:
        layer: its name.
        path: of the file.
        options: by the TOML and the command.
        toml: that was read, if any.
    """

    layer: str
    path: Path
    options: Declaration
    toml: Path | None = None


def municipal_layer(file: LayerFile, city: City) -> Sourced:
    """Read a file into a layer, in the city's metres.

    A file without a single record says that there are none, where it is declared complete, and else nothing.

    Raises:
        DataFileError: the file cannot be read or placed, or a column that was named is not there; it says
            what the file looks like and how to declare it.
        InputError: a declared coordinate system does not exist.
    """
    declared = file.options
    layer = read_records(file.path, city, declared)
    empty = not len(layer.frame)
    if empty and declared.completeness != "complete":
        raise DataFileError([Problem(layer.source.file, "", "", _SAYS_NOTHING)])
    frame, changes = (featureless(file.layer, city.crs), []) if empty else mapped(layer, file.layer, declared)
    sources = [{"file": layer.source.file, "sha256": layer.source.sha256}]
    if file.toml is not None:
        digest = hashlib.sha256(file.toml.read_bytes()).hexdigest()
        sources.append({"file": file.toml.name, "sha256": digest})
    extent = None
    if declared.extent is not None:
        extent, source = read_extent(declared.extent, city)
        sources.append({"file": source.file, "sha256": source.sha256})
        changes += outside_changes(frame, extent)
    return Sourced(
        frame=frame,
        title=layer.source.file,
        sources=tuple(sources),
        date=declared.date.isoformat() if declared.date else None,
        completeness=declared.completeness,
        extent=extent,
        changes=(*file_changes(layer.report), *changes),
        municipal=True,
    )


def file_changes(report: Cleaning) -> list[Change]:
    """Return the account of a reading as `manifest.Change` takes it."""
    return [
        {"action": _ACTIONS[note.action], "reason": note.message, "count": max(len(note.rows), 1)}
        for note in report.notes
    ]
