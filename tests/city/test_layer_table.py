"""The table of layers: every layer of the closed list, words that the request shares, tags of the wiki."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from geocheck.city.given import DERIVED, READ_APART
from geocheck.city.layers.attributes import ATTRIBUTES, COMMON, PLACING, column
from geocheck.city.layers.table import LAYER_KINDS
from geocheck.model.request import Attributes
from geocheck.model.words import FEATURE_KINDS, LAYERS, ZONES


def test_every_layer_of_the_closed_list_has_its_place() -> None:
    """What is not in the table is derived from streets or read apart."""
    assert set(LAYERS) - set(LAYER_KINDS) == {*DERIVED, *READ_APART}
    assert set(LAYER_KINDS) <= set(LAYERS)


def test_every_attribute_of_a_layer_exists() -> None:
    for layer, kind in LAYER_KINDS.items():
        assert set(kind.attributes) <= set(ATTRIBUTES) - set(COMMON), layer
        assert kind.shapes, layer
    assert set(ATTRIBUTES) >= PLACING


@pytest.mark.parametrize("name", ["plates", "kind"])
def test_words_are_those_of_an_observation(name: str) -> None:
    """What a map says and what a person saw are compared, so that no word may be in one list alone."""
    for word in ATTRIBUTES[name].words:
        assert getattr(Attributes.model_validate({name: word}), name) == word
    with pytest.raises(ValidationError):
        Attributes.model_validate({name: "outra coisa"})
    if name == "kind":
        assert ATTRIBUTES[name].words == FEATURE_KINDS


def test_zones_have_no_points() -> None:
    """Nothing lies inside a point."""
    outside = {*DERIVED, *READ_APART}
    for zone in ZONES:
        if zone not in outside:
            assert "point" not in LAYER_KINDS[zone].shapes, zone


def test_unknown_is_missing_and_never_no() -> None:
    box = column("box", [True, False, None])
    assert box.isna().tolist() == [False, False, True]
    assert column("plates", [2, None]).isna().tolist() == [False, True]
