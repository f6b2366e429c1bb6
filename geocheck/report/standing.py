"""Where a skip stands, in a pt-BR line: planned or there already, beside which kerb, and how surely."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from geocheck.report import wording

if TYPE_CHECKING:
    from geocheck.model.report import KerbReport, Report
    from geocheck.model.request import Request

_SIDES: Final = {"left": "guia esquerda", "right": "guia direita", None: "guia"}


def is_planned(request: Request) -> bool:
    """Whether a request is for a plan and not for a skip that stands."""
    return (request.mode or ("planned" if request.snap or request.kerb else "observed")) == "planned"


def standing(report: Report) -> str:
    """Say where the skip stands, and whether it does already."""
    planned = is_planned(report.request)
    mode = "Caçamba planejada" if planned else "Caçamba já no lugar"
    if report.kerb is None:
        return mode
    return f"{mode}, {_beside(report.kerb, planned=planned)}"


def _beside(kerb: KerbReport, *, planned: bool) -> str:
    street = kerb.street or "via sem nome no mapa"
    side = f"{_SIDES[kerb.side]} (no sentido em que a via foi desenhada)" if kerb.side else _SIDES[None]
    gap = "" if planned else f" {wording.plus_minus(kerb.accuracy_m)}"
    away = f"a {wording.number(kerb.gap_m)} m{gap} da {side}, {street}"
    source = wording.WIDTH_SOURCES.get(kerb.width_source or "", "")
    width = f", pela largura da pista: {source}" if source else ""
    return f"{away}; a guia é conhecida a {wording.plus_minus(kerb.accuracy_m)}{width}"
