"""What is personal is masked wherever instances are looked at, and erased without a trace but on record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from engine.activities.work import Outcome
from engine.embedding import open_governor
from engine.evidence.audit import audit
from engine.evidence.reading import open_archive
from engine.evidence.verifying import verify_archive
from engine.personal.erasing import NotEnded
from engine.personal.keys import needles, paths_of
from engine.personal.masking import MASK, Gathered, Masker
from engine.replay.errors import NotReplayable
from engine.store.errors import StoreUnavailable
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore
from tests.engine.cli.command import governor
from tests.engine.replay.models import House, flows, house, model
from tests.engine.store.states import where_found

SECRETS = ("Maria Musterfrau", "DE89 3704 0044", "19870412")
CUSTOMER = {"name": SECRETS[0], "iban": SECRETS[1], "city": "Ulm"}
CLAIM = model(
    '<extensionElements><gov:policy personalKeys="customer.name, *.iban, born"/></extensionElements>',
    '<startEvent id="s"/><serviceTask id="letter" gov:jobType="x"/>'
    '<userTask id="check"><ioSpecification><dataInput id="i1" name="text"/><inputSet><dataInputRefs>i1</dataInputRefs>'
    "</inputSet></ioSpecification></userTask>"
    '<serviceTask id="risky" gov:jobType="x"><extensionElements><gov:policy interactionLevel="EXPLICIT_APPROVAL"/>'
    '</extensionElements></serviceTask><endEvent id="e"/>',
    flows("s>letter", "letter>check", "check>risky", "risky>e"),
)  # fmt: skip


def letter(work: Any) -> Outcome:
    return Outcome(outputs={"text": f"Dear {work.variables['customer']['name']}, we paid to {SECRETS[1]}."},
                   decision=f"a letter to {SECRETS[0]}")  # fmt: skip


def risky(work: Any) -> Outcome:
    return Outcome(outputs={"sent": f"to {SECRETS[0]}"})


def run(at: House, **more: Any) -> str:
    """A claim up to its end, whose letter, task, question and log tell of the customer."""
    instance = at.start(CLAIM, {"customer": CUSTOMER, "born": int(SECRETS[2]), "amount": 12, **more})
    at.do("check", {"ok": True})
    at.later()
    (asked,) = at.store.interventions(instance=instance)
    at.governor.answer(asked.id, "approve", by="lea", reason=f"{SECRETS[0]} has called")
    assert at.store.instance(instance).status == "completed"
    return instance


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path / "governor.db", {"letter": letter, "risky": risky}) as made:
        yield made


def test_patterns_lead_to_parts() -> None:
    masker = Masker(paths_of(["customer.name", "*.iban", "born"]), ["Maria"], {})
    given = {"customer": {"name": "X", "iban": ["1", "2"], "city": "Ulm"}, "born": 7, "note": "Maria said", "ok": True}
    masked = {"customer": {"name": MASK, "iban": MASK, "city": "Ulm"}, "born": MASK, "note": f"{MASK} said", "ok": True}
    assert masker.json(given) == masked
    assert masker.json({"WORKING/born": 1}) == {"WORKING/born": MASK}
    conflict = {"key": "WORKING/born", "values": [{"branch": "a", "value": 7}], "base": 6, "winner": "a"}
    assert masker.json(conflict) == {**conflict, "values": [{"branch": "a", "value": MASK}], "base": MASK}
    place = {"key": "WORKING/customer", "path": "/name", "values": [{"branch": "a", "value": "Al"}]}
    assert masker.json(place) == {**place, "values": [{"branch": "a", "value": MASK}]}
    assert sorted(needles({"a": ["xy", "long enough"], "b": 12, "c": 123456, "d": True})) == ["123456", "long enough"]


def test_what_says_little_is_found_behind_its_name_and_what_is_named_by_hash_stays() -> None:
    gathered = Gathered(["pin", "customer.name"])
    gathered.short.add(("pin", "42"))
    gathered.values["a" * 32] = {("name",)}
    masker = gathered.masker()
    assert masker.json("pin=42, pin: '42', 42 cats, pin=423") == f"pin={MASK}, pin: '{MASK}', 42 cats, pin=423"
    assert masker.value("a" * 32, {"name": "Al", "city": "Ulm"}) == {"name": MASK, "city": "Ulm"}
    record = {"outputs": {"pin": "b" * 32, "letter": "c" * 32}, "decision": "pin=42"}
    assert masker.value("d" * 32, record) == {**record, "decision": f"pin={MASK}"}


def test_what_could_not_be_read_is_read_the_next_time(at: House) -> None:
    instance = at.start(CLAIM, {"customer": CUSTOMER, "born": int(SECRETS[2])})
    source, fails = at.store.source(instance), [True, True]

    def load(hash: str) -> bytes:
        if fails:
            fails.pop()
            raise StoreUnavailable("governor.db", "it is locked", "try again")
        return source.load(hash)

    gathered = Gathered(["customer.name", "born"])
    graph = SnapshotGraph(ValueStore(load), source)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            gathered.add(graph, at.store.snapshots(instance))
        assert gathered.masker().json(SECRETS[0]) == SECRETS[0]
    gathered.add(graph, at.store.snapshots(instance))
    assert gathered.masker().json([SECRETS[0], SECRETS[2]]) == [MASK, MASK]
    made = gathered.masker()
    at.governor.edit(instance, {"amount": 13}, by="lea")
    gathered.add(SnapshotGraph(ValueStore(source.load), at.store.source(instance)), at.store.snapshots(instance))
    assert gathered.masker() is made, "nothing personal was written"


def test_it_is_masked_wherever_an_instance_is_looked_at(at: House) -> None:
    instance = run(at)
    at.store.close()
    db = ("--db", str(at.path))
    out = at.path.parent / "report.html"
    governor("report", instance, "-o", str(out), *db)
    log = at.path.parent / "log.xes"
    governor("export-log", "-o", str(log), *db)
    looked = {
        "show": governor("show", instance, "--events", *db).out,
        "show as JSON": governor("show", instance, "--events", *db, "--json").out,
        "context": governor("context", "show", instance, "--full", *db).out,
        "history": governor("context", "show", instance, "--at", "letter", "--full", *db, "--json").out,
        "blame": governor("context", "blame", instance, "text", *db).out,
        "report": out.read_text(),
        "log": log.read_text(),
    }
    for place, text in looked.items():
        assert text, place
        assert not [secret for secret in SECRETS if secret in text], place
    assert MASK in looked["show"]
    assert "Ulm" in looked["context"]


def test_who_has_the_right_sees_it(at: House) -> None:
    instance = run(at)
    at.store.close()
    db = ("--db", str(at.path))
    page, archive = f"{at.path}.html", f"{at.path}.zip"
    for command in (("show", instance), ("context", "show", instance), ("report", instance, "-o", page),
                    ("evidence", instance, "-o", archive)):  # fmt: skip
        refused = governor(*command, "--personal", *db)
        assert (refused.code, "role privacy" in refused.err) == (2, True), command
        assert governor(*command, "--personal", "--role", "privacy", *db).code == 0
    assert SECRETS[0] in governor("show", instance, "--personal", "--role", "privacy", *db).out


def test_masked_evidence_is_checked_as_well(at: House) -> None:
    instance = run(at)
    at.store.close()
    out = str(at.path.parent / "evidence.zip")
    assert governor("evidence", instance, "-o", out, "--db", str(at.path)).code == 0
    found = verify_archive(out, None)
    assert found.problems == []
    assert found.withheld > 0
    assert any("masked" in each for each in found.lacks)
    everything = b"".join(open_archive(out).files.values()).decode()
    assert not [secret for secret in SECRETS if secret in everything]
    assert MASK in orjson.dumps(orjson.loads(open_archive(out).files["masked.json"])).decode()


def test_erased_data_are_nowhere_and_the_log_holds(at: House) -> None:
    instance = run(at)
    assert where_found(at.path, SECRETS[0])
    dry = at.governor.erase(instance, by="dpo", reason="asked for it", dry_run=True)
    assert dry.values > 3
    assert dry.events >= 1
    at.later()
    found = at.governor.erase(instance, by="dpo", reason="asked for it")
    assert found == dry
    for secret in SECRETS:
        assert where_found(at.path, secret) == [], secret
    log, version = at.store.log, at.store.instance(instance).version
    audited = audit(instance, log.seals(instance), log.events(instance), version)
    assert audited.finding is None
    assert audited.erased == found.events
    (event,) = at.store.events(instance, types=["data_erased"])
    assert (event.data["by"], event.data["reason"], event.data["values"]) == ("dpo", "asked for it", found.values)
    asked = at.store.interventions(instance=instance, status=None)[0]
    assert asked.answer is not None
    assert (asked.answer.by, asked.answer.reason) == ("lea", "[erased] has called")
    assert at.governor.result(instance).variables["amount"] == 12
    with pytest.raises(NotReplayable, match="it was erased"):
        at.governor.replay(instance)
    again = at.governor.erase(instance, by="dpo", reason="once more")
    assert (again.values, again.events, again.decisions) == (0, 0, 0)


def test_an_erased_instance_can_still_be_looked_at_and_archived(at: House) -> None:
    instance = run(at)
    at.governor.erase(instance, by="dpo", reason="asked for it")
    at.store.close()
    db = ("--db", str(at.path))
    for command in (("show", instance, "--events"), ("context", "show", instance), ("report", instance, "-o",
                    str(at.path) + ".html"), ("audit", "verify", instance)):  # fmt: skip
        assert governor(*command, *db).code == 0, command
    out = str(at.path.parent / "evidence.zip")
    assert governor("evidence", instance, "-o", out, *db).code == 0
    assert verify_archive(out, None).problems == []


def test_what_other_instances_hold_stays_until_it_is_erased_there(at: House) -> None:
    first, second = run(at), run(at)
    found = at.governor.erase(first, by="dpo", reason="asked for it")
    assert found.shared
    assert at.governor.result(second).variables["customer"] == CUSTOMER
    at.governor.erase(second, by="dpo", reason="asked for it")
    at.governor.erase(first, by="dpo", reason="the rest")
    for secret in SECRETS:
        assert where_found(at.path, secret) == [], secret


def test_an_instance_that_goes_on_keeps_its_data(at: House) -> None:
    instance = at.start(CLAIM, {"customer": CUSTOMER, "born": 1})
    with pytest.raises(NotEnded, match="cancel it first"):
        at.governor.erase(instance, by="dpo", reason="asked for it")


def test_from_the_command_line(at: House) -> None:
    instance = run(at)
    at.store.close()
    told = governor("erase", instance, "--reason", "asked for it", "--key", "customer", "--db", str(at.path))
    assert told.code == 0
    assert "were erased" in told.out
    with open_governor(str(at.path)) as opened:
        assert opened.result(instance).variables["customer"] == "[erased]"
    assert governor("erase", instance, "--reason", "x", "--key", "customer", "--dry-run", "--json", "--db",
                    str(at.path)).json["values"] == 0  # fmt: skip
