"""Places the sides of streets, and their half-widths, by drawn kerbs that run along them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.grouped import quantiles
from geocheck.city.planar import cross_product, left_of
from geocheck.city.ragged import counted, owners
from geocheck.city.ruler.cells import cells_of
from geocheck.city.streets.classify import layer_of, street_ways
from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.kerb_places import KerbPlaces
    from geocheck.city.surveyed.pool import Pool
    from geocheck.city.ways import Ways

STEP_M: Final = 2.0
"""So far apart, at most, a street is looked at."""

PARALLEL_RAD: Final = np.radians(20)
"""A kerb that differs more from the street's direction is not this side's."""

_NEAREST_SHARE: Final = 0.45
_NEAREST_M: Final = 1.0
_FARTHEST_SHARE: Final = 2.0
_FARTHEST_M: Final = 1.5
"""A kerb is looked for from a share of the half-width that was thought, to a multiple of it and some more."""

_CURVE_M: Final = 6.0
"""Nearer than this to a cross street's kerb the kerb curves away."""

LEAST_COVERED: Final = 0.8
"""Share of a side that a survey must cover for its median to stand for the whole side."""

_LEAST_SEEN: Final = 3
WIDEST_SPREAD_M: Final = 0.75
"""Of a kerb that strays more from its median (95 %), one number does not tell the place."""

_JUNCTION_ARMS: Final = 3


class SideCounts(NamedTuple):
    """What surveyed kerbs told.

    Attributes:
        placed: sides of ways that were placed by them.
        uneven: sides that they cover, but not at one distance.
        partly: sides that they cover in part.
    """

    placed: int
    uneven: int
    partly: int


class Samples(NamedTuple):
    """Places on the lines of streets.

    Attributes:
        at: metres, shape (s, 2).
        unit: direction of the way as drawn, shape (s, 2).
        way: shape (s,).
    """

    at: NDArray[np.float64]
    unit: NDArray[np.float64]
    way: NDArray[np.int64]


def placed_by_kerbs(ways: Ways, places: KerbPlaces, pool: Pool) -> tuple[KerbPlaces, SideCounts]:
    """Place the sides of streets along which drawn kerbs run.

    A kerb belongs to the street whose line is nearest to it; between the two there is no other. Its median
    distance stands for the side if it covers most of it (junctions aside) and strays little; by how much it
    does joins its accuracy. The line's own error has no part in it.

    Args:
        ways: of the network.
        places: what is thought of their kerbs without a survey.
        pool: the drawn kerbs.
    """
    samples = _samples(ways, places)
    if not len(samples.way) or not len(pool.chains):
        return places, SideCounts(0, 0, 0)
    shape = (len(ways), 2)
    median, spread, accuracy, source = (np.full(shape, np.nan) for _ in range(4))
    seen = np.zeros(shape, np.int64)
    for side, sign in ((0, 1.0), (1, -1.0)):
        half = places.half_m[samples.way, side]
        offset, edge = kerb_offsets(samples, half, np.full(len(half), sign), ways, pool.edges())
        hit = edge >= 0
        way = samples.way[hit]
        seen[:, side] = np.bincount(way, minlength=len(ways))
        median[:, side] = quantiles(offset[hit], way, len(ways), 0.5)
        stray = np.abs(offset[hit] - median[way, side])
        spread[:, side] = quantiles(stray, way, len(ways), 0.95)
        accuracy[:, side] = quantiles(pool.accuracy_m[edge[hit]], way, len(ways), 1.0)
        source[:, side] = quantiles(pool.source[edge[hit]].astype(np.float64), way, len(ways), 1.0)
    asked = np.bincount(samples.way, minlength=len(ways))[:, None]
    covered = (seen >= _LEAST_SEEN) & (seen >= LEAST_COVERED * asked)
    fit = covered & (spread <= WIDEST_SPREAD_M)
    placed = places.where(fit, median, np.hypot(accuracy, spread), np.nan_to_num(source).astype(np.int8))
    kinds = (fit, covered & ~fit, (seen > 0) & ~covered)
    return placed, SideCounts._make(int(np.count_nonzero(each)) for each in kinds)


def _samples(ways: Ways, places: KerbPlaces) -> Samples:
    """Return places on the streets, junctions left out."""
    a, b, way = street_pieces(ways)
    start, run = ways.xy[a], ways.xy[b] - ways.xy[a]
    length = np.hypot(run[:, 0], run[:, 1])
    count = np.ceil(length / STEP_M).astype(np.int64)
    piece, number = counted(count)
    share = (number + 0.5) / count[piece]
    at = start[piece] + share[:, None] * run[piece]
    unit = run[piece] / length[piece, None]
    free = ~_at_junction(ways, places, (a, b, way), at)
    return Samples(at[free], unit[free], way[piece][free])


def street_pieces(ways: Ways) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes and the way of every piece of street that has a length."""
    way = owners(ways.start)
    a, b = ways.ref[:-1], ways.ref[1:]
    fit = (way[1:] == way[:-1]) & street_ways(ways)[way[:-1]] & (a != MISSING_NODE) & (b != MISSING_NODE)
    fit[fit] = np.any(ways.xy[a[fit]] != ways.xy[b[fit]], axis=1)
    return a[fit], b[fit], way[:-1][fit]


def _at_junction(
    ways: Ways,
    places: KerbPlaces,
    pieces: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    at: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Tell which places lie where a cross street or its corners' curves are."""
    a, b, way = pieces
    node = np.concatenate([a, b])
    half = np.tile(places.half_m[way].max(axis=1), 2)
    arms = np.bincount(node, minlength=len(ways.xy))
    reach = np.zeros(len(ways.xy))
    np.maximum.at(reach, node, half + _CURVE_M)
    junction = np.flatnonzero(arms >= _JUNCTION_ARMS)
    found = np.zeros(len(at), bool)
    if len(junction) and len(at):
        tree = shapely.STRtree(np.asarray(shapely.points(at)))
        centres = shapely.points(ways.xy[junction])
        found[tree.query(centres, predicate="dwithin", distance=reach[junction])[1]] = True
    return found


class _Axes(NamedTuple):
    """The lines of streets, in straight pieces."""

    tree: shapely.STRtree
    way: NDArray[np.int64]
    layer: NDArray[np.int64]


def _axis_tree(ways: Ways) -> _Axes:
    a, b, way = street_pieces(ways)
    layer = np.array([layer_of(tags) for tags in ways.tags], np.int64)
    lines = np.asarray(shapely.linestrings(np.stack([ways.xy[a], ways.xy[b]], axis=1)))
    return _Axes(shapely.STRtree(lines), way, layer)


def kerb_offsets(
    samples: Samples,
    half_m: NDArray[np.float64],
    sign: NDArray[np.float64],
    ways: Ways,
    edges: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Look from the lines of streets for the kerb on one side.

    Args:
        samples: s places on the lines.
        half_m: where the kerb was thought to be, shape (s,).
        sign: of the side: 1 left, -1 right, shape (s,).
        ways: of the network.
        edges: begin and end of drawn kerbs, shapes (e, 2).

    Returns:
        How far the nearest kerb is that runs along the line and is this street's, NaN for none, shape (s,);
        its edge, -1 for none.
    """
    begin, end = edges
    found, piece = np.full(len(samples.way), np.nan), np.full(len(samples.way), -1, np.int64)
    # A few drawn kerbs are no reason to look aside from every street of a city.
    reach_m = np.full(len(begin), _FARTHEST_SHARE * half_m.max(initial=0.0) + _FARTHEST_M)
    rows = np.unique(cells_of(np.hstack([begin, end]), reach_m).near(samples.at)[0])
    samples, half_m = Samples._make(column[rows] for column in samples), half_m[rows]
    normal = sign[rows, None] * left_of(samples.unit)
    near = np.maximum(_NEAREST_SHARE * half_m, _NEAREST_M)
    far = _FARTHEST_SHARE * half_m + _FARTHEST_M
    rays = shapely.linestrings(
        np.stack([samples.at + near[:, None] * normal, samples.at + far[:, None] * normal], 1)
    )
    tree = shapely.STRtree(np.asarray(shapely.linestrings(np.stack([begin, end], axis=1))))
    ray, edge = tree.query(rays, predicate="intersects")
    run = end[edge] - begin[edge]
    run /= np.hypot(run[:, 0], run[:, 1])[:, None]
    unit = samples.unit[ray]
    sine = np.abs(cross_product(unit, run))
    level = sine <= np.sin(PARALLEL_RAD)
    ray, edge, run, unit = ray[level], edge[level], run[level], unit[level]
    gap = begin[edge] - samples.at[ray]
    toward = normal[ray]
    cross = cross_product(toward, run)
    offset = cross_product(gap, run) / cross
    order = np.lexsort((offset, ray))
    ray, edge, offset = ray[order], edge[order], offset[order]
    first = np.append(True, ray[1:] != ray[:-1]) if len(ray) else np.zeros(0, bool)
    ray, edge, offset = ray[first], edge[first], offset[first]
    own = _own(samples, ray, offset, normal, _axis_tree(ways))
    seen = rows[ray[own]]
    found[seen], piece[seen] = offset[own], edge[own]
    return found, piece


def _own(
    samples: Samples,
    ray: NDArray[np.int64],
    offset: NDArray[np.float64],
    normal: NDArray[np.float64],
    axes: _Axes,
) -> NDArray[np.bool_]:
    """Tell which kerbs have no other street of the level between them and their own, nor nearer to them."""
    if not len(ray):
        return np.zeros(0, bool)
    place = samples.at[ray] + offset[:, None] * normal[ray]
    # Anything nearer to the kerb than the sample's own street lies within that distance of it.
    kerb, piece = axes.tree.query(
        shapely.points(place), predicate="dwithin", distance=np.maximum(offset - 1e-6, 0)
    )
    way = samples.way[ray[kerb]]
    other = (axes.way[piece] != way) & (axes.layer[axes.way[piece]] == axes.layer[way])
    free = np.ones(len(ray), bool)
    free[kerb[other]] = False
    return free
