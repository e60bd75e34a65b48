"""`governor run` and `resume`, on the real engine and store."""

from __future__ import annotations

import pytest

from tests.engine.cli.command import governor, governor_child
from tests.engine.cli.files import OUTAGE, OUTAGE_ANSWERS, OUTAGE_HANDLERS, STEPS, Folder, service


def test_a_run_without_people_ends_with_code_0(folder: Folder) -> None:
    told = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    assert told.code == 0
    assert "Three steps completed" in told.out
    assert "x  1" in told.out


def test_progress_goes_to_standard_error(folder: Folder) -> None:
    told = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    assert [line.split()[:2] for line in told.err.splitlines()] == [
        ["start", "Three"],
        ["script", "First"],
        ["script", "Second"],
    ]


def test_quiet_tells_no_progress(folder: Folder) -> None:
    told = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--quiet")
    assert told.err == ""
    assert "completed" in told.out


def test_json_is_one_object_and_nothing_else(folder: Folder) -> None:
    told = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--json")
    assert told.code == 0
    assert told.err == ""
    assert told.json["status"] == "completed"
    assert told.json["variables"] == {"x": 1, "y": 2}
    assert {"instance", "decisions", "conflicts", "interventions", "measures"} <= set(told.json)


def test_a_run_that_waits_says_how_to_go_on(folder: Folder) -> None:
    told = governor(*folder.outage())
    instance = governor("instances", "--db", folder.db, "--json").json["instances"][0]["id"]
    assert told.code == 3
    assert f"governor resume {instance} --db {folder.db}" in told.out
    assert f"governor inbox answer {instance}-1 --db {folder.db} --decision resolve --values" in told.out
    assert '{"severity":{"take":"deploys"}}' in told.out


def test_answers_are_taken_from_the_file(folder: Folder) -> None:
    told = governor(*folder.outage(), "--answers", folder.put("answers.yaml", OUTAGE_ANSWERS), "--json")
    assert told.code == 0
    assert told.json["variables"]["severity"] == "high"
    assert told.json["variables"]["fixed"] is True
    asked = [each for each in told.json["interventions"] if each["status"] == "answered"]
    assert [(each["answer"]["by"], each["answer"]["reason"]) for each in asked] == [("lea", "the logs are conclusive")]


def test_the_progress_tells_decisions_conflicts_and_answers(folder: Folder) -> None:
    told = governor(*folder.outage(), "--answers", folder.put("answers.yaml", OUTAGE_ANSWERS))
    assert told.code == 0
    for line in (
        "D2        split at Investigate: 2 branches, each sees all that stands",
        "D1          compress for Read logs: ",
        "answer    resolve by lea: the logs are conclusive",
        "D3        merge at Findings together: Check deploys | Read logs",
        'conflict  severity: "high" of Read logs wins, by a person',
        '          over "medium" of Check deploys',
        'conflict  cause: "the billing service times out" of Read logs wins, by LAST_WRITE',
        "answer    Approve the fix: done by maria",
        "gateway   Approved? → Apply fix",
    ):
        assert line in told.err, told.err


def test_unused_answers_are_told(folder: Folder) -> None:
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS + "- {element: fix, decision: approve}\n")
    told = governor(*folder.outage(), "--answers", answers)
    assert told.code == 0
    assert f"{answers}:10: the answer for fix was not used" in told.err


def test_an_answer_that_does_not_fit_names_its_line(folder: Folder) -> None:
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS.replace("approved: true", "approved: perhaps"))
    told = governor(*folder.outage(), "--answers", answers)
    assert told.code == 2
    assert f"{answers}:7: " in told.err
    assert "approved: 'perhaps' is not of type 'boolean'" in told.err
    assert governor("instances", "--status", "waiting", "--db", folder.db, "--json").json["instances"]


def test_a_waiting_instance_is_resumed_by_the_beginning_of_its_id(folder: Folder) -> None:
    instance = governor(*folder.outage(), "--json").json["instance"]
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    told = governor("resume", instance[:5], "--answers", answers, "--db", folder.db, "--json")
    assert told.code == 0
    assert told.json["instance"] == instance


def test_a_relative_path_of_handlers_is_found_when_it_goes_on_elsewhere(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.outage()
    monkeypatch.chdir(folder.path)
    told = governor("run", "outage.bpmn", "--handlers", "handlers.py", "--db", folder.db, "--json")
    assert told.code == 3
    (folder.path / "elsewhere").mkdir()
    monkeypatch.chdir(folder.path / "elsewhere")
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    assert governor("resume", told.json["instance"], "--answers", answers, "--db", folder.db).code == 0


def test_a_relative_path_of_a_recording_is_found_when_it_goes_on_elsewhere_with_other_handlers(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = '<extensionElements><gov:agent prompt="Judge it" outputs="risk:string"/></extensionElements>'
    two = OUTAGE.replace('<serviceTask id="fix" name="Apply fix" gov:jobType="fix"/>',
                         f'<serviceTask id="fix" name="Judge">{agent}</serviceTask>')
    folder.put("judged.bpmn", two)
    folder.put("turns.yaml", "turns: [{activity: fix, answer: {outputs: {risk: low}, confidence: 0.9}}]")
    handlers = folder.put("handlers.py", OUTAGE_HANDLERS)
    monkeypatch.chdir(folder.path)
    run = ["run", "judged.bpmn", "--handlers", handlers, "--model", "replay:turns.yaml", "--db", folder.db, "--json"]
    instance = governor(*run).json["instance"]
    (folder.path / "elsewhere").mkdir()
    monkeypatch.chdir(folder.path / "elsewhere")
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    told = governor("resume", instance, "--handlers", handlers, "--answers", answers, "--db", folder.db, "--json")
    assert told.code == 0
    assert told.json["variables"]["risk"] == "low"


def test_a_failed_run_says_how_to_try_again_and_does(folder: Folder) -> None:
    process = folder.put("one.bpmn", service("flaky"))
    bad = folder.put("bad.py", "def work(job): raise ValueError('no route to host')\nHANDLERS = {'flaky': work}")
    good = folder.put("good.py", "HANDLERS = {'flaky': lambda job: {'done': True}}")
    told = governor("run", process, "--handlers", bad, "--db", folder.db)
    instance = governor("instances", "--db", folder.db, "--json").json["instances"][0]["id"]
    assert told.code == 1
    assert "no route to host" in told.out
    assert f"governor retry {instance}" in told.out
    retried = governor("retry", instance, "--handlers", good, "--db", folder.db, "--json")
    assert retried.code == 0
    assert retried.json["variables"] == {"done": True}


def test_a_retry_of_what_has_not_failed_is_bad_input(folder: Folder) -> None:
    bad = folder.put("bad.py", "def work(job): raise ValueError('no')\nHANDLERS = {'flaky': work}")
    governor("run", folder.put("one.bpmn", service("flaky")), "--handlers", bad, "--db", folder.db)
    instance = governor("instances", "--db", folder.db, "--json").json["instances"][0]["id"]
    told = governor("retry", instance, "--element", "b", "--db", folder.db)
    assert told.code == 2
    assert "b has not failed" in told.err


def test_a_retry_of_what_has_ended_is_bad_input(folder: Folder) -> None:
    instance = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--json").json["instance"]
    told = governor("retry", instance, "--element", "b", "--db", folder.db)
    assert told.code == 2
    assert "was completed" in told.err


def test_a_simulation_runs_through_and_says_so(folder: Folder) -> None:
    told = governor("run", folder.put("outage.bpmn", OUTAGE), "--db", folder.db, "--simulate")
    assert told.code == 0, told.err
    assert "fixed" not in told.out


def test_variables_come_from_a_file_and_from_options(folder: Folder) -> None:
    variables = folder.put("variables.yaml", "customer: {name: Ada}\nsince: 2026-01-01\namount: 1\n")
    options = ["--vars", variables, "--var", "amount=12.5", "--var", "note=a = b", "--var", "tags=[1, 2]"]
    told = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--json", *options)
    variables_then = told.json["variables"]
    assert variables_then["customer"] == {"name": "Ada"}
    assert variables_then["since"] == "2026-01-01"
    assert (variables_then["amount"], variables_then["note"], variables_then["tags"]) == (12.5, "a = b", [1, 2])


def test_who_starts_an_instance_is_kept(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--user", "ada")
    assert governor("instances", "--db", folder.db, "--json").json["instances"][0]["starter"] == "ada"


def test_the_database_and_the_model_come_from_the_environment(folder: Folder) -> None:
    told = governor_child("run", folder.put("steps.bpmn", STEPS), "-q", GOVERNOR_DB=folder.db, GOVERNOR_MODEL="offline")
    assert told.code == 0
    (record,) = governor("instances", "--db", folder.db, "--json").json["instances"]
    assert record["settings"]["model"] == "offline"


def test_without_anything_said_the_database_is_the_users_own(folder: Folder) -> None:
    told = governor_child("run", folder.put("steps.bpmn", STEPS), "-q", XDG_DATA_HOME=str(folder.path / "home"))
    assert told.code == 0
    assert (folder.path / "home" / "governor" / "governor.db").is_file()
