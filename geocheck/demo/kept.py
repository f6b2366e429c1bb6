"""The demo's folder in the repository: Goiânia's neighbourhood as files, the cases, and their requests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from geocheck.cities import load_city
from geocheck.demo.cases import read_cases
from geocheck.demo.files import write_neighbourhood
from geocheck.demo.grid import grid_of
from geocheck.files import data_folder

if TYPE_CHECKING:
    from pathlib import Path

HOME: Final = "goiania"
"""The city whose neighbourhood is kept as files; for the others it is written when it is needed."""

INVENTED: Final = "vila-modelo"
"""The city that does not exist: its law has the kinds of rule that the five cities do not know."""


def demo_folder() -> Path:
    """Return the demo's folder."""
    return data_folder() / "demo"


def city_path(name: str) -> str:
    """Return what `load_city` takes for the city of a case: the invented one has a sheet of its own."""
    return str(demo_folder() / name / f"{name}.toml") if name == INVENTED else name


def write_demo(folder: Path) -> None:
    """Write what the script makes of the demo's folder: the neighbourhood and the requests of the cases."""
    write_neighbourhood(grid_of(load_city(HOME)), folder)
    requests = folder / "pedidos"
    requests.mkdir(exist_ok=True)
    cases = read_cases(demo_folder() / "casos.toml")
    for case in cases.case:
        request = cases.request(case, grid_of(load_city(city_path(case.city))), case.city)
        text = json.dumps(request, ensure_ascii=False, indent=2)
        (requests / f"{case.name}.json").write_text(f"{text}\n", encoding="utf-8")
