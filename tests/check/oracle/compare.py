"""The pipeline beside the oracle: every column of every test that looks at a map, and the zones."""

from __future__ import annotations

import datetime as dt
import random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geocheck.check.pipeline import run
from geocheck.check.sight.city_map import CityMap
from geocheck.check.sight.index import MapIndex
from geocheck.cities import load_city
from geocheck.law.calendar import calendar_of
from geocheck.law.kinds.base import TOPICS
from geocheck.law.versions import CityLaw, city_law
from geocheck.model.words import ZONES, Outcome
from tests.check.oracle.answers import Oracle
from tests.check.oracle.kerbs import Kerbs
from tests.check.oracle.rows import Sights
from tests.check.oracle.stand import Stand, stands
from tests.check.oracle.throws import Thrower
from tests.check.oracle.world import World

if TYPE_CHECKING:
    from geocheck.check.columns import Placements
    from geocheck.check.pipeline import Checked
    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.request import Request
    from tests.check.oracle.judge import Answer

NOW = dt.datetime(2026, 8, 3, 12, 0, tzinfo=dt.UTC)
CLOSE_M = 0.001
NUDGES_M = (0.0, 1e-6, -1e-6)
"""A value at its limit may fall on either side of it by binary fractions alone."""

ON_THE_MAP = [
    "min_distance",
    "max_distance",
    "distance_range",
    "interval_exclusion",
    "exclusion_zone",
    "frontage_exclusion",
    "unquantified_proximity",
    "side_of_feature",
]


class Difference(NamedTuple):
    """Where the two do not agree."""

    request: Request
    what: str
    pipeline: str
    oracle: str


class Scene:
    """A bundle with its oracle, judged by the laws of three cities and the federal code at once."""

    def __init__(self, bundle: Bundle, city: City) -> None:
        self.law = law_of(city)
        self.index = MapIndex(CityMap(bundle))
        self.world = World(bundle.folder, city.max_footway_m)
        self.kerbs = Kerbs(self.world)
        self.sights = Sights(self.world, self.kerbs)
        self.calendar = calendar_of(city)

    def thrown(self, count: int, seed: str) -> list[Request]:
        """Return so many random placements."""
        return Thrower(self.world, self.kerbs, self.law.city.id, seed).requests(count)

    def tied(self) -> list[Request]:
        """Return placements where kerbs tie: on the axes, at their bends, at the vertices of kerbs."""
        return Thrower(self.world, self.kerbs, self.law.city.id, "tied").tied()

    def checked(self, requests: list[Request]) -> Checked:
        """Return the pipeline's answer."""
        (found,) = run(requests, self.law, NOW, self.index)
        return found

    def differences(
        self, requests: list[Request], rules: int | None = None, seed: str = ""
    ) -> list[Difference]:
        """Compare all placements; of each so many rules, or all.

        Each placement is looked at by its own draw of rules.
        """
        checked = self.checked(requests)
        dice = random.Random(seed)  # noqa: S311 - no secret
        mapped = [
            number
            for number, rule in enumerate(checked.rules)
            if any(test.kind in ON_THE_MAP for test in rule.tests)
        ]
        found = []
        for row, request in enumerate(requests):
            chosen = mapped if rules is None else dice.sample(mapped, rules)
            zones = [zone for zone in ZONES if rules is None or dice.random() < 0.2]
            # Where kerbs tie, one of the stands must give all answers.
            best: list[Difference] | None = None
            found_at: list[Stand | None] = [*stands(request, self.world, self.kerbs)]
            for stand in found_at or [None]:
                wrong = self._wrong(checked, row, stand, chosen, zones)
                best = wrong if best is None or len(wrong) < len(best) else best
                if not best:
                    break
            found += best or []
        return found

    def _wrong(
        self, checked: Checked, row: int, stand: Stand | None, rules: list[int], zones: list[str]
    ) -> list[Difference]:
        request = checked.placements.requests[row]
        oracle = Oracle(request, stand, self.sights, self.calendar)
        found = []
        for number in rules:
            rule = checked.rules[number]
            columns = list(checked.span[number])
            worst = []
            for test in rule.tests:
                own = [index for index in columns if checked.columns[index].question.test is test]
                if test.kind not in ON_THE_MAP:
                    worst += [int(checked.outcomes[row, index]) for index in own]
                    continue
                name = f"{rule.rule.id} {test.kind} {test.reading} {test.layers}"
                wrong, codes = self._test(checked, row, own, oracle, (rule.rule, test))
                found += [Difference(request, f"{name} [{at}]", one, two) for at, one, two in wrong]
                worst += codes
            if not found and int(checked.findings[row, number]) != max(worst):
                found.append(
                    Difference(request, rule.rule.id, str(checked.findings[row, number]), str(max(worst)))
                )
        for zone in zones:
            found += self._zone(checked.placements, row, oracle, zone)
        return found

    def _test(self, checked: Checked, row: int, own: list[int], oracle: Oracle, asked: tuple) -> tuple:  # type: ignore[type-arg]
        best: list[tuple[int, str, str]] = []
        codes: list[int] = []
        for nudge in NUDGES_M:
            oracle.nudge_m = nudge
            answers = oracle.answers(*asked)
            assert len(answers) == len(own), asked
            wrong = [
                (at, self._shown(checked, row, index), str(answer))
                for at, (index, answer) in enumerate(zip(own, answers, strict=True))
                if not _agree(checked, row, index, answer)
            ]
            if nudge == 0.0 or not wrong:
                best, codes = wrong, [int(answer.outcome) for answer in answers]
            if not wrong:
                break
        oracle.nudge_m = 0.0
        return best, codes

    def _shown(self, checked: Checked, row: int, index: int) -> str:
        column = checked.columns[index]
        code = Outcome(int(checked.outcomes[row, index])).code
        return f"{code} measured={column.measured[row]} u={column.u[row]} margin={column.margin[row]}"

    def _zone(self, placements: Placements, row: int, oracle: Oracle, zone: str) -> list[Difference]:
        mapped = placements.mapped_zones.get(zone)
        if self.world.layer(zone) is None:
            assert mapped is None
            return []
        assert mapped is not None
        answers = set()
        for nudge in NUDGES_M:
            oracle.nudge_m = nudge
            answers.add(oracle.zone(zone))
        oracle.nudge_m = 0.0
        got = int(mapped[row])
        return [] if got in answers else [Difference(oracle.request, f"zone {zone}", str(got), str(answers))]


def _agree(checked: Checked, row: int, index: int, answer: Answer) -> bool:
    """Whether outcome, value and doubt are the same; of what does not concern the place, the first alone."""
    column = checked.columns[index]
    if int(checked.outcomes[row, index]) != answer.outcome:
        return False
    if answer.outcome == Outcome.NOT_APPLICABLE:
        return True
    measured, u = float(column.measured[row]), float(column.u[row])
    if answer.shown is None:
        return bool(np.isnan(measured))
    return any(
        abs(measured - value) <= CLOSE_M and abs(u - doubt) <= CLOSE_M for value, doubt in answer.shown
    )


def law_of(city: City) -> CityLaw:
    """Return the laws of three cities together, and the federal code on all topics, for one city's map."""
    laws = [city_law(name) for name in ("goiania", "juiz-de-fora", "dois-vizinhos")]
    fallback = load_city("goiania").fallback
    assert fallback is not None
    heard = fallback.model_copy(update={"topics": TOPICS[::2], "silenced": (), "imported_by": None})
    sheet = city.model_copy(update={"fallback": heard})
    return CityLaw(sheet, tuple(book for law in laws for book in law.own), laws[0].fallback)
