"""Settings from the environment (`GEOCHECK_*`), read when something needs them, never at import."""

from __future__ import annotations

from dataclasses import dataclass
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
