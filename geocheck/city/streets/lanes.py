"""Reads from a way's tags the direction of traffic, the lanes and their widths, and where the line is drawn.

Left and right are those of the drawn direction. Sources, as facts: the OSM wiki on oneway, lanes,
width:lanes and placement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal

from geocheck.city.streets.quantities import Refusal, Refused, in_range, read_count, read_length

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_LANES: Final = 12
"""More lanes than this on one carriageway is a slip (the widest avenues have 8)."""

NARROWEST_LANE_M: Final = 1.5
WIDEST_LANE_M: Final = 10.0
"""What `width:lanes` may say of one lane: from a cycle lane to an unmarked one for cars side by side."""


class Direction(Enum):
    """Where traffic runs, seen along the line as drawn."""

    BOTH = "both"
    FORWARD = "forward"
    BACKWARD = "backward"
    REVERSIBLE = "reversible"

    @property
    def one_way(self) -> bool:
        """Whether all traffic runs the same way at any moment."""
        return self is not Direction.BOTH


_ONEWAY: Final = {
    **dict.fromkeys(("yes", "true", "1"), Direction.FORWARD),
    **dict.fromkeys(("-1", "reverse"), Direction.BACKWARD),
    **dict.fromkeys(("no", "false", "0"), Direction.BOTH),
    **dict.fromkeys(("reversible", "alternating"), Direction.REVERSIBLE),
}


def read_direction(tags: Mapping[str, str]) -> tuple[Direction, Refused | None]:
    """Tell the direction of traffic: `oneway`, else what roundabouts and motorways imply, else both ways.

    Returns:
        The direction, and the `oneway` that was not understood.
    """
    circular = tags.get("junction") in {"roundabout", "circular"}
    implied = Direction.FORWARD if circular or tags.get("highway") == "motorway" else Direction.BOTH
    if "oneway" not in tags:
        return implied, None
    found = _ONEWAY.get(tags["oneway"].strip().casefold())
    if found is None:
        return implied, Refused("oneway", tags["oneway"], Refusal.UNKNOWN_WORD)
    return found, None


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lanes of one way.

    Attributes:
        direction: of the traffic.
        total: lanes of the carriageway; None where nobody says or what is said is refused.
        forward: those along the drawn direction; None where not known.
        backward: those against it; None where not known.
        sum_m: the sum of `width:lanes`; None without it.
        drawn_at: where the line runs, as the share of the lanes' width to its left: 0.5 in the middle.
        refused: tags that were not used.
    """

    direction: Direction
    total: int | None
    forward: int | None
    backward: int | None
    sum_m: float | None
    drawn_at: float
    refused: tuple[Refused, ...]


def read_lanes(tags: Mapping[str, str], driving_side: Literal["right", "left"]) -> Lanes:
    """Read direction, lanes, `width:lanes` and `placement` of a way."""
    direction, bad_oneway = read_direction(tags)
    refused = [bad_oneway] if bad_oneway else []
    counts = _counts(tags, direction, refused)
    widths = _lane_widths(tags, counts.total, driving_side, refused)
    drawn_at = _drawn_at(tags, _Row(counts, widths, driving_side), refused)
    sum_m = sum(widths) if widths else None
    return Lanes(direction, counts.total, counts.forward, counts.backward, sum_m, drawn_at, tuple(refused))


@dataclass(frozen=True, slots=True)
class _Counts:
    total: int | None
    forward: int | None
    backward: int | None


def _counts(tags: Mapping[str, str], direction: Direction, refused: list[Refused]) -> _Counts:
    total = _count(tags, "lanes", refused)
    forward = _count(tags, "lanes:forward", refused)
    backward = _count(tags, "lanes:backward", refused)
    shared = _count(tags, "lanes:both_ways", refused) or 0
    if direction is Direction.FORWARD and backward is None:
        backward = 0
    if direction is Direction.BACKWARD and forward is None:
        forward = 0
    if total is None:
        known = forward is not None and backward is not None and forward + backward > 0
        return _Counts((forward or 0) + (backward or 0) + shared if known else None, forward, backward)
    if forward is None and backward is None:
        half, odd = divmod(total - shared, 2)
        split = half if direction is Direction.BOTH and not odd and half > 0 else None
        return _Counts(total, split, split)
    forward = total - shared - (backward or 0) if forward is None else forward
    backward = total - shared - forward if backward is None else backward
    if forward + backward + shared == total and min(forward, backward) >= 0:
        return _Counts(total, forward, backward)
    refused.append(Refused("lanes", tags["lanes"], Refusal.CONTRADICTORY))
    return _Counts(None, None, None)


def _count(tags: Mapping[str, str], key: str, refused: list[Refused]) -> int | None:
    if key not in tags:
        return None
    if key != "lanes" and tags[key].strip() == "0":
        return 0
    count = read_count(tags[key], MOST_LANES)
    if isinstance(count, Refusal):
        refused.append(Refused(key, tags[key], count))
        return None
    return count


def _lane_widths(
    tags: Mapping[str, str], total: int | None, driving_side: str, refused: list[Refused]
) -> tuple[float, ...]:
    """Return the lanes' widths from left to right as drawn, empty where they are not all known."""
    keys: tuple[str, ...] = ("width:lanes",)
    if keys[0] not in tags:
        keys = ("width:lanes:backward", "width:lanes:forward")
        keys = keys if driving_side == "right" else keys[::-1]
    if any(key not in tags for key in keys):
        return ()
    found: list[float] = []
    for key in keys:
        lengths = [in_range(read_length(x), NARROWEST_LANE_M, WIDEST_LANE_M) for x in tags[key].split("|")]
        reasons = [length.refusal for length in lengths if length.refusal is not None]
        if reasons:
            refused.append(Refused(key, tags[key], reasons[0]))
            return ()
        # What is written for the opposite direction begins at that direction's own left.
        found += [each.metres for each in (lengths[::-1] if key.endswith("backward") else lengths)]
    # Cycle lanes have a width of their own and are not among `lanes`: more is possible, less is not.
    if total is not None and len(found) < total:
        refused.append(Refused(keys[0], tags[keys[0]], Refusal.CONTRADICTORY))
        return ()
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Row:
    """The lanes side by side, from left to right as drawn."""

    counts: _Counts
    widths: tuple[float, ...]
    driving_side: Literal["right", "left"]

    def lane(self, key: str, number: int) -> int | Refusal:
        """Return which lane from the left, from 0, is the one that a placement numbers from its own left."""
        total, forward, backward = self.counts.total, self.counts.forward, self.counts.backward
        own = {"placement": total, "placement:forward": forward, "placement:backward": backward}[key]
        if total is None or own is None:
            return Refusal.NEEDS_LANES
        if number > own:
            return Refusal.CONTRADICTORY
        right = self.driving_side == "right"
        if key == "placement:backward":
            return (own if right else total) - number
        return (total - own if right else 0) + number - 1

    def share_left_of(self, lane: int, part: float) -> float:
        """Return the share of all lanes' width left of the point that lies `part` of a lane from its left."""
        total = self.counts.total or 1
        widths = self.widths if len(self.widths) == total else (1.0,) * total
        return (sum(widths[:lane]) + part * widths[lane]) / sum(widths)


_PLACEMENT: Final = re.compile(r"(left_of|middle_of|right_of):([1-9][0-9]?)")
_PART: Final = {"left_of": 0.0, "middle_of": 0.5, "right_of": 1.0}
_PLACEMENT_KEYS: Final = ("placement", "placement:forward", "placement:backward")


def _drawn_at(tags: Mapping[str, str], row: _Row, refused: list[Refused]) -> float:
    """Return where the line runs across the lanes: by the first usable placement, else the middle."""
    for key in _PLACEMENT_KEYS:
        if key not in tags or tags[key] == "transition":
            continue
        match = _PLACEMENT.fullmatch(tags[key].strip())
        if match is None:
            refused.append(Refused(key, tags[key], Refusal.UNKNOWN_WORD))
            continue
        lane = row.lane(key, int(match[2]))
        if isinstance(lane, Refusal):
            refused.append(Refused(key, tags[key], lane))
            continue
        part = _PART[match[1]]
        return row.share_left_of(lane, 1.0 - part if key == "placement:backward" else part)
    return 0.5
