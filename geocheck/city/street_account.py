"""What happened to streets on the way to kerbs, as lines of the manifest: left out, joined, refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geocheck.city.streets.classify import Use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.city.streets.derive import StreetCounts
    from geocheck.city.streets.widths import Widths


def axis_changes(counts: StreetCounts) -> Iterator[dict[str, Any]]:
    """Name everything that was left out of the streets, or joined to them."""
    names = {
        Use.NOT_MOTOR: "via que não é de veículos",
        Use.DRIVEWAY: "acesso a imóvel ou corredor de estacionamento",
        Use.PRIVATE: "via fechada ao público",
        Use.UNBUILT: "via não construída ou abandonada",
        Use.AREA: "via desenhada como área",
    }
    left_out = {
        "trecho sem comprimento": counts.zero_length,
        "trecho repetido": counts.duplicates,
        "trecho sobre outro, dividido": counts.overlaps,
    } | {name: counts.ways_by_use.get(use.value, 0) for use, name in names.items()}
    guessed = {
        "ponta cortada pela borda ou por nó ausente": counts.cut_nodes,
        "ponta solta dentro de outra pista, ligada a ela": counts.almost_junctions,
    }
    yield from _lines("dropped", left_out)
    yield from _lines("assumed", guessed)


def kerb_changes(counts: StreetCounts, widths: Widths) -> Iterator[dict[str, Any]]:
    """Name every width tag that was refused, and all kerb that was left out."""
    for refusal in widths.refusal_counts():
        reason = f"{refusal.key} não usado: {refusal.reason.text}"
        yield {"action": "dropped", "reason": reason, "count": refusal.ways, "examples": refusal.examples}
    lost = "lado de trecho sem guia própria (curva mais fechada que a meia-pista)"
    yield from _lines("repaired", {lost: counts.collapsed})
    left_out = {
        "esquina dentro de outra pista do mesmo nível": counts.covered_corners,
        "metro de guia dentro de outra pista do mesmo nível": round(counts.covered_m),
        "face sem comprimento": counts.lost_faces,
    }
    yield from _lines("dropped", left_out)


def _lines(action: str, found: dict[str, int]) -> Iterator[dict[str, Any]]:
    for reason, count in found.items():
        if count:
            yield {"action": action, "reason": reason, "count": count}
