"""Prints how long checks from measurements take: one report, many reports, many placements judged."""

from __future__ import annotations

import datetime as dt
import time

from geocheck import check, check_many, parse_request
from geocheck.check.pipeline import run
from geocheck.law.versions import city_law

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
TAPES = {"corner_before_m": 5.0, "corner_after_m": 40.0, "cross_footway_width_m": 2.5, "gap_m": 0.51}


def main() -> None:
    """Time a check of Goiânia with four taped values."""
    request = parse_request({"city": "goiania", "start": "2026-08-07T10:00", "measured": TAPES})
    law = city_law("goiania")
    check(request, now=NOW)
    for name, count, work in (
        ("one report, a call each", 50, lambda: [check(request, now=NOW) for _ in range(50)]),
        ("1,000 reports in one batch", 1000, lambda: check_many([request] * 1000, now=NOW)),
        ("20,000 placements judged", 20_000, lambda: list(run([request] * 20_000, law, NOW))),
    ):
        started = time.perf_counter()
        work()
        seconds = time.perf_counter() - started
        print(f"{name:28} {seconds:6.2f} s  {1e3 * seconds / count:7.3f} ms each")


if __name__ == "__main__":
    main()
