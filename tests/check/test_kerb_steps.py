"""Where the kerb steps out or in, because the next way is wider, metres along it stay metres of street."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import shapely
from pyproj import Transformer

from geocheck.check.sight.witness import stretch
from geocheck.cities import load_city
from geocheck.model.request import parse_request
from tests.check.oracle.compare import Scene
from tests.check.oracle.throws import STAY
from tests.check.oracle.town import ORIGIN, Files, Street, built, osm_file

if TYPE_CHECKING:
    from geocheck.check.pipeline import Checked

TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
# 8 m wide up to x = 0, 14 m from there on: both kerbs step out by 3 m at x = 0. The mouth begins at x = 17.
STREETS: list[Street] = [
    ([(-60.0, 0.0), (0.0, 0.0)], {"name": "Rua", "width": "8"}),
    ([(0.0, 0.0), (20.0, 0.0), (60.0, 0.0)], {"name": "Rua", "width": "14"}),
    ([(20.0, 0.0), (20.0, -60.0)], {"name": "Transversal", "width": "6"}),
]
CM = 0.02
"""OSM keeps coordinates to 7 mm."""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("degrau")
    osm_file(folder / "ruas.osm", STREETS, 60.0)
    city = load_city("goiania")
    return Scene(built(folder, city, Files("ruas.osm", [])), city)


def standing(scene: Scene, x: float, y: float, **said: object) -> Checked:
    lon, lat = TO_LONLAT.transform(ORIGIN[0] + x, ORIGIN[1] + y)
    raw = {"city": "goiania", **STAY, "lon": lon, "lat": lat, "length_m": 2.65, "width_m": 1.76} | said
    return scene.checked([parse_request({"position_accuracy_m": 0.0} | raw)])


def corner_m(checked: Checked) -> float:
    rules = [each.rule.id for each in checked.rules]
    return float(checked.columns[checked.span[rules.index("GYN-11")][0]].measured[0])


@pytest.mark.parametrize("x", [-30.0, -5.0, -1.5])
def test_a_step_does_not_lengthen_the_way_to_a_corner(scene: Scene, x: float) -> None:
    """From the skip's front end at x + 1.325 on to the mouth at x = 17: the step's 3 m count nothing."""
    checked = standing(scene, x, -2.8, mode="planned")
    assert corner_m(checked) == pytest.approx(17 - (x + 1.325), abs=CM)


def test_metres_of_a_line_drawn_over_a_step_are_those_measured(scene: Scene) -> None:
    checked = standing(scene, -5.0, -2.8, mode="planned")
    assert checked.sight is not None
    located = checked.sight.at.located
    end = float(located.centre_s[0] - located.half_m[0])  # the ruler runs with the traffic of the south kerb
    drawn = stretch(checked.sight, int(located.segment[0]), end - 10.0, end + 12.0)
    assert drawn is not None
    assert shapely.length(drawn) == pytest.approx(22.0, abs=1e-6)
    assert shapely.get_num_geometries(drawn) == 2


@pytest.mark.parametrize(
    ("x", "y", "place"),
    [(0.4, -6.0, (0.4, -7.0)), (0.05, -5.8, (0.05, -7.0)), (0.05, -5.0, (0, -4)), (0.3, -4.2, (0, -4))],
)
def test_nothing_stands_along_a_step(scene: Scene, x: float, y: float, place: tuple[float, float]) -> None:
    """Beside a step a skip stands along the street, at the kerb before it or behind it that is nearer."""
    checked = standing(scene, x, y, mode="planned")
    assert checked.sight is not None
    centre = checked.sight.at.footprints.xy[0]
    along = checked.sight.at.footprints.along[0]
    assert abs(along[1]) < 0.01
    assert centre == pytest.approx([ORIGIN[0] + place[0], ORIGIN[1] + place[1] + 0.3 + 0.88], abs=CM)


def test_the_angle_of_one_seen_beside_a_step_is_that_to_the_street(scene: Scene) -> None:
    checked = standing(scene, 1.5, -4.0, mode="observed", bearing_deg=90.0)
    assert checked.sight is not None
    located = checked.sight.at.located
    assert located.angle_deg[0] < 1.0
    # Yet the step, at x = 0, is kerb: the skip's back end at 1.5 - 1.325 is 0.175 m from it.
    assert located.low_gap_m[0] == pytest.approx(0.175, abs=CM)
