"""What a card says, section by section, as the template reads it: words only, each list short."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any, Final

from geocheck.model.words import Outcome, Verdict
from geocheck.report import wording
from geocheck.report.card.shown_text import NO_BREAK, all_shown
from geocheck.report.card.spot import spot_of
from geocheck.report.map.symbols import MARKS
from geocheck.report.notices import GRAVE_NOTICES
from geocheck.report.visit import visit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.model.report import Notice, Report, RulebookReport
    from geocheck.report.card.decisive import Decisive
    from geocheck.report.visit import Errand

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
_ITEMS: Final = 3
"""Entries of a list that are shown."""

_QUESTIONS: Final = 2
"""Questions of one errand that are shown."""

_NOTES: Final = 2
_BOOKS: Final = 4


def content_of(report: Report, shown: Sequence[Decisive], left: int, side: str) -> dict[str, Any]:
    """Return the words of a card.

    Args:
        report: of one placement.
        shown: the findings to show.
        left: how many more decide.
        side: of the street, by the compass; "" where it is not known.
    """
    verdict = Verdict(report.verdict)
    sign, colour = _VERDICT_LOOK[verdict]
    law = [each for each in report.notices if each.code in _LAW_NOTICES]
    grave = [each for each in report.notices if each.code in GRAVE_NOTICES and each not in law]
    words = {
        "law_notices": [_law_notice(report, each) for each in law],
        "verdict": {"sign": sign, "word": wording.VERDICTS[verdict], "colour": colour},
        "reason": _reason(report),
        "grave_notices": [each.text for each in grave],
        "spot": spot_of(report, side),
        "findings": [_finding(number, each) for number, each in enumerate(shown, 1)],
        "findings_left": _left(left),
        "requires": _cut(_missing(report, shown), _ITEMS),
        "keep": _cut([_kept(each.text) for each in report.conditions], _ITEMS),
        "leave": _leave(report),
        "look": [_errand(errand) for errand in visit(report.pending)],
        "law": [_book(each) for each in report.rulebooks[:_BOOKS]],
        "law_left": _left(len(report.rulebooks) - _BOOKS),
        "foot": _foot(report, len(report.notices) - len(law) - len(grave)),
    }
    told: dict[str, Any] = all_shown(words)
    return told


def _missing(report: Report, shown: Sequence[Decisive]) -> list[str]:
    """Return the acts that are not held, but for those of which a finding on the card speaks."""
    said = {finding.rule for each in shown for finding in each.findings}
    return [each.text for each in report.requires if not each.held and each.rule not in said]


def _reason(report: Report) -> str:
    """Say the reason of a verdict where the findings below do not."""
    if report.verdict == "inconclusive":
        return report.summary.replace("resolva as pendências abaixo", "resolva as pendências")
    return "" if report.verdict != "no_impediment_found" else "Nas regras avaliadas, com o que se sabe."


def _law_notice(report: Report, notice: Notice) -> str:
    """Return a notice on the law; of a revoked norm in fewer words, for its title stands below."""
    revoked = [each for each in report.rulebooks if each.status == "revoked"]
    if notice.code != "revoked" or len(revoked) != 1:
        return notice.text
    book = revoked[0]
    until = f"; valeu até {wording.day(book.in_force_to)}" if book.in_force_to else ""
    by = f" por {book.revoked_by}" if book.revoked_by else ""
    return f"NORMA REVOGADA{by}{until}. A resposta usa o texto antigo e não diz o direito de hoje."


def _finding(number: int, each: Decisive) -> dict[str, Any]:
    finding = each.first
    mark = MARKS[finding.outcome]
    return {
        "number": str(number) if each.line is not None else "",
        "sign": mark.sign,
        "colour": mark.colour,
        "word": wording.OUTCOMES[Outcome[finding.outcome.upper()]],
        "title": "" if finding.outcome == "compliant" else finding.title,
        "message": _capital(finding.message),
        "remedy": finding.remedy or "",
        "cited": re.sub(r"(Arts?\.|§§?|nº) ", rf"\1{NO_BREAK}", each.cited),
    }


def _cut(items: Sequence[str], most: int) -> dict[str, Any]:
    """Return the first of a list, each once, and how many more there are."""
    once = list(dict.fromkeys(items))
    return {"items": [_capital(each) for each in once[:most]], "left": _left(len(once) - most)}


def _left(count: int) -> str:
    return f"e mais {count} – veja o relatório" if count > 0 else ""


def _errand(errand: Errand) -> dict[str, Any]:
    """Return what to look for; what is asked in the office, and not on site, is only counted."""
    if errand.group == "facts":
        count = len(errand.items)
        told = f"{errand.title}: {count} {'item' if count == 1 else 'itens'} – veja o relatório"
        return {"title": "", "items": [], "left": told}
    questions = [each.removeprefix("ver ") for each in errand.items]
    return {"title": errand.title, **_cut(questions, _QUESTIONS)}


def _kept(condition: str) -> str:
    return condition.removeprefix("manter ")


def _leave(report: Report) -> dict[str, Any]:
    """Say by when the skip must go: by the law, and not later than what was checked."""
    stay = report.stay
    asked = report.end if report.request.end is not None else None
    if stay.leave_by is None and asked is None:
        return {
            "date": "",
            "basis": "Nenhum prazo nesta norma para este lugar.",
            **_cut(stay.shortens, _NOTES),
        }
    if stay.leave_by is None or (asked is not None and _instant(asked) < _instant(stay.leave_by)):
        term = f"o prazo da norma vai até {_moment(stay.leave_by)}: {stay.basis}" if stay.leave_by else ""
        date, basis, notes = asked or "", "Foi o tempo pedido: nada se verificou além dele.", [term]
    else:
        late = f"a retirada pedida, {_moment(asked)}, passa do prazo" if asked else ""
        date, basis = stay.leave_by, stay.basis or ""
        notes = [late if asked is not None and _instant(asked) > _instant(stay.leave_by) else ""]
    notes += sorted(stay.shortens, key=lambda each: each.startswith("por cautela"))
    if report.verdict == "prohibited":
        notes.insert(0, "o prazo não torna permitido um local proibido")
    return {"date": _moment(date), "basis": basis, **_cut([each for each in notes if each], _NOTES)}


def _book(book: RulebookReport) -> dict[str, Any]:
    return {
        "title": book.title,
        "status": wording.STATUSES[book.status],
        "grave": book.status != "in_force",
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


def _instant(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def _moment(text: str) -> str:
    return wording.moment(_instant(text)).replace(", ", f",{NO_BREAK}")
