"""The map check agrees with a slow oracle, written from the page and not from the code, to the millimetre."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from geocheck.model.words import Outcome
from tests.check.oracle.compare import ON_THE_MAP
from tests.check.oracle.scenes import FILES, TOWNS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.check.oracle.compare import Difference, Scene

SAMPLES = {
    "goiania": 900,
    "helsinki": 900,
    "sao-paulo": 700,
    "sure-1": 500,
    "sure-2": 400,
    "loose-1": 500,
    "loose-2": 400,
    "left-1": 400,
    "kerbs-1": 300,
}
"""5,000 placements."""

RULES = 16
"""So many of the rules that look at the map are drawn for each placement."""

CHUNK = 4_000


def named(differences: list[Difference]) -> str:
    """Write what differs, the commonest first, each with one placement that shows it."""
    count = Counter(each.what for each in differences)
    lines = []
    for what, times in count.most_common(12):
        one = next(each for each in differences if each.what == what)
        told = one.request.model_dump(exclude_defaults=True, mode="json")
        lines.append(f"{times} × {what}\n  pipeline {one.pipeline}\n  oracle   {one.oracle}\n  {told}")
    return "\n".join(lines)


@pytest.mark.parametrize("name", SAMPLES)
def test_pipeline_and_oracle_agree(scene_of: Callable[[str], Scene], name: str) -> None:
    scene = scene_of(name)
    found = scene.differences(scene.thrown(SAMPLES[name], name), RULES, name)
    assert not found, named(found)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("name", "count"),
    [
        *[(name, 36_000) for name in FILES],
        *[(f"{town.split('-')[0]}-{seed}", 1_000) for seed in range(10, 20) for town in sorted(set(TOWNS))],
    ],
)
def test_pipeline_and_oracle_agree_on_many(scene_of: Callable[[str], Scene], name: str, count: int) -> None:
    """More than 200,000 in all: 36,000 on each real map, 1,000 on each of 60 towns."""
    scene, found, left = scene_of(name), [], count
    while left > 0:
        seed = f"{name}, {left}"
        found += scene.differences(scene.thrown(min(left, CHUNK), seed), RULES // 2, seed)
        left -= CHUNK
    assert not found, named(found)


@pytest.mark.parametrize("name", ["sure-1", "loose-1", "kerbs-1"])
def test_kerbs_that_tie(scene_of: Callable[[str], Scene], name: str) -> None:
    """In the middle of a street and at the vertices of kerbs one of the tied kerbs is taken."""
    scene = scene_of(name)
    found = scene.differences(scene.tied(), RULES, name)
    assert not found, named(found)


def test_the_sample_reaches_every_outcome_of_every_kind(scene_of: Callable[[str], Scene]) -> None:
    """The comparison is worth its name: what is compared is not all of one sort."""
    reached: dict[str, set[int]] = {kind: set() for kind in ON_THE_MAP}
    for name in ("sure-1", "loose-1"):
        scene = scene_of(name)
        checked = scene.checked(scene.thrown(SAMPLES[name], name))
        for index, column in enumerate(checked.columns):
            if column.question.test.kind in ON_THE_MAP:
                reached[column.question.test.kind] |= set(checked.outcomes[:, index].tolist())
    always = {Outcome.COMPLIANT, Outcome.NOT_EVALUATED, Outcome.VIOLATION, Outcome.BORDERLINE}
    for kind in ("min_distance", "exclusion_zone", "interval_exclusion", "frontage_exclusion"):
        assert always | {Outcome.CONDITIONAL} <= reached[kind], kind
    assert always - {Outcome.NOT_EVALUATED} <= reached["max_distance"]
    assert always | {Outcome.CONDITIONAL} <= reached["unquantified_proximity"]
    assert {Outcome.COMPLIANT, Outcome.CONDITIONAL} <= reached["side_of_feature"]
