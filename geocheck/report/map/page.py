"""The map of one report as one HTML page: nothing is fetched, and no data becomes markup or script."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import shapely

from geocheck.city.wgs84 import to_lonlat
from geocheck.errors import InputError
from geocheck.model.words import Verdict
from geocheck.report import wording
from geocheck.report.credit import credit_of
from geocheck.report.map.layers import Drawn, Tiles, folium_map, reach_note, reach_of_measures
from geocheck.report.map.leaflet import leaflet
from geocheck.report.map.measures import measures_of
from geocheck.report.map.near import box_round, near_layers
from geocheck.report.map.shapes import drawable
from geocheck.report.map.street_names import street_names
from geocheck.report.map.texts import texts_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

_HERE: Final = Path(__file__).parent
_START: Final = "geocheck.start(map_geocheck, {attribution}, {away_m:.1f});"


def map_page(report: Report, bundle: Bundle, *, tiles: Tiles | None = None) -> str:
    """Return the map of a report as one self-contained page.

    Args:
        report: with its footprint; where it has none, of a request with coordinates.
        bundle: of which the report speaks; the ground is drawn from it.
        tiles: to be fetched from the network where there is one; by default nothing ever is.

    Raises:
        InputError: the report does not say where the skip stands.
        DataFileError: a layer of the bundle is not what its manifest says.
    """
    import jinja2  # noqa: PLC0415 (only needed where a map is made)
    from markupsafe import Markup, escape  # noqa: PLC0415 (same)

    skip = _skip(report)
    drawn = Drawn(
        skip=skip,
        near=near_layers(bundle, skip),
        measures=measures_of(report),
        street_names=street_names(bundle, skip),
        frame=_frame(skip, bundle.manifest.crs),
    )
    view = folium_map(drawn, tiles)
    figure: Any = view.get_root()
    figure.render()
    credit = credit_of(bundle)
    start = _START.format(
        attribution=_js_text(str(escape(credit))), away_m=reach_of_measures(skip, drawn.measures)
    )
    # Of folium's page only the map itself is taken: its head links to other hosts.
    scripts = {
        "leaflet_js": leaflet().script,
        "js": (_HERE / "page.js").read_text(encoding="utf-8"),
        "map_js": f"{figure.script.render()}\n{start}",
    }
    styles = {"leaflet_css": leaflet().style, "css": (_HERE / "page.css").read_text(encoding="utf-8")}
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    page = environment.from_string((_HERE / "page.html").read_text(encoding="utf-8"))
    text = page.render(
        **{name: Markup(text) for name, text in {**scripts, **styles}.items()},  # noqa: S704 (all of it our own)
        map_html=Markup(figure.html.render()),  # noqa: S704 (the map's empty element)
        policy=_policy(list(scripts.values()), tiles),
        verdict=wording.VERDICTS[Verdict(report.verdict)],
        attribution=credit,
        reach=reach_note(),
        evaluated=wording.moment(dt.datetime.fromisoformat(report.evaluated_at)),
        **texts_of(report, bundle, drawn),
    )
    return text.encode("utf-8", "replace").decode()  # a lone surrogate could not be written


def _skip(report: Report) -> BaseGeometry:
    """Return the skip's outline in degrees, or the point where it stands."""
    outline = drawable(report.footprint, ("Polygon",))
    if outline is not None:
        return outline
    if report.request.lon is None or report.request.lat is None:
        raise InputError("lon", "o mapa pede uma posição: dê lon e lat da caçamba")
    return shapely.Point(report.request.lon, report.request.lat)


def _frame(skip: BaseGeometry, crs: str) -> BaseGeometry:
    box = shapely.box(*box_round((skip.centroid.x, skip.centroid.y), crs))
    return shapely.transform(box, lambda xy: to_lonlat(xy, crs))


def _js_text(text: str) -> str:
    return json.dumps(text).replace("<", "\\u003c")


def _policy(scripts: list[str], tiles: Tiles | None) -> str:
    """Allow the page's own scripts by their hashes, and nothing else: a script from data would not run."""
    digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    pictures = "data:"
    if tiles is not None:
        parts = urlsplit(tiles.url)
        pictures += f" {parts.scheme}://{parts.netloc.replace('{s}', '*')}"
    return f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src {pictures}"
