"""geocheck: may a construction-waste skip stand at this spot of a Brazilian street?

The public calls are `check` and `check_many`; `parse_request` validates what they take, `load_bundle` reads
the map that they check on, `Report` is what they give, and every user's mistake is a `GeocheckError`. (The
folder `geocheck/check` has the name of the call: `from geocheck.check.pipeline import run` reaches its
modules, `geocheck.check` is the call.)
"""

from geocheck.api import check, check_many
from geocheck.city.bundle.bundle import load_bundle
from geocheck.errors import DataFileError, GeocheckError, InputError, UnknownNameError
from geocheck.model.report import Report
from geocheck.model.request import Request, parse_request
from geocheck.version import __version__

__all__ = [
    "DataFileError",
    "GeocheckError",
    "InputError",
    "Report",
    "Request",
    "UnknownNameError",
    "__version__",
    "check",
    "check_many",
    "load_bundle",
    "parse_request",
]
