"""Reading OSM files: what is kept, what is missing, what is refused."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import osmium
import pytest
import shapely

from geocheck.cities import load_city
from geocheck.city.osm.read import read_osm
from geocheck.city.ways import MISSING_NODE
from geocheck.city.wgs84 import to_city
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6">\n'
PLACES = {1: (-49.26, -16.67), 2: (-49.259, -16.67), 3: (-49.258, -16.671), 4: (-49.257, -16.672)}


@pytest.fixture(scope="module")
def city() -> City:
    return load_city("goiania")


def _node(number: int, tags: str = "", extra: str = "", at: int = 0) -> str:
    lon, lat = PLACES[at or abs(number)]
    return f'<node id="{number}" version="1" lon="{lon}" lat="{lat}" {extra}>{tags}</node>\n'


def _way(number: int, refs: list[int], extra: str = "", **tags: str) -> str:
    body = "".join(f'<nd ref="{ref}"/>' for ref in refs)
    body += "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
    return f'<way id="{number}" version="1" {extra}>{body}</way>\n'


def _file(folder: Path, *parts: str) -> Path:
    path = folder / "rua.osm"
    path.write_text(HEAD + "".join(parts) + "</osm>\n", encoding="utf-8")
    return path


def test_ways_keep_their_nodes_tags_and_place(tmp_path: Path, city: City) -> None:
    street = _way(7, [1, 2, 3], highway="residential", name="Rua Açaí", width="8")
    found = read_osm(_file(tmp_path, *map(_node, (1, 2, 3)), street), city)
    ways = found.ways
    assert ways.way_id.tolist() == [7]
    assert dict(ways.tags[0]) == {"highway": "residential", "name": "Rua Açaí", "width": "8"}
    expected = to_city(np.array([PLACES[i] for i in (1, 2, 3)]), city.crs)
    assert ways.xy[ways.ref] == pytest.approx(expected, abs=0.01)
    assert ways.node_id[ways.ref].tolist() == [1, 2, 3]
    assert len(ways.node_id) == 3


@pytest.mark.parametrize("ending", ["osm", "osm.pbf"])
def test_no_sign_of_a_tag_is_lost(tmp_path: Path, city: City, ending: str) -> None:
    """Signs that text forms of OSM use for themselves, and signs of other scripts."""
    odd = [
        "a b",
        "x,y=z",
        "%20%",
        "100%",
        "%25%20%25%",
        "@n1x2y3",
        "ç日本😀",
        "",
        " ",
        "=",
        "w1 v1",
        "a\u00a0b",
        "\\",
    ]
    tags = {f"k{sign}" if sign else "k": sign for sign in odd} | {"highway": "road"}
    path = tmp_path / f"rua.{ending}"
    with osmium.SimpleWriter(str(path)) as writer:
        for number, place in PLACES.items():
            writer.add_node(
                osmium.osm.mutable.Node(id=number, location=place, tags=tags if number == 4 else {})
            )
        writer.add_way(osmium.osm.mutable.Way(id=7, nodes=[1, 2, 3], tags=tags))
    ways = read_osm(path, city).ways
    assert dict(ways.tags[0]) == tags
    assert [dict(each) for each in ways.node_tags.values()] == [tags]


def test_of_things_with_one_id_the_last_is_kept(tmp_path: Path, city: City) -> None:
    first, last = _way(7, [1, 2], highway="road"), _way(7, [2, 3, 4], highway="service")
    signs = [_node(1, f'<tag k="ref" v="{sign}"/>') for sign in "ab"]
    other = _way(6, [1, 2], highway="road")
    found = read_osm(_file(tmp_path, *signs, *map(_node, (2, 3, 4)), first, other, last), city)
    assert found.repeated_ids == 2
    assert sorted(zip(found.ways.way_id.tolist(), np.diff(found.ways.start).tolist(), strict=True)) == [
        (6, 2), (7, 3),
    ]  # fmt: skip
    assert [dict(each) for each in found.ways.node_tags.values()] == [{"ref": "b"}]


def test_the_order_of_a_file_does_not_matter(tmp_path: Path, city: City) -> None:
    street = _way(7, [1, 2], highway="residential")
    ways = read_osm(_file(tmp_path, street, _node(2), _node(1)), city).ways
    assert ways.node_id[ways.ref].tolist() == [1, 2]


def test_missing_nodes_are_marked(tmp_path: Path, city: City) -> None:
    ways = [_way(7, [1, 99, 2], highway="residential"), _way(8, [1, 2, 99, 98], highway="service")]
    found = read_osm(_file(tmp_path, _node(1), _node(2), *ways, _way(9, [2, 1], barrier="kerb")), city)
    assert (found.ways.ref == MISSING_NODE).tolist() == [
        False, True, False, False, False, True, True, False, False,
    ]  # fmt: skip


def test_tagged_nodes_are_kept_without_a_way(tmp_path: Path, city: City) -> None:
    hydrant = _node(4, '<tag k="emergency" v="fire_hydrant"/>')
    found = read_osm(_file(tmp_path, _node(1), _node(2), hydrant, _way(7, [1, 2], highway="road")), city)
    assert {int(found.ways.node_id[row]): dict(tags) for row, tags in found.ways.node_tags.items()} == {
        4: {"emergency": "fire_hydrant"}
    }


def test_what_is_left_out_is_counted(tmp_path: Path, city: City) -> None:
    parts = [
        *map(_node, (1, 2, 3)),
        _way(7, [1, 2], highway="residential"),
        _way(8, [2, 3], power="line"),
        _way(9, [3], highway="residential"),
        _way(10, [1, 3], 'visible="false"', highway="residential"),
        '<relation id="1" version="1"><tag k="type" v="route"/></relation>',
    ]
    found = read_osm(_file(tmp_path, *parts), city)
    assert len(found.ways) == 1
    assert (found.ways_without_key, found.empty_ways, found.deleted, found.relations) == (1, 1, 1, 1)


def test_ids_below_zero_are_those_of_an_editor(tmp_path: Path, city: City) -> None:
    ways = read_osm(_file(tmp_path, _node(-1), _node(2), _way(-7, [-1, 2], highway="residential")), city).ways
    assert ways.way_id.tolist() == [-7]
    assert ways.node_id[ways.ref].tolist() == [-1, 2]


def test_the_box_of_the_header_is_the_extent(tmp_path: Path, city: City) -> None:
    box = '<bounds minlat="-16.68" minlon="-49.27" maxlat="-16.66" maxlon="-49.25"/>\n'
    found = read_osm(_file(tmp_path, box, _node(1), _node(2), _way(7, [1, 2], highway="road")), city)
    assert not found.extent_derived
    assert found.ways.extent is not None
    corners = to_city(np.array([(-49.27, -16.68), (-49.25, -16.66)]), city.crs)
    assert found.ways.extent.bounds[0] == pytest.approx(corners[0, 0], abs=25)
    assert shapely.covers(found.ways.extent, shapely.points(found.ways.xy)).all()


def test_without_a_box_the_extent_is_derived_and_says_so(tmp_path: Path, city: City) -> None:
    found = read_osm(_file(tmp_path, *map(_node, (1, 2, 3, 4)), _way(7, [1, 2, 3, 4], highway="road")), city)
    assert found.extent_derived
    assert shapely.equals(shapely.convex_hull(shapely.multipoints(found.ways.xy)), found.ways.extent)


def test_pbf_and_xml_say_the_same(tmp_path: Path, city: City) -> None:
    path = _file(tmp_path, *map(_node, (1, 2, 3)), _way(7, [1, 2, 3], highway="residential", name="Rua Açaí"))
    with osmium.SimpleWriter(str(tmp_path / "rua.osm.pbf")) as writer:
        for thing in osmium.FileProcessor(str(path)):
            writer.add(thing)
    one, two = read_osm(path, city).ways, read_osm(tmp_path / "rua.osm.pbf", city).ways
    assert one.tags == two.tags
    assert one.xy == pytest.approx(two.xy)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("isto não é XML", "não é um arquivo OSM legível"),
        (HEAD + "<node", "não é um arquivo OSM legível"),
        (HEAD + _node(1) + "</osm>", "nenhuma via"),
        (HEAD + _node(1) + _node(2) + _way(7, [1, 2], barrier="kerb") + "</osm>", "nenhuma via"),
        (HEAD + _way(7, [1, 2], highway="road") + "</osm>", "nenhuma via tem nós com coordenadas"),
        (HEAD + '<node id="1" lon="689222.8" lat="8156197.2"/></osm>', "não são graus"),
        (
            HEAD + '<node id="1" lon="13.4" lat="52.5"/><node id="2" lon="13.5" lat="52.5"/>'
            + _way(7, [1, 2], highway="road") + "</osm>",
            "lon 13.4500, lat 52.5000",
        ),
    ],
)  # fmt: skip
def test_what_is_no_street_map_of_the_city_is_refused(
    tmp_path: Path, city: City, content: str, words: str
) -> None:
    path = tmp_path / "rua.osm"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataFileError, match=words) as caught:
        read_osm(path, city)
    assert str(caught.value).startswith("rua.osm: ")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path, city: City) -> None:
    with pytest.raises(DataFileError, match="arquivo não encontrado"):
        read_osm(tmp_path / "falta.osm.pbf", city)


def test_an_extension_that_tells_no_format_is_refused(tmp_path: Path, city: City) -> None:
    path = _file(tmp_path, _node(1), _node(2), _way(7, [1, 2], highway="road"))
    with pytest.raises(DataFileError, match="renomeie"):
        read_osm(path.rename(tmp_path / "RUA.OSM"), city)


def test_ids_below_zero_have_their_place_in_a_packed_file_too(tmp_path: Path, city: City) -> None:
    path = _file(tmp_path, _node(-1), _node(-2), _way(-7, [-1, -2], highway="road"))
    packed = tmp_path / "rua.osm.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_osm(packed, city).ways.xy == pytest.approx(read_osm(path, city).ways.xy)


def _with_box(folder: Path, west: float, south: float, east: float, north: float) -> Path:
    box = f'<bounds minlat="{south}" minlon="{west}" maxlat="{north}" maxlon="{east}"/>'
    return _file(folder, box, *map(_node, (1, 2, 3)), _way(7, [1, 2, 3], highway="road"))


def test_a_box_of_another_place_is_not_the_extent(tmp_path: Path, city: City) -> None:
    assert read_osm(_with_box(tmp_path, 2, 48, 3, 49), city).extent_derived


def test_a_box_of_the_whole_earth_ends_around_the_city(tmp_path: Path, city: City) -> None:
    found = read_osm(_with_box(tmp_path, -180, -90, 180, 90), city)
    assert found.ways.extent is not None
    assert not found.extent_derived
    # The sheet's box is 0.38° wide and 0.39° high, and 0.25° more on each side is believed.
    km2 = (0.38 + 0.5) * 111.3 * np.cos(np.radians(16.645)) * (0.39 + 0.5) * 110.6
    assert found.ways.extent.area / 1e6 == pytest.approx(km2, rel=0.01)


def test_a_street_far_away_is_named_and_does_not_stretch_the_extent(tmp_path: Path, city: City) -> None:
    far = (
        '<node id="8" version="1" lon="-44.0" lat="-15.0"/><node id="9" version="1" lon="-44.0" lat="-15.1"/>'
    )
    street = _way(7, [1, 2, 3], highway="road") + _way(8, [8, 9], highway="road")
    found = read_osm(_file(tmp_path, *map(_node, (1, 2, 3)), far, street), city)
    assert found.far_ways == 1
    assert len(found.ways.way_id) == 2
    assert found.ways.extent is not None
    assert not found.ways.extent.intersects(shapely.Point(*to_city(np.array([[-45.0, -15.3]]), city.crs)[0]))
