"""Which features a test is about, by their attributes, and until when they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geocheck.law.sign_hours import sign_binds

if TYPE_CHECKING:
    import datetime as dt

    from geocheck.law.calendar import Calendar
    from geocheck.law.kinds import RuleTest
    from tests.check.oracle.world import World


def is_about(
    world: World, layer: str, feature: int, test: RuleTest, stay: tuple[dt.datetime, dt.datetime, Calendar]
) -> tuple[bool, bool]:
    """Return whether a test is about a feature, and whether that hangs on what nobody knows."""
    held = world.layer("crossing_area" if layer == "mouth" else layer)
    assert held is not None
    row = held.rows[feature]
    soft = False
    if test.when is not None:
        value = row.get(test.when.attribute)
        if value is None:
            if test.when.unknown == "skip":
                return False, False
            soft = test.when.unknown == "soft"
        elif not test.when.fits(value):
            return False, False
    if layer == "crossing":
        if row.get("marked") is False:
            return False, False
        soft = soft or row.get("marked") is None
    begin, end, calendar = stay
    first, last = row.get("valid_from"), row.get("valid_to")
    if (first is not None and first > end.date()) or (last is not None and last < begin.date()):
        return False, False
    hours = row.get("hours")
    if hours is not None and layer != "sign" and sign_binds(hours, begin, end, calendar, "hours") is False:
        return False, False
    return True, soft
