"""What operators do over REST: the same as on the command line, on record, and asked about where the policy says so."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.activities.work import Outcome
from engine.embedding import open_governor
from engine.evidence.verifying import verify_archive
from governance.vocabulary import Effect
from tests.engine.replay.models import House, flows, house, model
from tests.engine.server.clients import Server, TestClient, served


def claim(policy: str = "", before: str = "") -> bytes:
    """A claim, whose process has a policy: read, checked by a person, paid, told."""
    extension = f'<extensionElements><gov:policy interactionLevel="{policy}"/></extensionElements>' if policy else ""
    return model(
        extension,
        f'<startEvent id="s"/><serviceTask id="read" gov:jobType="x"/>{before}<userTask id="check"/>',
        '<serviceTask id="pay" gov:jobType="x"/><userTask id="tell"/><endEvent id="e"/>',
        flows("s>read", "read>check", "check>pay", "pay>tell", "tell>e"),
    )


def pay(work: Any) -> Outcome:
    if work.variables.get("amount") == 0:
        raise ValueError("nothing to pay")
    return Outcome(outputs={"paid": work.variables["amount"]})


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path / "governor.db", {"pay": pay}, {"pay": Effect.IRREVERSIBLE}) as made:
        yield made


@pytest.fixture
def server(at: House) -> Server:
    return served(at.governor, at.clock)


@pytest.fixture
def otto(server: Server) -> TestClient:
    return server.client("otto", "operator")


def said(at: House, instance: str, type: str) -> Any:
    return at.governor.events(instance, types=[type])[-1].data


def post(client: TestClient, instance: str, verb: str, **given: Any) -> Any:
    return client.post(f"/v1/instances/{instance}/{verb}", json=given)


def test_variables_are_set_and_taken_away(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5, "note": "x"})
    done = post(otto, instance, "edit", variables={"amount": 7}, delete=["note"], reason="misread")
    assert (done.status_code, done.json()["variables"]) == (200, {"amount": 7})
    told = said(at, instance, "variables_edited")
    assert told == {"by": "otto", "reason": "misread", "variables": ["amount", "note"]}
    assert post(otto, instance, "edit", variables={"a": 1}, branch="none").status_code == 404


def test_what_failed_is_tried_again_with_other_variables(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 0})
    at.do("check")
    assert post(otto, instance, "retry").json()["incidents"][0]["element"] == "pay"
    done = post(otto, instance, "retry", element="pay", variables={"amount": 3}).json()
    assert (done["incidents"], done["variables"]["paid"]) == ([], 3)


def test_incidents_of_all_instances_are_listed_page_by_page(at: House, otto: TestClient) -> None:
    instances = [at.start(claim(), {"amount": 0}, dead_ends="instance") for _ in range(3)]
    for _ in instances:
        at.do("check")
    first = otto.get("/v1/incidents", params={"limit": 2}).json()
    rest = otto.get("/v1/incidents", params={"limit": 2, "after": first["next"]}).json()
    assert rest["next"] is None
    listed = [(each["instance"], each["element"], each["error"]) for each in (*first["incidents"], *rest["incidents"])]
    assert listed == [(instance, "pay", "nothing to pay") for instance in instances]
    post(otto, instances[0], "retry", variables={"amount": 1})
    assert len(otto.get("/v1/incidents").json()["incidents"]) == 2
    assert otto.get("/v1/incidents", params={"instance": instances[0]}).json()["incidents"] == []
    assert otto.get("/v1/incidents", params={"instance": "none"}).status_code == 404
    assert otto.get("/v1/incidents", params={"after": "none/t1"}).status_code == 404


def test_a_token_is_moved(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5})
    done = post(otto, instance, "move", element="check", to="tell", reason="paid by hand")
    assert [each["element"] for each in done.json()["waiting"]] == ["tell"]
    assert said(at, instance, "token_moved")["passed_over"] == ["pay"]
    wrong = post(otto, instance, "move", element="tell", to="nowhere")
    assert (wrong.status_code, wrong.json()["title"]) == (409, "Not possible")


def test_an_instance_goes_on_with_another_definition_once_the_plan_allows_it(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5})
    renamed = at.governor.deploy(at.governor.check(claim().replace(b'"check"', b'"look"')), by="dora").definition
    plan = post(otto, instance, "migrate/plan", definition=renamed).json()
    assert "check" in plan["problems"][0]
    refused = post(otto, instance, "migrate", definition=renamed)
    assert (refused.status_code, refused.json()["problems"]) == (409, plan["problems"])
    mapped = post(otto, instance, "migrate/plan", definition=renamed, mapping={"check": "look"}).json()
    assert (mapped["mapped"], mapped.get("problems")) == ({"check": "look"}, None)
    assert at.store.instance(instance).definition != renamed, "a plan changes nothing"
    done = post(otto, instance, "migrate", definition=renamed, mapping={"check": "look"}, reason="renamed")
    assert [each["element"] for each in done.json()["waiting"]] == ["look"]
    assert otto.get(f"/v1/instances/{instance}").json()["definition"] == renamed
    assert post(otto, instance, "migrate", definition="0" * 32).status_code == 404


def test_an_instance_is_suspended_and_goes_on(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5})
    assert post(otto, instance, "suspend", reason="audit").json()["status"] == "suspended"
    assert post(otto, instance, "suspend").status_code == 409
    assert post(otto, instance, "unsuspend").json()["status"] == "waiting"
    assert post(otto, instance, "unsuspend").status_code == 409
    assert said(at, instance, "instance_suspended") == {"by": "otto", "reason": "audit"}


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("edit", {"variables": {"amount": 7}}),
        ("move", {"element": "check", "to": "tell"}),
        ("cancel", {"reason": "no use"}),
        ("migrate", {}),
    ],
)
@pytest.mark.parametrize("level", ["DIFF_PREVIEW", "EXPLICIT_APPROVAL"])
def test_where_the_policy_says_so_somebody_is_asked_first(
    at: House, server: Server, otto: TestClient, level: str, verb: str, given: dict[str, Any]
) -> None:
    instance = at.start(claim(level), {"amount": 5})
    while any(each["kind"] == "intervention" for each in at.governor.result(instance).waiting):
        at.later()
        [asked] = at.governor.interventions(instance)
        at.governor.answer(asked.id, "approve", by="ann")
    if verb == "migrate":
        newer = claim(level).replace(b'id="check"', b'id="check" name="Check"')
        given = {"definition": at.governor.deploy(at.governor.check(newer), by="dora").definition}
    before = at.governor.variables(instance), at.store.instance(instance).definition
    done = post(otto, instance, verb, **given).json()
    [asked] = at.governor.interventions(instance)
    assert (asked.kind, asked.level, done["status"]) == ("operation", level, "waiting")
    assert (at.governor.variables(instance), at.store.instance(instance).definition) == before
    ann = server.client("ann", "approver")
    shown = ann.get(f"/v1/interventions/{asked.id}").json()
    assert shown["shown"]["operation"]["action"] == verb
    answer = {"decision": "approve", "reason": "right", "shown_hash": shown["shown_hash"]}
    assert ann.post(f"/v1/interventions/{asked.id}/answer", json=answer).status_code == 200
    last = [each for each in at.governor.events(instance) if each.data.get("approved_by")][-1]
    assert (last.data["by"], last.data["approved_by"]) == ("otto", "ann")


def test_what_the_policy_denies_is_refused_and_on_record(at: House, otto: TestClient) -> None:
    denying = b'<extensionElements><gov:policy interactionLevel="AUTO_DENY"/></extensionElements>'
    source = claim().replace(b'<userTask id="tell"/>', b'<userTask id="tell">' + denying + b"</userTask>")
    instance = at.start(source, {"amount": 5})
    at.do("check")
    refused = post(otto, instance, "edit", variables={"amount": 1})
    assert (refused.status_code, refused.json()["title"]) == (403, "Operation refused")
    assert said(at, instance, "refused")["level"] == "AUTO_DENY"
    assert at.governor.variables(instance)["amount"] == 5


def test_going_back_lists_what_was_done_outside_and_takes_who_has_seen_it(
    at: House, server: Server, otto: TestClient
) -> None:
    instance = at.start(claim(), {"amount": 5})
    before = at.store.instance(instance).head
    at.do("check")
    assert said(at, instance, "activity_completed")
    path = f"/v1/instances/{instance}/rewind"
    plan = otto.get(path, params={"snapshot": before}).json()
    assert (plan["level"], [each["element"] for each in plan["done"]]) == ("EXPLICIT_APPROVAL", ["pay"])
    blind = otto.post(path, json={"snapshot": before, "reason": "again"})
    assert (blind.status_code, blind.json()["level"]) == (409, "EXPLICIT_APPROVAL")
    assert [each["element"] for each in blind.json()["done"]] == ["pay"]
    given = {"snapshot": before, "reason": "again", "seen": plan["seen"]}
    assert otto.post(path, json=given).status_code == 409, "it takes an approver"
    both = server.client("olga", "operator", "approver")
    assert both.post(path, json={**given, "reason": ""}).status_code == 409, "it takes a reason"
    assert both.post(path, json={**given, "seen": "0" * 64}).status_code == 409, "it is another plan"
    stale = both.post(path, json=given, headers={"if-match": '"0.1"'})
    assert (stale.status_code, stale.json()["title"]) == (412, "Instance changed")
    done = both.post(path, json=given)
    assert (done.status_code, "paid" in done.json()["variables"]) == (200, False)
    assert [each["element"] for each in post(otto, instance, "resume").json()["waiting"]] == ["check"]
    rewound = said(at, instance, "rewound")
    assert (rewound["by"], rewound["reason"], len(rewound["done"])) == ("olga", "again", 1)
    assert otto.get(path, params={"snapshot": "nothing"}).status_code == 404


def test_going_back_over_nothing_done_outside_asks_nobody(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5})
    before = at.store.instance(instance).head
    post(otto, instance, "edit", variables={"amount": 6})
    assert otto.post(f"/v1/instances/{instance}/rewind", json={"snapshot": before}).json()["variables"]["amount"] == 5


def test_an_entry_of_system_takes_an_approval(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5})
    asked = post(otto, instance, "system", name="rules", value="Be brief.").json()
    assert [each["level"] for each in asked["waiting"] if each["kind"] == "intervention"] == ["EXPLICIT_APPROVAL"]


def test_a_run_is_made_again_and_its_log_is_audited(at: House, server: Server, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5})
    at.do("check")
    again = post(otto, instance, "replay").json()
    assert (again["same"], again["difference"]) == (True, None)
    audited = otto.get(f"/v1/instances/{instance}/audit").json()
    assert (audited["finding"], audited["events"]) == (None, len(at.governor.events(instance)))


def test_evidence_is_taken_along_and_an_instance_moved_to_another_database(
    at: House, server: Server, otto: TestClient, tmp_path: Path
) -> None:
    instance = at.start(claim(), {"amount": 5})
    evidence = otto.get(f"/v1/instances/{instance}/evidence")
    assert evidence.headers["content-type"] == "application/zip"
    file = tmp_path / "evidence.zip"
    file.write_bytes(evidence.content)
    assert verify_archive(str(file), None).problems == []
    assert otto.get(f"/v1/instances/{instance}/archive").status_code == 403
    root = server.client("root", "admin")
    archive = root.get(f"/v1/instances/{instance}/archive")
    assert zipfile.ZipFile(io.BytesIO(archive.content)).testzip() is None
    (tmp_path / "taken").write_bytes(archive.content)
    with open_governor(str(tmp_path / "other.db")) as other:
        assert other.store.take_in(tmp_path / "taken") == instance
    assert root.get("/v1/audit").json()["entries"][0]["action"].startswith("GET /v1/instances/{instance}/archive")
    assert otto.get("/v1/instances/none/evidence").status_code == 404


def test_a_person_is_erased_by_an_administrator(at: House, server: Server, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5, "customer": "Maria Musterfrau"})
    root = server.client("root", "admin")
    given = {"keys": ["customer"], "reason": "she has asked for it"}
    assert post(root, instance, "erasure", **given).status_code == 409, "it goes on"
    at.governor.cancel(instance, by="otto")
    assert post(otto, instance, "erasure", **given).status_code == 403
    tried = post(root, instance, "erasure", **given, dry_run=True).json()
    assert (tried["erased"], tried["values"] > 0) == (False, True)
    assert post(root, instance, "erasure", **given).json()["erased"]
    assert "Maria" not in str(at.governor.variables(instance))


def test_an_operation_with_a_key_is_done_once_and_only_as_it_was_seen(at: House, otto: TestClient) -> None:
    instance = at.start(claim(), {"amount": 5})
    seen = otto.get(f"/v1/instances/{instance}").headers["etag"]
    path, given = f"/v1/instances/{instance}/edit", {"variables": {"amount": 6}}
    first = otto.post(path, json=given, headers={"idempotency-key": "k", "if-match": seen})
    again = otto.post(path, json=given, headers={"idempotency-key": "k", "if-match": seen})
    assert (first.status_code, again.status_code, again.headers["idempotent-replayed"]) == (200, 200, "true")
    assert len(at.governor.events(instance, types=["variables_edited"])) == 1
    late = otto.post(path, json=given, headers={"if-match": seen})
    assert late.status_code == 412
