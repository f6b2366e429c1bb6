"""`python -m geocheck.demo`: writes the neighbourhood and its requests into `data/demo/`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from geocheck.cities import City, load_city
from geocheck.demo.cases import read_cases
from geocheck.demo.files import write_neighbourhood
from geocheck.demo.grid import grid_of
from geocheck.files import data_folder

HOME: Final = "goiania"
"""The city whose neighbourhood is kept as files; for the others it is written when it is needed."""

INVENTED: Final = "vila-modelo"
"""The city that does not exist."""


def city_path(name: str) -> str:
    """Return what `load_city` takes for a case's city: the invented one has a sheet of its own."""
    sheet = data_folder() / "demo" / name / f"{name}.toml"
    return str(sheet) if name == INVENTED else name


def write_demo(folder: Path) -> None:
    """Write the neighbourhood of Goiânia and the requests of all cases into a folder."""
    write_neighbourhood(grid_of(load_city(HOME)), folder)
    cases = read_cases(data_folder() / "demo" / "casos.toml")
    requests = folder / "pedidos"
    requests.mkdir(exist_ok=True)
    for case in cases.case:
        city: City = load_city(city_path(case.city))
        request = cases.request(case, grid_of(city), case.city)
        text = json.dumps(request, ensure_ascii=False, indent=2)
        (requests / f"{case.name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_demo(Path(sys.argv[1]) if len(sys.argv) > 1 else data_folder() / "demo")
