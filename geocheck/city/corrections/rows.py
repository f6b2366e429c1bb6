"""Reads a file of corrections, row by row, and refuses what is not whole (docs/corrections.md)."""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.city.layers.declaration import attributes_of
from geocheck.city.layers.municipal import file_changes
from geocheck.city.layers.shapes import shapes_fit, shapes_text
from geocheck.city.layers.table import LAYER_KINDS
from geocheck.city.layers.values import set_value
from geocheck.city.sources import Action, numbers, read_layer
from geocheck.city.surveyed.survey import SURVEYED_ACCURACY_M
from geocheck.errors import DataFileError, Problem, did_you_mean
from geocheck.model.words import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import geopandas as gpd
    import shapely

    from geocheck.cities import City
    from geocheck.city.layers.municipal import LayerFile
    from geocheck.city.sources import Layer

COLUMNS: Final = (
    *("what", "layer", "way", "side", "value_m", "accuracy_m", "attributes", "author", "date", "note"),
)

NOT_ADDED: Final = frozenset({"axis", "kerb", "corner", "mouth", "crossing_area", "correction"})
"""Layers of which nothing is added or removed: they are derived, or have a correction of their own."""


class What(StrEnum):
    """What is corrected."""

    WIDTH = "width"
    CORNER = "corner"
    KERB = "kerb"
    ADD = "add"
    REMOVE = "remove"


_WHATS: Final = {
    **{each.value: each for each in What},
    "largura": What.WIDTH,
    "esquina": What.CORNER,
    "guia": What.KERB,
    "incluir": What.ADD,
    "remover": What.REMOVE,
}
_SIDES: Final = {
    "": "both",
    "both": "both",
    "ambos": "both",
    "left": "left",
    "esquerda": "left",
    "esquerdo": "left",
    "right": "right",
    "direita": "right",
    "direito": "right",
    "here": "here",
    "aqui": "here",
}
_SHAPES: Final = {
    What.WIDTH: (frozenset({"Point"}), "um ponto sobre a via"),
    What.CORNER: (frozenset({"Point"}), "o ponto da esquina"),
    What.KERB: (frozenset({"LineString", "MultiLineString"}), "a linha da guia"),
    What.REMOVE: (frozenset({"Point"}), "um ponto junto à feição"),
}
_RANGES_M: Final = {"both": (2.0, 60.0)}
_HALF_RANGE_M: Final = (0.5, 40.0)
_MOST_ACCURACY_M: Final = 100.0


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction.

    Attributes:
        row: number of the record in the file, from 1.
        what: is corrected.
        geometry: where, in the city's metres.
        layer: of the feature added or removed, else empty.
        way: id of the way or feature meant, empty where the place tells.
        side: `left` or `right` of the way as drawn, `here` for the side of the point, or `both`.
        value_m: the width; NaN for none.
        accuracy_m: 95 % half-width.
        attributes: of a feature added.
        author: who found it.
        date: when.
        note: whatever else they wrote.
    """

    row: int
    what: What
    geometry: shapely.Geometry
    layer: str
    way: str
    side: str
    value_m: float
    accuracy_m: float
    attributes: Mapping[str, object]
    author: str
    date: dt.date
    note: str

    @property
    def signed(self) -> str:
        """Name it in pt-BR by its record, author and date."""
        return f"registro {self.row}, {self.author}, {self.date:%d/%m/%Y}"


@dataclass(frozen=True, slots=True)
class CorrectionFile:
    """A file of corrections.

    Attributes:
        name: of the file.
        rows: in the order of date, then record.
        frame: as read.
        fields: of the manifest's entry.
    """

    name: str
    rows: tuple[Correction, ...]
    frame: gpd.GeoDataFrame
    fields: dict[str, Any]

    def of(self, what: What) -> tuple[Correction, ...]:
        """Return the corrections of one thing."""
        return tuple(row for row in self.rows if row.what is what)


def read_corrections(file: LayerFile, city: City, today: dt.date) -> CorrectionFile:
    """Read a file of corrections.

    Args:
        file: any vector file or table; its columns are `COLUMNS`.
        city: whose.
        today: nothing was found later.

    Raises:
        DataFileError: it cannot be read, or a row is not whole; all the problems are listed.
    """
    options = file.options
    if options.accuracy_m is None:
        options = options.model_copy(update={"accuracy_m": SURVEYED_ACCURACY_M})
    layer = read_layer(file.path, city, options)
    name = file.path.name
    problems = [
        Problem(name, f"registro {row}", "", note.message)
        for note in layer.report.notes
        if note.action is Action.DROPPED
        for row in note.rows
    ]
    problems += [
        Problem(name, "", column, "falta a coluna; toda correção diz o quê, quem e quando")
        for column in ("what", "author", "date")
        if column not in layer.frame.columns
    ]
    if problems:
        raise DataFileError(problems)
    rows = [_Row(name, index, layer, today) for index in range(len(layer.frame))]
    corrections = [row.read() for row in rows]
    problems = [problem for row in rows for problem in row.problems]
    if problems:
        raise DataFileError(problems)
    fields = {
        "name": "correction",
        "sources": ({"file": layer.source.file, "sha256": layer.source.sha256},),
        "date": max(each.date for each in corrections).isoformat(),
        "accuracy_m": layer.accuracy_m,
        "completeness": options.completeness,
        "changes": tuple(file_changes(layer.report)),
    }
    return CorrectionFile(
        name, tuple(sorted(corrections, key=lambda each: (each.date, each.row))), layer.frame, fields
    )


class _Row:
    """A row as it is checked; it collects what is wrong with it."""

    def __init__(self, file: str, index: int, layer: Layer, today: dt.date) -> None:
        self.file, self.index, self.layer, self.today = file, index, layer, today
        self.number = int(layer.frame["source_row"].iloc[index])
        self.problems: list[Problem] = []

    def read(self) -> Correction:
        """Return the correction; it holds nonsense where there are problems."""
        what = self._one_of("what", _WHATS, None)
        side = self._one_of("side", _SIDES, "both")
        layer = self._layer(what)
        geometry = self.layer.frame.geometry.iloc[self.index]
        if what in _SHAPES and geometry.geom_type not in _SHAPES[what][0]:
            self._wrong("geometry", f"{what} quer {_SHAPES[what][1]}, e não {geometry.geom_type}")
        value = self._metres("value_m")
        if (
            what is What.ADD
            and layer in LAYER_KINDS
            and not shapes_fit(np.array([geometry], object), layer)[0][0]
        ):
            self._wrong("geometry", f"a camada “{layer}” só tem {shapes_text(layer)}")
        if what is What.WIDTH:
            low, high = _RANGES_M.get(side, _HALF_RANGE_M)
            if not low <= value <= high:
                self._wrong("value_m", f"width quer a medida em metros, de {low:g} a {high:g}")
        accuracy = self._metres("accuracy_m")
        if not (math.isnan(accuracy) or 0 <= accuracy <= _MOST_ACCURACY_M):
            self._wrong("accuracy_m", f"dê de 0 a {_MOST_ACCURACY_M:g} metros, ou deixe em branco")
        return Correction(
            row=self.number,
            what=what or What.ADD,
            geometry=geometry,
            layer=layer,
            way=self._text("way"),
            side=side,
            value_m=value,
            accuracy_m=self.layer.accuracy_m if math.isnan(accuracy) else accuracy,
            attributes=dict(self._attributes(what, layer)),
            author=self._needed("author"),
            date=self._date(),
            note=self._text("note"),
        )

    def _text(self, column: str) -> str:
        if column not in self.layer.frame.columns:
            return ""
        value = self.layer.frame[column].astype("string").fillna("").iloc[self.index]
        return str(value).strip()

    def _wrong(self, column: str, message: str) -> None:
        self.problems.append(Problem(self.file, f"registro {self.number}", column, message))

    def _needed(self, column: str) -> str:
        text = self._text(column)
        if not text:
            self._wrong(column, "falta; correção sem autor e data não vale")
        return text

    def _one_of(self, column: str, words: Mapping[str, Any], default: Any) -> Any:  # noqa: ANN401 (any word)
        text = self._text(column)
        if text.casefold() in words:
            return words[text.casefold()]
        known = ", ".join(dict.fromkeys(str(each) for each in words.values()))
        self._wrong(column, f"“{text}” não existe{did_you_mean(text, words)}; há: {known}")
        return default

    def _metres(self, column: str) -> float:
        text = self._text(column)
        value = float(numbers([text])[0])
        if text and math.isnan(value):
            self._wrong(column, f"“{text}” não é um número de metros")
        return value

    def _layer(self, what: What | None) -> str:
        text = self._text("layer")
        if what not in (What.ADD, What.REMOVE):
            return ""
        if text not in LAYERS:
            self._wrong("layer", f"“{text}” não é uma camada{did_you_mean(text, LAYERS)}")
        elif text in NOT_ADDED:
            self._wrong("layer", f"de “{text}” nada se inclui nem remove; corrija com width, corner ou kerb")
        return text

    def _attributes(self, what: What | None, layer: str) -> Iterator[tuple[str, object]]:
        known = {What.ADD: attributes_of(layer), What.KERB: ("street",)}.get(what or What.WIDTH, ())
        for part in filter(None, (each.strip() for each in self._text("attributes").split(";"))):
            key, equals, value = (each.strip() for each in part.partition("="))
            if not equals or not re.fullmatch(r"[A-Za-z_][\w:]*", key):
                self._wrong("attributes", f"“{part}” não tem a forma chave=valor; separe por ponto e vírgula")
            elif key not in known:
                self._wrong("attributes", f"“{key}” não é atributo aqui{did_you_mean(key, known)}")
            else:
                try:
                    yield key, set_value(key, value)
                except ValueError as error:
                    self._wrong("attributes", str(error))

    def _date(self) -> dt.date:
        text = self._needed("date")
        day = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", text)
        iso = f"{day[3]}-{int(day[2]):02d}-{int(day[1]):02d}" if day else text[:10]
        try:
            found = dt.date.fromisoformat(iso)
        except ValueError:
            if text:
                self._wrong("date", f"“{text}” não é uma data; escreva 2026-03-01 ou 01/03/2026")
            return self.today
        if found > self.today:
            self._wrong("date", f"{found:%d/%m/%Y} está no futuro")
        return found
