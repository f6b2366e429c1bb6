"""The map of one report: a page that needs neither network nor other files."""
