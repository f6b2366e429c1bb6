"""What every test of a rule has: its reading, where it applies, what a breach means."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from geocheck.model.base import Frozen
from geocheck.model.request import Attributes
from geocheck.model.words import LAYERS, ZONES, Place

Layer = Literal[LAYERS]  # type: ignore[valid-type]
Zone = Literal[ZONES]  # type: ignore[valid-type]
Attribute = Literal[
    "plates",
    "box",
    "code",
    "hours",
    "identified",
    "of_served_lot",
    "bounds_median",
    "coverage",
    "kind",
]
TOPICS: Final = (
    "corner",
    "kerb_gap",
    "position",
    "flow_direction",
    "expressway",
    "shoulder",
    "hydrant",
    "footway",
    "crossing",
    "cycleway",
    "median",
    "median_side",
    "island",
    "green",
    "driveway",
    "double_row",
    "crossing_area",
    "bus_stop",
    "bridge",
    "signs",
    "special_bay",
    "permit",
    "signalling",
    "work_permit",
    "footway_use",
)
"""Subjects on which a city's own rule displaces the federal code (only federal tests carry one)."""

Topic = Literal[TOPICS]  # type: ignore[valid-type]

Metres = Annotated[float, Field(ge=0, le=200)]
"""A distance of a street rule; more than 200 is taken for a slip of unit (centimetres)."""

PositiveMetres = Annotated[float, Field(gt=0, le=200)]


def _plain(value: object) -> object:
    if not isinstance(value, (bool, int, str)):
        raise ValueError("deve ser true, false, um número inteiro ou um texto")  # noqa: TRY004 (pydantic wants it)
    return value


Value = Annotated[Any, AfterValidator(_plain)]
"""A value of an attribute; `When` checks that it is one of that attribute's."""


class When(Frozen):
    """The attribute of the feature on which a test depends.

    Attributes:
        attribute: word of the closed list (`plates`, `box`, `identified`, …).
        is_: values for which the test applies (TOML key `is`).
        is_not: values for which it does not; exactly one of `is` and `is_not` is given.
        unknown: what to do when nobody knows the attribute: `soft` (a breach gives `conditional` only),
            `applies` (judged in full) or `skip`.
    """

    attribute: Attribute
    is_: tuple[Value, ...] | None = Field(default=None, alias="is", min_length=1)
    is_not: tuple[Value, ...] | None = Field(default=None, min_length=1)
    unknown: Literal["soft", "applies", "skip"]

    @model_validator(mode="after")
    def _one_of(self) -> Self:
        if (self.is_ is None) == (self.is_not is None):
            raise ValueError("dê exatamente um de “is” e “is_not”")
        for value in self.is_ or self.is_not or ():
            try:
                Attributes.model_validate({self.attribute: value})
            except ValidationError:
                raise ValueError(f"“{value}” não é um valor de {self.attribute}") from None
        return self

    def fits(self, value: object) -> bool:
        """Whether a known value is one for which the test applies."""
        return value in self.is_ if self.is_ is not None else value not in (self.is_not or ())


class BaseTest(Frozen):
    """Fields common to all kinds.

    Attributes:
        reading: `primary`, or the name of a stricter defensible reading (its breach is `conditional`).
        label: pt-BR name of the test or reading, shown where a rule has several.
        where: places where the test applies; none given: those of the rule.
        on_breach: `conditional` where the decision on the law's ambiguity allows no more.
        locator: passage of the law for this test alone, where it differs from the rule's.
        sanction: id of one of the rule's sanctions, where this test has its own.
        by_reference: the other act that this test comes from (`CTB, art. 181, II`).
        topic: subject for the federal fall-back (federal rulebook only).
        when: attribute on which the test depends.
        note: pt-BR, our decision on how the test is read.
    """

    kind: str
    reading: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")] = "primary"
    label: str | None = None
    where: tuple[Place, ...] | None = Field(default=None, min_length=1)
    on_breach: Literal["violation", "conditional"] = "violation"
    locator: str | None = None
    sanction: str | None = None
    by_reference: str | None = None
    topic: Topic | None = None
    when: When | None = None
    note: str | None = None

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers this test looks at."""
        return ()
