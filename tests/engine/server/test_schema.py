"""The OpenAPI document tells the truth: requests made from it, right and wrong, are answered as it says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from engine.embedding import open_governor
from tests.engine.report.stories import told_story
from tests.engine.server.clients import Server, served

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed (pip install -e '.[checks]')")

openapi_checks = pytest.importorskip("schemathesis.specs.openapi.checks")

UNFIT = [openapi_checks.positive_data_acceptance, openapi_checks.ignored_auth]
"""What a schema cannot tell, such as that a text is a BPMN file without errors, is refused with 422. That no route goes
without a role is shown by `test_routes`; the check takes the key that each request here carries for one it made up."""
EXAMPLES = 6
"""Requests of each operation; more were made by hand."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with an instance in which something happened, and the key of who may do everything."""
    governor = open_governor(str(tmp_path_factory.mktemp("schema") / "runs.db"))
    told_story(governor)
    server = served(governor)
    yield server, server.user("root", "admin")
    governor.close()


def operations(server: Server, key: str) -> list[Any]:
    """Those that the document describes, but for the endless one."""
    config = schemathesis.Config.from_dict({"headers": {"authorization": f"Bearer {key}"}})
    schema = schemathesis.openapi.from_asgi("/v1/openapi.json", server.app, config=config)
    found = [each.ok() for each in schema.get_all_operations()]
    return [each for each in found if not each.path.endswith("/stream")]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_the_api_does_as_its_document_says(told: tuple[Server, str], mode: str) -> None:
    server, key = told
    generation = schemathesis.GenerationMode(mode)
    tried = 0
    for operation in operations(server, key):

        @settings(
            max_examples=EXAMPLES, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck), deadline=None,
        )
        @given(case=operation.as_strategy(generation_mode=generation))
        def asks(case: Any) -> None:
            nonlocal tried
            tried += 1
            case.call_and_validate(excluded_checks=UNFIT)

        try:
            asks()
        except Unsatisfiable:
            assert mode == "negative", "what takes nothing can be given nothing wrong"
    assert tried > 200


def test_the_document_is_of_openapi_3_1_and_tells_every_problem(told: tuple[Server, str]) -> None:
    document = told[0].app.openapi()
    assert document["openapi"] == "3.1.0"
    for path, operations in document["paths"].items():
        assert path.startswith("/v1/")
        for operation in operations.values():
            assert operation["summary"]
            assert set(operation["responses"]["422"]["content"]) == {"application/problem+json"}


def test_every_request_body_refuses_what_it_does_not_know(told: tuple[Server, str]) -> None:
    document: dict[str, Any] = told[0].app.openapi()
    for operations in document["paths"].values():
        for operation in operations.values():
            body = operation.get("requestBody")
            if body is not None:
                name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                assert document["components"]["schemas"][name]["additionalProperties"] is False


