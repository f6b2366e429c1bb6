"""Attributes of a street graph's edges as OSM tags: one value a key, lists settled or left out."""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NOT_TAGS: Final = frozenset(
    {
        "osmid", "osmid_original", "id", "u", "v", "key", "from", "to", "x", "y", "lon", "lat",
        "length", "geometry", "reversed", "bearing", "grade", "grade_abs", "elevation", "rise",
        "speed_kph", "travel_time", "street_count", "merged_edges",
    }
)  # fmt: skip
"""What osmnx keeps on nodes and edges beside their tags (its documentation, "Attributes")."""

_RANKS: Final = (
    "motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential",
    "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link",
    "living_street", "service",
)  # fmt: skip
"""Classes from the most important on (OSM wiki, "Key:highway"); others follow by alphabet."""

_JOINED: Final = frozenset({"name", "ref"})
_LONGEST_LIST: Final = 10_000
_OF_A_SIDE: Final = re.compile(r"(^|:)(left|right|forward|backward|placement)(:|$)|^turn(:|$)")
_WORDS: Final = {"True": "yes", "False": "no", "None": "", "nan": "", "NaN": ""}


def values_of(raw: object) -> tuple[str, ...]:
    """Return the values that an attribute holds, sorted; a list is written as Python writes it."""
    if isinstance(raw, str) and raw[:1] in "[{(" and raw[-1:] in "]})" and len(raw) <= _LONGEST_LIST:
        try:
            raw = ast.literal_eval(raw)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return _word(raw)
    if isinstance(raw, list | tuple | set):
        return tuple(sorted({word for each in raw for word in _word(each)}))
    return _word(raw)


def _word(value: object) -> tuple[str, ...]:
    if isinstance(value, float):
        if not math.isfinite(value):
            return ()
        value = int(value) if value.is_integer() else value
    text = str(value).strip()
    text = _WORDS.get(text, text)
    return (text,) if text else ()


class SettledTags(NamedTuple):
    """The tags of a street, and which keys were not as clear as a tag says.

    Attributes:
        tags: one value a key.
        settled: keys of which one of several values was chosen, or the values were joined.
        left_out: keys with several values, or of a side that nobody knows.
    """

    tags: dict[str, str]
    settled: tuple[str, ...]
    left_out: tuple[str, ...]


def settled_tags(edges: Iterable[Mapping[str, Any]], side_known: bool) -> SettledTags:  # noqa: FBT001 (a fact)
    """Return the tags of a street from the attributes of its edges.

    Names are joined, of classes the most important holds, of other keys with several values nothing is known.

    Args:
        edges: attributes; the two directions of a street may know different things of it.
        side_known: the street is drawn as in OSM, so that left, right, forward and backward mean something.
    """
    values = _values(edges)
    sided = [key for key, found in values.items() if found and not side_known and _OF_A_SIDE.search(key)]
    several = [key for key, found in values.items() if len(found) > 1 and key not in sided]
    settled = tuple(key for key in several if key in _JOINED or key == "highway")
    left_out = (*sided, *(key for key in several if key not in settled))
    tags = {key: next(iter(found)) for key, found in values.items() if len(found) == 1 and key not in sided}
    for key in settled:
        tags[key] = min(values[key], key=_rank) if key == "highway" else ";".join(sorted(values[key]))
    return SettledTags(tags, settled, left_out)


def plain_tags(attributes: Mapping[str, Any]) -> dict[str, str]:
    """Return the tags of a node: attributes with one value."""
    return settled_tags([attributes], side_known=True).tags


def _values(edges: Iterable[Mapping[str, Any]]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for attributes in edges:
        for key, raw in attributes.items():
            if key not in _NOT_TAGS:
                values.setdefault(str(key), set()).update(values_of(raw))
    return values


def _rank(highway: str) -> tuple[int, str]:
    return _RANKS.index(highway) if highway in _RANKS else len(_RANKS), highway
