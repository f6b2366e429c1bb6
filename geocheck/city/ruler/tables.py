"""The bundle's tables: the ruler with the kerbs on it, and where along them the features of layers lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import shapely

from geocheck.city.changes import changes
from geocheck.city.ruler.references import BOTH, REFERENCES, Things
from geocheck.city.ruler.stations import SAME_MAP_M, refer
from geocheck.city.ruler.strips import strips_beside, strips_of
from geocheck.city.streets.kerbs import LEFT, RIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from geopandas import GeoDataFrame
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.network.network import Network
    from geocheck.city.ruler.references import Stations
    from geocheck.city.ruler.ruler import Ruler
    from geocheck.city.ruler.strips import Strips
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.kerbs import Kerbs

USUAL_WIDTH_M: Final = {"driveway": 3.0, "crossing": 4.0}
"""How wide a thing is along the kerb where nobody says: a gate for one car, a usual crossing (hypotheses)."""


NEAR_HALF_M: Final = 3.5
"""Taken for half of the carriageway beside a kerb of which no axis is known (hypothesis)."""

SHORT_M: Final = 0.5
"""What is drawn over a kerb is at it even if it ends so much short of it (an area: or by its accuracy)."""

_AREA: Final = 2

_SIDES: Final = {"right": RIGHT, "left": LEFT, "both": BOTH}


class WayOf(NamedTuple):
    """Ways that kerbs belong to.

    Attributes:
        way_id: 0 where there is none.
        level: 0 is the ground.
    """

    way_id: NDArray[np.int64]
    level: NDArray[np.int64]


def ruler_tables(
    ruler: Ruler,
    accuracy_m: NDArray[np.float64],
    inward: NDArray[np.int64],
    way: WayOf,
) -> dict[str, pa.Table]:
    """Return the ruler as tables.

    Args:
        ruler: of all kerbs.
        accuracy_m: 95 % half-width, across the street, of each segment of `Kerbs`; a chord has that of the
            kerb before it.
        inward: 1 where the carriageway lies on the left of each segment of `Kerbs` as that is directed, -1
            on its right; in the table as the ruler runs, on a chord as on the kerb before it.
        way: that each segment of `Kerbs` belongs to; a chord, to that of the kerb before it.
    """
    last = np.maximum.accumulate(np.where(ruler.part >= 0, np.arange(len(ruler.part)), 0))
    part, sense = ruler.part[last], ruler.kerb_sense[ruler.kerb[last]]
    segment = {
        **{name: ruler.xy[:, column] for column, name in enumerate(("x0", "y0", "x1", "y1"))},
        "s": ruler.s,
        "length_m": ruler.length_m,
        "step": ruler.step.astype(np.int8),
        "kerb": ruler.kerb,
        "side": np.searchsorted(ruler.side_s, ruler.s, side="right") - 1,
        "flow": ruler.flow,
        "accuracy_m": accuracy_m[part],
        "inward": inward[part] * sense,
        "level": way.level[part],
        "way": way.way_id[part],
    }
    side = {
        "s": ruler.side_s,
        "length_m": ruler.side_length_m,
        "ring": ruler.side_ring.astype(np.int8),
        "start_kind": ruler.side_start_kind,
        "end_kind": ruler.side_end_kind,
    }
    place = {"side": ruler.kerb_side, "s": ruler.kerb_s, "sense": ruler.kerb_sense}
    return {"segment": pa.table(segment), "side": pa.table(side), "place": pa.table(place)}


class Kerbside(NamedTuple):
    """What layers are referred to.

    Attributes:
        strips: of all kerbs.
        ruler: of all kerbs.
        row_of: row of each way by its name (`way/12`).
        accuracy_m: of the axes, or of kerbs that have none, across the street.
        max_footway_m: farther behind a kerb nothing belongs to it.
        sided: whether it is known on which side of a kerb its carriageway lies, shape (k,).
    """

    strips: Strips
    ruler: Ruler
    row_of: Mapping[str, int]
    accuracy_m: float
    max_footway_m: float
    sided: NDArray[np.bool_]


def kerbside_of(streets: Streets, ruler: Ruler, network: Network, city: City) -> Kerbside:
    """Return the kerbs of streets that come from a network."""
    return Kerbside(
        strips=strips_of(streets.kerbs, streets.graph),
        ruler=ruler,
        row_of={f"way/{way}": row for row, way in enumerate(network.ways.way_id.tolist())},
        accuracy_m=network.accuracy_m,
        max_footway_m=city.max_footway_m,
        sided=np.ones(len(streets.kerbs), bool),
    )


def kerbside_alone(
    kerbs: Kerbs, ruler: Ruler, accuracy_m: float, sided: NDArray[np.bool_], city: City
) -> Kerbside:
    """Return kerbs that a survey drew, without axes; `sided` as in `Kerbside`."""
    strips = strips_beside(kerbs, NEAR_HALF_M, inward_alone(city))
    return Kerbside(strips, ruler, {}, accuracy_m, city.max_footway_m, sided)


def inward_alone(city: City) -> int:
    """Return on which side of a kerb without an axis its carriageway is taken to lie (as `inward`)."""
    return 1 if city.driving_side == "right" else -1


def stations_of(kerbside: Kerbside, layer: str, frame: GeoDataFrame) -> Stations:
    """Refer the features of one of `references.REFERENCES` to kerbs.

    Args:
        kerbside: the kerbs.
        layer: its name.
        frame: its features in the city's metres, in the words of `attributes`.
    """
    count = len(frame)
    shapes = np.asarray(frame.geometry.array)
    told = (
        frame["on_axis"].fillna(value=False).to_numpy(bool) if "on_axis" in frame else np.zeros(count, bool)
    )
    accuracy = frame["accuracy_m"].to_numpy(float)
    # What the network's own map holds was seen together with its axes.
    own = frame["source"].str.match(r"(?:node|way)/\d").to_numpy(bool) & bool(kerbside.row_of)
    width = (
        frame["width_m"].to_numpy(float, na_value=np.nan) if "width_m" in frame else np.full(count, np.nan)
    )
    wide = np.where(np.isnan(width), USUAL_WIDTH_M.get(layer, 0.0), width if layer in USUAL_WIDTH_M else 0.0)
    area = shapely.get_dimensions(shapes) == _AREA
    wide = np.where(area, 0.0, wide)  # an area shows its own
    things = Things(
        geometry=shapes,
        way=_codes(frame, "way", kerbside.row_of, -1),
        side=_codes(frame, "side", _SIDES, 0),
        told=told & (shapely.get_dimensions(shapes) == 1),
        half_m=wide / 2,
        reach_m=kerbside.max_footway_m + accuracy,
        unsure_m=np.where(own, SAME_MAP_M, np.hypot(accuracy, kerbside.accuracy_m)),
        short_m=np.where(area, np.maximum(accuracy, SHORT_M), SHORT_M),
    )
    found = refer(kerbside.strips, things, REFERENCES[layer])
    return found._replace(side_known=found.side_known & kerbside.sided[found.kerb])


def _codes(frame: GeoDataFrame, column: str, codes: Mapping[str, int], other: int) -> NDArray[np.int64]:
    if column not in frame:
        return np.full(len(frame), other, np.int64)
    return np.array([codes.get(each, other) for each in frame[column]], np.int64)


def station_table(stations: Stations, ruler: Ruler) -> pa.Table:
    """Return references with their stations on the ruler, `low_s` to `high_s`."""
    low_s, high_s = ruler.stretch(stations.kerb, stations.from_m, stations.to_m)
    columns = {
        "feature": stations.feature,
        "kerb": stations.kerb,
        "from_m": stations.from_m,
        "to_m": stations.to_m,
        "offset_m": stations.offset_m,
        "side_known": stations.side_known.astype(np.int8),
        "low_s": low_s,
        "high_s": high_s,
    }
    return pa.table(columns)


def mouth_changes(ruler: Ruler) -> list[Change]:
    """Name the mouths at which a side of a street ends, though it may run on."""
    reason = "boca de rua que não liga a guia à seguinte: a distância ao longo da guia acaba nela"
    return changes([("kept", reason, ruler.unlinked)])


def station_changes(stations: Stations, features: int) -> list[Change]:
    """Name the features that lie by no kerb, and those whose side nobody knows."""
    lost = features - len(np.unique(stations.feature))
    sure = np.unique(stations.feature[stations.side_known])
    unsure = features - lost - len(sure)
    return changes(
        [
            ("kept", "longe de qualquer guia: sem posição ao longo dela", lost),
            ("assumed", "lado da rua não sabido: conta para cada guia possível", unsure),
        ]
    )
