"""From where a city's streets are asked to come: an OSM file, a street graph, a place to download, axes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from geocheck.city.metric import check_metric
from geocheck.errors import InputError
from geocheck.settings import download_settings

if TYPE_CHECKING:
    from geocheck.cities import City
    from geocheck.city.layers.municipal import LayerFile
    from geocheck.city.network.network import Network


@dataclass(frozen=True, slots=True)
class StreetSource:
    """What was asked for; exactly one of them is given.

    Attributes:
        file: `.osm`, `.osm.pbf` or `.graphml`.
        place: to be downloaded, as people call it.
        axes: lines of a city hall.
    """

    file: Path | None = None
    place: str | None = None
    axes: LayerFile | None = None

    def given(self) -> int:
        """Return how many are given."""
        return sum(each is not None for each in (self.file, self.place, self.axes))


def open_network(source: StreetSource, city: City) -> Network:
    """Read the streets of a city, from wherever they are to come.

    Raises:
        InputError: none or more than one source is given, or the file has no name.
        DataFileError: it cannot be read, or lies outside the city, or the city has no system in metres.
        DownloadError: the place cannot be downloaded.
    """
    if source.given() != 1:
        message = "dê as ruas de uma só fonte: --osm ARQUIVO, --download LUGAR ou --layer axis=ARQUIVO"
        raise InputError("ruas", message)
    check_metric(city)
    # Each reader brings heavy libraries of its own.
    if source.axes is not None:
        from geocheck.city.network.axes import axis_network  # noqa: PLC0415

        return axis_network(source.axes, city)
    if source.place is not None:
        from geocheck.city.network.download import download_network  # noqa: PLC0415

        return download_network(source.place, city, download_settings(os.environ))
    return _read_file(source.file or Path(), city)


def _read_file(path: Path, city: City) -> Network:
    if path == Path():
        raise InputError("--osm", "falta o nome do arquivo: .osm, .osm.pbf ou .graphml")
    if path.suffix.lower() == ".graphml":
        from geocheck.city.network.graphml import graphml_network  # noqa: PLC0415

        return graphml_network(path, city)
    from geocheck.city.network.network import osm_network  # noqa: PLC0415

    return osm_network(path, city)
