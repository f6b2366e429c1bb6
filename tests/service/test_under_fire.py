"""Many at once, a bundle replaced, a worker killed: every answer is right, or an error that says so."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import psutil
import pytest
from starlette.testclient import TestClient

from geocheck.service.app import create_app
from geocheck.service.store import LOOKED_EVERY_S
from geocheck.settings import ServiceSettings
from tests.service.test_checks import spot

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = Path(sys.executable).parent / "geocheck"


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(COMMAND), "serve", *arguments, "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, text=True)
    base = f"http://127.0.0.1:{port}"
    try:
        _wait(base)
        yield base, process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def _wait(base: str) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if httpx2.get(f"{base}/readyz").status_code == 200:
                return
        except httpx2.HTTPError:
            time.sleep(0.1)
    raise AssertionError(base)


def told(answer: Any) -> str:  # noqa: ANN401
    """Return an answer without the moment at which it was given."""
    assert answer.status_code == 200, answer.text
    report = json.loads(answer.text)
    del report["evaluated_at"]
    return json.dumps(report)


def asked() -> list[dict[str, Any]]:
    """Return requests of several cities, with and without a map, some moved a little."""
    plain = [
        {"city": "olinda", "start": "2026-08-07T10:00"},
        {"city": "goiania", "start": "2026-08-07T10:00"},
    ]
    spots = [spot("goiania"), spot("juiz-de-fora")]
    moved = [{**each, "lon": each["lon"] + step * 1e-5} for each in spots for step in range(6)]
    return [*plain, *moved]


def test_sixteen_at_once_on_two_workers_are_answered_as_one_by_one(maps: dict[str, Path]) -> None:
    with (
        serving(*map(str, maps.values()), "--workers", "2") as (base, _),
        httpx2.Client(base_url=base) as client,
    ):
        requests = asked()
        alone = [told(client.post("/v1/checks", json=request)) for request in requests]

        def ask(number: int) -> bool:
            which = number % len(requests)
            with httpx2.Client(base_url=base, timeout=60) as own:
                return told(own.post("/v1/checks", json=requests[which])) == alone[which]

        with ThreadPoolExecutor(16) as pool:
            assert all(pool.map(ask, range(16 * 8)))


def test_a_killed_worker_loses_no_answer_silently(maps: dict[str, Path]) -> None:
    with serving(str(maps["goiania"]), "--workers", "2") as (base, process):
        wanted = told(httpx2.post(f"{base}/v1/checks", json=spot("goiania")))
        children = psutil.Process(process.pid).children()
        workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        assert len(workers) == 2

        def ask(_: int) -> str:
            try:
                return told(httpx2.post(f"{base}/v1/checks", json=spot("goiania"), timeout=60))
            except httpx2.HTTPError:
                return "error"

        with ThreadPoolExecutor(8) as pool:
            first = [pool.submit(ask, number) for number in range(40)]
            os.kill(workers[0].pid, signal.SIGKILL)
            answers = {each.result() for each in first}
        assert answers <= {wanted, "error"}
        _wait(base)
        assert [ask(0) for _ in range(10)] == [wanted] * 10


def test_a_bundle_built_anew_answers_without_a_restart(maps: dict[str, Path], tmp_path: Path) -> None:
    """No request fails while the folder changes, or while it holds something broken."""
    folder = tmp_path / "pacote"
    shutil.copytree(maps["goiania"], folder)
    app = create_app(ServiceSettings(bundles=(folder,)))
    with TestClient(app, client=("127.0.0.1", 50_000)) as client:
        before = client.get("/readyz").json()["bundles"]["goiania"]
        manifest = folder / "manifest.json"
        whole = manifest.read_text(encoding="utf-8")

        def replace(text: str) -> None:
            other = tmp_path / "manifest.json"
            other.write_text(text, encoding="utf-8")
            other.replace(manifest)
            time.sleep(LOOKED_EVERY_S * 2.5)

        replace("{")
        assert client.get("/readyz").json()["bundles"]["goiania"] == before
        assert client.post("/v1/checks", json=spot("goiania")).json()["bundle"]["sha256"] == before
        replace(whole.replace('"engine"', ' "engine"', 1))
        after = client.get("/readyz").json()["bundles"]["goiania"]
        assert after != before
        assert client.post("/v1/checks", json=spot("goiania")).json()["bundle"]["sha256"] == after
        page = client.post("/v1/checks", json=spot("goiania"), headers={"accept": "text/html"})
        assert page.status_code == 200


def test_when_too_much_waits_the_next_is_told_to_come_back(maps: dict[str, Path]) -> None:
    settings = ServiceSettings(bundles=(maps["goiania"],), heavy_threads=1, heavy_waiting=1)
    with TestClient(create_app(settings), client=("127.0.0.1", 50_000)) as client:

        def ask(_: int) -> Any:  # noqa: ANN401
            return client.post("/v1/checks", json=spot("goiania"), headers={"accept": "text/html"})

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(ask, range(8)))
        codes = [answer.status_code for answer in answers]
        assert set(codes) == {200, 503}
        busy = next(answer for answer in answers if answer.status_code == 503)
        assert int(busy.headers["retry-after"]) >= 1
        assert busy.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/leaflet/../../x", "/static/"]
)
def test_no_path_leads_out_of_the_pages_files(maps: dict[str, Path], path: str) -> None:
    client = TestClient(create_app(ServiceSettings(bundles=(maps["goiania"],))), client=("127.0.0.1", 1))
    answer = client.get(path)
    assert answer.status_code == 404
    assert "create_app" not in answer.text
