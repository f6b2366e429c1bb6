"""What the reader must know of the whole answer: status and changes of the law, holidays, assumptions."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.cities import HolidayStatus
from geocheck.law.calendar import calendar_of
from geocheck.law.versions import status_on
from geocheck.model.report import Notice, RulebookReport
from geocheck.report import wording
from geocheck.report.map_notices import map_notices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.check.pipeline import Checked
    from geocheck.law.load import LoadedRulebook


GRAVE_NOTICES: Final = (
    "revoked",
    "not_yet_in_force",
    "law_changes",
    "rules_change",
    "size_missing",
    "size_supposed",
    "off_map",
    "no_kerb",
)
"""Notices without which the answer would be misread."""

_HOLIDAYS_SAID_DAYS: Final = 60
"""How far into a stay doubtful holidays are named one by one."""


def rulebooks_of(checked: Checked) -> list[RulebookReport]:
    """Return the rulebooks applied, each with its status on the day."""
    books = [*checked.law.own_on(checked.day), *filter(None, [checked.law.fallback])]
    return [
        RulebookReport.built(
            id=loaded.id,
            title=header.title,
            status=status_on(header, checked.day),
            in_force_from=None if header.in_force_from is None else header.in_force_from.isoformat(),
            in_force_to=None if header.in_force_to is None else header.in_force_to.isoformat(),
            revoked_by=header.revoked_by,
            succeeded_by=header.succeeded_by,
            preface=header.preface,
            silent_on=header.silent_on,
            sha256=loaded.sha256,
        )
        for loaded in books
        for header in (loaded.book.rulebook,)
    ]


def notices_of(checked: Checked, row: int) -> list[Notice]:
    """Return the notices of one placement, the gravest first, each once."""
    every = [
        *_law_notices(checked),
        *_change_notices(checked, row),
        *map_notices(checked, row),
        *_input_notices(checked, row),
        *_holiday_notices(checked, row),
    ]
    return list(dict.fromkeys(every))


def _law_notices(checked: Checked) -> Iterator[Notice]:
    for loaded in checked.law.own_on(checked.day):
        header = loaded.book.rulebook
        status = status_on(header, checked.day)
        if status == "revoked":
            since = wording.day(header.in_force_to) if header.in_force_to else "data não sabida"
            after = f" Atos posteriores, de texto não carregado: {wording.joined(header.succeeded_by)}."
            text = (
                f"NORMA REVOGADA: {header.short_title}, por {header.revoked_by}; valeu até {since}. "
                "A resposta usa o único texto conhecido e não diz o direito de hoje."
            )
            yield Notice.built(code="revoked", text=text + (after if header.succeeded_by else ""))
        elif status == "in_force" and header.revoked_by and header.in_force_to:
            until = wording.day(header.in_force_to)
            text = (
                f"{header.short_title} valia nesse dia; valeu até {until}, revogado por {header.revoked_by}."
            )
            yield Notice.built(code="revoked_later", text=text)
        elif status == "not_yet_in_force" and header.in_force_from:
            text = f"{header.short_title} só vale a partir de {wording.day(header.in_force_from)}."
            yield Notice.built(code="not_yet_in_force", text=text)
        elif status == "unknown":
            yield Notice.built(code="validity_unknown", text=f"{header.short_title}: vigência não conhecida.")
        if header.preface and status != "revoked":
            yield Notice.built(code="preface", text=header.preface)
    if not checked.law.own:
        yield Notice.built(code="no_own_law", text="Não há norma municipal carregada; responde o CTB.")


def _change_notices(checked: Checked, row: int) -> Iterator[Notice]:
    """Tell when the law at the end of the stay is not that of its start."""
    end = checked.placements.end[row]
    if np.isnat(end):
        return
    last: dt.date = end.astype("datetime64[D]").item()
    for before, after in zip(checked.law.own_on(checked.day), checked.law.own_on(last), strict=True):
        statuses = [status_on(before.book.rulebook, checked.day), status_on(after.book.rulebook, last)]
        if before.id != after.id or statuses[0] != statuses[1]:
            name = after.book.rulebook.short_title
            text = (
                f"A norma muda durante a permanência: a partir de {wording.day(_changes_on(before, after))}, "
                f"{name}, {wording.STATUSES[statuses[1]]}. Aplicou-se a do dia da colocação."
            )
            yield Notice.built(code="law_changes", text=text)
    own = {rule.id: rule for book in checked.law.own_on(checked.day) for rule in book.book.on(checked.day)}
    later = {rule.id: rule for book in checked.law.own_on(last) for rule in book.book.on(last)}
    changed = sorted(
        rule_id for rule_id in own.keys() | later.keys() if own.get(rule_id) != later.get(rule_id)
    )
    if changed:
        text = (
            f"Mudam durante a permanência as regras {wording.joined(changed)}; valeu a versão da colocação."
        )
        yield Notice.built(code="rules_change", text=text)


def _changes_on(before: LoadedRulebook, after: LoadedRulebook) -> dt.date:
    """Return the first day on which a rulebook of a series is no longer what it was."""
    ends, starts = before.book.rulebook.in_force_to, after.book.rulebook.in_force_from
    if ends is not None:
        return ends + dt.timedelta(days=1)
    return starts or dt.date.min


def _input_notices(checked: Checked, row: int) -> Iterator[Notice]:
    request, placements = checked.placements.requests[row], checked.placements
    if request.lon is not None and checked.sight is None:
        text = "Sem mapa carregado: a posição não foi usada; responde o que se mediu, viu e declarou."
        yield Notice.built(code="no_map", text=text)
    if request.where is None:
        text = "Lugar não informado: considerada a pista (where = carriageway)."
        yield Notice.built(code="place_assumed", text=text)
    if request.start is None:
        yield Notice.built(
            code="start_assumed", text="Início não informado: considerado o momento da consulta."
        )
    if request.end is None and not np.isnat(placements.end[row]):
        text = "Retirada não informada: considerada no fim do prazo permitido."
        yield Notice.built(code="end_assumed", text=text)
    for note in placements.notes[row]:
        yield Notice.built(code="time_reading", text=f"{note[:1].upper()}{note[1:]}.")


def _holiday_notices(checked: Checked, row: int) -> Iterator[Notice]:
    start, end = checked.placements.start[row], checked.placements.end[row]
    if np.isnat(end):
        return
    calendar = calendar_of(checked.law.city)
    first, last = (time.astype("datetime64[D]").item() for time in (start, end))
    found = calendar.holidays_between(first, min(last, first + dt.timedelta(days=_HOLIDAYS_SAID_DAYS)))
    # Of several entries for a day the surest comes first, and it alone tells how the day was counted.
    for date, rule in {day.date: day.rule for day in reversed(found)}.items():
        if not calendar.is_business_day(np.asarray(date, "datetime64[D]")):
            continue
        if rule.status is HolidayStatus.UNCERTAIN:
            text = f"{wording.day(date)} ({rule.name}) pode ser feriado: contou como dia útil."
            yield Notice.built(code="holiday_uncertain", text=text)
        elif rule.status is HolidayStatus.OPTIONAL:
            text = f"{wording.day(date)} ({rule.name}) é ponto facultativo: contou como dia útil."
            yield Notice.built(code="holiday_optional", text=text)
    if not calendar.is_verified(np.array([start, end])).all():
        years = "–".join(map(str, calendar.verified_years))
        text = f"Os feriados da cidade só foram conferidos para {years}; confirme os desta permanência."
        yield Notice.built(code="holidays_unverified", text=text)
