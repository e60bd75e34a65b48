"""What the driver costs and keeps: no tree scans, no prediction, no depth limit, live state only."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from SpiffWorkflow.bpmn.parser.BpmnParser import BpmnParser
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.util.task import TaskIterator

from engine.spiff.hooks import PlainHooks
from engine.spiff.swap import drive
from engine.spiff.workflow import DrivenWorkflow
from engine.status import Status
from tests.engine.models import edges, end, gateway, instances, model, script, start, sub, user
from tests.engine.running import Plain, Run, deployed_from


def sequence(length: int) -> bytes:
    names = [f"t{index}" for index in range(length)]
    return model(start(), *(script(name, "n = n + 1") for name in names), end(), edges(" > ".join(["s", *names, "e"])))


def loop(rounds: int) -> bytes:
    return model(
        start(), gateway("m", "exclusive"), script("a", "n = n + 1"), gateway("x", "exclusive", default="out"), end(),
        edges("s > m > a > x", f"x -n < {rounds}-> m", "x =out=> e"),
    )  # fmt: skip


def blocks(count: int) -> bytes:
    content, path = [start(), end()], ["s"]
    for index in range(count):
        content += [gateway(f"g{index}"), gateway(f"j{index}")]
        content += [script(f"a{index}", "x = 1"), script(f"b{index}", "y = 1")]
        path += [f"g{index}", f"a{index}", f"j{index}"]
    sides = [f"g{index} > b{index} > j{index}" for index in range(count)]
    return model(*content, edges(" > ".join([*path, "e"]), *sides))


def test_nothing_walks_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    walks = []
    monkeypatch.setattr(TaskIterator, "__init__", lambda self, *args, **kwargs: walks.append(args))
    for source in (sequence(20), loop(20), blocks(5)):
        assert Run(source, {"n": 0}).status is Status.COMPLETED
    assert walks == []


def test_a_loop_has_no_depth_limit() -> None:
    assert Run(loop(400), {"n": 0}).variables == {"n": 400}
    assert not Plain(loop(400), {"n": 0}).completed


def test_a_long_sequence_loads_and_runs_at_the_usual_recursion_limit() -> None:
    assert sys.getrecursionlimit() == 1000
    assert Run(sequence(3000), {"n": 0}).variables == {"n": 3000}
    with pytest.raises(Exception, match="recursion"):
        Plain(sequence(600), {"n": 0})


def test_blocks_in_a_row_make_no_more_tasks_than_tokens_visit() -> None:
    run = Run(blocks(14))
    assert run.instance.workflow.counter < 14 * 8
    parser = BpmnParser()
    parser.add_bpmn_str(blocks(8))
    predicted = BpmnWorkflow(parser.get_spec("p"), parser.get_subprocess_specs("p"))
    assert len(predicted.tasks) > 1_000


@pytest.mark.parametrize("source", [sequence(200), loop(200), blocks(50)], ids=["sequence", "loop", "blocks"])
def test_finished_chains_are_not_kept(source: bytes) -> None:
    run = Run(source, {"n": 0})
    assert len(run.instance.workflow.tasks) <= 2
    assert len(run.memory.rows) <= 3


def test_rows_saved_at_a_step_are_few_however_long_the_history() -> None:
    source = model(
        start(), gateway("m", "exclusive"), user("a"), gateway("x", "exclusive", default="out"), end(),
        edges("s > m > a > x", "x -n < 50-> m", "x =out=> e"),
    )  # fmt: skip
    run = Run(source, {"n": 0}, code={"a": "n = n + 1"})
    for _ in range(40):
        run.do("a")
    assert max(run.memory.written[5:]) <= 6
    assert len(run.memory.rows) <= 4


def test_one_definition_serves_many_live_instances() -> None:
    flows = edges("s > g > a > j > e", "g > b > j")
    source = model(start(), gateway("g"), user("a"), user("b"), gateway("j"), end(), flows)
    deployed = deployed_from(source)
    one = Run(source, {"x": 0}, code={"a": "x = 1"}, deployed=deployed)
    two = Run(source, {"x": 0}, code={"a": "x = 2"}, deployed=deployed)
    for run in (one, two):
        run.do("a")
    for run in (one, two):
        run.do("b")
    assert (one.variables, two.variables) == ({"x": 1}, {"x": 2})


def test_driving_twice_changes_nothing() -> None:
    parser = BpmnParser()
    parser.add_bpmn_str(blocks(2))
    spec = parser.get_spec("p")
    drive(spec)
    classes = {name: type(task_spec) for name, task_spec in spec.task_specs.items()}
    drive(spec)
    assert classes == {name: type(task_spec) for name, task_spec in spec.task_specs.items()}


def test_specs_of_the_librarys_own_parser_run_too() -> None:
    parser = BpmnParser()
    parser.add_bpmn_str(loop(50))
    spec, nested = parser.get_spec("p"), parser.get_subprocess_specs("p")
    drive(spec, *nested.values())
    workflow = DrivenWorkflow(spec, nested)
    workflow.task_tree.data["n"] = 0
    workflow.do_engine_steps()
    assert (workflow.completed, workflow.data) == (True, {"n": 50})


class Counting(PlainHooks):
    """Counts what the driver calls."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def note(self, what: str, task: Any) -> None:
        self.seen.append((what, task.task_spec.bpmn_id or task.task_spec.name))

    def enter(self, task: Any) -> None:
        self.note("enter", task)
        super().enter(task)

    def activity(self, task: Any, run: Any) -> bool | None:
        self.note("before", task)
        done = super().activity(task, run)
        self.note("after", task)
        return done

    def split(self, task: Any, children: Any) -> None:
        self.note("split", task)

    def arrive(self, task: Any) -> None:
        self.note("arrive", task)

    def join(self, task: Any, arrivals: Any) -> bool:
        self.note("join", task)
        return super().join(task, arrivals)

    def open_scope(self, task: Any, root: Any) -> None:
        self.note("open", task)
        super().open_scope(task, root)

    def close_scope(self, task: Any, scope: Any) -> None:
        self.note("close", task)
        super().close_scope(task, scope)


def test_each_place_is_called_exactly_once() -> None:
    inner = sub("sp", start("s2"), gateway("g"), script("a", "x = 1"), script("b", "y = 1"), gateway("j"), end("e2"),
                edges("s2 > g > a > j > e2", "g > b > j"))  # fmt: skip
    repeated = script("m", "o = it", instances(cardinality="3", output="res"))
    again = script("l", "z = 1", '<standardLoopCharacteristics loopMaximum="2"/>')
    source = model(start(), inner, repeated, again, end(), edges("s > sp > m > l > e"))
    parser = BpmnParser()
    parser.add_bpmn_str(source)
    spec, nested = parser.get_spec("p"), parser.get_subprocess_specs("p")
    drive(spec, *nested.values())
    hooks = Counting()
    workflow = DrivenWorkflow(spec, nested, hooks=hooks)
    workflow.do_engine_steps()
    assert workflow.completed
    counted = {what: sum(1 for each in hooks.seen if each == what) for what in hooks.seen}
    assert {what: n for what, n in counted.items() if what[0] in ("before", "after")} == {
        **{(place, name): 1 for place in ("before", "after") for name in ("a", "b")},
        **{(place, "m"): 3 for place in ("before", "after")},
        **{(place, "l"): 2 for place in ("before", "after")},
    }
    assert counted["split", "g"] == counted["join", "j"] == 1
    assert counted["arrive", "j"] == 2
    assert counted["open", "sp"] == counted["close", "sp"] == counted["enter", "sp"] == 1
    assert counted["enter", "m"] == 1 + 3
