"""When the skip stands (kinds 16–19 and 21) against a walk through the stay, half hour by half hour."""

from __future__ import annotations

import datetime as dt
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.check.pipeline import run
from geocheck.cities import load_city
from geocheck.law.load import LoadedRulebook
from geocheck.law.rulebook import Rulebook
from geocheck.law.versions import CityLaw, city_law
from geocheck.model.request import parse_request
from geocheck.model.words import Outcome

unhurried = settings(deadline=None, max_examples=25)
NOW = dt.datetime(2026, 8, 7, 12, tzinfo=dt.UTC)
STEP = dt.timedelta(minutes=30)
SEVERITY = [each.code for each in sorted(Outcome)]
ZONE_STATES = [True, False, None]

# National holidays of the months walked through; in all cities the other days are told apart by weekday.
NATIONAL = {dt.date(2026, month, day) for month, day in ((9, 7), (10, 12), (11, 2), (11, 15), (11, 20))}
HOLIDAYS = {
    "goiania": NATIONAL | {dt.date(2026, 10, 24)},
    "juiz-de-fora": NATIONAL,
    "dois-vizinhos": NATIONAL,
}


def answers(law: CityLaw, rule: str, requests: list[dict[str, Any]]) -> list[str]:
    """Return the outcome of a rule for each request, all in one batch."""
    parsed = [parse_request({"city": law.city.id, "where": "carriageway", **each}) for each in requests]
    (checked,) = run(parsed, law, NOW)
    number = [bound.rule.id for bound in checked.rules].index(rule)
    return [Outcome(int(code)).code for code in checked.findings[:, number]]


def found(city: str, rule: str, *requests: dict[str, Any]) -> list[str]:
    return answers(city_law(city), rule, list(requests))


def judged(test: dict[str, Any], *requests: dict[str, Any]) -> list[str]:
    """Return the outcome of a rule of one test in Goiânia; nothing else there sets a term."""
    header = dict.fromkeys(("id", "series", "title", "short_title", "source"), "teste")
    rule = {"id": "TST-01", "title": "teste", "asks": "teste", "law": {"article": "1"}, "test": [test]}
    book = Rulebook.model_validate(
        {
            "rulebook": {**header, "text_status": "complete"},
            "sanctions": {"cumulative": False},
            "rule": [rule],
        }
    )
    law = CityLaw(load_city("goiania"), (LoadedRulebook(book, "0" * 64),), None)
    return answers(law, "TST-01", list(requests))


def day_of(city: str, day: dt.date) -> str:
    if day in HOLIDAYS[city]:
        return "holiday"
    return {5: "saturday", 6: "sunday"}.get(day.weekday(), "business_day")


def walk(start: dt.datetime, steps: int) -> list[dt.datetime]:
    """Return the half hours of a stay."""
    return [start + STEP * step for step in range(steps)]


def within(moment: dt.datetime, first: float, last: float) -> bool:
    """Tell whether the half hour from a moment on lies between two hours of its day."""
    return first <= moment.hour + moment.minute / 60 < last


def wall(*parts: int) -> dt.datetime:
    """Return a wall time of the city."""
    return dt.datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001


STARTS = st.integers(0, 80 * 48).map(lambda step: wall(2026, 9, 4) + STEP * step)
LENGTHS = st.one_of(st.integers(1, 48), st.integers(1, 8 * 48))


def stay(start: dt.datetime, steps: int) -> dict[str, Any]:
    return {"start": start.isoformat(), "end": (start + STEP * steps).isoformat()}


def zone(name: str, state: object) -> dict[str, Any]:
    return {} if state is None else {"in_zone": {name: state}}


# ---------------------------------------------------------------- 16 zone_authorisation

RESTRICTED_ZONES = ("basic_road_system", "pedestrian_street", "central_zone", "paid_parking")


def restricted(moment: dt.datetime) -> bool:
    """Goiânia, Art. 12: business days 7–19 h, Saturdays that are no holidays 7–13 h."""
    kind = day_of("goiania", moment.date())
    return within(moment, 7, {"business_day": 19, "saturday": 13}.get(kind, 0))


def doubtful(moment: dt.datetime) -> bool:
    """By the reading of nights: 0–7 h of a business day or Saturday after a holiday from Monday to Friday."""
    eve = moment.date() - dt.timedelta(days=1)
    after_holiday = day_of("goiania", eve) == "holiday" and eve.weekday() < 5
    kind = day_of("goiania", moment.date())
    return after_holiday and kind in ("business_day", "saturday") and within(moment, 0, 7)


@unhurried
@given(st.lists(st.tuples(STARTS, LENGTHS), min_size=1, max_size=10), st.sampled_from(ZONE_STATES))
def test_goiania_asks_for_an_act_in_the_restricted_hours(
    stays: list[tuple[dt.datetime, int]], inside: object
) -> None:
    told = {"central_zone": inside is True}  # of the other three nobody knows
    if inside is False:
        told = dict.fromkeys(RESTRICTED_ZONES, False)
    for acts in ([], ["GYN-25"]):
        requests = [{**stay(*each), "in_zone": told, "authorised": acts} for each in stays]
        for (start, steps), got in zip(stays, found("goiania", "GYN-25", *requests), strict=True):
            hours = walk(start, steps)
            if inside is False:
                expected = "not_applicable"
            elif acts:
                expected = "compliant"
            elif any(map(restricted, hours)):
                expected = "conditional" if inside else "not_evaluated"
            else:
                expected = "conditional" if any(map(doubtful, hours)) else "compliant"
            assert got == expected, (start, steps)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-08-08T00:00", "2026-08-08T07:00", "compliant"),  # Saturday after an ordinary Friday
        ("2026-10-12T00:00", "2026-10-12T23:59", "compliant"),  # a holiday, Monday
        ("2026-10-12T10:00", "2026-10-13T06:00", "conditional"),  # into the business day after it
        ("2026-10-13T05:00", "2026-10-13T06:00", "conditional"),
        ("2026-11-20T10:00", "2026-11-21T00:00", "compliant"),  # a holiday, Friday
        ("2026-11-20T10:00", "2026-11-21T01:00", "conditional"),  # into the Saturday after it
        ("2026-11-21T13:00", "2026-11-23T07:00", "compliant"),
        ("2026-10-24T08:00", "2026-10-26T06:00", "compliant"),  # a Saturday that is a holiday: no weekday
    ],
)
def test_doubtful_nights_of_goiania_depend_and_never_convict(start: str, end: str, expected: str) -> None:
    request = {"start": start, "end": end, "in_zone": {"central_zone": True}}
    held = {**request, "authorised": ["GYN-25"]}
    nowhere = {**request, "in_zone": {}}
    assert found("goiania", "GYN-25", request, held, nowhere) == [expected, "compliant", expected]


@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize(
    ("inside", "without"), [(True, "conditional"), (False, "not_applicable"), (None, "not_evaluated")]
)
def test_an_act_that_is_always_needed(held: object, inside: object, without: str) -> None:
    test = {"kind": "zone_authorisation", "zones": ["square"], "authority": "prefeitura", "acts": ["stay"]}
    request = {**zone("square", inside), "authorised": ["TST-01"] if held else []}
    assert judged(test, request) == [without if inside is False or not held else "compliant"]


def test_an_act_that_is_needed_everywhere() -> None:
    test = {"kind": "zone_authorisation", "authority": "prefeitura", "acts": ["stay"]}
    requests = [{}, {"authorised": ["TST-01"]}, {"declared": ["TST-01"]}]
    assert judged(test, *requests) == ["conditional", "compliant", "conditional"]


OFFICE_HOURS = {"days": ["business_day"], "from": "07:00", "to": "19:00"}
AN_EVENING, A_MORNING = "2026-08-07T20:00", "2026-08-07T10:00"  # a Friday


def test_an_act_while_nobody_knows_the_end() -> None:
    test = {
        "kind": "zone_authorisation",
        "authority": "prefeitura",
        "acts": ["stay"],
        "restricted": [OFFICE_HOURS],
    }
    assert judged(test, {"start": AN_EVENING}, {"start": A_MORNING}) == ["not_evaluated", "conditional"]


# ---------------------------------------------------------------- 17 operation_window


def axis_allows(moment: dt.datetime) -> bool:
    """Dois Vizinhos, Art. 9: hours in which a skip may be placed or removed; both ends are in time."""
    hour = moment.hour + moment.minute / 60
    windows = {
        "business_day": [(6.0, 8.5), (19.0, 22.0)],
        "saturday": [(6.0, 8.5), (14.0, 22.0)],
        "sunday": [(6.0, 22.0)],
        "holiday": [(6.0, 22.0)],
    }
    return any(first <= hour <= last for first, last in windows[day_of("dois-vizinhos", moment.date())])


@unhurried
@given(st.lists(st.tuples(STARTS, LENGTHS, st.booleans()), min_size=1, max_size=10))
def test_dois_vizinhos_places_and_removes_at_its_hours(stays: list[tuple[dt.datetime, int, bool]]) -> None:
    for inside in ZONE_STATES:
        requests = [
            {
                **zone("central_axis", inside),
                "start": start.isoformat(),
                **({"end": (start + STEP * steps).isoformat()} if end_given else {}),
            }
            for start, steps, end_given in stays
        ]
        got = found("dois-vizinhos", "DVZ-18", *requests)
        for (start, steps, end_given), code in zip(stays, got, strict=True):
            # A removal that nobody dated is planned within the hours.
            acts = [start, start + STEP * steps] if end_given else [start]
            if inside is False:
                expected = "not_applicable"
            elif all(map(axis_allows, acts)):
                expected = "compliant"
            else:
                expected = "violation" if inside else "not_evaluated"
            assert code == expected, (start, steps, end_given)


@pytest.mark.parametrize(
    ("placed", "removed", "acts", "expected"),
    [
        ("2026-08-07T11:00", "2026-08-07T14:00", ["place", "remove"], "compliant"),  # ends are free
        ("2026-08-07T11:01", "2026-08-07T14:00", ["place", "remove"], "violation"),
        ("2026-08-07T11:00", "2026-08-07T13:59", ["place", "remove"], "violation"),
        ("2026-08-07T11:00", "2026-08-07T13:59", ["place"], "compliant"),
        ("2026-08-07T11:01", "2026-08-07T14:00", ["remove"], "compliant"),
        ("2026-08-08T11:01", "2026-08-08T13:00", ["place", "remove"], "compliant"),  # a Saturday
    ],
)
def test_forbidden_hours_of_acts(placed: str, removed: str, acts: list[str], expected: str) -> None:
    noon = {"days": ["business_day"], "from": "11:00", "to": "14:00"}
    test = {"kind": "operation_window", "acts": acts, "forbidden": [noon]}
    assert judged(test, {"start": placed, "end": removed}) == [expected]


def test_hours_that_another_act_sets_are_never_evaluated() -> None:
    test = {"kind": "operation_window", "acts": ["place"], "undefined": True}
    assert judged(test, {"start": A_MORNING, "end": AN_EVENING}) == ["not_evaluated"]


# ---------------------------------------------------------------- 18 presence_window


@unhurried
@given(st.lists(st.tuples(STARTS, LENGTHS), min_size=1, max_size=10), st.sampled_from(ZONE_STATES))
def test_presence_in_forbidden_and_allowed_hours(
    stays: list[tuple[dt.datetime, int]], inside: object
) -> None:
    """Forbidden in office hours; or allowed only in them."""
    requests = [{**stay(*each), **zone("square", inside)} for each in stays]
    base = {"kind": "presence_window", "zones": ["square"]}
    forbidden = judged({**base, "forbidden": [OFFICE_HOURS]}, *requests)
    allowed = judged({**base, "allowed": [OFFICE_HOURS]}, *requests)
    for each, *got in zip(stays, forbidden, allowed, strict=True):
        office = [
            day_of("goiania", moment.date()) == "business_day" and within(moment, 7, 19)
            for moment in walk(*each)
        ]
        for wrong, code in zip((any(office), not all(office)), got, strict=True):
            if inside is False:
                assert code == "not_applicable"
            elif not wrong:
                assert code == "compliant"
            else:
                assert code == ("violation" if inside else "not_evaluated")


@pytest.mark.parametrize(
    ("key", "start", "expected"),
    [
        ("forbidden", A_MORNING, "violation"),
        ("forbidden", AN_EVENING, "not_evaluated"),
        ("allowed", A_MORNING, "not_evaluated"),
        ("allowed", AN_EVENING, "violation"),
    ],
)
def test_presence_while_nobody_knows_the_end(key: str, start: str, expected: str) -> None:
    assert judged({"kind": "presence_window", key: [OFFICE_HOURS]}, {"start": start}) == [expected]


# ---------------------------------------------------------------- 19 max_stay


def end_of_business_day(city: str, placed: dt.datetime, number: int) -> dt.datetime:
    """Return the last second of the n-th business day after the placing day."""
    day = placed.date()
    while number:
        day += dt.timedelta(days=1)
        number -= day_of(city, day) == "business_day"
    return wall(day.year, day.month, day.day, 23, 59, 59)


def last_second(city: str, placed: dt.datetime) -> dt.datetime:
    """Return the end of the common term of a city, by its own way of counting."""
    if city == "goiania":  # five business days, the placing day not counted
        return end_of_business_day(city, placed, 5)
    if city == "juiz-de-fora":  # three business days, the placing day being the first when it is one
        first = day_of(city, placed.date()) == "business_day"
        return end_of_business_day(city, placed, 2 if first else 3)
    moment, left = placed, dt.timedelta(hours=72)  # 72 h that pass on business days only
    while left:
        if day_of(city, moment.date()) == "business_day":
            left -= STEP
        moment += STEP
    return moment


SECONDS = st.sampled_from([-100_000, -3600, -1, 0, 1, 3600, 100_000])


@unhurried
@given(
    STARTS,
    SECONDS,
    st.sampled_from([("goiania", "GYN-27"), ("juiz-de-fora", "JDF-30"), ("dois-vizinhos", "DVZ-15")]),
)
def test_the_term_of_each_city_to_the_second(start: dt.datetime, late: int, where: tuple[str, str]) -> None:
    city, rule = where
    end = last_second(city, start) + dt.timedelta(seconds=late)
    got = found(
        city, rule, {"start": start.isoformat(), "end": end.isoformat()}, {"start": start.isoformat()}
    )
    # Who names no end leaves in time.
    assert got == ["violation" if late > 0 else "compliant", "compliant"]


@unhurried
@given(STARTS, st.integers(0, 10 * 48), st.integers(1, 12 * 48))
def test_a_full_skip_in_goiania(start: dt.datetime, filled: int, steps: int) -> None:
    """Full, it has 24 hours, even beyond the fifth day, which then only makes it depend."""
    full, end = start + STEP * filled, start + STEP * steps
    five_days = last_second("goiania", start)
    broken = end > full + dt.timedelta(hours=24)
    if full > five_days:  # it was still not full when its five days ended
        broken |= end > five_days
    expected = "violation" if broken else "conditional" if end > five_days else "compliant"
    request = {"start": start.isoformat(), "end": end.isoformat(), "full_at": full.isoformat()}
    assert found("goiania", "GYN-27", request) == [expected]


@unhurried
@given(
    STARTS,
    st.lists(LENGTHS, min_size=2, max_size=8, unique=True),
    st.one_of(st.none(), st.integers(0, 6 * 48)),
    st.sampled_from([("goiania", "GYN-27"), ("juiz-de-fora", "JDF-30"), ("dois-vizinhos", "DVZ-15")]),
)
def test_a_later_end_never_betters_a_stay(
    start: dt.datetime, lengths: list[int], filled: int | None, where: tuple[str, str]
) -> None:
    city, rule = where
    full = {} if filled is None else {"full_at": (start + STEP * filled).isoformat()}
    requests = [{**stay(start, steps), **full} for steps in sorted(lengths)]
    severities = [SEVERITY.index(code) for code in found(city, rule, *requests)]
    assert severities == sorted(severities)


COMMON = {"unit": "business_days", "limit_days": 3, "first_day": "included", "trigger": "placed"}
EXTENSION = {"act": "autorização", "zones": ["square"], "term": {**COMMON, "limit_days": 5}}
IN_TIME, LATER, TOO_LATE = "2026-08-05T23:59:59", "2026-08-07T23:59:59", "2026-08-08T00:00:00"


def monday(end: str, inside: object, held: object) -> dict[str, Any]:
    """Placed on Monday 3 August 2026: Wednesday is the third day, Friday the fifth."""
    acts = ["TST-01"] if held else []
    return {"start": "2026-08-03T10:00", "end": end, **zone("square", inside), "authorised": acts}


@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize("inside", ZONE_STATES)
def test_an_act_may_lengthen_a_stay_in_its_zone(inside: object, held: object) -> None:
    test = {"kind": "max_stay", "term": COMMON, "extension": EXTENSION}
    got = judged(test, *(monday(end, inside, held) for end in (IN_TIME, LATER, TOO_LATE)))
    if inside is None:
        between = "not_evaluated"
    else:
        between = ("compliant" if held else "conditional") if inside else "violation"
    assert got == ["compliant", between, "violation"]


@pytest.mark.parametrize(("inside", "held"), [*product(ZONE_STATES, [False]), (False, True)])
def test_a_term_that_an_act_sets_binds_who_does_not_hold_it(inside: object, held: object) -> None:
    test = {"kind": "max_stay", "term": COMMON, "extension": {"act": "autorização", "zones": ["square"]}}
    in_time, later = judged(test, monday(IN_TIME, inside, held), monday(LATER, inside, held))
    assert (in_time, later) == ("compliant", "violation")


def test_a_term_that_an_act_sets_is_not_the_laws_for_who_holds_it() -> None:
    test = {"kind": "max_stay", "term": COMMON, "extension": {"act": "autorização", "zones": ["square"]}}
    assert judged(test, monday(LATER, inside=True, held=True)) == ["not_applicable"]


def test_a_term_that_an_act_sets_in_a_zone_nobody_knows_is_open() -> None:
    test = {"kind": "max_stay", "term": COMMON, "extension": {"act": "autorização", "zones": ["square"]}}
    assert judged(test, monday(LATER, None, held=True)) == ["not_evaluated"]


# ---------------------------------------------------------------- 21 fee_requirement


@pytest.mark.parametrize("where", ["carriageway", "parking_bay", "shoulder", "footway"])
@pytest.mark.parametrize(
    "paid",
    [{}, {"site": {"credits_bought": False}}, {"site": {"credits_bought": True}}, {"authorised": ["JDF-19"]}],
)
@pytest.mark.parametrize("inside", ZONE_STATES)
def test_parking_credits_of_juiz_de_fora(where: str, paid: dict[str, Any], inside: object) -> None:
    got = found("juiz-de-fora", "JDF-19", {"where": where, **zone("paid_parking", inside), **paid})
    if where == "footway" or inside is False:
        expected = "not_applicable"
    elif paid.get("authorised") or paid.get("site") == {"credits_bought": True}:
        expected = "compliant"
    else:
        expected = "conditional" if inside else "not_evaluated"
    assert got == [expected]


@unhurried
@given(STARTS, LENGTHS)
def test_a_fee_is_due_in_its_hours_only(start: dt.datetime, steps: int) -> None:
    test = {
        "kind": "fee_requirement",
        "zones": ["paid_parking"],
        "per": "hour",
        "act": "créditos",
        "hours": [OFFICE_HOURS],
    }
    due = any(
        day_of("goiania", moment.date()) == "business_day" and within(moment, 7, 19)
        for moment in walk(start, steps)
    )
    got = judged(test, *({**stay(start, steps), **zone("paid_parking", state)} for state in ZONE_STATES))
    expected = (
        ["conditional", "not_applicable", "not_evaluated"]
        if due
        else ["compliant", "not_applicable", "compliant"]
    )
    assert got == expected
