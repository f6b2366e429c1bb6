"""Gives each way the distance from its line to the left and the right kerb, its source and its accuracy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.streets.continuity import carried_along
from geocheck.city.streets.cross_section import WidthTag, read_cross_sections
from geocheck.city.streets.width_model import (
    STANDARD,
    Modelled,
    WidthModel,
    class_defaults,
    model_widths,
    parking_depth_m,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.cross_section import CrossSections
    from geocheck.city.streets.quantities import Refusal, Refused


class WidthSource(IntEnum):
    """Where a width comes from, best first; `code` is the word used in files and reports.

    Those that no tag gives (a correction, a kerb surveyed or drawn, blocks or lots) are for who draws kerbs.
    """

    CORRECTION = 0
    SURVEYED = 1
    KERB_WAY = 2
    WIDTH_CARRIAGEWAY = 3
    WIDTH = 4
    EST_WIDTH = 5
    LANES_PARKING = 6
    RIGHT_OF_WAY = 7
    CLASS_DEFAULT = 8

    @property
    def code(self) -> str:
        """The word used in files and reports (`"width:carriageway"`)."""
        return "width:carriageway" if self is WidthSource.WIDTH_CARRIAGEWAY else self.name.lower()


_TAG_SOURCE: Final = {
    WidthTag.CARRIAGEWAY: WidthSource.WIDTH_CARRIAGEWAY,
    WidthTag.WIDTH: WidthSource.WIDTH,
    WidthTag.ESTIMATE: WidthSource.EST_WIDTH,
}
_TAG_ACCURACY_M: Final = {WidthTag.CARRIAGEWAY: 0.3, WidthTag.WIDTH: 0.5, WidthTag.ESTIMATE: 1.0}
"""Hypotheses (95 %, of one kerb): tags are given to 0.5 or 1 m, which alone is 0.12 to 0.25 m of a kerb."""
_APPROXIMATE: Final = 2.0
"""What `~` multiplies the accuracy by."""


class RefusalCount(NamedTuple):
    """One line of the manifest.

    Attributes:
        key: the tag.
        reason: why it was not used.
        ways: on how many.
        examples: up to five different values.
    """

    key: str
    reason: Refusal
    ways: int
    examples: tuple[str, ...]


_EXAMPLES: Final = 5

_MOST_OF_USUAL: Final = 2.0
"""A parking lane deeper than so many times the usual is no parking lane: the lanes have what is left."""


@dataclass(frozen=True, slots=True)
class Widths:
    """The half-widths of w ways; left and right are those of the drawn direction.

    Attributes:
        left_m: from the line to the left kerb, > 0 as a rule (a placement may put the line on a kerb), (w,).
        right_m: the same to the right kerb, shape (w,).
        parking_left_m: of `left_m`, the parking lane at the kerb; 0 where none is tagged, shape (w,).
        parking_right_m: the same at the right, shape (w,).
        accuracy_m: 95 % half-width of a kerb's place across the street, from the width alone: the axis has an
            error of its own. Where blocks place the kerb, of its place itself, shape (w,).
        source: `WidthSource`, shape (w,).
        refused: by way, the tags that were not used.
    """

    left_m: NDArray[np.float64]
    right_m: NDArray[np.float64]
    parking_left_m: NDArray[np.float64]
    parking_right_m: NDArray[np.float64]
    accuracy_m: NDArray[np.float64]
    source: NDArray[np.int8]
    refused: tuple[tuple[Refused, ...], ...]

    def __len__(self) -> int:
        return len(self.source)

    @property
    def assumed(self) -> NDArray[np.bool_]:
        """Where nothing but the street's class was known, shape (w,)."""
        return np.equal(self.source, WidthSource.CLASS_DEFAULT)

    def place_accuracy_m(self, axis_m: float) -> NDArray[np.float64]:
        """Return the 95 % half-width of a kerb's place, where the axis itself has `axis_m`, shape (w,).

        A kerb that goes by the blocks stands where they are, wherever between them the axis was drawn.
        """
        by_axis = self.source != WidthSource.RIGHT_OF_WAY
        return np.where(by_axis, np.hypot(self.accuracy_m, axis_m), self.accuracy_m)

    def refusal_counts(self) -> tuple[RefusalCount, ...]:
        """Return what was not used and why, for the manifest: the most frequent first."""
        counts = Counter((each.key, each.reason) for way in self.refused for each in way)
        values: dict[tuple[str, Refusal], dict[str, None]] = {}
        for way in self.refused:
            for each in way:
                values.setdefault((each.key, each.reason), {})[each.value] = None
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return tuple(
            RefusalCount(key, reason, count, tuple(values[key, reason])[:_EXAMPLES])
            for (key, reason), count in ordered
        )


def carriageway_widths(
    tags: Sequence[Mapping[str, str]],
    city: City,
    model: WidthModel = STANDARD,
    street: NDArray[np.int64] | None = None,
) -> Widths:
    """Tell how wide the carriageway of each way is on both sides of its line, from its tags, best first.

    `width:carriageway`, `width` and `est_width` are kerb to kerb, parking lanes on the carriageway included;
    without them the width is modelled (`width_model`). The line runs in the middle of the moving traffic, or
    where `placement` says; parking lies outside of that.

    Args:
        tags: of w ways.
        city: for the driving side and the default widths.
        model: the numbers for missing widths.
        street: label of each way's street (`continuity.connected_streets`), to carry modelled kerbs along
            stretches without parking; None: every way by its own tags.

    Raises:
        DataFileError: the city's sheet has no default width.
    """
    ways = read_cross_sections(tags, city.driving_side)
    modelled = model_widths(ways, class_defaults(city), model)
    if street is not None:
        modelled = carried_along(modelled, ways, street)
    return _assembled(ways, modelled, model)


def _assembled(ways: CrossSections, modelled: Modelled, model: WidthModel) -> Widths:
    tagged = ways.width_tag != WidthTag.NONE
    parking = parking_depth_m(ways, model)
    inside = _parking_inside(ways, parking, model)
    side = np.where(tagged[:, None], inside, modelled.side_m)
    base = np.where(tagged, ways.width_m - inside.sum(axis=1), modelled.base_m)
    source = np.where(modelled.assumed, WidthSource.CLASS_DEFAULT, WidthSource.LANES_PARKING)
    accuracy = modelled.accuracy_m.copy()
    for tag, each in _TAG_SOURCE.items():
        source = np.where(ways.width_tag == tag, each, source)
        accuracy = np.where(ways.width_tag == tag, _TAG_ACCURACY_M[tag], accuracy)
    # Only parking that somebody tagged is reported as a lane: what a default counts is nowhere in particular.
    lane = np.where(parking > 0, side, 0.0)
    return Widths(
        left_m=base * ways.drawn_at + side[:, 0],
        right_m=base * (1.0 - ways.drawn_at) + side[:, 1],
        parking_left_m=lane[:, 0],
        parking_right_m=lane[:, 1],
        accuracy_m=np.where(ways.approximate, accuracy * _APPROXIMATE, accuracy),
        source=source.astype(np.int8),
        refused=ways.refused,
    )


def _parking_inside(
    ways: CrossSections, parking: NDArray[np.float64], model: WidthModel
) -> NDArray[np.float64]:
    """Return how much of a tagged width is parking lane on each side, shape (w, 2).

    `width:lanes` leaves the rest of the width to the parking lanes; without it they have their usual depth,
    but never so much that moving traffic has less than its least.
    """
    asked = parking.sum(axis=1)
    rest = ways.width_m - ways.lanes_sum_m
    room = np.maximum(ways.width_m - model.narrowest_m, 0.0)
    total = np.where(rest > 0, np.minimum(rest, asked * _MOST_OF_USUAL), np.minimum(asked, room))
    share = np.divide(parking, asked[:, None], out=np.zeros_like(parking), where=asked[:, None] > 0)
    return np.where(np.isnan(ways.width_m)[:, None], 0.0, total[:, None] * share)
