"""Chains and rings against a slow walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from geocheck.city.links import chains_of

if TYPE_CHECKING:
    from collections.abc import Sequence


@st.composite
def links(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Return who stands before each thing, and a permutation."""
    size = draw(st.integers(0, 12))
    before = draw(st.permutations(range(size)))
    loose = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    order = draw(st.permutations(range(size)))
    return [-1 if free else b for b, free in zip(before, loose, strict=True)], list(order)


def walked(before: Sequence[int], order: Sequence[int], thing: int) -> tuple[int, int, bool]:
    """Walk back from a thing to the head of its chain, or once round its ring."""
    seen = [thing]
    while before[seen[-1]] >= 0 and before[seen[-1]] != thing:
        seen.append(before[seen[-1]])
    ring = before[seen[-1]] == thing
    head = min(seen, key=lambda each: order[each]) if ring else seen[-1]
    return head, seen.index(head), ring


@given(links())
def test_chains_are_those_one_walks(scene: tuple[list[int], list[int]]) -> None:
    before, order = scene
    chains = chains_of(np.array(before, np.int64), np.array(order, np.int64))
    found = list(zip(chains.head.tolist(), chains.rank.tolist(), chains.ring.tolist(), strict=True))
    assert found == [walked(before, order, thing) for thing in range(len(before))]
