"""Stands before all routes: numbers requests, bounds bodies, counts and logs, adds safe headers."""

from __future__ import annotations

import json
import logging
import time
import uuid
from typing import TYPE_CHECKING, Final

from prometheus_client import Counter, Histogram

from geocheck.service.problems import ServiceError, problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from geocheck.service.access import Access

_log = logging.getLogger("geocheck.access")

_ANSWERS: Final = Counter("geocheck_answers", "Answers, by route and status.", ["route", "status"])
_SECONDS: Final = Histogram(
    "geocheck_answer_seconds",
    "How long answers took, by route.",
    ["route"],
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)

_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_CLOSED: Final = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
"""Of answers that are no pages: nothing in them is to be run, should a browser show one."""


class Guard:
    """ASGI middleware; the log holds no coordinates and no bodies."""

    def __init__(self, app: ASGIApp, access: Access, body_bytes: int) -> None:
        """Stand before an app.

        Args:
            app: what answers.
            access: who may ask for what.
            body_bytes: longest body of a request.
        """
        self._app = app
        self._access = access
        self._most = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        number = scope["request_id"] = uuid.uuid4().hex
        begin, status = time.perf_counter(), 500

        async def numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                held = {name for name, _ in message["headers"]}
                more = [*_HEADERS, _CLOSED] if _CLOSED[0] not in held else _HEADERS
                message["headers"] = [*message["headers"], (b"x-request-id", number.encode()), *more]
            await send(message)

        try:
            self._access.check(scope)
            await self._bounded(scope, receive, numbered)
        except ServiceError as error:
            await problem(error.status, error.detail, headers=error.headers)(scope, receive, numbered)
        finally:
            self._count(scope, status, time.perf_counter() - begin)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, reading no more of the body than is taken."""
        too_long = ServiceError(413, f"o corpo passa de {self._most} bytes; divida-o")
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if not told.isdigit() or int(told) > self._most:
            raise too_long
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._most:
                raise too_long
            return message

        await self._app(scope, counted, send)

    @staticmethod
    def _count(scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "outro")
        _ANSWERS.labels(route, str(status)).inc()
        _SECONDS.labels(route).observe(seconds)
        told = {
            "id": scope["request_id"],
            "method": scope["method"],
            "route": route,
            "status": status,
            "ms": round(seconds * 1e3, 1),
        }
        _log.info(json.dumps(told))
