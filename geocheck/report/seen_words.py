"""What of the map a finding shows, and how surely it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from geocheck.check.columns import BASES
from geocheck.model.words import Basis
from geocheck.report import wording

if TYPE_CHECKING:
    from geocheck.check.evidence import Evidence

_MAP: Final = BASES.index(Basis.MAP)


class Shown(NamedTuple):
    """The pair of skip and feature whose value a finding shows.

    Attributes:
        layer: of the feature.
        feature: its row, -1 where it has none.
        side_known: whether it surely belongs to the skip's kerb, and surely is what the test is about.
        soft: whether the attribute on which the test hangs is not known.
        upstream: 1 where the traffic passes it before the skip, -1 after, 0 beside it.
    """

    layer: str
    feature: int
    side_known: bool
    soft: bool
    upstream: int


def shown(column: Evidence, row: int) -> Shown | None:
    """Return what the map shows of a test at a placement; None where it shows nothing."""
    if column.mapped is None or column.shown is None or column.shown[row] < 0:
        return None
    seen, at = column.mapped.seen, int(column.shown[row])
    if seen.taped[at]:
        return None
    rows = seen.rows
    return Shown(
        seen.layer,
        int(rows.feature[at]),
        bool(rows.side_known[at]),
        bool(seen.soft[at]),
        int(rows.upstream[at]),
    )


def by_map(column: Evidence, row: int) -> bool:
    """Whether the map decides."""
    return int(column.basis[row]) == _MAP


def spread(column: Evidence, row: int) -> str:
    """Return ` ± 1,20 m` where the value is not known more surely than its tolerance, else nothing."""
    u = float(column.u[row])
    of_map = shown(column, row) is not None or by_map(column, row)
    return f" {wording.plus_minus(u)}" if of_map and column.unit == "m" and u > column.tolerance else ""
