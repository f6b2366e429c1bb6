"""Reads OSM's conditional values (`no_parking @ (Mo-Fr 07:00-19:00)`) into rules with the hours they bind in.

The syntax: https://wiki.openstreetmap.org/wiki/Conditional_restrictions (as facts). Hours stay text in the
syntax of `opening_hours`; `PH` and nights over midnight are left to whoever knows the city's holidays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from opening_hours import OpeningHours, ParserError  # type: ignore[attr-defined] # its stub lacks it

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Clause:
    """One value and the condition under which it holds.

    Attributes:
        word: the value.
        condition: as written, without the outer brackets; None where it always holds.
    """

    word: str
    condition: str | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A value and when it holds, the clauses after it taken into account.

    Attributes:
        word: the value.
        hours: OSM `opening_hours`; None for always.
        certain: False where the value hangs on a condition that was not understood.
    """

    word: str
    hours: str | None
    certain: bool = True


_SPLIT: Final = re.compile(r";(?![^(]*\))")
_CLAUSE: Final = re.compile(r"(?P<word>[^@]*)@(?P<condition>.*)", re.DOTALL)
_WORD: Final = re.compile(r"[a-z][a-z_]*", re.ASCII)
_ENDS_CLOSED: Final = re.compile(r"\s+(?:off|closed)$")
_NOT_TO_BE_TURNED: Final = re.compile(r"\|\||\"|\b(?:off|closed|unknown|open)\b")


def read_clauses(text: str) -> tuple[Clause, ...]:
    """Split a value: `none; no_parking @ (Mo-Fr 07:00-19:00; PH off)` has two clauses.

    A part without `@` that is no word continues the hours before it, which some write without brackets.
    """
    clauses: list[Clause] = []
    for part in filter(None, (piece.strip() for piece in _SPLIT.split(text))):
        match = _CLAUSE.fullmatch(part)
        if match:
            condition = match["condition"].strip()
            bracketed = condition.startswith("(") and condition.endswith(")")
            clauses.append(Clause(match["word"].strip(), condition[1:-1].strip() if bracketed else condition))
        elif clauses and clauses[-1].condition and not _WORD.fullmatch(part):
            clauses[-1] = Clause(clauses[-1].word, f"{clauses[-1].condition}; {part}")
        else:
            clauses.append(Clause(part))
    return tuple(clauses)


@lru_cache(maxsize=4096)
def hours_understood(text: str) -> bool:
    """Tell whether a condition is nothing but hours that can be read."""
    if not text.strip():
        return False
    try:
        OpeningHours(text)
    except ParserError:
        return False
    return True


def bind(clauses: Sequence[Clause]) -> tuple[Bound, ...]:
    """Tell when each clause holds: a later clause of another word takes its hours from those before it.

    A condition that is not understood takes nothing away: a ban stands until its exception is shown to hold.
    Nor does a clause without a condition: of a plain list of bans all hold.
    """
    bound = []
    for index, clause in enumerate(clauses):
        later = [each for each in clauses[index + 1 :] if each.word != clause.word]
        if clause.condition is not None and not hours_understood(clause.condition):
            bound.append(Bound(clause.word, None, certain=False))
            continue
        exceptions = [rule for each in later if each.condition for rule in turned_hours(each.condition)]
        hours = clause.condition if clause.condition is not None or not exceptions else "24/7"
        bound.append(Bound(clause.word, "; ".join([hours, *exceptions]) if hours else None))
    return tuple(bound)


def turned_hours(hours: str) -> list[str]:
    """Return rules that close what these hours open and open what they close; none where that is not sure."""
    if not hours_understood(hours):
        return []
    turned = []
    for rule in filter(None, (piece.strip() for piece in hours.split(";"))):
        bare = _ENDS_CLOSED.sub("", rule)
        if _NOT_TO_BE_TURNED.search(bare):
            return []
        turned.append(bare if bare != rule else f"{rule} off")
    return turned if all(map(hours_understood, turned)) else []
