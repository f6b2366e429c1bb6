"""Moves that mend a rule: as short as can be, judged anew, and never at the cost of another rule."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from geocheck.api import check
from geocheck.check.moved import moved
from geocheck.check.pipeline import run
from geocheck.check.remedy import remedies_of
from geocheck.check.sight.index import index_of
from geocheck.law.versions import city_law
from geocheck.model.request import parse_request

if TYPE_CHECKING:
    from geocheck.check.pipeline import Checked
    from geocheck.check.remedy import Move
    from geocheck.city.bundle.bundle import Bundle

NOW = dt.datetime(2026, 8, 7, 13, tzinfo=dt.UTC)
SIZES = {"length_m": 2.65, "width_m": 1.72, "height_m": 1.3, "low_face_m": 1.0, "volume_m3": 5.0}
SEVERITY = ("not_applicable", "compliant", "conditional", "not_evaluated", "borderline", "violation")


def _checked(raw: dict[str, Any], bundle: Bundle | None = None) -> Checked:
    law = city_law("goiania")
    index = None if bundle is None else index_of(bundle, law.city)
    request = parse_request({"city": "goiania", "start": "2026-08-07T10:00", "where": "carriageway", **raw})
    return next(run([request], law, NOW, index))


def _moves(checked: Checked) -> dict[str, Move]:
    return {checked.rules[number].rule.id: move for number, move in remedies_of(checked)[0].items()}


@pytest.mark.parametrize(
    ("before_m", "after_m", "way", "least_m"),
    [
        (3.0, 40.0, "ahead", 2.0),  # 5.0 - 3.0
        (3.14, 40.0, "ahead", 1.9),  # 1.86, told upwards
        (40.0, 1.0, "back", 4.0),
        (3.0, 4.0, None, None),  # 7 m between the corners: 5 m from both cannot be
        (3.0, 7.0, "ahead", 2.0),  # 5 m from both, and nowhere else
    ],
)
def test_from_taped_corners(before_m: float, after_m: float, way: str | None, least_m: float | None) -> None:
    tapes = {"gap_m": 0.3, "angle_deg": 0, "corner_before_m": before_m, "corner_after_m": after_m}
    curves = {"corner_curve_before_m": before_m, "corner_curve_after_m": after_m, "cross_footway_width_m": 0}
    move = _moves(_checked({"mode": "planned", "measured": {**tapes, **curves}})).get("GYN-11")
    assert (move and move.way, move and move.least_m) == (way, least_m)


def test_the_only_place_is_told_with_its_end() -> None:
    measured = {"gap_m": 0.3, "corner_before_m": 3.0, "corner_after_m": 9.5}
    curves = {"corner_curve_before_m": 3.0, "corner_curve_after_m": 9.5, "cross_footway_width_m": 0}
    move = _moves(_checked({"mode": "planned", "measured": {**measured, **curves}}))["GYN-11"]
    assert (move.least_m, move.most_m) == (
        2.0,
        4.0,
    )  # whole metres: 5 m from the other corner are left at 4.5


def test_a_skip_too_far_from_the_kerb_is_put_to_it() -> None:
    move = _moves(_checked({"measured": {"gap_m": 0.8, "angle_deg": 0}}))["GYN-10"]
    assert (move.way, move.least_m) == ("kerb", 0.3)


def test_no_move_at_the_cost_of_another_rule() -> None:
    """Two metres on, the hydrant that was seen to be beyond 2.5 m may be nearer than 1 m."""
    tapes = {"gap_m": 0.3, "corner_before_m": 3.0, "corner_after_m": 40.0}
    curves = {"corner_curve_before_m": 3.0, "corner_curve_after_m": 40.0, "cross_footway_width_m": 0}
    seen = [
        {"layer": layer, "state": "none", "reach_m": 2.5} for layer in ("hydrant", "water_valve", "manhole")
    ]
    raw = {"mode": "planned", "measured": {**tapes, **curves}, "observed": seen}
    assert "GYN-11" not in _moves(_checked(raw))
    far = [{**each, "reach_m": 3.5} for each in seen]
    assert _moves(_checked({**raw, "observed": far}))["GYN-11"].least_m == 2.0


def test_what_was_taped_and_seen_moves_with_the_skip() -> None:
    raw = {
        "measured": {"gap_m": 0.4, "corner_before_m": 3.0, "corner_after_m": 20.0, "hydrant_m": 6.0},
        "observed": [
            {"layer": "bus_stop", "state": "none", "reach_m": 10.0},
            {"layer": "manhole", "state": "present", "reach_m": 2.0},
            {"layer": "signal", "state": "none", "reach_m": 2.0},
        ],
        "in_zone": {"central_zone": False, "green": False},
    }
    there = moved(_checked(raw), 0, 2.5)
    assert there is not None
    assert there.measured == {"gap_m": 0.4, "corner_before_m": 5.5, "corner_after_m": 17.5}
    known = {(seen.layer, seen.state): seen.reach_m for seen in there.observed}
    assert known == {
        ("bus_stop", "none"): pytest.approx(7.5),
        ("manhole", "present"): pytest.approx(4.5),
        ("hydrant", "none"): pytest.approx(3.5, abs=1e-5),
    }
    assert there.in_zone == {"central_zone": False}


def test_on_a_map_every_remedy_holds_and_a_shorter_one_does_not(campus: Bundle) -> None:
    """Each move is asked again as a request of its own, by coordinates of the moved skip's report."""
    index = index_of(campus, city_law("goiania").city)
    corners = index.city_map.layer("corner")
    assert corners is not None
    from geocheck.city.wgs84 import to_lonlat  # noqa: PLC0415 (most tests here need no geometry)

    xy = np.array([[point.x, point.y] for point in corners.geometry[::180]])
    told = 0
    for lon, lat in to_lonlat(xy, index.city_map.crs).tolist():
        raw = {"lon": lon, "lat": lat, "mode": "planned", **SIZES}
        here = _checked(raw, campus)
        before = _outcomes(here)
        for rule, move in _moves(here).items():
            told += 1
            sign = 1 if move.way == "ahead" else -1
            there = moved(here, 0, sign * move.least_m)
            assert there is not None
            after = {each.rule: each.outcome for each in check(there, bundle=campus, now=NOW).findings}
            assert after[rule] == "compliant"
            worse = [
                each for each in before if SEVERITY.index(after[each]) > max(1, SEVERITY.index(before[each]))
            ]
            assert worse == []
            shorter = moved(here, 0, sign * (move.least_m - 0.1))
            assert shorter is not None
            nearer = {each.rule: each.outcome for each in check(shorter, bundle=campus, now=NOW).findings}
            spoilt = [
                each for each in before if SEVERITY.index(nearer[each]) > max(1, SEVERITY.index(before[each]))
            ]
            assert nearer[rule] != "compliant" or spoilt
    assert told >= 5


def _outcomes(checked: Checked) -> dict[str, str]:
    return {
        rule.rule.id: SEVERITY[int(checked.findings[0, number])]
        for number, rule in enumerate(checked.rules)
        if rule.counts
    }


@pytest.mark.parametrize(
    ("more", "mended"),
    [
        ({"measured": {"gap_m": 0.8, "angle_deg": 0, "cycleway_m": 5.0}}, True),
        ({"measured": {"gap_m": 2.0, "angle_deg": 0, "cycleway_m": 0.2}}, False),
        (
            {
                "measured": {"gap_m": 2.0, "angle_deg": 0},
                "observed": [{"layer": "cycleway", "state": "none", "reach_m": 0.1}],
            },
            False,
        ),
        # Nobody knows how far it would turn, so nothing seen near it holds.
        ({"measured": {"gap_m": 0.8, "cycleway_m": 5.0}}, False),
    ],
)
def test_what_was_taped_beside_the_skip_may_be_reached_on_the_way_to_the_kerb(
    *, more: dict[str, Any], mended: bool
) -> None:
    """From 2.0 m off to 0.30 m the skip comes 1.7 m nearer to whatever lies beside it."""
    moves = _moves(_checked({"mode": "observed", "length_m": 2.65, **more}))
    assert ("GYN-10" in moves) == mended
