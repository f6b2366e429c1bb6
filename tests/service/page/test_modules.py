"""The modules that know no page, run in the browser: questions, answers as requests, links, numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geocheck import check, parse_request
from geocheck.cities import city_names
from geocheck.model.words import LAYERS, MEASURED_KEYS, ZONES

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def blank(browser: Any, running: str) -> Any:  # noqa: ANN401 (of Playwright)
    """Return a page of the service from which its modules are loaded."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(running)
    yield page
    context.close()


def call(page: Page, module: str, function: str, *values: Any) -> Any:  # noqa: ANN401 (JSON)
    """Call a function of a module."""
    return page.evaluate(
        "async ([module, name, values]) => (await import(`./static/js/${module}.js`))[name](...values)",
        [module, function, list(values)],
    )


def pending(
    action: str, key: str | None, layer: str | None, reach_m: float | None, text: str
) -> dict[str, Any]:
    return {"rule": "GYN-99", "action": action, "key": key, "layer": layer, "reach_m": reach_m, "text": text}


CASES = [
    (
        pending("look", None, "hydrant", 5.0, "ver se há hidrante até 5,00 m"),
        "none",
        {"observed": [{"layer": "hydrant", "state": "none", "reach_m": 5}]},
    ),
    (
        pending("look", None, "crossing", 0.0, "ver se a caçamba fica sobre faixa de pedestres"),
        "present",
        {"observed": [{"layer": "crossing", "state": "present", "reach_m": 0}]},
    ),
    (
        pending(
            "look", "bounds_median", "median", 3.0, "ver se a guia junto à caçamba é a de canteiro central"
        ),
        "present",
        {
            "observed": [
                {"layer": "median", "state": "present", "reach_m": 3, "attributes": {"bounds_median": True}}
            ]
        },
    ),
    (
        pending(
            "look", "bounds_median", "median", 3.0, "ver se a guia junto à caçamba é a de canteiro central"
        ),
        "none",
        {"observed": [{"layer": "median", "state": "none", "reach_m": 3}]},
    ),
    (
        pending("look", "plates", "bus_stop", None, "ponto de ônibus: quantas placas tem?"),
        2,
        {"observed": [{"layer": "bus_stop", "state": "present", "reach_m": 50, "attributes": {"plates": 2}}]},
    ),
    (
        pending("look", "box", "taxi_stand", None, "ponto de táxi: há box pintado?"),
        False,
        {
            "observed": [
                {"layer": "taxi_stand", "state": "present", "reach_m": 50, "attributes": {"box": False}}
            ]
        },
    ),
    (
        pending("look", None, "lot", 0.0, "ver se a caçamba inteira fica diante do imóvel atendido"),
        "part",
        {
            "observed": [
                {
                    "layer": "lot",
                    "state": "present",
                    "reach_m": 0,
                    "attributes": {"of_served_lot": True, "coverage": "part"},
                }
            ]
        },
    ),
    (
        pending("look", None, "lot", 0.0, "ver se a caçamba inteira fica diante do imóvel atendido"),
        "no",
        {
            "observed": [
                {"layer": "lot", "state": "present", "reach_m": 0, "attributes": {"of_served_lot": False}}
            ]
        },
    ),
    (
        pending("look", None, "sign", None, "ver se há placa R-6b na quadra, e com que horário"),
        "none",
        {"observed": [{"layer": "sign", "state": "none", "reach_m": 0, "attributes": {"code": "R-6b"}}]},
    ),
    (
        pending("look", None, "sign", None, "ver se há placa R-6b na quadra, e com que horário"),
        {"hours": "Mo-Fr 07:00-19:00"},
        {
            "observed": [
                {
                    "layer": "sign",
                    "state": "present",
                    "reach_m": 0,
                    "attributes": {"code": "R-6b", "hours": "Mo-Fr 07:00-19:00"},
                }
            ]
        },
    ),
    (
        pending("measure", "corner_before_m", "corner", 5.0, "medir a distância até a esquina de trás"),
        6.2,
        {"measured": {"corner_before_m": 6.2}},
    ),
    (
        pending(
            "tell", "in_zone.central_zone", "central_zone", None, "informar se o local fica em zona central"
        ),
        False,
        {"in_zone": {"central_zone": False}},
    ),
    (
        pending("tell", "site.interior_possible", None, None, "informar se a caçamba cabe dentro do imóvel"),
        False,
        {"site": {"interior_possible": False}},
    ),
    (
        pending(
            "tell", "site.skips_on_lot", None, None, "informar quantas outras caçambas há para este lote"
        ),
        2,
        {"site": {"skips_on_lot": 2}},
    ),
    (pending("tell", "low_face_m", None, None, "informar a altura da face baixa"), 0.8, {"low_face_m": 0.8}),
    (
        pending("tell", "end", None, None, "informar a data e a hora da retirada"),
        "2026-08-10T10:00",
        {"end": "2026-08-10T10:00"},
    ),
]


@pytest.mark.parametrize(("entry", "value", "expected"), CASES, ids=range(len(CASES)))
def test_an_answer_is_what_the_request_has_for_it(
    blank: Page,
    entry: dict[str, Any],
    value: object,
    expected: dict[str, Any],
) -> None:
    [question] = call(blank, "answers", "questionsOf", {"pending": [entry], "findings": []})
    answers = call(blank, "answers", "answered", [], question, value)
    fields = {key: held for key, held in call(blank, "answers", "told", answers).items() if held}
    assert fields == expected
    parse_request({"city": "goiania", **fields})


def test_a_sign_of_two_codes_is_two_questions_and_one_rule_asks_once(blank: Page) -> None:
    entry = pending("look", None, "sign", None, "ver se há placa R-6a ou R-6c na quadra, e com que horário")
    found = call(
        blank, "answers", "questionsOf", {"pending": [entry, {**entry, "rule": "GYN-98"}], "findings": []}
    )
    assert [each["code"] for each in found] == ["R-6a", "R-6c"]
    assert found[0]["rules"] == ["GYN-99", "GYN-98"]


def test_an_attribute_is_said_of_the_thing_where_the_map_has_it(blank: Page) -> None:
    entry = pending("look", "identified", "hydrant", None, "hidrante: está devidamente identificado?")
    finding = {"rule": "GYN-99", "feature": {"layer": "hydrant"}, "measured_m": 0.8, "uncertainty_m": 0.52}
    [question] = call(blank, "answers", "questionsOf", {"pending": [entry], "findings": [finding]})
    answers = call(blank, "answers", "answered", [], question, True)
    told = call(blank, "answers", "told", answers)["observed"]
    assert told == [
        {"layer": "hydrant", "state": "present", "reach_m": 1.32, "attributes": {"identified": True}}
    ]


def test_an_attribute_joins_the_thing_that_was_seen(blank: Page) -> None:
    look = pending("look", None, "hydrant", 1.0, "ver se há hidrante até 1,00 m")
    asked = pending("look", "identified", "hydrant", None, "hidrante: está devidamente identificado?")
    questions = call(blank, "answers", "questionsOf", {"pending": [look, asked], "findings": []})
    answers: list[Any] = []
    for question, value in zip(questions, ("present", True), strict=True):
        answers = call(blank, "answers", "answered", answers, question, value)
    told = call(blank, "answers", "told", answers)["observed"]
    assert told == [
        {"layer": "hydrant", "state": "present", "reach_m": 1, "attributes": {"identified": True}}
    ]


LOOK = st.builds(
    lambda layer, reach, value: (pending("look", None, layer, reach, "ver se há algo"), value),
    st.sampled_from(["hydrant", "square", "bus_stop"]),
    st.sampled_from([0.0, 1.0, 5.0, 10.0]),
    st.sampled_from(["none", "present"]),
)
TAPE = st.builds(
    lambda layer, value: (pending("measure", f"{layer}_m", layer, 5.0, "medir a distância"), value),
    st.sampled_from(["hydrant", "square", "bus_stop"]),
    st.sampled_from([0.0, 0.5, 3.0, 12.0]),
)
ZONE = st.builds(
    lambda value: (
        pending("tell", "in_zone.square", "square", None, "informar se o local fica em praça"),
        value,
    ),
    st.booleans(),
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(LOOK, TAPE, ZONE), max_size=6))
def test_answers_in_any_order_never_contradict_each_other(
    blank: Page, said: list[tuple[dict[str, Any], object]]
) -> None:
    answers: list[Any] = []
    for entry, value in said:
        [question] = call(blank, "answers", "questionsOf", {"pending": [entry], "findings": []})
        answers = call(blank, "answers", "answered", answers, question, value)
        parse_request({"city": "goiania", **call(blank, "answers", "told", answers)})
        assert answers[-1]["value"] == value, "the newest counts"


@pytest.mark.parametrize("city", city_names())
def test_every_question_of_every_city_has_a_control(blank: Page, city: str) -> None:
    """What the law of a city asks where nothing is known is all the page may have to show."""
    kinds = set()
    for where in ("carriageway", "parking_bay", "shoulder", "footway", "property"):
        report = check(parse_request({"city": city, "start": "2026-08-07T10:00", "where": where}))
        for question in call(blank, "answers", "questionsOf", json.loads(report.model_dump_json())):
            kinds.add(question["kind"])
            assert question["kind"] != "none", question
            assert "medir " not in question["text"]
            assert "informar " not in question["text"]
            key, layer = question["key"], question["layer"]
            if question["kind"] == "measure":
                assert key in MEASURED_KEYS
            elif question["kind"] == "look":
                assert layer in LAYERS
            elif (key or "").startswith("in_zone."):
                assert key.removeprefix("in_zone.") in ZONES
    assert {"look", "measure"} <= kinds


@pytest.mark.parametrize("city", city_names())
def test_answering_all_of_it_leaves_nothing_open(blank: Page, city: str) -> None:
    """Whatever is asked at first, a person who sees nothing anywhere comes to an end."""
    answers: list[Any] = []
    asked: dict[str, Any] = {"city": city, "start": "2026-08-07T10:00", "where": "carriageway"}
    for _ in range(8):
        report = check(parse_request({**asked, **call(blank, "answers", "told", answers)}))
        answers = blank.evaluate(
            """async ([report, answers, values]) => {
              const { answered, identity, questionsOf } = await import('./static/js/answers.js');
              const known = new Set(answers.map(identity));
              const open = questionsOf(report).filter((each) => !known.has(identity(each)));
              return open.reduce((said, each) => answered(said, each, values[each.kind]), answers);
            }""",
            [json.loads(report.model_dump_json()), answers, NEGATIVE],
        )
    assert report.verdict != "inconclusive", [each.text for each in report.pending]


NEGATIVE: dict[str, Any] = {
    "look": "none",
    "beside": "none",
    "lot": "whole",
    "sign": "none",
    "attribute": False,
    "measure": 1.5,
    "yes": False,
    "count": 0,
    "size": 1.0,
    "date": "2026-08-08T10:00",
}

NAMES = st.text(min_size=1, max_size=40)
STATES = st.fixed_dictionaries(
    {
        "city": st.sampled_from(city_names()),
        "spot": st.none() | st.fixed_dictionaries({"lon": st.floats(-74, -34), "lat": st.floats(-34, 5)}),
        "anchor": st.none(),
        "skip": st.fixed_dictionaries(
            {
                "name": st.none() | NAMES,
                "volume_m3": st.none() | st.floats(0.1, 60),
                "length_m": st.none() | st.floats(0.1, 12),
                "width_m": st.none() | st.floats(0.1, 12),
                "height_m": st.none(),
                "low_face_m": st.none(),
            }
        ),
        "start": st.just("2026-08-07T10:00"),
        "end": st.none() | st.just("2026-08-09T10:00"),
        "where": st.sampled_from(["carriageway", "parking_bay", "shoulder", "footway", "property"]),
        "authorised": st.lists(st.sampled_from(["GYN-25", "CTB-04"]), unique=True),
        "answers": st.lists(
            st.fixed_dictionaries(
                {
                    "kind": st.just("look"),
                    "layer": st.sampled_from(LAYERS),
                    "key": st.none(),
                    "reach": st.none() | st.floats(0, 100),
                    "code": st.none(),
                    "group": st.sampled_from(["around", "block", "tape", "facts"]),
                    "text": NAMES,
                    "value": st.sampled_from(["none", "present"]),
                }
            ),
            max_size=5,
        ),
    }
)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STATES)
def test_a_link_says_what_the_page_held(blank: Page, state: dict[str, Any]) -> None:
    link = call(blank, "link", "encode", state)
    assert set(link) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    again = call(blank, "link", "decode", f"#{link}")
    spot, found = state.pop("spot"), again.pop("spot")
    assert again == state
    assert found == (spot and {key: pytest.approx(value, abs=1e-8) for key, value in spot.items()})


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["", "g0.", "g1.", "g2."]), st.text(max_size=200))
def test_any_other_fragment_is_no_state(blank: Page, version: str, text: str) -> None:
    assert call(blank, "link", "decode", f"#{version}{text}") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6,20", 6.2),
        ("6.2", 6.2),
        (" 6,2 m", 6.2),
        ("5 m³", 5),
        ("0", 0),
        ("", None),
        ("-1", None),
        ("1e3", None),
        ("6,20,1", None),
        ("NaN", None),
        ("1.234,5", None),
        ("99999", None),
    ],
)
def test_numbers_are_read_with_comma_or_point(blank: Page, text: str, value: float | None) -> None:
    assert call(blank, "words", "parseNumber", text) == value


def test_of_those_that_wait_only_the_newest_is_asked(blank: Page) -> None:
    ran = blank.evaluate(
        """async () => {
          const { latest } = await import('./static/js/latest.js');
          const ran = [];
          let most = 0, now = 0;
          const ask = latest(async (what) => {
            most = Math.max(most, ++now);
            await new Promise((over) => setTimeout(over, 20));
            ran.push(what);
            now -= 1;
          });
          for (const what of [1, 2, 3, 4]) ask(what);
          await new Promise((over) => setTimeout(over, 100));
          ask(5);
          await new Promise((over) => setTimeout(over, 60));
          return [ran, most];
        }"""
    )
    assert ran == [[1, 4, 5], 1]
