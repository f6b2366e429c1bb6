"""Official blocks, else lots, among the municipal layers: what streets take from them, and its account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from geocheck.city.streets.right_of_way import Blocks, widths_between_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from geopandas import GeoDataFrame
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.changes import Change, ChangeAction
    from geocheck.city.streets.right_of_way import BlockAccount
    from geocheck.city.streets.widths import Widths
    from geocheck.city.ways import Ways

BLOCK_LAYERS: Final = ("block", "lot")
"""Blocks first: between lots there are alleys and vacant land that no street is."""

_EXAMPLES: Final = 5


class BetweenBlocks(NamedTuple):
    """What the streets took from blocks.

    Attributes:
        widths: of the ways, with what blocks said of them.
        areas: polygons of blocks, else of lots; empty where neither was given, shape (b,).
        changes: lines of the manifest.
    """

    widths: Widths
    areas: NDArray[np.object_]
    changes: tuple[Change, ...]


def between_blocks(
    widths: Widths, ways: Ways, layers: Iterable[tuple[dict[str, Any], GeoDataFrame]], city: City
) -> BetweenBlocks:
    """Take from official blocks, or lots where no blocks were given, what they say of the streets.

    Args:
        widths: by tags and model.
        ways: the same.
        layers: fields of the manifest entry and frame of those for which a municipal file was given: what OSM
            calls a city block may be drawn along the kerb.
        city: for its usual footway.
    """
    given = {fields["name"]: (fields, frame) for fields, frame in layers}
    name = next((each for each in BLOCK_LAYERS if each in given), None)
    if name is None:
        return BetweenBlocks(widths, np.empty(0, object), ())
    fields, frame = given[name]
    blocks = Blocks(np.asarray(frame.geometry.array, object), fields["accuracy_m"])
    widths, account = widths_between_blocks(widths, ways, blocks, city)
    return BetweenBlocks(widths, blocks.areas, tuple(_changes(account, ways, city)))


def _changes(account: BlockAccount, ways: Ways, city: City) -> Iterator[Change]:
    """Name what blocks said of the streets, and where they said nothing."""
    footway = f"{city.default_footway_m} m".replace(".", ",")
    lines: tuple[tuple[ChangeAction, str, NDArray[np.bool_]], ...] = (
        (
            "assumed",
            f"rua com largura pelo espaço entre quadras, menos {footway} a cada calçada",
            account.given,
        ),
        ("repaired", "rua com guia recuada para não entrar em quadra", account.capped),
        ("kept", "eixo dentro de quadra: a quadra nada diz da largura", account.axis_inside),
        ("kept", "espaço entre quadras que não cabe à classe da via: só limita a guia", account.unlike),
        ("kept", "rua com quadra de um lado só: só limita a guia", account.one_sided),
        ("kept", "guia dentro de quadra pela etiqueta de largura: vale a etiqueta", account.tagged_inside),
    )
    for action, reason, which in lines:
        if which.any():
            examples = _names(ways, which)
            yield {"action": action, "reason": reason, "count": int(which.sum()), "examples": examples}


def _names(ways: Ways, which: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(f"way/{each}" for each in np.sort(ways.way_id[which])[:_EXAMPLES])
