"""Signs that somebody saw (kind 20): codes, hours and what was not seen."""

from __future__ import annotations

import datetime as dt
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.check.pipeline import run
from geocheck.errors import InputError
from geocheck.law.versions import city_law
from geocheck.model.request import parse_request
from geocheck.model.words import Outcome

unhurried = settings(deadline=None, max_examples=40)
NOW = dt.datetime(2026, 8, 7, 12, tzinfo=dt.UTC)
FRIDAY = {"start": "2026-08-07T10:00", "end": "2026-08-07T12:00"}
BINDS, FREE = "Mo-Fr 08:00-18:00", "Sa 08:00-18:00"


def found(city: str, rule: str, requests: list[dict[str, Any]]) -> list[str]:
    """Return the outcome of a city's rule for each request."""
    parsed = [parse_request({"city": city, "where": "carriageway", **each}) for each in requests]
    (checked,) = run(parsed, city_law(city), NOW)
    number = [bound.rule.id for bound in checked.rules].index(rule)
    return [Outcome(int(code)).code for code in checked.findings[:, number]]


def sign(state: str, code: str | None = None, hours: str | None = None, reach_m: float = 0) -> dict[str, Any]:
    told = {key: value for key, value in (("code", code), ("hours", hours)) if value is not None}
    return {"layer": "sign", "state": state, "reach_m": reach_m, "attributes": told}


POOL = [
    *(
        sign("present", code, hours)
        for code in (None, "R-6a", "R-6b", "R-6c")
        for hours in (None, BINDS, FREE)
    ),
    *(sign("none", code) for code in (None, "R-6a", "R-6b", "R-6c")),
]


def one_code(code: str, signs: list[dict[str, Any]]) -> str:
    """Tell whether a code binds, is answered for, or is left open; R-6b alone forbids nothing for sure."""
    seen = [each for each in signs if each["attributes"].get("code") == code]
    present = [each for each in seen if each["state"] == "present"]
    if any(each["attributes"].get("hours") != FREE for each in present):
        return "conditional" if code == "R-6b" else "violation"  # without hours it binds always
    looked_for_any = any(each["state"] == "none" and "code" not in each["attributes"] for each in signs)
    return "compliant" if seen or looked_for_any else "not_evaluated"


def sensible(signs: tuple[dict[str, Any], ...]) -> bool:
    """Leave out what a request refuses: no sign at all and yet one of unknown code."""
    nameless = [each["state"] for each in signs if "code" not in each["attributes"]]
    return not {"none", "present"} <= set(nameless)


@pytest.mark.parametrize(
    ("rule", "codes"), [("GYN-14", ("R-6a", "R-6c")), ("GYN-15", ("R-6b",)), ("CTB-13", None)]
)
def test_signs_agree_with_plain_ifs(rule: str, codes: tuple[str, ...] | None) -> None:
    """Whatever one, two or three people saw; every code must be answered for, and none may bind."""
    cases = [signs for size in (0, 1, 2) for signs in combinations(POOL, size)]
    cases += [(*pair, sign("none", "R-6c")) for pair in product(POOL, POOL)]
    cases = list(filter(sensible, cases))
    got = found("goiania", rule, [{**FRIDAY, "observed": list(signs)} for signs in cases])
    severity = ["compliant", "conditional", "not_evaluated", "violation"]

    def expected(signs: tuple[dict[str, Any], ...]) -> str:
        each = [one_code(code, list(signs)) for code in codes or ("R-6a", "R-6b", "R-6c")]
        return max(each, key=severity.index)

    wrong = [(signs, code) for signs, code in zip(cases, got, strict=True) if code != expected(signs)]
    assert wrong == []


def test_a_sign_of_unknown_code_nearby_is_no_pass() -> None:
    signs = [sign("present", reach_m=5), sign("none", reach_m=0)]
    assert found("goiania", "GYN-14", [{**FRIDAY, "observed": signs}]) == ["not_evaluated"]


@pytest.mark.parametrize(
    ("hours", "start", "end", "expected"),
    [
        ("Mo-Fr 07:00-19:00", "2026-08-07T19:00", "2026-08-10T07:00", "compliant"),  # ends do not touch
        ("Mo-Fr 07:00-19:00", "2026-08-07T18:59", "2026-08-10T07:00", "violation"),
        ("Mo-Fr 07:00-19:00", "2026-08-07T19:00", "2026-08-10T07:01", "violation"),
        ("Mo-Fr 07:00-19:00", "2026-08-07T20:00", "2026-08-12T06:00", "violation"),  # days in between
        ("22:00-06:00", "2026-08-07T05:00", "2026-08-07T05:30", "violation"),  # since the eve
        ("22:00-06:00", "2026-08-07T06:00", "2026-08-07T22:00", "compliant"),
        ("24/7", "2026-08-07T10:00", "2026-08-07T10:01", "violation"),
        # 7 September 2026, a Monday, is a national holiday
        ("Mo-Fr 07:00-19:00", "2026-09-07T10:00", "2026-09-07T11:00", "violation"),
        ("Mo-Fr 07:00-19:00; PH off", "2026-09-07T10:00", "2026-09-07T11:00", "compliant"),
        ("PH 07:00-19:00", "2026-09-07T10:00", "2026-09-07T11:00", "violation"),
        ("PH 07:00-19:00", "2026-09-08T10:00", "2026-09-08T11:00", "compliant"),
    ],
)
def test_hours_of_a_sign(hours: str, start: str, end: str, expected: str) -> None:
    signs = [sign("present", "R-6a", hours), sign("none", "R-6c")]
    assert found("goiania", "GYN-14", [{"start": start, "end": end, "observed": signs}]) == [expected]


@unhurried
@given(st.integers(0, 7 * 24), st.integers(1, 60), st.booleans())
def test_a_stay_meets_the_hours_or_does_not(first: int, length: int, holidays_off: object) -> None:
    """Hour by hour from Saturday 5 September 2026 on; Monday 7 is a holiday."""
    start = dt.datetime(2026, 9, 5) + dt.timedelta(hours=first)  # noqa: DTZ001 - the wall clock of the city
    hours = [start + dt.timedelta(hours=each) for each in range(length)]

    def prohibits(hour: dt.datetime) -> bool:
        if holidays_off and hour.date() == dt.date(2026, 9, 7):
            return False
        last = {5: 13, 6: 0}.get(hour.weekday(), 19)
        return 7 <= hour.hour < last

    text = "Mo-Fr 07:00-19:00; Sa 07:00-13:00" + ("; PH off" if holidays_off else "")
    request = {
        "start": start.isoformat(),
        "end": (start + dt.timedelta(hours=length)).isoformat(),
        "observed": [sign("present", "R-6a", text), sign("none", "R-6c")],
    }
    expected = "violation" if any(map(prohibits, hours)) else "compliant"
    assert found("goiania", "GYN-14", [request]) == [expected]


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(None, "violation"), (BINDS, "violation"), (FREE, "not_evaluated"), ("Fr 10:00-11:00", "violation")],
)
def test_without_an_end_only_what_binds_at_once_is_known(hours: str | None, expected: str) -> None:
    """Rio Verde sets no term, so nobody knows when the skip leaves."""
    signs = [sign("present", "R-6a", hours), sign("none", "R-6b"), sign("none", "R-6c")]
    request = {"start": FRIDAY["start"], "observed": signs}
    assert found("rio-verde", "CTB-13", [request]) == [expected]


def test_the_hours_of_each_row_are_its_own() -> None:
    texts = [BINDS, FREE, None, FREE, BINDS]
    requests = [{**FRIDAY, "observed": [sign("present", "R-6b", text)]} for text in texts]
    expected = ["compliant" if text == FREE else "conditional" for text in texts]
    assert found("goiania", "GYN-15", requests) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(None, "conditional"), ("paid_parking", "not_applicable"), ("exclusive", "violation")],
)
def test_what_a_plate_of_regulated_parking_regulates(kind: str | None, expected: str) -> None:
    """That of paid parking asks for the act of the paid zone, which is another rule."""
    plate = sign("present", "R-6b")
    if kind is not None:
        plate["attributes"]["kind"] = kind
    assert found("goiania", "GYN-15", [{**FRIDAY, "observed": [plate]}]) == [expected]


def test_a_plate_of_paid_parking_does_not_speak_for_another() -> None:
    paid, unknown = sign("present", "R-6b"), sign("present", "R-6b")
    paid["attributes"]["kind"] = "paid_parking"
    assert found("goiania", "GYN-15", [{**FRIDAY, "observed": [paid, unknown]}]) == ["conditional"]


def test_hours_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(InputError, match="das sete às dez"):
        found("goiania", "GYN-15", [{**FRIDAY, "observed": [sign("present", "R-6b", "das sete às dez")]}])
