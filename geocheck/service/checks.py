"""`POST /v1/checks` and `/v1/stays`: one placement in; its report, map or card out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from geocheck.api import check_under
from geocheck.errors import InputError, UnknownNameError
from geocheck.model.request import parse_request
from geocheck.service.body import json_object, wanted
from geocheck.service.problems import ServiceError
from geocheck.service.schema import ANSWERS, REQUEST_BODY, STAY_ANSWERS, STAY_BODY
from geocheck.service.state import Sharing

if TYPE_CHECKING:
    from geocheck.law.versions import CityLaw
    from geocheck.model.report import Report
    from geocheck.model.request import Request as Placement
    from geocheck.service.state import Shared
    from geocheck.service.store import Loaded

JSON: Final = "application/json"
HTML: Final = "text/html"
PNG: Final = "image/png"

_SANDBOX: Final = {"Content-Security-Policy": "sandbox allow-scripts allow-popups"}
"""The map is a page of its own: it shares nothing with the service's origin."""

_STAY_FIELDS: Final = ("city", "placed_at", "full_at", "where", "authorised", "in_zone")

routes = APIRouter(prefix="/v1")


def placement_of(raw: dict[str, Any], shared: Shared) -> tuple[CityLaw, Placement]:
    """Return a request, its city by its own name, and the law of that.

    Raises:
        DataFileError, UnknownNameError: a field is wrong, or the city is none of this service's.
    """
    request = parse_request(raw)
    law = shared.store.law(request.city)
    return law, request.model_copy(update={"city": law.city.id})


def report_of(law: CityLaw, placement: Placement, loaded: Loaded | None) -> Report:
    """Check one placement on a map, or from what is told alone."""
    return check_under(law, [placement], bundle=None if loaded is None else loaded.bundle)[0]


@routes.post("/checks", responses=ANSWERS, openapi_extra=REQUEST_BODY)
async def checks(request: Request, shared: Sharing) -> Response:
    """Check one placement: its report, its map (`Accept: text/html`) or its card (`Accept: image/png`)."""
    kind = wanted(request, (JSON, HTML, PNG))
    law, placement = placement_of(await json_object(request), shared)
    if kind != JSON:
        return await _drawn(law, placement, kind, shared)
    report = report_of(law, placement, shared.store.of(placement.city))
    return Response(report.model_dump_json(), media_type=JSON)


async def _drawn(law: CityLaw, placement: Placement, kind: str, shared: Shared) -> Response:
    """Draw a map or a card; where the bundle was replaced meanwhile, of the new one."""
    for _ in range(2):
        loaded = shared.store.of(placement.city)
        report = report_of(law, placement, loaded)
        drawn = await shared.heavy.run(partial(_DRAWING[kind], report, loaded))
        if loaded is None or shared.store.is_current(loaded):
            break
        shared.store.reload()
    return drawn


def _map(report: Report, loaded: Loaded | None) -> Response:
    from geocheck.report.map import map_page  # noqa: PLC0415 (folium and geopandas, only for maps)

    if loaded is None or report.footprint is None:
        raise ServiceError(422, "sem mapa da cidade, coordenadas ou medidas não há mapa a desenhar")
    page = map_page(report, loaded.bundle)
    return Response(page, media_type=f"{HTML}; charset=utf-8", headers=_SANDBOX)


def _card(report: Report, loaded: Loaded | None) -> Response:
    from geocheck.report.card.card import card_png  # noqa: PLC0415 (typst, only for cards)

    return Response(card_png(report, None if loaded is None else loaded.bundle), media_type=PNG)


_DRAWING: Final = {HTML: _map, PNG: _card}


@routes.post("/stays", responses=STAY_ANSWERS, openapi_extra=STAY_BODY)
async def stays(request: Request, shared: Sharing) -> Response:
    """Tell by when a skip must leave, and how that is counted."""
    raw = await json_object(request)
    odd = sorted(set(raw) - set(_STAY_FIELDS))
    if odd:
        raise UnknownNameError("pedido", odd[0][:60], _STAY_FIELDS)
    if not isinstance(raw.get("placed_at"), str):
        raise InputError("placed_at", "falta, ou não é texto: diga quando a caçamba é colocada")
    told = {("start" if key == "placed_at" else key): value for key, value in raw.items()}
    report = report_of(*placement_of(told, shared), None)
    return Response(report.stay.model_dump_json(), media_type=JSON)
