"""The maps on which pipeline and oracle are compared: real extracts and hand-made towns."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Final

from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.network.network import osm_network
from geocheck.cli.layers import layer_file
from tests.check.oracle.compare import Scene
from tests.check.oracle.town import STREETS, kerbs_alone, town

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
SHEETS = Path(__file__).parents[2] / "city" / "sheets"
FILES: Final = {
    "goiania": ("goiania", "goiania-campus.osm.pbf"),
    "helsinki": (str(SHEETS / "helsinki.toml"), "helsinki.osm.pbf"),
    "sao-paulo": (str(SHEETS / "sao-paulo.toml"), "sao-paulo-centro.osm.pbf"),
    "porto-alegre": (str(SHEETS / "porto-alegre.toml"), "porto-alegre.osm.pbf"),
}
OFFICIAL: Final = {"goiania": {"block": "goiania_campus_block", "lot": "goiania_campus_parcel"}}
TOWNS: Final = ("sure-1", "sure-2", "loose-1", "loose-2", "left-1", "kerbs-1")


def build_scene(name: str, data: Callable[[], Path], folder: Path) -> Scene:
    """Build one of the maps.

    Args:
        name: a key of `FILES`, or one of `TOWNS` with any number as its seed.
        data: gives the folder of real files, or skips the test.
        folder: empty, for the bundle.
    """
    if name in FILES:
        sheet, file = FILES[name]
        city, data_folder = load_city(sheet), data()
        network = osm_network(data_folder / "osm" / file, city)
        files = [
            layer_file(f"{layer}={data_folder / 'goiania' / official}.geojson")
            for layer, official in OFFICIAL.get(name, {}).items()
        ]
        return Scene(build_city(city, network, files, folder / "pacote", NOW), city)
    city = load_city("goiania")
    kind, seed = name.split("-")
    if kind == "kerbs":
        return Scene(kerbs_alone(folder, city, seed), city)
    if kind == "left":
        city = city.model_copy(update={"driving_side": "left"})
    return Scene(town(folder, city, name, STREETS, sure=kind != "loose"), city)
