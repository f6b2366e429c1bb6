"""The ruler: sides of streets end to end, distances that run on across mouths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.osm.read import read_osm
from geocheck.city.ruler.ruler import GUARD_M, MOUTH, lay_out
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.runs import EndKind
from geocheck.city.streets.widths import carriageway_widths

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.ruler.ruler import Ruler

LARGE: tuple[Any, ...] = ([(-80, 0), (0, 0), (80, 0)], {"name": "Rua Larga", "width": "10"})
NARROW: tuple[Any, ...] = ([(0, -60), (0, 0), (0, 60)], {"name": "Rua Estreita", "width": "8"})
STUB: tuple[Any, ...] = ([(0, 0), (0, 60)], {"name": "Rua Estreita", "width": "8"})


def place_of(scene: Any, ruler: Ruler, x: float, y: float) -> tuple[int, float]:  # noqa: ANN401
    """Return the side and the station of the place on a kerb that is nearest to a point."""
    face = scene.face_near(x, y)
    along = scene.line(face).project(shapely.Point(x, y))
    return int(ruler.kerb_side[face]), float(ruler.station(np.array([face]), np.array([along]))[0])


def pairs_apart(scene: Any, ruler: Ruler, *points: tuple[float, float]) -> list[float]:  # noqa: ANN401
    """Return the distances along one side between points that follow each other."""
    sides, stations = zip(*(place_of(scene, ruler, *point) for point in points), strict=True)
    assert len(set(sides)) == 1
    return [abs(float(step)) for step in np.diff(stations)]


def test_a_distance_runs_on_across_a_mouth(derive: Callable[..., Any]) -> None:
    """At a crossing of 10 m and 8 m streets both sides of both run 80 + 80 and 60 + 60 m."""
    scene = derive([LARGE, NARROW])
    ruler = lay_out(scene.streets)
    assert sorted(ruler.side_length_m) == pytest.approx([120, 120, 160, 160])
    assert sorted(ruler.length_m[ruler.kerb == MOUTH]) == pytest.approx([8, 8, 10, 10])
    assert pairs_apart(scene, ruler, (-10, -5), (10, -5), (30, -5)) == pytest.approx([20, 20])
    assert ruler.unlinked == 0


def test_the_far_kerb_of_a_t_has_no_mouth_and_the_stem_ends_in_corners(derive: Callable[..., Any]) -> None:
    scene = derive([LARGE, STUB])
    ruler = lay_out(scene.streets)
    assert sorted(ruler.side_length_m) == pytest.approx([55, 55, 160, 160])
    assert np.count_nonzero(ruler.kerb == MOUTH) == 1
    ends = [ruler.side_start_kind, ruler.side_end_kind]
    stems = ruler.side_length_m < 60
    corners = np.count_nonzero([(kind == EndKind.CORNER) & stems for kind in ends])
    assert corners == 2
    assert not np.any([(kind == EndKind.CORNER) & ~stems for kind in ends])


def test_traffic_that_changes_along_a_side_is_kept_by_piece(derive: Callable[..., Any]) -> None:
    """East of the crossing the street is one-way towards it: on the south side traffic turns round there."""
    lines = [
        ([(-80, 0), (0, 0)], {"name": "Rua Larga", "width": "10"}),
        ([(60, 0), (0, 0)], {"name": "Rua Larga", "width": "10", "oneway": "yes"}),
        NARROW,
    ]
    scene = derive(lines)
    ruler = lay_out(scene.streets)
    side, _ = place_of(scene, ruler, -40, -5)
    assert place_of(scene, ruler, 40, -5)[0] == side
    assert pairs_apart(scene, ruler, (-10, -5), (10, -5)) == pytest.approx([20])
    for x, flow in ((-40, 1), (40, -1)):
        face = scene.face_near(x, -5)
        assert set(ruler.flow[ruler.kerb == face]) == {flow}, "the ruler runs as the longer part"
        assert ruler.kerb_sense[face] == flow


def test_a_kerb_without_end_is_a_ring(derive: Callable[..., Any]) -> None:
    """A square of streets alone: its inner kerb is a ring of 4 × 72 m, its outer one of 4 × 88 m."""
    square = [(0, 0), (80, 0), (80, 80), (0, 80), (0, 0)]
    ruler = lay_out(derive([(square, {"width": "8", "oneway": "yes"})]).streets)
    assert ruler.side_ring.tolist() == [True, True]
    assert sorted(ruler.side_length_m) == pytest.approx([288, 352])


def test_a_ring_of_kerbs_and_mouths_closes(derive: Callable[..., Any]) -> None:
    """Four stubs leave a square outwards: its outer side is one ring of four kerbs and four mouths."""
    corners = [(0, 0), (80, 0), (80, 80), (0, 80)]
    middles = [(40, 0), (80, 40), (40, 80), (0, 40)]
    far = [(40, -60), (140, 40), (40, 140), (-60, 40)]
    loop = [point for pair in zip(corners, middles, strict=True) for point in pair]
    lines = [([*loop, loop[0]], {"width": "8", "name": "Anel"})]
    lines += [([middle, end], {"width": "8"}) for middle, end in zip(middles, far, strict=True)]
    ruler = lay_out(derive(lines).streets)
    ring = np.flatnonzero(ruler.side_ring & (ruler.side_length_m > 300))
    assert ruler.side_length_m[ring] == pytest.approx([352])
    inside = (ruler.s >= ruler.side_s[ring[0]]) & (ruler.s < ruler.side_s[ring[0]] + 352)
    assert np.count_nonzero(ruler.kerb[inside] == MOUTH) == 4
    assert ruler.xy[inside][0, :2] == pytest.approx(ruler.xy[inside][-1, 2:])


def test_sides_of_a_real_city_are_whole(shared_osm: Path, goiania: City) -> None:
    """Every segment of every kerb once, each piece where the last ends, guards between sides."""
    ways = read_osm(shared_osm / "goiania-campus.osm.pbf", goiania).ways
    widths = carriageway_widths(ways.tags, goiania)
    streets = derive_streets(ways, HalfWidths(widths.left_m, widths.right_m), goiania)
    ruler, kerbs = lay_out(streets), streets.kerbs
    parts = ruler.part[ruler.part != MOUTH]
    assert np.array_equal(np.sort(parts), np.arange(len(kerbs.segment_way)))
    assert np.array_equal(np.unique(ruler.kerb), np.arange(-1, len(kerbs)))

    side = np.searchsorted(ruler.side_s, ruler.s + 1e-6) - 1
    last = np.diff(side, append=-1) != 0
    assert ruler.s[1:][~last[:-1]] == pytest.approx((ruler.s + ruler.length_m)[:-1][~last[:-1]], abs=1e-6)
    assert np.array_equal(ruler.xy[1:, :2][~last[:-1]], ruler.xy[:-1, 2:][~last[:-1]])
    assert np.diff(ruler.side_s) == pytest.approx(ruler.side_length_m[:-1] + GUARD_M)

    for kerb in range(0, len(kerbs), 53):
        line = shapely.LineString(kerbs.xy[kerbs.start[kerb] : kerbs.start[kerb + 1]])
        for along in (0.0, 0.3 * line.length, line.length):
            station = ruler.station(np.array([kerb]), np.array([along]))[0]
            rows = np.flatnonzero(ruler.kerb == kerb)
            row = rows[np.clip(np.searchsorted(ruler.s[rows], station, side="right") - 1, 0, None)]
            share = (station - ruler.s[row]) / ruler.length_m[row]
            place = ruler.xy[row, :2] + share * (ruler.xy[row, 2:] - ruler.xy[row, :2])
            assert place == pytest.approx(line.interpolate(along).coords[0], abs=1e-6)


SCENES: tuple[tuple[Any, ...], ...] = (
    (LARGE, NARROW),
    (LARGE, STUB),
    (LARGE, ([(0, 0), (30, 60)], {"width": "6"}), ([(40, -50), (40, 0), (40, 50)], {"width": "7"})),
    (
        ([(-80, 0), (0, 0), (80, 0)], {"width": "7", "oneway": "yes", "name": "Avenida"}),
        ([(80, 14), (0, 14), (-80, 14)], {"width": "7", "oneway": "yes", "name": "Avenida"}),
        ([(0, -60), (0, 0), (0, 14), (0, 70)], {"width": "8", "name": "Rua"}),
    ),
)


def drawn_the_other_way(line: tuple[Any, ...]) -> tuple[Any, ...]:
    points, tags = line
    other = {"oneway": "-1"} if tags.get("oneway") == "yes" else {}
    return points[::-1], {**tags, **other}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("angle_deg", [0.0, 90.0, 137.0, 260.5])
def test_the_ruler_does_not_heed_how_streets_are_drawn(
    derive: Callable[..., Any], scene: tuple[Any, ...], angle_deg: float
) -> None:
    """Reversed, in another order and turned: as many sides, as long, with as much kerb and as many mouths."""
    cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    turned = [
        ([(float(cos * x - sin * y), float(sin * x + cos * y)) for x, y in points], tags)
        for points, tags in scene
    ]
    one = lay_out(derive(list(scene)).streets)
    two = lay_out(derive([drawn_the_other_way(line) for line in reversed(turned)]).streets)
    assert sorted(two.side_length_m) == pytest.approx(sorted(one.side_length_m), abs=1e-6)
    for chords in (True, False):
        lengths = [sorted(ruler.length_m[(ruler.kerb == MOUTH) == chords]) for ruler in (one, two)]
        assert lengths[0] == pytest.approx(lengths[1], abs=1e-6)
    flows = [np.bincount(ruler.flow + 1, ruler.length_m, 3) for ruler in (one, two)]
    assert flows[0] == pytest.approx(flows[1], abs=1e-6)
