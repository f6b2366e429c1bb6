"""What stands, lies and holds in the neighbourhood: its layers, in grid metres and in the layers' words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import shapely

from geocheck.demo.streets import BLOCKS, MEDIANS, Block

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOT_M: Final = 14.75
_DEPTH_M: Final = 30.0


class Thing(NamedTuple):
    """A feature of a layer.

    Attributes:
        shape: in grid metres.
        says: its attributes, by the layer's own names; what it does not say is unknown.
    """

    shape: shapely.Geometry
    says: dict[str, Any]


def _at(x: float, y: float, **says: object) -> Thing:
    return Thing(shapely.Point(x, y), says)


def _along(x0: float, y0: float, x1: float, y1: float, **says: object) -> Thing:
    return Thing(shapely.LineString([(x0, y0), (x1, y1)]), says)


def _over(x0: float, y0: float, x1: float, y1: float, **says: object) -> Thing:
    """Return an area from its south-west to its north-east corner."""
    return Thing(shapely.box(x0, y0, x1, y1, ccw=True), says)


_PAID = "Mo-Fr 08:00-18:00; Sa 08:00-13:00"

THINGS: Final[dict[str, tuple[Thing, ...]]] = {
    # Points.
    "bus_stop": (
        _at(-20, -9.5, name="Ipês 1", plates=1, box=False),
        _over(25, -9, 40, -6.5, name="Ipês 2", plates=2, box=True),
        _at(75, -9.5, name="Ipês 3"),
    ),
    "hydrant": (
        _at(60, 85.5, identified=True),
        _at(-100, 85.6, identified=False),
        _at(-5, -85.5),
    ),
    "water_valve": (_at(-66, 84.5, identified=True),),
    "manhole": (_at(-50, 90, identified=True), _at(72, -87.5)),
    "signal": (
        _at(-88, -9.5, way="way/13", direction="forward"),
        _at(-68, 9.5, way="way/12", direction="forward"),
        _at(-76, -14, way="way/21", direction="forward"),
        _at(-84, 17, way="way/21", direction="backward"),
    ),
    "street_furniture": (_at(-10, 10.5, name="Banco"), _at(66, 84.5, name="Lixeira")),
    "entrance": (_at(-40, -11.5, name="Escola"), _at(-30, 11.5, name="Galeria Ipê")),
    "emergency_exit": (_at(-55, 11.5, name="Cinema"),),
    # Kerbs that are lowered, and what is painted on the carriageway.
    "driveway": (
        _along(-35, 83.5, -35, 87.5, width_m=3.0),
        _along(3, 83.5, 3, 87.5, width_m=3.0),
        _along(40, 83.5, 40, 87.5, width_m=3.0, kind="irregular"),
        _along(-50, 11.5, -50, 7.5, width_m=3.0),
        _along(-100, -96.5, -100, -92.5, width_m=3.0),
        _along(55, 83.5, 55, 87.5, width_m=3.0),
    ),
    "ramp": (
        _over(-73, 9, -71, 10.2),
        _over(-73, -10.2, -71, -9),
        _over(-19, -95.2, -17, -94),
        _over(-19, -86, -17, -84.8),
    ),
    # Crossings reach a little over their kerbs.
    "crossing": (
        _over(-74, 1.8, -70, 9.2, marked=True),
        _over(-74, -9.2, -70, -1.8, marked=True),
        _over(-83.7, 11, -76.3, 15, marked=True),
        _over(-20, -94.2, -16, -85.8, marked=True),
    ),
    "median": tuple(_over(west, -2, east, 2) for west, east in MEDIANS),
    "island": (_over(-74, -2, -70, 2, name="Refúgio"),),
    "marking": (
        _over(-88.4, -9, -88, -2, kind="stop_line"),
        _over(-68.4, 2, -68, 9, kind="stop_line"),
        Thing(shapely.Polygon([(118, 9), (132, 9), (118, 6)]), {"kind": "channelisation"}),
        *(_along(x, 86, x, 88.2, kind="bay_line") for x in range(70, 101, 5)),
    ),
    "parking_lane": (
        _over(-60, 86, 8, 88.2, width_m=2.2),
        _over(32, 86, 100, 88.2, width_m=2.2),
        _over(-60, -9, 20, -6.8, width_m=2.2),
        _over(-60, 91.8, 10, 94, width_m=2.2),
        _over(30, 91.8, 98, 94, width_m=2.2),
    ),
    "paid_parking": (_over(70, 86, 100, 88.2, name="Área Azul", hours=_PAID, bays=6),),
    "special_bay": (_over(-66, 86, -61, 88.2, kind="disabled"),),
    "loading_bay": (_over(50, -9, 62, -6.8, hours="Mo-Fr 08:00-18:00"),),
    "taxi_stand": (_over(-12, 6.8, 3, 9, name="Ponto 7", bays=3, valid_from="2020-01-01"),),
    "truck_stand": (_over(120, -94, 140, -91.8, bays=2),),
    "cycleway": (_over(-78, 20, -76.5, 80, width_m=1.5),),
    "gutter": (_over(-72.5, 86, 12.5, 86.3, width_m=0.3), _over(-72.5, -94, 26, -93.7, width_m=0.3)),
    "storm_drain": (_over(-70, 86, -69.1, 86.4), _over(10, -94, 10.9, -93.6), _over(-40, 93.6, -39.1, 94)),
    # Signs: a line is the stretch that binds.
    "sign": (
        _along(-60, 94.3, -30, 94.3, code="R-6a", hours="Mo-Fr 07:00-19:00"),
        _along(-60, -94.3, -30, -94.3, code="R-6c", hours="24/7"),
        _along(70, 85.7, 100, 85.7, code="R-6b", hours=_PAID, kind="paid_parking"),
    ),
    # Beside the street.
    "hoarding": (_over(14, 30, 15.2, 42),),
    "arcade": (_over(-32, 11.5, -28, 14, name="Galeria Ipê"),),
    "crowded_place": (_over(-60, -40, -20, -12, name="Escola"),),
    "green": (
        _over(120, 20, 146, 75, name="Jardim da praça"),
        _over(-68, -1.5, 104, 1.5, name="Gramado do canteiro"),
    ),
    "square": (_over(116.5, 11.5, 150, 83.5, name="Praça das Paineiras"),),
    "pedestrian_street": (_over(0, -125, 6, -96.5, name="Calçadão"),),
    "waterway": (_over(36, -125, 44, -60, name="Córrego das Pedras"),),
    # Zones.
    "basic_road_system": (_over(-150, -9, 150, 9, name="Avenida dos Ipês"),),
    "central_zone": (_over(-150, -125, -85, 125, name="Centro"),),
    "transit_corridor": (_over(-150, -94, -85, -86, name="Corredor Oeste"),),
    "special_treatment_road": (_over(115, -94, 150, -86, name="Rua do Córrego"),),
    "central_axis": (_over(26, -9, 104, 9, name="Eixo central"),),
}
"""Layers that somebody drew; blocks, lots and footways follow from the streets."""

NONE_OF: Final = ("expressway", "shoulder", "turnaround", "heritage", "parking_bay")
"""Layers declared complete of which the neighbourhood has nothing: an empty file says so."""


def things() -> dict[str, tuple[Thing, ...]]:
    """Return every layer of the neighbourhood, those without features included."""
    ground = {
        "block": tuple(_over(*block.inside, name=block.name) for block in BLOCKS),
        "lot": tuple(lot for block in BLOCKS for lot in _lots(block)),
        "footway": tuple(_footway(block) for block in BLOCKS),
    }
    return ground | THINGS | dict.fromkeys(NONE_OF, ())


def _footway(block: Block) -> Thing:
    whole = shapely.box(block.west, block.south, block.east, block.north)
    return Thing(shapely.difference(whole, shapely.box(*block.inside)), {"name": block.name})


def _lots(block: Block) -> Iterator[Thing]:
    """Cut the sides of a block that lie on streets along x into lots; the square has none."""
    west, south, east, north = block.inside
    if block.name == "alto-leste":
        return
    count = round((east - west) / _LOT_M)
    step = (east - west) / count
    north_row, south_row = (max(north - _DEPTH_M, south), north), (south, min(south + _DEPTH_M, north))
    for side, (low, high), footway_m in (
        ("N", north_row, block.footways_m[3]),
        ("S", south_row, block.footways_m[1]),
    ):
        if not footway_m:
            continue
        for number in range(count):
            x = west + number * step
            yield _over(x, low, x + step, high, feature=f"{block.name}-{side}{number + 1}")
