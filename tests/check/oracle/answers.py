"""What the map says of the tests of where a skip is (kinds 1–8), column by column, and of zones."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Final

import shapely

from geocheck.law import kinds
from geocheck.model.words import Outcome, Place
from tests.check.oracle.features import is_about
from tests.check.oracle.ground import NAMES_STREETS
from tests.check.oracle.judge import CONTACT, Answer, Judged, answer_of, tolerance_m

if TYPE_CHECKING:
    from geocheck.law.calendar import Calendar
    from geocheck.law.kinds import RuleTest
    from geocheck.law.rulebook import Rule
    from geocheck.model.request import Request
    from tests.check.oracle.rows import Row, Sights
    from tests.check.oracle.stand import Stand
    from tests.check.oracle.world import Layer

KERBWISE: Final = ("bus_stop", "crossing", "driveway", "entrance", "emergency_exit", "ramp", "mouth")
OF_THEIR_OWN_PLACE: Final = [
    "hydrant",
    "water_valve",
    "manhole",
    "storm_drain",
    "street_furniture",
    "marking",
    "signal",
    "sign",
]
ELSE_ALONG: Final = [
    "taxi_stand",
    "truck_stand",
    "gutter",
    "turnaround",
    "parking_lane",
    "parking_bay",
    "special_bay",
    "loading_bay",
    "paid_parking",
]
"""In plan where they are drawn as areas of their own, else along the kerb."""

REFERRED: Final = (*KERBWISE, *OF_THEIR_OWN_PLACE, *ELSE_ALONG)
NOTHING: Final = Answer(Outcome.NOT_EVALUATED, None)
AWAY: Final = Answer(Outcome.NOT_APPLICABLE, None)
LOOKED_M: Final = 2.0
ASSUMED_HAIR_M: Final = 1e-6
"""Within the assumed metres means at most so far."""


class Oracle:
    """Answers for one placement at one stand."""

    def __init__(self, request: Request, stand: Stand | None, sights: Sights, calendar: Calendar) -> None:
        self.request = request
        self.stand = stand
        self.sights = sights
        self.world = sights.world
        self.stay = (_wall(request.start), _wall(request.end), calendar)
        self.place = request.where or Place.CARRIAGEWAY
        self.planned = request.mode == "planned" or (request.mode is None and bool(request.snap))
        self.nudge_m = 0.0

    # ------------------------------------------------------------ the tests

    def answers(self, rule: Rule, test: RuleTest) -> list[Answer]:
        """Return the answers of a test, in the order of its features, overlap before nearness."""
        found = self._answers(test)
        if self.place not in (test.where or rule.where):
            return [AWAY] * len(found)
        if test.when is not None and test.when.unknown == "skip":
            # About things of a known attribute alone: where nobody knows of one it concerns nobody.
            return [each if each.shown and each.outcome != Outcome.NOT_EVALUATED else AWAY for each in found]
        return found

    def _answers(self, test: RuleTest) -> list[Answer]:  # noqa: PLR0911 - one a kind
        match test:
            case kinds.MinDistance():
                return [self._min_distance(test)]
            case kinds.MaxDistance():
                return [self._gap(test, test.max_m, far=True)]
            case kinds.DistanceRange():
                return [self._gap(test, test.min_m, far=False), self._gap(test, test.max_m, far=True)]
            case kinds.IntervalExclusion():
                assert test.before_m == test.after_m
                rows = self._about(test, test.feature, self._along(test.feature))
                return [self._at_least(test, test.feature, rows, test.before_m, along=True)]
            case kinds.ExclusionZone():
                look = self._beside if test.predicate == "beside" else self._overlap
                return [look(test, layer) for layer in test.features]
            case kinds.FrontageExclusion():
                return self._frontage(test)
            case kinds.UnquantifiedProximity():
                return [answer for layer in test.features for answer in self._proximity(test, layer)]
            case kinds.SideOfFeature():
                return [self._side(test)]
        raise AssertionError(test.kind)

    def _min_distance(self, test: kinds.MinDistance) -> Answer:
        if test.feature == "kerb":
            return self._gap(test, test.min_m, far=False)
        look = self._along if test.metric == "along_kerb" else self._plan
        rows = self._about(test, test.feature, look(test.feature))
        assert test.sides == "both"
        if test.reference in ("corner_curve", "building_line"):
            name = "curve" if test.reference == "corner_curve" else "building_line"
            judged = [self._stricter(row, test.min_m, name) for row, _ in rows]
            return answer_of(
                judged, self._covered_along("corner", test.min_m), tolerance_m(test.min_m), strict=True
            )
        return self._at_least(test, test.feature, rows, test.min_m, along=test.metric == "along_kerb")

    def _stricter(self, row: Row, limit_m: float, name: str) -> Judged:
        """Take a corner to begin where a stricter reading says: by any footway where that is not known."""
        pad = dict(row.pads).get(name)
        if pad is not None:
            return self._judged(row, row.value_m - pad - limit_m, True)
        margin = row.value_m - self.world.max_footway_m - limit_m
        known = row.known and margin + self.nudge_m > row.u_m
        return self._judged(row._replace(known=known), margin, True)

    def _gap(self, test: RuleTest, limit_m: float, *, far: bool) -> Answer:
        stand = self.stand
        if self.planned:
            value, u = self.request.measured.get("gap_m", 0.30), 0.0
        elif stand is None:
            return _strictly(test, NOTHING)
        else:
            value = stand.high_gap_m if far else stand.low_gap_m
            u = math.hypot(stand.kerb_u_m, stand.across_u_m)
        margin = (limit_m - value if far else value - limit_m) + self.nudge_m
        rows = [Judged(value, u, margin, known=True, soft=test.on_breach == "conditional")]
        return answer_of(rows, True, tolerance_m(limit_m), strict=_strict(test))

    def _at_least(
        self,
        test: RuleTest,
        layer: str,
        rows: list[tuple[Row, bool]],
        limit_m: float,
        *,
        along: bool,
        assumed: bool = False,
    ) -> Answer:
        soft = assumed or test.on_breach == "conditional"
        judged = [self._judged(row, row.value_m - limit_m, soft or unsure) for row, unsure in rows]
        covered = self._covered_by(layer, limit_m, along=along)
        return answer_of(judged, covered, tolerance_m(limit_m), strict=_strict(test))

    def _apart(
        self,
        test: RuleTest,
        rows: list[tuple[Row, bool]],
        covered: bool,  # noqa: FBT001
    ) -> Answer:
        tolerance = tolerance_m(0.0)
        soft = test.on_breach == "conditional"
        judged = []
        for row, unsure in rows:
            contact = row.value_m + self.nudge_m <= 0 and row.u_m <= tolerance
            judged.append(self._judged(row, CONTACT if contact else row.value_m, soft or unsure))
        return answer_of(judged, covered, tolerance, strict=_strict(test))

    def _overlap(self, test: kinds.ExclusionZone, layer: str) -> Answer:
        if layer in ("footway", "shoulder"):
            # Whoever says where the skip stands has answered for the place.
            on_it = self.place.value == layer
            return (
                Answer(Outcome.VIOLATION, frozenset({(0.0, 0.0)}))
                if on_it
                else Answer(Outcome.COMPLIANT, None)
            )
        rows = self._ground(test, layer)
        covered = self._covered_by(layer, 0.0, along=layer in KERBWISE)
        if layer == "crossing_area":
            beside = [row for row in self._along("mouth") if row.feature is not None]
            opposite = {row.feature for row in beside if row.value_m <= row.u_m}
            rows = [(row, unsure) for row, unsure in rows if row.feature not in opposite]
        if layer == "median" and not any(row.value_m <= row.u_m for row in self._along("median")):
            covered = covered or self._covered("kerb", 0.0)
        return self._apart(test, rows, covered)

    def _beside(self, test: kinds.ExclusionZone, layer: str) -> Answer:
        rows = self._about(test, layer, self._along(layer))
        return self._apart(test, rows, self._covered_along(layer, 0.0) or self._covered("kerb", 0.0))

    def _frontage(self, test: kinds.FrontageExclusion) -> list[Answer]:
        found = []
        for layer in test.features:
            rows = self._front(test, layer)
            if test.unless_known is not None:
                rows = [each for each in rows if not self._has_entrance(layer, each[0], test.unless_known)]
            found.append(
                self._apart(test, rows, self._covered_by(layer, test.margin_m, along=layer in REFERRED))
            )
            if test.margin_m > 0:
                found.append(
                    self._at_least(test, layer, rows, test.margin_m, along=layer in REFERRED, assumed=True)
                )
        if test.unless_known is not None:
            other_layer = test.unless_known
            if self._covered_by(other_layer, test.margin_m, along=other_layer in REFERRED):
                return [AWAY] * len(found)
        return found

    def _has_entrance(self, layer: str, row: Row, entrances: str) -> bool:
        """Whether an entrance lies on the outline of a place, or within 2 m of it."""
        places, doors = self.world.layer(layer), self.world.layer(entrances)
        if row.feature is None or places is None or doors is None:
            return False
        shape = places.shapes[row.feature]
        if shapely.get_dimensions(shape) != 2:
            return False
        return any(shape.boundary.distance(door) <= 2.0 for door in doors.shapes)

    def _proximity(self, test: kinds.UnquantifiedProximity, layer: str) -> list[Answer]:
        if test.side == "any":
            rows = self._ground(test, layer)
        else:
            # The skip stands upstream of what it may hide: that lies downstream of it.
            rows = [each for each in self._about(test, layer, self._along(layer)) if each[0].upstream <= 0]
        covered = self._covered_by(layer, test.assumed_m, along=test.side != "any")
        found = []
        if test.overlap != "ignored":
            soft = test.overlap == "conditional"
            overlap = self._apart(test, [(row, unsure or soft) for row, unsure in rows], covered)
            found.append(overlap)
        judged = [self._judged(row, row.value_m - test.assumed_m - ASSUMED_HAIR_M, True) for row, _ in rows]
        near = answer_of(judged, covered, 0.0, strict=_strict(test))
        height = self.request.height_m
        low = test.taller_than_m is not None and height is not None and height <= test.taller_than_m
        return [*found, AWAY if low else near]

    def _side(self, test: kinds.SideOfFeature) -> Answer:
        """Of the nearest on either side, one of the wrong side that is nearer gives `conditional`.

        One that may belong to another kerb, or be none, on the right side does not acquit.
        """
        assert test.side == "after"
        rows = [row for row, _ in self._about(test, test.feature, self._along(test.feature))]
        rows = [row for row in rows if row.value_m <= test.reach_m]
        # The skip stands after what lies upstream of it.
        right = [row for row in rows if row.upstream == 1 and row.known and row.sure]
        wrong = [row for row in rows if row.upstream != 1]
        good = min((row.value_m for row in right), default=math.inf)
        bad = min((row.value_m for row in wrong), default=math.inf)
        nearest = [row for row in wrong if row.value_m == bad]
        # Who stands elsewhere is as much nearer to the one as farther from the other.
        good_u = max((row.u_m for row in right if row.value_m == good), default=0.0)
        place_u = self.stand.along_u_m if self.stand is not None else 0.0
        if right:
            nearest = [
                row._replace(u_m=math.sqrt(row.u_m**2 + good_u**2 + 2 * place_u**2)) for row in nearest
            ]
        judged = [self._judged(row, bad - good, True) for row in nearest]
        # What is farther than the nearest that is sure to be one decides nothing.
        near = min((row.value_m for row in rows if row.known and row.sure), default=test.reach_m)
        covered = self._covered_along(test.feature, max(near, 0.0))
        return answer_of(judged, covered, 0.0, strict=_strict(test))

    # ------------------------------------------------------------ zones

    def zone(self, layer: str) -> int:
        """Return 1 where the skip stands in a zone, 0 where it does not, -1 where nobody knows."""
        rows = self._plan(layer) + (self._along(layer) if layer in (*REFERRED, *NAMES_STREETS) else [])
        state = 0 if self._covered(layer, 0.0) else -1
        inside = maybe = False
        for row in rows:
            value = row.value_m + self.nudge_m
            u = max(0.005, row.u_m)
            deep = value < (-row.u_m if row.u_m > 0.005 else 0.005)
            sure = row.known and row.sure
            inside |= deep and sure
            maybe |= value <= u and not (deep and sure)
        return 1 if inside else -1 if maybe else state

    # ------------------------------------------------------------ rows

    def _along(self, layer: str) -> list[Row]:
        return [] if self.stand is None else self.sights.along(self.stand, layer)

    def _plan(self, layer: str) -> list[Row]:
        return [] if self.stand is None else self.sights.plan(self.stand, layer)

    def _ground(self, test: RuleTest, layer: str) -> list[tuple[Row, bool]]:
        if layer in KERBWISE:
            return self._about(test, layer, self._along(layer))
        rows = self._plan(layer)
        if layer in NAMES_STREETS:
            return self._about(test, layer, self._along(layer) + rows)
        if layer in ELSE_ALONG:
            held = self.world.layer(layer)
            own = {
                feature
                for feature, shape in enumerate(held.shapes if held else [])
                if shapely.get_dimensions(shape) == 2
                and held
                and held.rows[feature].get("on_axis") is not True
            }
            rows = [row for row in rows if row.feature in own]
            rows += [row for row in self._along(layer) if row.feature not in own]
        return self._about(test, layer, rows)

    def _front(self, test: RuleTest, layer: str) -> list[tuple[Row, bool]]:
        if layer in REFERRED:
            return self._about(test, layer, self._along(layer))
        rows = [] if self.stand is None else self.sights.front(self.stand, layer)
        return self._about(test, layer, rows)

    def _about(self, test: RuleTest, layer: str, rows: list[Row]) -> list[tuple[Row, bool]]:
        """Keep the rows that a test is about, each with whether that hangs on what nobody knows."""
        found = []
        for row in rows:
            about, soft = True, False
            if row.feature is not None:
                about, soft = is_about(self.world, layer, row.feature, test, self.stay)
            if about:
                found.append((row, soft or not row.sure))
        return found

    def _judged(self, row: Row, margin: float, soft: bool) -> Judged:  # noqa: FBT001
        return Judged(row.value_m, row.u_m, margin + self.nudge_m, row.known, soft)

    def _covered_by(self, layer: str, reach_m: float, *, along: bool) -> bool:
        return self._covered_along(layer, reach_m) if along else self._covered(layer, reach_m)

    def _covered_along(self, layer: str, reach_m: float) -> bool:
        """Whether the layer holds all there is along the kerb, so far from either end of the skip."""
        held, stand = self._source(layer), self.stand
        if not self._covered(layer, 0.0) or stand is None:
            return False
        assert held is not None
        assert held.extent is not None
        reach = stand.half_m + reach_m + stand.along_u_m
        steps = math.ceil(reach / LOOKED_M)
        away = [min(step * LOOKED_M, reach) for step in range(steps + 1)]
        places = [self.sights.kerbs.place_along(stand.walk, way * m) for way in (-1, 1) for m in away]
        return all(held.extent.intersects(place) for place in places)

    def _source(self, layer: str) -> Layer | None:
        """Return a layer; an opposite mouth is an edge of a crossing area."""
        return self.world.layer("crossing_area" if layer == "mouth" else layer)

    def _covered(self, layer: str, reach_m: float) -> bool:
        """Whether the layer holds all there is, `reach_m` and the doubt of the place round the skip."""
        held = self._source(layer)
        if held is None or not held.complete or held.extent is None or self.stand is None:
            return False
        centre = self.stand.centre
        if not held.extent.intersects(centre):
            return False
        ring = self.stand.box.exterior.coords
        half = max(math.dist((centre.x, centre.y), corner[:2]) for corner in ring)
        room = held.extent.boundary.distance(centre) - half
        return room + self.nudge_m >= reach_m + self.stand.plan_u_m


def _strict(test: RuleTest) -> bool:
    return test.reading != "primary"


def _strictly(test: RuleTest, answer: Answer) -> Answer:
    return answer._replace(outcome=Outcome.CONDITIONAL) if _strict(test) else answer


def _wall(moment: str | None) -> dt.datetime:
    assert moment is not None
    return dt.datetime.fromisoformat(moment)
