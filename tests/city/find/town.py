"""A small town made by hand, in the metres of Goiânia's zone: what a test puts where it puts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import geopandas as gpd
import numpy as np
import pandas as pd
from shapely import LineString, Point, box

from geocheck.city.bundle.bundle import write_bundle
from geocheck.city.find.index import FindIndex
from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.find.places import FoundPlace

CRS = "EPSG:31982"
EAST, NORTH = 680_000.0, 8_160_000.0
"""Where the town's 0, 0 lies."""

HEAD: dict[str, Any] = {
    "engine": "geocheck de teste",
    "city": "goiania",
    "crs": CRS,
    "driving_side": "right",
    "built_at": "2026-11-30T12:00:00Z",
}


class Street(NamedTuple):
    """A straight street."""

    name: str | None
    x: float
    y: float
    to_x: float
    to_y: float


class Address(NamedTuple):
    """An address; `name`, `tags` and whatever else a file has may be missing."""

    street: str | None
    number: str | None
    x: float
    y: float
    name: str | None = None
    tags: str | None = None


class Lot(NamedTuple):
    """A square lot of 10 m round a place, with a file's own columns."""

    x: float
    y: float
    own: dict[str, Any]


def entry(name: str) -> dict[str, Any]:
    """Return what a manifest says of a layer."""
    source = {"file": f"{name}.geojson", "sha256": "0" * 64}
    return {"name": name, "sources": (source,), "accuracy_m": 1.0, "completeness": "partial", "changes": ()}


def frame(columns: dict[str, Any], shapes: Sequence[Any]) -> gpd.GeoDataFrame:
    """Return a layer, carried to where the town lies."""
    moved = gpd.GeoSeries(list(shapes), crs=CRS).translate(EAST, NORTH)
    return gpd.GeoDataFrame(columns, geometry=moved.to_numpy(), crs=CRS)


def text(values: Sequence[str | None]) -> pd.Series[Any]:
    """Return a column of texts, None where nobody knows."""
    return pd.Series(list(values), dtype="string")


def town(
    folder: Path, streets: Sequence[Street], addresses: Sequence[Address] = (), lots: Sequence[Lot] = ()
) -> Bundle:
    """Write a town."""
    axis = frame(
        {"street": text([each.name for each in streets])},
        [LineString([(each.x, each.y), (each.to_x, each.to_y)]) for each in streets],
    )
    layers: list[tuple[dict[str, Any], gpd.GeoDataFrame]] = [(entry("axis"), axis)]
    if addresses:
        columns = {
            key: text([getattr(each, key) for each in addresses])
            for key in ("street", "number", "name", "tags")
        }
        columns["feature"] = text([f"node/{each}" for each in range(len(addresses))])
        layers.append((entry("address"), frame(columns, [Point(each.x, each.y) for each in addresses])))
    if lots:
        keys = sorted({key for each in lots for key in each.own})
        columns = {key: text([each.own.get(key) for each in lots]) for key in keys}
        shapes = [box(each.x - 5, each.y - 5, each.x + 5, each.y + 5) for each in lots]
        layers.append((entry("lot"), frame(columns, shapes)))
    return write_bundle(folder, HEAD, layers, {})


def index(
    folder: Path, streets: Sequence[Street], addresses: Sequence[Address] = (), lots: Sequence[Lot] = ()
) -> FindIndex:
    """Write a town and read what it can be searched for."""
    return FindIndex(town(folder, streets, addresses, lots))


def at(place: FoundPlace) -> tuple[float, float]:
    """Return where a place lies in the town, in metres, to the centimetre."""
    x, y = to_city(np.array([[place.lon, place.lat]]), CRS)[0] - (EAST, NORTH)
    return round(float(x), 1), round(float(y), 1)
