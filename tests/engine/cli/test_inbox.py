"""`governor inbox`, where nobody sits at a terminal."""

from __future__ import annotations

import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE, OUTAGE_HANDLERS, STEPS, Folder

RESOLVE = ["--decision", "resolve", "--values", '{"severity": {"take": "logs"}}']


@pytest.fixture
def question(folder: Folder) -> str:
    """The id of a question about a conflict."""
    instance = governor(*folder.outage(), "--json").json["instance"]
    return f"{instance}-1"


@pytest.fixture
def task(folder: Folder, question: str) -> str:
    """The id of the task that comes after it."""
    told = governor("inbox", "answer", question, *RESOLVE, "--by", "lea", "--db", folder.db, "--json")
    return str(told.json["waiting"][0]["id"])


def test_nothing_waits_at_first(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    assert governor("inbox", "list", "--db", folder.db).out == "Nothing waits for people.\n"


def test_a_question_is_listed_and_shown(folder: Folder, question: str) -> None:
    assert f"{question}  question Findings together  anybody" in governor("inbox", "list", "--db", folder.db).out
    shown = governor("inbox", "show", question, "--db", folder.db).out
    assert "CONFLICT, EXPLICIT_APPROVAL" in shown
    assert '"unknown"  1  Check deploys  "medium"' in shown
    assert '2  Read logs      "high"' in shown
    assert "--decision resolve --values" in shown


def test_the_command_that_is_shown_works(folder: Folder, question: str) -> None:
    import shlex

    shown = governor("inbox", "show", question, "--db", folder.db).out
    command = next(line for line in shown.splitlines() if "answer: " in line).partition("answer: governor ")[2]
    told = governor(*shlex.split(command), "--json")
    assert told.code == 3
    assert told.json["variables"]["severity"] == "medium"


def test_a_question_is_answered_and_the_instance_runs_on(folder: Folder, question: str) -> None:
    options = [*RESOLVE, "--reason", "logs", "--by", "lea", "--db", folder.db, "--json"]
    told = governor("inbox", "answer", question, *options)
    assert told.code == 3
    assert told.json["variables"]["severity"] == "high"
    answer = next(each["answer"] for each in told.json["interventions"] if each.get("id") == question)
    assert (answer["by"], answer["reason"]) == ("lea", "logs")


def test_a_task_is_done_and_the_instance_runs_on(folder: Folder, task: str) -> None:
    assert f"{task}  task Approve the fix" in governor("inbox", "list", "--db", folder.db).out
    assert "Shall the fix go out now?" in governor("inbox", "show", task, "--db", folder.db).out
    told = governor("inbox", "answer", task, "--outputs", '{"approved": true}', "--db", folder.db)
    assert told.code == 0
    assert "Apply fix" in told.err


def test_the_beginning_of_an_id_is_enough(folder: Folder, task: str) -> None:
    assert governor("inbox", "show", task[:4], "--db", folder.db).code == 0


def test_the_inbox_as_json(folder: Folder, question: str) -> None:
    inbox = governor("inbox", "list", "--db", folder.db, "--json").json["inbox"]
    assert [(each["kind"], each["id"], each["options"]) for each in inbox] == [
        ("intervention", question, ["resolve", "deny"])
    ]


def test_what_was_answered_takes_no_second_answer(folder: Folder, question: str, task: str) -> None:
    told = governor("inbox", "answer", question, *RESOLVE, "--db", folder.db)
    assert told.code == 2
    assert "was answered by lea at 20" in told.err


def test_denying_needs_a_reason(folder: Folder, question: str) -> None:
    told = governor("inbox", "answer", question, "--decision", "deny", "--db", folder.db)
    assert told.code == 2
    assert "deny needs a reason" in told.err


def test_a_denied_merge_fails_the_process(folder: Folder, question: str) -> None:
    told = governor("inbox", "answer", question, "--decision", "deny", "--reason", "no", "--db", folder.db)
    assert told.code == 1
    assert "merge denied by maria: no" in told.out


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--decision", "approve"], "allowed are resolve, deny"),
        (["--outputs", "{}"], "is a question; give --decision"),
        (["--decision", "resolve", "--values", "[1]"], "a JSON object is expected"),
        (["--decision", "resolve", "--values", "{"], "not JSON"),
        (["--decision", "resolve", "--values", '{"severity": {"take": "nobody"}}'], "nobody"),
        ([], "it is needed, for nobody can be asked here: governor inbox answer"),
    ],
)
def test_an_answer_that_does_not_fit_is_bad_input(folder: Folder, question: str, options: list[str], word: str) -> None:
    told = governor("inbox", "answer", question, *options, "--db", folder.db)
    assert told.code == 2
    assert word in told.err
    assert governor("inbox", "show", question, "--db", folder.db).code == 0


def test_outputs_that_do_not_fit_the_form_are_bad_input(folder: Folder, task: str) -> None:
    told = governor("inbox", "answer", task, "--outputs", '{"approved": "perhaps"}', "--db", folder.db)
    assert told.code == 2
    assert "approved: 'perhaps' is not of type 'boolean'" in told.err


def test_a_task_takes_no_decision(folder: Folder, task: str) -> None:
    told = governor("inbox", "answer", task, "--decision", "approve", "--db", folder.db)
    assert told.code == 2
    assert "is a task; give --outputs" in told.err


def test_an_unknown_id_is_bad_input(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    told = governor("inbox", "answer", "zzz", "--outputs", "{}", "--db", folder.db)
    assert told.code == 2
    assert "no task or question 'zzz'" in told.err


def test_a_role_is_needed_where_the_policy_says_so(folder: Folder) -> None:
    roles = OUTAGE.replace('retainKeys="severity"/>', 'retainKeys="severity"><gov:approval roles="lead"/></gov:policy>')
    options = ["--handlers", folder.put("handlers.py", OUTAGE_HANDLERS), "--db", folder.db, "--json"]
    instance = governor("run", folder.put("roles.bpmn", roles), *options).json["instance"]
    refused = governor("inbox", "answer", f"{instance}-1", *RESOLVE, "--db", folder.db)
    assert refused.code == 2
    assert "needs one of the roles lead" in refused.err
    assert governor("inbox", "answer", f"{instance}-1", *RESOLVE, "--role", "lead", "--db", folder.db).code == 3
