"""Measures the service over loopback: one client after another, sixty-four at once, start, memory.

    python -m benchmarks.service DATA_FOLDER [--seconds 60]

Placements are drawn along the bundle's kerbs; the client is a few lines of asyncio, so that it costs little.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.error import URLError

import numpy as np
import psutil

from benchmarks.real_checks import build
from benchmarks.real_spots import planned
from benchmarks.scenes import GOIANIA, PORTO_ALEGRE
from geocheck.api import check_under
from geocheck.law.versions import city_law

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.request import Request

PLACES = 200


class Fire(NamedTuple):
    """What many clients at once got: milliseconds of each answer, those that failed, seconds in all."""

    each_ms: list[float]
    failed: int
    seconds: float


def main() -> None:
    """Print the figures of each map."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    for scene in (GOIANIA, PORTO_ALEGRE):
        with tempfile.TemporaryDirectory() as folder:
            print(f"{scene.name}:")
            measure(build(scene, given.data, Path(folder) / "pacote"), scene.sheet, given.seconds)


def measure(bundle: Bundle, sheet: str, seconds: float) -> None:
    """Serve a bundle and print what its answers cost."""
    requests = planned(bundle, sheet, PLACES, np.random.default_rng(7))
    print_check_itself(bundle, sheet, requests)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    options = ["--city", sheet] if sheet.endswith(".toml") else []
    command = [
        str(Path(sys.executable).parent / "geocheck"),
        "serve",
        str(bundle.folder),
        "--port",
        str(port),
    ]
    begin = time.monotonic()
    with subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL) as process:  # noqa: S603 (our own)
        try:
            wait(port)
            print(f"start to the first 200: {time.monotonic() - begin:.2f} s")
            named = [each.model_copy(update={"city": bundle.manifest.city}) for each in requests]
            bodies = [written(each.model_dump_json(exclude_defaults=True)) for each in named]
            asyncio.run(measured(port, bodies, seconds))
            memory = psutil.Process(process.pid).memory_info().rss
            print(f"memory of the worker afterwards: {memory / 1e6:.0f} MB")
        finally:
            process.terminate()


def print_check_itself(bundle: Bundle, city: str, requests: list[Request]) -> None:
    """Print what the check costs without the service."""
    law = city_law(city)
    check_under(law, requests[:5], bundle=bundle)
    took = []
    for request in requests:
        begin = time.perf_counter()
        check_under(law, [request], bundle=bundle)[0].model_dump_json()
        took.append((time.perf_counter() - begin) * 1e3)
    print(f"check and JSON in process: median {statistics.median(took):.2f} ms, least {min(took):.2f} ms")


def wait(port: int) -> None:
    """Wait until the service is ready."""
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
                if answer.status == HTTPStatus.OK:
                    return
        except (URLError, OSError):
            time.sleep(0.01)


def written(body: str) -> bytes:
    """Return a request as it goes over the wire."""
    head = "POST /v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body.encode())}\r\n\r\n{body}".encode()


async def measured(port: int, bodies: list[bytes], seconds: float) -> None:
    """Print how long answers take one after another, and with sixty-four clients at once."""
    await fire(port, bodies, 1, 3.0)
    alone = await fire(port, bodies, 1, min(seconds, 20.0))
    print(f"one client: median {statistics.median(alone.each_ms):.2f} ms, least {min(alone.each_ms):.2f} ms")
    many = await fire(port, bodies, 64, seconds)
    rate = len(many.each_ms) / many.seconds
    p99 = float(np.quantile(many.each_ms, 0.99))
    middle, bound = statistics.median(many.each_ms), 3e3 * 64 / rate
    print(f"64 clients, {many.seconds:.0f} s: {rate:.0f} checks/s, failed {many.failed}")
    print(f"  median {middle:.0f} ms, p99 {p99:.0f} ms (bar, 3 × 64 / rate: {bound:.0f} ms)")


async def fire(port: int, bodies: list[bytes], clients: int, seconds: float) -> Fire:
    """Let so many clients ask one after another for so long."""
    took: list[float] = []
    failed = 0
    begin = time.perf_counter()

    async def client(number: int) -> None:
        nonlocal failed
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        count = number
        while time.perf_counter() - begin < seconds:
            asked = time.perf_counter()
            writer.write(bodies[count % len(bodies)])
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            length = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
            body = await reader.readexactly(length)
            took.append((time.perf_counter() - asked) * 1e3)
            failed += not (head.startswith(b"HTTP/1.1 200") and body.endswith(b"}"))
            count += clients
        writer.close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    return Fire(took, failed, time.perf_counter() - begin)


if __name__ == "__main__":
    main()
