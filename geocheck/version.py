"""The version of geocheck, named in every report."""

__version__ = "0.1.0"
