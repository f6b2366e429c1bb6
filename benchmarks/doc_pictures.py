"""Draws the pictures of docs/street-geometry.md, and sheets of all the junctions that somebody looked at.

    python -m benchmarks.doc_pictures DATA_FOLDER [--docs docs/pictures] [--sheets out/junctions]

Real files are built with the sheet of Goiânia, put into their own coordinate system: its default widths stand
where tags say nothing. Look at every picture again when kerbs have changed.
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.junction_pictures import Place, draw_places, save
from geocheck.cities import load_city
from geocheck.city.build import build_city
from geocheck.city.network.network import osm_network

if TYPE_CHECKING:
    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle

MOST_BYTES: Final = 60_000
SHEET_SIZE: Final = 9


class Scene(NamedTuple):
    """A real file, its system, and where to look: longitude, latitude, half side in metres, what."""

    file: str
    crs: str
    places: tuple[tuple[float, float, float, str], ...]


SCENES: Final = {
    "goiania": Scene(
        "osm/goiania-campus.osm.pbf",
        "EPSG:31982",
        (
            (-49.248548, -16.614978, 40, "T beside a dual carriageway"),
            (-49.273227, -16.595444, 30, "Acute Y: a taper and a corner"),
            (-49.280773, -16.603694, 30, "Y before a roundabout"),
            (-49.257288, -16.595183, 40, "Median opening"),
            (-49.254444, -16.615749, 30, "Street across a dual carriageway"),
            (-49.253284, -16.600688, 35, "T into a dual carriageway"),
            (-49.247980, -16.616754, 35, "Roundabout of two avenues"),
            (-49.251229, -16.612017, 40, "Large roundabout"),
            (-49.250350, -16.614913, 35, "Roundabout, arms split before it"),
            (-49.247220, -16.619672, 40, "Cul-de-sacs off a bend"),
            (-49.280504, -16.604385, 35, "Service road"),
            (-49.262878, -16.605231, 30, "Service road beside a fork"),
            (-49.255380, -16.621640, 25, "Slip road across the median"),
            (-49.247862, -16.608039, 35, "Avenue that changes its width"),
            (-49.257154, -16.623855, 25, "Hairpin with a change of name"),
            (-49.283030, -16.610394, 35, "Bridge"),
        ),
    ),
    "porto-alegre": Scene(
        "osm/porto-alegre.osm.pbf",
        "EPSG:31982",
        (
            (-51.227110, -30.074877, 30, "Two T junctions, staggered"),
            (-51.164080, -30.049892, 35, "Staggered crossing"),
            (-51.162251, -30.050335, 40, "Acute Y beside a cross"),
            (-51.187954, -30.017452, 40, "Carriageways that part"),
            (-51.240700, -30.036375, 30, "Slip road, four arms"),
            (-51.225532, -30.051589, 35, "Dual carriageway, opening"),
            (-51.228789, -30.087018, 40, "Service roads"),
            (-51.216304, -30.041086, 40, "Two dual carriageways cross"),
            (-51.166524, -30.031701, 40, "Five arms"),
            (-51.142938, -30.043746, 35, "Five arms and two islands"),
            (-51.255573, -30.108627, 30, "Roundabout"),
            (-51.225980, -30.040256, 35, "Small roundabout"),
            (-51.208437, -30.031998, 40, "A bridge over a street"),
            (-51.207803, -30.002316, 40, "Tunnel below a dual carriageway"),
            (-51.224831, -30.025925, 40, "Tunnel portal, bus lanes"),
            (-51.171195, -30.011604, 35, "Hairpin with a change of name"),
            (-51.243174, -30.107517, 35, "Cul-de-sac with a turning circle"),
        ),
    ),
    "sao-paulo": Scene(
        "osm/sao-paulo-centro.osm.pbf",
        "EPSG:31983",
        (
            (-46.624101, -23.571544, 35, "Cross"),
            (-46.653135, -23.535882, 35, "T beside a T"),
            (-46.637543, -23.552855, 40, "Slip roads round an island"),
            (-46.634020, -23.535130, 30, "Median opening beside a T"),
            (-46.644169, -23.554496, 40, "Diverge of a motorway"),
            (-46.655398, -23.534134, 35, "Five arms over a dual carriageway"),
            (-46.645162, -23.540124, 45, "Roundabout"),
            (-46.630924, -23.569348, 35, "Staggered crossing"),
            (-46.610191, -23.520066, 35, "U-turn with a change of name"),
            (-46.646490, -23.550299, 40, "Tunnel portal"),
            (-46.607838, -23.535113, 35, "Cul-de-sac with a turning circle"),
            (-46.629194, -23.554530, 30, "Ways split beside the corner"),
        ),
    ),
    "helsinki": Scene(
        "osm/helsinki.osm.pbf",
        "EPSG:3067",
        (
            (24.949244, 60.169878, 35, "Cross over a tunnel"),
            (24.936138, 60.171083, 35, "Acute Y"),
            (24.943271, 60.166514, 35, "Slip roads and tram bends"),
            (24.938572, 60.169982, 35, "Five arms, tram lanes"),
            (24.942780, 60.170346, 40, "Dual carriageway and a turning loop"),
            (24.940768, 60.165632, 35, "Service mouths, parking bays"),
        ),
    ),
    "neukolln": Scene(
        "osm/neukolln-scene.osm",
        "EPSG:25833",
        (
            (13.439137, 52.472126, 35, "T"),
            (13.438294, 52.472065, 35, "Service road at a bend"),
            (13.439101, 52.474027, 40, "Surveyed kerbs and, between them, modelled ones"),
        ),
    ),
    "northgate": Scene(
        "osm/northgate-dual-carriageway.osm",
        "EPSG:32610",
        (
            (-122.323237, 47.708596, 40, "Dual carriageways cross"),
            (-122.326358, 47.708561, 40, "Turning lanes through a median"),
            (-122.323326, 47.710291, 40, "Carriageways join"),
        ),
    ),
}

IN_DOCS: Final = {
    "t-junctions": ("porto-alegre", "Two T junctions, staggered"),
    "acute-y": ("goiania", "Acute Y: a taper and a corner"),
    "roundabout": ("porto-alegre", "Roundabout"),
    "median-opening": ("sao-paulo", "Median opening beside a T"),
    "bridge": ("porto-alegre", "A bridge over a street"),
    "steps": ("helsinki", "Service mouths, parking bays"),
}
"""Pictures of the page, by file name: the scene and the place."""


def city_of(scene: Scene) -> City:
    """Return Goiânia's sheet in the scene's coordinate system, for the whole world."""
    city = load_city("goiania")
    world = {"west": -180.0, "east": 180.0, "south": -90.0, "north": 90.0}
    return city.model_copy(update={"crs": scene.crs, "bounds": city.bounds.model_copy(update=world)})


def built(scene: Scene, data: Path, folder: Path) -> Bundle:
    """Build the bundle of a scene."""
    city = city_of(scene)
    return build_city(city, osm_network(data / scene.file, city), (), folder, dt.datetime.now(dt.UTC))


def draw(data: Path, docs: Path, sheets: Path) -> None:
    """Draw the pictures of the page and the sheets.

    Raises:
        SystemExit: a picture of the page is larger than it may be.
    """
    for folder in (docs, sheets):
        folder.mkdir(parents=True, exist_ok=True)
    for name, scene in SCENES.items():
        with tempfile.TemporaryDirectory() as scratch:
            bundle = built(scene, data, Path(scratch) / name)
            places = [Place((lon, lat), title, radius) for lon, lat, radius, title in scene.places]
            for file, (of_scene, title) in IN_DOCS.items():
                if of_scene == name:
                    path = docs / f"{file}.png"
                    save(draw_places(bundle, [each for each in places if each.title == title]), path)
                    print(f"{path}  {path.stat().st_size / 1000:.0f} kB")
                    if path.stat().st_size > MOST_BYTES:
                        raise SystemExit(f"{path} is larger than {MOST_BYTES / 1000:.0f} kB")
            for start in range(0, len(places), SHEET_SIZE):
                path = sheets / f"{name}-{start // SHEET_SIZE + 1}.png"
                save(draw_places(bundle, places[start : start + SHEET_SIZE]), path)
                print(path)


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with osm/")
    parser.add_argument("--docs", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--sheets", type=Path, default=Path("out/junctions"))
    given = parser.parse_args()
    draw(given.data, given.docs, given.sheets)


if __name__ == "__main__":
    main()
