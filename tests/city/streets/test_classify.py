"""Which ways are streets, their direction and their level."""

from __future__ import annotations

import pytest

from geocheck.city.streets.classify import Use, direction_of, layer_of, name_of, use_of


@pytest.mark.parametrize(
    ("tags", "use"),
    [
        ({"highway": "residential"}, Use.STREET),
        ({"highway": "living_street"}, Use.STREET),
        ({"highway": "secondary_link"}, Use.STREET),
        ({"highway": "busway", "access": "no"}, Use.STREET),
        ({"highway": "service"}, Use.STREET),
        ({"highway": "service", "service": "alley"}, Use.STREET),
        ({"highway": "service", "service": "driveway"}, Use.DRIVEWAY),
        ({"highway": "service", "service": "parking_aisle"}, Use.DRIVEWAY),
        ({"highway": "residential", "access": "private"}, Use.PRIVATE),
        ({"highway": "residential", "access": "private", "motor_vehicle": "destination"}, Use.STREET),
        ({"highway": "residential", "motor_vehicle": "no"}, Use.PRIVATE),
        ({"highway": "unclassified", "access": "no", "bus": "yes"}, Use.STREET),
        ({"highway": "footway"}, Use.NOT_MOTOR),
        ({"highway": "cycleway"}, Use.NOT_MOTOR),
        ({"highway": "steps"}, Use.NOT_MOTOR),
        ({"highway": "pedestrian"}, Use.NOT_MOTOR),
        ({"highway": "track"}, Use.NOT_MOTOR),
        ({"highway": "platform", "area": "yes"}, Use.NOT_MOTOR),
        ({"highway": "construction", "construction": "primary"}, Use.UNBUILT),
        ({"highway": "proposed"}, Use.UNBUILT),
        ({"highway": "residential", "area": "yes"}, Use.AREA),
        ({"barrier": "kerb"}, Use.NO_HIGHWAY),
    ],
)
def test_use_of_a_way(tags: dict[str, str], use: Use) -> None:
    assert use_of(tags) is use


@pytest.mark.parametrize(
    ("tags", "direction"),
    [
        ({}, 0),
        ({"oneway": "yes"}, 1),
        ({"oneway": "1"}, 1),
        ({"oneway": "-1"}, -1),
        ({"oneway": "reverse"}, -1),
        ({"oneway": "no", "junction": "roundabout"}, 0),
        ({"oneway": "reversible"}, 0),
        ({"oneway": "rubbish"}, 0),
        ({"junction": "roundabout"}, 1),
        ({"junction": "circular"}, 1),
        ({"highway": "motorway"}, 1),
        ({"highway": "motorway", "oneway": "no"}, 0),
    ],
)
def test_direction_of_a_way(tags: dict[str, str], direction: int) -> None:
    assert direction_of(tags) == direction


@pytest.mark.parametrize(
    ("tags", "layer"),
    [
        ({}, 0),
        ({"layer": "2"}, 2),
        ({"layer": "-1"}, -1),
        ({"layer": "+1"}, 1),
        ({"layer": "1;2"}, 1),
        ({"layer": "x", "bridge": "viaduct"}, 1),
        ({"bridge": "yes", "layer": "0"}, 0),
        ({"bridge": "no"}, 0),
        ({"tunnel": "yes"}, -1),
        ({"tunnel": "building_passage"}, 0),
    ],
)
def test_level_of_a_way(tags: dict[str, str], layer: int) -> None:
    assert layer_of(tags) == layer


def test_a_street_without_name_goes_by_its_reference() -> None:
    assert name_of({"name": "Rua 1", "ref": "GO-080"}) == "Rua 1"
    assert name_of({"ref": "GO-080"}) == "GO-080"
    assert not name_of({})
