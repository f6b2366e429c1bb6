"""pt-BR words for tests that only know yes and no: signs, acts, windows, ladder, frontage."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Final

from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.report import wording

if TYPE_CHECKING:
    from geocheck.law.kinds import BaseTest


_BEFORE: Final = {
    "site.interior_possible": "dentro do imóvel",
    "site.hoarding_possible": "dentro do tapume",
    "site.footway_possible": "a calçada",
    "site.bay_available": "o remanso",
}


@singledispatch
def passed(test: BaseTest, _keys: tuple[str, ...]) -> str:
    """Say that a test passes; `_keys` names the facts that its column asked for."""
    return f"atende: {test.label}" if test.label else "atende"


@singledispatch
def failed(test: BaseTest, _keys: tuple[str, ...]) -> str:
    """Say that a test fails; `_keys` names the facts that its column asked for."""
    return f"não atende: {test.label}" if test.label else "não atende"


@passed.register
def _(test: kinds.SignRestriction, _keys: tuple[str, ...]) -> str:
    return f"nenhuma placa {wording.joined(test.codes)} vale no local durante a permanência"


@failed.register
def _(test: kinds.SignRestriction, _keys: tuple[str, ...]) -> str:
    return f"placa {wording.joined(test.codes)} vale no local durante a permanência"


@passed.register
def _(_test: kinds.ZoneAuthorisation, _keys: tuple[str, ...]) -> str:
    return "autorização declarada, ou permanência toda fora dos horários restritos"


@failed.register
def _(test: kinds.ZoneAuthorisation, _keys: tuple[str, ...]) -> str:
    return f"exige autorização de {test.authority}"


@passed.register
def _(_test: kinds.OperationWindow, _keys: tuple[str, ...]) -> str:
    return "colocação e retirada dentro dos horários"


@failed.register
def _(test: kinds.OperationWindow, _keys: tuple[str, ...]) -> str:
    hours = f"só em {describe(test.allowed)}" if test.allowed else f"não em {describe(test.forbidden)}"
    return f"colocação ou retirada fora do horário: {hours}"


@passed.register
def _(_test: kinds.PresenceWindow, _keys: tuple[str, ...]) -> str:
    return "permanência toda em horário permitido"


@failed.register
def _(test: kinds.PresenceWindow, _keys: tuple[str, ...]) -> str:
    hours = f"só em {describe(test.allowed)}" if test.allowed else f"não em {describe(test.forbidden)}"
    return f"permanência em horário proibido: {hours}"


@passed.register
def _(_test: kinds.PlacementLadder, _keys: tuple[str, ...]) -> str:
    return "o lugar segue a ordem da norma (impossibilidade declarada, onde ela a pede)"


@failed.register
def _(_test: kinds.PlacementLadder, keys: tuple[str, ...]) -> str:
    if "site.inside_hoarding" in keys:
        return "na calçada, só dentro do tapume"
    first = wording.joined([_BEFORE[key] for key in keys if key in _BEFORE])
    return f"a norma põe antes deste lugar: {first}"


@passed.register
def _(_test: kinds.FrontageContainment, _keys: tuple[str, ...]) -> str:
    return "toda diante do imóvel atendido"


@failed.register
def _(_test: kinds.FrontageContainment, _keys: tuple[str, ...]) -> str:
    return "fora da frente do imóvel atendido, no todo ou em parte"


@passed.register
def _(_test: kinds.SideOfFeature, _keys: tuple[str, ...]) -> str:
    return "fica do lado certo do acesso mais próximo, no sentido do trânsito"


@failed.register
def _(test: kinds.SideOfFeature, _keys: tuple[str, ...]) -> str:
    side = "antes" if test.side == "after" else "depois"
    return f"fica {side} do acesso mais próximo, no sentido do trânsito"


@passed.register
def _(_test: kinds.Orientation, _keys: tuple[str, ...]) -> str:
    return "a face baixa está voltada a quem vem"


@failed.register
def _(_test: kinds.Orientation, _keys: tuple[str, ...]) -> str:
    return "a face baixa não está voltada a quem vem"


@passed.register
def _(test: kinds.Containment, _keys: tuple[str, ...]) -> str:
    return f"dentro de {wording.joined([wording.LAYERS[layer] for layer in test.within])}"


@failed.register
def _(test: kinds.Containment, _keys: tuple[str, ...]) -> str:
    return f"fora de {wording.joined([wording.LAYERS[layer] for layer in test.within])}"


@passed.register
def _(_test: kinds.FeeRequirement, _keys: tuple[str, ...]) -> str:
    return "tarifa paga, ou permanência fora do horário pago"


@failed.register
def _(test: kinds.FeeRequirement, _keys: tuple[str, ...]) -> str:
    return f"exige {test.act}"


@failed.register
def _(test: kinds.ExclusionZone, _keys: tuple[str, ...]) -> str:
    where = "fica junto à guia de" if test.predicate == "beside" else "fica sobre"
    return f"{where} {wording.joined([wording.LAYERS[layer] for layer in test.features])}"


@passed.register
def _(test: kinds.ExclusionZone, _keys: tuple[str, ...]) -> str:
    where = "não fica junto à guia de" if test.predicate == "beside" else "não fica sobre"
    return f"{where} {wording.joined([wording.LAYERS[layer] for layer in test.features])}"
