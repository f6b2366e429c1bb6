"""`/kerbs?bbox=` and `/addresses?q=`: what the page draws and where an address lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.service.test_checks import spot

if TYPE_CHECKING:
    from starlette.testclient import TestClient

KERBS = "/v1/cities/goiania/kerbs"


def box(half_deg: float = 0.001) -> str:
    """Return a box round a skip of the neighbourhood."""
    raw = spot("goiania")
    lon, lat = raw["lon"], raw["lat"]
    return f"{lon - half_deg},{lat - half_deg},{lon + half_deg},{lat + half_deg}"


def test_a_box_holds_kerbs_with_their_streets(client: TestClient) -> None:
    told = client.get(KERBS, params={"bbox": box()}).json()
    assert told["type"] == "FeatureCollection"
    kerbs = [each for each in told["features"] if each["properties"]["layer"] == "kerb"]
    assert kerbs
    assert all(each["geometry"]["type"] == "LineString" for each in kerbs)
    street = client.post("/v1/checks", json=spot("goiania")).json()["kerb"]["street"]
    assert street in {each["properties"]["street"] for each in kerbs}


@pytest.mark.parametrize(
    "bbox",
    ["", "1,2,3", "a,b,c,d", "nan,0,1,1", "-49.3,-16.7,-49.2,-16.6", "1e999,0,0,0", "0,0,0,0", "1,1,0,0"],
)
def test_a_box_that_is_none_is_refused(client: TestClient, bbox: str) -> None:
    answer = client.get(KERBS, params={"bbox": bbox})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "bbox")


def test_far_from_the_map_nothing_is_drawn(client: TestClient) -> None:
    assert client.get(KERBS, params={"bbox": "10,10,10.01,10.01"}).json()["features"] == []


def test_a_street_is_found_however_it_is_written(client: TestClient) -> None:
    street = client.post("/v1/checks", json=spot("goiania")).json()["kerb"]["street"]
    for text in (street, street.upper(), street.split(" ", 1)[1]):
        found = client.get("/v1/cities/goiania/addresses", params={"q": text}).json()
        assert any(street in place["label"] for place in found), text
        assert all(-50 < place["lon"] < -49 and -17 < place["lat"] < -16 for place in found)


@pytest.mark.parametrize(
    ("text", "status"), [("", 422), ("!!!", 422), ("x" * 5000, 422), ("rua que não há", 200)]
)
def test_a_text_that_is_no_address(client: TestClient, text: str, status: int) -> None:
    assert client.get("/v1/cities/goiania/addresses", params={"q": text}).status_code == status


@pytest.mark.parametrize("path", ["kerbs?bbox=0,0,0.01,0.01", "addresses?q=rua"])
@pytest.mark.parametrize("city", ["olinda", "nada"])
def test_a_city_without_a_map_has_none(client: TestClient, city: str, path: str) -> None:
    assert client.get(f"/v1/cities/{city}/{path}").status_code == 404
