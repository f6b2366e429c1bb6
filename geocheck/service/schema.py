"""What the OpenAPI document says of bodies and answers: the models of requests and reports, with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from geocheck.model.report import Report, StayReport
from geocheck.model.request import Request
from geocheck.service.problems import PROBLEM, TITLES

if TYPE_CHECKING:
    from fastapi import FastAPI

_MODELS: Final = (Request, Report, StayReport)
_REF: Final = "#/components/schemas/{model}"

EXAMPLE: Final = {
    "city": "goiania",
    "lon": -49.2665,
    "lat": -16.606,
    "mode": "planned",
    "length_m": 2.65,
    "width_m": 1.76,
    "height_m": 1.3,
    "volume_m3": 5.0,
    "start": "2026-08-07T10:00",
    "observed": [{"layer": "hydrant", "state": "none", "reach_m": 5}],
}
STAY_EXAMPLE: Final = {"city": "dois-vizinhos", "placed_at": "2026-11-18T15:00"}

_PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "errors"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "detail"],
                "properties": {"field": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the problems that a route may answer with, by status."""
    content = {PROBLEM: {"schema": {"$ref": _REF.format(model="Problem")}}}
    return {status: {"description": TITLES[status], "content": content} for status in statuses}


def answer(schema: dict[str, Any], description: str, kind: str = "application/json") -> dict[str, Any]:
    """Return the description of an answer of one media type."""
    return {"description": description, "content": {kind: {"schema": schema}}}


def of_model(name: str) -> dict[str, Any]:
    """Return a reference to a model's schema."""
    return {"$ref": _REF.format(model=name)}


def _body(schema: dict[str, Any], example: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema, "example": example}}
    return {"requestBody": {"required": True, "content": content}}


MISTAKES: Final = (413, 415, 422, 429)
"""What a body may be refused for."""

REQUEST_BODY: Final = _body(of_model("Request"), EXAMPLE)
ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "O relatório, o mapa ou o cartão.",
        "content": {
            "application/json": {"schema": of_model("Report")},
            "text/html": {"schema": {"type": "string"}},
            "image/png": {"schema": {"type": "string", "format": "binary"}},
        },
    },
    **problems(401, 403, 406, *MISTAKES, 503),
}
_STAY: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["city", "placed_at"],
    "properties": {
        "city": {"type": "string"},
        "placed_at": {"type": "string"},
        "full_at": {"type": ["string", "null"]},
        "where": {"type": ["string", "null"]},
        "authorised": {"type": "array", "items": {"type": "string"}},
        "in_zone": {"type": "object", "additionalProperties": {"type": "boolean"}},
    },
    "additionalProperties": False,
}
STAY_BODY: Final = _body(_STAY, STAY_EXAMPLE)
STAY_ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    200: answer(of_model("StayReport"), "Até quando pode ficar, e como se contou."),
    **problems(401, 403, *MISTAKES),
}


_MANY: Final[dict[str, Any]] = {"type": "array", "minItems": 1, "items": of_model("Request")}
BATCH_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": _MANY, "example": [EXAMPLE]},
            "application/geo+json": {"schema": {"type": "object"}},
            "text/csv": {"schema": {"type": "string"}},
        },
    }
}
BATCH_ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Uma linha por pedido: {row, id, report} ou {row, id, error}; ou uma tabela.",
        "content": {kind: {"schema": {"type": "string"}} for kind in ("application/x-ndjson", "text/csv")},
    },
    **problems(401, 403, 406, *MISTAKES, 503),
}


def describe(app: FastAPI) -> None:
    """Let an app's OpenAPI document hold the models of requests, reports and problems."""
    plain = app.openapi

    def whole() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = plain()
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            schemas["Problem"] = _PROBLEM_SCHEMA
            for model in _MODELS:
                told = model.model_json_schema(
                    ref_template=_REF, mode="validation" if model is Request else "serialization"
                )
                schemas |= told.pop("$defs", {})
                schemas[model.__name__] = told
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = whole  # type: ignore[method-assign]
