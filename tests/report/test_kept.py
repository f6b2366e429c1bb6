"""A finding that was made before is the one that would be made anew, whatever was asked in between."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.real_spots import observed, planned
from geocheck.check.pipeline import run
from geocheck.check.sight.index import index_of
from geocheck.law.sanction_inputs import NO_INPUTS, SanctionInputs, UnitValue
from geocheck.law.versions import city_law
from geocheck.model.request import parse_request
from geocheck.model.words import Place
from geocheck.report.findings import _finding, findings_of
from geocheck.report.kept import Keys
from tests.check.test_pipeline import varied

if TYPE_CHECKING:
    from geocheck.check.pipeline import Checked
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.request import Request

NOW = dt.datetime(2026, 8, 7, 13, tzinfo=dt.UTC)
CITIES = ("goiania", "juiz-de-fora", "dois-vizinhos", "olinda", "rio-verde")
UNIT = UnitValue(city="dois-vizinhos", brl=Decimal("4.50"), valid_from=dt.date(2020, 1, 1))
PLACES = tuple(Place)
OTHER = SanctionInputs(ufm=(UNIT,))


def _plain(requests: list[Request], dice: random.Random) -> list[Request]:
    """Leave out what was seen of most of them: only then are findings kept."""
    bare: dict[str, object] = {"observed": (), "in_zone": {}}
    return [each.model_copy(update=bare) if dice.random() < 0.8 else each for each in requests]


def _compare(checked: Checked, inputs: SanctionInputs) -> int:
    """Compare every finding with one made anew; return how many have a key."""
    count = 0
    for row in range(len(checked.rows)):
        keys = Keys(checked, row, inputs)
        for number, (_, found) in enumerate(findings_of(checked, row, inputs, {})):
            assert found == _finding(checked, row, number, inputs)
            count += keys.of(number) is not None
    return count


@pytest.mark.parametrize("city", CITIES)
def test_from_the_users_word(city: str) -> None:
    dice = random.Random(city)  # noqa: S311 - no secret
    requests = _plain(varied(city, 60), dice)
    requests += dice.choices(requests, k=30)
    for inputs in (NO_INPUTS, OTHER, NO_INPUTS):
        checked = list(run(requests, city_law(city), NOW))
        assert sum(_compare(each, inputs) for each in checked) > 200


@pytest.mark.parametrize("city", CITIES)
def test_where_little_changes(city: str) -> None:
    """The same placement at other places and days, and with another paper held: each alone may decide."""
    law = city_law(city)
    papers = [(), *((rule.id,) for book in law.own for rule in book.book.rule)]
    days = ("2004-03-01", "2011-08-05", "2013-02-07", "2022-04-04", "2026-08-07", "2031-05-05")
    told: list[dict[str, object]] = [
        {"where": where, "start": f"{day}T10:00"} for where in PLACES for day in days
    ]
    told += [{"where": "footway", "authorised": paper} for paper in papers]
    requests = [parse_request({"city": city, "measured": {"gap_m": 0.9}, **each}) for each in told]
    for inputs in (NO_INPUTS, OTHER):
        for checked in run(requests, law, NOW):
            assert _compare(checked, inputs) > 0


def test_on_a_map_and_without_it(campus: Bundle) -> None:
    draw = np.random.default_rng(3)
    requests = [each for spots in (planned, observed) for each in spots(campus, "goiania", 15, draw)]
    law = city_law("goiania")
    for index in (None, index_of(campus, law.city), None):
        for checked in run(requests, law, NOW, index):
            assert _compare(checked, NO_INPUTS) > 200
