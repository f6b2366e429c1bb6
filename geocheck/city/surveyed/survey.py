"""A municipal layer of kerb lines: read, its columns of street name and side made out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.city.layers.municipal import file_changes
from geocheck.city.sources import read_layer
from geocheck.city.streets.kerbs import LEFT, RIGHT
from geocheck.city.surveyed.block_side import UNKNOWN
from geocheck.errors import DataFileError, InputError, Problem, did_you_mean

if TYPE_CHECKING:
    import geopandas as gpd
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.layers.municipal import LayerFile

SURVEYED_ACCURACY_M: Final = 0.1
"""95 % half-width of a surveyed line of which nothing else is said (DESIGN §5)."""

_SIDES: Final = {
    "left": LEFT,
    "esquerda": LEFT,
    "esquerdo": LEFT,
    "e": LEFT,
    "right": RIGHT,
    "direita": RIGHT,
    "direito": RIGHT,
    "d": RIGHT,
    "": UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Survey:
    """n features with surveyed kerb lines.

    Attributes:
        geometry: in metres of the city's system, shape (n,).
        street: name by feature, empty where nobody says.
        carriageway: side of the carriageway as the line is drawn (`kerbs.LEFT`, …), shape (n,).
        accuracy_m: 95 % half-width of a place on each, shape (n,).
        fields: of the manifest's entry: sources, date, completeness, accuracy, changes.
    """

    geometry: NDArray[np.object_]
    street: tuple[str, ...]
    carriageway: NDArray[np.int64]
    accuracy_m: NDArray[np.float64]
    fields: dict[str, Any]


def read_survey(file: LayerFile, city: City) -> Survey:
    """Read a layer of kerb lines.

    Raises:
        DataFileError: it cannot be read, holds no line, or a side is neither left nor right.
        InputError: a declared column does not exist.
    """
    options = file.options
    if options.accuracy_m is None:
        options = options.model_copy(update={"accuracy_m": SURVEYED_ACCURACY_M})
    layer = read_layer(file.path, city, options)
    frame = layer.frame
    geometry = np.asarray(frame.geometry.array, object)
    if not np.isin(shapely.get_type_id(geometry), (1, 2, 5)).any():
        message = "não tem linha nenhuma: a camada kerb quer as linhas das guias (meio-fio)"
        raise DataFileError([Problem(file.path.name, "", "", message)])
    streets = _texts(frame, _column(frame, options.street, "street"))
    return Survey(
        geometry=geometry,
        street=tuple(streets),
        carriageway=_sides(file.path.name, frame, _column(frame, options.carriageway, "carriageway")),
        accuracy_m=np.full(len(frame), layer.accuracy_m),
        fields={
            "sources": ({"file": layer.source.file, "sha256": layer.source.sha256},),
            "date": options.date.isoformat() if options.date else None,
            "accuracy_m": layer.accuracy_m,
            "completeness": options.completeness,
            "changes": tuple(file_changes(layer.report)),
        },
    )


def _column(frame: gpd.GeoDataFrame, declared: str | None, usual: str) -> str | None:
    """Return the declared column, or the one that is called what we call it."""
    names = [str(name) for name in frame.columns if name != frame.geometry.name]
    if declared is None:
        return usual if usual in names else None
    if declared not in names:
        hint = did_you_mean(declared, names)
        raise InputError(
            f"--layer kerb: {usual}", f"não há coluna “{declared}”{hint}; há: {', '.join(names)}"
        )
    return declared


def _texts(frame: gpd.GeoDataFrame, column: str | None) -> list[str]:
    if column is None:
        return [""] * len(frame)
    return [str(value).strip() for value in frame[column].astype("string").fillna("")]


def _sides(name: str, frame: gpd.GeoDataFrame, column: str | None) -> NDArray[np.int64]:
    found = [text.casefold() for text in _texts(frame, column)]
    problems = [
        Problem(name, f"registro {row}", str(column), f"“{text}” não é um lado; use esquerda ou direita")
        for row, text in zip(frame["source_row"], found, strict=True)
        if text not in _SIDES
    ]
    if problems:
        raise DataFileError(problems)
    return np.array([_SIDES[text] for text in found], np.int64)
