"""Laws and bundles that the service answers from: loaded once, bundles replaced when they are rebuilt."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from geocheck.check.sight.index import index_of
from geocheck.cities import city_names, shipped_city
from geocheck.city.bundle.bundle import load_bundle
from geocheck.city.bundle.folder import MANIFEST
from geocheck.city.find.index import find_index
from geocheck.city.near_box.drawn_map import drawn_map
from geocheck.errors import DataFileError, Problem
from geocheck.law.versions import city_law

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from geocheck.check.sight.index import MapIndex
    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.law.versions import CityLaw

LOOKED_EVERY_S: Final = 1.0
"""How often folders are looked at for a bundle that was built anew."""

_log = logging.getLogger("geocheck.service")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A city's bundle, ready for checks."""

    city: City
    bundle: Bundle
    index: MapIndex


class Store:
    """The laws and bundles of a service by city; what it hands out stays whole while it is used."""

    def __init__(self, folders: Iterable[Path], sheets: Iterable[Path] = ()) -> None:
        """Take the folders of bundles, and city sheets of one's own; nothing is read yet."""
        self._folders = tuple(folders)
        self._sheets = tuple(sheets)
        self._own: dict[str, CityLaw] = {}
        self._loaded: dict[str, Loaded] = {}
        self._seen: dict[Path, tuple[int, int]] = {}

    @property
    def loaded(self) -> Mapping[str, Loaded]:
        """What is loaded, by city."""
        return self._loaded

    @property
    def cities(self) -> list[City]:
        """The cities whose law is known, by id."""
        shipped = {name: shipped_city(name) for name in city_names()}
        own = {name: law.city for name, law in self._own.items()}
        return [city for _, city in sorted((shipped | own).items())]

    def law(self, name: str) -> CityLaw:
        """Return the law of a city by its name; a stranger names a city, never a file of this machine.

        Raises:
            UnknownNameError: there is no such city.
        """
        own = self._own.get(name.strip().casefold())
        return city_law(shipped_city(name).id) if own is None else own

    def load(self) -> None:
        """Load every sheet and folder, once.

        Raises:
            DataFileError: a sheet has problems, a folder is no bundle, or two are of one city.
            UnknownNameError: a bundle is of a city without a sheet.
        """
        self._own = self._own or {law.city.id: law for law in map(city_law, map(str, self._sheets))}
        for folder in self._folders if not self._loaded else ():
            self._seen[folder] = _stamp(folder)
            found = self._load(folder)
            if found.city.id in self._loaded:
                message = f"já há outro pacote de “{found.city.id}”; dê um por cidade"
                raise DataFileError([Problem(str(folder), "", "", message)])
            self._loaded[found.city.id] = found

    def of(self, city_id: str) -> Loaded | None:
        """Return what is loaded of a city, None where nothing is."""
        return self._loaded.get(city_id)

    def is_current(self, loaded: Loaded) -> bool:
        """Whether the files in the bundle's folder are still those that were loaded."""
        return _stamp(loaded.bundle.folder) == self._seen.get(loaded.bundle.folder)

    def reload(self) -> None:
        """Load those folders anew whose bundle was built anew; a broken one leaves the old in its place."""
        for folder in self._folders:
            stamp = _stamp(folder)
            if stamp == self._seen.get(folder):
                continue
            try:
                found = self._load(folder)
            except DataFileError as error:
                _log.warning("pacote não trocado: %s", error)
                continue
            _warm(found)
            self._seen[folder] = stamp
            self._loaded = {**self._loaded, found.city.id: found}
            _log.info("pacote trocado: %s, %s", found.city.id, found.bundle.sha256[:12])

    async def watch(self) -> None:
        """Read what the page will ask for, then look for new bundles until cancelled."""
        for loaded in list(self._loaded.values()):
            await asyncio.to_thread(_warm, loaded)
        while True:
            await asyncio.sleep(LOOKED_EVERY_S)
            await asyncio.to_thread(self.reload)

    def _load(self, folder: Path) -> Loaded:
        bundle = load_bundle(folder)
        city = self.law(bundle.manifest.city).city
        index = index_of(bundle, city)
        # All of it is read now: later the folder may hold another bundle.
        index.city_map.read_all()
        return Loaded(city, bundle, index)


def _warm(loaded: Loaded) -> None:
    """Read what addresses and the page's map need, for later the folder may hold another bundle."""
    find_index(loaded.bundle)
    drawn_map(loaded.bundle)


def _stamp(folder: Path) -> tuple[int, int]:
    """Tell one manifest from the next by its inode and time; a missing one is none."""
    try:
        told = (folder / MANIFEST).stat()
    except OSError:
        return (0, 0)
    return (told.st_ino, told.st_mtime_ns)
