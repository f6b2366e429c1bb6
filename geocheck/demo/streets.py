"""The neighbourhood's streets: axes as OSM has them, kerbs as a surveyor has them, blocks; in grid metres.

Three streets lie along x and three along y::

    y =  90   Rua das Acácias      8 m, both ways
    y =   0   Avenida dos Ipês     two carriageways of 7 m, a median of 4 m
    y = -90   Rua do Córrego       8 m, both ways, a bridge from x = 30 to 50
    x = -80   Rua dos Jatobás      7 m, both ways, with signals at the avenue
    x =  20   Rua das Mangueiras   7 m, both ways, from the Acácias to the avenue: a T at either end
    x = 110   Rua dos Buritis      8 m, both ways, whose kerbs nobody surveyed
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

Place = tuple[float, float]
Path = tuple[Place, ...]

EAST: Final = 150.0
NORTH: Final = 125.0
"""The neighbourhood reaches so far from its middle; its streets go on outside."""

FOOTWAY_M: Final = 2.5
WIDE_FOOTWAY_M: Final = 3.0
WIDER_FOOTWAY_M: Final = 3.01
"""North of the Acácias, west and east of the Buritis."""

CURVE_M: Final = 4.0
"""Radius of the kerb at corners."""

_CURVE_STEPS: Final = 8


class Street(NamedTuple):
    """A way of OSM.

    Attributes:
        way: its number.
        path: places of its nodes.
        tags: of OSM.
        opens: whether it goes on outside the file before its first and after its last node.
    """

    way: int
    path: Path
    tags: dict[str, str]
    opens: tuple[bool, bool] = (True, True)


class Block(NamedTuple):
    """A block: the kerb around it, and how wide its footways are.

    Attributes:
        name: of it.
        west: of its kerb.
        south: the same.
        east: the same.
        north: the same.
        footways_m: at its west, south, east and north; 0 where the neighbourhood ends.
        surveyed: which of its sides have surveyed kerbs, in the same order.
    """

    name: str
    west: float
    south: float
    east: float
    north: float
    footways_m: tuple[float, float, float, float]
    surveyed: tuple[bool, bool, bool, bool]

    @property
    def inside(self) -> tuple[float, float, float, float]:
        """West, south, east and north of what the footways leave."""
        west, south, east, north = self.footways_m
        return self.west + west, self.south + south, self.east - east, self.north - north


def _road(name: str, width_m: float, kind: str = "residential", **more: str) -> dict[str, str]:
    return {"highway": kind, "name": name, "width": f"{width_m:g}", **more}


_ACACIAS = _road("Rua das Acácias", 8)
_CORREGO = _road("Rua do Córrego", 8)
_IPES = _road("Avenida dos Ipês", 7, "secondary", oneway="yes", lanes="2")
_JATOBAS = _road("Rua dos Jatobás", 7, "tertiary")
_MANGUEIRAS = _road("Rua das Mangueiras", 7)
_BURITIS = _road("Rua dos Buritis", 8)

STREETS: Final = (
    Street(11, ((-EAST, 90), (-80, 90), (20, 90), (110, 90), (EAST, 90)), _ACACIAS),
    Street(12, ((EAST, 5.5), (110, 5.5), (20, 5.5), (-80, 5.5), (-EAST, 5.5)), _IPES),
    Street(13, ((-EAST, -5.5), (-80, -5.5), (110, -5.5), (EAST, -5.5)), _IPES),
    Street(14, ((-EAST, -90), (-80, -90), (30, -90)), _CORREGO, (True, False)),
    Street(15, ((30, -90), (50, -90)), _CORREGO | {"bridge": "yes", "layer": "1"}, (False, False)),
    Street(16, ((50, -90), (110, -90), (EAST, -90)), _CORREGO, (False, True)),
    Street(21, ((-80, -NORTH), (-80, -90), (-80, -5.5), (-80, 5.5), (-80, 90), (-80, NORTH)), _JATOBAS),
    Street(22, ((20, 90), (20, 5.5)), _MANGUEIRAS, (False, False)),
    Street(23, ((110, -NORTH), (110, -90), (110, -5.5), (110, 5.5), (110, 90), (110, NORTH)), _BURITIS),
)

_COLUMNS: Final = {"oeste": (-EAST, -83.5), "meio": (-76.5, 106.0), "leste": (114.0, EAST)}
"""Kerbs of the blocks from west to east."""

_ROWS: Final = {"norte": (94.0, NORTH), "alto": (9.0, 86.0), "baixo": (-86.0, -9.0), "sul": (-NORTH, -94.0)}


def _block(name: str, x: Place, y: Place) -> Block:
    """Make a block: a side at the edge of the neighbourhood has no footway, one on the Buritis no survey."""
    wide = WIDER_FOOTWAY_M if x[0] > 0 else WIDE_FOOTWAY_M
    south = wide if y[0] == _ROWS["norte"][0] else FOOTWAY_M
    ends = (x[0] == -EAST, y[0] == -NORTH, x[1] == EAST, y[1] == NORTH)
    usual = (FOOTWAY_M, south, FOOTWAY_M, FOOTWAY_M)
    footways = tuple(0.0 if end else width for end, width in zip(ends, usual, strict=True))
    buritis = (x[0] == _COLUMNS["leste"][0], False, x[1] == _COLUMNS["meio"][1], False)
    surveyed = tuple(not (end or own) for end, own in zip(ends, buritis, strict=True))
    return Block(name, x[0], y[0], x[1], y[1], footways, surveyed)  # type: ignore[arg-type]


def _blocks() -> tuple[Block, ...]:
    made = []
    for row, y in _ROWS.items():
        for column, x in _COLUMNS.items():
            if (row, column) == ("alto", "meio"):  # the Mangueiras cut it in two
                made += [_block("alto-meio", (x[0], 16.5), y), _block("alto-centro", (23.5, x[1]), y)]
            else:
                made.append(_block(f"{row}-{column}", x, y))
    return tuple(made)


BLOCKS: Final = _blocks()

MEDIANS: Final = ((-EAST, -83.5), (-76.5, 106.0), (114.0, EAST))
"""Where the avenue's median, y from -2 to 2, begins and ends along x."""


def kerb_lines() -> list[Path]:
    """Return the surveyed kerbs: round the blocks, with curves at their corners, and along the median."""
    lines = [line for block in BLOCKS for line in _round(block)]
    for west, east in MEDIANS:
        lines += [((west, -2.0), (east, -2.0)), ((west, 2.0), (east, 2.0))]
    return lines


def _round(block: Block) -> list[Path]:
    """Return the surveyed kerb of a block in lines, counter-clockwise, each as long as the survey goes on."""
    west, south, east, north = block.west, block.south, block.east, block.north
    corners = ((west, south), (east, south), (east, north), (west, north))
    surveyed = (*block.surveyed[1:], block.surveyed[0])
    footways_m = (*block.footways_m[1:], block.footways_m[0])
    begin = next((side for side in range(4) if surveyed[side] and not surveyed[side - 1]), 0)
    lines: list[Path] = []
    path: list[Place] = []
    for side in ((begin + step) % 4 for step in range(4)):
        following = (side + 1) % 4
        if not surveyed[side]:
            continue
        here, there = corners[side], corners[following]
        path = path or [_towards(here, there) if footways_m[side - 1] else here]
        path.append(_towards(there, here) if footways_m[following] else there)
        if surveyed[following]:
            path += _curve(here, there, corners[(side + 2) % 4])
        if not surveyed[following] or following == begin:
            lines.append(tuple(path))
            path = []
    return lines


def _towards(corner: Place, other: Place) -> Place:
    """Return the place on the way from a corner to another where the curve ends."""
    far = math.dist(corner, other)
    return tuple(a + (b - a) * CURVE_M / far for a, b in zip(corner, other, strict=True))  # type: ignore[return-value]


def _curve(before: Place, corner: Place, after: Place) -> Path:
    """Return a quarter of a circle round a corner, without its first place."""
    begin, end = _towards(corner, before), _towards(corner, after)
    middle = (begin[0] + end[0] - corner[0], begin[1] + end[1] - corner[1])
    angles = (step * math.pi / 2 / _CURVE_STEPS for step in range(1, _CURVE_STEPS + 1))
    return tuple(
        (
            middle[0] + (begin[0] - middle[0]) * math.cos(angle) + (end[0] - middle[0]) * math.sin(angle),
            middle[1] + (begin[1] - middle[1]) * math.cos(angle) + (end[1] - middle[1]) * math.sin(angle),
        )
        for angle in angles
    )
