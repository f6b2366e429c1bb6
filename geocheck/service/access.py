"""Who may ask for what: strangers from this machine, holders of keys, the public within its rate."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from geocheck.errors import DataFileError
from geocheck.service.keys import Key, Role, key_for, read_keys
from geocheck.service.problems import ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Scope

    from geocheck.settings import ServiceSettings

_READ_EVERY_S: Final = 1.0
_CLIENTS: Final = 10_000
"""So many clients are remembered; the one not seen for longest is forgotten first."""

_MINUTE_S: Final = 60.0


class Access:
    """Decides for each request; keys are read anew when their file changes."""

    def __init__(self, settings: ServiceSettings, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the settings.

        Args:
            settings: of the service.
            clock: seconds that only grow.

        Raises:
            DataFileError: the file of keys is no such file.
        """
        self._settings = settings
        self._clock = clock
        self._keys: tuple[Key, ...] = ()
        self._stamp = self._looked = 0.0
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        if settings.keys_file is not None:
            self._keys = read_keys(settings.keys_file)
            self._stamp = settings.keys_file.stat().st_mtime

    def check(self, scope: Scope) -> None:
        """Let a request pass.

        Raises:
            ServiceError: it needs a key, or another (401, 403), or comes too often (429).
        """
        needed = _needed(scope)
        if needed is None:
            return
        told = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        if told:
            self._with_key(told, needed)
        elif self._settings.public_readonly and needed is Role.VIEWER:
            self._within_rate(_client(scope))
        elif self._settings.keys_file is not None:
            detail = "mostre a chave em Authorization: Bearer …"
            raise ServiceError(401, detail, {"WWW-Authenticate": "Bearer"})
        elif self._settings.public_readonly or not _is_here(scope):
            detail = "este serviço só atende assim a própria máquina; peça uma chave a quem o mantém"
            raise ServiceError(403, detail)

    def _with_key(self, told: str, needed: Role) -> None:
        scheme, _, text = told.partition(" ")
        key = key_for(self._current(), text.strip()) if scheme.lower() == "bearer" else None
        if key is None:
            raise ServiceError(401, "chave desconhecida ou revogada", {"WWW-Authenticate": "Bearer"})
        if key.level < needed:
            raise ServiceError(403, f"a chave é de “{key.role}”; é preciso “{needed.code}”")

    def _current(self) -> tuple[Key, ...]:
        """Return the keys; a file that was broken meanwhile leaves those that were."""
        path, now = self._settings.keys_file, self._clock()
        if path is None or now - self._looked < _READ_EVERY_S:
            return self._keys
        self._looked = now
        try:
            stamp = path.stat().st_mtime
            if stamp != self._stamp:
                self._keys, self._stamp = read_keys(path), stamp
        except (OSError, DataFileError):
            pass
        return self._keys

    def _within_rate(self, client: str) -> None:
        """Count a request of a client: so many a minute, and as many at once after a pause."""
        most, now = float(self._settings.checks_a_minute), self._clock()
        left, since = self._left.pop(client, (most, now))
        left = min(most, left + (now - since) * most / _MINUTE_S)
        self._left[client] = (max(left - 1, 0.0), now)
        while len(self._left) > _CLIENTS:
            self._left.popitem(last=False)
        if left < 1:
            wait = max(1, round((1 - left) * _MINUTE_S / most))
            raise ServiceError(429, f"pedidos demais; tente de novo em {wait} s", {"Retry-After": str(wait)})


def _needed(scope: Scope) -> Role | None:
    """Return the role that a request needs, None where everybody may ask."""
    path: str = scope["path"]
    if path == "/metrics":
        return Role.ENGINEER
    if not path.startswith("/v1/"):
        return None
    return Role.COMPANY if path.startswith("/v1/checks/batch") else Role.VIEWER


def _client(scope: Scope) -> str:
    """Return whom a request counts for: an address, of IPv6 the network that one household has."""
    host = scope["client"][0] if scope.get("client") else "local"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if address.version == 4:  # noqa: PLR2004 (the version's own number)
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _is_here(scope: Scope) -> bool:
    """Whether a request comes from this machine (a socket of its own has no client)."""
    if not scope.get("client"):
        return True
    try:
        return ipaddress.ip_address(scope["client"][0]).is_loopback
    except ValueError:
        return False
