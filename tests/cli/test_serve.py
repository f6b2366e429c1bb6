"""`geocheck serve` as its user runs it: a page over a bundle, and what is refused before it listens."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError

import pytest
import trustme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from geocheck.city.bundle.bundle import Bundle

    Run = Callable[..., Any]

COMMAND = Path(sys.executable).parent / "geocheck"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[int]:
    """Serve a bundle; after an interruption it must end by itself, in one line."""
    port = free_port()
    command = [str(COMMAND), "serve", str(folder), "--port", str(port), *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        yield port
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert process.returncode in (0, 130)
    assert "Traceback" not in said


def get(url: str, headers: dict[str, str] | None = None, **more: Any) -> tuple[int, bytes]:  # noqa: ANN401
    request = urllib.request.Request(url, headers=headers or {})  # noqa: S310 (of this machine)
    end = time.monotonic() + 20
    while True:
        try:
            with urllib.request.urlopen(request, timeout=20, **more) as answer:  # noqa: S310 (same)
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, error.read()
        except URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def test_it_serves_until_it_is_interrupted(campus: Bundle) -> None:
    with serving(campus.folder) as port:
        status, body = get(f"http://127.0.0.1:{port}/readyz")
        assert (status, json.loads(body)["bundles"]) == (200, {"goiania": campus.sha256})


def test_two_workers_and_a_key(campus: Bundle, geocheck: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "chaves.json")
    text = geocheck("keys", "add", "Entulho Ltda", "--file", file).out.strip()
    with serving(campus.folder, "--workers", "2", "--keys", file) as port:
        url = f"http://127.0.0.1:{port}/v1/cities"
        assert get(url)[0] == 401
        assert get(url, {"authorization": f"Bearer {text}"})[0] == 200
    ran = geocheck("keys", "list", "--file", file)
    assert "Entulho Ltda" in ran.out
    assert text not in ran.out
    assert geocheck("keys", "revoke", text.split("_")[1], "--file", file).code == 0
    assert geocheck("keys", "revoke", "nada", "--file", file).code == 1


def test_tls(campus: Bundle, tmp_path: Path) -> None:
    authority = trustme.CA()
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = authority.issue_cert("127.0.0.1")
    made.private_key_pem.write_to_path(key)
    made.cert_chain_pems[0].write_to_path(cert)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    options = ("--tls-cert", str(cert), "--tls-key", str(key))
    with serving(campus.folder, *options) as port:
        assert get(f"https://127.0.0.1:{port}/healthz", context=trust)[0] == 200


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--host", "10.0.0.7"), "--host: 10.0.0.7 atende outras máquinas"),
        (("--host", "exemplo.test"), "--host: exemplo.test atende outras máquinas"),
        (("--tls-cert", "nada.pem"), "--tls-key: certificado e chave vêm juntos"),
        (("--keys", "nada.json"), "--keys: não há o arquivo nada.json"),
        (("--tiles-url", "ftp://x"), "GEOCHECK_TILES_URL: “ftp://x” não é um endereço"),
    ],
)
def test_what_cannot_be_served_is_said_first(
    campus: Bundle, geocheck: Run, options: tuple[str, ...], said: str
) -> None:
    ran = geocheck("serve", str(campus.folder), *options)
    assert ran.code == 1
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_what_is_no_bundle_is_said_first(geocheck: Run, tmp_path: Path) -> None:
    ran = geocheck("serve", str(tmp_path))
    assert ran.code == 1
    assert "não é um pacote do geocheck" in ran.err
