"""What lies around block faces once they have moved: medians anew, crossing areas with their corners."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.streets.median_areas import medians_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.streets.crossing_areas import CrossingAreas
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.median_evidence import Evidence

_SAME_PLACE_M: Final = 1e-3


def with_surroundings(derived: Streets, moved: Streets, evidence: Evidence) -> Streets:
    """Return streets whose medians and crossing areas are those of their kerbs and corners as they are now.

    Of a crossing area the corners move; where a street runs on along its kerb, the area stays as derived.

    Args:
        derived: the streets before anything moved.
        moved: the same, kerbs and corners moved.
        evidence: what is known of ways beside their kerbs.
    """
    beside, medians = medians_of(moved.kerbs, moved.corners, moved.graph, evidence)
    areas = _with_corners(derived.crossing_areas, derived.corners.xy, moved.corners.xy)
    return replace(moved, beside=beside, medians=medians, crossing_areas=areas)


def _with_corners(areas: CrossingAreas, old: NDArray[np.float64], new: NDArray[np.float64]) -> CrossingAreas:
    """Return areas whose corners lie elsewhere."""
    gone = np.flatnonzero(np.hypot(*(new - old).T) > 0)
    if not len(gone) or not len(areas):
        return areas
    geometry = areas.geometry.copy()
    xy, owner = shapely.get_coordinates(geometry, return_index=True)
    tree = shapely.STRtree(np.asarray(shapely.points(old[gone])))
    vertex, corner = tree.query_nearest(shapely.points(xy), max_distance=_SAME_PLACE_M, all_matches=False)
    xy[vertex] = new[gone[corner]]
    rows = np.unique(owner[vertex])
    fresh = shapely.set_coordinates(geometry.copy(), xy)[rows]
    bad = ~shapely.is_valid(fresh)
    fresh[bad] = shapely.buffer(shapely.make_valid(fresh[bad]), 0)
    geometry[rows] = np.where(shapely.is_empty(fresh), geometry[rows], fresh)
    return replace(areas, geometry=geometry)
