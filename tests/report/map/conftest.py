"""Small bundles and reports drawn in metres, and a real browser without a network to open their maps."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import geopandas as gpd
import numpy as np
import pytest
import shapely
from pyproj import Transformer

from geocheck import check, parse_request
from geocheck.city.bundle.bundle import write_bundle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from playwright.sync_api import Browser, Dialog, Page

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

CRS: Final = "EPSG:31982"
ORIGIN: Final = (686_000.0, 8_155_000.0)
TO_LONLAT: Final = Transformer.from_crs(CRS, "EPSG:4326", always_xy=True)
HOSTILE: Final = "</script><img src=x onerror=alert(1)>"
SIZES: Final = {"desktop": (1280, 800), "phone": (390, 844)}


def lonlat(*points: tuple[float, float]) -> list[list[float]]:
    """Return points in metres from the origin as degrees."""
    xy = np.array(points, float) + ORIGIN
    degrees: list[list[float]] = np.column_stack(TO_LONLAT.transform(xy[:, 0], xy[:, 1])).tolist()
    return degrees


def line(*points: tuple[float, float]) -> dict[str, Any]:
    """Return a GeoJSON line through points in metres from the origin."""
    return {"type": "LineString", "coordinates": lonlat(*points)}


def shapes(*geometries: shapely.Geometry, **columns: list[Any]) -> gpd.GeoDataFrame:
    """Return a layer of geometries in metres from the origin; the origin is the middle of the skip."""
    moved = shapely.transform(np.array(geometries, object), lambda xy: xy + ORIGIN)
    return gpd.GeoDataFrame(columns, geometry=moved, crs=CRS)


STREET: Final = {
    "axis": shapes(shapely.LineString([(-90, 3), (90, 3)]), street=["Rua Larga"]),
    "kerb": shapes(shapely.LineString([(-4, -1.5), (90, -1.5)]), street=["Rua Larga"]),
    "corner": shapes(shapely.Point(-4, -1.5), kind=["corner"]),
}


@pytest.fixture(scope="session")
def scene() -> SimpleNamespace:
    """Return what draws a scene in metres (`importlib` mode lets no test import this file)."""
    return SimpleNamespace(
        crs=CRS,
        origin=ORIGIN,
        hostile=HOSTILE,
        sizes=SIZES,
        street=STREET,
        witnesses=WITNESSES,
        lonlat=lonlat,
        line=line,
        shapes=shapes,
        report_at=report_at,
    )


@pytest.fixture
def bundle_of(tmp_path: Path) -> Callable[..., Bundle]:
    """Return a function that writes a bundle of frames, each a layer; the completeness is of all."""

    def write(layers: Mapping[str, gpd.GeoDataFrame], completeness: str = "complete") -> Bundle:
        fields = {"sources": (), "accuracy_m": 1.0, "completeness": completeness}
        head = {
            "engine": "geocheck teste",
            "city": "goiania",
            "crs": CRS,
            "driving_side": "right",
            "built_at": dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC),
        }
        frames = [({**fields, "name": name}, frame) for name, frame in layers.items()]
        return write_bundle(tmp_path / "pacote", head, frames, {})

    return write


MEASURED: Final = {"gap_m": 0.62, "corner_before_m": 4.32, "corner_after_m": 30.0, "bus_stop_m": 12.0}
WITNESSES: Final = {
    "GYN-10": line((0, -0.88), (0, -1.5)),
    "GYN-11": line((-1.325, -1.5), (-4, -1.5)),
    "CTB-01": line((-1.325, -1.5), (-4, -1.5)),
    "GYN-22": line((1.325, -1.5), (13.325, -1.5)),
    "GYN-12": {"type": "Point", "coordinates": lonlat((-4, 3))[0]},
}
"""A skip beside a kerb, 0.62 m from it; violations, one of them in both laws, a pass, and a point."""


def report_at(witnesses: Mapping[str, Any], middle: tuple[float, float] = (0, 0)) -> Report:
    """Return a report of a skip that stands along x, with the lines along which was measured."""
    x, y = middle
    outline = [(x + a, y + b) for a, b in ((-1.325, -0.88), (1.325, -0.88), (1.325, 0.88), (-1.325, 0.88))]
    [[lon, lat]] = lonlat(middle)
    asked = {"city": "goiania", "lon": lon, "lat": lat, "start": "2026-08-07T10:00", "measured": MEASURED}
    report = check(parse_request(asked), now=dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC))

    def with_witness(findings: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(each.model_copy(update={"witness": witnesses.get(each.rule)}) for each in findings)

    changes = {
        "footprint": {"type": "Polygon", "coordinates": [lonlat(*outline, outline[0])]},
        "findings": with_witness(report.findings),
        "second_opinion": with_witness(report.second_opinion),
    }
    return report.model_copy(update=changes)


@pytest.fixture(scope="session")
def report() -> Report:
    return report_at(WITNESSES)


@dataclass
class Opened:
    """A page in the browser, what it asked for, and what it complained of."""

    page: Page
    url: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def refuse(self, dialog: Dialog) -> None:
        """Close a dialog that a script opened; there is to be none."""
        self.complaints.append(dialog.message)
        dialog.dismiss()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Return a function that opens a page of the given text, and closes it after the test."""
    contexts = []

    def open_page(text: str, size: str = "desktop", *, scripts: bool = True) -> Opened:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts
        )
        contexts.append(context)
        file = tmp_path / "mapa.html"
        file.write_text(text, encoding="utf-8")
        shown = Opened(context.new_page(), file.as_uri())
        shown.page.set_viewport_size({"width": width, "height": height})
        shown.page.on("request", lambda request: shown.requests.append(request.url))
        shown.page.on("console", lambda message: shown.complaints.append(message.text))
        shown.page.on("pageerror", lambda error: shown.complaints.append(str(error)))
        shown.page.on("dialog", shown.refuse)
        shown.page.goto(shown.url)
        return shown

    yield open_page
    for context in contexts:
        context.close()
