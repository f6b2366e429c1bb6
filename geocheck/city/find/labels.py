"""What a found place is called, in pt-BR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from geocheck.city.find.index import FindIndex
    from geocheck.city.find.numbered import Numbered

LONGEST: Final = 120
"""Letters of a part of a label that are shown."""


def label_of(index: FindIndex, layer: Numbered, row: int) -> str:
    """Return street, number and neighbourhood of a feature; before them block and lot, where told."""
    parts = [layer.plot_text(row), address_of(index, layer, row), layer.district.text(row)]
    told = [short(part) for part in parts if part]
    return " – ".join(told or [short(layer.name.text(row) or layer.identifier(row))])


def address_of(index: FindIndex, layer: Numbered, row: int) -> str:
    """Return street and number of a feature, empty where it tells neither."""
    written = layer.street.text(row)
    name = index.names.number_of.get(written)
    street = written if name is None else index.names.label[name]
    return ", ".join(part for part in (street, layer.number.text(row)) if part)


def titled(title: str, label: str) -> str:
    """Put a feature's own name or identifier before its address."""
    return short(title) if title == label else f"{short(title)} – {label}"


def piece_label(street: str, beside: str | None, number: str) -> str:
    """Return how a stretch of a street is told.

    Args:
        street: its name.
        beside: the street near by, where the name has several stretches.
        number: that was asked and is not in the map; empty for none.
    """
    said = ["trecho" if beside is None else f"trecho perto de {short(beside)}"]
    said += [f"o número {number} não está no mapa"] if number else []
    return f"{short(street)} ({'; '.join(said)})"


def short(text: str) -> str:
    """Cut text to what a label can hold."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
