"""What a feature may say of itself, in one vocabulary whatever its file, and the types of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Sequence


class Type(Enum):
    """What stands in a column."""

    TEXT = "text"
    WORD = "word"
    CODE = "code"
    HOURS = "hours"
    FLAG = "flag"
    COUNT = "count"
    LEVEL = "level"
    METRES = "metres"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute; a missing value is "nobody knows", never "no".

    Attributes:
        type: of its column.
        words: the closed list of its values, of a `WORD` or a closed `COUNT`.
    """

    type: Type
    words: tuple[str | int, ...] = ()


ATTRIBUTES: Final[dict[str, Attribute]] = {
    "name": Attribute(Type.TEXT),
    "plates": Attribute(Type.COUNT, (0, 1, 2)),
    "box": Attribute(Type.FLAG),
    "code": Attribute(Type.CODE),
    "hours": Attribute(Type.HOURS),
    "identified": Attribute(Type.FLAG),
    "kind": Attribute(
        Type.WORD,
        (
            "bay_line",
            "channelisation",
            "stop_line",
            "disabled",
            "elderly",
            "emergency",
            "exclusive",
            "paid_parking",
            "irregular",
            "other",
        ),
    ),
    "marked": Attribute(Type.FLAG),
    "bays": Attribute(Type.COUNT),
    "side": Attribute(Type.WORD, ("left", "right", "both")),
    "direction": Attribute(Type.WORD, ("forward", "backward", "both")),
    "on_axis": Attribute(Type.FLAG),
    "way": Attribute(Type.TEXT),
    "level": Attribute(Type.LEVEL),
    "width_m": Attribute(Type.METRES),
    "street": Attribute(Type.TEXT),
    "number": Attribute(Type.TEXT),
    "valid_from": Attribute(Type.DATE),
    "valid_to": Attribute(Type.DATE),
    "accuracy_m": Attribute(Type.METRES),
}
"""Every attribute. `plates`, `box`, `code`, `hours`, `identified` and `kind` are those of
`model.request.Attributes`, so that what a map says and what a person saw are the same words.

`side` is that of the line as it is drawn; where `way` is given, of that way as OSM draws it. `on_axis`: the
geometry is that of the street and not the thing's own, so that nothing may be measured across from it.
`direction` is that of the traffic served, along `way`. `level` is that of a bridge or tunnel, 0 the ground.
"""

COMMON: Final = ("name", "valid_from", "valid_to", "accuracy_m")
"""What a feature of any layer may say."""

PLACING: Final = frozenset({"side", "direction", "on_axis", "way", "level", "accuracy_m"})
"""What belongs to a geometry: it never goes over from one feature to another."""

_DTYPES: Final = {
    Type.FLAG: "boolean",
    Type.COUNT: "Int64",
    Type.LEVEL: "Int64",
    Type.METRES: "Float64",
    Type.DATE: "datetime64[ms]",
}


def column(name: str, values: Sequence[object]) -> pd.Series[Any]:
    """Return a column of an attribute; None is unknown.

    Args:
        name: of the attribute.
        values: already of the attribute's type; dates as `datetime.date`.
    """
    kind = ATTRIBUTES[name].type
    if kind is Type.DATE:
        dates = [pd.NaT if value is None else pd.Timestamp(str(value)) for value in values]
        return pd.Series(pd.DatetimeIndex(dates).astype("datetime64[ms]"))
    dtype: Any = _DTYPES.get(kind) or pd.StringDtype(na_value=pd.NA)
    return pd.Series(pd.array([pd.NA if value is None else value for value in values], dtype=dtype))


def no_column(name: str, length: int) -> pd.Series[Any]:
    """Return a column of which nobody knows anything."""
    return column(name, [None] * length)
