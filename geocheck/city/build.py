"""Builds a city's bundle: streets to kerbs and corners, what OSM holds, and municipal layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.city.blocks import between_blocks
from geocheck.city.bundle import write_bundle
from geocheck.city.extents import lonlat
from geocheck.city.frames import axis_frame, corner_frame, kerb_frame, mouth_frame
from geocheck.city.junction_frames import crossing_area_frame, median_frame, median_table
from geocheck.city.layers import check_policies, outside_layers
from geocheck.city.ruler import lay_out
from geocheck.city.stations import REFERENCES
from geocheck.city.street_account import axis_changes, crossing_changes, kerb_changes, street_summary
from geocheck.city.streets.building_line import building_lines_m
from geocheck.city.streets.continuity import connected_streets
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.graph import DERIVED_EDGE_M, GIVEN_EDGE_M
from geocheck.city.streets.widths import carriageway_widths
from geocheck.city.strips import strips_of
from geocheck.city.tables import Kerbside, ruler_tables, station_changes, station_table, stations_of
from geocheck.errors import InputError, UnknownNameError
from geocheck.model.words import LAYERS
from geocheck.version import __version__

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa
    from geopandas import GeoDataFrame

    from geocheck.cities import City
    from geocheck.city.blocks import BetweenBlocks
    from geocheck.city.bundle import Bundle
    from geocheck.city.municipal import LayerFile
    from geocheck.city.network import Network
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.widths import Widths

DERIVED: Final = ("axis", "kerb", "corner", "mouth", "crossing_area")
"""Layers that are derived from streets and that no file may give; `median` is too, where none gives it."""

NARROWEST_M: Final = 0.01
"""Least half-width that the kerb's offset can be drawn with."""

_Layer = tuple["dict[str, Any]", "GeoDataFrame"]
"""The fields of a layer's manifest entry, and its frame in the city's metres."""


def build_city(
    city: City, network: Network, files: Sequence[LayerFile], folder: Path, now: dt.datetime
) -> Bundle:
    """Build a bundle from streets and what OSM holds, municipal files in its place or laid over it.

    Args:
        city: whose.
        network: its streets.
        files: municipal files; of several for one layer the later is laid over the earlier.
        folder: of the bundle; an older bundle there is replaced.
        now: aware instant.

    Raises:
        DataFileError: a file cannot be read or lies outside the city.
        InputError: a layer cannot be given, or the folder holds something else.
    """
    given = [file.layer for file in files]
    _check_given(given)
    check_policies(files)
    outside = list(outside_layers(network, files, city))
    ways = network.ways
    widths = carriageway_widths(ways.tags, city, street=connected_streets(ways))
    official = [layer for layer in outside if layer[0]["name"] in given]
    between = between_blocks(widths, ways, official, city)
    streets = _streets(network, between.widths, city)
    taken = {fields["name"] for fields, _ in outside}
    derived = [each for each in _derived(network, between, streets, city) if each[0]["name"] not in taken]
    layers = [*derived, *outside]
    layers, tables = _with_stations(layers, network, between.widths, streets, city)
    head = {
        "engine": f"geocheck {__version__}",
        "city": city.id,
        "crs": city.crs,
        "driving_side": city.driving_side,
        "built_at": now,
        "extent": lonlat(ways.extent, city.crs),
        "streets": street_summary(streets, between.widths),
    }
    return write_bundle(folder, head, layers, tables)


def _streets(network: Network, widths: Widths, city: City) -> Streets:
    edge_m = DERIVED_EDGE_M if network.extent_derived else GIVEN_EDGE_M
    # A `placement` may put the line on a kerb; the offset needs a side all the same.
    left_m, right_m = (np.maximum(side, NARROWEST_M) for side in (widths.left_m, widths.right_m))
    return derive_streets(network.ways, HalfWidths(left_m, right_m, widths.accuracy_m), city, edge_m)


def _derived(network: Network, between: BetweenBlocks, streets: Streets, city: City) -> Iterator[_Layer]:
    fields = {
        "sources": network.sources,
        "date": network.date,
        "completeness": network.completeness,
        "accuracy_m": network.accuracy_m,
    }
    ways, widths, crs = network.ways, between.widths, city.crs
    changes = (*network.changes, *axis_changes(streets.counts))
    yield {**fields, "name": "axis", "changes": changes}, axis_frame(ways, widths, crs)
    changes = (*kerb_changes(streets.counts, widths), *between.changes)
    kerbs = kerb_frame(streets, ways, widths, network.accuracy_m, crs)
    yield {**fields, "name": "kerb", "changes": changes}, kerbs
    building_line_m = building_lines_m(streets.kerbs, streets.corners, between.areas)
    yield {**fields, "name": "corner"}, corner_frame(streets, ways, building_line_m, crs)
    yield {**fields, "name": "mouth"}, mouth_frame(streets, crs)
    changes = tuple(crossing_changes(streets))
    yield {**fields, "name": "crossing_area", "changes": changes}, crossing_area_frame(streets, crs)
    # Of a median that the kerbs' accuracy leaves in doubt there is no area: see the table `station.median`.
    medians = median_frame(streets, kerbs["accuracy_m"].to_numpy(), crs)
    yield {**fields, "name": "median", "completeness": "partial"}, medians


def _with_stations(
    layers: Sequence[_Layer], network: Network, widths: Widths, streets: Streets, city: City
) -> tuple[list[_Layer], dict[str, pa.Table]]:
    """Lay the ruler and refer the layers to it."""
    ruler = lay_out(streets)
    accuracy_m = widths.place_accuracy_m(network.accuracy_m)[streets.kerbs.segment_way]
    tables = {**ruler_tables(ruler, accuracy_m), "station.median": median_table(streets, ruler)}
    kerbside = Kerbside(strips_of(streets.kerbs, streets.graph), ruler, network, city.max_footway_m)
    told = []
    for fields, frame in layers:
        told.append((fields, frame))
        if fields["name"] in REFERENCES:
            stations = stations_of(kerbside, fields["name"], frame)
            tables[f"station.{fields['name']}"] = station_table(stations, ruler)
            changes = (*fields.get("changes", ()), *station_changes(stations, len(frame)))
            told[-1] = ({**fields, "changes": changes}, frame)
    return told, tables


def _check_given(layers: Sequence[str]) -> None:
    for layer in layers:
        if layer not in LAYERS:
            raise UnknownNameError("--layer", layer, LAYERS)
        if layer in DERIVED:
            raise InputError("--layer", f"a camada “{layer}” ainda só se deriva das ruas do OSM")
