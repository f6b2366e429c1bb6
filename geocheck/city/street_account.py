"""What happened to streets on the way to kerbs, as lines of the manifest; and what there is, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.city.changes import changes
from geocheck.city.streets.classify import Use
from geocheck.city.streets.corners import CornerKind
from geocheck.city.streets.medians import Median
from geocheck.city.streets.runs import EndKind
from geocheck.city.streets.widths import WidthSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from geocheck.city.changes import Change
    from geocheck.city.streets.derive import StreetCounts, Streets
    from geocheck.city.streets.widths import Widths


_NO_STREET: Final = {
    Use.NOT_MOTOR: "via que não é de veículos",
    Use.DRIVEWAY: "acesso a imóvel ou corredor de estacionamento",
    Use.PRIVATE: "via fechada ao público",
    Use.UNBUILT: "via não construída ou abandonada",
    Use.AREA: "via desenhada como área",
}


def axis_changes(counts: StreetCounts, drawn: int) -> list[Change]:
    """Name everything that was left out of the streets, or joined to them.

    Args:
        counts: of the streets.
        drawn: how many of them have an axis.
    """
    uses = counts.ways_by_use
    nodeless = uses.get(Use.STREET.value, 0) - drawn
    return changes(
        [
            ("dropped", "rua de que o arquivo não traz dois nós", nodeless),
            ("dropped", "trecho sem comprimento", counts.zero_length),
            ("dropped", "trecho repetido", counts.duplicates),
            ("dropped", "trecho sobre outro, dividido", counts.overlaps),
            *(("dropped", name, uses.get(use.value, 0)) for use, name in _NO_STREET.items()),
            ("assumed", "ponta cortada pela borda ou por nó ausente", counts.cut_nodes),
            ("assumed", "ponta solta dentro de outra pista, ligada a ela", counts.almost_junctions),
        ]
    )


def kerb_changes(counts: StreetCounts, widths: Widths) -> Iterator[Change]:
    """Name every width tag that was refused, and all kerb that was left out."""
    for refusal in widths.refusal_counts():
        yield {
            "action": "dropped",
            "reason": f"{refusal.key} não usado: {refusal.reason.text}",
            "count": refusal.ways,
            "unit": "tag",
            "examples": refusal.examples,
        }
    lost = "lado de trecho sem guia própria (curva mais fechada que a meia-pista)"
    yield from changes(
        [
            ("repaired", lost, counts.collapsed),
            ("dropped", "esquina dentro de outra pista do mesmo nível", counts.covered_corners),
            ("dropped", "face sem comprimento", counts.lost_faces),
        ]
    )
    if covered_m := round(counts.covered_m):
        reason = "guia dentro de outra pista do mesmo nível"
        yield {"action": "dropped", "reason": reason, "count": covered_m, "unit": "m"}


def crossing_changes(streets: Streets) -> list[Change]:
    """Name the crossing areas that were cut, guessed or not drawn."""
    areas = streets.crossing_areas
    guessed = int(np.count_nonzero(streets.junctions.unknown[areas.junction]))
    return changes(
        [
            ("repaired", "área de cruzamento recortada pelas pistas", areas.clipped),
            ("assumed", "alcance suposto: falta uma rua no cruzamento", guessed),
            ("dropped", "cruzamento sem área: as ruas seguem sem esquina", areas.without),
        ]
    )


def street_summary(streets: Streets, source: NDArray[np.int8]) -> dict[str, Any]:
    """Return the fields of `manifest.StreetSummary`.

    Args:
        streets: of the city.
        source: `WidthSource` of each block face, shape (f,).
    """
    kerbs, corners, junctions = streets.kerbs, streets.corners, streets.junctions
    meets = streets.graph.degree > 2  # noqa: PLR2004 (a junction has three arms)
    nodes = np.bincount(junctions.of_node[meets], minlength=len(junctions.unknown))
    rows = streets.beside
    metres = np.bincount(rows.kind, rows.to_m - rows.from_m, len(Median))
    return {
        "kerbs": len(kerbs),
        "kerbs_by_width": {
            each.code: int(count) for each in WidthSource if (count := np.count_nonzero(source == each))
        },
        "corners": {
            kind.name.lower(): int(count)
            for kind in CornerKind
            if (count := np.count_nonzero(corners.kind == kind))
        },
        "ends_unknown": sum(
            int(np.count_nonzero(np.isin(ends, (EndKind.CUT, EndKind.COVERED))))
            for ends in (kerbs.start_kind, kerbs.end_kind)
        ),
        "junctions": len(junctions.unknown),
        "junctions_of_several_nodes": int(np.count_nonzero(nodes > 1)),
        "roundabouts": int(np.count_nonzero(junctions.roundabout)),
        "kerb_beside_m": {
            kind.code: round(float(metres[kind]), 1) for kind in Median if kind != Median.NO and metres[kind]
        },
    }
