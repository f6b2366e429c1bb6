"""The report: findings, what is pending, required and to be kept, and the verdict (schema of the JSON)."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from geocheck.model.base import Frozen
from geocheck.model.request import Request

SCHEMA: Final = "geocheck/report/1"

OutcomeCode = Literal[
    "not_applicable", "compliant", "conditional", "not_evaluated", "borderline", "violation"
]
BasisCode = Literal["map", "plan", "measured", "observed", "declared"]


class Sparse(Frozen):
    """A model whose keys named in `optional` are left out of the JSON when they are null."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @model_serializer(mode="wrap")
    def _leave_out(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = handler(self)
        return {key: value for key, value in values.items() if value is not None or key not in self.optional}

    @property
    def optional(self) -> frozenset[str]:
        """Keys that disappear when null."""
        return frozenset()


class Values(Sparse):
    """A measured value and its limit; the unit stands in the key.

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
    measured_deg: float | None = None
    limit_deg: float | None = None
    measured_m3: float | None = None
    limit_m3: float | None = None
    measured_count: int | None = None
    limit_count: int | None = None
    measured_at: str | None = None
    limit_at: str | None = None

    @property
    def optional(self) -> frozenset[str]:
        """All values but metres."""
        return frozenset(key for key in Values.model_fields if not key.endswith("_m"))


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


PendingGroup = Literal["around", "block", "tape", "facts"]


class Pending(Frozen):
    """Something to measure, to look for or to tell that would settle a rule.

    Attributes:
        rule: the rule that waits for it.
        action: `look` on site, `measure` with a tape, or `tell` a fact.
        layer: what to look for.
        key: name of the answer in a request (`measured`, `site`, …).
        reach_m: how far to look, metres; 0 is right here.
        text: the question, pt-BR.
        group: what is answered at once: `around` by one look around the skip, `block` by one walk along the
            block face, `tape` with the tape, `facts` by the applicant.
    """

    rule: str
    action: Literal["look", "measure", "tell"]
    layer: str | None
    key: str | None
    reach_m: float | None
    text: str
    group: PendingGroup | None = None


class Required(Frozen):
    """An act of an authority, a fee or a notice that the placement needs.

    Attributes:
        rule: the rule that asks for it.
        act: its kind.
        held: the user holds it.
        text: what it is, pt-BR.
    """

    rule: str
    act: Literal["authorisation", "fee", "notice"]
    held: bool
    text: str


class Condition(Frozen):
    """Something to be kept while the skip stands.

    Attributes:
        rule: the rule that asks for it.
        text: what to keep, pt-BR.
    """

    rule: str | None
    text: str


class ChecklistItem(Frozen):
    """A duty of papers, marking or conduct; never part of the verdict.

    Attributes:
        rule: the rule that asks for it.
        rulebook: id of its rulebook.
        kind: kind of duty.
        declared: the user declared that it is met.
        text: the duty, pt-BR.
        law: where it stands.
    """

    rule: str
    rulebook: str
    kind: str
    declared: bool
    text: str
    law: LawReport


class Power(Frozen):
    """An authority that may decide otherwise.

    Attributes:
        rule: the rule that says so.
        authority: which one.
        effect: what it may decide, pt-BR.
    """

    rule: str
    authority: str
    effect: str


class Notice(Frozen):
    """Something the reader must know of the whole answer.

    Attributes:
        code: closed word for programs.
        text: the notice, pt-BR.
    """

    code: str
    text: str


class RulebookReport(Frozen):
    """A rulebook that was applied.

    Attributes:
        id: its id.
        title: the act.
        status: its standing on the day of the placing.
        in_force_from: date, null where not known.
        in_force_to: date, null where it is in force or not known.
        revoked_by: the act that revoked it.
        succeeded_by: later acts whose text is not loaded.
        preface: what to know before reading, pt-BR.
        silent_on: topics on which it says nothing.
        sha256: hash of the rulebook file.
    """

    id: str
    title: str
    status: Literal["in_force", "revoked", "not_yet_in_force", "unknown"]
    in_force_from: str | None
    in_force_to: str | None
    revoked_by: str | None
    succeeded_by: tuple[str, ...]
    preface: str | None
    silent_on: tuple[str, ...]
    sha256: str


class StayReport(Frozen):
    """How long the skip may stand.

    Attributes:
        leave_by: last instant, ISO 8601; null where no term applies.
        basis: the term and its article, pt-BR.
        rule: the rule that gives it.
        counted: the count, day by day, pt-BR.
        advice: earlier instants to play safe by, ISO 8601.
        shortens: what would make it earlier, pt-BR.
    """

    leave_by: str | None
    basis: str | None
    rule: str | None
    counted: tuple[str, ...]
    advice: tuple[str, ...]
    shortens: tuple[str, ...]


class PenaltyReport(Frozen):
    """The sum of the fines in force for the violations found; analogies and revoked amounts apart.

    Attributes:
        total_brl: reais, decimal text.
        recurrence_brl: the same for a repeated offence.
        total_ufm: in units that the city updates, decimal text.
        revoked_brl: by revoked rulebooks, reais, outside the sum.
        revoked_recurrence_brl: the same for a repeated offence.
        notes: how the sum was made, pt-BR.
    """

    total_brl: str | None
    recurrence_brl: str | None
    total_ufm: str | None
    revoked_brl: str | None
    revoked_recurrence_brl: str | None
    notes: tuple[str, ...]


class BundleLayer(Frozen):
    """A layer of the map that was used.

    Attributes:
        name: of the layer.
        features: how many it holds.
        accuracy_m: half-width of the 95 % interval of where they are, metres.
        completeness: whether an empty place means that there is nothing.
        date: of the data.
    """

    name: str
    features: int
    accuracy_m: float | None
    completeness: Literal["complete", "partial", "unknown"]
    date: str | None


class BundleReport(Frozen):
    """The map that was used.

    Attributes:
        sha256: its hash, by which it is named.
        built_at: instant, ISO 8601.
        crs: metric system of the city.
        layers: what it holds.
    """

    sha256: str
    built_at: str
    crs: str
    layers: tuple[BundleLayer, ...]


class KerbReport(Frozen):
    """The kerb beside which the skip stands; beyond its ends lie the mouths of side streets.

    Attributes:
        id: its name in the bundle.
        street: name, null where the map has none.
        side: of the street, as its axis is drawn.
        gap_m: from the skip to the kerb, metres.
        angle_deg: of the long axis to the kerb, 0 to 90.
        station_m: both ends of the skip, metres along the kerb with the traffic, from its start.
        centre_m: its middle, the same.
        width_source: where the width of the carriageway, and so the kerb, comes from.
        accuracy_m: half-width of the 95 % interval of where the kerb is, metres.
    """

    id: str
    street: str | None
    side: Literal["left", "right"] | None
    gap_m: float
    angle_deg: float
    station_m: tuple[float, float]
    centre_m: float
    width_source: str | None
    accuracy_m: float


class Report(Frozen):
    """The answer; all geometry is GeoJSON in WGS 84 degrees.

    Attributes:
        schema_: name and version of this schema.
        engine: program and version.
        evaluated_at: instant of the check, ISO 8601.
        request: what was asked, as validated.
        city: id of the city.
        start: instant of the placing, ISO 8601.
        end: instant of the removal, ISO 8601; null where neither the user nor the law says.
        where: where on the ground the skip stands.
        rulebooks: the law that was applied.
        bundle: the map; null where none was used.
        footprint: the skip's outline, GeoJSON polygon; null where it is not on a map.
        kerb: the kerb beside it; null without one.
        verdict: on place and time; only the city authorises.
        summary: the verdict's reason, pt-BR.
        notices: what to know of the whole answer, the gravest first.
        findings: every evaluable rule that counts, those that do not apply included.
        pending: what would settle the rules that are open.
        requires: acts of authorities, fees and notices.
        conditions: what to keep while the skip stands.
        checklist: duties of papers, marking and conduct.
        powers: authorities that may decide otherwise.
        second_opinion: the federal code where the city has its own rule on the topic.
        penalties: the sum of fines.
        stay: how long it may stand.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True, serialize_by_alias=True
    )

    schema_: Literal["geocheck/report/1"] = Field(default=SCHEMA, alias="schema")
    engine: str
    evaluated_at: str
    request: Request
    city: str
    start: str
    end: str | None
    where: str
    rulebooks: tuple[RulebookReport, ...]
    bundle: BundleReport | None
    footprint: dict[str, Any] | None
    kerb: KerbReport | None
    verdict: Literal["prohibited", "inconclusive", "conditional", "no_impediment_found"]
    summary: str
    notices: tuple[Notice, ...]
    findings: tuple[FindingReport, ...]
    pending: tuple[Pending, ...]
    requires: tuple[Required, ...]
    conditions: tuple[Condition, ...]
    checklist: tuple[ChecklistItem, ...]
    powers: tuple[Power, ...]
    second_opinion: tuple[FindingReport, ...]
    penalties: PenaltyReport
    stay: StayReport
