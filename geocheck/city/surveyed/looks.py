"""Places on block faces beside which there is a drawn kerb, and the runs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.planar import cross_product, left_of
from geocheck.city.ragged import counted, owners, ranges, stations_m
from geocheck.city.streets.covered import lines_of
from geocheck.city.surveyed.placing import Samples, kerb_offsets
from geocheck.city.surveyed.turns import TurnKind, noise_of, turns_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.kerb_places import KerbPlaces
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.kerbs import Kerbs
    from geocheck.city.surveyed.pool import Pool
    from geocheck.city.surveyed.turns import Turns
    from geocheck.city.ways import Ways

_STEP_M: Final = 1.0
"""So far apart, at most, a face is looked at."""

_LEAST_RUN_M: Final = 5.0
"""A shorter stretch of drawn kerb does not move a face."""

_GAP_M: Final = 8.0
"""Over a longer stretch without a look, nobody knows."""

_LONGER: Final = 1.2
_LONGER_M: Final = 3.0
"""Between two looks the drawn kerb is at most so much longer; else it is the kerb of something else."""

REACH_M: Final = 20.0
"""So far from a corner its curve may begin: a radius of 15 m, and some more."""


class Looks(NamedTuple):
    """s places on faces, in order along them, each with the drawn kerb found beside it.

    Attributes:
        face: shape (s,).
        where: index of the segment of the face and the share along it, shape (s,).
        edge: of the pool, shape (s,).
        place: on the drawn kerb, shape (s, 2).
        chain: of that edge, shape (s,).
        station_m: of the place along the chain, shape (s,).
    """

    face: NDArray[np.int64]
    where: NDArray[np.float64]
    edge: NDArray[np.int64]
    place: NDArray[np.float64]
    chain: NDArray[np.int64]
    station_m: NDArray[np.float64]


class Runs(NamedTuple):
    """r runs of looks beside one chain, in order: the first and the last look of each, shape (r,)."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]


def looks_at(streets: Streets, ways: Ways, places: KerbPlaces, pool: Pool) -> tuple[Looks, Turns]:
    """Look from every metre of the faces for a drawn kerb; curves round corners are no kerb of a face.

    Where a better source than the drawn kerb has placed the side, that stays.

    Returns:
        The looks, and the turns of the drawn kerbs.
    """
    kerbs, graph = streets.kerbs, streets.graph
    begin, end, length, face = lines_of(kerbs)
    run = end - begin
    count = np.where(kerbs.segment_step, 0, np.ceil(length / _STEP_M)).astype(np.int64)
    segment, number = counted(count)
    share = (number + 0.5) / count[segment]
    at = begin[segment] + share[:, None] * run[segment]
    unit = run[segment] / length[segment, None]
    off = at - graph.xy[graph.segments.a[kerbs.segment_axis[segment]]]
    sign = np.where(cross_product(unit, off) > 0, 1.0, -1.0)
    half = kerbs.segment_half_m[segment]
    normal = sign[:, None] * left_of(unit)
    samples = Samples(at - half[:, None] * normal, unit, kerbs.segment_way[segment])
    offset, edge = kerb_offsets(samples, half, sign, ways, pool.edges())
    better = places.source_along(kerbs)[segment] < pool.source[edge]
    edge[better] = -1
    turns = turns_of(pool.chains, noise_of(pool.accuracy_m))
    edge[_in_curve(pool, turns)[edge] & (edge >= 0) & _near_end(kerbs, face[segment], at)] = -1
    place = samples.at + np.nan_to_num(offset)[:, None] * normal
    chain, station = _stations(pool, edge, place)
    looks = Looks(face[segment], segment + share, edge, place, chain, station)
    return Looks._make(column[edge >= 0] for column in looks), turns


def runs_of(looks: Looks) -> Runs:
    """Return stretches along which one chain runs on beside one face, be it that it steps in or out."""
    gap = np.hypot(*np.diff(looks.place, axis=0).T)
    joined = (np.diff(looks.face) == 0) & (np.diff(looks.chain) == 0) & (gap <= _GAP_M)
    joined &= np.abs(np.diff(looks.station_m)) <= _LONGER * gap + _LONGER_M
    head = np.flatnonzero(np.append(True, ~joined)[: len(looks.face)])
    tail = np.flatnonzero(np.append(~joined, True)[: len(looks.face)])
    long = np.hypot(*(looks.place[tail] - looks.place[head]).T) >= _LEAST_RUN_M
    return Runs(head[long], tail[long])


def _near_end(kerbs: Kerbs, face: NDArray[np.int64], at: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which places on faces are so near a corner that a curve there leads round it."""
    found = np.zeros(len(face), bool)
    for vertex, corner in ((kerbs.start[:-1], kerbs.start_corner), (kerbs.start[1:] - 1, kerbs.end_corner)):
        found |= (np.hypot(*(kerbs.xy[vertex][face] - at).T) <= REACH_M) & (corner[face] >= 0)
    return found


def _in_curve(pool: Pool, turns: Turns) -> NDArray[np.bool_]:
    """Tell which edges of the pool belong to the curve of a corner, shape (e,)."""
    placed = turns.kind != TurnKind.UNPLACED
    chain = turns.chain[placed]
    found = np.zeros(len(pool.chains.row), bool)
    found[ranges(turns.first[placed] - chain, turns.last[placed] - chain)[1]] = True
    return found


def _stations(
    pool: Pool, edge: NDArray[np.int64], place: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    begin, _ = pool.edges()
    of_edge = owners(pool.chains.edge_start)
    station = vertex_stations(pool)[np.arange(len(of_edge)) + of_edge]
    return of_edge[edge], station[edge] + np.hypot(*(place - begin[edge]).T)


def vertex_stations(pool: Pool) -> NDArray[np.float64]:
    """Return how far along its chain each vertex of the pool is, metres, shape (v,)."""
    return stations_m(pool.chains.xy, pool.chains.start)
