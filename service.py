"""`uvicorn service:app`: the HTTP service."""

from __future__ import annotations

from geocheck.service.app import create_app

app = create_app()
