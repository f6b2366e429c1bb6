"""`POST /v1/checks/batch`: each row answered in its place; tables that a spreadsheet may open."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.service.test_checks import spot

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

URL = "/v1/checks/batch"


def lines(client: TestClient, **sent: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    answer = client.post(URL, **sent)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_each_row_is_answered_as_alone_and_in_its_place(client: TestClient) -> None:
    goiania, juiz = spot("goiania"), spot("juiz-de-fora")
    sent = [goiania, {"city": "nada"}, juiz, 7, {**goiania, "lot": "não há"}, goiania, {"id": "z", **juiz}]
    found = lines(client, json=sent)
    assert [each["row"] for each in found] == [1, 2, 3, 4, 5, 6, 7]
    assert ["report" in each for each in found] == [True, False, True, False, False, True, True]
    assert found[6]["id"] == "z"
    assert [error["field"] for error in found[4]["error"]["errors"]] == ["lot"]
    for row, request in ((0, goiania), (2, juiz), (5, goiania)):
        alone = client.post("/v1/checks", json=request).json()
        told = found[row]["report"]
        assert told["findings"] == alone["findings"]
        assert (told["verdict"], told["bundle"]) == (alone["verdict"], alone["bundle"])


def test_more_than_one_part_comes_whole(client: TestClient) -> None:
    found = lines(client, json=[{"city": "olinda", "id": str(number)} for number in range(205)])
    assert [each["id"] for each in found] == [str(number) for number in range(205)]


def test_points_of_geojson_carry_their_coordinates(client: TestClient) -> None:
    request = spot("goiania")
    point = {"type": "Point", "coordinates": [request.pop("lon"), request.pop("lat")]}
    feature = {"type": "Feature", "id": 9, "geometry": point, "properties": {**request, "cliente": "Ana"}}
    line = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
    other = {"type": "Feature", "geometry": line, "properties": {"city": "goiania"}}
    sent = {"type": "FeatureCollection", "features": [feature, other]}
    one, two = lines(client, json=sent)
    assert (one["id"], one["report"]["request"]["lon"]) == ("9", point["coordinates"][0])
    assert [error["field"] for error in two["error"]["errors"]] == ["lon"]


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("id;city;measured.gap_m;in_zone.central_zone\n7;goiania;0,51;não\n", 0.51),
        ("\ufeffcity,measured.gap_m,id,in_zone.central_zone\r\ngoiania,0.51,7,no\r\n", 0.51),
        ('city,measured.gap_m,id,in_zone.central_zone\n"Goiânia",0.5,7,0\n', 0.5),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_tables_of_every_habit_are_read(client: TestClient, text: str, gap: float, encoding: str) -> None:
    if encoding == "cp1252":
        text = text.removeprefix("\ufeff")
    (one,) = lines(client, content=text.encode(encoding), headers={"content-type": "text/csv"})
    assert one["id"] == "7"
    assert one["report"]["request"]["measured"] == {"gap_m": gap}
    assert one["report"]["request"]["in_zone"] == {"central_zone": False}


def test_67_no_cell_is_run_and_numbers_stay_numbers(client: TestClient, shared_cases: Path) -> None:
    text = (shared_cases / "67-csv-formula-injection" / "placements.csv").read_text(encoding="utf-8")
    given = list(csv.DictReader(io.StringIO(text)))
    sent = text.replace("id,longitude,latitude,rumo,nome", "id,lon,lat,bearing_deg,nome", 1)
    rows = [
        line + (",city,longitude" if number == 0 else ",goiania,-49.248290059")
        for number, line in enumerate(sent.splitlines())
    ]
    headers = {"content-type": "text/csv", "accept": "text/csv"}
    answer = client.post(URL, content="\n".join(rows).encode(), headers=headers)
    assert answer.headers["content-type"].startswith("text/csv")
    found = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [row["nome"] for row in found[:6]] == [f"'{row['nome']}" for row in given[:6]]
    assert found[6]["nome"] == "Rua = Igual"
    assert found[7]["nome"] == "'-Rua Menos"
    assert {row["longitude"] for row in found} == {"-49.248290059"}
    assert {row["error"] for row in found} == {""}
    assert all(row["verdict"] for row in found)
    told = client.post(URL, content="\n".join(rows).encode(), headers={"content-type": "text/csv"})
    assert len(told.text.splitlines()) == 8


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        ("[]", "application/json"),
        ('{"type":"FeatureCollection"}', "application/geo+json"),
        ("{}", "application/json"),
        ("", "text/csv"),
        ("city\n", "text/csv"),
        ("city,city\na,b\n", "text/csv"),
        ('city\n"goiania\n', "text/csv"),
    ],
)
def test_what_holds_no_rows_is_refused(client: TestClient, sent: str, kind: str) -> None:
    answer = client.post(URL, content=sent.encode(), headers={"content-type": kind})
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")


def test_a_body_of_another_kind_is_refused(client: TestClient) -> None:
    answer = client.post(URL, content=b"PK", headers={"content-type": "application/zip"})
    assert answer.status_code == 415


def test_too_many_rows_belong_to_the_command(client: TestClient) -> None:
    answer = client.post(URL, json=[{"city": "olinda"}] * 5001)
    assert answer.status_code == 422
    assert "geocheck batch" in answer.json()["detail"]
