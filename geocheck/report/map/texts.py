"""What the map's page says in words: findings, legend, law and bundle, so that it is read without the map."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from markupsafe import Markup

from geocheck.cities import load_city
from geocheck.errors import GeocheckError
from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.map.facts import short
from geocheck.report.map.layers import HIDDEN_AT_FIRST
from geocheck.report.map.measures import value_of
from geocheck.report.map.symbols import MARKS, ORDER, SYMBOLS, line_swatch, swatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.finding import FindingReport
    from geocheck.model.report import Report, RulebookReport
    from geocheck.report.map.layers import Drawn
    from geocheck.report.map.near import NearLayer

_GRAVE_NOTICES: Final = ("revoked", "not_yet_in_force", "law_changes", "rules_change")
_COMPLETENESS: Final = {
    "complete": "camada completa",
    "partial": "camada parcial",
    "unknown": "completude não sabida",
}


class Item(NamedTuple):
    """A finding in the list."""

    finding: FindingReport
    sign: str
    word: str
    cited: str
    value: str
    on_map: bool


class Law(NamedTuple):
    """A rulebook in the corner and at the foot."""

    title: str
    status: str
    grave: bool
    detail: str


class Row(NamedTuple):
    """A row of the legend."""

    swatch: Markup
    text: str
    drawn: bool


def texts_of(report: Report, bundle: Bundle, drawn: Drawn) -> dict[str, Any]:
    """Return what the page's template asks for, all of it plain text but the pictures of the legend."""
    mapped = {each.rule for measure in drawn.measures for each in measure.findings}
    layers = {each.name: each for each in drawn.near}
    every = (*report.findings, *report.second_opinion)
    aside = [each for each in every if _aside(each)]
    open_ = [each for each in every if each.outcome == "not_evaluated" and not _aside(each)]
    return {
        "title": f"Caçamba em {_place(report)}: {_when(report.start)}",
        "report": report,
        "grave_notices": _GRAVE_NOTICES,
        "laws": [_law(each) for each in report.rulebooks],
        "bundle_line": _bundle_line(bundle),
        "bundle_sha": bundle.sha256,
        "stay_line": _stay(report),
        "kerb_line": _kerb(report),
        "groups": [
            (heading, items)
            for heading, findings in (
                ("Regras", report.findings),
                ("Segunda opinião (CTB)", report.second_opinion),
            )
            if (items := _items(findings, mapped))
        ],
        "folded": [
            (heading, [_item(each, mapped) for each in findings])
            for heading, findings in (
                ("não avaliadas (o que falta está na lista abaixo)", open_),
                ("que não se aplicam, ou que outra absorve", aside),
            )
            if findings
        ],
        "pending": _pending(report),
        "outcome_legend": [_outcome_row(code) for code in MARKS if code != "not_applicable"],
        "layer_legend": [_row(layers[name], bundle) for name in ORDER if name in layers],
    }


def _aside(finding: FindingReport) -> bool:
    return finding.outcome == "not_applicable" or finding.displaced_by is not None


def _items(findings: Iterable[FindingReport], mapped: set[str]) -> list[Item]:
    grave = list(MARKS)
    shown = [each for each in findings if each.outcome != "not_evaluated" and not _aside(each)]
    return [_item(each, mapped) for each in sorted(shown, key=lambda each: grave.index(each.outcome))]


def _pending(report: Report) -> dict[str, str]:
    """Return what is to be found out, each once, with the rules that wait for it."""
    rules: dict[str, list[str]] = {}
    for each in report.pending:
        rules.setdefault(each.text, []).append(each.rule)
    return {text: ", ".join(dict.fromkeys(names)) for text, names in rules.items()}


def _item(finding: FindingReport, mapped: set[str]) -> Item:
    mark, word = MARKS[finding.outcome], wording.OUTCOMES[Outcome[finding.outcome.upper()]]
    return Item(finding, mark.sign, word, wording.cited(finding), value_of(finding), finding.rule in mapped)


def _law(book: RulebookReport) -> Law:
    since = f"desde {wording.day(book.in_force_from)}" if book.in_force_from else ""
    until = f"até {wording.day(book.in_force_to)}" if book.in_force_to else ""
    by = f"por {book.revoked_by}" if book.revoked_by else ""
    detail = ", ".join(filter(None, (since, until, by)))
    return Law(book.title, wording.STATUSES[book.status], book.status != "in_force", detail)


def _bundle_line(bundle: Bundle) -> str:
    made = bundle.manifest
    return f"Mapa de {_city_name(made.city)}, feito em {made.built_at:%d/%m/%Y} (pacote {bundle.sha256[:12]})"


def _outcome_row(code: str) -> Row:
    text = f"{MARKS[code].sign} {wording.OUTCOMES[Outcome[code.upper()]]}"
    return Row(Markup(line_swatch(MARKS[code])), text, drawn=True)  # noqa: S704 (our own picture)


def _row(near: NearLayer, bundle: Bundle) -> Row:
    symbol, count = SYMBOLS[near.name], len(near.features)
    entry = bundle.entry(near.name)
    told = [f"{count} {'feição' if count == 1 else 'feições'}"]
    if count < near.within:
        told.append(f"{near.within - count} mais, ao alcance, ficaram de fora do desenho")
    elif near.total == 0:
        told.append("camada vazia")
    elif count == 0:
        told.append(f"nenhuma por perto, {near.total} no pacote")
    if count and near.name in HIDDEN_AT_FIRST:
        told.append("desligada ao abrir")
    if entry is not None:
        told.append(_COMPLETENESS[entry.completeness])
        told += [f"de {short(entry.date)}"] if entry.date else []
    text = f"{wording.LAYERS[near.name]}: {told[0]} ({'; '.join(told[1:])})"
    return Row(Markup(swatch(symbol)), text, drawn=count > 0)  # noqa: S704 (our own picture)


def _place(report: Report) -> str:
    street = report.kerb.street if report.kerb else None
    where = ", ".join(filter(None, (street, report.request.address)))
    return short(where or _city_name(report.city))


def _city_name(city: str) -> str:
    """Return a city as people write it; of a sheet of one's own only its id is known here."""
    try:
        return load_city(city).name
    except GeocheckError:
        return city


def _stay(report: Report) -> str:
    until = f" até {_when(report.end)}" if report.end else ", sem retirada informada"
    return f"De {_when(report.start)}{until}."


def _kerb(report: Report) -> str:
    kerb = report.kerb
    if kerb is None:
        return ""
    accuracy = wording.metres(kerb.accuracy_m)
    return f"A {wording.metres(kerb.gap_m)} da guia; acurácia da guia ± {accuracy}."


def _when(text: str) -> str:
    return wording.moment(dt.datetime.fromisoformat(text))
