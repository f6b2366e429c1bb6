"""`POST /v1/checks` and `/v1/stays` on a map: reports, maps, formats, and cases that people reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from starlette.testclient import TestClient

from geocheck import check, load_bundle, parse_request
from geocheck.cities import load_city
from geocheck.demo.cases import read_cases
from geocheck.demo.grid import grid_of
from geocheck.demo.kept import demo_folder
from geocheck.service.app import create_app
from geocheck.settings import ServiceSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = read_cases(demo_folder() / "casos.toml")


def spot(city: str) -> dict[str, Any]:
    case = next(case for case in NAMED.case if case.city == city)
    return {**NAMED.request(case, grid_of(load_city(city)), city), "start": "2026-08-07T10:00"}


@pytest.mark.parametrize("city", ["goiania", "juiz-de-fora"])
def test_the_answer_is_that_of_the_call(client: TestClient, maps: dict[str, Path], city: str) -> None:
    answer = client.post("/v1/checks", json=spot(city))
    assert answer.status_code == 200
    told = answer.json()
    report = check(parse_request(spot(city)), bundle=load_bundle(maps[city]))
    assert told["bundle"]["sha256"] == report.bundle.sha256  # type: ignore[union-attr]
    assert told["findings"] == json.loads(report.model_dump_json())["findings"]
    assert any(finding["basis"] == "map" for finding in told["findings"])


def test_a_city_without_a_map_is_judged_from_what_is_told(client: TestClient) -> None:
    told = client.post("/v1/checks", json={"city": "olinda", "measured": {"gap_m": 0.9}}).json()
    assert told["bundle"] is None
    assert told["city"] == "olinda"


def test_the_map_comes_as_a_page_that_shares_nothing_with_the_service(client: TestClient) -> None:
    answer = client.post("/v1/checks", json=spot("goiania"), headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == "sandbox allow-scripts allow-popups"
    assert "leaflet" in answer.text


@pytest.mark.parametrize("body", [spot("goiania"), {"city": "olinda"}], ids=["on a map", "without one"])
def test_the_card_comes_as_a_picture(client: TestClient, body: dict[str, Any]) -> None:
    answer = client.post("/v1/checks", json=body, headers={"accept": "image/png"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.content.startswith(b"\x89PNG")


def test_without_a_place_there_is_no_map_to_draw(client: TestClient) -> None:
    answer = client.post("/v1/checks", json={"city": "goiania"}, headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("application/*;q=0.5, text/html;q=0.4", "application/json"),
        ("text/html;q=0.1, application/json;q=0", "text/html; charset=utf-8"),
        ("text/html, */*;q=0.8", "text/html; charset=utf-8"),
        ("image/avif, nada;q=x", None),
    ],
)
def test_the_format_is_what_the_client_accepts(client: TestClient, accept: str, kind: str | None) -> None:
    answer = client.post("/v1/checks", json=spot("goiania"), headers={"accept": accept})
    assert answer.headers["content-type"] == (kind or "application/problem+json")
    assert answer.status_code == (200 if kind else 406)


@pytest.mark.parametrize("name", ["nan_token", "nan_string", "infinity", "overflow", "negative"])
def test_60_a_number_that_is_none_is_refused_by_its_field(
    client: TestClient, shared_cases: Path, name: str
) -> None:
    text = (shared_cases / "60-nan-infinity-json" / f"{name}.json").read_text(encoding="utf-8")
    for theirs, ours in (("bearing", "bearing_deg"), ("length", "length_m"), ("width", "width_m")):
        text = text.replace(f'"{theirs}"', f'"{ours}"')
    text = text.replace("{", '{"city":"goiania",', 1)
    answer = client.post("/v1/checks", content=text, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    wrong = {"negative": {"length_m", "width_m"}, "infinity": {"length_m"}, "overflow": {"length_m"}}
    assert {error["field"] for error in answer.json()["errors"]} == wrong.get(name, {"lon"})


def test_60_a_bearing_goes_round(client: TestClient, shared_cases: Path) -> None:
    raw = json.loads((shared_cases / "60-nan-infinity-json" / "bearing_450.json").read_text(encoding="utf-8"))
    body = {"city": "goiania", "lon": raw["lon"], "lat": raw["lat"], "bearing_deg": raw["bearing"]}
    answer = client.post("/v1/checks", json={**body, "length_m": raw["length"], "width_m": raw["width"]})
    assert (answer.status_code, answer.json()["request"]["bearing_deg"]) == (200, 90.0)


@pytest.mark.parametrize(
    ("placed_at", "start"),
    [
        ("2026-05-05T08:00:00", "2026-05-05T08:00:00-03:00"),
        ("2026-05-05T08:00:00-03:00", "2026-05-05T08:00:00-03:00"),
        ("2026-05-05T11:00:00Z", "2026-05-05T08:00:00-03:00"),
        ("2026-05-05T08:00:00 03:00", None),
        ("2026-05-04T23:30:00-03:00", "2026-05-04T23:30:00-03:00"),
        ("2026-05-05", "2026-05-05T00:00:00-03:00"),
        ("05/05/2026 08:00", "2026-05-05T08:00:00-03:00"),
    ],
)
def test_63_a_time_without_an_offset_is_local(client: TestClient, placed_at: str, start: str | None) -> None:
    answer = client.post("/v1/checks", json={"city": "goiania", "start": placed_at})
    assert answer.status_code == (200 if start else 422)
    if start:
        assert answer.json()["start"] == start
    stay = client.post("/v1/stays", json={"city": "goiania", "placed_at": placed_at})
    assert stay.status_code == (200 if start else 422)
    if start:
        assert f"{start[8:10]}/{start[5:7]}/{start[:4]}" in str(stay.json()["counted"][0])


@pytest.mark.parametrize(
    ("body", "field"),
    [({"city": "goiania"}, "placed_at"), ({"city": "goiania", "placed_at": "x", "lon": 1}, "pedido")],
)
def test_a_stay_says_what_is_wrong(client: TestClient, body: dict[str, Any], field: str) -> None:
    answer = client.post("/v1/stays", json=body)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("[]", 422),
        ("{", 422),
        ("", 422),
        ("[" * 5000 + "]" * 5000, 422),
        ('{"city":' * 3000, 422),
        ('{"city":"goiania","city":"olinda"}', 200),
        ('"\ud800"'.encode("utf-8", "surrogatepass").decode("latin-1"), 422),
        ('{"city":"goiania","site":{"skips_on_lot":1e400}}', 422),
        ("{" + '"x":1,' * 200_000 + '"city":"goiania"}', 422),
        ("{" + " " * 3_000_000 + "}", 413),
    ],
)
def test_hostile_bodies_are_refused(client: TestClient, text: str, status: int) -> None:
    answer = client.post(
        "/v1/checks", content=text.encode("latin-1"), headers={"content-type": "application/json"}
    )
    assert answer.status_code == status
    if status != 200:
        assert answer.headers["content-type"] == "application/problem+json"
        assert "Traceback" not in answer.text
        assert "/" not in answer.json()["detail"].replace("application/json", "")


@pytest.mark.parametrize("path", ["/v1/checks", "/v1/checks/batch"])
def test_a_body_that_does_not_say_how_long_it_is_ends_where_it_must(live: str, path: str) -> None:
    def without_end() -> Iterator[bytes]:
        for _ in range(300):
            yield b" " * 10_000

    answer = httpx2.post(f"{live}{path}", content=without_end(), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["status"]) == (413, 413)


def test_every_answer_has_a_number_and_safe_headers(client: TestClient) -> None:
    for answer in (client.get("/healthz"), client.get("/nada"), client.post("/v1/checks", json={})):
        assert len(answer.headers["x-request-id"]) == 32
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_a_city_of_ones_own_is_named_and_its_file_is_not_told() -> None:
    sheet = Path(__file__).parents[1] / "city" / "sheets" / "porto-alegre.toml"
    with TestClient(create_app(ServiceSettings(sheets=(sheet,))), client=("127.0.0.1", 1)) as own:
        assert "porto-alegre" in {city["id"] for city in own.get("/v1/cities").json()}
        answer = own.post("/v1/checks", json={"city": "Porto-Alegre", "measured": {"gap_m": 0.9}})
        assert (answer.status_code, answer.json()["city"]) == (200, "porto-alegre")
        assert ".toml" not in answer.text
        assert own.get("/v1/cities/porto-alegre").json()["name"] == "Porto Alegre"
        assert own.post("/v1/checks", json={"city": str(sheet)}).status_code == 422


def test_a_fault_tells_its_number_and_nothing_of_the_inside(caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(ServiceSettings())

    @app.get("/v1/falha")
    async def fault() -> None:
        raise RuntimeError("segredo em /etc/passwd")

    answer = TestClient(app, client=("127.0.0.1", 1), raise_server_exceptions=False).get("/v1/falha")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "segredo" not in answer.text
    assert answer.headers["x-request-id"] in caplog.text
    assert "segredo" in caplog.text
