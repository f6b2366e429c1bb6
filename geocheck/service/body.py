"""Bodies of requests, no deeper nested than is sane, and what a client accepts in answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic_core import from_json

from geocheck.errors import DataFileError, Problem
from geocheck.service.problems import ServiceError

if TYPE_CHECKING:
    from fastapi import Request

_DEEPEST: Final = 200
"""Levels of nesting that the reader of JSON takes."""


def parsed(text: bytes) -> Any:  # noqa: ANN401 (any JSON)
    """Return a JSON text as Python values; NaN and Infinity are left for the fields that hold them to refuse.

    Raises:
        DataFileError: it is not JSON, or is nested too deep.
    """
    try:
        return from_json(text, allow_inf_nan=True, cache_strings="none")
    except ValueError as error:
        deep = "recursion" in str(error)
        what = f"aninhado além de {_DEEPEST} níveis" if deep else f"não é JSON válido ({error})"
        raise DataFileError([Problem("pedido", "", "", what)]) from None


async def json_object(request: Request) -> dict[str, Any]:
    """Return the body of a request, which must be a JSON object.

    Raises:
        DataFileError: it is not.
        ServiceError: it is said to be something else than JSON.
    """
    require_type(request, ("application/json",))
    found = parsed(await request.body())
    if not isinstance(found, dict):
        raise DataFileError([Problem("pedido", "", "", "deve ser um objeto JSON ({…})")])
    return found


def require_type(request: Request, known: tuple[str, ...]) -> str:
    """Return the media type of a body; one that is not told counts as the first known.

    Raises:
        ServiceError: it is none of those known (415).
    """
    told = request.headers.get("content-type", known[0]).partition(";")[0].strip().lower()
    if told not in known and not (told.endswith("+json") and "application/json" in known):
        raise ServiceError(415, f"corpo em “{told[:60]}”; use {' ou '.join(known)}")
    return told if told in known else "application/json"


def wanted(request: Request, offered: tuple[str, ...]) -> str:
    """Return the media type that a client wants most of those offered; the first where it does not say.

    Raises:
        ServiceError: it wants none of them (406).
    """
    header = request.headers.get("accept", "").strip() or "*/*"
    ranked = []
    for place, part in enumerate(header[:2000].split(",")):
        kind, *options = (each.strip().lower() for each in part.split(";"))
        told = next((each.removeprefix("q=") for each in options if each.startswith("q=")), "1")
        try:
            weight = float(told)
        except ValueError:
            weight = 0.0
        if weight > 0:
            ranked.append((-weight, kind.count("*"), place, kind))
    for _, _, _, kind in sorted(ranked):
        for each in offered:
            if kind in ("*/*", each, f"{each.partition('/')[0]}/*"):
                return each
    raise ServiceError(406, f"oferecem-se {', '.join(offered)}")
