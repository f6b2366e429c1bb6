"""The FastAPI app: cities and checks from measurements, errors as problem+json in pt-BR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Body, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response

from geocheck.api import check
from geocheck.cities import city_names, shipped_city
from geocheck.errors import DataFileError, GeocheckError, InputError
from geocheck.model.request import parse_request
from geocheck.version import __version__

if TYPE_CHECKING:
    from fastapi import Request


def create_app() -> FastAPI:
    """Build the app; nothing is read before the first request."""
    app = FastAPI(title="geocheck", version=__version__, docs_url="/docs", redoc_url=None)
    app.add_exception_handler(GeocheckError, _mistake)
    app.add_exception_handler(RequestValidationError, _not_json)
    app.get("/healthz")(_healthz)
    app.get("/v1/cities")(_cities)
    app.post("/v1/checks")(_checks)
    return app


async def _healthz() -> dict[str, str]:
    return {"status": "ok", "engine": f"geocheck {__version__}"}


async def _cities() -> list[dict[str, Any]]:
    sheets = [shipped_city(name) for name in city_names()]
    return [{"id": city.id, "name": city.name, "rulebooks": city.rulebooks} for city in sheets]


async def _checks(body: Annotated[dict[str, Any], Body()]) -> Response:
    request = parse_request(body)
    # A stranger names a city, never a file of this machine.
    city = shipped_city(request.city)
    report = check(request.model_copy(update={"city": city.id}))
    return Response(report.model_dump_json(), media_type="application/json")


async def _mistake(_request: Request, error: Exception) -> JSONResponse:
    """Map a user's mistake to RFC 9457; anything else is not caught here."""
    errors: list[dict[str, str]] = []
    if isinstance(error, DataFileError):
        errors = [{"field": each.key, "detail": each.message} for each in error.problems]
    elif isinstance(error, InputError):
        errors = [{"field": error.field, "detail": error.message}]
    return _problem(str(error), errors)


async def _not_json(_request: Request, _error: Exception) -> JSONResponse:
    return _problem("O corpo do pedido deve ser um objeto JSON válido.", [])


def _problem(detail: str, errors: list[dict[str, str]]) -> JSONResponse:
    content = {"type": "about:blank", "title": "Pedido inválido", "status": 422, "detail": detail}
    return JSONResponse({**content, "errors": errors}, 422, media_type="application/problem+json")
