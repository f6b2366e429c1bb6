"""Streets and features of a place, downloaded from OpenStreetMap and read like a file."""

from __future__ import annotations

import datetime as dt
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import shapely

from geocheck.city.changes import changes
from geocheck.city.layers.table import IMAGERY_ACCURACY_M, OSM_KEYS
from geocheck.city.network.network import Network, extract_changes
from geocheck.city.network.overpass import read_answers, write_osm
from geocheck.city.network.session import find_place, overpass_answers
from geocheck.city.osm.read import WAY_KEYS, read_osm
from geocheck.city.wgs84 import to_city, to_lonlat
from geocheck.errors import DownloadError, InputError

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from geocheck.cities import City
    from geocheck.settings import DownloadSettings

_NODE_KEYS: Final = ("traffic_sign", "entrance", "addr:housenumber", "direction")
"""Keys that only nodes have, beside those of ways and of layers."""

KEYS: Final = tuple(sorted({*WAY_KEYS, *_NODE_KEYS, *OSM_KEYS}))
"""What has one of these is downloaded, with all its tags; a node of a downloaded way in any case."""

_MARGIN_M: Final = 100.0
"""So far beyond the place is downloaded, for the corners of the streets that leave it."""

_NEAR_DEG: Final = 0.05
"""A place may stick out of the city's box by so much (about 5 km)."""

_MOST_VERTICES: Final = 60
"""Of the outline that is asked for: it is repeated in the question for each key, and servers limit that."""

_STEP_DEG: Final = 0.002
"""An edge of the outline is divided before it is carried to metres: straight there is not straight here."""


def download_network(place: str, city: City, settings: DownloadSettings) -> Network:
    """Download a place.

    Args:
        place: as people call it, with an outline in OpenStreetMap; the outline is the extent.
        city: in which it lies.
        settings: which servers, how long they may take.

    Raises:
        InputError: no place is named.
        DownloadError: it is not found or lies elsewhere, has no street, or a server does not answer.
    """
    if not place.strip():
        raise InputError("--download", "diga o lugar: “Setor Bueno, Goiânia”")
    found = find_place(place, settings)
    extent = _extent(place, found, city)
    host = urlsplit(settings.overpass_url).netloc.rpartition("@")[2]
    downloaded = read_answers(overpass_answers(_asked(extent, city), KEYS, settings), host)
    if not downloaded.has_highway():
        raise DownloadError(place, f"o OpenStreetMap de {host} não tem nenhuma rua ali; confira o lugar")
    with tempfile.TemporaryDirectory(prefix="geocheck-") as folder:
        path = Path(folder) / "download.osm.pbf"
        write_osm(downloaded, path)
        extract = read_osm(path, city)
    today = dt.datetime.now(dt.UTC).date().isoformat()
    name = f"OpenStreetMap: {place} ({host}, baixado em {today})"
    row = found.iloc[0]
    understood = (
        f"lugar: “{row.get('display_name', '?')}” ({row.get('osm_type', '?')}/{row.get('osm_id', '?')})"
    )
    return Network(
        ways=replace(extract.ways, extent=extent),
        sources=({"file": name, "sha256": downloaded.sha256},),
        accuracy_m=IMAGERY_ACCURACY_M,
        extent_derived=False,
        changes=(
            *changes(
                [
                    ("assumed", understood, 1),
                    *(("kept", f"aviso do servidor: {each}", 1) for each in downloaded.remarks),
                ]
            ),
            *extract_changes(extract),
        ),
        date=downloaded.date or None,
        tells_bridges=True,
    )


def _extent(place: str, found: GeoDataFrame, city: City) -> shapely.Polygon | shapely.MultiPolygon:
    """Return the outline in metres of the city's system.

    Raises:
        DownloadError: it does not lie in the city.
    """
    outline = shapely.make_valid(found.geometry.iloc[0])
    areas = [each for each in shapely.get_parts(outline) if each.geom_type == "Polygon" and each.area]
    box = city.bounds
    near = shapely.box(box.west, box.south, box.east, box.north).buffer(_NEAR_DEG, join_style="mitre")
    if not areas or not all(near.covers(each) for each in areas):
        middle = shapely.centroid(outline)
        message = (
            f"o lugar encontrado (“{found.iloc[0].get('display_name', '?')}”, lon {middle.x:.4f}, "
            f"lat {middle.y:.4f}) não fica dentro de {city.name}; escreva-o com a cidade e o estado"
        )
        raise DownloadError(place, message)
    whole = shapely.segmentize(areas, _STEP_DEG)
    carried = [shapely.transform(each, lambda lonlat: to_city(lonlat, city.crs)) for each in whole]
    return carried[0] if len(carried) == 1 else shapely.MultiPolygon(carried)


def _asked(extent: shapely.Polygon | shapely.MultiPolygon, city: City) -> shapely.Polygon:
    """Return an outline around the extent and its margin, in degrees, that a server accepts."""
    hull, tolerance_m = shapely.convex_hull(extent), _MARGIN_M / 5
    while True:
        around = shapely.buffer(hull, _MARGIN_M + tolerance_m).simplify(tolerance_m)
        if shapely.get_num_coordinates(around) <= _MOST_VERTICES:
            return shapely.Polygon(to_lonlat(shapely.get_coordinates(around), city.crs))
        tolerance_m *= 2
