"""The one pipeline: requests of a city in, judged columns out; one placement is a batch of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.check.answers import answer
from geocheck.check.answers.lots import named_lots
from geocheck.check.bind import bind
from geocheck.check.columns import placements_of
from geocheck.check.judge import outcome, verdicts, worst_of_groups
from geocheck.check.question import Question
from geocheck.check.sight.sight import Sight
from geocheck.check.sight.zones import zone_state
from geocheck.check.stay import stays_of, with_end
from geocheck.check.weigh import weigh
from geocheck.errors import InputError, UnknownNameError
from geocheck.law.calendar import calendar_of
from geocheck.law.clock import zone_clock
from geocheck.law.versions import status_on
from geocheck.model.words import ZONES, Outcome, Place

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from geocheck.check.bind import Bound, BoundRule
    from geocheck.check.columns import Placements
    from geocheck.check.evidence import Evidence
    from geocheck.check.sight.index import MapIndex
    from geocheck.check.stay import Stays
    from geocheck.cities import City
    from geocheck.law.versions import CityLaw
    from geocheck.model.request import Request

DEFAULT_PLACE: Final = Place.CARRIAGEWAY
"""Where a skip is taken to stand when nobody says: where the law is strictest about the street."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer for n placements under the same versions of the law, as codes and numbers.

    Attributes:
        law: city and rulebooks.
        day: local date whose versions were applied (that of the placing).
        evaluated_at: aware, when the check was made.
        rows: for each placement, its position in what was asked.
        placements: the columns.
        rules: the bound rules, m of them.
        columns: evidence by test, those of a rule side by side.
        span: for each rule, the numbers of its columns.
        outcomes: placements × columns.
        findings: outcome by placement × rule.
        decider: the column that decides each finding.
        critical: whether not knowing a finding leaves the verdict open, placement × rule.
        displaced: for each finding, the number of the rule that absorbs it, −1 for none.
        verdict: by placement.
        stays: deadlines.
        sight: what the map shows of the placements, None where no map was given.
    """

    law: CityLaw
    day: dt.date
    evaluated_at: dt.datetime
    rows: tuple[int, ...]
    placements: Placements
    rules: tuple[BoundRule, ...]
    columns: tuple[Evidence, ...]
    span: tuple[range, ...]
    outcomes: NDArray[np.uint8]
    findings: NDArray[np.uint8]
    decider: NDArray[np.intp]
    critical: NDArray[np.bool_]
    displaced: NDArray[np.intp]
    verdict: NDArray[np.object_]
    stays: Stays
    sight: Sight | None

    def missing_acts(self, row: int) -> frozenset[str]:
        """Return the rules whose act a placement needs and does not hold."""
        return frozenset(
            column.question.rule.rule.id
            for column in self.columns
            if column.act is not None and column.act.needed[row] and not column.act.held[row]
        )


def run(
    requests: Sequence[Request], law: CityLaw, now: dt.datetime, index: MapIndex | None = None
) -> Iterator[Checked]:
    """Check placements of one city, grouped by the day whose law applies to them.

    Args:
        requests: validated; in any order.
        law: the city's.
        now: aware instant of the check, and start of placements that name none.
        index: the map of the city; None to judge from the user's word alone.

    Yields:
        One `Checked` a group; `rows` tells whose it is.

    Raises:
        InputError: a spot lies outside the city, a rule listed does not exist, or a time or the hours of
            a sign cannot be read.
    """
    known_rules = frozenset(rule.id for book in law.books for rule in book.book.rule)
    for request in requests:
        _inside(request, law.city)
        _known(request, known_rules)
    clock = zone_clock(law.city.time_zone)
    everything = placements_of(requests, now, clock, DEFAULT_PLACE)
    days = everything.start.astype("datetime64[D]").tolist()
    bound = {day: bind(law, day) for day in sorted(set(days))}
    groups: dict[tuple[object, ...], list[int]] = {}
    for row, day in enumerate(days):
        groups.setdefault(_versions(law, day), []).append(row)
    for rows in groups.values():
        yield _check(law, bound[days[rows[0]]], everything.take(rows), tuple(rows), now, index)


def _inside(request: Request, city: City) -> None:
    bounds, lon, lat = city.bounds, request.lon, request.lat
    if lon is None or lat is None:
        return
    if not (bounds.west <= lon <= bounds.east and bounds.south <= lat <= bounds.north):
        swapped = bounds.west <= lat <= bounds.east and bounds.south <= lon <= bounds.north
        hint = "; lon e lat parecem trocadas" if swapped else "; confira a cidade e as coordenadas"
        raise InputError("lon", f"({lon:g}, {lat:g}) fica fora de {city.name}{hint}")


def _known(request: Request, rules: frozenset[str]) -> None:
    for field in ("authorised", "declared"):
        for rule_id in getattr(request, field):
            if rule_id not in rules:
                raise UnknownNameError(field, rule_id, rules)


def _versions(law: CityLaw, day: dt.date) -> tuple[object, ...]:
    """Name the versions of the law on a day, and their status: placements with the same go together."""
    books = [*law.own_on(day), *filter(None, [law.fallback])]
    statuses = [(book.id, status_on(book.book.rulebook, day)) for book in books]
    return (
        *statuses,
        *((book.id, rule.id, rule.in_force_from) for book in books for rule in book.book.on(day)),
    )


def _check(
    law: CityLaw,
    bound: Bound,
    placements: Placements,
    rows: tuple[int, ...],
    now: dt.datetime,
    index: MapIndex | None,
) -> Checked:
    calendar, clock = calendar_of(law.city), zone_clock(law.city.time_zone)
    sight = None
    if index is not None:
        sight = Sight(placements, index, law.city.max_footway_m)
        placements = replace(placements, mapped_zones=_zones(sight))
        lots = sight.layer("lot") if any(request.lot for request in placements.requests) else None
        if lots is not None:
            named_lots(placements, lots)  # a lot that is not there is told, whether or not a rule asks for it
    stays = stays_of(placements, bound.rules, calendar, clock)
    placements = with_end(placements, stays)
    asked = [
        Question(rule, number, test, bits, placements, law.city, calendar, clock, bound.permits, sight)
        for number, rule in enumerate(bound.rules)
        for test, bits in zip(rule.tests, rule.bits, strict=True)
    ]
    columns = weigh([column for question in asked for column in answer(question)])
    margin = _matrix([column.margin for column in columns], placements)
    u = _matrix([column.u for column in columns], placements)
    flags = _matrix([column.flags for column in columns], placements).astype(np.uint8)
    outcomes = outcome(margin, u, np.array([column.tolerance for column in columns]), flags)
    group = [column.question.number for column in columns]
    edges = np.searchsorted(group, np.arange(len(bound.rules) + 1)).tolist()
    span = tuple(range(first, last) for first, last in pairwise(edges))
    stricter = np.array([column.question.test.reading != "primary" for column in columns], bool)
    findings, decider = worst_of_groups(outcomes, margin, span, stricter)
    critical = _critical(bound, columns, outcomes)
    missing = _act_missing(columns, len(placements))
    return Checked(
        law,
        placements.start[0].astype("datetime64[D]").item(),
        now,
        rows,
        placements,
        bound.rules,
        columns,
        span,
        outcomes,
        findings,
        decider,
        critical,
        _displaced(bound, findings, placements),
        verdicts(findings, critical, bound.counts, missing),
        stays,
        sight,
    )


def _matrix(columns: Sequence[NDArray[Any]], placements: Placements) -> NDArray[Any]:
    """Return columns side by side, placements × columns; there may be none."""
    return np.array(columns).reshape(len(columns), len(placements)).T


def _zones(sight: Sight) -> dict[str, NDArray[np.int8]]:
    held = [zone for zone in ZONES if sight.layer(zone) is not None]
    return {zone: zone_state(sight, zone) for zone in held}


def _critical(bound: Bound, columns: Sequence[Evidence], outcomes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell, by placement and rule, whether not knowing it leaves the verdict open.

    A rule that is not critical may hold a test that is (whether a skip on the footway is inside a hoarding).
    """
    critical = np.tile(bound.critical, (len(outcomes), 1))
    for index, column in enumerate(columns):
        if column.critical:
            code = outcomes[:, index]
            critical[:, column.question.number] |= (code == Outcome.NOT_EVALUATED) | (
                code == Outcome.BORDERLINE
            )
    return critical


def _act_missing(columns: Sequence[Evidence], n: int) -> NDArray[np.bool_]:
    missing = np.zeros(n, bool)
    for column in columns:
        if column.act is not None and column.question.rule.counts:
            missing |= column.act.needed & ~column.act.held
    return missing


def _displaced(bound: Bound, findings: NDArray[np.uint8], placements: Placements) -> NDArray[np.intp]:
    """Find, for each finding, a rule whose violation absorbs it."""
    displaced = np.full(findings.shape, -1, np.intp)
    for absorbed, by, places in bound.absorbers:
        here = places[placements.place] & (findings[:, by] == Outcome.VIOLATION)
        displaced[here & (findings[:, absorbed] > Outcome.COMPLIANT), absorbed] = by
    return displaced
