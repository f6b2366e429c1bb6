"""Places by name in real files: every address that a map holds is found where it is."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import osmium
import pytest

from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.find.index import FindIndex, find_index
from geocheck.city.find.places import places_named
from geocheck.city.layers.declaration import Declaration
from geocheck.city.layers.municipal import LayerFile
from geocheck.city.network.network import osm_network

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle

SHEETS = Path(__file__).parents[1] / "sheets"


@pytest.fixture(scope="module")
def sao_paulo(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    city = load_city(str(SHEETS / "sao-paulo.toml"))
    network = osm_network(shared_data / "osm" / "sao-paulo-centro.osm.pbf", city)
    now = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
    return build_city(city, network, (), tmp_path_factory.mktemp("sp") / "b", now)


def told_nodes(path: Path) -> list[tuple[str, str, float, float]]:
    """Return street, number, longitude and latitude of each node with an address."""
    found: list[tuple[str, str, float, float]] = []

    class Handler(osmium.SimpleHandler):
        def node(self, node: Any) -> None:  # noqa: ANN401 (osmium's own)
            if "addr:housenumber" in node.tags and "addr:street" in node.tags:
                place = (node.location.lon, node.location.lat)
                found.append((node.tags["addr:street"], node.tags["addr:housenumber"], *place))

    Handler().apply_file(str(path))
    return found


def test_every_address_of_sao_paulo_is_found_where_its_node_is(sao_paulo: Bundle, shared_data: Path) -> None:
    index = find_index(sao_paulo)
    told = told_nodes(shared_data / "osm" / "sao-paulo-centro.osm.pbf")
    assert len(told) > 100
    for street, number, lon, lat in told:
        if not number[0].isdecimal():
            continue
        found = [place for place in places_named(index, f"{street}, {number}") if place.kind == "address"]
        # Things of one address within 50 m are one place.
        assert any(abs(place.lon - lon) < 6e-4 and abs(place.lat - lat) < 6e-4 for place in found), (
            street,
            number,
        )


def test_streets_of_sao_paulo_as_people_write_them(sao_paulo: Bundle) -> None:
    index = find_index(sao_paulo)
    for text, label in (
        ("av paulista", "Avenida Paulista"),
        ("r. consolacao", "Rua da Consolação"),
        ("av 9 julho 3180", "Avenida Nove de Julho, 3180"),
        ("Praça da Sé", "Praça da Sé"),
        ("pca republica", "Praça da República"),
        ("R 25 março", "Rua 25 de Março"),
    ):
        assert places_named(index, text)[0].label.startswith(label), text


def test_an_unnumbered_street_of_goiania(campus: Bundle) -> None:
    names = {str(name) for name in campus.columns("axis")["street"] if name}
    index = FindIndex(campus)
    for name in sorted(names)[::25]:
        first = places_named(index, name)[0]
        assert first.label.startswith(name)
        assert (first.kind, first.certain) == ("street", False)


def test_official_lots_without_attributes_are_found_by_their_identifier(
    shared_data: Path, tmp_path: Path
) -> None:
    city = load_city("goiania")
    network = osm_network(shared_data / "osm" / "goiania-campus.osm.pbf", city)
    file = shared_data / "goiania" / "goiania_campus_parcel.geojson"
    lots = LayerFile("lot", file, Declaration())
    now = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
    bundle = build_city(city, network, [lots], tmp_path / "b", now)
    found = places_named(find_index(bundle), "Goiania_campus_parcel.geojson#1")
    assert [(place.kind, place.certain, place.exact) for place in found] == [("lot", True, True)]
    assert -49.29 < found[0].lon < -49.24
    assert -16.63 < found[0].lat < -16.59


def test_searching_and_drawing_load_no_table_library(campus: Bundle) -> None:
    code = (
        "import sys, json; from pathlib import Path\n"
        "from geocheck.city.bundle.bundle import load_bundle\n"
        "from geocheck.city.find.index import find_index\n"
        "from geocheck.city.find.places import places_named\n"
        "from geocheck.city.near_box.box import near_box, read_box\n"
        "bundle = load_bundle(Path(sys.argv[1]))\n"
        "found = places_named(find_index(bundle), 'rua')\n"
        "drawn = near_box(bundle, read_box((-49.27, -16.615, -49.26, -16.605))).features\n"
        "print(json.dumps([len(drawn), 'geopandas' in sys.modules, 'pandas' in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(campus.folder)], capture_output=True, check=True, text=True
    )
    drawn, *loaded = json.loads(done.stdout)
    assert drawn > 100
    assert loaded == [False, False]
