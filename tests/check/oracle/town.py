"""Hand-made towns: rings, T junctions, medians, bridges, cut ends; features of every sort, by a seed."""

from __future__ import annotations

import datetime as dt
import json
import math
import random
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pyproj import Transformer

from geocheck.city.build import build_city
from geocheck.city.network.network import osm_network
from geocheck.cli.layers import layer_file

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
ORIGIN = (686_000.0, 8_155_000.0)
TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
MISSING = None
MERIDIAN_DEG = -51.0
"""Of UTM 22S, the zone of `ORIGIN`."""

Place = tuple[float, float]
Street = tuple[list[Place | None], dict[str, str]]


def _circle(x: float, y: float, radius: float, steps: int) -> list[Place | None]:
    turns = [2 * math.pi * (step % steps) / steps for step in range(steps + 1)]
    return [(round(x + radius * math.cos(t), 3), round(y + radius * math.sin(t), 3)) for t in turns]


ASIDE = {"width": "8", "lanes": "2", "oneway": "yes", "placement": "right_of:1"}
"""The line is drawn away from the middle of the carriageway."""

RING = _circle(300, 0, 18, 12)
STREETS: list[Street] = [
    # An avenue with an acute crossing, a T junction on either side, and a bend under another name.
    (
        [(-200, 0), (-120, 0), (-60, 0), (0, 0), (90, 0), (200, 0), (282, 0)],
        {"name": "Avenida A", "width": "10"},
    ),
    ([(0, -120), (0, 0), (0, 60), (0, 150)], {"name": "Rua B", "width": "8"}),
    ([(-60, 0), (-60, 90), (-20, 150)], {"name": "Rua C", "width": "7"}),
    ([(90, 0), (120, -90), (180, -120)], {"name": "Rua D", "width": "6"}),
    ([(-120, 0), (-180, 80)], {"name": "Rua E", "width": "8", "oneway": "yes"}),
    ([(180, -120), (260, -110)], {"name": "Rua F", "width": "6"}),
    # A roundabout, and a street that closes on itself and meets nothing.
    (RING, {"name": "Praça G", "width": "7", "junction": "roundabout"}),
    ([(318, 0), (400, 0)], {"name": "Rua H", "width": "8"}),
    (_circle(300, 200, 45, 24), {"name": "Rua I", "width": "7"}),
    # Two carriageways of one street, crossed by another.
    ([(-200, -200), (0, -200), (250, -200)], {"name": "Avenida J", "width": "7", "oneway": "yes"}),
    ([(250, -188), (0, -188), (-200, -188)], {"name": "Avenida J", "width": "7", "oneway": "yes"}),
    ([(0, -188), (0, -120)], {"name": "Rua B", "width": "8"}),
    ([(0, -200), (0, -188)], {"name": "Rua B", "width": "8"}),
    ([(0, -290), (0, -200)], {"name": "Rua B", "width": "8"}),
    # A ramp that leaves at a small angle, a dead end, a cut street, a very short one.
    ([(250, -200), (400, -200)], {"name": "Avenida J", "width": "7", "oneway": "yes"}),
    ([(250, -200), (330, -222), (400, -250)], {"name": "Alça K", "width": "5", "oneway": "yes"}),
    ([(200, 0), (200, 60)], {"name": "Rua L", "width": "6"}),
    ([(-200, 0), (-260, 20), MISSING], {"name": "Rua M", "width": "8"}),
    ([(0, 60), (3, 61)], {"name": "Rua N", "width": "4"}),
    # A bridge over the avenue.
    (
        [(150, -60), (150, -20), (150, 20), (150, 70)],
        {"name": "Viaduto O", "bridge": "yes", "layer": "1"} | ASIDE,
    ),
    # A loop that one street meets, an arm that is missing at a junction and at a bend.
    (_circle(300, 320, 30, 16), {"name": "Rua S", "width": "6"}),
    ([(330, 320), (420, 330)], {"name": "Rua T", "width": "7"}),
    ([(90, 0), (110, 40), (90, 100)], {"name": "Rua U", "width": "7"}),
    ([(110, 40), MISSING], {"name": "Rua V", "width": "7"}),
    ([(180, -120), MISSING], {"name": "Rua W", "width": "7"}),
    # Traffic that runs apart on one street, and so on one kerb.
    ([(-200, -290), (-100, -290)], {"name": "Rua X", "width": "7", "oneway": "yes"}),
    ([(0, -290), (-100, -290)], {"name": "Rua X", "width": "7", "oneway": "yes"}),
    ([(-100, -290), (-100, -340)], {"name": "Rua Y", "width": "7"}),
    # A rectangle of narrow streets: small blocks.
    ([(-200, 150), (-150, 150), (-100, 150), (-20, 150), (0, 150)], {"name": "Rua P", "width": "5"}),
    ([(-150, 150), (-150, 190), (-100, 190), (-100, 150)], {"name": "Rua Q", "width": "5"}),
    # A street that is wider in its middle, and wider still on one side of a side street.
    ([(-400, -80), (-340, -80)], {"name": "Rua Z", "width": "7"}),
    ([(-340, -80), (-315, -80)], {"name": "Rua Z", "width": "14"}),
    ([(-315, -80), (-280, -80)], {"name": "Rua Z", "width": "7"}),
    ([(-280, -80), (-230, -95)], {"name": "Rua Z", "width": "11"}),
    ([(-290, -80), (-290, -20)], {"name": "Rua AA", "width": "6"}),
    # No width is known of this one.
    ([(-200, 150), (-200, 240)], {"name": "Rua R"}),
]

ATTRIBUTES: dict[str, list[Any]] = {
    "plates": [None, 0, 1, 2],
    "box": [None, True, False],
    "identified": [None, True, False],
    "marked": [None, True, False],
    "hours": [None, None, "Mo-Fr 08:00-18:00", "Su 08:00-12:00"],
    "side": [None, "left", "right", "both"],
    "width_m": [None, None, 1.2, 3.5],
    "valid_from": [None, None, None, "2020-01-01", "2027-01-01"],
    "valid_to": [None, None, None, "2025-01-01", "2030-01-01"],
}
KINDS = {
    "marking": [None, "bay_line", "channelisation", "other"],
    "special_bay": [None, "disabled", "elderly", "emergency", "exclusive"],
    "driveway": [None, None, "irregular"],
}

# By layer: shapes, attributes, how many.
LAYERS: dict[str, tuple[str, str, int]] = {
    "bus_stop": ("point point line area", "plates box side", 30),
    "hydrant": ("point", "identified", 25),
    "water_valve": ("point", "identified", 12),
    "manhole": ("point area", "identified", 12),
    "storm_drain": ("point line", "", 12),
    "driveway": ("point line area", "kind width_m side", 40),
    "crossing": ("line line point", "marked", 20),
    "marking": ("area line", "kind", 25),
    "loading_bay": ("area line axis", "hours side", 14),
    "special_bay": ("area line point axis", "kind hours side", 20),
    "taxi_stand": ("area line point axis", "hours side", 10),
    "truck_stand": ("area line axis", "hours side", 10),
    "turnaround": ("area point", "", 6),
    "entrance": ("point", "", 12),
    "emergency_exit": ("point", "", 10),
    "ramp": ("point line", "width_m side", 12),
    "street_furniture": ("point area", "", 20),
    "sign": ("point", "side", 15),
    "signal": ("point", "", 12),
    "arcade": ("lot", "", 8),
    "crowded_place": ("lot holes", "", 8),
    "green": ("holes lot", "", 8),
    "square": ("holes", "", 6),
    "island": ("area point line", "", 8),
    "median": ("area line", "", 4),
    "cycleway": ("axis line line", "width_m side", 10),
    "transit_corridor": ("street", "", 3),
    "special_treatment_road": ("street area", "", 4),
    "central_zone": ("zone", "", 2),
    "basic_road_system": ("street", "", 4),
    "expressway": ("street", "", 2),
    "paid_parking": ("axis area", "hours side", 6),
    "shoulder": ("axis", "width_m side", 4),
}


def osm_file(path: Path, streets: list[Street], margin_m: float | None) -> Path:
    """Write streets as an OSM file, its bounds so far round them; equal places of one level are one node."""
    nodes: dict[tuple[Place, str], int] = {}
    ways = []
    for number, (places, tags) in enumerate(streets):
        refs = []
        for place in places:
            level = tags.get("layer", "0")
            refs.append(999_999 if place is None else nodes.setdefault((place, level), len(nodes) + 1))
        body = "".join(f'<nd ref="{ref}"/>' for ref in refs)
        body += "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        highway = "" if "highway" in tags else '<tag k="highway" v="residential"/>'
        ways.append(f'<way id="{number + 1}">{body}{highway}</way>')
    lines = ['<?xml version="1.0"?>', '<osm version="0.6">']
    if margin_m is not None:
        xs, ys = zip(*(place for place, _ in nodes), strict=True)
        west, south = _lonlat((min(xs) - margin_m, min(ys) - margin_m))
        east, north = _lonlat((max(xs) + margin_m, max(ys) + margin_m))
        lines.append(f'<bounds minlon="{west}" minlat="{south}" maxlon="{east}" maxlat="{north}"/>')
    for (place, _), number in nodes.items():
        lon, lat = _lonlat(place)
        lines.append(f'<node id="{number}" lon="{lon:.9f}" lat="{lat:.9f}"/>')
    path.write_text("\n".join([*lines, *ways, "</osm>"]), encoding="utf-8")
    return path


class Files(NamedTuple):
    """A town's files: its streets, and by layer what `--layer` takes, `{folder}` for where they lie."""

    osm: str
    layers: list[str]


def town_files(folder: Path, seed: str, streets: list[Street], *, sure: bool) -> Files:
    """Write a town with features of every layer.

    Args:
        folder: for its files.
        seed: of what is thrown.
        streets: in metres from `ORIGIN`.
        sure: features lie where they are drawn, and half of the layers are complete; else as files say.
    """
    dice = random.Random(seed)  # noqa: S311 - no secret
    osm_file(folder / "ruas.osm", streets, 60.0 if sure else None)
    layers = []
    for name in LAYERS:
        if name == "median" and dice.random() < 0.7:
            continue  # the one that comes with the streets
        options = ["completeness=complete"] if dice.random() < 0.6 else []
        if sure:
            options.append("accuracy=0")
        elif dice.random() < 0.3:
            options.append(f"extent={{folder}}/{_extent(folder).name}")
        file = _layer(folder, name, streets, dice, sure=sure).name
        layers.append(",".join([f"{name}={{folder}}/{file}", *options]))
    return Files("ruas.osm", layers)


def built(folder: Path, city: City, files: Files) -> Bundle:
    """Build a town from its files."""
    osm = folder / files.osm
    layers = [layer_file(each.format(folder=folder)) for each in files.layers]
    return build_city(city, osm_network(osm, city), layers, folder / "pacote", NOW)


def mirrored_lon(lon: float) -> float:
    """Return a longitude as a mirror at the zone's meridian shows it: there metres stay what they are."""
    return 2 * MERIDIAN_DEG - lon


def mirrored(folder: Path, other: Path, city: City) -> City:
    """Write a town's files as a mirror at the meridian of the city's zone shows them; return its sheet."""
    lon = mirrored_lon

    text = (folder / "ruas.osm").read_text(encoding="utf-8")
    text = re.sub(r'\blon="([^"]+)"', lambda at: f'lon="{lon(float(at[1])):.9f}"', text)
    ends = re.search(r'minlon="([^"]+)"(.*?)maxlon="([^"]+)"', text)
    if ends is not None:
        west, east = lon(float(ends[3])), lon(float(ends[1]))
        text = text.replace(ends[0], f'minlon="{west}"{ends[2]}maxlon="{east}"')
    (other / "ruas.osm").write_text(text, encoding="utf-8")
    turn = {"left": "right", "right": "left"}

    def flipped(xy: Any) -> Any:  # noqa: ANN401 (nested lists)
        return [flipped(each) for each in xy] if isinstance(xy[0], list) else [lon(xy[0]), xy[1]]

    for path in folder.glob("*.geojson"):
        whole = json.loads(path.read_text(encoding="utf-8"))
        for each in whole["features"]:
            each["geometry"]["coordinates"] = flipped(each["geometry"]["coordinates"])
            if "side" in each["properties"]:
                side = each["properties"]["side"]
                each["properties"]["side"] = turn.get(side, side)
        (other / path.name).write_text(json.dumps(whole), encoding="utf-8")
        toml = path.with_name(f"{path.name}.geocheck.toml")
        if toml.exists():
            (other / toml.name).write_text(toml.read_text(encoding="utf-8"), encoding="utf-8")
    bounds = city.bounds.model_copy(update={"west": lon(city.bounds.east), "east": lon(city.bounds.west)})
    return city.model_copy(update={"bounds": bounds, "driving_side": turn[city.driving_side]})


def town(folder: Path, city: City, seed: str, streets: list[Street], *, sure: bool) -> Bundle:
    """Write and build a town; arguments as `town_files`."""
    return built(folder, city, town_files(folder, seed, streets, sure=sure))


KERB_LINES: list[list[Place]] = [
    # A block with round corners, one with square ones, an open line with a bend, one that three meet.
    [
        *[(0, 5), (1.5, 1.5), (5, 0), (75, 0), (78.5, 1.5), (80, 5), (80, 45)],
        *[(78.5, 48.5), (75, 50), (5, 50), (1.5, 48.5), (0, 45), (0, 5)],
    ],
    [(90, 0), (150, 0), (150, 50), (90, 50), (90, 0)],
    [(-40, -10), (40, -10), (100, -14), (180, -40)],
    [(-10, -2), (-10, 60), (-40, 60)],
    [(-10, 60), (0, 80), (60, 80)],
]


def kerbs_alone(folder: Path, city: City, seed: str) -> Bundle:
    """Build a town of which only kerbs are known, drawn by a survey, with features thrown along them."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    lines = [{"type": "LineString", "coordinates": [list(_lonlat(xy)) for xy in line]} for line in KERB_LINES]
    features = [{"type": "Feature", "properties": {}, "geometry": line} for line in lines]
    path = folder / "guias.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    files = [layer_file(f"kerb={path},accuracy=0.1,completeness=complete")]
    streets: list[Street] = [([*line], {"width": "0.5"}) for line in KERB_LINES]
    for name in ("bus_stop", "hydrant", "driveway", "crossing", "ramp", "green", "median", "arcade"):
        told = f"{name}={_layer(folder, name, streets, dice, sure=True)},accuracy=0"
        files.append(layer_file(f"{told},completeness=complete,extent={_extent(folder)}"))
    return build_city(city, None, files, folder / "pacote", NOW)


def _layer(folder: Path, name: str, streets: list[Street], dice: random.Random, *, sure: bool) -> Path:
    shapes, attributes, count = LAYERS[name]
    features = []
    names = [*attributes.split(), "valid_from", "valid_to"]
    for _ in range(count):
        how = dice.choice(shapes.split())
        values = {key: dice.choice(KINDS[name] if key == "kind" else ATTRIBUTES[key]) for key in names}
        if "side" in names:
            values["on_axis"] = how == "axis"
        if not sure:
            values["accuracy_m"] = dice.choice([None, None, 0.0, 0.5, 4.0])
        geometry = _shape(how, streets, dice)
        features.append({"type": "Feature", "properties": values, "geometry": geometry})
    path = folder / f"{name}.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    keys = sorted({key for each in features for key in each["properties"]})
    lines = ["[columns]", *(f'{key} = "{key}"' for key in keys)]
    path.with_name(f"{path.name}.geocheck.toml").write_text("\n".join(lines), encoding="utf-8")
    return path


def _shape(how: str, streets: list[Street], dice: random.Random) -> dict[str, Any]:  # noqa: PLR0911 - one a shape
    places, tags = dice.choice([each for each in streets if len(each[0]) - each[0].count(MISSING) > 1])
    held = [place for place in places if place is not None]
    at = dice.randrange(len(held) - 1)
    (x0, y0), (x1, y1) = held[at], held[at + 1]
    length = math.hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    along = dice.choice([0.0, dice.random(), dice.random(), 1.0]) * length
    half = float(tags.get("width", "7")) / 2
    away = dice.choice([-1, 1]) * (half + dice.choice([0.0, -0.4, 0.6, dice.uniform(-half, 6.0)]))

    def spot(ahead: float, left: float) -> list[float]:
        s, t = along + ahead, away + left
        return list(_lonlat((x0 + ux * s - uy * t, y0 + uy * s + ux * t)))

    long, wide = dice.uniform(0.3, 9.0), dice.uniform(0.2, 3.0)
    out = math.copysign(1.0, away)
    box = [spot(0, 0), spot(long, 0), spot(long, out * wide), spot(0, out * wide), spot(0, 0)]
    match how:
        case "point":
            return {"type": "Point", "coordinates": spot(0, 0)}
        case "line":
            bend = [spot(0, 0), spot(long / 2, out * wide), spot(long, out * wide / 3)]
            return {"type": "LineString", "coordinates": bend}
        case "axis" | "street":
            if held[0] == held[-1]:  # along a ring a line has no end to begin at
                return _shape(how, streets, dice)
            return {"type": "LineString", "coordinates": [list(_lonlat(place)) for place in held[at:]]}
        case "lot":
            back = out * dice.uniform(8, 20)
            ring = [spot(0, 0), spot(3 * long, 0), spot(3 * long, back), spot(0, back), spot(0, 0)]
            return {"type": "Polygon", "coordinates": [ring]}
        case "zone":
            around = [spot(-70, -90), spot(80, -60), spot(60, 75), spot(-50, 60), spot(-70, -90)]
            return {"type": "Polygon", "coordinates": [around]}
        case "holes":
            outer = [spot(-9, -9), spot(9, -9), spot(9, 9), spot(-9, 9), spot(-9, -9)]
            hole = [spot(-5, -5), spot(-5, 5), spot(5, 5), spot(5, -5), spot(-5, -5)]
            other = [list(place) for place in box]
            apart = [spot(20, 0), spot(25, 0), spot(25, out * 4), spot(20, 0)]
            parts = dice.choice([[[outer, hole]], [[outer, hole], [apart]], [[other], [apart]]])
            return {"type": "MultiPolygon", "coordinates": parts}
    return {"type": "Polygon", "coordinates": [box]}


def _extent(folder: Path) -> Path:
    """Return a file of an area that holds the western half of a town."""
    path = folder / "oeste.geojson"
    ring = [_lonlat(place) for place in ((-400, -400), (40, -400), (40, 400), (-400, 400), (-400, -400))]
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}), encoding="utf-8")
    return path


def _lonlat(place: Place) -> Place:
    lon, lat = TO_LONLAT.transform(ORIGIN[0] + place[0], ORIGIN[1] + place[1])
    return (lon, lat)
