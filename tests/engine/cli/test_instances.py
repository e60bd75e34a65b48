"""`governor instances` and `show`."""

from __future__ import annotations

from tests.engine.cli.command import governor, governor_child
from tests.engine.cli.files import OUTAGE_ANSWERS, STEPS, Folder


def test_there_are_none_at_first(folder: Folder) -> None:
    own = {"XDG_DATA_HOME": str(folder.path)}
    told = governor_child("instances", **own)
    assert (told.code, told.out) == (0, "There are no instances yet: governor run FILE\n")
    assert governor_child("instances", "--json", **own).json == {"instances": []}


def test_instances_are_listed_the_newest_first(folder: Folder) -> None:
    done = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--json").json["instance"]
    waiting = governor(*folder.outage(), "--json").json["instance"]
    lines = governor("instances", "--db", folder.db).out.splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [[waiting, "waiting", "review"], [done, "completed", "steps"]]


def test_instances_by_status(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    waiting = governor(*folder.outage(), "--json").json["instance"]
    told = governor("instances", "--status", "waiting", "--db", folder.db, "--json")
    assert [each["id"] for each in told.json["instances"]] == [waiting]
    none = governor("instances", "--status", "failed", "--db", folder.db)
    assert none.out == "There are no instances that are failed.\n"


def test_a_long_list_says_that_there_may_be_more(folder: Folder) -> None:
    file = folder.put("steps.bpmn", STEPS)
    for _ in range(2):
        governor("run", file, "--db", folder.db)
    assert governor("instances", "--db", folder.db, "--limit", "1").out.endswith("more than these 1: --limit\n")


def test_show_tells_what_a_run_told_at_its_end(folder: Folder) -> None:
    run = governor(*folder.outage())
    instance = governor("instances", "--db", folder.db, "--json").json["instances"][0]["id"]
    shown = governor("show", instance, "--db", folder.db)
    assert shown.code == 0
    assert run.out in shown.out


def test_show_events_tells_what_happened_as_the_run_did(folder: Folder) -> None:
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    run = governor(*folder.outage(), "--answers", answers)
    instance = governor("instances", "--db", folder.db, "--json").json["instances"][0]["id"]
    shown = governor("show", instance, "--events", "--db", folder.db).out
    told = [line for line in run.err.splitlines() if not line.startswith("check")]
    assert [line for line in shown.splitlines() if line in told] == told


def test_show_as_json_has_the_result_and_the_record(folder: Folder) -> None:
    run = governor(*folder.outage(), "--json").json
    shown = governor("show", run["instance"][:6], "--events", "--db", folder.db, "--json").json
    assert {name: shown[name] for name in run} == run
    assert shown["process"] == "review"
    assert shown["starter"] == "maria"
    assert [event["seq"] for event in shown["events"]] == list(range(len(shown["events"])))
    assert shown["events"][0]["type"] == "instance_started"


def test_an_unknown_instance_is_bad_input(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    told = governor("show", "zz", "--db", folder.db)
    assert told.code == 2
    assert "no instance 'zz'" in told.err
