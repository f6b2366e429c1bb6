"""What goes wrong is told kindly and breaks nothing: no network, a busy service, bad links, hostile names."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace

    from playwright.sync_api import Page, Route


def stand(page: Page) -> None:
    """Put the skip on a street by searching it."""
    page.fill("#query", "Rua das Ac")
    page.wait_for_selector("#found [role=option]")
    with page.expect_response("**/v1/checks"):
        page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict]")


def test_without_a_network_the_old_answer_stays_and_is_said_to_be_old(show: Callable[..., Any]) -> None:
    opened = show("phone")
    page = opened.page
    stand(page)
    verdict = page.inner_text("#verdict")
    opened.context.set_offline(True)
    page.focus(".grip")
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "Sem conexão" in page.inner_text("#trouble")
    assert "resposta de antes" in page.inner_text("#trouble")
    assert page.inner_text("#verdict") == verdict
    assert "old" in (page.get_attribute("#content", "class") or "")
    page.fill("#query", "Avenida")
    page.wait_for_selector("#search-note:has-text('Busca sem resposta')")
    page.click("button:text-is('Cartão')")
    page.wait_for_selector("#notice:has-text('Sem conexão')")
    with page.expect_response("**/v1/checks") as answer:
        opened.context.set_offline(False)
    page.wait_for_selector("#trouble", state="hidden")
    assert answer.value.json()["summary"] in page.inner_text("#verdict")
    others = [each for each in opened.complaints if "ERR_INTERNET_DISCONNECTED" not in each]
    assert others == [], "the browser itself tells of lost requests; the page adds nothing"


def test_a_busy_service_is_asked_again_when_it_says(show: Callable[..., Any]) -> None:
    opened = show()
    page = opened.page
    stand(page)
    refused = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        if len(refused) > 1:
            route.fallback()
            return
        body = json.dumps({"title": "x", "status": 429, "detail": "pedidos demais", "errors": []})
        headers = {"Retry-After": "1", "Content-Type": "application/problem+json"}
        route.fulfill(status=429, headers=headers, body=body)

    page.route("**/v1/checks", refuse)
    page.focus(".grip")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#trouble:has-text('pedidos demais')")
    page.wait_for_selector("#trouble", state="hidden")
    assert len(refused) == 2


def test_a_service_that_wants_a_key_gets_it_once(show: Callable[..., Any]) -> None:
    """Also where one of its refusals comes only when the key is there already."""
    opened = show()
    page = opened.page
    shown = []
    late: list[Route] = []

    def refuse(route: Route) -> None:
        body = json.dumps({"detail": "mostre a chave"})
        route.fulfill(status=401, headers={"Content-Type": "application/problem+json"}, body=body)

    def guard(route: Route) -> None:
        told = route.request.headers.get("authorization")
        shown.append(told)
        if told == "Bearer gck_certa":
            route.fallback(
                headers={key: value for key, value in route.request.headers.items() if key != "authorization"}
            )
        else:
            late.append(route)
            if not route.request.url.endswith("/v1/presets"):
                refuse(late.pop())

    page.route("**/v1/**", guard)
    page.reload()
    page.fill("dialog #key", "gck_certa")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")
    for route in late:
        refuse(route)
    expect(page.locator("#city")).to_have_value("goiania", timeout=15_000)
    assert page.locator("dialog").count() == 0
    stand(page)
    assert shown[-1] == "Bearer gck_certa"


BOMB = b'{"c":"goiania","x":"' + b" " * 5_000_000 + b'"}'

GARBAGE = [
    "#g1.",
    "#g1.%%%",
    "#g9.abcd",
    "#" + "A" * 20_000,
    "#g0." + base64.urlsafe_b64encode(b'{"c":5}').decode(),
    "#g0." + base64.urlsafe_b64encode(b"[]").decode(),
    "#g0." + base64.urlsafe_b64encode(b'{"c":"atlantis"}').decode(),
    "#g1." + base64.urlsafe_b64encode(zlib.compress(BOMB, wbits=-15)).decode(),
]


@pytest.mark.parametrize("fragment", GARBAGE, ids=range(len(GARBAGE)))
def test_a_broken_link_is_told_and_leaves_the_page_usable(show: Callable[..., Any], fragment: str) -> None:
    opened = show("desktop", fragment)
    page = opened.page
    page.wait_for_selector("#notice:has-text('link')")
    assert page.input_value("#city") == "goiania"
    stand(page)
    assert opened.complaints == []


def test_fields_of_a_link_that_cannot_be_are_left_out(show: Callable[..., Any]) -> None:
    state = {
        "c": "goiania",
        "p": [-49.2601, -16.6443],
        "k": [5, 1e9, -3, "2", None, "<b>Nº</b>"],
        "s": "ontem",
        "w": "moon",
        "a": ["GYN-25", "<script>"],
        "r": [
            ["look", "hydrant", None, 1, None, "around", "<img src=x onerror=alert(2)>", "none"],
            ["look", "hydrant", None, 1, None, "nowhere", "x", "none"],
            ["measure", None, "gap_m", None, None, "tape", "x", "0.3"],
            ["x"],
            None,
        ],
    }
    text = base64.urlsafe_b64encode(json.dumps(state).encode()).decode().rstrip("=")
    opened = show("desktop", f"#g0.{text}")
    page = opened.page
    page.wait_for_selector("[data-verdict]")
    body = opened.checks[-1]
    assert (body["city"], body["where"], body["authorised"]) == ("goiania", "carriageway", ["GYN-25"])
    assert body["observed"] == [{"layer": "hydrant", "state": "none", "reach_m": 1}]
    assert not {"length_m", "width_m", "height_m", "measured"} & set(body)
    assert "<img src=x onerror=alert(2)>" in page.inner_text(".answered")
    assert page.locator("#content img, #content script").count() == 0
    assert opened.complaints == []


def test_hostile_names_stay_text(show: Callable[..., Any], scene: SimpleNamespace) -> None:
    opened = show()
    page = opened.page
    page.wait_for_selector(".street", state="attached")
    assert scene.hostile in page.locator(".street").all_inner_texts()
    page.fill("#query", "<img")
    page.wait_for_selector("#found [role=option]")
    assert page.inner_text("#found [role=option] span").startswith(scene.hostile)
    with page.expect_response("**/v1/checks") as answer:
        page.keyboard.press("Enter")
    assert answer.value.json()["kerb"]["street"] == scene.hostile
    page.wait_for_selector("[data-verdict]")
    assert scene.hostile in page.inner_text(".kerb")
    assert page.locator("img[src=x]").count() == 0
    assert opened.complaints == []


def test_a_truncated_map_says_so(show: Callable[..., Any]) -> None:
    page = show().page

    def cut(route: Route) -> None:
        found = route.fetch().json()
        route.fulfill(json={**found, "features": found["features"][:20], "truncated": True})

    page.route("**/kerbs?*", cut)
    page.reload()
    page.wait_for_selector("#map-note:has-text('aproxime')")


def test_far_out_there_is_no_ground_and_it_is_said(show: Callable[..., Any]) -> None:
    opened = show()
    page = opened.page
    page.wait_for_selector(".street", state="attached")
    for _ in range(8):
        page.click(".leaflet-control-zoom-out")
        page.wait_for_timeout(120)
    page.wait_for_selector("#map-note:has-text('Aproxime o mapa')")
    expect(page.locator(".street")).to_have_count(0)
    assert opened.complaints == []


@pytest.mark.parametrize(
    ("spot", "told"),
    [
        ({"longitude": -49.2601, "latitude": -16.6443, "accuracy": 12}, "± 12 m"),
        ({"longitude": 13.4, "latitude": 52.5, "accuracy": 12}, "fica fora de Goiânia"),
        (None, "não foi permitida"),
    ],
)
def test_the_devices_position(show: Callable[..., Any], spot: dict[str, float] | None, told: str) -> None:
    options: dict[str, Any] = {"geolocation": spot, "permissions": ["geolocation"]} if spot else {}
    opened = show("phone", **options)
    page = opened.page
    expect(page.locator("#city")).to_have_value("goiania")
    page.click("#locate")
    page.wait_for_selector(f"#notice:has-text('{told}')")
    assert len(opened.checks) == (1 if told.startswith("±") else 0)


def test_without_https_the_position_is_explained(show: Callable[..., Any]) -> None:
    opened = show("phone")
    page = opened.page
    opened.context.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.reload()
    expect(page.locator("#city")).to_have_value("goiania")
    page.click("#locate")
    page.wait_for_selector("#notice:has-text('HTTPS')")
    assert opened.complaints == []


def test_a_spot_far_from_any_kerb_is_said_to_be(show: Callable[..., Any]) -> None:
    page = show().page
    expect(page.locator("#city")).to_have_value("goiania")
    page.mouse.click(1250, 30)
    page.wait_for_selector(
        "#verdict .alert:has-text('Não há guia no mapa'), #verdict .alert:has-text('fora do mapa')"
    )


def test_tiles_are_those_of_the_settings_and_their_credit_is_text(
    show: Callable[..., Any], served: str
) -> None:
    opened = show()
    page = opened.page
    expect(page.locator("#attribution")).to_have_text("© colaboradores do OpenStreetMap (ODbL) · Leaflet")
    tiles = {
        "url": f"{served}static/icon.svg?{{z}}/{{x}}/{{y}}",
        "attribution": "<img src=x onerror=alert(1)>© Fulano",
    }
    page.route("**/v1/config", lambda route: route.fulfill(json={"tiles": tiles, "engine": "<b>x</b>"}))
    page.reload()
    expect(page.locator("#attribution")).to_have_text(
        "© colaboradores do OpenStreetMap (ODbL) · © Fulano · Leaflet"
    )
    expect(page.locator("img.leaflet-tile-loaded").first).to_be_attached()
    assert page.inner_text("#engine") == "<b>x</b>"
    assert opened.complaints == []
