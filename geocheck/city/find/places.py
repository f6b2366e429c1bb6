"""Places of a bundle by what people write of them: a street and number, a lot, a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.find.looking import candidates, identified, of_plot, spots_of
from geocheck.city.find.question import FIELD, read_question, readings_of, told
from geocheck.city.wgs84 import to_lonlat
from geocheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from geocheck.city.find.index import FindIndex
    from geocheck.city.find.looking import Candidate, Kind, Spot
    from geocheck.city.find.question import Question, Reading

DECIMALS: Final = 7
"""Of degrees: 1.1 cm."""

SAME_PLACE_M: Final = 50.0
"""Things of one label that lie no farther apart are at one place (hypothesis)."""


class FoundPlace(NamedTuple):
    """A place that answers what was asked.

    Attributes:
        label: pt-BR, what it is.
        lon: longitude, WGS 84 degrees.
        lat: latitude.
        kind: what it is.
        certain: the map holds the very thing that the label names, and no other of that label elsewhere.
        exact: what was asked is its whole name and number, or its identifier; nothing was left out.
        left_out: words of what was asked that say nothing of this place, for all that the map knows.
        front: longitude and latitude of the place in its own street before it, where a skip is to be planned;
            None of a street, and where its street is not near.
    """

    label: str
    lon: float
    lat: float
    kind: Kind
    certain: bool
    exact: bool
    left_out: str
    front: tuple[float, float] | None


def places_named(index: FindIndex, text: str, limit: int = 10) -> list[FoundPlace]:
    """Return the places that answer a text, the best first; the same whatever the order of the map's rows.

    Args:
        index: of the bundle.
        text: as people write an address (“R. 10, 25”, “al rosas 120 – Centro”, “qd 12 lt 5”), or a lot's
            identifier.
        limit: places, at most.

    Raises:
        InputError: the text holds no letter or digit, or is too long to be an address.
    """
    question = read_question(text)
    spots = [*identified(index, question), *of_plot(index, question)]
    if spots:
        return _finished(index, spots, limit)
    for readings in readings_of(question.parts, index.city):
        spots = _looked_up(index, _candidates(index, readings), limit)
        if spots:
            break
    if all(spot.rank[0] for spot in spots):
        # Nothing of the very name: it may be that of another kind of street.
        spots = [*_of_any_kind(index, question, limit), *spots]
    return _finished(index, [_without_plot(spot, question) for spot in spots], limit)


def one_place(index: FindIndex, text: str) -> FoundPlace:
    """Return the only place that a text can mean.

    Raises:
        InputError: there is none, or its position is not certain, or there are several; they are listed.
    """
    found = places_named(index, text)
    sure = [place for place in found if place.certain and place.exact]
    if len(sure) == 1 and found[0] == sure[0]:
        return sure[0]
    if not found:
        raise InputError(FIELD, "o pacote não tem este endereço; confira a grafia, ou dê as coordenadas")
    listed = "; ".join(f"{place.label} ({place.lat:.6f}, {place.lon:.6f})" for place in found)
    raise InputError(FIELD, f"não diz um só lugar certo; escreva como um destes, ou dê coordenadas: {listed}")


def _candidates(index: FindIndex, readings: Iterable[Reading]) -> list[Candidate]:
    return sorted(each for order, one in enumerate(readings) for each in candidates(index, one, order))


def _looked_up(index: FindIndex, found: Iterable[Candidate], limit: int) -> list[Spot]:
    """Return the places of the best candidates, as many as are wanted or a few more."""
    spots: list[Spot] = []
    for candidate in found:
        if len(spots) >= limit:
            break
        spots += spots_of(index, candidate)
    return spots


def _of_any_kind(index: FindIndex, question: Question, limit: int) -> list[Spot]:
    """Return the places of the very name that was asked, of which people mistake the kind of street."""
    parts = question.parts
    if not parts or told(parts[0][:1]):
        return []
    rest = [part for part in (parts[0][1:], *parts[1:]) if part]
    for readings in readings_of(rest, index.city) if rest else ():
        kindless = [each._replace(kind=parts[0][:1]) for each in readings]
        whole = [each for each in _candidates(index, kindless) if not each.partial]
        if whole:
            return _looked_up(index, whole, limit)
    return []


def _without_plot(spot: Spot, question: Question) -> Spot:
    """Say that the block and lot that were asked are not in the map."""
    if question.plot is None:
        return spot
    plot = f"quadra {question.plot.block} lote {question.plot.lot}"
    return spot._replace(exact=False, left_out=f"{spot.left_out} {plot}".strip())


def _finished(index: FindIndex, spots: list[Spot], limit: int) -> list[FoundPlace]:
    """Put places in order; of one label they are one where they are near, and else none is certain."""
    ordered = sorted(spots, key=lambda spot: (spot.rank, spot.label, _away(index, spot), spot.xy))
    kept: list[Spot] = []
    for spot in ordered:
        if not any(spot.label == each.label and _apart(spot, each) <= SAME_PLACE_M for each in kept):
            kept.append(spot)
    labels = [spot.label for spot in kept]
    found = [spot._replace(certain=spot.certain and labels.count(spot.label) == 1) for spot in kept][:limit]
    if not found:
        return []
    fronts = [_front(index, spot) for spot in found]
    places = [spot.xy for spot in found] + [
        front or spot.xy for front, spot in zip(fronts, found, strict=True)
    ]
    degrees = np.round(to_lonlat(np.array(places), index.crs), DECIMALS).tolist()
    return [
        FoundPlace(spot.label, lon, lat, spot.kind, spot.certain, spot.exact, spot.left_out, front and (x, y))
        for spot, front, (lon, lat), (x, y) in zip(
            found, fronts, degrees[: len(found)], degrees[len(found) :], strict=True
        )
    ]


def _front(index: FindIndex, spot: Spot) -> tuple[float, float] | None:
    front = None if spot.street < 0 else index.lines.in_front(spot.street, np.array(spot.xy))
    return None if front is None else (float(front[0]), float(front[1]))


def _away(index: FindIndex, spot: Spot) -> float:
    return round(float(np.hypot(*(np.array(spot.xy) - index.middle))), 3)


def _apart(one: Spot, other: Spot) -> float:
    return float(np.hypot(one.xy[0] - other.xy[0], one.xy[1] - other.xy[1]))
