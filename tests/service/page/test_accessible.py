"""axe-core finds nothing serious; all is reached with the keyboard; nothing scrolls sideways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

SERIOUS = ("serious", "critical")


def faults(page: Page, script: str) -> list[str]:
    """Return what axe-core finds at the page as it stands."""
    page.evaluate(script)
    found = page.evaluate("axe.run(document)")
    assert len(found["passes"]) > 10, "axe has looked at something"
    return [
        f"{fault['id']}: {node['html'][:150]}"
        for fault in found["violations"]
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_axe_finds_no_serious_fault(show: Callable[..., Any], axe_script: str, size: str) -> None:
    page = show(size).page
    expect(page.locator("#city")).to_have_value("goiania")
    assert faults(page, axe_script) == []

    page.fill("#query", "Rua das Ac")
    page.wait_for_selector("#found [role=option]")
    page.keyboard.press("ArrowDown")
    assert faults(page, axe_script) == []

    page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict]")
    page.eval_on_selector_all("details", "all => all.forEach(each => { each.open = true; })")
    assert faults(page, axe_script) == []

    page.click("[data-question] .taps button")
    page.wait_for_selector(".answered li")
    page.focus(".grip")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector("#notice .notice")
    assert faults(page, axe_script) == []

    page.click("button:text-is('Adicionar à minha frota')")
    assert faults(page, axe_script) == []


def test_axe_would_tell(show: Callable[..., Any], axe_script: str) -> None:
    page = show().page
    expect(page.locator("#city")).to_have_value("goiania")
    page.evaluate(
        "document.querySelector('label[for=query]').remove(); "
        "document.querySelector('#query').placeholder = ''"
    )
    assert any(each.startswith("label") for each in faults(page, axe_script))


@pytest.mark.parametrize("size", ["phone", "desktop", "lying"])
def test_nothing_scrolls_sideways_and_taps_are_wide_enough(show: Callable[..., Any], size: str) -> None:
    page = show(size).page
    page.fill("#query", "Rua das Ac")
    page.wait_for_selector("#found [role=option]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict]")
    page.eval_on_selector_all("details", "all => all.forEach(each => { each.open = true; })")
    for box in ("document.documentElement", "document.querySelector('#content')"):
        assert page.evaluate(f"{box}.scrollWidth <= {box}.clientWidth")
    map_box = page.locator("#map").bounding_box()
    assert map_box is not None
    assert min(map_box["width"], map_box["height"]) > 150, "the map can be seen"
    small = page.locator(
        ".taps button, .buttons button:not(.link), header button, header select"
    ).evaluate_all(
        "all => all.map(each => each.getBoundingClientRect())"
        ".filter(box => box.width && (box.width < 40 || box.height < 40)).length"
    )
    assert small == 0


def test_the_keyboard_reaches_all_and_focus_stays_in_the_checklist(show: Callable[..., Any]) -> None:
    page = show().page
    expect(page.locator("#city")).to_have_value("goiania")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "jump"
    page.fill("#query", "Rua das Ac")
    page.wait_for_selector("#found [role=option]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict]")
    assert page.evaluate("document.activeElement.className").startswith("grip")
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        part = page.evaluate(
            "(at => at.closest('#form, #checklist, #details, #share, #folds')?.id || at.className)"
            "(document.activeElement)"
        )
        reached.add(part)
    assert {"form", "checklist", "details", "share", "folds", "centre"} <= reached
    question = page.locator("[data-question]").first
    name = question.get_attribute("data-question")
    question.locator("button").first.focus()
    with page.expect_response("**/v1/checks"):
        page.keyboard.press("Enter")
    expect(page.locator(f"[data-question='{name}']")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('[data-question]') !== null")


def test_the_verdict_is_spoken_once_it_rests(show: Callable[..., Any]) -> None:
    page = show().page
    page.fill("#query", "Rua das Ac")
    page.wait_for_selector("#found [role=option]")
    with page.expect_response("**/v1/checks") as answer:
        page.keyboard.press("Enter")
    expect(page.locator("#spoken")).not_to_be_empty()
    assert answer.value.json()["summary"] in page.inner_text("#spoken")
