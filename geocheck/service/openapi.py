"""Writes the OpenAPI document of the service, as it is published in `docs/`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from geocheck.files import write_atomically
from geocheck.service.app import create_app
from geocheck.settings import ServiceSettings


def openapi_text() -> str:
    """Return the document as text."""
    document = create_app(ServiceSettings()).openapi()
    return f"{json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)}\n"


def main() -> None:
    """Write the document to the file that the command line names."""
    write_atomically(Path(sys.argv[1]), openapi_text())


if __name__ == "__main__":
    main()
