"""Builds a city's bundle from an OSM file: streets to kerbs and corners, and the features OSM holds."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from pyproj import Transformer

from geocheck.city.bundle import write_bundle
from geocheck.city.frames import AXIS_ACCURACY_M, axis_frame, corner_frame, kerb_frame, mouth_frame, osm_frame
from geocheck.city.municipal import municipal_layer
from geocheck.city.osm import read_osm
from geocheck.city.osm_layers import QUERIES
from geocheck.city.streets.classify import Use
from geocheck.city.streets.continuity import connected_streets
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.graph import DERIVED_EDGE_M, GIVEN_EDGE_M
from geocheck.city.streets.widths import carriageway_widths
from geocheck.errors import InputError, UnknownNameError
from geocheck.model.words import LAYERS
from geocheck.version import __version__

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.bundle import Bundle
    from geocheck.city.municipal import LayerFile
    from geocheck.city.osm import OsmExtract
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.widths import Widths

POINT_ACCURACY_M: Final = 3.0
"""95 % half-width of an OSM point drawn from imagery."""

DERIVED: Final = ("axis", "kerb", "corner", "mouth")
"""Layers that are derived from streets."""

NARROWEST_M: Final = 0.01
"""Least half-width that the kerb's offset can be drawn with."""


def build_from_osm(
    city: City, osm: Path, folder: Path, now: dt.datetime, files: Sequence[LayerFile] = ()
) -> Bundle:
    """Build a bundle from one OSM file, and municipal files that take the place of OSM's layers.

    Args:
        city: whose.
        osm: `.osm` or `.osm.pbf`.
        folder: of the bundle; an older bundle there is replaced.
        now: aware instant.
        files: municipal files, at most one a layer.

    Raises:
        DataFileError: a file cannot be read, holds no street, or lies outside the city.
        InputError: the folder holds something else.
    """
    given = [file.layer for file in files]
    _check_given(given)
    municipal = [municipal_layer(file, city) for file in files]
    extract = read_osm(osm, city)
    ways = extract.ways
    widths = carriageway_widths(ways.tags, city, street=connected_streets(ways))
    edge_m = DERIVED_EDGE_M if extract.extent_derived else GIVEN_EDGE_M
    # A `placement` may put the line on a kerb; the offset needs a side all the same.
    left_m, right_m = (np.maximum(side, NARROWEST_M) for side in (widths.left_m, widths.right_m))
    streets = derive_streets(ways, HalfWidths(left_m, right_m), city, edge_m)
    digest = hashlib.sha256(osm.read_bytes()).hexdigest()
    common = {"sources": ({"file": osm.name, "sha256": digest},), "extent": None}
    network = {**common, "completeness": "complete", "accuracy_m": AXIS_ACCURACY_M}
    layers: list[tuple[dict[str, Any], Any]] = [
        (
            {**network, "name": "axis", "changes": tuple(_axis_changes(extract, streets))},
            axis_frame(ways, widths, city.crs),
        ),
        (
            {**network, "name": "kerb", "changes": tuple(_kerb_changes(streets, widths))},
            kerb_frame(streets, ways, widths, city.crs),
        ),
        ({**network, "name": "corner"}, corner_frame(streets, city.crs)),
        ({**network, "name": "mouth"}, mouth_frame(streets, city.crs)),
    ]
    layers += municipal
    for layer in QUERIES:
        if layer in given:
            continue
        frame = osm_frame(ways, layer, city.crs)
        if len(frame):
            fields = {**common, "name": layer, "completeness": "partial", "accuracy_m": POINT_ACCURACY_M}
            layers.append((fields, frame))
    head = {
        "engine": f"geocheck {__version__}",
        "city": city.id,
        "crs": city.crs,
        "driving_side": city.driving_side,
        "built_at": now,
        "extent": _lonlat(ways.extent, city.crs),
    }
    return write_bundle(folder, head, layers)


def _check_given(layers: Sequence[str]) -> None:
    for layer in layers:
        if layer not in LAYERS:
            raise UnknownNameError("--layer", layer, LAYERS)
        if layer in DERIVED:
            raise InputError("--layer", f"a camada “{layer}” ainda só se deriva das ruas do OSM")
        if layers.count(layer) > 1:
            raise InputError("--layer", f"a camada “{layer}” veio duas vezes; junte os arquivos")


def _lonlat(extent: shapely.Polygon | None, crs: str) -> dict[str, Any] | None:
    if extent is None:
        return None
    to_lonlat = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    in_degrees = shapely.transform(extent, lambda xy: np.column_stack(to_lonlat.transform(*xy.T)))
    geometry: dict[str, Any] = json.loads(shapely.to_geojson(in_degrees))
    return geometry


def _axis_changes(extract: OsmExtract, streets: Streets) -> Iterator[dict[str, Any]]:
    """Name everything that was left out of the streets, or joined to them."""
    left_out = {
        "via sem chave de interesse": extract.ways_without_key,
        "via com menos de dois nós": extract.empty_ways,
        "objeto apagado": extract.deleted,
        "identificador repetido (vale o último)": extract.repeated_ids,
        "relação (não lida)": extract.relations,
        "trecho sem comprimento": streets.counts.zero_length,
        "trecho repetido": streets.counts.duplicates,
        "trecho sobre outro, dividido": streets.counts.overlaps,
    }
    names = {
        Use.NOT_MOTOR: "via que não é de veículos",
        Use.DRIVEWAY: "acesso a imóvel ou corredor de estacionamento",
        Use.PRIVATE: "via fechada ao público",
        Use.UNBUILT: "via não construída ou abandonada",
        Use.AREA: "via desenhada como área",
    }
    left_out |= {name: streets.counts.ways_by_use.get(use.value, 0) for use, name in names.items()}
    for reason, count in left_out.items():
        if count:
            yield {"action": "dropped", "reason": reason, "count": count}
    guessed = {
        "ponta cortada pela borda ou por nó ausente": streets.counts.cut_nodes,
        "ponta solta dentro de outra pista, ligada a ela": streets.counts.almost_junctions,
    }
    for reason, count in guessed.items():
        if count:
            yield {"action": "assumed", "reason": reason, "count": count}
    if extract.extent_derived:
        yield {"action": "assumed", "reason": "limite do recorte: casca das vias", "count": 1}


def _kerb_changes(streets: Streets, widths: Widths) -> Iterator[dict[str, Any]]:
    for refusal in widths.refusal_counts():
        reason = f"{refusal.key} não usado: {refusal.reason.text}"
        yield {"action": "dropped", "reason": reason, "count": refusal.ways, "examples": refusal.examples}
    if streets.counts.collapsed:
        reason = "lado de trecho sem guia própria (curva mais fechada que a meia-pista)"
        yield {"action": "repaired", "reason": reason, "count": streets.counts.collapsed}
    if streets.counts.covered_corners:
        reason = "esquina dentro de outra pista do mesmo nível"
        yield {"action": "dropped", "reason": reason, "count": streets.counts.covered_corners}
    if streets.counts.covered_m >= 1:
        reason = "metro de guia dentro de outra pista do mesmo nível"
        yield {"action": "dropped", "reason": reason, "count": round(streets.counts.covered_m)}
    if streets.counts.lost_faces:
        yield {"action": "dropped", "reason": "face sem comprimento", "count": streets.counts.lost_faces}
