"""The base of every model that is read from a file or a request, and decimal numbers written as text."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Frozen(BaseModel):
    """A frozen pydantic model that refuses unknown keys, NaN and infinity."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @classmethod
    def built(cls, **values: Any) -> Self:  # noqa: ANN401 (fields of any type)
        """Make one of values that the program itself made: they are not looked at again, which takes longest.

        What comes from outside goes through `model_validate`; that reports hold what their schema says is
        tested on many of them.

        Raises:
            KeyError: a field without a default is missing.
        """
        made = cls.__new__(cls)
        fields = {
            name: values[name] if name in values or default is _NEEDED else default
            for name, default in _defaults(cls)
        }
        object.__setattr__(made, "__dict__", fields)
        object.__setattr__(made, "__pydantic_fields_set__", set(values))
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
        return made


_NEEDED: Final = object()


@cache
def _defaults(model: type[BaseModel]) -> tuple[tuple[str, object], ...]:
    """Return the fields of a model in their order, with their defaults."""
    return tuple(
        (name, _NEEDED if field.is_required() else field.get_default(call_default_factory=False))
        for name, field in model.model_fields.items()
    )


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
