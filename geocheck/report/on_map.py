"""What a report says of the map: the bundle, the skip's outline, its kerb, and where values were measured."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import shapely

from geocheck.check.judge import APPLIES
from geocheck.check.locate import NOWHERE
from geocheck.check.sight.witness import witness
from geocheck.city.wgs84 import to_lonlat
from geocheck.model.finding import FeatureRef
from geocheck.model.report import BundleLayer, BundleReport, KerbReport

if TYPE_CHECKING:
    from geocheck.check.evidence import Evidence
    from geocheck.check.pipeline import Checked
    from geocheck.check.sight.sight import Sight
    from geocheck.city.bundle.bundle import Bundle

_DECIMALS = 9
"""Of a degree: a tenth of a millimetre."""


def bundle_of(checked: Checked) -> BundleReport | None:
    """Return what map was used."""
    return None if checked.sight is None else _bundle_report(checked.sight.city_map.bundle)


@lru_cache(maxsize=4)
def _bundle_report(bundle: Bundle) -> BundleReport:
    layers = tuple(
        BundleLayer(
            name=entry.name,
            features=entry.features,
            accuracy_m=entry.accuracy_m,
            completeness=entry.completeness,
            date=entry.date,
        )
        for entry in bundle.manifest.layers
    )
    built_at = bundle.manifest.built_at.isoformat()
    return BundleReport(sha256=bundle.sha256, built_at=built_at, crs=bundle.manifest.crs, layers=layers)


def footprint_of(checked: Checked, row: int) -> dict[str, Any] | None:
    """Return the skip's outline as GeoJSON, None where it is not on the map."""
    if checked.sight is None:
        return None
    at = checked.sight.at
    return geojson(at.box[row], checked.sight) if at.held[row] else None


def kerb_of(checked: Checked, row: int) -> KerbReport | None:
    """Return the kerb beside the skip, None where there is none."""
    sight = checked.sight
    if sight is None or sight.at.located.segment[row] == NOWHERE or np.isnan(sight.at.located.half_m[row]):
        return None
    kerbs, located, kerb = sight.layer("kerb"), sight.at.located, int(sight.kerb[row])
    if kerbs is None or kerb < 0:
        return None
    place = sight.city_map.places
    along = (located.centre_s[row] - place["s"][kerb]) * place["sense"][kerb]
    half = located.half_m[row]
    told = {name: kerbs.attribute(name)[kerb] for name in ("street", "width_source")}
    return KerbReport(
        id=kerbs.name_of(kerb),
        street=told["street"] or None,
        side=_side(kerbs.attribute("side")[kerb]),
        gap_m=_rounded(located.low_gap_m[row]),
        angle_deg=_rounded(located.angle_deg[row]),
        station_m=(_rounded(along - half), _rounded(along + half)),
        centre_m=float(along),  # in full: by it the skip is found again
        width_source=told["width_source"] or None,
        accuracy_m=_rounded(sight.city_map.segments["accuracy_m"][located.segment[row]]),
    )


def _side(value: object) -> Literal["left", "right"] | None:
    return "left" if value == "left" else "right" if value == "right" else None


def feature_of(column: Evidence, row: int, sight: Sight | None) -> FeatureRef | None:
    """Return the feature whose distance is shown, else the layer that the test asks for."""
    if sight is not None and column.mapped is not None and column.shown is not None:
        seen, shown = column.mapped.seen, int(column.shown[row])
        feature = int(seen.rows.feature[shown]) if shown >= 0 else -1
        layer = sight.layer("crossing_area" if seen.layer == "mouth" else seen.layer)
        if feature >= 0 and layer is not None:
            name, source = layer.name_of(feature), layer.source_of(feature)
            return FeatureRef.built(layer=seen.layer, id=name, source=source)
    return FeatureRef.built(layer=column.ask.layer) if column.ask and column.ask.layer else None


def witness_of(column: Evidence, row: int, sight: Sight | None) -> dict[str, Any] | None:
    """Return where the shown value was measured, as GeoJSON."""
    if sight is None or column.mapped is None or column.shown is None or column.shown[row] < 0:
        return None
    found = witness(sight, column.mapped.seen, int(column.shown[row]))
    applies = int(column.flags[row]) & APPLIES
    return None if found is None or not applies else geojson(found, sight)


def geojson(shape: shapely.Geometry, sight: Sight) -> dict[str, Any]:
    """Return a geometry of the city's metres as GeoJSON in lon/lat."""
    crs = sight.city_map.crs
    turned = shapely.transform(shape, lambda xy: np.round(to_lonlat(xy, crs), _DECIMALS))
    found: dict[str, Any] = json.loads(shapely.to_geojson(turned))
    return found


def _rounded(value: float) -> float:
    return round(float(value), 4)
