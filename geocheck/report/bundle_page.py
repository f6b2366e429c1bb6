"""A bundle as a terminal page in pt-BR: its layers, and what was dropped, repaired or assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import markup
from rich.table import Table

from geocheck.report import wording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.bundle.manifest import LayerEntry, Manifest, SourceFile, StreetSummary

_COMPLETENESS: Final = {"complete": "completa", "partial": "parcial", "unknown": "não sabida"}
_ACTIONS: Final = {"dropped": "fora", "repaired": "reparado", "assumed": "suposto", "kept": "mantido"}

_CORNERS: Final = {
    "corner": "de ruas que se cruzam",
    "taper": "de ruas que se separam aos poucos",
    "elbow": "em curva com mudança de nome",
    "unknown": "de rua que falta no arquivo",
}
_BESIDE: Final = {
    "yes": "canteiro central",
    "divider": "divisor de pistas",
    "island": "ilha de rotatória",
    "unknown": "talvez canteiro ou divisor",
}


def _plain(text: str) -> str:
    """Show what a file holds as it is: neither markup nor signs that steer a terminal."""
    return markup.escape("".join(sign if sign.isprintable() else "�" for sign in text))


def show_bundle(bundle: Bundle, console: Console) -> None:
    """Print what a bundle says of itself."""
    manifest = bundle.manifest
    console.print(f"\n[bold]{_plain(manifest.city)}[/] · {manifest.crs} · {_plain(str(bundle.folder))}")
    console.print(f"[dim]feito em {manifest.built_at:%d/%m/%Y %H:%M} UTC por {_plain(manifest.engine)}[/]")
    sources = dict.fromkeys(source for layer in manifest.layers for source in layer.sources)
    numbers = {source: str(number) for number, source in enumerate(sources, start=1)}
    console.print(_layers_table(manifest, numbers))
    for source, number in numbers.items():
        console.print(_plain(f"  [{number}] {source.file} · sha256 {source.sha256[:12]}…"))
    if any(layer.extent for layer in manifest.layers):
        console.print("  * só dentro dos limites declarados para a camada", markup=False)
    if manifest.streets:
        _show_streets(manifest.streets, console)
    for layer in manifest.layers:
        for change in layer.changes:
            examples = f" (ex.: {', '.join(change.examples)})" if change.examples else ""
            count = f"{change.count} m de" if change.unit == "m" else f"{change.count} ×"
            line = f"  {layer.name} · {_ACTIONS[change.action]}: {count} {change.reason}{examples}"
            console.print(_plain(line))
    console.print()


def _layers_table(manifest: Manifest, numbers: Mapping[SourceFile, str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("Camada", "Feições", "Fora", "Acurácia", "Completude", "Data", "Fonte"):
        table.add_column(name, justify="right" if name in ("Feições", "Fora", "Acurácia") else "left")
    for layer in manifest.layers:
        out = [each for each in layer.changes if each.action == "dropped" and each.unit == "feature"]
        dropped = sum(change.count for change in out)
        table.add_row(
            f"{layer.name}\n[dim]{wording.LAYERS[layer.name]}[/]",
            str(layer.features),
            str(dropped) if dropped else "",
            f"± {wording.metres(layer.accuracy_m)}",
            _completeness(layer),
            _plain(layer.date or "?"),
            ", ".join(numbers[source] for source in layer.sources),
        )
    return table


def _completeness(layer: LayerEntry) -> str:
    none = ": nenhuma" if layer.completeness == "complete" and not layer.features else ""
    return _COMPLETENESS[layer.completeness] + none + ("*" if layer.extent else "")


def _show_streets(streets: StreetSummary, console: Console) -> None:
    widths = _listed(
        {wording.WIDTH_SOURCES[key]: str(count) for key, count in streets.kerbs_by_width.items()}
    )
    corners = _listed({_CORNERS[key]: str(count) for key, count in streets.corners.items()})
    km = {
        _BESIDE[key]: f"{metres / 1000:.1f} km".replace(".", ",")
        for key, metres in streets.kerb_beside_m.items()
    }
    several, round_ = streets.junctions_of_several_nodes, streets.roundabouts
    console.print(f"\n  {streets.kerbs} faces de guia; largura da pista: {widths}")
    console.print(f"  {streets.ends_unknown} pontas de guia sem continuação sabida")
    console.print(f"  esquinas: {corners}")
    console.print(
        f"  {streets.junctions} cruzamentos, {several} deles de vários nós, {round_} rotatórias; "
        f"guia junto a: {_listed(km)}\n"
    )


def _listed(found: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.items()) or "nenhuma"
