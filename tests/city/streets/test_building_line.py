"""Building lines of cross streets beyond corners whose blocks are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.city.streets.building_line import building_lines_m
from geocheck.city.streets.derive import derive_streets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.derive import HalfWidths, Streets
    from geocheck.city.ways import Ways

Line = tuple[list[tuple[float, float]], dict[str, str]]
Derived = tuple["Streets", "NDArray[np.float64]"]

WIDE = {"name": "Rua Larga", "width": "10"}
NARROW = {"name": "Rua Estreita", "width": "8"}
ARM_M = 100.0


@pytest.fixture(scope="session")
def lines_of(
    drawn: Callable[..., Ways], half_widths: Callable[[Ways], HalfWidths], goiania: City
) -> Callable[..., Derived]:
    """Return a function that derives streets and their building lines from drawn lines and blocks."""

    def run(lines: Sequence[Line], areas: Sequence[shapely.Geometry]) -> Derived:
        ways = drawn(lines)
        streets = derive_streets(ways, half_widths(ways), goiania)
        blocks = np.array(areas, object)
        return streets, building_lines_m(streets.kerbs, streets.corners, blocks)

    return run


def crossing(degrees: float = 90.0, **tags: str) -> list[Line]:
    """Return a street of 10 m along the x axis, and one of 8 m across it at an angle."""
    x, y = ARM_M * np.cos(np.radians(degrees)), ARM_M * np.sin(np.radians(degrees))
    return [
        ([(-ARM_M, 0), (0, 0), (ARM_M, 0)], {**WIDE, **tags}),
        ([(-x, -y), (0, 0), (x, y)], NARROW),
    ]


def along(derived: Derived, corner: int) -> dict[str, float]:
    """Return the building line beyond a corner by the name of the street along whose kerb it is measured."""
    streets, found = derived
    corners, street = streets.corners, streets.kerbs.street
    faces = (corners.face_before[corner], corners.face_after[corner])
    return {street[face]: float(found[corner, side]) for side, face in enumerate(faces)}


def corner_at(derived: Derived, x: float, y: float) -> int:
    xy = derived[0].corners.xy
    at = np.hypot(*(xy - [x, y]).T)
    assert at.min() < 1e-6
    return int(at.argmin())


def test_a_right_angle(lines_of: Callable[..., Derived]) -> None:
    """North east the footway of the wide street is 3 m, that of the narrow one 2 m.

    Along the wide street's kerb one meets the narrow one's building line after 2 m, and the other way round.
    """
    derived = lines_of(crossing(), [shapely.box(6, 8, 99, 99)])
    assert along(derived, corner_at(derived, 4, 5)) == pytest.approx({"Rua Larga": 2, "Rua Estreita": 3})
    for x, y in ((-4, 5), (4, -5), (-4, -5)):
        assert all(np.isnan(each) for each in along(derived, corner_at(derived, x, y)).values())


def test_every_corner_has_its_own_block(lines_of: Callable[..., Derived]) -> None:
    """Four blocks with different footways: the right one answers at each corner."""
    blocks, expected = [], {}
    for number, (right, up) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        narrow, wide = 1.5 + number, 2.0 + number / 2
        block = shapely.box(4 + narrow, 5 + wide, 99, 99)
        blocks.append(shapely.affinity.scale(block, right, up, origin=(0, 0)))
        expected[4 * right, 5 * up] = {"Rua Larga": narrow, "Rua Estreita": wide}
    derived = lines_of(crossing(), blocks)
    for (x, y), lines in expected.items():
        assert along(derived, corner_at(derived, x, y)) == pytest.approx(lines)


@pytest.mark.parametrize("degrees", [40.0, 60.0, 120.0, 140.0])
def test_a_slanted_crossing(lines_of: Callable[..., Derived], degrees: float) -> None:
    """A footway of 2 m, met at a slant, is 2 ÷ sin long."""
    axis = shapely.LineString(
        [(0, 0), (ARM_M * np.cos(np.radians(degrees)), ARM_M * np.sin(np.radians(degrees)))]
    )
    beside = shapely.box(-300, 0, 300, 300).difference(shapely.buffer(axis, 6, cap_style="flat"))
    beside = beside.difference(shapely.box(-300, 0, 300, 8))
    derived = lines_of(crossing(degrees), list(shapely.get_parts(beside)))
    streets, found = derived
    sine = np.sin(np.radians(degrees))
    above = streets.corners.xy[:, 1] > 0
    assert above.sum() == 2
    for corner in np.flatnonzero(above):
        expected = {"Rua Larga": 2 / sine, "Rua Estreita": 3 / sine}
        assert along(derived, int(corner)) == pytest.approx(expected, abs=1e-6)
    assert np.isnan(found[~above]).all()


def test_a_chamfer_does_not_widen_the_footway(lines_of: Callable[..., Derived]) -> None:
    chamfered = shapely.Polygon([(6, 14), (12, 8), (99, 8), (99, 99), (6, 99)])
    derived = lines_of(crossing(), [chamfered])
    assert along(derived, corner_at(derived, 4, 5)) == pytest.approx({"Rua Larga": 2, "Rua Estreita": 3})


@pytest.mark.parametrize("oneway", ["yes", "-1"])
def test_one_way_streets_turn_their_kerbs_but_not_their_blocks(
    lines_of: Callable[..., Derived], oneway: str
) -> None:
    blocks = [shapely.box(6, 8, 99, 99), shapely.box(6, -99, 99, -7)]
    derived = lines_of(crossing(oneway=oneway), blocks)
    assert along(derived, corner_at(derived, 4, 5)) == pytest.approx({"Rua Larga": 2, "Rua Estreita": 3})
    assert along(derived, corner_at(derived, 4, -5)) == pytest.approx({"Rua Larga": 2, "Rua Estreita": 2})


def test_a_kerb_in_a_block_has_no_building_line(lines_of: Callable[..., Derived]) -> None:
    """The block reaches over the narrow street's kerb: along the wide one nothing is known, not zero."""
    derived = lines_of(crossing(), [shapely.box(3, 8, 12, 99), shapely.box(12, 8, 99, 99)])
    found = along(derived, corner_at(derived, 4, 5))
    assert np.isnan(found["Rua Larga"])
    assert found["Rua Estreita"] == pytest.approx(3)


def test_a_block_far_from_the_kerb_is_no_building_line(lines_of: Callable[..., Derived]) -> None:
    derived = lines_of(crossing(), [shapely.box(14.5, 14, 99, 99)])
    found = along(derived, corner_at(derived, 4, 5))
    assert np.isnan(found["Rua Larga"])
    assert found["Rua Estreita"] == pytest.approx(9)


def test_a_place_nobody_can_tell_has_no_building_line(lines_of: Callable[..., Derived]) -> None:
    """The street goes on at a node that is missing."""
    lines: list[Line] = [*crossing(), ([(0, 0), None], {"name": "Rua Cortada"})]  # type: ignore[list-item]
    streets, found = lines_of(lines, [shapely.box(6, 8, 99, 99)])
    assert streets.corners.unknown.any()
    assert np.isnan(found[streets.corners.unknown]).all()


def test_streets_that_part_slowly_have_no_corner_to_measure_from(lines_of: Callable[..., Derived]) -> None:
    """At 20 degrees the kerbs meet 10 m from where either could be said to begin."""
    streets, found = lines_of(crossing(20), [shapely.box(-200, 8, 200, 99)])
    flat = (streets.corners.turn_deg < 25) | (streets.corners.turn_deg > 155)
    assert flat.sum() == 4
    assert np.isnan(found[flat]).all()


def test_a_kerb_that_is_all_chamfer_tells_no_footway(lines_of: Callable[..., Derived]) -> None:
    """A second narrow street 18 m on: 10 m of kerb between the two, and a small block behind it."""
    second = ([(18.0, -ARM_M), (18.0, 0.0), (18.0, ARM_M)], {**NARROW, "name": "Rua Curta"})
    wide = ([(-ARM_M, 0.0), (0.0, 0.0), (18.0, 0.0), (ARM_M, 0.0)], WIDE)
    derived = lines_of([wide, crossing()[1], second], [shapely.box(6, 8, 12, 99)])
    found = along(derived, corner_at(derived, 4, 5))
    assert found["Rua Larga"] == pytest.approx(2)
    assert np.isnan(found["Rua Estreita"])


def test_a_kerb_from_a_corner_to_itself_does_not_tell_its_side(lines_of: Callable[..., Derived]) -> None:
    """The inner kerb of a loop at the end of a street."""
    loop = [(50.0, 0.0), (80.0, 40.0), (120.0, 0.0), (80.0, -40.0), (50.0, 0.0)]
    streets, found = lines_of([([(-50, 0), (50, 0)], WIDE), (loop, NARROW)], [shapely.box(70, -25, 100, 25)])
    inner = streets.corners.face_before == streets.corners.face_after
    assert inner.sum() == 1
    assert np.isnan(found[inner]).all()


def test_without_blocks(lines_of: Callable[..., Derived]) -> None:
    streets, found = lines_of(crossing(), [])
    assert found.shape == (len(streets.corners), 2)
    assert np.isnan(found).all()


@settings(max_examples=30, deadline=None)
@given(st.floats(0.5, 9.5), st.floats(0.5, 9.5), st.floats(0, 360), st.tuples(st.booleans(), st.booleans()))
def test_neither_drawing_nor_turning_moves_a_building_line(
    lines_of: Callable[..., Derived],
    wide: float,
    narrow: float,
    angle: float,
    backwards: tuple[bool, bool],
) -> None:
    scene: list[Line] = []
    for (points, tags), back in zip(crossing(), backwards, strict=True):
        turned = shapely.affinity.rotate(shapely.LineString(points), angle, origin=(0, 0))
        places = [(x, y) for x, y, *_ in turned.coords]
        scene.append((places[:: -1 if back else 1], tags))
    block = shapely.affinity.rotate(shapely.box(4 + narrow, 5 + wide, 99, 99), angle, origin=(0, 0))
    derived = lines_of(scene, [block])
    corner = shapely.affinity.rotate(shapely.Point(4, 5), angle, origin=(0, 0))
    at = int(np.hypot(*(derived[0].corners.xy - [corner.x, corner.y]).T).argmin())
    assert along(derived, at) == pytest.approx({"Rua Larga": narrow, "Rua Estreita": wide}, abs=1e-5)
