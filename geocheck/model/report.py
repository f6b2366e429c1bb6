"""The report: findings, what is pending, required and to be kept, and the verdict (schema of the JSON)."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import ConfigDict, Field

from geocheck.model.base import Frozen
from geocheck.model.finding import FindingReport, LawReport
from geocheck.model.request import Request

SCHEMA: Final = "geocheck/report/1"

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
