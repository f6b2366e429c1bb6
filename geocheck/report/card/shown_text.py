"""Text from data as a card can show it: on one line, breakable, without signs that are not seen."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

LONGEST: Final = 400
"""Letters of one text that are shown."""

NAME: Final = 90
"""Letters of a name that are shown."""

NO_BREAK: Final = "\u00a0"

_SPACE: Final = re.compile(rf"[^\S{NO_BREAK}]+")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MARKS_ON_A_LETTER: Final = 2
_LONG_WORD: Final = re.compile(r"\S{25,}")
_BREAK_EVERY: Final = 12
_ZERO_WIDTH_SPACE: Final = "\u200b"
_REPLACEMENT: Final = "\ufffd"


def shown_text(text: str, longest: int = LONGEST) -> str:
    """Return a text with spaces in the place of line ends, and `\ufffd` in that of what would not be seen.

    What turns the direction of reading would show a text that is not there; so would a pile of accents on
    one letter. Words too long for a line get places to break at.

    Args:
        text: of any origin.
        longest: letters to keep; what is cut ends in `…`.
    """
    flat = unicodedata.normalize("NFC", _SPACE.sub(" ", text).strip())
    seen = "".join(map(_letter, _without_piles(flat)))
    cut = seen if len(seen) <= longest else f"{seen[: longest - 1].rstrip()}…"
    return _LONG_WORD.sub(_breakable, cut)


def all_shown(value: Any) -> Any:  # noqa: ANN401 (whatever JSON holds)
    """Return nested lists and mappings with each text as it can be shown."""
    if isinstance(value, str):
        return shown_text(value)
    if isinstance(value, dict):
        return {key: all_shown(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [all_shown(each) for each in value]
    return value


def _letter(letter: str) -> str:
    return _REPLACEMENT if unicodedata.category(letter) in _UNSEEN and letter != _ZERO_WIDTH_SPACE else letter


def _without_piles(text: str) -> str:
    kept, pile = [], 0
    for letter in text:
        pile = pile + 1 if unicodedata.combining(letter) else 0
        if pile <= _MARKS_ON_A_LETTER:
            kept.append(letter)
    return "".join(kept)


def _breakable(word: re.Match[str]) -> str:
    letters = word.group()
    parts = [letters[start : start + _BREAK_EVERY] for start in range(0, len(letters), _BREAK_EVERY)]
    return _ZERO_WIDTH_SPACE.join(parts)
