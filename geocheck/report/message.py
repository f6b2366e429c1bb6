"""One pt-BR sentence a finding: what was found, against what limit, and what decides."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.judge import Flag
from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.model.words import Outcome
from geocheck.report import wording
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
    "kind": "do tipo (kind)",
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
        return f"não há como saber: falta {_missing(column)}"
    if outcome is Outcome.CONDITIONAL:
        return _conditional(column, row)
    return _value(column, row) or _plain(column, outcome)


def _missing(column: Evidence) -> str:
    ask = column.ask
    if ask is None or not (ask.keys or ask.layer):
        return "o ato que fixa os horários"
    if ask.action == "look" and ask.layer is not None:
        reach = f" até {wording.metres(ask.reach_m)}" if ask.reach_m else ""
        return f"ver se há {wording.LAYERS[ask.layer]}{reach}"
    return wording.joined([wording.key_name(key) for key in ask.keys])


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
    name = wording.LAYERS[column.ask.layer] if column.ask and column.ask.layer else "a feição"
    if column.margin[row] < 0:
        return f"toca ou cobre {name}"
    measured = float(column.measured[row])
    return f"não há {name} no local" if np.isnan(measured) else f"a {wording.metres(measured)} de {name}"


def _plain(column: Evidence, outcome: Outcome) -> str:
    test, ask = column.question.test, column.ask
    if outcome is not Outcome.COMPLIANT:
        return failed(test)
    if column.sense == "min" and ask is not None and ask.layer is not None and ask.reach_m:
        return f"não há {wording.LAYERS[ask.layer]} até {wording.metres(ask.reach_m)}"
    return passed(test)


def _conditional(column: Evidence, row: int) -> str:
    test, flags = column.question.test, int(column.flags[row])
    value = _value(column, row)
    known = bool(flags & Flag.KNOWN)
    if column.act is not None and column.act.needed[row] and not column.act.held[row]:
        return _act_needed(column)
    if flags & Flag.STRICT:
        reading = f"leitura mais estrita ({test.label or test.reading})"
        if not known:
            return f"passa na leitura principal; {reading} não verificada: falta {_missing(column)}"
        return f"passa na leitura principal, não na {reading}{f': {value}' if value else ''}"
    if column.assumed:
        said = value or f"há {wording.LAYERS[column.ask.layer or '']} perto" if column.ask else value
        return f"{said} (hipótese do serviço; a norma não dá número)"
    if test.when is not None and test.when.unknown == "soft":
        what = _ATTRIBUTES.get(test.when.attribute, f"de {test.when.attribute}")
        return f"depende {what}{f': {value}' if value else ''}"
    return f"depende: {value or failed(test)}"


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
