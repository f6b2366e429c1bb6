"""The grid over edges against a look at all of them."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from geocheck.city.ruler.cells import cells_of

_ROUNDING_M = 1e-9
PLACE = st.tuples(st.floats(-200, 200), st.floats(-200, 200))
EDGES = st.lists(st.tuples(PLACE, PLACE, st.floats(0, 30)), max_size=8)


@given(EDGES, st.lists(PLACE, min_size=1, max_size=8))
def test_every_edge_within_reach_is_found_once(
    edges: list[tuple[tuple[float, float], tuple[float, float], float]], places: list[tuple[float, float]]
) -> None:
    table = np.array([[*one, *two] for one, two, _ in edges]).reshape(-1, 4)
    reach = np.array([each for _, _, each in edges])
    place, edge = cells_of(table, reach).near(np.array(places))
    pairs = list(zip(place.tolist(), edge.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    for i, xy in enumerate(places):
        for k, (one, two, within) in enumerate(edges):
            if shapely.Point(xy).distance(shapely.LineString([one, two])) <= within - _ROUNDING_M:
                assert (i, k) in pairs


def test_an_edge_far_away_is_not_found() -> None:
    cells = cells_of(np.array([[0.0, 0.0, 300.0, 300.0]]), np.array([5.0]))
    place, _ = cells.near(np.array([[0.0, 300.0], [150.0, 150.0]]))
    assert place.tolist() == [1]


@pytest.mark.parametrize("place", [(np.nan, 0.0), (np.inf, 0.0), (1e12, 5.0), (-40.0, 0.0)])
def test_a_place_outside_or_nowhere_has_no_edge(place: tuple[float, float]) -> None:
    cells = cells_of(np.array([[0.0, 0.0, 10.0, 0.0]]), np.array([5.0]))
    assert len(cells.near(np.array([place, (5.0, 1.0)]))[0]) == 1


def test_no_edges_at_all() -> None:
    place, edge = cells_of(np.zeros((0, 4)), np.zeros(0)).near(np.zeros((3, 2)))
    assert len(place) == len(edge) == 0
