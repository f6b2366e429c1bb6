"""Names of streets in a table of axes: which column has them, and what a name says of the kind of way."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_HEADERS: Final = (
    "nomelogradouro", "nmlogradouro", "nologradouro", "dslogradouro", "txlogradouro", "logradouro",
    "nomelogr", "nmlogr", "nomelog", "nmlog", "nolog", "logr", "lognome", "lgnome",
    "nomevia", "nomedavia", "nmvia", "vianome", "vianame", "nomerua", "nmrua", "rua", "via",
    "streetname", "roadname", "stname", "street",
    "nome", "name", "nm", "toponimo", "denominacao", "descricao",
)  # fmt: skip
"""Headers of a column with names, the surest first, without accents, capitals and what is no letter."""

_KINDS: Final[tuple[tuple[str, Mapping[str, str]], ...]] = (
    ("fer ", {"railway": "rail"}),
    ("ferrovia ", {"railway": "rail"}),
    ("ciclovia ", {"highway": "cycleway"}),
    ("passarela ", {"highway": "footway"}),
    ("escadaria ", {"highway": "steps"}),
    ("pas pedestre ", {"highway": "footway"}),
    ("passagem de pedestre ", {"highway": "footway"}),
    ("passagem de pedestres ", {"highway": "footway"}),
)
"""Beginnings of names that say that a way is none for motor traffic."""

UNKNOWN_CLASS: Final[Mapping[str, str]] = {"highway": "road"}
"""OSM's tag for a road of which nobody knows the class."""


def name_column(columns: Iterable[str]) -> str | None:
    """Return the column that most likely holds the names of streets, or None."""
    by_header = {"".join(filter(str.isalpha, _plain(each))): each for each in reversed(list(columns))}
    return next((by_header[each] for each in _HEADERS if each in by_header), None)


def kind_of(name: str) -> Mapping[str, str]:
    """Return the tags of the kind of way that a name speaks of; those of an unknown class for most."""
    words = " ".join(_plain(name).replace("-", " ").split()) + " "
    return next((tags for beginning, tags in _KINDS if words.startswith(beginning)), UNKNOWN_CLASS)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
