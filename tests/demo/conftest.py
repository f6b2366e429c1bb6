"""The neighbourhood's bundles, each built once: in every city, as it was measured or without error."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Final

import pytest

from geocheck.cities import load_city
from geocheck.demo.files import EXACT, MEASURED, Accuracies, write_neighbourhood
from geocheck.demo.grid import grid_of
from geocheck.demo.kept import city_path
from geocheck.demo.recipe import build_neighbourhood

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle

NOW: Final = dt.datetime(2026, 8, 1, 12, 0, tzinfo=dt.UTC)


@pytest.fixture(scope="session")
def bundle_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Bundle]:
    """Return a function from a city, `exact` and `without` to the bundle of the neighbourhood there."""
    built: dict[Any, Bundle] = {}

    def bundle(name: str, *, exact: bool = False, without: tuple[str, ...] = ()) -> Bundle:
        key = (name, exact, without)
        if key not in built:
            folder = tmp_path_factory.mktemp(name)
            built[key] = _build(name, folder, EXACT if exact else MEASURED, without)
        return built[key]

    return bundle


def _build(name: str, folder: Path, accuracies: Accuracies, without: tuple[str, ...]) -> Bundle:
    city = load_city(city_path(name))
    write_neighbourhood(grid_of(city), folder, accuracies)
    return build_neighbourhood(city, folder, folder / "pacote", NOW, without=without)
