"""pt-BR words for tests that only know yes and no: signs, acts, windows, ladder, frontage."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.report import wording

if TYPE_CHECKING:
    from geocheck.law.kinds import BaseTest


@singledispatch
def passed(test: BaseTest) -> str:
    """Say that a test passes."""
    return f"atende: {test.label}" if test.label else "atende"


@singledispatch
def failed(test: BaseTest) -> str:
    """Say that a test fails."""
    return f"não atende: {test.label}" if test.label else "não atende"


@passed.register
def _(test: kinds.SignRestriction) -> str:
    return f"nenhuma placa {wording.joined(test.codes)} vale no local durante a permanência"


@failed.register
def _(test: kinds.SignRestriction) -> str:
    return f"placa {wording.joined(test.codes)} vale no local durante a permanência"


@passed.register
def _(_test: kinds.ZoneAuthorisation) -> str:
    return "autorização declarada, ou permanência toda fora dos horários restritos"


@failed.register
def _(test: kinds.ZoneAuthorisation) -> str:
    return f"exige autorização de {test.authority}"


@passed.register
def _(_test: kinds.OperationWindow) -> str:
    return "colocação e retirada dentro dos horários"


@failed.register
def _(test: kinds.OperationWindow) -> str:
    hours = f"só em {describe(test.allowed)}" if test.allowed else f"não em {describe(test.forbidden)}"
    return f"colocação ou retirada fora do horário: {hours}"


@passed.register
def _(_test: kinds.PresenceWindow) -> str:
    return "permanência toda em horário permitido"


@failed.register
def _(test: kinds.PresenceWindow) -> str:
    hours = f"só em {describe(test.allowed)}" if test.allowed else f"não em {describe(test.forbidden)}"
    return f"permanência em horário proibido: {hours}"


@passed.register
def _(_test: kinds.PlacementLadder) -> str:
    return "o lugar segue a ordem da norma (impossibilidade declarada, onde ela a pede)"


@failed.register
def _(_test: kinds.PlacementLadder) -> str:
    return "há lugar que a norma põe antes deste (dentro do imóvel, tapume ou calçada)"


@passed.register
def _(_test: kinds.FrontageContainment) -> str:
    return "toda diante do imóvel atendido"


@failed.register
def _(_test: kinds.FrontageContainment) -> str:
    return "fora da frente do imóvel atendido, no todo ou em parte"


@passed.register
def _(_test: kinds.SideOfFeature) -> str:
    return "fica do lado certo do acesso mais próximo, no sentido do trânsito"


@failed.register
def _(test: kinds.SideOfFeature) -> str:
    side = "antes" if test.side == "after" else "depois"
    return f"fica {side} do acesso mais próximo, no sentido do trânsito"


@passed.register
def _(_test: kinds.Orientation) -> str:
    return "a face baixa está voltada a quem vem"


@failed.register
def _(_test: kinds.Orientation) -> str:
    return "a face baixa não está voltada a quem vem"


@passed.register
def _(test: kinds.Containment) -> str:
    return f"dentro de {wording.joined([wording.LAYERS[layer] for layer in test.within])}"


@failed.register
def _(test: kinds.Containment) -> str:
    return f"fora de {wording.joined([wording.LAYERS[layer] for layer in test.within])}"


@passed.register
def _(_test: kinds.FeeRequirement) -> str:
    return "tarifa paga, ou permanência fora do horário pago"


@failed.register
def _(test: kinds.FeeRequirement) -> str:
    return f"exige {test.act}"


@failed.register
def _(test: kinds.ExclusionZone) -> str:
    where = "fica junto à guia de" if test.predicate == "beside" else "fica sobre"
    return f"{where} {wording.joined([wording.LAYERS[layer] for layer in test.features])}"


@passed.register
def _(test: kinds.ExclusionZone) -> str:
    where = "não fica junto à guia de" if test.predicate == "beside" else "não fica sobre"
    return f"{where} {wording.joined([wording.LAYERS[layer] for layer in test.features])}"
