"""What would mend a rule, in pt-BR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from geocheck.model.words import Outcome
from geocheck.report import wording
from geocheck.report.looking import settles, told

if TYPE_CHECKING:
    from geocheck.check.evidence import Evidence
    from geocheck.check.remedy import Move

_WAYS: Final = {"ahead": "no sentido do tráfego", "back": "no sentido contrário ao do tráfego"}


def remedy_text(move: Move, column: Evidence, row: int, outcome: Outcome) -> str:
    """Say how to mend a rule, and, where it is not sure to be broken, what to measure instead."""
    if move.way == "kerb":
        text = f"ponha-a paralela à guia, a {wording.metres(move.least_m)} dela"
    else:
        most = "" if move.most_m is None else f" (até {_tenths(move.most_m)} m)"
        text = f"afaste pelo menos {_tenths(move.least_m)} m {_WAYS[move.way]}{most}"
    return f"{text}, ou {told(settles(column, row))}" if outcome is Outcome.BORDERLINE else text


def _tenths(metres: float) -> str:
    return wording.number(metres, 1)
