"""Taped widths of streets, before kerbs are derived from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.corrections.ledger import metres
from geocheck.city.corrections.rows import What
from geocheck.city.streets.widths import WidthSource
from geocheck.city.surveyed.placing import street_pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.corrections.ledger import Ledger
    from geocheck.city.corrections.rows import Correction
    from geocheck.city.kerb_places import KerbPlaces
    from geocheck.city.ways import Ways

REACH_M: Final = 15.0
"""A taped width names no street farther away."""

_NAMED_REACH_M: Final = 50.0
_EITHER_M: Final = 1.0
"""Two ways that differ by less are equally near."""

_LEAST_HALF_M: Final = 0.5
_SIDE_NAMES: Final = ("esquerdo", "direito")


class _Street(NamedTuple):
    """The way a correction speaks of, and on which side of it the point lies (0 left, 1 right; -1 on it)."""

    way: int
    side: int


def with_widths(ways: Ways, places: KerbPlaces, axis_accuracy_m: float, ledger: Ledger) -> KerbPlaces:
    """Return kerbs where taped widths put them.

    A total width is shared out as the sides were before, unless one of them was surveyed: then the other is
    what is left. The error of the line stays in the kerb's, for a tape tells no place on the map.

    Args:
        ways: of the network.
        places: of their kerbs.
        axis_accuracy_m: 95 % half-width of their lines across the street.
        ledger: of the corrections.
    """
    half, accuracy, source = places.half_m.copy(), places.accuracy_m.copy(), places.source.copy()
    holder: dict[tuple[int, int], Correction] = {}
    for row in ledger.file.of(What.WIDTH):
        street = _street(ways, row, ledger)
        sides = _sides(row, street, ledger)
        if street is None or not sides:
            continue
        way = street.way
        put = _put(
            row, (places.half_m[way], places.accuracy_m[way], places.source[way]), sides, axis_accuracy_m
        )
        if put is None:
            ledger.lost(row, f"um lado levantado já tem mais que {metres(row.value_m)}; confira a medida")
            continue
        name = f"way/{ways.way_id[way]}"
        part = "" if len(sides) > 1 else f" do lado {_SIDE_NAMES[sides[0]]}"
        ledger.applied[row.row] = f"largura{part} de {metres(row.value_m)} na {name}"
        _give_way(holder, row, [(way, side) for side in sides], f"largura da {name}", ledger)
        for side, (value, unsure) in put.items():
            half[way, side], accuracy[way, side], source[way, side] = value, unsure, WidthSource.CORRECTION
    ledger.settle()
    return places.where(source == WidthSource.CORRECTION, half, accuracy, source)


def _give_way(
    holder: dict[tuple[int, int], Correction],
    row: Correction,
    keys: list[tuple[int, int]],
    thing: str,
    ledger: Ledger,
) -> None:
    """Let a correction take the sides that older ones held; one that holds none any more is superseded."""
    older = {holder[key].row: holder[key] for key in keys if key in holder}
    holder |= dict.fromkeys(keys, row)
    for each in older.values():
        if each.date == row.date or all(held.row != each.row for held in holder.values()):
            ledger.clash(each, row, thing)


def _put(
    row: Correction,
    known: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int8]],
    sides: list[int],
    axis_accuracy_m: float,
) -> dict[int, tuple[float, float]] | None:
    """Return half-width and accuracy of the sides to change; None where nothing is left for one."""
    half, accuracy, source = known
    unsure = float(np.hypot(row.accuracy_m, axis_accuracy_m))
    if len(sides) == 1:
        return {sides[0]: (row.value_m, unsure)}
    surveyed = [side for side in sides if source[side] <= WidthSource.SURVEYED]
    if len(surveyed) != 1:
        share = half / half.sum()
        return {side: (row.value_m * float(share[side]), unsure) for side in sides}
    held = surveyed[0]
    left = row.value_m - float(half[held])
    if left < _LEAST_HALF_M:
        return None
    return {1 - held: (left, float(np.hypot(row.accuracy_m, accuracy[held])))}


def _street(ways: Ways, row: Correction, ledger: Ledger) -> _Street | None:
    """Return the way that a correction speaks of."""
    a, b, way = street_pieces(ways)
    if not len(way):
        ledger.lost(row, "a rede não tem nenhuma via de carros")
        return None
    number = row.way.removeprefix("way/")
    if number:
        mine = np.flatnonzero(ways.way_id[way].astype(str) == number)
        if not len(mine):
            ledger.lost(row, f"não há via de carros com o id “{row.way}” na rede")
            return None
        a, b, way = a[mine], b[mine], way[mine]
    pieces = np.asarray(shapely.linestrings(np.stack([ways.xy[a], ways.xy[b]], axis=1)))
    gap = shapely.distance(pieces, row.geometry)
    nearest = int(np.argmin(gap))
    reach = _NAMED_REACH_M if number else REACH_M
    if gap[nearest] > reach:
        ledger.lost(row, f"a via mais próxima fica a {metres(gap[nearest])}; o alcance é de {metres(reach)}")
        return None
    others = np.unique(ways.way_id[way[(gap <= gap[nearest] + _EITHER_M) & (way != way[nearest])]])
    if len(others):
        names = ", ".join(f"way/{each}" for each in [ways.way_id[way[nearest]], *others])
        ledger.lost(row, f"o ponto serve a mais de uma via ({names}); diga qual na coluna way")
        return None
    run, off = ways.xy[b[nearest]] - ways.xy[a[nearest]], shapely.get_coordinates(row.geometry)[0]
    off = off - ways.xy[a[nearest]]
    cross = (run[0] * off[1] - run[1] * off[0]) / np.hypot(*run)
    side = -1 if abs(cross) < _LEAST_HALF_M else int(cross < 0)
    return _Street(int(way[nearest]), side)


def _sides(row: Correction, street: _Street | None, ledger: Ledger) -> list[int]:
    """Return the columns of `KerbPlaces` that a correction speaks of."""
    if street is None:
        return []
    if row.side == "here":
        if street.side < 0:
            ledger.lost(row, "o ponto está sobre o eixo: não se sabe de que lado; afaste-o ou diga o lado")
            return []
        return [street.side]
    return {"both": [0, 1], "left": [0], "right": [1]}[row.side]
