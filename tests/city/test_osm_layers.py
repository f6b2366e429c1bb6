"""From OSM's tags to layers: what makes a thing one of a layer, what never does, and what its tags say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from geocheck.cities import load_city
from geocheck.city.network.network import osm_network
from geocheck.city.outside_layers import outside_layers

if TYPE_CHECKING:
    from pathlib import Path

    from geopandas import GeoDataFrame

Tags = dict[str, str]
Frames = dict[str, tuple[dict[str, Any], "GeoDataFrame"]]
LON, LAT = -49.25, -16.68
STEP = 1e-5
PLACES = {1: (0, 0), 2: (1, 0), 3: (2, 0), 4: (2, 1), 5: (0, 1), 6: (1, 2), 7: (1, 3)}
STREET = (10, [1, 2, 3], {"highway": "residential", "name": "Rua"})


def layers(path: Path, nodes: dict[int, Tags], *ways: tuple[int, list[int], Tags]) -> Frames:
    """Write a street through the nodes 1, 2, 3, nodes with tags and more ways, and read their layers."""
    lines = ['<osm version="0.6">']
    lone = {node: (node, 9) for node in nodes if node not in PLACES}
    for node, (x, y) in (PLACES | lone).items():
        tags = "".join(f'<tag k="{k}" v="{v}"/>' for k, v in nodes.get(node, {}).items())
        lines.append(f'<node id="{node}" lon="{LON + x * STEP:.7f}" lat="{LAT + y * STEP:.7f}">{tags}</node>')
    for way, refs, of_way in (STREET, *ways):
        tags = "".join(f'<tag k="{k}" v="{v}"/>' for k, v in of_way.items())
        lines.append(f'<way id="{way}">{"".join(f"""<nd ref="{ref}"/>""" for ref in refs)}{tags}</way>')
    osm = path / "cena.osm"
    osm.write_text("\n".join([*lines, "</osm>"]), encoding="utf-8")
    city = load_city("goiania")
    return {
        str(fields["name"]): (fields, frame)
        for fields, frame in outside_layers(osm_network(osm, city), (), city)
    }


def found(frames: Frames) -> set[str]:
    """Return the layers that hold something."""
    return {name for name, (_, frame) in frames.items() if len(frame)}


NODES: list[tuple[Tags, set[str]]] = [
    ({"highway": "bus_stop"}, {"bus_stop"}),
    ({"public_transport": "platform", "bus": "yes"}, {"bus_stop"}),
    ({"public_transport": "platform", "tram": "yes"}, set()),
    ({"public_transport": "stop_position", "bus": "yes"}, set()),
    ({"amenity": "taxi"}, {"taxi_stand"}),
    ({"highway": "crossing", "crossing": "marked"}, {"crossing"}),
    ({"highway": "crossing", "crossing": "no"}, set()),
    ({"highway": "crossing", "crossing": "traffic_signals"}, {"crossing", "signal"}),
    ({"highway": "traffic_signals"}, {"signal"}),
    ({"emergency": "fire_hydrant"}, {"hydrant"}),
    ({"man_made": "manhole", "manhole": "sewer"}, {"manhole"}),
    ({"man_made": "manhole", "manhole": "drain"}, {"storm_drain"}),
    ({"inlet": "kerb_opening"}, {"storm_drain"}),
    ({"inlet": "no"}, set()),
    ({"pipeline": "valve", "substance": "water"}, {"water_valve"}),
    ({"pipeline": "valve", "substance": "gas"}, set()),
    ({"traffic_sign": "BR:R-6a"}, {"sign"}),
    ({"amenity": "parking_space"}, {"parking_bay"}),
    ({"amenity": "parking_space", "parking_space": "disabled"}, {"parking_bay", "special_bay"}),
    ({"amenity": "parking_space", "parking_space": "delivery"}, {"parking_bay", "loading_bay"}),
    ({"entrance": "main"}, {"entrance"}),
    ({"entrance": "home"}, set()),
    ({"entrance": "emergency"}, {"emergency_exit"}),
    ({"amenity": "bench"}, {"street_furniture"}),
    ({"highway": "turning_loop"}, {"turnaround"}),
    ({"highway": "turning_circle"}, set()),
    ({"addr:housenumber": "12", "addr:street": "Rua"}, {"address"}),
    ({"waterway": "weir"}, set()),
]
WAYS: list[tuple[Tags, set[str]]] = [
    ({"highway": "residential", "bridge": "viaduct"}, {"bridge"}),
    ({"highway": "residential", "bridge": "no"}, set()),
    ({"highway": "footway", "bridge": "yes"}, set()),
    ({"highway": "residential", "tunnel": "yes"}, {"tunnel"}),
    ({"highway": "service", "tunnel": "building_passage"}, set()),
    ({"waterway": "stream"}, {"waterway"}),
    ({"waterway": "stream", "tunnel": "culvert"}, set()),
    ({"highway": "footway", "footway": "sidewalk"}, {"footway"}),
    ({"highway": "cycleway"}, {"cycleway"}),
    ({"highway": "trunk"}, {"expressway"}),
    ({"highway": "service", "service": "driveway"}, {"driveway"}),
    ({"highway": "pedestrian"}, {"pedestrian_street"}),
    ({"road_marking": "stop_line"}, {"marking"}),
    ({"inlet": "grate"}, {"storm_drain"}),
]


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Return, for every case as a node or way of one file, the layers that it is found in."""
    nodes = {100 + row: tags for row, (tags, _) in enumerate(NODES)}
    ways = [(200 + row, [6, 7], tags) for row, (tags, _) in enumerate(WAYS)]
    found: dict[str, set[str]] = {}
    for layer, (_, frame) in layers(tmp_path_factory.mktemp("tags"), nodes, *ways).items():
        for feature in frame["feature"]:
            found.setdefault(feature, set()).add(layer)
    return found


@pytest.mark.parametrize("row", range(len(NODES)), ids=lambda row: str(NODES[row][0]))
def test_tags_of_a_node(things: dict[str, set[str]], row: int) -> None:
    assert things.get(f"node/{100 + row}", set()) == NODES[row][1]


@pytest.mark.parametrize("row", range(len(WAYS)), ids=lambda row: str(WAYS[row][0]))
def test_tags_of_a_way(things: dict[str, set[str]], row: int) -> None:
    assert things.get(f"way/{200 + row}", set()) == WAYS[row][1]


def test_a_bridge_over_or_under_is_told_by_its_level(tmp_path: Path) -> None:
    frames = layers(tmp_path, {}, (20, [6, 7], {"highway": "primary", "bridge": "yes", "layer": "2"}))
    fields, bridges = frames["bridge"]
    assert (bridges["level"].tolist(), bridges["way"].tolist()) == ([2], ["way/20"])
    assert fields["completeness"] == "complete"


def test_the_network_knows_that_there_is_no_tunnel(tmp_path: Path) -> None:
    """A layer of the network is complete even where it is empty; another that is empty is not known."""
    frames = layers(tmp_path, {})
    assert set(frames) == {"bridge", "tunnel"}
    assert {name: (len(frame), fields["completeness"]) for name, (fields, frame) in frames.items()} == {
        "bridge": (0, "complete"),
        "tunnel": (0, "complete"),
    }


def test_who_does_not_tell_bridges_does_not_know_that_there_is_none(tmp_path: Path) -> None:
    layers(tmp_path, {})
    city = load_city("goiania")
    network = osm_network(tmp_path / "cena.osm", city)
    for ignorant in (replace(network, tells_bridges=False), replace(network, completeness="partial")):
        assert [fields["name"] for fields, _ in outside_layers(ignorant, (), city)] == []


def test_a_stop_that_serves_one_direction_stands_on_its_side(tmp_path: Path) -> None:
    """Traffic drives on the right: forward is the right side of the way as it is drawn."""
    stop = {"highway": "bus_stop"}
    for direction, side in (("forward", "right"), ("backward", "left"), ("both", "both"), ("87", None)):
        _, stops = layers(tmp_path, {2: {**stop, "direction": direction}})["bus_stop"]
        row = stops.iloc[0]
        assert (row["way"], row["on_axis"]) == ("way/10", True)
        assert row["side"] == side if side else stops["side"].isna().all()
    _, stops = layers(tmp_path, {2: stop, 7: stop})["bus_stop"]
    assert stops["side"].isna().all()
    assert stops["on_axis"].tolist() == [True, False]
    assert stops["plates"].isna().all()
    assert stops["box"].isna().all()


def test_a_node_of_two_streets_is_on_neither(tmp_path: Path) -> None:
    stop = {"highway": "bus_stop", "direction": "forward"}
    _, stops = layers(tmp_path, {3: stop}, (20, [3, 4], {"highway": "residential"}))["bus_stop"]
    assert stops["way"].isna().all()
    assert stops["side"].isna().all()


def test_what_a_street_tells_of_its_sides(tmp_path: Path) -> None:
    """Bans become the codes of Brazil's signs, with their hours and their side."""
    told = {
        "highway": "tertiary",
        "parking:right": "lane",
        "parking:right:width": "2.2",
        "parking:right:restriction:conditional": "no_parking @ (Mo-Fr 07:00-19:00)",
        "parking:right:fee": "yes",
        "parking:left": "no",
        "parking:left:restriction": "no_stopping",
        "cycleway:left": "lane",
    }
    frames = layers(tmp_path, {}, (20, [6, 7], told))
    assert found(frames) == {"parking_lane", "sign", "paid_parking", "cycleway"}
    _, signs = frames["sign"]
    rows = {
        side: (code, hours)
        for side, code, hours in zip(signs["side"], signs["code"], signs["hours"], strict=True)
    }
    assert rows == {"right": ("R-6a", "Mo-Fr 07:00-19:00"), "left": ("R-6c", "24/7")}
    assert signs["on_axis"].all()
    assert set(signs["way"]) == {"way/20"}
    assert signs["feature"].is_unique
    _, lanes = frames["parking_lane"]
    assert lanes[["side", "width_m"]].to_numpy().tolist() == [["right", 2.2]]
    assert frames["paid_parking"][1][["side", "hours"]].to_numpy().tolist() == [["right", "24/7"]]
    assert frames["cycleway"][1]["side"].tolist() == ["left"]


def test_a_ban_under_a_condition_that_nobody_reads_has_unknown_hours(tmp_path: Path) -> None:
    told = {"highway": "tertiary", "parking:both:restriction:conditional": "no_parking @ wet"}
    _, signs = layers(tmp_path, {}, (20, [6, 7], told))["sign"]
    assert sorted(signs["side"]) == ["left", "right"]
    assert signs["hours"].isna().all()


def test_a_cycle_lane_of_a_oneway_street_is_on_a_side_that_nobody_says(tmp_path: Path) -> None:
    told = {"highway": "tertiary", "cycleway": "lane"}
    _, both = layers(tmp_path, {}, (20, [6, 7], told))["cycleway"]
    assert sorted(both["side"]) == ["left", "right"]
    _, one = layers(tmp_path, {}, (20, [6, 7], {**told, "oneway": "yes"}))["cycleway"]
    assert one["side"].isna().tolist() == [True]


def test_a_lowered_kerb_is_a_ramp_but_of_a_driveway(tmp_path: Path) -> None:
    drive = (20, [2, 6, 7], {"highway": "service", "service": "driveway"})
    lowered = {"barrier": "kerb", "kerb": "lowered"}
    frames = layers(tmp_path, {5: lowered, 6: lowered}, drive)
    assert frames["ramp"][1]["feature"].tolist() == ["node/5"]
    assert sorted(frames["driveway"][1]["feature"]) == ["node/6", "way/20"]


def test_a_crossing_where_a_driveway_begins_has_ramps_on_both_sides(tmp_path: Path) -> None:
    """The node lies on the street: its lowered kerbs are those of the crossing, left and right."""
    drive = (20, [2, 6, 7], {"highway": "service", "service": "driveway"})
    frames = layers(tmp_path, {2: {"highway": "crossing", "kerb": "lowered"}}, drive)
    ramps = frames["ramp"][1]
    assert ramps[["feature", "side", "on_axis", "way"]].to_numpy().tolist() == [
        ["node/2", "both", True, "way/10"]
    ]


@pytest.mark.parametrize(
    ("tags", "marked"),
    [
        ({"crossing": "zebra"}, [True]),
        ({"crossing": "uncontrolled"}, [True]),
        ({"crossing": "unmarked"}, [False]),
        ({"crossing:markings": "no", "crossing": "traffic_signals"}, [False]),
        ({"crossing": "traffic_signals"}, []),
        ({}, []),
    ],
)
def test_whether_a_crossing_is_painted(tmp_path: Path, tags: Tags, marked: list[bool]) -> None:
    _, crossings = layers(tmp_path, {2: {"highway": "crossing", **tags}})["crossing"]
    assert crossings["marked"].dropna().tolist() == marked


def test_a_platform_is_an_area_and_a_closed_street_is_not(tmp_path: Path) -> None:
    ring = [4, 5, 6, 4]
    frames = layers(
        tmp_path,
        {},
        (20, ring, {"public_transport": "platform", "bus": "yes"}),
        (21, ring, {"highway": "cycleway"}),
        (22, ring, {"highway": "pedestrian", "area": "yes"}),
        (23, ring, {"building": "yes"}),
    )
    shapes = {name: frame.geom_type.tolist() for name, (_, frame) in frames.items() if len(frame)}
    assert shapes == {
        "bus_stop": ["Polygon"],
        "cycleway": ["LineString"],
        "pedestrian_street": ["Polygon"],
        "building": ["Polygon"],
    }


def test_a_shape_that_a_layer_does_not_take_is_counted(tmp_path: Path) -> None:
    fields, buildings = layers(tmp_path, {7: {"building": "yes"}})["building"]
    assert len(buildings) == 0
    assert [(each["action"], each["count"]) for each in fields["changes"]] == [("dropped", 1)]
    assert "área" in fields["changes"][0]["reason"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("BR:R-6a", "R-6a"),
        ("BR:R6C", "R-6c"),
        ("BR:R-19[40];BR:R-6b", "R-6b"),
        ("BR:R-1", "R-1"),
        ("DE:286", None),
        ("maxspeed", None),
    ],
)
def test_codes_of_signs(tmp_path: Path, text: str, code: str | None) -> None:
    _, signs = layers(tmp_path, {7: {"traffic_sign": text}})["sign"]
    assert signs["code"].tolist() == [code] if code else signs["code"].isna().all()
