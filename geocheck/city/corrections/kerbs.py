"""Kerbs that an engineer drew, beside all others that somebody drew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.corrections.ledger import metres
from geocheck.city.corrections.rows import What
from geocheck.city.ragged import polylines
from geocheck.city.streets.widths import WidthSource
from geocheck.city.surveyed.block_side import UNKNOWN
from geocheck.city.surveyed.pool import SAME_KERB_M, KerbLines

if TYPE_CHECKING:
    from geocheck.city.corrections.ledger import Ledger
    from geocheck.city.streets.kerbs import Kerbs

_GONE: Final = 0.1
"""A line of which newer ones leave less than this is superseded."""

_ON_M: Final = 0.15
_LEAST_ON: Final = 0.5
"""A correction of which the faces follow less was applied to nothing."""


def corrected_kerbs(ledger: Ledger) -> KerbLines:
    """Return the kerbs of the corrections, the newer in the place of the older."""
    rows = ledger.file.of(What.KERB)
    left = np.array([None, *(row.geometry for row in rows)], object)[1:]
    whole = shapely.length(left)
    for index, row in enumerate(rows):
        zone = shapely.buffer(row.geometry, SAME_KERB_M, cap_style="flat")
        before = shapely.length(left[:index])
        left[:index] = shapely.difference(left[:index], zone)
        after = shapely.length(left[:index])
        for older in np.flatnonzero(before - after > _GONE * whole[:index]).tolist():
            if rows[older].date == row.date or after[older] < _GONE * whole[older]:
                ledger.clash(rows[older], row, "guia desenhada no mesmo lugar")
                left[older] = shapely.LineString()
    ledger.settle()
    held = [index for index in range(len(rows)) if not shapely.is_empty(left[index])]
    count = len(held)
    return KerbLines(
        geometry=np.array([None, *(left[index] for index in held)], object)[1:],
        street=np.array([str(rows[index].attributes.get("street", "")) for index in held], object),
        carriageway=np.full(count, UNKNOWN, np.int64),
        accuracy_m=np.array([rows[index].accuracy_m for index in held], float),
        source=np.full(count, WidthSource.CORRECTION, np.int8),
    )


def kerbs_alone(ledger: Ledger) -> KerbLines:
    """Return the kerbs of the corrections where there is no network: nothing else of a street is corrected.

    Raises:
        DataFileError: a width or a corner is corrected, or two kerbs of one day clash.
    """
    for row in (*ledger.file.of(What.WIDTH), *ledger.file.of(What.CORNER)):
        ledger.lost(row, "sem rede de ruas (--osm) corrige-se a própria guia, com kerb")
    ledger.settle()
    lines = corrected_kerbs(ledger)
    for row in ledger.file.of(What.KERB):
        if row.row not in ledger.superseded:
            ledger.applied[row.row] = f"guia desenhada, {metres(float(shapely.length(row.geometry)))}"
    return lines


def settle_kerbs(kerbs: Kerbs, ledger: Ledger) -> None:
    """Note which corrections the faces follow, and stop at one that they do not.

    Where a newer correction runs beside an older one, only the newer is followed.
    """
    rows = ledger.file.of(What.KERB)
    if rows:
        faces = shapely.STRtree(polylines(kerbs.xy, kerbs.start))
    for index, row in enumerate(rows):
        if row.row in ledger.superseded:
            continue
        newer = shapely.union_all([each.geometry for each in rows[index + 1 :]])
        parts = shapely.get_parts(row.geometry)
        places = np.concatenate(
            [
                shapely.line_interpolate_point(part, np.linspace(0.02, 0.98, 25), normalized=True)
                for part in parts
            ]
        )
        places = places[~shapely.dwithin(places, newer, SAME_KERB_M)]
        near = faces.query(places, predicate="dwithin", distance=_ON_M)[0]
        if len(np.unique(near)) < _LEAST_ON * len(places):
            ledger.lost(row, "nenhuma rua tem guia ali (nem paralela, nem perto): não se aplica a nada")
        else:
            ledger.applied[row.row] = f"guia desenhada, {metres(float(shapely.length(row.geometry)))}"
    ledger.settle()
