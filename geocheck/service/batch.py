"""`POST /v1/checks/batch`: many placements in (JSON, GeoJSON, CSV), a line of NDJSON or CSV out for each."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from geocheck.api import check_under
from geocheck.errors import GeocheckError, InputError
from geocheck.service.body import parsed, require_type, wanted
from geocheck.service.checks import placement_of
from geocheck.service.problems import errors_of
from geocheck.service.rows import Row, rows_of_csv, rows_of_json
from geocheck.service.schema import BATCH_ANSWERS, BATCH_BODY
from geocheck.service.state import Shared, Sharing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from geocheck.law.versions import CityLaw
    from geocheck.model.report import Report
    from geocheck.model.request import Request as Placement
    from geocheck.service.store import Loaded

NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"

_TOGETHER: Final = 100
"""Placements judged at once: so many lines come at a time."""

_DANGEROUS: Final = ("=", "+", "-", "@", "\t", "\r")
"""Text that begins so is a formula to a spreadsheet."""

_NUMBER: Final = re.compile(r"-?\d{1,30}([.,]\d{1,30})?|")
"""A cell of a column of numbers; such a column stays one."""

routes = APIRouter(prefix="/v1")


class Answer(NamedTuple):
    """What became of a row: its report, or what is wrong with it."""

    row: Row
    report: Report | None
    error: GeocheckError | None


@routes.post("/checks/batch", responses=BATCH_ANSWERS, openapi_extra=BATCH_BODY)
async def batch(request: Request, shared: Sharing) -> StreamingResponse:
    """Check many placements of any cities; a row that cannot be checked says why, in its place."""
    kind = wanted(request, (NDJSON, CSV))
    body = require_type(request, ("application/json", "application/geo+json", CSV))
    text = await request.body()
    rows = rows_of_csv(text) if body == CSV else rows_of_json(parsed(text))
    if len(rows) > shared.settings.batch_rows:
        most = shared.settings.batch_rows
        raise InputError(
            "pedido", f"{len(rows)} linhas passam de {most}; use geocheck batch, ou divida o lote"
        )
    write = _csv_writer(rows) if kind == CSV else _ndjson
    first = await shared.heavy.run(partial(_checked, rows[:_TOGETHER], shared))
    return StreamingResponse(_lines(rows, first, write, shared), media_type=kind)


async def _lines(
    rows: Sequence[Row],
    first: list[Answer],
    write: Callable[[Sequence[Answer]], str],
    shared: Shared,
) -> AsyncIterator[str]:
    yield write(first)
    for start in range(_TOGETHER, len(rows), _TOGETHER):
        part = rows[start : start + _TOGETHER]
        yield write(await shared.heavy.run_on(partial(_checked, part, shared)))


def _checked(rows: Sequence[Row], shared: Shared) -> list[Answer]:
    """Check some rows, those of each city together; one that fails does not fail the others."""
    found: dict[int, Answer] = {}
    by_city: dict[str, list[tuple[Row, Placement]]] = {}
    laws: dict[str, CityLaw] = {}
    for row in rows:
        try:
            law, placement = placement_of(row.request, shared)
        except GeocheckError as error:
            found[row.number] = Answer(row, None, error)
        else:
            laws[placement.city] = law
            by_city.setdefault(placement.city, []).append((row, placement))
    for city, pairs in by_city.items():
        found |= _of_city(laws[city], pairs, shared.store.of(city))
    return [found[row.number] for row in rows]


def _of_city(
    law: CityLaw, pairs: Sequence[tuple[Row, Placement]], loaded: Loaded | None
) -> dict[int, Answer]:
    """Check the rows of one city together; where one of them is wrong, each by itself."""
    bundle = None if loaded is None else loaded.bundle
    try:
        reports = check_under(law, [placement for _, placement in pairs], bundle=bundle)
    except GeocheckError as error:
        if len(pairs) == 1:
            return {pairs[0][0].number: Answer(pairs[0][0], None, error)}
        alone = [_of_city(law, [pair], loaded) for pair in pairs]
        return {number: answer for each in alone for number, answer in each.items()}
    return {row.number: Answer(row, report, None) for (row, _), report in zip(pairs, reports, strict=True)}


def _ndjson(answers: Sequence[Answer]) -> str:
    lines = []
    for row, report, error in answers:
        head = f'{{"row":{row.number},"id":{json.dumps(row.id, ensure_ascii=False)}'
        if report is not None:
            lines.append(f'{head},"report":{report.model_dump_json()}}}\n')
        elif error is not None:
            told = {"detail": str(error), "errors": errors_of(error)}
            lines.append(f'{head},"error":{json.dumps(told, ensure_ascii=False)}}}\n')
    return "".join(lines)


def _csv_writer(rows: Sequence[Row]) -> Callable[[Sequence[Answer]], str]:
    """Return a function that writes answers as lines of a table, the heading before the first."""
    own = list(dict.fromkeys(name for row in rows for name in row.carried))
    numeric = {name for name in own if all(_NUMBER.fullmatch(row.carried.get(name, "")) for row in rows)}
    heading = ["row", "id", *own, "verdict", "summary", "violations", "leave_by", "error"]
    written: list[bool] = []

    def write(answers: Sequence[Answer]) -> str:
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\r\n")
        if not written:
            written.append(True)
            table.writerow(map(_harmless, heading))
        for row, report, error in answers:
            carried = [
                value if name in numeric else _harmless(value)
                for name, value in ((name, row.carried.get(name, "")) for name in own)
            ]
            told = ["", "", "", "", str(error)] if report is None else _told(report)
            table.writerow([row.number, _harmless(row.id), *carried, *map(_harmless, told)])
        return text.getvalue()

    return write


def _told(report: Report) -> list[str]:
    """Return what a table tells of a report: verdict, summary, rules broken, when to leave; no error."""
    broken = " ".join(each.rule for each in report.findings if each.outcome == "violation")
    return [report.verdict, report.summary, broken, report.stay.leave_by or "", ""]


def _harmless(text: str) -> str:
    """Return a text cell that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(_DANGEROUS) else text
