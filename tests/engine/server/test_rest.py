"""Whole stories over REST: deploy, start, watch, answer, compare, put back."""

from __future__ import annotations

from typing import Any

import pytest

from engine.governor import Governor
from governance.cda.experience.model import Skill
from tests.engine.report.stories import STORY
from tests.engine.server.clients import Server, TestClient

BROKEN = STORY.replace(b'targetRef="gather"', b'targetRef="nowhere"')


@pytest.fixture
def client(server: Server) -> TestClient:
    return server.client("ada", "operator", "designer", "approver")


def deploy(client: TestClient, source: bytes = STORY) -> dict[str, Any]:
    answer = client.post("/v1/definitions", json={"file": "story.bpmn", "source": source.decode()})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def start(client: TestClient, **headers: str) -> str:
    version = deploy(client)
    given = {"process": version["process"], "variables": {"rate": 0}}
    answer = client.post("/v1/instances", json=given, headers=headers)
    assert answer.status_code in (201, 202), answer.text
    assert answer.headers["location"].endswith(answer.json()["instance"])
    return str(answer.json()["instance"])


def settle(client: TestClient, instance: str) -> Any:
    [asked] = client.get("/v1/interventions", params={"instance": instance}).json()["interventions"]
    [conflict] = asked["shown"]["conflicts"]
    taken = {conflict["key"].partition("/")[2]: {"value": "innocent"}}
    return client.post(
        f"/v1/interventions/{asked['id']}/answer",
        json={"decision": "resolve", "values": taken, "shown_hash": asked["shown_hash"], "reason": "saw it"},
    )


def test_a_file_is_checked_and_kept_as_a_version(client: TestClient) -> None:
    checked = client.post("/v1/checks", json={"source": STORY.decode()}).json()
    assert checked["errors"] == 0
    assert {"gather", "ask", "join"} <= {each["element"] for each in checked["policies"]}
    first, again = deploy(client), deploy(client)
    assert (first["version"], again) == (1, first)
    second = deploy(client, STORY.replace(b"line of the log", b"row of the log"))
    assert second["version"] == 2
    versions = client.get("/v1/definitions", params={"process": first["process"]}).json()["versions"]
    assert versions == [second, first]
    assert client.get("/v1/definitions").json()["versions"] == [second]
    source = client.get(f"/v1/definitions/{first['definition']}/source")
    assert (source.content, source.headers["content-type"]) == (STORY, "application/xml")
    assert client.get(f"/v1/definitions/{first['definition']}").json()["process"] == first["process"]


def test_a_file_with_errors_is_refused_with_every_one_of_them(client: TestClient) -> None:
    problem = client.post("/v1/definitions", json={"source": BROKEN.decode()})
    assert problem.headers["content-type"] == "application/problem+json"
    assert problem.status_code == 422
    assert problem.json()["type"] == "urn:bpmn-governor:problem:not-deployable"
    assert any(each["found"] for each in problem.json()["findings"])
    assert client.post("/v1/checks", json={"source": BROKEN.decode()}).json()["errors"] > 0
    assert client.post("/v1/checks", json={"source": "no XML"}).json()["title"] == "Not xml"


def test_an_instance_is_started_answered_and_looked_at(client: TestClient, governor: Governor) -> None:
    instance = start(client)
    listed = client.get("/v1/instances", params={"status": "waiting"}).json()
    assert [each["id"] for each in listed["instances"]] == [instance]
    assert (listed["instances"][0]["starter"], listed["next"]) == ("ada", None)
    assert client.get("/v1/instances", params={"process": "other"}).json()["instances"] == []
    settled = settle(client, instance)
    assert settled.json()["variables"]["verdict"] == "innocent"
    [item] = client.get("/v1/work-items", params={"instance": instance}).json()["work_items"]
    assert client.get(f"/v1/work-items/{item['id']}").json()["form"]["required"] == ["signed"]
    wrong = client.post(f"/v1/work-items/{item['id']}/completion", json={"outputs": {}})
    assert (wrong.status_code, wrong.json()["title"]) == (422, "Wrong outputs")
    done = client.post(f"/v1/work-items/{item['id']}/completion", json={"outputs": {"signed": "yes"}})
    assert done.json()["incidents"][0]["element"] == "check"
    assert client.get(f"/v1/instances/{instance}/variables").json()["signed"] == "yes"
    assert client.get(f"/v1/instances/{instance}/result").json()["status"] == governor.result(instance).status
    assert client.post(f"/v1/instances/{instance}/retry", json={"element": "check"}).status_code == 200
    assert client.post(f"/v1/instances/{instance}/retry", json={"element": "gather"}).status_code == 409
    cancelled = client.post(f"/v1/instances/{instance}/cancel", json={"reason": "no use"})
    assert cancelled.json()["status"] == "cancelled"
    assert client.post(f"/v1/instances/{instance}/retry", json={}).json()["by"] == "ada"


def test_an_instance_that_runs_by_itself_is_there_when_it_is_answered(client: TestClient) -> None:
    instance = start(client, prefer="respond-async")
    assert client.get(f"/v1/instances/{instance}").status_code == 200
    version = deploy(client)
    given = {"process": version["process"], "variables": {}}
    refused = client.post("/v1/instances", json={**given, "version": 99}, headers={"prefer": "respond-async"})
    assert refused.status_code == 404


def test_of_two_answers_the_first_stands_and_the_other_is_told_whose(client: TestClient, server: Server) -> None:
    instance = start(client)
    [asked] = client.get("/v1/interventions").json()["interventions"]
    assert settle(client, instance).status_code == 200
    other = server.client("bob", "approver")
    late = other.post(f"/v1/interventions/{asked['id']}/answer", json={"decision": "resolve", "values": {"verdict": 1}})
    assert late.status_code == 409
    assert late.json()["by"] == "ada"
    assert late.json()["type"].endswith("already-closed")


def test_who_is_at_something_is_told_to_others(client: TestClient, server: Server) -> None:
    start(client)
    [asked] = client.get("/v1/interventions").json()["interventions"]
    path = f"/v1/interventions/{asked['id']}/claim"
    bob = server.client("bob", "approver")
    assert client.post(path).json()["by"] == "ada"
    assert client.post(path).status_code == 200
    refused = bob.post(path)
    assert (refused.status_code, refused.json()["by"]) == (409, "ada")
    assert "ada is at it" in bob.get("/inbox").text
    bob.delete(path)
    assert bob.post(path).status_code == 409
    client.delete(path)
    assert bob.post(path).json()["by"] == "bob"
    assert client.post("/v1/work-items/none/claim").status_code == 404


def test_what_failed_is_passed_over(client: TestClient) -> None:
    instance = start(client)
    settle(client, instance)
    [item] = client.get("/v1/work-items").json()["work_items"]
    client.post(f"/v1/work-items/{item['id']}/completion", json={"outputs": {"signed": "yes"}})
    page = client.get(f"/instances/{instance}").text
    assert 'data-act="skip" data-element="check"' in page
    given = {"element": "check", "outputs": {"checked": 1}, "reason": "the rate is known"}
    skipped = client.post(f"/v1/instances/{instance}/skip", json=given).json()
    assert (skipped["status"], skipped["variables"]["checked"]) == ("completed", 1)


def test_the_log_is_read_page_by_page(client: TestClient) -> None:
    instance = start(client)
    first = client.get(f"/v1/instances/{instance}/events", params={"limit": 3}).json()
    assert [each["seq"] for each in first["events"]] == [0, 1, 2]
    rest = client.get(f"/v1/instances/{instance}/events", params={"after": first["next"], "limit": 500}).json()
    assert rest["next"] is None
    assert [each["seq"] for each in rest["events"]] == list(range(3, 3 + len(rest["events"])))
    only = client.get(f"/v1/instances/{instance}/events", params={"type": ["D2", "gateway"]}).json()["events"]
    assert {each["type"] for each in only} == {"D2"}


def test_contexts_are_listed_compared_and_put_back(client: TestClient) -> None:
    instance = start(client)
    settle(client, instance)
    found = client.get(f"/v1/instances/{instance}/snapshots", params={"limit": 200}).json()
    assert not found["more"]
    oldest = found["snapshots"][-1]["id"]
    head = client.get(f"/v1/instances/{instance}/snapshots/head").json()
    assert head["snapshot"]["id"] == found["head"]
    assert {"SYSTEM", "WORKING"} < {each["layer"] for each in head["layers"]}
    changes = client.get(f"/v1/instances/{instance}/diff", params={"before": oldest}).json()["changes"]
    assert "WORKING/verdict" in {each["key"] for each in changes}
    before = next(each["id"] for each in found["snapshots"] if each["activity"] == "gather")
    assert client.post(f"/v1/instances/{instance}/restore", json={"snapshot": before[:14]}).status_code == 200
    told = client.get(f"/v1/instances/{instance}/events", params={"type": "context_restored"}).json()["events"]
    assert told[0]["data"]["by"] == "ada"
    assert client.get(f"/v1/instances/{instance}/snapshots/nothing").status_code == 404


def test_a_tool_is_called_as_agents_do(client: TestClient) -> None:
    instance = start(client)
    settle(client, instance)
    arguments = {"layer": "WORKING", "summary_only": True}
    told = client.post(f"/v1/instances/{instance}/tools/context_inspect", json={"arguments": arguments})
    assert told.status_code == 200, told.text
    refused = client.post(f"/v1/instances/{instance}/tools/context_inspect", json={"arguments": {"layer": "NONE"}})
    assert (refused.status_code, refused.json()["title"]) == (422, "Bad arguments")


def test_a_write_may_be_conditional(client: TestClient) -> None:
    instance = start(client)
    seen = client.get(f"/v1/instances/{instance}").headers["etag"]
    settle(client, instance)
    late = client.post(f"/v1/instances/{instance}/cancel", json={}, headers={"if-match": seen})
    assert (late.status_code, late.json()["title"]) == (412, "Instance changed")
    assert seen == '"{}.{}"'.format(*late.json()["expected"])
    assert client.get(f"/v1/instances/{instance}").json()["status"] == "waiting"
    assert client.post(f"/v1/instances/{instance}/cancel", json={}, headers={"if-match": "W/x"}).status_code == 428
    now = client.get(f"/v1/instances/{instance}").headers["etag"]
    assert client.post(f"/v1/instances/{instance}/cancel", json={}, headers={"if-match": now}).status_code == 200


def test_a_request_with_a_key_is_done_once(client: TestClient) -> None:
    process = deploy(client)["process"]
    given, headers = {"process": process, "variables": {"rate": 1}}, {"idempotency-key": "k1"}
    first = client.post("/v1/instances", json=given, headers=headers)
    again = client.post("/v1/instances", json=given, headers=headers)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.status_code, again.headers["location"]) == (201, first.headers["location"])
    assert len(client.get("/v1/instances").json()["instances"]) == 1
    other = client.post("/v1/instances", json={"process": process}, headers=headers)
    assert (other.status_code, other.json()["title"]) == (422, "Key reused")
    wrong = client.post("/v1/instances", json={"process": "none"}, headers={"idempotency-key": "k2"})
    assert wrong.status_code == 404
    right = client.post("/v1/instances", json=given, headers={"idempotency-key": "k2"})
    assert right.status_code == 201, "what was refused may be sent again with its key"


def test_messages_and_signals_find_nobody_and_say_so(client: TestClient) -> None:
    instance = start(client)
    assert client.post(f"/v1/instances/{instance}/messages", json={"name": "paid"}).status_code == 409
    kept = client.post(f"/v1/instances/{instance}/messages", json={"name": "paid", "keep_seconds": 60})
    assert kept.status_code == 200
    assert client.post("/v1/signals", json={"name": "stop"}).json() == {"received": []}


def test_dead_ends_are_registered_listed_and_ended(client: TestClient) -> None:
    instance = start(client)
    given = {"instance": instance, "variable": "rate", "value": 0, "reason": "cannot be divided by"}
    made = client.post("/v1/dead-ends", json=given).json()
    assert [each["id"] for each in client.get("/v1/dead-ends").json()["dead_ends"]] == [made["id"]]
    assert client.get(f"/v1/dead-ends/{made['id']}").json()["facts"][0]["by"] == "ada"
    ended = client.post(f"/v1/dead-ends/{made['id']}/retirement", json={"reason": "it works"})
    assert ended.json()["status"] == "retired"
    assert client.get("/v1/dead-ends").json()["total"] == 0
    assert client.get("/v1/dead-ends/none").status_code == 404


def test_knowledge_is_added_found_and_taken_out_of_use(client: TestClient) -> None:
    given = {"text": "Refunds over 500 need the head of claims.", "type": "sop", "title": "Refunds"}
    item = client.post("/v1/knowledge", json=given).json()["item"]
    assert client.get("/v1/knowledge", params={"query": "refund head"}).json()["items"][0]["id"] == item["id"]
    assert client.post(f"/v1/knowledge/{item['id']}/confirmation").json()["confidence"] == pytest.approx(0.95)
    assert client.post(f"/v1/knowledge/{item['id']}/retirement", json={"reason": "old"}).status_code == 200
    assert client.get("/v1/knowledge").json()["total"] == 0
    assert client.get("/v1/knowledge/none").status_code == 404


def test_the_six_calls_of_the_memory(client: TestClient, server: Server) -> None:
    turn = {"messages": [{"role": "user", "content": "The seat is 12A."}], "intent": "keep the seat"}
    assert client.post("/v1/memory/lena/turns", json=turn).json()["entries"] == ["e0"]
    asked = {"query": "which seat", "max_tokens": 100}
    found = client.post("/v1/memory/lena/context", json=asked).json()
    assert found["messages"][0]["content"] == "The seat is 12A."
    trace = {"tool": "change_flight", "arguments": {"flight": "OS-931"}}
    made = client.post("/v1/memory/lena/dead-ends", json={"trace": trace, "reason": "sold out"}).json()["dead_end"]
    assert client.get("/v1/memory/lena/dead-ends").json()["dead_ends"][0]["id"] == made["id"]
    assert client.post("/v1/memory/lena/compaction", json={}).json()["compacted"] in (True, False)
    state = client.get("/v1/memory/lena/direction").json()
    assert state["intent"] == "keep the seat"
    bad = client.post("/v1/memory/lena/turns", json={"messages": [{"content": "who says so?"}]})
    assert (bad.status_code, bad.json()["title"]) == (422, "Bad message")
    server.app.state.services.memories._open.clear()
    again = client.get("/v1/memory/lena/direction").json()
    assert again["intent"] == state["intent"], "it goes on after a restart"


SKILLS = """
- Skill:
    id: rebook
    preconditions: {evidence: ["tool:change_flight"]}
    execution_pattern: {steps: [look for seats, change the flight]}
    boundaries: {valid_conditions: [the fare allows it], invalid_conditions: ["tool:refund"]}
"""


def test_a_memory_tells_of_skills_that_were_uploaded_or_chosen(
    client: TestClient, server: Server, governor: Governor
) -> None:
    given = {"id": "apologise", "preconditions": {"evidence": ["seat"]}, "execution_pattern": {"steps": ["say sorry"]}}
    governor.store.experience().put([Skill.model_validate(given)])
    at = "/v1/memory/sam/skills"
    assert client.put(at, json={"yaml": SKILLS, "ids": ["apologise"]}).json() == {"skills": ["apologise", "rebook"]}
    start = client.post("/v1/memory/sam/context", json={"query": "a later flight", "max_tokens": 500}).json()
    [told] = start["messages"]
    assert "say sorry" in told["content"]
    assert "look for seats -> change the flight. Holds for: the fare allows it. Not: tool:refund" in told["content"]
    client.post("/v1/memory/sam/turns", json={"messages": [{"role": "user", "content": "I booked for Sam."}]})
    server.app.state.services.memories._open.clear()

    def shown(*tools: str) -> str:
        asked = {"query": "a later flight", "max_tokens": 500, "tools": tools}
        return str(client.post("/v1/memory/sam/context", json=asked).json()["messages"])

    assert "look for seats" in shown("change_flight date"), "a restart knows them"
    assert "look for seats" not in shown()
    assert "look for seats" not in shown("change_flight date", "refund")
    kept = client.get(at).json()
    assert [skill["id"] for skill in kept["skills"]] == ["apologise", "rebook"]
    assert client.put(at, json={"yaml": kept["yaml"]}).json() == {"skills": ["apologise", "rebook"]}, "as exported"
    assert client.put(at, json={}).json() == {"skills": []}
    assert "look for seats" not in shown("change_flight date")


@pytest.mark.parametrize(
    ("given", "status", "told"),
    [
        ({"yaml": SKILLS.replace("steps:", "walks:")}, 422, "skills:5: execution_pattern.steps: field required"),
        ({"yaml": "- Skill: &a {id: x}\n- *a"}, 422, "aliases"),
        ({"yaml": SKILLS, "ids": ["nobody"]}, 422, "no skill nobody; there are none"),
    ],
)
def test_skills_that_are_none_are_refused_and_the_known_ones_stay(
    client: TestClient, given: dict[str, Any], status: int, told: str
) -> None:
    client.put("/v1/memory/tom/skills", json={"yaml": SKILLS})
    answer = client.put("/v1/memory/tom/skills", json=given)
    assert (answer.status_code, told in answer.json()["detail"]) == (status, True), answer.text
    assert [skill["id"] for skill in client.get("/v1/memory/tom/skills").json()["skills"]] == ["rebook"]


def test_who_may_only_look_preloads_no_skills(server: Server) -> None:
    viewer = server.client("vic", "viewer")
    assert viewer.put("/v1/memory/tom/skills", json={"yaml": SKILLS}).status_code == 403
    assert viewer.get("/v1/memory/tom/skills").json() == {"skills": [], "yaml": "[]\n"}


def test_health_needs_nobody(server: Server) -> None:
    assert server.visitor().get("/v1/health").json()["status"] == "ok"
