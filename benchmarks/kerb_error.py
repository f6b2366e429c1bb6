"""Measures how far kerbs from the width model lie from surveyed widths, with every width tag hidden.

    python benchmarks/kerb_error.py DATA_FOLDER

Truth: `width:carriageway` of the ways of class residential, secondary, tertiary, living_street or service in
`neukoelln/parking_lanes_input_b131e38c.geojson` (322), and `width` of streets in `osm/porto-alegre.osm.pbf`.
Hidden: every tag whose key holds `width`. Error of the kerb: half the absolute error of the width, so it is
the mean error of both kerbs where the axis lies in the middle; the axis' own error is not in it. Of a stretch
without parking the model uses the tags of its street's other ways too, never their widths.

Neukölln: the model's numbers are tuned on one half of the street names (by hash of the name) and the error is
that of the other half; eight splits. The stated ± comes from the tuning half alone: a high quantile of the
errors of streets left out of the tuning, in turn. The tuned numbers stay here; none is shipped.
Porto Alegre: the shipped model and Goiânia's defaults, nothing tuned.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import osmium

from geocheck.cities import load_city
from geocheck.city.streets.continuity import carried_along, connected_streets
from geocheck.city.streets.cross_section import CLASSES, CrossSections, read_cross_sections
from geocheck.city.streets.quantities import read_length
from geocheck.city.streets.width_model import STANDARD, WidthModel, class_defaults, model_widths
from geocheck.city.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

CLASSES_MEASURED: Final = frozenset({"residential", "secondary", "tertiary", "living_street", "service"})
SPLITS: Final = 8
FOLDS: Final = 5
NEUTRAL: Final = replace(STANDARD, parking_in_default_m=2.0)
"""Where tuning starts; its parking in a default cannot be told from the default itself and stays."""

TUNED: Final = {
    "lane_two_way_m": (2.75, 4.5),
    "lane_one_way_m": (2.75, 6.0),
    "parallel_m": (1.75, 2.75),
    "diagonal_m": (3.5, 5.5),
    "perpendicular_m": (4.0, 6.0),
    "half_on_kerb": (0.25, 0.75),
    "angled_less_m": (0.0, 2.0),
    "cycle_lane_m": (1.0, 2.0),
}
"""Numbers of the model that are tuned, with what is plausible for each; steps of a quarter."""

DEFAULTS_TUNED: Final = {
    ("residential",): (5.0, 9.0),
    ("living_street", "service"): (4.0, 8.0),
    ("secondary", "tertiary"): (6.0, 12.0),
}
STEP: Final = 0.25


@dataclass(frozen=True)
class Streets:
    """Ways: `width_m` as surveyed, NaN where not (w,), `names` by way, `street` labels (w,)."""

    ways: CrossSections
    width_m: NDArray[np.float64]
    names: tuple[str, ...]
    street: NDArray[np.int64]

    @property
    def surveyed(self) -> NDArray[np.bool_]:
        """Where the width is known, shape (w,)."""
        return ~np.isnan(self.width_m)

    def subset(self, keep: NDArray[np.bool_]) -> Streets:
        """Return the ways to keep."""
        index = np.flatnonzero(keep)
        columns = {each.name: getattr(self.ways, each.name) for each in fields(self.ways)}
        every = columns.pop("refused")
        refused = tuple(every[i] for i in index)
        ways = CrossSections(**{name: column[index] for name, column in columns.items()}, refused=refused)
        return Streets(ways, self.width_m[index], tuple(self.names[i] for i in index), self.street[index])

    def by_hash(self, salt: str, parts: int) -> NDArray[np.int64]:
        """Return the part, 0 to `parts` − 1, that each way's street falls into."""
        digests = [sha256(f"{salt}:{name}".encode()).digest() for name in self.names]
        return np.array([int.from_bytes(digest[:8]) % parts for digest in digests], dtype=np.int64)


@dataclass(frozen=True)
class Tuned:
    """The numbers of a tuned model: `model`, and `defaults` as `class_defaults` shapes them."""

    model: WidthModel
    defaults: NDArray[np.float64]

    def errors(self, streets: Streets) -> NDArray[np.float64]:
        """Return the kerb's error by surveyed way: half that of the width, in metres."""
        found = carried_along(
            model_widths(streets.ways, self.defaults, self.model), streets.ways, streets.street
        )
        error = np.abs(found.base_m + found.side_m.sum(axis=1) - streets.width_m) / 2
        kept: NDArray[np.float64] = error[streets.surveyed]
        return kept

    def stated(self, streets: Streets) -> NDArray[np.float64]:
        """Return the stated accuracy by surveyed way, in metres."""
        return model_widths(streets.ways, self.defaults, self.model).accuracy_m[streets.surveyed]

    def steps_from(self, other: Tuned) -> float:
        """Return by how many steps, over all numbers, the two differ."""
        moved = sum(abs(getattr(self.model, name) - getattr(other.model, name)) for name in TUNED)
        rows = [CLASSES.index(names[0]) for names in DEFAULTS_TUNED]
        return float(moved + np.abs(self.defaults[rows] - other.defaults[rows]).sum()) / STEP

    def neighbours(self) -> Iterator[list[Tuned]]:
        """Yield, number by number, the models that differ in that one only."""
        for name, (low, high) in TUNED.items():
            yield [
                replace(self, model=replace(self.model, **{name: float(value)}))
                for value in np.arange(low, high + 1e-9, STEP)
            ]
        for names, (low, high) in DEFAULTS_TUNED.items():
            rows = [CLASSES.index(name) for name in names]
            for column in (0, 1):
                tables = []
                for value in np.arange(low, high + 1e-9, STEP):
                    table = self.defaults.copy()
                    table[rows, column] = value
                    tables.append(replace(self, defaults=table))
                yield tables


RELUCTANCE_M: Final = 0.003
"""What each step of a number away from where it began must gain in mean error: half the streets are few."""


def tune(streets: Streets) -> Tuned:
    """Tune number by number for the least mean error, until nothing gets better."""
    start = Tuned(NEUTRAL, class_defaults(load_city("goiania")))

    def score(each: Tuned) -> float:
        return float(each.errors(streets).mean()) + RELUCTANCE_M * each.steps_from(start)

    best, error = start, score(start)
    while True:
        before = error
        for candidates in best.neighbours():
            scores = [score(each) for each in candidates]
            if min(scores) < error - 1e-9:
                best, error = candidates[int(np.argmin(scores))], min(scores)
        if error > before - 1e-4:
            return best


def with_accuracy(tuned: Tuned, streets: Streets, salt: str) -> Tuned:
    """State the accuracy that streets left out of the tuning show, by what is known of them."""
    folds = streets.by_hash(f"{salt}/fold", FOLDS)
    left_out = np.zeros(int(streets.surveyed.sum()))
    for fold in range(FOLDS):
        out = folds == fold
        if out[streets.surveyed].any():
            left_out[out[streets.surveyed]] = tune(streets.subset(~out)).errors(streets.subset(out))
    marks = {"known_m": 1.0, "bare_m": 2.0, "lanes_only_m": 3.0, "default_m": 4.0, "default_main_m": 4.0}
    group = replace(tuned, model=replace(tuned.model, **marks)).stated(streets)
    stated: dict[str, float] = {}
    for name, mark in marks.items():
        own = left_out[group == mark]
        stated[name] = float(np.quantile(own if len(own) >= FEWEST else left_out, LEVEL))
    return replace(tuned, model=replace(tuned.model, **stated))


LEVEL: Final = 0.975
FEWEST: Final = 20
"""A nominal 95 % from some 25 streets: the 95 % quantile of so few is short by chance half the time."""


class Row(NamedTuple):
    """The result of one split, in metres and shares."""

    tuned_on: int
    tested_on: int
    error_m: float
    coverage: float
    median_stated_m: float


def split_result(streets: Streets, split: int) -> tuple[Row, Tuned]:
    """Tune on one half and measure on the other."""
    half = streets.by_hash(f"split {split}", 2) == 0
    own, other = streets.subset(half), streets.subset(~half)
    tuned = with_accuracy(tune(own), own, f"split {split}")
    errors, stated = tuned.errors(other), tuned.stated(other)
    row = Row(
        int(own.surveyed.sum()),
        int(other.surveyed.sum()),
        float(errors.mean()),
        float((errors <= stated + 1e-9).mean()),
        float(np.median(stated)),
    )
    return row, tuned


def hidden(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags without any that says a width."""
    return {key: value for key, value in tags.items() if "width" not in key}


def of_ways(ways: Ways, width_m: NDArray[np.float64]) -> Streets:
    """Return the ways with what is surveyed of them, their width tags hidden."""
    names = tuple(each.get("name", "") for each in ways.tags)
    sections = read_cross_sections([hidden(each) for each in ways.tags], "right")
    return Streets(sections, width_m, names, connected_streets(ways))


def neukoelln(data: Path) -> Streets:
    """Read the streets of Neukölln; surveyed are those with `width:carriageway` of the classes measured."""
    path = data / "neukoelln" / "parking_lanes_input_b131e38c.geojson"
    features: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["features"]
    lines = [each for each in features if each["geometry"]["type"] == "LineString"]
    lines = [each for each in lines if each["properties"].get("highway") in CLASSES]
    tags = [each["properties"] for each in lines]
    width_m = [
        read_length(each.get("width:carriageway", "")).metres
        if each["highway"] in CLASSES_MEASURED
        else np.nan
        for each in tags
    ]
    nodes: dict[tuple[float, float], int] = {}
    refs = [
        [nodes.setdefault(tuple(at), len(nodes)) for at in each["geometry"]["coordinates"]] for each in lines
    ]
    return of_ways(ways_over(tags, refs, len(nodes)), np.array(width_m))


def porto_alegre(data: Path) -> Streets:
    """Read the streets of Porto Alegre; surveyed are those with `width`."""
    nodes: dict[int, int] = {}
    tags, refs = [], []
    for each in osmium.FileProcessor(data / "osm" / "porto-alegre.osm.pbf", osmium.osm.WAY):
        if isinstance(each, osmium.osm.Way) and each.tags.get("highway") in CLASSES:
            tags.append(dict(each.tags))
            refs.append([nodes.setdefault(node.ref, len(nodes)) for node in each.nodes])
    width_m = np.array([read_length(each.get("width", "")).metres for each in tags])
    return of_ways(ways_over(tags, refs, len(nodes)), width_m)


def ways_over(tags: Sequence[Mapping[str, str]], refs: Sequence[Sequence[int]], nodes: int) -> Ways:
    """Return ways over nodes whose places do not matter."""
    return Ways(
        way_id=np.arange(len(tags)),
        tags=tuple(tags),
        start=np.cumsum([0, *map(len, refs)]),
        ref=np.array([node for each in refs for node in each]),
        node_id=np.arange(nodes),
        xy=np.zeros((nodes, 2)),
        node_tags={},
        extent=None,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with neukoelln/ and osm/")
    data = parser.parse_args().data
    streets = neukoelln(data)
    print(f"Neukölln, {streets.surveyed.sum()} ways; width tags hidden")
    print("split  tuned  tested  error m  coverage  median ± m")
    rows = []
    for split in range(SPLITS):
        row, _ = split_result(streets, split)
        rows.append(row)
        print(
            f"{split:5}  {row.tuned_on:5}  {row.tested_on:6}  {row.error_m:7.3f}"
            f"  {row.coverage:8.1%}  {row.median_stated_m:10.2f}"
        )
    table = np.array(rows)
    error, coverage, stated = table[:, 2], table[:, 3], table[:, 4]
    print(
        f"mean error {error.mean():.3f} ± {error.std():.3f} m (max {error.max():.3f}; bar 0.65, stretch 0.55)"
    )
    print(f"coverage {coverage.mean():.1%} (min {coverage.min():.1%}; bar 90 %)")
    print(f"median ± {stated.mean():.2f} m (max {stated.max():.2f}; bar 1.5)")
    floor = tune(streets).errors(streets).mean()
    print(f"tuned and tested on all: {floor:.3f} m (no result: the floor of the form)")
    goiania = class_defaults(load_city("goiania"))
    for name, own in (("Neukölln", streets), ("Porto Alegre", porto_alegre(data))):
        shipped = Tuned(STANDARD, goiania)
        errors, said = shipped.errors(own), shipped.stated(own)
        print(
            f"{name}, shipped model and Goiânia's defaults, {len(errors)} ways: error {errors.mean():.3f} m,"
            f" coverage {(errors <= said).mean():.1%}, median ± {np.median(said):.2f} m"
        )


if __name__ == "__main__":
    main()
