"""A finding of the report: one rule at a spot, its tests, values, law and sanction."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from geocheck.model.base import Frozen

OutcomeCode = Literal[
    "not_applicable", "compliant", "conditional", "not_evaluated", "borderline", "violation"
]
BasisCode = Literal["map", "plan", "measured", "observed", "declared"]


def _is_none(value: object) -> bool:
    return value is None


class Values(Frozen):
    """A measured value and its limit; the unit stands in the key. What is null is left out, but for metres.

    Attributes:
        measured_m: distance or size found, metres; 0 is contact or overlap.
        limit_m: its limit, metres.
        measured_deg: angle found, degrees.
        limit_deg: its limit, degrees.
        measured_m3: capacity found, cubic metres.
        limit_m3: its limit, cubic metres.
        measured_count: number found.
        limit_count: its limit.
        measured_at: instant found, ISO 8601 with its offset.
        limit_at: its limit, ISO 8601 with its offset.
    """

    measured_m: float | None = None
    limit_m: float | None = None
    measured_deg: float | None = Field(default=None, exclude_if=_is_none)
    limit_deg: float | None = Field(default=None, exclude_if=_is_none)
    measured_m3: float | None = Field(default=None, exclude_if=_is_none)
    limit_m3: float | None = Field(default=None, exclude_if=_is_none)
    measured_count: int | None = Field(default=None, exclude_if=_is_none)
    limit_count: int | None = Field(default=None, exclude_if=_is_none)
    measured_at: str | None = Field(default=None, exclude_if=_is_none)
    limit_at: str | None = Field(default=None, exclude_if=_is_none)


class TestReport(Values):
    """One test of a finding.

    Attributes:
        kind: kind of test, from the closed list of rulebooks.
        reading: `primary`, or the name of a stricter reading.
        label: what the rulebook calls the test, pt-BR.
        outcome: what is known of it.
        basis: where its value comes from; null where nothing is known.
    """

    __test__ = False

    kind: str
    reading: str
    label: str | None
    outcome: OutcomeCode
    basis: BasisCode | None


class FeatureRef(Frozen):
    """The feature a value was measured to.

    Attributes:
        layer: its layer.
        id: its name in the bundle; null where only the layer is known.
        source: where it comes from, such as `way/12` of OpenStreetMap.
    """

    layer: str
    id: str | None = None
    source: str | None = None


class SanctionReport(Frozen):
    """What a breach may cost by the letter of the law.

    Attributes:
        class_: class of the infraction, as the law words it.
        fine_brl: fine in reais, decimal text; the least where there is a range.
        fine_to_brl: greatest fine in reais, decimal text, of a range.
        fine_ufm: fine in units that the city updates, decimal text.
        in_summary: it is part of the sum of fines in force.
        prior_notice: whether a notice comes before the fine.
        measures: measures beside the fine.
        discretionary_measures: measures that the authority may take.
        liable: who answers for it.
        locator: the penal clause.
        note: how the amount was found, pt-BR.
    """

    class_: str | None = Field(alias="class")
    fine_brl: str | None
    fine_to_brl: str | None
    fine_ufm: str | None
    in_summary: bool
    prior_notice: str
    measures: tuple[str, ...]
    discretionary_measures: tuple[str, ...]
    liable: tuple[str, ...]
    locator: str | None
    note: str | None

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True, serialize_by_alias=True
    )


class LawReport(Frozen):
    """Where the rule stands.

    Attributes:
        title: the act.
        locator: article and paragraph.
        act: short title of the act where it is not the city's own.
    """

    title: str
    locator: str
    act: str | None = None


class FindingReport(Values):
    """One rule at this spot: the worst of its tests.

    Attributes:
        rule: id of the rule.
        rulebook: id of its rulebook.
        outcome: what is known of it.
        critical: not knowing it leaves the verdict open.
        title: what the rule is about, pt-BR.
        message: what was found, against what limit, and what decides, pt-BR.
        law: where the rule stands.
        kind: kind of the deciding test.
        metric: how it measures, such as `along_kerb`.
        uncertainty_m: half-width of the 95 % interval of the value, metres.
        p_violation: of a borderline value, how likely it is a breach, from 0 to 1.
        basis: where the value comes from; null where nothing is known.
        marginal: a taped value at its limit within the accuracy of the tape.
        assumed: the limit is the service's own number; the law gives none.
        by_reference: the other act through which the rule binds.
        displaced_by: the rule whose violation absorbs this one.
        feature: what the value was measured to.
        witness: where it was measured, GeoJSON geometry in lon/lat.
        remedy: the move that would mend it, judged anew, pt-BR; null where none is known.
        tests: its tests.
        sanction: what the breach may cost; null for rules that are kept.
        notes: notes of the rulebook, pt-BR.
    """

    rule: str
    rulebook: str
    outcome: OutcomeCode
    critical: bool
    title: str
    message: str
    law: LawReport
    kind: str
    metric: str | None
    uncertainty_m: float | None
    p_violation: float | None
    basis: BasisCode | None
    marginal: bool
    assumed: bool
    by_reference: str | None
    displaced_by: str | None
    feature: FeatureRef | None
    witness: dict[str, Any] | None = None
    remedy: str | None = None
    tests: tuple[TestReport, ...]
    sanction: SanctionReport | None
    notes: tuple[str, ...]
