"""Why the map leaves a test open or in doubt, in pt-BR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.columns import present
from geocheck.law import kinds
from geocheck.report import wording
from geocheck.report.looking import missing
from geocheck.report.seen_words import by_map, shown, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from geocheck.check.evidence import Evidence
    from geocheck.check.seen import Seen

_ATTRIBUTES: Final = {
    "plates": "de quantas placas tem o ponto (uma, ou de início e fim)",
    "box": "de haver box pintado no ponto",
    "identified": "de estar devidamente identificado",
    "kind": "do tipo da marca, vaga ou placa",
    "of_served_lot": "de a guia rebaixada ser do imóvel atendido",
}


_NEVER_SAID: Final = frozenset({"kerb", "mouth"})
"""Layers without which there is no map to speak of, or that no map holds by that name."""


def clashes(column: Evidence, row: int) -> bool:
    """Whether somebody saw nothing where the map surely shows something."""
    found = shown(column, row)
    if found is None or not by_map(column, row):
        return False
    seen = column.question.placements.requests[row].observed
    return any(each.layer == found.layer and each.state == "none" and each.places for each in seen)


def doubts(column: Evidence, row: int) -> Iterator[str]:
    """Say on what it hangs whether a test is broken, where the map leaves it open."""
    found = shown(column, row)
    if found is not None and not found.side_known:
        yield _side_doubt(found.layer)
    test = column.question.test
    if found is not None and found.soft and found.layer == "crossing":
        yield "o mapa não diz se a faixa está pintada"
    elif test.when is not None and test.when.unknown == "soft" and attribute_open(column, row):
        yield f"depende {_ATTRIBUTES.get(test.when.attribute, f'de {test.when.attribute}')}"
    elif found is not None and isinstance(test, kinds.SideOfFeature):
        yield f"depende {_ATTRIBUTES['of_served_lot']}"


def _side_doubt(layer: str) -> str:
    if layer == "corner":
        return "ruas que se separam aos poucos, ou curva em que o nome muda: pode não contar como esquina"
    if layer == "median":
        return "o mapa mostra um divisor de pistas ou uma ilha, que pode não contar como canteiro"
    return f"o mapa não diz de que lado da rua fica {wording.the(layer)}"


def attribute_open(column: Evidence, row: int) -> bool:
    """Whether the attribute on which a test hangs is not known of the thing that decides."""
    test = column.question.test
    if test.when is None:
        return False
    found = shown(column, row)
    if found is not None:
        return found.soft
    layer = column.ask.layer if column.ask else None
    layers = (layer,) if layer in test.layers else test.layers
    things = present(column.question.placements.requests[row], layers)
    return not things or getattr(things[0].attributes, test.when.attribute) is None


def unknown(columns: Sequence[Evidence], row: int) -> str:
    """Say why a rule was not evaluated, and what would settle it, given its columns that are open."""
    reasons = list(dict.fromkeys(_reasons(columns, row)))
    return f"não há como saber: {'; '.join([*reasons, missing(columns, row)])}"


def _reasons(columns: Iterable[Evidence], row: int) -> Iterator[str]:
    absent: dict[str, None] = {}
    silent: dict[str, None] = {}
    near: dict[str, tuple[float, str]] = {}
    for column in columns:
        sight = column.question.sight
        if sight is None or np.isnan(sight.at.located.half_m[row]):
            continue
        layer = _layer(column)
        ends = "" if column.mapped is None else _end(column, column.mapped.seen, row)
        if ends:
            yield ends
        elif layer is not None and sight.layer(layer) is None:
            absent[layer] = None
        elif layer is not None and column.mapped is not None:
            if shown(column, row) is not None and np.isfinite(column.measured[row]):
                near.setdefault(layer, _nearest(column, layer, row))
            elif sight.city_map.complete(layer):
                yield "o mapa acaba perto daqui"
            else:
                silent[layer] = None
    yield from _said(absent, [layer for layer in silent if layer not in near], near)


def _layer(column: Evidence) -> str | None:
    """Return the layer that would answer a test, None where the map has no say."""
    layer = column.ask.layer if column.ask is not None else None
    layer = layer if column.mapped is None else column.mapped.seen.layer
    return None if layer in _NEVER_SAID else layer


def _said(absent: Iterable[str], silent: Iterable[str], near: dict[str, tuple[float, str]]) -> Iterator[str]:
    if near:
        yield f"o mapa, incompleto, mostra {wording.joined([said for _, said in sorted(near.values())])}"
    for words, layers in (
        ("o mapa, incompleto, não mostra {} por perto", silent),
        ("o mapa não traz {}", absent),
    ):
        names = [wording.LAYERS[layer] for layer in layers]
        if names:
            yield words.format(wording.either(names))


def _nearest(column: Evidence, layer: str, row: int) -> tuple[float, str]:
    away = float(column.measured[row])
    where = f"a {wording.number(away)} m" if away > 0 else "junto à caçamba"
    return away, f"{wording.nearest(layer)} {where}{spread(column, row)}"


def _end(column: Evidence, seen: Seen, row: int) -> str:
    """Say what the map does not tell within a test's reach; nothing where it tells all."""
    rows = seen.rows
    limit = float(column.limit[row])
    reach = limit if np.isfinite(limit) else 0.0
    open_ = (rows.placement == row) & ~rows.known & (rows.value_m - reach <= column.tolerance)
    if not open_.any():
        return ""
    first = int(np.flatnonzero(open_)[np.argmin(rows.value_m[open_])])
    away = max(0.0, float(rows.value_m[first]))
    where = f"a {wording.number(away)} m daqui" if away > 0 else "aqui mesmo"
    if seen.layer == "median" and seen.how[first] == "along" and rows.value_m[first] <= 0:
        return "o mapa não diz se a guia é a de um canteiro central"
    if rows.feature[first] < 0:
        return f"no mapa a guia acaba {where}, e o que vem depois não se sabe"
    return f"no cruzamento {where} pode faltar uma rua no mapa"
