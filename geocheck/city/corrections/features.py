"""Features that an engineer added to layers, or found not to be there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from geocheck.city.corrections.ledger import metres
from geocheck.city.corrections.rows import What
from geocheck.city.layers.attributes import column
from geocheck.city.layers.declaration import attributes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.city.changes import Change
    from geocheck.city.corrections.ledger import Ledger
    from geocheck.city.corrections.rows import Correction

    Layers = Sequence[tuple[dict[str, Any], gpd.GeoDataFrame]]

_SIDES: Final = {"left": "left", "right": "right"}

REACH_M: Final = 5.0
"""A feature to be removed lies no farther from the point."""

_SURE: Final = 0.5
"""It is nearer than this share of the way to the next one."""

_SAME_PLACE_M: Final = 1.0
"""Two features of one layer that are added nearer than this are one."""


def with_features(layers: Layers, ledger: Ledger, crs: str) -> list[tuple[dict[str, Any], gpd.GeoDataFrame]]:
    """Return layers without the features removed, and with those added; layers that were not there come last.

    Args:
        layers: entries and frames.
        ledger: of the corrections.
        crs: of the frames.
    """
    rows = [row for row in ledger.file.rows if row.what in (What.ADD, What.REMOVE)]
    names = [fields["name"] for fields, _ in layers]
    found = []
    for fields, frame in layers:
        mine = [row for row in rows if row.layer == fields["name"]]
        found.append((fields, _corrected(frame, mine, ledger, crs)) if mine else (fields, frame))
    for name in dict.fromkeys(row.layer for row in rows if row.layer not in names):
        mine = [row for row in rows if row.layer == name]
        frame = _corrected(gpd.GeoDataFrame(geometry=[], crs=crs), mine, ledger, crs)
        fields = {
            "name": name,
            "sources": ledger.file.fields["sources"],
            "date": max(row.date for row in mine).isoformat(),
            "accuracy_m": max(row.accuracy_m for row in mine),
            "completeness": "partial",
        }
        found.append((fields, frame))
    ledger.settle()
    return [({**fields, "changes": _told(fields, rows, ledger)}, frame) for fields, frame in found]


def _told(fields: dict[str, Any], rows: Sequence[Correction], ledger: Ledger) -> tuple[Change, ...]:
    """Return the changes of a layer, those by corrections added."""
    mine = [row for row in rows if row.layer == fields["name"]]
    return (*fields.get("changes", ()), *ledger.changes(mine))


def _corrected(
    frame: gpd.GeoDataFrame, rows: Sequence[Correction], ledger: Ledger, crs: str
) -> gpd.GeoDataFrame:
    gone: dict[int, Correction] = {}
    for row in rows:
        if row.what is What.REMOVE:
            feature = _meant(frame, row, ledger)
            if feature is None:
                continue
            if feature in gone:
                ledger.clash(gone[feature], row, "mesma feição removida")
            gone[feature] = row
            name = str(frame["feature"].iloc[feature])
            ledger.applied[row.row] = f"removida de {row.layer}: {name}"
    kept = frame.drop(index=frame.index[sorted(gone)])
    added = _added([row for row in rows if row.what is What.ADD], ledger)
    if not added:
        return kept.reset_index(drop=True)
    fresh = _frame(added, added[0].layer, crs)
    if not len(kept):
        return fresh
    return gpd.GeoDataFrame(pd.concat([kept, fresh], ignore_index=True), crs=crs)


def _meant(frame: gpd.GeoDataFrame, row: Correction, ledger: Ledger) -> int | None:
    gap = frame.geometry.distance(row.geometry).to_numpy() if len(frame) else np.empty(0)
    if row.way and len(frame):
        mine = (frame["source"].astype(str) == row.way) | (frame["feature"].astype(str) == row.way)
        gap = np.where(mine, gap, np.inf)
    order = np.argsort(gap, kind="stable")
    if not len(order) or gap[order[0]] > REACH_M:
        named = f" {row.way}" if row.way else ""
        ledger.lost(row, f"não há feição{named} de {row.layer} a menos de {metres(REACH_M)} do ponto")
        return None
    if len(order) > 1 and gap[order[0]] >= _SURE * gap[order[1]]:
        ledger.lost(row, f"há duas feições de {row.layer} de que se pode tratar; diga qual na coluna way")
        return None
    return int(order[0])


def _added(rows: Sequence[Correction], ledger: Ledger) -> list[Correction]:
    """Return what is added, the newer of two of one layer at one place."""
    held: list[Correction] = []
    for row in rows:
        for older in [each for each in held if shapely.distance(each.geometry, row.geometry) < _SAME_PLACE_M]:
            ledger.clash(older, row, f"mesma feição de {row.layer}")
            held.remove(older)
        held.append(row)
        ledger.applied[row.row] = f"incluída em {row.layer}"
    return held


def _frame(rows: Sequence[Correction], layer: str, crs: str) -> gpd.GeoDataFrame:
    """Return features that are added, in the columns of their layer."""
    columns: dict[str, Any] = {
        "feature": [f"correction/{row.row}" for row in rows],
        "source": [f"correction/{row.row}" for row in rows],
    }
    placed = [{"way": row.way or None, "side": _SIDES.get(row.side), **row.attributes} for row in rows]
    for name in attributes_of(layer):
        columns[name] = column(name, [each.get(name) for each in placed])
    columns["accuracy_m"] = column("accuracy_m", [row.accuracy_m for row in rows])
    columns["author"] = [row.author for row in rows]
    columns["found"] = [row.date.isoformat() for row in rows]
    return gpd.GeoDataFrame(columns, geometry=[row.geometry for row in rows], crs=crs)
