"""Errors as RFC 9457 problems in pt-BR: one table from the exception tree to HTTP statuses."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from geocheck.errors import DataFileError, GeocheckError, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI, Request

PROBLEM: Final = "application/problem+json"

TITLES: Final = {
    400: "Pedido inválido",
    401: "Chave ausente ou desconhecida",
    403: "Não permitido",
    404: "Não encontrado",
    405: "Método não aceito",
    406: "Formato não oferecido",
    413: "Pedido grande demais",
    415: "Formato do corpo não aceito",
    422: "Pedido inválido",
    429: "Pedidos demais",
    500: "Falha interna",
    503: "Serviço ocupado",
}

_DETAILS: Final = {
    404: "não há este endereço; veja /openapi.json",
    405: "este endereço não aceita este método; veja /openapi.json",
    500: "falha interna; tente de novo e, se repetir, relate o número do pedido",
}

_log = logging.getLogger("geocheck.service")


class ServiceError(Exception):
    """An answer that is no check: its status and pt-BR detail.

    Args:
        status: of HTTP.
        detail: pt-BR, what is wrong and how to mend it.
        headers: more headers of the answer (`Retry-After`).
    """

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        self.status, self.detail, self.headers = status, detail, dict(headers or {})
        super().__init__(detail)


def problem(
    status: int,
    detail: str,
    errors: list[dict[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return an answer that tells of a problem.

    Args:
        status: of HTTP.
        detail: pt-BR.
        errors: by field, where fields are wrong.
        headers: more headers.
    """
    title = TITLES.get(status) or HTTPStatus(status).phrase
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    told = {**content, "errors": errors or []}
    return JSONResponse(told, status, media_type=PROBLEM, headers=dict(headers or {}))


def errors_of(error: GeocheckError) -> list[dict[str, str]]:
    """Return the fields that a user's mistake is about."""
    if isinstance(error, DataFileError):
        return [{"field": each.key, "detail": each.message} for each in error.problems]
    if isinstance(error, InputError):
        return [{"field": error.field, "detail": error.message}]
    return []


def add_problems(app: FastAPI) -> None:
    """Answer every error of an app as a problem."""
    app.add_exception_handler(ServiceError, _told)
    app.add_exception_handler(GeocheckError, _mistake)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)


async def _told(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ServiceError)  # noqa: S101 (registered for it)
    return problem(error.status, error.detail, headers=error.headers)


async def _mistake(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, GeocheckError)  # noqa: S101 (registered for it)
    return problem(422, str(error), errors_of(error))


async def _unreadable(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 (registered for it)
    fields = [".".join(str(step) for step in each["loc"][1:]) for each in error.errors()]
    detail = "valor ausente ou de outro tipo; veja /openapi.json"
    told = [{"field": field, "detail": detail} for field in fields]
    return problem(422, f"parâmetros inválidos: {', '.join(fields)}", told)


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 (registered for it)
    return problem(error.status_code, _DETAILS.get(error.status_code, error.detail), headers=error.headers)


async def _fault(request: Request, error: Exception) -> JSONResponse:
    """Tell nothing of the inside: the traceback goes to the log, under the request's number."""
    number = str(request.scope.get("request_id", ""))
    _log.error("falha interna, pedido %s", number, exc_info=error)
    return problem(500, _DETAILS[500], headers={"X-Request-Id": number})
