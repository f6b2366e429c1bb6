"""The base of every model that is read from a file or a request, and decimal numbers written as text."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Frozen(BaseModel):
    """A frozen pydantic model that refuses unknown keys, NaN and infinity."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @classmethod
    def built(cls, **values: Any) -> Self:  # noqa: ANN401 (fields of any type)
        """Make one of values that the program itself made: they are not looked at again, which takes longest.

        What comes from outside goes through `model_validate`; that reports hold what their schema says is
        tested on many of them.
        """
        return cast("Self", cls.model_construct(**values))


def _from_text(value: object) -> Decimal:
    if isinstance(value, Decimal):
        return value
    try:
        if isinstance(value, str):
            return Decimal(value)
    except InvalidOperation:
        pass
    raise ValueError('valores decimais vão entre aspas, com ponto: "100.00"')


DecimalText = Annotated[Decimal, BeforeValidator(_from_text)]
"""A decimal written as text, so that no binary fraction enters an amount."""
