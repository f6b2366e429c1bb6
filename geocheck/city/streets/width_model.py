"""Models the width of a carriageway whose width nobody tagged: moving traffic plus what stands beside it.

One formula for every street: **width = base + left side + right side**. The base is what moving traffic
needs: lanes × their width on main roads, else the city's default for the class less the parking that default
already counts (a city sheet's default is the usual carriageway of the class, parking at the kerb included).
A side is the depth of the parking that stands on the carriageway; a side of which nobody says anything counts
half the parking of the default, so that a street without any tag has exactly the city's default.

The form is STREET.md's, found in Berlin; its numbers were not taken over. Those of `STANDARD` are hypotheses
by usual Brazilian design practice, documented one by one; a city with surveyed widths can give its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from geocheck.city.streets.cross_section import CLASSES, ORIENTATIONS, POSITIONS
from geocheck.city.streets.parking import Orientation, Position
from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.streets.cross_section import CrossSections


@dataclass(frozen=True, slots=True)
class WidthModel:
    """The numbers of the model, in metres.

    Attributes:
        lane_two_way_m: width of a lane of a two-way main road.
        lane_one_way_m: the same of a one-way one.
        lane_minor_m: the least a lane takes where lanes are not painted; only three and more count.
        parking_in_default_m: parking that a class default already holds: one row of parallel cars.
        parallel_m: depth of a row of parallel cars.
        diagonal_m: the same of cars at an angle, measured square to the kerb.
        perpendicular_m: the same of cars at right angles.
        half_on_kerb: share of the depth that a row half on the footway takes from the carriageway.
        angled_less_m: by how much the base shrinks beside angled cars.
        cycle_lane_m: width of a painted cycle lane.
        narrowest_m: the least that moving traffic gets.
        known_m: accuracy (95 %, half-width) of a kerb where cars are tagged to stand on the carriageway.
        bare_m: the same where they are tagged not to: a ban moves no kerb, so it tells less of the width.
        lanes_only_m: the same where only lanes are.
        default_m: the same of a class default.
        default_main_m: the same of a class default of a main road.
    """

    lane_two_way_m: float
    lane_one_way_m: float
    lane_minor_m: float
    parking_in_default_m: float
    parallel_m: float
    diagonal_m: float
    perpendicular_m: float
    half_on_kerb: float
    angled_less_m: float
    cycle_lane_m: float
    narrowest_m: float
    known_m: float
    bare_m: float
    lanes_only_m: float
    default_m: float
    default_main_m: float


STANDARD: Final = WidthModel(
    lane_two_way_m=3.5,  # urban arterial and collector lanes are laid out at 3.3 to 3.6
    lane_one_way_m=3.5,
    lane_minor_m=3.0,  # local streets at 2.7 to 3.0 a lane
    parking_in_default_m=2.2,  # hypothesis: one row; cars stand on one side of a usual local street
    parallel_m=2.2,  # a marked stall is 2.2 wide
    diagonal_m=4.5,  # (4.5 + 1.8) × sin 45°: a usual car at 45°
    perpendicular_m=5.0,  # a stall's length
    half_on_kerb=0.5,
    angled_less_m=0.0,  # the manoeuvring room of angled cars is no less than the base
    cycle_lane_m=1.5,  # the usual least of a one-way ciclofaixa with its paint
    narrowest_m=2.8,  # a lorry of 2.6 with 0.1 on both sides
    known_m=1.5,  # hypotheses, DESIGN §1: a kerb drawn from a default is 1 to 2 m wrong; more on main roads
    bare_m=2.0,
    lanes_only_m=2.0,
    default_m=2.0,
    default_main_m=3.0,
)
"""The shipped numbers, none of them fitted to a city."""


@dataclass(frozen=True, slots=True)
class Modelled:
    """What the model says of w ways.

    Attributes:
        base_m: for moving traffic, cycle lanes included, shape (w,).
        side_m: parking on the carriageway, left and right, shape (w, 2).
        accuracy_m: of a kerb, 95 %, half-width, shape (w,).
        assumed: nothing but the class was known, shape (w,).
    """

    base_m: NDArray[np.float64]
    side_m: NDArray[np.float64]
    accuracy_m: NDArray[np.float64]
    assumed: NDArray[np.bool_]


_MAIN: Final = frozenset(
    name
    for name in CLASSES
    if name.removesuffix("_link") in {"motorway", "trunk", "primary", "secondary", "tertiary"}
)
_IS_MAIN: Final = np.array([name in _MAIN for name in CLASSES] + [False])
_UNKNOWN: Final = POSITIONS.index(Position.UNKNOWN)
_FULL: Final = [POSITIONS.index(each) for each in (Position.LANE, Position.SHOULDER)]
_HALF: Final = POSITIONS.index(Position.HALF_ON_KERB)
_ANGLED: Final = [ORIENTATIONS.index(each) for each in (Orientation.DIAGONAL, Orientation.PERPENDICULAR)]
_LEAST_USEFUL_MINOR: Final = 3


def class_defaults(city: City) -> NDArray[np.float64]:
    """Return the city's default widths by class and direction.

    A class without a figure takes that of `road`, else of `unclassified`, else of `residential`, else the
    median of all.

    Returns:
        Metres, shape (classes + 1, 2): two-way, one-way; the last row is for classes of none of them.

    Raises:
        DataFileError: the city's sheet has no default width at all.
    """
    table = np.full((len(CLASSES) + 1, 2), np.nan)
    sheet = city.default_width_m
    for column, widths in enumerate((sheet.two_way, sheet.one_way)):
        named = {str(name): width for name, width in widths.items()}
        if not named:
            message = "dê ao menos uma largura de pista por classe, por exemplo residential = 7.0"
            raise DataFileError([Problem(f"{city.id}.toml", "", "default_width_m", message)])
        other = next((named[name] for name in ("road", "unclassified", "residential") if name in named), None)
        table[:, column] = np.median(list(named.values())) if other is None else other
        for name, width in named.items():
            table[CLASSES.index(name), column] = width
    return table


def model_widths(ways: CrossSections, defaults: NDArray[np.float64], model: WidthModel) -> Modelled:
    """Model w carriageways.

    Args:
        ways: what is tagged.
        defaults: as `class_defaults` gives them.
        model: the numbers.
    """
    row = np.where(ways.street_class < 0, len(CLASSES), ways.street_class)
    tagged = (ways.position != _UNKNOWN).any(axis=1)
    summed = ~np.isnan(ways.lanes_sum_m)
    main = _IS_MAIN[row]
    counted = np.where(main, ways.lanes > 0, ways.lanes >= _LEAST_USEFUL_MINOR)
    single = ~main & (ways.lanes == 1) & ~ways.one_way
    default = defaults[row, (ways.one_way | single).astype(np.int64)]
    assumed = ~(tagged | summed | counted | single)

    base = np.maximum(default - model.parking_in_default_m, np.minimum(default, model.narrowest_m))
    of_lanes = ways.lanes * np.where(ways.one_way, model.lane_one_way_m, model.lane_two_way_m)
    base = np.where(main & counted, of_lanes, base)
    base = np.where(~main & counted, np.maximum(base, ways.lanes * model.lane_minor_m), base)
    cycle = ways.cycle_lanes.sum(axis=1) * model.cycle_lane_m
    base = np.where(assumed, base, base + cycle)
    angled = (np.isin(ways.orientation, _ANGLED) & (parking_share(ways, model) > 0)).any(axis=1)
    base = np.maximum(base - angled * model.angled_less_m, np.minimum(base, model.narrowest_m))
    # `width:lanes` holds the cycle lanes and leaves nothing to assume.
    base = np.where(summed, ways.lanes_sum_m, base)

    side = parking_depth_m(ways, model)
    # Where nobody says: half the parking of the default, of which a narrow default may hold less.
    held = np.where(counted | summed, model.parking_in_default_m, default - np.minimum(default, base))
    unsaid = np.where(ways.off_street & ~assumed, 0.0, np.maximum(held, 0.0) / 2)
    side = np.where(ways.position == _UNKNOWN, unsaid[:, None], side)
    side = np.where(assumed[:, None], ((default - base) / 2)[:, None], side)
    by_default = np.where(main, model.default_main_m, model.default_m)
    accuracy = np.where(assumed, by_default, model.lanes_only_m)
    accuracy = np.where(tagged, model.bare_m, accuracy)
    accuracy = np.where((parking_share(ways, model) > 0).any(axis=1), model.known_m, accuracy)
    return Modelled(base, side, accuracy, assumed)


def parking_share(ways: CrossSections, model: WidthModel) -> NDArray[np.float64]:
    """Return the share of the parking's depth that lies on the carriageway, shape (w, 2)."""
    full = np.isin(ways.position, _FULL)
    return np.where(full, 1.0, np.where(ways.position == _HALF, model.half_on_kerb, 0.0))


def parking_depth_m(ways: CrossSections, model: WidthModel) -> NDArray[np.float64]:
    """Return the parking on the carriageway at each side, 0 where none is said to be, shape (w, 2)."""
    depths = {Orientation.DIAGONAL: model.diagonal_m, Orientation.PERPENDICULAR: model.perpendicular_m}
    by_orientation = np.array([depths.get(each, model.parallel_m) for each in ORIENTATIONS])
    depth = np.where(np.isnan(ways.parking_m), by_orientation[ways.orientation], ways.parking_m)
    return depth * parking_share(ways, model)
