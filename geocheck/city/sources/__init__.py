"""Municipal files in whichever format, read into clean layers in the city's metres.

Reading takes libraries that are slow to load; who asks for the names of `read` loads them, and nobody else.
"""

from typing import TYPE_CHECKING, Any

from geocheck.city.sources.cleaning import Action, Cleaning, Note
from geocheck.city.sources.decimals import numbers
from geocheck.city.sources.options import SourceOptions

if TYPE_CHECKING:
    from geocheck.city.sources.read import Layer, Source, read_layer, read_records

__all__ = [
    "Action",
    "Cleaning",
    "Layer",
    "Note",
    "Source",
    "SourceOptions",
    "numbers",
    "read_layer",
    "read_records",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 (any of the names of `read`)
    if name not in __all__:
        raise AttributeError(name)
    from geocheck.city.sources import read  # noqa: PLC0415 (loads tables and formats)

    return getattr(read, name)
