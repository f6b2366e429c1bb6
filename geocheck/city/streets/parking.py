"""Reads the parking tags of a way, new schema and old, into what stands and what is banned at each kerb.

New: `parking:<side>=*`, `:orientation`, `:width`, `:restriction`, `:restriction:conditional`, `:<mode>`; old:
`parking:lane:<side>=*`, `parking:condition:<side>=*`. Left and right are those of the drawn direction; a
side's own tag beats that of `both`, key by key. Source, as facts: the OSM wiki on street parking.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal

from geocheck.city.streets.conditional import (
    Bound,
    Clause,
    bind,
    hours_understood,
    read_clauses,
    turned_hours,
)
from geocheck.city.streets.quantities import Refusal, Refused, in_range, read_length

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Side = Literal["left", "right"]


class Position(StrEnum):
    """Where cars stand, seen from the carriageway."""

    UNKNOWN = "unknown"
    NO = "no"
    LANE = "lane"
    HALF_ON_KERB = "half_on_kerb"
    ON_KERB = "on_kerb"
    STREET_SIDE = "street_side"
    SHOULDER = "shoulder"
    SEPARATE = "separate"


class Orientation(StrEnum):
    """How cars stand to the kerb."""

    UNKNOWN = "unknown"
    PARALLEL = "parallel"
    DIAGONAL = "diagonal"
    PERPENDICULAR = "perpendicular"


class Ban(StrEnum):
    """What a sign or marking at the kerb forbids, in OSM's words."""

    NO_STOPPING = "no_stopping"
    NO_STANDING = "no_standing"
    NO_PARKING = "no_parking"
    LOADING_ONLY = "loading_only"
    CHARGING_ONLY = "charging_only"


@dataclass(frozen=True, slots=True)
class KerbParking:
    """Parking at one kerb.

    Attributes:
        position: where cars stand; `unknown` where nobody says. `no` is a fact, not a signed ban.
        orientation: how they stand.
        width_m: of the parking lane, as tagged; None without a tag.
        bans: what is forbidden: `Bound.word` is a `Ban`, `hours` those in which it binds (None: always).
        reserved: for whom the kerb is kept: `Bound.word` is a mode (`taxi`, `disabled`, `bus`, …).
    """

    position: Position = Position.UNKNOWN
    orientation: Orientation = Orientation.UNKNOWN
    width_m: float | None = None
    bans: tuple[Bound, ...] = ()
    reserved: tuple[Bound, ...] = ()


@dataclass(frozen=True, slots=True)
class Parking:
    """Parking on both sides of a way, and the tags that were not used."""

    left: KerbParking
    right: KerbParking
    refused: tuple[Refused, ...]


SMALLEST_PARKING_M: Final = 1.0
LARGEST_PARKING_M: Final = 12.0
"""Plausible width of a parking lane: from motorcycles to lorries at right angles."""

_MODES: Final = (
    "taxi",
    "disabled",
    "bus",
    "tourist_bus",
    "coach",
    "goods",
    "hgv",
    "motorcycle",
    "emergency",
    "police",
    "fire_brigade",
    "ambulance",
    "diplomat",
    "car_sharing",
    "bicycle",
)
"""Modes for which `parking:<side>:<mode>=designated` keeps a kerb."""

_NEW_POSITIONS: Final = {
    **{position.value: position for position in Position if position is not Position.UNKNOWN},
    "yes": Position.UNKNOWN,
}
_ORIENTATIONS: Final = {
    **{each.value: each for each in Orientation if each is not Orientation.UNKNOWN},
    "inline": Orientation.PARALLEL,
    "orthogonal": Orientation.PERPENDICULAR,
}
_OLD_POSITIONS: Final = {
    "on_street": Position.LANE,
    "painted_area_only": Position.LANE,
    "half_on_kerb": Position.HALF_ON_KERB,
    "on_kerb": Position.ON_KERB,
    "street_side": Position.STREET_SIDE,
    "lay_by": Position.STREET_SIDE,
    "shoulder": Position.SHOULDER,
}
_OLD_LANES: Final = {
    **dict.fromkeys(("no", *Ban, "fire_lane"), Position.NO),
    **dict.fromkeys(("separate", "drawn_separately"), Position.SEPARATE),
    **dict.fromkeys(("yes", "marked", "unknown"), Position.UNKNOWN),
}
_BANS: Final = {
    **{ban.value: ban.value for ban in Ban},
    "fire_lane": Ban.NO_STOPPING.value,
    "loading": Ban.LOADING_ONLY.value,
    "delivery": Ban.LOADING_ONLY.value,
    "charging": Ban.CHARGING_ONLY.value,
}
_NO_BAN: Final = "none"
_OLD_FREE: Final = frozenset(
    {_NO_BAN, "free", "ticket", "disc", "residents", "customers", "private", "unknown"}
)
_OLD_MODES: Final = {**{mode: mode for mode in _MODES}, "wheelchair": "disabled", "carsharing": "car_sharing"}


def read_parking(tags: Mapping[str, str]) -> Parking:
    """Read the parking tags of a way."""
    if not any(key.startswith("parking:") for key in tags):
        return _NOTHING
    left, right = _KerbReader(tags, "left"), _KerbReader(tags, "right")
    # Read first: what a side refuses is known only afterwards.
    kerbs = left.kerb(), right.kerb()
    return Parking(*kerbs, tuple(dict.fromkeys(left.refused + right.refused)))


_NOTHING: Final = Parking(KerbParking(), KerbParking(), ())


@dataclass(slots=True)
class _KerbReader:
    """Reads the tags that concern one kerb and notes those it refuses."""

    tags: Mapping[str, str]
    side: Side
    refused: list[Refused] = field(default_factory=list)

    def kerb(self) -> KerbParking:
        position, orientation = self._where()
        width_m = self._width_m()
        new, old = self._new_bans(), self._old_bans()
        bans, reserved = new
        if not any(self._key(f"parking:{{}}:restriction{tail}") for tail in ("", ":conditional")):
            bans = old[0]
        elif {each.word for each in old[0]} - {each.word for each in bans}:
            key = self._key("parking:condition:{}") or self._key("parking:lane:{}")
            self._refuse(key, Refusal.CONTRADICTORY)
        return KerbParking(position, orientation, width_m, bans, reserved or old[1])

    def _key(self, pattern: str) -> str | None:
        """Return the key in which the side's own or the common value stands."""
        keys = (pattern.format(self.side), pattern.format("both"))
        return next((key for key in keys if key in self.tags), None)

    def _value(self, pattern: str) -> str | None:
        key = self._key(pattern)
        return None if key is None else self.tags[key].strip()

    def _refuse(self, key: str | None, reason: Refusal) -> None:
        if key is not None:
            self.refused.append(Refused(key, self.tags[key], reason))

    def _where(self) -> tuple[Position, Orientation]:
        value = self._value("parking:{}")
        if value is None:
            return self._old_where()
        if value in _ORIENTATIONS:
            return Position.LANE, _ORIENTATIONS[value]
        position = _NEW_POSITIONS.get(value, Position.UNKNOWN)
        if value not in _NEW_POSITIONS:
            self._refuse(self._key("parking:{}"), Refusal.LIST if ";" in value else Refusal.UNKNOWN_WORD)
        way = self._value("parking:{}:orientation")
        if way is not None and way not in _ORIENTATIONS:
            reason = Refusal.LIST if ";" in way else Refusal.UNKNOWN_WORD
            self._refuse(self._key("parking:{}:orientation"), reason)
        return position, _ORIENTATIONS.get(way or "", Orientation.UNKNOWN)

    def _old_where(self) -> tuple[Position, Orientation]:
        value = self._value("parking:lane:{}")
        orientation = _ORIENTATIONS.get(value or "", Orientation.UNKNOWN)
        if value is None or value in _OLD_LANES:
            return _OLD_LANES.get(value or "", Position.UNKNOWN), orientation
        if value not in _ORIENTATIONS:
            self._refuse(self._key("parking:lane:{}"), Refusal.LIST if ";" in value else Refusal.UNKNOWN_WORD)
            return Position.UNKNOWN, orientation
        detail = f"parking:lane:{{}}:{value}"
        place = self._value(detail)
        if place is not None and place not in _OLD_POSITIONS:
            self._refuse(self._key(detail), Refusal.UNKNOWN_WORD)
        return _OLD_POSITIONS.get(place or "", Position.LANE), orientation

    def _width_m(self) -> float | None:
        for pattern in ("parking:{}:width", "parking:lane:{}:width"):
            key = self._key(pattern)
            if key is None:
                continue
            length = in_range(read_length(self.tags[key]), SMALLEST_PARKING_M, LARGEST_PARKING_M)
            if length.refusal is None:
                return length.metres
            self._refuse(key, length.refusal)
        return None

    def _new_bans(self) -> tuple[tuple[Bound, ...], tuple[Bound, ...]]:
        def ban(word: str) -> str | None:
            return _NO_BAN if word == _NO_BAN else _BANS.get(word)

        clauses = self._clauses("parking:{}:restriction", ban)
        clauses += self._clauses("parking:{}:restriction:conditional", ban)
        reserved: list[Bound] = []
        for mode in _MODES:

            def kept(word: str, mode: str = mode) -> str:
                return mode if word == "designated" else _NO_BAN

            both = self._clauses(f"parking:{{}}:{mode}", kept)
            both += self._clauses(f"parking:{{}}:{mode}:conditional", kept)
            reserved += _without_none(bind(both))
        return _without_none(bind(clauses)), tuple(reserved)

    def _old_bans(self) -> tuple[tuple[Bound, ...], tuple[Bound, ...]]:
        def meaning(word: str) -> str | None:
            return _NO_BAN if word in _OLD_FREE else _BANS.get(word) or _OLD_MODES.get(word)

        clauses = self._clauses("parking:condition:{}:default", meaning)
        for number in ("", ":2", ":3", ":4"):
            stem = f"parking:condition:{{}}{number}"
            said = self._clauses(stem, meaning)
            hours = self._value(f"{stem}:time_interval")
            if hours is not None:
                self._check_hours(self._key(f"{stem}:time_interval"), hours)
                said = [Clause(each.word, each.condition or hours) for each in said]
            clauses += said
        clauses += self._clauses("parking:condition:{}:conditional", meaning)
        # A lane that is itself a ban (`parking:lane:right=no_stopping`) stands beside what conditions say.
        lane = _BANS.get(self._value("parking:lane:{}") or "")
        bound = ((Bound(lane, None),) if lane else ()) + _without_none(bind(clauses))
        bans = tuple(dict.fromkeys(each for each in bound if each.word in _BANS))
        return bans, tuple(each for each in bound if each.word not in _BANS)

    def _clauses(self, pattern: str, meaning: Callable[[str], str | None]) -> list[Clause]:
        key = self._key(pattern)
        if key is None:
            return []
        found = []
        for clause in read_clauses(self.tags[key]):
            word = meaning(clause.word)
            if word is None:
                self._refuse(key, Refusal.UNKNOWN_WORD)
                continue
            if clause.condition is not None:
                self._check_hours(key, clause.condition, exception=word == _NO_BAN)
            found.append(Clause(word, clause.condition))
        return found

    def _check_hours(self, key: str | None, hours: str, *, exception: bool = False) -> None:
        if not (turned_hours(hours) if exception else hours_understood(hours)):
            self._refuse(key, Refusal.UNKNOWN_CONDITION)


def _without_none(bound: tuple[Bound, ...]) -> tuple[Bound, ...]:
    return tuple(each for each in bound if each.word != _NO_BAN)
