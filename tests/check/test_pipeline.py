"""The whole pipeline: batches, ignorance, one more measurement, dates of the law, plans, acts, places."""

from __future__ import annotations

import datetime as dt
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.api import check, check_many
from geocheck.check.pipeline import run
from geocheck.cities import load_city
from geocheck.errors import DataFileError, InputError
from geocheck.law.load import LoadedRulebook
from geocheck.law.rulebook import Rulebook
from geocheck.law.versions import CityLaw, city_law
from geocheck.model.report import Report
from geocheck.model.request import Request, parse_request
from geocheck.model.words import LAYERS, MEASURED_KEYS, ZONES, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.check.pipeline import Checked
    from geocheck.law.kinds import RuleTest
    from geocheck.model.finding import FindingReport

unhurried = settings(deadline=None, max_examples=12)
NOW = dt.datetime(2026, 11, 30, 15, 0, tzinfo=dt.UTC)
CITIES = ["goiania", "juiz-de-fora", "dois-vizinhos", "olinda", "rio-verde"]
PLACES = ["carriageway", "parking_bay", "shoulder", "footway", "property"]
STREET = PLACES[:-1]
MONDAY = {"start": "2026-08-03T10:00"}
SEVERITY = [each.code for each in sorted(Outcome)]
NO_OPEN_OUTCOME = {"compliant", "violation", "not_applicable"}


def report(city: str, **request: object) -> Report:
    return check(parse_request({"city": city, **MONDAY, **request}), now=NOW)


def by_rule(findings: tuple[FindingReport, ...]) -> dict[str, FindingReport]:
    return {finding.rule: finding for finding in findings}


def finding(city: str, rule: str, **request: object) -> FindingReport:
    return by_rule(report(city, **request).findings)[rule]


def judged(city: str, requests: list[dict[str, Any]]) -> Checked:
    """Judge requests of one day, without words."""
    parsed = [parse_request({"city": city, **MONDAY, **request}) for request in requests]
    (checked,) = run(parsed, city_law(city), NOW)
    return checked


def outcomes(city: str, rule: str, requests: list[dict[str, Any]]) -> list[str]:
    checked = judged(city, requests)
    number = [(bound.rule.id, bound.counts) for bound in checked.rules].index((rule, True))
    return [Outcome(int(code)).code for code in checked.findings[:, number]]


def rulebook_of(test: dict[str, Any]) -> LoadedRulebook:
    """Return a rulebook of one rule of one test."""
    header = dict.fromkeys(("id", "series", "title", "short_title", "source"), "teste")
    rule = {"id": "TST-01", "title": "teste", "asks": "teste", "law": {"article": "1"}, "test": [test]}
    return LoadedRulebook(
        Rulebook.model_validate(
            {
                "rulebook": {**header, "text_status": "complete"},
                "sanctions": {"cumulative": False},
                "rule": [rule],
            }
        ),
        "0" * 64,
    )


# ---------------------------------------------------------------- batches

STARTS = ["2005-03-01T09:00", "2026-08-03T10:00", "2026-08-08", "07/09/2026 18:30", "2026-10-23T10:00", None]
SOME_METRES = [
    0,
    0.04,
    0.05,
    0.3,
    0.5,
    0.52,
    1,
    1.2,
    1.76,
    2,
    2.65,
    3,
    5,
    5.02,
    6,
    7.5,
    9.99,
    10,
    12,
    30,
    150,
]
ATTRIBUTES: dict[str, list[Any]] = {
    "plates": [0, 1, 2],
    "code": ["R-6a", "R-6b", "R-6c"],
    "hours": ["Mo-Fr 07:00-19:00", "Su 08:00-12:00"],
    "coverage": ["whole", "part"],
    "kind": ["bay_line", "channelisation", "irregular", "emergency"],
    **{name: [True, False] for name in ("box", "identified", "of_served_lot", "bounds_median")},
}


def attributes_of(dice: random.Random, most: int) -> dict[str, Any]:
    names = dice.sample(sorted(ATTRIBUTES), dice.randint(0, most))
    return {name: dice.choice(ATTRIBUTES[name]) for name in names}


def a_request(city: str, rules: list[str], dice: random.Random) -> dict[str, Any]:
    """Throw a request of any kind; it may contradict itself."""

    def some(values: Sequence[str], most: int) -> list[str]:
        return dice.sample(values, dice.randint(0, most))

    start = dice.choice(STARTS)
    ends: list[str | None] = [None] if start == STARTS[0] else [None, None, "2026-12-01T08:00", "2026-12-24"]
    observed = [
        {
            "layer": dice.choice([layer, layer, "sign", "lot", "bus_stop", "driveway"]),
            "state": dice.choice(["none", "present"]),
            "reach_m": dice.choice(SOME_METRES),
            "attributes": attributes_of(dice, 3),
        }
        for layer in some(LAYERS, 6)
    ]
    facts = ["interior_possible", "footway_possible", "hoarding_possible", "bay_available"]
    facts += ["inside_hoarding", "credits_bought", "low_face_upstream", "recurrence", "merged_lot"]
    counts = ["skips_on_lot", "bays_on_block", "bays_occupied_on_block"]
    thrown = {
        "city": city,
        "where": dice.choice([*PLACES, None]),
        "mode": dice.choice(["planned", "observed", None]),
        "start": start,
        "end": dice.choice(ends),
        "full_at": dice.choice([None, None, "2026-12-20T10:00"]),
        "length_m": dice.choice([None, 2.65, 3.1]),
        "width_m": dice.choice([None, 1.76, 1.9]),
        "height_m": dice.choice([None, 1.3, 1.5]),
        "low_face_m": dice.choice([None, 0.6, 0.8]),
        "volume_m3": dice.choice([None, 5, 12]),
        "authorised": some(rules, 3),
        "declared": some(rules, 3),
        "measured": {key: dice.choice(SOME_METRES) for key in some(MEASURED_KEYS, 12)},
        "observed": observed,
        "in_zone": {zone: dice.random() < 0.5 for zone in some(ZONES, 6)},
        "site": {fact: dice.random() < 0.5 for fact in some(facts, 4)}
        | {count: dice.randint(0, 9) for count in some(counts, 2)},
    }
    return {key: value for key, value in thrown.items() if value is not None}


def varied(city: str, number: int) -> list[Request]:
    """Return requests of a city that do not contradict themselves, always the same ones."""
    dice, found = random.Random(f"{city}, {number}"), list[Request]()  # noqa: S311 - no secret
    rules = [rule.id for book in city_law(city).books for rule in book.book.rule]
    while len(found) < number:
        try:
            found.append(parse_request(a_request(city, rules, dice)))
        except DataFileError:
            continue
    return found


@pytest.fixture(scope="module", params=CITIES)
def batch(request: pytest.FixtureRequest) -> tuple[list[Request], list[Report]]:
    """Varied requests of one city and their reports, all from one batch."""
    requests = varied(request.param, 16)
    return requests, check_many(requests, now=NOW)


Batch = tuple[list[Request], list[Report]]


def test_a_batch_is_its_placements_one_by_one_in_order(batch: Batch) -> None:
    requests, reports = batch
    assert [each.request for each in reports] == requests
    for request, together in zip(requests, reports, strict=True):
        assert check(request, now=NOW) == together


def test_another_order_gives_the_same_reports_in_that_order(batch: Batch) -> None:
    requests, reports = batch
    order = list(range(len(requests)))
    random.Random(5).shuffle(order)  # noqa: S311 - no secret
    shuffled = check_many([requests[row] for row in order], now=NOW)
    assert shuffled == [reports[row] for row in order]


def test_varied_requests_reach_every_outcome_without_uncertainty(batch: Batch) -> None:
    """The batch is worth its name; and nothing taped is ever borderline."""
    findings = [each for one in batch[1] for each in (*one.findings, *one.second_opinion)]
    assert {each.outcome for each in findings} == set(SEVERITY) - {"borderline"}
    assert all(each.p_violation is None and each.uncertainty_m in (None, 0.0) for each in findings)


def test_a_finding_is_the_worst_of_its_tests(batch: Batch) -> None:
    for one in batch[1]:
        for each in (*one.findings, *one.second_opinion):
            assert each.outcome == max((test.outcome for test in each.tests), key=SEVERITY.index)


def test_the_verdict_follows_from_the_lists_of_the_report(batch: Batch) -> None:
    for one in batch[1]:
        codes = {each.outcome for each in one.findings}
        if "violation" in codes:
            expected = "prohibited"
        elif any(each.critical and each.outcome == "not_evaluated" for each in one.findings):
            expected = "inconclusive"
        elif "conditional" in codes or not all(act.held for act in one.requires):
            expected = "conditional"
        else:
            expected = "no_impediment_found"
        assert one.verdict == expected


def test_every_open_rule_asks_for_something(batch: Batch) -> None:
    for one in batch[1]:
        asked = {entry.rule for entry in one.pending}
        for each in one.findings:
            # What the law leaves to another act nobody can look up on site.
            if each.outcome == "not_evaluated" and each.rule != "OLD-04":
                assert each.rule in asked, (each.rule, one.request)


def test_second_opinions_ask_and_require_nothing(batch: Batch) -> None:
    for one in batch[1]:
        counted = {each.rule for each in one.findings}
        assert {entry.rule for entry in one.pending} | {act.rule for act in one.requires} <= counted


def test_a_batch_across_the_day_of_revocation_is_one_by_one() -> None:
    requests = [
        parse_request({"city": "goiania", "start": start})
        for start in ("2012-05-01T10:00", "2013-01-07T10:00")
    ]
    assert check_many(requests, now=NOW) == [check(each, now=NOW) for each in requests]


def test_no_requests_give_no_reports() -> None:
    assert check_many([], now=NOW) == []


def test_a_batch_is_of_one_city() -> None:
    requests = [parse_request({"city": city}) for city in ("goiania", "olinda")]
    with pytest.raises(InputError, match="goiania, olinda"):
        check_many(requests, now=NOW)


def test_a_law_of_duties_alone_answers() -> None:
    law = CityLaw(load_city("goiania"), (rulebook_of({"kind": "conduct_duty", "items": ["limpar"]}),), None)
    (checked,) = run([parse_request({"city": "goiania"})], law, NOW)
    assert checked.verdict.tolist() == ["no_impediment_found"]


# ---------------------------------------------------------------- ignorance


@pytest.mark.parametrize("where", [*STREET, None])
@pytest.mark.parametrize("city", CITIES)
def test_ignorance_is_never_a_pass(city: str, where: str | None) -> None:
    """Nothing known but the place and the day: no rule that looks at a layer is compliant."""
    request = {} if where is None else {"where": where}
    checked = judged(city, [request, {**request, "mode": "observed"}])
    for number, bound in enumerate(checked.rules):
        if any(test.layers for test in bound.tests):
            codes = {Outcome(int(code)).code for code in checked.findings[:, number]}
            assert "compliant" not in codes, bound.rule.id
    assert set(checked.verdict) <= {"inconclusive", "prohibited"}


@pytest.mark.parametrize(
    ("where", "site", "critical"),
    [
        ("carriageway", {}, False),  # impossibility is the applicant's declaration
        ("footway", {}, True),  # inside the hoarding or not: a fact of the place
        ("footway", {"inside_hoarding": True}, False),
    ],
)
def test_what_is_a_fact_of_the_place_is_critical(where: str, site: dict[str, bool], critical: object) -> None:
    got = finding("goiania", "GYN-09", where=where, site=site)
    assert (got.outcome, got.critical) == ("not_evaluated", critical)


@pytest.mark.parametrize("where", STREET)
@pytest.mark.parametrize("city", CITIES)
def test_a_plan_answers_for_the_kerb_alone(city: str, where: str) -> None:
    checked = judged(city, [{"where": where, "mode": "planned"}])
    for number, bound in enumerate(checked.rules):
        layers = {layer for test in bound.tests for layer in test.layers}
        if layers - {"kerb"}:
            assert Outcome(int(checked.findings[0, number])).code != "compliant", bound.rule.id


# ---------------------------------------------------------------- one more measurement


CORNER = {"corner_before_m", "corner_after_m"}
BY_KIND = {
    "clear_width": {"clear_width_m", "footway_width_m", "gap_m"},
    "containment": {"parking_lane_width_m", "gap_m"},
    "orientation": {"angle_deg"},
}
BY_LAYER = {
    "kerb": {"gap_m"},
    "corner": CORNER,
    "crossing_area": CORNER | {"crossing_area_m", "mouth_m"},  # a mouth opposite: no crossing there
    "gutter": {"gutter_m", "gap_m"},  # it runs along the kerb
    "median": {"median_m", "gap_m"},  # at its kerb or not
    "driveway": {"driveway_before_m", "driveway_after_m"},
}
BY_REFERENCE = {
    "building_line": {"cross_footway_width_m"},
    "corner_curve": {"corner_curve_before_m", "corner_curve_after_m"},
}


def keys_used(test: RuleTest) -> set[str]:
    """Return the measurements that have to do with a test, as the page on rulebooks lists them."""
    if test.kind in BY_KIND:
        return BY_KIND[test.kind]
    of_layers = [BY_LAYER.get(layer, {f"{layer}_m"}) for layer in test.layers]
    return BY_REFERENCE.get(getattr(test, "reference", ""), set()).union(*of_layers)


@pytest.mark.parametrize("city", CITIES)
def test_a_measurement_changes_only_the_rules_that_use_it(city: str) -> None:
    base = {
        "where": "carriageway",
        "width_m": 1.76,
        "measured": {"gap_m": 0.3, "corner_before_m": 12, "driveway_after_m": 9},
    }
    measured: dict[str, float] = dict(base["measured"])  # type: ignore[call-overload]
    changes = [(key, value) for key in MEASURED_KEYS for value in (0, 0.07, 1.5, 7, 60)]
    requests: list[dict[str, Any]] = [{**base, "where": where} for where in ("carriageway", "footway")]
    rows = [(first, key) for first in range(len(requests)) for key, _ in changes]
    requests += [
        {**requests[first], "measured": {**measured, key: value}}
        for first in (0, 1)
        for key, value in changes
    ]
    checked = judged(city, requests)
    touched = set()
    for row, (first, key) in enumerate(rows, start=2):
        for number, bound in enumerate(checked.rules):
            same = checked.findings[row, number] == checked.findings[first, number]
            if any(key in keys_used(test) for test in bound.tests):
                touched |= {key} if not same else set()
            else:
                assert same, (key, bound.rule.id)
                columns = list(checked.span[number])
                assert np.array_equal(checked.outcomes[row, columns], checked.outcomes[first, columns])
    # The test looked at something: the corner and the kerb matter in every city.
    assert {"corner_after_m", "gap_m"} <= touched


Statement = tuple[str, str, Any]
"""A field of the request, a key in it, and what is said there."""


def one_word_a_layer(dice: random.Random) -> list[Statement]:
    """Say something of many layers, of each one thing only, so that nothing contradicts anything."""
    said: list[Statement] = []
    # The corners answer for the crossing area too.
    for layer in dice.sample([layer for layer in LAYERS if layer != "crossing_area"], 30):
        own = {"gap_m"} if layer == "kerb" else {f"{layer}{side}_m" for side in ("", "_before", "_after")}
        keys = [key for key in MEASURED_KEYS if key in own]
        ways = ["look", *(["tape"] if keys else []), *(["zone"] if layer in ZONES else [])]
        way = dice.choice(ways)
        if way == "tape":
            said += [("measured", key, dice.choice(SOME_METRES)) for key in keys]
        elif way == "zone":
            said.append(("in_zone", layer, dice.random() < 0.5))
        else:
            state = dice.choice(["none", "present"])
            told = attributes_of(dice, 2) if state == "present" else {}
            seen = {"state": state, "reach_m": dice.choice(SOME_METRES), "attributes": told}
            said.append(("observed", layer, seen))
    widths = ["angle_deg", "parking_lane_width_m", dice.choice(["clear_width_m", "footway_width_m"])]
    said += [("measured", key, dice.choice(SOME_METRES[:-1])) for key in widths]
    facts = ["interior_possible", "footway_possible", "credits_bought", "low_face_upstream"]
    said += [("site", fact, dice.random() < 0.5) for fact in facts]
    return [*said, ("site", "skips_on_lot", dice.randint(0, 3))]


def request_of(said: list[Statement]) -> dict[str, Any]:
    fields = {
        field: {key: value for where, key, value in said if where == field}
        for field in ("measured", "in_zone", "site", "observed")
    }
    seen = [{"layer": layer, **look} for layer, look in fields.pop("observed").items()]
    return {**fields, "observed": seen}


@pytest.mark.parametrize("city", CITIES)
def test_more_knowledge_never_overturns_what_was_settled(city: str) -> None:
    """Leave out a part of what was said: a pass never hides a breach, a breach never hides a pass."""
    dice = random.Random(city)  # noqa: S311 - no secret
    whole, part = list[dict[str, Any]](), list[dict[str, Any]]()
    for _ in range(300):
        said = one_word_a_layer(dice)
        fixed = {
            "where": dice.choice(STREET),
            "width_m": 1.76,
            "end": dice.choice(["2026-08-03T20:00", "2026-08-05T12:00", "2026-08-20"]),
        }
        # Whether it stands inside a hoarding goes with the place.
        fixed_said: list[Statement] = [("site", "inside_hoarding", dice.random() < 0.5)]
        whole.append({**fixed, **request_of([*said, *fixed_said])})
        less = [each for each in said if dice.random() < 0.6]
        part.append({**fixed, **request_of([*less, *fixed_said])})
    checked = judged(city, [*whole, *part])
    more, less_ = checked.findings[:300], checked.findings[300:]
    breach, passed = Outcome.VIOLATION, Outcome.COMPLIANT
    overturned = ((less_ == passed) & (more == breach)) | ((less_ == breach) & (more != breach))
    assert [
        (checked.rules[number].rule.id, part[row], whole[row])
        for row, number in np.argwhere(overturned).tolist()
    ] == []
    # It was worth the while: much was settled by the rest, and some of it only by the whole.
    assert ((less_ == Outcome.NOT_EVALUATED) & (more == breach)).sum() > 100
    assert ((less_ == breach) & (more == breach)).sum() > 100


METRES = st.one_of(st.none(), st.integers(0, 400).map(lambda dm: dm / 10))


@unhurried
@given(
    st.sampled_from(["before", "after"]),
    st.lists(st.integers(0, 400), min_size=2, max_size=12, unique=True),
    METRES,
    st.sampled_from([None, 0, 2.5, 5]),
    METRES,
)
def test_farther_from_the_corner_is_never_worse(
    side: str, tenths: list[int], other: float | None, footway: float | None, curve: float | None
) -> None:
    fixed = {
        f"corner_{'after' if side == 'before' else 'before'}_m": other,
        "cross_footway_width_m": footway,
        "corner_curve_before_m": curve,
        "corner_curve_after_m": curve,
    }
    told = {key: value for key, value in fixed.items() if value is not None}
    requests = [
        {"where": "carriageway", "measured": {**told, f"corner_{side}_m": tenth / 10}}
        for tenth in sorted(tenths)
    ]
    for city, rule in (("goiania", "GYN-11"), ("juiz-de-fora", "JDF-14"), ("dois-vizinhos", "DVZ-13")):
        severities = [SEVERITY.index(code) for code in outcomes(city, rule, requests)]
        assert severities == sorted(severities, reverse=True)


# ---------------------------------------------------------------- measured at the limit


@pytest.mark.parametrize(
    ("metres", "outcome", "marginal"),
    [
        (4.94, "violation", False),
        (4.95, "violation", True),
        (4.99, "violation", True),
        (5.00, "compliant", True),
        (5.05, "compliant", True),
        (5.06, "compliant", False),
    ],
)
def test_a_tape_at_the_limit_is_marginal_and_final(metres: float, outcome: str, marginal: object) -> None:
    taped = {"corner_before_m": metres, "corner_after_m": 40}
    got = finding("dois-vizinhos", "DVZ-13", where="carriageway", measured=taped)
    assert (got.outcome, got.marginal, got.uncertainty_m) == (outcome, marginal, 0.0)
    assert (got.measured_m, got.limit_m, got.basis, got.p_violation) == (metres, 5.0, "measured", None)


@pytest.mark.parametrize(
    ("gap", "outcome", "marginal"),
    [
        (0.44, "compliant", False),
        (0.45, "compliant", True),
        (0.55, "violation", True),
        (0.56, "violation", False),
    ],
)
def test_a_gap_at_its_greatest_is_marginal(gap: float, outcome: str, marginal: object) -> None:
    got = finding("goiania", "GYN-10", where="carriageway", measured={"gap_m": gap})
    assert (got.outcome, got.marginal) == (outcome, marginal)


def test_a_tape_far_beyond_the_limit_is_not_marginal() -> None:
    """8 m upstream by tape, and no corner within 5 m."""
    none = {"layer": "corner", "state": "none", "reach_m": 5}
    got = finding(
        "dois-vizinhos",
        "DVZ-13",
        where="carriageway",
        measured={"corner_before_m": 8},
        observed=[none],
    )
    assert (got.outcome, got.marginal) == ("compliant", False)


def test_what_does_not_apply_is_not_marginal() -> None:
    taped = {"corner_before_m": 5.02, "corner_after_m": 40}
    got = finding("dois-vizinhos", "DVZ-13", where="property", measured=taped)
    assert (got.outcome, got.marginal) == ("not_applicable", False)


# ---------------------------------------------------------------- dates


def codes_of(one: Report) -> set[str]:
    return {notice.code for notice in one.notices}


@pytest.mark.parametrize(
    ("start", "end", "status", "revoked", "changes"),
    [
        ("2005-03-01T10:00", "2005-03-03T10:00", "in_force", False, False),
        ("2012-06-01T10:00", "2012-06-03T23:59:59", "in_force", False, False),
        ("2012-06-01T10:00", "2012-06-04T00:00", "in_force", False, True),
        ("2012-06-03T10:00", "2012-06-05T10:00", "in_force", False, True),
        ("2012-06-04T00:00", "2012-06-05T10:00", "revoked", True, False),
        ("2026-08-03T10:00", "2026-08-04T10:00", "revoked", True, False),
    ],
)
def test_the_law_of_the_day_in_goiania(
    start: str, end: str, status: str, revoked: object, changes: object
) -> None:
    """The decree held until 3 June 2012; it is said when it does not hold, and when that changes."""
    one = report("goiania", start=start, end=end)
    assert one.rulebooks[0].id == "goiania-decreto-286-2004"
    assert one.rulebooks[0].status == status
    assert ("revoked" in codes_of(one), "law_changes" in codes_of(one)) == (revoked, changes)
    if revoked:
        assert one.notices[0].code == "revoked"  # at the top
        assert "1.285" in one.notices[0].text
        assert one.findings, "a revoked decree still answers"


def test_the_federal_rule_of_reserved_bays_begins_in_november_2016() -> None:
    for start, there in (("2016-10-31T10:00", False), ("2016-11-01T10:00", True)):
        one = report("goiania", start=start, end=f"{start[:10]}T20:00")
        assert ("CTB-14" in by_rule(one.findings)) == there


@pytest.mark.parametrize(
    ("city", "start", "leave_by", "rule"),
    [
        ("goiania", "2026-10-23T10:00", "2026-10-30T23:59:59-03:00", "GYN-27"),
        ("juiz-de-fora", "2026-06-01T10:00", "2026-06-03T23:59:59-03:00", "JDF-30"),
        ("dois-vizinhos", "2026-08-07T10:00", "2026-08-12T10:00:00-03:00", "DVZ-15"),
        ("olinda", "2026-08-07T10:00", None, None),
        ("rio-verde", "2026-08-07T10:00", None, None),
    ],
)
def test_without_an_end_the_skip_stays_as_long_as_it_may(
    city: str, start: str, leave_by: str | None, rule: str | None
) -> None:
    one = report(city, start=start, where="carriageway")
    assert (one.end, one.stay.leave_by, one.stay.rule) == (leave_by, leave_by, rule)
    assert ("end_assumed" in codes_of(one)) == (leave_by is not None)
    if rule is not None:
        assert by_rule(one.findings)[rule].outcome == "compliant"


@pytest.mark.parametrize(
    ("full_at", "leave_by"),
    [
        ("2026-10-27T16:00", "2026-10-28T16:00:00-03:00"),  # 24 hours after it is full
        ("2026-10-30T12:00", "2026-10-30T23:59:59-03:00"),  # the fifth day, by the stricter reading
    ],
)
def test_of_several_terms_the_earliest_counts(full_at: str, leave_by: str) -> None:
    one = report("goiania", start="2026-10-23T10:00", full_at=full_at, where="carriageway")
    assert (one.stay.leave_by, one.end) == (leave_by, leave_by)
    assert by_rule(one.findings)["GYN-27"].outcome == "compliant"


def test_without_a_start_the_skip_is_placed_now() -> None:
    one = check(parse_request({"city": "olinda"}), now=NOW)
    assert one.start == "2026-11-30T12:00:00-03:00"
    assert {"start_assumed", "place_assumed"} <= codes_of(one)


# ---------------------------------------------------------------- plans


def test_a_plan_stands_at_thirty_centimetres_on_condition() -> None:
    one = report("juiz-de-fora", where="carriageway", mode="planned")
    got = by_rule(one.findings)["JDF-15"]
    assert (got.outcome, got.basis, got.measured_m, got.limit_m) == ("compliant", "plan", 0.30, 0.05)
    assert not got.marginal
    assert by_rule(one.findings)["JDF-11"].basis == "plan"
    assert "manter entre 0,05 m e 0,50 m da guia" in {condition.text for condition in one.conditions}


def test_a_plan_stands_parallel_on_condition() -> None:
    one = report("juiz-de-fora", where="carriageway", mode="planned")
    assert ("JDF-11", "manter a caçamba paralela à guia") in {
        (condition.rule, condition.text) for condition in one.conditions
    }


@pytest.mark.parametrize(
    "request_", [{"mode": "observed"}, {}, {"mode": "planned", "measured": {"gap_m": 0.6}}]
)
def test_what_stands_or_is_taped_is_no_plan(request_: dict[str, Any]) -> None:
    one = report("goiania", where="carriageway", **request_)
    got = by_rule(one.findings)["GYN-10"]
    assert got.basis != "plan"
    assert got.outcome == ("violation" if "measured" in request_ else "not_evaluated")
    assert not [condition for condition in one.conditions if "da guia" in condition.text]


# ---------------------------------------------------------------- acts


@pytest.mark.parametrize("held", [True, False])
def test_the_act_of_goiania(held: object) -> None:
    request = {
        "start": "2026-08-07T19:00",
        "end": "2026-08-08T08:00",
        "where": "carriageway",
        "in_zone": {"central_zone": True},
        "authorised": ["GYN-25"] if held else [],
    }
    one = report("goiania", **request)
    assert by_rule(one.findings)["GYN-25"].outcome == ("compliant" if held else "conditional")
    assert [(act.rule, act.act, act.held) for act in one.requires] == [("GYN-25", "authorisation", held)]


def test_no_act_is_required_in_the_exempt_hours() -> None:
    one = report("goiania", start="2026-08-08T13:00", end="2026-08-10T07:00", in_zone={"central_zone": True})
    assert by_rule(one.findings)["GYN-25"].outcome == "compliant"
    assert one.requires == ()


@pytest.mark.parametrize("act", ["CTB-15", "CTB-17"])
def test_one_permit_of_the_authority_is_that_of_the_other_article(act: str) -> None:
    without, with_it = report("olinda"), report("olinda", authorised=[act])
    for rule in ("CTB-15", "CTB-17"):
        assert by_rule(without.findings)[rule].outcome == "conditional"
        assert by_rule(with_it.findings)[rule].outcome == "compliant"
    assert {(need.rule, need.held) for need in without.requires} == {("CTB-15", False), ("CTB-17", False)}
    assert {(need.rule, need.held) for need in with_it.requires} == {("CTB-15", True), ("CTB-17", True)}


def test_a_rule_that_asks_for_no_act_gives_no_permit() -> None:
    one = report("olinda", authorised=["OLD-01"])
    assert by_rule(one.findings)["CTB-15"].outcome == "conditional"


def test_the_permit_of_a_second_opinion_does_not_make_the_verdict_depend() -> None:
    """A city that asks for nothing but hydrants: the federal permit is a second opinion in Goiânia."""
    law = city_law("goiania")
    hydrants = {"kind": "exclusion_zone", "features": ["hydrant"]}
    law = CityLaw(law.city, (rulebook_of(hydrants),), law.fallback)
    request = {
        "city": "goiania",
        "where": "carriageway",
        "in_zone": {"expressway": False},
        "observed": [{"layer": layer, "state": "none", "reach_m": 5} for layer in ("hydrant", "special_bay")],
    }
    (checked,) = run([parse_request(request)], law, NOW)
    permit = [(bound.rule.id, bound.counts) for bound in checked.rules].index(("CTB-15", False))
    assert checked.findings[0, permit] == Outcome.CONDITIONAL
    assert checked.verdict.tolist() == ["no_impediment_found"]


@pytest.mark.parametrize("field", ["authorised", "declared"])
def test_an_act_of_another_city_is_refused(field: str) -> None:
    with pytest.raises(InputError, match="GYN-25"):
        report("olinda", **{field: ["GYN-25"]})


# ---------------------------------------------------------------- one fact, one fine


def test_the_crossing_area_absorbs_the_corner() -> None:
    """In 2005 the decree held: R$ 200 for the crossing area alone, R$ 100 for the corner alone."""
    stay = {"start": "2005-03-01T20:00", "end": "2005-03-02T06:00", "where": "carriageway"}
    corner = {"corner_before_m": 3, "corner_after_m": 30}
    both = report("goiania", **stay, measured=corner, in_zone={"crossing_area": True})
    found = by_rule(both.findings)
    assert found["GYN-11"].outcome == found["GYN-12"].outcome == "violation"
    assert (found["GYN-11"].displaced_by, found["GYN-12"].displaced_by) == ("GYN-12", None)
    assert found["GYN-11"].sanction is not None
    assert not found["GYN-11"].sanction.in_summary
    assert both.penalties.total_brl == "200.00"
    assert "Área de cruzamento" in both.summary

    no_mouth = {"layer": "mouth", "state": "none"}
    alone = report("goiania", **stay, measured=corner, in_zone={"crossing_area": False}, observed=[no_mouth])
    found = by_rule(alone.findings)
    assert (found["GYN-11"].outcome, found["GYN-12"].outcome) == ("violation", "compliant")
    assert found["GYN-11"].displaced_by is None
    assert alone.penalties.total_brl == "100.00"


def test_what_is_not_breached_absorbs_nothing() -> None:
    """Not knowing the crossing area leaves the corner its own fine."""
    stay = {"start": "2005-03-01T20:00", "end": "2005-03-02T06:00", "where": "carriageway"}
    one = report("goiania", **stay, measured={"corner_before_m": 0, "corner_after_m": 30})
    found = by_rule(one.findings)
    assert (found["GYN-11"].outcome, found["GYN-12"].outcome) == ("violation", "not_evaluated")
    assert found["GYN-11"].displaced_by is None
    assert one.penalties.total_brl == "100.00"


def test_a_rule_that_is_kept_is_not_absorbed() -> None:
    far = dict.fromkeys(("corner_before_m", "corner_after_m", "corner_curve_before_m"), 20)
    far |= {"corner_curve_after_m": 20, "cross_footway_width_m": 2}
    one = report("goiania", where="carriageway", measured=far, in_zone={"crossing_area": True})
    found = by_rule(one.findings)
    assert (found["GYN-12"].outcome, found["GYN-11"].outcome) == ("violation", "compliant")
    assert found["GYN-11"].displaced_by is None


def test_a_second_opinion_is_not_in_the_account_of_fines() -> None:
    one = report("goiania", where="footway")
    assert by_rule(one.second_opinion)["CTB-06"].outcome == "violation"
    assert not [note for note in one.penalties.notes if "CTB-06" in note]


def test_a_stop_in_juiz_de_fora_costs_once() -> None:
    one = report("juiz-de-fora", where="carriageway", measured={"bus_stop_m": 0})
    found = by_rule(one.findings)
    assert (found["JDF-27"].outcome, found["JDF-12"].outcome) == ("violation", "violation")
    assert found["JDF-12"].displaced_by == "JDF-27"
    assert one.penalties.total_brl == "250.00"


# ---------------------------------------------------------------- places


def test_the_federal_ban_on_footways_is_heard_where_the_city_has_none() -> None:
    second = by_rule(report("goiania", where="footway").second_opinion)["CTB-06"]
    assert second.outcome == "violation"
    hoarding = report("goiania", where="footway", site={"inside_hoarding": True})
    assert by_rule(hoarding.second_opinion)["CTB-06"].outcome != "violation"
    for city in ("olinda", "rio-verde"):
        one = report(city, where="footway")
        assert by_rule(one.findings)["CTB-06"].outcome == "violation"
        assert one.verdict == "prohibited"
    for city in ("juiz-de-fora", "dois-vizinhos"):
        one = report(city, where="footway")
        heard = [each for each in (*one.findings, *one.second_opinion) if each.rule == "CTB-06"]
        assert heard
        assert all(each.outcome != "violation" for each in heard)
        assert all(test.label != "calçada" for each in heard for test in each.tests)


def test_the_federal_ban_on_shoulders_is_heard_where_the_city_has_none() -> None:
    for city in ("goiania", "olinda", "rio-verde"):
        assert finding(city, "CTB-04", where="shoulder").outcome == "violation"
    for city in ("juiz-de-fora", "dois-vizinhos"):
        one = report(city, where="shoulder")
        heard = [each for each in (*one.findings, *one.second_opinion) if each.rule == "CTB-04"]
        assert all(each.outcome == "not_applicable" for each in heard)
        # The carriageway of such roads stays forbidden.
        assert finding(city, "CTB-04", in_zone={"expressway": True}).outcome == "violation"


@pytest.mark.parametrize(
    ("city", "concerned"),
    [
        ("goiania", {"GYN-09"}),
        ("juiz-de-fora", {"JDF-02", "JDF-07"}),
        ("dois-vizinhos", {"DVZ-02", "DVZ-18"}),
        ("olinda", set()),
        ("rio-verde", set()),
    ],
)
def test_inside_the_property_no_rule_of_the_street_applies(city: str, concerned: set[str]) -> None:
    """Even with everything in breach; the order of places and the hours of the axis do reach inside."""
    one = report(
        city,
        where="property",
        width_m=3,
        measured={"gap_m": 2, "corner_before_m": 1, "corner_after_m": 1, "bus_stop_m": 0, "angle_deg": 90},
        observed=[{"layer": layer, "state": "present"} for layer in ("crossing", "ramp", "taxi_stand")],
        end="2026-12-24",
    )
    heard = {each.rule for each in (*one.findings, *one.second_opinion) if each.outcome != "not_applicable"}
    assert heard == concerned
    assert one.verdict == ("inconclusive" if city == "dois-vizinhos" else "no_impediment_found")


def test_findings_hold_every_rule_of_the_city_that_can_be_judged() -> None:
    for city in CITIES:
        own = city_law(city).own[0].book
        expected = [rule.id for rule in own.rule if rule.evaluable_tests]
        listed = [each.rule for each in report(city, where="property").findings]
        assert [rule for rule in listed if not rule.startswith("CTB")] == expected
