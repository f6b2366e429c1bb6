"""The plan on a card: to scale, the kerb level, the lines numbered as the findings, no row order in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from geocheck.city.bundle.bundle import write_bundle
from geocheck.report.card.card import card_data
from geocheck.report.card.labels import Room
from geocheck.report.card.nearby import nearby
from geocheck.report.card.plan import SKIP_COLOUR, skip_of
from geocheck.report.card.spot import side_of
from geocheck.report.card.view import HEIGHT_PT, WIDTH_PT, View

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

    Judged = Callable[..., tuple[Report, Bundle]]

METRES: Final = st.floats(-60, 60).map(lambda value: round(value, 3))
POINTS: Final = st.tuples(METRES, METRES)


def _outline(svg: str) -> np.ndarray[Any, Any]:
    """Return the skip's corners on the plan, read from the picture."""
    [path] = re.findall(rf'<path d="M([^"]*)Z"[^>]*fill="{SKIP_COLOUR}"', svg)
    return np.array([point.split() for point in path.split("L")], float)


def _scale(plan: dict[str, Any]) -> float:
    return float(plan["scale"]["length_pt"]) / float(plan["scale"]["text"].removesuffix(" m"))


@pytest.mark.parametrize("name", ["livre", "tudo-errado", "guia-nao-levantada", "em-frente-ao-t"])
def test_the_skip_is_as_long_as_the_scale_says(judged: Judged, name: str) -> None:
    report, bundle = judged(name)
    plan = card_data(report, bundle)["plan"]
    sides = np.hypot(*np.diff(_outline(plan["svg"]), axis=0).T)
    asked = np.sort(np.array([report.request.width_m, report.request.length_m] * 2, float))
    assert np.sort(sides) == pytest.approx(asked * _scale(plan), abs=0.25)


def test_the_kerb_lies_level_though_the_street_runs_north(judged: Judged) -> None:
    """Rua dos Buritis runs along the grid's y; the skip is parallel to it, on its western side."""
    report, bundle = judged("guia-nao-levantada")
    data = card_data(report, bundle)
    outline = _outline(data["plan"]["svg"])
    longest = np.diff(outline, axis=0)[np.argmax(np.hypot(*np.diff(outline, axis=0).T))]
    assert abs(longest[1]) < 0.02 * abs(longest[0])
    assert report.request.bearing_deg is not None
    assert (data["plan"]["north_deg"] + report.request.bearing_deg) % 180 == pytest.approx(90, abs=1)
    assert "lado oeste" in data["spot"]["lines"][0]


def test_the_lines_bear_the_numbers_of_the_findings(judged: Judged) -> None:
    data = card_data(*judged("tudo-errado"))
    numbers = [each["number"] for each in data["findings"]]
    assert [each["text"] for each in data["plan"]["signs"]] == [each for each in numbers if each]
    [first, *_] = data["findings"]
    assert (first["number"], first["title"]) == ("1", "Afastamento máximo da guia")


def test_the_nearest_corner_is_on_the_plan(judged: Judged) -> None:
    """22 m away, by the check's own measure; a corner is drawn as a ring."""
    report, bundle = judged("area-azul-sem-autorizacao")
    rings = re.findall(
        r'<circle cx="([\d.]+)" cy="([\d.]+)" r="4.5"', card_data(report, bundle)["plan"]["svg"]
    )
    skip = _outline(card_data(report, bundle)["plan"]["svg"])[:4].mean(axis=0)
    away = min(np.hypot(*(np.array(ring, float) - skip)) for ring in rings)
    corner = next(each for each in report.findings if each.feature and each.feature.layer == "corner")
    assert corner.measured_m is not None
    beyond_m = away / _scale(card_data(report, bundle)["plan"]) - corner.measured_m
    assert beyond_m == pytest.approx(2.65 / 2, abs=0.1)


def test_what_stands_on_the_plan_is_named_below_it(judged: Judged) -> None:
    plan = card_data(*judged("ponto-sem-pintura"))["plan"]
    assert {"text": "ÔN", "colour": "#5b3f8c", "name": "ponto de ônibus"} in plan["legend"]
    assert {each["text"] for each in plan["badges"]} <= {each["text"] for each in plan["legend"]}
    assert "Avenida dos Ipês" in [each["text"] for each in plan["names"]]


@pytest.mark.parametrize("name", ["tudo-errado", "em-frente-ao-t", "area-azul-sem-autorizacao"])
def test_the_order_of_rows_changes_nothing(judged: Judged, tmp_path: Path, name: str) -> None:
    report, bundle = judged(name)
    made = bundle.manifest
    head = {
        "engine": made.engine,
        "city": made.city,
        "crs": made.crs,
        "driving_side": made.driving_side,
        "built_at": made.built_at,
    }
    layers = [
        (entry.model_dump(exclude={"file", "features", "sha256"}), bundle.layer(entry.name).iloc[::-1])
        for entry in made.layers
    ]
    turned = write_bundle(tmp_path / "pacote", head, layers, {})
    told, again = card_data(report, bundle), card_data(report, turned)
    pictures = [set(re.findall(r"<[^>]*>", each["plan"].pop("svg"))) for each in (told, again)]
    assert pictures[0] == pictures[1]
    assert told == again


@given(POINTS, POINTS, st.floats(-1.5, 1.5), st.floats(1, 20))
def test_a_view_keeps_proportions(
    one: tuple[float, float], other: tuple[float, float], turn: float, scale: float
) -> None:
    view = View("EPSG:31982", (5.0, -7.0), turn, scale)
    on_plan = np.diff(view.of_metres(np.array([one, other])), axis=0)
    metres = np.hypot(one[0] - other[0], one[1] - other[1])
    assert np.hypot(*on_plan[0]) == pytest.approx(metres * scale, abs=1e-6)
    middle = view.of_metres(np.array([[5.0, -7.0]]))[0]
    assert middle.tolist() == [WIDTH_PT / 2, HEIGHT_PT / 2]


def test_a_view_is_no_mirror() -> None:
    """What lies to the north is above, what lies to the east is on the right."""
    view = View("EPSG:31982", (0.0, 0.0), 0.0, 2.0)
    points = view.of_metres(np.array([[0.0, 10.0], [10.0, 0.0]])) - (WIDTH_PT / 2, HEIGHT_PT / 2)
    assert points.tolist() == [[0, -20], [20, 0]]


@given(st.lists(st.tuples(st.floats(0, WIDTH_PT), st.floats(0, HEIGHT_PT)), max_size=30))
def test_no_two_labels_stand_on_each_other(places: list[tuple[float, float]]) -> None:
    room = Room()
    spots = [spot for place in places if (spot := room.near(place, 22, 15)) is not None]
    boxes = [shapely.box(x - 11, y - 7.5, x + 11, y + 7.5) for x, y in spots]
    page = shapely.box(0, 0, WIDTH_PT, HEIGHT_PT)
    assert all(page.contains(box) for box in boxes)
    shared = [a.intersection(b).area for number, a in enumerate(boxes) for b in boxes[:number]]
    assert max([0.0, *shared]) < 1e-6


@pytest.mark.parametrize(
    ("name", "side"), [("livre", "sul"), ("em-frente-ao-t", "norte"), ("guia-nao-levantada", "oeste")]
)
def test_the_side_is_told_by_the_compass(judged: Judged, name: str, side: str) -> None:
    report, bundle = judged(name)
    skip = skip_of(report)
    assert skip is not None
    assert report.kerb is not None
    assert side_of(nearby(bundle), skip, report.kerb.street) == side
    assert side_of(nearby(bundle), skip, "Rua que não há") == ""
