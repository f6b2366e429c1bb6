"""Cards of the neighbourhood's named skips, and of reports that are not kindly meant."""

from __future__ import annotations

import datetime as dt
import io
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from geocheck.api import check
from geocheck.cities import load_city
from geocheck.demo.cases import read_cases
from geocheck.demo.files import MEASURED, write_neighbourhood
from geocheck.demo.grid import grid_of
from geocheck.demo.kept import city_path, demo_folder
from geocheck.demo.recipe import build_neighbourhood
from geocheck.model.request import parse_request
from geocheck.report.card.card import TEMPLATE, card_data
from geocheck.report.typesetting import typeset

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

NOW: Final = dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC)
CASES: Final = read_cases(demo_folder() / "casos.toml")


@pytest.fixture(scope="session")
def demo_bundle(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Bundle]:
    """Return a function from a city and the layers it lacks to the neighbourhood's bundle there."""
    built: dict[Any, Bundle] = {}

    def bundle(name: str, without: tuple[str, ...] = ()) -> Bundle:
        if (name, without) not in built:
            folder = tmp_path_factory.mktemp(name)
            city = load_city(city_path(name))
            write_neighbourhood(grid_of(city), folder, MEASURED)
            built[name, without] = build_neighbourhood(city, folder, folder / "pacote", NOW, without=without)
        return built[name, without]

    return bundle


@pytest.fixture(scope="session")
def judged(demo_bundle: Callable[..., Bundle]) -> Callable[..., tuple[Report, Bundle]]:
    """Return a function from a named skip, and changes to its request, to its report and bundle."""

    def report(name: str, **changes: object) -> tuple[Report, Bundle]:
        case = next(case for case in CASES.case if case.name == name)
        bundle, city = demo_bundle(case.city, case.without), city_path(case.city)
        request = {**CASES.request(case, grid_of(load_city(city)), city), **changes}
        asked = parse_request({key: value for key, value in request.items() if value is not None})
        return check(asked, bundle=bundle, now=NOW), bundle

    return report


@pytest.fixture(scope="session")
def pixels() -> Callable[[bytes], NDArray[np.int16]]:
    """Return a function from a PNG to its colours, shape (rows, columns, 3)."""

    def read(png: bytes) -> NDArray[np.int16]:
        with Image.open(io.BytesIO(png)) as picture:
            return np.asarray(picture.convert("RGB")).astype(np.int16)

    return read


@pytest.fixture(scope="session")
def words() -> Callable[[Report, Bundle | None], str]:
    """Return a function from a report to all that its card says, read from the same page as PDF."""

    def read(report: Report, bundle: Bundle | None) -> str:
        pdf = PdfReader(io.BytesIO(typeset(TEMPLATE, card_data(report, bundle), "pdf")))
        text = " ".join(page.extract_text() for page in pdf.pages)
        return " ".join(text.replace("\u200b", "").split())

    return read
