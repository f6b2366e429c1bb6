"""Usual skips by their capacity: outlines to suppose on the map where only the capacity is known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from geocheck.errors import DataFileError
from geocheck.files import data_folder
from geocheck.model.base import Frozen
from geocheck.toml_files import model_keys, problems_of, read_toml, validated

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.toml_files import Loc

Size = Annotated[float, Field(gt=0, le=12, strict=True)]
Accuracy = Annotated[float, Field(ge=0, le=5, strict=True)]


class Preset(Frozen):
    """A usual skip.

    Attributes:
        volume_m3: its capacity.
        length_m: of its largest outline.
        width_m: the same.
        length_accuracy_m: half-width of the interval in which 95 % of such skips are held to be.
        width_accuracy_m: the same.
    """

    volume_m3: Annotated[float, Field(gt=0, le=60, strict=True)]
    length_m: Size
    width_m: Size
    length_accuracy_m: Accuracy
    width_accuracy_m: Accuracy


class Presets(Frozen):
    """The sheet of usual skips; `source` says where the sizes come from."""

    source: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    skip: Annotated[tuple[Preset, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        volumes = [each.volume_m3 for each in self.skip]
        if len(set(volumes)) < len(volumes):
            raise ValueError("duas caçambas com a mesma volume_m3; deixe uma")
        return self

    def of(self, volume_m3: float | None) -> Preset | None:
        """Return the usual skip of a capacity, None where there is none of just that capacity."""
        return next((each for each in self.skip if each.volume_m3 == volume_m3), None)


@cache
def presets() -> Presets:
    """Return the usual skips that geocheck brings.

    Raises:
        DataFileError: the sheet has problems; all of them are listed.
    """
    return read_presets(data_folder() / "skips.toml")


def read_presets(path: Path) -> Presets:
    """Read a sheet of usual skips.

    Raises:
        DataFileError: the sheet has problems; all of them are listed.
    """
    try:
        return validated(Presets, read_toml(path))
    except ValidationError as error:
        problems = problems_of(error, path.name, _located, model_keys(Presets))
        raise DataFileError(problems) from error


def _located(loc: Loc) -> tuple[str, str]:
    entry = next((f"skip {step + 1}" for step in loc if isinstance(step, int)), "")
    return entry, ".".join(str(step) for step in loc if not isinstance(step, int) and step != "skip")
