"""Corners that an engineer placed: the kerbs end beside them, and stations count from there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.city.corrections.ledger import metres
from geocheck.city.corrections.rows import What
from geocheck.city.streets.corners import CornerKind
from geocheck.city.streets.runs import EndKind
from geocheck.city.surveyed.face_ends import own_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.corrections.ledger import Ledger
    from geocheck.city.corrections.rows import Correction
    from geocheck.city.streets.corners import Corners
    from geocheck.city.surveyed.follow import Followed

REACH_M: Final = 15.0
"""A corner moves no farther."""

_SURE: Final = 0.5
"""The corner meant is nearer than this share of the way to the next one."""


def with_corners(followed: Followed, ledger: Ledger) -> Followed:
    """Return streets whose corners lie where corrections put them.

    Each kerb at a corner goes straight on, or stops short, to the place beside the corner: how far a thing is
    from it along the kerb is then what a tape shows.
    """
    rows = ledger.file.of(What.CORNER)
    if not rows:
        return followed
    chosen: dict[int, Correction] = {}
    for row in rows:
        corner = _meant(followed.streets.corners, row, ledger)
        if corner is None:
            continue
        if corner in chosen:
            ledger.clash(chosen[corner], row, "mesma esquina")
        chosen[corner] = row
        moved = np.hypot(*(followed.streets.corners.xy[corner] - shapely.get_coordinates(row.geometry)[0]))
        ledger.applied[row.row] = f"esquina {corner} movida {metres(float(moved))}"
    ledger.settle()
    for corner, row in chosen.items():
        if not _leaves_kerb(followed, corner, row):
            ledger.lost(row, "a esquina passa do outro fim de uma das faces; confira o ponto")
    ledger.settle()
    return _moved(followed, chosen)


def _meant(corners: Corners, row: Correction, ledger: Ledger) -> int | None:
    """Return the corner nearest to a correction, where no other may be meant."""
    gap = np.hypot(*(corners.xy - shapely.get_coordinates(row.geometry)[0]).T)
    order = np.argsort(gap, kind="stable")
    if not len(order) or gap[order[0]] > REACH_M:
        near = f": a mais próxima fica a {metres(float(gap[order[0]]))}" if len(order) else ""
        ledger.lost(row, f"nenhuma esquina derivada a menos de {metres(REACH_M)}{near}")
        return None
    if len(order) > 1 and gap[order[0]] >= _SURE * gap[order[1]]:
        one, two = (metres(float(gap[each])) for each in order[:2])
        ledger.lost(row, f"há duas esquinas de que se pode tratar, a {one} e a {two}")
        return None
    return int(order[0])


def _feet(followed: Followed, corner: int, row: Correction) -> list[tuple[int, int, NDArray[np.float64]]]:
    """Return the ends of faces at a corner (face, 0 start or 1 end), and where they come to lie."""
    kerbs = followed.streets.kerbs
    at, unit = own_ends(kerbs)
    place = shapely.get_coordinates(row.geometry)[0]
    found = []
    for side, of_face in ((0, kerbs.start_corner), (1, kerbs.end_corner)):
        for face in np.flatnonzero(of_face == corner).tolist():
            along = float(np.dot(place - at[face, side], unit[face, side]))
            found.append((face, side, at[face, side] + along * unit[face, side]))
    return found


def _leaves_kerb(followed: Followed, corner: int, row: Correction) -> bool:
    """Tell whether every face at a corner keeps some length."""
    kerbs = followed.streets.kerbs
    tip, unit = own_ends(kerbs)
    for face, side, foot in _feet(followed, corner, row):
        length = float(
            np.hypot(*np.diff(kerbs.xy[kerbs.start[face] : kerbs.start[face + 1]], axis=0).T).sum()
        )
        if np.dot(foot - tip[face, side], unit[face, side]) <= -length:
            return False
    return True


def _moved(followed: Followed, chosen: dict[int, Correction]) -> Followed:
    streets = followed.streets
    kerbs, corners = streets.kerbs, streets.corners
    xy, kind, unknown = corners.xy.copy(), corners.kind.copy(), corners.unknown.copy()
    curve, accuracy = followed.curve_m.copy(), followed.corner_accuracy_m.copy()
    face_xy = own_ends(kerbs)[0].copy()
    kinds = np.stack([kerbs.start_kind, kerbs.end_kind], axis=1)
    for corner, row in chosen.items():
        xy[corner], kind[corner], unknown[corner] = (
            shapely.get_coordinates(row.geometry)[0],
            CornerKind.CORNER,
            False,
        )
        curve[corner], accuracy[corner] = np.nan, row.accuracy_m
        for face, side, foot in _feet(followed, corner, row):
            face_xy[face, side], kinds[face, side] = foot, EndKind.CORNER
    corrected = np.isin(np.arange(len(xy)), list(chosen))
    kerbs = replace(kerbs, start_kind=kinds[:, 0].copy(), end_kind=kinds[:, 1].copy())
    moved = followed._replace(streets=replace(streets, kerbs=kerbs)).with_ends(face_xy)
    mouths = streets.mouths
    width = np.hypot(*(xy[mouths.corner_from] - xy[mouths.corner_to]).T)
    return moved._replace(
        streets=replace(
            moved.streets,
            corners=replace(corners, xy=xy, kind=kind, unknown=unknown),
            mouths=replace(mouths, width_m=width),
        ),
        curve_m=curve,
        corner_accuracy_m=accuracy,
        corrected=followed.corrected | corrected,
    )
