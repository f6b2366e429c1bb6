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
from geocheck.report.map.measures import value_of
from geocheck.report.map.symbols import MARKS, ORDER, SYMBOLS, line_swatch, swatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import FindingReport, Report, RulebookReport
    from geocheck.report.map.layers import Drawn
    from geocheck.report.map.near import NearLayer

_GRAVE_NOTICES: Final = ("revoked", "not_yet_in_force", "law_changes", "rules_change")
_COMPLETENESS: Final = {"complete": "completa", "partial": "parcial", "unknown": "completude não sabida"}
_OSM: Final = (".osm", ".pbf", ".graphml")


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
    aside = [each for each in (*report.findings, *report.second_opinion) if _aside(each)]
    return {
        "title": f"Caçamba em {_place(report)}: {_when(report.start)}",
        "report": report,
        "grave_notices": _GRAVE_NOTICES,
        "laws": [_law(each) for each in report.rulebooks],
        "bundle_line": f"Mapa de {_city_name(bundle.manifest.city)}, feito em {bundle.manifest.built_at:%d/%m/%Y} "
        f"(pacote {bundle.sha256[:12]})",
        "bundle_sha": bundle.sha256,
        "stay_line": _stay(report),
        "kerb_line": _kerb(report),
        "groups": [
            (heading, items)
            for heading, findings in (("Regras", report.findings), ("Segunda opinião (CTB)", report.second_opinion))
            if (items := _items(findings, mapped))
        ],
        "others": [_item(each, mapped) for each in aside],
        "outcome_legend": [
            Row(Markup(line_swatch(mark)), f"{mark.sign} {wording.OUTCOMES[Outcome[code.upper()]]}", drawn=True)  # noqa: S704 (our own picture)
            for code, mark in MARKS.items()
        ],
        "layer_legend": [_row(layers[name], bundle) for name in ORDER if name in layers],
    }


def attribution_of(bundle: Bundle) -> str:
    """Say whose data is drawn."""
    files = {source.file.lower() for layer in bundle.manifest.layers for source in layer.sources}
    osm = any(file.endswith(_OSM) or "openstreetmap" in file for file in files)
    return "© colaboradores do OpenStreetMap (ODbL)" if osm else "dados do pacote da cidade"


def _aside(finding: FindingReport) -> bool:
    return finding.outcome == "not_applicable" or finding.displaced_by is not None


def _items(findings: Iterable[FindingReport], mapped: set[str]) -> list[Item]:
    grave = list(MARKS)
    shown = [each for each in findings if not _aside(each)]
    return [_item(each, mapped) for each in sorted(shown, key=lambda each: grave.index(each.outcome))]


def _item(finding: FindingReport, mapped: set[str]) -> Item:
    mark, word = MARKS[finding.outcome], wording.OUTCOMES[Outcome[finding.outcome.upper()]]
    return Item(finding, mark.sign, word, wording.cited(finding), value_of(finding), finding.rule in mapped)


def _law(book: RulebookReport) -> Law:
    since = f"desde {wording.day(book.in_force_from)}" if book.in_force_from else ""
    until = f"até {wording.day(book.in_force_to)}" if book.in_force_to else ""
    by = f"por {book.revoked_by}" if book.revoked_by else ""
    detail = ", ".join(filter(None, (since, until, by)))
    return Law(book.title, wording.STATUSES[book.status], book.status != "in_force", detail)


def _row(near: NearLayer, bundle: Bundle) -> Row:
    symbol, count = SYMBOLS[near.name], len(near.features)
    entry = bundle.entry(near.name)
    told = [f"{count} {'feição' if count == 1 else 'feições'}"]
    if count < near.within:
        told.append(f"as mais próximas; {near.within - count} perto daqui ficaram de fora do desenho")
    elif near.total == 0:
        told.append("camada vazia")
    elif count == 0:
        told.append(f"nenhuma por perto, {near.total} no pacote")
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
    parts: Iterator[str] = iter(
        (f"A {wording.metres(kerb.gap_m)} da guia", f"acurácia da guia ± {wording.metres(kerb.accuracy_m)}")
    )
    return "; ".join(parts) + "."


def _when(text: str) -> str:
    return wording.moment(dt.datetime.fromisoformat(text))
