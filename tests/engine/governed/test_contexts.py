"""Contexts changed from outside: put back, and SYSTEM changed for all at once."""

from __future__ import annotations

import pytest

from engine.errors import UnknownBranch
from engine.events import EventType
from engine.instance import Instance
from engine.status import Status
from governance.errors import LayerRefused
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.running import Run

TWO = model(start(), gateway("g"), user("a"), user("b"), gateway("j"), end(), edges("s > g > a > j > e", "g > b > j"))
ROW = model(start(), script("x", "n = 1"), user("a"), user("b"), end(), edges("s > x > a > b > e"))


def system(instance: Instance, head: str, name: str) -> object:
    item = instance.graph.contents(head).item(f"SYSTEM/{name}")
    return None if item is None else instance.graph.values.get(item.value)


def ask(run: Run, name: str, value: str) -> str:
    run.go(lambda: run.advancing.ask_for_system(name, value, "host"))
    return next(id for id, task in run.instance.held.items() if task is None)


def test_a_change_of_system_needs_approval_and_reaches_every_branch() -> None:
    run = Run(TWO, code={"a": "x = 1", "b": "y = 1"})
    run.do("a")
    asked = run.instance.interventions[ask(run, "limit", "never above 100")]
    assert (asked.kind, asked.level.value) == ("system_write", "EXPLICIT_APPROVAL")
    assert run.open_items() == ["b"]
    run.reload()
    run.answer(asked.id, "approve")
    run.do("b")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "y": 1})
    assert system(run.instance, run.head, "limit") == "never above 100"


def test_a_denied_change_of_system_changes_nothing() -> None:
    run = Run(TWO)
    run.answer(ask(run, "limit", "none"), "deny", reason="no")
    run.do_all()
    assert system(run.instance, run.head, "limit") is None


def test_system_holds_two_thousand_tokens() -> None:
    run = Run(TWO)
    with pytest.raises(LayerRefused):
        run.advancing.ask_for_system("novel", "word " * 3_000, "host")


def test_a_context_goes_back_and_the_run_goes_on_from_there() -> None:
    run = Run(ROW, {"n": 0}, code={"b": "m = n"})
    first = run.instance.graph.get(run.head).parents[0]
    before = run.head
    run.go(lambda: run.advancing.restore_context(first, None, "ann"))
    (event,) = run.events(EventType.CONTEXT_RESTORED)
    assert (event.data["snapshot"], event.data["before"], event.data["by"]) == (first, before, "ann")
    run.reload().do_all()
    assert run.variables == {"n": 0, "m": 0}


def test_with_several_tokens_the_branch_must_be_named() -> None:
    run = Run(TWO, {"x": 0}, code={"a": "x = 1", "b": "z = x"})
    first = run.head
    run.do("a")
    with pytest.raises(UnknownBranch):
        run.advancing.restore_context(first, "/nowhere", "ann")


def test_a_question_about_system_ends_with_the_instance() -> None:
    run = Run(TWO)
    asked = ask(run, "limit", "none")
    run.do_all()
    assert run.memory.interventions[asked].status == "withdrawn"
