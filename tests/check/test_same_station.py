"""A planned skip that is asked about again, by the kerb of its report, stands where it stood."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import numpy as np

from geocheck.check.pipeline import run
from geocheck.check.sight.index import index_of
from geocheck.city.ruler.ruler import MOUTH
from geocheck.city.wgs84 import to_lonlat
from geocheck.law.versions import city_law
from geocheck.model.request import KerbPlace, Request
from geocheck.report.map_notices import map_notices
from geocheck.report.on_map import bundle_of, kerb_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.check.pipeline import Checked
    from geocheck.check.sight.city_map import CityMap
    from geocheck.check.sight.index import MapIndex
    from geocheck.city.bundle.bundle import Bundle

NOW = dt.datetime(2026, 8, 7, 13, tzinfo=dt.UTC)
COUNT = 5000
SEED = 20261201


def _check(requests: Sequence[Request], index: MapIndex) -> Checked:
    (checked,) = run(requests, city_law("goiania"), NOW, index)
    return checked


def _places(city_map: CityMap) -> NDArray[np.float64]:
    """Return places near the kerbs: half anywhere along them, a third near bends, the rest in mouths."""
    random = np.random.default_rng(SEED)
    table, edges = city_map.segments, city_map.edges
    mouths = np.flatnonzero(table["kerb"] == MOUTH)
    share = np.where(table["kerb"] == MOUTH, 0.0, table["length_m"])
    rows = np.concatenate(
        [
            random.choice(len(edges), COUNT // 2, p=share / share.sum()),
            random.integers(len(edges), size=COUNT // 3),
            random.choice(mouths, COUNT - COUNT // 2 - COUNT // 3),
        ]
    )
    along = random.uniform(0, 1, COUNT)
    bends = slice(COUNT // 2, COUNT // 2 + COUNT // 3)
    along[bends] = random.choice([0.0, 1.0], COUNT // 3)
    xy = edges[rows, :2] + along[:, None] * (edges[rows, 2:] - edges[rows, :2])
    return np.asarray(xy + random.normal(0, 2.0, (COUNT, 2)))


def test_the_station_and_every_finding_stay(campus: Bundle) -> None:
    law = city_law("goiania")
    index = index_of(campus, law.city)
    first = [
        Request(
            city="goiania",
            lon=lon,
            lat=lat,
            mode="planned",
            length_m=2.65,
            width_m=1.72,
            start="2026-08-07T10:00",
        )
        for lon, lat in to_lonlat(_places(index.city_map), index.city_map.crs).tolist()
    ]
    before = _check(first, index)
    bundle = bundle_of(before)
    kerbs = [kerb_of(before, row) for row in range(COUNT)]
    assert bundle is not None
    held = [row for row, kerb in enumerate(kerbs) if kerb is not None]
    assert len(held) > 0.99 * COUNT
    again = [
        first[row].model_copy(
            update={"kerb": KerbPlace(id=kerb.id, centre_m=kerb.centre_m, bundle=bundle.sha256)}
        )
        for row in held
        if (kerb := kerbs[row]) is not None
    ]
    after = _check(again, index)
    assert before.sight is not None
    assert after.sight is not None
    was, now = before.sight.at.located, after.sight.at.located
    assert np.abs(now.centre_s - was.centre_s[held]).max() < 1e-6
    side = index.city_map.segments["side"]
    np.testing.assert_array_equal(side[now.segment], side[was.segment[held]])
    moved = np.hypot(*(after.sight.at.footprints.xy - before.sight.at.footprints.xy[held]).T)
    assert moved.max() < 1e-6
    np.testing.assert_array_equal(after.findings, before.findings[held])
    np.testing.assert_array_equal(after.verdict, before.verdict[held])
    rings = index.city_map.sides["ring"][side[was.segment[held]]]
    in_mouth = index.city_map.segments["kerb"][was.segment[held]] == MOUTH
    assert rings.sum() > 20
    assert in_mouth.sum() > 100


def _at(index: MapIndex, **more: object) -> Checked:
    raw = {"city": "goiania", "lon": -49.2665, "lat": -16.606, "mode": "planned", "start": "2026-08-07T10:00"}
    return _check([Request.model_validate({**raw, "length_m": 2.65, "width_m": 1.72, **more})], index)


def test_a_station_that_is_not_this_skips_is_not_believed(campus: Bundle) -> None:
    """Beyond the ends of its side there is no kerb, and farther on along it another skip's place."""
    index = index_of(campus, city_law("goiania").city)
    city_map, plain = index.city_map, _at(index)
    own = kerb_of(plain, 0)
    assert own is not None
    held = {"id": own.id, "centre_m": own.centre_m, "bundle": campus.sha256}
    side = int(city_map.places["side"][int(own.id)])
    length = float(city_map.sides["length_m"][side])
    for change in (
        {"centre_m": own.centre_m + length + 1},
        {"centre_m": own.centre_m - length - 1},
        {"centre_m": 1e6},
        {"centre_m": own.centre_m + 80.0},
        {"centre_m": own.centre_m - 80.0},
        {"id": "999999999"},
        {"id": str((int(own.id) + len(city_map.places["s"]) // 2) % len(city_map.places["s"]))},
    ):
        told = _at(index, kerb={**held, **change})
        assert np.array_equal(told.findings, plain.findings)
        assert np.array_equal(told.sight.at.footprints.xy, plain.sight.at.footprints.xy)  # type: ignore[union-attr]
        assert [notice.code for notice in map_notices(told, 0)] == ["kerb_unused"], change
    near = _at(index, kerb={**held, "centre_m": own.centre_m + 2.0})
    moved_m = np.hypot(*(near.sight.at.footprints.xy - plain.sight.at.footprints.xy)[0])  # type: ignore[union-attr]
    assert abs(moved_m - 2.0) < 1e-6
    assert not list(map_notices(near, 0))
