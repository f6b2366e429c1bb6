"""Cleans geometries and brings them into the city's system: 2D, valid, one kind each, none twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from geocheck.city.sources.cleaning import Action
from geocheck.city.sources.looks import NEAR_DEG, share_inside

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.sources.cleaning import Notebook
    from geocheck.city.sources.raw import Raw
    from geocheck.city.sources.transform import Operation

FAR_DEG: Final = 0.25
"""What lies farther than this from the city's box (about 27 km) is left out."""

_SAME_AREA: Final = 1e-9
_COLLECTION: Final = 7
_MULTI: Final = (4, 5, 6)
_POINT_KINDS, _LINE_KINDS, _AREA_KINDS = (0, 4), (1, 2, 5), (3, 6)
_MAKERS: Final = (
    (_POINT_KINDS, shapely.multipoints),
    (_LINE_KINDS, shapely.multilinestrings),
    (_AREA_KINDS, shapely.multipolygons),
)


@dataclass(slots=True)
class Features:
    """Features as they are cleaned.

    Attributes:
        geometry: shape (n,).
        row: number of each feature's record in the file, shape (n,).
        at: index of each feature's attributes, shape (n,).
        notebook: told of everything that is done.
    """

    geometry: NDArray[np.object_]
    row: NDArray[np.int64]
    notebook: Notebook
    at: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.at = np.arange(len(self.row), dtype=np.int64)

    def drop(self, bad: NDArray[np.bool_], code: str, message: str) -> None:
        """Leave features out; a record is named once, where it was first found bad."""
        if bad.any():
            told = {row for note in self.notebook.notes if note.action is Action.DROPPED for row in note.rows}
            news = [int(row) for row in self.row[bad] if int(row) not in told]
            self.notebook.of_rows(code, Action.DROPPED, news, message)
            self.keep(~bad)

    def keep(self, good: NDArray[Any]) -> None:
        """Keep features by mask or index."""
        self.geometry, self.row, self.at = self.geometry[good], self.row[good], self.at[good]


def present(raw: Raw, notebook: Notebook) -> Features:
    """Return what has a geometry with finite coordinates, flattened; the rest is named."""
    features = Features(raw.geometry.copy(), raw.row, notebook)
    features.drop(shapely.is_missing(features.geometry), "geometry_null", "sem geometria, descartado")
    features.drop(shapely.is_empty(features.geometry), "geometry_empty", "geometria vazia, descartada")
    high = shapely.has_z(features.geometry) | shapely.has_m(features.geometry)
    notebook.of_rows(
        "flattened", Action.REPAIRED, features.row[high], "altura (Z) ou medida (M) deixada de lado"
    )
    features.geometry[high] = shapely.force_2d(features.geometry[high])
    features.drop(~_finite(features.geometry), "coordinate_not_finite", "coordenada infinita ou NaN")
    return features


def moved_to(features: Features, way: Operation, city: City) -> None:
    """Bring features into the city's system; what has no image or lies far from the city is left out."""
    features.geometry = shapely.transform(features.geometry, way)
    lost = ~_finite(features.geometry)
    features.drop(lost, "coordinate_impossible", "coordenada fora do alcance do sistema, descartado")
    boxes = shapely.bounds(features.geometry).reshape(-1, 4)
    far = ~share_inside(boxes, city, FAR_DEG)
    distance = f"{FAR_DEG:.2f}°".replace(".", ",")
    features.drop(far, "far_from_city", f"a mais de {distance} de {city.name}, descartado")
    outside = ~share_inside(boxes[~far], city, NEAR_DEG)
    message = f"fora dos limites de {city.name}, mantido"
    features.notebook.of_rows("outside_city", Action.KEPT, features.row[outside], message)


def mended(features: Features) -> None:
    """Make every geometry valid, simple in kind and of some extent, and leave out exact collapses."""
    _explode(features)
    _make_valid(features)
    _unwrap(features)
    kinds = shapely.get_type_id(features.geometry)
    flat = np.isin(kinds, _AREA_KINDS) & (shapely.area(features.geometry) == 0)
    flat |= np.isin(kinds, _LINE_KINDS) & (shapely.length(features.geometry) == 0)
    flat |= shapely.is_empty(features.geometry)
    features.drop(flat, "collapsed", "linha sem comprimento ou polígono sem área, descartado")


def once_each(features: Features, columns: pd.DataFrame) -> None:
    """Leave out features that repeat another in geometry and in every attribute."""
    if not len(features.row):
        return
    shape = shapely.to_wkb(shapely.normalize(features.geometry))
    keys = columns.iloc[features.at].astype(str).reset_index(drop=True)
    again = keys.assign(__shape=shape).duplicated().to_numpy()
    features.drop(again, "duplicate", "repetição exata de outro (forma e atributos), descartada")


def _make_valid(features: Features) -> None:
    """Repair what crosses itself, keeping every lobe and what is covered twice."""
    bad = ~shapely.is_valid(features.geometry)
    areal = np.isin(shapely.get_type_id(features.geometry), _AREA_KINDS)
    index = np.flatnonzero(bad & areal)
    if not len(index):
        return
    broken = features.geometry[index]
    # "structure" unites lobes and overlaps; "linework" would turn what is covered twice into a hole.
    repaired = shapely.make_valid(broken, method="structure", keep_collapsed=False)
    other = shapely.area(shapely.make_valid(broken))
    area = shapely.area(repaired)
    features.geometry[index] = repaired
    usable = (area > 0) & ~shapely.is_empty(repaired)
    rows = features.row[index]
    message = f"polígono que se cruza reparado ({_metres2(area[usable].sum())} ao todo)"
    features.notebook.of_rows("self_crossing", Action.REPAIRED, rows[usable], message)
    doubt = usable & (np.abs(area - other) > _SAME_AREA * np.maximum(area, other) + 1e-3)
    message = "reparo com duas leituras: a parte coberta duas vezes foi mantida como área"
    features.notebook.of_rows("covered_twice", Action.GUESSED, rows[doubt], message)


def _explode(features: Features) -> None:
    """Split collections into one feature for each of points, lines and areas."""
    mixed = shapely.get_type_id(features.geometry) == _COLLECTION
    if not mixed.any():
        return
    message = "coleção de tipos misturados separada em pontos, linhas e áreas"
    features.notebook.of_rows("exploded", Action.REPAIRED, features.row[mixed], message)
    pieces: list[Any] = []
    origin: list[int] = []
    for index in np.flatnonzero(mixed):
        parts = _leaves(features.geometry[index])
        kinds = shapely.get_type_id(parts)
        for family, make in _MAKERS:
            mine = parts[np.isin(kinds, family) & ~shapely.is_empty(parts)]
            if len(mine):
                pieces.append(make(mine))
                origin.append(int(index))
    order = np.concatenate([np.flatnonzero(~mixed), np.array(origin, dtype=np.int64)])
    geometry = np.concatenate([features.geometry[~mixed], np.array([None, *pieces], dtype=object)[1:]])
    empty = np.setdiff1d(features.row[mixed], features.row[np.array(origin, dtype=np.int64)])
    features.notebook.of_rows("geometry_empty", Action.DROPPED, empty, "coleção vazia, descartada")
    features.keep(order)
    features.geometry = geometry
    back = np.argsort(features.row, kind="stable")
    features.keep(back)


def _leaves(geometry: shapely.Geometry) -> NDArray[np.object_]:
    """Return the single parts of a collection, however deep they are nested."""
    parts = np.array([None, geometry], dtype=object)[1:]
    while (shapely.get_type_id(parts) >= _MULTI[0]).any():
        parts = shapely.get_parts(parts)
    return parts


def _unwrap(features: Features) -> None:
    """Take single parts out of multi-geometries of one."""
    kinds = shapely.get_type_id(features.geometry)
    single = np.isin(kinds, _MULTI) & (shapely.get_num_geometries(features.geometry) == 1)
    features.geometry[single] = shapely.get_geometry(features.geometry[single], 0)


def _finite(geometry: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Tell which geometries have only finite coordinates."""
    xy, index = shapely.get_coordinates(geometry, return_index=True)
    good = np.ones(len(geometry), dtype=bool)
    good[index[~np.isfinite(xy).all(axis=1)]] = False
    return good


def _metres2(area: float) -> str:
    return f"{area:,.1f} m²".replace(",", "_").replace(".", ",").replace("_", ".")
