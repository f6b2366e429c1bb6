"""API keys: made once and shown once, kept as hashes in a file, with a role each; revoked, never erased."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import secrets
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field, ValidationError

from geocheck.errors import DataFileError, InputError, Problem
from geocheck.files import why, write_atomically
from geocheck.model.base import Frozen
from geocheck.toml_files import problems_of

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA: Final = "geocheck/keys/1"
_PREFIX: Final = "gck"


class Role(IntEnum):
    """What a key allows, each all that those before it allow.

    VIEWER: cities, rules, kerbs, addresses, single checks.
    COMPANY: batches.
    ENGINEER: how busy the service is.
    ADMIN: all.
    """

    VIEWER = 1
    COMPANY = 2
    ENGINEER = 3
    ADMIN = 4

    @property
    def code(self) -> str:
        """The word used in files."""
        return self.name.lower()


class Key(Frozen):
    """A key, without its secret.

    Attributes:
        id: the part of the key that may be shown.
        name: whose it is.
        role: as `Role`.
        sha256: of the secret, which is random and long: no slower hash is needed.
        created: when it was made.
        revoked: when it was revoked; null while it holds.
    """

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]
    name: Annotated[str, Field(min_length=1, max_length=100)]
    role: Literal["viewer", "company", "engineer", "admin"]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    created: dt.datetime
    revoked: dt.datetime | None = None

    @property
    def level(self) -> Role:
        """Its role as a number."""
        return Role[self.role.upper()]


class _File(Frozen):
    schema_: Literal["geocheck/keys/1"] = Field(default=SCHEMA, alias="schema")
    keys: tuple[Key, ...] = ()


def read_keys(path: Path) -> tuple[Key, ...]:
    """Read the keys of a file.

    Raises:
        DataFileError: it cannot be read, or holds something else.
    """
    try:
        return _File.model_validate_json(path.read_bytes()).keys
    except OSError as error:
        raise DataFileError([Problem(path.name, "", "", why(error))]) from None
    except ValidationError as error:
        problems = problems_of(error, path.name, lambda loc: ("", ".".join(map(str, loc))))
        raise DataFileError(problems) from None


def add_key(path: Path, name: str, role: str, now: dt.datetime) -> str:
    """Make a key and keep its hash; a file that does not exist is begun.

    Args:
        path: of the file.
        name: whose it is to be.
        role: as `Role`, in words.
        now: aware.

    Returns:
        The key itself, which nothing else knows.

    Raises:
        DataFileError: the file is there and holds something else.
        InputError: the name is empty or too long.
    """
    keys = read_keys(path) if path.exists() else ()
    number, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
    fields = {"id": number, "name": name.strip(), "role": role, "sha256": _hash(secret), "created": now}
    try:
        made = Key.model_validate(fields)
    except ValidationError:
        raise InputError("--name", "dê de 1 a 100 letras: de quem é a chave") from None
    _write(path, (*keys, made))
    return f"{_PREFIX}_{number}_{secret}"


def revoke_key(path: Path, number: str, now: dt.datetime) -> Key:
    """Revoke a key by its id; one that is revoked already stays so since then.

    Raises:
        DataFileError: the file cannot be read.
        InputError: there is no such key.
    """
    keys = read_keys(path)
    found = next((key for key in keys if key.id == number), None)
    if found is None:
        raise InputError("ID", f"não há chave “{number[:20]}”; veja geocheck keys list")
    if found.revoked is None:
        found = found.model_copy(update={"revoked": now})
        _write(path, tuple(found if key.id == number else key for key in keys))
    return found


def key_for(keys: tuple[Key, ...], text: str) -> Key | None:
    """Return the key that a client shows, None where it is none, or revoked."""
    prefix, _, rest = text.partition("_")
    number, _, secret = rest.partition("_")
    for key in keys if prefix == _PREFIX else ():
        if key.id == number and hmac.compare_digest(key.sha256, _hash(secret)):
            return key if key.revoked is None else None
    return None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _write(path: Path, keys: tuple[Key, ...]) -> None:
    text = _File(keys=keys).model_dump_json(by_alias=True, indent=1)
    write_atomically(path, f"{text}\n")
    path.chmod(0o600)
