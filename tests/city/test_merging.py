"""A municipal layer laid over OSM's or over another: one of what is the same thing, and the rest of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import geopandas as gpd
import pytest
import shapely

from geocheck.city.layers.attributes import column
from geocheck.city.layers.merging import Sourced, laid_over

if TYPE_CHECKING:
    from collections.abc import Sequence


def stops(
    file: str,
    rows: Sequence[tuple[str, float, dict[str, Any]]],
    accuracy_m: float,
    *,
    municipal: bool,
    **own: object,
) -> Sourced:
    """Make a layer of stops along a line: id, metres along it, and attributes."""
    names = ("name", "plates", "box", "side", "direction", "way")
    columns: dict[str, Any] = {name: column(name, [each.get(name) for _, _, each in rows]) for name in names}
    columns["accuracy_m"] = column("accuracy_m", [accuracy_m] * len(rows))
    columns["feature"] = [identity for identity, _, _ in rows]
    columns["source"] = [identity for identity, _, _ in rows]
    columns["TIPO" if municipal else "tags"] = [f"{identity}!" for identity, _, _ in rows]
    frame = gpd.GeoDataFrame(columns, geometry=[shapely.Point(x, 0) for _, x, _ in rows], crs="EPSG:31982")
    fields: dict[str, Any] = {
        "title": file,
        "sources": ({"file": file, "sha256": "0" * 64},),
        "date": None,
        "completeness": "partial",
        "extent": None,
        "changes": (),
        **own,
    }
    return Sourced(frame=frame, municipal=municipal, **fields)


CITY = stops(
    "prefeitura.csv",
    [("P1", 0, {"plates": 2}), ("P2", 100, {"name": "Dois", "box": False})],
    4.0,
    municipal=True,
    completeness="complete",
    date="2024-05-01",
)
OSM = stops(
    "cidade.osm",
    [
        ("node/1", 5, {"name": "Um", "side": "right", "direction": "forward", "way": "way/9"}),
        ("node/2", 100, {"name": "Two", "box": True}),
        ("node/3", 50, {"name": "Três"}),
    ],
    3.0,
    municipal=False,
)


def rows(layer: Sourced) -> dict[str, Any]:
    return {row["feature"]: row for row in layer.frame.to_dict("records")}


def test_the_city_s_position_and_words_stand_and_osm_fills_in_what_it_does_not_say() -> None:
    """5 m apart is within √(4² + 3²) = 5 m."""
    merged = rows(laid_over(CITY, OSM, None))
    assert set(merged) == {"P1", "P2", "node/3"}
    assert (merged["P1"]["geometry"].x, merged["P1"]["plates"], merged["P1"]["name"]) == (0, 2, "Um")
    assert (merged["P2"]["name"], merged["P2"]["box"]) == ("Dois", False)
    assert (merged["P1"]["source"], merged["node/3"]["source"]) == ("P1;node/1", "node/3")
    assert (merged["P1"]["tags"], merged["P1"]["TIPO"]) == ("node/1!", "P1!")


def test_what_belongs_to_a_position_does_not_go_over() -> None:
    """OSM's node is on the right of its way; the city's point may be on the left."""
    frame = laid_over(CITY, OSM, None).frame
    assert frame[["side", "direction", "way"]].isna().all(axis=None)


def test_each_feature_keeps_its_accuracy_and_the_layer_has_the_worst() -> None:
    merged = laid_over(CITY, OSM, None)
    assert {name: row["accuracy_m"] for name, row in rows(merged).items()} == {"P1": 4, "P2": 4, "node/3": 3}
    assert merged.accuracy_m == 4.0


def test_the_account_counts_pairs_and_rests() -> None:
    merged = laid_over(CITY, OSM, None)
    said = {each["reason"]: (each["action"], each["count"]) for each in merged.changes}
    assert said == {
        "a mesma coisa em prefeitura.csv e cidade.osm (até 5,0 m), unida": ("assumed", 2),
        "só em cidade.osm": ("kept", 1),
        "name: tomado de cidade.osm": ("assumed", 1),
    }
    assert [each["file"] for each in merged.sources] == ["prefeitura.csv", "cidade.osm"]
    assert (merged.completeness, merged.date) == ("complete", "2024-05-01")


def test_a_distance_that_is_given_replaces_that_of_the_accuracies() -> None:
    assert len(laid_over(CITY, OSM, 4.99).frame) == 4
    assert len(laid_over(CITY, OSM, 5.0).frame) == 3
    assert len(laid_over(CITY, OSM, 0.0).frame) == 3 + 1  # P2 and node/2 lie in one place


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        ("partial", "complete", "complete"),
        ("complete", "partial", "complete"),
        ("unknown", "partial", "partial"),
        ("unknown", "unknown", "unknown"),
    ],
)
def test_of_two_municipal_files_the_one_that_promises_more_speaks(
    above: str, below: str, expected: str
) -> None:
    extent = shapely.box(0, 0, 1, 1)
    upper = stops("a.csv", [("A", 0, {})], 1.0, municipal=True, completeness=above)
    lower = stops("b.csv", [("A", 50, {})], 1.0, municipal=True, completeness=below, extent=extent)
    merged = laid_over(upper, lower, None)
    assert merged.completeness == expected
    assert (merged.extent is extent) == (above != expected)
    assert merged.frame["feature"].tolist() == ["A", "A/2"]


def test_osm_never_speaks_for_the_city() -> None:
    """OSM is partial; a city that declares nothing leaves the completeness unknown."""
    upper = stops("a.csv", [("A", 0, {})], 1.0, municipal=True, completeness="unknown")
    assert laid_over(upper, OSM, None).completeness == "unknown"


def test_columns_of_other_types_meet_as_text() -> None:
    upper, lower = (stops(f, [(f, x, {})], 1.0, municipal=True) for f, x in (("a", 0), ("b", 50)))
    upper.frame["COD"], lower.frame["COD"] = [7], ["007"]
    upper.frame["N"], lower.frame["M"] = [1], [2.5]
    merged = laid_over(upper, lower, None).frame
    assert merged["COD"].tolist() == ["7", "007"]
    assert merged["N"].isna().tolist() == [False, True]
    assert merged["M"].isna().tolist() == [True, False]


def test_nothing_over_nothing() -> None:
    """A layer of the network may be empty."""
    nothing = stops("c.osm", [], 3.0, municipal=False)
    assert len(laid_over(CITY, nothing, None).frame) == 2


def test_a_stretch_told_by_its_street_is_never_the_same_as_another() -> None:
    """Both sides of a street are told on one line: to take one for the other would lose a side."""
    line = shapely.LineString([(0, 0), (50, 0)])

    def paid(file: str, sides: list[str | None], *, municipal: bool) -> Sourced:
        layer = stops(file, [(f"{file}{n}", 0, {}) for n in range(len(sides))], 3.0, municipal=municipal)
        layer.frame["side"] = column("side", sides)
        layer.frame["on_axis"] = column("on_axis", [True] * len(sides))
        layer.frame.geometry = [line] * len(sides)
        return layer

    merged = laid_over(paid("a", [None], municipal=True), paid("b", ["left", "right"], municipal=False), 10)
    assert merged.frame["side"].fillna("?").tolist() == ["?", "left", "right"]
