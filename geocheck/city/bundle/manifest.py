"""What a bundle says of itself: city, system of coordinates, and each layer's source, accuracy and losses."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from geocheck.city.changes import ChangeAction, Unit
from geocheck.city.sources.options import Completeness
from geocheck.model.base import Frozen
from geocheck.model.words import LAYERS

SCHEMA: Literal["geocheck/bundle/1"] = "geocheck/bundle/1"

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


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
    features: Annotated[int, Field(ge=0)]
    sources: tuple[SourceFile, ...]
    date: str | None = None
    accuracy_m: Annotated[float, Field(ge=0)]
    completeness: Completeness
    extent: dict[str, Any] | None = None
    changes: tuple[Change, ...] = ()
    file: str
    sha256: Digest


class TableEntry(Frozen):
    """A table of the bundle without geometries of its own, for the index: it is mapped into memory.

    Attributes:
        name: `segment`, `side` and `place` are the ruler, `station.LAYER` says where a layer lies on it.
        rows: how many.
        file: Arrow file in the bundle.
        sha256: of that file.
    """

    name: Annotated[str, Field(pattern=r"^(segment|side|place|station\.[a-z_]+)$")]
    rows: Annotated[int, Field(ge=0)]
    file: str
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

    kerbs: Annotated[int, Field(ge=0)]
    kerbs_by_width: dict[str, int]
    corners: dict[str, int]
    ends_unknown: Annotated[int, Field(ge=0)]
    junctions: Annotated[int, Field(ge=0)]
    junctions_of_several_nodes: Annotated[int, Field(ge=0)]
    roundabouts: Annotated[int, Field(ge=0)]
    kerb_beside_m: dict[str, float]


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

    schema_: Literal["geocheck/bundle/1"] = Field(default=SCHEMA, alias="schema")
    engine: str
    city: str
    crs: Annotated[str, Field(pattern=r"^EPSG:\d{4,6}$")]
    driving_side: Literal["right", "left"]
    built_at: datetime
    extent: dict[str, Any] | None = None
    streets: StreetSummary | None = None
    layers: tuple[LayerEntry, ...]
    tables: tuple[TableEntry, ...] = ()
