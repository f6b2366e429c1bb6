"""Kinds 1–8: tests of where the skip is with regard to a feature."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from geocheck.law.kinds.base import BaseTest, Layer, Metres, PositiveMetres
from geocheck.model.base import Frozen

Features = Annotated[tuple[Layer, ...], Field(min_length=1)]


class _OfFeatures(BaseTest):
    features: Features

    @property
    def layers(self) -> tuple[str, ...]:
        return self.features


class MinDistance(BaseTest):
    """Kind 1: the gap to a feature is at least `min_m`.

    `reference` tells, for a corner, from which line it is measured; `sides` which neighbours count.
    """

    kind: Literal["min_distance"]
    feature: Layer
    min_m: PositiveMetres
    metric: Literal["along_kerb", "plan"]
    reference: Literal["kerb_prolongation", "corner_curve", "building_line", "point", "outline", "kerb"]
    sides: Literal["both", "before", "after"] = "both"
    assumed: bool = False

    @model_validator(mode="after")
    def _corner_reference(self) -> Self:
        corner_only = self.reference in {"kerb_prolongation", "corner_curve", "building_line"}
        if corner_only != (self.feature == "corner"):
            raise ValueError(f"referência “{self.reference}” não serve para a camada “{self.feature}”")
        return self

    @property
    def layers(self) -> tuple[str, ...]:
        """The feature, and the footways of the cross street for the building-line reading."""
        return (self.feature, "footway") if self.reference == "building_line" else (self.feature,)


class Band(Frozen):
    """A part of the forbidden values with its own sanction: `above_m` < value ≤ `up_to_m`."""

    above_m: Metres
    up_to_m: PositiveMetres | None = None
    sanction: str
    locator: str | None = None


class MaxDistance(BaseTest):
    """Kind 2: the gap to the kerb is at most `max_m`; bands give the sanction by size of the excess."""

    kind: Literal["max_distance"]
    feature: Literal["kerb"]
    max_m: Annotated[float, Field(gt=0, le=10)]
    bands: tuple[Band, ...] = ()

    @model_validator(mode="after")
    def _bands_join(self) -> Self:
        limit: float | None = self.max_m
        for band in self.bands:
            if band.above_m != limit:
                raise ValueError("as faixas devem começar em max_m e seguir uma da outra, sem falhas")
            if band.up_to_m is not None and band.up_to_m <= band.above_m:
                raise ValueError("faixa vazia: up_to_m deve ser maior que above_m")
            limit = band.up_to_m
        if self.bands and limit is not None:
            raise ValueError("a última faixa deve ficar aberta (sem up_to_m)")
        return self

    @property
    def layers(self) -> tuple[str, ...]:
        """The kerb."""
        return (self.feature,)


class DistanceRange(BaseTest):
    """Kind 3: the gap to the kerb lies between `min_m` and `max_m`, both allowed."""

    kind: Literal["distance_range"]
    feature: Literal["kerb"]
    min_m: Metres
    max_m: PositiveMetres

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_m > self.max_m:
            raise ValueError("min_m é maior que max_m")
        return self

    @property
    def layers(self) -> tuple[str, ...]:
        """The kerb."""
        return (self.feature,)


class IntervalExclusion(BaseTest):
    """Kind 4: nothing from `before_m` upstream of a feature (or its first plate) to `after_m` after it."""

    kind: Literal["interval_exclusion"]
    feature: Layer
    before_m: Metres
    after_m: Metres

    @property
    def layers(self) -> tuple[str, ...]:
        """The feature."""
        return (self.feature,)


class ExclusionZone(_OfFeatures):
    """Kind 5: the skip does not overlap any of the features, or (`beside`) stands at no kerb of one."""

    kind: Literal["exclusion_zone"]
    predicate: Literal["overlap", "beside"] = "overlap"


class FrontageExclusion(_OfFeatures):
    """Kind 6: the skip is not in front of a feature; `margin_m` on either side is the service's guess.

    Of the layer `unless_known` are a feature's own entrances: where they are known, the test is not about it.
    """

    kind: Literal["frontage_exclusion"]
    margin_m: Metres = 0.0
    unless_known: Layer | None = None


class UnquantifiedProximity(_OfFeatures):
    """Kind 7: "next to" without metres; `assumed_m` is the service's own number.

    A sure overlap is a breach (unless `overlap` is `conditional`, or `ignored` where a feature such as
    a signal is no place to stand on); within the assumed metres the answer is `conditional`, only for
    skips higher than `taller_than_m` where that is given (a low one hides nothing).
    """

    kind: Literal["unquantified_proximity"]
    assumed_m: PositiveMetres
    side: Literal["any", "upstream"] = "any"
    overlap: Literal["violation", "conditional", "ignored"] = "violation"
    taller_than_m: PositiveMetres | None = None


class SideOfFeature(BaseTest):
    """Kind 8: the feature nearest along the kerb lies on the other side of the skip.

    `side = "after"`: the skip stands downstream of it. Standing on the wrong side of the served lot's
    own feature is a breach, of a neighbour's or unknown one `conditional`. `reach_m` is how far along
    the kerb one must look to say that there is none (the service's number for a block face).
    """

    kind: Literal["side_of_feature"]
    feature: Literal["driveway"]
    side: Literal["after", "before"]
    reach_m: PositiveMetres

    @property
    def layers(self) -> tuple[str, ...]:
        """The feature."""
        return (self.feature,)
