"""What a bundle can be searched for, made once and kept: its names, streets, addresses and lots."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.find.lines import NamedLines
from geocheck.city.find.names import Names
from geocheck.city.find.numbered import Numbered
from geocheck.city.find.words import fold, one_line, words_of
from geocheck.city.wgs84 import to_city, to_lonlat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle

_NUMBERED: Final = ("address", "lot")
_STREETS: Final = ("axis", "kerb")
"""Layers whose lines bear names, the first that knows a name draws it."""


class FindIndex:
    """A bundle as addresses are looked for in it; read-only, the same for all searches.

    Attributes:
        crs: the city's metric system.
        city: words of the city's name.
        numbered: the layers whose features have addresses.
        names: of streets and of what stands beside them.
        lines: of the streets.
        middle: of the bundle, in the city's metres, shape (2,).
    """

    def __init__(self, bundle: Bundle) -> None:
        """Read a bundle."""
        self.crs = bundle.manifest.crs
        self.city = tuple(word.written for word in words_of(fold(bundle.manifest.city.replace("-", " "))))
        self.numbered = [Numbered(bundle, each) for each in _NUMBERED if bundle.entry(each) is not None]
        texts, shapes = _street_lines(bundle)
        spellings = Counter(texts)
        for layer in self.numbered:
            for column in (layer.street, layer.name):
                used = np.bincount(column.code[column.code >= 0], minlength=len(column.values))
                spellings.update(dict(zip(column.values, used.tolist(), strict=True)))
        self.names = Names(spellings)
        number_of = self.names.number_of
        kept = [row for row, text in enumerate(texts) if text in number_of]
        names = np.array([number_of[texts[row]] for row in kept], np.int64)
        self.lines = NamedLines(names, [shapes[row] for row in kept], len(self.names))
        self.middle = self._middle(bundle)
        to_lonlat(self.middle[None, :], self.crs)  # makes what the first search would wait for
        self._streets = [_by_name(layer.street.values, number_of) for layer in self.numbered]
        self._things = [_by_name(layer.name.values, number_of) for layer in self.numbered]

    def addresses(self, layer: int, name: int) -> NDArray[np.int64]:
        """Return the rows of a numbered layer that lie at a street."""
        return self.numbered[layer].of_street(self._streets[layer].get(name, ()))

    def things(self, layer: int, name: int) -> NDArray[np.int64]:
        """Return the rows of a numbered layer that bear a name."""
        codes = self._things[layer].get(name, ())
        return self.numbered[layer].name.rows(codes) if codes else np.zeros(0, np.int64)

    def with_numbers(self, layer: int, codes: list[int]) -> NDArray[np.bool_]:
        """Return which names are streets at which one of these numbers is known, shape (n,)."""
        held = np.zeros(len(self.names), bool)
        street = self.numbered[layer].street
        for code in np.unique(street.code[self.numbered[layer].number.rows(codes)]).tolist():
            number = -1 if code < 0 else self.names.number_of.get(street.values[code], -1)
            if number >= 0:
                held[number] = True
        return held

    def _middle(self, bundle: Bundle) -> NDArray[np.float64]:
        if bundle.manifest.extent is None:
            return self.lines.middle()
        west, south, east, north = shapely.geometry.shape(bundle.manifest.extent).bounds
        return np.asarray(to_city(np.array([[(west + east) / 2, (south + north) / 2]]), self.crs)[0])


def find_index(bundle: Bundle) -> FindIndex:
    """Return the index of a bundle, the same each time for the same bundle."""
    return _index(bundle)


@lru_cache(maxsize=4)
def _index(bundle: Bundle) -> FindIndex:
    return FindIndex(bundle)


def _street_lines(bundle: Bundle) -> tuple[list[str], list[bytes]]:
    """Return the names and shapes of lines that bear one."""
    texts: list[str] = []
    shapes: list[bytes] = []
    for layer in _STREETS:
        if bundle.entry(layer) is None:
            continue
        table = bundle.records(layer, ["street", "geometry"])
        if "street" not in table.column_names:
            continue
        known = set(texts)
        names = [one_line(each or "") for each in table.column("street").to_pylist()]
        wkb = table.column("geometry").to_pylist()
        kept = [row for row, name in enumerate(names) if name and name not in known and wkb[row] is not None]
        texts += [names[row] for row in kept]
        shapes += [wkb[row] for row in kept]
    return texts, shapes


def _by_name(values: list[str], number_of: dict[str, int]) -> dict[int, list[int]]:
    """Return the codes of a column's values by the number of the name that they spell."""
    found: dict[int, list[int]] = {}
    for code, text in enumerate(values):
        if text in number_of:
            found.setdefault(number_of[text], []).append(code)
    return found
