"""Layers that are not derived from streets: what OSM holds, and municipal files in its place or over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geocheck.city.layers.extents import as_geojson
from geocheck.city.layers.merging import Sourced, laid_over
from geocheck.city.layers.municipal import municipal_layer
from geocheck.city.layers.table import LAYER_KINDS
from geocheck.city.osm.frames import osm_frames
from geocheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from geopandas import GeoDataFrame

    from geocheck.cities import City
    from geocheck.city.layers.municipal import LayerFile
    from geocheck.city.network.network import Network


def check_policies(files: Sequence[LayerFile]) -> None:
    """Refuse files of one layer of which a later one would do away with an earlier one.

    Raises:
        InputError: naming the layer and the mend.
    """
    seen = set()
    for file in files:
        if file.layer in seen and file.options.policy == "replace":
            message = (
                f"a camada “{file.layer}” veio duas vezes; junte os arquivos ou ponha policy=merge no segundo"
            )
            raise InputError("--layer", message)
        seen.add(file.layer)


def outside_layers(
    network: Network | None, files: Sequence[LayerFile], city: City
) -> Iterator[tuple[dict[str, Any], GeoDataFrame]]:
    """Return each layer's manifest fields and frame, municipal ones first, in the order in which they came.

    Files of one layer are laid over each other in their order: the last one wins.

    Raises:
        DataFileError: a file cannot be read, or lies outside the city.
        InputError: a coordinate system does not exist.
    """
    from_osm = dict(_from_osm(network, city)) if network is not None else {}
    given = dict.fromkeys(file.layer for file in files)
    for name in given:
        layer: Sourced | None = from_osm.get(name)
        for file in files:
            if file.layer == name:
                fresh = municipal_layer(file, city)
                merge = file.options.policy == "merge" and layer is not None
                layer = laid_over(fresh, layer, file.options.merge_m) if merge and layer else fresh
        if layer is not None:
            yield _entry(name, layer, city), layer.frame
    for name, layer in from_osm.items():
        if name not in given:
            yield _entry(name, layer, city), layer.frame


def _from_osm(network: Network, city: City) -> Iterator[tuple[str, Sourced]]:
    for name, (frame, changes) in osm_frames(network.ways, city).items():
        whole = LAYER_KINDS[name].of_network and network.tells_bridges and network.completeness == "complete"
        if not (whole or len(frame) or changes):
            continue  # what OSM does not hold is not known, and no layer without features
        layer = Sourced(
            frame=frame,
            title=", ".join(each["file"] for each in network.sources),
            sources=network.sources,
            date=network.date,
            completeness="complete" if whole else "partial",
            extent=None,
            changes=tuple(changes),
            municipal=False,
        )
        yield name, layer


def _entry(name: str, layer: Sourced, city: City) -> dict[str, Any]:
    empty_m = LAYER_KINDS[name].accuracy_m if name in LAYER_KINDS else 0.0
    return {
        "name": name,
        "sources": layer.sources,
        "date": layer.date,
        "completeness": layer.completeness,
        "accuracy_m": layer.accuracy_m if len(layer.frame) else empty_m,
        "extent": as_geojson(layer.extent, city.crs),
        "changes": layer.changes,
    }
