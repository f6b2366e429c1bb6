"""The account of a reading: what was dropped, repaired, guessed or kept though odd, counted and named."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SHOWN: Final = 10
"""So many records are named in a sentence; `Note.rows` holds them all."""


class Action(StrEnum):
    """What was done about it."""

    DROPPED = "dropped"
    REPAIRED = "repaired"
    GUESSED = "guessed"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that was found in a file.

    Attributes:
        code: stable English word for it (`"geometry_null"`).
        action: what was done.
        rows: the records concerned, counted from 1; empty when it concerns the file.
        message: pt-BR.
    """

    code: str
    action: Action
    rows: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Cleaning:
    """The account of one file.

    Attributes:
        read: records in the file, deleted ones included.
        kept: records of which something was kept.
        features: rows of the resulting frame (a collection may give several).
        notes: what was found, in the order in which it was met.
    """

    read: int
    kept: int
    features: int
    notes: tuple[Note, ...]

    def rows(self, code: str) -> tuple[int, ...]:
        """Return the records concerned by every note of that code, sorted."""
        return tuple(sorted({row for note in self.notes if note.code == code for row in note.rows}))

    @property
    def dropped(self) -> tuple[int, ...]:
        """The records of which nothing was kept, sorted."""
        return tuple(
            sorted({row for note in self.notes if note.action is Action.DROPPED for row in note.rows})
        )

    def lines(self) -> tuple[str, ...]:
        """Return the account as sentences in pt-BR."""
        return (
            f"{self.read} registro(s) no arquivo, {self.kept} aproveitado(s), {self.features} feição(ões)",
            *(note.message for note in self.notes),
        )


@dataclass(slots=True)
class Notebook:
    """Collects notes while a file is read.

    Attributes:
        notes: so far.
        labels: the code that the file itself gives a record, by record number.
    """

    notes: list[Note] = field(default_factory=list)
    labels: Mapping[int, str] = field(default_factory=dict)

    def of_file(self, code: str, action: Action, message: str) -> None:
        """Note something of the file as a whole."""
        self.notes.append(Note(code, action, (), message))

    def of_rows(self, code: str, action: Action, rows: Iterable[int], message: str) -> None:
        """Note something of records, by number; nothing when there are none."""
        every = tuple(dict.fromkeys(int(row) for row in rows))
        if every:
            self.notes.append(Note(code, action, every, message))

    def lost(self) -> bool:
        """Whether anything was left out."""
        return any(note.action is Action.DROPPED for note in self.notes)

    def told(self) -> tuple[Note, ...]:
        """Return the notes, the count and the names of their records added to each message."""
        return tuple(
            replace(note, message=f"{note.message}: {len(note.rows)} ({self._names(note.rows)})")
            if note.rows
            else note
            for note in self.notes
        )

    def _names(self, rows: tuple[int, ...]) -> str:
        """Name records in pt-BR by number and by the code that the file gives them."""
        shown = ", ".join(self._name(row) for row in rows[:_SHOWN])
        more = f" e mais {len(rows) - _SHOWN}" if len(rows) > _SHOWN else ""
        return f"{'registro' if len(rows) == 1 else 'registros'} {shown}{more}"

    def _name(self, row: int) -> str:
        label = self.labels.get(row)
        return f"{row} “{label}”" if label else str(row)
