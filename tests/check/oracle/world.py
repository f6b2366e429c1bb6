"""A bundle as the oracle reads it: its files one by one, with the ordinary readers, into plain lists."""

from __future__ import annotations

import datetime as dt
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import shapely
from pyproj import Transformer

if TYPE_CHECKING:
    from pathlib import Path

    from shapely.geometry.base import BaseGeometry


BESIDE_KERBS_M = 25.0
"""Who surveyed all kerbs has looked so far round each of them."""


class Layer(NamedTuple):
    """One layer: attributes (None where nobody knows), geometries in metres and their accuracies."""

    rows: list[dict[str, Any]]
    shapes: list[BaseGeometry]
    accuracy_m: list[float]
    layer_accuracy_m: float
    complete: bool
    extent: BaseGeometry | None


class World:
    """A bundle, read when asked for."""

    def __init__(self, folder: Path, max_footway_m: float) -> None:
        self.folder = folder
        self.max_footway_m = max_footway_m
        self.manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        self.crs: str = self.manifest["crs"]
        self.to_metres = Transformer.from_crs("EPSG:4326", self.crs, always_xy=True)
        self._layers: dict[str, Layer | None] = {}

    def layer(self, name: str) -> Layer | None:
        """Return a layer, None where the bundle has none of the name."""
        if name not in self._layers:
            entries = [each for each in self.manifest["layers"] if each["name"] == name]
            self._layers[name] = self._read(entries[0]) if entries else None
        return self._layers[name]

    def table(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a table, none where the bundle has no such table."""
        entries = [each for each in self.manifest["tables"] if each["name"] == name]
        if not entries:
            return []
        with pa.OSFile(str(self.folder / entries[0]["file"])) as file:
            return list(pa.ipc.open_file(file).read_all().to_pylist())

    def stations(self, name: str) -> dict[int, list[dict[str, Any]]]:
        """Return the rows of `station.LAYER` by kerb."""
        if name not in self._stations:
            by_kerb: dict[int, list[dict[str, Any]]] = {}
            for row in self.table(f"station.{name}"):
                by_kerb.setdefault(row["kerb"], []).append(row)
            self._stations[name] = by_kerb
        return self._stations[name]

    @cached_property
    def _stations(self) -> dict[str, dict[int, list[dict[str, Any]]]]:
        return {}

    def _read(self, entry: dict[str, Any]) -> Layer:
        frame = gpd.read_parquet(self.folder / entry["file"])
        shapes = list(frame.geometry)
        names = [name for name in frame.columns if name != frame.geometry.name]
        columns = {name: [plain(value) for value in frame[name].tolist()] for name in names}
        rows = [{name: columns[name][row] for name in names} for row in range(len(shapes))]
        accuracy = [
            entry["accuracy_m"] if row.get("accuracy_m") is None else row["accuracy_m"] for row in rows
        ]
        extent = entry.get("extent") or self.manifest.get("extent")
        area = self._round_kerbs() if extent is None else self._in_metres(shapely.geometry.shape(extent))
        complete = entry["completeness"] == "complete"
        return Layer(rows, shapes, accuracy, entry["accuracy_m"], complete, area)

    def _round_kerbs(self) -> BaseGeometry | None:
        """Return the ground beside kerbs of which all are known: the extent of a survey that states none."""
        kerb = next(each for each in self.manifest["layers"] if each["name"] == "kerb")
        if kerb["completeness"] != "complete":
            return None
        lines = gpd.read_parquet(self.folder / kerb["file"]).geometry
        return shapely.union_all(shapely.buffer(np.asarray(lines), BESIDE_KERBS_M))

    def _in_metres(self, area: BaseGeometry) -> BaseGeometry:
        def carried(lonlat: np.ndarray) -> np.ndarray:
            return np.array([self.to_metres.transform(lon, lat) for lon, lat in lonlat])

        return shapely.transform(area, carried)


def plain(value: object) -> Any:  # noqa: ANN401 (whatever a file holds)
    """Return None for all the ways in which tables say that there is no value."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, float) and np.isnan(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date()
    if isinstance(value, dt.datetime):
        return value.date()
    return value
