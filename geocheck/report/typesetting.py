"""Typesets a template of the package with data from a report: as PNG, PDF or SVG, with its own fonts."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import typst

PIXELS_A_POINT: Final = 3
"""Of a PNG: a page 360 pt wide is 1080 px wide."""

_POINTS_AN_INCH: Final = 72
_FONT_PACKAGE: Final = "fontpkg_atkinson_hyperlegible"
"""A family made to be told apart at a glance (Braille Institute, OFL 1.1)."""


def typeset(template: Path, data: Mapping[str, Any], form: Literal["png", "pdf", "svg"]) -> bytes:
    """Return a document as bytes.

    What comes from data stays data: the template reads it as JSON, and nothing of it is ever markup.

    Args:
        template: a Typst file of the package; it finds the data in `json(bytes(sys.inputs.data))`.
        data: what JSON can hold.
        form: of the document; a PNG or SVG has one page.

    Raises:
        TypstError: the template is wrong; no data can make it so.
    """
    import typst  # noqa: PLC0415 (heavy, and only needed here)

    return typst.compile(
        template.read_bytes(),
        font_paths=_fonts(),
        format=form,
        ppi=_POINTS_AN_INCH * PIXELS_A_POINT,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False, allow_nan=False)},
    )


@cache
def _fonts() -> typst.Fonts:
    """Read the fonts once: those of the package and those inside Typst, none of the system's."""
    import typst  # noqa: PLC0415 (heavy, and only needed here)

    folder = resources.files(_FONT_PACKAGE) / "files"
    with resources.as_file(folder) as path:
        return typst.Fonts(include_system_fonts=False, font_paths=[path])
