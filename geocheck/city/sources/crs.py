"""Decides which coordinate system a file is in, and refuses what does not land in the city."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.sources.cleaning import Action
from geocheck.city.sources.looks import NEAR_DEG, best_guess, moved, numbers_text, share_inside
from geocheck.city.sources.raw import refused
from geocheck.city.sources.transform import known_crs, operation
from geocheck.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyproj import CRS

    from geocheck.cities import City
    from geocheck.city.sources.cleaning import Notebook
    from geocheck.city.sources.options import SourceOptions
    from geocheck.city.sources.raw import Raw
    from geocheck.city.sources.transform import Operation

_ENOUGH: Final = 0.5
_NO_SHIFT_M: Final = 0.01
_HOW: Final = "declare-o com crs=EPSG:…"


@dataclass(frozen=True, slots=True)
class _Chosen:
    crs: CRS
    told_by: str
    by_default: bool


def settled(file: str, raw: Raw, city: City, declared: SourceOptions, notebook: Notebook) -> Operation:
    """Return the way from a file's numbers into the city's system.

    A declared system wins over the file's own. Whichever it is, the records must land in the city: where
    none does, or where another reading of the numbers would bring in more, nothing is guessed.

    Raises:
        InputError: the declared system does not exist.
        DataFileError: no system is known, or the numbers do not land in the city under it.
    """
    boxes = _boxes(raw.geometry)
    chosen = _chosen(file, raw, boxes, city, declared, notebook)
    way = operation(chosen.crs, city)
    if way is None:
        message = f"não há transformação conhecida de “{chosen.crs.name}” para {city.crs}; {_HOW}"
        raise refused(file, f"{message}{_looks(boxes, city)}", key="crs")
    if len(boxes):
        _must_land(file, boxes, chosen, city)
    if way.stands_for is not None:
        message = f"o código {chosen.crs.name} ({_code(chosen.crs)}) foi retirado; lido como {way.stands_for}"
        notebook.of_file("crs_withdrawn", Action.GUESSED, message)
    if way.shift_m >= _NO_SHIFT_M:
        shift = f"{way.shift_m:.1f}".replace(".", ",")
        accuracy = f"{way.accuracy_m:.1f}".replace(".", ",")
        message = f"datum de {way.name} transformado (desloca {shift} m, exatidão de {accuracy} m)"
        notebook.of_file("datum_shifted", Action.REPAIRED, message)
    return way


def _chosen(
    file: str,
    raw: Raw,
    boxes: NDArray[np.float64],
    city: City,
    declared: SourceOptions,
    notebook: Notebook,
) -> _Chosen:
    own = known_crs(raw.crs.text) if raw.crs.text is not None else None
    if declared.crs is not None:
        crs = known_crs(declared.crs)
        if crs is None:
            raise InputError("crs", f"“{declared.crs}” não é um sistema de coordenadas conhecido")
        if own is not None and not raw.crs.by_default and not own.equals(crs, ignore_axis_order=True):
            message = f"{raw.crs.told_by} diz {_code(own)}; lido como declarado, {declared.crs}"
            notebook.of_file("crs_overruled", Action.GUESSED, message)
        return _Chosen(crs, f"crs={declared.crs}, como declarado,", False)
    if own is None:
        told = raw.crs.told_by
        if raw.crs.text is not None:
            told = f"{told} traz um sistema de coordenadas que não se reconhece"
        raise refused(file, f"{told}; {_HOW}{_looks(boxes, city)}", key="crs")
    if raw.crs.guessed:
        message = f"sistema suposto: graus WGS 84 / SIRGAS 2000, segundo {raw.crs.told_by}"
        notebook.of_file("crs_guessed", Action.GUESSED, message)
    return _Chosen(own, raw.crs.told_by, raw.crs.by_default)


def _must_land(file: str, boxes: NDArray[np.float64], chosen: _Chosen, city: City) -> None:
    share = float(share_inside(moved(boxes, chosen.crs, city), city, NEAR_DEG).mean())
    if share >= _ENOUGH:
        return
    guess = best_guess(boxes, city)
    if share > 0 and (guess is None or guess.share <= share):
        return
    fall = "nada cai" if share == 0 else f"só {share:.0%} cai"
    system = "graus WGS 84" if chosen.by_default else _code(chosen.crs)
    by = chosen.told_by
    subject = f"lidos em {system} ({by.rstrip(',')}), {fall} em {city.name}"
    if guess is None:
        message = f"{subject}; os números ({numbers_text(boxes)}) não se parecem com nenhum sistema usual "
        message += "desta cidade: confira se o arquivo é mesmo dela e pergunte a quem o fez"
    else:
        message = f"{subject}; os números ({numbers_text(boxes)}) parecem {guess.text}"
    raise refused(file, message, key="crs")


def _looks(boxes: NDArray[np.float64], city: City) -> str:
    if not len(boxes):
        return ""
    guess = best_guess(boxes, city)
    found = numbers_text(boxes)
    if guess is None:
        return f". Os números ({found}) não caem em {city.name} sob nenhum sistema usual: confira a origem"
    return f". Os números ({found}) parecem {guess.text}"


def _boxes(geometry: NDArray[np.object_]) -> NDArray[np.float64]:
    """Return the finite bounding boxes of geometries, shape (m, 4)."""
    boxes: NDArray[np.float64] = shapely.bounds(geometry).reshape(-1, 4)
    return boxes[np.isfinite(boxes).all(axis=1)]


def _code(crs: CRS) -> str:
    return ":".join(crs.to_authority() or (crs.name,))
