"""Numbers written by people: decimal comma or point, thousands grouped or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_PLAIN: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
_SPACES: Final = str.maketrans("", "", " \t\u00a0\u202f\u2009")
_MINUS: Final = str.maketrans("\u2212\u2013", "--")


def numbers(texts: Sequence[str | None]) -> NDArray[np.float64]:
    """Read a column of numbers; the whole column decides which sign is the decimal one.

    A column that has both signs in one number has its decimals after the last of them; one in which a sign
    comes twice in a number groups thousands with it; else whichever sign is there is the decimal one.

    Returns:
        Shape (n,); NaN where the text is no finite number (blank, `nan`, `inf`, words, degrees and minutes).
    """
    plain = [(text or "").translate(_SPACES).translate(_MINUS) for text in texts]
    grouping = _grouping(plain)
    values = np.array([_value(text, grouping) for text in plain], dtype=np.float64)
    values[~np.isfinite(values)] = np.nan
    return values


def _grouping(texts: Sequence[str]) -> str:
    """Return the sign that groups thousands in a column, or an empty string."""
    for text in texts:
        if "." in text and "," in text:
            return "." if text.rindex(",") > text.rindex(".") else ","
    for sign in (".", ","):
        if any(text.count(sign) > 1 for text in texts):
            return sign
    return ""


def _value(text: str, grouping: str) -> float:
    if grouping:
        whole, decimal, rest = _split(text, "," if grouping == "." else ".")
        groups = whole.lstrip("+-").split(grouping)
        if len(groups) > 1 and not (
            1 <= len(groups[0]) <= 3 and all(len(each) == 3 for each in groups[1:])  # noqa: PLR2004
        ):
            return np.nan
        text = whole.replace(grouping, "") + decimal + rest
    text = text.replace(",", ".")
    return float(text) if _PLAIN.fullmatch(text) else np.nan


def _split(text: str, sign: str) -> tuple[str, str, str]:
    return text.partition(sign)
