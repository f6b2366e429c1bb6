"""The story of the page: search, spot, checklist, final verdict, link and files, on a phone and on a desk."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import expect

from geocheck import check, parse_request
from geocheck.files import data_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace

    from playwright.sync_api import Page

    from geocheck.city.bundle.bundle import Bundle

FREE: Final = json.loads((data_folder() / "demo" / "pedidos" / "livre.json").read_text(encoding="utf-8"))
"""A spot of the neighbourhood at which nothing is in the way, worked out by hand for the demo."""

ANSWERS: Final = {
    "Há hidrante": "Não há",
    "Há placa": "Não há",
    "A distância até o ponto de ônibus": "Não há até 10,00 m",
    "Guia rebaixada de garagem": "Não",
    "O comprimento": "2,65",
    "A largura da caçamba": "1,70",
    "A altura da face baixa": "0,8",
    "A altura das três faces altas": "1,30",
    "A face baixa está voltada": "Sim",
    "Quantas outras caçambas": "0",
    "A caçamba cabe dentro": "Não",
}
"""What the driver finds there, by the beginning of the question."""

SAID: Final[dict[str, Any]] = {
    "observed": [
        {"layer": "hydrant", "state": "none", "reach_m": 1.0},
        {"layer": "sign", "state": "none", "reach_m": 0, "attributes": {"code": "R-6a"}},
        {"layer": "sign", "state": "none", "reach_m": 0, "attributes": {"code": "R-6c"}},
        {"layer": "sign", "state": "none", "reach_m": 0, "attributes": {"code": "R-6b"}},
        {"layer": "bus_stop", "state": "none", "reach_m": 10.0},
    ],
    "width_m": 1.7,
    "height_m": 1.3,
    "low_face_m": 0.8,
    "site": {"low_face_upstream": True, "skips_on_lot": 0, "interior_possible": False},
}
"""The same, as a request has it."""


def stand_free(page: Page) -> None:
    """Search the street and move the skip along it to the free spot with the arrow keys."""
    page.fill("#query", "rua das ac")
    page.wait_for_selector("#found [role=option]")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#query", "aria-activedescendant") == "found-0"
    with page.expect_response("**/v1/checks") as answer:
        page.keyboard.press("Enter")
    for key, step_m in (("Shift+Arrow", 5.0), ("Arrow", 1.0)):
        for _ in range(40):
            east_m = (FREE["lon"] - middle(answer.value.json())[0]) * 106_650  # of a degree at 16.64° south
            if abs(east_m) <= step_m / 2:
                break
            with page.expect_response("**/v1/checks") as answer:
                page.keyboard.press(key + ("Right" if east_m > 0 else "Left"))
    assert abs(east_m) < 1


def middle(report: dict[str, Any]) -> tuple[float, float]:
    ring = report["footprint"]["coordinates"][0][:4]
    return sum(lon for lon, _ in ring) / 4, sum(lat for _, lat in ring) / 4


def answer_all(page: Page) -> dict[str, Any]:
    """Answer what is asked, one after the other, as the driver finds it; the last report."""
    report: dict[str, Any] = {}
    for _ in range(25):
        if not page.locator("[data-question]").count():
            return report
        name = page.locator("[data-question]").first.get_attribute("data-question")
        question = page.locator(f"[data-question='{name}']")
        text = question.inner_text()
        found = next(said for begin, said in ANSWERS.items() if text.startswith(begin))
        with page.expect_response("**/v1/checks") as answer:
            if found[0].isdigit():
                question.locator("input").fill(found)
                question.locator("input").press("Enter")
            else:
                question.locator(f"button:text-is('{found}')").click()
        report = answer.value.json()
        page.wait_for_load_state("networkidle")
        expect(page.locator(f"[data-question='{name}']")).to_have_count(0)
    pytest.fail("the checklist does not come to an end")


def set_dates(page: Page) -> None:
    page.click("#form summary")
    page.fill("#start", FREE["start"])
    page.fill("#end", FREE["end"])
    page.click("#form summary")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_from_search_to_link_and_files(
    show: Callable[..., Any], bundle: Bundle, size: str, tmp_path: Path
) -> None:
    opened = show(size)
    page = opened.page
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    stand_free(page)
    set_dates(page)
    assert page.get_attribute("[data-verdict]", "data-verdict") == "inconclusive"
    report = answer_all(page)

    assert page.inner_text(".verdict b") == "Nenhum impedimento encontrado"
    assert page.inner_text("#open-title") == "Nada mais a perguntar"
    body = opened.checks[-1]
    body["observed"] = [each for each in body["observed"] if each["layer"] != "driveway"]
    assert {key: body[key] for key in SAID} == SAID
    by_hand = {"city": "goiania", "mode": "planned", "lon": body["lon"], "lat": body["lat"]}
    by_hand |= {"volume_m3": 5.0, "where": "carriageway", **SAID}
    by_hand |= {"start": FREE["start"], "end": FREE["end"]}
    expected = check(parse_request(by_hand), bundle=bundle, now=dt.datetime(2026, 8, 1, tzinfo=dt.UTC))
    assert report["verdict"] == expected.verdict == "no_impediment_found"

    page.click("button:text-is('Compartilhar link')")
    page.wait_for_selector("#notice:has-text('Link copiado')")
    link = page.evaluate("navigator.clipboard.readText()")
    files = downloads(page, tmp_path)
    seen = page.inner_text("#verdict"), page.inner_text(".answered")

    again = show("desktop" if size == "phone" else "phone", "#" + link.split("#")[1]).page
    again.wait_for_selector("[data-verdict]")
    assert (again.inner_text("#verdict"), again.inner_text(".answered")) == seen

    told = json.loads(files["json"].read_text(encoding="utf-8"))
    schema = Path(__file__).parents[3] / "docs" / "report.schema.json"
    Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(told)
    assert told["verdict"] == "no_impediment_found"
    assert "Rua das Acácias" in files["html"].read_text(encoding="utf-8")
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    assert opened.complaints == []
    assert len(opened.hosts) == 1


def downloads(page: Page, folder: Path) -> dict[str, Path]:
    """Take the report, the map and the card along."""
    found = {}
    for name, ending in (("Baixar JSON", "json"), ("Baixar mapa", "html")):
        with page.expect_download() as download:
            page.click(f"button:text-is('{name}')")
        assert download.value.suggested_filename == f"cacamba-rua-das-acacias-2026-08-08.{ending}"
        found[ending] = folder / ending
        download.value.save_as(found[ending])
    page.click("button:text-is('Cartão')")
    page.wait_for_selector("dialog img")
    assert page.evaluate("document.querySelector('dialog img').decode().then(() => true)")
    with page.expect_download() as download:
        page.click("dialog button:text-is('Baixar')")
    found["png"] = folder / "png"
    download.value.save_as(found["png"])
    page.click("dialog button:text-is('Fechar')")
    return found


def test_a_violation_is_said_in_word_sign_and_on_the_map(show: Callable[..., Any]) -> None:
    page = show().page
    stand_free(page)
    for _ in range(20):
        with page.expect_response("**/v1/checks") as answer:
            page.keyboard.press("Shift+ArrowLeft")
        report = answer.value.json()
        corner = next(each for each in report["findings"] if each["rule"] == "GYN-11")
        if corner["outcome"] == "violation":
            break
    page.wait_for_selector(".finding.violation[data-rule=GYN-11]")
    assert page.inner_text(".verdict").split() == ["✕", "Proibido"]
    text = page.inner_text(".finding[data-rule=GYN-11]")
    metres = f"{corner['measured_m']:.2f}".replace(".", ",")
    assert "não conforme" in text
    assert corner["law"]["locator"] in text
    assert f"medido {metres} m" in text
    assert "limite 5,00 m" in text
    assert any(metres in each for each in page.locator(".value.violation").all_inner_texts())
    order = page.locator(".findings .finding").evaluate_all("all => all.map(each => each.classList[1])")
    gravity = ["violation", "borderline", "conditional", "not_evaluated"]
    assert order == sorted(order, key=gravity.index)


def test_an_answer_is_undone(show: Callable[..., Any]) -> None:
    opened = show()
    page = opened.page
    stand_free(page)
    with page.expect_response("**/v1/checks"):
        page.click("[data-question]:has-text('Há hidrante') button:text-is('Há')")
    page.wait_for_selector(".answered li:has-text('Há hidrante')")
    assert opened.checks[-1]["observed"] == [{"layer": "hydrant", "state": "present", "reach_m": 1.0}]
    with page.expect_response("**/v1/checks"):
        page.click(".answered button:has-text('Desfazer')")
    page.wait_for_selector("[data-question]:has-text('Há hidrante')")
    assert "observed" not in opened.checks[-1]


def test_the_companys_own_skip_is_remembered_on_the_device(show: Callable[..., Any]) -> None:
    opened = show()
    page = opened.page
    stand_free(page)
    page.click("#form summary")
    page.click("button:text-is('Adicionar à minha frota')")
    page.fill("#own-name", "Nº 12")
    page.fill("#own-length_m", "2,6x")
    page.click("dialog button:text-is('Guardar')")
    assert "2,65" in page.inner_text("dialog [role=alert]")
    page.fill("#own-length_m", "3,10")
    page.fill("#own-width_m", "1,72")
    page.fill("#own-height_m", "1,35")
    with page.expect_response("**/v1/checks"):
        page.click("dialog button:text-is('Guardar')")
    assert {key: opened.checks[-1][key] for key in ("length_m", "height_m")} == {
        "length_m": 3.1,
        "height_m": 1.35,
    }
    page.goto("about:blank")
    page.go_back()
    page.reload()
    page.wait_for_selector("#skip option", state="attached")
    assert page.locator("#skip optgroup[label='Minha frota'] option").text_content().startswith("Nº 12")
    page.click("#form summary")
    page.select_option("#skip", label="Nº 12 · 5 m³ · 3,10 × 1,72 m")
    page.click("button:text-is('Tirar da frota')")
    assert page.evaluate("localStorage.getItem('geocheck.fleet')") == "[]"


def test_dates_that_cannot_be_are_refused_beside_their_field(show: Callable[..., Any]) -> None:
    page = show().page
    stand_free(page)
    page.click("#form summary")
    page.fill("#start", "2026-08-10T10:00")
    page.fill("#end", "2026-08-09T10:00")
    page.wait_for_selector("#end[aria-invalid=true]")
    assert "não é depois do início" in page.inner_text("#trouble")
    page.fill("#end", "2026-08-11T10:00")
    page.wait_for_selector("#trouble", state="hidden")
    assert page.get_attribute("#end", "aria-invalid") is None


def test_a_city_without_a_map_is_judged_by_what_is_told(show: Callable[..., Any]) -> None:
    opened = show()
    page = opened.page
    page.select_option("#city", "rio-verde")
    page.wait_for_selector("[data-verdict]")
    assert "lon" not in opened.checks[-1]
    count = page.locator("[data-question]").count()
    with page.expect_response("**/v1/checks"):
        page.locator(".all").first.click()
    expect(page.locator("[data-question]")).not_to_have_count(count)
    assert page.locator("[data-question]").count() < count - 5
    assert all(each["state"] == "none" for each in opened.checks[-1]["observed"])
    assert len(opened.checks[-1]["observed"]) > 5
    assert page.locator("button:text-is('Baixar mapa')").is_hidden()
    assert opened.complaints == []


def test_what_is_remembered_is_the_city_and_the_size(show: Callable[..., Any]) -> None:
    page = show().page
    page.wait_for_selector("#skip option", state="attached")
    page.select_option("#city", "olinda")
    page.click("#form summary")
    page.select_option("#skip", label="7 m³ · uns 3,30 × 1,75 m")
    page.goto(page.url.split("#")[0] + "?novo")
    page.wait_for_selector("#skip option", state="attached")
    expect(page.locator("#city")).to_have_value("olinda")
    assert "7 m³" in page.inner_text("#form summary")
    assert set(page.evaluate("Object.keys(localStorage)")) == {"geocheck.city", "geocheck.size"}
    assert page.context.cookies() == []


def test_what_is_being_typed_outlives_an_answer(show: Callable[..., Any], scene: SimpleNamespace) -> None:
    page = show().page
    stand_free(page)
    scene.setting["delay_s"] = 0.5
    with page.expect_response("**/v1/checks") as answer:
        page.click("[data-question]:has-text('Há hidrante') button:text-is('Não há')")
        field = page.locator("[data-question]:has-text('A altura das três faces') input")
        field.press_sequentially("1,")
    assert answer.value.ok
    page.wait_for_timeout(200)
    page.keyboard.type("30")
    expect(field).to_have_value("1,30")
    with page.expect_response("**/v1/checks") as answer:
        page.keyboard.press("Enter")
    assert answer.value.request.post_data_json["height_m"] == 1.3
    page.wait_for_selector(".answered li:has-text('1,3 m')")
