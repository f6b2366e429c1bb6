"""Bytes into text: what is declared is tried first, and a lie is found out and said."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from geocheck.city.sources.cleaning import Action

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from geocheck.city.sources.cleaning import Notebook

_FALLBACKS: Final = ("utf-8", "cp1252", "latin-1")
_REPLACEMENT: Final = "\ufffd"
_LONGEST_CUT: Final = 3
"""A UTF-8 character is cut by a field's width after so many bytes at most."""


@dataclass(frozen=True, slots=True)
class Told:
    """An encoding and who named it.

    Attributes:
        encoding: a codec's name, or None where nobody named one.
        by: pt-BR (“o .cpg”).
        by_user: whether the user declared it.
    """

    encoding: str | None
    by: str
    by_user: bool = False


def encoding_of(samples: Sequence[bytes], told: Told, notebook: Notebook) -> str:
    """Find the encoding of texts, trying what was told, then UTF-8, cp1252 and latin-1.

    A single-byte encoding told by the file is overruled where every accented text is valid UTF-8: real
    cp1252 text is practically never that.

    Args:
        samples: every text that is not plain ASCII.
        told: which encoding they should be in.
        notebook: told when that was wrong or nobody said one.
    """
    first = _codec(told.encoding)
    order = [first] if first else []
    if first not in (None, "utf-8") and not told.by_user and samples and _decodes(samples, "utf-8"):
        order = []
    order += [each for each in _FALLBACKS if each not in order]
    chosen = next(each for each in order if _decodes(samples, each))
    if not samples or chosen == first:
        return chosen
    if told.encoding is not None:
        message = f"{told.by} diz que o texto está em {told.encoding}, mas não está; lido como {chosen}"
        notebook.of_file("encoding_wrong", Action.GUESSED, message)
    elif chosen != "utf-8":
        notebook.of_file("encoding_guessed", Action.GUESSED, f"{told.by}; texto lido como {chosen}")
    return chosen


def decoded(values: Iterable[bytes | None], encoding: str) -> list[str | None]:
    """Decode texts in an encoding that `encoding_of` found for them, less a character cut at the end."""
    return [None if value is None else _decode(value, encoding) for value in values]


def file_text(content: bytes, told: Told, notebook: Notebook) -> str:
    """Decode a whole text file, less a character cut at its end; a byte order mark outweighs what is told."""
    for bom, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if content.startswith(bom) and _decodes([content[len(bom) :]], encoding):
            return _decode(content[len(bom) :], encoding)
    samples = [] if content.isascii() else [content]
    return _decode(content, encoding_of(samples, told, notebook))


def is_spoilt(text: str | None) -> bool:
    """Whether a text was already ruined before it came here (U+FFFD)."""
    return text is not None and _REPLACEMENT in text


def _codec(name: str | None) -> str | None:
    try:
        "a".encode(name or "utf-8")  # some codecs are not of text
        found = codecs.lookup(name).name if name else None
    except (LookupError, ValueError):
        return None
    return {"iso8859-1": "latin-1"}.get(found or "", found)


def _decodes(samples: Sequence[bytes], encoding: str) -> bool:
    try:
        for each in samples:
            _decode(each, encoding)
    except UnicodeError:
        return False
    return True


def _decode(value: bytes, encoding: str) -> str:
    try:
        return value.decode(encoding)
    except UnicodeDecodeError as error:
        cut = encoding == "utf-8" and error.reason == "unexpected end of data"
        if cut and len(value) - error.start <= _LONGEST_CUT:
            return value[: error.start].decode(encoding)
        raise
