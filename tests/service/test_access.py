"""Who may ask for what: this machine, holders of keys by role, the public within its rate."""

from __future__ import annotations

import datetime as dt
import json
import stat
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from geocheck.errors import DataFileError, InputError
from geocheck.service.access import Access
from geocheck.service.app import create_app
from geocheck.service.keys import add_key, key_for, read_keys, revoke_key
from geocheck.service.problems import ServiceError
from geocheck.settings import ServiceSettings

if TYPE_CHECKING:
    from pathlib import Path

NOW = dt.datetime(2026, 12, 1, 12, tzinfo=dt.UTC)
BODY = {"city": "goiania"}


def client_of(host: str, **settings: Any) -> TestClient:  # noqa: ANN401
    return TestClient(create_app(ServiceSettings(**settings)), client=(host, 40_000))


def bearer(text: str) -> dict[str, str]:
    return {"authorization": f"Bearer {text}"}


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 200), ("::1", 200), ("10.0.0.7", 403)])
def test_without_keys_only_this_machine_is_served(host: str, status: int) -> None:
    client = client_of(host)
    assert client.post("/v1/checks", json=BODY).status_code == status
    assert client.get("/healthz").status_code == 200


def test_a_key_opens_what_its_role_allows_until_it_is_revoked(tmp_path: Path) -> None:
    file = tmp_path / "chaves.json"
    viewer, engineer = (add_key(file, role, role, NOW) for role in ("viewer", "engineer"))
    client = client_of("10.0.0.7", keys_file=file)
    assert client.post("/v1/checks", json=BODY).status_code == 401
    assert client.post("/v1/checks", json=BODY, headers=bearer(viewer)).status_code == 200
    assert client.get("/metrics", headers=bearer(viewer)).status_code == 403
    assert client.get("/metrics", headers=bearer(engineer)).status_code == 200
    assert client.post("/v1/checks", json=BODY, headers=bearer(viewer[:-1] + "x")).status_code == 401
    assert client.post("/v1/checks", json=BODY, headers={"authorization": "Basic x"}).status_code == 401
    # Even from this machine: behind a proxy everybody comes from here.
    assert client_of("127.0.0.1", keys_file=file).post("/v1/checks", json=BODY).status_code == 401


def test_a_revoked_key_is_refused_within_a_second(tmp_path: Path) -> None:
    file, now = tmp_path / "chaves.json", [0.0]
    text = add_key(file, "Ana", "viewer", NOW)
    access = Access(ServiceSettings(keys_file=file), lambda: now[0])
    scope = {
        "path": "/v1/cities",
        "headers": [(b"authorization", f"Bearer {text}".encode())],
        "client": ("10.0.0.7", 1),
    }
    access.check(scope)
    revoke_key(file, text.split("_")[1], NOW)
    now[0] = 1.5
    with pytest.raises(ServiceError, match="revogada"):
        access.check(scope)


def test_keys_are_kept_as_hashes_that_only_their_owner_reads(tmp_path: Path) -> None:
    file = tmp_path / "chaves.json"
    text = add_key(file, "Entulho Ltda", "company", NOW)
    held = file.read_text(encoding="utf-8")
    assert text.split("_", 2)[2] not in held
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (key,) = read_keys(file)
    assert key_for((key,), text) == key
    for wrong in ("", "gck", "gck__", text.upper(), text + "_", "\ud800", text.replace("gck", "xyz")):
        assert key_for((key,), wrong) is None


@pytest.mark.parametrize(
    "text", ["", "{}x", '{"schema":"outro","keys":[]}', '{"schema":"geocheck/keys/1","keys":[1]}']
)
def test_a_file_that_holds_no_keys_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "chaves.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError):
        add_key(file, "Ana", "viewer", NOW)
    assert file.read_text(encoding="utf-8") == text


def test_odd_names_are_refused(tmp_path: Path) -> None:
    for name in ("", "  ", "x" * 101):
        with pytest.raises(InputError):
            add_key(tmp_path / "chaves.json", name, "viewer", NOW)
    assert not (tmp_path / "chaves.json").exists()


def test_the_public_may_check_within_its_rate() -> None:
    client = client_of("203.0.113.9", public_readonly=True, checks_a_minute=5)
    answers = [client.post("/v1/checks", json=BODY) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert client.get("/metrics").status_code == 403
    assert client.post("/v1/checks/batch", json=[BODY]).status_code == 403


def test_a_household_of_addresses_has_one_rate_and_time_gives_back() -> None:
    now = [0.0]
    access = Access(ServiceSettings(public_readonly=True, checks_a_minute=2), lambda: now[0])

    def ask(host: str) -> bool:
        try:
            access.check({"path": "/v1/cities", "headers": [], "client": (host, 1)})
        except ServiceError:
            return False
        return True

    assert [ask("2001:db8::1"), ask("2001:db8::2"), ask("2001:db8::3")] == [True, True, False]
    assert ask("2001:db8:0:1::1")
    now[0] = 31.0
    assert [ask("2001:db8::9"), ask("2001:db8::9")] == [True, False]


def test_no_answer_tells_the_keys_file_or_its_problems(tmp_path: Path) -> None:
    file = tmp_path / "chaves.json"
    add_key(file, "Ana", "viewer", NOW)
    answer = client_of("10.0.0.7", keys_file=file).get("/v1/cities")
    assert "chaves.json" not in json.dumps(answer.json())
