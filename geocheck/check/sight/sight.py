"""What is seen of a map from n skips: kerb, distances by layer, zones, and how far an empty place tells."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from geocheck.check.locate import NOWHERE
from geocheck.check.sight.along import asked_by, near_along, pads_of
from geocheck.check.sight.cover import both_ways, room_m
from geocheck.check.sight.front import NO_FRONTS, near_front
from geocheck.check.sight.plan import near_plan
from geocheck.check.sight.rows import NONE, Rows
from geocheck.check.sight.stand import kerb_accuracy_m, stand, traffic_direction

if TYPE_CHECKING:
    from collections.abc import Callable

    import shapely
    from numpy.typing import NDArray

    from geocheck.check.columns import Placements
    from geocheck.check.sight.along import Reading
    from geocheck.check.sight.city_map import MapLayer
    from geocheck.check.sight.front import Fronts
    from geocheck.check.sight.index import MapIndex
    from geocheck.check.sight.spans import Asked
    from geocheck.check.sight.stand import Stand


class KerbGap(NamedTuple):
    """The gap of each skip to its kerb, NaN without one; shape (n,) each.

    Attributes:
        low_m: to the nearest place of the skip.
        high_m: to the farther end of the long side beside the kerb.
        u_m: half-width of the 95 % interval of both.
        angle_deg: of the long axis to the kerb, NaN where nobody told the skip's bearing.
    """

    low_m: NDArray[np.float64]
    high_m: NDArray[np.float64]
    u_m: NDArray[np.float64]
    angle_deg: NDArray[np.float64]


class Sight:
    """What n skips see of a map; each layer is measured once, when first asked for."""

    def __init__(self, placements: Placements, index: MapIndex, max_footway_m: float) -> None:
        """Stand the skips on the map."""
        self.index = index
        self.city_map = index.city_map
        self.at: Stand = stand(placements, index.city_map)
        self._max_footway_m = max_footway_m
        self._rows: dict[tuple[str, str], Rows] = {}
        self.memo: dict[object, Any] = {}
        self._fronts: dict[str, Fronts] = {}
        self._room: dict[shapely.Geometry, NDArray[np.float64]] = {}

    def layer(self, name: str) -> MapLayer | None:
        """Return a layer of the map, None where it has none of the name."""
        return self.city_map.layer(name)

    def along(self, layer: str) -> Rows:
        """Return distances along the kerb to the features of a layer."""
        along = self.index.along(layer)
        return self._kept("along", layer, lambda: near_along(self.at, self._asked, along, self.flow))

    def pads_m(self, rows: Rows, reading: Reading) -> NDArray[np.float64]:
        """Return how much farther the corner of each row of `along` reaches in a stricter reading."""
        return pads_of(self.index.along("corner"), rows, reading)

    def lengths_m(self, layer: str, rows: Rows) -> NDArray[np.float64]:
        """Return how long the event of each row of `along` is."""
        events = self.index.along(layer).events
        return np.asarray((events.high_s - events.low_s)[rows.event // 2])

    def plan(self, layer: str) -> Rows:
        """Return distances in plan to the features of a layer."""
        outlines = self.index.outlines(layer)
        if outlines is None:
            return NONE
        return self._kept("plan", layer, lambda: near_plan(self.at, outlines, self.level))

    def front(self, layer: str) -> Fronts:
        """Return distances along the kerb to the fronts of a layer's features."""
        outlines = self.index.outlines(layer)
        if outlines is None:
            return NO_FRONTS
        if layer not in self._fronts:
            found = near_front(self.at, outlines, self.city_map, self._max_footway_m)
            self._fronts[layer] = found
        return self._fronts[layer]

    def covered(self, layer: str, reach_m: float) -> NDArray[np.bool_]:
        """Tell whose surroundings a layer is known to hold in full, `reach_m` from the outline.

        The skip may stand nearer to the edge of what is known than it is said to.
        """
        area = self.index.whole_area(layer)
        if area is None:
            return self._nowhere
        if area not in self._room:
            self._room[area] = room_m(self.at, area)
        return np.asarray(self._room[area] >= reach_m + self.at.plan_u_m)

    def covered_along(self, layer: str, reach_m: float | NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell whose kerb a layer is known to hold in full, `reach_m` from either end of the skip."""
        area, here = self.index.whole_area(layer), self.covered(layer, 0.0)
        if area is None or not here.any():
            return here
        reach = reach_m + self.at.along_u_m
        return here & both_ways(self.at, self.city_map, area, reach)

    @cached_property
    def _nowhere(self) -> NDArray[np.bool_]:
        none = np.zeros(len(self.at.held), bool)
        none.flags.writeable = False
        return none

    @cached_property
    def _asked(self) -> Asked:
        return asked_by(self.at)

    @cached_property
    def medians_told(self) -> NDArray[np.bool_]:
        """Beside which skips the map would show a median: where the kerbs are known and were looked at."""
        looked = self.city_map.table("station.median") is not None
        return self.covered("kerb", 0.0) & looked

    @cached_property
    def gap(self) -> KerbGap:
        """The gap to the kerb."""
        located = self.at.located
        u = np.hypot(kerb_accuracy_m(located, self.city_map), self.at.across_u_m)
        angle = np.where(self.at.angle_known, located.angle_deg, np.nan)
        return KerbGap(located.low_gap_m, located.high_gap_m, u, angle)

    @cached_property
    def flow(self) -> NDArray[np.int64]:
        """1 where the traffic beside a skip runs with the ruler, -1 where against it, 0 without a kerb."""
        segment = self.at.located.segment
        flow = self.city_map.segments["flow"][np.maximum(segment, 0)]
        return np.where(segment == NOWHERE, 0, flow)

    @cached_property
    def traffic(self) -> NDArray[np.float64]:
        """Direction of the traffic beside each skip in the city's grid, shape (n, 2), zero without a kerb."""
        return traffic_direction(self.at, self.city_map)

    @cached_property
    def kerb(self) -> NDArray[np.int64]:
        """Row of the kerb beside each skip; in a mouth that before it; `NOWHERE` without one."""
        segment = self.at.located.segment
        kerb = self.city_map.segments["kerb"]
        own = kerb[np.maximum(segment, 0)]
        before = kerb[np.maximum(segment - 1, 0)]
        return np.where(segment == NOWHERE, NOWHERE, np.where(own < 0, before, own))

    @cached_property
    def level(self) -> NDArray[np.float64]:
        """Level of the kerb beside each skip, 0 the ground, NaN without one."""
        segment = self.at.located.segment
        level = self.city_map.segments["level"][np.maximum(segment, 0)]
        return np.where(segment == NOWHERE, np.nan, level)

    def _kept(self, how: str, layer: str, measure: Callable[[], Rows]) -> Rows:
        if (how, layer) not in self._rows:
            self._rows[how, layer] = measure()
        return self._rows[how, layer]
