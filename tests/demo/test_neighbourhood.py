"""The neighbourhood as built: kerbs and corners where the grid has them, features at their stations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
import shapely

from geocheck.cities import load_city
from geocheck.demo.grid import grid_of
from geocheck.demo.kept import demo_folder, write_demo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle

CENTIMETRE: Final = 0.0105
"""Nodes of OSM lie up to 7 mm from where they are, by the decimals that its readers keep."""

CITIES: Final = ("goiania", "juiz-de-fora", "dois-vizinhos", "olinda", "rio-verde")

SURVEYED_CORNERS: Final[set[tuple[float, float]]] = {
    *((x, y) for x in (-83.5, -76.5) for y in (94, 86, 9, -9, -86, -94)),
    *((x, y) for x in (16.5, 23.5) for y in (86, 9)),
}
MEDIAN_CORNERS: Final[set[tuple[float, float]]] = {(x, y) for x in (-83.5, -76.5, 106, 114) for y in (-2, 2)}
BURITIS_CORNERS: Final[set[tuple[float, float]]] = {
    (x, y) for x in (106, 114) for y in (94, 86, 9, -9, -86, -94)
}

FACES: Final = {
    # street: (x or y, from, to), as traffic runs on it
    ("Rua das Acácias", (-76.5, 86), (16.5, 86)),
    ("Rua das Acácias", (23.5, 86), (106, 86)),
    ("Rua das Acácias", (106, 94), (-76.5, 94)),
    ("Avenida dos Ipês", (106, 9), (23.5, 9)),
    ("Avenida dos Ipês", (16.5, 9), (-76.5, 9)),
    ("Avenida dos Ipês", (106, 2), (-76.5, 2)),
    ("Avenida dos Ipês", (-76.5, -2), (106, -2)),
    ("Avenida dos Ipês", (-76.5, -9), (106, -9)),
    ("Rua do Córrego", (106, -86), (-76.5, -86)),
    ("Rua do Córrego", (-76.5, -94), (106, -94)),
    ("Rua dos Jatobás", (-76.5, 9), (-76.5, 86)),
    ("Rua dos Jatobás", (-83.5, 86), (-83.5, 9)),
    ("Rua das Mangueiras", (16.5, 86), (16.5, 9)),
    ("Rua das Mangueiras", (23.5, 9), (23.5, 86)),
    ("Rua dos Buritis", (106, 86), (106, 9)),
    ("Rua dos Buritis", (114, 9), (114, 86)),
}
"""Kerbs between two corners; the blocks at the edge of the neighbourhood have others."""


def on_grid(bundle: Bundle, geometry: Any) -> NDArray[np.float64]:  # noqa: ANN401 (one shape or a column)
    grid = grid_of(load_city(bundle.manifest.city))
    return grid.from_metres(shapely.get_coordinates(geometry))


def near(found: NDArray[np.float64], wanted: set[tuple[float, float]]) -> None:
    """Check that places are those wanted, one to one, to the centimetre."""
    assert len(found) == len(wanted)
    for place in wanted:
        assert np.hypot(*(found - place).T).min() < CENTIMETRE, place


@pytest.mark.parametrize("city", CITIES)
def test_corners_lie_where_the_kerbs_of_the_grid_meet(bundle_of: Callable[..., Bundle], city: str) -> None:
    bundle = bundle_of(city)
    corners = bundle.layer("corner")
    assert set(corners["kind"]) == {"corner"}
    near(on_grid(bundle, corners.geometry), SURVEYED_CORNERS | MEDIAN_CORNERS | BURITIS_CORNERS)
    sure = corners[(corners["accuracy_m"] < 0.06) & (corners["at_median"] == "no")]
    near(on_grid(bundle, sure.geometry), SURVEYED_CORNERS)
    # Nobody surveyed the Buritis: 0.5 m of its width and 3 m of its axis, as √Σu².
    unsure = corners[corners["accuracy_m"] > 0.06]
    assert unsure["accuracy_m"].to_numpy() == pytest.approx(np.hypot(0.5, 3.0))


@pytest.mark.parametrize("city", CITIES)
def test_faces_run_with_the_traffic_from_corner_to_corner(
    bundle_of: Callable[..., Bundle], city: str
) -> None:
    bundle = bundle_of(city)
    kerbs = bundle.layer("kerb")
    for street, begin, end in FACES:
        own = kerbs[kerbs["street"] == street].geometry
        ends = [on_grid(bundle, line)[[0, -1]] for line in own]
        off = min(float(np.abs(each - np.array([begin, end])).max()) for each in ends)
        assert off < CENTIMETRE, (street, begin, end)


def test_every_kerb_but_those_of_the_buritis_is_surveyed(bundle_of: Callable[..., Bundle]) -> None:
    kerbs = bundle_of("goiania").layer("kerb")
    unsurveyed = kerbs[kerbs["width_source"] != "surveyed"]
    assert set(unsurveyed["street"]) == {"Rua dos Buritis"}
    assert set(unsurveyed["width_source"]) == {"width"}
    assert set(kerbs["accuracy_m"].round(3)) == {0.05, 3.041}


def test_curves_and_building_lines_at_a_corner(bundle_of: Callable[..., Bundle]) -> None:
    """Kerbs turn with a radius of 4 m; footways are 2.5 m wide, 3.0 and 3.01 m north of the Acácias."""
    bundle = bundle_of("goiania")
    corners = bundle.layer("corner")
    place = on_grid(bundle, corners.geometry)
    surveyed = corners[
        np.isin(place[:, 0].round(1), (-83.5, -76.5, 16.5, 23.5)) & (corners["at_median"] == "no")
    ]
    for column in ("before_curve_m", "after_curve_m"):
        assert surveyed[column].to_numpy() == pytest.approx(4.0, abs=0.002)
    lines = np.sort(surveyed[["before_building_line_m", "after_building_line_m"]].to_numpy(), axis=1)
    north = place[surveyed.index, 1] > 93
    assert lines[~north] == pytest.approx(2.5, abs=0.001)
    assert lines[north] == pytest.approx(np.tile([2.5, 3.0], (2, 1)), abs=0.001)


STATIONS: Final = {
    # layer: feature → (x or y where its kerb begins, sense along it, from, to on the grid)
    "driveway": {0: (-36.5 + 76.5, -33.5 + 76.5), 1: (1.5 + 76.5, 4.5 + 76.5), 2: (38.5 - 23.5, 41.5 - 23.5)},
    "bus_stop": {0: (-20 + 76.5, -20 + 76.5), 1: (25 + 76.5, 40 + 76.5), 2: (75 + 76.5, 75 + 76.5)},
    "sign": {0: (106 + 30, 106 + 60), 1: (-60 + 76.5, -30 + 76.5), 2: (70 - 23.5, 100 - 23.5)},
    "hydrant": {0: (60 - 23.5, 60 - 23.5), 2: (106 + 5, 106 + 5)},
    "storm_drain": {0: (-70 + 76.5, -69.1 + 76.5), 1: (10 + 76.5, 10.9 + 76.5)},
    "taxi_stand": {0: (16.5 - 3, 16.5 + 12)},
    "signal": {1: (16.5 + 68, 16.5 + 68), 2: (-14 + 86, -14 + 86), 3: (86 - 17, 86 - 17)},
    "ramp": {0: (16.5 + 71, 16.5 + 73), 2: (-19 + 76.5, -17 + 76.5)},
    "paid_parking": {0: (70 - 23.5, 100 - 23.5)},
}


@pytest.mark.parametrize("layer", STATIONS)
def test_features_lie_at_their_stations(bundle_of: Callable[..., Bundle], layer: str) -> None:
    """A station counts from the corner where the face begins, as traffic runs beside it."""
    bundle = bundle_of("goiania")
    table = {name: np.asarray(column) for name, column in bundle.table(f"station.{layer}").items()}
    sure = table["side_known"] == 1
    for feature, (begin, end) in STATIONS[layer].items():
        [row] = np.flatnonzero(sure & (table["feature"] == feature))
        assert table["from_m"][row] == pytest.approx(begin, abs=CENTIMETRE)
        assert table["to_m"][row] == pytest.approx(end, abs=CENTIMETRE)


def test_the_files_in_the_repository_are_those_of_the_script(tmp_path: Path) -> None:
    write_demo(tmp_path)
    kept = demo_folder()
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert written
    for path in written:
        assert (tmp_path / path).read_bytes() == (kept / path).read_bytes(), path
    for folder in ("camadas", "pedidos"):
        there = {path.name for path in (kept / folder).iterdir()}
        assert there == {path.name for path in (tmp_path / folder).iterdir()}


def test_the_bridge_is_the_only_one_and_the_layers_say_that_they_are_complete(
    bundle_of: Callable[..., Bundle],
) -> None:
    bundle = bundle_of("goiania")
    assert len(bundle.layer("bridge")) == 1
    assert len(bundle.layer("tunnel")) == 0
    told = {layer.name: layer.completeness for layer in bundle.manifest.layers}
    assert {name for name, said in told.items() if said != "complete"} == set()
