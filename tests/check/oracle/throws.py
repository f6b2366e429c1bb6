"""Random placements on a map: along kerbs, in mouths, at bends, behind the kerb, far out."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

from pyproj import Proj, Transformer

from geocheck.model.request import Request, parse_request
from tests.check.oracle.stand import unit_of

if TYPE_CHECKING:
    from tests.check.oracle.kerbs import Kerbs, Piece
    from tests.check.oracle.world import World

STAY = {"start": "2026-08-03T10:00", "end": "2026-08-05T10:00"}
SIZES = [
    (2.65, 1.76),
    (2.65, 1.76),
    (2.65, 1.76),
    (3.1, 1.9),
    (6.0, 2.5),
    (1.5, 1.5),
    (1.76, 2.65),
    (0.3, 0.2),
]
ACCURACIES = [None, None, None, 0.0, 0.0, 0.05, 0.3, 2.0, 8.0, 20.0]
ANGLES = [0.0, 0.0, 0.0, 3.0, -4.9, 20.0, 44.0, 90.0, 180.0]


class Thrower:
    """Throws placements on one map, always the same ones for the same seed."""

    def __init__(self, world: World, kerbs: Kerbs, city: str, seed: str) -> None:
        self.dice = random.Random(seed)  # noqa: S311 - no secret
        self.world = world
        self.kerbs = kerbs
        self.city = city
        self.to_lonlat = Transformer.from_crs(world.crs, "EPSG:4326", always_xy=True)
        self.proj = Proj(world.crs)
        self.lengths = [piece.length_m for piece in kerbs.pieces]
        self.mouths = [piece for piece in kerbs.pieces if piece.ends is not None]

    def requests(self, count: int) -> list[Request]:
        """Return so many placements."""
        found: list[Request] = []
        while len(found) < count:
            raw = self._one()
            if raw is not None:
                found.append(parse_request(raw))
        return found

    def tied(self) -> list[Request]:
        """Return placements where kerbs tie: on the axes and at their bends, at the vertices of kerbs."""
        axis = self.world.layer("axis")
        places = []
        for line in [*(axis.shapes if axis else []), *self.kerbs.lines]:
            places += [*line.coords, line.interpolate(0.5, normalized=True).coords[0]]
        found = []
        for number, (x, y) in enumerate(places):
            lon, lat = self.to_lonlat.transform(x, y)
            raw = {"city": self.city, **STAY, "lon": lon, "lat": lat, "length_m": 2.65, "width_m": 1.76}
            raw["position_accuracy_m"] = (0.0, 1.0)[number % 2]
            raw["mode"] = ("planned", "observed")[number // 2 % 2]
            found.append(parse_request(raw if number % 3 else {**raw, "bearing_deg": 90.0}))
        return found

    def _one(self) -> dict[str, Any] | None:
        dice = self.dice
        piece = self._piece()
        if piece.length_m == 0:
            return None
        length, width = dice.choice(SIZES)
        unit = unit_of(piece)
        # At the ends of pieces are bends, corners and mouths.
        along = dice.choice([dice.random(), dice.random(), 0.0, 1.0, dice.gauss(0.5, 0.6)]) * piece.length_m
        away = (
            dice.choice([dice.uniform(-1, 3), dice.uniform(-1, 3), 0.3, dice.uniform(-9, 30)]) + width / 2
        ) * (piece.inward)
        x = piece.one[0] + unit[0] * along - unit[1] * away
        y = piece.one[1] + unit[1] * along + unit[0] * away
        lon, lat = self.to_lonlat.transform(x, y)
        if not (math.isfinite(lon) and math.isfinite(lat)):
            return None
        convergence = self.proj.get_factors(lon, lat).meridian_convergence
        angle = dice.choice([*ANGLES, dice.uniform(-90, 90)])
        bearing = math.degrees(math.atan2(unit[0], unit[1])) + convergence + angle
        thrown = {
            "city": self.city,
            **STAY,
            "lon": lon,
            "lat": lat,
            "bearing_deg": dice.choice([bearing, bearing, bearing, None]),
            "mode": dice.choice(["planned", "observed", "observed", None]),
            "position_accuracy_m": dice.choice(ACCURACIES),
            "length_m": dice.choice([length] * 30 + [None]),
            "width_m": dice.choice([width] * 30 + [None]),
            "height_m": dice.choice([None, 1.0, 1.2, 1.5]),
            "where": dice.choice(["carriageway"] * 6 + ["parking_bay", "shoulder", "footway", "property"]),
        }
        if thrown["mode"] is None:
            thrown["snap"] = dice.choice([True, False])
        if thrown["mode"] == "planned" and dice.random() < 0.5:
            thrown["measured"] = {"gap_m": round(dice.uniform(0, 0.9), 2)}
        return {key: value for key, value in thrown.items() if value is not None}

    def _piece(self) -> Piece:
        dice = self.dice
        how = dice.random()
        if how < 0.15 and self.mouths:
            return dice.choice(self.mouths)
        if how < 0.4:
            return dice.choice(self.kerbs.pieces)
        return dice.choices(self.kerbs.pieces, self.lengths)[0]
