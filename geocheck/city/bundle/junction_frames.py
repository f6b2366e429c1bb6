"""Crossing areas and medians as tables of polygons, and the stretches of kerb beside medians."""

from __future__ import annotations

from typing import TYPE_CHECKING

import geopandas as gpd
import numpy as np
import pyarrow as pa

from geocheck.city.ruler.walked import walked_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.city.ruler.ruler import Ruler
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.streets.stretches import Stretches


def crossing_area_frame(streets: Streets, crs: str) -> gpd.GeoDataFrame:
    """Return the crossing areas, one row a junction.

    `unknown` where an arm is or may be missing: how far the area reaches there is a guess.
    """
    areas, junctions = streets.crossing_areas, streets.junctions
    columns = {
        "junction": areas.junction,
        "kind": np.where(junctions.roundabout[areas.junction], "roundabout", "junction"),
        "unknown": junctions.unknown[areas.junction],
    }
    return gpd.GeoDataFrame(columns, geometry=areas.geometry, crs=crs)


def median_frame(streets: Streets, kerb_accuracy_m: NDArray[np.float64], crs: str) -> gpd.GeoDataFrame:
    """Return the medians that are sure to be some, one row for each two kerbs that face each other.

    Args:
        streets: with their medians.
        kerb_accuracy_m: 95 % half-width of each block face, shape (f,).
        crs: of the city.
    """
    medians, kerbs = streets.medians, streets.kerbs
    columns = {
        "median": np.arange(len(medians)),
        "street": [kerbs.street[one] or kerbs.street[two] for one, two in _pairs(medians.one, medians.two)],
        "level": kerbs.layer[medians.one],
        "kerb_one": medians.one,
        "kerb_two": medians.two,
        "width_m": medians.width_m,
        "accuracy_m": np.hypot(kerb_accuracy_m[medians.one], kerb_accuracy_m[medians.two]),
    }
    return gpd.GeoDataFrame(columns, geometry=medians.geometry, crs=crs)


def _pairs(one: NDArray[np.int64], two: NDArray[np.int64]) -> Sequence[tuple[int, int]]:
    return list(zip(one.tolist(), two.tolist(), strict=True))


def median_table(rows: Stretches, kerbs: Kerbs, ruler: Ruler) -> pa.Table:
    """Return the stretches of kerb beside medians, dividers, islands and what may be one, on the ruler.

    `kind` is the number of `medians.Median`; along whatever is in no row lies a block, as far as is known.
    """
    from_m, to_m = (walked_to(kerbs, rows.face, along_m) for along_m in (rows.from_m, rows.to_m))
    low_s, high_s = ruler.stretch(rows.face, from_m, to_m)
    columns = {
        "kerb": rows.face,
        "from_m": from_m,
        "to_m": to_m,
        "kind": rows.kind.astype(np.int8),
        "low_s": low_s,
        "high_s": high_s,
    }
    return pa.table(columns)
