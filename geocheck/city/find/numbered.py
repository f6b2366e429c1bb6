"""What a bundle's addresses and lots say of themselves, as columns: street, number, name, block and lot."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.find.question import House, Plot, houses_of, plain_code, plot_in
from geocheck.city.find.words import fold, one_line, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa
    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle

_BEFORE: Final = r"(?:nr|nm|no|num|numero|nome|cd|cod|tx|ds)?"
_HEADERS: Final = {
    "block": re.compile(_BEFORE + r"(?:quadra|qdra|qdr|qd)"),
    "lot": re.compile(_BEFORE + r"(?:lote|lte|lt)"),
    "district": re.compile(_BEFORE + r"(?:bairro|setor|loteamento)"),
}
"""Headers of a file's own columns, without accents, capitals and what is no letter."""

_DISTRICT_TAG: Final = re.compile(r"(?:^|;)addr:suburb=([^;]*)")
_AREA: Final = 2


class Coded(NamedTuple):
    """A column of which each value is held once.

    Attributes:
        values: shape (v,).
        code: of each row, -1 where nobody knows, shape (f,).
    """

    values: list[str]
    code: NDArray[np.int32]

    def text(self, row: int) -> str:
        """Return a row's value, empty where nobody knows."""
        code = self.code[row]
        return "" if code < 0 else self.values[code]

    def rows(self, wanted: Iterable[int]) -> NDArray[np.int64]:
        """Return the rows of some codes."""
        held = np.zeros(len(self.values) + 1, bool)
        held[list(wanted)] = True
        held[-1] = False  # of what nobody knows
        return np.flatnonzero(held[self.code])


class Numbered:
    """A layer whose features have addresses.

    Attributes:
        layer: its name.
        street: of each feature.
        number: its house number, as written.
        name: its own.
        district: its neighbourhood.
        houses: what each of the values of `number` says.
    """

    def __init__(self, bundle: Bundle, layer: str) -> None:
        """Read a layer of a bundle, without its shapes."""
        self.layer = layer
        self._bundle = bundle
        wanted = _columns(bundle.column_names(layer))
        table = bundle.records(layer, [column for column in wanted.values() if column])
        self._size = len(table) if table.num_columns else 0
        self.street = _coded(table, wanted["street"], self._size)
        self.number = _coded(table, wanted["number"], self._size)
        self.name = _coded(table, wanted["name"], self._size)
        self.district = _district(table, wanted, self._size)
        self._block = _coded(table, wanted["block"], self._size)
        self._lot = _coded(table, wanted["lot"], self._size)
        self._houses: dict[House, list[int]] = {}
        self._written_plots: dict[Plot, list[int]] = {}
        for code, text in enumerate(self.number.values):
            plot = plot_in(fold(text))
            if plot is not None:
                self._written_plots.setdefault(plot, []).append(code)
            for house in () if plot else houses_of(text):
                self._houses.setdefault(house, []).append(code)
        self.houses = [houses_of(text) for text in self.number.values]
        order = np.argsort(self.street.code, kind="stable")
        self._by_street = order.astype(np.int32)
        self._ordered = self.street.code[order]

    def of_street(self, spellings: Iterable[int]) -> NDArray[np.int64]:
        """Return the rows of a street by the codes of its spellings."""
        found = [np.arange(*np.searchsorted(self._ordered, [code, code + 1])) for code in spellings]
        return np.asarray(self._by_street[np.concatenate([np.zeros(0, np.int64), *found])], np.int64)

    def codes_of(self, house: House) -> list[int]:
        """Return the codes of numbers that are a house number, or it with a letter where none was asked."""
        exact = self._houses.get(house, [])
        if exact or house.suffix:
            return exact
        return [code for each, held in self._houses.items() if each.value == house.value for code in held]

    def of_plot(self, plot: Plot) -> NDArray[np.int64]:
        """Return the rows of a block and lot."""
        rows = [self.number.rows(self._written_plots.get(plot, []))]
        blocks = self._block.rows(self._blocks.get(plot.block, ()))
        lots = self._lot.rows(self._lots.get(plot.lot, ()))
        return np.unique(np.concatenate([*rows, np.intersect1d(blocks, lots)]))

    def named(self, identifier: str) -> NDArray[np.int64]:
        """Return the rows of a feature's identifier, told without capitals and with single spaces."""
        hashes, order = self._hashes
        near = order[slice(*np.searchsorted(hashes[order], [h := hash(identifier), h + 1]))]
        return np.array(
            [row for row in near.tolist() if _plain(self.identifier(row)) == identifier], np.int64
        )

    def plot_text(self, row: int) -> str:
        """Return how block and lot are told of a row, empty where they are not."""
        block, lot = self._block.text(row), self._lot.text(row)
        return f"Quadra {block}, Lote {lot}" if block and lot else ""

    def identifier(self, row: int) -> str:
        """Return a feature's identifier."""
        return _text(self._features[row].as_py() or "") if self._features else ""

    def xy(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return a point of each of some features, in the city's metres, shape (r, 2)."""
        return points_of(
            np.asarray(shapely.from_wkb([self._wkb[row].as_py() for row in rows.tolist()]), object)
        )

    @cached_property
    def _wkb(self) -> Any:  # noqa: ANN401 (an array of any type)
        return self._bundle.records(self.layer, ["geometry"]).column(0).combine_chunks()

    @cached_property
    def _features(self) -> Any:  # noqa: ANN401 (an array of any type)
        table = self._bundle.records(self.layer, ["feature"])
        return table.column(0).combine_chunks() if table.num_columns else ()

    @cached_property
    def _hashes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What stands for each identifier, and their order; the texts of a city's lots take too much."""
        told = self._features.to_pylist() if self._features else []
        hashes = np.fromiter((hash(_plain(str(each or ""))) for each in told), np.int64, len(told))
        return hashes, np.argsort(hashes, kind="stable")

    @cached_property
    def _blocks(self) -> dict[str, list[int]]:
        return _by_code(self._block)

    @cached_property
    def _lots(self) -> dict[str, list[int]]:
        return _by_code(self._lot)


def _plain(identifier: str) -> str:
    return " ".join(identifier.casefold().split())


def points_of(shapes: NDArray[np.object_]) -> NDArray[np.float64]:
    """Return a point on each shape, as near to its middle as it goes, shape (f, 2); NaN of an empty one."""
    middle = shapely.centroid(shapes)
    area = shapely.get_dimensions(shapes) == _AREA
    out = np.flatnonzero(~(area & shapely.intersects(shapes, middle)))
    middle[out] = shapely.point_on_surface(shapes[out])
    return np.column_stack([shapely.get_x(middle), shapely.get_y(middle)])


def _columns(held: list[str]) -> dict[str, str | None]:
    """Return the column of each thing that is looked for, None where the layer has none."""
    found: dict[str, str | None] = {
        each: each if each in held else None for each in ("street", "number", "name")
    }
    plain = {column: "".join(filter(str.isalpha, fold(column))) for column in sorted(held)}
    for key, header in _HEADERS.items():
        found[key] = next((column for column, text in plain.items() if header.fullmatch(text)), None)
    found["tags"] = "tags" if "tags" in held else None
    return found


def _district(table: pa.Table, wanted: dict[str, str | None], size: int) -> Coded:
    if wanted["district"] is not None or wanted["tags"] is None:
        return _coded(table, wanted["district"], size)
    tags = table.column(wanted["tags"]).to_pylist()
    told = [_DISTRICT_TAG.search(each) if each else None for each in tags]
    return _encoded([each[1] if each else None for each in told])


def _coded(table: pa.Table, column: str | None, size: int) -> Coded:
    if column is None:
        return Coded([], np.full(size, -1, np.int32))
    return _encoded(table.column(column).to_pylist())


def _encoded(values: list[Any]) -> Coded:
    """Hold each value once; what is blank nobody knows."""
    codes: dict[Any, int] = {None: -1}
    code = np.fromiter((codes.setdefault(each, len(codes) - 1) for each in values), np.int32, len(values))
    del codes[None]
    texts = [_text(each) for each in codes]
    blank = np.array([*(not text for text in texts), False])
    code[blank[code]] = -1
    return Coded(texts, code)


def _text(value: Any) -> str:  # noqa: ANN401 (a file's own column)
    """Return a value as text; a whole number without its decimals."""
    return one_line(str(int(value) if isinstance(value, float) and value.is_integer() else value))


def _by_code(column: Coded) -> dict[str, list[int]]:
    """Return the values of blocks or lots by what is compared of them."""
    found: dict[str, list[int]] = {}
    for code, text in enumerate(column.values):
        found.setdefault(plain_code(_joined(text)), []).append(code)
    return found


def _joined(text: str) -> str:
    """Return a block or lot as told, without the word for it."""
    words = [word.written for word in words_of(fold(text))]
    return "".join(word for word in words if word not in {"quadra", "qd", "lote", "lt"})
