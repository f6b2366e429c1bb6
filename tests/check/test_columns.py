"""Requests as columns: what tapes, eyes, zones and plans tell of a distance, and how times are laid out."""

from __future__ import annotations

import datetime as dt
import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.check.columns import BASES, PLANNED_GAP_M, UNKNOWN, Placements, placements_of
from geocheck.errors import DataFileError, InputError
from geocheck.law.clock import zone_clock
from geocheck.model.request import parse_request
from geocheck.model.words import Place

unhurried = settings(deadline=None, max_examples=100)
CLOCK = zone_clock("America/Sao_Paulo")
NOW = dt.datetime(2026, 8, 7, 2, 30, 15, 999_999, tzinfo=dt.UTC)
HAIR = 2e-6
"""More than the hair's breadth by which "none within r" lies beyond r."""

KEYS = {
    "hydrant": ("hydrant_m",),
    "corner": ("corner_before_m", "corner_after_m"),
    "bridge": ("bridge_m",),
}


def placed(*requests: dict[str, Any]) -> Placements:
    parsed = [parse_request({"city": "goiania", **request}) for request in requests]
    return placements_of(parsed, NOW, CLOCK, Place.CARRIAGEWAY)


def seen(layer: str, state: str, reach_m: float = 0.0, **attributes: object) -> dict[str, Any]:
    return {"layer": layer, "state": state, "reach_m": reach_m, "attributes": attributes}


@pytest.mark.parametrize(
    ("layer", "request_", "low", "high", "basis"),
    [
        ("hydrant", {}, 0.0, math.inf, "observed"),
        ("hydrant", {"measured": {"hydrant_m": 2.5}}, 2.5, 2.5, "measured"),
        ("hydrant", {"measured": {"hydrant_m": 0}}, 0.0, 0.0, "measured"),
        ("hydrant", {"observed": [seen("hydrant", "none", 5)]}, 5.0, math.inf, "observed"),
        ("hydrant", {"observed": [seen("hydrant", "present", 5)]}, 0.0, 5.0, "observed"),
        ("hydrant", {"observed": [seen("hydrant", "present")]}, 0.0, 0.0, "observed"),
        # two looks: each narrows what is known
        (
            "hydrant",
            {"observed": [seen("hydrant", "none", 1), seen("hydrant", "none", 3), seen("hydrant", "none")]},
            3.0,
            math.inf,
            "observed",
        ),
        (
            "hydrant",
            {
                "observed": [seen("hydrant", "present", reach) for reach in (9, 3, 5)]
                + [seen("hydrant", "none", 1)]
            },
            1.0,
            3.0,
            "observed",
        ),
        # of another layer nothing follows
        ("hydrant", {"observed": [seen("manhole", "none", 9)]}, 0.0, math.inf, "observed"),
        ("hydrant", {"measured": {"manhole_m": 9}}, 0.0, math.inf, "observed"),
        # both neighbours taped: the nearer one counts
        (
            "corner",
            {"measured": {"corner_before_m": 7, "corner_after_m": 4}},
            4.0,
            4.0,
            "measured",
        ),
        # one neighbour taped: the other may be nearer, unless somebody looked
        ("corner", {"measured": {"corner_before_m": 7}}, 0.0, 7.0, "measured"),
        (
            "corner",
            {"measured": {"corner_before_m": 7}, "observed": [seen("corner", "none", 6)]},
            6.0,
            7.0,
            "measured",
        ),
        # a zone: inside it the distance is nothing, outside it is something
        ("bridge", {"in_zone": {"bridge": True}}, 0.0, 0.0, "observed"),
        ("bridge", {"in_zone": {"bridge": False}}, 0.0, math.inf, "observed"),
    ],
)
def test_what_is_known_of_a_distance(
    layer: str, request_: dict[str, Any], low: float, high: float, basis: str
) -> None:
    known = placed(request_).distance(layer, KEYS[layer])
    assert known.low[0] == pytest.approx(low, abs=HAIR)
    assert known.high[0] == high
    assert BASES[known.basis[0]] == basis


@pytest.mark.parametrize("reach_m", [0.0, 2.0])
def test_none_within_a_reach_is_more_than_the_reach(reach_m: float) -> None:
    known = placed({"observed": [seen("hydrant", "none", reach_m)]}).distance("hydrant", ("hydrant_m",))
    assert known.low[0] > reach_m


def test_outside_a_zone_is_more_than_nothing() -> None:
    known = placed({"in_zone": {"bridge": False}}).distance("bridge", ("bridge_m",))
    assert known.low[0] > 0


@st.composite
def true_words(draw: st.DrawFn) -> tuple[str, float, dict[str, Any]]:
    """Draw a layer, the true distance to the nearest of it, and a request that says only true things."""
    layer = draw(st.sampled_from(sorted(KEYS)))
    somewhere = st.one_of(st.none(), st.just(0), st.integers(0, 20_000))
    truth = {key: draw(somewhere) for key in KEYS[layer]}
    nearest = min((mm / 1000 for mm in truth.values() if mm is not None), default=math.inf)
    reaches = draw(st.lists(st.integers(0, 25_000).map(lambda mm: mm / 1000), max_size=3))
    return (
        layer,
        nearest,
        {
            "measured": {
                key: mm / 1000 for key, mm in truth.items() if mm is not None and draw(st.booleans())
            },
            "observed": [seen(layer, "none" if reach < nearest else "present", reach) for reach in reaches],
            "in_zone": {layer: nearest == 0} if layer == "bridge" and draw(st.booleans()) else {},
        },
    )


@unhurried
@given(true_words())
def test_true_words_never_exclude_the_truth(case: tuple[str, float, dict[str, Any]]) -> None:
    layer, nearest, words = case
    known = placed(words).distance(layer, KEYS[layer])
    assert known.low[0] <= nearest <= known.high[0]


@unhurried
@given(true_words(), true_words())
def test_one_request_says_nothing_of_another(
    one: tuple[str, float, dict[str, Any]], other: tuple[str, float, dict[str, Any]]
) -> None:
    layer = one[0]
    together = placed(one[2], other[2]).distance(layer, KEYS[layer])
    for row, words in enumerate((one[2], other[2])):
        alone = placed(words).distance(layer, KEYS[layer])
        assert [column[row] for column in together] == [column[0] for column in alone]


@pytest.mark.parametrize(
    "words",
    [
        {"measured": {"hydrant_m": 3}, "observed": [seen("hydrant", "none", 3)]},
        {"measured": {"hydrant_m": 3}, "observed": [seen("hydrant", "present", 2)]},
        {"observed": [seen("hydrant", "none", 3), seen("hydrant", "present", 3)]},
        {"in_zone": {"bridge": True}, "observed": [seen("bridge", "none")]},
        {"in_zone": {"bridge": False}, "observed": [seen("bridge", "present")]},
        {"in_zone": {"bridge": True}, "measured": {"bridge_m": 10}},
        {"in_zone": {"bridge": False}, "measured": {"bridge_m": 0}},
    ],
)
def test_words_that_contradict_each_other_are_refused(words: dict[str, Any]) -> None:
    with pytest.raises(DataFileError, match="contradiz"):
        placed(words)


@pytest.mark.parametrize(
    ("words", "inside"),
    [
        ({}, UNKNOWN),
        ({"in_zone": {"square": True}}, 1),
        ({"in_zone": {"square": False}}, 0),
        ({"in_zone": {"green": True}}, UNKNOWN),
        ({"observed": [seen("square", "present")]}, 1),
        ({"observed": [seen("square", "none")]}, 0),
        ({"observed": [seen("square", "present", 3)]}, UNKNOWN),
    ],
)
def test_a_zone_is_answered_by_word_or_by_a_look_right_here(words: dict[str, Any], inside: int) -> None:
    assert placed(words).zone("square").tolist() == [inside]


def test_several_zones_are_one_zone() -> None:
    states: dict[bool | None, int] = {True: 1, False: 0, None: UNKNOWN}
    for one, other in product(states, repeat=2):
        told = {"square": one, "green": other}
        columns = placed({"in_zone": {name: state for name, state in told.items() if state is not None}})
        expected = 1 if True in (one, other) else UNKNOWN if None in (one, other) else 0
        assert columns.in_zones(("square", "green")).tolist() == [expected]


def test_no_zone_named_is_everywhere() -> None:
    assert placed({}, {"in_zone": {"square": False}}).in_zones(()).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        ([], None),
        ([seen("bus_stop", "present", 9, plates=2)], 2),
        ([seen("taxi_stand", "present", 9, plates=2)], None),
        ([seen("bus_stop", "present", 9, box=True)], None),
        ([seen("bus_stop", "present", 9, plates=1), seen("bus_stop", "present", 30, plates=1)], 1),
        ([seen("bus_stop", "present", 9, plates=1), seen("bus_stop", "present", 30, plates=2)], 1),
        ([seen("bus_stop", "present", 30, plates=2), seen("bus_stop", "present", 9, plates=1)], 1),
        ([seen("bus_stop", "none", 9, plates=1), seen("bus_stop", "present", 30, plates=2)], 2),
        ([seen("bus_stop", "present", 9), seen("bus_stop", "present", 30, plates=2)], None),
    ],
)
def test_an_attribute_is_that_of_the_nearest_thing_seen(
    observed: list[dict[str, Any]], expected: object
) -> None:
    assert placed({"observed": observed}).attribute("bus_stop", "plates").tolist() == [expected]


@pytest.mark.parametrize(
    ("words", "low", "high", "basis"),
    [
        ({"measured": {"gap_m": 0.42}}, 0.42, 0.42, "measured"),
        ({"mode": "observed", "measured": {"gap_m": 0.42}}, 0.42, 0.42, "measured"),
        ({"mode": "planned", "measured": {"gap_m": 0.42}}, 0.42, 0.42, "measured"),
        ({"mode": "planned"}, PLANNED_GAP_M, PLANNED_GAP_M, "plan"),
        ({"mode": "observed"}, 0.0, math.inf, "measured"),
        ({}, 0.0, math.inf, "measured"),
        ({"lon": -49.26, "lat": -16.67, "bearing_deg": 90}, 0.0, math.inf, "measured"),
    ],
)
def test_the_gap_is_taped_or_planned(words: dict[str, Any], low: float, high: float, basis: str) -> None:
    gap = placed(words).gap()
    assert (gap.low[0], gap.high[0], BASES[gap.basis[0]]) == (low, high, basis)


def test_the_planned_gap_is_thirty_centimetres() -> None:
    assert PLANNED_GAP_M == 0.30


@pytest.mark.parametrize(
    ("words", "angle", "basis"),
    [
        ({"measured": {"angle_deg": 7}}, 7.0, "measured"),
        ({"mode": "planned", "measured": {"angle_deg": 7}}, 7.0, "measured"),
        ({"mode": "planned"}, 0.0, "plan"),
        ({"mode": "observed"}, None, "measured"),
    ],
)
def test_the_angle_is_taped_or_planned(words: dict[str, Any], angle: float | None, basis: str) -> None:
    got, index = placed(words).angle_deg()
    assert (None if np.isnan(got[0]) else got[0], BASES[index[0]]) == (angle, basis)


def test_fields_become_columns() -> None:
    columns = placed(
        {
            "where": "footway",
            "length_m": 2.65,
            "mode": "planned",
            "authorised": ["GYN-25"],
            "site": {"interior_possible": False, "skips_on_lot": 3},
        },
        {"declared": ["GYN-25"], "site": {"interior_possible": True}},
        {},
    )
    assert len(columns) == 3
    assert columns.planned.tolist() == [True, False, False]
    assert columns.at([Place.FOOTWAY]).tolist() == [True, False, False]
    assert columns.at([Place.FOOTWAY, Place.CARRIAGEWAY]).tolist() == [True, True, True]
    assert columns.names("GYN-25", "authorised").tolist() == [True, False, False]
    assert columns.names("GYN-25", "declared").tolist() == [False, True, False]
    np.testing.assert_equal(columns.size("length_m"), [2.65, math.nan, math.nan])
    np.testing.assert_equal(columns.fact("interior_possible"), [0.0, 1.0, math.nan])
    np.testing.assert_equal(columns.fact("skips_on_lot"), [3.0, math.nan, math.nan])


@unhurried
@given(st.permutations(range(5)), st.integers(0, 5))
def test_taking_rows_keeps_each_with_its_own(order: list[int], count: int) -> None:
    requests = [
        {
            "start": f"2026-08-0{day}T10:00",
            **({"end": f"2026-08-1{day}"} if day % 2 else {}),
            **({"full_at": f"2026-08-0{day}T12:00"} if day > 2 else {}),
            "where": ["footway", "carriageway", "shoulder", "property", "parking_bay"][day - 1],
            "measured": {"gap_m": day / 10},
        }
        for day in range(1, 6)
    ]
    rows = order[:count]
    taken = placed(*requests).take(rows)
    alone = placed(*(requests[row] for row in rows))
    assert taken.requests == alone.requests
    assert taken.notes == alone.notes
    for name in ("place", "start", "end", "full", "end_given"):
        np.testing.assert_array_equal(getattr(taken, name), getattr(alone, name))
    np.testing.assert_array_equal(taken.gap().low, alone.gap().low)


def test_times_are_local_wall_times_to_the_second() -> None:
    columns = placed(
        {"start": "2026-08-07T10:00", "end": "2026-08-10", "full_at": "2026-08-08T16:00"},
        {"start": "2026-08-07T13:00Z", "end": "2026-08-07T14:00:30-03:00"},
        {},
    )
    # 13:00 UTC is 10:00 in São Paulo; a date alone as an end is its last second; nothing given is now.
    assert columns.start.astype(str).tolist() == [
        "2026-08-07T10:00:00",
        "2026-08-07T10:00:00",
        "2026-08-06T23:30:15",
    ]
    assert columns.end.astype(str).tolist() == ["2026-08-10T23:59:59", "2026-08-07T14:00:30", "NaT"]
    assert columns.full.astype(str).tolist() == ["2026-08-08T16:00:00", "NaT", "NaT"]
    assert columns.end_given.tolist() == [True, True, False]
    assert any("data sem hora" in note for note in columns.notes[0])
    assert columns.notes[2] == ()


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"start": "2026-08-07T10:00", "end": "2026-08-07T10:00"}, "end"),
        ({"start": "2026-08-07T10:00", "end": "2026-08-06"}, "end"),
        ({"end": "2026-08-06T23:30"}, "end"),  # fifteen seconds before now
        ({"start": "2026-08-07T10:00", "full_at": "2026-08-07T09:59"}, "full_at"),
        ({"start": "amanhã"}, "start"),
        ({"start": "2026-08-07T10:00", "end": "2026-02-30"}, "end"),
    ],
)
def test_times_that_cannot_be_are_refused(words: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        placed(words)
    assert field in str(caught.value)


def test_a_skip_may_be_full_when_it_is_placed() -> None:
    columns = placed({"start": "2026-08-07T10:00", "full_at": "2026-08-07T10:00"})
    assert columns.full.tolist() == columns.start.tolist()
