"""Kerbs that somebody drew beside the streets of a network place its sides, its faces and its corners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.kerb_places import KerbPlaces
from geocheck.city.layers.table import IMAGERY_ACCURACY_M
from geocheck.city.network.network import osm_network
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.widths import WidthSource
from geocheck.city.surveyed.beside import kerb_ways
from geocheck.city.surveyed.follow import Followed, follow, unmoved
from geocheck.city.surveyed.placing import placed_by_kerbs
from geocheck.city.surveyed.pool import KerbLines, Pool, pooled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.ways import Ways

STREET = [([(-100, 0), (100, 0)], {"name": "Rua A"})]
CROSSING = [
    ([(-100, 0), (0, 0), (100, 0)], {"name": "Rua A"}),
    ([(0, -100), (0, 0), (0, 100)], {"name": "Rua B"}),
]


def lines(
    *drawn: Sequence[tuple[float, float]], accuracy_m: float = 0.1, source: WidthSource = WidthSource.SURVEYED
) -> KerbLines:
    count = len(drawn)
    return KerbLines(
        geometry=np.array([None, *map(shapely.LineString, drawn)], object)[1:],
        street=np.full(count, "", object),
        carriageway=np.zeros(count, np.int64),
        accuracy_m=np.full(count, accuracy_m),
        source=np.full(count, source, np.int8),
    )


def four_metres(ways: Ways) -> KerbPlaces:
    """Return kerbs 4 m from the line of every way, ±3.5 m, from nothing but its class."""
    shape = (len(ways), 2)
    source = np.full(shape, WidthSource.CLASS_DEFAULT, np.int8)
    return KerbPlaces(np.full(shape, 4.0), np.full(shape, 3.5), source)


def laid(ways: Ways, city: City, pool: Pool) -> Followed:
    places, _ = placed_by_kerbs(ways, four_metres(ways), pool)
    streets = derive_streets(ways, HalfWidths(places.half_m[:, 0], places.half_m[:, 1]), city)
    return follow(streets, ways, places, pool)


def face(found: Followed, x: float, y: float) -> tuple[int, shapely.LineString]:
    """Return the face nearest to a place."""
    kerbs = found.streets.kerbs
    every = [
        shapely.LineString(kerbs.xy[a:b]) for a, b in zip(kerbs.start[:-1], kerbs.start[1:], strict=True)
    ]
    nearest = int(np.argmin(shapely.distance(every, shapely.Point(x, y))))
    return nearest, every[nearest]


# ---------------------------------------------------------------- sides of ways


@pytest.mark.parametrize("back", [False, True])
def test_a_side_lies_where_its_kerb_is(drawn: Callable[..., Ways], back: bool) -> None:  # noqa: FBT001
    """Kerbs 5.2 m north and 3.8 m south of the line; the line's own error has no part in them."""
    ways = drawn([(STREET[0][0][:: -1 if back else 1], {})])
    pool = pooled([lines([(-100, 5.2), (100, 5.2)], [(-100, -3.8), (100, -3.8)])])
    places, counts = placed_by_kerbs(ways, four_metres(ways), pool)
    assert places.half_m[0] == pytest.approx([3.8, 5.2] if back else [5.2, 3.8], abs=1e-9)
    assert places.accuracy_m[0] == pytest.approx([0.1, 0.1], abs=1e-9)
    assert set(places.source[0]) == {WidthSource.SURVEYED}
    assert counts.placed == 2


def test_by_how_much_a_kerb_strays_joins_its_accuracy(drawn: Callable[..., Ways]) -> None:
    """From 4.4 to 5.2 m: the median is 4.8, and 95 % of the places lie within 0.38 m of it."""
    ways = drawn(STREET)
    places, _ = placed_by_kerbs(ways, four_metres(ways), pooled([lines([(-100, 4.4), (100, 5.2)])]))
    assert places.half_m[0, 0] == pytest.approx(4.8, abs=0.005)
    assert places.accuracy_m[0, 0] == pytest.approx(np.hypot(0.1, 0.38), abs=0.01)
    assert places.half_m[0, 1] == 4
    assert places.accuracy_m[0, 1] == 3.5


@pytest.mark.parametrize(
    ("kerb", "kind"),
    [
        pytest.param([(-100, 5), (20, 5)], "partly", id="on 60 % of the side"),
        pytest.param([(-100, 3), (0, 3), (0, 6), (100, 6)], "uneven", id="at two distances"),
        pytest.param([(-100, 20), (100, 20)], None, id="far away"),
        pytest.param([(-100, 1.2), (100, 1.2)], None, id="an island in the middle"),
        pytest.param([(x, 3 + x % 2 * 3) for x in range(-90, 90, 3)], None, id="across the street"),
    ],
)
def test_a_kerb_that_does_not_tell_the_side(
    drawn: Callable[..., Ways], kerb: list[tuple[float, float]], kind: str | None
) -> None:
    ways = drawn(STREET)
    places, counts = placed_by_kerbs(ways, four_metres(ways), pooled([lines(kerb)]))
    assert places.half_m.tolist() == [[4, 4]]
    assert counts._asdict() == {"placed": 0, "uneven": 0, "partly": 0} | ({kind: 1} if kind else {})


def test_a_kerb_belongs_to_the_nearest_street(drawn: Callable[..., Ways]) -> None:
    """Streets at y = 0 and y = 12: the kerb at y = 8.5 is the second one's."""
    ways = drawn([*STREET, ([(-100, 12), (100, 12)], {})])
    places, _ = placed_by_kerbs(ways, four_metres(ways), pooled([lines([(-100, 8.5), (100, 8.5)])]))
    assert places.half_m == pytest.approx(np.array([[4, 4], [4, 3.5]]))


def test_the_better_drawing_of_a_kerb_stays() -> None:
    """A survey runs 1.5 m beside half of a kerb of the network, and leaves the kerb 4 m away alone."""
    survey = lines([(0, 0), (50, 0)])
    network = lines([(0, 1.5), (100, 1.5)], [(0, 4), (100, 4)], source=WidthSource.KERB_WAY)
    pool = pooled([network, survey])
    assert pool.replaced_m == pytest.approx(50)
    assert float(shapely.length(pool.chains.lines()).sum()) == pytest.approx(200)
    assert sorted(set(pool.source.tolist())) == [WidthSource.SURVEYED, WidthSource.KERB_WAY]


# ---------------------------------------------------------------- faces and corners


def quarter(radius: float, x: float, y: float) -> list[tuple[float, float]]:
    """Return the kerb of a block whose corner (x, y) is its south-west one, rounded."""
    turn = np.radians(np.arange(270, 179, -5))
    curve = np.column_stack([x + radius + radius * np.cos(turn), y + radius + radius * np.sin(turn)])
    return [(100.0, y), *map(tuple, curve.tolist()), (x, 100.0)]


@pytest.mark.parametrize("radius", [3.0, 6.0, 12.0])
def test_a_corner_lies_where_its_kerbs_meet(drawn: Callable[..., Ways], goiania: City, radius: float) -> None:
    """The block to the north-east begins at x = 3.7 and y = 4.6, round a curve; the others at 4 and 4."""
    found = laid(drawn(CROSSING), goiania, pooled([lines(quarter(radius, 3.7, 4.6))]))
    corners = found.streets.corners
    assert found.moved == 1
    places = sorted(map(tuple, corners.xy.round(3).tolist()))
    # The way's northern side is 4.6 m from its line on its whole length only where it is one way.
    assert (3.7, 4.6) in places
    at = int(np.argmin(np.hypot(*(corners.xy - (3.7, 4.6)).T)))
    assert corners.xy[at] == pytest.approx([3.7, 4.6], abs=1e-3)
    assert found.curve_m[at] == pytest.approx([radius, radius], abs=1e-3)
    assert np.isnan(np.delete(found.curve_m, at, axis=0)).all()
    _, line = face(found, 50, 4.6)
    assert shapely.Point(line.coords[0]).distance(shapely.Point(3.7, 4.6)) < 1e-3 or (
        shapely.Point(line.coords[-1]).distance(shapely.Point(3.7, 4.6)) < 1e-3
    )
    assert line.length == pytest.approx(96.3, abs=1e-3)


@pytest.mark.parametrize("back", [1, -1])
def test_the_two_ends_of_a_chamfer(drawn: Callable[..., Ways], goiania: City, back: int) -> None:
    """Cut off 3 m along Rua A and 4 m along Rua B; with the block on the right Rua B's kerb ends there."""
    kerb = [(100, 4.2), (7.2, 4.2), (4.2, 8.2), (4.2, 100)]
    found = laid(drawn(CROSSING), goiania, pooled([lines(kerb[::back])]))
    corners, kerbs = found.streets.corners, found.streets.kerbs
    at = int(np.flatnonzero(np.isfinite(found.curve_m[:, 0]))[0])
    assert corners.xy[at] == pytest.approx([4.2, 4.2], abs=1e-3)
    of_street = {kerbs.street[corners.face_before[at]]: 0, kerbs.street[corners.face_after[at]]: 1}
    assert found.curve_m[at, of_street["Rua A"]] == pytest.approx(3, abs=1e-3)
    assert found.curve_m[at, of_street["Rua B"]] == pytest.approx(4, abs=1e-3)


def test_a_face_that_is_surveyed_is_as_sure_as_the_survey(drawn: Callable[..., Ways], goiania: City) -> None:
    found = laid(drawn(CROSSING), goiania, pooled([lines(quarter(6, 3.7, 4.6))]))
    kerbs = found.streets.kerbs
    surveyed, _ = face(found, 50, 4.6)
    other, _ = face(found, 50, -4)
    inside = slice(kerbs.segment_start[surveyed], kerbs.segment_start[surveyed + 1])
    assert found.along.accuracy_m[inside].max() == 0.1
    assert found.along.accuracy_m[kerbs.segment_start[other]] == 3.5


def test_mouths_are_as_wide_as_their_corners_say(drawn: Callable[..., Ways], goiania: City) -> None:
    """Rua B is open from x = -4 to 3.7 north of Rua A; on its east, Rua A is from (4, -4) to (3.7, 4)."""
    found = laid(drawn(CROSSING), goiania, pooled([lines(quarter(6, 3.7, 4.0))]))
    assert sorted(found.streets.mouths.width_m.round(3)) == [7.7, 8, 8, 8.006]


def test_a_face_follows_a_kerb_where_there_is_one(drawn: Callable[..., Ways], goiania: City) -> None:
    """A bulb of 1 m from x = 20 to 30 in a kerb that is drawn from x = 0 to 60."""
    kerb = [(0, 4.5), (20, 4.5), (21, 3.5), (29, 3.5), (30, 4.5), (60, 4.5)]
    found = laid(drawn(STREET), goiania, pooled([lines(kerb)]))
    kerbs = found.streets.kerbs
    at, line = face(found, 50, 4.5)
    xy = [tuple(place) for place in np.round(line.coords, 6).tolist()]
    for vertex in kerb[1:-1]:
        assert vertex in xy
    assert line.distance(shapely.Point(-50, 4)) < 1e-9
    assert line.distance(shapely.Point(90, 4)) < 1e-9
    part = slice(kerbs.segment_start[at], kerbs.segment_start[at + 1])
    drawn_part = found.along.source[part] == WidthSource.SURVEYED
    length = np.hypot(*np.diff(kerbs.xy[kerbs.start[at] : kerbs.start[at + 1]], axis=0).T)
    assert length[drawn_part].sum() == pytest.approx(60 + 2 * (np.sqrt(2) - 1), abs=2)
    assert found.along.accuracy_m[part].max() == 3.5


def test_without_drawn_kerbs_nothing_moves(drawn: Callable[..., Ways], goiania: City) -> None:
    ways = drawn(CROSSING)
    found = laid(ways, goiania, pooled([kerb_ways(ways)]))
    assert (found.moved, found.length_m) == (0, 0)
    assert sorted(map(tuple, found.streets.corners.xy.round(6).tolist())) == [
        (-4, -4),
        (-4, 4),
        (4, -4),
        (4, 4),
    ]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**31))
def test_how_a_kerb_was_drawn_does_not_matter(drawn: Callable[..., Ways], goiania: City, seed: int) -> None:
    """Cut into pieces, shuffled and reversed, kerbs lead to the same faces and corners."""
    rng = np.random.default_rng(seed)
    whole: list[list[tuple[float, float]]] = [quarter(6, 3.7, 4.6), [(-100, -3.5), (-20, -4.5), (-9, -4.5)]]
    pieces: list[Any] = []
    for line in whole:
        cut = int(rng.integers(1, len(line) - 1))
        pieces += [line[: cut + 1], line[cut:]]
    pieces = [pieces[i][:: rng.choice([-1, 1])] for i in rng.permutation(len(pieces))]
    one = laid(drawn(CROSSING), goiania, pooled([lines(*whole)]))
    two = laid(drawn(CROSSING[::-1]), goiania, pooled([lines(*pieces)]))
    for a, b in (
        (one.streets.corners.xy, two.streets.corners.xy),
        (one.streets.kerbs.xy, two.streets.kerbs.xy),
    ):
        order_a, order_b = np.lexsort(a.round(6).T), np.lexsort(b.round(6).T)
        assert a[order_a] == pytest.approx(b[order_b], abs=1e-5)
    assert sorted(one.along.accuracy_m) == pytest.approx(sorted(two.along.accuracy_m))


# ---------------------------------------------------------------- real files


@pytest.mark.parametrize(
    ("name", "crs", "best"),
    [("neukolln-scene.osm", "EPSG:25833", 0.85), ("helsinki.osm.pbf", "EPSG:3067", 0.6)],
)
def test_real_kerbs_are_followed(shared_osm: Path, goiania: City, name: str, crs: str, best: float) -> None:
    """Of our kerb within 3 m of one that is drawn as `barrier=kerb`, most lies on it: ± 5 cm."""
    world = goiania.bounds.model_copy(update={"west": -180.0, "east": 180.0, "south": -90.0, "north": 90.0})
    city = goiania.model_copy(update={"crs": crs, "bounds": world})
    ways = osm_network(shared_osm / name, city).ways
    pool = pooled([kerb_ways(ways)])
    plain = derive_streets(ways, HalfWidths(np.full(len(ways), 4.0), np.full(len(ways), 4.0)), city)
    shares = []
    for found in (unmoved(plain, four_metres(ways)), laid(ways, city, pool)):
        kerbs = found.streets.kerbs
        assert np.isfinite(kerbs.xy).all()
        assert (np.diff(kerbs.start) >= 2).all()
        assert kerbs.segment_start[-1] == len(kerbs.segment_way) == len(found.along.accuracy_m)
        owner = np.repeat(np.arange(len(kerbs)), np.diff(kerbs.start))
        every = np.asarray(shapely.linestrings(kerbs.xy, indices=owner))
        places = [shapely.line_interpolate_point(line, np.arange(1, line.length, 2.0)) for line in every]
        gap = shapely.distance(
            np.concatenate(places), shapely.multilinestrings(list(kerb_ways(ways).geometry))
        )
        shares.append(np.mean(gap[gap < 3] < 0.05))
    assert shares[0] < 0.2
    assert shares[1] > best
    assert pool.accuracy_m.tolist() == [IMAGERY_ACCURACY_M] * len(pool.accuracy_m)
