"""What is wrong is told in clear lines, with the right exit code and no traceback, in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.engine.cli.command import COMMAND, Told, environment, governor, governor_child
from tests.engine.cli.files import OUTAGE, STEPS, Folder, service

CONDITION = STEPS.replace(
    '<sequenceFlow id="f2" sourceRef="b" targetRef="e"/>',
    '<exclusiveGateway id="g" default="f4"/><sequenceFlow id="f2" sourceRef="b" targetRef="g"/>'
    '<sequenceFlow id="f3" sourceRef="g" targetRef="e"><conditionExpression>amount > 5</conditionExpression>'
    '</sequenceFlow><sequenceFlow id="f4" sourceRef="g" targetRef="e"/>',
)

WRONG_FILES = {
    "broken XML": (STEPS.replace("</process>", ""), "not well-formed"),
    "no BPMN": ("<html/>", "html"),
    "unknown element": (STEPS.replace("<endEvent id", "<endlessEvent id"), "endlessEvent"),
    "unknown policy field": (OUTAGE.replace("workingThreshold", "workingTreshold"), "workingTreshold"),
    "threshold 0": (OUTAGE.replace('workingThreshold="900"', 'workingThreshold="0"'), "workingThreshold"),
    "no start": (STEPS.replace('<startEvent id="s"/>', "").replace('sourceRef="s"', 'sourceRef="a"'), "no-start-event"),
    "missing handler": (service("book_flight"), "no handler is registered for the job type book_flight"),
}


def assert_clear(told: Told, code: int, *words: str) -> None:
    assert told.code == code, told
    assert "Traceback" not in told.err + told.out
    for word in words:
        assert word in told.err, told


@pytest.mark.parametrize("case", WRONG_FILES)
def test_a_wrong_file_is_bad_input(folder: Folder, case: str) -> None:
    content, word = WRONG_FILES[case]
    file = folder.put("wrong.bpmn", content)
    assert_clear(governor("run", file, "--db", folder.db), 2, word, file)


def test_a_wrong_file_shows_no_traceback(folder: Folder) -> None:
    file = folder.put("wrong.bpmn", WRONG_FILES["broken XML"][0])
    assert_clear(governor_child("run", file, "--db", folder.db), 2, "not well-formed", file)


def test_a_missing_file_is_bad_input(folder: Folder) -> None:
    assert_clear(governor("run", str(folder.path / "none.bpmn"), "--db", folder.db), 2, "none.bpmn")


def test_a_missing_variable_in_a_condition_fails_the_process(folder: Folder) -> None:
    told = governor_child("run", folder.put("condition.bpmn", CONDITION), "--db", folder.db)
    assert_clear(told, 1, "amount")
    assert "amount" in told.out


@pytest.mark.parametrize(
    ("option", "value", "word"),
    [
        ("--var", "amount", "there is no '='"),
        ("--var", "=5", "there is no name"),
        ("--vars", "none.json", "cannot be read"),
        ("--vars", "none.yaml", "cannot be read"),
        ("--answers", "none.yaml", "cannot be read"),
        ("--model", "gpt", "there is no model 'gpt'"),
        ("--process", "stesp", "did you mean steps"),
        ("--handlers", "no_such_module", "no_such_module"),
    ],
)
def test_a_wrong_option_is_bad_input(folder: Folder, option: str, value: str, word: str) -> None:
    content = STEPS if option != "--model" else agent_process()
    told = governor("run", folder.put("steps.bpmn", content), option, value, "--db", folder.db)
    assert told.code == 2
    assert word in told.err
    assert told.err.count("\n") == 1


def agent_process() -> str:
    agent = '<extensionElements><gov:agent prompt="Do it" outputs="done:boolean"/></extensionElements>'
    return service("agent").replace('name="Work" gov:jobType="agent"/>', f">{agent}</serviceTask>")


@pytest.mark.parametrize("name", ["nothing/here/at/all.db", "/proc/none.db", "."])
def test_a_database_that_cannot_be_written_is_bad_input(folder: Folder, name: str) -> None:
    db = str(folder.path / name)
    assert_clear(governor("run", folder.put("steps.bpmn", STEPS), "--db", db), 2, "governor: ")


def test_a_file_that_is_no_database_is_named(folder: Folder) -> None:
    other = folder.put("other.db", "this is a text, and long enough that it cannot be taken for a database of any kind")
    assert_clear(governor("instances", "--db", other), 2, other)


@pytest.mark.parametrize(
    "command",
    [
        ["instances"],
        ["show", "x"],
        ["resume", "x"],
        ["retry", "x"],
        ["message", "x", "m"],
        ["inbox", "list"],
        ["inbox", "show", "x-1"],
        ["inbox", "answer", "x-1"],
        ["context", "log", "x"],
        ["context", "show", "x"],
        ["context", "diff", "x", "a"],
        ["context", "restore", "x", "a"],
        ["context", "system", "x", "role", "text"],
    ],
    ids=" ".join,
)
def test_what_reads_a_database_makes_none(folder: Folder, command: list[str]) -> None:
    mistyped = f"{folder.db}x"
    assert_clear(governor(*command, "--db", mistyped), 2, mistyped, "there is no such file")
    assert not Path(mistyped).exists()


def test_a_mistyped_database_in_the_environment_is_not_made_either(folder: Folder) -> None:
    mistyped = f"{folder.db}x"
    assert_clear(governor_child("instances", GOVERNOR_DB=mistyped), 2, mistyped, "there is no such file")
    assert not Path(mistyped).exists()


def test_a_database_of_another_program_gets_no_tables(folder: Folder) -> None:
    with sqlite3.connect(folder.db) as other:
        other.execute("create table songs (title)")
    assert_clear(governor("instances", "--db", folder.db), 2, folder.db, "no instance was ever run on it")
    with sqlite3.connect(folder.db) as other:
        assert other.execute("select name from sqlite_master").fetchall() == [("songs",)]


def test_a_full_disk_is_told_and_loses_nothing(folder: Folder) -> None:
    before = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--json").json["instance"]
    limit = 65_536  # of what can be written to one file, the write-ahead log here
    done = subprocess.run(
        [*COMMAND, *folder.outage(), "--var", f"padding={os.urandom(60_000).hex()}"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert_clear(Told(done.returncode, done.stdout, done.stderr), 2, folder.db)
    assert [each["id"] for each in governor("instances", "--db", folder.db, "--json").json["instances"]] == [before]


def test_an_error_is_a_json_object_with_its_facts(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    told = governor_child("resume", "zzz", "--db", folder.db, "--json")
    assert told.code == 2
    assert told.err == ""
    error = told.json["error"]
    assert (error["type"], error["instance"], error["database"]) == ("UnknownInstance", "zzz", folder.db)
    assert "no instance 'zzz'" in error["message"]


def test_findings_are_facts_of_the_error(folder: Folder) -> None:
    file = folder.put("wrong.bpmn", WRONG_FILES["threshold 0"][0])
    told = governor("run", file, "--db", folder.db, "--json")
    assert told.code == 2
    assert told.json["error"]["findings"][0]["line"] == 6


def test_a_usage_error_is_json_too() -> None:
    told = governor("run", "--json")
    assert told.code == 2
    assert told.json == {"error": {"type": "MissingParameter", "message": "Missing argument 'FILE'."}}


def test_a_usage_error_shows_the_usage() -> None:
    told = governor("run", "--no-such-option")
    assert told.code == 2
    assert told.err.startswith("Usage: ")


def test_control_characters_in_a_file_do_not_reach_the_terminal(folder: Folder) -> None:
    content = service("paint").replace('jobType="paint"', 'jobType="&#x9b;2J"')
    told = governor("run", folder.put("evil.bpmn", content), "--db", folder.db)
    assert told.code == 2
    assert "\x9b" not in told.err
    assert "\\x9b2J" in told.err


def test_a_secret_in_an_answers_file_is_not_quoted_when_the_file_is_wrong(folder: Folder) -> None:
    answers = folder.put("answers.yaml", "- element: approve\n  outputs: {token: hunter2\n")
    told = governor(*folder.outage(), "--answers", answers)
    assert told.code == 2
    assert "answers.yaml:" in told.err
    assert "hunter2" not in told.err


def test_json_errors_are_one_object_even_after_a_start(folder: Folder) -> None:
    answers = folder.put("answers.yaml", "- {element: join, decision: approve}\n")
    told = governor(*folder.outage(), "--answers", answers, "--json")
    assert told.code == 2
    error = json.loads(told.out)["error"]
    assert error["type"] == "AnswerRefused"
    assert error["line"] == 1
    assert Path(error["file"]).name == "answers.yaml"
