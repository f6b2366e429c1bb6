"""Measures how much kerb lies inside official blocks, where no kerb can be: Goiânia, which has no width tag.

    python benchmarks/kerbs_in_blocks.py DATA_FOLDER

Streets of `osm/goiania-campus.osm.pbf`, blocks of `goiania/goiania_campus_block.geojson`. The kerbs are built
with and without the blocks, cut into pieces of half a metre and each piece laid over the blocks: what counts
is length of kerb, not the places along the axis from which the widths were taken. Bar: at most 2.5 % of the
kerb whose axis lies outside the blocks. Where the axis itself is inside one, no width can mend the kerb; how
much that is is stated apart.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import geopandas as gpd
import numpy as np

from geocheck.cities import load_city
from geocheck.city.network.network import osm_network
from geocheck.city.ragged import counted
from geocheck.city.streets.block_gaps import inside_any, look_aside
from geocheck.city.streets.classify import direction_of, street_ways
from geocheck.city.streets.continuity import connected_streets
from geocheck.city.streets.covered import lines_of
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.right_of_way import Blocks, widths_between_blocks
from geocheck.city.streets.widths import WidthSource, carriageway_widths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.widths import Widths
    from geocheck.city.ways import Ways

PIECE_M: Final = 0.5
BAR: Final = 0.025
BLOCK_ACCURACY_M: Final = 2.0
"""Of a municipal map of unknown scale."""
FEWEST: Final = 4
"""Places on one side of a way that tell how the block's distance varies along it."""


class Share(NamedTuple):
    """Kerb in kilometres, and the shares that matter."""

    kerb_km: float
    axis_inside: float
    inside_axis_outside: float
    inside: float


def kerb_share(streets: Streets, blocks: NDArray[np.object_]) -> Share:
    """Return how much kerb lies inside blocks, by whether the axis beside it does."""
    kerbs, graph = streets.kerbs, streets.graph
    begin, end, length, _ = lines_of(kerbs)
    along = end - begin
    count = np.maximum(np.ceil(length / PIECE_M), 1).astype(np.int64)
    own, number = counted(count)
    at = begin[own] + along[own] * ((number + 0.5) / count[own])[:, None]
    axis = kerbs.segment_axis[own]
    a, b = graph.xy[graph.segments.a[axis]], graph.xy[graph.segments.b[axis]]
    share = np.clip(((at - a) * (b - a)).sum(axis=1) / ((b - a) ** 2).sum(axis=1), 0, 1)
    foot = a + (b - a) * share[:, None]
    weight = length[own] / count[own]
    kerb_in, axis_in = inside_any(at, blocks), inside_any(foot, blocks)
    total, outside = weight.sum(), weight[~axis_in].sum()
    return Share(
        total / 1000,
        1 - outside / total,
        weight[~axis_in & kerb_in].sum() / outside,
        weight[kerb_in].sum() / total,
    )


def show(name: str, ways: Ways, widths: Widths, city: City, blocks: NDArray[np.object_]) -> None:
    """Build the kerbs and print how much of them lies in blocks."""
    found = kerb_share(derive_streets(ways, HalfWidths(widths.left_m, widths.right_m), city), blocks)
    print(
        f"{name:15}  {found.kerb_km:7.1f}  {found.axis_inside:11.1%}"
        f"  {found.inside_axis_outside:18.2%}  {found.inside:8.1%}"
    )


def show_classes(ways: Ways, before: Widths, after: Widths) -> None:
    """Print the widths that blocks gave, by class and direction."""
    print("class                    ways  from blocks  width p10  median   p90  was  ± median m")
    street = np.flatnonzero(street_ways(ways))
    kinds = np.array(
        [(ways.tags[way]["highway"], direction_of(ways.tags[way]) != 0) for way in street], object
    )
    for highway, one_way in sorted({tuple(kind) for kind in kinds}):
        own = street[(kinds[:, 0] == highway) & (kinds[:, 1] == one_way)]
        given = own[after.source[own] == WidthSource.RIGHT_OF_WAY]
        line = f"{highway + (', one-way' if one_way else ''):24} {len(own):4}  {len(given):11}"
        if len(given):
            low, middle, high = np.quantile((after.left_m + after.right_m)[given], (0.1, 0.5, 0.9))
            was = np.median((before.left_m + before.right_m)[given])
            stated = np.median(after.accuracy_m[given])
            line += f"  {low:9.1f}  {middle:6.1f}  {high:4.1f}  {was:3.1f}  {stated:10.2f}"
        print(line)


def show_variation(ways: Ways, blocks: NDArray[np.object_]) -> None:
    """Print how the distance to the block varies along ways, which one number a side cannot follow."""
    sides = look_aside(ways, street_ways(ways), blocks)
    off = []
    for side in (0, 1):
        gap = sides.block_m[:, side]
        seen = np.isfinite(gap) & sides.clear & ~sides.inside
        for way in np.unique(sides.way[seen]):
            own = gap[seen & (sides.way == way)]
            off.append(np.abs(own - np.median(own)) if len(own) >= FEWEST else own[:0])
    half, ninety, most = np.quantile(np.concatenate(off), (0.5, 0.9, 0.95))
    print(f"along a way the block's distance differs from its median by {half:.2f} m (median),")
    print(f"{ninety:.2f} m (90 %), {most:.2f} m (95 % of the places)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with osm/ and goiania/")
    data = parser.parse_args().data
    city = load_city("goiania")
    ways = osm_network(data / "osm" / "goiania-campus.osm.pbf", city).ways
    frame = gpd.read_file(data / "goiania" / "goiania_campus_block.geojson").to_crs(city.crs)
    blocks = np.asarray(frame.geometry.array, object)
    by_class = carriageway_widths(ways.tags, city, street=connected_streets(ways))
    by_blocks, account = widths_between_blocks(by_class, ways, Blocks(blocks, BLOCK_ACCURACY_M), city)
    print(f"Goiânia campus, {street_ways(ways).sum()} streets, {len(blocks)} blocks")
    print(f"kerb inside blocks; bar: {BAR:.1%} of the kerb whose axis is outside")
    print("widths           kerb km  axis inside  kerb, axis outside  all kerb")
    show("class and lanes", ways, by_class, city, blocks)
    show("with blocks", ways, by_blocks, city, blocks)
    print()
    for name in account.__dataclass_fields__:
        print(f"{name:14} {int(getattr(account, name).sum()):5} streets")
    print()
    show_classes(ways, by_class, by_blocks)
    print()
    show_variation(ways, blocks)


if __name__ == "__main__":
    main()
