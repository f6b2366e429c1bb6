"""What the map may and may not answer: faults that the comparison with the oracle brought to light."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pyproj import Transformer

from geocheck.cities import load_city
from geocheck.city.ruler.grid import KERB_REACH_M
from geocheck.model.request import parse_request
from geocheck.model.words import Outcome
from tests.check.oracle.compare import Scene
from tests.check.oracle.throws import STAY
from tests.check.oracle.town import ORIGIN, Files, Street, built, osm_file

if TYPE_CHECKING:
    from geocheck.check.evidence import Evidence

TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
# A street of 8 m from west to east that runs out of the extract in the east; kerbs at y = ±4.
STREETS: list[Street] = [
    ([(-150.0, 0.0), (0.0, 0.0), (80.0, 0.0), None], {"name": "Rua", "width": "8"}),
    ([(0.0, -90.0), (0.0, 0.0)], {"name": "Transversal", "width": "6"}),
]
# By layer: its features as (x, y, attributes), all of them known to be there.
FEATURES: dict[str, list[tuple[float, float, dict[str, Any]]]] = {
    "bus_stop": [(-40, -4.5, {"plates": 2, "box": False}), (-120, -4.5, {"plates": 1, "box": None})],
    "hydrant": [(-70, -3.6, {"identified": True}), (-90, -3.6, {"identified": None})],
    "driveway": [(30, 4.2, {"kind": None}), (60, 4.2, {"kind": None})],
}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("rua")
    osm_file(folder / "ruas.osm", STREETS, 60.0)
    layers = []
    for layer, features in FEATURES.items():
        rows = [
            {
                "type": "Feature",
                "properties": said,
                "geometry": {"type": "Point", "coordinates": lonlat(x, y)},
            }
            for x, y, said in features
        ]
        path = folder / f"{layer}.geojson"
        path.write_text(json.dumps({"type": "FeatureCollection", "features": rows}), encoding="utf-8")
        columns = [f'{key} = "{key}"' for key in features[0][2]]
        toml = folder / f"{layer}.geojson.geocheck.toml"
        toml.write_text("\n".join(["[columns]", *columns]), encoding="utf-8")
        layers.append(f"{layer}={path},accuracy=0,completeness=complete")
    city = load_city("goiania")
    return Scene(built(folder, city, Files("ruas.osm", layers)), city)


def lonlat(x: float, y: float) -> list[float]:
    return list(TO_LONLAT.transform(ORIGIN[0] + x, ORIGIN[1] + y))


def look(scene: Scene, rule: str, x: float, y: float, **said: object) -> list[tuple[str, float, Evidence]]:
    """Return outcome, value and evidence of the tests of a rule for a skip at a place."""
    lon, lat = lonlat(x, y)
    raw = {"city": "goiania", **STAY, "lon": lon, "lat": lat, "length_m": 2.65, "width_m": 1.76} | said
    checked = scene.checked([parse_request({"position_accuracy_m": 0.0} | raw)])
    number = [each.rule.id for each in checked.rules].index(rule)
    return [
        (
            Outcome(int(checked.outcomes[0, at])).code,
            float(checked.columns[at].measured[0]),
            checked.columns[at],
        )
        for at in checked.span[number]
    ]


def kerb_gap(scene: Scene, y: float, **said: object) -> float:
    ((_, value, _),) = look(scene, "GYN-10", -100, y, **said)
    return value


@pytest.mark.parametrize("y", [-2.4, 2.4])
@pytest.mark.parametrize("said", [{"mode": "observed"}, {"mode": "observed", "bearing_deg": 90.5}])
def test_without_a_bearing_the_kerb_is_the_nearest_all_the_same(
    scene: Scene, y: float, said: dict[str, object]
) -> None:
    """The skip's near side lies 4 − (2.4 + 0.88) = 0.72 m from its kerb, the other kerb 5.52 m off."""
    assert kerb_gap(scene, y, **said) == pytest.approx(0.72, abs=0.03)


@pytest.mark.parametrize(("y", "corner_m"), [(-2.4, 40 - 3 - 1.325), (2.4, None)])
def test_a_planned_skip_without_a_bearing_stands_at_the_nearest_kerb(
    scene: Scene, y: float, corner_m: float | None
) -> None:
    """The side street's mouth begins at x = -3 on the south kerb; on the north kerb is no corner."""
    (_, value, _), *_ = look(scene, "GYN-11", -40, y, mode="planned")
    assert value == pytest.approx(float("nan") if corner_m is None else corner_m, abs=0.03, nan_ok=True)


def test_a_kerb_beyond_the_reach_is_none(scene: Scene) -> None:
    """Whatever cell of the grid the skip lies in."""
    for away in range(1, 30):
        near = kerb_gap(scene, 4 + away, mode="observed", bearing_deg=90.0)
        assert (near == near) == (away <= KERB_REACH_M), away  # noqa: PLR0124 (NaN is none)


def test_what_may_lie_beyond_a_cut_end_is_open_as_far_as_the_place_is_in_doubt(scene: Scene) -> None:
    """The street is cut at x = 80, in the extract or beyond: 5.2 m before it a corner may be 4.7 m away."""
    skip = {"mode": "observed", "bearing_deg": 90.0}
    corner, *_ = look(scene, "GYN-11", 80 - 5.2 - 1.325, 2.4, **skip, position_accuracy_m=0.5)
    assert corner[0] == "not_evaluated"
    # So far from it there is nothing to fear, and the end of the street is no corner to show.
    corner, *_ = look(scene, "GYN-11", 80 - 8 - 1.325, 2.4, **skip, position_accuracy_m=0.5)
    assert corner[0] == "compliant"
    stop, *_ = look(scene, "GYN-22", 80 - 30, 2.4, **skip)
    assert stop[1] != pytest.approx(30 - 1.325, abs=0.1)


def test_what_the_map_knows_of_an_attribute_decides(scene: Scene) -> None:
    """GYN-22: without a box nothing within 10 m; JDF-13: 6 m from a stop of two plates; it is 4.7 m off."""
    skip = {"mode": "observed", "bearing_deg": 90.0}
    near = -40 + 6.0
    assert [code for code, *_ in look(scene, "GYN-22", near, -2.4, **skip)][1] == "violation"
    assert [code for code, *_ in look(scene, "JDF-13", near, -2.4, **skip)] == ["violation"]
    # Of the other stop nobody knows whether it has a box, and it has one plate.
    other = -120 + 6.0
    assert [code for code, *_ in look(scene, "GYN-22", other, -2.4, **skip)][1] == "conditional"
    assert [code for code, *_ in look(scene, "JDF-13", other, -2.4, **skip)] == ["not_applicable"]


def test_what_the_user_saw_comes_before_the_map(scene: Scene) -> None:
    """Who stood there and saw a stop with a painted box has answered for the attribute."""
    seen = {"layer": "bus_stop", "state": "present", "reach_m": 5, "attributes": {"box": True, "plates": 1}}
    skip = {"mode": "observed", "bearing_deg": 90.0, "observed": [seen]}
    assert [code for code, *_ in look(scene, "GYN-22", -34, -2.4, **skip)][1] == "not_applicable"
    assert [code for code, *_ in look(scene, "JDF-13", -34, -2.4, **skip)] == ["not_applicable"]


def test_an_identified_hydrant_under_the_skip_is_a_breach(scene: Scene) -> None:
    skip = {"mode": "observed", "bearing_deg": 90.0}
    assert look(scene, "GYN-24", -70, -3.0, **skip)[0][0] == "violation"
    assert look(scene, "GYN-24", -90, -3.0, **skip)[0][0] == "conditional"


def test_a_driveway_that_may_lie_beyond_a_cut_does_not_acquit(scene: Scene) -> None:
    """Traffic on the north kerb runs west, out of the cut: what lies upstream there nobody knows.

    At x = 72 the cut is 6.7 m upstream and a driveway 9.2 m downstream: the nearest that is known lies on the
    wrong side. At x = 50 the one upstream is nearer, and all that is nearer still is known.
    """
    skip = {"mode": "observed", "bearing_deg": 90.0}
    side = {x: look(scene, "GYN-13", x, 2.4, **skip)[1][0] for x in (43.0, 50.0, 72.0, 79.0)}
    assert side == {43.0: "conditional", 50.0: "compliant", 72.0: "conditional", 79.0: "not_evaluated"}
