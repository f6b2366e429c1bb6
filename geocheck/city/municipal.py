"""A municipal file as a layer of the bundle: read, cleaned, and its account kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from geocheck.city.sources import Action, SourceOptions, read_layer

if TYPE_CHECKING:
    from pathlib import Path

    from geopandas import GeoDataFrame

    from geocheck.cities import City
    from geocheck.city.sources import Cleaning

_ACTIONS: Final = {
    Action.DROPPED: "dropped",
    Action.REPAIRED: "repaired",
    Action.GUESSED: "assumed",
    Action.KEPT: "kept",
}


@dataclass(frozen=True, slots=True)
class LayerFile:
    """A file handed in for a layer, and what was declared of it."""

    layer: str
    path: Path
    options: SourceOptions


def municipal_layer(file: LayerFile, city: City) -> tuple[dict[str, Any], GeoDataFrame]:
    """Read a file into the fields of its manifest entry and its frame, in the city's metres.

    Raises:
        DataFileError: the file cannot be read or placed; it says what it looks like and how to declare it.
        InputError: a declared coordinate system does not exist.
    """
    layer = read_layer(file.path, city, file.options)
    declared = layer.declared
    fields = {
        "name": file.layer,
        "sources": ({"file": layer.source.file, "sha256": layer.source.sha256},),
        "date": declared.date.isoformat() if declared.date else None,
        "accuracy_m": layer.accuracy_m,
        "completeness": declared.completeness,
        "changes": tuple(file_changes(layer.report)),
    }
    return fields, layer.frame


def file_changes(report: Cleaning) -> list[dict[str, Any]]:
    """Return the account of a reading as `manifest.Change` takes it."""
    return [
        {"action": _ACTIONS[note.action], "reason": note.message, "count": max(len(note.rows), 1)}
        for note in report.notes
    ]
