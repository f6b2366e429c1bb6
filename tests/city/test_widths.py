"""Half-widths of carriageways from tags: sources in order, refusals, sides, the model, continuity."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.cities import City, DefaultWidths, load_city
from geocheck.city.streets.continuity import NO_STREET, connected_streets
from geocheck.city.streets.quantities import Refusal
from geocheck.city.streets.width_model import STANDARD
from geocheck.city.streets.widths import Widths, WidthSource, carriageway_widths
from geocheck.city.ways import MISSING_NODE, Ways
from geocheck.errors import DataFileError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

GOIANIA: Final = load_city("goiania")
RESIDENTIAL_M: Final = 7.0
"""Goiânia's default of a two-way residential street."""


def one(tags: Mapping[str, str], city: City = GOIANIA) -> Widths:
    return carriageway_widths([{"highway": "residential", **tags}], city)


def halves(widths: Widths) -> tuple[float, float]:
    return float(widths.left_m[0]), float(widths.right_m[0])


def ways_of(path: Path) -> list[dict[str, str]]:
    root = ET.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314 # our own file
    return [{tag.attrib["k"]: tag.attrib["v"] for tag in way.iter("tag")} for way in root.iter("way")]


def test_case_03_kerbs(shared_cases: Path) -> None:
    widths = carriageway_widths(ways_of(shared_cases / "03-width-feet-inches" / "street.osm"), GOIANIA)
    assert halves(widths) == pytest.approx((3.7465, 3.7465), abs=1e-9)
    assert widths.source[0] == WidthSource.WIDTH


def test_case_04_absurd_widths_give_the_default(shared_cases: Path) -> None:
    folder = shared_cases / "04-width-absurd-values"
    widths = carriageway_widths(ways_of(folder / "streets.osm"), GOIANIA)
    assert len(widths) == 8
    assert widths.assumed.all()
    np.testing.assert_allclose(widths.left_m, RESIDENTIAL_M / 2)
    np.testing.assert_allclose(widths.right_m, RESIDENTIAL_M / 2)
    for values in (widths.left_m, widths.right_m, widths.accuracy_m, widths.parking_left_m):
        assert np.isfinite(values).all()
    assert (widths.accuracy_m > one({"width": "8"}).accuracy_m).all()
    features = json.loads((folder / "placements.geojson").read_text(encoding="utf-8"))["features"]
    written = {feature["properties"]["width_tag"] for feature in features}
    assert {way[0].value for way in widths.refused} == written
    assert sum(line.ways for line in widths.refusal_counts()) == 8
    # The skip's side lies 3.70 m from the axis.
    assert float(widths.left_m[0]) - 3.70 == pytest.approx(RESIDENTIAL_M / 2 - 3.70)


def test_case_05_garbled_lanes_give_the_default(shared_cases: Path) -> None:
    widths = carriageway_widths(ways_of(shared_cases / "05-lanes-list-garbage" / "streets.osm"), GOIANIA)
    assert len(widths) == 8
    assert widths.assumed.all()
    np.testing.assert_allclose(widths.left_m + widths.right_m, RESIDENTIAL_M)
    assert [way[0].key for way in widths.refused] == ["lanes"] * 8


def test_case_10_width_holds_the_parking_lanes(shared_cases: Path) -> None:
    widths = carriageway_widths(
        ways_of(shared_cases / "10-width-includes-parking" / "street.osm"), load_city("juiz-de-fora")
    )
    assert halves(widths) == pytest.approx((4.80, 4.80))
    parking_m = float(widths.parking_left_m[0])
    assert parking_m == pytest.approx(2.00)
    assert widths.parking_right_m[0] == pytest.approx(2.00)
    gap_m, skip_m = 0.30, 1.76
    assert gap_m + skip_m - parking_m == pytest.approx(0.06)


@pytest.mark.parametrize(
    ("tags", "width_m", "source"),
    [
        ({"width:carriageway": "6", "width": "8", "est_width": "9"}, 6.0, WidthSource.WIDTH_CARRIAGEWAY),
        ({"width": "8", "est_width": "9"}, 8.0, WidthSource.WIDTH),
        ({"est_width": "9"}, 9.0, WidthSource.EST_WIDTH),
        ({"width:carriageway": "narrow", "width": "8"}, 8.0, WidthSource.WIDTH),
        ({"width": "1"}, RESIDENTIAL_M, WidthSource.CLASS_DEFAULT),
        ({"width": "61"}, RESIDENTIAL_M, WidthSource.CLASS_DEFAULT),
        ({"width": "2"}, 2.0, WidthSource.WIDTH),
        ({"width": "60"}, 60.0, WidthSource.WIDTH),
        ({"width": "3.5", "lanes": "4"}, 14.2, WidthSource.LANES_PARKING),
        ({}, RESIDENTIAL_M, WidthSource.CLASS_DEFAULT),
        ({"lanes": "2"}, RESIDENTIAL_M, WidthSource.CLASS_DEFAULT),
        ({"oneway": "yes"}, 5.0, WidthSource.CLASS_DEFAULT),
        ({"oneway": "-1"}, 5.0, WidthSource.CLASS_DEFAULT),
        ({"oneway": "reversible"}, 5.0, WidthSource.CLASS_DEFAULT),
        ({"junction": "roundabout"}, 5.0, WidthSource.CLASS_DEFAULT),
        ({"highway": "secondary"}, 9.0, WidthSource.CLASS_DEFAULT),
        ({"highway": "primary", "oneway": "yes"}, 9.0, WidthSource.CLASS_DEFAULT),
        ({"highway": "track"}, 7.0, WidthSource.CLASS_DEFAULT),
    ],
)
def test_best_source_first(tags: dict[str, str], width_m: float, source: WidthSource) -> None:
    widths = one(tags)
    assert sum(halves(widths)) == pytest.approx(width_m)
    assert widths.source[0] == source
    assert widths.assumed[0] == (source is WidthSource.CLASS_DEFAULT)


def test_accuracy_follows_the_source() -> None:
    tags: list[dict[str, str]] = [
        {"width:carriageway": "7"},
        {"width": "7"},
        {"est_width": "7"},
        {"parking:both": "lane"},
        {},
    ]
    accuracy = [float(one(each).accuracy_m[0]) for each in tags]
    assert accuracy == sorted(accuracy)
    assert len(set(accuracy)) == len(accuracy)
    assert one({"width": "~7"}).accuracy_m[0] == 2 * one({"width": "7"}).accuracy_m[0]
    assert one({"highway": "primary"}).accuracy_m[0] > one({}).accuracy_m[0]


def test_a_width_too_narrow_for_its_lanes_is_refused() -> None:
    widths = one({"width": "3.5", "lanes": "2"})
    assert widths.assumed[0]
    assert widths.refused[0][0].reason is Refusal.CONTRADICTORY
    assert not one({"width": "4", "lanes": "2"}).refused[0]


@pytest.mark.parametrize(
    ("tags", "left_m", "right_m"),
    [
        # 9.6 kerb to kerb less one row of 2.2 leaves 7.4, the line in its middle.
        ({"width": "9.6", "parking:left": "lane", "parking:right": "no"}, 5.9, 3.7),
        ({"width": "9.6", "parking:left": "no", "parking:right": "lane"}, 3.7, 5.9),
        ({"width": "9.6", "parking:both": "lane"}, 4.8, 4.8),
        ({"width": "9.6", "parking:right": "lane", "parking:right:width": "2.0"}, 3.8, 5.8),
        ({"width": "9.6", "parking:right": "half_on_kerb"}, 4.25, 5.35),
        ({"width": "9.6", "parking:right": "on_kerb"}, 4.8, 4.8),
        ({"width": "9.6", "parking:right": "street_side"}, 4.8, 4.8),
        # 2.8 stay for moving traffic: the row has the other 0.7.
        ({"width": "3.5", "parking:right": "lane"}, 1.4, 2.1),
        ({"width": "2.5", "parking:right": "lane"}, 1.25, 1.25),
        # The line on the left edge of the lanes, 5.6 of 9.6 m wide, with rows of 2.0.
        (
            {
                "width": "9.6",
                "oneway": "yes",
                "lanes": "2",
                "width:lanes": "2.8|2.8",
                "placement": "left_of:1",
                "parking:both": "lane",
            },
            2.0,
            7.6,
        ),
        ({"width": "8", "oneway": "yes", "lanes": "2", "placement": "right_of:2"}, 8.0, 0.0),
    ],
)
def test_which_side_is_wider(tags: dict[str, str], left_m: float, right_m: float) -> None:
    assert halves(one(tags)) == pytest.approx((left_m, right_m))


@pytest.mark.parametrize(
    ("tags", "left_m", "right_m"),
    [
        # Base 7.0 − 2.2 = 4.8, half 2.4 each side; a row 2.2; an unknown side half of 2.2.
        ({"parking:both": "no"}, 2.4, 2.4),
        ({"parking:left": "lane", "parking:right": "no"}, 4.6, 2.4),
        ({"parking:left": "lane"}, 4.6, 3.5),
        ({"parking:both": "lane"}, 4.6, 4.6),
        ({"parking:both": "lane", "parking:both:orientation": "perpendicular"}, 7.4, 7.4),
        ({"parking:right": "lane", "parking:right:orientation": "diagonal", "parking:left": "no"}, 2.4, 6.9),
        ({"parking:lane:both": "parallel", "parking:lane:both:parallel": "half_on_kerb"}, 3.5, 3.5),
        ({"parking:lane:left": "no_stopping", "parking:lane:right": "parallel"}, 2.4, 4.6),
        ({"parking:both:restriction": "no_stopping"}, 2.4, 2.4),
        ({"parking:both:restriction:conditional": "no_stopping @ (Mo-Fr 07:00-09:00)"}, 3.5, 3.5),
        ({"highway": "secondary", "lanes": "4", "parking:both": "no"}, 7.0, 7.0),
        ({"highway": "secondary", "lanes": "2", "oneway": "yes", "parking:both": "lane"}, 5.7, 5.7),
        ({"highway": "secondary", "lanes": "2"}, 4.6, 4.6),
        ({"highway": "secondary", "lanes": "2", "bridge": "yes"}, 3.5, 3.5),
        ({"highway": "primary", "lanes": "4", "oneway": "yes", "tunnel": "yes"}, 7.0, 7.0),
        ({"highway": "secondary", "lanes": "2", "parking:both": "no", "cycleway:right": "lane"}, 4.25, 4.25),
        ({"highway": "secondary", "lanes": "2", "parking:both": "no", "cycleway": "lane"}, 5.0, 5.0),
        ({"highway": "secondary", "lanes": "2", "parking:both": "no", "cycleway:both": "track"}, 3.5, 3.5),
        ({"width:lanes": "3.2|3.2", "parking:both": "no"}, 3.2, 3.2),
        # A two-way street of one lane is as wide as a one-way street.
        ({"highway": "service", "lanes": "1"}, 1.75, 1.75),
        ({"highway": "service", "lanes": "1", "parking:both": "no"}, 1.4, 1.4),
    ],
)
def test_the_model(tags: dict[str, str], left_m: float, right_m: float) -> None:
    assert halves(one(tags)) == pytest.approx((left_m, right_m))


@pytest.mark.parametrize("direction", ["two_way", "one_way"])
def test_without_any_tag_every_class_has_the_citys_default(direction: str) -> None:
    table = getattr(GOIANIA.default_width_m, direction)
    oneway = {"oneway": "yes"} if direction == "one_way" else {"oneway": "no"}
    widths = carriageway_widths([{"highway": name, **oneway} for name in table], GOIANIA)
    np.testing.assert_allclose(widths.left_m + widths.right_m, list(table.values()))
    np.testing.assert_allclose(widths.left_m, widths.right_m)
    assert widths.assumed.all()


def test_a_citys_sheet_without_a_class_or_without_any() -> None:
    partial = DefaultWidths(
        source="t", two_way={"service": 4.0, "primary": 11.0}, one_way={"service": 3.0, "primary": 8.0}
    )
    city = GOIANIA.model_copy(update={"default_width_m": partial})
    assert sum(halves(one({}, city))) == pytest.approx(7.5)
    empty = GOIANIA.model_copy(update={"default_width_m": DefaultWidths(source="t", two_way={}, one_way={})})
    with pytest.raises(DataFileError, match="default_width_m"):
        one({}, empty)


def test_what_was_refused_is_counted_for_the_manifest() -> None:
    tags = [{"highway": "residential", "width": value} for value in ("x", "y", "x", "-1", "8")]
    widths = carriageway_widths(tags, GOIANIA)
    lines = widths.refusal_counts()
    assert [(line.key, line.reason, line.ways) for line in lines] == [
        ("width", Refusal.NOT_A_NUMBER, 3),
        ("width", Refusal.NEGATIVE, 1),
    ]
    assert lines[0].examples == ("x", "y")
    assert widths.source.tolist() == [WidthSource.CLASS_DEFAULT] * 4 + [WidthSource.WIDTH]
    assert [each.code for each in WidthSource][:3] == ["correction", "surveyed", "kerb_way"]


def test_no_ways() -> None:
    widths = carriageway_widths([], GOIANIA)
    assert (len(widths), widths.left_m.shape, widths.refusal_counts()) == (0, (0,), ())


SIDES: Final = st.sampled_from(["left", "right", "both"])
TAGS: Final = st.fixed_dictionaries(
    {"highway": st.sampled_from(["residential", "secondary", "service", "primary_link", "track"])},
    optional={
        "width": st.sampled_from(["7", "24'7\"", "3,5", "12", "1e400", "-6", "~6", "6;7", "NaN", "0"]),
        "lanes": st.sampled_from(["1", "2", "3", "4", "2;3", "999", "-2"]),
        "width:lanes": st.sampled_from(["3|3", "2.8|2.8", "x|3", "3"]),
        "oneway": st.sampled_from(["yes", "no", "-1", "reversible", "?"]),
        "bridge": st.just("yes"),
        "cycleway:both": st.sampled_from(["lane", "track", "no"]),
    },
)
PARKING: Final = st.dictionaries(
    st.tuples(st.sampled_from(["parking:{}", "parking:{}:orientation", "parking:lane:{}"]), SIDES),
    st.sampled_from(
        ["lane", "no", "half_on_kerb", "parallel", "diagonal", "perpendicular", "separate", "2;3"]
    ),
    max_size=4,
)


@given(TAGS, PARKING)
def test_every_way_gets_finite_kerbs_and_mirrored_tags_mirror_them(
    tags: dict[str, str], parking: dict[tuple[str, str], str]
) -> None:
    swap = {"left": "right", "right": "left", "both": "both"}
    drawn = tags | {key.format(side): value for (key, side), value in parking.items()}
    mirrored = tags | {key.format(swap[side]): value for (key, side), value in parking.items()}
    widths, other = one(drawn), one(mirrored)
    for values in (widths.left_m, widths.right_m, widths.accuracy_m):
        assert math.isfinite(values[0])
        assert values[0] > 0
    assert halves(widths) == pytest.approx(halves(other)[::-1])
    assert widths.parking_left_m[0] == pytest.approx(other.parking_right_m[0])
    assert 0 <= widths.parking_left_m[0] <= widths.left_m[0] + 1e-9
    if widths.source[0] == WidthSource.WIDTH:
        written = {"7": 7.0, "24'7\"": 7.493, "3,5": 3.5, "12": 12.0, "~6": 6.0}[tags["width"]]
        assert sum(halves(widths)) == pytest.approx(written)


@given(st.lists(TAGS, max_size=6))
def test_a_way_does_not_depend_on_the_others(tags: list[dict[str, str]]) -> None:
    together = carriageway_widths(tags, GOIANIA)
    alone = [carriageway_widths([each], GOIANIA) for each in tags]
    np.testing.assert_array_equal(together.left_m, [each.left_m[0] for each in alone])
    assert together.refused == tuple(each.refused[0] for each in alone)


@given(
    oneway=st.sampled_from(["yes", "-1"]), placed=st.sampled_from(["left_of:1", "middle_of:2", "right_of:2"])
)
def test_reversing_a_way_swaps_its_kerbs(oneway: str, placed: str) -> None:
    other = {"yes": "-1", "-1": "yes"}[oneway]
    suffix = {"yes": "forward", "-1": "backward"}
    tags = {"highway": "secondary", "lanes": "3", "width:carriageway": "12"}
    drawn = tags | {"oneway": oneway, f"placement:{suffix[oneway]}": placed, "parking:left": "lane"}
    turned = tags | {"oneway": other, f"placement:{suffix[other]}": placed, "parking:right": "lane"}
    assert halves(one(drawn)) == pytest.approx(halves(one(turned))[::-1])


def street_of(tags: Sequence[Mapping[str, str]], refs: Sequence[Sequence[int]]) -> Ways:
    count = 1 + max(node for each in refs for node in each)
    return Ways(
        way_id=np.arange(len(tags)),
        tags=tuple(tags),
        start=np.cumsum([0, *map(len, refs)]),
        ref=np.array([node for each in refs for node in each]),
        node_id=np.arange(count),
        xy=np.zeros((count, 2)),
        node_tags={},
        extent=None,
    )


def carried(tags: Sequence[Mapping[str, str]], refs: Sequence[Sequence[int]]) -> Widths:
    return carriageway_widths(tags, GOIANIA, STANDARD, connected_streets(street_of(tags, refs)))


PARKED: Final = {"highway": "residential", "name": "Rua A", "parking:both": "lane"}
BARRED: Final = {"highway": "residential", "name": "Rua A", "parking:both": "no"}


def test_streets_hang_together_by_name_class_direction_and_nodes() -> None:
    tags = [
        PARKED,
        BARRED,
        {**BARRED, "name": "Rua B"},
        BARRED,
        {"highway": "residential"},
        {**PARKED, "oneway": "yes"},
        PARKED,
    ]
    refs = [[0, 1], [1, 2], [1, 3], [8, 9], [2, 4], [2, 5], [MISSING_NODE, 2, 7]]
    assert connected_streets(street_of(tags, refs)).tolist() == [0, 0, 2, 3, NO_STREET, 5, 0]


def test_a_stretch_without_parking_is_carried_half_way() -> None:
    widths = carried([PARKED, BARRED, {**BARRED, "parking:left": "lane"}], [[0, 1], [1, 2], [2, 3]])
    # 9.2 with two rows, 4.8 without, 7.0 with one; usual is the median of 9.2 and 7.0.
    assert widths.left_m + widths.right_m == pytest.approx([9.2, (4.8 + 8.1) / 2, (7.0 + 8.1) / 2])
    assert widths.left_m[1] == pytest.approx(widths.right_m[1])
    assert widths.left_m[2] == pytest.approx(4.6)
    assert widths.parking_left_m[1] == 0.0


def test_carrying_heeds_tagged_widths_and_leaves_them() -> None:
    widths = carried([{**PARKED, "width": "8"}, BARRED, {**BARRED, "width": "6"}], [[0, 1], [1, 2], [2, 3]])
    assert widths.left_m + widths.right_m == pytest.approx([8.0, (4.8 + 8.0) / 2, 6.0])


def test_splitting_or_reordering_ways_moves_no_kerb() -> None:
    one_row = {**PARKED, "parking:left": "no"}
    whole = carried([PARKED, BARRED, one_row], [[0, 1, 2], [2, 3], [3, 4]])
    split = carried([one_row, PARKED, BARRED, PARKED], [[3, 4], [1, 2], [2, 3], [0, 1]])
    assert split.left_m == pytest.approx(whole.left_m[[2, 0, 1, 0]])
    assert split.right_m == pytest.approx(whole.right_m[[2, 0, 1, 0]])


def test_another_street_of_the_name_is_left_alone() -> None:
    widths = carried([PARKED, BARRED], [[0, 1], [5, 6]])
    assert widths.left_m[1] + widths.right_m[1] == pytest.approx(4.8)


def test_shipped_model_on_surveyed_widths_of_a_city_it_never_saw(shared_data: Path) -> None:
    path = shared_data / "neukoelln" / "parking_lanes_input_b131e38c.geojson"
    features = json.loads(path.read_text(encoding="utf-8"))["features"]
    classes = {"residential", "secondary", "tertiary", "living_street", "service"}
    lines = [each["properties"] for each in features if each["geometry"]["type"] == "LineString"]
    known = [each for each in lines if "width:carriageway" in each and each.get("highway") in classes]
    assert len(known) == 322
    truth = np.array([float(each["width:carriageway"]) for each in known])
    bare = [{key: value for key, value in each.items() if "width" not in key} for each in known]
    widths = carriageway_widths(bare, GOIANIA)
    error = np.abs(widths.left_m + widths.right_m - truth) / 2
    assert (
        error.mean() < 0.86
    )  # lanes × width plus parking lanes, the best rule of others but one fitted to this
    assert (error <= widths.accuracy_m).mean() >= 0.90
    given_widths = carriageway_widths(known, GOIANIA)
    np.testing.assert_allclose(given_widths.left_m + given_widths.right_m, truth)
