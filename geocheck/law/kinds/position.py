"""Kinds 9–15: tests of how the skip stands, in what it stands, and of the skip itself."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from geocheck.law.kinds.base import BaseTest, Layer, PositiveMetres
from geocheck.model.base import Frozen
from geocheck.model.words import Place

Degrees = Annotated[float, Field(ge=0, le=90)]


class Orientation(BaseTest):
    """Kind 9: the long axis lies along the kerb (or across it), or the low face looks upstream.

    For the long axis: up to `compliant_deg` passes, up to `conditional_deg` is `conditional`, beyond it
    a breach; the degrees are the service's own numbers. For the low face the user's word decides.
    """

    kind: Literal["orientation"]
    aspect: Literal["parallel", "perpendicular", "low_face_upstream"]
    compliant_deg: Degrees | None = None
    conditional_deg: Degrees | None = None

    @model_validator(mode="after")
    def _degrees(self) -> Self:
        given = (self.compliant_deg, self.conditional_deg)
        if self.aspect == "low_face_upstream":
            if given != (None, None):
                raise ValueError("a face baixa não tem tolerância em graus")
        elif self.compliant_deg is None or self.conditional_deg is None:
            raise ValueError("faltam compliant_deg e conditional_deg")
        elif self.compliant_deg > self.conditional_deg:
            raise ValueError("compliant_deg é maior que conditional_deg")
        return self

    @property
    def layers(self) -> tuple[str, ...]:
        """The kerb, whose direction is that of the traffic beside it."""
        return ("kerb",)


class Containment(BaseTest):
    """Kind 10: the skip stands wholly inside one of the layers (parking lane, shoulder, …).

    In a parking lane, gap to the kerb plus width of the skip do not exceed the lane's width.
    """

    kind: Literal["containment"]
    within: Annotated[tuple[Layer, ...], Field(min_length=1)]

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers to stand in."""
        return self.within


class FrontageContainment(BaseTest):
    """Kind 11: the skip stands in front of the served lot; `preferred` is no duty."""

    kind: Literal["frontage_containment"]
    requirement: Literal["mandatory", "preferred"]

    @property
    def layers(self) -> tuple[str, ...]:
        """Lots."""
        return ("lot",)


class EquipmentLimit(BaseTest):
    """Kind 12: a size of the skip: exactly one of `min_m`, `max_m`, `max_m3`.

    `height` is that of the three high faces, `low_face` that of the one turned to the traffic.
    """

    kind: Literal["equipment_limit"]
    quantity: Literal["length", "width", "height", "low_face", "volume"]
    min_m: Annotated[float, Field(gt=0, le=12)] | None = None
    max_m: Annotated[float, Field(gt=0, le=12)] | None = None
    max_m3: Annotated[float, Field(gt=0, le=100)] | None = None

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if sum(limit is not None for limit in (self.min_m, self.max_m, self.max_m3)) != 1:
            raise ValueError("dê exatamente um de min_m, max_m e max_m3")
        if (self.max_m3 is not None) != (self.quantity == "volume"):
            raise ValueError("volume se limita em m³ (max_m3); as outras medidas, em metros")
        return self


class ClearWidth(BaseTest):
    """Kind 13: free passage left on the footway, at least `min_m` (or the absolute `floor_m`).

    `footway_width_m` less gap and width of the skip, or taped directly.
    """

    kind: Literal["clear_width"]
    min_m: PositiveMetres
    floor_m: PositiveMetres | None = None

    @property
    def layers(self) -> tuple[str, ...]:
        """Footways."""
        return ("footway",)


class CountLimit(BaseTest):
    """Kind 14: how many skips: `max_count` per lot or generator, or `max_share` of a block's bays.

    With a share, `or_count` skips are allowed on blocks of at most `small_block_bays` bays.
    """

    kind: Literal["count_limit"]
    per: Literal["lot", "generator", "block_face"]
    max_count: Annotated[int, Field(ge=1, le=100)] | None = None
    max_share: Annotated[float, Field(gt=0, le=1)] | None = None
    or_count: Annotated[int, Field(ge=0, le=100)] | None = None
    small_block_bays: Annotated[int, Field(ge=1, le=1000)] | None = None

    @model_validator(mode="after")
    def _count_or_share(self) -> Self:
        if (self.max_count is None) == (self.max_share is None):
            raise ValueError("dê max_count ou max_share")
        if (self.max_share is not None) != (self.per == "block_face"):
            raise ValueError("max_share é por quadra (per = “block_face”); max_count, por lote ou gerador")
        if (self.or_count is None) != (self.small_block_bays is None):
            raise ValueError("or_count e small_block_bays vêm juntos")
        return self

    @property
    def layers(self) -> tuple[str, ...]:
        """Lots or bays, and the skips that stand."""
        return ("standing_skip", "parking_bay" if self.per == "block_face" else "lot")


Possibility = Literal["interior_possible", "hoarding_possible", "footway_possible", "bay_available"]


class Step(Frozen):
    """One step of a ladder.

    Attributes:
        places: where the skip then stands.
        impossible: facts that must be false for this step to be open (nobody said: not evaluated).
        passed_over: facts that, when true, make the choice `conditional` (a preference passed over).
        inside_hoarding: the step is only open inside the hoarding.
        hoarding_is_inside: behind the hoarding counts as inside the property, so nothing need be impossible.
        act: rule whose authorisation turns a breach of `inside_hoarding` into `conditional`.
    """

    places: Annotated[tuple[Place, ...], Field(min_length=1)]
    impossible: tuple[Possibility, ...] = ()
    passed_over: tuple[Possibility, ...] = ()
    inside_hoarding: bool = False
    hoarding_is_inside: bool = False
    act: str | None = None


class PlacementLadder(BaseTest):
    """Kind 15: ordered steps; a lower one needs the higher ones to be impossible, by declaration."""

    kind: Literal["placement_ladder"]
    steps: Annotated[tuple[Step, ...], Field(min_length=2)]

    @model_validator(mode="after")
    def _each_place_once(self) -> Self:
        places = [place for step in self.steps for place in step.places]
        if len(places) != len(set(places)):
            raise ValueError("um lugar aparece em mais de um degrau")
        return self
