"""What several breaches of one rulebook cost together: absorbed ones, sums, recurrence, what stays apart."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from geocheck.law.sanction_inputs import NO_INPUTS
from geocheck.law.sanctions import amount_of, round_cents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from geocheck.law.rulebook import Rulebook
    from geocheck.law.sanction_inputs import SanctionInputs
    from geocheck.law.sanctions import Amount
    from geocheck.law.tables import Recurrence, Sanction

_NOTHING: Final = Decimal("0.00")
_DOUBLE: Final = Decimal(2)


@dataclass(frozen=True, slots=True)
class Breach:
    """A violated rule and the sanction that answers for it (None: the rulebook has none for the place)."""

    rule: str
    sanction: Sanction | None


@dataclass(frozen=True, slots=True)
class Fine:
    """A breach and what it costs on the day."""

    rule: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A breach that is in no sum, and why (pt-BR)."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Total:
    """A sum of fines.

    Attributes:
        brl: reais; of ranges the lower ends.
        to_brl: reais; of ranges the upper ends. Equal to `brl` when there are no ranges.
        ufm: fiscal units whose value nobody supplied and that are in neither.
    """

    brl: Decimal
    to_brl: Decimal
    ufm: Decimal


@dataclass(frozen=True, slots=True)
class Totals:
    """The sum for a first offence, and for a repeated one (None where the law knows no surcharge)."""

    first: Total
    repeated: Total | None


@dataclass(frozen=True, slots=True)
class PenaltySummary:
    """What the breaches of one rulebook cost on a day.

    Attributes:
        in_force: sums of what can be fined; zero when the rulebook is revoked.
        revoked: the same sums by the letter of a rulebook revoked by that day, never to be added.
        fines: the breaches summed in one or the other.
        left_out: the others.
        notes: pt-BR, on how the sums were made.
    """

    in_force: Totals
    revoked: Totals
    fines: tuple[Fine, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


def penalty_summary(
    breaches: Iterable[Breach], book: Rulebook, day: date, inputs: SanctionInputs = NO_INPUTS
) -> PenaltySummary:
    """Sum what breaches of one rulebook cost.

    A sanction is absorbed only by a rule that is itself among the breaches. The same sanction of the same
    rule counts once. Analogies, arguable classes, duties without penalty and unknown amounts stay out.

    Args:
        breaches: every violated rule, those without a sanction too (they may absorb others).
        book: the rulebook of all of them.
        day: of the breaches.
        inputs: dated fiscal units and index factors.
    """
    distinct = {(each.rule, each.sanction.id if each.sanction else None): each for each in breaches}
    violated = {each.rule for each in distinct.values()}
    fines: list[Fine] = []
    left_out: list[LeftOut] = []
    for each in distinct.values():
        judged = _fine_or_reason(each, violated, book, day, inputs)
        if isinstance(judged, Fine):
            fines.append(judged)
        else:
            left_out.append(judged)
    if not book.sanctions.cumulative and fines:
        largest = max(fines, key=lambda fine: _weight(fine.amount))
        left_out += [
            LeftOut(fine.rule, "a norma não manda somar: aqui só a maior")
            for fine in fines
            if fine is not largest
        ]
        fines = [largest]
    return PenaltySummary(
        _totals([fine.amount for fine in fines if fine.amount.in_summary], book),
        _totals([fine.amount for fine in fines if not fine.amount.in_summary], book),
        tuple(fines),
        tuple(left_out),
        tuple(_notes(fines, book)),
    )


def total(amounts: Sequence[Amount], factor: Decimal = Decimal(1)) -> Total:
    """Sum amounts, each multiplied by a factor and rounded to the centavo."""
    low, high, units = _NOTHING, _NOTHING, Decimal(0)
    for amount in amounts:
        if amount.brl is not None:
            low += round_cents(amount.brl * factor)
            high += round_cents((amount.brl if amount.to_brl is None else amount.to_brl) * factor)
        elif amount.ufm is not None:
            units += amount.ufm * factor
    return Total(low, high, units)


def _totals(amounts: Sequence[Amount], book: Rulebook) -> Totals:
    recurrence = book.sanctions.recurrence
    return Totals(total(amounts), total(amounts, recurrence.factor) if recurrence else None)


def _fine_or_reason(
    breach: Breach, violated: set[str], book: Rulebook, day: date, inputs: SanctionInputs
) -> Fine | LeftOut:
    if breach.sanction is None:
        return LeftOut(breach.rule, "dever sem penalidade prevista na norma")
    absorbing = [rule for rule in breach.sanction.displaced_by if rule in violated]
    if absorbing:
        return LeftOut(breach.rule, f"absorvida por {', '.join(absorbing)}")
    amount = amount_of(breach.sanction, book, day, inputs)
    if amount.standing in ("counts", "revoked"):
        return Fine(breach.rule, amount)
    return LeftOut(breach.rule, amount.label)


def _weight(amount: Amount) -> tuple[Decimal, Decimal, Decimal]:
    low = amount.brl or _NOTHING
    return amount.to_brl or low, low, amount.ufm or _NOTHING


def _notes(fines: Sequence[Fine], book: Rulebook) -> Iterable[str]:
    tables = book.sanctions
    if len(fines) > 1:
        passage = f" ({tables.cumulative_locator})" if tables.cumulative_locator else ""
        yield f"as multas de infrações distintas se somam{passage}"
    if any(not fine.amount.in_summary for fine in fines):
        yield "norma revogada: os valores são os dela e não se somam aos de norma vigente"
    if tables.indexation and any(fine.amount.nominal and fine.amount.in_summary for fine in fines):
        yield f"valores nominais, sem correção pelo {tables.indexation.index}: falta a tabela do índice"
    if any(fine.amount.ufm is not None and fine.amount.brl is None for fine in fines):
        yield "falta o valor da UFM para passar a reais"
    if fines and tables.recurrence:
        yield _recurrence_note(tables.recurrence)


def _recurrence_note(recurrence: Recurrence) -> str:
    percent = (recurrence.factor - 1) * 100
    surcharge = (
        "em dobro" if recurrence.factor == _DOUBLE else f"mais {percent.normalize():f} %".replace(".", ",")
    )
    scope = "na mesma infração" if recurrence.scope == "same_offence" else "em qualquer infração"
    if recurrence.look_back_years is None:
        return f"reincidência {scope}: {surcharge}; a norma não define prazo, por isso os dois valores"
    years = "1 ano" if recurrence.look_back_years == 1 else f"{recurrence.look_back_years} anos"
    return f"reincidência {scope} dentro de {years}: {surcharge}"
