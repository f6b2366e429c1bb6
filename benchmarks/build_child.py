"""One measured run in a process of its own: prints the seconds of its stages and its peak memory as JSON.

Run by `build_scale`:

    python -m benchmarks.build_child build SHEET OSM_FILE [LAYER=FILE…]
    python -m benchmarks.build_child grow SHEET OSM_FILE COPIES
"""

from __future__ import annotations

import datetime as dt
import importlib
import json
import resource
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from benchmarks.scenes import scene_streets, scene_widths
from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.bundle.frames import axis_frame, corner_frame, kerb_frame, mouth_frame
from geocheck.city.kerb_places import places_of
from geocheck.city.network.network import osm_network
from geocheck.city.surveyed.follow import unmoved
from geocheck.cli.layers import layer_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.network.network import Network

STAGES: Final = {
    "widths": ("geocheck.city.laying", ("connected_streets", "carriageway_widths")),
    "streets": ("geocheck.city.laying", ("derive_streets",)),
    "drawn kerbs": ("geocheck.city.laying", ("kerb_ways", "pooled", "placed_by_kerbs", "follow")),
    "of which graph": ("geocheck.city.streets.derive", ("build_graph",)),
    "of which trimming": ("geocheck.city.streets.derive", ("trim_covered",)),
    "frames": (
        "geocheck.city.bundle.derived",
        ("axis_frame", "kerb_frame", "corner_frame", "mouth_frame", "crossing_area_frame", "median_frame"),
    ),
    "osm layers": ("geocheck.city.outside_layers", ("osm_frames",)),
    "ruler": (
        "geocheck.city.build",
        ("lay_out", "ruler_tables", "kerbside_of", "stations_of", "station_table"),
    ),
    "municipal": ("geocheck.city.outside_layers", ("municipal_layer",)),
    "write": ("geocheck.city.build", ("write_bundle",)),
}
"""What of a build is timed: stage, module in whose name space the functions are called, their names."""

ACROSS: Final = 5
APART_M: Final = 1000.0


class Clock:
    """Seconds of the processor by stage: the wall clock of a shared machine measures its neighbours."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def timed(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its seconds added to a stage."""

        @wraps(work)
        def run(*args: Any, **options: Any) -> Any:  # noqa: ANN401 (handed on)
            begin = time.process_time()
            try:
                return work(*args, **options)
            finally:
                self.seconds[stage] += time.process_time() - begin

        return run


def build(clock: Clock, sheet: str, osm: Path, layers: Sequence[str]) -> dict[str, int]:
    """Build a bundle as `geocheck build` does, its stages timed; return the features of each layer."""
    for stage, (module, names) in STAGES.items():
        where = importlib.import_module(module)
        for name in names:
            setattr(where, name, clock.timed(stage, getattr(where, name)))
    city = load_city(sheet)
    network = clock.timed("read", osm_network)(osm, city)
    with tempfile.TemporaryDirectory() as folder:
        files = [layer_file(layer) for layer in layers]
        bundle = build_city(city, network, files, Path(folder) / "bundle", dt.datetime.now(dt.UTC))
        return {entry.name: entry.features for entry in bundle.manifest.layers}


def grow(clock: Clock, sheet: str, osm: Path, copies: int) -> dict[str, int]:
    """Derive the streets of copies of a city side by side, and their tables."""
    city = load_city(sheet)
    network = tiled(clock.timed("read", osm_network)(osm, city), copies)
    widths = clock.timed("widths", scene_widths)(network, city)
    streets = clock.timed("streets", scene_streets)(network, widths, city)
    frames = clock.timed("frames", _frames)(network, widths, streets, city)
    return {"street": len(frames[0]), "kerb": len(streets.kerbs), "corner": len(streets.corners)}


def _frames(network: Network, widths: Any, streets: Any, city: City) -> list[Any]:  # noqa: ANN401
    places = places_of(widths, network.accuracy_m)
    laid = unmoved(streets, places)
    return [
        axis_frame(network.ways, places, city.crs),
        kerb_frame(laid, network.ways, city.crs),
        corner_frame(laid, network.ways, np.full((len(streets.corners), 2), np.nan), city.crs),
        mouth_frame(streets, city.crs),
    ]


def tiled(network: Network, copies: int) -> Network:
    """Return a network beside itself so many times, in rows, far enough apart not to meet."""
    ways = network.ways
    size = np.ptp(ways.xy, axis=0) + APART_M
    step = np.stack(np.divmod(np.arange(copies), ACROSS)[::-1], axis=1) * size
    each = np.arange(copies)
    refs = ways.ref + len(ways.xy) * each[:, None]
    many = replace(
        ways,
        way_id=(ways.way_id + (ways.way_id.max() + 1) * each[:, None]).ravel(),
        tags=ways.tags * copies,
        start=np.append((ways.start[:-1] + len(ways.ref) * each[:, None]).ravel(), len(ways.ref) * copies),
        ref=np.where(ways.ref < 0, ways.ref, refs).ravel(),
        node_id=(ways.node_id + (ways.node_id.max() + 1) * each[:, None]).ravel(),
        xy=(ways.xy + step[:, None]).reshape(-1, 2),
        node_tags={},
        extent=_around(ways.extent, step),
    )
    return replace(network, ways=many)


def _around(extent: shapely.Geometry | None, step: NDArray[np.float64]) -> shapely.Polygon | None:
    if extent is None:
        return None
    corners = shapely.get_coordinates(extent)
    hull = shapely.convex_hull(shapely.multipoints((corners + step[:, None]).reshape(-1, 2)))
    return hull if isinstance(hull, shapely.Polygon) else None


def main() -> None:
    """Run what the command line says and print the figures."""
    kind, sheet, osm, *rest = sys.argv[1:]
    clock = Clock()
    if kind == "build":
        counts = build(clock, sheet, Path(osm), rest)
    else:
        counts = grow(clock, sheet, Path(osm), int(rest[0]))
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": clock.seconds, "counts": counts, "peak_mb": peak_mb}))


if __name__ == "__main__":
    main()
