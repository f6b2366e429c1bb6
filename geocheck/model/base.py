"""The base of every model that is read from a file or a request, and decimal numbers written as text."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Annotated, Any, Self

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
            KeyError: a field without a default is missing, or there is no such field.
        """
        template, needed = _template(cls)
        fields = {**template, **values}
        if not needed <= values.keys() or len(fields) > len(template):
            raise KeyError(f"{cls.__name__}: {sorted(needed ^ values.keys())}")
        made = cls.__new__(cls)
        object.__setattr__(made, "__dict__", fields)
        object.__setattr__(made, "__pydantic_fields_set__", set(values))
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
        return made


@cache
def _template(model: type[BaseModel]) -> tuple[dict[str, object], frozenset[str]]:
    """Return the fields of a model in their order with their defaults, and those that have none."""
    needed = frozenset(name for name, field in model.model_fields.items() if field.is_required())
    fields = {
        name: None if name in needed else field.get_default(call_default_factory=False)
        for name, field in model.model_fields.items()
    }
    return fields, needed


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
