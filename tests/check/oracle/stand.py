"""Where a skip stands by the page: its rectangle, its kerb, and how surely both are known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import shapely
from pyproj import Proj

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geocheck.model.request import Request
    from tests.check.oracle.kerbs import Kerbs, Piece, Visit
    from tests.check.oracle.world import World

REACH_M = 20.0
TIE_M = 2e-3
"""Pieces as near as this one to the nearest may be taken for the skip's own."""


class Stand(NamedTuple):
    """A skip on the map, beside a kerb."""

    box: shapely.Polygon
    centre: shapely.Point
    shorter_m: float
    piece: Piece
    along_m: float
    half_m: float
    low_gap_m: float
    high_gap_m: float
    across_u_m: float
    along_u_m: float
    plan_u_m: float
    kerb_u_m: float
    level: int | None
    walk: list[Visit]


def stands(request: Request, world: World, kerbs: Kerbs) -> list[Stand]:
    """Return where a skip stands; several answers where kerbs tie, none where it is not on the map."""
    if request.lon is None or request.length_m is None or request.width_m is None:
        return []
    x, y = world.to_metres.transform(request.lon, request.lat)
    if not (math.isfinite(x) and math.isfinite(y)):
        return []
    convergence_deg = Proj(world.crs).get_factors(request.lon, request.lat).meridian_convergence
    grid_deg = (request.bearing_deg or 0.0) - convergence_deg
    along = (math.sin(math.radians(grid_deg)), math.cos(math.radians(grid_deg)))
    told = request.bearing_deg is not None
    planned = request.mode == "planned" or (request.mode is None and bool(request.snap))
    spot = shapely.Point(x, y)
    near = kerbs.near(spot, REACH_M)
    if not near:
        return []  # beside no kerb nothing on the map is judged
    seeds = _nearest(near, spot, along if told else None)
    if planned:
        feet = [(seed, seed.line.interpolate(seed.line.project(spot))) for seed in seeds]
        return [
            _planned(request, foot, each, kerbs) for seed, foot in feet for each in _meeting(seed, near, foot)
        ]
    found = []
    for axis in [along] if told else [_unit(seed) for seed in seeds]:
        box = rectangle((x, y), axis, request.length_m, request.width_m)
        found += [_loose(request, (x, y), axis, piece, near, kerbs) for piece in _nearest(near, box, axis)]
    return found


def _nearest(pieces: list[Piece], place: BaseGeometry, along: tuple[float, float] | None) -> list[Piece]:
    """Return the nearest piece, or those that tie; one at an angle to the skip is held to be farther.

    Nothing stands along a step of the kerb.
    """
    pieces = [piece for piece in pieces if not piece.step]
    score: list[float] = []
    for piece in pieces:
        askew = 0.0 if along is None else abs(_sine(_unit(piece), along))
        score.append(piece.line.distance(place) + 1.0 * askew)
    least = min(score, default=0.0)
    return [piece for piece, value in zip(pieces, score, strict=True) if value <= least + TIE_M]


def _meeting(piece: Piece, near: list[Piece], foot: shapely.Point) -> list[Piece]:
    """Return a piece and, where its nearest place is one of its ends, the pieces that meet it there."""
    others = [each for each in near if each.side == piece.side and each.line.distance(foot) <= TIE_M]
    return [piece, *(each for each in others if each is not piece and not each.step)]


def rectangle(
    centre: tuple[float, float], along: tuple[float, float], length_m: float, width_m: float
) -> shapely.Polygon:
    """Return a rectangle round a centre, its ends at half of its length ahead and behind."""
    corners = []
    for ahead, left in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
        x = centre[0] + along[0] * ahead * length_m / 2 - along[1] * left * width_m / 2
        y = centre[1] + along[1] * ahead * length_m / 2 + along[0] * left * width_m / 2
        corners.append((x, y))
    return shapely.Polygon(corners)


def _planned(request: Request, foot: shapely.Point, piece: Piece, kerbs: Kerbs) -> Stand:
    assert request.length_m is not None
    assert request.width_m is not None
    gap = request.measured.get("gap_m", 0.30)
    at = piece.line.project(foot)
    unit = _unit(piece)
    away = (gap + request.width_m / 2) * piece.inward
    centre = (foot.x - unit[1] * away, foot.y + unit[0] * away)
    box = rectangle(centre, unit, request.length_m, request.width_m)
    accuracy = request.position_accuracy_m
    along_u = 0.5 if accuracy is None else accuracy
    return Stand(
        box=box,
        centre=shapely.Point(centre),
        shorter_m=min(request.length_m, request.width_m),
        piece=piece,
        along_m=at,
        half_m=request.length_m / 2,
        low_gap_m=gap,
        high_gap_m=gap,
        across_u_m=min(along_u, 0.1),
        along_u_m=along_u,
        plan_u_m=math.hypot(along_u, piece.accuracy_m),
        kerb_u_m=piece.accuracy_m,
        level=piece.level,
        walk=kerbs.walk(piece, at),
    )


def _loose(
    request: Request,
    xy: tuple[float, float],
    along: tuple[float, float],
    piece: Piece,
    near: list[Piece],
    kerbs: Kerbs,
) -> Stand:
    assert request.length_m is not None
    assert request.width_m is not None
    box = rectangle(xy, along, request.length_m, request.width_m)
    centre = shapely.Point(xy)
    u = 1.0 if request.position_accuracy_m is None else request.position_accuracy_m
    shorter = min(request.length_m, request.width_m)
    at = piece.line.line_locate_point(centre)
    sine, cosine = abs(_sine(_unit(piece), along)), abs(_cosine(_unit(piece), along))
    side = shapely.MultiLineString([each.line for each in near if each.side == piece.side])
    corners = [shapely.Point(corner) for corner in box.exterior.coords[:-1]]
    front_left, front_right, back_right, back_left = [corner.distance(side) for corner in corners]
    return Stand(
        box=box,
        centre=centre,
        shorter_m=shorter,
        piece=piece,
        along_m=at,
        half_m=(request.length_m * cosine + request.width_m * sine) / 2,
        low_gap_m=box.distance(side),
        high_gap_m=min(max(front_left, back_left), max(front_right, back_right)),
        across_u_m=u,
        along_u_m=u,
        plan_u_m=u,
        kerb_u_m=piece.accuracy_m,
        level=piece.level,
        walk=kerbs.walk(piece, at),
    )


def _unit(piece: Piece) -> tuple[float, float]:
    length = piece.length_m
    if length == 0:
        return (0.0, 0.0)
    return ((piece.two[0] - piece.one[0]) / length, (piece.two[1] - piece.one[1]) / length)


def unit_of(piece: Piece) -> tuple[float, float]:
    """Return the direction of a piece."""
    return _unit(piece)


def _sine(one: tuple[float, float], two: tuple[float, float]) -> float:
    return one[0] * two[1] - one[1] * two[0]


def _cosine(one: tuple[float, float], two: tuple[float, float]) -> float:
    return one[0] * two[0] + one[1] * two[1]
