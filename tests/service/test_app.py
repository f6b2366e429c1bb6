"""The HTTP service: checks from measurements, and a user's mistake as problem+json in pt-BR."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from starlette.testclient import TestClient


def test_service_module_offers_the_app() -> None:
    spec = importlib.util.spec_from_file_location("service", Path(__file__).parents[2] / "service.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert TestClient(module.app).get("/healthz").json()["status"] == "ok"


def test_cities(client: TestClient) -> None:
    cities = {city["id"]: city["rulebooks"] for city in client.get("/v1/cities").json()}
    assert cities["rio-verde"] == ["rio-verde-taxi"]
    assert len(cities) == 5


def test_check(client: TestClient) -> None:
    body = {"city": "goiania", "start": "2026-08-07T10:00", "measured": {"gap_m": 0.51}}
    answer = client.post("/v1/checks", json=body)
    assert answer.status_code == 200
    assert answer.json()["verdict"] == "prohibited"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"city": "goiana"}, "city"),
        ({"city": "../../etc/passwd"}, "city"),
        ({}, "city"),
        ({"city": "goiania", "length_m": -1}, "length_m"),
        ({"city": "goiania", "start": "ontem"}, "start"),
        ({"city": "goiania", "measured": {"gap_m": "perto"}}, "measured.gap_m"),
    ],
)
def test_a_mistake_is_a_problem_in_portuguese(
    client: TestClient, body: dict[str, object], field: str
) -> None:
    answer = client.post("/v1/checks", json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert field in [error["field"] for error in answer.json()["errors"]]


@pytest.mark.parametrize("body", ['{"city": "goiania", "length_m": NaN}', "{", "[]", "null", ""])
def test_what_is_no_json_object_is_refused(client: TestClient, body: str) -> None:
    answer = client.post("/v1/checks", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_service_reads_no_file_a_client_names(client: TestClient, tmp_path: Path) -> None:
    sheet = tmp_path / "minha.toml"
    sheet.write_text("id = 'segredo'", encoding="utf-8")
    answer = client.post("/v1/checks", json={"city": str(sheet)})
    assert answer.status_code == 422
    assert "segredo" not in answer.text
