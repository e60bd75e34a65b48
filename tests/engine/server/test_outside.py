"""What programs send into running instances: the four tools, messages and signals; and lists, page by page."""

from __future__ import annotations

from typing import Any

import pytest

from engine.governor import Governor
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.server.clients import Server, TestClient

_HUMAN = policy('<gov:policy><gov:mergeKey name="verdict" strategy="HUMAN"/></gov:policy>')
SPLIT = model(
    start(), gateway("split"), script("left", "verdict = 'guilty'"), script("right", "verdict = 'innocent'"),
    f'<parallelGateway id="join">{_HUMAN}</parallelGateway>', user("sign"), end(),
    edges("s > split > left > join > sign > e", "split > right > join"),
)  # fmt: skip
LONG = model(start(), script("gather", "log = 'a line of the log. ' * 400"), user("look"), end(),
             edges("s > gather > look > e"))  # fmt: skip
_MESSAGE = '<intermediateCatchEvent id="{0}"><{1}EventDefinition {1}Ref="{0}_of"/></intermediateCatchEvent>'
WAITING = model(start(), _MESSAGE.format("paid", "message"), _MESSAGE.format("go", "signal"), user("look"), end(),
                edges("s > paid > go > look > e")).replace(
    b"<process ", b'<message id="paid_of" name="payment"/><signal id="go_of" name="go"/><process ', 1
)  # fmt: skip


@pytest.fixture
def client(server: Server) -> TestClient:
    return server.client("ada", "operator", "designer", "approver")


def run(client: TestClient, source: bytes, **variables: Any) -> str:
    """The id of an instance that has begun."""
    deployed = client.post("/v1/definitions", json={"source": source.decode()})
    assert deployed.status_code == 200, deployed.text
    given = {"process": deployed.json()["process"], "variables": variables}
    return str(client.post("/v1/instances", json=given).json()["instance"])


def call(client: TestClient, instance: str, tool: str, **arguments: Any) -> Any:
    return client.post(f"/v1/instances/{instance}/tools/{tool}", json={"arguments": arguments})


def test_a_context_is_looked_at_lowered_and_put_back(client: TestClient) -> None:
    instance = run(client, LONG)

    def shown() -> Any:
        return call(client, instance, "context_inspect", layer="WORKING").json()["entries"]

    assert "[Compressed]" in str(shown()), "D1 has lowered it before the task"
    back = call(client, instance, "context_compress", mode="decompress", layer="WORKING", retain_keys=["log"])
    assert (back.status_code, back.json()["put_back"]) == (200, ["log"])
    whole = shown()
    assert "[Compressed]" not in str(whole)
    tried = call(client, instance, "context_compress", mode="evaluate", layer="WORKING", strategy="ARCHIVE")
    assert (tried.status_code, shown()) == (200, whole), "to evaluate changes nothing"


def test_a_conflict_is_settled_as_who_called(client: TestClient, governor: Governor) -> None:
    instance = run(client, SPLIT)
    asked_for = {"mode": "resolve_conflict", "resolution_strategy": "LAST_WRITE"}
    settled = call(client, instance, "context_branch", **asked_for)
    assert settled.status_code == 200, settled.text
    assert governor.variables(instance)["verdict"] in ("guilty", "innocent")
    [asked] = governor.interventions(instance, status=None)
    assert asked.answer is not None
    assert asked.answer.by == "ada"


def test_people_are_told_and_nobody_is_asked_where_nobody_waits(client: TestClient, governor: Governor) -> None:
    instance = run(client, LONG)
    tells = {"trigger_type": "QUALITY", "interaction_level": "MICRO_SUGGESTION", "message": "This looks odd."}
    told = call(client, instance, "human_confirm", **tells)
    assert told.status_code == 200, told.text
    assert "This looks odd." in [each.data["message"] for each in governor.events(instance, types=["notice"])]
    asked = call(client, instance, "human_confirm", **{**tells, "interaction_level": "DIFF_PREVIEW"})
    assert (asked.status_code, asked.json()["title"]) == (422, "Tool refused")


def test_the_tools_take_no_other_branch_and_no_other_name(client: TestClient) -> None:
    instance = run(client, LONG)
    assert call(client, instance, "rm", layer="ALL").status_code == 422
    other = call(client, instance, "context_branch", mode="snapshot", branch_id="/other")
    assert (other.status_code, other.json()["title"]) == (422, "Other branch")


def test_a_message_and_a_signal_are_received(client: TestClient, governor: Governor) -> None:
    instance = run(client, WAITING)
    got = client.post(f"/v1/instances/{instance}/messages", json={"name": "payment", "payload": {"amount": 7}})
    assert (got.status_code, got.json()["variables"]) == (200, {"amount": 7})
    [received] = governor.events(instance, types=["message_received"])
    assert received.data["by"] == "ada"
    assert client.post("/v1/signals", json={"name": "go", "payload": {"told": 1}}).json() == {"received": [instance]}
    assert governor.result(instance).waiting[0]["element"] == "look"
    late = client.post(f"/v1/instances/{instance}/messages", json={"name": "payment"})
    assert (late.status_code, late.json()["by"]) == (409, "ada")


def pages(client: TestClient, path: str, what: str, step: str, name: str) -> list[str]:
    """A field of everything that is listed, two at a time."""
    found: list[str] = []
    given: dict[str, Any] = {"limit": 2}
    while True:
        page = client.get(path, params=given).json()
        found += [each[name] for each in page[what]]
        if page["next"] is None:
            return found
        assert len(page[what]) == 2
        given[step] = page["next"]


@pytest.mark.parametrize(("what", "source"), [("work_items", LONG), ("interventions", SPLIT)])
def test_what_waits_is_listed_page_by_page(client: TestClient, what: str, source: bytes) -> None:
    instances = [run(client, source) for _ in range(5)]
    path = f"/v1/{what.replace('_', '-')}"
    assert pages(client, path, what, "after", "instance") == instances
    assert client.get(path, params={"after": "nonsense"}).status_code == 422


def test_instances_are_listed_page_by_page_the_newest_first(client: TestClient) -> None:
    instances = [run(client, LONG) for _ in range(5)]
    listed = client.get("/v1/instances", params={"status": "waiting"}).json()["instances"]
    assert sorted(each["id"] for each in listed) == sorted(instances)
    assert pages(client, "/v1/instances", "instances", "before", "id") == [each["id"] for each in listed]


def test_the_policies_of_a_definition_are_a_matrix(client: TestClient) -> None:
    run(client, SPLIT)
    [version] = client.get("/v1/definitions").json()["versions"]
    rows = client.get(f"/v1/definitions/{version['definition']}").json()["policies"]
    assert {"left", "right", "join", "sign"} <= {row["element"] for row in rows}
    join = next(row for row in rows if row["element"] == "join")
    assert join["policy"]["merge_keys"] == {"verdict": "HUMAN"}
