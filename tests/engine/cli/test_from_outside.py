"""What comes from outside while an instance waits: a message, a change of SYSTEM."""

from __future__ import annotations

import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import Folder
from tests.engine.models import MESSAGE, edges, end, model, script, start, user

CATCH = '<intermediateCatchEvent id="paid"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>'
PAYMENT = model(start(), CATCH, script("a", "total = amount * 2"), end(), edges("s > paid > a > e"), beside=MESSAGE)
ONE = model(start(), user("a"), end(), edges("s > a > e"))


@pytest.fixture
def waiting(folder: Folder) -> str:
    told = governor("run", folder.put("p.bpmn", PAYMENT.decode()), "--db", folder.db, "--json")
    assert (told.code, [each["kind"] for each in told.json["waiting"]]) == (3, ["message"])
    return str(told.json["instance"])


def test_a_message_brings_its_data_and_the_run_goes_on(folder: Folder, waiting: str) -> None:
    page = folder.path / "run.html"
    told = governor("message", waiting, "m", "--var", "amount=21", "--db", folder.db, "--json", f"--report={page}")
    assert page.is_file()
    assert (told.code, told.json["variables"]) == (0, {"amount": 21, "total": 42})


def test_a_message_that_nothing_waits_for_is_bad_input(folder: Folder, waiting: str) -> None:
    told = governor("message", waiting, "other", "--db", folder.db)
    assert told.code == 2
    assert "message other: nothing waits for it; awaited are m" in told.err


def test_a_change_of_system_is_asked_for_and_approved(folder: Folder) -> None:
    run = governor("run", folder.put("p.bpmn", ONE.decode()), "--db", folder.db, "--json")
    instance = run.json["instance"]
    asked = governor("context", "system", instance, "limit", "never above 100", "--db", folder.db, "--json")
    (question,) = [each for each in asked.json["waiting"] if each["kind"] == "intervention"]
    assert (asked.code, question["level"]) == (3, "EXPLICIT_APPROVAL")
    governor("inbox", "answer", question["id"], "--decision", "approve", "--by", "ann", "--db", folder.db)
    shown = governor("context", "show", instance, "--db", folder.db, "--json")
    assert "never above 100" in shown.out
