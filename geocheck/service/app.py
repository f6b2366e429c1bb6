"""The FastAPI app: its routes put together, bundles loaded when it starts, errors as problems."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from geocheck.service import batch, checks, cities, health, page, places
from geocheck.service.access import Access
from geocheck.service.guard import Guard
from geocheck.service.problems import add_problems
from geocheck.service.schema import describe
from geocheck.service.state import shared_of
from geocheck.settings import ServiceSettings, service_settings
from geocheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


def create_app(settings: ServiceSettings | None = None) -> FastAPI:
    """Build the app; bundles are loaded when it starts.

    Args:
        settings: what to offer; those of the environment when none are given.
    """
    app = FastAPI(
        title="geocheck",
        version=__version__,
        description="Diz se uma caçamba pode ficar num ponto da rua, e por qual artigo não. Não autoriza.",
        docs_url=None,
        redoc_url=None,
        lifespan=_open,
    )
    settings = service_settings(os.environ) if settings is None else settings
    app.state.shared = shared_of(settings)
    add_problems(app)
    app.add_middleware(Guard, access=Access(settings), body_bytes=settings.body_bytes)
    for routes in (health.routes, cities.routes, checks.routes, batch.routes, places.routes, page.routes):
        app.include_router(routes)
    describe(app)
    return app


@asynccontextmanager
async def _open(app: FastAPI) -> AsyncIterator[None]:
    shared = app.state.shared
    shared.store.load()
    watching: asyncio.Task[Any] = asyncio.create_task(shared.store.watch())
    yield
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    shared.heavy.close()
