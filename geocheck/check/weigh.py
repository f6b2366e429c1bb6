"""Puts the map's word beside the user's, which decides where it settles a test; else the map's worst row."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.check.columns import BASES
from geocheck.check.judge import APPLIES, EPSILON, KNOWN, SOFT, outcome
from geocheck.model.words import Basis, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from geocheck.check.evidence import Evidence, Mapped

_MAP: Final = BASES.index(Basis.MAP)
_MEASURED: Final = BASES.index(Basis.MEASURED)
_OBSERVED: Final = BASES.index(Basis.OBSERVED)


def weigh(columns: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return columns of evidence with the map's word in its place.

    What the user measured, saw or declared stands where it settles the test, but for one thing: where
    somebody saw nothing and the map surely shows a breach, the answer is `conditional`, for one of the two is
    wrong. A layer that is not complete convicts and never acquits; its nearest row is shown all the same.
    All columns are weighed at once: one placement has few rows in each.
    """
    says = [column.mapped is not None and _says(column.mapped) for column in columns]
    mapped = list(compress(columns, says))
    if not mapped:
        return tuple(columns)
    whole = _stacked(mapped)
    taken = iter(_taken(mapped, whole, _chosen(whole)))
    return tuple(next(taken) if said else column for column, said in zip(columns, says, strict=True))


def _says(part: Mapped) -> bool:
    """Whether the map has a word on any placement: it shows something, or that there is nothing."""
    return bool(len(part.seen.rows.placement) or part.seen.covered.any())


class _Stack(NamedTuple):
    """Columns one below the other, and the rows of all of them.

    Attributes:
        told: flags by the user's word, shape (m, n).
        told_margin: shape (m, n).
        told_basis: shape (m, n).
        tolerance: shape (m,).
        covered: shape (m, n).
        cell: column * n + placement of each row, shape (r,).
        begin: the first row of each column, shape (m,).
        base: flags as far as the map's features go by them, shape (m, n).
        value, margin, flags, known, taped: of each row, shape (r,).
        limit: of each row, NaN where it is that of the column.
        u: of each row that is known, else 0, shape (r,).
        doubt: of each row, known or not, shape (r,).
    """

    told: NDArray[np.uint8]
    told_margin: NDArray[np.float64]
    told_basis: NDArray[np.int8]
    tolerance: NDArray[np.float64]
    covered: NDArray[np.bool_]
    cell: NDArray[np.int64]
    begin: NDArray[np.int64]
    base: NDArray[np.uint8]
    value: NDArray[np.float64]
    u: NDArray[np.float64]
    doubt: NDArray[np.float64]
    margin: NDArray[np.float64]
    flags: NDArray[np.uint8]
    known: NDArray[np.bool_]
    taped: NDArray[np.bool_]
    limit: NDArray[np.float64]


def _stacked(columns: Sequence[Evidence]) -> _Stack:
    parts: list[Mapped] = [column.mapped for column in columns if column.mapped is not None]
    n = len(columns[0].margin)
    rows = [part.seen.rows for part in parts]
    count = np.array([len(row.placement) for row in rows])
    owner = np.repeat(np.arange(len(parts)), count)
    cell = owner * n + np.concatenate([row.placement for row in rows])
    known = np.concatenate([row.known for row in rows])
    doubt = np.concatenate([row.u_m for row in rows])
    soft = np.concatenate([part.seen.soft for part in parts])
    soft = soft | ~np.concatenate([row.side_known for row in rows])
    base = np.stack([part.flags for part in parts])
    return _Stack(
        told=np.stack([column.flags for column in columns]),
        told_margin=np.stack([column.margin for column in columns]),
        told_basis=np.stack([column.basis for column in columns]),
        tolerance=np.array([column.tolerance for column in columns]),
        covered=np.stack([part.seen.covered for part in parts]),
        cell=cell,
        begin=np.cumsum(count) - count,
        base=base,
        value=np.concatenate([row.value_m for row in rows]),
        u=np.where(known, doubt, 0.0),
        doubt=doubt,
        margin=np.concatenate([part.margin for part in parts]),
        flags=(base.ravel()[cell] & ~KNOWN) | known * KNOWN | soft * SOFT,
        known=known,
        taped=np.concatenate([part.seen.taped for part in parts]),
        limit=np.concatenate([_limits(part) for part in parts]),
    )


def _limits(part: Mapped) -> NDArray[np.float64]:
    return np.full(len(part.margin), np.nan) if part.limit is None else part.limit


class _Choice(NamedTuple):
    """Which word counts, and the row that is shown (-1 for none): shape (m, n) each."""

    settled: NDArray[np.bool_]
    use: NDArray[np.bool_]
    breach: NDArray[np.bool_]
    shown: NDArray[np.int64]


def _chosen(stack: _Stack) -> _Choice:
    shape = stack.told.shape
    tolerance = np.repeat(stack.tolerance, shape[1])[stack.cell]
    code = outcome(stack.margin, stack.u, tolerance, stack.flags)
    # What nobody knows matters only where it may be in breach, by its own doubt as well.
    spare = stack.margin > np.maximum(stack.doubt, tolerance) + EPSILON
    code = np.where(~stack.known & spare, Outcome.COMPLIANT, code)
    cells = stack.told.size
    worst = _first(
        stack.cell, np.lexsort((stack.value, stack.margin, -code.astype(np.int8), stack.cell)), cells
    )
    nearest = _first(stack.cell, np.lexsort((stack.value, ~stack.known, stack.cell)), cells)
    nearest = np.where(np.append(stack.known, np.False_)[nearest], nearest, -1)
    some = worst >= 0
    padded, padded_flags = np.append(code, Outcome.NOT_APPLICABLE), np.append(stack.flags, np.uint8(0))
    breach = some & (padded[worst] > Outcome.COMPLIANT)
    known_row = (padded_flags[worst] & KNOWN) != 0
    told, margin = stack.told.ravel(), stack.told_margin.ravel()
    passes = margin >= -np.repeat(stack.tolerance, shape[1])
    observed = stack.told_basis.ravel() == _OBSERVED
    contradicted = passes & observed & (padded[worst] == Outcome.VIOLATION)
    settled = ((told & KNOWN) != 0) & ~contradicted
    # Where the test hangs on an attribute and the map has nothing that it is about, it concerns nobody.
    covered = stack.covered.ravel() & (((told & APPLIES) != 0) | (nearest >= 0))
    use = ~settled & np.where(breach, known_row, covered)
    # Where nobody knows what lies there, there is no value to show.
    shown = np.where(breach, np.where(known_row, worst, -1), nearest)
    return _Choice(settled.reshape(shape), use.reshape(shape), breach.reshape(shape), shown.reshape(shape))


def _first(cell: NDArray[np.int64], order: NDArray[np.intp], count: int) -> NDArray[np.int64]:
    """Return the first row of each cell in an order that goes by cell, -1 for none."""
    found = np.full(count, -1, np.int64)
    in_order = cell[order]
    first = order[np.diff(in_order, prepend=-1) != 0]
    found[cell[first]] = first
    return found


def _taken(columns: Sequence[Evidence], stack: _Stack, choice: _Choice) -> Iterator[Evidence]:
    """Yield the columns with what was chosen in its place."""
    told, shown = stack.told, choice.shown
    own = ~choice.settled
    mine = own & (shown >= 0)
    clash = own & ((told & KNOWN) != 0)
    by_map = np.where(choice.breach, np.append(stack.flags, np.uint8(0))[shown], stack.base)
    flags = np.where(choice.use, by_map | KNOWN, np.where(own, told & ~KNOWN, told))
    value = np.append(np.maximum(stack.value, 0.0), np.nan)[shown]
    limit = np.append(stack.limit, np.nan)[shown]
    basis = np.where(np.append(stack.taped, np.False_)[shown], _MEASURED, _MAP)
    fields = (
        np.where(choice.use, np.append(stack.margin, np.inf)[shown], stack.told_margin),
        np.where(mine, np.append(stack.doubt, 0.0)[shown], [column.u for column in columns]),
        np.where(clash, flags | SOFT, flags).astype(np.uint8),
        np.where(mine, value, [column.measured for column in columns]),
        np.where(mine & ~np.isnan(limit), limit, [column.limit for column in columns]),
        np.where(choice.use, basis, stack.told_basis).astype(np.int8),
        np.where(mine, shown - stack.begin[:, None], -1),
    )
    for column, margin, u, bits, measured, least, by, row in zip(columns, *fields, strict=True):
        yield column._replace(
            margin=margin, u=u, flags=bits, measured=measured, limit=least, basis=by, shown=row
        )
