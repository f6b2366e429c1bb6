"""What the person who hands in a layer says about it, beside the file."""

from __future__ import annotations

import codecs
import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from geocheck.cities import EpsgCode, Text
from geocheck.model.base import Frozen

Completeness = Literal["complete", "partial", "unknown"]
"""Whether the layer holds everything of its kind inside its extent."""


def _known_encoding(name: str) -> str:
    try:
        "a".encode(name)  # some codecs are not of text
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise ValueError(f"“{name}” não é uma codificação de texto; use utf-8, cp1252 ou latin-1") from None


class SourceOptions(Frozen):
    """What is declared about a layer's file; it wins over what the file says of itself.

    Attributes:
        crs: coordinate system of the file's numbers; None: the one the file names.
        accuracy_m: half-width of 95 %, in metres; None: the usual one of its kind.
        completeness: as its provider declares.
        date: of the survey or publication.
        layer: which layer, of a file that has several.
        geometry: the column with geometry, of a table (WKT) or a GeoParquet file.
        x: the column with the longitude or the easting, of a table.
        y: the column with the latitude or the northing, of a table.
        encoding: of the text.
        name: the column with the names of streets, of a file of axes.
        street: of a kerb layer, the column with the street's name.
        carriageway: of a kerb layer, the column that says on which side of the drawn line the carriageway is.
    """

    crs: EpsgCode | None = None
    accuracy_m: Annotated[float, Field(ge=0, le=1000)] | None = None
    completeness: Completeness = "unknown"
    date: dt.date | None = None
    layer: Text | None = None
    geometry: Text | None = None
    x: Text | None = None
    y: Text | None = None
    encoding: Annotated[Text, AfterValidator(_known_encoding)] | None = None
    name: Text | None = None
    street: Text | None = None
    carriageway: Text | None = None

    @model_validator(mode="after")
    def _one_way_to_say_where(self) -> Self:
        if (self.x is None) != (self.y is None):
            raise ValueError("dê as duas colunas, x e y, ou nenhuma")
        if self.x is not None and self.geometry is not None:
            raise ValueError("dê x e y ou geometry, não os dois")
        return self
