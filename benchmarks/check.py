"""Prints how long checks take: from measurements and on a map; one report, many, placements judged."""

from __future__ import annotations

import datetime as dt
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from geocheck import check, check_many, load_bundle, parse_request
from geocheck.check.pipeline import run
from geocheck.check.sight.index import index_of
from geocheck.law.versions import city_law

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.request import Request

NOW: Final = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
TAPES: Final = {"corner_before_m": 5.0, "corner_after_m": 40.0, "cross_footway_width_m": 2.5, "gap_m": 0.51}
MAPPED: Final = {
    "lon": -49.2665,
    "lat": -16.606,
    "mode": "planned",
    "length_m": 2.65,
    "width_m": 1.76,
    "height_m": 1.3,
    "low_face_m": 0.8,
    "volume_m3": 5.0,
}
"""Avenida Pau Brasil, on a bundle of Goiânia's campus."""


def main() -> None:
    """Time checks of Goiânia: with four taped values, and on the bundle that the command line names."""
    told = parse_request({"city": "goiania", "start": "2026-08-07T10:00", "measured": TAPES})
    report("from measurements", told, None)
    if len(sys.argv) > 1:
        planned = parse_request({"city": "goiania", "start": "2026-08-07T10:00", **MAPPED})
        report("on a map", planned, load_bundle(Path(sys.argv[1])))


def report(title: str, request: Request, bundle: Bundle | None) -> None:
    """Print what one request costs, in milliseconds: median and least of single calls, and in batches."""
    law = city_law("goiania")
    index = None if bundle is None else index_of(bundle, law.city)
    check(request, bundle=bundle, now=NOW)
    single = [_ms(lambda: check(request, bundle=bundle, now=NOW)) for _ in range(200)]
    print(f"{title}: one report, a call each {statistics.median(single):.2f} ms (least {min(single):.2f})")
    judged = [_ms(lambda: list(run([request], law, NOW, index))) for _ in range(200)]
    print(f"{title}: judged, a call each {statistics.median(judged):.2f} ms (least {min(judged):.2f})")
    batch = _ms(lambda: check_many([request] * 200, bundle=bundle, now=NOW)) / 200
    print(f"{title}: 200 reports in one batch {batch:.2f} ms each")
    many = _ms(lambda: list(run([request] * 5000, law, NOW, index))) / 5000
    print(f"{title}: 5,000 placements judged in one batch {many:.3f} ms each")


def _ms(work: Callable[[], object]) -> float:
    """Return the processor's time that a piece of work takes: others may use the machine."""
    started = time.process_time()
    work()
    return 1e3 * (time.process_time() - started)


if __name__ == "__main__":
    main()
