"""Whose data a map draws: said wherever it is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle

_OSM: Final = (".osm", ".pbf", ".graphml")


def credit_of(bundle: Bundle) -> str:
    """Say whose data is drawn."""
    files = {source.file.lower() for layer in bundle.manifest.layers for source in layer.sources}
    osm = any(file.endswith(_OSM) or "openstreetmap" in file for file in files)
    return "© colaboradores do OpenStreetMap (ODbL)" if osm else "dados do pacote da cidade"
