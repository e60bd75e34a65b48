"""What policies call personal never leaves to who only looks; who has a task sees what it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from engine.activities.work import Outcome
from engine.personal.masked_store import MaskedStore
from engine.personal.masking import MASK
from engine.server.live import Feed, Heard
from engine.store.errors import StoreUnavailable
from tests.engine.replay.models import House, flows, house, model
from tests.engine.server.clients import Server, TestClient, served
from tests.engine.server.test_routes import routes

SECRETS = ("Maria Musterfrau", "DE89 3704 0044", "19870412", "ß¿")
"""The last is too short to be looked for in texts, and is known by its name alone."""
CUSTOMER = {"name": SECRETS[0], "iban": SECRETS[1], "city": "Ulm"}
_EXPLICIT = '<extensionElements><gov:policy interactionLevel="EXPLICIT_APPROVAL"/></extensionElements>'
_INPUT = (
    '<ioSpecification><dataInput id="i1" name="text"/><dataInput id="i2" name="pin"/><dataOutput id="o1" name="born"/>'
    "<inputSet><dataInputRefs>i1</dataInputRefs><dataInputRefs>i2</dataInputRefs></inputSet><outputSet/>"
    "</ioSpecification>"
)
CLAIM = model(
    '<extensionElements><gov:policy personalKeys="customer.name, *.iban, born, pin"/></extensionElements>',
    '<startEvent id="s"/><serviceTask id="letter" gov:jobType="x"/>',
    f'<userTask id="check" gov:candidateGroups="claims-lead">{_INPUT}</userTask>',
    f'<serviceTask id="risky" gov:jobType="x">{_EXPLICIT}</serviceTask>',
    '<parallelGateway id="split"/><serviceTask id="left" gov:jobType="x"/><serviceTask id="right" gov:jobType="x"/>',
    '<parallelGateway id="join"><extensionElements><gov:policy><gov:mergeKey name="pin" strategy="HUMAN"/>'
    '<gov:mergeKey name="customer" strategy="HUMAN"/></gov:policy></extensionElements></parallelGateway>',
    '<serviceTask id="fails" gov:jobType="x"/><endEvent id="e"/>',
    flows("s>letter", "letter>check", "check>risky", "risky>split", "split>left", "split>right", "left>join",
          "right>join", "join>fails", "fails>e"),
)  # fmt: skip


def letter(work: Any) -> Outcome:
    text = f"Dear {work.variables['customer']['name']}, we paid to {SECRETS[1]}."
    return Outcome(outputs={"text": text}, decision=f"a letter to {SECRETS[0]}")


def fails(work: Any) -> Outcome:
    if "sure" in work.variables:
        return Outcome()
    raise ValueError(f"nobody called {SECRETS[0]} is known")


DOERS = {
    "letter": letter,
    "risky": lambda work: Outcome(outputs={"sent": f"to {SECRETS[0]}", "pin": SECRETS[3]}),
    "left": lambda work: Outcome(outputs={"pin": "ß¡", "customer": {**CUSTOMER, "name": "Mario Mustermann"}}),
    "right": lambda work: Outcome(outputs={"pin": "¡¿", "customer": {**CUSTOMER, "name": "Marie Musterfrau"}}),
    "fails": fails,
}
ALL = (*SECRETS, "ß¡", "¡¿", "Mario Mustermann", "Marie Musterfrau")


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path / "governor.db", DOERS) as made:
        yield made


@pytest.fixture
def server(at: House) -> Server:
    return served(at.governor, at.clock)


@pytest.fixture
def instance(at: House) -> str:
    """It waits for somebody to check the letter."""
    at.governor.deploy(at.governor.check(CLAIM), by="dora")
    return at.start(CLAIM, {"customer": CUSTOMER, "born": int(SECRETS[2]), "pin": SECRETS[3], "amount": 12})


def secrets_in(text: str) -> list[str]:
    return [secret for secret in ALL if secret in text or secret.encode("unicode_escape").decode() in text]


def whole(answer: Any) -> str:
    """Its text, or those of the files in it."""
    if answer.headers.get("content-type") != "application/zip":
        return str(answer.text)
    with ZipFile(BytesIO(answer.content)) as archive:
        return "".join(archive.read(name).decode() for name in archive.namelist())


def told(text: str) -> list[str]:
    """Around each of them."""
    places = [(text.find(secret), secret) for secret in secrets_in(text)]
    return [text[max(0, place - 120) : place + 40] for place, _ in places]


def addresses(server: Server, at: House, instance: str) -> Iterator[str]:
    """Of everything that a viewer may look at, but for the endless stream."""
    oldest = at.governor.snapshots(instance)[-1].id
    ids = {
        "/v1/work-items": [each.id for each in at.governor.work_items(status=None)],
        "/v1/interventions": [each.id for each in at.governor.interventions(status=None)],
        "/inbox": [*(each.id for each in at.governor.work_items()), *(each.id for each in at.governor.interventions())],
        "/v1/definitions": [at.store.instance(instance).definition],
        "/v1/dead-ends": [each["id"] for each in at.governor.result(instance).dead_ends],
    }
    for method, path, role in routes(server):
        if method != "GET" or role is None or role.value not in ("viewer", "operator") or path.endswith("/stream"):
            continue
        path = path.replace("{instance}", instance).replace("{process}", "p").replace("{session}", "lena")
        for snapshot in ("head", oldest) if "{snapshot}" in path else ("",):
            each = path.replace("{snapshot}", snapshot)
            for ending, query in (("/diff", "?before="), ("/rewind", "?snapshot=")):
                each += f"{query}{oldest}" if each.endswith(ending) else ""
            if "{id}" not in each:
                yield each
            for id in ids.get(each.partition("/{id}")[0], []) if "{id}" in each else []:
                yield each.replace("{id}", id)


def look_everywhere(server: Server, at: House, instance: str, client: TestClient) -> set[str]:
    """The addresses; none of them tells anything."""
    found = set()
    for address in addresses(server, at, instance):
        answer = client.get(address)
        assert answer.status_code in (200, 404), f"{address}: {answer.status_code} {answer.text[:200]}"
        if answer.status_code == 200:
            found.add(address)
        text = whole(answer)
        assert secrets_in(text) == [], f"{address}: {told(text)}"
    return found


def check(at: House) -> None:
    at.later()
    [item] = at.governor.work_items()
    at.governor.complete(item.id, {"born": int(SECRETS[2])}, by="ann", roles=("claims-lead",))


def stages(at: House, instance: str) -> Iterator[str]:
    """What an instance waits for, one after the other."""
    yield "a task"
    check(at)
    yield "an approval"
    [asked] = at.governor.interventions(instance)
    at.governor.answer(asked.id, "approve", by="lea", reason=f"{SECRETS[0]} has called")
    yield "a conflict"
    [asked] = at.governor.interventions(instance)
    shown: Any = asked.shown
    values = {each["id"]: {"value": each["values"][0]["value"]} for each in shown["conflicts"]}
    at.governor.answer(asked.id, "resolve", by="lea", values=values)
    at.governor.register_dead_end(instance, "pin", SECRETS[3], f"{SECRETS[0]} does not know it", by="lea")
    yield "an incident"
    at.governor.cancel(instance, by="lea", reason=f"{SECRETS[0]} wants it so")
    yield "nothing"


def test_a_viewer_is_told_nothing_personal_at_any_address(at: House, server: Server, instance: str) -> None:
    viewer = server.client("vic", "viewer", "operator")
    looked = set()
    for stage in stages(at, instance):
        assert secrets_in(str(at.governor.result(instance).to_json())), stage
        looked |= look_everywhere(server, at, instance, viewer)
    kinds = {address.split("?")[0].replace(instance, "I") for address in looked}
    assert {"/v1/instances/I/variables", "/v1/instances/I/result", "/v1/instances/I/events", "/v1/instances/I/diff",
            "/v1/instances/I/snapshots/head", "/instances/I", "/instances/I/report", "/inbox", "/v1/dead-ends",
            "/v1/instances/I", "/v1/instances", "/v1/instances/I/evidence",
            "/", "/v1/work-items", "/v1/interventions"} <= kinds  # fmt: skip
    assert MASK in viewer.get(f"/v1/instances/{instance}/variables").text
    assert viewer.get(f"/v1/instances/{instance}/variables").json()["customer"]["city"] == "Ulm"


def test_the_stream_of_events_is_masked(at: House, server: Server, instance: str) -> None:
    for _ in stages(at, instance):
        pass
    last = at.governor.events(instance)[-1].seq

    async def listen(governor: Any) -> str:
        told = b""
        async for message in Feed(governor, Heard(governor), instance, after=-1).messages():
            told += message
            if b"id: %d\n" % last in message:
                break
        return told.decode()

    services = server.app.state.services
    assert secrets_in(asyncio.run(listen(services.governor)))
    assert secrets_in(asyncio.run(listen(services.seeing.masked))) == []


def test_a_value_that_comes_later_is_masked_too(at: House, server: Server, instance: str) -> None:
    viewer = server.client("vic", "viewer")
    assert viewer.get(f"/v1/instances/{instance}/variables").json()["customer"]["name"] == MASK
    told = {"customer": {**CUSTOMER, "name": "Petra Beispiel"}, "note": "Petra Beispiel has moved"}
    at.governor.edit(instance, told, by="lea")
    assert viewer.get(f"/v1/instances/{instance}/variables").json()["note"] == f"{MASK} has moved"
    assert "Petra" not in viewer.get(f"/instances/{instance}").text


def test_who_may_do_a_task_sees_what_it_shows_and_nobody_else(at: House, server: Server, instance: str) -> None:
    [item] = at.governor.work_items()
    address = f"/v1/work-items/{item.id}"
    lead = server.client("lena", "approver", "claims-lead")
    assert SECRETS[0] in lead.get(address).text
    assert SECRETS[0] in lead.get(f"/inbox/{item.id}").text
    assert lead.get(address).json()["shown"]["inputs"]["pin"] == SECRETS[3]
    assert secrets_in(lead.get("/v1/work-items").text) == [], "a list is no task"
    assert secrets_in(lead.get(f"/v1/instances/{instance}/variables").text) == []
    viewer = server.client("vic", "viewer")
    assert secrets_in(viewer.get(address).text) == []
    assert secrets_in(viewer.get(f"/inbox/{item.id}").text) == []
    done = lead.post(f"{address}/completion", json={"outputs": {"born": int(SECRETS[2])}})
    assert (done.status_code, secrets_in(done.text)) == (200, [])
    assert secrets_in(lead.get(address).text) == [], "it is done: it is nobody's task any more"
    late = lead.post(f"{address}/completion", json={"outputs": {"born": 1}})
    assert (late.status_code, secrets_in(late.text)) == (409, [])


def test_who_may_answer_a_question_sees_it_and_who_may_not_does_not(
    at: House, server: Server, instance: str
) -> None:
    check(at)
    [asked] = at.governor.interventions(instance)
    address = f"/v1/interventions/{asked.id}"
    approver, operator = server.client("ann", "approver"), server.client("otto", "operator")
    assert approver.get(address).json()["shown"]["outputs"]["pin"] == SECRETS[3]
    assert secrets_in(operator.get(address).text) == []
    assert approver.get(address).json()["shown_hash"] == operator.get(address).json()["shown_hash"]
    given = {"decision": "approve", "shown_hash": asked.shown_hash, "reason": f"{SECRETS[0]} has called"}
    answered = approver.post(f"{address}/answer", json=given)
    assert (answered.status_code, secrets_in(answered.text)) == (200, [])
    assert secrets_in(approver.get(address).text) == []


def test_what_a_move_came_to_is_masked_for_who_made_it(at: House, server: Server, instance: str) -> None:
    for stage in stages(at, instance):
        if stage == "an incident":
            break
    operator = server.client("otto", "operator")
    again = operator.post(f"/v1/instances/{instance}/retry", json={})
    assert again.json()["incidents"][0]["error"].endswith(f"nobody called {MASK} is known")
    assert secrets_in(again.text) == []
    wrong = operator.post(f"/v1/instances/{instance}/skip", json={"element": SECRETS[0]})
    assert wrong.status_code == 409
    assert secrets_in(wrong.text) == []
    arguments = {"layer": "WORKING", "summary_only": False, "keys": ["customer", "pin", "text"]}
    told = operator.post(f"/v1/instances/{instance}/tools/context_inspect", json={"arguments": arguments})
    assert (told.status_code, secrets_in(told.text)) == (200, [])


def test_to_look_without_masks_takes_a_role_and_is_written_down(at: House, server: Server, instance: str) -> None:
    address = f"/v1/instances/{instance}/variables"
    privacy = server.client("petra", "privacy")
    assert privacy.get(address).json()["customer"]["name"] == MASK
    seen = privacy.get(address, params={"personal": True})
    assert seen.json()["customer"]["name"] == SECRETS[0]
    assert SECRETS[0] in privacy.get(f"/instances/{instance}", params={"personal": True}).text
    assert MASK in privacy.get(f"/instances/{instance}").text, "it is kept for nobody else"
    for role in ("viewer", "operator", "designer", "approver"):
        refused = server.client(f"some-{role}", role).get(address, params={"personal": True})
        assert (refused.status_code, secrets_in(refused.text)) == (403, []), role
    assert server.visitor().get(address, params={"personal": True}).status_code == 401
    root = server.client("root", "admin")
    assert root.get(address, params={"personal": True}).json()["born"] == int(SECRETS[2])
    entries = root.get("/v1/audit").json()["entries"]
    told = [(each["who"], each["action"], each["status"]) for each in entries]
    assert told == [
        ("root", "GET /v1/instances/{instance}/variables (personal)", 200),
        ("petra", "GET /instances/{instance} (personal)", 200),
        ("petra", "GET /v1/instances/{instance}/variables (personal)", 200),
    ]


def test_hashes_that_are_sent_back_are_no_texts_to_mask(at: House, server: Server) -> None:
    triples = [f"{number:03x}" for number in range(16**3)]
    instance = at.start(CLAIM, {"customer": CUSTOMER, "born": triples, "pin": SECRETS[3]})
    address = f"/v1/instances/{instance}/rewind"
    oldest = at.governor.snapshots(instance)[-1].id
    at.governor.edit(instance, {"amount": 13}, by="lea")
    plan = server.client("otto", "operator").get(address, params={"snapshot": oldest}).json()
    assert (plan["snapshot"], plan["seen"]) == (oldest, at.governor.plan_rewind(instance, oldest).seen)


def test_an_error_whose_personal_parts_cannot_be_looked_up_tells_none(
    at: House, server: Server, instance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: Any) -> None:
        raise StoreUnavailable("governor.db", "it is locked", "try again")

    operator, address = server.client("otto", "operator"), f"/v1/instances/{instance}/skip"
    assert operator.post(address, json={"element": SECRETS[0]}).status_code == 409
    monkeypatch.setattr(MaskedStore, "as_told", busy)
    refused = operator.post(address, json={"element": SECRETS[0]})
    assert (refused.status_code, refused.json()["title"], secrets_in(refused.text)) == (503, "Store unavailable", [])
