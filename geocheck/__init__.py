"""geocheck: may a construction-waste skip stand at this spot of a Brazilian street?

The public calls are `check` and `check_many`; `parse_request` validates what they take, `Report` is what
they give, and every user's mistake is a `GeocheckError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geocheck.errors import DataFileError, GeocheckError, InputError, UnknownNameError

if TYPE_CHECKING:
    from geocheck.api import check, check_many
    from geocheck.model.report import Report
    from geocheck.model.request import Request, parse_request

__version__ = "0.1.0"

__all__ = [
    "DataFileError",
    "GeocheckError",
    "InputError",
    "Report",
    "Request",
    "UnknownNameError",
    "check",
    "check_many",
    "parse_request",
]

_LAZY = {
    "Report": "geocheck.model.report",
    "Request": "geocheck.model.request",
    "check": "geocheck.api",
    "check_many": "geocheck.api",
    "parse_request": "geocheck.model.request",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    """Import what is asked for when it is asked for: `geocheck.law` alone must not pull in the rest."""
    from importlib import import_module  # noqa: PLC0415 (only needed here)

    if name not in _LAZY:
        raise AttributeError(f"module 'geocheck' has no attribute '{name}'")
    return getattr(import_module(_LAZY[name]), name)
