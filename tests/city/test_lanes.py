"""Direction, lanes and placement."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geocheck.city.streets.lanes import Direction, Lanes, read_direction, read_lanes
from geocheck.city.streets.quantities import Refusal


def lanes(**tags: str) -> Lanes:
    return read_lanes({key.replace("__", ":"): value for key, value in tags.items()}, "right")


@pytest.mark.parametrize(
    ("tags", "direction"),
    [
        ({}, Direction.BOTH),
        ({"oneway": "yes"}, Direction.FORWARD),
        ({"oneway": "true"}, Direction.FORWARD),
        ({"oneway": "1"}, Direction.FORWARD),
        ({"oneway": "-1"}, Direction.BACKWARD),
        ({"oneway": "reverse"}, Direction.BACKWARD),
        ({"oneway": "no"}, Direction.BOTH),
        ({"oneway": "reversible"}, Direction.REVERSIBLE),
        ({"oneway": "alternating"}, Direction.REVERSIBLE),
        ({"oneway": " Yes "}, Direction.FORWARD),
        ({"oneway:bicycle": "yes"}, Direction.BOTH),
        ({"junction": "roundabout"}, Direction.FORWARD),
        ({"junction": "circular"}, Direction.FORWARD),
        ({"junction": "roundabout", "oneway": "-1"}, Direction.BACKWARD),
        ({"junction": "roundabout", "oneway": "no"}, Direction.BOTH),
        ({"highway": "motorway"}, Direction.FORWARD),
        ({"highway": "motorway", "oneway": "no"}, Direction.BOTH),
        ({"highway": "primary"}, Direction.BOTH),
    ],
)
def test_direction(tags: dict[str, str], direction: Direction) -> None:
    assert read_direction(tags) == (direction, None)


def test_garbled_oneway_is_named_and_what_is_implied_holds() -> None:
    direction, refused = read_direction({"oneway": "sim", "junction": "roundabout"})
    assert direction is Direction.FORWARD
    assert refused is not None
    assert (refused.key, refused.value, refused.reason) == ("oneway", "sim", Refusal.UNKNOWN_WORD)


@pytest.mark.parametrize("value", ["2;3", "1; 2", "2.5", "-2", "999", "2|3", "two", "0"])
def test_case_05_values_are_no_lanes(value: str) -> None:
    read = lanes(highway="residential", lanes=value)
    assert read.total is None
    assert [(each.key, each.value) for each in read.refused] == [("lanes", value)]


def test_counts_complete_each_other() -> None:
    assert lanes(lanes="3", lanes__forward="1").backward == 2
    assert lanes(lanes="4").forward == 2
    assert lanes(lanes="3").forward is None
    assert lanes(lanes__forward="2", lanes__backward="1").total == 3
    assert lanes(lanes__forward="2", lanes__backward="1", lanes__both_ways="1").total == 4
    assert lanes(lanes="5", lanes__both_ways="1").forward == 2
    assert lanes(oneway="yes", lanes="3").forward == 3
    assert lanes(oneway="-1", lanes="3").backward == 3
    assert lanes(oneway="yes", lanes__forward="2").total == 2


def test_garbled_total_leaves_the_directions() -> None:
    read = lanes(lanes="2;3", lanes__forward="2", lanes__backward="1")
    assert read.total == 3
    assert read.refused[0].reason is Refusal.LIST


@pytest.mark.parametrize(
    "tags",
    [
        {"lanes": "2", "lanes__forward": "2", "lanes__backward": "2"},
        {"lanes": "1", "lanes__forward": "2"},
        {"lanes": "4", "oneway": "yes", "lanes__forward": "2"},
    ],
)
def test_contradiction_is_refused(tags: dict[str, str]) -> None:
    read = lanes(**tags)
    assert read.total is None
    assert read.refused[0].reason is Refusal.CONTRADICTORY


def test_lane_widths_are_summed() -> None:
    assert lanes(lanes="2", width__lanes="2.8|2.8").sum_m == pytest.approx(5.6)
    assert lanes(width__lanes="3,2|3 m|1.5").sum_m == pytest.approx(7.7)
    both = lanes(width__lanes__forward="3.2|3.2", width__lanes__backward="3.6")
    assert both.sum_m == pytest.approx(10.0)
    assert lanes(width__lanes__forward="3.2").sum_m is None


@pytest.mark.parametrize("value", ["2.8|", "2.8||2.8", "2.8|x", "2.8|30", "2.8|0", "2.8;2.8", "2.8"])
def test_garbled_lane_widths_are_refused(value: str) -> None:
    read = lanes(lanes="2", width__lanes=value)
    assert read.sum_m is None
    assert [each.key for each in read.refused] == ["width:lanes"]


@pytest.mark.parametrize(
    ("tags", "drawn_at"),
    [
        ({"oneway": "yes", "lanes": "2", "placement": "left_of:1"}, 0.0),
        ({"oneway": "yes", "lanes": "2", "placement": "middle_of:1"}, 0.25),
        ({"oneway": "yes", "lanes": "2", "placement": "right_of:1"}, 0.5),
        ({"oneway": "yes", "lanes": "2", "placement": "right_of:2"}, 1.0),
        ({"oneway": "yes", "lanes": "2", "placement": "right_of:1", "width:lanes": "2|6"}, 0.25),
        (
            {"lanes": "3", "lanes:forward": "1", "lanes:backward": "2", "placement:forward": "left_of:1"},
            2 / 3,
        ),
        (
            {"lanes": "3", "lanes:forward": "1", "lanes:backward": "2", "placement:backward": "left_of:1"},
            2 / 3,
        ),
        (
            {"lanes": "3", "lanes:forward": "1", "lanes:backward": "2", "placement:backward": "right_of:2"},
            0.0,
        ),
        ({"lanes": "3", "lanes:both_ways": "1", "placement:backward": "left_of:1"}, 1 / 3),
        ({"lanes": "3", "lanes:both_ways": "1", "placement:forward": "left_of:1"}, 2 / 3),
        ({"oneway": "-1", "lanes": "2", "placement:backward": "right_of:1"}, 0.5),
        ({"lanes": "2", "placement": "transition"}, 0.5),
        ({"lanes": "2"}, 0.5),
    ],
)
def test_placement(tags: dict[str, str], drawn_at: float) -> None:
    read = read_lanes(tags, "right")
    assert read.refused == ()
    assert read.drawn_at == pytest.approx(drawn_at)


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        ({"lanes": "2", "placement": "right_of:3"}, Refusal.CONTRADICTORY),
        ({"lanes": "2", "placement": "middle"}, Refusal.UNKNOWN_WORD),
        ({"lanes": "2", "placement": "right_of:0"}, Refusal.UNKNOWN_WORD),
        ({"placement": "right_of:1"}, Refusal.NEEDS_LANES),
        ({"lanes": "3", "placement:forward": "right_of:1"}, Refusal.NEEDS_LANES),
    ],
)
def test_unusable_placement_leaves_the_line_in_the_middle(tags: dict[str, str], reason: Refusal) -> None:
    read = read_lanes(tags, "right")
    assert read.drawn_at == 0.5
    assert [each.reason for each in read.refused] == [reason]


@given(
    forward=st.integers(1, 4),
    backward=st.integers(1, 4),
    side=st.sampled_from(["right", "left"]),
    data=st.data(),
    part=st.sampled_from(["left_of", "middle_of", "right_of"]),
)
def test_drawing_the_way_backwards_mirrors_the_placement(
    forward: int, backward: int, side: Literal["right", "left"], data: st.DataObject, part: str
) -> None:
    number = data.draw(st.integers(1, forward))
    widths = data.draw(st.lists(st.integers(2, 5).map(str), min_size=forward, max_size=forward))
    against = data.draw(st.lists(st.integers(2, 5).map(str), min_size=backward, max_size=backward))
    total = str(forward + backward)
    drawn = {
        "lanes": total,
        "lanes:forward": str(forward),
        "lanes:backward": str(backward),
        "placement:forward": f"{part}:{number}",
        "width:lanes:forward": "|".join(widths),
        "width:lanes:backward": "|".join(against),
    }
    swap = {"forward": "backward", "backward": "forward"}
    turned = {
        ":".join(swap.get(part, part) for part in key.split(":")): value for key, value in drawn.items()
    }
    one, other = read_lanes(drawn, side), read_lanes(turned, side)
    assert one.refused == other.refused == ()
    assert one.drawn_at == pytest.approx(1 - other.drawn_at)
    # The same place, counted by hand from the edge on the forward traffic's own side.
    metres = [float(width) for width in widths]
    inside = {"left_of": 0.0, "middle_of": 0.5, "right_of": 1.0}[part] * metres[number - 1]
    from_left = sum(metres[: number - 1]) + inside + (sum(map(float, against)) if side == "right" else 0)
    assert one.drawn_at == pytest.approx(from_left / (sum(metres) + sum(map(float, against))))
