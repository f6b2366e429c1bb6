"""Which kerbs bound a median, a divider or an island, from where to where, and what nobody can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely

from geocheck.city.osm.read import read_osm
from geocheck.city.streets.corners import CornerKind
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.medians import Median
from geocheck.city.streets.noses import common, corner_kinds
from geocheck.city.streets.stretches import drawn, face_lengths

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.cities import City
    from geocheck.city.streets.derive import Streets

AVENUE = {"oneway": "yes", "name": "Avenida", "width": "8"}
Stretch = tuple[str, list[float], list[float]]


def _dual(gap: float, length: float = 100, **other: str) -> list[Any]:
    """Return carriageways of 8 m with `gap` between their inner kerbs; the south axis lies at y = 0."""
    far = 8 + gap
    return [
        ([(-length, 0), (length, 0)], AVENUE),
        ([(length, far), (-length, far)], {**AVENUE, **other}),
    ]


def _stretches(streets: Streets) -> list[Stretch]:
    """Return the kind of each stretch and its first and last place, in the traffic's direction."""
    xy, row = drawn(streets.kerbs, streets.beside)
    found = []
    for k in range(len(streets.beside)):
        line = xy[row == k].round(6) + 0.0
        found.append((Median(int(streets.beside.kind[k])).code, line[0].tolist(), line[-1].tolist()))
    return sorted(found)


def _kinds(scene: Any) -> set[str]:  # noqa: ANN401
    return {kind for kind, _, _ in _stretches(scene.streets)}


def test_inner_kerbs_of_two_carriageways_bound_a_median(derive: Callable[..., Any]) -> None:
    scene = derive(_dual(5))
    assert _stretches(scene.streets) == [("yes", [-100, 4], [100, 4]), ("yes", [100, 9], [-100, 9])]
    medians = scene.streets.medians
    assert medians.width_m.tolist() == pytest.approx([5])
    assert medians.geometry[0].equals(shapely.box(-100, 4, 100, 9))


def test_unequal_widths_and_one_way_drawn_backwards(derive: Callable[..., Any]) -> None:
    lines = [
        ([(100, 0), (-100, 0)], {**AVENUE, "oneway": "-1", "width": "14"}),
        ([(100, 20), (-100, 20)], {**AVENUE, "width": "6"}),
    ]
    assert _stretches(derive(lines).streets) == [
        ("yes", [-100, 7], [100, 7]),
        ("yes", [100, 17], [-100, 17]),
    ]


def test_people_who_drive_on_the_left_have_the_median_on_their_right(
    goiania: City, drawn: Callable[..., Any], half_widths: Callable[..., HalfWidths]
) -> None:
    left = goiania.model_copy(update={"driving_side": "left"})
    for lines, count in ((_dual(5), 0), ([(p[::-1], t) for p, t in _dual(5)], 2)):
        ways = drawn(lines)
        yes = [s for s in _stretches(derive_streets(ways, half_widths(ways), left)) if s[0] == "yes"]
        assert len(yes) == count


def test_one_way_alone_and_two_streets_a_block_apart_have_no_median(derive: Callable[..., Any]) -> None:
    assert _stretches(derive(_dual(5)[:1]).streets) == []
    assert _stretches(derive(_dual(60)).streets) == []
    assert _stretches(derive(_dual(30, name="Rua")).streets) == []


def test_how_far_apart_the_carriageways_of_a_street_may_be(derive: Callable[..., Any]) -> None:
    assert _kinds(derive(_dual(45))) == {"yes"}
    assert _kinds(derive(_dual(55))) == set()
    assert _kinds(derive(_dual(6, name=""))) == {"yes"}, "one of them has no name"
    assert _kinds(derive(_dual(15, name=""))) == {"unknown"}
    assert _kinds(derive(_dual(25, name=""))) == set()


def test_carriageways_of_two_names_have_a_divider_where_no_block_fits(derive: Callable[..., Any]) -> None:
    assert _kinds(derive(_dual(5, name="Rua"))) == {"divider"}
    assert _kinds(derive(_dual(12, name="Rua"))) == {"unknown"}


def test_another_street_between_hides_the_far_carriageway(derive: Callable[..., Any]) -> None:
    between = ([(-200, 24), (200, 24)], {"name": "Rua do Meio"})
    assert _kinds(derive([*_dual(40), between])) == set()


def test_carriageways_on_two_levels_have_no_median(derive: Callable[..., Any]) -> None:
    assert _stretches(derive(_dual(5, layer="1")).streets) == []


@pytest.mark.parametrize(("gap", "expected"), [(1.9, "unknown"), (2.5, "yes")])
def test_a_gap_within_the_accuracy_may_be_paint(
    goiania: City,
    drawn: Callable[..., Any],
    half_widths: Callable[..., HalfWidths],
    gap: float,
    expected: str,
) -> None:
    """± 1.2 m on both sides and 1.0 m between the axes are √(1.44 + 1.44 + 1) = 1.97 m."""
    for tags, kind in (({}, expected), ({"dual_carriageway": "yes"}, "yes")):
        ways = drawn([(points, {**said, **tags}) for points, said in _dual(gap)])
        half = half_widths(ways)
        widths = HalfWidths(half.left_m, half.right_m, np.full(len(ways), 1.2))
        streets = derive_streets(ways, widths, goiania)
        assert {found for found, _, _ in _stretches(streets)} == {kind}
        assert len(streets.medians) == (1 if kind == "yes" else 0)


def test_a_median_ends_where_the_other_carriageway_does(derive: Callable[..., Any]) -> None:
    lines = [([(-100, 0), (150, 0)], AVENUE), ([(20, 14), (-100, 14)], AVENUE)]
    assert _stretches(derive(lines).streets) == [("yes", [-100, 4], [20, 4]), ("yes", [20, 10], [-100, 10])]


def test_a_median_ends_where_carriageways_part(derive: Callable[..., Any]) -> None:
    """From x = 0 the north one climbs 1 in 2; its kerb, 4 m to the right of it, is 50 m off at y = 54."""
    lines = [
        ([(-100, 0), (200, 0)], AVENUE),
        ([(200, 112), (0, 12), (-100, 12)], AVENUE),
    ]
    south = [s for s in _stretches(derive(lines).streets) if s[1][1] == 4]
    ends_at = 2 * (54 - 12 + 4 * np.sqrt(1.25))
    assert [(kind, one) for kind, one, _ in south] == [("yes", [-100, 4])]
    assert south[0][2] == pytest.approx([ends_at, 4])


def test_a_service_road_is_parted_from_its_avenue_by_a_divider(derive: Callable[..., Any]) -> None:
    """Four metres of lawn between the main carriageway and the service road of the same direction."""
    service = ([(-100, -11), (100, -11)], {**AVENUE, "width": "6"})
    found = _stretches(derive([*_dual(5), service]).streets)
    assert found == [
        ("divider", [-100, -8], [100, -8]),
        ("divider", [-100, -4], [100, -4]),
        ("yes", [-100, 4], [100, 4]),
        ("yes", [100, 9], [-100, 9]),
    ]


def test_openings_cut_a_median_and_its_ends_belong_to_it(derive: Callable[..., Any]) -> None:
    """A cross street of 6 m: of the median, y = 4 to 9, the ends lie at x = ± 3."""
    lines = [
        ([(-100, 0), (0, 0), (100, 0)], AVENUE),
        ([(100, 13), (0, 13), (-100, 13)], AVENUE),
        ([(0, -50), (0, 0), (0, 13), (0, 60)], {"name": "Rua", "width": "6"}),
    ]
    scene = derive(lines)
    kerbs, corners = scene.streets.kerbs, scene.streets.corners
    stretches = _stretches(scene.streets)
    assert {kind for kind, _, _ in stretches} == {"yes"}
    assert sorted(sorted([one, two]) for _, one, two in stretches) == [
        [[-100, 4], [-3, 4]],
        [[-100, 9], [-3, 9]],
        [[-3, 4], [-3, 9]],
        [[3, 4], [3, 9]],
        [[3, 4], [100, 4]],
        [[3, 9], [100, 9]],
    ]
    at_median = common(*corner_kinds(scene.streets.beside, kerbs, corners)) == Median.YES
    assert sorted(corners.xy[at_median].round(6).tolist()) == [[-3, 4], [-3, 9], [3, 4], [3, 9]]
    assert sorted(corners.xy[~at_median].round(6).tolist()) == [[-3, -4], [-3, 17], [3, -4], [3, 17]]
    assert shapely.union_all(scene.streets.medians.geometry).area == pytest.approx(2 * 97 * 5)


@pytest.mark.parametrize("slant", [-12.0, 9.0])
def test_a_slanting_opening_takes_no_kerb_from_the_median(derive: Callable[..., Any], slant: float) -> None:
    """What lies not straight across, up to the corner, still bounds the median."""
    lines = [
        ([(-100, 0), (0, 0), (100, 0)], AVENUE),
        ([(100, 18), (slant, 18), (-100, 18)], AVENUE),
        ([(-slant, -18), (0, 0), (slant, 18), (2 * slant, 36)], {"name": "Rua"}),
    ]
    streets = derive(lines).streets
    inner = [(one, two) for _, one, two in _stretches(streets) if one[1] == two[1]]
    kerbs = streets.kerbs
    ends = kerbs.xy[np.concatenate([kerbs.start[:-1], kerbs.start[1:] - 1])].round(6).tolist()
    assert len(inner) == 4
    assert all(place in ends for pair in inner for place in pair)


def test_a_busway_in_the_middle_lies_in_the_median(derive: Callable[..., Any]) -> None:
    bus = ([(-100, 15), (100, 15)], {"highway": "busway", "width": "7", "name": "Corredor"})
    streets = derive([*_dual(22), bus]).streets
    heights = sorted({(kind, one[1]) for kind, one, _ in _stretches(streets)})
    assert heights == [("yes", 4), ("yes", 11.5), ("yes", 18.5), ("yes", 26)]
    assert streets.medians.width_m.tolist() == pytest.approx([22])


def test_where_a_street_parts_into_two_the_kerbs_meet_at_the_end_of_the_median(
    derive: Callable[..., Any],
) -> None:
    lines = [
        ([(-100, 0), (0, 0)], {"name": "Avenida", "width": "16"}),
        ([(0, 0), (40, -10), (150, -10)], AVENUE),
        ([(150, 10), (40, 10), (0, 0)], AVENUE),
    ]
    streets = derive(lines).streets
    corners = streets.corners
    nose = int(np.abs(corners.xy - np.array([16.5, 0.0])).sum(axis=1).argmin())
    assert corners.xy[nose] == pytest.approx([4 / np.sin(np.arctan(1 / 4)), 0])
    assert corners.kind[nose] == CornerKind.CORNER
    assert common(*corner_kinds(streets.beside, streets.kerbs, corners))[nose] == Median.UNKNOWN
    # The kerbs part by an angle of 2 arctan(1/4); less than 1 m apart nobody can tell that they are two.
    size = streets.beside.to_m - streets.beside.from_m
    unknown = streets.beside.kind == Median.UNKNOWN
    assert size[unknown] == pytest.approx([1 / np.tan(2 * np.arctan(1 / 4))] * 2)
    assert size.sum() == pytest.approx(face_lengths(streets.kerbs)[np.unique(streets.beside.face)].sum())


def _ring(radius: float, count: int = 24) -> list[tuple[float, float]]:
    angle = np.arange(count + 1) % count * 2 * np.pi / count
    return [(round(radius * np.cos(a), 6), round(radius * np.sin(a), 6)) for a in angle]


def test_the_inside_of_a_roundabout_is_an_island(derive: Callable[..., Any]) -> None:
    ring = _ring(20)
    arms: list[Any] = [([ring[k], (4 * ring[k][0], 4 * ring[k][1])], {}) for k in (0, 8, 16)]
    streets = derive([(ring, {"junction": "roundabout"}), *arms]).streets
    inner = [s for s in _stretches(streets) if s[0] == "island"]
    assert len(inner) == len(streets.beside) == 1
    assert np.hypot(inner[0][1][0], inner[0][1][1]) == pytest.approx(20 - 4 / np.cos(np.pi / 24))


def test_a_kerb_all_round_a_median_bounds_it_all_along(derive: Callable[..., Any]) -> None:
    """A closed one-way loop, 12 m across between its kerbs; as a square of 100 m it is a block."""
    for across, kinds in ((12.0, ["yes"]), (100.0, [])):
        far = across + 8
        ring = [(0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (200.0, far), (0.0, far), (0.0, 0.0)]
        arm = ([(100.0, 0.0), (100.0, -80.0)], {"name": "Rua"})
        streets = derive([(ring, AVENUE), arm]).streets
        assert [kind for kind, _, _ in _stretches(streets)] == kinds
        if kinds:
            assert streets.medians.geometry[0].area == pytest.approx(192 * 12)


def _seen(streets: Streets, through: Any, step_m: float) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Return places on inner kerbs, whether a ray from each meets an inner kerb, and one of the same name.

    One ray at a time, against all kerbs as lines except those of the ways `through`: the slow oracle.
    """
    kerbs, graph = streets.kerbs, streets.graph
    face = np.repeat(np.arange(len(kerbs)), np.diff(kerbs.segment_start))
    first = np.arange(len(face)) + face
    begin, end = kerbs.xy[first], kerbs.xy[first + 1]
    lines = np.asarray(shapely.linestrings(np.stack([begin, end], axis=1)))
    plain = ~kerbs.segment_step & ~through[kerbs.segment_way]
    tree = shapely.STRtree(lines[plain])
    rows = np.flatnonzero(plain)
    name, level = graph.segments.name[kerbs.segment_axis], graph.segments.layer[kerbs.segment_axis]
    places, met, told = [], [], []
    for k in np.flatnonzero(kerbs.segment_inner & plain):
        length = np.hypot(*(end[k] - begin[k]))
        traffic = (end[k] - begin[k]) / length * kerbs.segment_flow[k]
        for along in np.arange(step_m / 2, length, step_m):
            place = begin[k] + along / length * (end[k] - begin[k])
            away = np.array([-traffic[1], traffic[0]])
            ray = shapely.LineString([place + 1e-3 * away, place + 50 * away])
            hits = rows[tree.query(ray, predicate="intersects")]
            hits = hits[level[hits] == level[k]]
            gaps = shapely.distance(shapely.Point(place), shapely.intersection(lines[hits], ray))
            best = hits[np.argmin(gaps)] if len(hits) else k
            turn = (end[best] - begin[best]) * kerbs.segment_flow[best]
            anti = turn @ traffic <= -np.cos(np.radians(30)) * np.hypot(*turn)
            places.append(place)
            met.append(bool(kerbs.segment_inner[best] and anti))
            told.append(met[-1] and name[best] == name[k] > 0)
    return np.array(places), np.array(met), np.array(told)


def test_rays_on_real_streets_see_the_same_medians(shared_osm: Path, goiania: City) -> None:
    """Where they differ, a hole was closed or an end drawn on: less than a gap's width."""
    ways = read_osm(shared_osm / "goiania-campus.osm.pbf", goiania).ways
    half = np.full(len(ways), 3.5)
    buses = np.array([tags.get("access") == "no" and "bus" in tags for tags in ways.tags])
    streets = derive_streets(ways, HalfWidths(half, half), goiania)
    places, met, told = _seen(streets, buses, 10.0)
    beside = streets.beside
    near: list[Any] = []
    for kinds in ((Median.YES, Median.UNKNOWN), (Median.YES,)):
        xy, row = drawn(streets.kerbs, beside.at(np.isin(beside.kind, kinds)))
        lines = shapely.union_all(np.asarray(shapely.linestrings(xy, indices=row)))
        near.append(shapely.dwithin(lines, shapely.points(places), 1e-3))
    assert told.sum() > 1000
    assert np.mean(near[0][told]) > 0.99
    assert np.mean(met[near[1]]) > 0.98
