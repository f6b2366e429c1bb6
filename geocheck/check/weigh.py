"""Puts the map's word beside the user's: the user's decides where it settles a test, else the map's worst row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.check.columns import BASES
from geocheck.check.judge import EPSILON, Flag, outcome
from geocheck.model.words import Basis, Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.check.evidence import Evidence
    from geocheck.check.seen import Seen

_MAP = BASES.index(Basis.MAP)
_MEASURED = BASES.index(Basis.MEASURED)
_OBSERVED = BASES.index(Basis.OBSERVED)


def weigh(told: Evidence, seen: Seen | None, margin: NDArray[np.float64] | None) -> Evidence:
    """Return the evidence of a test from both.

    What the user measured, saw or declared stands where it settles the test, but for one thing: where somebody
    saw nothing and the map surely shows a breach, the answer is `conditional`, for one of the two is wrong. A
    layer that is not complete convicts and never acquits; then its nearest row is shown all the same.

    Args:
        told: by the user's word.
        seen: by the map; None where no map was given.
        margin: of each row of `seen`, in the evidence's unit.
    """
    if seen is None or margin is None:
        return told
    rows = seen.rows
    place = rows.placement
    told, base = _heeding(told, place[rows.feature >= 0])
    flags = base[place] | np.where(rows.known, Flag.KNOWN, 0).astype(np.uint8)
    flags |= np.where(seen.soft | ~rows.side_known, Flag.SOFT, 0).astype(np.uint8)
    u = np.where(rows.known, rows.u_m, 0.0)
    code = outcome(margin, u, np.full(len(u), told.tolerance), flags)
    # What nobody knows matters only where it may be in breach, by its own doubt as well.
    spare = margin > np.maximum(rows.u_m, told.tolerance) + EPSILON
    code = np.where(~rows.known & spare, Outcome.COMPLIANT, code)
    worst = _first_of_each(place, np.lexsort((rows.value_m, margin, -code.astype(int), place)), len(base))
    nearest = _first_of_each(place, np.lexsort((rows.value_m, ~rows.known, place)), len(base))
    # What nobody knows is no nearest thing to show.
    nearest = np.where((nearest >= 0) & rows.known[nearest], nearest, -1) if len(code) else nearest
    none = worst < 0
    worst_code = np.where(none, Outcome.NOT_APPLICABLE, code[worst] if len(code) else 0)
    breach = worst_code > Outcome.COMPLIANT
    known_row = np.zeros(len(base), bool) if not len(code) else (flags[worst] & Flag.KNOWN) != 0
    settled = _settled(told, worst_code)
    use = ~settled & (breach & known_row | ~breach & seen.covered)
    # Where nobody knows what lies there, there is no value to show.
    shown = np.where(breach, np.where(known_row, worst, -1), nearest)
    return _taken(told, seen, margin, _Choice(settled, use, breach, shown, flags))


def _heeding(told: Evidence, place: NDArray[np.int64]) -> tuple[Evidence, NDArray[np.uint8]]:
    """Return the evidence, and the flags of what the map shows, where attributes of its features decide.

    A test concerns the placements for which the map knows a thing that it is about; that the user said nothing of
    an attribute makes no row soft.
    """
    question = told.question
    waits = question.hangs("skip")
    concerned = np.isin(np.arange(len(waits)), place) & waits
    flags = np.where(concerned, told.flags | Flag.APPLIES, told.flags).astype(np.uint8)
    soft_anyway = told.assumed or question.test.on_breach == "conditional"
    plain = question.hangs("soft") & (not soft_anyway)
    rows = np.where(plain, flags & ~np.uint8(Flag.SOFT), flags) & ~np.uint8(Flag.KNOWN)
    return replace(told, flags=flags), rows.astype(np.uint8)


class _Choice(NamedTuple):
    """Which word counts for each placement, and the row that is shown (-1 for none); flags are by row."""

    settled: NDArray[np.bool_]
    use: NDArray[np.bool_]
    breach: NDArray[np.bool_]
    shown: NDArray[np.intp]
    flags: NDArray[np.uint8]


def _settled(told: Evidence, worst_code: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell where the user's word decides."""
    known = (told.flags & Flag.KNOWN) != 0
    passes = told.margin >= -told.tolerance
    return np.asarray(known & ~(passes & (told.basis == _OBSERVED) & (worst_code == Outcome.VIOLATION)))


def _first_of_each(place: NDArray[np.int64], order: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Return the first row of each placement in an order that goes by placement, -1 for none."""
    found = np.full(count, -1, np.intp)
    sorted_place = place[order]
    first = order[np.diff(sorted_place, prepend=-1) != 0]
    found[place[first]] = first
    return found


def _taken(told: Evidence, seen: Seen, margin: NDArray[np.float64], choice: _Choice) -> Evidence:
    rows, shown = seen.rows, choice.shown
    held = shown >= 0
    at = np.maximum(shown, 0)
    if not len(rows.placement):
        rows = rows._replace(
            value_m=np.zeros(1), u_m=np.zeros(1), feature=np.full(1, -1), event=np.full(1, -1)
        )
        margin = np.zeros(1)
    own = ~choice.settled
    value = np.where(held & np.isfinite(rows.value_m[at]), np.maximum(rows.value_m[at], 0.0), np.nan)
    nothing = np.where(choice.use, np.inf, told.margin)
    was_known = (told.flags & Flag.KNOWN) != 0
    clash = own & was_known
    flags = np.where(own, told.flags & ~np.uint8(Flag.KNOWN), told.flags)
    row_flags = choice.flags[at] if len(choice.flags) else np.zeros(len(held), np.uint8)
    flags = np.where(choice.use & choice.breach, row_flags, flags)
    flags = np.where(choice.use, flags | Flag.KNOWN, flags)
    flags = np.where(clash, flags | Flag.SOFT, flags)
    taped = seen.taped[at] if len(seen.taped) else np.zeros(len(held), bool)
    basis = np.where(choice.use, np.where(held & taped, _MEASURED, _MAP), told.basis)
    mine = own & held
    return replace(
        told,
        margin=np.where(own, np.where(held & choice.use, margin[at], nothing), told.margin),
        u=np.where(mine, rows.u_m[at], told.u),
        flags=flags.astype(np.uint8),
        measured=np.where(mine, value, told.measured),
        basis=basis.astype(np.int8),
        seen=seen,
        shown=np.where(mine, shown, -1),
    )
