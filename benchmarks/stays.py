"""Prints how long the deadlines of a million stays take, for the stay rule of each city that has one."""

from __future__ import annotations

import time

import numpy as np

from geocheck.cities import load_city
from geocheck.law.calendar import calendar_of
from geocheck.law.clock import zone_clock
from geocheck.law.stays import StayTerm, deadline

STAYS = 1_000_000
RULES = {
    "goiania": {"unit": "business_days", "limit_days": 5, "first_day": "excluded"},
    "juiz-de-fora": {"unit": "business_days", "limit_days": 3, "first_day": "included"},
    "dois-vizinhos": {"unit": "business_hours", "limit_h": 72},
}


def main() -> None:
    """Time each rule twice: with the calendar and clock still to build, and again."""
    random = np.random.default_rng(1)
    first, last = (int(np.datetime64(day, "s").astype(np.int64)) for day in ("2004-01-01", "2040-01-01"))
    placed = random.integers(first, last, STAYS).astype("datetime64[s]")
    full = np.full(STAYS, np.datetime64("NaT", "s"))
    for name, rule in RULES.items():
        city, term = load_city(name), StayTerm.model_validate(rule)
        for state in ("cold", "warm"):
            started = time.perf_counter()
            deadline(term, placed, full, calendar_of(city), zone_clock(city.time_zone))
            print(f"{name:14} {term.unit:15} {state:5} {time.perf_counter() - started:6.3f} s")


if __name__ == "__main__":
    main()
