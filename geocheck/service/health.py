"""`/healthz`, `/readyz` and `/metrics`: whether the service lives, with which bundles, and how busy it is."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from geocheck.service.schema import answer
from geocheck.service.state import Sharing
from geocheck.version import __version__

routes = APIRouter()

_OBJECT: dict[int | str, dict[str, Any]] = {200: answer({"type": "object"}, "Como está.")}


@routes.get("/healthz", responses=_OBJECT)
async def healthz() -> dict[str, str]:
    """Tell that the service lives."""
    return {"status": "ok", "engine": f"geocheck {__version__}"}


@routes.get("/readyz", responses=_OBJECT)
async def readyz(shared: Sharing) -> dict[str, Any]:
    """Tell which bundles are loaded: a service answers only when all are."""
    bundles = {city: loaded.bundle.sha256 for city, loaded in shared.store.loaded.items()}
    return {"status": "ok", "bundles": bundles}


@routes.get("/metrics", responses={200: answer({"type": "string"}, "Prometheus.", "text/plain")})
async def metrics() -> Response:
    """Tell how busy the service is, for Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
