"""Lays one source of a layer over another: what is the same thing becomes one, and the rest of both stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from geocheck.city.changes import changes
from geocheck.city.layers.attributes import ATTRIBUTES, PLACING
from geocheck.city.layers.matching import same_things

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.city.changes import Change
    from geocheck.city.layers.matching import Pairs
    from geocheck.city.sources.options import Completeness

_OWN: Final = frozenset({"feature", "source"}) | PLACING
_RANK: Final = {"unknown": 0, "partial": 1, "complete": 2}


@dataclass(frozen=True, slots=True)
class Sourced:
    """A layer from one or several sources.

    Attributes:
        frame: its features.
        title: the file that the features are from, as a sentence names it.
        sources: as `manifest.SourceFile` takes them.
        date: of the data.
        completeness: inside the extent.
        extent: in the city's metres; None: that of the bundle.
        changes: as `manifest.Change` takes them.
        municipal: a city's file, and not OSM.
        merged: from several files.
    """

    frame: gpd.GeoDataFrame
    title: str
    sources: tuple[dict[str, Any], ...]
    date: str | None
    completeness: Completeness
    extent: shapely.Geometry | None
    changes: tuple[Change, ...]
    municipal: bool
    merged: bool = False

    @property
    def accuracy_m(self) -> float:
        """The worst of its features."""
        return float(self.frame["accuracy_m"].max()) if len(self.frame) else 0.0


def laid_over(upper: Sourced, lower: Sourced, merge_m: float | None) -> Sourced:
    """Join two sources of a layer.

    Of what is the same thing the upper one's position and attributes stand, and the lower one's attributes
    where the upper one says nothing; what belongs to a position (`side`, `direction`, …) never goes over.

    Args:
        upper: the one that wins.
        lower: the other.
        merge_m: up to so far two features are the same thing; None: the hypotenuse of their accuracies.
    """
    above, below = (each.frame.geometry.to_numpy() for each in (upper, lower))
    pairs = _pairs(upper.frame, lower.frame, merge_m)
    one, other = _alike([upper.frame, lower.frame])
    one, filled = _filled(one, other, pairs)
    rest = np.setdiff1d(np.arange(len(other)), pairs.lower)
    frame = pd.concat([one, other.iloc[rest]], ignore_index=True)
    frame["feature"] = _unique(frame["feature"])
    told = lower if lower.municipal and _RANK[lower.completeness] > _RANK[upper.completeness] else upper
    return Sourced(
        frame=gpd.GeoDataFrame(frame, geometry=np.append(above, below[rest]), crs=upper.frame.crs),
        title=f"{upper.title} com {lower.title}",
        sources=(*upper.sources, *lower.sources),
        date=upper.date,
        completeness=told.completeness,
        extent=told.extent,
        changes=(
            *_named(upper),
            *_named(lower),
            *_merge_changes(upper, lower, pairs, filled),
        ),
        municipal=True,
        merged=True,
    )


def _pairs(upper: gpd.GeoDataFrame, lower: gpd.GeoDataFrame, merge_m: float | None) -> Pairs:
    """Pair what is the same thing; a stretch told by its street's line has no place to be compared."""
    rows = [np.flatnonzero(~_told_by_street(frame)) for frame in (upper, lower)]
    frames = [frame.iloc[held] for frame, held in zip((upper, lower), rows, strict=True)]
    shapes = [frame.geometry.to_numpy() for frame in frames]
    pairs = same_things(*shapes, *(_reach(frame, merge_m) for frame in frames))
    return pairs._replace(upper=rows[0][pairs.upper], lower=rows[1][pairs.lower])


def _told_by_street(frame: gpd.GeoDataFrame) -> NDArray[np.bool_]:
    lines = shapely.get_dimensions(frame.geometry.to_numpy()) == 1
    if "on_axis" not in frame:
        return np.zeros(len(frame), bool)
    return np.asarray(lines & frame["on_axis"].fillna(False).to_numpy(bool))


def _reach(frame: gpd.GeoDataFrame, merge_m: float | None) -> NDArray[np.float64]:
    if merge_m is None:
        return np.asarray(frame["accuracy_m"], np.float64)
    # Of two reaches the hypotenuse counts.
    return np.full(len(frame), merge_m / np.sqrt(2))


def _alike(frames: Sequence[pd.DataFrame]) -> list[pd.DataFrame]:
    """Give both frames the same columns in the same types; what is a number here and text there is text."""
    names = list(dict.fromkeys(name for frame in frames for name in frame.columns if name != "geometry"))
    alike: list[dict[str, pd.Series[Any]]] = [{} for _ in frames]
    for name in names:
        types = {_nullable(frame[name]) for frame in frames if name in frame}
        dtype: Any = types.pop() if len(types) == 1 else "string"
        for columns, frame in zip(alike, frames, strict=True):
            values = frame[name] if name in frame else pd.Series([pd.NA] * len(frame), dtype="string")
            columns[name] = values.reset_index(drop=True).astype(dtype)
    return [pd.DataFrame(columns) for columns in alike]


def _nullable(values: pd.Series[Any]) -> str:
    """Name the type of a column, one that knows a missing value."""
    kind = str(values.dtype)
    return {
        "int64": "Int64",
        "float64": "Float64",
        "bool": "boolean",
        "object": "string",
        "str": "string",
    }.get(kind, kind)


def _filled(upper: pd.DataFrame, lower: pd.DataFrame, pairs: Pairs) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the upper features with what only the lower ones tell, and how often that was of use."""
    one, filled = upper.copy(), {}
    other = lower.iloc[pairs.lower].set_axis(pairs.upper)
    for name in upper.columns:
        if name in _OWN:
            continue
        lent = other[name]
        lent = lent[one.loc[lent.index, name].isna() & lent.notna()]
        one.loc[lent.index, name] = lent
        if name in ATTRIBUTES and len(lent):
            filled[name] = len(lent)
    one.loc[pairs.upper, "source"] = one.loc[pairs.upper, "source"] + ";" + other["source"]
    return one, filled


def _unique(ids: pd.Series[Any]) -> pd.Series[Any]:
    """Number ids that both sources use."""
    again = ids.groupby(ids).cumcount()
    return ids.where(again == 0, ids + "/" + (again + 1).astype(str))


def _named(layer: Sourced) -> list[Change]:
    """Say of each change which file it is about."""
    if layer.merged:
        return list(layer.changes)
    return [{**each, "reason": f"{layer.title}: {each['reason']}"} for each in layer.changes]


def _merge_changes(upper: Sourced, lower: Sourced, pairs: Pairs, filled: dict[str, int]) -> list[Change]:
    names = upper.title, lower.title
    farthest = f"{pairs.distance_m.max() if len(pairs.upper) else 0:.1f}".replace(".", ",")
    matched = len(pairs.upper)
    return changes(
        [
            ("assumed", f"a mesma coisa em {names[0]} e {names[1]} (até {farthest} m), unida", matched),
            ("kept", f"só em {names[0]}", len(upper.frame) - matched),
            ("kept", f"só em {names[1]}", len(lower.frame) - matched),
            *(("assumed", f"{name}: tomado de {names[1]}", count) for name, count in filled.items()),
        ]
    )
