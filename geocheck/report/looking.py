"""pt-BR words for what to look for on site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geocheck.law import kinds
from geocheck.report import wording

if TYPE_CHECKING:
    from geocheck.check.evidence import Ask
    from geocheck.law.kinds import BaseTest


def look_for(test: BaseTest, ask: Ask) -> str:
    """Say what to look for to settle a test.

    Args:
        test: as in the law.
        ask: of a column of it, with a layer.
    """
    name = wording.LAYERS[ask.layer or ""]
    if isinstance(test, kinds.SignRestriction):
        codes = " ou ".join(test.codes)
        return f"ver se há placa {codes} na quadra, e com que horário"
    if isinstance(test, kinds.FrontageContainment):
        return "ver se a caçamba inteira fica diante do imóvel atendido"
    if "bounds_median" in ask.keys:
        return f"ver se a guia junto à caçamba é a de {name}"
    if ask.reach_m:
        ahead = " à frente (no sentido do trânsito)" if _upstream(test) else ""
        return f"ver se há {name}{ahead} até {wording.metres(ask.reach_m)}"
    in_front = isinstance(test, kinds.FrontageExclusion) or ask.layer == "mouth"
    where = "diante de" if in_front else "sobre"
    return f"ver se a caçamba fica {where} {name}"


def _upstream(test: BaseTest) -> bool:
    return isinstance(test, kinds.UnquantifiedProximity) and test.side == "upstream"
