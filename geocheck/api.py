"""The public calls: check one placement, or many of one city."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from geocheck.check.pipeline import run
from geocheck.check.sight.index import index_of
from geocheck.errors import InputError
from geocheck.law.sanction_inputs import NO_INPUTS
from geocheck.law.versions import city_law
from geocheck.report.build import reports_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.law.sanction_inputs import SanctionInputs
    from geocheck.law.versions import CityLaw
    from geocheck.model.report import Report
    from geocheck.model.request import Request


def check(
    request: Request,
    *,
    bundle: Bundle | None = None,
    now: dt.datetime | None = None,
    rulebook: str | None = None,
    inputs: SanctionInputs = NO_INPUTS,
) -> Report:
    """Check one placement on a city's map, or from what its user measured, observed and declared alone.

    Args:
        request: validated (see `parse_request`).
        bundle: the city's map; none: only the user's word counts.
        now: aware instant of the check; the present when none is given.
        rulebook: id of the one of the city's rulebooks to apply; all of them when none is given.
        inputs: dated fiscal units and index factors for the fines.

    Raises:
        UnknownNameError: there is no such city or rulebook.
        DataFileError: a city sheet or rulebook has problems.
        InputError: a field of the request cannot be read, the spot lies outside the city, or the bundle is of
            another city.
    """
    return check_many([request], bundle=bundle, now=now, rulebook=rulebook, inputs=inputs)[0]


def check_many(
    requests: Sequence[Request],
    *,
    bundle: Bundle | None = None,
    now: dt.datetime | None = None,
    rulebook: str | None = None,
    inputs: SanctionInputs = NO_INPUTS,
) -> list[Report]:
    """Check many placements of one city; the reports come in the order of the requests.

    Raises:
        InputError: the requests are of several cities; else as `check`.
    """
    if not requests:
        return []
    cities = {request.city for request in requests}
    if len(cities) > 1:
        raise InputError("city", f"um lote é de uma cidade só; vieram: {', '.join(sorted(cities))}")
    law = city_law(requests[0].city)
    if rulebook is not None:
        law = law.only(rulebook)
    return check_under(law, requests, bundle=bundle, now=now, inputs=inputs)


def check_under(
    law: CityLaw,
    requests: Sequence[Request],
    *,
    bundle: Bundle | None = None,
    now: dt.datetime | None = None,
    inputs: SanctionInputs = NO_INPUTS,
) -> list[Report]:
    """Check placements under a law that is loaded already, whatever name their requests give the city.

    Raises:
        InputError: as `check`.
    """
    index = None if bundle is None else index_of(bundle, law.city)
    reports: dict[int, Report] = {}
    for checked in run(requests, law, now or dt.datetime.now(dt.UTC), index):
        reports |= zip(checked.rows, reports_of(checked, inputs), strict=True)
    return [reports[number] for number in range(len(requests))]
