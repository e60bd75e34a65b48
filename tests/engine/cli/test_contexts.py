"""`governor context`: log, show, diff and restore."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE_ANSWERS, Folder
from tests.engine.models import edges, end, model, script, start

TWO_PEOPLE = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t" id="defs">
<process id="p" isExecutable="true"><startEvent id="s"/><parallelGateway id="fork"/>
<userTask id="ask_a"/><scriptTask id="think"><script>x = 1</script></scriptTask><userTask id="ask_b"/>
<parallelGateway id="join"/><endEvent id="e"/>
<sequenceFlow id="f0" sourceRef="s" targetRef="fork"/>
<sequenceFlow id="f1" sourceRef="fork" targetRef="ask_a"/><sequenceFlow id="f2" sourceRef="fork" targetRef="think"/>
<sequenceFlow id="f6" sourceRef="think" targetRef="ask_b"/>
<sequenceFlow id="f3" sourceRef="ask_a" targetRef="join"/><sequenceFlow id="f4" sourceRef="ask_b" targetRef="join"/>
<sequenceFlow id="f5" sourceRef="join" targetRef="e"/></process></definitions>"""


@pytest.fixture
def done(folder: Folder) -> str:
    """An outage review that has ended."""
    told = governor(*folder.outage(), "--answers", folder.put("answers.yaml", OUTAGE_ANSWERS), "--json")
    return str(told.json["instance"])


@pytest.fixture
def waiting(folder: Folder) -> str:
    """One that waits at its join."""
    return str(governor(*folder.outage(), "--json").json["instance"])


def log(folder: Folder, instance: str) -> list[dict[str, Any]]:
    told = governor("context", "log", instance, "--db", folder.db, "--json")
    snapshots: list[dict[str, Any]] = told.json["snapshots"]
    return snapshots


def wrote(folder: Folder, instance: str, key: str) -> list[str]:
    """Ids of the snapshots that wrote a key, the newest first."""
    return [each["id"] for each in log(folder, instance) if key in each["written"]]


def test_the_log_goes_from_the_head_to_the_start(folder: Folder, done: str) -> None:
    snapshots = log(folder, done)
    assert snapshots[0]["heads"] == [""]
    assert snapshots[-1]["kind"] == "start"
    place = {each["id"]: number for number, each in enumerate(snapshots)}
    assert all(place[parent] > place[each["id"]] for each in snapshots for parent in each["parents"])
    assert {each["kind"] for each in snapshots} >= {"start", "activity", "D1", "D3", "gateway"}


def test_the_log_as_text_names_branches_and_keys(folder: Folder, done: str) -> None:
    lines = governor("context", "log", done, "--db", folder.db).out.splitlines()
    head = log(folder, done)[0]["id"]
    assert lines[1].startswith(f"{head[:12]} ← head, main")
    assert "activity     Apply fix          +HISTORY/fix +fixed " in lines[1]
    assert any("Read logs" in line and "D1 compress" in line and "vlog" in line for line in lines)


def test_the_log_is_cut_and_says_so(folder: Folder, done: str) -> None:
    told = governor("context", "log", done, "--limit", "2", "--db", folder.db)
    assert len(told.out.splitlines()) == 5
    assert governor("context", "log", done, "-n", "2", "--db", folder.db, "--json").json["more"] is True


def test_heads_of_all_live_branches_are_in_the_log(folder: Folder, waiting: str) -> None:
    heads = [head for each in log(folder, waiting) for head in each["heads"]]
    assert sorted(head.rpartition(".")[2] for head in heads) == ["deploys", "logs"]
    text = governor("context", "log", waiting, "--db", folder.db).out
    assert "← Read logs" in text or "← head, Read logs" in text


def test_a_snapshot_is_shown_with_all_six_layers(folder: Folder, done: str) -> None:
    told = governor("context", "show", done, "--db", folder.db)
    layers = ["SYSTEM", "PROCESS", "KNOWLEDGE", "HISTORY", "WORKING", "EPHEMERAL"]
    places = [told.out.index(f"\n{layer}: ") for layer in layers]
    assert places == sorted(places)
    assert "log  SUMMARY" in told.out
    assert "EPHEMERAL: cleared after each activity, never in a snapshot" in told.out


def test_a_snapshot_as_json_has_sizes_and_writers(folder: Folder, done: str) -> None:
    shown = governor("context", "show", done, "head", "--db", folder.db, "--json").json
    working = next(layer for layer in shown["layers"] if layer["layer"] == "WORKING")
    entry = next(each for each in working["entries"] if each["key"] == "WORKING/log")
    assert entry["fidelity"] == "SUMMARY"
    assert entry["size"]["tokens"] < entry["full"]["tokens"]
    assert (entry["written"]["activity"], entry["written"]["producer"]) == ("collect", "service")


def test_a_snapshot_goes_by_its_branch(folder: Folder, waiting: str) -> None:
    shown = governor("context", "show", waiting, "logs", "--db", folder.db, "--json").json
    assert shown["snapshot"]["branch"].endswith(".logs")
    assert governor("context", "show", waiting, shown["snapshot"]["branch"], "--db", folder.db, "--json").json == shown


def test_an_unknown_snapshot_is_bad_input(folder: Folder, done: str) -> None:
    told = governor("context", "show", done, "zz", "--db", folder.db)
    assert told.code == 2
    assert "'zz' is none of its live branches (main); snapshots" in told.err


def test_too_little_of_an_id_is_bad_input(folder: Folder) -> None:
    """Of more than 16 snapshots two begin alike, whatever their ids are."""
    tasks = [f"t{number}" for number in range(17)]
    drawn = model(start(), *(script(each, "x = 1") for each in tasks), end(), edges(" > ".join(["s", *tasks, "e"])))
    ran = governor("run", folder.put("row.bpmn", drawn.decode()), "--db", folder.db, "--json").json["instance"]
    beginnings = [each["id"][0] for each in log(folder, ran)]
    several = next(letter for letter in beginnings if beginnings.count(letter) > 1)
    told = governor("context", "show", ran, several, "--db", folder.db)
    assert told.code == 2
    assert f"'{several}' may be {several}" in told.err


def test_long_values_are_whole_if_asked_for(folder: Folder, done: str) -> None:
    first = wrote(folder, done, "WORKING/log")[0]
    assert "node-29" not in governor("context", "show", done, first, "--db", folder.db).out
    assert "node-29" in governor("context", "show", done, first, "--full", "--db", folder.db).out


def test_a_diff_shows_what_changed_word_by_word(folder: Folder, done: str) -> None:
    merged, second, first = wrote(folder, done, "WORKING/cause")
    words = governor("context", "diff", done, first, second, "--db", folder.db).out
    assert "changed   WORKING/cause: " in words
    assert "[-" in words
    assert "{+" in words
    assert governor("context", "diff", done, merged, merged, "--db", folder.db).out.endswith("Nothing differs.\n")


def test_a_diff_tells_added_shown_and_removed(folder: Folder, done: str) -> None:
    start, head = log(folder, done)[-1]["id"], log(folder, done)[0]["id"]
    changes = governor("context", "diff", done, start, head, "--db", folder.db, "--json").json["changes"]
    kinds = {change["key"]: change["change"] for change in changes}
    assert kinds["WORKING/fixed"] == "added"
    back = governor("context", "diff", done, head, start, "--db", folder.db, "--json").json["changes"]
    assert {change["key"]: change["change"] for change in back}["WORKING/fixed"] == "removed"
    lowered = next(each for each in log(folder, done) if each["kind"] == "D1" and "WORKING/log" in each["shown"])
    shown = governor("context", "diff", done, lowered["parents"][0], lowered["id"], "--db", folder.db).out
    assert "shown     WORKING/log: FULL → SUMMARY" in shown


def test_records_are_compared_with_their_outputs(folder: Folder, done: str) -> None:
    start, head = log(folder, done)[-1]["id"], log(folder, done)[0]["id"]
    changes = governor("context", "diff", done, start, head, "--db", folder.db, "--json").json["changes"]
    record = next(change for change in changes if change["key"].endswith(":fix"))
    assert '"fixed": true' in record["after"]


def test_a_context_is_put_back(folder: Folder, waiting: str) -> None:
    resolve = ["--decision", "resolve", "--values", '{"severity": {"take": "logs"}}']
    governor("inbox", "answer", f"{waiting}-1", *resolve, "--db", folder.db)
    before = wrote(folder, waiting, "WORKING/log")[0]
    told = governor("context", "restore", waiting, before[:10], "--db", folder.db)
    assert told.code == 3
    assert f"restore   context back at {before[:12]}, by maria" in told.err
    assert log(folder, waiting)[0]["kind"] == "restore"
    shown = governor("context", "show", waiting, "main", "--db", folder.db).out
    assert '"unknown"' in shown
    assert "cause" not in shown


def test_an_unknown_branch_cannot_be_put_back(folder: Folder, waiting: str) -> None:
    told = governor("context", "restore", waiting, "head", "--branch", "nowhere", "--db", folder.db)
    assert told.code == 2
    assert "'nowhere' is none of its live branches" in told.err


def test_one_of_several_branches_is_put_back(folder: Folder) -> None:
    told = governor("run", folder.put("two.bpmn", TWO_PEOPLE), "--db", folder.db, "--json").json
    instance, start = told["instance"], log(folder, told["instance"])[-1]["id"]
    tell = governor("context", "restore", instance, start, "--db", folder.db)
    assert tell.code == 2
    assert "live branches are" in tell.err
    assert governor("context", "restore", instance, start, "--branch", "think", "--db", folder.db).code == 3
    restored = [each for each in log(folder, instance) if each["kind"] == "restore"]
    assert [(each["branch"].rpartition(".")[2], each["deleted"]) for each in restored] == [
        ("think", ["HISTORY//fork@1:2.think@2:think", "WORKING/x"])
    ]
