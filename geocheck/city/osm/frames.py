"""The layers of an OSM file as tables: one row a feature, its attributes in columns, its tags as text."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import geopandas as gpd
import numpy as np

from geocheck.city.layers.attributes import COMMON, column
from geocheck.city.layers.shapes import shapes_fit
from geocheck.city.layers.table import LAYER_KINDS
from geocheck.city.osm.attributes import attribute_of
from geocheck.city.osm.features import tagged_features
from geocheck.city.osm.sides import side_features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.osm.features import OsmFeature
    from geocheck.city.ways import Ways


def osm_frames(ways: Ways, city: City) -> dict[str, tuple[gpd.GeoDataFrame, list[Change]]]:
    """Return every layer that the file holds something of, with what was left out of it."""
    found: dict[str, list[OsmFeature]] = defaultdict(list, tagged_features(ways))
    for layer, thing in side_features(ways):
        found[layer].append(thing)
    frames = {}
    for layer in LAYER_KINDS:
        things = found.get(layer, ())
        shapes = np.array([*(thing.geometry for thing in things), None], object)[:-1]
        fits, changes = shapes_fit(shapes, layer)
        frame = _frame(layer, [thing for thing, good in zip(things, fits, strict=True) if good], city)
        if len(things) or LAYER_KINDS[layer].of_network:
            frames[layer] = frame, changes
    return frames


def _frame(layer: str, things: Sequence[OsmFeature], city: City) -> gpd.GeoDataFrame:
    kind = LAYER_KINDS[layer]
    columns: dict[str, Any] = {
        "feature": [thing.feature for thing in things],
        "source": [thing.source for thing in things],
    }
    for name in (*COMMON, *kind.attributes):
        columns[name] = column(
            name, [attribute_of(name, layer, thing, city.driving_side) for thing in things]
        )
    columns["accuracy_m"] = column("accuracy_m", [kind.accuracy_m] * len(things))
    columns["tags"] = [
        ";".join(f"{key}={value}" for key, value in sorted(thing.tags.items())) for thing in things
    ]
    return gpd.GeoDataFrame(columns, geometry=[thing.geometry for thing in things], crs=city.crs)
