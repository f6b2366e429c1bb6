"""Kerb returns: where a surveyed kerb turns from one street into another, and the corner it turns round.

The corner of the law is where the straight kerbs, prolonged, would meet; the curve or chamfer in between lies
inside of it, and a stricter reading counts from where that begins.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely

from geocheck.city.planar import cross_product
from geocheck.city.surveyed.straights import fitted, straight_part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.surveyed.lines import Chains

NOISE_M: Final = 0.05
"""A line that strays less than this from another, simpler one is drawn as that one."""

_MOST_NOISE_M: Final = 0.25
"""Lines that are only good to metres are still drawn more evenly than that."""

_LEAST_TURN_RAD: Final = np.radians(3)
"""Below this a vertex belongs to a straight, or slightly bent, kerb."""

_RADIUS_M: Final = 15.0 * 4 / 3
"""Curves wider than 15 m are bends of a street. At the ends of a curve drawn in chords the turn is half as
sharp as in it, so that two neighbours there look like a curve a third wider."""

_CHAMFER_M: Final = 12.0
"""No piece of a corner is longer."""

_WHOLE_RAD: Final = np.radians(60)
"""So sharp a vertex is a corner of its own, not a part of a curve."""

_NOSE_M: Final = 6.0
"""Two such vertices nearer than this are the nose of a median or an island."""

_JOG_M: Final = 8.0
"""A turn that is taken back within this is a recess or a bulb, not a corner."""

_JOG_RAD: Final = np.radians(30)
"""What is left of the turn after it: at most this, and at most half of it."""

_DOUBT_RAD: Final = (np.radians(25), np.radians(150))
_CORNER_RAD: Final = (np.radians(60) - 1e-6, np.radians(120) + 1e-6)

_LEAST_ARM_M: Final = 1.0
"""A shorter straight does not say where it would go on to."""

_ARM_M: Final = 10.0
_ARM_PIECES: Final = 4
_ROUNDS: Final = 3

_PARALLEL_SINE: Final = 0.1

_FARTHEST_M: Final = 27.0
"""The corner of a curve of 15 m radius and 120 degrees lies 26 m from its ends."""


class TurnKind(IntEnum):
    """What a turn of a kerb is."""

    CORNER = 1
    DOUBTFUL = 2
    """By 25 to 60 or 120 to 150 degrees: a corner, or a bend of one street."""
    UNPLACED = 3
    """A corner whose place cannot be told: a straight part is too short."""


class Turns(NamedTuple):
    """t turns that are or may be corners, in order along their chains.

    Attributes:
        chain: shape (t,).
        kind: `TurnKind`.
        xy: where the straight kerbs, prolonged, meet; of an unplaced one the middle of it, shape (t, 2).
        turn_rad: to the left above zero.
        inward_rad: direction, counter-clockwise from east, in which the inner side of the turn lies.
        first: vertex at which the straight before ends and the curve begins.
        last: vertex at which the curve ends.
        before_m: from the corner back to where the curve begins, 0 at a sharp one, NaN at an unplaced one.
        after_m: from the corner on to where the curve ends.
        jogs: turns that were taken back at once, and passed over.
    """

    chain: NDArray[np.int64]
    kind: NDArray[np.int64]
    xy: NDArray[np.float64]
    turn_rad: NDArray[np.float64]
    inward_rad: NDArray[np.float64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    before_m: NDArray[np.float64]
    after_m: NDArray[np.float64]
    jogs: int


class _Groups(NamedTuple):
    """Turns as runs of kept vertices `kept[first]` to `kept[last]`, with the kept ones beside them."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    turn_rad: NDArray[np.float64]


def noise_of(accuracy_m: NDArray[np.float64]) -> float:
    """Return by how much vertices may stray from the kerb's true line, from the accuracy of its lines."""
    return float(np.clip(accuracy_m.max(initial=0) / 2, NOISE_M, _MOST_NOISE_M))


def turns_of(chains: Chains, noise_m: float = NOISE_M) -> Turns:
    """Find the turns of chains that are or may be corners.

    Args:
        chains: surveyed kerbs.
        noise_m: by how much their vertices may stray from the kerb's true line.
    """
    kept = _kept(chains, noise_m)
    groups = _groups(chains, kept)
    taken_back = _taken_back(chains, kept, groups)
    size = np.abs(groups.turn_rad)
    fit = ~taken_back & (size >= _DOUBT_RAD[0]) & (size <= _DOUBT_RAD[1])
    groups = _Groups(*(each[fit] for each in groups))
    return _placed(chains, kept, groups, int(np.count_nonzero(taken_back & (size >= _DOUBT_RAD[0]))))


def _kept(chains: Chains, noise_m: float) -> NDArray[np.int64]:
    """Return the vertices that a line of that accuracy needs, shape (q,)."""
    if not len(chains):
        return np.empty(0, np.int64)
    numbered = np.column_stack([chains.xy, np.arange(len(chains.xy))])
    lines = shapely.linestrings(numbered, indices=chains.chain)
    slim = shapely.get_coordinates(shapely.simplify(lines, noise_m, preserve_topology=False), include_z=True)
    return np.asarray(slim[:, 2], np.int64)


def _groups(chains: Chains, kept: NDArray[np.int64]) -> _Groups:
    """Join neighbouring vertices that turn the same way on a curve of small radius."""
    chain = chains.chain[kept]
    turn, length = _turns_at(chains, kept)
    at = np.flatnonzero(np.abs(turn) >= _LEAST_TURN_RAD)
    if not len(at):
        none = np.empty(0, np.int64)
        return _Groups(none, none, np.empty(0))
    here, there = turn[at[:-1]], turn[at[1:]]
    mean = (np.abs(here) + np.abs(there)) / 2
    whole = np.minimum(np.abs(here), np.abs(there)) >= _WHOLE_RAD
    limit = np.where(whole, _NOSE_M, np.minimum(_RADIUS_M * mean, _CHAMFER_M))
    next_to = (at[1:] == at[:-1] + 1) & (chain[at[1:]] == chain[at[:-1]])
    joined = next_to & (here * there > 0) & (length[at[:-1]] <= limit)
    head = np.flatnonzero(np.append(True, ~joined))
    tail = np.append(head[1:], len(at)) - 1
    return _Groups(at[head], at[tail], np.add.reduceat(turn[at], head))


def _turns_at(chains: Chains, kept: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the turn at each kept vertex, 0 at ends, shape (q,), and the lengths between, shape (q - 1,)."""
    xy, chain = chains.xy[kept], chains.chain[kept]
    run = xy[1:] - xy[:-1]
    angle = np.arctan2(run[:, 1], run[:, 0])
    turn = np.zeros(len(kept))
    inner = (chain[2:] == chain[1:-1]) & (chain[:-2] == chain[1:-1])
    turn[1:-1] = np.where(inner, (angle[1:] - angle[:-1] + np.pi) % (2 * np.pi) - np.pi, 0.0)
    return turn, np.hypot(run[:, 0], run[:, 1])


def _taken_back(chains: Chains, kept: NDArray[np.int64], groups: _Groups) -> NDArray[np.bool_]:
    """Tell which turns are the one half of a jog, shape (g,)."""
    found = np.zeros(len(groups.first), bool)
    if len(found) < 2:  # noqa: PLR2004 (a jog has two turns)
        return found
    chain = chains.chain[kept]
    here, there = groups.last[:-1], groups.first[1:]
    gap = np.hypot(*(chains.xy[kept[there]] - chains.xy[kept[here]]).T)
    jog = (chain[here] == chain[there]) & (gap <= _JOG_M)
    one, two = groups.turn_rad[:-1], groups.turn_rad[1:]
    most = np.minimum(_JOG_RAD, np.maximum(np.abs(one), np.abs(two)) / 2)
    jog &= (one * two < 0) & (np.abs(one + two) <= most)
    found[:-1] |= jog
    found[1:] |= jog
    return found


def _arms(
    chains: Chains, kept: NDArray[np.int64], groups: _Groups
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the far ends of the straights before and after each turn.

    A straight that is short goes on over bends too slight to be turns: its direction is surer then.
    """
    chain, turn = chains.chain[kept], _turns_at(chains, kept)[0]
    found = []
    for near, step in ((groups.first, -1), (groups.last, 1)):
        far = near + step
        for _ in range(_ARM_PIECES):
            short = np.hypot(*(chains.xy[kept[far]] - chains.xy[kept[near]]).T) < _ARM_M
            further = np.clip(far + step, 0, len(kept) - 1)
            go = short & (np.abs(turn[far]) < _LEAST_TURN_RAD) & (chain[further] == chain[near])
            far = np.where(go, further, far)
        found.append(kept[far])
    return found[0], found[1]


def _placed(chains: Chains, kept: NDArray[np.int64], groups: _Groups, jogs: int) -> Turns:
    """Fit the straights beside each turn and meet them."""
    xy = chains.xy
    end, onward = kept[groups.first], kept[groups.last]
    begin, far = _arms(chains, kept, groups)
    middle = (end + onward) // 2
    before_part, after_part = (begin, end), (onward, far)
    here, there = fitted(xy, *before_part), fitted(xy, *after_part)
    for _ in range(_ROUNDS):  # what the first fit had of curves goes from the next
        before_part = straight_part(xy, here, (begin, middle), (begin, end))
        after_part = straight_part(xy, there, (middle, far), (onward, far))
        here, there = fitted(xy, *before_part), fitted(xy, *after_part)
    first, last = before_part[1], after_part[0]
    cross = cross_product(here.unit, there.unit)
    gap = there.at - here.at
    meet = np.abs(cross) > _PARALLEL_SINE
    run = cross_product(gap, there.unit) / np.where(meet, cross, 1.0)
    corner = here.at + run[:, None] * here.unit
    before = ((corner - xy[first]) * here.unit).sum(axis=1)
    after = ((xy[last] - corner) * there.unit).sum(axis=1)
    dot = (here.unit * there.unit).sum(axis=1)
    size = np.abs(groups.turn_rad)
    sure = (size >= _CORNER_RAD[0]) & (size <= _CORNER_RAD[1])
    placed = (
        meet
        & (np.minimum(here.length_m, there.length_m) >= _LEAST_ARM_M)
        & ((np.minimum(before, after) >= -NOISE_M) & (np.maximum(before, after) <= _FARTHEST_M))
    )
    return Turns(
        chain=chains.chain[kept[groups.first]],
        kind=np.select([~placed, sure], [TurnKind.UNPLACED, TurnKind.CORNER], TurnKind.DOUBTFUL).astype(
            np.int64
        ),
        xy=np.where(placed[:, None], corner, (xy[end] + xy[onward]) / 2),
        turn_rad=np.where(placed, np.arctan2(cross, dot), groups.turn_rad),
        inward_rad=np.arctan2(*(there.unit - here.unit).T[::-1]),
        first=np.where(placed, first, end),
        last=np.where(placed, last, onward),
        before_m=np.where(placed, np.maximum(before, 0), np.nan),
        after_m=np.where(placed, np.maximum(after, 0), np.nan),
        jogs=jogs,
    )
