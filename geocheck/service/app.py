"""The FastAPI app: cities and checks from measurements, errors as problem+json in pt-BR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Body, FastAPI
from fastapi.responses import JSONResponse, Response

from geocheck import __version__
from geocheck.api import check
from geocheck.cities import city_names, load_city
from geocheck.errors import DataFileError, GeocheckError, InputError
from geocheck.model.request import parse_request

if TYPE_CHECKING:
    from fastapi import Request


def create_app() -> FastAPI:
    """Build the app; nothing is read before the first request."""
    app = FastAPI(title="geocheck", version=__version__, docs_url="/docs", redoc_url=None)
    app.add_exception_handler(GeocheckError, _problem)
    app.get("/healthz")(_healthz)
    app.get("/v1/cities")(_cities)
    app.post("/v1/checks")(_checks)
    return app


async def _healthz() -> dict[str, str]:
    return {"status": "ok", "engine": f"geocheck {__version__}"}


async def _cities() -> list[dict[str, Any]]:
    sheets = [load_city(name) for name in city_names()]
    return [{"id": city.id, "name": city.name, "rulebooks": city.rulebooks} for city in sheets]


async def _checks(request: Annotated[dict[str, Any], Body()]) -> Response:
    report = check(parse_request(request))
    return Response(report.model_dump_json(), media_type="application/json")


async def _problem(_request: Request, error: Exception) -> JSONResponse:
    """Map a user's mistake to RFC 9457; anything else is not caught here."""
    errors: list[dict[str, str]] = []
    if isinstance(error, DataFileError):
        errors = [{"field": each.key, "detail": each.message} for each in error.problems]
    elif isinstance(error, InputError):
        errors = [{"field": error.field, "detail": error.message}]
    content = {"type": "about:blank", "title": "Pedido inválido", "status": 422, "detail": str(error)}
    return JSONResponse({**content, "errors": errors}, 422, media_type="application/problem+json")
