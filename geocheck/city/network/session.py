"""Talks to Nominatim and Overpass through osmnx: its settings set and put back, every failure in pt-BR."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import osmnx
import requests

from geocheck.errors import DownloadError
from geocheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import shapely
    from geopandas import GeoDataFrame

    from geocheck.settings import DownloadSettings

_BUSY = (429, 503, 504)


def find_place(place: str, settings: DownloadSettings) -> GeoDataFrame:
    """Ask Nominatim for the outline of a place.

    Returns:
        One row in WGS 84 with a polygon and what Nominatim says of it (`display_name`, `osm_id`, …).

    Raises:
        DownloadError: nothing has that name or an outline, or the server does not answer as it should.
    """
    host = _host(settings.nominatim_url)
    with _osmnx(settings) as answers, _failures(host, settings):
        try:
            return osmnx.geocode_to_gdf(place)
        except requests.RequestException:
            raise
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            found = _list_of(answers)
            if found is None:
                raise _unexpected(host) from error
            if not found:
                message = "nenhum lugar com esse nome no OpenStreetMap; escreva “Bairro, Cidade, Estado”"
                raise DownloadError(place, message) from error
            if not any(_has_outline(each) for each in found):
                message = "o OpenStreetMap só o conhece como ponto ou linha, sem contorno; dê um lugar com "
                message += "limite desenhado (bairro, distrito, município) ou um recorte com --osm"
                raise DownloadError(place, message) from error
            raise _unexpected(host) from error


def overpass_answers(
    outline: shapely.Polygon, keys: Sequence[str], settings: DownloadSettings
) -> list[bytes]:
    """Ask Overpass for everything in an outline that has one of the keys, with all tags and nodes.

    osmnx's tables keep some tags only, so the answers are taken as they come from the server: osmnx is told
    to do no more than ask (`cache_only_mode`), without a cache.

    Args:
        outline: WGS 84.
        keys: of tags.
        settings: which server.

    Raises:
        DownloadError: the server does not answer as it should.
    """
    host = _host(settings.overpass_url)
    with _osmnx(settings) as answers, _failures(host, settings):
        try:
            osmnx.features_from_polygon(outline, dict.fromkeys(keys, True))
        except InterruptedError:  # how osmnx says that it has asked and goes no further
            return [each.content for each in answers]
        except requests.RequestException:
            raise
        except (ValueError, TypeError, LookupError) as error:
            raise _unexpected(host) from error
    raise _unexpected(host)


@contextmanager
def _osmnx(settings: DownloadSettings) -> Iterator[list[requests.Response]]:
    """Set osmnx up for one question; collect what servers answer; leave everything as it was.

    A server that is busy is said to be so at once: osmnx would wait a minute and ask again, without end.
    """
    answers: list[requests.Response] = []

    def take(answer: requests.Response, *_: Any, **__: Any) -> None:  # noqa: ANN401 (requests hands on its own)
        if answer.is_redirect:
            return
        if not answer.ok:
            raise DownloadError(_host(answer.url), _refusal(answer.status_code))
        answers.append(answer)

    wanted = {
        "overpass_url": settings.overpass_url,
        "nominatim_url": settings.nominatim_url,
        "nominatim_key": None,
        "requests_timeout": settings.timeout_s,
        "requests_kwargs": {"hooks": {"response": take}},
        "overpass_rate_limit": False,
        "overpass_memory": None,
        "overpass_settings": "[out:json][timeout:{timeout}]{maxsize}",
        "doh_url_template": None,
        "use_cache": False,
        "cache_only_mode": True,
        "log_console": False,
        "log_file": False,
        "default_crs": "epsg:4326",
        "http_accept_language": "pt-BR",
        "http_user_agent": f"geocheck/{__version__}",
    }
    before = {name: getattr(osmnx.settings, name) for name in wanted}
    resolver = socket.getaddrinfo  # osmnx puts one of its own in its place
    try:
        for name, value in wanted.items():
            setattr(osmnx.settings, name, value)
        yield answers
    finally:
        socket.getaddrinfo = resolver
        for name, value in before.items():
            setattr(osmnx.settings, name, value)


@contextmanager
def _failures(host: str, settings: DownloadSettings) -> Iterator[None]:
    """Say in pt-BR what went wrong between here and a server."""
    try:
        yield
    except requests.Timeout as error:
        message = f"não respondeu em {settings.timeout_s} s; tente mais tarde ou um lugar menor"
        raise DownloadError(host, message) from error
    except requests.ConnectionError as error:
        message = "sem conexão com o servidor; confira a internet e o endereço, ou use um arquivo com --osm"
        raise DownloadError(host, message) from error
    except requests.RequestException as error:
        message = "a resposta foi interrompida ou não se entende; tente de novo, ou use um arquivo com --osm"
        raise DownloadError(host, message) from error


def _refusal(status: int) -> str:
    if status in _BUSY:
        return f"servidor ocupado (HTTP {status}); tente de novo em alguns minutos ou peça um lugar menor"
    return f"o servidor recusou o pedido (HTTP {status}); confira o endereço, ou use um arquivo com --osm"


def _unexpected(host: str) -> DownloadError:
    message = "a resposta não é a que se espera; confira o endereço ou tente mais tarde"
    return DownloadError(host, message)


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _list_of(answers: Sequence[requests.Response]) -> list[dict[str, Any]] | None:
    """Return the places of Nominatim's answer, None where it is no list of places."""
    try:
        found = answers[-1].json()
    except (IndexError, ValueError):
        return None
    return found if isinstance(found, list) and all(isinstance(each, dict) for each in found) else None


def _has_outline(found: dict[str, Any]) -> bool:
    outline = found.get("geojson")
    return isinstance(outline, dict) and outline.get("type") in ("Polygon", "MultiPolygon")
