"""The page as text: what it says, how large it is, and that no element in it comes from data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
import shapely

from geocheck.errors import InputError
from geocheck.report.map.page import map_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import SimpleNamespace

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report


class Parsed(HTMLParser):
    """Elements of a page, the text of its scripts, and what it is asked to fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.fetched: list[str] = []
        self.policy = ""
        self.scripts: list[str] = []
        self.words: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count an element."""
        self.elements[tag] += 1
        self._inside = tag
        told = dict(attrs)
        self.fetched += [told[key] or "" for key in ("src", "href", "data", "action") if key in told]
        if told.get("http-equiv") == "Content-Security-Policy":
            self.policy = told["content"] or ""
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        """Leave it."""
        self._inside = "" if tag == self._inside else self._inside

    def handle_data(self, data: str) -> None:
        """Keep what stands in it."""
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        """What is read."""
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def street(bundle_of: Callable[..., Bundle], scene: SimpleNamespace) -> Bundle:
    hydrant = scene.shapes(shapely.Point(6, -2), shapely.Point(9000, 0), name=["H1", "H2"])
    return bundle_of({**scene.street, "hydrant": hydrant, "manhole": scene.shapes(name=[])}, "partial")


def test_it_says_verdict_law_bundle_and_layers(street: Bundle, report: Report) -> None:
    text = Parsed(map_page(report, street)).text
    assert "proibido" in text
    assert "REVOGADA · Decreto nº 286, de 9 de fevereiro de 2004" in text
    assert "Código de Trânsito Brasileiro (Lei 9.503/1997) · em vigor" in text
    assert f"Mapa de Goiânia, feito em 30/11/2026 (pacote {street.sha256[:12]})" in text
    assert street.sha256 in text
    assert "hidrante: 1 feição (camada parcial)" in text
    assert "poço de visita: 0 feições (camada vazia; camada parcial)" in text
    assert "guia: 1 feição (camada parcial)" in text


def test_every_finding_and_everything_pending_is_in_the_text(street: Bundle, report: Report) -> None:
    text = Parsed(map_page(report, street)).text
    for finding in (*report.findings, *report.second_opinion):
        assert finding.rule in text
        assert finding.title in text
        assert " ".join(finding.message.split()) in text or finding.outcome == "not_applicable"
    assert report.pending
    assert all(each.text in text for each in report.pending)


def test_nothing_is_to_be_fetched(street: Bundle, report: Report) -> None:
    page = map_page(report, street)
    parsed = Parsed(page)
    assert parsed.fetched == ["#texto"]
    assert parsed.elements["link"] == 0
    for name in ("jquery", "bootstrap", "awesome-markers", "fontawesome", "cdn.", "sourceMappingURL"):
        assert name not in page.lower()
    assert not re.findall(r"url\((?!data:|#default)", page.split("</style>")[0])


def test_the_policy_names_the_scripts_of_the_page_and_no_others(street: Bundle, report: Report) -> None:
    parsed = Parsed(map_page(report, street))
    digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in parsed.scripts]
    assert len(digests) == 3
    allowed = re.search(r"script-src ([^;]+);", parsed.policy)
    assert allowed is not None
    assert allowed[1].split() == [f"'sha256-{each}'" for each in digests]
    assert parsed.policy.startswith("default-src 'none';")


def test_the_same_report_is_the_same_page(street: Bundle, report: Report) -> None:
    assert map_page(report, street) == map_page(report, street)


def test_case_55_no_element_comes_from_data(
    shared_cases: Path,
    bundle_of: Callable[..., Bundle],
    report: Report,
    scene: SimpleNamespace,
) -> None:
    """The case's properties on features near the skip, keys too, against the same with harmless names."""
    case = json.loads((shared_cases / "55-script-close-in-data" / "camada.geojson").read_text())
    told = [each["properties"] for each in case["features"]]
    keys = sorted({key for each in told for key in each})

    def page(mend: Callable[[str], str]) -> Parsed:
        columns = {mend(key): [mend(each[key]) if key in each else None for each in told] for key in keys}
        layer = scene.shapes(shapely.Point(3, 3), shapely.Point(6, 3), **columns)
        return Parsed(map_page(report, bundle_of({"hydrant": layer})))

    harmless, hostile = page(lambda text: re.sub(r"\W", "x", text)), page(lambda text: text)
    assert hostile.elements == harmless.elements
    assert hostile.elements["img"] == 0
    assert len(hostile.scripts) == 3
    assert r"\u003c/script\u003e\u003cimg src=x onerror=alert(1)\u003e" in hostile.scripts[2]


def test_case_57_an_empty_layer_is_said_to_be_empty(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
) -> None:
    page = map_page(scene.report_at({}), bundle_of({"hydrant": scene.shapes(name=[])}))
    parsed = Parsed(page)
    assert "hidrante: 0 feições (camada vazia; camada completa)" in parsed.text
    assert "null" not in re.findall(r"center: \S+", parsed.scripts[2])[0]
    assert "NaN" not in parsed.scripts[2]
    assert "fitBounds" not in parsed.scripts[2]
    assert "fitBounds" not in parsed.scripts[1]


def test_case_58_a_dense_layer_is_drawn_near_the_skip_alone(
    bundle_of: Callable[..., Bundle],
    report: Report,
    scene: SimpleNamespace,
) -> None:
    """50,000 hydrants every 8 m and 10 m: from -120 m to 120 m there are 30 columns and 24 rows."""
    xy = [(x * 8 + 4, y * 10 + 5) for x in range(-125, 125) for y in range(-100, 100)]
    hydrants = scene.shapes(*map(shapely.Point, xy), name=[f"H{each}" for each in range(50_000)])
    page = map_page(report, bundle_of({"hydrant": hydrants}))
    assert len(page.encode()) < 1_000_000
    text = Parsed(page).text
    assert f"hidrante: 400 feições ({30 * 24 - 400} mais, ao alcance, ficaram de fora do desenho" in text


def test_the_largest_page_is_under_a_megabyte(
    bundle_of: Callable[..., Bundle],
    report: Report,
    scene: SimpleNamespace,
) -> None:
    points = [shapely.Point(x, y) for x in range(-60, 60, 3) for y in range(-60, 60, 3)]
    frame = scene.shapes(*points, **{f"c{each}": ["<&>'" * 900] * len(points) for each in range(20)})
    lines = scene.shapes(*(shapely.Point(0, 0).buffer(20 + each / 50, 64).exterior for each in range(900)))
    layers = dict.fromkeys(("hydrant", "manhole", "sign"), frame) | {"marking": lines, "kerb": lines}
    assert len(map_page(report, bundle_of(layers)).encode()) < 1_000_000


def test_coordinates_have_seven_decimals_at_most(street: Bundle, report: Report) -> None:
    script = Parsed(map_page(report, street)).scripts[2]
    degrees = re.findall(r"-(?:49|16)\.\d+", script)
    assert len(degrees) > 20
    assert max(len(each.partition(".")[2]) for each in degrees) <= 7


@pytest.mark.parametrize("outline", [None, {"type": "Polygon", "coordinates": []}])
def test_without_a_place_there_is_no_map(street: Bundle, report: Report, outline: Any) -> None:  # noqa: ANN401
    request = report.request.model_copy(update={"lon": None, "lat": None})
    nowhere = report.model_copy(update={"request": request, "footprint": outline})
    with pytest.raises(InputError, match="o mapa pede uma posição"):
        map_page(nowhere, street)


def test_an_outline_that_is_no_number_is_not_drawn(street: Bundle, report: Report) -> None:
    ring = [[float("nan"), -16.0], [-49.0, -16.0], [-49.0, -16.1], [float("nan"), -16.0]]
    page = map_page(
        report.model_copy(update={"footprint": {"type": "Polygon", "coordinates": [ring]}}), street
    )
    assert "NaN" not in Parsed(page).scripts[2]


def test_folium_is_not_imported_until_a_map_is_made() -> None:
    code = "import sys, geocheck.report.map.page; print('folium' in sys.modules, 'osmnx' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["False", "False"]


def test_whose_data_it_is(
    bundle_of: Callable[..., Bundle], campus: Bundle, report: Report, scene: SimpleNamespace
) -> None:
    middle = campus.layer("corner").geometry.iloc[0]
    there = scene.report_at({}, (middle.x - scene.origin[0], middle.y - scene.origin[1]))
    assert "© colaboradores do OpenStreetMap (ODbL)" in Parsed(map_page(there, campus)).text
    assert "OpenStreetMap" not in Parsed(map_page(report, bundle_of(scene.street))).text
