"""Keeps account of corrections: what each was applied to, which gave way, which fits nowhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    import geopandas as gpd

    from geocheck.city.changes import Change
    from geocheck.city.corrections.rows import Correction, CorrectionFile


@dataclass(slots=True)
class Ledger:
    """The account of one file of corrections.

    Attributes:
        file: the corrections.
        applied: what each was applied to, by record.
        superseded: corrections that gave way to a newer one, by record.
        problems: corrections that fit nowhere.
    """

    file: CorrectionFile
    applied: dict[int, str] = field(default_factory=dict)
    superseded: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def lost(self, correction: Correction, message: str) -> None:
        """Note a correction that cannot be applied."""
        where = f"registro {correction.row}"
        self.problems.append(Problem(self.file.name, where, str(correction.what), message))

    def clash(self, older: Correction, newer: Correction, thing: str) -> None:
        """Note that two corrections speak of one thing: the newer wins, and of one day neither can."""
        if older.date == newer.date:
            message = f"diz o mesmo que o registro {older.row}, de mesma data ({thing}); deixe só um"
            self.lost(newer, message)
            return
        self.applied.pop(older.row, None)
        self.superseded[older.row] = f"{thing}: vale o registro {newer.row}, mais novo"

    def settle(self) -> None:
        """Stop if a correction fits nowhere.

        Raises:
            DataFileError: all of those.
        """
        if self.problems:
            raise DataFileError(self.problems)

    def changes(self, rows: Sequence[Correction]) -> tuple[Change, ...]:
        """Name corrections in the manifest."""
        told: list[Change] = []
        for row in rows:
            if row.row in self.applied:
                reason = f"correção: {self.applied[row.row]} ({row.signed})"
                told.append({"action": "repaired", "reason": reason, "count": 1})
            elif row.row in self.superseded:
                reason = f"correção substituída: {self.superseded[row.row]} ({row.signed})"
                told.append({"action": "dropped", "reason": reason, "count": 1})
        return tuple(told)

    def layer(self) -> tuple[dict[str, Any], gpd.GeoDataFrame]:
        """Return the layer `correction`: the file's rows, and what became of each."""
        row = self.file.frame["source_row"]
        status = ["applied" if int(each) in self.applied else "superseded" for each in row]
        outcome = {**self.superseded, **self.applied}
        told = [outcome.get(int(each), "") for each in row]
        return self.file.fields, self.file.frame.assign(status=status, outcome=told)


def metres(value: float) -> str:
    """Write metres in pt-BR, to the centimetre."""
    return f"{value:.2f} m".replace(".", ",")
