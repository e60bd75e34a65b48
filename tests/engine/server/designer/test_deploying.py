"""Deploying from the designer: what design time asks for, by the level of what changes."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.writer.policy import with_policy
from tests.bpmn.files import chain
from tests.engine.server.clients import Server, TestClient

FIRST = with_policy(chain('<task id="t" gov:jobType="j"/>'), "a.bpmn", "t", {"interactionLevel": "DIFF_PREVIEW"})


@pytest.fixture
def designer(server: Server) -> TestClient:
    return server.client("dora", "designer")


@pytest.fixture
def approver(server: Server) -> TestClient:
    return server.client("ann", "designer", "approver")


def put(client: TestClient, xml: bytes, at: str = "p", **more: Any) -> Any:
    opened = client.get(f"/design/{at}/start").json()
    drawing = {"xml": xml.decode(), "untouched": opened["xml"], "opened": opened["tag"], **more}
    return client.put(f"/design/{at}/file", json=drawing)


def first(client: TestClient) -> None:
    answer = put(client, FIRST, "~new")
    assert answer.status_code == 200, answer.text
    assert answer.json()["address"] == "/design/p"


def versions(server: Server) -> list[tuple[int, str, str | None]]:
    return [(each.version, each.by, each.reason) for each in server.governor.versions("p")]


def changed(**fields: str) -> bytes:
    return with_policy(FIRST, "a.bpmn", "t", fields)


def test_the_first_version_is_deployed_and_opened_again(server: Server, designer: TestClient) -> None:
    first(designer)
    assert versions(server) == [(1, "dora", None)]
    assert designer.get("/design/p/start").json()["xml"].encode() != FIRST  # a drawing was made for it
    assert '"/design/p"' in designer.get("/processes/p").text
    assert designer.get("/design/q").status_code == 404
    again = put(designer, FIRST, "~new")
    assert (again.status_code, again.json()["title"]) == (507, "NotSaved")


def test_a_changed_policy_has_to_be_looked_at(server: Server, designer: TestClient) -> None:
    first(designer)
    refused = put(designer, changed(workingThreshold="4000"))
    problem = refused.json()
    assert (refused.status_code, problem["needs"]) == (409, "look")
    [change] = problem["compared"]["changes"]
    assert (change["element"], change["field"], change["before"], change["after"]) == (
        "t", "workingThreshold", "12000", "4000",
    )  # fmt: skip
    other = put(designer, changed(workingThreshold="5000"), seen=problem["compared"]["seen"])
    assert other.json()["needs"] == "look"
    seen = put(designer, changed(workingThreshold="4000"), seen=problem["compared"]["seen"])
    assert seen.status_code == 200
    assert [each[0] for each in versions(server)] == [2, 1]


def test_a_lowered_level_needs_an_approver_and_a_reason(
    server: Server, designer: TestClient, approver: TestClient
) -> None:
    first(designer)
    loosened = changed(interactionLevel="AUTO_ALLOW")
    seen = put(designer, loosened).json()["compared"]["seen"]
    assert put(designer, loosened, seen=seen, reason="faster").json()["needs"] == "approver"
    assert put(approver, loosened, seen=seen).json()["needs"] == "reason"
    assert put(approver, loosened, seen=seen, reason="it was asked twice").status_code == 200
    assert versions(server)[0] == (2, "ann", "it was asked twice")
    assert server.governor.versions("p")[0].seen == seen


def test_what_is_wrong_cannot_be_deployed(server: Server, approver: TestClient) -> None:
    first(approver)
    wrong = FIRST.replace(b"DIFF_PREVIEW", b"SOMETIMES")
    answer = put(approver, wrong, reason="because")
    assert (answer.status_code, answer.json()["needs"]) == (409, "changes")
    assert put(approver, b"<a/>").status_code == 422
    assert len(versions(server)) == 1


def test_of_two_who_opened_the_same_version_one_deploys(server: Server, designer: TestClient) -> None:
    first(designer)
    opened = designer.get("/design/p/start").json()
    renamed = opened["xml"].replace('id="t"', 'id="t" name="Weigh"')
    drawing = {"xml": renamed, "untouched": opened["xml"], "opened": opened["tag"]}
    assert designer.put("/design/p/file", json=drawing).status_code == 200
    late = designer.put("/design/p/file", json=drawing | {"xml": renamed.replace("Weigh", "Look")})
    assert (late.status_code, late.json()["title"]) == (412, "Overtaken")
    assert len(versions(server)) == 2


def test_a_process_is_not_deployed_under_another_s_name(server: Server, designer: TestClient) -> None:
    first(designer)
    other = FIRST.replace(b'<process id="p"', b'<process id="q"')
    assert put(designer, other).status_code == 422
    assert [each.process for each in server.governor.definitions()] == ["p"]


def test_a_viewer_designs_nothing(server: Server, designer: TestClient) -> None:
    first(designer)
    viewer = server.client("vic", "viewer", "operator")
    assert viewer.get("/design/p").status_code == 403
    assert viewer.put("/design/p/file", json={}).status_code == 403
