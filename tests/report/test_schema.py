"""The published JSON Schema: equal to the model's, described, and refusing what is no report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from geocheck.api import check
from geocheck.model.request import parse_request
from geocheck.model.schema import main, report_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

PUBLISHED = Path(__file__).parents[2] / "docs" / "report.schema.json"


def test_the_published_schema_is_that_of_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "schema.json"
    monkeypatch.setattr("sys.argv", ["schema", str(written)])
    main()
    assert PUBLISHED.read_text(encoding="utf-8") == written.read_text(encoding="utf-8"), "run make schema"


def test_it_is_a_schema_and_says_what_every_field_is() -> None:
    schema = report_schema()
    Draft202012Validator.check_schema(schema)
    assert list(_undescribed(schema)) == []


def _undescribed(schema: dict[str, Any]) -> Iterator[str]:
    for name, part in (("Report", schema), *schema["$defs"].items()):
        for key, field in part.get("properties", {}).items():
            if not field.get("description"):
                yield f"{name}.{key}"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("verdict",), "authorised"),
        (("schema",), "geocheck/report/0"),
        (("findings", 0, "outcome"), "ok"),
        (("findings", 0, "measured_km"), 1.0),
        (("pending", 0, "group"), "later"),
        (("request", "lon"), 200.0),
    ],
)
def test_what_is_no_report_is_refused(path: tuple[str | int, ...], value: object) -> None:
    report = check(parse_request({"city": "goiania", "start": "2026-08-07T10:00"}))
    validator = Draft202012Validator(report_schema())
    told = json.loads(report.model_dump_json())
    validator.validate(told)
    part = told
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(ValidationError):
        validator.validate(told)
