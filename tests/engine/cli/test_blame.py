"""`governor context blame`, and `show --at`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE_ANSWERS, STEPS, Folder


@pytest.fixture
def done(folder: Folder) -> str:
    """An outage review that has ended."""
    told = governor(*folder.outage(), "--answers", folder.put("answers.yaml", OUTAGE_ANSWERS), "--json")
    return str(told.json["instance"])


def writes(folder: Folder, instance: str, *more: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = governor("context", "blame", instance, *more, "--db", folder.db, "--json").json[
        "writes"
    ]
    return found


def columns(row: str) -> list[str]:
    return re.split(r"  +", row.strip())


def test_every_variable_is_blamed_on_who_wrote_it_last(folder: Folder, done: str) -> None:
    last = {each["key"]: each for each in writes(folder, done)}
    wrote = {key.removeprefix("WORKING/"): (each["kind"], each["activity"]) for key, each in last.items()}
    assert wrote == {
        "log": ("activity", "collect"),
        "severity": ("D3", "join"),
        "cause": ("D3", "join"),
        "approved": ("activity", "approve"),
        "fixed": ("activity", "fix"),
    }
    assert last["WORKING/approved"]["written"]["producer"] == "human"


def test_a_settled_value_names_join_winner_and_losers(folder: Folder, done: str) -> None:
    rows = governor("context", "blame", done, "severity", "--db", folder.db).out.splitlines()
    assert columns(rows[1])[1:3] == ["Findings together D3", "main"]
    assert columns(rows[1])[4:] == ["human", "1.00", '"high"']
    assert rows[2].strip() == "of Read logs, by a person"
    assert rows[3].strip() == 'over "medium" of Check deploys'
    assert {tuple(columns(row)[1:3]) for row in rows[4:6]} == {
        ("Read logs", "Read logs"),
        ("Check deploys", "Check deploys"),
    }
    assert columns(rows[6])[1:3] == ["Collect logs", "main"]


def test_all_keys_tell_how_many_others_lost(folder: Folder, done: str) -> None:
    assert "of Read logs, by a person, over 1 other" in governor("context", "blame", done, "--db", folder.db).out


def test_what_a_merge_took_over_was_written_on_its_branch(folder: Folder) -> None:
    process = folder.put("split.bpmn", SPLIT)
    instance = governor("run", process, "--db", folder.db, "--json").json["instance"]
    last = {each["key"]: each["activity"] for each in writes(folder, instance)}
    assert last == {"WORKING/x": "left", "WORKING/y": "right", "WORKING/same": "join"}
    text = governor("context", "blame", instance, "same", "--db", folder.db).out
    assert "the branches wrote the same" in text


def test_a_restored_value_names_its_writer(folder: Folder) -> None:
    instance = governor(*folder.outage(), "--json").json["instance"]
    resolve = ["--decision", "resolve", "--values", '{"severity": {"take": "logs"}}']
    governor("inbox", "answer", f"{instance}-1", *resolve, "--db", folder.db)
    before = writes(folder, instance, "log")[0]["snapshot"]
    governor("context", "restore", instance, before, "--db", folder.db)
    rows = governor("context", "blame", instance, "severity", "--db", folder.db).out.splitlines()
    assert columns(rows[1])[1] == "restored"
    assert rows[2].strip() == "as Collect logs wrote it"
    gone = governor("context", "blame", instance, "cause", "--db", folder.db).out.splitlines()
    assert columns(gone[1])[1:2] == ["restored"]
    assert "(removed)" in gone[1]


def test_blame_as_of_a_snapshot(folder: Folder, done: str) -> None:
    first = writes(folder, done, "log")[0]["snapshot"]
    assert [each["key"] for each in writes(folder, done, "--snapshot", first)] == ["WORKING/log", "WORKING/severity"]


def test_an_entry_of_another_layer_goes_by_its_whole_key(folder: Folder, done: str) -> None:
    (start,) = writes(folder, done, "SYSTEM/role")
    assert (start["kind"], start["written"]["producer"]) == ("start", "designer")


def test_a_key_that_nobody_wrote_is_bad_input(folder: Folder, done: str) -> None:
    told = governor("context", "blame", done, "severty", "--db", folder.db)
    assert told.code == 2
    assert "variables that stand are: approved, cause, fixed, log, severity" in told.err


def shown(folder: Folder, instance: str, *more: str) -> dict[str, Any]:
    document: dict[str, Any] = governor("context", "show", instance, *more, "--db", folder.db, "--json").json
    return document


def variables(document: dict[str, Any]) -> dict[str, str]:
    working = next(layer for layer in document["layers"] if layer["layer"] == "WORKING")
    return {each["key"].removeprefix("WORKING/"): each["fidelity"] for each in working["entries"]}


def test_what_stood_after_an_activity_and_what_it_was_given(folder: Folder, done: str) -> None:
    after = shown(folder, done, "--at", "logs")
    assert (after["snapshot"]["kind"], after["snapshot"]["activity"]) == ("activity", "logs")
    given = shown(folder, done, "--at", "read LOGS", "--before")
    assert given["snapshot"]["kind"] == "D1"
    assert variables(given) == {"log": "SUMMARY", "severity": "FULL"}


def test_what_a_branch_knew_in_the_end_and_at_its_start(folder: Folder, done: str) -> None:
    branch = shown(folder, done, "--at", "logs")["snapshot"]["branch"]
    assert variables(shown(folder, done, "--at", branch)).keys() == {"log", "severity", "cause"}
    began = shown(folder, done, "--at", branch, "--before")["snapshot"]
    assert (began["branch"], began["activity"]) == ("", "collect")
    told = governor("context", "show", done, "--at", "logs", "--db", folder.db).out
    assert f"logs is a branch, too: --at {branch}" in told


def test_the_main_branch_began_with_the_start(folder: Folder, done: str) -> None:
    assert shown(folder, done, "--at", "main", "--before")["snapshot"]["kind"] == "start"
    assert shown(folder, done, "--at", "main")["snapshot"]["activity"] == "fix"


def test_after_a_join_stands_its_merge(folder: Folder, done: str) -> None:
    assert shown(folder, done, "--at", "Findings together")["snapshot"]["kind"] == "D3"
    told = governor("context", "show", done, "--at", "join", "--before", "--db", folder.db)
    assert told.code == 2
    for each in ("logs", "deploys"):
        assert shown(folder, done, "--at", each)["snapshot"]["id"][:12] in told.err


def test_an_activity_at_work_was_given_what_stands(folder: Folder) -> None:
    handlers = """
    HANDLERS = {"collect": lambda job: {"log": "00:01 timeout " * 90}, "logs": lambda job: 1 / 0, "fix": print}
    HANDLERS["deploys"] = HANDLERS["logs"]
    """
    arguments = folder.outage()
    folder.put("handlers.py", handlers)
    instance = governor(*arguments, "--json").json["instance"]
    given = shown(folder, instance, "--at", "logs", "--before")["snapshot"]
    assert (given["kind"], given["activity"]) == ("D1", "logs")


def test_earlier_runs_are_named(folder: Folder) -> None:
    process = folder.put("loop.bpmn", LOOP)
    instance = governor("run", process, "--var", "x=0", "--db", folder.db, "--json").json["instance"]
    second, first, _ = [each["snapshot"] for each in writes(folder, instance, "x")]
    told = governor("context", "show", instance, "--at", "a", "--db", folder.db).out
    assert f"snapshot {second}" in told
    assert f"Earlier runs of a: {first[:12]}" in told


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--at", "nowhere"], "none of its activities that have run; branches (deploys, logs, main)"),
        (["--before"], "say before what: --at ACTIVITY"),
        (["head", "--at", "logs"], "give either this or the snapshot head"),
    ],
)
def test_a_point_that_is_none_is_bad_input(folder: Folder, done: str, options: list[str], word: str) -> None:
    told = governor("context", "show", done, *options, "--db", folder.db)
    assert told.code == 2
    assert word in told.err


SPLIT = STEPS[: STEPS.index("<process")] + (
    '<process id="p" isExecutable="true"><startEvent id="s"/><parallelGateway id="fork"/>'
    '<scriptTask id="left"><script>x = 1\nsame = 1</script></scriptTask>'
    '<scriptTask id="right"><script>y = 1\nsame = 1</script></scriptTask>'
    '<parallelGateway id="join"/><endEvent id="e"/><sequenceFlow id="f0" sourceRef="s" targetRef="fork"/>'
    '<sequenceFlow id="f1" sourceRef="fork" targetRef="left"/>'
    '<sequenceFlow id="f2" sourceRef="fork" targetRef="right"/>'
    '<sequenceFlow id="f3" sourceRef="left" targetRef="join"/>'
    '<sequenceFlow id="f4" sourceRef="right" targetRef="join"/>'
    '<sequenceFlow id="f5" sourceRef="join" targetRef="e"/></process></definitions>'
)
LOOP = STEPS.replace(
    '<scriptTask id="a" name="First"><script>x = 1</script></scriptTask>',
    '<scriptTask id="a" name="First"><standardLoopCharacteristics><loopCondition>x != 2</loopCondition>'
    "</standardLoopCharacteristics><script>x = x + 1</script></scriptTask>",
)
