"""Codes of Brazil's traffic signs as people write them: `R6a`, `R-6A`, `BR:R-6a`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

CODES: Final = ("R-6a", "R-6b", "R-6c")
"""The signs that forbid or regulate parking: forbidden, regulated, stopping forbidden too."""

_CODE: Final = re.compile(
    r"(?:BR:)?\s*(?P<family>[A-Z]{1,3})\s*-?\s*(?P<number>\d{1,3})\s*-?\s*(?P<variant>[a-z]?)", re.IGNORECASE
)


def read_code(text: str) -> str | None:
    """Return a code as the rules write it (`R-6a`), None where the text is none."""
    match = _CODE.fullmatch(text.strip())
    if match is None:
        return None
    return f"{match['family'].upper()}-{int(match['number'])}{match['variant'].lower()}"


def sign_code(tags: Mapping[str, str]) -> str | None:
    """Return the code of an OSM sign; of several on one post that of a parking sign, else the first."""
    parts = re.split(r"[;,]", re.sub(r"\[[^\]]*\]", "", tags.get("traffic_sign", "")))
    codes = [code for part in parts if part.strip().upper().startswith("BR:") and (code := read_code(part))]
    return next((code for code in codes if code in CODES), codes[0] if codes else None)
