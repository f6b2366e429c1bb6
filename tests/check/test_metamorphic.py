"""What must hold between two checks, whatever the right answer of either is."""

from __future__ import annotations

import json
import math
import random
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from geocheck.check.sight.city_map import CityMap
from geocheck.check.sight.index import MapIndex
from geocheck.cities import load_city
from geocheck.city.bundle.bundle import load_bundle
from geocheck.model.request import Request, parse_request
from geocheck.model.words import Outcome
from tests.check.oracle.compare import ON_THE_MAP, Scene
from tests.check.oracle.stand import stands
from tests.check.oracle.town import STREETS, built, mirrored, mirrored_lon, town_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.check.evidence import Evidence
    from geocheck.check.pipeline import Checked
    from geocheck.check.seen import Seen

MAPS = ["goiania", "sure-1", "loose-1", "kerbs-1"]
COUNT = 300


def changed(requests: list[Request], change: Callable[[dict[str, Any]], dict[str, Any]]) -> list[Request]:
    """Return requests of which something is changed."""
    raw = [request.model_dump(mode="json", exclude_defaults=True) for request in requests]
    return [parse_request(each | change(each)) for each in raw]


def on_the_map(checked: Checked) -> list[tuple[int, Evidence]]:
    """Return the columns that the map answers, with their numbers."""
    found = enumerate(checked.columns)
    return [(index, column) for index, column in found if column.question.test.kind in ON_THE_MAP]


def seen_by(column: Evidence) -> Seen | None:
    """Return what the map shows for a column."""
    return None if column.mapped is None else column.mapped.seen


def told(checked: Checked, row: int, column: Evidence) -> str:
    """Name a column and the placement."""
    request = checked.placements.requests[row].model_dump(mode="json", exclude_defaults=True)
    return f"{column.question.rule.rule.id} {column.question.test} {request}"


# ---------------------------------------------------------------- farther away


@pytest.mark.parametrize("name", MAPS)
def test_moving_away_from_all_features_never_worsens_a_test(
    scene_of: Callable[[str], Scene], name: str
) -> None:
    """Of two places on one kerb, the one that is farther from every feature of a test is judged no worse.

    The side of the nearest driveway is no distance: moving away from the one may let another be the nearest.
    Away from what gives `conditional`, a layer that is not complete knows nothing more.
    """
    scene = scene_of(name)
    dice = random.Random(name)  # noqa: S311 - no secret
    here = [each for each in scene.thrown(COUNT, f"away {name}") if each.bearing_deg is not None]
    steps = [dice.uniform(-12, 12) for _ in here]
    there = [_moved(each, step) for each, step in zip(here, steps, strict=True)]
    one, two = scene.checked(here), scene.checked(there)
    assert one.sight is not None
    assert two.sight is not None
    same = one.sight.at.located.segment == two.sight.at.located.segment
    compared = 0
    for index, column in on_the_map(one):
        other = two.columns[index]
        here_seen, there_seen = seen_by(column), seen_by(other)
        if column.question.test.kind in ("side_of_feature", "max_distance"):
            continue
        if here_seen is None or there_seen is None:
            continue
        near, far = _by_feature(column), _by_feature(other)
        for row in np.flatnonzero(same).tolist():
            before, after = near.get(row, {}), far.get(row, {})
            if not before or not all(value >= before.get(each, math.inf) for each, value in after.items()):
                continue
            if here_seen.covered[row] and not there_seen.covered[row]:
                continue
            compared += 1
            codes = (one.outcomes[row, index], two.outcomes[row, index])
            passed = codes[1] <= Outcome.COMPLIANT
            if not passed and codes != (Outcome.CONDITIONAL, Outcome.NOT_EVALUATED):
                assert codes[1] <= codes[0], told(two, row, column)
    assert compared > COUNT


def _moved(request: Request, step_m: float) -> Request:
    """Return a placement some metres farther along its own axis."""
    assert request.bearing_deg is not None
    assert request.lat is not None
    north = step_m * math.cos(math.radians(request.bearing_deg)) / 111_000
    east = (
        step_m * math.sin(math.radians(request.bearing_deg)) / 111_000 / math.cos(math.radians(request.lat))
    )
    return changed([request], lambda raw: {"lon": raw["lon"] + east, "lat": raw["lat"] + north})[0]


def _by_feature(column: Evidence) -> dict[int, dict[tuple[int, int, int], float]]:
    """Return by placement how far each feature is; one met twice (round a ring) counts where it is nearer."""
    seen = seen_by(column)
    assert seen is not None
    rows = seen.rows
    found: dict[int, dict[tuple[int, int, int], float]] = {}
    for at, row in enumerate(rows.placement.tolist()):
        # The ends of a mouth may differ in what is known of them.
        key = (int(rows.feature[at]), int(rows.event[at]), int(rows.known[at]))
        known = found.setdefault(row, {})
        known[key] = min(float(rows.value_m[at]), known.get(key, math.inf))
    return found


# ---------------------------------------------------------------- a larger skip


@pytest.mark.parametrize("name", MAPS)
def test_a_larger_skip_is_never_better(scene_of: Callable[[str], Scene], name: str) -> None:
    """What holds the smaller skip holds nothing more than what holds the larger one.

    Not so, and why: the farthest allowed gap is measured to the near side, which a larger observed skip
    brings nearer to the kerb. A larger one may come beside the mouth opposite, where the crossing area no
    longer counts. What is not evaluated may become conditional: that is to know more, not to pass.
    """
    scene = scene_of(name)
    small = [each for each in scene.thrown(COUNT, f"larger {name}") if each.length_m and each.width_m]
    large = changed(small, lambda raw: {"length_m": raw["length_m"] + 0.5, "width_m": raw["width_m"] + 0.5})
    one, two = scene.checked(small), scene.checked(large)
    assert one.sight is not None
    assert two.sight is not None
    same = one.sight.at.located.segment == two.sight.at.located.segment
    compared = 0
    for index, column in on_the_map(one):
        test = column.question.test
        may_give_way = test.kind == "exclusion_zone" and "crossing_area" in test.layers
        if test.kind == "max_distance" or may_give_way:
            continue
        before, after = one.outcomes[:, index], two.outcomes[:, index]
        better = np.maximum(after, Outcome.COMPLIANT) < np.maximum(before, Outcome.COMPLIANT)
        better &= ~((before == Outcome.NOT_EVALUATED) & (after == Outcome.CONDITIONAL))
        wrong = np.flatnonzero(same & better)
        assert not len(wrong), told(two, int(wrong[0]), column)
        compared += int(np.count_nonzero(same & (before != after)))
    assert compared > 0 or name == "kerbs-1"


# ---------------------------------------------------------------- less known


LAYERS = [
    "corner",
    "crossing_area",
    "driveway",
    "bus_stop",
    "crossing",
    "median",
    "green",
    "hydrant",
    "bridge",
]


@pytest.mark.parametrize("layer", LAYERS)
def test_without_a_layer_its_tests_are_not_evaluated(
    scene_of: Callable[[str], Scene], tmp_path: Path, layer: str
) -> None:
    """A bundle without a layer knows nothing of it: none of its tests passes."""
    scene = scene_of("sure-1")
    less = _without(scene, layer, tmp_path / "pacote")
    requests = scene.thrown(COUNT, f"without {layer}")
    # On the footway and the shoulder the place itself answers.
    whole, part = scene.checked(requests), less.checked(requests)
    passed = 0
    of_it = {layer, "mouth"} if layer == "crossing_area" else {layer}
    for index, column in on_the_map(whole):
        if column.ask is None or column.ask.layer not in of_it:
            continue
        passed += int(np.count_nonzero(whole.outcomes[:, index] == Outcome.COMPLIANT))
        wrong = np.flatnonzero(part.outcomes[:, index] == Outcome.COMPLIANT)
        assert not len(wrong), told(part, int(wrong[0]), column)
    held = scene.world.layer(layer)
    assert held is not None
    assert passed > 0 or not held.complete


def _without(scene: Scene, layer: str, folder: Path) -> Scene:
    shutil.copytree(scene.world.folder, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["layers"] = [each for each in manifest["layers"] if each["name"] != layer]
    tables = [each for each in manifest["tables"] if each["name"] != f"station.{layer}"]
    if layer == "crossing_area":
        tables = [each for each in tables if each["name"] != "station.mouth"]
    manifest["tables"] = tables
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return Scene(load_bundle(folder), load_city("goiania"))


# ---------------------------------------------------------------- better known


@pytest.mark.parametrize("name", MAPS)
def test_better_accuracy_never_acquits(scene_of: Callable[[str], Scene], name: str) -> None:
    """Who knows better where the skip stands does not find that what was surely a breach is none."""
    scene = scene_of(name)
    rough = changed(scene.thrown(COUNT, f"accuracy {name}"), lambda _: {"position_accuracy_m": 3.0})
    convicted = 0
    one = scene.checked(rough)
    for accuracy_m in (1.0, 0.2, 0.0):
        fine = changed(rough, lambda _, u=accuracy_m: {"position_accuracy_m": u})  # type: ignore[misc]
        two = scene.checked(fine)
        for index, column in on_the_map(one):
            breach = one.outcomes[:, index] == Outcome.VIOLATION
            convicted += int(np.count_nonzero(breach))
            wrong = np.flatnonzero(breach & (two.outcomes[:, index] == Outcome.COMPLIANT))
            assert not len(wrong), told(two, int(wrong[0]), column)
        one = two
    assert convicted > 0


# ---------------------------------------------------------------- a mirror


@pytest.mark.parametrize("sure", [True, False])
def test_a_mirrored_city_gives_mirrored_answers(tmp_path: Path, sure: bool) -> None:  # noqa: FBT001
    """At the meridian of the zone, where metres stay what they are; people drive on the other side."""
    here, there = tmp_path / "aqui", tmp_path / "la"
    here.mkdir()
    there.mkdir()
    city = load_city("goiania")
    files = town_files(here, f"mirror {sure}", STREETS, sure=sure)
    other_city = mirrored(here, there, city)
    one = Scene(built(here, city, files), city)
    two = Scene(built(there, other_city, files), other_city)
    # Where kerbs tie, the one taken may be that on the other hand.
    thrown = [each for each in one.thrown(COUNT, "mirror") if len(stands(each, one.world, one.kerbs)) == 1]
    turned = changed(thrown, _in_the_mirror)
    left, right = one.checked(thrown), two.checked(turned)
    for index, column in on_the_map(left):
        other = right.columns[index]
        wrong = np.flatnonzero(left.outcomes[:, index] != right.outcomes[:, index])
        assert not len(wrong), told(left, int(wrong[0]), column)
        seen = seen_by(column)
        close_m = _SAMPLED_M if seen is not None and _on_axis(one, seen.layer) else 0.001
        assert np.allclose(column.measured, other.measured, atol=close_m, rtol=0, equal_nan=True), index
    assert left.verdict.tolist() == right.verdict.tolist()


_SAMPLED_M = 0.2
"""A line along a street is looked at in steps of at most 2 m: 150 m are 75 of them, a hair more are 76."""


def _on_axis(scene: Scene, name: str) -> bool:
    layer = scene.world.layer(name)
    return layer is not None and any(row.get("on_axis") is True for row in layer.rows)


def _in_the_mirror(raw: dict[str, Any]) -> dict[str, Any]:
    bearing = raw.get("bearing_deg")
    return {"lon": mirrored_lon(raw["lon"])} | ({} if bearing is None else {"bearing_deg": -bearing})


def test_a_map_makes_no_answer_of_its_own_order(scene_of: Callable[[str], Scene]) -> None:
    """A batch is its placements one by one, in whatever order."""
    scene = scene_of("loose-1")
    requests = scene.thrown(60, "order")
    together = scene.checked(requests)
    for row in range(0, 60, 7):
        alone = scene.checked([requests[row]])
        assert alone.outcomes[0].tolist() == together.outcomes[row].tolist()
    assert isinstance(scene.index, MapIndex)
    assert isinstance(scene.index.city_map, CityMap)
