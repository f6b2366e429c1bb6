"""One pt-BR sentence a finding: what was found, against what limit, and what decides."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.check.judge import KNOWN, STRICT, p_violation
from geocheck.law import kinds
from geocheck.law.windows import describe
from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.looking import missing, settles, told
from geocheck.report.plain import failed, passed
from geocheck.report.reasons import clashes, doubts, unknown
from geocheck.report.seen_words import by_map, shown, spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.check.evidence import Evidence
    from geocheck.check.pipeline import Checked

_UNITS: Final[dict[str, Callable[[float], str]]] = {
    "m": wording.metres,
    "m3": lambda value: f"{wording.number(value)} m³",
    "deg": lambda value: f"{wording.number(value, 1)}°",
    "count": lambda value: f"{value:.0f}",
}
# Once for all: a look-up of an enumeration's member costs more than to write a message.
_NOT_APPLICABLE, _COMPLIANT, _CONDITIONAL, _NOT_EVALUATED, _BORDERLINE, _VIOLATION = sorted(Outcome)

_PLURAL: Final = 2
_SHOWN: Final = 0.0005
"""A margin smaller than half a millimetre is at the limit."""


def message(checked: Checked, row: int, number: int) -> str:
    """Say what the deciding test of a rule found at a placement.

    Args:
        checked: a group of judged placements.
        row: number of the placement.
        number: of the rule.
    """
    outcome = Outcome(int(checked.findings[row, number]))
    column = checked.columns[int(checked.decider[row, number])]
    if outcome is _NOT_APPLICABLE:
        return "não se aplica a este lugar, horário ou caçamba"
    if outcome is _NOT_EVALUATED:
        codes, span = checked.outcomes[row].tolist(), checked.span[number]
        return unknown([checked.columns[each] for each in span if codes[each] == outcome], row)
    if outcome is _CONDITIONAL:
        return _conditional(column, row)
    if outcome is _BORDERLINE:
        return _borderline(column, row)
    return _named(column, _value(column, row, outcome)) or _plain(column, row, outcome)


def _borderline(column: Evidence, row: int) -> str:
    """Say that the map is not sure enough, how likely a breach is, and what to do about it."""
    value = _named(column, _value(column, row, _BORDERLINE))
    if not value:
        value = f"no mapa, {_plain(column, row, _BORDERLINE)}"
    margin, u = float(column.margin[row]), float(column.u[row])
    chance = f", {p_violation(margin, u):.0%} de chance de descumprir" if u > 0 else ""
    return f"{value}: o mapa não basta{chance.replace('%', ' %')}; {told(settles(column, row))}"


def _value(column: Evidence, row: int, outcome: Outcome) -> str:
    """Say measured value, limit and difference, when there are numbers to say."""
    measured, limit = float(column.measured[row]), float(column.limit[row])
    if column.unit == "s" and not np.isnan(limit):
        return f"o prazo vai até {_moment(limit)}; retirada em {_moment(measured)}"
    if column.sense == "apart":
        return _apart(column, row)
    if np.isnan(measured) or np.isnan(limit) or column.unit not in _UNITS:
        return ""
    return _against(column, row, outcome)


def _against(column: Evidence, row: int, outcome: Outcome) -> str:
    """Say a value, its limit, and how far apart they are where both are sure."""
    limit, margin = float(column.limit[row]), float(column.margin[row])
    value = _measured(column, row, outcome)
    said = f"{wording.number(limit)} m" if _is_of_map(column, row) else _UNITS[column.unit](limit)
    bound = f"{'o mínimo é' if column.sense == 'min' else 'o máximo é'} {said}"
    touches = column.sense == "min" and column.measured[row] <= 0 < limit
    unsure = outcome is not _COMPLIANT and abs(margin) <= column.u[row] and column.u[row] > 0
    if outcome is _BORDERLINE or touches or unsure:
        return f"{value}; {bound}"
    marginal = "; medida no limite" if column.marginal[row] else ""
    within = outcome is _COMPLIANT and -column.tolerance <= margin < 0
    if abs(margin) < _SHOWN or within:
        return f"{value}, no limite: {bound}{marginal}"
    verb = "sobra" if margin > 0 else "falta" if column.sense == "min" else "passa"
    # From two on a number takes the plural: "sobra 1,99 m", "sobram 2,00 m".
    plural = "m" if abs(margin) >= _PLURAL else ""
    return f"{value}; {bound}: {verb}{plural} {_difference(column, row)}{marginal}"


def _measured(column: Evidence, row: int, outcome: Outcome) -> str:
    """Write the value, by the map with its uncertainty, and to what it was measured."""
    measured, limit = float(column.measured[row]), float(column.limit[row])
    found = shown(column, row)
    layer = found.layer if found is not None else column.ask.layer if column.ask is not None else None
    names = column.sense == "min" and column.unit == "m" and layer not in (None, "kerb", "footway")
    if names and layer is not None and measured <= 0:
        return (
            f"encosta n{wording.the(layer)} ou {wording.the(layer)[0]} alcança{_in_parentheses(column, row)}"
        )
    if not _is_of_map(column, row):
        text = _UNITS[column.unit](measured)
    else:
        breach = outcome is _VIOLATION
        text = f"{wording.centimetres(measured, limit, breach=breach)}{spread(column, row)}"
    return f"a {text} {wording.of_the(layer)}" if names and layer is not None else text


def _is_of_map(column: Evidence, row: int) -> bool:
    return column.unit == "m" and (by_map(column, row) or shown(column, row) is not None)


def _in_parentheses(column: Evidence, row: int) -> str:
    """Return the uncertainty in parentheses, nothing where there is none."""
    text = spread(column, row).strip()
    return f" (no mapa, {text})" if text else ""


def _difference(column: Evidence, row: int) -> str:
    measured, limit, margin = float(column.measured[row]), float(column.limit[row]), float(column.margin[row])
    if not _is_of_map(column, row):
        return _UNITS[column.unit](abs(margin))
    least = 0.01 if margin < 0 else 0.0
    return f"{wording.number(max(abs(round(measured, 2) - round(limit, 2)), least))} m"


def _apart(column: Evidence, row: int) -> str:
    layer = column.ask.layer if column.ask else None
    if layer is None:
        return "toca ou cobre a feição" if column.margin[row] < 0 else "não há feição no local"
    measured = float(column.measured[row])
    if column.margin[row] < 0 or measured <= 0:
        in_front = isinstance(column.question.test, kinds.FrontageExclusion) or layer == "mouth"
        words = f"fica diante {wording.of_the(layer)}" if in_front else f"toca ou cobre {wording.the(layer)}"
        return f"{words}{_in_parentheses(column, row)}"
    if np.isnan(measured):
        return f"não há {wording.LAYERS[layer]} {'no mapa, neste' if by_map(column, row) else 'no'} local"
    if _is_of_map(column, row):
        return f"a {wording.number(round(measured, 2))} m{spread(column, row)} {wording.of_the(layer)}"
    return f"a {wording.metres(measured)} {wording.of_the(layer)}"


def _named(column: Evidence, value: str) -> str:
    """Put the test's name before its value where the rule has several tests."""
    label = column.question.test.label
    several = len(column.question.rule.tests) > 1
    return f"{label}: {value}" if value and label and several else value


def _plain(column: Evidence, row: int, outcome: Outcome) -> str:
    test, ask = column.question.test, column.ask
    if column.sense == "min" and ask is not None and ask.layer is not None:
        limit, name = float(column.limit[row]), wording.LAYERS[ask.layer]
        if outcome is _COMPLIANT:
            where = " no mapa" if by_map(column, row) else ""
            return f"não há {name}{where} até {wording.metres(limit)}"
        nearest = float(column.margin[row]) + limit
        if nearest <= 0:
            the = wording.the(ask.layer)
            return f"encosta n{the} ou {the[0]} alcança; o mínimo é {wording.metres(limit)}"
        return f"há {name} a no máximo {wording.metres(nearest)}; o mínimo é {wording.metres(limit)}"
    keys = ask.keys if ask is not None else ()
    on_map = " (no mapa)" if by_map(column, row) and outcome is _VIOLATION else ""
    return f"{(passed if outcome is _COMPLIANT else failed)(test, keys)}{on_map}"


def _conditional(column: Evidence, row: int) -> str:
    test, flags = column.question.test, int(column.flags[row])
    value = _value(column, row, _CONDITIONAL)
    if column.act is not None and column.act.needed[row] and not column.act.held[row]:
        doubt = " (pela leitura mais estrita dos horários)" if flags & STRICT else ""
        return f"{_act_needed(column)}{doubt}"
    if clashes(column, row):
        said = _named(column, value) or failed(test, _keys(column))
        return f"o mapa contradiz o que se viu: {said}; veja de novo e corrija um dos dois"
    return _strict(column, row, value) if flags & STRICT else _depends(column, row, value)


def _keys(column: Evidence) -> tuple[str, ...]:
    return column.ask.keys if column.ask is not None else ()


def _depends(column: Evidence, row: int, value: str) -> str:
    """Say on what it hangs whether a rule is broken."""
    reasons = "; ".join(doubts(column, row))
    more = f"; {reasons}" if reasons else ""
    if column.assumed:
        near = f"há {wording.LAYERS[column.ask.layer]} perto" if column.ask and column.ask.layer else ""
        return f"{value or near} (hipótese do serviço; a norma não dá número){more}"
    if reasons and shown(column, row) is None:
        return f"{reasons}{f': {value}' if value else ''}"
    said = _named(column, value) or failed(column.question.test, _keys(column))
    return f"{said}{more}" if "depende " in reasons else f"depende: {said}{more}"


def _strict(column: Evidence, row: int, value: str) -> str:
    test = column.question.test
    reading = f"leitura mais estrita ({test.label or test.reading})"
    if not int(column.flags[row]) & KNOWN:
        return f"passa na leitura principal; {reading} não verificada: {missing([column], row)}"
    sure = float(column.margin[row]) < -float(column.u[row])
    passes = "não na" if sure else "e talvez não na"
    return f"passa na leitura principal, {passes} {reading}{f': {value}' if value else ''}"


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
