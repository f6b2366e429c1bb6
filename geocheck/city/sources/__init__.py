"""Municipal files in whichever format, read into clean layers in the city's metres."""

from geocheck.city.sources.cleaning import Action, Cleaning, Note
from geocheck.city.sources.decimals import numbers
from geocheck.city.sources.options import SourceOptions
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
