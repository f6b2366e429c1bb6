"""Rectangles and their distances to edges, against shapely."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st

from geocheck.check.footprint import Footprints, edge_distance_m, footprints

COORDINATE = st.floats(-12, 12).map(lambda value: round(value, 3))
SIZE = st.floats(0.5, 9).map(lambda value: round(value, 3))


def rectangle(x: float, y: float, bearing_deg: float, length_m: float, width_m: float) -> Footprints:
    angle = np.radians(bearing_deg)
    along = np.array([[np.sin(angle), np.cos(angle)]])
    return Footprints(np.array([[x, y]]), along, np.array([length_m]), np.array([width_m]))


@given(COORDINATE, COORDINATE, st.floats(0, 360), SIZE, SIZE, st.tuples(*[COORDINATE] * 4))
@example(0.0, 0.0, 2.2250738585e-313, 1.0, 1.0, (0.0, 0.0, 0.0, 1.0))
def test_distance_to_an_edge_is_that_of_shapely(
    x: float,
    y: float,
    bearing_deg: float,
    length_m: float,
    width_m: float,
    edge: tuple[float, float, float, float],
) -> None:
    one = rectangle(x, y, bearing_deg, length_m, width_m)
    line = shapely.LineString([edge[:2], edge[2:]]) if edge[:2] != edge[2:] else shapely.Point(edge[:2])
    expected = shapely.Polygon(one.corners()[0]).distance(line)
    assert edge_distance_m(one, np.array([edge]))[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("edge", "expected"),
    [
        pytest.param((-10, 0, 10, 0), 0.0, id="right through, no end inside"),
        pytest.param((-0.2, -0.1, 0.3, 0.1), 0.0, id="wholly inside"),
        pytest.param((1.0, -5, 1.0, 5), 0.0, id="along the long side"),
        pytest.param((1.3, -5, 1.3, 5), 0.3, id="0.30 m beside the long side"),
        pytest.param((0.0, 4, 0.0, 9), 2.0, id="ahead of the short side"),
        pytest.param((4.0, 6.0, 4.0, 6.0), 5.0, id="a point off the corner: 3, 4, 5"),
    ],
)
def test_distances_worked_out_by_hand(edge: tuple[float, ...], expected: float) -> None:
    """The rectangle points north: 4 m long, 2 m wide, around the origin."""
    found = edge_distance_m(rectangle(0, 0, 0, 4, 2), np.array([edge], float))
    assert found[0] == pytest.approx(expected, abs=1e-12)


def test_a_bearing_counts_from_true_north() -> None:
    """In Goiânia grid north lies about half a degree west of true north."""
    one = footprints(np.array([[-49.26, -16.67]]), np.array([0.0]), np.ones(1), np.ones(1), "EPSG:31982")
    assert np.degrees(np.arctan2(*one.along[0])) == pytest.approx(0.50, abs=0.01)
