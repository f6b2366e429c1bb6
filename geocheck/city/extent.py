"""Where data lies and where it ends: in the city or not, and the hull of its streets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from geocheck.city.ways import MISSING_NODE
from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from geocheck.cities import City


def check_place(file: str, lonlat: NDArray[np.float64], city: City) -> None:
    """Refuse data of which nothing lies in the city's box.

    Args:
        file: its name.
        lonlat: WGS 84 degrees, shape (n, 2).
        city: whose box.

    Raises:
        DataFileError: no point lies in it.
    """
    b = city.bounds
    lon, lat = lonlat.T
    if np.any((b.west <= lon) & (lon <= b.east) & (b.south <= lat) & (lat <= b.north)):
        return
    middle = np.median(lonlat, axis=0) if len(lonlat) else (np.nan, np.nan)
    message = (
        f"nenhum ponto fica em {city.name} (o meio do arquivo está em lon {middle[0]:.4f}, "
        f"lat {middle[1]:.4f}); confira o recorte ou a cidade pedida"
    )
    raise DataFileError([Problem(file, "", "", message)])


def street_hull(
    xy: NDArray[np.float64],
    ref: NDArray[np.int64],
    start: NDArray[np.int64],
    tags: Sequence[Mapping[str, str]],
) -> shapely.Polygon | None:
    """Return the convex hull of the nodes of all highways, None where it has no area.

    Args:
        xy: of the nodes, shape (n, 2).
        ref: as in `Ways`.
        start: as in `Ways`.
        tags: by way.
    """
    road = np.repeat(np.array(["highway" in each for each in tags], dtype=bool), np.diff(start))
    used = ref[road & (ref != MISSING_NODE)]
    if len(used) < 2:  # noqa: PLR2004 (a line has two ends)
        return None
    hull = shapely.convex_hull(shapely.linestrings(xy[used]))  # a line is made much faster than points
    return hull if isinstance(hull, shapely.Polygon) else None
