"""What expressions leave to chance: others each time, and the same whenever the same is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.activities.work import Outcome, Work
from engine.embedding import open_governor
from engine.status import Status
from tests.engine.running import Run
from tests.engine.test_mappings import _input, _io, _output, _source, _task

INPUTS = [_input("=uuid()", "a"), _input("=uuid()", "b")]
OUTPUTS = [_output("=a", "seen"), _output("=b", "other"), _output("=uuid()", "own")]


def _run(fail: int = 0) -> tuple[Run, list[Mapping[str, Any]]]:
    """A task that is done at the `fail`-th attempt, and what each attempt saw."""
    attempts: list[Mapping[str, Any]] = []

    def do(work: Work) -> Outcome:
        attempts.append({name: work.variables[name] for name in ("a", "b")})
        if len(attempts) <= fail:
            raise ValueError("not yet")
        return Outcome(outputs={})

    return Run(_source(_task(_io(*INPUTS, *OUTPUTS))), handlers={"a": do}), attempts


def test_each_expression_draws_for_itself_and_outputs_see_what_the_handler_saw() -> None:
    run, (attempt,) = _run()
    found = run.variables
    assert (found["seen"], found["other"]) == (attempt["a"], attempt["b"])
    assert len({*found.values()}) == 3


def test_the_same_run_draws_the_same_and_an_attempt_more_too() -> None:
    first, _ = _run()
    again, attempts = _run(fail=1)
    while again.instance.incidents:
        again.retry(next(iter(again.instance.incidents)))
    assert again.status is Status.COMPLETED
    assert again.variables == first.variables
    assert attempts[0] == attempts[1]


def test_each_instance_of_an_activity_draws_anew() -> None:
    mapping = _io(_input("=uuid()", "id"), _output("=id", "r"))
    source = _source(
        f'<serviceTask id="a"><extensionElements><zeebe:taskDefinition type="j"/>{mapping}</extensionElements>'
        "<multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics>"
        "</serviceTask>"
    )
    seen: list[str] = []

    def do(work: Work) -> Outcome:
        seen.append(work.variables["id"])
        return Outcome(outputs={})

    Run(source, handlers={"a": do})
    assert len({*seen}) == len(seen) == 3


def test_what_is_drawn_outlives_a_reload() -> None:
    mapping = _io(_input("=uuid()", "id"), _output("=id", "kept"))
    source = _source(f'<userTask id="a"><extensionElements>{mapping}</extensionElements></userTask>')
    run = Run(source)
    (item,) = run.instance.work_items.values()
    shown = item.shown["inputs"]["id"]
    run = run.reload()
    run.do("a", {})
    assert run.variables["kept"] == shown


def test_an_input_and_an_output_of_one_name_draw_for_themselves() -> None:
    seen: list[str] = []

    def do(work: Work) -> Outcome:
        seen.append(work.variables["x"])
        return Outcome(outputs={})

    run = Run(_source(_task(_io(_input("=uuid()", "x"), _output("=uuid()", "x")))), handlers={"a": do})
    assert run.variables["x"] != seen[0]


def test_another_instance_draws_anew() -> None:
    task = '<scriptTask id="a"><extensionElements><zeebe:script expression="=uuid()" resultVariable="x"/>'
    source = _source(f"{task}</extensionElements></scriptTask>")
    with open_governor() as governor:
        loaded = governor.check(source)
        drawn = [governor.start(loaded, {}).variables["x"] for _ in range(3)]
    assert len({*drawn}) == 3
