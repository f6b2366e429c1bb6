"""Street graphs in GraphML: what osmnx writes, what others write, and what is none."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import networkx as nx
import numpy as np
import osmnx
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import CRS, Transformer

from geocheck.cities import load_city
from geocheck.city.bundle.bundle import load_bundle
from geocheck.city.network.graph_tags import values_of
from geocheck.city.network.graphml import graphml_network
from geocheck.city.network.network import osm_network
from geocheck.city.ways import MISSING_NODE
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.network.network import Network

ORIGIN = (686_000.0, 8_155_000.0)
TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
PLACES = {1: (-80, 0), 2: (0, 0), 3: (80, 0), 4: (0, -80), 5: (0, 80)}
WIDE = {"highway": "residential", "name": "Rua Larga", "width": "10"}
NARROW = {"highway": "residential", "name": "Rua Estreita", "width": "8"}
HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
Edge = tuple[Any, Any, "Mapping[str, str]"]
CROSSING: list[Edge] = [
    edge
    for a, b, tags in ((1, 2, WIDE), (2, 3, WIDE), (4, 2, NARROW), (2, 5, NARROW))
    for edge in ((a, b, tags), (b, a, tags))
]


@pytest.fixture(scope="module")
def city() -> City:
    return load_city("goiania")


def lonlat(x: float, y: float) -> tuple[float, float]:
    lon, lat = TO_LONLAT.transform(ORIGIN[0] + x, ORIGIN[1] + y)
    return lon, lat


def line(*places: tuple[float, float]) -> str:
    return "LINESTRING (" + ", ".join("{:.9f} {:.9f}".format(*lonlat(*place)) for place in places) + ")"


def write(
    path: Path,
    edges: Sequence[Edge] = CROSSING,
    crs: str = "EPSG:4326",
    *,
    edgedefault: str = "directed",
    nodes: Mapping[int, Mapping[str, str]] | None = None,
) -> Path:
    """Write a graph whose nodes lie at PLACES unless `nodes` says otherwise; all attributes are text."""
    rows = {
        number: {"x": f"{lonlat(*xy)[0]:.9f}", "y": f"{lonlat(*xy)[1]:.9f}"} for number, xy in PLACES.items()
    }
    rows |= {number: dict(attributes) for number, attributes in (nodes or {}).items()}
    keys = sorted({key for row in rows.values() for key in row} | {key for *_, tags in edges for key in tags})
    head = "".join(
        f'<key id="{key}" for="all" attr.name="{key}" attr.type="string"/>' for key in ("crs", *keys)
    )
    body = "".join(f'<node id="n{number}">{_data(row)}</node>' for number, row in rows.items())
    body += "".join(f'<edge source="n{a}" target="n{b}">{_data(tags)}</edge>' for a, b, tags in edges)
    told = _data({"crs": crs} if crs else {})
    graph = f'<graph edgedefault="{edgedefault}">{told}{body}</graph>'
    path.write_text(f"{HEAD}{head}{graph}</graphml>", encoding="utf-8")
    return path


def _data(values: Mapping[str, str]) -> str:
    return "".join(f'<data key="{key}">{escape(value)}</data>' for key, value in values.items())


def lines_of(network: Network) -> list[tuple[str, list[tuple[float, float]], dict[str, str]]]:
    """Return name, line in metres from the origin and tags of each way, by name and line."""
    ways = network.ways
    found = []
    for row, tags in enumerate(ways.tags):
        xy = ways.xy[ways.ref[ways.start[row] : ways.start[row + 1]]] - ORIGIN
        found.append(
            (tags.get("name", ""), [(x + 0.0, y + 0.0) for x, y in xy.round(2).tolist()], dict(tags))
        )
    return sorted(found, key=lambda each: (each[0], each[1]))


def said(network: Network) -> dict[str, int]:
    return {change["reason"]: change["count"] for change in network.changes}


def test_both_directions_are_one_way_and_give_the_corners(
    geocheck: Callable[..., Any], tmp_path: Path
) -> None:
    """The kerbs of the wide street lie at y = ±5, those of the narrow one at x = ±4."""
    path = write(tmp_path / "g.graphml")
    ran = geocheck("build", "goiania", "--osm", str(path), "-o", str(tmp_path / "p"))
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "p")
    assert len(bundle.layer("axis")) == 4
    corners = bundle.layer("corner").geometry.translate(-ORIGIN[0], -ORIGIN[1])
    found = sorted((round(point.x, 2), round(point.y, 2)) for point in corners)
    assert found == [(-4, -5), (-4, 5), (4, -5), (4, 5)]
    entry = bundle.entry("axis")
    assert entry is not None
    assert (entry.accuracy_m, entry.completeness) == (3.0, "partial")


def test_lines_follow_their_geometry_between_the_nodes(tmp_path: Path, city: City) -> None:
    """The line's own ends may be rounded, and a writer may give the other direction's line."""
    forth = line((0.3, -0.4), (30, 10), (80.2, 0))
    network = graphml_network(
        write(
            tmp_path / "g.graphml", [(2, 3, WIDE | {"geometry": forth}), (3, 2, WIDE | {"geometry": forth})]
        ),
        city,
    )
    assert [each[1] for each in lines_of(network)] == [[(0, 0), (30, 10), (80, 0)]]


@pytest.mark.parametrize(
    "geometry", ["LINESTRING (", "POINT (1 1)", "LINESTRING EMPTY", "LINESTRING (nan nan, nan nan)", "🙂"]
)
def test_a_line_that_is_none_is_drawn_straight_and_said(tmp_path: Path, city: City, geometry: str) -> None:
    edges = [(2, 3, WIDE | {"geometry": geometry}), (3, 2, WIDE | {"geometry": geometry})]
    network = graphml_network(write(tmp_path / "g.graphml", edges), city)
    assert [each[1] for each in lines_of(network)] == [[(0, 0), (80, 0)]]
    assert said(network)["linha de aresta ilegível; desenhada reta de nó a nó"] == 2


def test_the_line_of_another_street_is_not_believed(tmp_path: Path, city: City) -> None:
    edges = [(2, 3, WIDE | {"geometry": line((0, 0), (30, 10), (0, 80))})]
    network = graphml_network(write(tmp_path / "g.graphml", edges), city)
    assert [each[1] for each in lines_of(network)] == [[(0, 0), (80, 0)]]
    assert said(network)["linha que não vai de um nó ao outro da aresta; desenhada reta"] == 1


def test_two_streets_between_the_same_nodes_stay_two(tmp_path: Path, city: City) -> None:
    bow = {**NARROW, "geometry": line((0, 0), (40, 30), (80, 0))}
    edges = [(2, 3, WIDE), (3, 2, WIDE), (2, 3, bow)]
    network = graphml_network(write(tmp_path / "g.graphml", edges), city)
    assert [each[1] for each in lines_of(network)] == [[(0, 0), (40, 30), (80, 0)], [(0, 0), (80, 0)]]


def test_a_loop_is_one_way(tmp_path: Path, city: City) -> None:
    ring = [(0.0, 0.0), (30.0, 30.0), (0.0, 60.0), (-30.0, 30.0), (0.0, 0.0)]
    edges = [(2, 2, WIDE | {"geometry": line(*ring)}), (2, 2, WIDE | {"geometry": line(*ring[::-1])})]
    (found,) = lines_of(graphml_network(write(tmp_path / "g.graphml", edges), city))
    assert found[1] in (ring, ring[::-1])


@pytest.mark.parametrize(
    ("edges", "edgedefault", "oneway"),
    [
        ([*CROSSING[:2], (2, 3, WIDE)], "directed", "yes"),  # others run both ways, this one does not
        ([*CROSSING[:2], (2, 3, WIDE | {"oneway": "False"})], "directed", None),
        ([*CROSSING[:2], (2, 3, WIDE | {"oneway": "reversible"})], "directed", "reversible"),
        ([(2, 3, WIDE)], "directed", None),  # no street of the graph runs both ways: nothing follows
        ([*CROSSING[:2], (2, 3, WIDE)], "undirected", None),
        ([(2, 3, WIDE | {"oneway": "True"})], "directed", "yes"),
        ([(2, 3, WIDE | {"oneway": "yes"})], "directed", "yes"),
        ([(2, 3, WIDE | {"oneway": "-1"})], "directed", "-1"),
        ([(2, 3, WIDE | {"oneway": "True", "reversed": "False"})], "directed", "yes"),
        ([(3, 2, WIDE | {"oneway": "True", "reversed": "True"})], "directed", "-1"),
        ([(2, 3, WIDE | {"oneway": "True"}), (3, 2, WIDE | {"oneway": "True"})], "directed", None),
    ],
)
def test_where_traffic_runs_one_way(
    tmp_path: Path, city: City, edges: list[Edge], edgedefault: str, oneway: str | None
) -> None:
    network = graphml_network(write(tmp_path / "g.graphml", edges, edgedefault=edgedefault), city)
    (tags,) = [tags for _, drawn, tags in lines_of(network) if drawn == [(0, 0), (80, 0)]]
    assert tags.get("oneway") == oneway
    deduced = int(oneway == "yes" and "oneway" not in edges[-1][2])
    assert said(network).get("mão única, pois nenhuma aresta volta", 0) == deduced


def test_sides_hold_only_where_the_drawn_direction_is_known(tmp_path: Path, city: City) -> None:
    sided = {"parking:left": "lane", "sidewalk:right": "yes", "lanes:forward": "2", "lanes": "3"}
    unknown = graphml_network(write(tmp_path / "a.graphml", [(2, 3, WIDE | sided)]), city)
    assert unknown.ways.tags == (WIDE | {"lanes": "3"},)
    assert sum(count for reason, count in said(unknown).items() if "lado desconhecido" in reason) == 3
    edges = [(2, 3, WIDE | sided | {"reversed": "True"}), (3, 2, WIDE | sided | {"reversed": "False"})]
    known = graphml_network(write(tmp_path / "b.graphml", edges), city)
    assert [(drawn, tags) for _, drawn, tags in lines_of(known)] == [([(80, 0), (0, 0)], WIDE | sided)]


def test_lists_are_settled_and_said(tmp_path: Path, city: City) -> None:
    tags = {
        "osmid": "[12, 13]",
        "highway": "['service', 'tertiary']",
        "name": "['Rua B', \"Rua d'Água\"]",
        "lanes": "['2', '3']",
        "surface": "['asphalt', 'asphalt']",
        "bridge": "[nan",
        "maxspeed": "",
        "length": "80.0",
    }
    network = graphml_network(write(tmp_path / "g.graphml", [(2, 3, tags)]), city)
    assert network.ways.tags == (
        {"highway": "tertiary", "name": "Rua B;Rua d'Água", "surface": "asphalt", "bridge": "[nan"},
    )
    assert network.ways.way_id.tolist() == [-1]
    assert said(network)["name: vários valores no mesmo trecho"] == 1
    assert said(network)["highway: vários valores no mesmo trecho"] == 1
    assert said(network)["lanes não usado: vários valores no mesmo trecho, ou lado desconhecido"] == 1


def test_what_one_direction_knows_holds_for_both(tmp_path: Path, city: City) -> None:
    edges = [(2, 3, WIDE | {"osmid": "77"}), (3, 2, {"highway": "residential", "lanes": "2", "osmid": "77"})]
    network = graphml_network(write(tmp_path / "g.graphml", edges), city)
    assert network.ways.tags == (WIDE | {"lanes": "2"},)
    assert network.ways.way_id.tolist() == [77]


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1).map(str.strip)
words = words.filter(lambda word: word and word not in {"True", "False", "None", "nan", "NaN"})


@given(st.lists(words, min_size=1, max_size=5))
def test_a_list_as_python_writes_it(values: list[str]) -> None:
    assert values_of(str(values)) == tuple(sorted(set(values)))
    assert values_of(values) == values_of(str(values))


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        (2.0, ("2",)), (3.5, ("3.5",)), (math.nan, ()), (math.inf, ()), (True, ("yes",)),
        ("", ()), ("None", ()), ("[]", ()), ("[", ("[",)), ("[1, 2.5]", ("1", "2.5")),
        ("[" * 5000 + "]" * 5000, ("[" * 5000 + "]" * 5000,)),
        ("[__import__('os')]", ("[__import__('os')]",)), (None, ()), ("{'a': 1}", ("{'a': 1}",)),
    ],
)  # fmt: skip
def test_values_of_all_kinds(raw: object, values: tuple[str, ...]) -> None:
    assert values_of(raw) == values


def test_a_node_without_a_place_cuts_its_streets(tmp_path: Path, city: City) -> None:
    nodes = {3: {"x": "", "y": "1"}, 5: {"x": "nan", "y": "inf"}}
    network = graphml_network(write(tmp_path / "g.graphml", nodes=nodes), city)
    assert np.count_nonzero(network.ways.ref == MISSING_NODE) == 2
    assert said(network)["nó do grafo sem coordenadas; as ruas que o usam ficam cortadas"] == 2
    assert np.isfinite(network.ways.xy).all()


def test_an_edge_to_a_node_that_the_file_does_not_hold(tmp_path: Path, city: City) -> None:
    network = graphml_network(write(tmp_path / "g.graphml", [*CROSSING, (2, 99, WIDE)]), city)
    assert np.count_nonzero(network.ways.ref == MISSING_NODE) == 1


def test_tags_of_nodes_are_kept(tmp_path: Path, city: City) -> None:
    x, y = lonlat(0, 0)
    nodes = {2: {"x": str(x), "y": str(y), "highway": "traffic_signals", "street_count": "4", "osmid": "2"}}
    network = graphml_network(write(tmp_path / "g.graphml", nodes=nodes), city)
    ways = network.ways
    assert {int(ways.node_id[row]): tags for row, tags in ways.node_tags.items()} == {
        2: {"highway": "traffic_signals"}
    }


def test_coordinates_in_metres(tmp_path: Path, city: City) -> None:
    nodes = {n: {"x": str(ORIGIN[0] + x), "y": str(ORIGIN[1] + y)} for n, (x, y) in PLACES.items()}
    wkt = CRS("EPSG:31982").to_wkt("WKT2_2019")
    metres = graphml_network(write(tmp_path / "a.graphml", crs=wkt, nodes=nodes), city)
    degrees = graphml_network(write(tmp_path / "b.graphml"), city)
    assert lines_of(metres) == lines_of(degrees)


def test_the_order_of_nodes_and_edges_does_not_matter(tmp_path: Path, city: City) -> None:
    edges = [*CROSSING, (2, 3, NARROW | {"geometry": line((0, 0), (40, 30), (80, 0))})]
    one = graphml_network(write(tmp_path / "a.graphml", edges), city)
    other = graphml_network(write(tmp_path / "b.graphml", edges[::-1]), city)
    assert lines_of(one) == lines_of(other)
    assert one.changes == other.changes


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"isto nao e XML", "não é um GraphML legível"),
        (b"", "não é um GraphML legível"),
        (b"\x00\xff\xfe", "não é um GraphML legível"),
        (b"<graphml><graph/></graphml>", "nenhuma aresta"),
        (b"<graphml/>", "não é um GraphML legível"),
        (f'{HEAD}<graph edgedefault="directed"/></graphml>'.encode(), "nenhuma aresta"),
        (f"{HEAD}<graph><node id='a'/><edge source='a'".encode(), "não é um GraphML legível"),
        (f"{HEAD}<graph><edge source='a' target='b'><data key='z'>1</data></edge></graph></graphml>".encode(),
         "não é um GraphML legível"),
        (f"{HEAD}<key id='x' attr.name='x' attr.type='double' for='node'/><graph><node id='a'>"
         "<data key='x'>dez</data></node></graph></graphml>".encode(), "não é um GraphML legível"),
        (f"{HEAD}<key id='x' attr.name='x' attr.type='complex' for='node'/><graph/></graphml>".encode(),
         "não é um GraphML legível"),
        (f"{HEAD}<graph edgedefault='directed'><edge/></graph></graphml>".encode(), "sistema de coordenadas"),
    ],
)  # fmt: skip
def test_what_is_no_graph_is_refused(tmp_path: Path, city: City, content: bytes, words: str) -> None:
    path = tmp_path / "g.graphml"
    path.write_bytes(content)
    with pytest.raises(DataFileError, match=words) as caught:
        graphml_network(path, city)
    assert str(caught.value).startswith("g.graphml: ")


@pytest.mark.parametrize(
    ("crs", "words"),
    [
        ("", "não diz em que sistema"),
        ("  ", "não diz em que sistema"),
        ("EPSG:0", "EPSG:0"),
        ("🙂", "não se sabe ler"),
    ],
)
def test_without_a_coordinate_system_nothing_is_read(
    tmp_path: Path, city: City, crs: str, words: str
) -> None:
    with pytest.raises(DataFileError, match=words):
        graphml_network(write(tmp_path / "g.graphml", crs=crs), city)


def test_without_classes_nothing_is_read(tmp_path: Path, city: City) -> None:
    with pytest.raises(DataFileError, match="highway"):
        graphml_network(write(tmp_path / "g.graphml", [(1, 2, {"name": "Rua"})]), city)


def test_another_city_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="nenhum ponto fica em Olinda"):
        graphml_network(write(tmp_path / "g.graphml"), load_city("olinda"))


def test_a_file_that_is_not_there(tmp_path: Path, city: City) -> None:
    with pytest.raises(DataFileError, match="arquivo não encontrado"):
        graphml_network(tmp_path / "falta.graphml", city)


# ---------------------------------------------------------------- real files


def test_osmnx_writes_what_the_osm_file_says(shared_cases: Path, tmp_path: Path, city: City) -> None:
    """A case's street as osmnx makes a graph of it, written and read back: the same lines and tags."""
    for folder in ("13-bridge-over-street", "18-acute-y-junction", "15-lollipop-self-junction"):
        source = next((shared_cases / folder).glob("*.osm"))
        graph = osmnx.graph_from_xml(source, simplify=False, retain_all=True)
        osmnx.save_graphml(graph, tmp_path / "g.graphml")
        network = graphml_network(tmp_path / "g.graphml", city)
        wanted = osm_network(source, city)
        assert _pieces(network) == _pieces(wanted)


def _pieces(network: Network) -> set[tuple[Any, ...]]:
    """Return the straight pieces of all ways, with what osmnx keeps of their tags."""
    ways = network.ways
    found: set[tuple[Any, ...]] = set()
    for row, tags in enumerate(ways.tags):
        xy = ways.xy[ways.ref[ways.start[row] : ways.start[row + 1]]].round(
            1
        )  # libosmium keeps 7 decimals of a degree
        one_way = tags.get("oneway") == "yes"
        for a, b in zip(map(tuple, xy[:-1].tolist()), map(tuple, xy[1:].tolist()), strict=True):
            ends = (a, b) if one_way else (min(a, b), max(a, b))
            found.add((tags["highway"], tags.get("name", ""), tags.get("width", ""), ends))
    return found


def test_the_real_graph_of_olinda(shared_data: Path, geocheck: Callable[..., Any], tmp_path: Path) -> None:
    """498 nodes and 1,191 edges; how many streets these are is counted here in another way."""
    path = shared_data / "osm" / "olinda-centro.graphml"
    graph = nx.read_graphml(path, force_multigraph=True)
    assert (len(graph), graph.number_of_edges()) == (498, 1191)
    drawn = Counter(
        shapely.normalize(shapely.from_wkt(attributes["geometry"])).wkt
        for *_, attributes in graph.edges(data=True)
    )
    ran = geocheck("build", "olinda", "--osm", str(path), "-o", str(tmp_path / "p"))
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "p")
    axes = bundle.layer("axis")
    assert len(axes) == len(drawn) == 649
    assert (axes["oneway"] == "yes").sum() == sum(count == 1 for count in drawn.values())
    by_length = sum(float(attributes["length"]) for *_, attributes in graph.edges(data=True))
    both = axes.geometry.length * np.where(axes["oneway"] == "yes", 1, 2)
    assert both.sum() == pytest.approx(
        by_length, rel=2e-3
    )  # lengths on a sphere, lines rounded to 5 decimals
    kerbs = bundle.layer("kerb")
    assert kerbs.geometry.is_valid.all()
    entry = bundle.entry("corner")
    assert entry is not None
    assert entry.completeness == "complete"  # it has service ways: none were filtered out
    assert len(bundle.layer("corner")) > 600
