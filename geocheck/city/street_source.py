"""From where a city's streets are asked to come: an OSM file, a street graph, a place to download, axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from geocheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.municipal import LayerFile
    from geocheck.city.network import Network


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
        InputError: none or more than one source is given.
        DataFileError: it cannot be read, or lies outside the city.
        DownloadError: the place cannot be downloaded.
    """
    if source.given() != 1:
        message = "dê as ruas de uma só fonte: --osm ARQUIVO, --download LUGAR ou --layer axis=ARQUIVO"
        raise InputError("ruas", message)
    # Each reader brings heavy libraries of its own.
    if source.axes is not None:
        from geocheck.city.axes import axis_network  # noqa: PLC0415

        return axis_network(source.axes, city)
    if source.place is not None:
        from geocheck.city.download import download_network  # noqa: PLC0415

        return download_network(source.place, city)
    if source.file is not None and source.file.suffix.lower() == ".graphml":
        from geocheck.city.graphml import graphml_network  # noqa: PLC0415

        return graphml_network(source.file, city)
    from geocheck.city.network import osm_network  # noqa: PLC0415

    return osm_network(source.file, city)
