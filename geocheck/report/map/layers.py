"""The folium map: the bundle's layers, the skip and the measured lines, each in its pane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely

from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.map.near import MOST, REACH_M, SIMPLER_M
from geocheck.report.map.shapes import DECIMALS, geojson
from geocheck.report.map.symbols import MARKS, ORDER, SYMBOLS, line_swatch, swatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import folium
    from shapely.geometry.base import BaseGeometry

    from geocheck.report.map.measures import Measure
    from geocheck.report.map.near import NearLayer

_PANES: Final = {"ground": 410, "things": 420, "measures": 430, "skip": 425, "labels": 640}
"""Panes and how high they lie; markers of Leaflet's own lie at 600, popups at 700."""

_GROUND: Final = ("block", "lot", "building", "crossing_area", "median", "island", "green", "square")
HIDDEN_AT_FIRST: Final = frozenset({"address"})
"""Layers that no rule measures to, and that would cover the others."""

_SKIP: Final = {"color": "#1c1c1c", "weight": 2.5, "fillColor": "#f2b705", "fillOpacity": 0.85}
_MAX_ZOOM: Final = 23
_OPENING_ZOOM: Final = 20
"""At which a skip is 18 pixels long; the page goes nearer as its size allows."""

_LEAST_VIEW_M: Final = 8.0
_METRES_A_DEGREE: Final = 111_320.0


class Tiles(NamedTuple):
    """Map tiles from the network, below all else.

    Attributes:
        url: with {z}, {x} and {y}.
        attribution: who made them, plain text.
        deepest_zoom: to which there are tiles; beyond it they are enlarged.
    """

    url: str
    attribution: str
    deepest_zoom: int = 19


class Drawn(NamedTuple):
    """What is drawn.

    Attributes:
        skip: its outline, or the point where it stands, in WGS 84 degrees.
        near: the bundle's layers.
        measures: of the findings.
        street_names: GeoJSON points with `name` and `angle_deg`.
        frame: outline of what is drawn, in degrees.
    """

    skip: BaseGeometry
    near: Sequence[NearLayer]
    measures: Sequence[Measure]
    street_names: Sequence[dict[str, Any]]
    frame: BaseGeometry


def folium_map(drawn: Drawn, tiles: Tiles | None) -> folium.Map:
    """Return the map, centred on the skip."""
    import folium  # noqa: PLC0415 (heavy, and only needed here)
    from folium.map import CustomPane  # noqa: PLC0415 (same)

    centre = drawn.skip.centroid
    view = folium.Map(
        location=(round(centre.y, DECIMALS), round(centre.x, DECIMALS)),
        zoom_start=_OPENING_ZOOM,
        zoom_snap=0.25,
        tiles=None,
        zoom_control=False,
        max_zoom=_MAX_ZOOM,
        min_zoom=15,
        attribution_control=False,
    )
    _named(view, "geocheck")
    for name, height in _PANES.items():
        _named(CustomPane(name, height, pointer_events=name != "labels"), name).add_to(view)
    if tiles is not None:
        _tile_layer(tiles).add_to(view)
    by_name = {each.name: each for each in drawn.near}
    _frame(drawn.frame).add_to(view)
    for name in ORDER:
        if name in by_name and by_name[name].features:
            _layer(by_name[name]).add_to(view)
    _skip(drawn.skip).add_to(view)
    for layer in _measure_layers(drawn.measures):
        layer.add_to(view)
    _street_names(drawn.street_names).add_to(view)
    _named(folium.LayerControl(collapsed=True), "layers").add_to(view)
    return view


def reach_of_measures(skip: BaseGeometry, measures: Sequence[Measure]) -> float:
    """Return how far from the skip's centre the measures that matter go, in metres."""
    centre = skip.centroid
    squeeze = math.cos(math.radians(centre.y))
    grave = [each.geometry for each in measures if each.outcome in ("violation", "borderline", "conditional")]
    degrees = shapely.get_coordinates(grave or [each.geometry for each in measures])
    east, north = degrees[:, 0] - centre.x, degrees[:, 1] - centre.y
    away_m = _METRES_A_DEGREE * np.hypot(east * squeeze, north)
    return float(min(max([_LEAST_VIEW_M, *away_m]), REACH_M))


def _named(element: Any, name: str) -> Any:  # noqa: ANN401 (folium is not typed)
    """Give an element a name of its own, so that the same map is the same page."""
    element._id = name  # noqa: SLF001 (the only way to it)
    return element


def _collection(features: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": list(features)}


def _geo_layer(name: str, label: str | None, features: Sequence[Mapping[str, Any]], **options: Any) -> Any:  # noqa: ANN401
    """Return features as a layer; those in `label` of None are not in the layer control."""
    import folium  # noqa: PLC0415 (heavy, and only needed here)
    from folium.utilities import JsCode  # noqa: PLC0415 (same)

    style = options.pop("style", {})
    badge = options.pop("badge", None)
    marker = folium.Marker(icon=folium.DivIcon(**badge)) if badge else None
    layer = folium.GeoJson(
        _collection(features),
        name=label or name,
        control=label is not None,
        marker=marker,
        style_function=lambda _: style,
        on_each_feature=JsCode(f"geocheck.{options.pop('each')}"),
        **options,
    )
    return _named(layer, name)


def _layer(near: NearLayer) -> Any:  # noqa: ANN401
    symbol, title = SYMBOLS[near.name], wording.LAYERS[near.name]
    ground = near.name in _GROUND
    badge = {
        "html": f'<b style="background:{symbol.colour}">{symbol.badge}</b>',
        "class_name": "badge" if near.name != "corner" else "cross",
        "icon_size": (22, 16) if near.name != "corner" else (14, 14),
    }
    style = {
        "color": symbol.colour,
        "weight": symbol.weight,
        "dashArray": symbol.dash or None,
        "fillColor": symbol.colour,
        "fillOpacity": symbol.fill,
    }
    features = [{**each, "properties": {"title": title, **each["properties"]}} for each in near.features]
    return _geo_layer(
        near.name,
        f"{swatch(symbol)} {title} ({len(features)})",
        features,
        style=style,
        badge=badge,
        each="feature",
        pane="ground" if ground else "things",
        show=near.name not in HIDDEN_AT_FIRST,
    )


def _frame(frame: BaseGeometry) -> Any:  # noqa: ANN401
    feature = {"type": "Feature", "id": 0, "geometry": geojson(frame), "properties": {}}
    style = {"color": "#8c8c8c", "weight": 1, "dashArray": "2 6", "fillColor": "#fff", "fillOpacity": 0}
    return _geo_layer("frame", None, [feature], style=style, each="frame", pane="ground", interactive=False)


def _skip(skip: BaseGeometry) -> Any:  # noqa: ANN401
    properties = {"title": "caçamba", "facts": []}
    feature = {"type": "Feature", "id": 0, "geometry": geojson(skip), "properties": properties}
    badge = {"html": "<b></b>", "class_name": "spot", "icon_size": (18, 18)}
    return _geo_layer("skip", "caçamba", [feature], style=_SKIP, badge=badge, each="skip", pane="skip")


def _measure_layers(measures: Sequence[Measure]) -> list[Any]:
    layers = []
    for outcome, mark in MARKS.items():
        features = [each.feature(number) for number, each in enumerate(measures) if each.outcome == outcome]
        if not features:
            continue
        word = wording.OUTCOMES[Outcome[outcome.upper()]]
        style = {
            "color": mark.colour,
            "weight": mark.weight,
            "dashArray": mark.dash or None,
            "fillOpacity": 0,
        }
        badge = {
            "html": f'<b style="background:{mark.colour}">{mark.sign}</b>',
            "class_name": "sign",
            "icon_size": (22, 22),
        }
        label = f"{line_swatch(mark)} {mark.sign} medidas: {word} ({len(features)})"
        layers.append(
            _geo_layer(
                f"measure_{outcome}",
                label,
                features,
                style=style,
                badge=badge,
                each="measure",
                pane="measures",
            )
        )
    return layers


def _street_names(names: Sequence[dict[str, Any]]) -> Any:  # noqa: ANN401
    badge = {"html": "", "class_name": "nowhere", "icon_size": (0, 0)}
    return _geo_layer("streets", "nomes das ruas", names, badge=badge, each="street", interactive=False)


def _tile_layer(tiles: Tiles) -> Any:  # noqa: ANN401
    import folium  # noqa: PLC0415 (heavy, and only needed here)
    from markupsafe import escape  # noqa: PLC0415 (comes with it)

    layer = folium.TileLayer(
        tiles.url,
        attr=str(escape(tiles.attribution)),
        name="imagem da rede",
        overlay=True,
        max_zoom=_MAX_ZOOM,
        max_native_zoom=tiles.deepest_zoom,
    )
    return _named(layer, "tiles")


def reach_note() -> str:
    """Say how far the map is drawn."""
    coarse = wording.metres(SIMPLER_M[-1])
    return (
        f"O mapa mostra até {REACH_M:.0f} m para cada lado da caçamba, no máximo "
        f"{MOST} feições de cada camada, com traçado simplificado em até {coarse}; nada foi medido nele."
    )
