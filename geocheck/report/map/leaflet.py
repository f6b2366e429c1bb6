"""Leaflet's own files, to be written into a page: no request goes out for them."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import NamedTuple


class Leaflet(NamedTuple):
    """Leaflet (BSD 2-Clause) as text; its pictures are in the style sheet."""

    script: str
    style: str


def leaflet() -> Leaflet:
    """Read Leaflet as the installed package has it."""
    import xstatic.pkg.leaflet as package  # noqa: PLC0415 (only needed where a map is made)

    folder = Path(package.BASE_DIR)
    style = (folder / "leaflet.css").read_text(encoding="utf-8")
    script = (folder / "leaflet.js").read_text(encoding="utf-8")
    # The map that debuggers look for is another file.
    return Leaflet(re.sub(r"\n//# sourceMappingURL=.*", "", script), _with_pictures(style, folder))


def _with_pictures(style: str, folder: Path) -> str:
    def inline(match: re.Match[str]) -> str:
        picture = base64.b64encode((folder / match[1]).read_bytes()).decode()
        return f"url(data:image/png;base64,{picture})"

    return re.sub(r"url\((images/[\w.-]+\.png)\)", inline, style)
