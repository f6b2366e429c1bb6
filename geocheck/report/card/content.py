"""What a card says, section by section, as the template reads it: words only, each list short."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Final

from geocheck.model.words import Outcome, Verdict
from geocheck.report import wording
from geocheck.report.card.shown_text import all_shown
from geocheck.report.card.spot import spot_of
from geocheck.report.map.symbols import MARKS
from geocheck.report.notices import GRAVE_NOTICES
from geocheck.report.visit import visit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from shapely.geometry.base import BaseGeometry

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report, RulebookReport
    from geocheck.report.card.decisive import Decisive

_VERDICT_LOOK: Final = {
    Verdict.PROHIBITED: ("✕", "#b00020"),
    Verdict.INCONCLUSIVE: ("?", "#6a2c70"),
    Verdict.CONDITIONAL: ("!", "#8f5200"),
    Verdict.NO_IMPEDIMENT_FOUND: ("✓", "#14702f"),
}
"""Sign and colour, white on it at least 4.5 : 1."""

_LAW_NOTICES: Final = frozenset(
    {"revoked", "revoked_later", "not_yet_in_force", "law_changes", "rules_change", "validity_unknown"}
    | {"no_own_law"}
)
_ITEMS: Final = 4
"""Questions of one errand, and entries of the other lists, that are shown."""

_BOOKS: Final = 4


def content_of(
    report: Report,
    bundle: Bundle | None,
    skip: BaseGeometry | None,
    shown: tuple[Sequence[Decisive], int],
) -> dict[str, Any]:
    """Return the words of a card.

    Args:
        report: of one placement.
        bundle: of which it speaks; None where it was judged without one.
        skip: its outline or its place, WGS 84 degrees; None where it is nowhere.
        shown: the findings to show, and how many more decide.
    """
    verdict = Verdict(report.verdict)
    sign, colour = _VERDICT_LOOK[verdict]
    law = [each for each in report.notices if each.code in _LAW_NOTICES]
    grave = [each for each in report.notices if each.code in GRAVE_NOTICES and each not in law]
    findings, left = shown
    words = {
        "law_notices": [each.text for each in law],
        "verdict": {"sign": sign, "word": wording.VERDICTS[verdict], "colour": colour},
        "reason": report.summary if verdict in (Verdict.INCONCLUSIVE, Verdict.NO_IMPEDIMENT_FOUND) else "",
        "grave_notices": [each.text for each in grave],
        "spot": spot_of(report, bundle, skip),
        "findings": [_finding(number, each) for number, each in enumerate(findings, 1)],
        "findings_left": _left(left),
        "requires": _cut([each.text for each in report.requires if not each.held]),
        "keep": _cut([each.text for each in report.conditions]),
        "leave": _leave(report),
        "look": [
            {"title": errand.title, **_cut(list(map(_question, errand.items)))}
            for errand in visit(report.pending)
        ],
        "law": [_book(each) for each in report.rulebooks[:_BOOKS]],
        "law_left": _left(len(report.rulebooks) - _BOOKS),
        "foot": _foot(report, len(report.notices) - len(law) - len(grave)),
    }
    told: dict[str, Any] = all_shown(words)
    return told


def _finding(number: int, each: Decisive) -> dict[str, Any]:
    finding = each.first
    mark = MARKS[finding.outcome]
    return {
        "number": str(number) if each.line is not None else "",
        "sign": mark.sign,
        "colour": mark.colour,
        "word": wording.OUTCOMES[Outcome[finding.outcome.upper()]],
        "title": finding.title,
        "message": _capital(finding.message),
        "remedy": finding.remedy or "",
        "cited": each.cited,
    }


def _cut(items: Sequence[str]) -> dict[str, Any]:
    """Return the first of a list, each once, and how many more there are."""
    once = list(dict.fromkeys(items))
    return {"items": [_capital(each) for each in once[:_ITEMS]], "left": _left(len(once) - _ITEMS)}


def _left(count: int) -> str:
    return f"e mais {count} – veja o relatório" if count > 0 else ""


def _question(text: str) -> str:
    return text.removeprefix("ver ")


def _leave(report: Report) -> dict[str, Any]:
    """Say by when the skip must go; a term does not make a forbidden place a permitted one."""
    stay = report.stay
    if stay.leave_by is None:
        return {"date": "", "basis": "Nenhum prazo nesta norma para este lugar.", "notes": []}
    notes = [*_cautions(report), *stay.shortens]
    if report.verdict == "prohibited":
        notes = ["o prazo não torna permitido um local proibido", *notes]
    return {"date": _moment(stay.leave_by), "basis": stay.basis or "", **_renamed(_cut(notes))}


def _renamed(cut: dict[str, Any]) -> dict[str, Any]:
    return {"notes": cut["items"], "notes_left": cut["left"]}


def _cautions(report: Report) -> Iterator[str]:
    """Say the date that was asked for, where it is not the law's."""
    if report.request.end is not None and report.end is not None:
        yield f"retirada pedida: {_moment(report.end)}"


def _book(book: RulebookReport) -> dict[str, Any]:
    since = f"desde {wording.day(book.in_force_from)}" if book.in_force_from else ""
    until = f"até {wording.day(book.in_force_to)}" if book.in_force_to else ""
    by = f"por {book.revoked_by}" if book.revoked_by else ""
    return {
        "title": book.title,
        "status": wording.STATUSES[book.status],
        "grave": book.status != "in_force",
        "detail": ", ".join(filter(None, (since, until, by))),
    }


def _foot(report: Report, notices: int) -> list[str]:
    made = [f"Feito em {_moment(report.evaluated_at)} por {report.engine}"]
    if report.bundle is not None:
        day = wording.day(report.bundle.built_at[:10])
        made.append(f"mapa de {day} (pacote {report.bundle.sha256[:12]})")
    more = f"Há mais {notices} {'aviso' if notices == 1 else 'avisos'} no relatório." if notices > 0 else ""
    return list(filter(None, [more, f"{'; '.join(made)}."]))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _moment(text: str) -> str:
    return wording.moment(dt.datetime.fromisoformat(text))
