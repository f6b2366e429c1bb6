"""Lines joined end to end, whatever they were drawn as."""

from __future__ import annotations

import numpy as np
import shapely

from geocheck.city.surveyed.lines import chained


def lines(*geometry: shapely.Geometry) -> np.ndarray:
    return np.array([None, *geometry], object)[1:]


def test_ends_within_five_centimetres_are_one() -> None:
    near = chained(lines(shapely.LineString([(0, 0), (10, 0)]), shapely.LineString([(10.04, 0), (20, 0)])))
    far = chained(lines(shapely.LineString([(0, 0), (10, 0)]), shapely.LineString([(10.06, 0), (20, 0)])))
    assert (len(near), near.counts.joined_ends) == (1, 1)
    assert (len(far), far.counts.joined_ends) == (2, 0)
    assert near.xy.tolist() == [[0, 0], [10, 0], [20, 0]]


def test_every_edge_knows_where_it_comes_from() -> None:
    found = chained(
        lines(
            shapely.LineString([(20, 0), (10, 0)]),
            shapely.Point(0, 0),
            shapely.MultiLineString([[(0, 0), (10, 0)], [(20, 0), (20, 5), (20, 9)]]),
        )
    )
    assert found.xy.tolist() == [[0, 0], [10, 0], [20, 0], [20, 5], [20, 9]]
    assert found.row.tolist() == [2, 0, 2, 2]
    assert found.along.tolist() == [1, -1, 1, 1]
    assert found.counts.no_lines == 1


def test_a_line_drawn_twice_counts_once() -> None:
    found = chained(lines(shapely.LineString([(0, 0), (10, 0)]), shapely.LineString([(10, 0), (0, 0)])))
    assert (len(found), found.counts.repeated) == (1, 1)


def test_crumbs_go() -> None:
    found = chained(lines(shapely.LineString([(0, 0), (10, 0)]), shapely.LineString([(30, 0), (30.01, 0)])))
    assert (len(found), found.counts.tiny) == (1, 1)


def test_where_three_meet_none_is_joined() -> None:
    arms = [shapely.LineString([(0, 0), end]) for end in ((10, 0), (0, 10), (-10, 0))]
    found = chained(lines(*arms))
    assert (len(found), found.counts.crossings) == (3, 1)


def test_a_ring_runs_clockwise_from_its_longest_edge() -> None:
    found = chained(lines(shapely.LineString([(0, 0), (30, 0), (30, 10), (0, 10), (0, 0)])))
    assert found.ring.tolist() == [True]
    assert found.xy[0].tolist() == found.xy[-1].tolist() == [15, 0]
    assert found.xy[1].tolist() == [0, 0]
    assert found.row.tolist() == [0] * 5


def test_nothing_is_nothing() -> None:
    assert len(chained(lines())) == 0
