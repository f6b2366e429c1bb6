"""The scenes that street benchmarks run on, and their streets as `geocheck build` derives them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.cities import load_city
from geocheck.city.laying import NARROWEST_M
from geocheck.city.network.network import osm_network
from geocheck.city.streets.continuity import connected_streets
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.graph import DERIVED_EDGE_M, GIVEN_EDGE_M
from geocheck.city.streets.widths import carriageway_widths

if TYPE_CHECKING:
    from geocheck.cities import City
    from geocheck.city.network.network import Network
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.widths import Widths

SHEETS: Final = Path(__file__).resolve().parents[1] / "tests" / "city" / "sheets"


class Scene(NamedTuple):
    """A place: its name, the city or sheet it is read with, its file below the folder of real files."""

    name: str
    sheet: str
    file: str


GOIANIA: Final = Scene("Goiânia campus", "goiania", "osm/goiania-campus.osm.pbf")
PORTO_ALEGRE: Final = Scene("Porto Alegre", str(SHEETS / "porto-alegre.toml"), "osm/porto-alegre.osm.pbf")
NEUKOELLN: Final = Scene("Neukölln", str(SHEETS / "neukoelln.toml"), "osm/neukolln-scene.osm")
NORTHGATE: Final = Scene("Northgate", str(SHEETS / "northgate.toml"), "osm/northgate-dual-carriageway.osm")


class Derived(NamedTuple):
    """What a scene gives on the way from its file to kerbs."""

    city: City
    network: Network
    widths: Widths
    streets: Streets


def derived(scene: Scene, data: Path) -> Derived:
    """Read a scene and derive its streets."""
    city = load_city(scene.sheet)
    network = osm_network(data / scene.file, city)
    widths = scene_widths(network, city)
    return Derived(city, network, widths, scene_streets(network, widths, city))


def scene_widths(network: Network, city: City) -> Widths:
    """Return the half-widths of the ways of a network."""
    return carriageway_widths(network.ways.tags, city, street=connected_streets(network.ways))


def scene_streets(network: Network, widths: Widths, city: City) -> Streets:
    """Return the streets of a network."""
    edge_m = DERIVED_EDGE_M if network.extent_derived else GIVEN_EDGE_M
    left_m, right_m = (np.maximum(side, NARROWEST_M) for side in (widths.left_m, widths.right_m))
    return derive_streets(network.ways, HalfWidths(left_m, right_m), city, edge_m)
