"""What of a bundle is drawn near a skip: cut, the nearest first, however the rows come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from pyproj import Transformer
from shapely.geometry import shape

from geocheck.errors import InputError
from geocheck.report.map.near import BUDGET_BYTES, MOST, REACH_M, near_layers

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace

    from shapely.geometry.base import BaseGeometry

    from geocheck.city.bundle.bundle import Bundle


@pytest.fixture
def skip(scene: SimpleNamespace) -> BaseGeometry:
    return shapely.Polygon(scene.lonlat((-1.3, -0.9), (1.3, -0.9), (1.3, 0.9), (-1.3, 0.9)))


def in_metres(scene: SimpleNamespace, geometry: dict[str, Any]) -> BaseGeometry:
    """Bring a drawn geometry back to metres from the origin."""
    back = Transformer.from_crs("EPSG:4326", scene.crs, always_xy=True)
    drawn = shape(geometry)
    return shapely.transform(
        drawn, lambda xy: np.column_stack(back.transform(xy[:, 0], xy[:, 1])) - scene.origin
    )


def test_only_what_lies_in_reach_is_drawn_and_the_rest_is_counted(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    points = [(0, 5), (REACH_M - 1, 0), (REACH_M + 1, 0), (5000, 5000)]
    bundle = bundle_of({"hydrant": scene.shapes(*map(shapely.Point, points), name=list("abcd"))})
    [near] = near_layers(bundle, skip)
    assert [each["properties"]["facts"][0] for each in near.features] == [("nome", "a"), ("nome", "b")]
    assert (near.within, near.total) == (2, 4)


def test_coordinates_are_right_to_the_centimetre_and_short(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    bundle = bundle_of({"hydrant": scene.shapes(shapely.Point(12.34, -56.78))})
    [[feature]] = [near.features for near in near_layers(bundle, skip)]
    assert np.allclose(
        shapely.get_coordinates(in_metres(scene, feature["geometry"])), [[12.34, -56.78]], atol=0.02
    )
    assert all(round(each, 7) == each for each in feature["geometry"]["coordinates"])


def test_long_lines_and_areas_are_cut_to_the_surroundings(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    zone, line = shapely.box(-9000, -9000, 9000, 9000), shapely.LineString([(-9000, 7), (9000, 7)])
    bundle = bundle_of({"central_zone": scene.shapes(zone), "kerb": scene.shapes(line)})
    drawn = [in_metres(scene, near.features[0]["geometry"]) for near in near_layers(bundle, skip)]
    assert np.allclose(drawn[0].bounds, (-REACH_M, -REACH_M, REACH_M, REACH_M), atol=0.02)
    assert drawn[1].length == pytest.approx(2 * REACH_M, abs=0.04)


def test_the_nearest_come_first_and_the_order_of_rows_changes_nothing(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    """Points on a grid: many are equally far."""
    grid = [(x, y) for x in range(-60, 61, 4) for y in range(-60, 61, 4)]
    names = [f"{x};{y}" for x, y in grid]

    def drawn(order: list[int]) -> list[Any]:
        points = [shapely.Point(grid[each]) for each in order]
        frame = scene.shapes(*points, name=[names[each] for each in order])
        [near] = near_layers(bundle_of({"hydrant": frame}), skip)
        assert near.within == len(grid) == 961
        return [(each["geometry"], each["properties"]) for each in near.features]

    straight = drawn(list(range(len(grid))))
    assert len(straight) == MOST
    assert straight == drawn(np.random.default_rng(4).permutation(len(grid)).tolist())
    shown = {told["facts"][0][1] for _, told in straight}
    away = [np.hypot(max(abs(x) - 1.3, 0), max(abs(y) - 0.9, 0)) for x, y in grid]
    inside = [away_m for name, away_m in zip(names, away, strict=True) if name in shown]
    outside = [away_m for name, away_m in zip(names, away, strict=True) if name not in shown]
    assert max(inside) <= min(outside) + 0.01


def test_an_area_of_very_many_corners_does_not_push_all_else_out(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    """A star of 400,000 vertices round the skip: whether it is drawn or counted, the hydrant is drawn."""
    turn = np.linspace(0, 2 * np.pi, 400_000, endpoint=False)
    radius = 80 + 30 * (np.arange(400_000) % 2)
    star = shapely.Polygon(np.column_stack([radius * np.cos(turn), radius * np.sin(turn)]))
    bundle = bundle_of({"green": scene.shapes(star), "hydrant": scene.shapes(shapely.Point(3, 3))})
    green, hydrant = near_layers(bundle, skip)
    assert green.within == 1
    assert len(hydrant.features) == 1
    assert len(json.dumps(green.features)) < 60_000


def test_what_is_very_small_is_still_drawn(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    lid = shapely.Point(4, 4).buffer(0.02)
    [near] = near_layers(bundle_of({"manhole": scene.shapes(lid)}), skip)
    assert len(near.features) == 1


def test_many_layers_of_long_texts_stay_within_the_budget(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    """Signs that are written six times as long as they are, in eight layers of 400 points."""
    points = [shapely.Point(x, y) for x in range(-40, 40, 4) for y in range(-40, 40, 4)]
    frame = scene.shapes(*points, **{f"c{each}": ["<" * 5000] * len(points) for each in range(12)})
    names = ("hydrant", "manhole", "storm_drain", "water_valve", "bus_stop", "sign", "signal", "ramp")
    near = near_layers(bundle_of(dict.fromkeys(names, frame)), skip)
    assert [each.within for each in near] == [400] * 8
    written = sum(6 * text.count("<") for each in near for text in [json.dumps(each.features)])
    assert 0 < written < BUDGET_BYTES
    assert all(each.features for each in near)


def test_all_kinds_of_geometry_are_drawn(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    line = shapely.LineString([(0, 5), (9, 5)])
    kinds = [
        shapely.Point(1, 2),
        shapely.MultiPoint([(1, 2), (3, 4)]),
        line,
        shapely.MultiLineString([line, shapely.LineString([(0, 7), (9, 7)])]),
        shapely.box(2, 2, 5, 5),
        shapely.MultiPolygon([shapely.box(2, 2, 5, 5), shapely.box(7, 7, 9, 9)]),
        shapely.Point(1, 2, 700),
        shapely.Polygon(shapely.box(-50, -50, 50, 50).exterior, [shapely.box(-9, -9, 9, 9).exterior]),
    ]
    [near] = near_layers(bundle_of({"marking": scene.shapes(*kinds)}), skip)
    assert len(near.features) == len(kinds)
    drawn = sorted((in_metres(scene, each["geometry"]) for each in near.features), key=lambda each: each.area)
    assert drawn[-1].area == pytest.approx(100 * 100 - 18 * 18, abs=2)
    assert not any(each.has_z for each in drawn)


def test_features_without_a_geometry_are_no_features_near(
    bundle_of: Callable[..., Bundle],
    scene: SimpleNamespace,
    skip: BaseGeometry,
) -> None:
    frame = scene.shapes(shapely.Point(1, 1), shapely.Point(), name=["a", "b"])
    frame.loc[2] = {"name": "c", "geometry": None}
    [near] = near_layers(bundle_of({"hydrant": frame}), skip)
    assert (len(near.features), near.within, near.total) == (1, 1, 3)


def test_a_layer_near_a_box_is_the_layer_less_what_is_far(campus: Bundle) -> None:
    """Against all rows read and compared one by one."""
    for name in ("kerb", "lot", "bus_stop", "corner", "tunnel"):
        if campus.entry(name) is None:
            continue
        whole = campus.layer(name)
        middle = campus.layer("corner").geometry.iloc[50]
        box = (middle.x - 120, middle.y - 120, middle.x + 120, middle.y + 120)
        meets = [
            bounds[0] <= box[2] and bounds[2] >= box[0] and bounds[1] <= box[3] and bounds[3] >= box[1]
            for bounds in whole.bounds.to_numpy().tolist()
        ]
        near = campus.layer_near(name, box)
        assert near.crs == whole.crs
        assert near.geometry.to_wkb().tolist() == whole.geometry[meets].to_wkb().tolist()
        columns = [each for each in whole.columns if each != "geometry"]
        if len(near):
            told = near[columns].astype(str).to_numpy().tolist()
            assert told == whole.loc[meets, columns].astype(str).to_numpy().tolist()


def test_there_is_no_layer_near_that_the_bundle_has_not(campus: Bundle) -> None:
    with pytest.raises(InputError, match="hydrant"):
        campus.layer_near("hydrant", (0, 0, 1, 1))
