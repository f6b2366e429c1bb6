"""Lays one source of a layer over another: what is the same thing becomes one, and the rest of both stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import geopandas as gpd
import numpy as np
import pandas as pd

from geocheck.city.attributes import ATTRIBUTES, PLACING
from geocheck.city.matching import same_things

if TYPE_CHECKING:
    import shapely
    from numpy.typing import NDArray

    from geocheck.city.matching import Pairs

_OWN: Final = frozenset({"feature", "source", "geometry"}) | PLACING
_RANK: Final = {"unknown": 0, "partial": 1, "complete": 2}


@dataclass(frozen=True, slots=True)
class Sourced:
    """A layer from one or several sources.

    Attributes:
        frame: its features.
        sources: as `manifest.SourceFile` takes them.
        date: of the data.
        completeness: inside the extent.
        extent: in the city's metres; None: that of the bundle.
        changes: as `manifest.Change` takes them.
        municipal: a city's file, and not OSM.
    """

    frame: gpd.GeoDataFrame
    sources: tuple[dict[str, Any], ...]
    date: str | None
    completeness: str
    extent: shapely.Geometry | None
    changes: tuple[dict[str, Any], ...]
    municipal: bool

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
    reach = [_reach(each.frame, merge_m) for each in (upper, lower)]
    pairs = same_things(upper.frame.geometry.to_numpy(), lower.frame.geometry.to_numpy(), *reach)
    one, filled = _filled(upper.frame, lower.frame, pairs)
    rest = lower.frame.drop(index=lower.frame.index[pairs.lower])
    frame = pd.concat([one, _alike(rest, one)], ignore_index=True)
    frame["feature"] = _unique(frame["feature"])
    told = lower if lower.municipal and _RANK[lower.completeness] > _RANK[upper.completeness] else upper
    return Sourced(
        frame=gpd.GeoDataFrame(frame, geometry="geometry", crs=upper.frame.crs),
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
    )


def _reach(frame: gpd.GeoDataFrame, merge_m: float | None) -> NDArray[np.float64]:
    if merge_m is None:
        return np.asarray(frame["accuracy_m"], np.float64)
    # Of two reaches the hypotenuse counts.
    return np.full(len(frame), merge_m / np.sqrt(2))


def _filled(
    upper: gpd.GeoDataFrame, lower: gpd.GeoDataFrame, pairs: Pairs
) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the upper features with what only the lower ones tell, and how often that was of use."""
    one = pd.DataFrame(upper).copy()
    filled = {}
    other = lower.iloc[pairs.lower]
    for name in lower.columns:
        if name in _OWN:
            continue
        if name not in one:
            one[name] = pd.Series([pd.NA] * len(one), index=one.index, dtype=_dtype(lower, name))
        lent = other[name].set_axis(one.index[pairs.upper])
        lent = lent[one.loc[lent.index, name].isna() & lent.notna()]
        if not len(lent):
            continue
        if one[name].dtype != lent.dtype:
            one[name], lent = one[name].astype("string"), lent.astype("string")
        one.loc[lent.index, name] = lent
        if name in ATTRIBUTES:
            filled[name] = len(lent)
    both = one["source"].to_numpy(object)
    both[pairs.upper] = both[pairs.upper] + ";" + other["source"].to_numpy(object)
    one["source"] = pd.array(both, dtype="string")
    return one, filled


def _dtype(frame: pd.DataFrame, name: str) -> Any:  # noqa: ANN401 (a dtype of pandas)
    """Return a dtype that knows a missing value."""
    dtype: Any = frame[name].dtype
    return {"int64": "Int64", "bool": "boolean"}.get(str(dtype), dtype)


def _alike(rest: pd.DataFrame, one: pd.DataFrame) -> pd.DataFrame:
    """Give the columns that both have the same type."""
    alike = {}
    for name in one.columns:
        if name not in rest:
            alike[name] = pd.Series([pd.NA] * len(rest), index=rest.index, dtype=_dtype(one, name))
        else:
            alike[name] = rest[name] if name == "geometry" else rest[name].astype(one[name].dtype)
    return pd.DataFrame(alike, index=rest.index)


def _unique(ids: pd.Series[Any]) -> pd.Series[Any]:
    """Number ids that both sources use."""
    again = ids.groupby(ids).cumcount()
    return ids.where(again == 0, ids + "/" + (again + 1).astype(str))


def _named(layer: Sourced) -> list[dict[str, Any]]:
    """Say of each change which file it is about."""
    if len(layer.sources) != 1:
        return list(layer.changes)
    file = layer.sources[0]["file"]
    return [{**each, "reason": f"{file}: {each['reason']}"} for each in layer.changes]


def _merge_changes(
    upper: Sourced, lower: Sourced, pairs: Pairs, filled: dict[str, int]
) -> list[dict[str, Any]]:
    names = [", ".join(each["file"] for each in layer.sources) for layer in (upper, lower)]
    farthest = f"{pairs.distance_m.max() if len(pairs.upper) else 0:.1f}".replace(".", ",")
    matched = len(pairs.upper)
    lines = [
        ("assumed", f"a mesma coisa em {names[0]} e {names[1]} (até {farthest} m), unida", matched),
        ("kept", f"só em {names[0]}", len(upper.frame) - matched),
        ("kept", f"só em {names[1]}", len(lower.frame) - matched),
        *(("assumed", f"{name}: tomado de {names[1]}", count) for name, count in filled.items()),
    ]
    return [{"action": action, "reason": reason, "count": count} for action, reason, count in lines if count]
