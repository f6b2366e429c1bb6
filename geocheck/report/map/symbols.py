"""How the map draws layers and outcomes: colour, dash and sign, so that colour alone tells nothing."""

from __future__ import annotations

from typing import Final, NamedTuple

from geocheck.model.words import LAYERS


class Symbol(NamedTuple):
    """How a layer is drawn.

    Attributes:
        colour: of lines, outlines and badges.
        fill: opacity of areas.
        weight: of lines, pixels.
        dash: of lines, in Leaflet's words; empty for a whole line.
        badge: letters on the badge of a point.
    """

    colour: str
    fill: float
    weight: float
    dash: str
    badge: str


class Mark(NamedTuple):
    """How an outcome is drawn.

    Attributes:
        colour: of line, sign and frame; at least 4.5 : 1 against white.
        dash: of the line; no two outcomes share one.
        weight: of the line, pixels.
        sign: before the words.
    """

    colour: str
    dash: str
    weight: float
    sign: str


MARKS: Final = {
    "violation": Mark("#b00020", "", 6, "✕"),
    "borderline": Mark("#8f5200", "14 7", 5, "≈"),
    "conditional": Mark("#6b3fa0", "14 5 2 5", 4, "!"),
    "not_evaluated": Mark("#4a4a4a", "2 9", 4, "?"),
    "compliant": Mark("#14702f", "6 6", 3, "✓"),
    "not_applicable": Mark("#5f5f5f", "1 14", 2, "–"),
}
"""By outcome, the gravest first."""

_GROUND: Final = {
    "block": Symbol("#b9b2a3", 0.25, 1, "", "QD"),
    "lot": Symbol("#c9c2b4", 0.0, 1, "", "LT"),
    "building": Symbol("#a79f90", 0.45, 1, "", "ED"),
    "crossing_area": Symbol("#7c8a99", 0.12, 1, "1 5", "AC"),
    "median": Symbol("#7a8f5a", 0.35, 1, "", "CC"),
    "island": Symbol("#7a8f5a", 0.35, 1, "", "IL"),
    "green": Symbol("#7a8f5a", 0.2, 1, "", "GJ"),
    "square": Symbol("#7a8f5a", 0.2, 1, "", "PC"),
    "waterway": Symbol("#6fa3c7", 0.3, 2, "", "CA"),
    "axis": Symbol("#9aa0a6", 0.0, 1.5, "10 8", "EX"),
    "mouth": Symbol("#6b7280", 0.0, 1.5, "2 6", "BR"),
    "footway": Symbol("#a87c4f", 0.2, 2, "", "CL"),
    "kerb": Symbol("#2f343b", 0.0, 2.5, "", "GU"),
    "corner": Symbol("#2f343b", 0.0, 2, "", "+"),
}

_TRANSPORT, _PEDESTRIAN, _WATER, _PARKING = "#5b3f8c", "#7a4b1e", "#1f5f99", "#0f6b74"
_SIGNS, _ZONE, _PLACE = "#3a3f47", "#8a5a83", "#96406a"
_THINGS: Final = {
    "hoarding": (_PLACE, "TP"),
    "driveway": ("#a04a12", "GR"),
    "ramp": (_PEDESTRIAN, "RA"),
    "crossing": (_PEDESTRIAN, "FP"),
    "signal": (_SIGNS, "SE"),
    "sign": (_SIGNS, "PL"),
    "parking_lane": (_PARKING, "FE"),
    "parking_bay": (_PARKING, "VG"),
    "special_bay": (_PARKING, "VE"),
    "loading_bay": (_PARKING, "CD"),
    "paid_parking": (_PARKING, "RP"),
    "shoulder": (_PARKING, "AT"),
    "gutter": (_WATER, "SJ"),
    "bus_stop": (_TRANSPORT, "ÔN"),
    "taxi_stand": (_TRANSPORT, "TX"),
    "truck_stand": (_TRANSPORT, "CM"),
    "turnaround": (_TRANSPORT, "VI"),
    "hydrant": (_WATER, "H"),
    "water_valve": (_WATER, "RG"),
    "manhole": (_WATER, "PV"),
    "storm_drain": (_WATER, "BL"),
    "marking": (_SIGNS, "MV"),
    "cycleway": (_TRANSPORT, "CI"),
    "bridge": (_SIGNS, "PT"),
    "tunnel": (_SIGNS, "TN"),
    "expressway": (_SIGNS, "RV"),
    "pedestrian_street": (_PEDESTRIAN, "PD"),
    "arcade": (_PLACE, "GC"),
    "crowded_place": (_PLACE, "GP"),
    "entrance": (_PLACE, "EN"),
    "emergency_exit": (_PLACE, "EM"),
    "street_furniture": (_PLACE, "MU"),
    "heritage": (_ZONE, "PH"),
    "basic_road_system": (_ZONE, "SB"),
    "central_zone": (_ZONE, "ZC"),
    "transit_corridor": (_TRANSPORT, "CT"),
    "special_treatment_road": (_ZONE, "TE"),
    "central_axis": (_ZONE, "XC"),
    "address": ("#5f6368", "Nº"),
    "standing_skip": ("#7a5c00", "CÇ"),
    "correction": ("#96406a", "CR"),
}

SYMBOLS: Final = {
    **_GROUND,
    **{name: Symbol(colour, 0.15, 2.5, "", badge) for name, (colour, badge) in _THINGS.items()},
}
"""Of every layer; what lies on the ground comes first."""

ORDER: Final = (*_GROUND, *(name for name in LAYERS if name in _THINGS))
"""Layers from the lowest to the highest on the map."""


def swatch(symbol: Symbol) -> str:
    """Return a small picture of a layer's symbol, as SVG."""
    dash = f' stroke-dasharray="{symbol.dash}"' if symbol.dash else ""
    look = f'fill="{symbol.colour}" fill-opacity="{symbol.fill}" stroke="{symbol.colour}"{dash}'
    letters = (
        f'<text x="11" y="11" text-anchor="middle" font-size="9" font-weight="700" fill="#222">'
        f"{symbol.badge}</text>"
    )
    return _svg(f'<rect x="1" y="1" width="20" height="13" rx="2" stroke-width="1.5" {look}/>{letters}')


def line_swatch(mark: Mark) -> str:
    """Return a small picture of an outcome's line and sign, as SVG."""
    dash = f' stroke-dasharray="{mark.dash}"' if mark.dash else ""
    line = f'<path d="M0 8H44" stroke="{mark.colour}" stroke-width="{mark.weight}"{dash}/>'
    return _svg(line, 44)


def _svg(inner: str, width: int = 22) -> str:
    size = f'width="{width}" height="15" viewBox="0 0 {width} 15"'
    return f'<svg class="sw" {size} aria-hidden="true">{inner}</svg>'
