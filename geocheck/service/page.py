"""`GET /` and `/static/…`: the page, its modules and styles, and Leaflet's files; nothing from elsewhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from fastapi import APIRouter
from fastapi.responses import Response

from geocheck.service.problems import ServiceError
from geocheck.service.state import Sharing

FILES: Final = Path(__file__).parent / "page"

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}

routes = APIRouter(include_in_schema=False)


@routes.get("/")
async def page(shared: Sharing) -> Response:
    """Return the page, under a policy by which it runs its own files alone."""
    return _file(FILES, "index.html", {"Content-Security-Policy": _policy(shared.settings.tiles_url)})


@routes.get("/static/{name:path}")
async def static(name: str) -> Response:
    """Return one of the page's files, or of Leaflet's."""
    folder, _, rest = name.partition("/")
    return _file(_leaflet(), rest) if folder == "leaflet" and rest else _file(FILES, name)


@cache
def _leaflet() -> Path:
    from xstatic.pkg import leaflet  # noqa: PLC0415 (only where a page is served)

    return Path(leaflet.BASE_DIR)


@cache
def _names(folder: Path) -> dict[str, Path]:
    """Return the files below a folder by their relative names: what is not among them does not exist."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix in _TYPES)
    return {path.relative_to(folder).as_posix(): path for path in files}


def _file(folder: Path, name: str, headers: dict[str, str] | None = None) -> Response:
    path = _names(folder).get(name)
    if path is None:
        raise ServiceError(404, "não há este arquivo")
    told = {"Cache-Control": "no-cache", **(headers or {})}
    return Response(path.read_bytes(), media_type=_TYPES[path.suffix], headers=told)


def _policy(tiles_url: str | None) -> str:
    tiles = ""
    if tiles_url is not None:
        parts = urlsplit(tiles_url)
        # A server named by a letter (`{s}`) has several names.
        tiles = f" {parts.scheme}://{parts.netloc.replace('{s}', '*')}"
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:{tiles}; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
