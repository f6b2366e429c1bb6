"""What the page draws in a box: all that meets it, the nearest first, within its budget."""

from __future__ import annotations

import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Transformer
from shapely import LineString, Point, box
from shapely.geometry import shape

from geocheck.city.bundle.bundle import write_bundle
from geocheck.city.near_box import box as box_module
from geocheck.city.near_box.box import near_box, read_box
from geocheck.city.wgs84 import to_city, to_lonlat
from geocheck.errors import InputError
from tests.city.find.town import CRS, EAST, HEAD, NORTH, entry, frame, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.near_box.box import Box, NearBox


def box_round(x: float, y: float, half_m: float) -> Box:
    """Return a box of degrees round a place of the town."""
    lon, lat = to_lonlat(np.array([[EAST + x, NORTH + y]]), CRS)[0]
    return read_box(
        (lon - half_m / 107_000, lat - half_m / 111_000, lon + half_m / 107_000, lat + half_m / 111_000)
    )


def kerbs(rows: Sequence[tuple[int, str | None, float, LineString]]) -> tuple[dict[str, Any], Any]:
    columns = {
        "kerb": [row[0] for row in rows],
        "street": text([row[1] for row in rows]),
        # With a value that is no number, and not as a missing one.
        "accuracy_m": pd.arrays.FloatingArray(np.array([row[2] for row in rows]), np.zeros(len(rows), bool)),
    }
    return entry("kerb"), frame(columns, [row[3] for row in rows])


def axes(lines: Sequence[tuple[str | None, Sequence[tuple[float, float]]]]) -> tuple[dict[str, Any], Any]:
    columns = {"street": text([name for name, _ in lines])}
    return entry("axis"), frame(columns, [LineString(line) for _, line in lines])


def made(folder: Path, *layers: tuple[dict[str, Any], Any]) -> Bundle:
    return write_bundle(folder, HEAD, list(layers), {})


def ids(found: NearBox, layer: str) -> list[Any]:
    return [each["properties"]["id"] for each in found.features if each["properties"]["layer"] == layer]


def test_each_layer_is_drawn_with_what_the_page_needs(tmp_path: Path) -> None:
    bundle = made(
        tmp_path / "b",
        kerbs(
            [
                (7, "Rua 10", 1.234, LineString([(0, 5, 740), (50, 5, 741)])),
                (8, None, np.nan, LineString([(0, -5), (9, -5)])),
            ]
        ),
        axes([("Rua 10", [(0, 0), (50, 0)])]),
        (entry("block"), frame({"feature": ["b#1"], "name": text([None])}, [box(0, 10, 40, 40)])),
        (entry("corner"), frame({"corner": [3]}, [Point(1, 5)])),
        (entry("lot"), frame({"feature": ["l#1"], "number": text(["25"])}, [box(0, 10, 10, 20)])),
        (entry("building"), frame({"feature": ["way/1"], "name": text(["Escola"])}, [box(2, 12, 8, 18)])),
        (entry("hydrant"), frame({"feature": ["h#1"]}, [Point(5, 6)])),
    )
    found = near_box(bundle, box_round(20, 0, 60))
    told = [each["properties"] for each in found.features]
    assert sorted(told, key=lambda each: (each["layer"], str(each["id"]))) == [
        {"layer": "block", "id": "b#1"},
        {"layer": "building", "id": "way/1", "name": "Escola"},
        {"layer": "corner", "id": 3},
        {"layer": "kerb", "id": 7, "street": "Rua 10", "accuracy_m": 1.23},
        {"layer": "kerb", "id": 8, "street": None, "accuracy_m": None},
        {"layer": "lot", "id": "l#1", "number": "25"},
        {"layer": "street_name", "id": "Rua 10/0", "name": "Rua 10", "turn_deg": told_turn(found)},
    ]
    assert not found.truncated
    assert json.loads(json.dumps(found.features, allow_nan=False)) == found.features


def told_turn(found: NearBox) -> float:
    turn = next(each["properties"]["turn_deg"] for each in found.features if "turn_deg" in each["properties"])
    return float(turn)


def test_shapes_are_flat_degrees_of_seven_decimals(tmp_path: Path) -> None:
    bundle = made(tmp_path / "b", kerbs([(1, "Rua", 1.0, LineString([(0, 0, 700), (30, 40, 701)]))]))
    (feature,) = near_box(bundle, box_round(0, 0, 50)).features
    coordinates = feature["geometry"]["coordinates"]
    expected = to_lonlat(np.array([[EAST, NORTH], [EAST + 30, NORTH + 40]]), CRS)
    assert np.abs(np.array(coordinates) - expected).max() <= 0.6e-7
    assert all(
        len(place) == 2 and all(round(degree, 7) == degree for degree in place) for place in coordinates
    )


def test_what_only_its_bounds_have_in_common_with_the_box_is_not_drawn(tmp_path: Path) -> None:
    corner = LineString([(-100, 0), (0, 0), (0, -100)])  # goes round the box' corner
    bundle = made(
        tmp_path / "b", kerbs([(1, None, 1.0, corner), (2, None, 1.0, LineString([(-90, -60), (-10, -60)]))])
    )
    assert ids(near_box(bundle, box_round(-50, -50, 30)), "kerb") == [2]


def test_what_reaches_beyond_the_box_is_whole(tmp_path: Path) -> None:
    bundle = made(tmp_path / "b", kerbs([(1, None, 1.0, LineString([(-500, 0), (500, 0)]))]))
    (feature,) = near_box(bundle, box_round(0, 0, 20)).features
    metres = to_city(np.array(feature["geometry"]["coordinates"]), CRS) - (EAST, NORTH)
    assert np.abs(metres - [(-500, 0), (500, 0)]).max() < 0.02


def test_kerbs_come_first_and_of_each_layer_the_nearest(tmp_path: Path) -> None:
    bundle = made(
        tmp_path / "b",
        (entry("lot"), frame({"feature": ["near", "far"]}, [box(-2, -2, 2, 2), box(20, 20, 30, 30)])),
        kerbs(
            [(1, None, 1.0, LineString([(-30, 0), (-30, 9)])), (2, None, 1.0, LineString([(10, 0), (10, 9)]))]
        ),
    )
    for most, expected in ((1, [2]), (2, [2, 1]), (3, [2, 1, "near"]), (4, [2, 1, "near", "far"])):
        found = near_box(bundle, box_round(0, 0, 50), most=most)
        assert [each["properties"]["id"] for each in found.features] == expected
        assert found.truncated == (most < 4)


def test_a_budget_of_vertices_may_be_spent_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [LineString([(0, 0), (9, 0)]), LineString([(0, 20), (5, 20), (9, 21)])]
    bundle = made(tmp_path / "b", kerbs([(1, None, 1.0, lines[0]), (2, None, 1.0, lines[1])]))
    for most, expected in ((5, [1, 2]), (4, [1]), (2, [1]), (1, [])):
        monkeypatch.setattr(box_module, "MOST_VERTICES", most)
        found = near_box(bundle, box_round(0, 0, 50))
        assert ids(found, "kerb") == expected
        assert found.truncated == (len(expected) < 2)


def test_a_shape_with_too_many_vertices_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_module, "MOST_VERTICES", 10)
    lake = shapely.Point(0, 0).buffer(30)
    bundle = made(
        tmp_path / "b",
        kerbs([(1, None, 1.0, LineString([(0, 0), (9, 0)]))]),
        (entry("building"), frame({"feature": ["lake"]}, [lake])),
    )
    found = near_box(bundle, box_round(0, 0, 50))
    assert ids(found, "kerb") == [1]
    assert found.truncated


@pytest.mark.parametrize("way", [(100, 0), (-100, 0), (60, 80), (-60, -80), (60, -80), (5, 100), (-5, 100)])
def test_names_are_written_along_their_street_and_never_upside_down(
    tmp_path: Path, way: tuple[float, float]
) -> None:
    bundle = made(tmp_path / "b", axes([("Rua 10", [(0, 0), way])]))
    (feature,) = near_box(bundle, box_round(way[0] / 2, way[1] / 2, 60)).features
    screen = Transformer.from_crs(CRS, "EPSG:3857", always_xy=True)  # what maps on the web are drawn in
    (east, to_east), (north, to_north) = screen.transform([EAST, EAST + way[0]], [NORTH, NORTH + way[1]])
    turn_deg = math.degrees(math.atan2(north - to_north, to_east - east))  # clockwise
    turn_deg += 180 if turn_deg < -90 else -180 if turn_deg > 90 else 0
    assert feature["properties"]["turn_deg"] == pytest.approx(turn_deg, abs=0.06)
    place = to_city(np.array([feature["geometry"]["coordinates"]]), CRS)[0] - (EAST, NORTH)
    assert np.abs(place - np.array(way) / 2).max() < 0.02


def test_names_stand_at_the_same_places_in_any_box(tmp_path: Path) -> None:
    bundle = made(tmp_path / "b", axes([("Rua 10", [(0, 0), (1000, 0)]), ("Rua 10", [(1000, 0), (1400, 0)])]))
    places: dict[str, Any] = {}
    for x in range(0, 1400, 130):
        for each in near_box(bundle, box_round(x, 0, 150)).features:
            assert places.setdefault(each["properties"]["id"], each) == each
    along = sorted(
        to_city(np.array([each["geometry"]["coordinates"]]), CRS)[0, 0] - EAST for each in places.values()
    )
    assert np.allclose(along, 700 + 150 * np.arange(-4, 5), atol=0.02)


def test_names_do_not_depend_on_how_the_street_is_drawn(tmp_path: Path) -> None:
    one = made(
        tmp_path / "a", axes([("Rua 10", [(0, 0), (400, 0), (600, 50)]), ("Rua 10", [(600, 50), (700, 0)])])
    )
    two = made(
        tmp_path / "b", axes([("Rua 10", [(700, 0), (600, 50)]), ("Rua 10", [(600, 50), (400, 0), (0, 0)])])
    )
    here = box_round(350, 0, 400)
    assert near_box(one, here) == near_box(two, here)
    assert len(near_box(one, here).features) == 5


def test_the_two_carriageways_of_a_street_bear_its_name_once(tmp_path: Path) -> None:
    bundle = made(
        tmp_path / "b",
        axes(
            [
                ("Av. Z", [(0, 0), (100, 0)]),
                ("Av. Z", [(100, 12), (0, 12)]),
                (None, [(0, 5), (9, 5)]),
                ("", [(0, 6), (9, 6)]),
            ]
        ),
    )
    assert [each["properties"]["name"] for each in near_box(bundle, box_round(50, 0, 80)).features] == [
        "Av. Z"
    ]


def test_a_bundle_without_layers_and_a_box_far_away_are_empty(tmp_path: Path) -> None:
    empty = made(tmp_path / "a")
    assert near_box(empty, box_round(0, 0, 50)) == ([], False)
    bundle = made(
        tmp_path / "b",
        kerbs([(1, None, 1.0, LineString([(0, 0), (9, 0)]))]),
        axes([("Rua", [(0, 0), (9, 0)])]),
    )
    assert near_box(bundle, read_box((10, 50, 10.02, 50.02))) == ([], False)
    assert near_box(bundle, read_box((179.98, 89.98, 180, 90))) == ([], False)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((0, 0, 1), "quatro números"),
        ((0, 0, 0.01, 0.01, 0), "quatro números"),
        ((0, 0, np.nan, 0.01), "quatro números"),
        ((0, 0, np.inf, 0.01), "quatro números"),
        ((190, 0, 190.01, 0.01), "não são graus"),
        ((0, -91, 0.01, -90.99), "não são graus"),
        ((0.01, 0, 0, 0.01), "oeste deve ser menor"),
        ((0, 0.01, 0.01, 0.01), "sul, menor que o norte"),
        ((0, 0, 0.0301, 0.01), "0,03 grau"),
        ((0, 0, 0.01, 0.0301), "0,03 grau"),
    ],
)
def test_a_box_that_is_none_is_refused(numbers: tuple[float, ...], said: str) -> None:
    with pytest.raises(InputError, match=rf"^bbox: .*{said}"):
        read_box(numbers)


def test_the_widest_box_is_taken() -> None:
    assert read_box((-49.3, -16.63, -49.27, -16.6)) == (-49.3, -16.63, -49.27, -16.6)


ROWS = [(each, f"Rua {each % 3}", 1.0, LineString([(7 * each, 0), (7 * each, 5)])) for each in range(6)]
AXES = [(f"Rua {each % 3}", [(40 * each, 20 * each), (40 * each + 30, 20 * each)]) for each in range(6)]


@settings(max_examples=20, deadline=None)
@given(st.permutations(ROWS), st.permutations(AXES), st.integers(1, 12))
def test_the_order_of_rows_changes_nothing(rows: list[Any], lines: list[Any], most: int) -> None:
    with TemporaryDirectory() as folder:
        one = made(Path(folder) / "a", kerbs(ROWS), axes(AXES))
        two = made(Path(folder) / "b", kerbs(rows), axes(lines))
        here = box_round(18, 0, 60)
        assert near_box(one, here, most=most) == near_box(two, here, most=most)


def test_a_real_map_is_drawn_whole(campus: Bundle) -> None:
    box_ = read_box((-49.27, -16.615, -49.26, -16.605))
    found = near_box(campus, box_)
    seen = shapely.box(*box_)
    for layer, name in (("kerb", "kerb"), ("corner", "corner"), ("building", "feature")):
        columns = campus.columns(layer)
        shapes = shapely.transform(
            np.asarray(shapely.from_wkb(columns["geometry"])), lambda xy: to_lonlat(xy, campus.manifest.crs)
        )
        expected = {value for value, each in zip(columns[name], shapes, strict=True) if each.intersects(seen)}
        assert set(ids(found, layer)) == expected
        assert expected
    assert all(shape(each["geometry"]).is_valid for each in found.features)
    named = {
        each["properties"]["name"] for each in found.features if each["properties"]["layer"] == "street_name"
    }
    assert named <= {str(name) for name in campus.columns("axis")["street"]}
    assert len(named) > 10
