"""A bundle as a terminal page in pt-BR: its layers, and what was dropped, repaired or assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.table import Table

from geocheck.report import wording

if TYPE_CHECKING:
    from rich.console import Console

    from geocheck.city.bundle import Bundle

_COMPLETENESS: Final = {"complete": "completa", "partial": "parcial", "unknown": "não sabida"}
_ACTIONS: Final = {"dropped": "fora", "repaired": "reparado", "assumed": "suposto", "kept": "mantido"}


def show_bundle(bundle: Bundle, console: Console) -> None:
    """Print what a bundle says of itself."""
    manifest = bundle.manifest
    console.print(f"\n[bold]{escape(manifest.city)}[/] · {manifest.crs} · {escape(str(bundle.folder))}")
    console.print(f"[dim]feito em {manifest.built_at:%d/%m/%Y %H:%M} UTC por {escape(manifest.engine)}[/]")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("Camada", "", "Feições", "Acurácia", "Completude", "Fonte"):
        table.add_column(name, justify="right" if name in ("Feições", "Acurácia") else "left")
    for layer in manifest.layers:
        table.add_row(
            layer.name,
            wording.LAYERS[layer.name],
            str(layer.features),
            f"± {wording.metres(layer.accuracy_m)}",
            _COMPLETENESS[layer.completeness],
            escape(", ".join(source.file for source in layer.sources)),
        )
    console.print(table)
    for layer in manifest.layers:
        for change in layer.changes:
            examples = f" (ex.: {', '.join(change.examples)})" if change.examples else ""
            line = f"  {layer.name} · {_ACTIONS[change.action]}: {change.count} × {change.reason}{examples}"
            console.print(escape(line))
    console.print()
