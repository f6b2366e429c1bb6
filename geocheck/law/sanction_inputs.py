"""The dated numbers that no law holds and the user supplies: fiscal units and index factors."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Final, Self

from pydantic import Field, ValidationError, model_validator

from geocheck.cities import Slug, Text
from geocheck.errors import DataFileError
from geocheck.model.base import DecimalText, Frozen
from geocheck.toml_files import model_keys, problems_of, read_toml, validated

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.toml_files import Loc


PositiveDecimal = Annotated[DecimalText, Field(gt=0, max_digits=16)]


class UnitValue(Frozen):
    """What a city's fiscal unit is worth from a day on, in reais."""

    city: Slug
    valid_from: date
    brl: PositiveDecimal


class IndexFactor(Frozen):
    """The factor by which an index has multiplied nominal amounts, accumulated up to a day."""

    name: Text
    valid_from: date
    factor: PositiveDecimal


class SanctionInputs(Frozen):
    """The dated numbers that no law holds and the user supplies (TOML `[[ufm]]` and `[[index]]`)."""

    ufm: tuple[UnitValue, ...] = ()
    index: tuple[IndexFactor, ...] = ()

    @model_validator(mode="after")
    def _once_a_day(self) -> Self:
        units = [(value.city, value.valid_from) for value in self.ufm]
        factors = [(factor.name.casefold(), factor.valid_from) for factor in self.index]
        for keys in (units, factors):
            twice = sorted({f"{name} em {day:%d/%m/%Y}" for name, day in keys if keys.count((name, day)) > 1})
            if twice:
                raise ValueError(f"dois valores para o mesmo dia: {', '.join(twice)}")
        return self

    def unit_on(self, city: str | None, day: date) -> UnitValue | None:
        """Return the latest value of a city's fiscal unit on a day, or None."""
        known = [value for value in self.ufm if value.city == city and value.valid_from <= day]
        return max(known, key=lambda value: value.valid_from, default=None)

    def factor_on(self, index: str, since: date | None, day: date) -> IndexFactor | None:
        """Return the latest factor of an index on a day, not older than the amounts, or None."""
        name, first = index.casefold(), since or date.min
        known = [
            each for each in self.index if each.name.casefold() == name and first <= each.valid_from <= day
        ]
        return max(known, key=lambda each: each.valid_from, default=None)


NO_INPUTS: Final = SanctionInputs()


def read_sanction_inputs(path: Path) -> SanctionInputs:
    """Read a user's table of fiscal units and index factors.

    Raises:
        DataFileError: with every problem found.
    """
    raw = read_toml(path)
    try:
        return validated(SanctionInputs, raw)
    except ValidationError as error:
        raise DataFileError(problems_of(error, path.name, _locate, model_keys(SanctionInputs))) from None


def _locate(loc: Loc) -> tuple[str, str]:
    if len(loc) > 1 and isinstance(loc[1], int):
        return f"{loc[0]} {loc[1] + 1}", ".".join(map(str, loc[2:]))
    return "", ".".join(map(str, loc))
