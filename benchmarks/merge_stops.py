"""How far apart are the same bus stops in GTFS and OSM (Porto Alegre), and on which side of the street?

Run from the repository, with the real files beside it: `python benchmarks/merge_stops.py`.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import shapely

from geocheck.cities import load_city
from geocheck.city.layers.matching import same_things
from geocheck.city.network.network import osm_network
from geocheck.city.osm.features import tagged_features, way_geometry
from geocheck.city.planar import cross_product
from geocheck.city.sources import SourceOptions, read_layer
from geocheck.city.streets.classify import street_ways

if TYPE_CHECKING:
    from numpy.typing import NDArray

HERE = Path(__file__).resolve().parents[1]
DATA = HERE.parent / "shared" / "data"
BINS_M = (0, 5, 10, 15, 20, 25, 30, 40, 60)
CLEAR_M = 2.0
"""A stop so far from the axis is clearly on one side of it."""


def aside_m(lines: NDArray[np.object_], points: NDArray[np.object_]) -> NDArray[np.float64]:
    """Return how far points lie left of their lines, metres; below zero on the right."""
    along = shapely.line_locate_point(lines, points)
    begin = shapely.get_coordinates(shapely.line_interpolate_point(lines, np.maximum(along - 1, 0)))
    end = shapely.get_coordinates(
        shapely.line_interpolate_point(lines, np.minimum(along + 1, shapely.length(lines)))
    )
    step, gap = end - begin, shapely.get_coordinates(points) - begin
    cross = cross_product(step, gap)
    return np.asarray(cross / np.hypot(*step.T))


def main() -> None:
    """Print the pairs of mutual nearest stops by distance, and the share that is on one side."""
    city = load_city(str(HERE / "tests" / "city" / "sheets" / "porto-alegre.toml"))
    gtfs = read_layer(DATA / "portoalegre" / "portoalegre_eptc_gtfs.zip", city, SourceOptions())
    ways = osm_network(DATA / "osm" / "porto-alegre.osm.pbf", city).ways
    poles = [
        thing.geometry
        for thing in tagged_features(ways)["bus_stop"]
        if thing.tags.get("highway") == "bus_stop"
    ]
    osm, theirs = np.array(poles, object), gtfs.frame.geometry.to_numpy()
    drawn = [way_geometry(ways, int(way), as_area=False) for way in np.flatnonzero(street_ways(ways))]
    streets = np.array([line for line in drawn if line is not None], object)
    reach = np.full(max(len(osm), len(theirs)), BINS_M[-1] / np.sqrt(2))
    pairs = same_things(osm, theirs, reach[: len(osm)], reach[: len(theirs)])
    mine, other = osm[pairs.upper], theirs[pairs.lower]
    street = streets[shapely.STRtree(streets).nearest(mine)]
    one, two = aside_m(street, mine), aside_m(street, other)
    clear = (np.abs(one) > CLEAR_M) & (np.abs(two) > CLEAR_M)
    print(f"{len(osm)} stops of OSM, {len(theirs)} of GTFS")
    for low, high in itertools.pairwise(BINS_M):
        here = (pairs.distance_m > low) & (pairs.distance_m <= high)
        same = np.sign(one[here & clear]) == np.sign(two[here & clear])
        print(f"{low:3}–{high:2} m: {here.sum():4} pairs, on one side {same.mean():.0%} of {len(same)} clear")


if __name__ == "__main__":
    main()
