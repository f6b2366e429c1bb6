"""From a coordinate system to the city's: the operation, how far it moves the datum and how sure it is."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from pyproj import CRS
from pyproj.exceptions import CRSError, ProjError
from pyproj.transformer import AreaOfInterest, Transformer, TransformerGroup

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.cities import City

UNKNOWN_SHIFT_M: Final = 5.0
"""Accuracy of a change of datum of which pyproj states none (DESIGN §5)."""

_NO_SHIFT_M: Final = 0.01
_METRES_PER_DEGREE: Final = 111_320.0
_UNDEFINED: Final = ("undefined", "unknown", "engineering", "local")


@dataclass(frozen=True, slots=True)
class Operation:
    """A way from one system into the city's.

    Attributes:
        transformer: longitude or easting first.
        name: of the source system, as EPSG writes it.
        shift_m: by how much the change of datum moves a point in the city, 0 where it is the same datum.
        accuracy_m: of that change, half-width; 0 where the datum is the same.
        stands_for: the code that a withdrawn one was replaced by, or None.
    """

    transformer: Transformer
    name: str
    shift_m: float
    accuracy_m: float
    stands_for: str | None = None

    def __call__(self, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Transform points, shape (n, 2); what has no image becomes infinite."""
        x, y = self.transformer.transform(xy[:, 0], xy[:, 1])
        return np.column_stack([x, y])


def known_crs(text: str | dict[str, Any]) -> CRS | None:
    """Return the horizontal system that a text describes, or None where it describes none on the Earth."""
    try:
        crs = CRS.from_user_input(text)
    except CRSError:
        return None
    if crs.is_compound:
        crs = crs.sub_crs_list[0]
    crs = crs.to_2d()
    name = crs.name.lower()
    if not (crs.is_geographic or crs.is_projected) or any(name.startswith(each) for each in _UNDEFINED):
        return None
    return crs


def operation(crs: CRS, city: City) -> Operation | None:
    """Return the best way from a system into the city's, or None where no datum change is known."""
    box = city.bounds
    code = crs.to_authority(min_confidence=100)  # WKT does not tell whether a code is withdrawn
    text = ":".join(code) if code else crs.to_wkt()
    return _operation(text, city.crs, (box.west, box.south, box.east, box.north))


@lru_cache(maxsize=32)
def degrees(crs: str) -> Transformer:
    """Return the way from the city's metres to longitude and latitude of the same datum."""
    return Transformer.from_crs(crs, CRS(crs).geodetic_crs, always_xy=True)


@lru_cache(maxsize=256)
def _operation(text: str, target: str, box: tuple[float, float, float, float]) -> Operation | None:
    crs, stands_for = CRS(text), None
    found = _ways(crs, CRS(target), box)
    if not found and crs.is_deprecated:
        for heir in crs.get_non_deprecated():
            found = found or _ways(heir, CRS(target), box)
            stands_for = ":".join(heir.to_authority() or (heir.name,)) if found else None
            crs = heir if found else crs
    if not found:
        return None
    shift_m = _shift_m(crs, CRS(target), box)
    stated = found[0].accuracy
    accuracy_m = 0.0 if shift_m < _NO_SHIFT_M else stated if stated >= 0 else UNKNOWN_SHIFT_M
    return Operation(found[0], crs.name, shift_m, accuracy_m, stands_for)


def _ways(source: CRS, target: CRS, box: tuple[float, float, float, float]) -> list[Transformer]:
    """List the operations known and usable here, the best first; ones that ignore the datum are none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a better grid exists but is not installed
        try:
            return TransformerGroup(
                source, target, always_xy=True, area_of_interest=AreaOfInterest(*box), allow_ballpark=False
            ).transformers
        except ProjError:
            return []


def _shift_m(source: CRS, target: CRS, box: tuple[float, float, float, float]) -> float:
    """Measure by how much the same longitude and latitude move between the two datums, mid-city."""
    before, after = source.geodetic_crs, target.geodetic_crs
    found = _ways(before, after, box) if before is not None and after is not None else []
    if not found:
        return math.inf
    lon, lat = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    there = found[0].transform(lon, lat)
    east_m = (there[0] - lon) * _METRES_PER_DEGREE * math.cos(math.radians(lat))
    north_m = (there[1] - lat) * _METRES_PER_DEGREE
    return math.hypot(east_m, north_m)
