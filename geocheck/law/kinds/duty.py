"""Kinds 22–27: duties, powers and references that are stated, not measured."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from geocheck.law.kinds.base import BaseTest

Items = Annotated[tuple[str, ...], Field(min_length=1)]


class OperatorRequirement(BaseTest):
    """Kind 22: what the operator must hold or be, as pt-BR items."""

    kind: Literal["operator_requirement"]
    items: Items
    validity_years: Annotated[int, Field(gt=0)] | None = None


class MarkingRequirement(BaseTest):
    """Kind 23: paint, reflectors, inscriptions, state of the skip, as pt-BR items with their sizes."""

    kind: Literal["marking_requirement"]
    items: Items


class DocumentRequirement(BaseTest):
    """Kind 24: papers that go with the skip, as pt-BR items."""

    kind: Literal["document_requirement"]
    items: Items


class ConductDuty(BaseTest):
    """Kind 25: what people must do or leave, as pt-BR items."""

    kind: Literal["conduct_duty"]
    items: Items


class DiscretionaryPower(BaseTest):
    """Kind 26: an authority that may decide otherwise."""

    kind: Literal["discretionary_power"]
    authority: str
    effect: str


class ExternalReference(BaseTest):
    """Kind 27: another act that the rule leans on.

    `read_as` is `dynamic` when its later versions count, `static` when the cited text does.
    """

    kind: Literal["external_reference"]
    norm: str
    read_as: Literal["dynamic", "static"]
    fallback: str | None = None
