"""`GET /v1/cities…`, presets and the page's settings: what there is to choose from, and by which law."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

import shapely
from fastapi import APIRouter, Query

from geocheck.cities import City
from geocheck.errors import InputError
from geocheck.law.clock import zone_clock
from geocheck.law.kinds import ZoneAuthorisation
from geocheck.law.versions import status_on
from geocheck.presets import presets as usual_skips
from geocheck.report import wording
from geocheck.report.asks import asks
from geocheck.report.credit import credit_of
from geocheck.service.schema import answer, problems
from geocheck.service.state import Shared, Sharing, law_named
from geocheck.version import __version__

routes = APIRouter(prefix="/v1")

_DENIED = problems(401, 403, 429)
_OBJECTS = {200: answer({"type": "array", "items": {"type": "object"}}, "A lista."), **_DENIED}
_OBJECT = {200: answer({"type": "object"}, "O que há."), **_DENIED, **problems(404, 422)}


@routes.get("/config", responses=_OBJECT)
async def config(shared: Sharing) -> dict[str, Any]:
    """Tell the page what it may show."""
    settings = shared.settings
    tiles = {"url": settings.tiles_url, "attribution": settings.tiles_attribution}
    return {"engine": f"geocheck {__version__}", "tiles": tiles if settings.tiles_url else None}


@routes.get("/presets", responses=_OBJECTS)
async def presets() -> list[dict[str, Any]]:
    """List the usual skips by capacity; sizes to suppose on the map, no more."""
    return [each.model_dump() for each in usual_skips().skip]


@routes.get("/cities", responses=_OBJECTS)
async def cities(shared: Sharing) -> list[dict[str, Any]]:
    """List the cities whose law is known, with the map that this service has of each."""
    return [_city(city, shared) for city in shared.store.cities]


@routes.get("/cities/{city}", responses=_OBJECT)
async def one_city(city: str, shared: Sharing) -> dict[str, Any]:
    """Tell of a city: its map's layers with their coverage, its rulebooks and their status today."""
    law = law_named(shared, city)
    sheet, day = law.city, _today(law.city)
    loaded = shared.store.of(sheet.id)
    layers = [] if loaded is None else loaded.bundle.manifest.layers
    permits: dict[str, str] = {}
    zones: dict[str, str] = {}
    for book in (*law.own_on(day), *filter(None, [law.fallback])):
        for rule in book.book.on(day):
            for test in rule.evaluable_tests:
                if isinstance(test, ZoneAuthorisation):
                    permits[rule.id] = f"autorização de {test.authority} ({rule.law})"
                    zones |= {zone: wording.LAYERS[zone] for zone in test.zones}
    return {
        **_city(sheet, shared),
        "layers": [
            each.model_dump(include={"name", "features", "completeness", "accuracy_m", "date"}, mode="json")
            for each in layers
        ],
        "law": [_book(book, day) for book in (*law.own_on(day), *filter(None, [law.fallback]))],
        "fields": {
            "permits": [{"rule": rule, "text": text} for rule, text in permits.items()],
            "zones": [{"key": key, "text": text} for key, text in zones.items()],
        },
    }


@routes.get("/cities/{city}/rules", responses=_OBJECT)
async def rules(
    city: str,
    shared: Sharing,
    on: Annotated[str | None, Query(description="Data: 2026-08-07.", max_length=20)] = None,
) -> dict[str, Any]:
    """List the rules that answer in a city on a day, what each asks and what its breach costs."""
    law = law_named(shared, city)
    sheet, day = law.city, _today(law.city) if on is None else _day(on)
    books = (*law.own_on(day), *filter(None, [law.fallback]))
    return {"city": sheet.id, "on": day.isoformat(), "rulebooks": [_with_rules(book, day) for book in books]}


def _city(sheet: City, shared: Shared) -> dict[str, Any]:
    loaded = shared.store.of(sheet.id)
    bundle = None
    if loaded is not None:
        manifest = loaded.bundle.manifest
        bundle = {
            "sha256": loaded.bundle.sha256,
            "built_at": manifest.built_at.isoformat(),
            "credit": credit_of(loaded.bundle),
            "extent": manifest.extent,
            "centre": None if manifest.extent is None else _centre(manifest.extent),
        }
    return {
        "id": sheet.id,
        "name": sheet.name,
        "rulebooks": list(sheet.rulebooks),
        "bounds": sheet.bounds.model_dump(),
        "bundle": bundle,
    }


def _centre(extent: dict[str, Any]) -> list[float]:
    spot = shapely.point_on_surface(shapely.geometry.shape(extent))
    return [round(spot.x, 6), round(spot.y, 6)]


def _book(loaded: Any, day: dt.date) -> dict[str, Any]:  # noqa: ANN401 (a rulebook)
    header = loaded.book.rulebook
    return {
        "id": loaded.id,
        "title": header.title,
        "status": status_on(header, day),
        "in_force_from": None if header.in_force_from is None else header.in_force_from.isoformat(),
        "in_force_to": None if header.in_force_to is None else header.in_force_to.isoformat(),
        "revoked_by": header.revoked_by,
        "succeeded_by": list(header.succeeded_by),
        "sha256": loaded.sha256,
    }


def _with_rules(loaded: Any, day: dt.date) -> dict[str, Any]:  # noqa: ANN401 (a rulebook)
    told = [
        {
            "id": rule.id,
            "title": rule.title,
            "asks": rule.asks,
            "law": str(rule.law),
            "critical": rule.is_critical,
            "tests": [{"kind": test.kind, "asks": asks(test)} for test in rule.evaluable_tests],
            "notes": list(rule.notes),
        }
        for rule in loaded.book.on(day)
    ]
    return {**_book(loaded, day), "rules": told}


def _today(sheet: City) -> dt.date:
    return dt.datetime.now(dt.UTC).astimezone(zone_clock(sheet.time_zone).zone).date()


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError:
        raise InputError("on", f"“{text[:20]}” não é uma data; escreva 2026-08-07") from None
