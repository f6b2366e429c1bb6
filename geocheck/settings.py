"""Settings from the environment (`GEOCHECK_*`), read when something needs them, never at import."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from geocheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

OVERPASS_URL: Final = "https://overpass-api.de/api"
NOMINATIM_URL: Final = "https://nominatim.openstreetmap.org"
DOWNLOAD_TIMEOUT_S: Final = 180
_LONGEST_TIMEOUT_S: Final = 3600


@dataclass(frozen=True, slots=True)
class DownloadSettings:
    """Where OpenStreetMap is downloaded from.

    Attributes:
        overpass_url: base address of an Overpass API, without `/interpreter` (`GEOCHECK_OVERPASS_URL`).
        nominatim_url: base address of a Nominatim, without `/search` (`GEOCHECK_NOMINATIM_URL`).
        timeout_s: how long a server may take (`GEOCHECK_DOWNLOAD_TIMEOUT_S`).
    """

    overpass_url: str = OVERPASS_URL
    nominatim_url: str = NOMINATIM_URL
    timeout_s: int = DOWNLOAD_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What the service offers, to whom, and how much of it at once.

    Attributes:
        bundles: folders of the cities' bundles (`GEOCHECK_BUNDLES`, separated as in `PATH`).
        sheets: city sheets of one's own (`GEOCHECK_SHEETS`, separated as in `PATH`).
        keys_file: file of the API keys (`GEOCHECK_KEYS_FILE`); none: nobody needs one.
        public_readonly: strangers may check without a key (`GEOCHECK_PUBLIC_READONLY`).
        tiles_url: online map tiles below the page's own map (`GEOCHECK_TILES_URL`); none: no network.
        tiles_attribution: who made them (`GEOCHECK_TILES_ATTRIBUTION`).
        checks_a_minute: of one client that has no key.
        body_bytes: longest body of a request.
        batch_rows: most placements of one batch.
        heavy_threads: maps, cards and batches made at once, in one worker.
        heavy_waiting: more may wait; beyond that the service says that it is busy.
    """

    bundles: tuple[Path, ...] = ()
    sheets: tuple[Path, ...] = ()
    keys_file: Path | None = None
    public_readonly: bool = False
    tiles_url: str | None = None
    tiles_attribution: str = ""
    checks_a_minute: int = 120
    body_bytes: int = 2_000_000
    batch_rows: int = 5_000
    heavy_threads: int = 2
    heavy_waiting: int = 16


def service_settings(environment: Mapping[str, str]) -> ServiceSettings:
    """Read the settings of the service; a variable that is not set, or empty, leaves the default.

    Raises:
        InputError: a variable holds no web address, or no yes or no.
    """
    tiles = environment.get("GEOCHECK_TILES_URL", "").strip()
    if tiles:
        _address({"GEOCHECK_TILES_URL": tiles}, "GEOCHECK_TILES_URL", "")
    keys = environment.get("GEOCHECK_KEYS_FILE", "").strip()
    return ServiceSettings(
        bundles=_paths(environment, "GEOCHECK_BUNDLES"),
        sheets=_paths(environment, "GEOCHECK_SHEETS"),
        keys_file=Path(keys) if keys else None,
        public_readonly=_yes(environment, "GEOCHECK_PUBLIC_READONLY"),
        tiles_url=tiles or None,
        tiles_attribution=environment.get("GEOCHECK_TILES_ATTRIBUTION", "").strip(),
    )


def _paths(environment: Mapping[str, str], name: str) -> tuple[Path, ...]:
    return tuple(Path(text) for text in environment.get(name, "").split(os.pathsep) if text.strip())


def _yes(environment: Mapping[str, str], name: str) -> bool:
    text = environment.get(name, "").strip().casefold()
    if text not in ("", "0", "1", "no", "yes", "não", "sim"):
        raise InputError(name, f"“{text}” não é sim (1) nem não (0)")
    return text in ("1", "yes", "sim")


def download_settings(environment: Mapping[str, str]) -> DownloadSettings:
    """Read the settings of downloads; a variable that is not set, or empty, leaves the public servers.

    Raises:
        InputError: a variable holds no web address, or no number of seconds.
    """
    return DownloadSettings(
        overpass_url=_address(environment, "GEOCHECK_OVERPASS_URL", OVERPASS_URL),
        nominatim_url=_address(environment, "GEOCHECK_NOMINATIM_URL", NOMINATIM_URL),
        timeout_s=_seconds(environment, "GEOCHECK_DOWNLOAD_TIMEOUT_S", DOWNLOAD_TIMEOUT_S),
    )


def _address(environment: Mapping[str, str], name: str, default: str) -> str:
    text = environment.get(name, "").strip() or default
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that does not close
        known = False
    if not known or parts.query or parts.fragment:
        raise InputError(name, f"“{text}” não é um endereço http(s)://servidor/caminho")
    return text.rstrip("/")


def _seconds(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= _LONGEST_TIMEOUT_S):
        raise InputError(name, f"“{text}” não é um número inteiro de segundos de 1 a {_LONGEST_TIMEOUT_S}")
    return int(text)
