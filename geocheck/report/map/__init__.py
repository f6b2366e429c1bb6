"""The map of one report: a page that needs neither network nor other files."""

from geocheck.report.map.page import map_page

__all__ = ["map_page"]
