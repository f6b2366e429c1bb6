"""Streets as tables of geometries, one row a thing, ready for a bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import geopandas as gpd
import numpy as np
import shapely

from geocheck.city.ragged import owners, polylines
from geocheck.city.streets.classify import Use, uses
from geocheck.city.streets.kerbs import RIGHT
from geocheck.city.streets.noses import common, corner_kinds
from geocheck.city.streets.stretches import face_lengths, main_kinds
from geocheck.city.streets.words import CORNER_KINDS, END_KINDS, MEDIANS, WIDTH_SOURCES, words
from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.kerb_places import KerbPlaces
    from geocheck.city.streets.derive import Streets
    from geocheck.city.surveyed.follow import Followed
    from geocheck.city.ways import Ways


def axis_frame(ways: Ways, places: KerbPlaces, crs: str) -> gpd.GeoDataFrame:
    """Return the axes of the streets with their half-widths, in metres.

    Source and accuracy are those of the kerb of which less is known.
    """
    street = np.flatnonzero(uses(ways) == Use.STREET.value)
    street, lines = _way_lines(ways, street)
    columns = {
        "way": [f"way/{each}" for each in ways.way_id[street]],
        "street": [ways.tags[way].get("name", "") for way in street],
        "highway": [ways.tags[way]["highway"] for way in street],
        "oneway": [ways.tags[way].get("oneway", "") for way in street],
        "left_m": places.half_m[street, 0],
        "right_m": places.half_m[street, 1],
        "width_source": words(WIDTH_SOURCES, places.source[street].max(axis=1)),
        "kerb_accuracy_m": places.accuracy_m[street].max(axis=1),
    }
    return gpd.GeoDataFrame(columns, geometry=lines, crs=crs)


def kerb_frame(followed: Followed, ways: Ways, crs: str) -> gpd.GeoDataFrame:
    """Return the block faces: one line a row, directed with the traffic beside it.

    `accuracy_m` and `width_source` are those of the worst part of the face; where the kerb goes by the axis,
    the axis' error is in it.
    `median` is what lies beside the greater part of the face; the table `station.median` says where along it.
    """
    kerbs, along = followed.streets.kerbs, followed.along
    lines = polylines(kerbs.xy, kerbs.start)
    # A face without segments cannot be: it has two vertices at least.
    worst = np.maximum.reduceat(along.accuracy_m, kerbs.segment_start[:-1])
    beside = main_kinds(followed.streets.beside, face_lengths(kerbs))
    columns = {
        "kerb": np.arange(len(kerbs)),
        "street": list(kerbs.street),
        "way": [f"way/{each}" for each in ways.way_id[kerbs.way]],
        "side": np.where(kerbs.side == RIGHT, "right", "left"),
        "level": kerbs.layer,
        "start_kind": words(END_KINDS, kerbs.start_kind),
        "end_kind": words(END_KINDS, kerbs.end_kind),
        "start_corner": kerbs.start_corner,
        "end_corner": kerbs.end_corner,
        "median": words(MEDIANS, beside),
        "width_source": words(WIDTH_SOURCES, followed.worst_source()),
        "accuracy_m": worst,
        "direction": ["network"] * len(kerbs),
    }
    return gpd.GeoDataFrame(columns, geometry=lines, crs=crs)


def corner_frame(
    followed: Followed, ways: Ways, building_line_m: NDArray[np.float64], crs: str
) -> gpd.GeoDataFrame:
    """Return the corners as points; where their curve begins and ends is seen on drawn kerbs alone.

    `node` is empty where streets were only drawn on to each other. `building_line_m` is along the kerb before
    each and the one after it (`building_lines_m`), shape (c, 2). `junction` is -1 at a bend; `at_median` is
    "yes" where the kerbs on both sides bound a median.
    """
    streets = followed.streets
    corners = streets.corners
    at_median = common(*corner_kinds(streets.beside, streets.kerbs, corners))
    columns = {
        "corner": np.arange(len(corners)),
        "kind": words(CORNER_KINDS, corners.kind),
        "unknown": corners.unknown,
        "turn_deg": corners.turn_deg,
        "kerb_before": corners.face_before,
        "kerb_after": corners.face_after,
        "node": [f"node/{ways.node_id[node]}" if node >= 0 else "" for node in corners.node],
        "before_building_line_m": building_line_m[:, 0],
        "after_building_line_m": building_line_m[:, 1],
        "junction": streets.junctions.of_node[corners.graph_node],
        "at_median": words(MEDIANS, at_median),
        "accuracy_m": followed.corner_accuracy_m,
        "corrected": followed.corrected,
        "before_curve_m": followed.curve_m[:, 0],
        "after_curve_m": followed.curve_m[:, 1],
    }
    return gpd.GeoDataFrame(columns, geometry=shapely.points(corners.xy), crs=crs)


def mouth_frame(streets: Streets, crs: str) -> gpd.GeoDataFrame:
    """Return the mouths as straight lines between their corners."""
    mouths, corner_xy = streets.mouths, streets.corners.xy
    columns = {
        "kerb_from": mouths.face_from,
        "kerb_to": mouths.face_to,
        "corner_from": mouths.corner_from,
        "corner_to": mouths.corner_to,
        "width_m": mouths.width_m,
        "junction": streets.junctions.of_node[streets.corners.graph_node[mouths.corner_from]],
    }
    ends = np.stack([corner_xy[mouths.corner_from], corner_xy[mouths.corner_to]], axis=1)
    return gpd.GeoDataFrame(columns, geometry=shapely.linestrings(ends), crs=crs)


def _way_lines(ways: Ways, chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
    """Return those of the ways of which two nodes are held, and their lines as far as these go."""
    owner = owners(ways.start)
    held = ways.ref != MISSING_NODE
    count = np.bincount(owner[held], minlength=len(ways))
    drawn = chosen[count[chosen] > 1]
    rank = np.full(len(ways), -1)
    rank[drawn] = np.arange(len(drawn))
    row = rank[owner]
    held &= row >= 0
    return drawn, np.asarray(shapely.linestrings(ways.xy[ways.ref[held]], indices=row[held]), object)
