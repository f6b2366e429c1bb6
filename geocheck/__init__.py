"""geocheck: may a construction-waste skip stand at this spot of a Brazilian street?"""

__version__ = "0.1.0"
