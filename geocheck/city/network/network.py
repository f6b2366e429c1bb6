"""Where the streets come from: ways in metres, with their source, their accuracy and what was left out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from geocheck.city.changes import changes
from geocheck.city.layers.table import IMAGERY_ACCURACY_M
from geocheck.city.osm.read import read_osm

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.osm.read import OsmExtract
    from geocheck.city.sources.options import Completeness
    from geocheck.city.ways import Ways

HULL_TAKEN: Final[Change] = {"action": "assumed", "reason": "limite do recorte: casca das vias", "count": 1}
"""Said where nobody tells where the streets are complete."""


@dataclass(frozen=True, slots=True)
class Network:
    """The streets of a city, and of an OSM file whatever else it holds.

    Attributes:
        ways: in the city's system; their tags are OSM's, whatever the file called them.
        sources: the files they came from, as `manifest.SourceFile` takes them.
        accuracy_m: 95 % half-width of an axis across the street.
        extent_derived: nobody said where the ways are complete; `ways.extent` was guessed from them.
        changes: what was left out or guessed in reading, as `manifest.Change` takes them.
        date: of the data, as its provider says.
        completeness: what it means that there is no street at a place of the extent.
        tells_bridges: the files tag bridges and tunnels: a way without a tag is neither.
    """

    ways: Ways
    sources: tuple[dict[str, Any], ...]
    accuracy_m: float
    extent_derived: bool
    changes: tuple[Change, ...]
    date: str | None = None
    completeness: Completeness = "complete"
    tells_bridges: bool = False


def osm_network(path: Path, city: City) -> Network:
    """Read the streets and features of an OSM file.

    Args:
        path: `.osm` or `.osm.pbf`.
        city: whose.

    Raises:
        DataFileError: the file cannot be read, holds no street, or lies outside the city.
    """
    extract = read_osm(path, city)
    guessed = [HULL_TAKEN] if extract.extent_derived else []
    return Network(
        ways=extract.ways,
        sources=({"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()},),
        accuracy_m=IMAGERY_ACCURACY_M,
        extent_derived=extract.extent_derived,
        changes=(*extract_changes(extract), *guessed),
        tells_bridges=True,
    )


def extract_changes(extract: OsmExtract) -> list[Change]:
    """Name what was left out in reading OSM data."""
    return changes(
        [
            ("dropped", "via sem chave de interesse", extract.ways_without_key),
            ("dropped", "via com menos de dois nós", extract.empty_ways),
            ("dropped", "objeto apagado", extract.deleted),
            ("dropped", "identificador repetido (vale o último)", extract.repeated_ids),
            ("dropped", "relação (não lida)", extract.relations),
            ("kept", "via a mais de 0,25° da caixa da cidade: confira o recorte", extract.far_ways),
        ]
    )
