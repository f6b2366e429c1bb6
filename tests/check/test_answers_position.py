"""How and in what the skip stands (kinds 9–15) against plain-Python expectations."""

from __future__ import annotations

import datetime as dt
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.check.pipeline import run
from geocheck.cities import load_city
from geocheck.errors import DataFileError
from geocheck.law.load import LoadedRulebook
from geocheck.law.rulebook import Rulebook
from geocheck.law.versions import CityLaw
from geocheck.model.request import parse_request
from geocheck.model.words import Outcome

unhurried = settings(deadline=None, max_examples=40)
NOW = dt.datetime(2026, 8, 7, 12, tzinfo=dt.UTC)
PLACES = ["carriageway", "parking_bay", "shoulder", "footway", "property"]
MODES = ["observed", "planned", None]
TRUTHS: list[bool | None] = [None, False, True]
SEVERITY = [each.code for each in sorted(Outcome)]


def judged(tests: list[dict[str, Any]], requests: list[dict[str, Any]]) -> list[str]:
    """Return the outcome of one rule of these tests for each request, all in one batch."""
    header = dict.fromkeys(("id", "series", "title", "short_title", "source"), "teste")
    rule = {"id": "TST-01", "title": "teste", "asks": "teste", "law": {"article": "1"}}
    act = {**rule, "id": "TST-02", "test": [{"kind": "conduct_duty", "items": ["um ato"]}]}
    book = Rulebook.model_validate(
        {
            "rulebook": {**header, "text_status": "complete"},
            "sanctions": {"cumulative": False},
            "rule": [{**rule, "where": PLACES, "test": tests}, act],
        }
    )
    law = CityLaw(load_city("goiania"), (LoadedRulebook(book, "0" * 64),), None)
    parsed = [parse_request({"city": "goiania", **each}) for each in requests]
    (checked,) = run(parsed, law, NOW)
    return [Outcome(int(code)).code for code in checked.findings[:, 0]]


def one(test: dict[str, Any], **request: object) -> str:
    return judged([test], [request])[0]


def given_only(**values: object) -> dict[str, Any]:
    """Leave out what nobody said."""
    return {key: value for key, value in values.items() if value is not None}


def worst(*codes: str) -> str:
    return max(codes, key=SEVERITY.index)


# ---------------------------------------------------------------- 9 orientation

ALONG = {"kind": "orientation", "aspect": "parallel", "compliant_deg": 5.0, "conditional_deg": 45.0}


@unhurried
@given(st.one_of(st.none(), st.sampled_from([0, 5, 5.1, 45, 45.1, 90]), st.floats(0, 90)))
def test_angle_with_the_kerb(angle: float | None) -> None:
    requests = [given_only(mode=mode, measured=given_only(angle_deg=angle)) for mode in MODES]
    across = {**ALONG, "aspect": "perpendicular"}

    def expected(off: float | None) -> str:
        if off is None:
            return "not_evaluated"
        # A billionth of a degree, for 90° less a binary fraction.
        return "compliant" if off <= 5 + 1e-9 else "conditional" if off <= 45 + 1e-9 else "violation"

    # A plan stands parallel to the kerb.
    stands = [0.0 if angle is None and mode == "planned" else angle for mode in MODES]
    assert judged([ALONG], requests) == [expected(each) for each in stands]
    turned = [None if each is None else 90 - each for each in stands]
    assert judged([across], requests) == [expected(each) for each in turned]


@pytest.mark.parametrize(
    ("told", "expected"), [(True, "compliant"), (False, "violation"), (None, "not_evaluated")]
)
@pytest.mark.parametrize("mode", MODES)
def test_low_face_towards_the_traffic(told: object, expected: str, mode: str | None) -> None:
    """A plan says nothing of the faces."""
    test = {"kind": "orientation", "aspect": "low_face_upstream"}
    assert one(test, mode=mode, site=given_only(low_face_upstream=told)) == expected


# ---------------------------------------------------------------- 10 containment

LANE = {"kind": "containment", "within": ["parking_lane", "shoulder", "parking_bay"]}


class Lane(NamedTuple):
    """A skip beside a kerb, in millimetres."""

    where: str
    mode: str | None
    lane: int | None
    gap: int | None
    width: int | None
    no_lane: bool

    @property
    def used(self) -> int | None:
        """How far from the kerb its far side lies; a plan stands at 0.30 m."""
        gap = 300 if self.gap is None and self.mode == "planned" else self.gap
        return None if gap is None or self.width is None else gap + self.width

    def request(self) -> dict[str, Any]:
        """Return it as fields of a request."""
        observed = [{"layer": "parking_lane", "state": "none", "reach_m": 5}] if self.no_lane else []
        measured = metres(gap_m=self.gap, parking_lane_width_m=self.lane)
        return {
            "where": self.where,
            "mode": self.mode,
            "measured": measured,
            "observed": observed,
            **metres(width_m=self.width),
        }


def metres(**lengths: int | None) -> dict[str, float]:
    """Leave out what nobody measured, and turn the rest into metres."""
    return {key: mm / 1000 for key, mm in lengths.items() if mm is not None}


def maybe(low: int, high: int) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.integers(low, high))


LANES = st.builds(
    Lane,
    st.sampled_from(["carriageway", "carriageway", *PLACES]),
    st.sampled_from(MODES),
    maybe(1500, 3000),
    maybe(0, 800),
    maybe(1000, 2000),
    st.sampled_from([False, False, True]),
)


@unhurried
@given(st.lists(st.tuples(LANES, st.one_of(st.none(), st.integers(-8, 8))), min_size=10, max_size=40))
def test_inside_the_parking_lane(cases: list[tuple[Lane, int | None]]) -> None:
    skips = [
        # At the limit, or some millimetres beside it.
        skip if nudge is None or skip.used is None else skip._replace(lane=skip.used + nudge)
        for skip, nudge in cases
    ]

    def expected(skip: Lane) -> str:
        if skip.where in ("shoulder", "parking_bay"):
            return "compliant"
        if skip.no_lane:
            return "violation"
        if skip.lane is None or skip.used is None:
            return "not_evaluated"
        return "compliant" if skip.used <= skip.lane + 5 else "violation"

    assert judged([LANE], [skip.request() for skip in skips]) == [expected(skip) for skip in skips]


@pytest.mark.parametrize(
    ("within", "where", "expected"),
    [
        (["shoulder"], "shoulder", "compliant"),
        (["parking_bay"], "shoulder", "not_evaluated"),
        (["parking_lane"], "parking_bay", "not_evaluated"),
        (["parking_lane"], "carriageway", "not_evaluated"),
    ],
)
def test_a_place_answers_for_its_own_layer_only(within: list[str], where: str, expected: str) -> None:
    assert one({**LANE, "within": within}, where=where) == expected


# ---------------------------------------------------------------- 11 frontage_containment


@pytest.mark.parametrize("requirement", ["mandatory", "preferred"])
@pytest.mark.parametrize(
    ("attributes", "mandatory", "preferred"),
    [
        ({}, {"not_evaluated"}, {"not_evaluated"}),
        ({"of_served_lot": True, "coverage": "whole"}, {"compliant"}, {"compliant"}),
        ({"of_served_lot": True, "coverage": "part"}, {"conditional"}, {"conditional"}),
        # How much of it nobody said: at any rate no pass.
        ({"of_served_lot": True}, {"conditional", "not_evaluated"}, {"conditional", "not_evaluated"}),
        ({"of_served_lot": False}, {"violation"}, {"conditional"}),
        ({"of_served_lot": False, "coverage": "whole"}, {"violation"}, {"conditional"}),
        ({"coverage": "whole"}, {"not_evaluated"}, {"not_evaluated"}),
    ],
)
def test_in_front_of_the_served_lot(
    requirement: str, attributes: dict[str, object], mandatory: set[str], preferred: set[str]
) -> None:
    lot = {"layer": "lot", "state": "present", "attributes": attributes}
    test = {"kind": "frontage_containment", "requirement": requirement}
    assert one(test, observed=[lot]) in (mandatory if requirement == "mandatory" else preferred)
    assert one(test) == "not_evaluated"


def test_a_text_is_no_yes() -> None:
    lot = {"layer": "lot", "state": "present", "attributes": {"of_served_lot": "no", "coverage": "whole"}}
    with pytest.raises(DataFileError, match="of_served_lot"):
        one({"kind": "frontage_containment", "requirement": "mandatory"}, observed=[lot])


def test_no_lot_seen_is_not_the_served_lot() -> None:
    """What is said of a thing that is not there tells nothing."""
    lot = {"layer": "lot", "state": "none", "attributes": {"of_served_lot": True, "coverage": "whole"}}
    test = {"kind": "frontage_containment", "requirement": "mandatory"}
    assert one(test, observed=[lot]) == "not_evaluated"


# ---------------------------------------------------------------- 12 equipment_limit


@pytest.mark.parametrize(
    ("quantity", "key", "limit", "sense"),
    [
        ("length", "length_m", 2.65, "max_m"),
        ("width", "width_m", 1.80, "max_m"),
        ("height", "height_m", 1.20, "min_m"),
        ("height", "height_m", 1.39, "max_m"),
        ("low_face", "low_face_m", 0.70, "min_m"),
    ],
)
@pytest.mark.parametrize("excess_mm", [None, -300, -6, -5, 0, 5, 6, 300])
def test_sizes(quantity: str, key: str, limit: float, sense: str, excess_mm: int | None) -> None:
    test = {"kind": "equipment_limit", "quantity": quantity, sense: limit}
    size = {} if excess_mm is None else {key: (round(limit * 1000) + excess_mm) / 1000}
    if excess_mm is None:
        expected = "not_evaluated"
    elif sense == "max_m":
        expected = "compliant" if excess_mm <= 5 else "violation"
    else:
        expected = "compliant" if excess_mm >= -5 else "violation"
    assert one(test, **size) == expected


@pytest.mark.parametrize(
    ("volume", "expected"),
    [(None, "not_evaluated"), (5.0, "compliant"), (10.0, "compliant"), (10.01, "violation")],
)
def test_volume(volume: float | None, expected: str) -> None:
    test = {"kind": "equipment_limit", "quantity": "volume", "max_m3": 10.0}
    assert one(test, volume_m3=volume) == expected


# ---------------------------------------------------------------- 13 clear_width


FOOTWAYS = st.tuples(
    st.sampled_from(MODES),
    st.one_of(st.none(), st.none(), st.integers(1190, 1210), st.integers(0, 3000)),
    maybe(2500, 4000),
    maybe(0, 600),
    maybe(1000, 2000),
)


@unhurried
@given(st.lists(FOOTWAYS, min_size=10, max_size=40), st.sampled_from([None, 0.9]))
def test_clear_width(
    cases: list[tuple[str | None, int | None, int | None, int | None, int | None]], floor_m: float | None
) -> None:
    """Taped, it counts as it is; else it is the footway less gap and skip."""
    requests, expected = [], []
    for mode, taped, footway, gap, width in cases:
        measured = metres(clear_width_m=taped, footway_width_m=footway, gap_m=gap)
        requests.append({"where": "footway", "mode": mode, "measured": measured, **metres(width_m=width)})
        stands = 300 if gap is None and mode == "planned" else gap
        free = taped
        if taped is None and footway is not None and stands is not None and width is not None:
            free = footway - stands - width
        expected.append("not_evaluated" if free is None else "compliant" if free >= 1195 else "violation")
    test = {"kind": "clear_width", "min_m": 1.2, **given_only(floor_m=floor_m)}
    assert judged([test], requests) == expected


@pytest.mark.parametrize(
    ("footway_m", "expected"),
    [(3.00, "violation"), (3.01, "compliant"), (3.02, "compliant")],  # 1.19, 1.20 and 1.21 m
)
def test_a_footway_of_three_metres_is_a_centimetre_too_narrow(footway_m: float, expected: str) -> None:
    test = {"kind": "clear_width", "min_m": 1.2}
    measured = {"footway_width_m": footway_m, "gap_m": 0.05}
    assert one(test, where="footway", width_m=1.76, measured=measured) == expected


@pytest.mark.parametrize(
    ("hoarding", "expected"), [(True, "not_applicable"), (False, "violation"), (None, "violation")]
)
def test_inside_a_hoarding_nobody_passes(hoarding: object, expected: str) -> None:
    test = {"kind": "clear_width", "min_m": 1.2}
    site = given_only(inside_hoarding=hoarding)
    assert one(test, where="footway", measured={"clear_width_m": 0.5}, site=site) == expected


# ---------------------------------------------------------------- 14 count_limit


@pytest.mark.parametrize("per", ["lot", "generator"])
@pytest.mark.parametrize(
    ("others", "expected"),
    [(None, "not_evaluated"), (0, "compliant"), (1, "compliant"), (2, "violation"), (9, "violation")],
)
def test_this_skip_and_the_others_of_the_lot(per: str, others: int | None, expected: str) -> None:
    test = {"kind": "count_limit", "per": per, "max_count": 2}
    assert one(test, site=given_only(skips_on_lot=others)) == expected


@unhurried
@given(st.lists(st.tuples(maybe(0, 40), maybe(0, 9), maybe(1, 4)), min_size=10, max_size=40), st.booleans())
def test_share_of_the_bays_of_a_block(
    blocks: list[tuple[int | None, int | None, int | None]], small_blocks: object
) -> None:
    """At most 20 % of the bays; where said, one skip on blocks of up to 4 bays."""
    small = {"or_count": 1, "small_block_bays": 4} if small_blocks else {}
    test = {"kind": "count_limit", "per": "block_face", "max_share": 0.2, **small}

    def expected(bays: int | None, taken: int | None, own: int | None) -> str:
        if bays is None or taken is None or own is None:
            return "not_evaluated"
        allowed = 1 if small_blocks and bays <= 4 else bays // 5
        return "compliant" if taken + own <= allowed else "violation"

    keys = ("bays_on_block", "bays_occupied_on_block", "bays_occupied")
    requests = [{"site": given_only(**dict(zip(keys, block, strict=True)))} for block in blocks]
    assert judged([test], requests) == [expected(*block) for block in blocks]


@pytest.mark.parametrize(
    ("share", "bays", "allowed"),
    [(0.29, 100, 29), (0.07, 100, 7), (0.2, 4, 1), (0.2, 5, 1), (0.2, 9, 1), (0.2, 10, 2)],
)
def test_a_share_is_not_lost_to_a_binary_fraction(share: float, bays: int, allowed: int) -> None:
    small = {"or_count": 1, "small_block_bays": 4}
    test = {"kind": "count_limit", "per": "block_face", "max_share": share, **small}
    full = {"bays_on_block": bays, "bays_occupied_on_block": allowed - 1, "bays_occupied": 1}
    assert one(test, site=full) == "compliant"
    assert one(test, site={**full, "bays_occupied": 2}) == "violation"


# ---------------------------------------------------------------- 15 placement_ladder

LADDER = {
    "kind": "placement_ladder",
    "steps": [
        {"places": ["property"]},
        {
            "places": ["footway"],
            "impossible": ["interior_possible"],
            "inside_hoarding": True,
            "act": "TST-02",
        },
        {"places": ["parking_bay"], "impossible": ["interior_possible", "footway_possible"]},
        {
            "places": ["carriageway"],
            "impossible": ["interior_possible"],
            "passed_over": ["hoarding_possible", "bay_available"],
        },
    ],
}


def all_of(*shut: bool | None) -> str:
    """Judge what must all be so: one no is a breach, else one unknown leaves it open."""
    return "violation" if False in shut else "not_evaluated" if None in shut else "compliant"


def negated(possible: bool | None, declared: object) -> bool | None:  # noqa: FBT001
    """Tell whether a step above is shut: as said, else as declared."""
    if possible is None:
        return True if declared else None
    return not possible


FACTS = ["interior_possible", "footway_possible", "hoarding_possible", "bay_available", "inside_hoarding"]


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("authorised", [False, True])
def test_ladder_agrees_with_plain_ifs(declared: object, authorised: object) -> None:
    cases = [
        (where, dict(zip(FACTS, facts, strict=True)))
        for where in PLACES
        for facts in product(TRUTHS, repeat=len(FACTS))
    ]
    acts = {
        "declared": ["TST-01"] if declared else [],
        "authorised": ["TST-02"] if authorised else [],
    }
    got = judged([LADDER], [{"where": where, "site": given_only(**facts), **acts} for where, facts in cases])

    def expected(where: str, facts: dict[str, bool | None]) -> str:
        no_room = negated(facts["interior_possible"], declared)
        if where == "shoulder":
            return "not_applicable"  # on no step
        if where == "property":
            return "compliant"
        if where == "footway":
            outside = "conditional" if authorised else "violation"
            hoarding = {True: "compliant", False: outside, None: "not_evaluated"}
            return worst(all_of(no_room), hoarding[facts["inside_hoarding"]])
        if where == "parking_bay":
            return all_of(no_room, negated(facts["footway_possible"], declared))
        preferred = facts["hoarding_possible"] or facts["bay_available"]
        return worst(all_of(no_room), "conditional" if preferred else "compliant")

    wrong = [
        (where, facts, code)
        for (where, facts), code in zip(cases, got, strict=True)
        if code != expected(where, facts)
    ]
    assert wrong == []


def test_not_knowing_whether_there_is_room_inside_does_not_convict() -> None:
    """Outside the hoarding with the act: it depends if there is no room, and is a breach if there is."""
    site: dict[str, object] = {"inside_hoarding": False}
    request = {"where": "footway", "authorised": ["TST-02"]}
    for room, expected in ((False, "conditional"), (True, "violation"), (None, "not_evaluated")):
        assert one(LADDER, **request, site={**site, **given_only(interior_possible=room)}) == expected


@pytest.mark.parametrize(
    ("hoarding", "room", "expected"),
    [
        (True, None, "compliant"),
        (True, True, "compliant"),
        (False, True, "violation"),
        (False, False, "compliant"),
        (False, None, "not_evaluated"),
        (None, None, "not_evaluated"),
        (None, True, "violation"),
    ],
)
def test_behind_the_hoarding_may_be_as_good_as_inside(hoarding: object, room: object, expected: str) -> None:
    step = {"places": ["footway"], "impossible": ["interior_possible"], "hoarding_is_inside": True}
    test = {"kind": "placement_ladder", "steps": [{"places": ["property"]}, step]}
    site = given_only(inside_hoarding=hoarding, interior_possible=room)
    assert one(test, where="footway", site=site) == expected


# ---------------------------------------------------------------- all kinds

EVERY_KIND: list[dict[str, Any]] = [
    ALONG,
    {**ALONG, "aspect": "perpendicular"},
    {"kind": "orientation", "aspect": "low_face_upstream"},
    LANE,
    {"kind": "frontage_containment", "requirement": "mandatory"},
    {"kind": "equipment_limit", "quantity": "length", "max_m": 2.65},
    {"kind": "clear_width", "min_m": 1.2},
    {"kind": "count_limit", "per": "lot", "max_count": 2},
    {"kind": "count_limit", "per": "block_face", "max_share": 0.2},
    LADDER,
]


@pytest.mark.parametrize("test", EVERY_KIND, ids=lambda test: test["kind"])
def test_who_knows_nothing_is_told_nothing(test: dict[str, Any]) -> None:
    assert one(test, mode="observed", where="carriageway") == "not_evaluated"


@pytest.mark.parametrize("test", EVERY_KIND, ids=lambda test: test["kind"])
def test_elsewhere_it_does_not_apply(test: dict[str, Any]) -> None:
    there = {**test, "where": ["carriageway"]}
    elsewhere = [one(there, mode="observed", where=where) for where in PLACES if where != "carriageway"]
    assert elsewhere == ["not_applicable"] * 4
