"""Where the streets come from: ways in metres, with their source, their accuracy and what was left out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from geocheck.city.layers.table import IMAGERY_ACCURACY_M
from geocheck.city.osm.read import read_osm

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.osm.read import OsmExtract
    from geocheck.city.sources.options import Completeness
    from geocheck.city.ways import Ways


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
    changes: tuple[dict[str, Any], ...]
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
    changes = extract_changes(extract)
    if extract.extent_derived:
        changes.append({"action": "assumed", "reason": "limite do recorte: casca das vias", "count": 1})
    return Network(
        ways=extract.ways,
        sources=({"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()},),
        accuracy_m=IMAGERY_ACCURACY_M,
        extent_derived=extract.extent_derived,
        changes=tuple(changes),
        tells_bridges=True,
    )


def extract_changes(extract: OsmExtract) -> list[dict[str, Any]]:
    """Name what was left out in reading OSM data."""
    left_out = {
        "via sem chave de interesse": extract.ways_without_key,
        "via com menos de dois nós": extract.empty_ways,
        "objeto apagado": extract.deleted,
        "identificador repetido (vale o último)": extract.repeated_ids,
        "relação (não lida)": extract.relations,
    }
    return [
        {"action": "dropped", "reason": reason, "count": count} for reason, count in left_out.items() if count
    ]
