"""The OpenAPI document: published as it is, and kept by every answer to requests thrown at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from geocheck.service.openapi import main

PUBLISHED = Path(__file__).parents[2] / "docs" / "openapi.json"
KEPT = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_the_published_document_is_that_of_the_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "openapi.json"
    monkeypatch.setattr("sys.argv", ["openapi", str(written)])
    main()
    assert PUBLISHED.read_text(encoding="utf-8") == written.read_text(encoding="utf-8"), "run make schema"


def test_every_route_says_what_it_takes_and_may_answer() -> None:
    document = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            assert told["summary"], (path, method)
            if path.startswith("/v1/"):
                assert {"200", "401", "403"} <= told["responses"].keys(), (path, method)
            if method == "post":
                bodies = told["requestBody"]["content"]
                assert "application/json" in bodies
                assert "example" in bodies["application/json"]


@pytest.fixture(scope="module")
def api(live: str) -> Any:  # noqa: ANN401
    return schemathesis.openapi.from_url(f"{live}/openapi.json")


OPERATIONS = [
    (path, method)
    for path, methods in json.loads(PUBLISHED.read_text(encoding="utf-8"))["paths"].items()
    for method in methods
]


PLAIN = settings(derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["kept", "broken"])
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_whatever_is_thrown_the_document_holds(api: Any, path: str, method: str, mode: Any) -> None:  # noqa: ANN401
    """More than 2,000 requests in all, those that keep the document and those that do not."""
    operation = api[path][method]
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query):
        operation.Case(path_parameters={"city": "nada"}).call_and_validate(checks=KEPT)
        return
    takes = operation.path_parameters or operation.query
    count = 300 if operation.body else 100 if takes else 2

    @settings(PLAIN, max_examples=count)
    @given(operation.as_strategy(generation_mode=mode))
    def throw(case: Any) -> None:  # noqa: ANN401
        case.call_and_validate(checks=KEPT)

    throw()
