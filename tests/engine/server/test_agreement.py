"""What a program is asked before it deploys: the same that a designer is asked."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.writer.policy import with_policy
from tests.bpmn.files import chain
from tests.engine.server.clients import Server, TestClient

FIRST = with_policy(chain('<task id="t" gov:jobType="j"/>'), "a.bpmn", "t", {"interactionLevel": "DIFF_PREVIEW"})


@pytest.fixture
def designer(server: Server) -> TestClient:
    """Who has deployed the first version."""
    client = server.client("dora", "designer")
    assert deploy(client, FIRST).json()["version"] == 1
    return client


@pytest.fixture
def approver(server: Server) -> TestClient:
    return server.client("ann", "designer", "approver")


def deploy(client: TestClient, source: bytes, **more: Any) -> Any:
    return client.post("/v1/definitions", json={"file": "a.bpmn", "source": source.decode(), **more})


def compared(client: TestClient, source: bytes) -> Any:
    return client.post("/v1/definitions/comparison", json={"file": "a.bpmn", "source": source.decode()}).json()


def changed(**fields: str) -> bytes:
    return with_policy(FIRST, "a.bpmn", "t", fields)


def test_a_changed_policy_has_to_be_looked_at(server: Server, designer: TestClient) -> None:
    wanted = changed(workingThreshold="4000")
    refused = deploy(designer, wanted)
    problem = refused.json()
    assert (refused.status_code, problem["title"], problem["needs"]) == (409, "Not agreed", "look")
    [change] = problem["compared"]["changes"]
    assert (change["element"], change["field"], change["before"], change["after"]) == (
        "t", "workingThreshold", "12000", "4000",
    )  # fmt: skip
    assert compared(designer, wanted) == problem["compared"]
    seen = problem["compared"]["seen"]
    assert deploy(designer, changed(workingThreshold="5000"), seen=seen).json()["needs"] == "look"
    kept = deploy(designer, wanted, seen=seen)
    assert (kept.status_code, kept.json()["version"], kept.json()["seen"]) == (200, 2, seen)


def test_what_was_seen_of_another_version_is_no_agreement(designer: TestClient) -> None:
    wanted = changed(workingThreshold="4000")
    seen = compared(designer, wanted)["seen"]
    between = changed(workingThreshold="9000")
    assert deploy(designer, between, seen=compared(designer, between)["seen"]).status_code == 200
    assert deploy(designer, wanted, seen=seen).json()["needs"] == "look"


def test_a_lowered_level_needs_an_approver_and_a_reason(
    server: Server, designer: TestClient, approver: TestClient
) -> None:
    loosened = changed(interactionLevel="AUTO_ALLOW")
    seen = compared(designer, loosened)["seen"]
    assert deploy(designer, loosened, seen=seen, reason="faster").json()["needs"] == "approver"
    assert deploy(approver, loosened, seen=seen, reason="  ").json()["needs"] == "reason"
    assert deploy(approver, loosened, seen=seen, reason="it was asked twice").status_code == 200
    last = server.governor.versions("p")[0]
    assert (last.version, last.by, last.reason, last.seen) == (2, "ann", "it was asked twice", seen)


def test_an_invalid_policy_is_refused_whoever_deploys_it(server: Server, designer: TestClient) -> None:
    wrong = FIRST.replace(b"DIFF_PREVIEW", b"SOMETIMES")
    answer = deploy(server.client("root", "admin"), wrong, reason="because", seen="x")
    assert (answer.status_code, answer.json()["title"]) == (422, "Not deployable")
    assert len(server.governor.versions("p")) == 1


def test_the_same_again_and_what_no_policy_is_changed_in_ask_nothing(designer: TestClient) -> None:
    assert deploy(designer, FIRST).json()["version"] == 1
    assert deploy(designer, FIRST.replace(b'id="t"', b'id="t" name="Weigh"')).json()["version"] == 2


def test_the_designer_and_rest_ask_the_same(designer: TestClient) -> None:
    opened = designer.get("/design/p/start").json()
    wanted = with_policy(opened["xml"].encode(), "a.bpmn", "t", {"workingThreshold": "4000"})
    drawing = {"xml": wanted.decode(), "untouched": opened["xml"], "opened": opened["tag"]}
    drawn = designer.post("/design/p/compare", json=drawing).json()
    asked = compared(designer, changed(workingThreshold="4000"))
    assert (drawn["review"], drawn["is_first"]) == (asked["review"], asked["is_first"])
    assert [each["field"] for each in drawn["changes"]] == [each["field"] for each in asked["changes"]]
