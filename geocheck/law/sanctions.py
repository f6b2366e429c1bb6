"""What one breach costs on a day: class or units to money, index, and why an amount may not count."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from geocheck.law.sanction_inputs import NO_INPUTS
from geocheck.law.versions import status_on

if TYPE_CHECKING:
    from datetime import date

    from geocheck.law.rulebook import Rulebook
    from geocheck.law.sanction_inputs import SanctionInputs
    from geocheck.law.tables import Sanction

_CENT: Final = Decimal("0.01")
_OUT_OF_FORCE: Final = {"revoked": "norma revogada", "not_yet_in_force": "norma ainda não vigente"}

Standing = Literal["counts", "revoked", "not_yet_in_force", "analogy", "arguable", "untypified", "unknown"]
"""Whether an amount belongs in the sum of the fines (`counts`), and if not, why not."""


@dataclass(frozen=True, slots=True)
class Amount:
    """What a sanction costs on a day.

    Attributes:
        brl: reais, or the lower end of a range; None when the value is not known or there is none.
        to_brl: reais, the upper end of a range; None when there is no range.
        ufm: fiscal units, for amounts written in them.
        nominal: an index correction that the act provides for is missing.
        standing: whether it belongs in the sum of the fines, and if not, why not.
        label: pt-BR, what kind of amount it is.
    """

    brl: Decimal | None
    to_brl: Decimal | None
    ufm: Decimal | None
    nominal: bool
    standing: Standing
    label: str

    @property
    def in_summary(self) -> bool:
        """Whether the amount belongs in the sum of the fines."""
        return self.standing == "counts"


class _Written(NamedTuple):
    """An amount as the act writes it (reais), with the first day of its table where there is one."""

    brl: Decimal
    to_brl: Decimal | None
    since: date | None


def amount_of(sanction: Sanction, book: Rulebook, day: date, inputs: SanctionInputs = NO_INPUTS) -> Amount:
    """Return what a sanction costs on a day by the letter of its rulebook.

    Args:
        sanction: one of the rulebook's.
        book: for its tables, validity and city.
        day: of the breach.
        inputs: dated fiscal units and index factors.
    """
    if sanction.untypified:
        return Amount(None, None, None, False, "untypified", "dever sem penalidade prevista na norma")
    if not sanction.certain and book.rulebook.city is None:
        # The code's classes are fines on vehicles: no sum in reais is ever shown for the skip.
        return Amount(None, None, None, False, "analogy", "por analogia; não é multa aplicada à caçamba")
    if sanction.amount_ufm is not None:
        return _in_units(sanction, sanction.amount_ufm, book, day, inputs)
    written = _written(sanction, book, day)
    if written is not None:
        return _in_reais(sanction, written, book, day, inputs)
    label = "sem valor tabelado nesta data" if sanction.class_ else "a norma carregada não traz o valor"
    return Amount(None, None, None, False, "unknown", label)


def round_cents(value: Decimal) -> Decimal:
    """Round reais to the centavo, halves up."""
    return value.quantize(_CENT, ROUND_HALF_UP)


def _written(sanction: Sanction, book: Rulebook, day: date) -> _Written | None:
    found: _Written | None = None
    if sanction.amount_brl is not None:
        found = _Written(sanction.amount_brl, sanction.amount_to_brl, None)
    elif sanction.class_ is not None:
        for table in sorted(book.sanctions.amounts, key=lambda table: table.valid_from):
            value: Decimal | None = getattr(table, sanction.class_)
            if value is not None and table.valid_from <= day:
                found = _Written(value, None, table.valid_from)
    if found is None or sanction.max_factor is None:
        return found
    return found._replace(to_brl=(found.to_brl or found.brl) * sanction.max_factor)


def _in_reais(
    sanction: Sanction, written: _Written, book: Rulebook, day: date, inputs: SanctionInputs
) -> Amount:
    rule = book.sanctions.indexation
    due = rule is not None and (rule.first_on is None or rule.first_on <= day)
    applied = None
    if rule and due and not _is_revoked(book, day):
        applied = inputs.factor_on(rule.index, written.since, day)
    short = label = f"valor de {written.since.year}" if written.since else "valor fixado na norma"
    if rule and applied:
        label = f"{short}, corrigido pelo {rule.index} (fator de {applied.valid_from:%d/%m/%Y})"
    elif rule and due:
        label = f"{short.replace('valor', 'valor nominal', 1)}, sem correção pelo {rule.index}"
    if sanction.max_factor:
        label += f"; até {sanction.max_factor} vezes, a critério da autoridade"
    factor = applied.factor if applied else Decimal(1)
    return Amount(
        brl=round_cents(written.brl * factor),
        to_brl=None if written.to_brl is None else round_cents(written.to_brl * factor),
        ufm=None,
        nominal=due and applied is None,
        standing=_standing(sanction, book, day),
        label=_label(sanction, book, day, short, label),
    )


def _in_units(
    sanction: Sanction, units: Decimal, book: Rulebook, day: date, inputs: SanctionInputs
) -> Amount:
    short = f"{units.normalize():f} UFM".replace(".", ",")
    label = f"{short} (valor da UFM não informado)"
    value = None if _is_revoked(book, day) else inputs.unit_on(book.rulebook.city, day)
    if value is not None:
        label = f"{short} (UFM de {value.valid_from:%d/%m/%Y}: R$ {value.brl:f})".replace(".", ",")
    brl = None if value is None else round_cents(units * value.brl)
    return Amount(
        brl=brl,
        to_brl=None if brl is None or sanction.max_factor is None else brl * sanction.max_factor,
        ufm=units,
        nominal=False,
        standing=_standing(sanction, book, day),
        label=_label(sanction, book, day, short, label),
    )


def _is_revoked(book: Rulebook, day: date) -> bool:
    """Tell whether an amount has stopped being brought up to date, because its act was revoked."""
    return status_on(book.rulebook, day) == "revoked"


def _standing(sanction: Sanction, book: Rulebook, day: date) -> Standing:
    if not sanction.certain:
        return "arguable"
    status = status_on(book.rulebook, day)
    return status if status in ("revoked", "not_yet_in_force") else "counts"


def _label(sanction: Sanction, book: Rulebook, day: date, short: str, full: str) -> str:
    """Put what keeps an amount from counting into its label; out of force, its correction says nothing."""
    status = status_on(book.rulebook, day)
    label = f"{short}, {_OUT_OF_FORCE[status]}" if status in _OUT_OF_FORCE else full
    return label if sanction.certain else f"{label}; enquadramento discutível"
