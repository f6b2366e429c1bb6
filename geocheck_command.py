"""The way into the `geocheck` command: an interruption ends it with one line, also while it is loading.

It stands beside the package, for whatever is in it is loaded after the whole front door of the package.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED: Final = 130
"""Exit code by which a shell knows that a command ended on SIGINT (128 + 2)."""

_SAID: Final = b"geocheck: interrompido\n"


def main() -> None:
    """Load the command and run it."""
    # An exception would not do: some libraries, while they load, turn it into one of their own.
    signal.signal(signal.SIGINT, _leave)
    from geocheck.cli import app  # noqa: PLC0415 (half a second, in which one may think better of it)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        app.main()
    except KeyboardInterrupt:
        os.write(sys.stderr.fileno(), _SAID)
        sys.exit(INTERRUPTED)


def _leave(_: int, __: FrameType | None) -> None:
    """Stop at once: nothing has been begun that would have to be put away."""
    os.write(sys.stderr.fileno(), _SAID)
    os._exit(INTERRUPTED)
