"""Reads an OSM file through libosmium's text form (OPL): much faster than an object for each thing."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import osmium
import pyarrow as pa
from pyarrow import csv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_FORM: Final = "opl,locations_on_ways=true,add_metadata=version"
_ESCAPED: Final = re.compile(rb"%([0-9a-f]+)%")
_TO_TABLE: Final = bytes.maketrans(b"xy,", b",,\n")
_DELETED: Final = b"dD"
_SORTED: Final = "Type_then_ID"
_COLUMNS: Final = {"id": pa.int64(), "lon": pa.float64(), "lat": pa.float64()}


@dataclass(slots=True)
class Kind:
    """The things of one kind that were taken, in the order of the file.

    Attributes:
        ids: as text, with the letter of the kind.
        tags: of each.
        nodes: of a way its nodes, of a node itself: `n1x-49.25y-16.68,n2xy`.
    """

    ids: list[bytes] = field(default_factory=list)
    tags: list[dict[str, str]] = field(default_factory=list)
    nodes: list[bytes] = field(default_factory=list)

    def numbers(self) -> NDArray[np.int64]:
        """Return the ids as numbers."""
        return np.array([int(each[1:]) for each in self.ids], np.int64)


@dataclass(slots=True)
class Things:
    """What one pass over a file brings together.

    Attributes:
        ways: those with one of the wanted keys and two nodes or more.
        nodes: those with tags.
        without_key: ways that have none of the wanted keys.
        empty: ways with a wanted key and fewer than two nodes.
        relations: not taken.
        deleted: ways, relations and tagged nodes marked as deleted, not taken.
    """

    ways: Kind = field(default_factory=Kind)
    nodes: Kind = field(default_factory=Kind)
    without_key: int = 0
    empty: int = 0
    relations: int = 0
    deleted: int = 0


def read_things(path: Path, keys: frozenset[str]) -> tuple[Things, osmium.osm.Box]:
    """Read a file of any order; also return the box of its header, which may be invalid.

    Args:
        path: `.osm` or `.osm.pbf`.
        keys: a way with none of them is left out.

    Raises:
        RuntimeError: the file is no OSM data (as libosmium says it).
        ValueError: it holds text that is none.
    """
    reader = osmium.io.Reader(str(path), osmium.osm.NOTHING)
    box, in_order = reader.header().box(), reader.header().get("sorting") == _SORTED
    reader.close()
    index = osmium.index.create_map(
        "sparse_mem_map"
    )  # in any order; of two nodes with one id the last counts
    where = osmium.NodeLocationsForWays(index)
    where.ignore_errors()
    if not in_order:  # nodes may stand after the ways
        reader = osmium.io.Reader(str(path), osmium.osm.NODE)
        osmium.apply(reader, where)
        reader.close()
    return _things(_text(path, where), keys), box


def _text(path: Path, where: osmium.NodeLocationsForWays) -> bytes:
    """Return the file without untagged nodes in libosmium's text form, a thing a line."""
    tagged = osmium.filter.EmptyTagFilter()
    tagged.enable_for(osmium.osm.NODE)
    with tempfile.TemporaryDirectory(prefix="geocheck-") as folder:
        target = Path(folder) / "things.opl"
        with osmium.SimpleWriter(osmium.io.File(str(target), _FORM)) as writer:
            osmium.apply(str(path), where, tagged, writer)
        return target.read_bytes()


class _Tags(dict[bytes, tuple[str, str]]):
    """Key and value by the text of a tag; most tags of a file are the same few."""

    def __missing__(self, text: bytes) -> tuple[str, str]:
        key, _, value = text.partition(b"=")
        self[text] = found = _plain(key), _plain(value)
        return found


class _TagSets(dict[bytes, dict[str, str]]):
    """Tags by their text; two of three things have the same as another, and share them."""

    def __init__(self) -> None:
        super().__init__()
        self._tag = _Tags().__getitem__

    def __missing__(self, text: bytes) -> dict[str, str]:
        self[text] = found = dict(map(self._tag, text[1:].split(b","))) if len(text) > 1 else {}
        return found


def _plain(text: bytes) -> str:
    if b"%25%" not in text:  # where no “%” stands before it, this is a blank, by far the commonest
        text = text.replace(b"%20%", b" ")
    if b"%" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)).encode(), text)
    return text.decode()


def _things(text: bytes, keys: frozenset[str]) -> Things:
    found, sets = Things(), _TagSets()
    for line in text.split(b"\n"):
        kind = line[:1]
        if kind == b"w":
            name, _, state, tags, nodes = line.split(b" ")
            if state == _DELETED:
                found.deleted += 1
                continue
            held = sets[tags]
            if keys.isdisjoint(held):
                found.without_key += 1
            elif b"," not in nodes:
                found.empty += 1
            else:
                found.ways.ids.append(name)
                found.ways.tags.append(held)
                found.ways.nodes.append(nodes[1:])
        elif kind == b"n":
            name, _, state, tags, x, y = line.split(b" ")
            if state == _DELETED:
                found.deleted += 1
                continue
            found.nodes.ids.append(name)
            found.nodes.tags.append(sets[tags])
            found.nodes.nodes.append(name + x + y)
        elif kind == b"r":
            found.relations += 1
    return found


def nodes_table(texts: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the ids and the degrees (lon, lat) of all nodes that texts name, NaN where there is no place."""
    if not texts:
        return np.zeros(0, np.int64), np.zeros((0, 2))
    rows = pa.BufferReader(b",".join(texts).translate(_TO_TABLE, b"n"))
    table = csv.read_csv(
        rows,
        read_options=csv.ReadOptions(column_names=list(_COLUMNS)),
        convert_options=csv.ConvertOptions(column_types=_COLUMNS),
    )
    lonlat = np.column_stack([table["lon"].to_numpy(), table["lat"].to_numpy()])
    return np.asarray(table["id"].to_numpy()), lonlat
