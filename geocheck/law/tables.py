"""Kinds 28–32: the tables of a rule or rulebook: sanction, recurrence, procedure, indexation, validity."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from geocheck.model.base import DecimalText, Frozen
from geocheck.model.words import Place

SanctionClass = Literal["leve", "media", "grave", "gravissima"]
Measure = Literal[
    "seizure",
    "removal",
    "retention",
    "written_warning",
    "licence_suspension",
    "licence_cancellation",
    "revocation",
    "repair_damage",
    "cleaning",
    "removal_of_material",
    "costs",
]


Money = Annotated[DecimalText, Field(ge=0, max_digits=12, decimal_places=2)]
"""Money as decimal text, so that no binary fraction enters a fine."""


class Sanction(Frozen):
    """Kind 28: what a breach costs by the letter of the law.

    Attributes:
        id: name by which tests and bands point here (`"II"`); unique in the rule.
        class_: degree (TOML key `class`); none where the law typifies no class (`untypified`) or has none.
        untypified: the law sets a duty and no penalty for it.
        amount_brl: fixed amount, or lower end of a range whose upper end is `amount_to_brl`.
        amount_ufm: amount in the city's fiscal units.
        max_factor: the authority may multiply the amount up to this.
        prior_notice: whether a notice must come first.
        measures: administrative measures that go with the penalty.
        discretionary_measures: measures the authority may add.
        liable: pt-BR, who answers; none given: the rulebook's.
        displaced_by: rules whose violation absorbs this one (ne bis in idem).
        where: places for which this sanction holds; none given: all.
        act_missing: rule whose act is needed here and not held; only then does this sanction hold.
        certain: false where the class is only arguable; the note says why.
        locator: the penalty clause.
    """

    id: str = "main"
    class_: SanctionClass | None = Field(default=None, alias="class")
    untypified: bool = False
    amount_brl: Money | None = None
    amount_to_brl: Money | None = None
    amount_ufm: Money | None = None
    max_factor: Annotated[int, Field(ge=2, le=20)] | None = None
    prior_notice: Literal["required", "none", "discretionary", "unstated"] = "unstated"
    measures: tuple[Measure, ...] = ()
    discretionary_measures: tuple[Measure, ...] = ()
    liable: tuple[str, ...] = ()
    displaced_by: tuple[str, ...] = ()
    where: tuple[Place, ...] | None = Field(default=None, min_length=1)
    act_missing: str | None = None
    certain: bool = True
    locator: str | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _typified(self) -> Self:
        has_amount = self.class_ or self.amount_brl is not None or self.amount_ufm is not None
        if self.untypified and has_amount:
            raise ValueError("sanção não tipificada não tem classe nem valor")
        if self.amount_to_brl is not None and (
            self.amount_brl is None or self.amount_to_brl < self.amount_brl
        ):
            raise ValueError("amount_to_brl é o fim de uma faixa que começa em amount_brl")
        return self


class Amounts(Frozen):
    """The amount of each class from a day on (a later entry replaces an earlier one)."""

    valid_from: date
    leve: Money | None = None
    media: Money | None = None
    grave: Money | None = None
    gravissima: Money | None = None
    source: str


class Recurrence(Frozen):
    """Kind 29: what repeating costs. Without `look_back_years` the law defines no period."""

    factor: Annotated[DecimalText, Field(gt=1, le=10)]
    look_back_years: Annotated[int, Field(gt=0)] | None = None
    scope: Literal["same_offence", "any_offence"]
    note: str | None = None


class Procedure(Frozen):
    """Kind 30: a term of the procedure, counted from `start`, the first day excluded.

    `discount_percent` is what accepting within the term saves.
    """

    act: Literal["defence", "decision", "appeal", "appeal_decision", "payment", "auction"]
    limit_days: Annotated[int, Field(gt=0, le=3650)]
    day_type: Literal["calendar", "business"]
    start: Literal["notification", "defence", "decision", "appeal", "publication", "seizure"]
    text_silent_on_day_type: bool = False
    discount_percent: Annotated[int, Field(gt=0, lt=100)] | None = None
    locator: str
    note: str | None = None


class Indexation(Frozen):
    """Kind 31: how amounts are brought up to date: an index from a first date, or a fiscal unit."""

    index: str
    publisher: str | None = None
    period: str
    first_on: date | None = None
    locator: str
    note: str | None = None


class FiscalUnit(Frozen):
    """The municipal unit in which amounts are written; its value is the user's dated input."""

    name: Literal["UFM"]
    note: str | None = None


class Sanctions(Frozen):
    """The sanction tables of a rulebook.

    Attributes:
        amounts: by class, dated.
        cumulative: distinct breaches are summed.
        liable: pt-BR, who answers unless a sanction says otherwise.
        notes: pt-BR, our decisions on how the penal clauses are read.
    """

    amounts: tuple[Amounts, ...] = ()
    fiscal_unit: FiscalUnit | None = None
    cumulative: bool
    cumulative_locator: str | None = None
    recurrence: Recurrence | None = None
    indexation: Indexation | None = None
    liable: tuple[str, ...] = ()
    procedure: tuple[Procedure, ...] = ()
    notes: tuple[str, ...] = ()


class Validity(Frozen):
    """Kind 32: from when to when a rulebook is in force, both days included.

    Attributes:
        in_force_from: first day; none where the text supplied does not say.
        in_force_to: last day.
        revoked_by: the revoking act.
        succeeded_by: later acts on the subject whose text is not loaded.
        text_status: what the rules were written from.
        note: pt-BR, what is doubtful about the dates.
    """

    in_force_from: date | None = None
    in_force_to: date | None = None
    revoked_by: str | None = None
    succeeded_by: tuple[str, ...] = ()
    text_status: Literal["complete", "partial", "secondary"]
    note: str | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.in_force_from and self.in_force_to and self.in_force_to < self.in_force_from:
            raise ValueError("in_force_to é anterior a in_force_from")
        if self.revoked_by and not self.in_force_to:
            raise ValueError("norma revogada precisa de in_force_to")
        return self
