"""Distances from tapes and looks (kinds 1–8) against plain-Python expectations in whole millimetres."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.check.pipeline import run
from geocheck.cities import load_city
from geocheck.law.load import LoadedRulebook
from geocheck.law.rulebook import Rulebook
from geocheck.law.versions import CityLaw
from geocheck.model.request import parse_request
from geocheck.model.words import Outcome

unhurried = settings(deadline=None, max_examples=25)
NOW = dt.datetime(2026, 8, 7, 12, tzinfo=dt.UTC)
PLACES = ["carriageway", "parking_bay", "shoulder", "footway", "property"]
KEYS = {
    "corner": ("corner_before_m", "corner_after_m"),
    "driveway": ("driveway_before_m", "driveway_after_m"),
    "hydrant": ("hydrant_m",),
    "bus_stop": ("bus_stop_m",),
}
LARGEST_FOOTWAY = 5_000  # mm; max_footway_m of Goiânia's sheet
SEVERITY = [each.code for each in sorted(Outcome)]


def judged(tests: list[dict[str, Any]], requests: list[dict[str, Any]]) -> list[str]:
    """Return the outcome of one rule of these tests for each request, all in one batch."""
    header = dict.fromkeys(("id", "series", "title", "short_title", "source"), "teste")
    rule = {"id": "TST-01", "title": "teste", "asks": "teste", "law": {"article": "1"}}
    book = Rulebook.model_validate(
        {
            "rulebook": {**header, "text_status": "complete"},
            "sanctions": {"cumulative": False},
            "rule": [{**rule, "where": PLACES, "test": tests}],
        }
    )
    law = CityLaw(load_city("goiania"), (LoadedRulebook(book, "0" * 64),), None)
    parsed = [parse_request({"city": "goiania", "where": "carriageway", **each}) for each in requests]
    (checked,) = run(parsed, law, NOW)
    return [Outcome(int(code)).code for code in checked.findings[:, 0]]


def one(test: dict[str, Any], **request: object) -> str:
    return judged([test], [request])[0]


def worst(*codes: str) -> str:
    return max(codes, key=SEVERITY.index)


class Words(NamedTuple):
    """What somebody says of the nearest feature of a layer, in millimetres."""

    layer: str
    before: int | None
    after: int | None
    none: int | None
    present: int | None

    @property
    def tapes(self) -> list[int]:
        """The sides somebody taped."""
        both = (self.before, self.after)[: len(KEYS[self.layer])]
        return [mm for mm in both if mm is not None]

    @property
    def all_taped(self) -> bool:
        """Whether no side is left that may hide a nearer one."""
        return len(self.tapes) == len(KEYS[self.layer])

    @property
    def most(self) -> float:
        """The nearest is at most so far."""
        return min([*self.tapes, *([] if self.present is None else [self.present])], default=math.inf)

    @property
    def least(self) -> int:
        """The nearest is at least so far; a side not taped may hide a nearer one, unless somebody looked."""
        if self.all_taped:
            return min(self.tapes)
        return 0 if self.none is None else min([*self.tapes, self.none])

    @property
    def more(self) -> bool:
        """It is more than `least`: nothing within r metres."""
        return not self.all_taped and self.none is not None

    def exceeds(self, mm: int) -> bool:
        """Tell whether it is surely more than some millimetres."""
        return self.least > mm or (self.more and self.least >= mm)

    def request(self, **attributes: object) -> dict[str, Any]:
        """Return it as fields of a request, with what was seen of the feature."""
        measured = {
            key: mm / 1000
            for key, mm in zip(KEYS[self.layer], (self.before, self.after), strict=False)
            if mm is not None
        }
        observed = [
            {"layer": self.layer, "state": state, "reach_m": mm / 1000}
            for state, mm in (("none", self.none), ("present", self.present))
            if mm is not None
        ]
        if attributes:
            if self.present is None:
                # The one that was taped, or one somewhere along the street.
                reach = min(self.tapes, default=2_000_000) / 1000
                observed.append({"layer": self.layer, "state": "present", "reach_m": reach})
            observed[-1]["attributes"] = attributes
        return {"measured": measured, "observed": observed}


@st.composite
def words(draw: st.DrawFn, layer: str, *limits: int) -> Words:
    """Draw what somebody says without contradicting themselves, often close to a limit."""
    close = [max(0, limit + off) for limit in (0, *limits) for off in (-6, -5, -4, -1, 0, 1, 4, 5, 6)]
    length = st.one_of(st.sampled_from(close), st.integers(0, 60_000))
    maybe = st.one_of(st.none(), length)
    before = draw(maybe)
    after = draw(maybe) if len(KEYS[layer]) == 2 else None
    said = Words(layer, before, after, None, None)
    none = draw(maybe)
    if none is not None and none >= said.most:
        none = None
    present = draw(maybe)
    if present is not None and (
        (none is not None and present <= none) or (said.all_taped and present < said.most)
    ):
        present = None
    return said._replace(none=none, present=present)


def several(layer: str, *limits: int) -> st.SearchStrategy[list[Words]]:
    return st.lists(words(layer, *limits), min_size=6, max_size=25)


def tolerance(limit: int) -> int:
    return 1 if limit < 100 else 5


def at_least(said: Words, limit: int, breach: str = "violation") -> str:
    if said.least >= limit - tolerance(limit):
        return "compliant"
    return breach if said.most < limit - tolerance(limit) else "not_evaluated"


def clear_of(said: Words, breach: str = "violation") -> str:
    """Judge an overlap: contact is a breach, anything else is not."""
    if said.exceeds(0):
        return "compliant"
    return breach if said.most == 0 else "not_evaluated"


def distance(layer: str, min_m: float, **more: object) -> dict[str, Any]:
    reference = "kerb_prolongation" if layer == "corner" else "outline"
    test = {"kind": "min_distance", "feature": layer, "min_m": min_m, "metric": "along_kerb"}
    return {**test, "reference": reference, **more}


# ---------------------------------------------------------------- 1 min_distance


@unhurried
@given(st.one_of(several("corner", 5000), several("driveway", 5000), several("hydrant", 5000)))
def test_min_distance(said: list[Words]) -> None:
    got = judged([distance(said[0].layer, 5.0)], [each.request() for each in said])
    assert got == [at_least(each, 5000) for each in said]


@unhurried
@given(several("hydrant", 50))
def test_min_distance_below_ten_centimetres(said: list[Words]) -> None:
    got = judged([distance("hydrant", 0.05)], [each.request() for each in said])
    assert got == [at_least(each, 50) for each in said]


@unhurried
@given(several("hydrant", 5000))
def test_an_assumed_distance_is_conditional(said: list[Words]) -> None:
    got = judged([distance("hydrant", 5.0, assumed=True)], [each.request() for each in said])
    assert got == [at_least(each, 5000, "conditional") for each in said]


@unhurried
@given(several("hydrant", 5000))
def test_a_breach_that_may_only_be_conditional(said: list[Words]) -> None:
    got = judged([distance("hydrant", 5.0, on_breach="conditional")], [each.request() for each in said])
    assert got == [at_least(each, 5000, "conditional") for each in said]


@unhurried
@given(several("corner", 5000))
def test_one_side_alone_is_decided_by_its_own_tape(said: list[Words]) -> None:
    said = [each._replace(none=None, present=None) for each in said]
    got = judged([distance("corner", 5.0, sides="after")], [each.request() for each in said])
    after = [Words("hydrant", each.after, None, None, None) for each in said]
    assert got == [at_least(each, 5000) for each in after]


def test_a_feature_seen_on_an_unknown_side_does_not_convict_one_side() -> None:
    said = Words("corner", before=2000, after=None, none=None, present=2000)
    assert judged([distance("corner", 5.0, sides="after")], [said.request()]) == ["not_evaluated"]


@unhurried
@given(several("corner", 5000, 10_000, 12_000), st.one_of(st.none(), st.integers(0, LARGEST_FOOTWAY)))
def test_building_line_reading(said: list[Words], footway: int | None) -> None:
    """The limit grows by the cross street's footway; unknown, only a margin beyond any footway passes."""
    tests = [distance("corner", 5.0), distance("corner", 5.0, reference="building_line", reading="strict")]
    width = {} if footway is None else {"cross_footway_width_m": footway / 1000}
    requests = [each.request() for each in said]
    got = judged(tests, [{**each, "measured": {**each["measured"], **width}} for each in requests])

    def strict(each: Words) -> str:
        if footway is None:
            return "compliant" if each.exceeds(5000 + LARGEST_FOOTWAY) else "conditional"
        return "compliant" if each.least >= 5000 + footway - 5 else "conditional"

    assert got == [worst(at_least(each, 5000), strict(each)) for each in said]


def test_a_taped_footway_wider_than_any_is_believed() -> None:
    """None within 12 m, but a footway of 8 m asks for 13 m: the strict reading is open."""
    said = Words("corner", None, None, 12_000, None).request()
    tests = [distance("corner", 5.0), distance("corner", 5.0, reference="building_line", reading="strict")]
    request = {**said, "measured": {"cross_footway_width_m": 8}}
    assert judged(tests, [request]) == ["conditional"]


@pytest.mark.parametrize(
    ("corner", "curve", "expected"),
    [
        ((5.0, 9.0), (5.0, 9.0), "compliant"),
        ((5.0, 9.0), (4.99, 9.0), "conditional"),
        ((5.0, 9.0), (9.0, 4.99), "conditional"),
        ((5.0, 9.0), (4.99, None), "conditional"),
        ((5.0, 9.0), (None, None), "conditional"),
        ((10.0, 11.0), (None, None), "conditional"),  # no more than the largest footway to spare
        ((10.01, 11.0), (None, None), "compliant"),
        ((10.01, 11.0), (4.99, 8.0), "conditional"),  # taped: no longer a matter of sparing
        ((4.99, 11.0), (9.0, 9.0), "violation"),
        ((11.0, None), (9.0, 9.0), "not_evaluated"),
    ],
)
def test_corner_curve_reading(
    corner: tuple[float | None, ...], curve: tuple[float | None, ...], expected: str
) -> None:
    tests = [distance("corner", 5.0), distance("corner", 5.0, reference="corner_curve", reading="strict")]
    keys = (*KEYS["corner"], "corner_curve_before_m", "corner_curve_after_m")
    measured = {key: value for key, value in zip(keys, (*corner, *curve), strict=True) if value is not None}
    assert judged(tests, [{"measured": measured}]) == [expected]


# ---------------------------------------------------------------- 2, 3 and the kerb

GAPS = st.one_of(
    st.none(),
    st.sampled_from([limit + off for limit in (50, 300, 500) for off in range(-6, 7)]),
    st.integers(0, 3000),
)


def kerb_requests(gap: int | None) -> list[dict[str, Any]]:
    measured = {} if gap is None else {"gap_m": gap / 1000}
    return [{"mode": mode, "measured": measured} for mode in ("observed", "planned", None)]


@unhurried
@given(GAPS)
def test_distance_to_the_kerb(gap: int | None) -> None:
    """At least 0.05 m, at most 0.50 m, or between 0.30 m and 0.50 m; a plan stands at 0.30 m."""
    tests = {
        (50, None): distance("kerb", 0.05, reference="kerb", metric="plan"),
        (None, 500): {"kind": "max_distance", "feature": "kerb", "max_m": 0.5},
        (300, 500): {"kind": "distance_range", "feature": "kerb", "min_m": 0.3, "max_m": 0.5},
    }
    for (low, high), test in tests.items():
        for request, got in zip(kerb_requests(gap), judged([test], kerb_requests(gap)), strict=True):
            stands = 300 if gap is None and request["mode"] == "planned" else gap
            if stands is None:
                expected = "not_evaluated"
            else:
                near_enough = high is None or stands <= high + tolerance(high)
                far_enough = low is None or stands >= low - tolerance(low)
                expected = "compliant" if near_enough and far_enough else "violation"
            assert got == expected, (test, request)


# ---------------------------------------------------------------- 4 interval_exclusion

STOP = {"kind": "interval_exclusion", "feature": "bus_stop", "before_m": 10.0, "after_m": 10.0}
NO_BOX = {"attribute": "box", "is": [False]}


@unhurried
@given(said=several("bus_stop", 10_000))
@pytest.mark.parametrize("box", [None, True, False])
def test_interval_exclusion_when_no_box_is_painted(said: list[Words], box: object) -> None:
    test = {**STOP, "when": {**NO_BOX, "unknown": "soft"}}
    attributes = {} if box is None else {"box": box}
    got = judged([test], [each.request(**attributes) for each in said])
    breach = "conditional" if box is None else "violation"
    assert got == ["not_applicable" if box else at_least(each, 10_000, breach) for each in said]


@pytest.mark.parametrize(
    ("unknown", "expected"), [("soft", "conditional"), ("applies", "violation"), ("skip", "not_applicable")]
)
def test_an_attribute_nobody_knows(unknown: str, expected: str) -> None:
    test = {**STOP, "when": {**NO_BOX, "unknown": unknown}}
    assert one(test, measured={"bus_stop_m": 9}) == expected


@pytest.mark.parametrize(
    ("plates", "expected"), [(0, "not_applicable"), (1, "violation"), (2, "not_applicable")]
)
def test_an_attribute_that_must_not_be(plates: int, expected: str) -> None:
    test = {**STOP, "when": {"attribute": "plates", "is_not": [0, 2], "unknown": "applies"}}
    stop = {"layer": "bus_stop", "state": "present", "reach_m": 9, "attributes": {"plates": plates}}
    assert one(test, observed=[stop]) == expected


@pytest.mark.parametrize(
    ("metres", "expected"),
    [
        (10.0, "compliant"),
        (7.0, "not_evaluated"),  # upstream it would be near enough to fail, downstream it passes
        (5.0, "not_evaluated"),
        (4.99, "violation"),
        (9.997, "compliant"),
        (4.997, "not_evaluated"),
    ],
)
@pytest.mark.parametrize(("before_m", "after_m"), [(5.0, 10.0), (10.0, 5.0)])
def test_an_uneven_interval_needs_the_side(
    before_m: float, after_m: float, metres: float, expected: str
) -> None:
    test = {**STOP, "before_m": before_m, "after_m": after_m}
    assert one(test, measured={"bus_stop_m": metres}) == expected


# ---------------------------------------------------------------- 5 exclusion_zone


@unhurried
@given(several("hydrant"))
def test_overlap(said: list[Words]) -> None:
    test = {"kind": "exclusion_zone", "features": ["hydrant"]}
    assert judged([test], [each.request() for each in said]) == [clear_of(each) for each in said]


@unhurried
@given(several("hydrant"), several("bus_stop"))
def test_overlap_of_several_features_is_the_worst_of_them(hydrants: list[Words], stops: list[Words]) -> None:
    test = {"kind": "exclusion_zone", "features": ["hydrant", "bus_stop"]}
    pairs = list(zip(hydrants, stops, strict=False))
    requests = [
        {
            "measured": {**hydrant.request()["measured"], **stop.request()["measured"]},
            "observed": [*hydrant.request()["observed"], *stop.request()["observed"]],
        }
        for hydrant, stop in pairs
    ]
    assert judged([test], requests) == [worst(clear_of(hydrant), clear_of(stop)) for hydrant, stop in pairs]


@pytest.mark.parametrize(
    ("inside", "expected"), [(True, "violation"), (False, "compliant"), (None, "not_evaluated")]
)
def test_overlap_with_a_zone(inside: object, expected: str) -> None:
    test = {"kind": "exclusion_zone", "features": ["bridge"]}
    assert one(test, in_zone={} if inside is None else {"bridge": inside}) == expected


@unhurried
@given(said=several("corner"))
@pytest.mark.parametrize("inside", [None, True, False])
def test_the_crossing_area_ends_at_the_corners(said: list[Words], inside: object) -> None:
    test = {"kind": "exclusion_zone", "features": ["crossing_area"]}
    zone = {} if inside is None else {"in_zone": {"crossing_area": inside}}
    got = judged([test], [{**each.request(), **zone} for each in said])
    by_corner = ["compliant" if each.exceeds(0) else "not_evaluated" for each in said]
    told = {True: "violation", False: "compliant"}
    assert got == (by_corner if inside is None else [told[bool(inside)]] * len(said))


@pytest.mark.parametrize(
    ("mouth", "inside", "expected"),
    [
        (("present", 0), True, "compliant"),
        (("present", 0), None, "compliant"),
        (("present", 3), True, "violation"),
        (("none", 0), True, "violation"),
        (("none", 0), None, "not_evaluated"),
    ],
)
def test_facing_the_mouth_of_a_side_street_is_no_crossing_area(
    mouth: tuple[str, float], inside: object, expected: str
) -> None:
    """At the far kerb of a T junction the mouth takes precedence."""
    seen = {"layer": "mouth", "state": mouth[0], "reach_m": mouth[1]}
    zone = {} if inside is None else {"crossing_area": inside}
    test = {"kind": "exclusion_zone", "features": ["crossing_area"]}
    assert one(test, observed=[seen], in_zone=zone) == expected


@pytest.mark.parametrize("where", PLACES)
def test_the_place_answers_for_footway_and_shoulder(where: str) -> None:
    for layer, hoarding, breaches in (
        ("footway", None, where == "footway"),
        ("footway", False, where == "footway"),
        ("footway", True, False),  # inside the hoarding it is not on the footway
        ("shoulder", None, where == "shoulder"),
    ):
        site = {} if hoarding is None else {"inside_hoarding": hoarding}
        got = one({"kind": "exclusion_zone", "features": [layer]}, where=where, site=site)
        assert got == ("violation" if breaches else "compliant")


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({}, "not_evaluated"),
        ({"observed": [("present", 1, {"bounds_median": True})]}, "violation"),
        ({"observed": [("present", 1, {"bounds_median": False})]}, "compliant"),
        ({"observed": [("present", 1, {})]}, "not_evaluated"),
        # The kerb at which it stands is a gap away: what lies farther is not at that kerb.
        ({"observed": [("none", 30, {})], "measured": {"gap_m": 0.3}}, "compliant"),
        ({"measured": {"median_m": 30, "gap_m": 0.3}}, "compliant"),
        ({"observed": [("none", 0.2, {})], "measured": {"gap_m": 0.3}}, "not_evaluated"),
        ({"observed": [("none", 0, {})]}, "not_evaluated"),
        ({"measured": {"median_m": 0.2, "gap_m": 0.2}}, "violation"),
        ({"measured": {"median_m": 0.2}}, "not_evaluated"),
    ],
)
def test_beside_a_median(request_: dict[str, Any], expected: str) -> None:
    observed = [
        {"layer": "median", "state": state, "reach_m": reach, "attributes": attributes}
        for state, reach, attributes in request_.get("observed", [])
    ]
    test = {"kind": "exclusion_zone", "features": ["median"], "predicate": "beside"}
    assert one(test, **{**request_, "observed": observed}) == expected


# ---------------------------------------------------------------- 6 frontage, 7 proximity


@unhurried
@given(said=several("hydrant", 10_000))
@pytest.mark.parametrize("margin", [0, 10_000])
def test_in_front_of_a_feature_and_its_assumed_margin(said: list[Words], margin: int) -> None:
    test = {"kind": "frontage_exclusion", "features": ["hydrant"], "margin_m": margin / 1000}
    got = judged([test], [each.request() for each in said])
    within = [at_least(each, margin, "conditional") if margin else "compliant" for each in said]
    assert got == [worst(clear_of(each), near) for each, near in zip(said, within, strict=True)]


def next_to(said: Words, assumed: int) -> str:
    """Judge "next to": the service's own metres count themselves in, and only make it depend."""
    if said.exceeds(assumed):
        return "compliant"
    return "conditional" if said.most <= assumed else "not_evaluated"


@unhurried
@given(said=several("hydrant", 1000))
@pytest.mark.parametrize("overlap", ["violation", "conditional", "ignored"])
@pytest.mark.parametrize("identified", [None, True, False])
def test_unquantified_proximity(said: list[Words], overlap: str, identified: object) -> None:
    test = {
        "kind": "unquantified_proximity",
        "features": ["hydrant"],
        "assumed_m": 1.0,
        "overlap": overlap,
        "when": {"attribute": "identified", "is": [True], "unknown": "soft"},
    }
    attributes = {} if identified is None else {"identified": identified}
    got = judged([test], [each.request(**attributes) for each in said])

    def expected(each: Words) -> str:
        if identified is False:
            return "not_applicable"
        near = next_to(each, 1000)
        if overlap == "ignored":
            return near
        breach = "conditional" if identified is None else overlap
        return worst(clear_of(each, breach), near)

    assert got == [expected(each) for each in said]


@pytest.mark.parametrize(
    ("metres", "expected"),
    [(0.0, "violation"), (0.01, "conditional"), (1.0, "conditional"), (1.001, "compliant")],
)
def test_exactly_at_the_assumed_metres_it_depends(metres: float, expected: str) -> None:
    test = {"kind": "unquantified_proximity", "features": ["hydrant"], "assumed_m": 1.0}
    assert one(test, measured={"hydrant_m": metres}) == expected


@pytest.mark.parametrize(
    ("height_m", "expected"),
    [(1.0, "compliant"), (1.2, "compliant"), (1.21, "conditional"), (None, "conditional")],
)
def test_a_low_skip_hides_nothing(height_m: float | None, expected: str) -> None:
    """Nobody says how high it is: it may hide the sign."""
    test = {"kind": "unquantified_proximity", "features": ["sign"], "assumed_m": 5.0, "taller_than_m": 1.2}
    assert one(test, measured={"sign_m": 3}, height_m=height_m) == expected


@pytest.mark.parametrize("other", [True, False])
def test_what_is_known_of_one_hydrant_is_not_known_of_another(other: object) -> None:
    """On a hydrant of which nobody knows whether it is identified; of another, 5 m off, somebody does."""
    test = {
        "kind": "unquantified_proximity",
        "features": ["hydrant"],
        "assumed_m": 1.0,
        "when": {"attribute": "identified", "is": [True], "unknown": "soft"},
    }
    here = {"layer": "hydrant", "state": "present", "reach_m": 0}
    there = {"layer": "hydrant", "state": "present", "reach_m": 5, "attributes": {"identified": other}}
    assert one(test, observed=[here, there]) == "conditional"


@pytest.mark.parametrize(
    ("test", "seen"),
    [
        (distance("hydrant", 2.0), {"layer": "hydrant", "attributes": {"identified": True}}),
        (
            {"kind": "side_of_feature", "feature": "driveway", "side": "after", "reach_m": 100.0},
            {"layer": "driveway", "attributes": {"kind": "irregular"}},
        ),
    ],
    ids=["hydrant", "driveway"],
)
def test_none_of_one_sort_is_not_none_of_any_sort(test: dict[str, Any], seen: dict[str, Any]) -> None:
    """No identified hydrant within 100 m, no unlicensed driveway: of the others nothing is said."""
    assert one(test, observed=[{**seen, "state": "none", "reach_m": 100}]) == "not_evaluated"


# ---------------------------------------------------------------- 8 side_of_feature

AFTER = {"kind": "side_of_feature", "feature": "driveway", "side": "after", "reach_m": 100.0}


@unhurried
@given(st.lists(words("driveway", 100_000), min_size=6, max_size=25), st.sampled_from([None, True, False]))
def test_side_of_the_nearest_driveway(said: list[Words], served: bool | None) -> None:  # noqa: FBT001
    said = [each for each in said if each.before is None or each.before != each.after]
    attributes = {} if served is None else {"of_served_lot": served}
    got = judged([AFTER], [each.request(**attributes) for each in said]) if said else []

    def expected(each: Words) -> str:
        right, wrong = each.before, each.after
        # Who tells whose the nearest is and tapes one has taped that, unless one was seen nearer.
        seen_nearer = each.present is not None and each.tapes and each.present < min(each.tapes)
        nearest_taped = each.all_taped or (served is not None and not seen_nearer)
        if each.none is not None and each.none >= 100_000 and wrong is None:
            return "compliant"
        if not nearest_taped or right is wrong is None:
            return "not_evaluated"
        if wrong is None or (right is not None and right < wrong):
            return "compliant"
        return "violation" if served else "conditional"

    assert got == [expected(each) for each in said]


@pytest.mark.parametrize(
    ("side", "taped", "expected"),
    [
        ("after", {"driveway_before_m": 4, "driveway_after_m": 20}, "compliant"),
        ("after", {"driveway_before_m": 20, "driveway_after_m": 4}, "conditional"),
        ("before", {"driveway_before_m": 4, "driveway_after_m": 20}, "conditional"),
        ("before", {"driveway_before_m": 20, "driveway_after_m": 4}, "compliant"),
    ],
)
def test_before_is_upstream_of_the_skip(side: str, taped: dict[str, float], expected: str) -> None:
    """A skip with a driveway before it stands after that driveway."""
    assert one({**AFTER, "side": side}, measured=taped) == expected


@pytest.mark.parametrize(
    ("taped", "wrong"), [("driveway_before_m", "compliant"), ("driveway_after_m", "violation")]
)
def test_a_driveway_seen_nearer_than_the_tape_is_the_nearest(taped: str, wrong: str) -> None:
    """One side at 8 m by tape, one at 2 m by eye: that one stands on the other side."""
    served = {"layer": "driveway", "state": "present", "reach_m": 2, "attributes": {"of_served_lot": True}}
    assert one(AFTER, measured={taped: 8}, observed=[served]) != wrong


@pytest.mark.parametrize(("reach_m", "expected"), [(100, "compliant"), (99, "not_evaluated")])
def test_no_driveway_on_the_block_face(reach_m: float, expected: str) -> None:
    assert one(AFTER, observed=[{"layer": "driveway", "state": "none", "reach_m": reach_m}]) == expected


@unhurried
@given(
    st.lists(st.one_of(st.none(), st.integers(0, 30_000)), min_size=2, max_size=2),
    st.lists(st.booleans(), min_size=2, max_size=2),
    st.one_of(st.none(), st.integers(0, 200_000)),
)
def test_true_words_on_driveways_never_mislead(
    truth: list[int | None], taped: list[bool], looked: int | None
) -> None:
    """Whatever part of the truth is told, neither a pass nor a breach contradicts it."""
    before, after = truth
    nearest = min((mm for mm in truth if mm is not None), default=math.inf)
    said = Words(
        "driveway",
        before if taped[0] else None,
        after if taped[1] else None,
        looked if looked is not None and looked < nearest else None,
        looked if looked is not None and looked >= nearest else None,
    ).request()
    far = math.inf
    stands_before = (far if after is None else after) < (far if before is None else before)
    assert not (judged([AFTER], [said]) == ["compliant"] and stands_before)
    got = judged([distance("driveway", 3.0)], [said])
    assert got != (["compliant"] if nearest < 2995 else ["violation"])


@pytest.mark.parametrize("reach_m", [1, 2])
def test_an_unlicensed_driveway_does_not_speak_for_the_other_side(reach_m: float) -> None:
    """One of two driveways, 1 m and 2 m off, is unlicensed: the other is too near at any rate."""
    test = distance("driveway", 3.0)
    test["when"] = {"attribute": "kind", "is_not": ["irregular"], "unknown": "applies"}
    seen = {"layer": "driveway", "state": "present", "reach_m": reach_m, "attributes": {"kind": "irregular"}}
    measured = {"driveway_before_m": 1, "driveway_after_m": 2}
    assert one(test, observed=[seen], measured=measured) == "violation"


# ---------------------------------------------------------------- all kinds

EVERY_KIND = [
    distance("corner", 5.0),
    distance("driveway", 3.0),
    distance("hydrant", 2.0),
    distance("kerb", 0.05, reference="kerb", metric="plan"),
    {"kind": "max_distance", "feature": "kerb", "max_m": 0.5},
    {"kind": "distance_range", "feature": "kerb", "min_m": 0.3, "max_m": 0.5},
    STOP,
    {"kind": "exclusion_zone", "features": ["crossing", "island", "bridge", "square"]},
    {"kind": "exclusion_zone", "features": ["median"], "predicate": "beside"},
    {"kind": "frontage_exclusion", "features": ["ramp", "entrance"], "margin_m": 1.0},
    {"kind": "unquantified_proximity", "features": ["manhole"], "assumed_m": 1.0},
    {"kind": "unquantified_proximity", "features": ["signal"], "assumed_m": 30.0, "overlap": "ignored"},
    AFTER,
]


@pytest.mark.parametrize("test", EVERY_KIND, ids=lambda test: test["kind"])
def test_who_knows_nothing_is_told_nothing(test: dict[str, Any]) -> None:
    assert one(test, mode="observed") == "not_evaluated"


@pytest.mark.parametrize("test", EVERY_KIND, ids=lambda test: test["kind"])
def test_a_stricter_reading_of_which_nothing_is_known_is_conditional(test: dict[str, Any]) -> None:
    primary = {"kind": "exclusion_zone", "features": ["heritage"]}
    request = {"mode": "observed", "in_zone": {"heritage": False}}
    assert judged([primary, {**test, "reading": "strict"}], [request]) == ["conditional"]


@pytest.mark.parametrize("test", EVERY_KIND, ids=lambda test: test["kind"])
def test_elsewhere_it_does_not_apply(test: dict[str, Any]) -> None:
    there = {**test, "where": ["footway", "parking_bay"]}
    got = [one(there, mode="observed", where=where) for where in PLACES]
    silent, open_ = "not_applicable", "not_evaluated"
    assert got == [silent, open_, silent, open_, silent]
