"""A crowded place whose entrance is known answers by that; another's entrance near by does not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pyproj import Transformer

from geocheck.cities import load_city
from geocheck.model.request import parse_request
from geocheck.model.words import Outcome
from tests.check.oracle.compare import Scene
from tests.check.oracle.throws import STAY
from tests.check.oracle.town import ORIGIN, Files, Street, built, osm_file

if TYPE_CHECKING:
    from pathlib import Path

TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
STREETS: list[Street] = [([(-90.0, 0.0), (90.0, 0.0)], {"name": "Rua", "width": "8"})]
# A school of 30 × 20 m, two metres behind the north kerb.
SCHOOL = [(-15.0, 6.0), (15.0, 6.0), (15.0, 26.0), (-15.0, 26.0), (-15.0, 6.0)]


def lonlat(place: tuple[float, float]) -> list[float]:
    return list(TO_LONLAT.transform(ORIGIN[0] + place[0], ORIGIN[1] + place[1]))


def layer(folder: Path, name: str, kind: str, coordinates: object) -> str:
    told = {"type": "Feature", "properties": {}, "geometry": {"type": kind, "coordinates": coordinates}}
    path = folder / f"{name}.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [told]}), encoding="utf-8")
    return f"{name}={path},accuracy=0"


def outcome(folder: Path, entrance: tuple[float, float], **said: object) -> str:
    """Return what JDF-24 says of the school for a skip in front of it, with one entrance on the map."""
    osm_file(folder / "ruas.osm", STREETS, 60.0)
    layers = [
        layer(folder, "crowded_place", "Polygon", [[lonlat(each) for each in SCHOOL]]),
        layer(folder, "entrance", "Point", lonlat(entrance)),
    ]
    city = load_city("goiania")
    scene = Scene(built(folder, city, Files("ruas.osm", layers)), city)
    lon, lat = lonlat((0.0, 2.8))
    raw = {"city": "goiania", **STAY, "lon": lon, "lat": lat, "length_m": 2.65, "width_m": 1.76}
    checked = scene.checked([parse_request(raw | {"position_accuracy_m": 0.0, "mode": "planned"} | said)])
    rules = [each.rule.id for each in checked.rules]
    last = checked.span[rules.index("JDF-24")][-1]
    return Outcome(int(checked.outcomes[0, last])).code


@pytest.mark.parametrize("entrance", [(22.0, 6.0), (40.0, 5.0), (-9.0, -5.0), (0.0, 16.0)])
def test_an_entrance_that_is_not_the_schools_does_not_answer_for_it(
    tmp_path: Path, entrance: tuple[float, float]
) -> None:
    """The neighbour's, one farther on, one across the street, one of a building deep within the grounds."""
    assert outcome(tmp_path, entrance) == "conditional"


@pytest.mark.parametrize("entrance", [(15.0, 20.0), (-14.0, 6.0), (10.0, 5.0)])
def test_an_entrance_on_the_schools_outline_answers_for_it(
    tmp_path: Path, entrance: tuple[float, float]
) -> None:
    """The map need not hold every school: so nothing is compliant, but this one is no reason."""
    assert outcome(tmp_path, entrance) == "not_evaluated"


def test_who_looked_for_an_entrance_has_answered(tmp_path: Path) -> None:
    none = {"layer": "entrance", "state": "none", "reach_m": 5.0}
    assert outcome(tmp_path, (40.0, 5.0), observed=[none]) == "not_applicable"
