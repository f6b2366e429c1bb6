"""The ground that features take up: as drawn, lines made as wide as what they stand for."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from tests.check.oracle.world import Layer, World

NAMES_STREETS = [
    "basic_road_system",
    "transit_corridor",
    "special_treatment_road",
    "central_axis",
    "pedestrian_street",
    "expressway",
    "bridge",
    "tunnel",
]
USUAL_HALF_M = {"cycleway": 0.75, "median": 0.5, "crossing": 2.0, "gutter": 0.15}
STREET_HALF_M = 5.0
NEAREST_AXIS_M = 12.0


class Thing(NamedTuple):
    """The ground of one feature; `level` None where it is not told."""

    shape: BaseGeometry
    accuracy_m: float
    level: float | None
    known: bool


class Ground:
    """The ground of all features of a map."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._things: dict[str, list[tuple[int, Thing]]] = {}
        self._boxes: dict[str, np.ndarray] = {}
        self._worst: dict[int, float] | None = None

    def near(self, layer: str, place: BaseGeometry, reach_m: float) -> list[tuple[int, Thing]]:
        """Return the features whose boxes come within reach of a place."""
        if layer not in self._things:
            self._things[layer] = self._all(layer)
            own = [thing.shape.bounds for _, thing in self._things[layer]]
            self._boxes[layer] = np.array(own).reshape(-1, 4)
        west, south, east, north = place.bounds
        boxes = self._boxes[layer]
        held = (boxes[:, 0] <= east + reach_m) & (boxes[:, 2] >= west - reach_m)
        held &= (boxes[:, 1] <= north + reach_m) & (boxes[:, 3] >= south - reach_m)
        return [self._things[layer][row] for row in np.flatnonzero(held)]

    def accuracy_m(self, layer: str, feature: int) -> float:
        """Return how surely a feature lies where it is; a crossing area, as its worst corner."""
        held = self.world.layer(layer)
        assert held is not None
        if layer == "crossing_area":
            worst = self._worst_corners().get(held.rows[feature]["junction"])
            if worst is not None:
                return worst
        return held.accuracy_m[feature]

    @staticmethod
    def way_of(row: dict[str, Any]) -> int | None:
        """Return the number of the way that a feature names, None for none."""
        text = str(row.get("way") or "").removeprefix("way/")
        return int(text) if text.isdecimal() and int(text) > 0 else None

    @cached_property
    def _kerb_ways(self) -> set[int]:
        return {int(row["way"]) for row in self.world.table("segment")}

    def _worst_corners(self) -> dict[int, float]:
        if self._worst is None:
            self._worst = {}
            corners = self.world.layer("corner")
            rows = [] if corners is None else zip(corners.rows, corners.accuracy_m, strict=True)
            for row, accuracy in rows:
                junction = row.get("junction")
                if junction is not None and junction >= 0:
                    self._worst[junction] = max(accuracy, self._worst.get(junction, 0.0))
        return self._worst

    def _all(self, name: str) -> list[tuple[int, Thing]]:
        layer = self.world.layer(name)
        if layer is None:
            return []
        found = []
        for feature, (row, shape) in enumerate(zip(layer.rows, layer.shapes, strict=True)):
            if row.get("on_axis") is True or shape is None or shape.is_empty:
                continue
            is_line = shapely.get_dimensions(shape) == 1
            if name in NAMES_STREETS and is_line and self.way_of(row) in self._kerb_ways:
                continue  # met along the kerbs of that street
            ground, accuracy = shape, self.accuracy_m(name, feature)
            if shapely.get_dimensions(shape) == 1:
                half, half_u = self._half_m(name, layer, feature)
                if half > 0:
                    ground = shape.buffer(half, quad_segs=256, cap_style="flat")
                    accuracy = math.hypot(accuracy, half_u)
            if ground.is_empty:
                continue
            found.append((feature, Thing(ground, accuracy, row.get("level"), row.get("unknown") is not True)))
        return found

    def _half_m(self, name: str, layer: Layer, feature: int) -> tuple[float, float]:
        told = layer.rows[feature].get("width_m")
        if told is not None:
            return told / 2, 0.0
        if name in NAMES_STREETS:
            return self._street_half_m(layer, feature)
        return USUAL_HALF_M.get(name, 0.0), USUAL_HALF_M.get(name, 0.0)

    def _street_half_m(self, layer: Layer, feature: int) -> tuple[float, float]:
        axis = self.world.layer("axis")
        if axis is None:
            return STREET_HALF_M, STREET_HALF_M
        way = layer.rows[feature].get("way")
        own = [row for row in axis.rows if way is not None and row["way"] == way]
        if not own:
            middle = layer.shapes[feature].interpolate(0.5, normalized=True)
            away = [(line.distance(middle), row) for line, row in zip(axis.shapes, axis.rows, strict=True)]
            distance, nearest = min(away, key=lambda each: each[0])
            own = [nearest] if distance <= NEAREST_AXIS_M else []
        if not own:
            return STREET_HALF_M, STREET_HALF_M
        return max(own[-1]["left_m"], own[-1]["right_m"]), own[-1]["kerb_accuracy_m"]
