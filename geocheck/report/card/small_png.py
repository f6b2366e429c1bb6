"""A PNG of few colours, small enough for a messaging app on a phone's connection."""

from __future__ import annotations

import io
from typing import Final

_COLOURS: Final = 64
"""Flat colours, and the shades at the edges of letters."""

_COMPRESSION: Final = 3
"""Of zlib: at 6 a card takes twice the time for a seventh less."""


def small_png(png: bytes) -> bytes:
    """Return a picture with a palette in the place of its 32 bits a pixel.

    Args:
        png: an opaque picture.
    """
    from PIL import Image  # noqa: PLC0415 (only needed where a picture is made)

    with Image.open(io.BytesIO(png)) as picture:
        few = picture.convert("RGB").quantize(
            _COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
    written = io.BytesIO()
    few.save(written, "PNG", compress_level=_COMPRESSION)
    return written.getvalue()
