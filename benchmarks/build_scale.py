"""Measures what building a city costs: seconds by stage, peak memory, and how both grow.

    python -m benchmarks.build_scale DATA_FOLDER [--runs 3]

Each run is a process of its own (`build_child`). Of several runs the one that took least is shown: on a
shared machine the others measure its neighbours. `all` is the wall clock from the start of the process to its
end, everything else is time of the processor. `peak` is the largest resident set.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.build_child import STAGES
from benchmarks.scenes import GOIANIA, PORTO_ALEGRE

COPIES: Final = (1, 2, 5, 10, 20)
BARS: Final = "bars, Porto Alegre: all 20 s, streets 5 s, peak 1024 MB"


class Run(NamedTuple):
    """What one process took: seconds of wall clock and of processor, by stage, features, peak memory."""

    all_s: float
    cpu_s: float
    seconds: dict[str, float]
    counts: dict[str, int]
    peak_mb: float


def least(runs: int, *arguments: str) -> Run:
    """Return the quickest of several runs of one command."""
    return min((_run(*arguments) for _ in range(runs)), key=lambda run: run.all_s)


def _run(*arguments: str) -> Run:
    before, begin = _children_cpu_s(), time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.build_child", *arguments]
    told: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)  # noqa: S603
    return Run(time.perf_counter() - begin, _children_cpu_s() - before, **told)


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def print_builds(data: Path, runs: int) -> None:
    """Print a table of builds: a column a city."""
    lots = [f"{name}={data / 'goiania' / f'goiania-{name}s.parquet'}" for name in ("lot", "block")]
    files = {scene: data / scene.file for scene in (GOIANIA, PORTO_ALEGRE)}
    columns = {
        "Goiânia campus": least(runs, "build", GOIANIA.sheet, str(files[GOIANIA])),
        "Porto Alegre": least(runs, "build", PORTO_ALEGRE.sheet, str(files[PORTO_ALEGRE])),
        "Goiânia + lots": least(runs, "build", GOIANIA.sheet, str(files[GOIANIA]), *lots),
    }
    print(f"Builds, best of {runs}; {BARS}")
    print(f"{'':20}" + "".join(f"{name:>16}" for name in columns))
    for stage in ("read", *STAGES):
        cells = (f"{run.seconds.get(stage, 0.0):14.2f} s" for run in columns.values())
        print(f"{stage:20}" + "".join(cells))
    print(f"{'all':20}" + "".join(f"{run.all_s:14.2f} s" for run in columns.values()))
    print(f"{'cpu':20}" + "".join(f"{run.cpu_s:14.2f} s" for run in columns.values()))
    print(f"{'peak':20}" + "".join(f"{run.peak_mb:13.0f} MB" for run in columns.values()))
    for layer in ("axis", "kerb", "corner", "lot", "block"):
        print(f"{layer:20}" + "".join(f"{run.counts.get(layer, 0):16,}" for run in columns.values()))
    size_mb = files[PORTO_ALEGRE].stat().st_size / 1e6
    speed = size_mb / columns["Porto Alegre"].seconds["read"]
    print(f"reading {PORTO_ALEGRE.file}: {size_mb:.2f} MB at {speed:.2f} MB/s")


def print_growth(data: Path, runs: int) -> None:
    """Print how the derivation of streets grows with copies of Porto Alegre side by side."""
    print(
        f"\nGrowth, copies of Porto Alegre side by side, best of {runs}; n log n is what sorting would take"
    )
    print("copies  streets   kerbs  widths s  derive s  frames s  derive × 1  n log n × 1  peak MB")
    first: Run | None = None
    for copies in COPIES:
        run = least(runs, "grow", PORTO_ALEGRE.sheet, str(data / PORTO_ALEGRE.file), str(copies))
        first = first or run
        n = first.counts["kerb"]
        times = run.seconds["streets"] / first.seconds["streets"]
        bar = copies * math.log(copies * n) / math.log(n)
        print(
            f"{copies:6} {run.counts['street']:8} {run.counts['kerb']:7} {run.seconds['widths']:9.2f}"
            f" {run.seconds['streets']:9.2f} {run.seconds['frames']:9.2f} {times:11.1f} {bar:12.1f}"
            f" {run.peak_mb:8.0f}"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with osm/ and goiania/")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, of which the best counts")
    arguments = parser.parse_args()
    print_builds(arguments.data, arguments.runs)
    print_growth(arguments.data, arguments.runs)


if __name__ == "__main__":
    main()
