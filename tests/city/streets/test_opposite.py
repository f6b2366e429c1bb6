"""Opposite mouths: how much of a kerb runs along a crossing area."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from geocheck.city.ruler.opposite import opposite_table
from geocheck.city.ruler.ruler import lay_out

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("quarter", range(4))
@pytest.mark.parametrize("way", [1, -1])
def test_wherever_a_closed_kerb_has_its_seam_only_the_mouth_is_opposite(
    derive: Callable[..., Any], quarter: int, way: int
) -> None:
    """A loop of radius 30 m meets one street of 7 m: its inner kerb is free but for some metres opposite.

    The inner kerb has no end but the seam that its line needs, which may lie in the mouth.
    """
    turns = [math.pi / 2 * quarter + way * 2 * math.pi * (step % 16) / 16 for step in range(17)]
    ring = [(round(30 * math.cos(turn), 3), round(30 * math.sin(turn), 3)) for turn in turns]
    out = (round(4 * ring[0][0], 3), round(4 * ring[0][1], 3))
    lines = [(ring, {"name": "Laço", "width": "6"}), ([ring[0], out], {"name": "Rua", "width": "7"})]
    streets = derive(lines).streets
    table = opposite_table(streets.crossing_areas.geometry, streets.kerbs, lay_out(streets)).to_pydict()
    opposite_m = sum(high - low for low, high in zip(table["low_s"], table["high_s"], strict=True))
    assert 3.0 < opposite_m < 9.0
