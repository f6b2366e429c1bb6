"""Builds the neighbourhood's bundle from its files, as `geocheck build` would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geocheck.city.build import build_city
from geocheck.city.layers.declaration import beside, read_declaration
from geocheck.city.layers.municipal import LayerFile
from geocheck.city.network.source import StreetSource, open_network
from geocheck.demo.files import LAYERS_FOLDER, STREETS_FILE

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle


def layer_files(folder: Path) -> list[LayerFile]:
    """Return the layers of a neighbourhood's folder, each with the TOML beside it, by name."""
    found = []
    for path in sorted((folder / LAYERS_FOLDER).glob("*.geojson")):
        toml = beside(path)
        if toml is None:
            message = f"falta {path.name}.geocheck.toml ao lado de {path}"
            raise FileNotFoundError(message)
        found.append(LayerFile(path.stem, path, read_declaration(toml, path.stem), toml))
    return found


def build_neighbourhood(
    city: City,
    folder: Path,
    bundle: Path,
    now: dt.datetime,
    *,
    without: Collection[str] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> Bundle:
    """Build a bundle from a folder that `files.write_neighbourhood` wrote.

    Args:
        city: in which the neighbourhood lies.
        folder: of its files.
        bundle: where to write; an older bundle there is replaced.
        now: aware instant.
        without: layers of the folder that are not to be used.
        tell: is called with each step of the build when it begins.
    """
    network = open_network(StreetSource(file=folder / STREETS_FILE, place=None, axes=None), city)
    files = [file for file in layer_files(folder) if file.layer not in without]
    return build_city(city, network, files, bundle, now, tell)
