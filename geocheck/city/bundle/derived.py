"""The layers that are derived from streets, each with the fields of its manifest entry."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from geocheck.city.bundle.frames import axis_frame, corner_frame, kerb_frame, mouth_frame
from geocheck.city.bundle.junction_frames import crossing_area_frame, median_frame
from geocheck.city.corrections.rows import What
from geocheck.city.street_account import axis_changes, crossing_changes
from geocheck.city.streets.building_line import building_lines_m

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geopandas import GeoDataFrame

    from geocheck.city.corrections.ledger import Ledger
    from geocheck.city.laying import LaidOut
    from geocheck.city.surveyed.survey import Survey

Layer = tuple["dict[str, Any]", "GeoDataFrame"]
"""The fields of a layer's manifest entry, and its frame in the city's metres."""


def derived_layers(laid: LaidOut, survey: Survey | None, ledger: Ledger | None, crs: str) -> Iterator[Layer]:
    """Return axes, kerbs, corners, mouths, crossing areas and medians.

    Args:
        laid: the streets.
        survey: of kerbs, where there was one.
        ledger: of corrections, where there are some.
        crs: the city's metric system.
    """
    network, ways = laid.network, laid.network.ways
    fields = {
        "sources": network.sources,
        "date": network.date,
        "completeness": network.completeness,
        "accuracy_m": network.accuracy_m,
    }
    axes = axis_frame(ways, laid.places, crs)
    changes = (*network.changes, *axis_changes(laid.streets.counts, len(axes)))
    yield {**fields, "name": "axis", "changes": changes}, axes
    fields["sources"] = (*network.sources, *(survey.fields["sources"] if survey else ()))
    kerbs = kerb_frame(laid.followed, ways, crs)
    # Each kerb and corner has its own; of the layers' the worst is said.
    worst_m = float(kerbs["accuracy_m"].max()) if len(kerbs) else network.accuracy_m
    fields["accuracy_m"] = math.ceil(worst_m * 100) / 100
    yield {**fields, "name": "kerb", "changes": laid.kerb_changes}, kerbs
    told = ledger.changes(ledger.file.of(What.CORNER)) if ledger else ()
    line_m = building_lines_m(laid.streets.kerbs, laid.streets.corners, laid.areas)
    yield {**fields, "name": "corner", "changes": told}, corner_frame(laid.followed, ways, line_m, crs)
    yield {**fields, "name": "mouth"}, mouth_frame(laid.streets, crs)
    changes = tuple(crossing_changes(laid.streets))
    yield {**fields, "name": "crossing_area", "changes": changes}, crossing_area_frame(laid.streets, crs)
    # Of a median that the kerbs' accuracy leaves in doubt there is no area: see the table `station.median`.
    medians = median_frame(laid.streets, kerbs["accuracy_m"].to_numpy(), crs)
    yield {**fields, "name": "median", "completeness": "partial"}, medians
