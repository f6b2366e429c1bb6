"""How far an extent holds the kerb to either side of a skip: over holes it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import shapely

from geocheck.check.pipeline import run
from geocheck.check.sight.cover import both_ways
from geocheck.check.sight.index import index_of
from geocheck.law.versions import city_law
from geocheck.model.request import parse_request
from tests.check.test_real_checks import NOW

if TYPE_CHECKING:
    from geocheck.check.sight.sight import Sight
    from geocheck.city.bundle.bundle import Bundle


@pytest.fixture(scope="module")
def sight(campus: Bundle) -> Sight:
    """Return one skip in the midst of a long straight kerb."""
    raw = {"city": "goiania", "lon": -49.2665, "lat": -16.606, "mode": "planned"}
    law = city_law("goiania")
    request = parse_request({**raw, "length_m": 2.65, "width_m": 1.72})
    checked = next(run([request], law, NOW, index_of(campus, law.city)))
    assert checked.sight is not None
    return checked.sight


@pytest.mark.parametrize(
    ("holes", "held"),
    [([], True), ([(4.0, 7.0)], False), ([(-9.0, -6.5)], False), ([(15.0, 40.0)], True)],
)
def test_a_hole_within_reach_is_seen(sight: Sight, *, holes: list[tuple[float, float]], held: bool) -> None:
    """The extent goes 200 m round; holes lie across the street so many metres ahead of the skip."""
    centre, along = sight.at.footprints.xy[0], sight.traffic[0]
    across = np.array([-along[1], along[0]])
    area: shapely.Geometry = shapely.Point(centre).buffer(200.0)
    for near, far in holes:
        ends = [centre + along * ahead + across * aside for ahead in (near, far) for aside in (-40.0, 40.0)]
        area = shapely.difference(area, shapely.MultiPoint(ends).convex_hull)
    found = both_ways(sight.at, sight.city_map, area, np.array([10.0]))
    assert found.tolist() == [held]
