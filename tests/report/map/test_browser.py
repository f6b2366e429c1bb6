"""The map in a real browser that reaches no host: what it asks for, shows, and lets through as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
import shapely

from geocheck.report.map.layers import Tiles
from geocheck.report.map.page import map_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

BOXES = """all => all.filter(e => !e.hidden).map(e => {
    const box = e.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom];
})"""


@pytest.fixture(params=["desktop", "phone"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def street(bundle_of: Callable[..., Bundle], scene: SimpleNamespace) -> Bundle:
    """Return a street with a hydrant, a block and a lot."""
    things = {
        "block": scene.shapes(shapely.box(-4, -60, 90, -4), name=["Q1"]),
        "lot": scene.shapes(shapely.box(0, -40, 12, -4), name=["L1"]),
        "hydrant": scene.shapes(shapely.Point(6, -2), name=["H1"]),
    }
    return bundle_of({**scene.street, **things})


def skip_box(opened: Any) -> list[float]:  # noqa: ANN401
    """Return left, top, right and bottom of the skip on the screen."""
    [box] = opened.page.locator(".leaflet-skip-pane path").evaluate_all(BOXES)
    return list(box)


def test_nothing_leaves_the_page_and_nothing_goes_wrong_in_it(
    street: Bundle, report: Report, show: Callable[..., Any], size: str
) -> None:
    opened = show(map_page(report, street), size)
    opened.page.wait_for_load_state("networkidle")
    assert opened.requests == [opened.url]
    assert opened.complaints == []
    assert opened.page.evaluate("typeof jQuery") == "undefined"


def test_the_page_alone_lets_nothing_out_even_if_it_were_asked(
    street: Bundle, report: Report, show: Callable[..., Any]
) -> None:
    """The page's policy stops a request and a script that somebody would bring in."""
    opened = show(map_page(report, street))
    opened.page.evaluate(
        """() => {
            const image = new Image(); image.src = 'http://127.0.0.1:9/x.png';
            const script = document.createElement('script'); script.textContent = 'window.ran = 1';
            document.body.append(image, script);
        }"""
    )
    assert opened.page.evaluate("window.ran") is None
    assert len(opened.complaints) == 2
    assert all("Content Security Policy" in each for each in opened.complaints)


def test_it_opens_on_the_skip_and_the_skip_is_seen(
    street: Bundle, report: Report, show: Callable[..., Any], size: str
) -> None:
    """It stands along x, 2.65 m by 1.76 m, and the grid's north is 0.5° from the map's."""
    opened = show(map_page(report, street), size)
    left, top, right, bottom = skip_box(opened)
    view = opened.page.locator(".folium-map").bounding_box()
    assert (left + right) / 2 == pytest.approx(view["x"] + view["width"] / 2, abs=2)
    assert (top + bottom) / 2 == pytest.approx(view["y"] + view["height"] / 2, abs=2)
    assert right - left >= 18
    assert (right - left) / (bottom - top) == pytest.approx(2.65 / 1.76, rel=0.15)  # with its outline


def test_labels_lie_over_nothing(
    street: Bundle,
    report: Report,
    show: Callable[..., Any],
    size: str,
    scene: SimpleNamespace,
) -> None:
    """Four of them: two laws say the same of the same line and share one."""
    opened = show(map_page(report, street), size)
    labels = opened.page.locator(".label").evaluate_all(BOXES)
    assert len(labels) == 4
    controls = opened.page.locator(".view > .corner, .leaflet-control").evaluate_all(BOXES)
    view = shapely.box(0, 0, scene.sizes[size][0], scene.sizes[size][1])
    others = [shapely.box(*box) for box in [*controls, skip_box(opened)]]
    for number, box in enumerate(labels):
        label = shapely.box(*box)
        assert view.contains(label)
        above = [shapely.box(*each) for each in labels[number + 1 :]] + others
        assert not any(label.intersects(each) for each in above)


def test_labels_say_value_limit_and_article(street: Bundle, report: Report, show: Callable[..., Any]) -> None:
    labels = show(map_page(report, street)).page.locator(".label").all_inner_texts()
    assert set(labels) >= {
        "✕ 0,62 m > 0,50 m\nArt. 11, § 2º, II",
        "✕ 4,32 m < 5,00 m\nArt. 11, § 2º, II; CTB, Art. 181, I",
        "✓ 12,00 m ≥ 10,00 m\nArt. 11, § 3º",
    }


def test_outcomes_differ_by_dash_as_well_as_by_colour(
    street: Bundle, report: Report, show: Callable[..., Any]
) -> None:
    lines = show(map_page(report, street)).page.locator(".leaflet-measures-pane path")
    looks = lines.evaluate_all(
        "all => all.map(e => [e.getAttribute('stroke'), e.getAttribute('stroke-dasharray')])"
    )
    assert len({colour for colour, _ in looks}) == len({dash for _, dash in looks}) == 2


def test_text_from_data_stays_text(
    bundle_of: Callable[..., Bundle],
    report: Report,
    show: Callable[..., Any],
    scene: SimpleNamespace,
) -> None:
    """Case 55: keys and values are shown as they are, and no element comes from them."""
    hostile = scene.hostile

    def page(value: str, key: str) -> str:
        hydrants = scene.shapes(shapely.Point(6, -2), **{"name": [value], key: ["chave"], "cod": ["<!--"]})
        axis = scene.street["axis"].assign(street=value)
        return map_page(report, bundle_of({"axis": axis, "hydrant": hydrants}))

    harmless = show(page("Nome", "chave"))
    scripts = harmless.page.locator("script").count()
    opened = show(page(hostile, hostile))
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("script").count() == scripts
    assert opened.page.locator("[onerror]").count() == 0
    opened.page.locator(".badge").dispatch_event("click")
    told = opened.page.locator(".leaflet-popup-content")
    assert told.locator("dd").all_inner_texts()[0] == hostile
    assert hostile in told.locator("dt").all_inner_texts()
    assert "<!--" in told.locator("dd").all_inner_texts()
    assert opened.page.locator(".street", has_text=hostile).count() > 0
    assert opened.page.locator("img").count() == 0
    assert opened.complaints == []


def test_words_of_a_report_stay_text(
    street: Bundle,
    report: Report,
    show: Callable[..., Any],
    scene: SimpleNamespace,
) -> None:
    hostile = scene.hostile
    changed = report.model_copy(
        update={
            "summary": hostile,
            "request": report.request.model_copy(update={"address": hostile}),
            "findings": tuple(
                each.model_copy(update={"title": hostile, "message": hostile, "rule": hostile})
                for each in report.findings
            ),
        }
    )
    opened = show(map_page(changed, street))
    assert opened.page.locator("img").count() == 0
    assert opened.page.title().startswith(f"Caçamba em {hostile}")
    opened.page.locator(".label").first.click()
    assert hostile in opened.page.locator(".leaflet-popup-content dd").all_inner_texts()
    assert opened.page.locator("img").count() == 0
    assert opened.complaints == []


def test_a_map_without_findings_and_with_empty_layers_opens(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    show: Callable[..., Any],
    size: str,
) -> None:
    """Case 57: nothing was measured and no hydrant is known; the map is about the skip all the same."""
    bundle = bundle_of({"hydrant": scene.shapes(name=[])})
    opened = show(map_page(scene.report_at({}), bundle), size)
    bounds = opened.page.evaluate(
        "(b => [b.getSouth(), b.getWest(), b.getNorth(), b.getEast()])(map_geocheck.getBounds())"
    )
    assert all(math.isfinite(each) for each in bounds)
    left, _, right, _ = skip_box(opened)
    assert right - left > 30
    [row] = [each for each in opened.page.locator(".legend li").all_inner_texts() if "hidrante" in each]
    assert row.strip() == "H\nhidrante: 0 feições (camada vazia; camada completa)"
    assert opened.complaints == []


def test_a_skip_of_which_only_the_place_is_known_is_a_spot(
    street: Bundle, report: Report, show: Callable[..., Any]
) -> None:
    opened = show(map_page(report.model_copy(update={"footprint": None}), street))
    assert opened.page.locator(".spot").count() == 1
    assert opened.complaints == []


def test_a_layer_is_taken_away_and_its_labels_with_it(
    street: Bundle, report: Report, show: Callable[..., Any]
) -> None:
    page = show(map_page(report, street)).page
    page.locator(".leaflet-control-layers").hover()
    shown = page.locator(".label:not([hidden])")
    assert shown.count() == 4
    page.get_by_label("medidas: não conforme").uncheck()
    assert page.locator(".label.violation:not([hidden])").count() == 0
    assert shown.count() == 2
    page.get_by_label("hidrante").uncheck()
    assert page.locator(".badge").count() == 0


def test_there_is_a_bar_of_metres_and_words_in_portuguese(
    street: Bundle, report: Report, show: Callable[..., Any]
) -> None:
    page = show(map_page(report, street)).page
    [bar] = page.locator(".leaflet-control-scale-line").all_inner_texts()
    assert bar.removesuffix(" m").isdigit()
    assert page.locator("html").get_attribute("lang") == "pt-BR"
    assert page.locator(".leaflet-control-zoom-in").get_attribute("title") == "Aproximar"
    assert page.locator(".leaflet-control-layers-toggle").get_attribute("title") == "Camadas"


def test_it_is_no_wider_than_a_phone(street: Bundle, report: Report, show: Callable[..., Any]) -> None:
    page = show(map_page(report, street), "phone").page
    assert page.evaluate("document.scrollingElement.scrollWidth") == 390


def test_without_scripts_the_text_tells_all(street: Bundle, report: Report, show: Callable[..., Any]) -> None:
    page = show(map_page(report, street), scripts=False).page
    assert page.get_by_text("O mapa precisa de JavaScript").is_visible()
    assert page.locator("main").get_by_text("Distância da esquina").first.is_visible()
    assert (
        page.locator("main")
        .get_by_text("a 4,32 m da esquina; o mínimo é 5,00 m: falta 0,68 m")
        .first.is_visible()
    )


def test_tiles_are_asked_for_only_by_who_wants_them(
    street: Bundle,
    report: Report,
    show: Callable[..., Any],
    scene: SimpleNamespace,
) -> None:
    """There is no network: the page must stand without the tiles, too."""
    tiles = Tiles("https://tiles.example/{z}/{x}/{y}.png", scene.hostile)
    opened = show(map_page(report, street, tiles=tiles))
    opened.page.wait_for_load_state("networkidle")
    asked = [each for each in opened.requests if each != opened.url]
    assert asked
    assert all(each.startswith("https://tiles.example/") for each in asked)
    assert not any("Content Security Policy" in each for each in opened.complaints)
    assert opened.page.locator("img:not(.leaflet-tile)").count() == 0
    assert len(skip_box(opened)) == 4


def test_a_real_place(campus: Bundle, show: Callable[..., Any], scene: SimpleNamespace, size: str) -> None:
    """At a corner of the campus: kerbs, corners and names are there, and nothing is asked for."""
    corner = campus.layer("corner").geometry.iloc[100]
    middle = (corner.x - scene.origin[0], corner.y - scene.origin[1])
    opened = show(map_page(scene.report_at({}, middle), campus), size)
    opened.page.wait_for_load_state("networkidle")
    assert opened.requests == [opened.url]
    assert opened.complaints == []
    assert opened.page.locator(".cross").count() >= 2
    assert opened.page.locator(".leaflet-things-pane path").count() > 5
