"""Bodies of any JSON, and requests with any values: an answer or a problem, never a fault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geocheck.model.request import Request
from tests.service.test_checks import spot

if TYPE_CHECKING:
    from starlette.testclient import TestClient

PLAIN = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
NUMBERS = st.floats() | st.integers() | st.sampled_from([0, -0.0, 1e-320, 1e308, 2**63, -49.26, -16.64])
LEAVES = st.none() | st.booleans() | NUMBERS | st.text(max_size=40)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
FIELDS = sorted(Request.model_fields)


def ask(client: TestClient, path: str, body: Any) -> Any:  # noqa: ANN401
    text = json.dumps(body).encode("utf-8", "surrogatepass")
    return client.post(path, content=text, headers={"content-type": "application/json"})


@PLAIN
@given(ANYTHING)
def test_any_json_is_answered(client: TestClient, body: Any) -> None:  # noqa: ANN401
    for path in ("/v1/checks", "/v1/stays", "/v1/checks/batch"):
        answer = ask(client, path, body)
        assert answer.status_code in {200, 422}
        if answer.status_code == 422:
            assert answer.headers["content-type"] == "application/problem+json"


@PLAIN
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=4))
def test_a_request_with_any_values_is_judged_or_refused_by_its_fields(
    client: TestClient, changes: dict[str, Any]
) -> None:
    answer = ask(client, "/v1/checks", {**spot("goiania"), **changes})
    assert answer.status_code in {200, 422}
    if answer.status_code == 200:
        assert "NaN" not in answer.text
        assert "Infinity" not in answer.text
    else:
        assert answer.json()["errors"]
