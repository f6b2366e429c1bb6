"""One pt-BR sentence a finding: what was found, against what limit, and what decides."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.columns import present
from geocheck.check.judge import Flag
from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.looking import look_for
from geocheck.report.plain import failed, passed

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.check.evidence import Evidence

_UNITS: Final[dict[str, Callable[[float], str]]] = {
    "m": wording.metres,
    "m3": lambda value: f"{wording.number(value)} m³",
    "deg": lambda value: f"{wording.number(value, 1)}°",
    "count": lambda value: f"{value:.0f}",
}
_SHOWN: Final = 0.0005
"""A margin smaller than half a millimetre is at the limit."""

_ATTRIBUTES: Final = {
    "plates": "de quantas placas tem o ponto (uma, ou de início e fim)",
    "box": "de haver box pintado no ponto",
    "identified": "de estar devidamente identificado",
    "kind": "do tipo da marca, vaga ou placa",
    "of_served_lot": "de a guia rebaixada ser do imóvel atendido",
}


def message(column: Evidence, row: int, outcome: Outcome) -> str:
    """Say what the deciding test found at a placement.

    Args:
        column: the evidence that decides the finding.
        row: number of the placement.
        outcome: of that test.
    """
    if outcome is Outcome.NOT_APPLICABLE:
        return "não se aplica a este lugar, horário ou caçamba"
    if outcome is Outcome.NOT_EVALUATED:
        return f"não há como saber: falta {_missing(column, row)}"
    if outcome is Outcome.CONDITIONAL:
        return _conditional(column, row)
    return _named(column, _value(column, row)) or _plain(column, row, outcome)


def _missing(column: Evidence, row: int) -> str:
    ask = column.ask
    if ask is None or not (ask.keys or ask.layer):
        return "o ato que fixa os horários"
    if ask.action == "look" and ask.layer is not None:
        return look_for(column.question.test, ask)
    given = column.question.placements.requests[row].measured
    return wording.joined([wording.key_name(key) for key in ask.keys if key not in given])


def _value(column: Evidence, row: int) -> str:
    """Say measured value, limit and difference, when there are numbers to say."""
    measured, limit = float(column.measured[row]), float(column.limit[row])
    if column.unit == "s" and not np.isnan(limit):
        return f"o prazo vai até {_moment(limit)}; retirada em {_moment(measured)}"
    if column.sense == "apart":
        return _apart(column, row)
    if np.isnan(measured) or np.isnan(limit) or column.unit not in _UNITS:
        return ""
    say = _UNITS[column.unit]
    bound = "o mínimo é" if column.sense == "min" else "o máximo é"
    margin = float(column.margin[row])
    marginal = "; medida no limite" if column.marginal[row] else ""
    if abs(margin) < _SHOWN:
        return f"{say(measured)}, no limite: {bound} {say(limit)}{marginal}"
    short = "faltam" if column.sense == "min" else "passam"
    difference = f"{'sobram' if margin > 0 else short} {say(abs(margin))}"
    return f"{say(measured)}; {bound} {say(limit)}: {difference}{marginal}"


def _apart(column: Evidence, row: int) -> str:
    layer = column.ask.layer if column.ask else None
    name = wording.LAYERS[layer] if layer else "a feição"
    if column.margin[row] < 0:
        in_front = isinstance(column.question.test, kinds.FrontageExclusion) or layer == "mouth"
        return f"em frente a {name}" if in_front else f"toca ou cobre {name}"
    measured = float(column.measured[row])
    return f"não há {name} no local" if np.isnan(measured) else f"a {wording.metres(measured)} de {name}"


def _named(column: Evidence, value: str) -> str:
    """Put the test's name before its value where the rule has several tests."""
    label = column.question.test.label
    several = len(column.question.rule.tests) > 1
    return f"{label}: {value}" if value and label and several else value


def _plain(column: Evidence, row: int, outcome: Outcome) -> str:
    test, ask = column.question.test, column.ask
    if column.sense == "min" and ask is not None and ask.layer is not None:
        name = wording.LAYERS[ask.layer]
        if outcome is Outcome.COMPLIANT:
            return f"não há {name} até {wording.metres(float(column.limit[row]))}"
        limit = float(column.limit[row])
        nearest = wording.metres(float(column.margin[row]) + limit)
        return f"há {name} a no máximo {nearest}; o mínimo é {wording.metres(limit)}"
    keys = ask.keys if ask is not None else ()
    return (passed if outcome is Outcome.COMPLIANT else failed)(test, keys)


def _conditional(column: Evidence, row: int) -> str:
    test, flags = column.question.test, int(column.flags[row])
    value = _value(column, row)
    if column.act is not None and column.act.needed[row] and not column.act.held[row]:
        doubt = " (pela leitura mais estrita dos horários)" if flags & Flag.STRICT else ""
        return f"{_act_needed(column)}{doubt}"
    if flags & Flag.STRICT:
        return _strict(column, row, value)
    if column.assumed:
        near = f"há {wording.LAYERS[column.ask.layer]} perto" if column.ask and column.ask.layer else ""
        return f"{value or near} (hipótese do serviço; a norma não dá número)"
    if test.when is not None and test.when.unknown == "soft" and not _attribute_known(column, row):
        what = _ATTRIBUTES.get(test.when.attribute, f"de {test.when.attribute}")
        return f"depende {what}{f': {value}' if value else ''}"
    keys = column.ask.keys if column.ask is not None else ()
    return f"depende: {_named(column, value) or failed(test, keys)}"


def _strict(column: Evidence, row: int, value: str) -> str:
    test = column.question.test
    reading = f"leitura mais estrita ({test.label or test.reading})"
    if not int(column.flags[row]) & Flag.KNOWN:
        return f"passa na leitura principal; {reading} não verificada: falta {_missing(column, row)}"
    return f"passa na leitura principal, não na {reading}{f': {value}' if value else ''}"


def _attribute_known(column: Evidence, row: int) -> bool:
    test = column.question.test
    if test.when is None:
        return False
    layer = column.ask.layer if column.ask else None
    layers = (layer,) if layer in test.layers else test.layers
    things = present(column.question.placements.requests[row], layers)
    return bool(things) and getattr(things[0].attributes, test.when.attribute) is not None


def _act_needed(column: Evidence) -> str:
    test = column.question.test
    if isinstance(test, kinds.ZoneAuthorisation):
        hours = f" (horários restritos: {describe(test.restricted)})" if test.restricted else ""
        return f"exige autorização de {test.authority}{hours}"
    if isinstance(test, kinds.MaxStay) and test.extension is not None:
        return f"passa do prazo comum: exige {test.extension.act}"
    return f"exige {test.act}" if isinstance(test, kinds.FeeRequirement) else "exige um ato da autoridade"


def _moment(seconds: float) -> str:
    wall = dt.datetime.fromtimestamp(seconds, dt.UTC)
    return wording.moment(wall)
