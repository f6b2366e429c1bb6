"""Which shapes a layer takes: a zone has areas, a hydrant points; what does not fit is counted out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.changes import changes
from geocheck.city.layers.table import LAYER_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.changes import Change
    from geocheck.city.layers.table import Shape

_TYPE_IDS: Final[dict[Shape, tuple[int, ...]]] = {"point": (0, 4), "line": (1, 2, 5), "area": (3, 6)}
_WORDS: Final[dict[Shape, str]] = {"point": "ponto", "line": "linha", "area": "área"}


def shapes_fit(geometry: NDArray[np.object_], layer: str) -> tuple[NDArray[np.bool_], list[Change]]:
    """Tell which geometries are of a shape that the layer takes, shape (n,), and name the others.

    A layer of which nothing is known takes any.
    """
    kind = LAYER_KINDS.get(layer)
    ids = shapely.get_type_id(geometry)
    if kind is None:
        return np.ones(len(ids), bool), []
    fits = np.isin(ids, [number for shape in kind.shapes for number in _TYPE_IDS[shape]])
    takes = shapes_text(layer)
    misfits = changes(
        (
            "dropped",
            f"{word}, descartado: esta camada só tem {takes}",
            int(np.count_nonzero(~fits & np.isin(ids, _TYPE_IDS[shape]))),
        )
        for shape, word in _WORDS.items()
    )
    return fits, misfits


def shapes_text(layer: str) -> str:
    """Say in pt-BR which shapes a layer takes."""
    return " ou ".join(word for shape, word in _WORDS.items() if shape in LAYER_KINDS[layer].shapes)
