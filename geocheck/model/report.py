"""The report: findings, what is pending, required and to be kept, and the verdict (schema of the JSON)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from geocheck.model.base import Frozen
from geocheck.model.request import Request

SCHEMA = "geocheck/report/1"

OutcomeCode = Literal[
    "not_applicable", "compliant", "conditional", "not_evaluated", "borderline", "violation"
]
BasisCode = Literal["map", "plan", "measured", "observed", "declared"]


class Sparse(Frozen):
    """A model whose keys named in `optional` are left out of the JSON when they are null."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_serializer(mode="wrap")
    def _leave_out(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = handler(self)
        return {key: value for key, value in values.items() if value is not None or key not in self.optional}

    @property
    def optional(self) -> frozenset[str]:
        """Keys that disappear when null."""
        return frozenset()


class Values(Sparse):
    """A measured value and its limit; the unit stands in the key."""

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
    """One test of a finding."""

    __test__ = False

    kind: str
    reading: str
    label: str | None
    outcome: OutcomeCode
    basis: BasisCode | None


class FeatureRef(Frozen):
    """The feature a value was measured to."""

    layer: str
    id: str | None = None
    source: str | None = None


class SanctionReport(Frozen):
    """What a breach may cost by the letter of the law."""

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

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True)


class LawReport(Frozen):
    """Where the rule stands; `act` is given where it is not the city's own."""

    title: str
    locator: str
    act: str | None = None


class FindingReport(Values):
    """One rule at this spot: the worst of its tests."""

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

    `group` joins what is answered at once: one look around the skip, one walk along the block face, the
    tape, and what the applicant tells.
    """

    rule: str
    action: Literal["look", "measure", "tell"]
    layer: str | None
    key: str | None
    reach_m: float | None
    text: str
    group: PendingGroup | None = None


class Required(Frozen):
    """An act of an authority, a fee or a notice that the placement needs."""

    rule: str
    act: Literal["authorisation", "fee", "notice"]
    held: bool
    text: str


class Condition(Frozen):
    """Something to be kept while the skip stands."""

    rule: str | None
    text: str


class ChecklistItem(Frozen):
    """A duty of papers, marking or conduct; never part of the verdict."""

    rule: str
    rulebook: str
    kind: str
    declared: bool
    text: str
    law: LawReport


class Power(Frozen):
    """An authority that may decide otherwise."""

    rule: str
    authority: str
    effect: str


class Notice(Frozen):
    """Something the reader must know of the whole answer."""

    code: str
    text: str


class RulebookReport(Frozen):
    """A rulebook that was applied."""

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

    `leave_by` is null where no term applies; `counted` tells the days, `advice` earlier dates to play safe
    by, `shortens` what would make it earlier.
    """

    leave_by: str | None
    basis: str | None
    rule: str | None
    counted: tuple[str, ...]
    advice: tuple[str, ...]
    shortens: tuple[str, ...]


class PenaltyReport(Frozen):
    """The sum of the fines in force for the violations found; analogies and revoked amounts apart."""

    total_brl: str | None
    recurrence_brl: str | None
    total_ufm: str | None
    revoked_brl: str | None
    revoked_recurrence_brl: str | None
    notes: tuple[str, ...]


class BundleLayer(Frozen):
    """A layer of the map that was used."""

    name: str
    features: int
    accuracy_m: float | None
    completeness: Literal["complete", "partial", "unknown"]
    date: str | None


class BundleReport(Frozen):
    """The map that was used; `sha256` is its name."""

    sha256: str
    built_at: str
    crs: str
    layers: tuple[BundleLayer, ...]


class KerbReport(Frozen):
    """The kerb beside which the skip stands.

    `station_m` holds both ends of the skip, `centre_m` its middle, in metres along the kerb as it is
    directed (with the traffic) from its start; beyond its ends lie the mouths of side streets.
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
    """The answer; `findings` holds every evaluable rule that counts, `second_opinion` the federal rest.

    `bundle`, `footprint` (a GeoJSON polygon) and `kerb` are null where no map was used. All geometry is
    GeoJSON in WGS 84 degrees.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True)

    schema_: str = Field(default=SCHEMA, alias="schema")
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
