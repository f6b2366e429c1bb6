"""What lies near a skip, pair by pair: along the kerb, in plan, in front."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import shapely

from tests.check.oracle.ground import NAMES_STREETS, Ground
from tests.check.oracle.stand import Stand, unit_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from tests.check.oracle.kerbs import End, Kerbs, Visit
    from tests.check.oracle.world import World

ALONG_REACH_M = 60.0
DRIVEWAY_REACH_M = 110.0
PLAN_REACH_M = 50.0
FRONT_REACH_M = 12.0
MOUTH_AT_END_M = 100.0

OPEN_TO_FEATURES = ("cut", "covered", "taper", "bend_with_other_name")
OPEN_TO_CORNERS = ("cut", "covered")
MEDIANS = {1: "unknown", 2: "yes", 3: "divider", 4: "island"}


class Row(NamedTuple):
    """A skip and a feature.

    `feature` is None where nobody knows what lies there; `sure` is False where it may belong to another kerb
    or be none; `upstream` is 1, -1 or 0; `pads` are of a corner, by name.
    """

    value_m: float
    u_m: float
    feature: int | None
    known: bool = True
    sure: bool = True
    upstream: int = 0
    pads: tuple[tuple[str, float | None], ...] = ()


class Sights:
    """Looks at one map."""

    def __init__(self, world: World, kerbs: Kerbs) -> None:
        self.world = world
        self.kerbs = kerbs
        self.ground = Ground(world)

    def along(self, stand: Stand, layer: str) -> list[Row]:
        """Return what lies along the kerb."""
        if layer == "corner":
            found = [row for visit in stand.walk for row in self._corner(stand, visit)]
        elif layer in NAMES_STREETS:
            found = self._streets(stand, layer)
        else:
            found = [row for visit in stand.walk for row in self._features(stand, visit, layer)]
        reach = DRIVEWAY_REACH_M if layer == "driveway" else ALONG_REACH_M
        return [row for row in found if row.value_m <= reach + row.u_m]

    def plan(self, stand: Stand, layer: str) -> list[Row]:
        """Return what lies around in plan."""
        found = []
        reach = PLAN_REACH_M + stand.plan_u_m
        for feature, thing in self.ground.near(layer, stand.box, reach):
            if thing.level is not None and stand.level is not None and thing.level != stand.level:
                continue
            value = stand.box.distance(thing.shape)
            if value > reach:
                continue
            if value == 0:
                value = min(0.0, _from_centre_m(stand.centre, thing.shape) - stand.shorter_m / 2)
            u = math.hypot(thing.accuracy_m, stand.plan_u_m)
            found.append(Row(value, u, feature, known=thing.known))
        return found

    def front(self, stand: Stand, layer: str) -> list[Row]:
        """Return what lies behind the kerb beside the skip, as far as the largest footway."""
        unit = unit_of(stand.piece)
        foot = stand.piece.line.line_interpolate_point(stand.along_m)
        behind = (unit[1] * stand.piece.inward, -unit[0] * stand.piece.inward)
        depth = self.world.max_footway_m
        ring = []
        for ahead, back in ((-1, -1.0), (1, -1.0), (1, depth), (-1, depth)):
            step = ahead * (stand.half_m + FRONT_REACH_M)
            ring.append(
                (foot.x + unit[0] * step + behind[0] * back, foot.y + unit[1] * step + behind[1] * back)
            )
        strip = shapely.Polygon(ring)
        found = []
        for feature, thing in self.ground.near(layer, strip, 0.0):
            part = thing.shape.intersection(strip)
            if part.is_empty:
                continue
            places = [
                (x - foot.x) * unit[0] + (y - foot.y) * unit[1] for x, y in shapely.get_coordinates(part)
            ]
            value = max(min(places) - stand.half_m, -stand.half_m - max(places))
            u = math.hypot(thing.accuracy_m, stand.along_u_m)
            found.append(Row(value, u, feature, known=thing.known))
        return found

    def _row(self, stand: Stand, low: float, high: float, more: Row, u_low: float, u_high: float) -> Row:
        """Return an interval ahead of the skip's centre as a row."""
        ahead, behind = low - stand.half_m, -stand.half_m - high
        value = max(ahead, behind)
        u = u_low if ahead >= behind else u_high
        # Ahead of a skip lies downstream, where the traffic runs the way one looks.
        where = 0 if value <= 0 else -1 if ahead >= behind else 1
        return more._replace(
            value_m=value, u_m=math.hypot(u, stand.along_u_m), upstream=where * stand.piece.flow
        )

    def _features(self, stand: Stand, visit: Visit, layer: str) -> list[Row]:
        if visit.kind == "end":
            return self._beyond(stand, visit, OPEN_TO_FEATURES)
        if visit.kind != "kerb":
            return []
        found = []
        for row in self.world.stations(layer).get(visit.kerb, []):
            from_m, to_m = sorted((row["from_m"], row["to_m"]))
            low, high = visit.low + from_m, visit.low + to_m
            if visit.sense == -1:
                low, high = visit.high - to_m, visit.high - from_m
            u, more = self._said(layer, row)
            found.append(self._row(stand, low, high, more, u, u))
        return found

    def _streets(self, stand: Stand, layer: str) -> list[Row]:
        """Return the stretches of kerb of streets that features name, each as far as it goes."""
        held = self.world.layer(layer)
        found = []
        pieces = sorted(each for visit in stand.walk for each in self.kerbs.ways_along(visit))
        for feature, row in enumerate(held.rows if held else []):
            way = self.ground.way_of(row)
            stretches: list[list[float]] = []
            for low, high, of in pieces:
                if way is None or of != way:
                    continue
                if stretches and low - stretches[-1][1] <= 0.01:
                    stretches[-1][1] = max(high, stretches[-1][1])
                else:
                    stretches.append([low, high])
            assert held is not None
            u = held.accuracy_m[feature]
            found += [self._row(stand, low, high, Row(0.0, 0.0, feature), u, u) for low, high in stretches]
        return found

    def _said(self, layer: str, row: dict[str, object]) -> tuple[float, Row]:
        if layer == "median":
            axis = self.world.layer("axis")
            kind = MEDIANS[int(str(row["kind"]))]
            more = Row(0.0, 0.0, None, known=kind != "unknown", sure=kind == "yes")
            return (0.0 if axis is None else axis.layer_accuracy_m), more
        feature = int(str(row["feature"]))
        accuracy = self.ground.accuracy_m("crossing_area" if layer == "mouth" else layer, feature)
        return accuracy, Row(0.0, 0.0, feature, sure=row.get("side_known", 1) == 1)

    def _beyond(self, stand: Stand, visit: Visit, kinds: tuple[str, ...]) -> list[Row]:
        end, way = (visit.ends[0], 1) if visit.ends[0] is not None else (visit.ends[1], -1)
        assert end is not None
        if self.kerbs.kind(end) not in kinds:
            return []
        low, high = sorted((visit.low, visit.low + way * MOUTH_AT_END_M))
        return [self._row(stand, low, high, Row(0.0, 0.0, None, known=False), 0.0, 0.0)]

    def _corner(self, stand: Stand, visit: Visit) -> list[Row]:
        corners = self.world.layer("corner")
        if visit.kind == "end":
            unseen = self._beyond(stand, visit, OPEN_TO_CORNERS)
            way = 1 if visit.ends[0] is not None else -1
            low, high = sorted((visit.low, visit.low + way * MOUTH_AT_END_M))
            return unseen + self._mouth(stand, low, high, visit.ends)
        if visit.kind == "mouth" and corners is not None:
            return self._mouth(stand, visit.low, visit.high, visit.ends)
        return []

    def _mouth(self, stand: Stand, low: float, high: float, ends: tuple[End | None, End | None]) -> list[Row]:
        layer = self.world.layer("corner")
        if layer is None:
            return []
        at = [-1 if end is None else self.kerbs.corner(end) for end in ends]
        at = [max(at) if corner < 0 else corner for corner in at]
        if max(at) < 0:
            return []
        rows = [layer.rows[corner] for corner in at]
        ahead = low - stand.half_m >= -stand.half_m - high
        # The end that is nearer to the skip: of a mouth ahead the lower one.
        nearer = 0 if ahead else 1
        kerb = None if ends[nearer] is None else ends[nearer][0]  # type: ignore[index]
        when = "before" if rows[nearer]["kerb_before"] == kerb else "after"
        pads = tuple((name, rows[nearer].get(f"{when}_{name}_m")) for name in ("curve", "building_line"))
        more = Row(
            0.0,
            0.0,
            at[nearer],
            known=not any(row["unknown"] or row["kind"] == "unknown" for row in rows),
            sure=any(row["kind"] == "corner" for row in rows),
            pads=pads,
        )
        return [self._row(stand, low, high, more, *(layer.accuracy_m[corner] for corner in at))]


def _from_centre_m(centre: shapely.Point, shape: BaseGeometry) -> float:
    if shapely.get_dimensions(shape) == 2 and shape.intersects(centre):
        return -float(shape.boundary.distance(centre))
    return float(shape.distance(centre))
