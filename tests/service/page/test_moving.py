"""The skip is dragged and pushed: the answer follows, the newest wins, answers belong to their spot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
import shapely
from playwright.sync_api import expect

from geocheck.city.wgs84 import to_city

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace

    from playwright.sync_api import Page

    from geocheck.city.bundle.bundle import Bundle

SPOT: Final = (-49.260107985, -16.644320624)
DEGREE_M: Final = 111_320 * np.cos(np.radians(SPOT[1]))
"""Metres of a degree of longitude there, on a sphere of the equator's girth: 0.1 % is enough."""


def press_at_spot(page: Page, **more: Any) -> dict[str, Any]:  # noqa: ANN401 (JSON)
    """Open the spot by a link that says some more; the report."""
    skip = {
        "name": None,
        "volume_m3": 5,
        "length_m": 2.65,
        "width_m": 1.7,
        "height_m": None,
        "low_face_m": None,
    }
    spot = {"lon": SPOT[0], "lat": SPOT[1]}
    state = {"city": "goiania", "spot": spot, "start": "2026-08-08T14:00", "skip": skip, **more}
    link = page.evaluate(
        "async (state) => { const { EMPTY } = await import('./static/js/request.js');"
        " return (await import('./static/js/link.js')).encode({ ...EMPTY, ...state }); }",
        state,
    )
    with page.expect_response("**/v1/checks") as answer:
        page.evaluate("link => { location.hash = link; }", link)
    page.wait_for_selector(".grip")
    report: dict[str, Any] = answer.value.json()
    return report


def middle(report: dict[str, Any]) -> tuple[float, float]:
    x, y = shapely.geometry.shape(report["footprint"]).centroid.coords[0]
    return x, y


def moved_m(one: dict[str, Any], other: dict[str, Any], bundle: Bundle) -> float:
    """Return metres between where two reports have the skip."""
    ends = to_city(np.array([middle(one), middle(other)]), bundle.manifest.crs)
    return float(np.hypot(*(ends[1] - ends[0])))


def grip(page: Page) -> tuple[float, float]:
    box = page.locator(".grip").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(
    ("keys", "least_m", "most_m"), [("ArrowRight", 0.9, 1.01), ("Shift+ArrowRight", 4.9, 5.01)]
)
def test_arrow_keys_move_along_the_kerb(
    show: Callable[..., Any], bundle: Bundle, keys: str, least_m: float, most_m: float
) -> None:
    page = show().page
    before = press_at_spot(page)
    page.focus(".grip")
    with page.expect_response("**/v1/checks") as answer:
        page.keyboard.press(keys)
    after = answer.value.json()
    # The street runs 7.5° off the parallel: of a step east, cos 7.5° is along it.
    assert least_m < moved_m(before, after, bundle) < most_m
    assert middle(after)[0] > middle(before)[0]


def test_keys_push_the_skip_across_the_street(show: Callable[..., Any]) -> None:
    page = show().page
    before = press_at_spot(page)
    page.focus(".grip")
    for _ in range(12):
        with page.expect_response("**/v1/checks") as answer:
            page.keyboard.press("ArrowUp")
        if answer.value.json()["kerb"]["id"] != before["kerb"]["id"]:
            break
    assert answer.value.json()["kerb"]["side"] != before["kerb"]["side"]


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_answer_follows_the_drag_and_old_answers_never_win(
    show: Callable[..., Any], scene: SimpleNamespace, size: str
) -> None:
    opened = show(size)
    page = opened.page
    press_at_spot(page)
    scene.setting["delay_s"] = 0.4
    answers: list[dict[str, Any]] = []
    open_now = most_at_once = 0

    def begun(request: Any) -> None:  # noqa: ANN401 (of Playwright)
        nonlocal open_now, most_at_once
        if request.url.endswith("/v1/checks"):
            open_now += 1
            most_at_once = max(most_at_once, open_now)

    def ended(request: Any) -> None:  # noqa: ANN401 (of Playwright)
        nonlocal open_now
        if request.url.endswith("/v1/checks"):
            open_now -= 1
            answers.append(request.response().json())

    page.on("request", begun)
    page.on("requestfinished", ended)
    asked = len(opened.checks)
    x, y = grip(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 31):
        page.mouse.move(x - 3 * step, y)
        page.wait_for_timeout(50)
    assert len(opened.checks) - asked >= 2, "the answer does not follow"
    page.mouse.up()
    expect(page.locator(".grip")).not_to_have_class(re.compile("old"))
    page.wait_for_timeout(1000)
    assert most_at_once == 1
    assert len(opened.checks) - asked < 10, "30 movements are not 30 requests"
    lons = [each["lon"] for each in opened.checks[asked:]]
    assert lons == sorted(lons, reverse=True)
    last = answers[-1]
    assert last["request"]["lon"] == lons[-1]
    assert last["summary"] in page.inner_text("#verdict")
    # What is drawn is the newest answer: the grip stands on its footprint.
    shown = page.evaluate("([x, y]) => document.elementFromPoint(x, y).className", list(grip(page)))
    assert "grip" in shown
    assert opened.complaints == []


def test_answers_belong_to_the_spot(show: Callable[..., Any], bundle: Bundle) -> None:
    opened = show()
    page = opened.page
    before = press_at_spot(page)
    page.click("[data-question]:has-text('Há hidrante') button:text-is('Não há')")
    page.wait_for_selector(".answered li")
    field = page.locator("[data-question]:has-text('A altura das três faces') input")
    field.fill("1,30")
    with page.expect_response("**/v1/checks"):
        field.press("Enter")
    page.focus(".grip")
    with page.expect_response("**/v1/checks"):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    assert page.locator(".answered li").count() == 2, "a metre along a sloping street is less than one"
    with page.expect_response(
        lambda answer: answer.url.endswith("/v1/checks") and "observed" not in answer.request.post_data_json
    ):
        page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector("#notice:has-text('mudou de lugar')")
    expect(page.locator(".answered li")).to_have_count(1)
    assert "três faces altas" in page.inner_text(".answered"), "the skip is as high as before"
    with page.expect_response("**/v1/checks") as answer:
        page.click("#notice button:has-text('Voltar')")
    expect(page.locator(".answered li")).to_have_count(2)
    assert opened.checks[-1]["observed"] == [{"layer": "hydrant", "state": "none", "reach_m": 1.0}]
    assert moved_m(before, answer.value.json(), bundle) < 1.01
    assert page.locator("#notice .notice").count() == 0


def test_a_press_on_the_map_places_the_skip(show: Callable[..., Any]) -> None:
    opened = show("phone")
    page = opened.page
    expect(page.locator("#city")).to_have_value("goiania")
    box = page.locator(".street:not([hidden]):text('Ipês')").bounding_box()
    assert box is not None
    with page.expect_response("**/v1/checks") as answer:
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert answer.value.json()["kerb"]["street"] == "Avenida dos Ipês"
    assert opened.checks[-1]["mode"] == "planned"
    page.wait_for_selector("#panel[data-height=half]")


def test_without_a_pointer_the_middle_of_the_map_takes_it(show: Callable[..., Any]) -> None:
    page = show().page
    expect(page.locator("#city")).to_have_value("goiania")
    page.focus("button.centre")
    with page.expect_response("**/v1/checks"):
        page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict]")


def test_the_form_takes_the_place_of_what_was_answered(show: Callable[..., Any]) -> None:
    opened = show()
    page = opened.page
    plain = {"layer": None, "reach": None, "code": None, "group": "facts"}
    removal = {
        "kind": "date",
        "key": "end",
        "text": "A data da retirada",
        "value": "2026-08-10T10:00",
        **plain,
    }
    height = {"kind": "size", "key": "height_m", "text": "A altura", "value": 1.3, **plain}
    press_at_spot(page, answers=[removal, height])
    assert (opened.checks[-1]["end"], opened.checks[-1]["height_m"]) == ("2026-08-10T10:00", 1.3)
    page.click("#form summary")
    with page.expect_response("**/v1/checks"):
        page.fill("#end", "2026-08-11T10:00")
    assert (opened.checks[-1]["end"], opened.checks[-1]["height_m"]) == ("2026-08-11T10:00", 1.3)
    with page.expect_response("**/v1/checks"):
        page.select_option("#skip", label="7 m³ · uns 3,30 × 1,75 m")
    assert opened.checks[-1]["volume_m3"] == 7
    assert "height_m" not in opened.checks[-1]


def test_an_answer_that_comes_after_the_city_was_left_is_not_shown(
    show: Callable[..., Any], scene: SimpleNamespace
) -> None:
    opened = show()
    page = opened.page
    expect(page.locator("#city")).to_have_value("goiania")
    scene.setting["delay_s"] = 0.6
    with page.expect_request("**/v1/checks"):
        page.click("button.centre")
    for city in ("olinda", "goiania"):
        page.select_option("#city", city)
    page.wait_for_timeout(1800)
    assert len(opened.checks) == 2, "both were asked for"
    assert page.locator("[data-verdict]").count() == 0
    assert "Busque a rua" in page.inner_text("#verdict")
    assert opened.complaints == []
