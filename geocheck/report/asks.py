"""A test of a rule in a few pt-BR words, for the page of rules."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Final

from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.report import wording

if TYPE_CHECKING:
    from geocheck.law.kinds import BaseTest
    from geocheck.law.kinds.base import When

_REFERENCES: Final = {
    "kerb_prolongation": " (guia prolongada da transversal)",
    "corner_curve": " (início da curva)",
    "building_line": " (alinhamento predial da transversal)",
}
_ATTRIBUTES: Final = {"plates": "placas", "box": "box pintado", "identified": "identificado", "kind": "tipo"}
_VALUES: Final[dict[object, str]] = {
    True: "sim",
    False: "não",
    "bay_line": "linha de vaga",
    "channelisation": "canalização",
    "disabled": "pessoa com deficiência",
    "elderly": "idoso",
    "emergency": "emergência",
    "irregular": "irregular",
    "paid_parking": "rotativo pago",
}
_QUANTITIES: Final = {
    "length": "comprimento",
    "width": "largura",
    "height": "altura das três faces",
    "low_face": "altura da face baixa",
    "volume": "capacidade",
}


def asks(test: BaseTest) -> str:
    """Say what a test asks, with its reading, place and softness."""
    text = _asks(test)
    if test.reading != "primary":
        text += f" [leitura estrita: {test.label or test.reading}]"
    if test.on_breach == "conditional":
        text += " [no máximo “depende”]"
    if test.when is not None:
        text += f" [{_when(test.when)}]"
    if test.where:
        text += f" ({wording.joined([wording.PLACES[place] for place in test.where])})"
    return text


def _when(when: When) -> str:
    values = when.is_ if when.is_ is not None else when.is_not or ()
    said = " ou ".join(_VALUES.get(value, str(value)) for value in values)
    return (
        f"se {_ATTRIBUTES.get(when.attribute, when.attribute)} {'=' if when.is_ is not None else '≠'} {said}"
    )


def _features(features: tuple[str, ...]) -> str:
    return wording.joined([wording.LAYERS[feature] for feature in features])


@singledispatch
def _asks(test: BaseTest) -> str:
    return test.label or test.kind


@_asks.register
def _(test: kinds.MinDistance) -> str:
    reference = _REFERENCES.get(test.reference, "")
    return f"≥ {wording.metres(test.min_m)} de {wording.LAYERS[test.feature]}{reference}"


@_asks.register
def _(test: kinds.MaxDistance) -> str:
    return f"≤ {wording.metres(test.max_m)} da guia"


@_asks.register
def _(test: kinds.DistanceRange) -> str:
    return f"entre {wording.metres(test.min_m)} e {wording.metres(test.max_m)} da guia"


@_asks.register
def _(test: kinds.IntervalExclusion) -> str:
    return (
        f"fora de {wording.metres(test.before_m)} antes a {wording.metres(test.after_m)} depois de "
        f"{wording.LAYERS[test.feature]}"
    )


@_asks.register
def _(test: kinds.ExclusionZone) -> str:
    where = "junto à guia de" if test.predicate == "beside" else "sobre"
    return f"não {where} {_features(test.features)}"


@_asks.register
def _(test: kinds.FrontageExclusion) -> str:
    margin = f" (margem de {wording.metres(test.margin_m)}, hipótese)" if test.margin_m else ""
    return f"não em frente a {_features(test.features)}{margin}"


@_asks.register
def _(test: kinds.UnquantifiedProximity) -> str:
    return f"não junto a {_features(test.features)} ({wording.metres(test.assumed_m)}, hipótese)"


@_asks.register
def _(test: kinds.SideOfFeature) -> str:
    side = "depois" if test.side == "after" else "antes"
    return f"{side} de {wording.LAYERS[test.feature]}, no sentido do trânsito"


@_asks.register
def _(test: kinds.Orientation) -> str:
    if test.aspect == "low_face_upstream":
        return "face baixa voltada a quem vem"
    way = "paralela" if test.aspect == "parallel" else "perpendicular"
    return (
        f"{way} à guia (até {wording.number(test.compliant_deg or 0, 0)}° conforme, até "
        f"{wording.number(test.conditional_deg or 0, 0)}° depende; hipótese)"
    )


@_asks.register
def _(test: kinds.Containment) -> str:
    return f"dentro de {_features(test.within)}"


@_asks.register
def _(test: kinds.FrontageContainment) -> str:
    return (
        f"em frente ao lote atendido ({'obrigatório' if test.requirement == 'mandatory' else 'preferência'})"
    )


@_asks.register
def _(test: kinds.EquipmentLimit) -> str:
    name = _QUANTITIES[test.quantity]
    if test.max_m3 is not None:
        return f"{name} ≤ {wording.number(test.max_m3)} m³"
    if test.max_m is not None:
        return f"{name} ≤ {wording.metres(test.max_m)}"
    return f"{name} ≥ {wording.metres(test.min_m or 0)}"


@_asks.register
def _(test: kinds.ClearWidth) -> str:
    return f"passagem livre ≥ {wording.metres(test.min_m)} na calçada"


@_asks.register
def _(test: kinds.CountLimit) -> str:
    if test.max_share is not None:
        small = f", ou {test.or_count} até {test.small_block_bays} vagas" if test.or_count is not None else ""
        return f"≤ {wording.number(test.max_share * 100, 0)} % das vagas da quadra{small}"
    return f"≤ {test.max_count} por {'lote' if test.per == 'lot' else 'gerador'}"


@_asks.register
def _(test: kinds.PlacementLadder) -> str:
    return " → ".join(wording.joined([wording.PLACES[place] for place in step.places]) for step in test.steps)


@_asks.register
def _(test: kinds.ZoneAuthorisation) -> str:
    hours = f"; restrito: {describe(test.restricted)}" if test.restricted else ""
    zones = f" em {_features(test.zones)}" if test.zones else ""
    return f"autorização de {test.authority}{zones}{hours}"


@_asks.register
def _(test: kinds.OperationWindow) -> str:
    if test.undefined:
        return "horários fixados por outro ato"
    zones = f"em {_features(test.zones)}, " if test.zones else ""
    when = f"só em: {describe(test.allowed)}" if test.allowed else f"não em: {describe(test.forbidden)}"
    return f"{zones}colocar e retirar {when}"


@_asks.register
def _(test: kinds.PresenceWindow) -> str:
    zones = f"em {_features(test.zones)}, " if test.zones else ""
    when = f"só em: {describe(test.allowed)}" if test.allowed else f"não em: {describe(test.forbidden)}"
    return f"{zones}ficar {when}"


@_asks.register
def _(test: kinds.MaxStay) -> str:
    term = test.term
    length = f"{term.limit_days}" if term.limit_days is not None else f"{term.limit_h}"
    unit = wording.TERM_UNITS[term.unit]
    start = " depois de cheia" if term.trigger == "full" else ""
    return f"{length} {unit}{start}{' (por cautela)' if test.advice else ''}"


@_asks.register
def _(test: kinds.SignRestriction) -> str:
    return f"placa {wording.joined(test.codes)} (com seus horários)"


@_asks.register
def _(test: kinds.FeeRequirement) -> str:
    return test.act
