"""How the invented city hall writes its layers: columns, words, and the TOML that tells what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

SURVEYED: Final = "2026-06-01"
"""The day of all layers."""

COLUMNS: Final = {
    "name": "NOME",
    "feature": "CODIGO",
    "plates": "PLACAS",
    "box": "BAIA",
    "identified": "IDENTIFICADO",
    "marked": "PINTADA",
    "code": "PLACA",
    "kind": "TIPO",
    "hours": "HORARIO",
    "bays": "VAGAS",
    "width_m": "LARGURA_M",
    "way": "VIA",
    "direction": "SENTIDO",
    "valid_from": "DESDE",
}
"""By attribute, the city hall's column."""

_YES_OR_NO: Final[dict[str, bool | int | str]] = {"Sim": True, "Não": False}

WORDS: Final[dict[str, dict[str, bool | int | str]]] = {
    "plates": {"Simples": 1, "Dupla": 2},
    "box": _YES_OR_NO,
    "identified": _YES_OR_NO,
    "marked": _YES_OR_NO,
    "direction": {"Da via": "forward", "Contrário": "backward"},
    "kind": {
        "Linha de vaga": "bay_line",
        "Retenção": "stop_line",
        "Canalização": "channelisation",
        "Pessoa com deficiência": "disabled",
        "Estacionamento pago": "paid_parking",
        "Sem licença": "irregular",
    },
}
"""By attribute, what the city hall's words mean."""


def attributes_said(features: Iterable[dict[str, Any]]) -> list[str]:
    """Return the attributes that any feature says, in the order of `COLUMNS`."""
    said = {name for says in features for name in says}
    return [name for name in COLUMNS if name in said]


def written(says: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return what a feature says in the city hall's columns and words; what it does not say is null."""
    return {COLUMNS[name]: _word(name, says.get(name)) for name in names}


def _word(name: str, value: object) -> object:
    if name not in WORDS or value is None:
        return value
    return next(word for word, meant in WORDS[name].items() if meant == value)


def toml_text(
    names: Iterable[str], values: Iterable[tuple[str, object]], accuracy_m: float, extent: str | None
) -> str:
    """Return the TOML beside a layer's file.

    Args:
        names: attributes that it says.
        values: all attributes and values in it.
        accuracy_m: of the layer.
        extent: file of the ground that it covers, seen from the TOML; None: that of the streets.
    """
    names, used = list(names), list(values)
    lines = [f"accuracy_m = {accuracy_m}", 'completeness = "complete"', f"date = {SURVEYED}"]
    lines += [] if extent is None else [f'extent = "{extent}"']
    if names:
        lines += ["", "[columns]", *(f'{name} = "{COLUMNS[name]}"' for name in names)]
    for name in names:
        words = [(word, meant) for word, meant in WORDS.get(name, {}).items() if (name, meant) in used]
        if words:
            lines += ["", f"[values.{name}]", *(f'"{word}" = {_toml(meant)}' for word, meant in words)]
    return "\n".join([*lines, ""])


def _toml(value: bool | int | str) -> str:  # noqa: FBT001 (a value of a table)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f'"{value}"'
