"""Kinds 16–21: tests of when the skip stands, and of the acts and fees that its time asks for."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from geocheck.law.kinds.base import BaseTest, Zone
from geocheck.law.stays import StayTerm
from geocheck.law.windows import Window
from geocheck.model.base import Frozen

Windows = tuple[Window, ...]


class _InZones(BaseTest):
    zones: tuple[Zone, ...] = ()

    @property
    def layers(self) -> tuple[str, ...]:
        return self.zones


class ZoneAuthorisation(_InZones):
    """Kind 16: in the zones (none named: everywhere) the stay needs an act of the authority.

    `restricted` are the windows in which it does (none given: always); touching one of
    `restricted_strict` alone gives `conditional`. `issue_h` is the term for the act to be issued.
    """

    kind: Literal["zone_authorisation"]
    authority: str
    acts: Annotated[tuple[Literal["place", "stay", "remove"], ...], Field(min_length=1)]
    restricted: Windows = ()
    restricted_strict: Windows = ()
    issue_h: Annotated[int, Field(gt=0, le=8784)] | None = None


class OperationWindow(_InZones):
    """Kind 17: placing and removing only in `allowed` windows, or not in `forbidden` ones.

    `undefined` marks a rule whose times the law leaves to another act: it is then never evaluated.
    """

    kind: Literal["operation_window"]
    acts: Annotated[tuple[Literal["place", "remove"], ...], Field(min_length=1)]
    allowed: Windows = ()
    forbidden: Windows = ()
    undefined: bool = False

    @model_validator(mode="after")
    def _one_list(self) -> Self:
        if (bool(self.allowed), bool(self.forbidden), self.undefined).count(True) != 1:
            raise ValueError("dê um de allowed, forbidden e undefined = true")
        return self


class PresenceWindow(_InZones):
    """Kind 18: standing is forbidden in the `forbidden` windows (or outside the `allowed` ones)."""

    kind: Literal["presence_window"]
    allowed: Windows = ()
    forbidden: Windows = ()

    @model_validator(mode="after")
    def _one_list(self) -> Self:
        if bool(self.allowed) == bool(self.forbidden):
            raise ValueError("dê um de allowed e forbidden")
        return self


class Extension(Frozen):
    """An act that lengthens a stay.

    Attributes:
        act: pt-BR, the act.
        rule: the rule that asks for the act and is listed as `authorised`; none given: this one.
        zones: where it may be given; none named: everywhere.
        term: the longer period; none given: the act itself sets it.
    """

    act: str
    rule: str | None = None
    zones: tuple[Zone, ...] = ()
    term: StayTerm | None = None


class MaxStay(BaseTest):
    """Kind 19: how long a skip may stand.

    Attributes:
        term: the period and how it is counted.
        full: whether the term is for a skip not yet full (`not_full`), a full one, or `any`.
        advice: shown as a date to play safe by, never judged.
        extension: the act that may lengthen the stay, held when its rule is `authorised`.
        same_place: pt-BR, when moving the skip does not restart the clock.
    """

    kind: Literal["max_stay"]
    term: StayTerm
    full: Literal["not_full", "full", "any"] = "any"
    advice: bool = False
    extension: Extension | None = None
    same_place: str | None = None


class SignRestriction(BaseTest):
    """Kind 20: a sign of one of the codes governs the spot at some time of the stay."""

    kind: Literal["sign_restriction"]
    codes: Annotated[tuple[Literal["R-6a", "R-6b", "R-6c"], ...], Field(min_length=1)]

    @property
    def layers(self) -> tuple[str, ...]:
        """Signs."""
        return ("sign",)


class FeeRequirement(_InZones):
    """Kind 21: a fee for each bay touched, in the paid `hours` (none given: those signed on site).

    `bay_length_m` is the service's own number where bays are not marked.
    """

    kind: Literal["fee_requirement"]
    per: Literal["bay", "day", "hour"]
    hours: Windows = ()
    bay_length_m: Annotated[float, Field(gt=0, le=12)] | None = None
    act: str
