"""Reads of each way all that its tags say of the street's width, as columns over the ways."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from geocheck.cities import StreetClass
from geocheck.city.streets.lanes import read_lanes
from geocheck.city.streets.parking import Ban, KerbParking, Orientation, Parking, Position, read_parking
from geocheck.city.streets.quantities import Refusal, Refused, in_range, read_length

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

NARROWEST_M: Final = 2.0
WIDEST_M: Final = 60.0
"""What a tag may say of a carriageway's width; anything else is a slip (case 04)."""

NARROWEST_PER_LANE_M: Final = 2.0
"""A width that leaves less for each of several lanes is the width of something else, often of one lane."""

CLASSES: Final[tuple[str, ...]] = get_args(StreetClass)
POSITIONS: Final = tuple(Position)
ORIENTATIONS: Final = tuple(Orientation)


class WidthTag(IntEnum):
    """Which tag gives the whole width, best first."""

    NONE = 0
    CARRIAGEWAY = 1
    WIDTH = 2
    ESTIMATE = 3


_WIDTH_KEYS: Final = (
    ("width:carriageway", WidthTag.CARRIAGEWAY),
    ("width", WidthTag.WIDTH),
    ("est_width", WidthTag.ESTIMATE),
)


@dataclass(frozen=True, slots=True)
class CrossSections:
    """What is tagged, as columns over w ways; sides are in the order left, right of the drawn direction.

    Attributes:
        street_class: index into `CLASSES`, −1 for a class of none of them, shape (w,).
        one_way: traffic runs one way at a time, shape (w,).
        lanes: their number, 0 where not known, shape (w,).
        lanes_sum_m: the sum of `width:lanes`, NaN where not known, shape (w,).
        drawn_at: share of the lanes' width left of the line, shape (w,).
        position: of parking, index into `POSITIONS`, shape (w, 2).
        orientation: of parking, index into `ORIENTATIONS`, shape (w, 2).
        parking_m: tagged width of the parking lane, NaN without, shape (w, 2).
        cycle_lanes: on the carriageway, one-way ones counted 1 and two-way ones 2, shape (w, 2).
        off_street: nobody parks there where no tag says so: bridge, tunnel, fast road, shape (w,).
        width_m: tagged width, NaN without a usable one, shape (w,).
        width_tag: `WidthTag` that gave it, shape (w,).
        approximate: that width was written as such, shape (w,).
        refused: by way, the tags not used.
    """

    street_class: NDArray[np.int64]
    one_way: NDArray[np.bool_]
    lanes: NDArray[np.int64]
    lanes_sum_m: NDArray[np.float64]
    drawn_at: NDArray[np.float64]
    position: NDArray[np.int64]
    orientation: NDArray[np.int64]
    parking_m: NDArray[np.float64]
    cycle_lanes: NDArray[np.int64]
    off_street: NDArray[np.bool_]
    width_m: NDArray[np.float64]
    width_tag: NDArray[np.int64]
    approximate: NDArray[np.bool_]
    refused: tuple[tuple[Refused, ...], ...]

    def __len__(self) -> int:
        return len(self.street_class)


def read_cross_sections(
    tags: Sequence[Mapping[str, str]], driving_side: Literal["right", "left"]
) -> CrossSections:
    """Read the tags of w ways; ways with equal tags are read once."""
    known: dict[tuple[tuple[str, str], ...], int] = {}
    rows: list[_Row] = []
    index = np.zeros(len(tags), dtype=np.int64)
    for way, each in enumerate(tags):
        relevant = tuple(sorted((key, value) for key, value in each.items() if key.startswith(_RELEVANT)))
        at = known.setdefault(relevant, len(rows))
        if at == len(rows):
            rows.append(_read_row(dict(relevant), driving_side))
        index[way] = at
    return CrossSections(
        street_class=np.array([row.street_class for row in rows], dtype=np.int64)[index],
        one_way=np.array([row.one_way for row in rows], dtype=np.bool_)[index],
        lanes=np.array([row.lanes for row in rows], dtype=np.int64)[index],
        lanes_sum_m=np.array([row.lanes_sum_m for row in rows], dtype=np.float64)[index],
        drawn_at=np.array([row.drawn_at for row in rows], dtype=np.float64)[index],
        position=np.array([row.position for row in rows], dtype=np.int64).reshape(-1, 2)[index],
        orientation=np.array([row.orientation for row in rows], dtype=np.int64).reshape(-1, 2)[index],
        parking_m=np.array([row.parking_m for row in rows], dtype=np.float64).reshape(-1, 2)[index],
        cycle_lanes=np.array([row.cycle_lanes for row in rows], dtype=np.int64).reshape(-1, 2)[index],
        off_street=np.array([row.off_street for row in rows], dtype=np.bool_)[index],
        width_m=np.array([row.width_m for row in rows], dtype=np.float64)[index],
        width_tag=np.array([row.width_tag for row in rows], dtype=np.int64)[index],
        approximate=np.array([row.approximate for row in rows], dtype=np.bool_)[index],
        refused=tuple(rows[at].refused for at in index),
    )


_RELEVANT: Final = (
    "highway",
    "junction",
    "oneway",
    "lanes",
    "width",
    "est_width",
    "placement",
    "parking:",
    "cycleway",
    "bridge",
    "tunnel",
)
_FAST: Final = frozenset(
    {"motorway", "trunk", "motorway_link", "trunk_link", "primary_link", "secondary_link"}
)


@dataclass(frozen=True, slots=True)
class _Row:
    """One way of `CrossSections`."""

    street_class: int
    one_way: bool
    lanes: int
    lanes_sum_m: float
    drawn_at: float
    position: tuple[int, int]
    orientation: tuple[int, int]
    parking_m: tuple[float, float]
    cycle_lanes: tuple[int, int]
    off_street: bool
    width_m: float
    width_tag: WidthTag
    approximate: bool
    refused: tuple[Refused, ...]


def _read_row(tags: Mapping[str, str], driving_side: Literal["right", "left"]) -> _Row:
    lanes, parking = read_lanes(tags, driving_side), read_parking(tags)
    refused = [*lanes.refused, *parking.refused]
    width_m, width_tag, approximate = _whole_width(tags, lanes.total or 1, refused)
    street_class = tags.get("highway", "")
    structure = any(tags.get(key, "no") != "no" for key in ("bridge", "tunnel"))
    return _Row(
        street_class=CLASSES.index(street_class) if street_class in CLASSES else -1,
        one_way=lanes.direction.one_way,
        lanes=lanes.total or 0,
        lanes_sum_m=np.nan if lanes.sum_m is None else lanes.sum_m,
        drawn_at=lanes.drawn_at,
        position=(_position(parking.left), _position(parking.right)),
        orientation=(
            ORIENTATIONS.index(parking.left.orientation),
            ORIENTATIONS.index(parking.right.orientation),
        ),
        parking_m=_parking_widths(parking),
        cycle_lanes=(_cycle_lanes(tags, "left"), _cycle_lanes(tags, "right")),
        off_street=structure or street_class in _FAST,
        width_m=width_m,
        width_tag=width_tag,
        approximate=approximate,
        refused=tuple(refused),
    )


_NOBODY_PARKS: Final = frozenset({Ban.NO_PARKING, Ban.NO_STANDING, Ban.NO_STOPPING})


def _position(kerb: KerbParking) -> int:
    """Return where cars stand; where only a ban at all hours is tagged, nowhere."""
    banned = any(each.word in _NOBODY_PARKS and each.certain and each.hours is None for each in kerb.bans)
    silent = kerb.position is Position.UNKNOWN
    return POSITIONS.index(Position.NO if silent and banned else kerb.position)


def _parking_widths(parking: Parking) -> tuple[float, float]:
    left, right = parking.left.width_m, parking.right.width_m
    return (np.nan if left is None else left, np.nan if right is None else right)


def _whole_width(tags: Mapping[str, str], lanes: int, refused: list[Refused]) -> tuple[float, WidthTag, bool]:
    for key, tag in _WIDTH_KEYS:
        if key not in tags:
            continue
        length = in_range(read_length(tags[key]), NARROWEST_M, WIDEST_M)
        reason = length.refusal
        if reason is None and lanes > 1 and length.metres < lanes * NARROWEST_PER_LANE_M:
            reason = Refusal.CONTRADICTORY
        if reason is None:
            return length.metres, tag, length.approximate
        refused.append(Refused(key, tags[key], reason))
    return np.nan, WidthTag.NONE, False


_ON_CARRIAGEWAY: Final = frozenset({"lane", "opposite_lane"})


def _cycle_lanes(tags: Mapping[str, str], side: str) -> int:
    """Return 0, 1 or 2 cycle lanes painted on one side of the carriageway."""
    key = next((key for key in (f"cycleway:{side}", "cycleway:both", "cycleway") if key in tags), "")
    if tags.get(key) not in _ON_CARRIAGEWAY:
        return 0
    return 2 if tags.get(f"{key}:oneway") == "no" else 1
