"""What a bundle says of itself: city, system of coordinates, and each layer's source, accuracy and losses."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Field, model_validator

from geocheck.city.changes import ChangeAction, Unit
from geocheck.city.sources.options import Completeness
from geocheck.model.base import Frozen
from geocheck.model.words import LAYERS

SCHEMA: Literal["geocheck/bundle/2"] = "geocheck/bundle/2"

Count = Annotated[int, Field(ge=0)]
FileName = Annotated[str, Field(pattern=r"^[a-z0-9_./-]{1,200}$")]
Width = Literal[
    "correction", "surveyed", "kerb_way", "width:carriageway", "width", "est_width",
    "lanes_parking", "right_of_way", "class_default",
]  # fmt: skip
Corner = Literal["corner", "taper", "elbow", "unknown"]
Beside = Literal["yes", "divider", "island", "unknown"]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("instante fora do calendário") from None


class SourceFile(Frozen):
    """A file that a layer was made from."""

    file: str
    sha256: Digest


class Change(Frozen):
    """Features that were dropped, repaired, guessed at or kept though odd, and why (pt-BR).

    Attributes:
        action: what was done.
        reason: pt-BR.
        count: how many features, tags of features, or metres of line.
        unit: of the count.
        examples: a few of them.
    """

    action: ChangeAction
    reason: str
    count: Annotated[int, Field(ge=1)]
    unit: Unit = "feature"
    examples: tuple[str, ...] = ()


class LayerEntry(Frozen):
    """A layer of the bundle.

    Attributes:
        name: of the closed list.
        features: how many.
        sources: the files it was made from.
        date: of the data, as its provider says.
        accuracy_m: half-width of the 95 % interval of a position, metres.
        completeness: what an empty place in it means.
        extent: GeoJSON polygon in lon/lat within which it holds; none: that of the bundle.
        changes: what was done to the features.
        file: GeoParquet file in the bundle.
        sha256: of that file.
    """

    name: Literal[LAYERS]  # type: ignore[valid-type]
    features: Count
    sources: tuple[SourceFile, ...]
    date: str | None = None
    accuracy_m: Annotated[float, Field(ge=0)]
    completeness: Completeness
    extent: dict[str, Any] | None = None
    changes: tuple[Change, ...] = ()
    file: FileName
    sha256: Digest


class TableEntry(Frozen):
    """A table of the bundle without geometries of its own, for the index: it is mapped into memory.

    Attributes:
        name: `segment`, `side` and `place` are the ruler, `grid…` finds its segments, `station.LAYER` says
            where a layer lies on it.
        rows: how many.
        file: Arrow file in the bundle.
        sha256: of that file.
    """

    name: Annotated[str, Field(pattern=r"^(segment|side|place|grid(\.cell|\.segment)?|station\.[a-z_]+)$")]
    rows: Count
    file: FileName
    sha256: Digest


class StreetSummary(Frozen):
    """What was derived from streets, in numbers.

    Attributes:
        kerbs: block faces.
        kerbs_by_width: of them, by the source of the carriageway's width.
        corners: by kind.
        ends_unknown: ends of block faces at which nobody knows where the kerb goes.
        junctions: where streets meet; both carriageways of one street, and a roundabout, are one.
        junctions_of_several_nodes: of them, those that are several nodes of the network.
        roundabouts: of them.
        kerb_beside_m: metres of kerb beside a median (`yes`), a divider, a roundabout's island, or perhaps
            beside a median or a divider (`unknown`).
    """

    kerbs: Count
    kerbs_by_width: dict[Width, Count]
    corners: dict[Corner, Count]
    ends_unknown: Count
    junctions: Count
    junctions_of_several_nodes: Count
    roundabouts: Count
    kerb_beside_m: dict[Beside, Annotated[float, Field(ge=0)]]


class Manifest(Frozen):
    """The bundle's `manifest.json`.

    Attributes:
        schema_: version of the format (key `schema`).
        engine: what built it.
        city: id of the city sheet.
        crs: metric system of all coordinates (`EPSG:31982`).
        driving_side: side on which traffic drives.
        built_at: aware instant.
        extent: GeoJSON polygon in lon/lat within which the streets are known; none: nobody knows.
        streets: what was derived from streets, in numbers.
        layers: in the order in which they were built.
        tables: the ruler (its segments and sides, the place of each kerb on it) and the features' stations.
    """

    schema_: Literal["geocheck/bundle/2"] = Field(default=SCHEMA, alias="schema")
    engine: str
    city: str
    crs: Annotated[str, Field(pattern=r"^EPSG:\d{4,6}$")]
    driving_side: Literal["right", "left"]
    built_at: Annotated[AwareDatetime, AfterValidator(_in_utc)]
    extent: dict[str, Any] | None = None
    streets: StreetSummary | None = None
    layers: tuple[LayerEntry, ...]
    tables: tuple[TableEntry, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for entries in (self.layers, self.tables):
            names = [entry.name for entry in entries]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"aparece duas vezes: {', '.join(twice)}")
        return self
