"""`GET /v1/cities/{city}/kerbs` and `…/addresses`: what the page draws, and where an address lies."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from geocheck.city.find.index import find_index
from geocheck.city.find.places import places_named
from geocheck.city.near_box.box import near_box, read_box
from geocheck.errors import InputError
from geocheck.service.schema import answer, problems
from geocheck.service.state import Sharing, map_named

routes = APIRouter(prefix="/v1/cities/{city}")

_DENIED = problems(401, 403, 404, 422, 429, 503)
_FEATURES = {
    "type": "object",
    "required": ["type", "features", "truncated"],
    "properties": {
        "type": {"const": "FeatureCollection"},
        "features": {"type": "array", "items": {"type": "object"}},
        "truncated": {"type": "boolean"},
    },
}
_PLACE = {
    "type": "object",
    "required": ["label", "lon", "lat", "kind", "certain", "exact", "left_out", "front"],
    "properties": {
        "label": {"type": "string"},
        "lon": {"type": "number"},
        "lat": {"type": "number"},
        "kind": {"enum": ["address", "lot", "street"]},
        "certain": {"type": "boolean"},
        "exact": {"type": "boolean"},
        "left_out": {"type": "string"},
        "front": {"type": ["array", "null"], "items": {"type": "number"}},
    },
}

_DRAWN = {200: answer(_FEATURES, "GeoJSON em graus."), **_DENIED}
_PLACES = {200: answer({"type": "array", "items": _PLACE}, "Os melhores primeiro."), **_DENIED}


@routes.get("/kerbs", responses=_DRAWN)
async def kerbs(
    city: str,
    shared: Sharing,
    bbox: Annotated[str, Query(description="oeste,sul,leste,norte em graus, até 0,03°.", max_length=200)],
) -> Response:
    """Return kerbs, blocks, lots, names of streets and corners in a box, at most 4,000 of them."""
    loaded, box = map_named(shared, city), read_box(_numbers(bbox))
    found = await shared.heavy.run(partial(near_box, loaded.bundle, box))
    told = {"type": "FeatureCollection", "features": found.features, "truncated": found.truncated}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return Response(text, media_type="application/json")


@routes.get(
    "/addresses",
    responses={200: answer({"type": "array", "items": _PLACE}, "Os melhores primeiro."), **_DENIED},
)
async def addresses(
    city: str,
    shared: Sharing,
    q: Annotated[str, Query(description="“R. 10, 25”, “al rosas 120”, “qd 12 lt 5”.", max_length=2000)],
) -> list[dict[str, Any]]:
    """Find a street and number, a lot or a street; accents and abbreviations are forgiven."""
    loaded = map_named(shared, city)
    index = await shared.heavy.run(partial(find_index, loaded.bundle))
    return [place._asdict() for place in places_named(index, q)]


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError("bbox", "dê quatro números, em graus: oeste,sul,leste,norte") from None
